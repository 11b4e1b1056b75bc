//! What every room stands on: time, tokens, pointers, small caches. It knows nobody.

pub mod clock;
pub(crate) mod pointer;
pub(crate) mod recent;
pub mod tls;
pub mod token;
