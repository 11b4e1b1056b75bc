//! The paths to which special quotas or headers apply.

use crate::http::policies::PathPolicies;

/// The paths that count for further quotas, beside those of client and token, or for none.
///
/// The service counts what a path does not show: a published rule set (`publish`), the games that a group or the next
/// round of a tournament gets (`create`), the records of an export (`client`), and invitations, requests to be friends
/// and votes of a player (`invite`). It counts them when it accepts them, so that a repeated request counts once.
pub(crate) static POLICIES: PathPolicies = PathPolicies {
    uncounted: &["/livez", "/readyz", "/metrics"],
    creating: &[
        "/v1/games",
        "/v1/groups",
        "/v1/players",
        "/v1/quick-play",
        "/v1/records",
        "/v1/tables",
        "/v1/tournaments",
    ],
    heavy: &[
        "/v1/records",
        "/v1/rule-checks",
        "/v1/rule-comparisons",
        "/v1/rule-sets",
        "/v1/scenario-runs",
        "/v1/simulations",
    ],
    lasting: &["/openapi.json", "/docs", "/guide", "/v1/rule-sets", "/v1/rule-language/schema", "/v1/problems"],
    secret: &["/v1/simulations/{id}"],
    by_digest: &["/v1/rule-sets/{id}/layout", "/v1/rule-sets/{id}/board"],
    by_version: &[
        "/v1/rule-sets/{id}",
        "/v1/rule-sets/{id}/source",
        "/v1/rule-sets/{id}/layout",
        "/v1/rule-sets/{id}/board",
    ],
};
