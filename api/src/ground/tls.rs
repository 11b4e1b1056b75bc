//! The cryptography of TLS connections to Redis, webhooks, trace collectors and identity providers.

/// Chooses the cryptography library of rustls for the whole process.
///
/// Must be called before the first TLS connection; further calls have no effect.
pub fn prepare() {
    if rustls::crypto::CryptoProvider::get_default().is_none() {
        // An error means that another thread has chosen the library in the meantime.
        let _ = rustls::crypto::ring::default_provider().install_default();
    }
}
