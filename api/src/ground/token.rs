//! Bearer tokens: 256 random bits. The service stores only their hashes, and compares hashes in constant time.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A token in clear text. It has no `Display`, and its `Debug` hides the text, so that no log shows a token.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

/// The BLAKE3 hash of a token. A comparison of two hashes takes the same time whether they are equal or not.
#[derive(Debug, Clone, Eq, Serialize, Deserialize)]
pub struct TokenHash([u8; 32]);

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

    /// Wraps the text of a token that a client has sent, or an operator has set.
    pub fn sent(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// Computes the hash that is stored instead of the token.
    pub fn hash(&self) -> TokenHash {
        TokenHash(*blake3::hash(self.0.as_bytes()).as_bytes())
    }

    /// Returns the clear text, for the answer that issues the token and for hashing.
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
}
