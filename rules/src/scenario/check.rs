//! Plays and checks the lines of a script one by one.

use super::file::{ScriptLine, ScriptStep};
use super::run::{Halt, Log, Miss};
use crate::notation::{UnknownSquare, bracketed};
use crate::play::{Action, Engine, HappeningKind, Phase, State};
use crate::position::{ByName, CounterValue, Marked};
use crate::tables::PASS_WORD;
use crate::units::{PathPlace, Seat};

/// A game that follows a script.
pub(super) struct Checker<'g> {
    engine: &'g Engine,
    state: State,
    log: &'g mut Log,
    /// Returns whether the script may go on. Called before each throw, action and expectation.
    may_go_on: &'g dyn Fn() -> bool,
    /// Whether the script has thrown, and has played no action after the throw.
    only_thrown: bool,
}

impl<'g> Checker<'g> {
    pub(super) fn new(engine: &'g Engine, state: State, log: &'g mut Log, may_go_on: &'g dyn Fn() -> bool) -> Self {
        Checker { engine, state, log, may_go_on, only_thrown: false }
    }

    /// Performs a line of the script: plays its throws or actions, or checks its expectation.
    pub(super) fn step(&mut self, line: &ScriptLine) -> Result<(), Halt> {
        let at = line.line;
        match &line.step {
            ScriptStep::Throw(throws) => {
                self.each(throws.split_whitespace(), |checker, throw| checker.throw(at, throw))
            }
            ScriptStep::Allows(actions) => self.each(actions, |checker, action| checker.allows(at, action)),
            ScriptStep::Forbids(actions) => self.each(actions, |checker, action| checker.forbids(at, action)),
            ScriptStep::Play(actions) => self.each(actions, |checker, action| checker.play(at, action)),
            _ => self.each([line], |checker, line| checker.expect(line)),
        }
    }

    /// Performs the parts of a line one after another.
    fn each<T>(
        &mut self,
        parts: impl IntoIterator<Item = T>,
        mut perform: impl FnMut(&mut Self, T) -> Result<(), Miss>,
    ) -> Result<(), Halt> {
        parts.into_iter().try_for_each(|part| match (self.may_go_on)() {
            true => Ok(perform(self, part)?),
            false => Err(Halt::Stopped),
        })
    }

    /// Checks a line that expects one thing.
    fn expect(&mut self, line: &ScriptLine) -> Result<(), Miss> {
        let at = line.line;
        match &line.step {
            ScriptStep::Throw(_) | ScriptStep::Allows(_) | ScriptStep::Forbids(_) | ScriptStep::Play(_) => Ok(()),
            ScriptStep::Legal(actions) => self.legal(at, actions),
            ScriptStep::Pieces(pieces) => pieces.iter().try_for_each(|(seat, squares)| self.pieces(at, seat, squares)),
            ScriptStep::Events(events) => self.events(at, events),
            ScriptStep::State(counters) => self.counters(at, counters),
            ScriptStep::Marks(marks) => self.marks(at, marks),
            ScriptStep::Turn(seat) => {
                let turn = self.engine.seat_name(self.state.turn);
                if turn == seat { Ok(()) } else { Err(Miss::at(at, format!("turn of {seat}"), turn)) }
            }
            ScriptStep::Asked(seat) => {
                let asked = self.engine.seat_name(self.state.decider());
                if asked == seat { Ok(()) } else { Err(Miss::at(at, format!("a decision of {seat}"), asked)) }
            }
            ScriptStep::Ranking(seats) => {
                let ranking: Vec<&str> = self.state.placed().map(|seat| self.engine.seat_name(seat)).collect();
                if ranking == *seats { Ok(()) } else { Err(Miss::at(at, list("ranking", seats), bracketed(&ranking))) }
            }
        }
    }

    fn throw(&mut self, at: u64, text: &str) -> Result<(), Miss> {
        let expected = || format!("throw {text}");
        let throw = self.engine.parse_throw(text).map_err(|error| Miss::at(at, expected(), error.to_string()))?;
        let thrown = self.engine.throw(&mut self.state, &throw, self.log);
        thrown.map_err(|refusal| Miss::at(at, expected(), self.with_choice(&refusal.to_string())))?;
        self.only_thrown = true;
        Ok(())
    }

