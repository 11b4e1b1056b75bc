//! Moves slots of a cluster from master to master while games are played.

use std::thread::sleep;
use std::time::Duration;

use pagade_tests::redis_groups::{Cluster, SeenNode};

/// The number of slots that one `reshard` moves.
const RESHARDED: &str = "40";
/// The number of games whose slots one fault moves.
const GAMES: usize = 3;

/// The masters of the cluster, in the order of their nodes.
pub(crate) fn masters(cluster: &Cluster) -> Vec<SeenNode> {
    let mut masters = cluster.seen_by(0);
    masters.retain(|seen| seen.master.is_none());
    masters.sort_by_key(|seen| seen.node);
    masters
}

/// Moves slots away from a master: those of some games that are being played, and those of keys that all games share.
/// For the time `pause`, half of a slot's keys are at one master and half at the other.
pub(crate) fn move_played(cluster: &Cluster, from: usize, pause: Duration) {
    let masters = masters(cluster);
    let (from, to) = (&masters[from], &masters[(from + 1) % masters.len()]);
    let node = &cluster.nodes[from.node];
    let names = node.command(&["--scan", "--pattern", "pagade:*"]);
    let mut games: Vec<&str> = names.lines().filter(|name| name.ends_with("}:game")).collect();
    // Ids sort by the time at which the game was created. The newest games come first, because they are being played.
    games.sort_unstable_by(|one, other| other.cmp(one));
    let shared =
        names.lines().filter(|name| ["pagade:schedule", "pagade:unsettled"].contains(name) || name.contains(":tag:"));
    for name in games.into_iter().take(GAMES).chain(shared) {
        let slot = node.command(&["CLUSTER", "KEYSLOT", name]);
        move_slot(cluster, &slot, from, to, pause);
    }
}

/// Moves a slot by the sequence of commands that the documentation of Redis describes.
fn move_slot(cluster: &Cluster, slot: &str, from: &SeenNode, to: &SeenNode, pause: Duration) {
    let tell = |node: &SeenNode, words: &[&str]| {
        let told = cluster.nodes[node.node].command(words);
        assert_eq!(told, "OK", "{words:?}");
    };
    tell(to, &["CLUSTER", "SETSLOT", slot, "IMPORTING", &from.name]);
    tell(from, &["CLUSTER", "SETSLOT", slot, "MIGRATING", &to.name]);
    let keys = cluster.nodes[from.node].command(&["CLUSTER", "GETKEYSINSLOT", slot, "100000"]);
    let keys: Vec<&str> = keys.lines().collect();
    let port = cluster.nodes[to.node].port.to_string();
    for some in keys.chunks(keys.len().div_ceil(2).max(1)) {
        let migrate = ["MIGRATE", "127.0.0.1", &port, "", "0", "5000", "KEYS"];
        let moved = cluster.nodes[from.node].command(&[&migrate[..], some].concat());
        assert!(["OK", "NOKEY"].contains(&moved.as_str()), "{moved}");
        sleep(pause);
    }
    let end = ["CLUSTER", "SETSLOT", slot, "NODE", &to.name];
    tell(to, &end);
    tell(from, &end);
    for other in masters(cluster).iter().filter(|other| ![from.node, to.node].contains(&other.node)) {
        tell(other, &end);
    }
}

/// Moves slots away from a master by `redis-cli --cluster reshard`.
pub(crate) fn reshard(cluster: &Cluster, from: usize) {
    let masters = masters(cluster);
    let (from, to) = (&masters[from], &masters[(from + 1) % masters.len()]);
    let node = &cluster.nodes[from.node];
    let address = format!("127.0.0.1:{}", node.port);
    let ends = ["--cluster-from", &from.name, "--cluster-to", &to.name];
    let told = node.command(
        &[&["--cluster", "reshard", &address], &ends[..], &["--cluster-slots", RESHARDED, "--cluster-yes"]].concat(),
    );
    assert!(told.contains("Moving slot"), "{told}");
}
