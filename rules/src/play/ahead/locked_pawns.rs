//! Pawns that stay where they are until the hand is spent, whatever the other pawns do.
//!
//! A pawn is locked if no spend line can move it now, and if nothing that the other pawns do can change that. The proof
//! is by induction over the actions: as long as the locked pawns stay, the conditions of the lines that could move them
//! stay false. The search first assumes that all pawns are locked. It drops the pawns for which this cannot be proved,
//! and repeats until no further pawn is dropped.

use super::fixed_values::{FixedValues, PawnAndEvent};
use super::gate::is_mover;
use super::relevant::while_spending;
use crate::play::companions::pawns_of;
use crate::play::engine::Engine;
use crate::play::state::State;
use crate::tables::{Effect, Event, Rule, Spend, Whose};
use crate::units::{MAX_PAWNS, PawnIndex, PawnSet, Seat};

impl Engine {
    /// The pawns of a colour that are locked, one bit each. Pawns at home are left out.
    pub(super) fn locked(&self, state: &State, colour: Seat) -> PawnSet {
        if !self.assumptions.finds_locked {
            return 0;
        }
        let on_board = |pawn: &PawnIndex| state.place_of(colour, *pawn) != self.board.home();
        let pawns = PawnIndex::all(self.pawns.count).filter(on_board);
        let mut locked = pawns.fold(0, |all, pawn| all | pawn.alone());
        // In most positions, every pawn can move. The loop then ends without a search for possible changes.
        loop {
            let mut fixed =
                FixedValues { engine: self, state, colour, locked, counters: [0; 2], marks: [0; MAX_PAWNS] };
            if self.held(&fixed) != 0 {
                self.find_changes(&mut fixed);
            }
            let held = self.held(&fixed);
            if held == locked || held == 0 {
                return held;
            }
            locked = held;
        }
    }

    /// Returns the pawns of `fixed.locked` that no spend line can move, under the assumption that all pawns of
    /// `fixed.locked` stay where they are.
    fn held(&self, fixed: &FixedValues<'_>) -> PawnSet {
        let is_held = |pawn: &PawnIndex| {
            let place = fixed.state.place_of(fixed.colour, *pawn);
            let lines = self.moves.spend.iter().filter(|line| place.is_in(line.from));
            lines.into_iter().all(|line| self.is_shut(fixed, line, *pawn))
        };
        pawns_of(fixed.locked).filter(is_held).fold(0, |held, pawn| held | pawn.alone())
    }

    /// Whether a condition keeps a spend line from moving a pawn.
    fn is_shut(&self, fixed: &FixedValues<'_>, line: &Spend, pawn: PawnIndex) -> bool {
        let about = PawnAndEvent { pawn: Some(pawn), event: None };
        [line.open, line.when].into_iter().flatten().any(|condition| fixed.never_holds(condition, about))
    }

    /// Adds the counters and marks that lines may change while the hand is spent.
    fn find_changes(&self, fixed: &mut FixedValues<'_>) {
        loop {
            let before = (fixed.counters, fixed.marks);
            for (event, lines) in self.events.on.iter().enumerate().filter(|(event, _)| while_spending(*event)) {
                lines.iter().for_each(|line| self.add_changes(fixed, event, line));
            }
            if before == (fixed.counters, fixed.marks) {
                return;
            }
        }
    }

    fn add_changes(&self, fixed: &mut FixedValues<'_>, event: usize, line: &Rule) {
        let lost = event == Event::Lost as usize;
        let about = |pawn| PawnAndEvent { pawn, event: Some(event) };
        // At the event `lost`, conditions are about the seat of the captured pawn, of which `fixed` has no values.
        if !lost && line.when.is_some_and(|when| fixed.never_holds(when, about(None))) {
            return;
        }
        for effect in &line.effects {
            match *effect {
                Effect::Set(whose, index, value) if !lost && fixed.is_now(whose, index, value, about(None)) => {}
                Effect::Set(Whose::Game, index, _) | Effect::Add(Whose::Game, index, _) => {
                    fixed.counters[1] |= 1 << (index & 7);
                }
                Effect::Set(whose, index, _) | Effect::Add(whose, index, _) if is_mover(lost, whose) => {
                    fixed.counters[0] |= 1 << (index & 7);
                }
                Effect::Mark(bit, _) if event == Event::Spared as usize => {
                    fixed.marks.iter_mut().for_each(|marks| *marks |= 1 << bit);
                }
                Effect::MarkEach(bit, _, which) if !lost => {
                    for pawn in pawns_of(fixed.locked) {
                        if !fixed.never_holds(which, about(Some(pawn))) {
                            fixed.marks[pawn.index()] |= 1 << bit;
                        }
                    }
                }
                _ => {}
            }
        }
    }
}
