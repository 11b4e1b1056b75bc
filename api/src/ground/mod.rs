//! Clock, cores, tokens, TLS, JSON Pointers, cells of CSV, thread priorities, texts for people and a small cache. Every
//! other folder may use this one; this folder uses no other.

pub(crate) mod clock;
pub mod cores;
pub mod csv;
pub(crate) mod language;
pub(crate) mod mark;
pub(crate) mod pointer;
pub(crate) mod priority;
pub(crate) mod recent;
pub(crate) mod text;
pub mod tls;
pub mod token;
