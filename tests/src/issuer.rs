//! A made-up identity provider: a small HTTP server that publishes keys, and tokens that are signed with them.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair};
use serde_json::{Value, json};

/// Encodes bytes as a part of a token.
pub fn encoded(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Returns the present time in seconds since 1970.
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs()
}

enum Pair {
    Ed(Ed25519KeyPair),
    Ec(EcdsaKeyPair),
}

/// A key of the made-up issuer.
pub struct TestKey {
    id: String,
    pair: Pair,
}

impl TestKey {
    /// Draws an Ed25519 key with this id.
    pub fn ed(id: &str) -> Self {
        let document = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).unwrap();
        Self { id: id.to_owned(), pair: Pair::Ed(Ed25519KeyPair::from_pkcs8(document.as_ref()).unwrap()) }
    }

    /// Draws a key on the curve P-256 with this id.
    pub fn ec(id: &str) -> Self {
        let (algorithm, random) = (&ECDSA_P256_SHA256_FIXED_SIGNING, SystemRandom::new());
        let document = EcdsaKeyPair::generate_pkcs8(algorithm, &random).unwrap();
        let pair = EcdsaKeyPair::from_pkcs8(algorithm, document.as_ref(), &random).unwrap();
        Self { id: id.to_owned(), pair: Pair::Ec(pair) }
    }

    /// Returns the bytes of the public key.
    pub fn public(&self) -> Vec<u8> {
        match &self.pair {
            Pair::Ed(pair) => pair.public_key().as_ref().to_vec(),
            Pair::Ec(pair) => pair.public_key().as_ref().to_vec(),
        }
    }

    /// The key as the issuer publishes it.
    fn jwk(&self) -> Value {
        let public = self.public();
        match &self.pair {
            Pair::Ed(_) => json!({"kty": "OKP", "crv": "Ed25519", "kid": self.id, "use": "sig", "x": encoded(public)}),
            Pair::Ec(_) => json!({"kty": "EC", "crv": "P-256", "kid": self.id, "alg": "ES256",
                "x": encoded(&public[1..33]), "y": encoded(&public[33..])}),
        }
    }

    /// Signs a token with these claims.
    pub fn sign(&self, claims: &Value) -> String {
        let algorithm = if matches!(self.pair, Pair::Ed(_)) { "EdDSA" } else { "ES256" };
        self.sign_as(&json!({"alg": algorithm, "kid": self.id}), claims)
    }

    /// Signs a token with this header. The header need not fit the key.
    pub fn sign_as(&self, header: &Value, claims: &Value) -> String {
        self.sign_with_header(&header.to_string(), claims)
    }

    /// Signs a token whose header is this text.
    pub fn sign_with_header(&self, header: &str, claims: &Value) -> String {
        let text = format!("{}.{}", encoded(header), encoded(claims.to_string()));
        let signature = match &self.pair {
            Pair::Ed(pair) => pair.sign(text.as_bytes()).as_ref().to_vec(),
            Pair::Ec(pair) => pair.sign(&SystemRandom::new(), text.as_bytes()).unwrap().as_ref().to_vec(),
        };
        format!("{text}.{}", encoded(signature))
    }
}

/// The answers of the made-up issuer, and the number of requests for its keys.
#[derive(Default)]
struct Answers {
    /// The documents of the issuer: its description, and its keys.
    documents: [String; 2],
    is_down: bool,
    /// Number of requests for the keys.
    reads: usize,
}

/// A made-up issuer: a small HTTP server.
pub struct TestIssuer {
    /// The URL of the issuer.
    pub url: String,
    answers: Arc<Mutex<Answers>>,
}

impl TestIssuer {
    /// Starts the issuer on a free port. It has no keys yet.
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let answers = Arc::new(Mutex::new(Answers::default()));
        let issuer = Self { url, answers: Arc::clone(&answers) };
        issuer.describe(&issuer.url, &format!("{}/keys", issuer.url));
        std::thread::spawn(move || {
            for mut stream in listener.incoming().map_while(Result::ok) {
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                let mut target = String::new();
                let _ = reader.read_line(&mut target);
                reader.by_ref().lines().map_while(Result::ok).take_while(|line| !line.is_empty()).for_each(drop);
                let mut answers = answers.lock().unwrap();
                let is_keys = target.starts_with("GET /keys ");
                answers.reads += usize::from(is_keys);
                if answers.is_down {
                    continue;
                }
                let body = &answers.documents[usize::from(is_keys)];
                let status = if target.starts_with("GET /moved ") { "302 Found\r\nLocation: /keys" } else { "200 OK" };
                let head = format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n", body.len());
                let _ = stream.write_all((head + body).as_bytes());
            }
        });
        issuer
    }

    /// Sets the issuer and the address of the keys in the description.
    pub fn describe(&self, issuer: &str, keys: &str) {
        self.answers.lock().unwrap().documents[0] = json!({"issuer": issuer, "jwks_uri": keys}).to_string();
    }

    /// Sets the description: it has this issuer and this token endpoint.
    pub fn exchanges_at(&self, issuer: &str, endpoint: &str) {
        let keys = format!("{}/keys", self.url);
        let description = json!({"issuer": issuer, "jwks_uri": keys, "token_endpoint": endpoint});
        self.answers.lock().unwrap().documents[0] = description.to_string();
    }

    /// Sets the keys that are published.
    pub fn has(&self, keys: &[&TestKey]) {
        // The service has to skip the key of an unknown type, and to use the others.
        let all: Vec<_> = keys.iter().map(|key| key.jwk()).chain([json!({"kty": "a new kind"})]).collect();
        self.publish(&json!({"keys": all}).to_string());
    }

    /// Sets the text that is published as the keys. It may be malformed.
    pub fn publish(&self, keys: &str) {
        self.answers.lock().unwrap().documents[1] = keys.to_owned();
    }

    /// Sets whether the issuer answers nothing.
    pub fn is_down(&self, is_down: bool) {
        self.answers.lock().unwrap().is_down = is_down;
    }

    /// Returns the number of requests for the keys.
    pub fn reads(&self) -> usize {
        self.answers.lock().unwrap().reads
    }

    /// Returns the claims (fields) of a valid token of this person.
    pub fn claims(&self, person: &str) -> Value {
        json!({"iss": self.url, "aud": "pagade", "sub": person, "iat": now(), "exp": now() + 3600, "name": "Asha"})
    }

    /// Returns the claims of a valid token, changed by the fields of `more`. A field that is `null` in `more` is
    /// removed.
    pub fn claims_with(&self, more: Value) -> Value {
        let mut claims = self.claims("u-1");
        claims.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        claims.as_object_mut().unwrap().retain(|_, value| !value.is_null());
        claims
    }
}
