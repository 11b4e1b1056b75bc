//! What encrypts connections to others.

/// Chooses it for the whole process; to be called before the first connection is made, any number of times.
pub fn prepare() {
    if rustls::crypto::CryptoProvider::get_default().is_none() {
        // Fails only where another thread has just done it.
        let _ = rustls::crypto::ring::default_provider().install_default();
    }
}
