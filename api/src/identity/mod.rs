//! Checks tokens of an identity provider (JWT, as in OpenID Connect) and returns the person whom a token names. The
//! service keeps no passwords: an app signs its users in at the provider, and sends their token with each request.

use std::sync::Arc;

use jsonwebtoken::errors::{Error, ErrorKind};
use jsonwebtoken::{Algorithm, Validation, decode, decode_header};
use reqwest::Url;
use serde::{Deserialize, Deserializer};

use crate::config::Oidc;
use crate::error::{Code, Problem};
use crate::ground::clock;
use crate::ground::recent::Recent;
use exchange::Exchange;
use issuer::Issuer;
use keys::IssuerKeys;

mod crypto;
mod exchange;
mod issuer;
mod keys;

/// Largest accepted difference between the clocks of the issuer and of this process, in seconds.
const SKEW: u64 = 60;
/// Longest accepted subject, in characters: OpenID Connect allows no longer subject.
const LONGEST_SUBJECT: usize = 255;
/// Longest accepted token, in bytes.
const LONGEST: usize = 8 << 10;

/// The person whom a token names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Subject {
    /// The hash of issuer and subject, which is the same in all tokens of the person.
    pub hash: [u8; 32],
    /// The name of the person, if the token has one.
    pub name: Option<String>,
}

/// The claims of a token that the service uses. The claims `aud` and `nbf` are only checked.
#[derive(Debug, Deserialize)]
struct Claims {
    iss: String,
    sub: String,
    #[serde(deserialize_with = "numeric_date")]
    exp: u64,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    preferred_username: Option<String>,
}

/// Reads a time in seconds since 1970, which may have a fraction (RFC 7519, NumericDate). The fraction is dropped.
fn numeric_date<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    let time = serde_json::Number::deserialize(from)?;
    // The conversion saturates: a time before 1970 is 0, which has passed.
    Ok(time.as_u64().unwrap_or_else(|| time.as_f64().unwrap_or_default() as u64))
}

/// The person whom a valid token names, and the time until which the token is accepted, in seconds since 1970.
type Verified = (Arc<Subject>, u64);

/// The identity provider that the settings name. Its tokens name players.
pub(crate) struct Identity {
    settings: Oidc,
    keys: Arc<IssuerKeys>,
    exchange: Arc<Exchange>,
    /// Valid tokens by their hashes, so that a repeated token needs no new check of its signature.
    verified: Recent<[u8; 32], Verified, 4096>,
}

impl Identity {
    /// Makes the identity provider that the settings name.
    pub(crate) fn new(settings: &Oidc) -> Self {
        crypto::prepare();
        Self {
            settings: settings.clone(),
            keys: Arc::new(IssuerKeys::of(Issuer::at(&settings.issuer), settings.pause)),
            exchange: Arc::new(Exchange::of(Issuer::at(&settings.issuer), settings.pause)),
            verified: Recent::default(),
        }
    }

    /// The settings of the provider.
    pub(crate) fn settings(&self) -> &Oidc {
        &self.settings
    }

    /// Returns the address at which an app exchanges the code of a sign-in for tokens; `None` if the provider has none,
    /// or could not be reached so far. Waits for the provider only if the address was never read.
    pub(crate) async fn token_endpoint(&self) -> Option<Url> {
        self.exchange.endpoint().await
    }

    /// Whether a bearer token has the form of a JWT: three parts, and the first begins like an encoded JSON object,
    /// with a brace and a quotation mark or a space (`ey`), or a brace and a line feed or a tab (`ew`).
    pub(crate) fn is_jwt(token: &str) -> bool {
        ["ey", "ew"].iter().any(|start| token.starts_with(start))
            && token.bytes().filter(|byte| *byte == b'.').count() == 2
    }

    /// Returns the person whom a token names.
    ///
    /// # Errors
    /// 401 if the token is not valid; 503 if that cannot be decided, because the issuer does not answer.
    pub(crate) async fn verify(&self, token: &str) -> Result<Arc<Subject>, Problem> {
        let hash = *blake3::hash(token.as_bytes()).as_bytes();
        let now = clock::seconds();
        if let Some((subject, expires)) = self.verified.get(&hash)
            && now < expires
        {
            return Ok(subject);
        }
        if token.len() > LONGEST {
            return Err(invalid());
        }
        let header = decode_header(token).map_err(|_| invalid())?;
        // A token may name extensions (`crit`) that its receiver has to understand, or else refuse the token (RFC 7515,
        // 4.1.11). The service understands no extensions.
        if !ALGORITHMS.contains(&header.alg) || header.crit.is_some() {
            return Err(invalid());
        }
        let key = self.keys.find(header.kid.as_deref(), header.alg).await?;
        let claims: Claims = decode(token, &key, &self.validation(header.alg)).map_err(|error| refused(&error))?.claims;
        // If an issuer left the subject empty by mistake, all these tokens would name one player.
        if !(1..=LONGEST_SUBJECT).contains(&claims.sub.chars().count()) {
            return Err(invalid());
        }
        let subject = Arc::new(Subject {
            hash: *blake3::hash(format!("{}\n{}", claims.iss, claims.sub).as_bytes()).as_bytes(),
            name: claims.name.or(claims.preferred_username),
        });
        // The token is checked again after this time, so that a token whose key the issuer has withdrawn is refused.
        let known_until = now.saturating_add(keys::OLD.as_secs());
        self.verified.keep(hash, (Arc::clone(&subject), claims.exp.saturating_add(SKEW).min(known_until)));
        Ok(subject)
    }

    fn validation(&self, algorithm: Algorithm) -> Validation {
        let mut validation = Validation::new(algorithm);
        validation.leeway = SKEW;
        validation.validate_nbf = true;
        validation.set_audience(&[&self.settings.audience]);
        validation.set_issuer(&[&self.settings.issuer]);
        validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        validation
    }
}

