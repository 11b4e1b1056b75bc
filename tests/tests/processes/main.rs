//! Tests that start the service as a process, often several: processes are killed, replicas share a Redis, commands run
//! to their end. Each file tests one subject.

mod chips;
mod evening;
mod faults;
mod full;
mod group_games;
mod killed;
mod rolling;
mod tls;
mod tournament_files;
mod tournament_results;
mod tournament_runs;
mod tournaments;
mod warned;
