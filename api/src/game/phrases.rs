//! The phrases of events: pieces of their JSON that most events have in common. The store packs them.
//!
//! The order of the phrases is part of the layout of the stores. A change of the order needs new layout numbers.

use std::sync::LazyLock;

use crate::store::Phrases;

/// The phrases of events of all kinds of entities. A store reads only what was written with the same phrases.
pub static EVENT_PHRASES: LazyLock<Phrases> = LazyLock::new(|| Phrases::new(&SHORT, &LONG));

/// Phrases that are stored as one byte.
const SHORT: [&str; 30] = [
    r#"{"id":"#,
    r#","event":""#,
    r#"","at":"20"#,
    r#"Z","version":"#,
    r#","step":"#,
    r#","seat":""#,
    r#"","pawn":""#,
    r#"","from":""#,
    r#"","to":""#,
    r#"","path":[""#,
    r#""],"number":"#,
    r#","action":""#,
    r#"","rule":""#,
    r#"","clauses":[""#,
    r#""],"because":""#,
    r#","next":{"awaits":"throw","turn":""#,
    r#","next":{"awaits":"action","turn":""#,
    r#"","throw":""#,
    r#"","hand":[""#,
    r#"","hand":[]}}"#,
    r#""]}}"#,
    r#"",""#,
    r#""]"#,
    r#""}"#,
    "moved",
    "turn",
    "thrown",
    "home",
    r#","game_id":""#,
    r#"","game_event":{"id":"#,
];

/// Phrases that are stored as two bytes.
const LONG: [&str; 49] = [
    r#"","counter":""#,
    r#"","value":"#,
    r#"","mark":""#,
    r#"","set":"#,
    r#"","choice":""#,
    r#"","number":"#,
    r#"","action":""#,
    r#"","with":[""#,
    r#""],"with":[""#,
    r#"","by":[""#,
    r#""],"by":[""#,
    r#","rule":""#,
    r#","because":""#,
    r#"","moves":""#,
    r#"","name":""#,
    r#"","contribution":""#,
    r#"","reason":""#,
    r#","ranking":[{"place":"#,
    r#"},{"place":"#,
    r#","pawns":[{"id":""#,
    r#"},{"id":""#,
    r#"","place":""#,
    r#"","square":""#,
    r#","counters":{"#,
    "true",
    "false",
    "spend.",
    "on.",
    "created",
    "joined",
    "started",
    "entered",
    "captured",
    "cut",
    "lost",
    "passed",
    "bonus",
    "throw_granted",
    "mark_changed",
    "counter_changed",
    "choice_made",
    "choice",
    "put_back",
    "banked",
    "time_over",
    "player_won",
    "game_over",
    "action",
    "throw",
];

#[cfg(test)]
mod tests {
    use super::*;

    const EVENT: &[u8] = br#"{"id":8,"event":"moved","at":"2026-11-23T12:17:43.323Z","version":6,"step":5,"seat":"east","pawn":"east-1","from":"6","to":"9","path":["7","8","9"],"number":3,"action":"6-9:3","rule":"spend.die","clauses":["PG-28"],"next":{"awaits":"action","turn":"east","throw":"1+3","hand":["1"]}}"#;

    /// The event as stores have it since their present layout.
    const STORED: &[u8] = b"\x018\x02\x19\x0326-11-23T12:17:43.323\x046\x055\x06east\x07east-1\x086\x099\x0a7\x168\x169\x0b3\x0c6-9:3\x0d\x1f\x1adie\x0ePG-28\x17\x11east\x121+3\x131\x15";

    #[test]
    fn an_event_takes_less_than_half_of_its_bytes_and_those_of_every_store() {
        let packed = EVENT_PHRASES.pack(EVENT);
        assert!(packed.len() * 2 < EVENT.len(), "{}", packed.len());
        assert_eq!(packed, STORED);
        assert_eq!(EVENT_PHRASES.unpack(STORED).unwrap(), EVENT);
    }

    #[test]
    fn every_phrase_is_packed_as_one_and_none_stands_twice() {
        let mut phrases: Vec<_> = SHORT.iter().chain(&LONG).collect();
        for phrase in &phrases {
            let packed = EVENT_PHRASES.pack(phrase.as_bytes());
            assert!(packed.len() <= 2, "{phrase} is one phrase");
            assert_eq!(EVENT_PHRASES.unpack(&packed).unwrap(), phrase.as_bytes());
        }
        let all = phrases.len();
        phrases.sort_unstable();
        phrases.dedup();
        assert_eq!(phrases.len(), all);
    }
}
