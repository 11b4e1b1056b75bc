//! The methods of each path.

use utoipa::openapi::OpenApi;

/// The paths of the document with their methods: a known path with another method is answered with 405.
#[derive(Debug, Clone)]
pub struct Paths(Vec<(Vec<String>, Vec<&'static str>)>);

impl Paths {
    /// The paths of this document.
    pub fn of(document: &OpenApi) -> Self {
        let known = document.paths.paths.iter().map(|(path, item)| {
            let mut methods = Vec::new();
            for (method, operation) in [("DELETE", &item.delete), ("GET", &item.get), ("POST", &item.post)] {
                if operation.is_some() {
                    methods.push(method);
                }
            }
            if item.get.is_some() {
                methods.push("HEAD");
            }
            (path.split('/').map(str::to_owned).collect(), methods)
        });
        Self(known.collect())
    }

    /// The methods of a path; none for an unknown path.
    pub fn methods(&self, path: &str) -> Vec<&'static str> {
        let segments: Vec<&str> = path.split('/').collect();
        let fits = |known: &[String]| {
            known.len() == segments.len()
                && known
                    .iter()
                    .zip(&segments)
                    .all(|(known, given)| if known.starts_with('{') { !given.is_empty() } else { known == given })
        };
        let found = self.0.iter().filter(|(known, _)| fits(known)).flat_map(|(_, methods)| methods);
        found.copied().collect()
    }
}
