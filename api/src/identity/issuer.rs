//! Reads the keys of the issuer. The description of the issuer (OpenID Connect Discovery) contains the address of its
//! keys (RFC 7517).

use std::sync::OnceLock;
use std::time::Duration;

use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, KeyAlgorithm, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey};
use reqwest::redirect::Policy;
use reqwest::{Client, Url};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::ground::tls;

/// Longest time to read one document of the issuer.
const PATIENCE: Duration = Duration::from_secs(5);
/// Largest size of a document of the issuer, in bytes.
const LARGEST: usize = 256 << 10;
/// Largest number of keys that are kept.
const MOST_KEYS: usize = 64;

/// A public key of the issuer.
#[derive(Debug, Clone)]
pub(super) struct IssuerKey {
    /// The id of the key, by which tokens name it.
    pub id: Option<String>,
    /// The algorithms with which the key may sign.
    pub algorithms: Vec<Algorithm>,
    pub key: DecodingKey,
}

/// The fields of the description of an issuer that are read.
#[derive(Deserialize)]
struct IssuerDescription {
    issuer: String,
    jwks_uri: String,
    #[serde(default)]
    token_endpoint: Option<String>,
}

/// The document with the keys of an issuer. A key of an unknown kind is skipped; the other keys are used.
#[derive(Deserialize)]
struct KeyList {
    keys: Vec<Value>,
}

/// The issuer of tokens, and the HTTP client that reads its documents.
#[derive(Debug)]
pub(super) struct Issuer {
    /// The URL by which tokens name the issuer.
    pub url: String,
    client: OnceLock<Result<Client, String>>,
}

impl Issuer {
    pub(super) fn at(url: &str) -> Self {
        Self { url: url.to_owned(), client: OnceLock::new() }
    }

    /// Reads the keys of the issuer.
    ///
    /// # Errors
    /// A document cannot be read; the text is the reason, for the operator.
    pub(super) async fn keys(&self) -> Result<Vec<IssuerKey>, String> {
        let IssuerDescription { jwks_uri, .. } = self.describe().await?;
        if !self.has_scheme_of(&jwks_uri) {
            return Err("the keys have another URL scheme than the issuer".to_owned());
        }
        let KeyList { keys } = self.read(&jwks_uri).await?;
        Ok(keys.into_iter().filter_map(read_key).take(MOST_KEYS).collect())
    }

    /// Reads the address at which an app exchanges the code of a sign-in for tokens; `None` if the issuer has none that
    /// is as safe as the address of the issuer.
    ///
    /// # Errors
    /// The description cannot be read; the text is the reason, for the operator.
    pub(super) async fn token_endpoint(&self) -> Result<Option<Url>, String> {
        let endpoint = self.describe().await?.token_endpoint.filter(|endpoint| self.has_scheme_of(endpoint));
        Ok(endpoint.and_then(|endpoint| Url::parse(&endpoint).ok()).filter(Url::has_host))
    }

    async fn describe(&self) -> Result<IssuerDescription, String> {
        let path = format!("{}/.well-known/openid-configuration", self.url.trim_end_matches('/'));
        let description: IssuerDescription = self.read(&path).await?;
        if description.issuer != self.url {
            let name = description.issuer.chars().take(200).collect::<String>();
            return Err(format!("the issuer calls itself `{name}`"));
        }
        Ok(description)
    }

    /// Whether an address has the URL scheme of the issuer.
    fn has_scheme_of(&self, url: &str) -> bool {
        let scheme = |url: &str| Url::parse(url).map(|url| url.scheme().to_owned()).ok();
        scheme(url).is_some_and(|own| scheme(&self.url) == Some(own))
    }

    async fn read<T: DeserializeOwned>(&self, url: &str) -> Result<T, String> {
        let client = self.client.get_or_init(build).as_ref().map_err(Clone::clone)?;
        let reason = |error: reqwest::Error| error.without_url().to_string();
        let mut answer = client.get(url).send().await.map_err(reason)?;
        if !answer.status().is_success() {
            return Err(format!("the answer is {}", answer.status().as_u16()));
        }
        let mut body = Vec::new();
        while let Some(chunk) = answer.chunk().await.map_err(reason)? {
            body.extend_from_slice(&chunk);
            if body.len() > LARGEST {
                return Err(format!("the answer has more than {LARGEST} bytes"));
            }
        }
        serde_json::from_slice(&body).map_err(|error| error.to_string())
    }
}

/// Makes a client that follows no redirects.
fn build() -> Result<Client, String> {
    tls::prepare();
    let client = Client::builder().redirect(Policy::none()).timeout(PATIENCE);
    client.user_agent(concat!("pagade/", env!("CARGO_PKG_VERSION"))).build().map_err(|error| error.to_string())
}

/// Reads a public key for signatures; `None` for any other key.
pub(super) fn read_key(key: Value) -> Option<IssuerKey> {
    let jwk: Jwk = serde_json::from_value(key).ok()?;
    if jwk.common.public_key_use.as_ref().is_some_and(|purpose| *purpose != PublicKeyUse::Signature) {
        return None;
    }
    let mut algorithms = match &jwk.algorithm {
        AlgorithmParameters::RSA(_) => vec![
            Algorithm::RS256,
            Algorithm::RS384,
            Algorithm::RS512,
            Algorithm::PS256,
            Algorithm::PS384,
            Algorithm::PS512,
        ],
        AlgorithmParameters::EllipticCurve(key) if key.curve == EllipticCurve::P256 => vec![Algorithm::ES256],
        AlgorithmParameters::EllipticCurve(key) if key.curve == EllipticCurve::P384 => vec![Algorithm::ES384],
        AlgorithmParameters::OctetKeyPair(key) if key.curve == EllipticCurve::Ed25519 => vec![Algorithm::EdDSA],
        _ => return None,
    };
    if let Some(only) = jwk.common.key_algorithm {
        algorithms.retain(|algorithm| is_same(only, *algorithm));
    }
    let key = DecodingKey::from_jwk(&jwk).ok()?;
    (!algorithms.is_empty()).then_some(IssuerKey { id: jwk.common.key_id, algorithms, key })
}

fn is_same(named: KeyAlgorithm, algorithm: Algorithm) -> bool {
    named.to_string() == format!("{algorithm:?}")
}
