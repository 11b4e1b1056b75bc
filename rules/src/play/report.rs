//! The report of a step: everything that happens in it, in order, each with its cause.

use super::watch::{Cause, Happening, StateChange, Watch};

/// Something that a step did to the state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reported {
    /// A happening.
    Happening(Happening),
    /// A change of the state for which there is no happening.
    Change(StateChange),
}

/// A line of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReportLine {
    /// The happening or change.
    pub reported: Reported,
    /// The cause. `None` for the course of the turn itself: throws, passes, the next turn.
    pub cause: Option<Cause>,
}

/// Collects the report of a step.
#[derive(Debug, Clone, Default)]
pub struct StepReport {
    /// The report so far.
    pub lines: Vec<ReportLine>,
    /// The causes that have begun and not ended, the last one innermost.
    causes: Vec<Cause>,
}

impl StepReport {
    fn add(&mut self, reported: Reported) {
        self.lines.push(ReportLine { reported, cause: self.causes.last().copied() });
    }
}

impl Watch for StepReport {
    fn event(&mut self, happening: Happening) {
        self.add(Reported::Happening(happening));
    }

    fn begins(&mut self, cause: Cause) {
        self.causes.push(cause);
    }

    fn ends(&mut self) {
        self.causes.pop();
    }

    fn changed(&mut self, change: StateChange) {
        self.add(Reported::Change(change));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundled::{self, Bundled, SETS};
    use crate::play::{Phase, Quiet};
    use crate::ruleset::{Options, RuleSet};
    use crate::source::Source;
    use crate::tables::{Dice, Event};

    #[test]
    fn a_line_for_several_events_tells_which_one_it_answered() {
        // In a game with a single die, pawns enter and come home even if the first legal action is always played.
        let has_one_die = |id: &&str| {
            let table = bundled::ruleset(id).and_then(|set| set.table(&Options::new(), None).ok());
            table.is_some_and(|engine| matches!(engine.throws.dice, Dice::Faces { count: 1, .. }))
        };
        let base = SETS.iter().map(|(id, _)| *id).find(has_one_die).expect("a game has one die");
        let text = format!(
            "rules: house\nversion: 1.0.0\ntitle: A house\nsources: Written for this test\nextends: {base}\n\
             counters: {{seat: {{luck: {{from: 0, to: 99}}}}}}\n\
             on:\n  - {{id: lucky, event: [entered, home], do: luck += 1}}\n"
        );
        let source = Source { name: "house.yaml".into(), text };
        let checked = RuleSet::check(&source, &Bundled);
        let engine = checked.ruleset.expect("it passes its check").table(&Options::new(), None).unwrap();
        let is_lucky = |cause: &Cause| engine.lines[cause.line.index()].name == "on.lucky";
        let mut state = engine.opening(engine.seating.players[0]);
        let (mut drawn, mut events) = (1_u32, Vec::new());
        while state.phase != Phase::Over {
            let legal = engine.legal(&state);
            match legal.first() {
                Some(action) => {
                    let report = engine.preview(&state, action);
                    let causes = report.lines.iter().filter_map(|line| line.cause);
                    events.extend(causes.filter(is_lucky).filter_map(|cause| cause.event));
                    engine.play(&mut state, action, &mut Quiet).unwrap();
                }
                None => {
                    drawn = drawn.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    let throw = engine.draw(&mut |sides| (drawn >> 8) % sides);
                    engine.throw(&mut state, &throw, &mut Quiet).unwrap();
                }
            }
        }
        assert!(events.contains(&Event::Entered) && events.contains(&Event::Home), "{events:?}");
        assert!(events.iter().all(|event| [Event::Entered, Event::Home].contains(event)), "{events:?}");
    }
}
