//! The service over HTTP once more, on Redis: nobody can tell the difference.

#[path = "../api/conventions.rs"]
mod conventions;
#[path = "../api/events.rs"]
mod events;
#[path = "../api/expiry.rs"]
mod expiry;
#[path = "../api/games.rs"]
mod games;
#[path = "../api/harness.rs"]
#[expect(dead_code, reason = "faults of Redis are tested elsewhere")]
mod harness;
#[path = "../api/presence.rs"]
mod presence;
#[path = "../api/rates.rs"]
mod rates;
#[path = "../api/records.rs"]
mod records;
#[path = "../../../tests/src/redis_server.rs"]
#[expect(dead_code, reason = "faults of Redis are tested elsewhere")]
mod redis_server;
#[path = "../api/rule_sets.rs"]
mod rule_sets;
#[path = "../api/seats.rs"]
mod seats;
#[path = "../api/timers.rs"]
mod timers;
#[path = "../api/tokens.rs"]
mod tokens;
#[path = "../api/turns.rs"]
mod turns;
#[path = "../api/webhooks.rs"]
#[expect(dead_code, reason = "traces are tested elsewhere")]
mod webhooks;
