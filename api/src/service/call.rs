//! A request as use cases see it: the caller, and the versions that the caller has seen.

use std::ops::RangeInclusive;

use crate::error::{Code, Problem, detail};
use crate::ground::token::Token;
use crate::limits::Caller;
use crate::player::PlayerId;
use crate::store::Kind;

/// The values of a request's headers. They are read once, for all use cases.
#[derive(Debug, Clone, Default)]
pub(crate) struct Call {
    /// Method and path of the request, if it has an idempotency key. The key is valid for this method and path only.
    pub target: String,
    /// The bearer token.
    pub token: Option<Token>,
    /// The player whose token the request has, if it has one.
    pub player: Option<CallPlayer>,
    /// The versions in `If-Match`. The command may change the entity only if it is at one of these versions.
    pub if_match: Option<ETags>,
    /// The versions in `If-None-Match`. The client has these versions already.
    pub if_none_match: Option<ETags>,
    /// The seconds in `Prefer: wait`, for which the answer may wait for a new version or event; `None` without this
    /// header.
    pub wait: Option<u32>,
    /// The idempotency key.
    pub key: Option<String>,
    /// Whether the client prefers the brief form of the answer.
    pub is_brief: bool,
    /// Whether the token is the admin token.
    pub is_admin: bool,
    /// The caller for whom the request was counted; `None` if requests to this path are not counted.
    pub caller: Option<Caller>,
    /// The error of a malformed header, or of an identity provider's token that is not valid or cannot be checked. A
    /// command without a token gets the error of the missing token instead. Boxed, because every stream has a `Call` in
    /// memory.
    pub broken: Option<Box<Problem>>,
}

/// The player whose token a request has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CallPlayer {
    pub id: PlayerId,
    /// The name of the player, for people.
    pub name: Option<String>,
    /// The chips that the player can stake.
    pub balance: u64,
}

/// The entity tags of `If-Match` or `If-None-Match`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ETags {
    /// The value `*`, which stands for every version.
    Any,
    /// A list of entity tags, as they were sent.
    Of(Vec<String>),
}

impl ETags {
    /// Tells whether one of the entity tags is strong and has the number of one of these versions. An entity tag is a
    /// version and perhaps a language, as in `"7-hi"`; the language is ignored.
    pub(crate) fn name(&self, versions: RangeInclusive<u64>) -> bool {
        let is_it = |tag: &String| {
            let tag = tag.strip_prefix('"').and_then(|tag| tag.strip_suffix('"'));
            let number = tag.map(|tag| tag.split_once('-').map_or(tag, |(number, _)| number));
            let number = number.filter(|number| !number.starts_with(['+', '0']));
            number.and_then(|number| number.parse().ok()).is_some_and(|version| versions.contains(&version))
        };
        match self {
            Self::Any => true,
            Self::Of(tags) => tags.iter().any(is_it),
        }
    }

    /// Tells whether a strong or weak tag names the answer of this version in this language.
    pub(crate) fn contain(&self, version: u64, language: Option<&str>) -> bool {
        let wanted = etag(version, language);
        match self {
            Self::Any => true,
            Self::Of(tags) => tags.iter().any(|tag| tag.strip_prefix("W/").unwrap_or(tag) == wanted),
        }
    }

    /// Reads the value of a conditional header; `None` if it is malformed. An empty value lists no version, so a
    /// command with it conflicts with every version (RFC 9110, 13.1.1).
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

/// Writes a version as a strong entity tag, with the language of the answer where its texts are translated.
pub(crate) fn etag(version: u64, language: Option<&str>) -> String {
    match language {
        Some(language) => format!("\"{version}-{language}\""),
        None => format!("\"{version}\""),
    }
}

impl Call {
    /// Returns a copy of the request with this token instead of its own. The token must not be that of a player.
    pub(crate) fn with_token(&self, token: Token) -> Self {
        Self { token: Some(token), player: None, is_admin: false, ..self.clone() }
    }

    /// Checks that all headers are well-formed, and that a token of an identity provider is valid.
    ///
    /// # Errors
    /// 400 with the reason if a header is malformed; 401 if the token is not valid; 503 if it cannot be checked.
    pub(crate) fn check(&self) -> Result<(), Problem> {
        self.broken.as_deref().cloned().map_or(Ok(()), Err)
    }

    /// Checks that a command names the current version.
    ///
    /// # Errors
    /// 428 if there is no `If-Match`; 412 if it names only other versions.
    pub(crate) fn check_version(&self, kind: Kind, version: u64) -> Result<(), Problem> {
        self.check_version_since(kind, version, version)
    }

    /// Checks that a command names the current version or another version from `since` on: since then nothing has
    /// changed that concerns the command.
    ///
    /// # Errors
    /// 428 if there is no `If-Match`; 412 if it names only other versions.
    pub(crate) fn check_version_since(&self, kind: Kind, since: u64, version: u64) -> Result<(), Problem> {
        match &self.if_match {
            None => Err(Problem::new(
                Code::VersionNeeded,
                detail!(
                    "the {kind} is at version {version}: send `If-Match: {tag}` if that is what you saw",
                    kind = kind.to_string(),
                    version,
                    tag = etag(version, None)
                ),
            )),
            Some(tags) if tags.name(since..=version) => Ok(()),
            Some(_) => {
                let detail = detail!("the {kind} is at version {version}", kind = kind.to_string(), version);
                Err(Problem::new(Code::VersionConflict, detail))
            }
        }
    }

    /// Tells whether the client has this version already, by the header `If-None-Match`.
    pub(crate) fn has_seen(&self, version: u64) -> bool {
        self.has_seen_in(version, None)
    }

    /// Tells whether the client already has the answer of this version in this language, by the header `If-None-Match`.
    pub(crate) fn has_seen_in(&self, version: u64, language: Option<&str>) -> bool {
        self.if_none_match.as_ref().is_some_and(|tags| tags.contain(version, language))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entity_tags_match_strongly_or_weakly() {
        let tags = ETags::parse(r#""3", W/"4""#).unwrap();
        assert!(tags.name(3..=3) && tags.name(1..=5) && !tags.name(4..=4) && tags.contain(4, None));
        assert!(ETags::parse("*").unwrap().name(99..=99));
        assert!(!ETags::parse(" ").unwrap().contain(0, None), "an empty list holds no version");
        assert_eq!(ETags::parse(r#""a,b" , "c""#), Some(ETags::Of(vec![r#""a,b""#.into(), r#""c""#.into()])));
        let odd = ETags::parse(r#""+3", "03", "3x", """#);
        let odd = odd.unwrap();
        assert!(!odd.contain(3, None) && !odd.name(3..=3));
        let translated = ETags::parse(r#""3-kn""#).unwrap();
        assert!(translated.name(3..=3) && translated.contain(3, Some("kn")));
        assert!(!translated.contain(3, None) && !translated.contain(3, Some("hi")));
        assert_eq!(ETags::parse("3"), None);
        assert_eq!(ETags::parse(r#""3",,"#), None);
    }
}
