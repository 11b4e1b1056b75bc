//! Playing: rule set, state and throw or action in; state and events out.
pub mod state;
