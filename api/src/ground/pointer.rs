//! JSON Pointers (RFC 6901), which name a position in a JSON document.

/// Escapes a name for use as one step of a JSON Pointer.
pub(crate) fn escape(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
