//! Writes actions as text, and finds the legal action that a text means.

use std::num::{NonZeroU8, NonZeroU16};

use super::written::{Malformed, WrittenAction, WrittenSquare, WrittenWith};
use crate::play::state::{Action, ActionForm, ActionKind, State};
use crate::play::{Engine, Wording};
use crate::tables::{Argument, Choice, PASS_WORD};
use crate::units::{PathPlace, Pips, Seat};

/// The reason why a text names no legal action.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ActionError {
    /// The text is not an action.
    #[error(transparent)]
    Malformed(#[from] Malformed),
    /// The rule set has no choice with this word.
    #[error("no action is called `{word}`")]
    UnknownWord {
        /// The word in the text.
        word: String,
        /// The words of all choices, and `pass`.
        known: Vec<String>,
    },
    /// The text names a square that is not on the board, or not on the path of the seat.
    #[error("{}", .0.message)]
    UnknownSquare(super::UnknownSquare),
    /// The text is an action that is not legal now.
    #[error("`{text}` is not legal here")]
    NotLegal {
        /// The action as it was written.
        text: String,
        /// The legal actions.
        legal: Vec<String>,
    },
    /// The text fits several legal actions.
    #[error("`{text}` may mean {}", .candidates.join(" or "))]
    Ambiguous {
        /// The action as it was written.
        text: String,
        /// The possible actions.
        candidates: Vec<String>,
    },
}

impl Engine {
    /// Splits an action into the parts of its text: squares, the numbers that it spends, and whether it captures.
    #[must_use]
    pub fn written(&self, state: &State, action: &Action) -> WrittenAction {
        let wording = self.wording(state, action);
        let own = |place: PathPlace| WrittenSquare { seat: None, label: self.label(place).to_string() };
        match wording.kind {
            ActionKind::Pass => WrittenAction::Word { word: PASS_WORD.to_string(), argument: None },
            ActionKind::Choice => {
                let choice = &self.events.choices[usize::from(action.line)];
                let argument = match choice.of {
                    Argument::None => None,
                    Argument::OwnPair => Some(own(wording.from)),
                    // The label is in the numbering of another seat, which owns the pawn.
                    _ => Some(WrittenSquare {
                        seat: Some(self.seat_name(self.named_seat(state, choice)).to_string()),
                        label: self.label(wording.from).to_string(),
                    }),
                };
                WrittenAction::Word { word: choice.word.clone(), argument }
            }
            ActionKind::Move => WrittenAction::Move {
                from: WrittenSquare { seat: self.colour_told(&wording).map(str::to_string), ..own(wording.from) },
                to: own(wording.to),
                joint: wording.joint,
                captures: wording.captures,
                with: Some(if wording.bonus {
                    WrittenWith::Bonus(wording.numbers[0])
                } else {
                    WrittenWith::Numbers(wording.spent().to_vec())
                }),
                pawns: wording.pawns,
                throw: wording.throw,
            },
        }
    }

    /// Writes an action as text, with the numbers that it spends and the mark of a capture.
    #[must_use]
    pub fn action_text(&self, state: &State, action: &Action) -> String {
        match action.kind {
            ActionKind::Move => self.move_text(&self.wording(state, action)),
            ActionKind::Pass | ActionKind::Choice => self.written(state, action).to_string(),
        }
    }

    /// Writes a move as text, in the form in which a [`WrittenAction`] is displayed. For speed it makes no
    /// [`WrittenAction`], because the service lists the moves of a game after every step.
    fn move_text(&self, wording: &Wording) -> String {
        let mut text = String::with_capacity(24);
        if let Some(colour) = self.colour_told(wording) {
            text.push_str(colour);
            text.push('.');
        }
        text.push_str(self.label(wording.from));
        let pawns = wording.pawns.map_or(0, NonZeroU16::get);
        let numbers = (0..u16::BITS as u8).filter(|index| pawns >> index & 1 == 1);
        for (i, index) in numbers.enumerate() {
            text.push(if i == 0 { '~' } else { '+' });
            push_number(&mut text, Pips(index + 1));
        }
        text.push(if wording.joint { '=' } else { '-' });
        text.push_str(self.label(wording.to));
        text.push_str(if wording.captures { "x:" } else { ":" });
        if wording.bonus {
            text.push('b');
            push_number(&mut text, wording.numbers[0]);
        } else {
            for (index, number) in wording.spent().iter().enumerate() {
                if index > 0 {
                    text.push('+');
                }
                push_number(&mut text, *number);
            }
        }
        if let Some(throw) = wording.throw {
            text.push('@');
            push_number(&mut text, Pips(throw.get()));
        }
        text
    }

