//! Leaderboards.
