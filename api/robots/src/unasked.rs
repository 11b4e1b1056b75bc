//! The values of a position that no rule of a table reads. Positions that differ only in such values have the same
//! legal actions and chances.

use pagade_rules::play::{Engine, State};
use pagade_rules::tables::{Effect, Fact, Op, Which};
use pagade_rules::units::MAX_PAWNS;

/// Which values of a position the rules of a table read, beside the places of pawns.
#[derive(Debug, Clone)]
pub(super) struct Unasked {
    /// Whether pawns are alike, so that they can be sorted by place: they have no marks, and no order of arrival.
    pub(super) are_alike: bool,
    /// Whether any rule asks how many throws a turn has had, or undoes the turn.
    pub(super) asks_throws: bool,
    /// Whether any rule asks which pawn moved last.
    pub(super) asks_mover: bool,
}

impl Unasked {
    pub(super) fn new(engine: &Engine) -> Unasked {
        let asks =
            |wanted: &[Fact]| engine.code.ops.iter().any(|op| matches!(op, Op::Fact(fact) if wanted.contains(fact)));
        let of_lines = engine.events.on.iter().flatten().flat_map(|rule| &rule.effects);
        let of_choices = engine.events.choices.iter().flat_map(|choice| &choice.effects);
        let effects: Vec<&Effect> = of_lines.chain(of_choices).collect();
        let undoes = effects.iter().any(|effect| matches!(effect, Effect::UndoTurn));
        let sends_mover = effects.iter().any(|effect| matches!(effect, Effect::Send(Which::LastMoved, _)));
        Unasked {
            are_alike: engine.counters.marks.is_empty() && !engine.tracks_newest(),
            asks_throws: undoes || asks(&[Fact::Throws]),
            asks_mover: sends_mover || undoes || asks(&[Fact::AnyMoved, Fact::LastMovedAt]),
        }
    }

    /// Clears the values that no rule reads between two throws.
    pub(super) fn clear(&self, state: &mut State) {
        state.last = Default::default();
        if !self.asks_throws {
            state.thrown = 0;
        }
        if !self.asks_mover {
            state.last_moved = None;
        }
    }

    /// Whether the pawns of a seat can be sorted by place: nothing tells them from one another.
    pub(super) fn may_sort(&self, state: &State) -> bool {
        let is_named = self.asks_mover && state.last_moved.is_some();
        self.are_alike
            && !is_named
            && state.apart == [0; MAX_PAWNS]
            && state.hand.throws == 0
            && state.hand.granted == 0
    }
}
