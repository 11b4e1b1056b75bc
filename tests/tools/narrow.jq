# Narrows the description to requests by which the fuzzer can create and play a game. The service refuses almost all
# made-up rule sets, options and versions.
.components.schemas.CreateGame |= (
  .properties.rule_set = {type: "string", enum: ["royal-game-of-ur"]}
  | del(.properties["options", "players", "version", "turn_timer", "dice", "private"])
  | .required = ["rule_set", "hot_seat"]
)
| ((.paths[][].parameters[]?, .components.parameters[]) | select(.name == "If-Match").schema) = {type: "string", enum: ["*"]}
# Adds links from the answer that creates a game to every operation on this game, in place of all other links. The first
# run of the fuzzer, with the whole description, follows those other links.
| del(.components.responses[].links, .paths[][].responses[]?.links)
| [.paths | to_entries[] | select(.key | startswith("/v1/games/{id}")) | .value[].operationId] as $of_games
| (.paths["/v1/games"].post.responses["201"]["$ref"] | split("/") | last) as $created
| .components.responses[$created].links =
    ($of_games | map({(.): {operationId: ., parameters: {id: "$response.body#/game/id"}}}) | add)
