//! Requests that may be sent again: the same key and body give the same answer and one effect.
//!
//! An answer may carry a token, and tokens are never stored. So the stored answer is sealed with a key made of what
//! only the client knows, its idempotency key and token; of these the store sees hashes alone. A client that wants this
//! to be worth something sends random keys.

use rand::Rng;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

use crate::error::{Code, Problem, internal};
use crate::service::call::Call;
use crate::service::reply::Reply;
use crate::store::StoredAnswer;

/// How long an answer is given again, in seconds.
pub const LIFETIME: u64 = 24 * 60 * 60;

/// A request with an idempotency key.
#[derive(Clone)]
pub struct Once {
    /// What the store keeps the answer under.
    pub key: [u8; 32],
    request: [u8; 32],
    secret: [u8; 32],
}

impl Once {
    /// The request's key, if it has one; other clients and other paths have other keys.
    ///
    /// # Errors
    /// 400 where a header cannot be read.
    pub fn of(call: &Call, body: &[u8]) -> Result<Option<Self>, Problem> {
        call.check()?;
        let Some(key) = &call.key else { return Ok(None) };
        let token = call.token.as_ref().map_or("", |token| token.reveal());
        let scope = format!("{}\n{token}\n{key}", call.target);
        Ok(Some(Self {
            key: blake3::derive_key("pagade idempotency key v1", scope.as_bytes()),
            request: *blake3::hash(body).as_bytes(),
            secret: blake3::derive_key("pagade idempotency seal v1", scope.as_bytes()),
        }))
    }

    /// The answer, sealed; `now` in milliseconds since 1970.
    ///
    /// # Errors
    /// The answer is no JSON, which its type rules out.
    pub fn seal(&self, reply: &Reply, now: u64) -> Result<StoredAnswer, Problem> {
        let expires = now / 1000 + LIFETIME;
        let mut sealed = serde_json::to_vec(reply).map_err(internal)?;
        self.cover(expires, &mut sealed);
        Ok(StoredAnswer { request: self.request, expires, sealed })
    }

    /// The answer given before.
    ///
    /// # Errors
    /// 422 where the key came with another body.
    pub fn open(&self, stored: StoredAnswer) -> Result<Reply, Problem> {
        if stored.request != self.request {
            return Err(Problem::new(
                Code::IdempotencyKeyReused,
                "the same key came with another body within the last 24 hours",
            ));
        }
        let mut answer = stored.sealed;
        self.cover(stored.expires, &mut answer);
        let reply = serde_json::from_slice::<Reply>(&answer).map_err(internal)?;
        Ok(reply.as_repeated())
    }

    /// Lays a key stream over the bytes; twice gives them back. A key is held once at a time and the stream depends on
    /// the expiry, so no stream covers two answers.
    fn cover(&self, expires: u64, bytes: &mut [u8]) {
        let mut stream = ChaCha20Rng::from_seed(self.secret);
        stream.set_stream(expires);
        let mut pad = vec![0; bytes.len()];
        stream.fill_bytes(&mut pad);
        for (byte, pad) in bytes.iter_mut().zip(pad) {
            *byte ^= pad;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::clock;

    fn call(key: &str) -> Call {
        Call { target: "POST /v1/games".into(), key: Some(key.into()), ..Call::default() }
    }

    #[test]
    fn a_sealed_answer_opens_for_the_same_request_alone() {
        let once = Once::of(&call("k"), b"body").unwrap().unwrap();
        let reply = Reply::ok(&serde_json::json!({"token": "secret-word"})).unwrap().at_version(3);
        let stored = once.seal(&reply, clock::milliseconds()).unwrap();
        assert!(!String::from_utf8_lossy(&stored.sealed).contains("secret-word"));
        assert_eq!(once.open(stored.clone()).unwrap(), reply.as_repeated());
        let other = Once::of(&call("k"), b"other").unwrap().unwrap();
        assert_eq!(other.key, once.key);
        assert_eq!(other.open(stored).unwrap_err().code, Code::IdempotencyKeyReused);
    }
}
