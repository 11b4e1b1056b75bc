//! The legal actions: candidates, compulsions and the duty to spend as much as can be spent.

use super::actions::Actions;
use super::candidates::Stage;
use super::program::Ask;
use super::state::{Action, Due, Hand, Phase, Seat, State};
use super::watch::Quiet;
use crate::tables::{Duty, Must, Rules};

/// Positions that one look ahead may visit; beyond it what is known so far counts.
///
/// A rule file cannot make a decision slow; the sets of real games stay far below.
const LOOK_AHEAD_LIMIT: u32 = 200_000;

/// What an action of a compulsion within the hand is worth beside the numbers it spends.
const DUE: u32 = 1 << 8;

/// How far a look ahead has gone.
struct Search {
    visited: u32,
}

impl Rules {
    /// Whose pawns are moved: the seat's whose turn it is, or its partner's where it helps.
    #[inline(always)]
    pub fn colour(&self, state: &State) -> Seat {
        let turn = state.turn;
        let partner = self.partner[turn.index()];
        if partner == turn || !state.has_finished(turn) || state.has_finished(partner) {
            return turn;
        }
        match self.finish.help {
            Some(help) if self.value(state, help, &Ask::seat(turn)) != 0 => partner,
            _ => turn,
        }
    }

    /// Every legal action of a state, each once.
    ///
    /// Empty while the game waits for a throw, and when it is over.
    pub fn legal(&self, state: &State) -> Actions {
        let mut actions = Actions::default();
        self.legal_into(state, &mut actions);
        actions
    }

    /// As [`Rules::legal`], into a list that is used again and again.
    pub fn legal_into(&self, state: &State, out: &mut Actions) {
        out.clear();
        match state.phase {
            Phase::Choose | Phase::Declare => self.choices_into(state, out),
            Phase::Move => self.moves_into(state, out),
            Phase::Throw | Phase::Over => {}
        }
    }

    pub(crate) fn moves_into(&self, state: &State, out: &mut Actions) {
        let quick = self.quick.as_ref();
        let Some((quick, mut bits)) = quick.and_then(|quick| Some((quick, self.quick_moves(quick, state)?))) else {
            return self.slow_moves_into(state, out);
        };
        while bits != 0 {
            out.push(self.quick_action(quick, state, bits.trailing_zeros()));
            bits &= bits - 1;
        }
    }

    /// The moves by the tables as they stand, for every rule set.
    pub(crate) fn slow_moves_into(&self, state: &State, out: &mut Actions) {
        let colour = self.colour(state);
        let compelled = self.ordinary_into(state, colour, out);
        let ordinary = out.len();
        if ordinary == 0 && self.has_duty(Duty::Last) {
            self.candidates(state, colour, Duty::Last, out);
            self.keep_best(state, out, true);
        }
        let pressing = out.len();
        if !compelled && self.has_duty(Duty::Voluntary) {
            self.candidates(state, colour, Duty::Voluntary, out);
        }
        self.merge_alike(out);
        if out.len() > pressing && pressing == 0 || self.turn.may_pass && !out.is_empty() {
            self.add_pass(out);
        }
    }

    pub(crate) fn has_duty(&self, duty: Duty) -> bool {
        self.spend.iter().any(|line| line.duty == duty)
    }

    /// The ordinary actions: those that begin a way to spend most.
    fn ordinary_into(&self, state: &State, colour: Seat, out: &mut Actions) -> bool {
        let compelled = self.candidates(state, colour, Duty::Ordinary, out);
        if !out.is_empty() && !matches!(state.stage(), Stage::BonusAfter | Stage::BonusLast) {
            self.keep_best(state, out, false);
        }
        compelled
    }

    /// Keeps the actions after which most numbers are spent in the end.
    fn keep_best(&self, state: &State, out: &mut Actions, last_too: bool) {
        let left = state.numbers_left();
        let whole = state.hand.banked.iter().any(|thrown| thrown.flags & super::state::Banked::ALL_OR_NONE != 0);
        let due = self.has_due();
        let open = self.turn.most || whole || due;
        if !open || out.is_empty() || (!whole && !due && out.iter().all(|action| spent_by(action) == left)) {
            return;
        }
        let mut search = Search { visited: 0 };
        let mut best = 0;
        let mut worth = [0u16; super::actions::MAX_ACTIONS];
        for (i, action) in out.iter().enumerate() {
            let spent = spent_by(action);
            let mut total = spent + self.due(state, action);
            if spent < left {
                let mut next = *state;
                self.perform(&mut next, action, &mut Quiet);
                total += self.spendable(&next, left - spent, last_too, &mut search);
            }
            if !self.turn.most && !whole {
                total -= total % DUE;
            }
            worth[i] = total as u16;
            best = best.max(total);
        }
        if whole && best % DUE < left {
            out.clear();
            return;
        }
        let mut i = 0;
        out.retain_from(0, |_| {
            i += 1;
            u32::from(worth[i - 1]) == best
        });
    }

    fn has_due(&self) -> bool {
        self.must.iter().any(|must| must.in_hand)
    }

    /// What an action is worth for the compulsions that look at the whole hand.
    fn due(&self, state: &State, action: &Action) -> u32 {
        let colour = self.colour(state);
        let meets = |must: &Must| {
            must.in_hand
                && must.actions >> action.line & 1 == 1
                && self.holds(state, must.open, &Ask::seat(colour))
                && (must.when.is_none() || self.holds(state, must.when, &self.asked_of(state, colour, action)))
        };
        if self.must.iter().any(meets) { DUE } else { 0 }
    }

    /// How many of `left` numbers can still be spent, and what those compulsions add to it.
    fn spendable(&self, state: &State, left: u32, last_too: bool, search: &mut Search) -> u32 {
        search.visited += 1;
        if left == 0 || state.ending || state.phase == Phase::Over || search.visited > LOOK_AHEAD_LIMIT {
            return 0;
        }
        let colour = self.colour(state);
        let mut actions = Actions::default();
        self.candidates(state, colour, Duty::Ordinary, &mut actions);
        if actions.is_empty() && last_too {
            self.candidates(state, colour, Duty::Last, &mut actions);
        }
        if actions.is_empty() {
            if state.stage() != Stage::BonusNow {
                return 0;
            }
            let mut forfeited = *state;
            forfeited.hand.drop_bonuses(Due::Now);
            return self.spendable(&forfeited, left, last_too, search);
        }
        let due = self.has_due();
        let mut best = 0;
        for action in actions.iter() {
            let spent = spent_by(action);
            let mut next = *state;
            self.perform(&mut next, action, &mut Quiet);
            let later = self.spendable(&next, left - spent.min(left), last_too, search);
            best = best.max(spent + self.due(state, action) + later);
            if best >= left && !due {
                break;
            }
        }
        best
    }
}

/// How many numbers an action spends.
#[inline(always)]
pub(crate) fn spent_by(action: &Action) -> u32 {
    if action.throw == 255 { 0 } else { action.numbers.count_ones() }
}

impl Hand {
    /// Takes away the bonuses that are due at a time.
    pub(crate) fn drop_bonuses(&mut self, due: Due) {
        let mut kept = 0;
        for i in 0..self.granted as usize {
            if self.bonuses[i].due != due {
                self.bonuses[kept] = self.bonuses[i];
                kept += 1;
            }
        }
        self.bonuses[kept..].fill(Default::default());
        self.granted = kept as u8;
    }

    /// Takes away every number.
    pub(crate) fn drop_numbers(&mut self) {
        let used = self.throws as usize;
        self.banked[..used].fill(Default::default());
        self.throws = 0;
    }
}
