//! Idempotency keys. A request that is sent again with its key gets the stored answer, and has no second effect.
//!
//! An answer may contain a token, and tokens are never stored in plain text. So the stored answer is encrypted
//! (ChaCha20-Poly1305, RFC 8439) with a key that is derived from the idempotency key and the token. The store has only
//! hashes of both.
//!
//! The keys of different callers must not mix, because anyone who sends the idempotency key of another caller would get
//! that caller's answer. If an operation needs a token, the token is part of the derived key and keeps callers apart.
//! If an operation needs no token, or if its answer holds a new token or secret, only the idempotency key itself shows
//! who sends the request. Then it must be a key that nobody can guess ([`IdempotentRequest::secret`]).

use chacha20poly1305::aead::{AeadInOut, KeyInit};
use chacha20poly1305::{ChaCha20Poly1305, Nonce};

use crate::error::{Code, Problem, ProblemPart, detail, internal};
use crate::service::call::Call;
use crate::service::reply::Reply;
use crate::store::StoredAnswer;

/// Lifetime of a stored answer, in seconds.
pub(crate) const LIFETIME: u64 = 24 * 60 * 60;

/// Smallest length of a secret key, in characters. 22 random letters and digits are 130 bits. A UUID is longer.
const SECRET_LENGTH: usize = 22;
/// Smallest number of different characters in a secret key. Of 6 * 10^9 random UUIDs, one has fewer.
const SECRET_VARIETY: usize = 8;

/// A request with an idempotency key, as the keys and hashes that are derived from it.
#[derive(Clone)]
pub(crate) struct IdempotentRequest {
    /// The name under which the store has the answer.
    pub key: [u8; 32],
    body_hash: [u8; 32],
    sealing: [u8; 32],
    nonces: [u8; 32],
}

impl IdempotentRequest {
    /// Derives the keys of a request, if it has an idempotency key. Method, path and token are part of the derivation:
    /// the same idempotency key on another path or with another token gives other keys.
    ///
    /// # Errors
    /// 400 if a header is malformed.
    pub(crate) fn of(call: &Call, body: &[u8]) -> Result<Option<Self>, Problem> {
        call.check()?;
        let Some(key) = &call.key else { return Ok(None) };
        let token = call.token.as_ref().map_or("", |token| token.reveal());
        let scope = format!("{}\n{token}\n{key}", call.target);
        Ok(Some(Self {
            key: blake3::derive_key("pagade idempotency key v1", scope.as_bytes()),
            body_hash: *blake3::hash(body).as_bytes(),
            sealing: blake3::derive_key("pagade idempotency seal v2", scope.as_bytes()),
            nonces: blake3::derive_key("pagade idempotency nonce v2", scope.as_bytes()),
        }))
    }

    /// Does the same as [`IdempotentRequest::of`], for operations that need no token, or whose answer holds a token or
    /// secret. The idempotency key must be a secret of the caller.
    ///
    /// # Errors
    /// 400 if a header is malformed; 422 if the key could be guessed.
    pub(crate) fn secret(call: &Call, body: &[u8]) -> Result<Option<Self>, Problem> {
        let request = Self::of(call, body)?;
        if call.key.as_deref().is_some_and(can_be_guessed) {
            let detail = detail!(
                "the answer to this request is kept for all senders of the same key: send a random UUID, or {least} random characters or more",
                least = SECRET_LENGTH
            );
            let part = ProblemPart { header: Some("idempotency-key".to_owned()), ..ProblemPart::of(detail) };
            return Err(Problem::one(Code::IdempotencyKeyWeak, part));
        }
        Ok(request)
    }