/// The algorithms by which tokens may be signed. All of them have public keys.
const ALGORITHMS: &[Algorithm] = &[
    Algorithm::RS256,
    Algorithm::RS384,
    Algorithm::RS512,
    Algorithm::PS256,
    Algorithm::PS384,
    Algorithm::PS512,
    Algorithm::ES256,
    Algorithm::ES384,
    Algorithm::EdDSA,
];

fn refused(error: &Error) -> Problem {
    match error.kind() {
        ErrorKind::ExpiredSignature => Problem::new(Code::TokenExpired, "the time of the token has passed"),
        ErrorKind::InvalidAudience => Problem::new(Code::TokenAudience, "the token was issued for another service"),
        _ => invalid(),
    }
}

fn invalid() -> Problem {
    Problem::new(Code::TokenInvalid, "issuer, signature, algorithm or times of the token are not valid")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::identity::issuer::read_key;

    /// The public part of a key whose private part was thrown away.
    const MODULUS: &str = "uaUC-RRe1QqEMdbiQG7P2ASYwfcE6JQcLMFX2Ze0KGUrHOtrMLX07Waz7W37W0FD01MuCuYmmMnvRbk4Di_DziXs_QS7qKiNeoz7ZHZ5t8LFhzatmEuzj1azYoMbELMa0hGkt7Z1DVJ2avYQsziJHqyBE72_IMUZqxcOVQiYbMaDuZ_Edn6b5XYBFYUP7ugNPsyVTF0WRadwmENrMmyVZhbKUjTqrpzKGXVIHSuYwbAqiZIffr4s1JaOm3mw6nyUG9Q412mhbc6AwDasDberksYiZIcVd8yCwUoCUPBRTZO0i2L5QhpzT8JVa5vT-M65d_Pco6DDD1ffwWYw4Okepw";
    /// A token that was signed with that key by OpenSSL. It is valid until the year 2100.
    const TOKEN: &str = "eyJhbGciOiJSUzI1NiIsImtpZCI6InJzYS0xIn0.eyJpc3MiOiJodHRwczovL2FjY291bnRzLmV4YW1wbGUiLCJzdWIiOiJ1LTE3IiwiYXVkIjpbInBhZ2FkZSJdLCJleHAiOjQxMDI0NDQ4MDAsIm5hbWUiOiJBc2hhIn0.giPyiIuWdqgP2JilO3ItEQddFG1zj9_JcnxyjQcHnkiu91DLqQVmEb_9dx2swUUQps_1TXa-xDpuYi9c_WlID300nrXopiqf7QHVTZHjXoC64ezQ6IerddVjgEC8EYzCD8NWYx5e66E2ggBxOQPxcQESXET0QqOptozXmloAU0lFIcRROqNk-b95y4yCPCaV7G3cTjuA1cY_d2-RlgdSAMbErnL4lRz2UW6kY1BIJ2Dsy0FmBC1w3y_VqMRgG1pdROqt3Cd-eHjs2bwQAB7sRSFfH1vhevHK8XF-uionML0QR8INjxP_NMKuA-cZ5POXdRsuQmnai0GzxdPKzuz9CQ";

    fn read(token: &str, algorithm: Algorithm, audience: &str) -> Result<Claims, Problem> {
        let identity = Identity::new(&Oidc::new("https://accounts.example", audience));
        let key = read_key(json!({"kty": "RSA", "kid": "rsa-1", "n": MODULUS, "e": "AQAB"})).unwrap();
        assert!(key.algorithms.contains(&algorithm));
        let read = decode(token, &key.key, &identity.validation(algorithm));
        read.map(|read| read.claims).map_err(|error| refused(&error))
    }

    #[test]
    fn a_signature_of_another_library_is_good_and_a_changed_one_is_not() {
        let claims = read(TOKEN, Algorithm::RS256, "pagade").unwrap();
        assert_eq!((claims.sub.as_str(), claims.name.as_deref()), ("u-17", Some("Asha")));
        let code = |token: &str, algorithm, audience| read(token, algorithm, audience).unwrap_err().code;
        assert_eq!(code(TOKEN, Algorithm::RS256, "chess"), Code::TokenAudience);
        assert_eq!(code(TOKEN, Algorithm::PS256, "pagade"), Code::TokenInvalid);
        let (signed, signature) = TOKEN.rsplit_once('.').unwrap();
        let other = format!("{signed}.{}{}", if signature.starts_with('A') { 'B' } else { 'A' }, &signature[1..]);
        assert_eq!(code(&other, Algorithm::RS256, "pagade"), Code::TokenInvalid);
    }

    #[test]
    fn only_public_keys_for_signatures_are_read() {
        let kinds = |key| read_key(key).map(|key| key.algorithms);
        let rsa = json!({"kty": "RSA", "n": MODULUS, "e": "AQAB"});
        assert_eq!(kinds(rsa.clone()).map(|all| all.len()), Some(6));
        let with = |more: serde_json::Value| {
            let mut key = rsa.clone();
            key.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            kinds(key)
        };
        assert_eq!(with(json!({"alg": "RS256", "use": "sig"})), Some(vec![Algorithm::RS256]));
        assert_eq!(with(json!({"use": "enc"})), None);
        assert_eq!(with(json!({"alg": "RSA-OAEP"})), None);
        assert_eq!(kinds(json!({"kty": "oct", "k": "c2VjcmV0", "alg": "HS256"})), None);
        assert_eq!(kinds(json!({"kty": "OKP", "crv": "X25519", "x": "c2VjcmV0"})), None);
        assert_eq!(kinds(json!({"kty": "a new kind"})), None);
    }
}
