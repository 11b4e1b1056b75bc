#![doc = include_str!("../README.md")]
//!
//! # The crate
//!
//! [`RuleSet::check`](ruleset::RuleSet::check) reads and checks a file, [`RuleSet::table`](ruleset::RuleSet::table) chooses
//! options and seats, and the [`Rules`](tables::Rules) that come out of it play:
//!
//! ```
//! use pagade_rules::{bundled, play::Quiet, ruleset::Options};
//!
//! let (id, _) = bundled::SETS[0];
//! let ruleset = bundled::ruleset(id).expect("bundled sets pass their check");
//! let rules = ruleset.table(&Options::new(), None).expect("the defaults fit");
//! let mut state = rules.opening(rules.players[0]);
//! let throw = rules.outcomes()[0].0;
//! rules.throw(&mut state, &throw, &mut Quiet).expect("a throw is due");
//! if let Some(action) = rules.legal(&state).first() {
//!     println!("{}", rules.action_text(&state, action));
//!     rules.play(&mut state, action, &mut Quiet).expect("a listed action is legal");
//! }
//! ```

mod build;
pub mod bundled;
pub mod check;
pub mod document;
pub mod encoding;
mod expr;
pub mod language;
pub mod nearest;
pub mod notation;
pub mod perft;
pub mod picture;
pub mod play;
pub mod position;
pub mod read;
pub mod record;
pub mod ruleset;
pub mod scenario;
pub mod source;
pub mod tables;