    /// Encrypts an answer. `now` is in milliseconds since 1970. The nonce is appended to the encrypted bytes.
    ///
    /// # Errors
    /// The answer cannot be written as JSON or encrypted, which its type and its size make impossible.
    pub(crate) fn seal(&self, reply: &Reply, now: u64) -> Result<StoredAnswer, Problem> {
        let expires = now / 1000 + LIFETIME;
        let mut answer = serde_json::to_vec(reply).map_err(internal)?;
        let associated_data = self.associated_data(&self.body_hash, expires);
        let nonce = self.nonce(&associated_data, &answer);
        self.cipher().encrypt_in_place(&nonce, &associated_data, &mut answer).map_err(internal)?;
        answer.extend_from_slice(&nonce);
        Ok(StoredAnswer { request: self.body_hash, expires, sealed: answer })
    }

    /// Decrypts a stored answer.
    ///
    /// # Errors
    /// 500 if the stored bytes were altered or encrypted with another key; 422 if the idempotency key was first used
    /// with another body.
    pub(crate) fn open(&self, stored: StoredAnswer) -> Result<Reply, Problem> {
        let mut answer = stored.sealed;
        let nonce = answer.len().checked_sub(size_of::<Nonce>()).map(|start| answer.split_off(start));
        let nonce = nonce.and_then(|nonce| Nonce::try_from(nonce.as_slice()).ok());
        let nonce = nonce.ok_or_else(|| internal("a stored answer is shorter than a nonce"))?;
        let associated_data = self.associated_data(&stored.request, stored.expires);
        let opened = self.cipher().decrypt_in_place(&nonce, &associated_data, &mut answer);
        opened.map_err(|_| internal("a stored answer is damaged, or belongs to another key"))?;
        if stored.request != self.body_hash {
            return Err(Problem::new(
                Code::IdempotencyKeyReused,
                "this idempotency key was used with another body within the last 24 hours",
            ));
        }
        let reply = serde_json::from_slice::<Reply>(&answer).map_err(internal)?;
        Ok(reply.into_repeated())
    }

    fn cipher(&self) -> ChaCha20Poly1305 {
        ChaCha20Poly1305::new(&self.sealing.into())
    }

    /// Returns the part of a stored answer that is authenticated but not encrypted: hash of the body, expiry, and key.
    fn associated_data(&self, body_hash: &[u8; 32], expires: u64) -> [u8; 72] {
        let mut associated_data = [0; 72];
        associated_data[..32].copy_from_slice(body_hash);
        associated_data[32..40].copy_from_slice(&expires.to_be_bytes());
        associated_data[40..].copy_from_slice(&self.key);
        associated_data
    }

    /// Computes the nonce of an answer: a keyed hash of the answer and of its associated data.
    ///
    /// Several answers may be encrypted with one key within one second: because a commit is repeated after a conflict,
    /// because two replicas work on the same request, or because a client sends another body. A counter or the expiry
    /// could give two of them the same nonce. With a hash, answers with the same nonce are equal in every bit, and to
    /// encrypt equal bytes twice reveals nothing. By chance, two nonces of 96 bits are equal once in 2^48 answers with
    /// one key, and a key is used for a few answers a day at most.
    fn nonce(&self, associated_data: &[u8; 72], answer: &[u8]) -> Nonce {
        let mut hasher = blake3::Hasher::new_keyed(&self.nonces);
        let mut nonce = Nonce::default();
        hasher.update(associated_data).update(answer).finalize_xof().fill(&mut nonce);
        nonce
    }
}

