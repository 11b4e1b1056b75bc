//! JSON Pointers (RFC 6901): where in a document something is.

/// A name as one step of a JSON Pointer.
pub(crate) fn escape(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
