//! Checks the signatures of tokens with `ring`, which is also the cryptography library of the TLS connections: the
//! service needs no second one.

use jsonwebtoken::crypto::{CryptoProvider, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{ErrorKind, Result};
use jsonwebtoken::{Algorithm, DecodingKey, DecodingKeyKind};
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P384_SHA384_FIXED, ED25519, EcdsaVerificationAlgorithm, RSA_PKCS1_2048_8192_SHA256,
    RSA_PKCS1_2048_8192_SHA384, RSA_PKCS1_2048_8192_SHA512, RSA_PSS_2048_8192_SHA256, RSA_PSS_2048_8192_SHA384,
    RSA_PSS_2048_8192_SHA512, RsaParameters, RsaPublicKeyComponents, UnparsedPublicKey, VerificationAlgorithm,
};
use signature::{Error, Verifier};

/// Checks signatures; signing is refused.
static PROVIDER: CryptoProvider = CryptoProvider {
    signer_factory: |_, _| Err(ErrorKind::UnsupportedAlgorithm.into()),
    verifier_factory: verifier,
    key_utils: KeyUtils::new_unimplemented(),
};

/// Installs [`PROVIDER`] for the whole process. Further calls have no effect.
pub(super) fn prepare() {
    // An error means that a provider was installed before.
    let _ = PROVIDER.install_default();
}

/// How a signature is checked.
#[derive(Clone, Copy)]
enum Scheme {
    Rsa(&'static RsaParameters),
    Ecdsa(&'static EcdsaVerificationAlgorithm),
    Ed25519,
}

/// Checks signatures of one algorithm by one key.
struct SignatureCheck {
    algorithm: Algorithm,
    scheme: Scheme,
    key: DecodingKey,
}

/// Returns the check of signatures for an algorithm and a key. Symmetric algorithms are refused, so that nobody can
/// sign a token with the public key as a shared secret.
fn verifier(algorithm: &Algorithm, key: &DecodingKey) -> Result<Box<dyn JwtVerifier>> {
    let scheme = match algorithm {
        Algorithm::RS256 => Scheme::Rsa(&RSA_PKCS1_2048_8192_SHA256),
        Algorithm::RS384 => Scheme::Rsa(&RSA_PKCS1_2048_8192_SHA384),
        Algorithm::RS512 => Scheme::Rsa(&RSA_PKCS1_2048_8192_SHA512),
        Algorithm::PS256 => Scheme::Rsa(&RSA_PSS_2048_8192_SHA256),
        Algorithm::PS384 => Scheme::Rsa(&RSA_PSS_2048_8192_SHA384),
        Algorithm::PS512 => Scheme::Rsa(&RSA_PSS_2048_8192_SHA512),
        Algorithm::ES256 => Scheme::Ecdsa(&ECDSA_P256_SHA256_FIXED),
        Algorithm::ES384 => Scheme::Ecdsa(&ECDSA_P384_SHA384_FIXED),
        Algorithm::EdDSA => Scheme::Ed25519,
        _ => return Err(ErrorKind::UnsupportedAlgorithm.into()),
    };
    if key.family() != algorithm.family() {
        return Err(ErrorKind::InvalidAlgorithm.into());
    }
    Ok(Box::new(SignatureCheck { algorithm: *algorithm, scheme, key: key.clone() }))
}

impl Verifier<Vec<u8>> for SignatureCheck {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> std::result::Result<(), Error> {
        let by = |algorithm: &'static dyn VerificationAlgorithm| match self.key.kind() {
            DecodingKeyKind::SecretOrDer(key) => UnparsedPublicKey::new(algorithm, key).verify(message, signature),
            DecodingKeyKind::RsaModulusExponent { .. } => Err(ring::error::Unspecified),
        };
        let checked = match (self.scheme, self.key.kind()) {
            (Scheme::Rsa(parameters), DecodingKeyKind::RsaModulusExponent { n, e }) => {
                RsaPublicKeyComponents { n, e }.verify(parameters, message, signature)
            }
            (Scheme::Rsa(_), DecodingKeyKind::SecretOrDer(_)) => Err(ring::error::Unspecified),
            (Scheme::Ecdsa(algorithm), _) => by(algorithm),
            (Scheme::Ed25519, _) => by(&ED25519),
        };
        checked.map_err(|_| Error::new())
    }
}

impl JwtVerifier for SignatureCheck {
    fn algorithm(&self) -> Algorithm {
        self.algorithm
    }
}
