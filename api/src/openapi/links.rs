//! Links from the answer that creates something to the operations on it. Readers see what comes next, and tools that
//! follow links call these operations with the id from the answer.

use serde_json::{Map, Value, json};

/// An answer with links.
struct Linked {
    /// The operation whose answer has the links.
    from: &'static str,
    /// Where the id for the linked operations is: in the body of the answer, or in the path of the request (a runtime
    /// expression of OpenAPI).
    id: &'static str,
    /// The operations to which the links lead.
    to: &'static [&'static str],
}

const OF_CREATED_GAME: &[&str] =
    &["read_game", "join_seat", "start_game", "list_legal_actions", "throw_dice", "play_actions", "list_events"];
const OF_CREATED_TABLE: &[&str] = &[
    "read_table",
    "take_table_seat",
    "seat_table_robot",
    "read_table_options",
    "change_table_options",
    "invite_to_table",
    "start_table_game",
    "list_table_events",
];

/// Every answer with links. `list_events` is a stream where the client accepts one, or a page that waits.
const LINKED: [Linked; 12] = [
    Linked { from: "create_game", id: "$response.body#/game/id", to: OF_CREATED_GAME },
    Linked { from: "import_record", id: "$response.body#/game/id", to: OF_CREATED_GAME },
    Linked {
        from: "start_game",
        id: "$request.path.id",
        to: &["read_game", "list_legal_actions", "throw_dice", "play_actions", "list_events"],
    },
    Linked { from: "throw_dice", id: "$request.path.id", to: &["list_legal_actions", "play_actions", "throw_dice"] },
    Linked { from: "play_actions", id: "$request.path.id", to: &["list_legal_actions", "throw_dice", "play_actions"] },
    Linked {
        from: "create_group",
        id: "$response.body#/group/id",
        to: &["read_group", "create_games", "list_group_games", "list_group_events", "complete_group"],
    },
    Linked {
        from: "create_tournament",
        id: "$response.body#/tournament/id",
        to: &[
            "read_tournament",
            "enter_tournament",
            "start_tournament",
            "pair_round",
            "read_round",
            "read_standings",
            "list_tournament_events",
            "export_tournament",
        ],
    },
    Linked { from: "create_table", id: "$response.body#/id", to: OF_CREATED_TABLE },
    Linked { from: "quick_play", id: "$response.body#/id", to: OF_CREATED_TABLE },
    Linked {
        from: "create_player",
        id: "$response.body#/player/id",
        to: &["read_player", "change_player", "list_player_games", "list_player_events", "list_friends"],
    },
    Linked { from: "create_simulation", id: "$response.body#/id", to: &["read_simulation", "cancel_simulation"] },
    Linked {
        from: "publish_rule_set",
        id: "$response.body#/id",
        to: &["read_rule_set", "read_rule_set_layout", "read_rule_set_source", "list_rule_set_versions"],
    },
];

/// Adds the links to the answers that have a version or a body.
pub(super) fn add(document: &mut Value) {
    let mut checked = Vec::new();
    for (_, item) in document["paths"].as_object().into_iter().flatten() {
        for (_, operation) in item.as_object().into_iter().flatten() {
            let takes = |name| {
                let parameters = operation["parameters"].as_array();
                parameters.is_some_and(|all| all.iter().any(|parameter| parameter["name"] == name))
            };
            if takes("If-Match")
                && let Some(id) = operation["operationId"].as_str()
            {
                checked.push(id.to_owned());
            }
        }
    }
    for (_, item) in document["paths"].as_object_mut().into_iter().flatten() {
        for (_, operation) in item.as_object_mut().into_iter().flatten() {
            let Some(linked) = LINKED.iter().find(|linked| operation["operationId"] == linked.from) else { continue };
            for (status, response) in operation["responses"].as_object_mut().into_iter().flatten() {
                if status.starts_with('2') {
                    response["links"] = links(linked, response["headers"].get("ETag").is_some(), &checked);
                }
            }
        }
    }
}

/// The links of an answer. Links to an operation in `checked` also pass on the version in the answer, as `If-Match`.
fn links(linked: &Linked, has_version: bool, checked: &[String]) -> Value {
    let link = |to: &&str| {
        let mut parameters = json!({"id": linked.id});
        if has_version && checked.iter().any(|id| id == to) {
            parameters["header.If-Match"] = json!("$response.header.ETag");
        }
        ((*to).to_owned(), json!({"operationId": to, "parameters": parameters}))
    };
    linked.to.iter().map(link).collect::<Map<_, _>>().into()
}
