//! Says why an action that a player wrote is not legal.

use super::actions::spends;
use super::written::{WrittenAction, WrittenSquare, WrittenWith};
use crate::play::{Action, ActionKind, Attempt, Engine, Fate, Phase, State};
use crate::tables::{Asking, LineId, PASS_WORD};
use crate::units::{PathPlace, Pips, Seat};

/// Maximum number of reasons for one action.
const MOST_REASONS: usize = 8;

/// A reason why an action is not legal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WhyNot {
    /// A choice has to be made before any pawn moves.
    ChoiceFirst,
    /// No pawn of the seat stands on this place.
    NoPawn(PathPlace),
    /// The hand has no such numbers, or no such bonus.
    NotInHand(WrittenWith),
    /// No spend line moves pawns from this place by these numbers, or by this bonus.
    NoLine(PathPlace, Option<WrittenWith>),
    /// The numbers lead to this place, not to the one that was written.
    Elsewhere(PathPlace),
    /// No number and no bonus of the hand leads from the first place to the second.
    NotReached(PathPlace, PathPlace),
    /// The move is legal, but captures no pawn.
    NoCapture,
    /// The move is legal, but not with the throw or the pawns that the text names.
    NotNamed,
    /// The pawns could try this action, but it meets the obstacle that the fate of the attempt names.
    Fate(Attempt),
    /// Passing is not legal, because the player has to play another action.
    MustPlay,
    /// The choice of this line is for another moment of the turn.
    OtherMoment(LineId),
    /// The condition of this choice is not met, or no pawn stands where the choice would have an effect.
    Condition(LineId),
}

impl Engine {
    /// The reasons why a text names no legal action, each once, at most eight. Empty if the text does name a legal
    /// action, is not an action at all, or names an unknown square or word. `legal` are the legal actions.
    #[must_use]
    pub fn why_not(&self, state: &State, legal: &[Action], text: &str) -> Vec<WhyNot> {
        let Ok(written) = text.parse::<WrittenAction>() else { return Vec::new() };
        if !self.meant(state, legal, text).is_ok_and(|meant| meant.is_empty()) {
            return Vec::new();
        }
        match written {
            WrittenAction::Word { word, .. } if word == PASS_WORD => vec![WhyNot::MustPlay],
            WrittenAction::Word { word, .. } => self.why_no_choice(state, &word),
            WrittenAction::Move { .. } if state.phase != Phase::Move => vec![WhyNot::ChoiceFirst],
            WrittenAction::Move { from, to, joint, captures, with, pawns, throw } => {
                let plain = WrittenAction::Move { from, to, joint, captures, with, pawns: None, throw: None };
                let is_plain_legal = || !self.meaning(state, legal, &plain).unwrap_or_default().is_empty();
                if (pawns.is_some() || throw.is_some()) && is_plain_legal() {
                    return vec![WhyNot::NotNamed];
                }
                let WrittenAction::Move { from, to, with, .. } = plain else { return Vec::new() };
                self.why_no_move(state, legal, [&from, &to], joint, captures, with)
            }
        }
    }

    fn why_no_choice(&self, state: &State, word: &str) -> Vec<WhyNot> {
        let now = match state.phase {
            Phase::Choose => Some(Asking::BeforeThrow),
            Phase::Declare => Some(Asking::BeforeTurnEnd),
            Phase::Throw | Phase::Move | Phase::Over => None,
        };
        let called = self.events.choices.iter().filter(|choice| choice.word == word);
        let why = called.map(|choice| {
            let is_now = Some(choice.at) == now && self.is_asked(state, choice.who);
            if is_now { WhyNot::Condition(choice.line) } else { WhyNot::OtherMoment(choice.line) }
        });
        why.take(MOST_REASONS).collect()
    }

