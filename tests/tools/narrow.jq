# Narrows the description to requests that lead into a game: made-up rule sets, options and versions hardly ever do.
.components.schemas.CreateGame |= (
  .properties.rule_set = {type: "string", enum: ["royal-game-of-ur"]}
  | del(.properties["options", "players", "version", "turn_timer", "dice", "private"])
  | .required = ["rule_set", "hot_seat"]
)
| (.paths[][].parameters[]? | select(.name == "If-Match").schema) = {type: "string", enum: ["*"]}
# Links from a created game to every operation on games.
| [.paths | to_entries[] | select(.key | startswith("/v1/games/{id}")) | .value[].operationId] as $of_games
| .paths["/v1/games"].post.responses["201"].links =
    ($of_games | map({(.): {operationId: ., parameters: {id: "$response.body#/game/id"}}}) | add)