/// Tells whether a key is short or repetitive. The service cannot see whether a long key is random.
fn can_be_guessed(key: &str) -> bool {
    let mut characters = key.as_bytes().to_vec();
    characters.sort_unstable();
    characters.dedup();
    key.len() < SECRET_LENGTH || characters.len() < SECRET_VARIETY
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::clock;

    fn call(key: &str) -> Call {
        Call { target: "POST /v1/games".into(), key: Some(key.into()), ..Call::default() }
    }

    fn idempotency(key: &str, body: &[u8]) -> IdempotentRequest {
        IdempotentRequest::of(&call(key), body).unwrap().unwrap()
    }

    fn reply(word: &str) -> Reply {
        Reply::ok(&serde_json::json!({"token": word})).unwrap().at_version(3)
    }

    #[test]
    fn a_sealed_answer_opens_for_the_same_request_alone() {
        let sealed = idempotency("k", b"body").seal(&reply("secret-word"), clock::milliseconds()).unwrap();
        assert!(!String::from_utf8_lossy(&sealed.sealed).contains("secret-word"));
        assert_eq!(idempotency("k", b"body").open(sealed.clone()).unwrap(), reply("secret-word").into_repeated());
        assert_eq!(idempotency("k", b"other").key, idempotency("k", b"body").key);
        assert_eq!(idempotency("k", b"other").open(sealed).unwrap_err().code, Code::IdempotencyKeyReused);
    }

    #[test]
    fn a_key_that_guards_a_secret_is_long_and_varied() {
        for key in ["1", "join", "create-game-1", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", &uuid::Uuid::nil().to_string()] {
            assert_eq!(
                IdempotentRequest::secret(&call(key), b"").err().unwrap().code,
                Code::IdempotencyKeyWeak,
                "{key}"
            );
            assert!(IdempotentRequest::of(&call(key), b"").is_ok());
        }
        for _ in 0..100 {
            let mut random = [0; 16];
            getrandom::fill(&mut random).unwrap();
            let key = uuid::Builder::from_random_bytes(random).into_uuid().to_string();
            assert!(IdempotentRequest::secret(&call(&key), b"").is_ok(), "{key}");
        }
        assert!(IdempotentRequest::secret(&call("V1StGXR8_Z5jdHi6B-myT7"), b"").is_ok());
        assert!(IdempotentRequest::secret(&Call::default(), b"").unwrap().is_none());
    }

    #[test]
    fn a_stored_answer_with_a_flipped_bit_anywhere_is_refused() {
        let idempotency = idempotency("k", b"body");
        let sealed = idempotency.seal(&reply("secret-word"), 1).unwrap();
        let refused = |damaged: StoredAnswer, place: &str| {
            assert_eq!(idempotency.open(damaged).expect_err(place).code, Code::Internal, "{place}");
        };
        for bit in 0..sealed.sealed.len() * 8 {
            let mut damaged = sealed.clone();
            damaged.sealed[bit / 8] ^= 1 << (bit % 8);
            refused(damaged, &format!("bit {bit} of the answer"));
        }
        for bit in 0..256 {
            let mut damaged = sealed.clone();
            damaged.request[bit / 8] ^= 1 << (bit % 8);
            refused(damaged, &format!("bit {bit} of the request"));
        }
        for bit in 0..64 {
            let damaged = StoredAnswer { expires: sealed.expires ^ 1 << bit, ..sealed.clone() };
            refused(damaged, &format!("bit {bit} of the expiry"));
        }
    }

    #[test]
    fn a_stored_answer_that_is_foreign_or_cut_short_is_refused() {
        let sealed = idempotency("k", b"body").seal(&reply("secret-word"), 1).unwrap();
        assert_eq!(idempotency("another", b"body").open(sealed.clone()).unwrap_err().code, Code::Internal);
        for length in 0..sealed.sealed.len() {
            let cut = StoredAnswer { sealed: sealed.sealed[..length].to_vec(), ..sealed.clone() };
            assert_eq!(idempotency("k", b"body").open(cut).unwrap_err().code, Code::Internal, "{length} bytes");
        }
    }

    #[test]
    fn no_two_answers_share_a_nonce() {
        let nonce = |body: &[u8], word, now| {
            let answer = idempotency("k", body).seal(&reply(word), now).unwrap().sealed;
            answer[answer.len() - size_of::<Nonce>()..].to_vec()
        };
        let nonces = [nonce(b"1", "a", 1), nonce(b"1", "b", 1), nonce(b"2", "a", 1), nonce(b"1", "a", 1000)];
        assert!((0..4).all(|i| !nonces[..i].contains(&nonces[i])), "{nonces:?}");
    }
}
