//! Records the data about a game in the answers to a client, and compares it with the stored game.

use serde_json::Value;

/// An acknowledged command.
#[derive(Debug, Clone)]
pub(crate) struct Acknowledged {
    /// The version of the game after the command.
    pub version: u64,
    /// The number of commands in the game, this one included.
    pub steps: u64,
    /// The events that the command caused.
    pub events: Vec<Value>,
}

/// The data about one game in the answers to a client.
#[derive(Debug, Clone, Default)]
pub(crate) struct History {
    /// The acknowledged commands, in the order in which they were given.
    pub acknowledged: Vec<Acknowledged>,
    /// For each read of the game: the number of commands acknowledged before it, and the version that was read.
    pub read: Vec<(usize, u64)>,
    /// The events that the follower of the game received, in order.
    pub followed: Vec<Value>,
}

impl History {
    /// Lists every contradiction between this history and the stored game. `events` are all stored events, `steps` is
    /// the stored number of commands.
    pub(crate) fn contradictions(&self, events: &[Value], steps: u64) -> Vec<String> {
        let mut found = Vec::new();
        let number = |event: &Value| event["id"].as_u64().unwrap_or_default();
        for (index, event) in events.iter().enumerate() {
            if number(event) != index as u64 + 1 {
                found.push(format!("event {} stands where {} should", number(event), index + 1));
            }
        }
        for (index, told) in self.acknowledged.iter().enumerate() {
            if told.steps != index as u64 + 1 {
                found.push(format!("command {} was the {}th of the game", index + 1, told.steps));
            }
            if told.events.is_empty() {
                found.push(format!("nothing came of command {}", index + 1));
            }
            for event in &told.events {
                let kept = (number(event) as usize).checked_sub(1).and_then(|index| events.get(index));
                if kept != Some(event) {
                    found.push(format!("acknowledged: {event}, kept: {kept:?}"));
                }
            }
        }
        if steps != self.acknowledged.len() as u64 {
            found.push(format!("{} commands were acknowledged, {steps} had an effect", self.acknowledged.len()));
        }
        let versions: Vec<u64> = self.acknowledged.iter().map(|told| told.version).collect();
        found.extend(
            versions
                .windows(2)
                .filter(|two| two[0] >= two[1])
                .map(|two| format!("version {} after {}", two[1], two[0])),
        );
        for &(before, version) in &self.read {
            let least = before.checked_sub(1).map_or(0, |last| versions[last]);
            let most = versions.get(before).copied().unwrap_or(u64::MAX);
            if !(least..=most).contains(&version) {
                found.push(format!("after command {before} version {version} was read, not from {least} to {most}"));
            }
        }
        for (index, event) in self.followed.iter().enumerate() {
            if events.get(index) != Some(event) {
                found.push(format!("followed: {event}, kept: {:?}", events.get(index)));
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Makes the history of two commands with one event each. The game's first event is its creation.
    fn played() -> (History, Vec<Value>) {
        let events: Vec<Value> = (1..=3).map(|id| json!({"id": id, "event": "thrown"})).collect();
        let told =
            |steps: u64| Acknowledged { version: steps + 1, steps, events: vec![events[steps as usize].clone()] };
        (History { acknowledged: vec![told(1), told(2)], read: vec![(1, 2), (2, 3)], followed: events.clone() }, events)
    }

    #[test]
    fn a_consistent_history_has_no_contradiction() {
        let (history, events) = played();
        assert_eq!(history.contradictions(&events, 2), Vec::<String>::new());
    }

    #[test]
    fn every_kind_of_loss_is_a_contradiction() {
        type Harm = fn(&mut History, &mut Vec<Value>, &mut u64);
        let harms: [(&str, Harm); 7] = [
            ("an effect is lost", |_, events, _| drop(events.pop())),
            ("an effect is another one", |_, events, _| events[1]["event"] = json!("moved")),
            ("a command has two effects", |_, _, steps| *steps += 1),
            ("a command is counted twice", |history, _, _| history.acknowledged[1].steps = 3),
            ("a version goes back", |history, _, _| history.acknowledged[1].version = 2),
            ("an old version is read", |history, _, _| history.read[1].1 = 2),
            ("an event is followed twice", |history, _, _| history.followed.insert(1, history.followed[0].clone())),
        ];
        for (what, harm) in harms {
            let (mut history, mut events) = played();
            let mut steps = 2;
            harm(&mut history, &mut events, &mut steps);
            assert_ne!(history.contradictions(&events, steps), Vec::<String>::new(), "{what}");
        }
    }
}
