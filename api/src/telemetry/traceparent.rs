//! The header `traceparent` of W3C Trace Context, which names the trace that a request belongs to.

/// The span of another program that sent a request, as its `traceparent` header names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Parent {
    /// Id of the trace.
    pub trace: [u8; 16],
    /// Id of the span.
    pub span: [u8; 8],
    /// Whether the other program records this trace.
    pub is_sampled: bool,
}

impl Parent {
    /// Reads the header; `None` if it is malformed. A request with a malformed header begins a new trace.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut fields = text.trim().split('-');
        let (version, trace, span, flags) = (fields.next()?, fields.next()?, fields.next()?, fields.next()?);
        let [version] = bytes(version)?;
        // Version 0 has exactly four fields; later versions may add more.
        if version == 0xff || (version == 0 && fields.next().is_some()) {
            return None;
        }
        let [flags] = bytes(flags)?;
        let parent = Self { trace: bytes(trace)?, span: bytes(span)?, is_sampled: flags & 1 == 1 };
        (parent.trace != [0; 16] && parent.span != [0; 8]).then_some(parent)
    }
}

/// Reads `N` bytes from `2 * N` lower-case hexadecimal digits.
fn bytes<const N: usize>(text: &str) -> Option<[u8; N]> {
    let is_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    if text.bytes().all(is_hex) { const_hex::decode_to_array(text).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::Parent;

    #[test]
    fn a_malformed_header_begins_a_trace() {
        let parent = Parent::parse("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01").unwrap();
        assert_eq!((parent.trace[0], parent.span[7], parent.is_sampled), (0x4b, 0xb7, true));
        assert!(!Parent::parse("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00").unwrap().is_sampled);
        assert!(Parent::parse("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-later").is_some());
        for wrong in [
            "",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e47é-00f067aa0ba902b7-01",
        ] {
            assert_eq!(Parent::parse(wrong), None, "{wrong}");
        }
    }
}
