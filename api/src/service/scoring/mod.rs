//! Competitive games: stakes and their settlement, the bank, statistics of players, leaderboards.

mod bank;
mod leaderboards;
mod paying;
mod staking;
mod statistics;
#[cfg(test)]
mod tests;