    /// The name of the colour that moves, which begins the text of an action. `None` if every player has one colour.
    fn colour_told(&self, wording: &Wording) -> Option<&str> {
        self.seating.shares.then(|| self.seat_name(wording.colour))
    }

    /// Lists the legal actions as text, without duplicates.
    #[must_use]
    pub fn legal_texts(&self, state: &State) -> Vec<String> {
        self.texts(state, &self.legal(state))
    }

    /// Removes duplicates from a list of legal actions. Two actions that are written alike are duplicates.
    #[must_use]
    pub fn one_of_each(&self, state: &State, legal: &[Action]) -> Vec<Action> {
        let mut seen: Vec<Wording> = Vec::with_capacity(legal.len());
        let mut distinct = Vec::with_capacity(legal.len());
        for action in legal {
            let wording = self.wording(state, action);
            if !seen.contains(&wording) {
                seen.push(wording);
                distinct.push(*action);
            }
        }
        distinct
    }

    /// The legal actions that a list of texts has to name. Older programs list only actions in plain form: those whose
    /// texts name neither a throw (`@`) nor pawns (`~`). A list without these signs need not name the other actions.
    pub(crate) fn listed_by(&self, texts: &[String], legal: &[Action]) -> Vec<Action> {
        let names_form = texts.iter().any(|text| text.contains(['@', '~']));
        legal.iter().filter(|action| names_form || action.form.is_plain()).copied().collect()
    }

    /// Reads an action and finds it among the legal actions.
    ///
    /// The text may leave out the numbers and the mark of a capture, if only one legal action fits.
    ///
    /// # Errors
    /// The text is no action, names an unknown square, is not legal now, or may mean several actions.
    pub fn parse_action(&self, state: &State, text: &str) -> Result<Action, ActionError> {
        self.parse_action_among(state, &self.legal(state), text)
    }

    /// Reads an action and finds it among the legal actions, which the caller has computed already.
    ///
    /// # Errors
    /// The text is no action, names an unknown square, is not legal now, or may mean several actions.
    pub fn parse_action_among(&self, state: &State, legal: &[Action], text: &str) -> Result<Action, ActionError> {
        let meant = self.meant(state, legal, text)?;
        match meant[..] {
            [action] => Ok(action),
            [] => Err(ActionError::NotLegal { text: text.trim().to_string(), legal: self.texts(state, legal) }),
            _ => Err(ActionError::Ambiguous { text: text.trim().to_string(), candidates: self.texts(state, &meant) }),
        }
    }

    /// Lists the distinct actions of `legal` that a text may mean: none if no action fits, several if the text is
    /// ambiguous. If the text is written exactly like one of these actions, it means only that action. A text that
    /// names neither a throw nor pawns means only actions in plain form.
    ///
    /// # Errors
    /// The text is no action, or names an unknown square.
    pub fn meant(&self, state: &State, legal: &[Action], text: &str) -> Result<Vec<Action>, ActionError> {
        self.meaning(state, legal, &text.parse()?)
    }