    /// Whether the engine has passed by itself, because the last throw led to no legal action.
    fn has_passed(&self) -> bool {
        self.only_thrown && matches!(self.state.phase, Phase::Throw | Phase::Over) && !self.owes_a_throw()
    }

    /// Whether the last throw waits in the hand for a further throw, before anything can be played.
    fn owes_a_throw(&self) -> bool {
        self.only_thrown && self.state.phase == Phase::Throw && self.state.hand.throws > 0
    }

    fn legal(&self, at: u64, texts: &[String]) -> Result<(), Miss> {
        if self.owes_a_throw() && !texts.is_empty() {
            return Err(Miss::at(at, list("legal", texts), format!("a throw is still owed: {}", self.choice_text())));
        }
        if texts.len() == 1 && texts[0] == PASS_WORD && self.has_passed() {
            return Ok(());
        }
        let legal = self.engine.legal(&self.state);
        let distinct = self.engine.one_of_each(&self.state, &legal);
        let mut open = self.engine.listed_by(texts, &distinct);
        for text in texts {
            let meant = self.meant(at, &distinct, text)?;
            // A text that names no numbers, such as `6-10`, stands for all legal actions that it fits.
            if meant.is_empty() {
                return Err(self.not_as_listed(at, texts));
            }
            open.retain(|action| !meant.contains(action));
        }
        if open.is_empty() { Ok(()) } else { Err(self.not_as_listed(at, texts)) }
    }

    /// Makes the message for a wrong list of legal actions: the actions that are missing, those that are too many, and
    /// the list of all legal actions.
    fn not_as_listed(&self, at: u64, texts: &[String]) -> Miss {
        let found = self.engine.legal_texts(&self.state);
        let missing: Vec<&String> = texts.iter().filter(|text| !found.contains(text)).collect();
        let more: Vec<&String> = found.iter().filter(|text| !texts.contains(text)).collect();
        let mut differences = Vec::new();
        if !missing.is_empty() {
            differences.push(format!("missing {}", bracketed(&missing)));
        }
        if !more.is_empty() {
            differences.push(format!("besides {}", bracketed(&more)));
        }
        Miss::at(at, list("legal", texts), format!("{} ({})", bracketed(&found), differences.join(", ")))
    }

    fn allows(&self, at: u64, text: &str) -> Result<(), Miss> {
        if text == PASS_WORD && self.has_passed() {
            return Ok(());
        }
        if self.meant(at, &self.engine.legal(&self.state), text)?.is_empty() {
            return Err(Miss::at(at, format!("{text} is legal"), self.choice_text()));
        }
        Ok(())
    }

    fn forbids(&self, at: u64, text: &str) -> Result<(), Miss> {
        if self.meant(at, &self.engine.legal(&self.state), text)?.is_empty() {
            return Ok(());
        }
        Err(Miss::at(at, format!("{text} is not legal"), self.choice_text()))
    }

    fn play(&mut self, at: u64, text: &str) -> Result<(), Miss> {
        if text == PASS_WORD && self.has_passed() {
            return Ok(());
        }
        let expected = || format!("{text} can be played");
        let action = match self.engine.parse_action(&self.state, text) {
            Ok(action) => action,
            Err(error) => return Err(Miss::at(at, expected(), self.with_choice(&error.to_string()))),
        };
        let played = self.engine.play(&mut self.state, &action, self.log);
        played.map_err(|refusal| Miss::at(at, expected(), refusal.to_string()))?;
        self.only_thrown = false;
        Ok(())
    }

    fn pieces(&self, at: u64, name: &str, squares: &[String]) -> Result<(), Miss> {
        let expected = || format!("{name}: {}", bracketed(squares));
        let seat = self.engine.colour_named(name).map_err(|error| Miss::at(at, expected(), error.to_string()))?;
        let pawns = &self.state.at[seat.index()][..usize::from(self.engine.pawns.count)];
        let stand = self.stand(seat, pawns, squares).map_err(|error| Miss::at(at, expected(), error.to_string()))?;
        if stand { Ok(()) } else { Err(Miss::at(at, expected(), self.labels(pawns))) }
    }

