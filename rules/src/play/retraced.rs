//! Moves that walk back (the routes `back` and `bounce`). A pawn walks along the path up to a place, turns there, and
//! walks the same way back. By the route `back` it turns where it stands.

use super::context::Context;
use super::landing::{Landing, Spot};
use super::state::State;
use crate::play::engine::Engine;
use crate::tables::{LineId, Spend, Verdict, Wall};
use crate::units::{PathPlace, Pips};

impl Engine {
    /// Steps after which a move turns back at a wall; `None` if the move does not pass the wall. Home is the wall if
    /// the pawn has already passed the place declared as the wall, or if obstacles are the walls and none bars the way.
    /// `gate` is 1 if the move may lead through the gate.
    #[expect(clippy::too_many_arguments, reason = "a move, its wall, and who hears about it")]
    pub(super) fn turn(
        &self,
        state: &State,
        line: &Spend,
        steps: Pips,
        context: &Context,
        gate: usize,
        wall: Wall,
        heard: &mut impl FnMut(Spot, PathPlace, Verdict, Option<LineId>),
    ) -> Option<u8> {
        let (from, target) = (context.from, context.from.ahead(steps));
        let stands_at = |wall: PathPlace| {
            let is_reached = from <= wall && target > wall.index() && (gate == 1 || wall <= self.board.gate_at);
            is_reached.then(|| wall.0 - from.0)
        };
        let home = || stands_at(self.board.home());
        match wall {
            Wall::Home => home(),
            Wall::Place(place) if from <= place => stands_at(place),
            Wall::Place(_) => home(),
            Wall::Obstacle => self.obstacle(state, line, steps, context, gate, heard).or_else(home),
        }
    }

    /// The count of steps to the place before the first square that a passing line refuses to pass. `None` if the move
    /// crosses no such square.
    fn obstacle(
        &self,
        state: &State,
        line: &Spend,
        steps: Pips,
        context: &Context,
        gate: usize,
        heard: &mut impl FnMut(Spot, PathPlace, Verdict, Option<LineId>),
    ) -> Option<u8> {
        (1..steps.0).find_map(|step| {
            let place = self.stepped(context.from, i16::from(step), gate)?;
            let (answer, by) = self.asked_to_pass(state, line, context, place)?;
            (answer == Verdict::Refuse).then(|| {
                heard(Spot::Way, place, answer, by);
                step - 1
            })
        })
    }

    /// Finds the landing of a move that turns back after `turn` steps. The move crosses the squares up to the turn, and
    /// the squares on the way back. It may not end on the place where it began, or off the board.
    #[expect(clippy::too_many_arguments, reason = "a move, its turn, and who hears about it")]
    pub(super) fn retraced(
        &self,
        state: &State,
        line: &Spend,
        steps: Pips,
        turn: u8,
        gate: usize,
        context: &mut Context,
        heard: &mut impl FnMut(Spot, PathPlace, Verdict, Option<LineId>),
    ) -> Option<Landing> {
        let end = 2 * i16::from(turn) - i16::from(steps.0);
        let to = self.stepped(context.from, end, gate);
        context.to = to.filter(|to| *to != context.from)?;
        // On the way back, the pawn crosses the squares ahead of `from` for the second time. Passing lines are
        // evaluated only for the first crossing.
        let way = (1..=i16::from(turn)).chain((end + 1..0).rev());
        for place in way.filter_map(|step| self.stepped(context.from, step, gate)) {
            let Some((answer, by)) = self.asked_to_pass(state, line, context, place) else { continue };
            heard(Spot::Way, place, answer, by);
            if answer == Verdict::Refuse {
                return None;
            }
        }
        self.verdict_on(state, line.mover, context, self.square(context.own, context.to), heard)
    }

    /// The place that lies `steps` ahead of `from`, or before it if `steps` is negative. `None` if that is off the
    /// board or beyond the end of the path.
    fn stepped(&self, from: PathPlace, steps: i16, gate: usize) -> Option<PathPlace> {
        match u8::try_from(steps) {
            Ok(steps) => self.board.lands[gate][from.ahead(Pips(steps)) & 255],
            Err(_) => {
                let place = i16::from(from.0) + steps;
                u8::try_from(place).ok().map(PathPlace).filter(|place| *place > PathPlace::OUT)
            }
        }
    }

    /// The verdict on crossing a place, and its line. `None` if no pawn stands there, or if there are no passing lines.
    pub(super) fn asked_to_pass(
        &self,
        state: &State,
        line: &Spend,
        context: &Context,
        to: PathPlace,
    ) -> Option<(Verdict, Option<LineId>)> {
        let square = self.square(context.own, to).filter(|&square| state.on(Some(square)) != 0);
        if self.moves.passing.is_empty || square.is_none() {
            return None;
        }
        Some(self.verdict(&self.moves.passing, state, line.mover, &Context { to, ..*context }, square))
    }
}
