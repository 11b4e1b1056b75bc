//! The paths of the API, each with its methods.

use utoipa::openapi::OpenApi;

/// The paths of the API with their methods. A request with another method to one of these paths is answered 405.
#[derive(Debug)]
pub(crate) struct Paths(Vec<(Vec<String>, Vec<&'static str>)>);

impl Paths {
    /// Collects the paths of an OpenAPI document.
    pub(super) fn of(document: &OpenApi) -> Self {
        let paths = document.paths.paths.iter().map(|(path, item)| {
            let mut methods = Vec::new();
            for (method, operation) in [
                ("DELETE", &item.delete),
                ("GET", &item.get),
                ("PATCH", &item.patch),
                ("POST", &item.post),
                ("PUT", &item.put),
            ] {
                if operation.is_some() {
                    methods.push(method);
                }
            }
            if item.get.is_some() {
                methods.push("HEAD");
            }
            (path.split('/').map(str::to_owned).collect(), methods)
        });
        Self(paths.collect())
    }

    /// Returns the methods of a path; none for a path that is not in the document.
    pub(crate) fn methods(&self, path: &str) -> Vec<&'static str> {
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