    fn why_no_move(
        &self,
        state: &State,
        legal: &[Action],
        [from, to]: [&WrittenSquare; 2],
        joint: bool,
        captures: bool,
        with: Option<WrittenWith>,
    ) -> Vec<WhyNot> {
        let named = from.seat.as_deref().and_then(|name| self.seat_named(name));
        let colours = self.moving_colours(state);
        let stands_there = |seat: &Seat| {
            let start = self.place(&from.to_string(), *seat).ok();
            state.at[seat.index()][..usize::from(self.pawns.count)].iter().any(|&place| Some(place) == start)
        };
        // The colour that the text names; otherwise the first colour with a pawn on the place where the move begins.
        let named = named.filter(|colour| self.seating.shares && colours.contains(colour));
        let seat = named.or(colours.iter().copied().find(stands_there)).unwrap_or(colours[0]);
        let place = |square: &WrittenSquare| self.place(&square.to_string(), seat).ok();
        let (Some(start), Some(aim)) = (place(from), place(to)) else { return Vec::new() };
        let stands = |square: &WrittenSquare, written, place| {
            written == place || square.seat.is_some() && self.is_same_square(seat, written, place)
        };
        let places = &state.at[seat.index()][..usize::from(self.pawns.count)];
        if !places.iter().any(|&place| stands(from, start, place)) {
            return vec![WhyNot::NoPawn(start)];
        }
        if let Some(with) = with.as_ref().filter(|with| !is_in_hand(state, with)) {
            return vec![WhyNot::NotInHand(with.clone())];
        }
        let (mut aimed, mut others) = (Vec::new(), Vec::new());
        self.attempts(state, legal, &mut |attempt| {
            let wording = self.wording(state, &attempt.action);
            let fits = with.as_ref().is_none_or(|with| spends(&wording, with));
            if wording.colour != seat || !stands(from, start, wording.from) || wording.joint != joint || !fits {
                return;
            }
            match attempt.end {
                Some(end) if !stands(to, aim, end) => add(&mut others, WhyNot::Elsewhere(end)),
                Some(_) if attempt.fate == Fate::Legal && captures => add(&mut aimed, WhyNot::NoCapture),
                Some(_) => add(&mut aimed, WhyNot::Fate(attempt)),
                None => add(&mut others, WhyNot::Fate(attempt)),
            }
        });
        match (aimed.is_empty(), others.is_empty(), &with) {
            (false, ..) => aimed,
            (true, true, _) => vec![WhyNot::NoLine(start, with)],
            (true, false, None) => vec![WhyNot::NotReached(start, aim)],
            (true, false, Some(_)) => others,
        }
    }
}

/// Adds a reason, unless the list says the same of another pawn or throw.
fn add(reasons: &mut Vec<WhyNot>, reason: WhyNot) {
    let same = |known: &WhyNot| match (known, &reason) {
        (WhyNot::Fate(known), WhyNot::Fate(new)) => {
            known.fate == new.fate && (known.action.line, known.action.kind) == (new.action.line, ActionKind::Move)
        }
        (known, new) => known == new,
    };
    if reasons.len() < MOST_REASONS && !reasons.iter().any(same) {
        reasons.push(reason);
    }
}

/// Whether one throw of the hand has all of these numbers left, or whether the bonus is in the hand.
fn is_in_hand(state: &State, with: &WrittenWith) -> bool {
    let hand = &state.hand;
    match with {
        WrittenWith::Bonus(steps) => {
            hand.bonuses[..usize::from(hand.granted)].iter().any(|bonus| bonus.steps == *steps)
        }
        WrittenWith::Numbers(wanted) => hand.banked[..usize::from(hand.throws)].iter().any(|banked| {
            let numbers = banked.numbers.iter().enumerate().filter(|(i, _)| banked.left >> i & 1 == 1);
            let mut left: Vec<Pips> = numbers.map(|(_, &number)| number).collect();
            wanted.iter().all(|number| {
                let found = left.iter().position(|left| left == number);
                found.map(|index| left.swap_remove(index)).is_some()
            })
        }),
    }
}
