//! The caller of a use case, and the versions that the caller knows.

use crate::error::{Code, Problem};
use crate::ground::token::Token;
use crate::limits::Caller;
use crate::store::Kind;

/// What the headers of a request say, read once for all use cases.
#[derive(Debug, Clone, Default)]
pub(crate) struct Call {
    /// Method and path of the request, if it has an idempotency key: the key is valid for them only.
    pub target: String,
    /// The bearer token.
    pub token: Option<Token>,
    /// `If-Match`: the versions to which the command may apply.
    pub if_match: Option<ETags>,
    /// `If-None-Match`: the versions that the client has already.
    pub if_none_match: Option<ETags>,
    /// `Prefer: wait`: seconds that the client prefers to wait for news; 0 without it.
    pub wait: u32,
    /// The idempotency key.
    pub key: Option<String>,
    /// Whether the client prefers the brief form of the answer.
    pub is_brief: bool,
    /// Whether the token is the operator's.
    pub is_admin: bool,
    /// The caller whose quotas are charged; `None` without quotas.
    pub caller: Option<Caller>,
    /// A malformed header. It is reported after the check of the token, so that strangers learn nothing.
    pub broken: Option<Problem>,
}

/// Entity tags of a conditional header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ETags {
    /// `*`
    Any,
    /// The listed entity tags, as written.
    Of(Vec<String>),
}

impl ETags {
    /// Whether a version is listed. Weak tags match unless `strong` is set.
    pub(crate) fn contain(&self, version: u64, strong: bool) -> bool {
        // The same form as `etag` writes.
        let is_it = |tag: &str| {
            let number = tag.strip_prefix('"').and_then(|tag| tag.strip_suffix('"'));
            number.is_some_and(|number| number.parse() == Ok(version) && !number.starts_with(['+', '0']))
        };
        match self {
            Self::Any => true,
            Self::Of(tags) => tags.iter().any(|tag| match tag.strip_prefix("W/") {
                Some(weak) => !strong && is_it(weak),
                None => is_it(tag),
            }),
        }
    }

    /// Reads the value of a conditional header; `None` if it is malformed. An empty value lists no version: a command
    /// that may apply to no version conflicts with every one (RFC 9110, 13.1.1).
    pub(crate) fn parse(text: &str) -> Option<Self> {
        match text.trim() {
            "*" => return Some(Self::Any),
            "" => return Some(Self::Of(Vec::new())),
            _ => {}
        }
        let (mut tags, mut rest) = (Vec::new(), text.trim());
        loop {
            // A tag may contain a comma, so the closing quotation mark ends it.
            let open = rest.strip_prefix("W/").unwrap_or(rest).strip_prefix('"')?;
            let inside = open.find('"')?;
            if !open[..inside].bytes().all(|byte| byte == b'!' || (b'#'..=b'~').contains(&byte)) {
                return None;
            }
            let end = rest.len() - open.len() + inside + 1;
            tags.push(rest[..end].to_owned());
            rest = rest[end..].trim_start();
            if rest.is_empty() {
                return Some(Self::Of(tags));
            }
            rest = rest.strip_prefix(',')?.trim_start();
        }
    }
}

/// A version as a strong entity tag.
pub(crate) fn etag(version: u64) -> String {
    format!("\"{version}\"")
}

impl Call {
    /// Checks that all headers are well-formed.
    ///
    /// # Errors
    /// 400 with the reason otherwise.
    pub(crate) fn check(&self) -> Result<(), Problem> {
        self.broken.clone().map_or(Ok(()), Err)
    }

    /// Checks that a command names the current version.
    ///
    /// # Errors
    /// 428 without `If-Match`; 412 if it names other versions.
    pub(crate) fn check_version(&self, kind: Kind, version: u64) -> Result<(), Problem> {
        match &self.if_match {
            None => Err(Problem::new(
                Code::VersionNeeded,
                format!(
                    "the {kind} is at version {version}: send `If-Match: {}` if that is what you saw",
                    etag(version)
                ),
            )),
            Some(tags) if tags.contain(version, true) => Ok(()),
            Some(_) => Err(Problem::new(Code::VersionConflict, format!("the {kind} is at version {version}"))),
        }
    }

    /// Whether the client has this version already.
    pub(crate) fn has_seen(&self, version: u64) -> bool {
        self.if_none_match.as_ref().is_some_and(|tags| tags.contain(version, false))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entity_tags_match_strongly_or_weakly() {
        let tags = ETags::parse(r#""3", W/"4""#).unwrap();
        assert!(tags.contain(3, true) && !tags.contain(4, true) && tags.contain(4, false));
        assert!(ETags::parse("*").unwrap().contain(99, true));
        assert!(!ETags::parse(" ").unwrap().contain(0, false), "an empty list holds no version");
        assert_eq!(ETags::parse(r#""a,b" , "c""#), Some(ETags::Of(vec![r#""a,b""#.into(), r#""c""#.into()])));
        let odd = ETags::parse(r#""+3", "03", "3x", """#);
        assert!(!odd.unwrap().contain(3, false));
        assert_eq!(ETags::parse("3"), None);
        assert_eq!(ETags::parse(r#""3",,"#), None);
    }
}
