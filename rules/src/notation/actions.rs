//! Actions as text, and the search for them among the legal actions.

use super::written::{Malformed, WrittenAction, WrittenSquare, WrittenWith};
use crate::play::state::{Action, ActionKind, State};
use crate::play::{Engine, Wording};
use crate::tables::{Argument, Choice};
use crate::units::{PathPlace, Pips};

/// The word for spending nothing more.
pub(crate) const PASS: &str = "pass";

/// A text that is not an action, or not a legal one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ActionError {
    /// The text is not an action.
    #[error(transparent)]
    Malformed(#[from] Malformed),
    /// The rule set has no choice of this name.
    #[error("no action is called `{word}`")]
    UnknownWord {
        /// The word.
        word: String,
        /// The names of all choices.
        known: Vec<String>,
    },
    /// The text names a square that is not on the board, or not on the path of the seat.
    #[error("{}", .0.message)]
    UnknownSquare(super::UnknownSquare),
    /// The text is an action that is not legal now.
    #[error("`{text}` is not legal here")]
    NotLegal {
        /// The text.
        text: String,
        /// The legal actions.
        legal: Vec<String>,
    },
    /// The text fits several legal actions.
    #[error("`{text}` may mean {}", .candidates.join(" or "))]
    Ambiguous {
        /// The text.
        text: String,
        /// The possible actions.
        candidates: Vec<String>,
    },
}

impl Engine {
    /// An action in words, with what it spends and the mark of a capture.
    #[must_use]
    pub fn written(&self, state: &State, action: &Action) -> WrittenAction {
        let wording = self.wording(state, action);
        let own = |place: PathPlace| WrittenSquare { seat: None, label: self.label(place).to_string() };
        match wording.kind {
            ActionKind::Pass => WrittenAction::Word { word: PASS.to_string(), argument: None },
            ActionKind::Choice => {
                let choice = &self.events.choices[usize::from(wording.choice)];
                let argument = match choice.of {
                    Argument::None => None,
                    Argument::OwnPair => Some(own(wording.from)),
                    // The label is that of the pawn's owner, who is another seat.
                    Argument::RightPawn | Argument::PreviousPawn => Some(WrittenSquare {
                        seat: Some(self.seat_name(self.named_seat(state, choice)).to_string()),
                        label: self.label(wording.from).to_string(),
                    }),
                };
                WrittenAction::Word { word: choice.word.clone(), argument }
            }
            ActionKind::Move => WrittenAction::Move {
                from: own(wording.from),
                to: own(wording.to),
                joint: wording.joint,
                captures: wording.captures,
                with: Some(if wording.bonus {
                    WrittenWith::Bonus(wording.numbers[0])
                } else {
                    WrittenWith::Numbers(wording.spent().to_vec())
                }),
            },
        }
    }

    /// An action as text, with what it spends and the mark of a capture.
    #[must_use]
    pub fn action_text(&self, state: &State, action: &Action) -> String {
        self.written(state, action).to_string()
    }

    /// The legal actions as text, each once.
    #[must_use]
    pub fn legal_texts(&self, state: &State) -> Vec<String> {
        self.texts(state, &self.legal(state))
    }

    /// The legal actions without duplicates: one action for each wording.
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

    /// Reads an action and finds it among the legal ones.
    ///
    /// The numbers and the mark of a capture may be left out, if only one legal action fits.
    ///
    /// # Errors
    /// The text is no action, names an unknown square, is not legal now, or may mean several actions.
    pub fn parse_action(&self, state: &State, text: &str) -> Result<Action, ActionError> {
        self.parse_action_among(state, &self.legal(state), text)
    }

    /// Reads an action and finds it among legal actions that the caller knows already.
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

    /// Lists the distinct actions of `legal` that a text may mean: none if it is not legal, several if it is ambiguous.
    /// A text that is written exactly as one of them means that one.
    ///
    /// # Errors
    /// The text is no action, or names an unknown square.
    pub fn meant(&self, state: &State, legal: &[Action], text: &str) -> Result<Vec<Action>, ActionError> {
        let written: WrittenAction = text.parse()?;
        let seat = self.colour(state);
        let fitting = match &written {
            WrittenAction::Word { word, argument } => self.fitting_words(state, legal, word, argument.as_ref())?,
            WrittenAction::Move { from, to, joint, captures, with } => {
                let place = |square: &WrittenSquare| {
                    let found = self.place(&square.to_string(), seat);
                    found.map_err(ActionError::UnknownSquare)
                };
                let (start, end) = (place(from)?, place(to)?);
                let stands = |square: &WrittenSquare, written, place| {
                    let anywhere = square.seat.is_some();
                    written == place || anywhere && self.is_same_square(seat, written, place)
                };
                let mut fitting = legal.to_vec();
                fitting.retain(|action| {
                    let wording = self.wording(state, action);
                    wording.kind == ActionKind::Move
                        && stands(from, start, wording.from)
                        && stands(to, end, wording.to)
                        && wording.joint == *joint
                        && (!captures || wording.captures)
                        && with.as_ref().is_none_or(|with| spends(&wording, with))
                });
                fitting
            }
        };
        let meant = self.one_of_each(state, &fitting);
        // `3+4` also fits the sum of a throw of 4 and 3. If one of the actions is written exactly so, the text means
        // that one.
        let exact = meant.iter().find(|action| meant.len() > 1 && self.written(state, action) == written);
        Ok(exact.map_or_else(|| meant.clone(), |&action| vec![action]))
    }

    fn fitting_words(
        &self,
        state: &State,
        legal: &[Action],
        word: &str,
        argument: Option<&WrittenSquare>,
    ) -> Result<Vec<Action>, ActionError> {
        let known = word == PASS || self.events.choices.iter().any(|choice| choice.word == word);
        if !known {
            let words = self.events.choices.iter().map(|choice| choice.word.clone());
            let known = words.chain([PASS.to_string()]).collect();
            let word = word.to_string();
            return Err(ActionError::UnknownWord { word, known });
        }
        let seat = self.colour(state);
        let place = match argument {
            Some(square) => match self.place(&square.to_string(), seat) {
                // A private square of another seat is not unknown, although it is not on the own path.
                Err(unknown) if !self.is_square(square) => return Err(ActionError::UnknownSquare(unknown)),
                place => place.ok(),
            },
            None => None,
        };
        let meant = |action: &Action, choice: &Choice| match choice.of {
            Argument::None => argument.is_none(),
            Argument::OwnPair => place.is_some_and(|place| self.is_same_square(seat, place, action.from)),
            Argument::RightPawn | Argument::PreviousPawn => {
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
            ActionKind::Pass => word == PASS && argument.is_none(),
            ActionKind::Choice => {
                let choice = &self.events.choices[usize::from(action.line)];
                choice.word == word && meant(action, choice)
            }
        });
        Ok(fitting)
    }

    /// Whether the label is one of the seat that the text names.
    fn is_square(&self, square: &WrittenSquare) -> bool {
        let owner = square.seat.as_deref().and_then(|name| self.seat_named(name));
        owner.is_some_and(|owner| self.place(&square.to_string(), owner).is_ok())
    }

    /// Actions as text, without duplicates.
    #[must_use]
    pub fn texts(&self, state: &State, actions: &[Action]) -> Vec<String> {
        let distinct = self.one_of_each(state, actions);
        (distinct.iter()).map(|action| self.action_text(state, action)).collect()
    }
}

/// Whether an action spends these numbers, in any order.
fn spends(wording: &Wording, with: &WrittenWith) -> bool {
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
