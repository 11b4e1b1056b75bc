//! Bearer tokens: 256 bits from the operating system, kept only as hashes, compared in constant time.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A token as a client holds it. It has no `Display` and its `Debug` hides it, so that no log shows one.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

/// What is kept of a token. Comparing two takes a time that tells nothing.
#[derive(Debug, Clone, Eq, Serialize, Deserialize)]
pub struct TokenHash([u8; 32]);

impl Token {
    /// A new token.
    ///
    /// # Errors
    /// The operating system gives no randomness.
    pub fn new() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes)?;
        Ok(Self(format!("pagade_{}", const_hex::encode(bytes))))
    }

    /// A token as it was sent.
    pub fn sent(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// What to keep of it.
    pub fn hash(&self) -> TokenHash {
        TokenHash(*blake3::hash(self.0.as_bytes()).as_bytes())
    }

    /// The text, for the one answer that hands it out.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl PartialEq for TokenHash {
    fn eq(&self, other: &Self) -> bool {
        let [one, other] = [self.0, other.0].map(blake3::Hash::from_bytes);
        // The comparison of these takes the same time always.
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
}
