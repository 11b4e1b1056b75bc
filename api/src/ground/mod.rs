//! Clock, tokens, TLS, JSON Pointers, texts for people and a small cache. Every other room may use them; they use no
//! other room.

pub(crate) mod clock;
pub(crate) mod pointer;
pub(crate) mod recent;
pub(crate) mod text;
pub mod tls;
pub mod token;
