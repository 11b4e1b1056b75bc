//! The Lua scripts that run in Redis.

use redis::Script as Hashed;

/// A script, and the hash by which Redis finds it.
pub(super) struct Script {
    pub text: String,
    /// The hash of the text, in hexadecimal.
    pub hash: String,
}

impl Script {
    fn new(text: &str) -> Self {
        Self { text: text.to_owned(), hash: Hashed::new(text).get_hash().to_owned() }
    }
}

pub(super) struct Scripts {
    pub announce: Script,
    pub board: Script,
    pub board_line: Script,
    pub commit: Script,
    pub confirm: Script,
    pub deliveries: Script,
    pub due: Script,
    pub end_lease: Script,
    pub overdue: Script,
    pub publish: Script,
    pub remove: Script,
    pub renew: Script,
    pub reserve: Script,
    pub rewrite: Script,
    pub schedule: Script,
    pub spend: Script,
}

impl Scripts {
    /// Prepares the scripts for a cluster, or for any other Redis.
    pub(super) fn new(is_cluster: bool) -> Self {
        let mut commit = include_str!("scripts/commit.lua").to_owned();
        if is_cluster {
            // On a cluster, `SPUBLISH` sends a message only to the master of the hash slot and its replicas, and
            // `PUBLISH` sends it to all nodes.
            commit = commit.replace("'PUBLISH'", "'SPUBLISH'");
        }
        Self {
            announce: Script::new(include_str!("scripts/announce.lua")),
            board: Script::new(include_str!("scripts/board.lua")),
            board_line: Script::new(include_str!("scripts/board_line.lua")),
            commit: Script::new(&commit),
            confirm: Script::new(include_str!("scripts/confirm.lua")),
            deliveries: Script::new(include_str!("scripts/deliveries.lua")),
            due: Script::new(include_str!("scripts/due.lua")),
            end_lease: Script::new(include_str!("scripts/end_lease.lua")),
            overdue: Script::new(include_str!("scripts/overdue.lua")),
            publish: Script::new(include_str!("scripts/publish.lua")),
            remove: Script::new(include_str!("scripts/remove.lua")),
            renew: Script::new(include_str!("scripts/renew.lua")),
            reserve: Script::new(include_str!("scripts/reserve.lua")),
            rewrite: Script::new(include_str!("scripts/rewrite.lua")),
            schedule: Script::new(include_str!("scripts/schedule.lua")),
            spend: Script::new(include_str!("scripts/spend.lua")),
        }
    }
}
