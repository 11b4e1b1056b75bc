//! Bearer tokens: 256 random bits, and the name of the entity that they belong to. The service stores only their
//! hashes, and compares hashes in constant time.

use std::fmt;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// A token in clear text. It has no `Display`, and its `Debug` hides the text, so that no log shows a token.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

/// The BLAKE3 hash of a token. A comparison of two hashes takes the same time whether they are equal or not.
#[derive(Debug, Clone, Eq, Serialize, Deserialize)]
pub struct TokenHash([u8; 32]);

/// The hashes of the tokens of an entity that were revoked. If a request has one of them, the error says that the token
/// was revoked. The newest 16 are stored.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RevokedTokens(Vec<TokenHash>);

impl RevokedTokens {
    /// Maximum number of tokens.
    const MOST: usize = 16;

    /// Notes that a token was revoked.
    pub(crate) fn add(&mut self, token: TokenHash) {
        if self.0.len() == Self::MOST {
            self.0.remove(0);
        }
        self.0.push(token);
    }

    /// Tells whether a token was revoked. It is compared with every hash, so that the time does not depend on where it
    /// stands.
    pub(crate) fn contain(&self, token: &Token) -> bool {
        let token = token.hash();
        self.0.iter().fold(false, |found, revoked| found | (*revoked == token))
    }
}

impl Token {
    /// Draws a new token.
    ///
    /// # Errors
    /// The operating system has no random bytes.
    pub fn new() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes)?;
        Ok(Self(format!("pagade_{}", const_hex::encode(bytes))))
    }

    /// Draws a new token of an entity. Its text contains the kind and the id of the entity: `pagade_game_ID_SECRET`.
    /// With them, `GET /v1/me` can tell the holder what the token is for. Kind and id prove nothing: whether a token is
    /// valid depends on its hash alone.
    ///
    /// # Errors
    /// The operating system has no random bytes.
    pub fn of(kind: &str, id: Uuid) -> Result<Self, getrandom::Error> {
        let Self(drawn) = Self::new()?;
        Ok(Self(drawn.replacen('_', &format!("_{kind}_{}_", id.simple()), 1)))
    }

    /// Makes the token of a player who signs in at an identity provider: this one token takes the place of all JWTs
    /// that name the person. Its text begins like that of [`Token::of`]. It has a NUL, which no header can have, so no
    /// client can send it.
    pub(crate) fn of_subject(kind: &str, id: Uuid, subject: &[u8; 32]) -> Self {
        Self(format!("pagade_{kind}_{}_\u{0}{}", id.simple(), const_hex::encode(subject)))
    }

    /// Returns the kind and the id of the entity that the text of the token contains.
    pub fn entity(&self) -> Option<(&str, Uuid)> {
        let mut parts = self.0.strip_prefix("pagade_")?.split('_');
        let (kind, id) = (parts.next()?, Uuid::try_parse(parts.next()?).ok()?);
        Some((kind, id))
    }

    /// Wraps the text of a token that a client has sent, or an operator has set. A text with a NUL counts as empty, so
    /// that no client can send the token that takes the place of a person's JWTs.
    pub fn sent(text: &str) -> Self {
        Self(if text.contains('\u{0}') { String::new() } else { text.to_owned() })
    }

    /// Wraps the text of a token that the service has stored encrypted, and has decrypted.
    pub(crate) fn opened(text: String) -> Self {
        Self(text)
    }

    /// Computes the hash that is stored instead of the token.
    pub fn hash(&self) -> TokenHash {
        TokenHash(*blake3::hash(self.0.as_bytes()).as_bytes())
    }

    /// Returns the clear text. Only the answer that issues the token, and the computation of its hash need it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl PartialEq for TokenHash {
    fn eq(&self, other: &Self) -> bool {
        let [one, other] = [self.0, other.0].map(blake3::Hash::from_bytes);
        // `blake3::Hash` compares in constant time.
        one == other
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_known_by_its_hash_alone() {
        let (one, other) = (Token::new().unwrap(), Token::new().unwrap());
        assert_eq!(one.hash(), Token::sent(one.reveal()).hash());
        assert_ne!(one.hash(), other.hash());
        assert!(!format!("{one:?} {:?}", one.hash()).contains(one.reveal()));
    }

    #[test]
    fn the_newest_revoked_tokens_are_stored() {
        let tokens: Vec<_> = (0..=RevokedTokens::MOST).map(|_| Token::new().unwrap()).collect();
        let mut revoked = RevokedTokens::default();
        tokens.iter().for_each(|token| revoked.add(token.hash()));
        let found: Vec<_> = tokens.iter().map(|token| revoked.contain(token)).collect();
        assert!(!found[0] && found[1..].iter().all(|found| *found));
        let stored = rmp_serde::to_vec(&revoked).unwrap();
        assert_eq!(stored, rmp_serde::to_vec(&revoked.0).unwrap());
    }

    #[test]
    fn nobody_can_send_the_token_that_stands_for_those_of_an_identity_provider() {
        let token = Token::of_subject("player", Uuid::now_v7(), &[7; 32]);
        assert_ne!(Token::sent(token.reveal()).hash(), token.hash());
        assert_eq!(Token::opened(token.reveal().to_owned()).hash(), token.hash());
    }

    #[test]
    fn a_token_names_its_entity() {
        let id = Uuid::now_v7();
        let token = Token::of("game", id).unwrap();
        assert_eq!(token.entity(), Some(("game", id)));
        assert_eq!(Token::new().unwrap().entity(), None);
        for text in ["", "pagade_", "pagade_game", "pagade_game_none_00", "the-operators"] {
            assert_eq!(Token::sent(text).entity(), None, "{text}");
        }
    }
}
