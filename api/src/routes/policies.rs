//! The paths to which special quotas or headers apply.

use crate::http::policies::PathPolicies;

/// The paths that count for further quotas, beside those of client and token, or for none. Publishing a rule set and
/// adding games to a group are counted elsewhere, when they are accepted, so that a repeated request counts once.
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
    by_digest: &["/v1/rule-sets/{id}/layout", "/v1/rule-sets/{id}/board"],
    by_version: &[
        "/v1/rule-sets/{id}",
        "/v1/rule-sets/{id}/source",
        "/v1/rule-sets/{id}/layout",
        "/v1/rule-sets/{id}/board",
    ],
};