    /// Lists the distinct actions of `legal` that a text may mean, as [`Engine::meant`] does.
    pub(super) fn meaning(
        &self,
        state: &State,
        legal: &[Action],
        written: &WrittenAction,
    ) -> Result<Vec<Action>, ActionError> {
        let fitting = match written {
            WrittenAction::Word { word, argument } => self.fitting_words(state, legal, word, argument.as_ref())?,
            WrittenAction::Move { from, .. } => {
                // The text may begin with the colour that moves. If it does not, any colour of the player may be meant.
                let named = from.seat.as_deref().and_then(|name| self.seat_named(name));
                let moving = self.moving_colours(state);
                let named = named.filter(|colour| self.seating.shares && moving.contains(colour));
                let colours = moving.into_iter().filter(|colour| named.is_none_or(|named| named == *colour));
                let found: Vec<_> = colours.map(|colour| self.fitting_moves(state, colour, legal, written)).collect();
                match found.iter().all(Result::is_err) {
                    true => found.into_iter().next().unwrap_or_else(|| Ok(Vec::new()))?,
                    false => found.into_iter().flatten().flatten().collect(),
                }
            }
        };
        let meant = self.one_of_each(state, &fitting);
        // The text `3+4` also fits the sum of a throw of 4 and 3. If one of the actions is written exactly like the
        // text, the text means that action.
        let exact = meant.iter().find(|action| meant.len() > 1 && self.written(state, action) == *written);
        Ok(exact.map_or_else(|| meant.clone(), |&action| vec![action]))
    }

    /// The legal moves of a colour that a text may mean.
    fn fitting_moves(
        &self,
        state: &State,
        colour: Seat,
        legal: &[Action],
        written: &WrittenAction,
    ) -> Result<Vec<Action>, ActionError> {
        let WrittenAction::Move { from, to, joint, captures, with, pawns, throw } = written else {
            return Ok(Vec::new());
        };
        let place = |square: &WrittenSquare| {
            let found = self.place(&square.to_string(), colour);
            found.map_err(ActionError::UnknownSquare)
        };
        let (start, end) = (place(from)?, place(to)?);
        let stands = |square: &WrittenSquare, written, place| {
            let anywhere = square.seat.is_some();
            written == place || anywhere && self.is_same_square(colour, written, place)
        };
        let mut fitting = legal.to_vec();
        fitting.retain(|action| {
            let wording = self.wording(state, action);
            wording.kind == ActionKind::Move
                && wording.colour == colour
                && stands(from, start, wording.from)
                && stands(to, end, wording.to)
                && wording.joint == *joint
                && (!captures || wording.captures)
                && with.as_ref().is_none_or(|with| spends(&wording, with))
                && self.is_named(state, action, *pawns, *throw)
        });
        Ok(fitting)
    }

    /// Whether a text with these numbers of pawns and this number of a throw may mean the action. Both are `None` if the
    /// text does not name them.
    fn is_named(&self, state: &State, action: &Action, pawns: Option<NonZeroU16>, throw: Option<NonZeroU8>) -> bool {
        if pawns.is_none() && throw.is_none() {
            return action.form.is_plain();
        }
        let told =
            self.wording(state, &Action { form: ActionForm { names_throw: true, names_pawns: true }, ..*action });
        (pawns.is_none() || pawns == told.pawns) && (throw.is_none() || throw == told.throw)
    }

