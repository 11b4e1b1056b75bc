//! The service over HTTP, as its clients see it; the files follow the paths.

mod archive;
mod bounds;
mod conventions;
mod dice;
mod durability;
mod events;
mod examples;
mod expiry;
mod games;
mod harness;
mod logs;
mod metrics;
mod openapi;
mod presence;
mod rates;
mod records;
mod redis;
#[path = "../../../tests/src/redis_groups.rs"]
mod redis_groups;
mod redis_kinds;
#[expect(dead_code, reason = "faults of Redis are tested elsewhere")]
#[path = "../../../tests/src/redis_server.rs"]
mod redis_server;
mod replicas;
mod round_trips;
mod rule_sets;
mod seats;
mod settings;
mod store;
mod timers;
mod tokens;
mod traces;
mod turns;
mod webhooks;
mod whole;
mod wire;
