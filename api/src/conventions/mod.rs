//! What every operation does alike: request ids, tokens, versions, idempotency, bodies, pages, answers.

pub mod body;
pub mod call;
pub mod clock;
pub mod edge;
pub mod media;
pub mod once;
pub mod page;
pub mod rates;
pub mod reply;
pub mod token;
