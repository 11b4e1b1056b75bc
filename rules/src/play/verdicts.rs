//! Reads verdicts from the tables of the landing and passing lines.

use super::context::Context;
use super::state::State;
use crate::play::engine::Engine;
use crate::tables::{Company, LineId, Mover, Program, Verdict, VerdictEntry, VerdictTable};
use crate::units::{Seat, SquareId};

impl Engine {
    /// The verdict of the landing lines for a square, and the line that it comes from (`None` if no line fits).
    pub(crate) fn verdict_at(
        &self,
        state: &State,
        mover: Mover,
        context: &Context,
        square: Option<SquareId>,
    ) -> (Verdict, Option<LineId>) {
        self.verdict(&self.moves.landing, state, mover, context, square)
    }

    /// The verdict of the landing or passing lines (`table`) for the pawns on a square, and the line that it comes
    /// from (`None` if no line fits).
    #[inline(always)]
    pub(super) fn verdict(
        &self,
        table: &VerdictTable,
        state: &State,
        mover: Mover,
        context: &Context,
        square: Option<SquareId>,
    ) -> (Verdict, Option<LineId>) {
        let colour = context.own;
        let class = self.board.class[colour.index()][context.to.index() & 127];
        let row = usize::from(mover.is_joint()) * table.classes as usize + class as usize;
        match table.table[row * Company::COUNT + self.companies.seen_by(colour, state.on(square)).index()] {
            VerdictEntry::Is(answer, line) => (answer, line),
            VerdictEntry::Ask(first) => self.ask_on(table, first, state, context),
        }
    }

    #[inline(never)]
    fn ask_on(&self, table: &VerdictTable, first: u16, state: &State, context: &Context) -> (Verdict, Option<LineId>) {
        let mut next = first;
        loop {
            let asked = &table.asked[next as usize];
            if self.holds_of_any(state, asked.when, context) {
                return (asked.then, Some(asked.line));
            }
            match asked.otherwise {
                VerdictEntry::Is(answer, line) => return (answer, line),
                VerdictEntry::Ask(later) => next = later,
            }
        }
    }

    /// Whether a condition holds for some enemy on the square of `context.to`; each enemy there is tried as the other
    /// seat of the context. Without an enemy, the other seat is the partner or another colour of the player, if it has
    /// pawns there, else the own seat.
    fn holds_of_any(&self, state: &State, when: Program, context: &Context) -> bool {
        let here = state.on(self.square(context.own, context.to));
        let there = |seat: &Seat| here >> (2 * seat.index()) & 3 != 0 && *seat != context.own;
        let holds = |other: Seat| self.value(state, when, &Context { other, ..*context }) != 0;
        let is_friend = |seat: &Seat| self.seating.is_friend(context.own, *seat);
        let mut others = self.seating.colours.iter().copied().filter(there);
        let mut enemies = others.clone().filter(|seat| !is_friend(seat));
        match enemies.next() {
            Some(enemy) => holds(enemy) || enemies.any(holds),
            None => holds(others.next().unwrap_or(context.own)),
        }
    }
}