    /// Whether the places of some pawns of a seat are exactly those that the labels name, in any order.
    fn stand(&self, seat: Seat, pawns: &[PathPlace], labels: &[String]) -> Result<bool, UnknownSquare> {
        let mut left = pawns.to_vec();
        let mut missing = false;
        // A label of another colour's path (`seat.label`) names a square, and the own path may have two places on it.
        // Such labels are matched last.
        let (foreign, own): (Vec<&String>, Vec<&String>) = labels.iter().partition(|label| label.contains('.'));
        for label in own.into_iter().chain(foreign) {
            let place = self.engine.place(label, seat)?;
            let stands = |pawn: &PathPlace| {
                *pawn == place || label.contains('.') && self.engine.is_same_square(seat, *pawn, place)
            };
            match left.iter().position(stands) {
                Some(pawn) => {
                    left.swap_remove(pawn);
                }
                None => missing = true,
            }
        }
        Ok(left.is_empty() && !missing)
    }

    fn labels(&self, pawns: &[PathPlace]) -> String {
        let labels: Vec<&str> = pawns.iter().map(|&place| self.engine.label(place)).collect();
        bracketed(&labels)
    }

    fn events(&mut self, at: u64, events: &[String]) -> Result<(), Miss> {
        if let Some(unknown) = events.iter().find(|event| !HappeningKind::ALL.iter().any(|kind| kind.word() == **event))
        {
            let words: Vec<&str> = HappeningKind::ALL.iter().map(|kind| kind.word()).collect();
            let message = format!("no event is called `{unknown}`; the events are {}", words.join(", "));
            return Err(Miss::at(at, list("events", events), message));
        }
        let happened: Vec<&str> = self.log.unchecked().into_iter().map(HappeningKind::word).collect();
        let mut rest = happened.iter();
        if events.iter().all(|event| rest.any(|word| word == event)) {
            return Ok(());
        }
        Err(Miss::at(at, list("events", events), bracketed(&happened)))
    }

    fn counters(&self, at: u64, counters: &ByName<ByName<CounterValue>>) -> Result<(), Miss> {
        for (seat, values) in counters.iter() {
            for (name, value) in values.iter() {
                let expected = || format!("{seat} {name}: {value}");
                let found = self.engine.counter_value(&self.state, seat, name);
                let found = found.map_err(|error| Miss::at(at, expected(), error.to_string()))?;
                let unlike = self.engine.unlike_value(seat, name, *value);
                unlike.map_or(Ok(()), |error| Err(Miss::at(at, expected(), error.to_string())))?;
                if found != *value {
                    return Err(Miss::at(at, expected(), found.to_string()));
                }
            }
        }
        Ok(())
    }

    fn marks(&self, at: u64, marks: &ByName<Marked>) -> Result<(), Miss> {
        for (seat, marks) in marks.iter() {
            for (mark, labels) in marks.iter() {
                let expected = || format!("{seat} {mark}: {}", bracketed(labels));
                let (colour, found) = (self.engine.marked_places(&self.state, seat, mark))
                    .map_err(|error| Miss::at(at, expected(), error.to_string()))?;
                let stand = self.stand(colour, &found, labels);
                if !stand.map_err(|error| Miss::at(at, expected(), error.to_string()))? {
                    return Err(Miss::at(at, expected(), self.labels(&found)));
                }
            }
        }
        Ok(())
    }

    fn meant(&self, at: u64, legal: &[Action], text: &str) -> Result<Vec<Action>, Miss> {
        let meant = self.engine.meant(&self.state, legal, text);
        meant.map_err(|error| Miss::at(at, format!("`{text}` is an action"), error.to_string()))
    }

    /// Adds to a message what is legal or due, unless the message already says so.
    fn with_choice(&self, message: &str) -> String {
        let choice = self.choice_text();
        if message.contains(&choice) { message.to_owned() } else { format!("{message} ({choice})") }
    }

    /// Describes the legal actions or the throw that is due, for messages.
    fn choice_text(&self) -> String {
        match self.state.phase {
            Phase::Over => "the game is over".to_string(),
            Phase::Throw => format!("{} is to throw", self.engine.seat_name(self.state.turn)),
            _ => format!("legal: {}", bracketed(&self.engine.legal_texts(&self.state))),
        }
    }
}

fn list(what: &str, items: &[String]) -> String {
    format!("{what} {}", bracketed(items))
}
