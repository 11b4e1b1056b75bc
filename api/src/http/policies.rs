//! The paths that are treated in a special way: by quotas, or by caches.

/// The paths to which special quotas or headers apply. `routes` has the values.
#[derive(Debug)]
pub(crate) struct PathPolicies {
    /// Paths for monitoring. Requests to them are neither counted nor refused.
    pub uncounted: &'static [&'static str],
    /// Paths whose POST creates or imports one entity, such as a game, which counts for the quota `create`.
    pub creating: &'static [&'static str],
    /// Paths whose POST is long work, such as compiling a rule text, which counts for the quota `heavy`.
    pub heavy: &'static [&'static str],
    /// Paths whose answers seldom change. Each also stands for all paths below it.
    pub lasting: &'static [&'static str],
    /// Path templates of operations whose ids are secrets. The log has these templates in place of the paths.
    pub secret: &'static [&'static str],
    /// Path templates of operations whose query may name a digest (`by_digest`) or a version (`by_version`). An answer
    /// for a digest never changes. An answer for a version changes only with another version of the program.
    pub by_digest: &'static [&'static str],
    pub by_version: &'static [&'static str],
}

impl PathPolicies {
    /// Tells whether the answers at a path seldom change.
    pub(crate) fn is_lasting(&self, path: &str) -> bool {
        let is_below = |rest: &str| rest.is_empty() || rest.starts_with('/');
        self.lasting.iter().any(|known| path.strip_prefix(known).is_some_and(is_below))
    }
}