    fn fitting_words(
        &self,
        state: &State,
        legal: &[Action],
        word: &str,
        argument: Option<&WrittenSquare>,
    ) -> Result<Vec<Action>, ActionError> {
        let is_known = word == PASS_WORD || self.events.choices.iter().any(|choice| choice.word == word);
        if !is_known {
            let words = self.events.choices.iter().map(|choice| choice.word.clone());
            let known = words.chain([PASS_WORD.to_string()]).collect();
            let word = word.to_string();
            return Err(ActionError::UnknownWord { word, known });
        }
        let seat = state.asked.unwrap_or_else(|| self.colour(state));
        let place = match argument {
            Some(square) => match self.place(&square.to_string(), seat) {
                // The label may name a square that the path of `seat` does not use, but that of another seat does.
                Err(unknown) if !self.is_square(square) => return Err(ActionError::UnknownSquare(unknown)),
                place => place.ok(),
            },
            None => None,
        };
        let meant = |action: &Action, choice: &Choice| match choice.of {
            Argument::None => argument.is_none(),
            Argument::OwnPair => place.is_some_and(|place| self.is_same_square(seat, place, action.from)),
            Argument::RightPawn | Argument::PreviousPawn | Argument::TurnPair | Argument::TurnPawn => {
                let owner = self.named_seat(state, choice);
                let theirs = argument.filter(|square| square.seat.is_some());
                let theirs = theirs.and_then(|square| self.place(&square.to_string(), owner).ok());
                let seen = |place: PathPlace| self.board.seen_as(seat, owner, place);
                theirs.or(place.and_then(seen)).is_some_and(|theirs| self.is_same_square(owner, theirs, action.from))
            }
        };
        let mut fitting = legal.to_vec();
        fitting.retain(|action| match action.kind {
            ActionKind::Move => false,
            ActionKind::Pass => word == PASS_WORD && argument.is_none(),
            ActionKind::Choice => {
                let choice = &self.events.choices[usize::from(action.line)];
                choice.word == word && meant(action, choice)
            }
        });
        Ok(fitting)
    }

    /// Whether the label is on the path of the seat that the text names.
    fn is_square(&self, square: &WrittenSquare) -> bool {
        let owner = square.seat.as_deref().and_then(|name| self.seat_named(name));
        owner.is_some_and(|owner| self.place(&square.to_string(), owner).is_ok())
    }

    /// Writes actions as text, without duplicates.
    #[must_use]
    pub fn texts(&self, state: &State, actions: &[Action]) -> Vec<String> {
        let distinct = self.one_of_each(state, actions);
        (distinct.iter()).map(|action| self.action_text(state, action)).collect()
    }
}

/// Appends a number in decimal digits.
fn push_number(text: &mut String, Pips(number): Pips) {
    let digits = [number / 100, number / 10 % 10, number % 10];
    let first = digits[..2].iter().position(|&digit| digit > 0).unwrap_or(2);
    text.extend(digits[first..].iter().map(|&digit| char::from(b'0' + digit)));
}

/// Whether an action spends this bonus, or these numbers in any order.
pub(super) fn spends(wording: &Wording, with: &WrittenWith) -> bool {
    match with {
        WrittenWith::Bonus(steps) => wording.bonus && wording.numbers[0] == *steps,
        WrittenWith::Numbers(numbers) => {
            let sorted = |numbers: &[Pips]| {
                let mut numbers = numbers.to_vec();
                numbers.sort_unstable();
                numbers
            };
            !wording.bonus && sorted(numbers) == sorted(wording.spent())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundled::{self, SETS};
    use crate::play::Quiet;
    use crate::ruleset::Options;

    /// Plays games of all bundled sets, and compares the texts of all legal actions with their parts.
    #[test]
    fn the_text_of_an_action_is_that_of_its_parts() {
        for (id, _) in SETS {
            let engine = bundled::ruleset(id).unwrap().table(&Options::new(), None).unwrap();
            let mut state = engine.opening(engine.seating.players[0]);
            let mut drawn = 0_u32;
            let mut below = |n: u32| {
                drawn = drawn.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (drawn >> 8) % n
            };
            for _ in 0..300 {
                let legal = engine.legal(&state);
                for action in legal.iter() {
                    assert_eq!(engine.action_text(&state, action), engine.written(&state, action).to_string(), "{id}");
                }
                if legal.is_empty() {
                    let throw = engine.draw(&mut below);
                    if engine.throw(&mut state, &throw, &mut Quiet).is_err() {
                        break;
                    }
                } else {
                    let action = legal[below(legal.len() as u32) as usize];
                    engine.play(&mut state, &action, &mut Quiet).unwrap();
                }
            }
        }
    }

    #[test]
    fn numbers_are_written_in_decimal_digits() {
        for number in 0..=u8::MAX {
            let mut text = String::new();
            push_number(&mut text, Pips(number));
            assert_eq!(text, number.to_string());
        }
    }
}
