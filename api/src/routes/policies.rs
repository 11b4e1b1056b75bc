//! The quotas that each path counts for.

use crate::http::rates::PathPolicies;

/// What is counted beside the requests of a client and of a token. Publishing is counted where a rule set is taken, so
/// that a repeated request counts once.
pub(crate) static POLICIES: PathPolicies = PathPolicies {
    uncounted: &["/livez", "/readyz", "/metrics"],
    creating: &["/v1/games", "/v1/records"],
    heavy: &["/v1/records", "/v1/rule-checks", "/v1/rule-sets"],
};
