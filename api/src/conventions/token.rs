//! Bearer tokens: 256 bits from the operating system, kept only as hashes, compared in constant time.

use std::fmt;

use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq;

use crate::error::{Problem, internal};

/// A token as a client holds it. It has no `Display` and its `Debug` hides it, so that no log shows one.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

/// What is kept of a token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenHash(String);

impl Token {
    /// A new token.
    ///
    /// # Errors
    /// The operating system gives no randomness.
    pub fn new() -> Result<Self, Problem> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(internal)?;
        let hex = bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        Ok(Self(format!("pagade_{hex}")))
    }

    /// A token as it was sent.
    pub fn sent(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// What to keep of it.
    pub fn hash(&self) -> TokenHash {
        TokenHash(blake3::hash(self.0.as_bytes()).to_hex().to_string())
    }

    /// The text, for the one answer that hands it out.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl TokenHash {
    /// Whether this is the hash of the token, in a time that tells nothing.
    pub fn is_of(&self, token: &Token) -> bool {
        self.0.as_bytes().ct_eq(token.hash().0.as_bytes()).into()
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
        assert!(one.hash().is_of(&Token::sent(one.reveal())));
        assert!(!one.hash().is_of(&other));
        assert!(!format!("{one:?} {:?}", one.hash()).contains(one.reveal()));
    }
}
