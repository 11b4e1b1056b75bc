//! What happens on events and by choices.

use super::builder::Builder;
use super::lines::Ids;
use super::resolve::Found;
use super::scope::{Kind, Scope};
use super::term::Term;
use crate::document::{CounterLine, EffectKind, EffectText, Expr, Text};
use crate::source::Span;
use crate::tables::{Argument, Asking, Choice, Counter, Effect, Event, Rule, Which, Whose};
use crate::units::{MAX_COUNTERS, MAX_GAME_COUNTERS};

/// Most marks of a pawn.
const MAX_MARKS: usize = 8;
/// Most lines of one table.
const MAX_LINES: usize = 128;

/// The words for the events, by [`Event`] as index.
const EVENTS: [(&str, Event); Event::COUNT] = [
    ("turn_start", Event::TurnStart),
    ("throw", Event::Throw),
    ("moved", Event::Moved),
    ("entered", Event::Entered),
    ("cut", Event::Cut),
    ("lost", Event::Lost),
    ("passed_own_pair", Event::PassedOwnPair),
    ("pair_formed", Event::PairFormed),
    ("pair_moved", Event::PairMoved),
    ("home", Event::Home),
    ("left", Event::Left),
    ("spent", Event::Spent),
    ("turn_end", Event::TurnEnd),
    ("any_turn_end", Event::AnyTurnEnd),
    ("spared", Event::Spared),
];

impl<'d> Builder<'d> {
    /// The rules that answer events.
    pub fn on(&mut self, ids: &Ids) -> [Vec<Rule>; Event::COUNT] {
        let mut on: [Vec<Rule>; Event::COUNT] = Default::default();
        let words = EVENTS.map(|(word, _)| word);
        if let Some(line) = self.document.on.get(MAX_LINES) {
            let help = Some(format!("at most {MAX_LINES}"));
            self.report.error("too-many", line.line.span, "too many lines".to_owned(), help);
        }
        for (index, line) in self.document.on.iter().enumerate().take(MAX_LINES) {
            let Some(event) = self.word(&line.event, "event", &words) else { continue };
            let scope = Scope::event(EVENTS[event].1);
            let when = self.condition(line.line.when.as_ref(), scope);
            let effects = self.effects(&line.effects, scope);
            if when.known_truth() != Some(false) {
                let when = self.asked(&when, line.line.when.as_ref());
                on[event].push(Rule { line: ids.of("on", index), when, effects });
            }
        }
        on
    }

    /// The choices that are not moves.
    pub fn choices(&mut self, ids: &Ids) -> Vec<Choice> {
        let mut choices = Vec::new();
        if let Some(line) = self.document.choices.get(MAX_LINES) {
            let help = Some(format!("at most {MAX_LINES}"));
            self.report.error("too-many", line.line.span, "too many lines".to_owned(), help);
        }
        for (index, line) in self.document.choices.iter().enumerate().take(MAX_LINES) {
            let at = self.word(&line.ask, "time to ask", &["before_throw", "before_turn_end"]);
            let argument = line.argument.as_ref();
            let of = argument
                .and_then(|argument| self.word(argument, "argument", &["own_pair", "right_pawn", "previous_pawn"]));
            let arguments = [Argument::OwnPair, Argument::RightPawn, Argument::PreviousPawn];
            let of = of.map_or(Argument::None, |of| arguments[of]);
            let scope = Scope::choice(of);
            let when = self.condition(line.line.when.as_ref(), scope);
            let effects = self.effects(&line.effects, scope);
            let word = line.word.as_ref().unwrap_or(&line.line.id);
            self.check_word(word);
            if let (Some(at), None | Some(true)) = (at, when.known_truth()) {
                choices.push(Choice {
                    line: ids.of("choices", index),
                    word: word.value.clone(),
                    at: [Asking::BeforeThrow, Asking::BeforeTurnEnd][at],
                    when: self.asked(&when, line.line.when.as_ref()),
                    of,
                    effects,
                });
            }
        }
        choices
    }

    /// A word that players could not tell from a move, or from the engine's own word.
    fn check_word(&mut self, word: &Text) {
        let text = &word.value;
        let (message, help) = if text.contains(['-', '=']) {
            let help = format!("say `word: {}`", text.replace(['-', '='], "_"));
            (format!("players could not tell the word `{text}` from a move"), help)
        } else if text == "pass" {
            ("`pass` is always said where nothing is played".to_owned(), "choose another word".to_owned())
        } else {
            return;
        };
        self.report.error("bad-word", word.span, message, Some(help));
    }

    fn effects(&mut self, effects: &'d [EffectText], scope: Scope) -> Vec<Effect> {
        effects.iter().filter_map(|effect| self.effect(effect, scope)).collect()
    }

    fn effect(&mut self, effect: &'d EffectText, scope: Scope) -> Option<Effect> {
        Some(match &effect.kind {
            EffectKind::Set(qualifier, name, value) => {
                let (whose, index, truth) = self.written(qualifier.as_deref(), name, effect.span, scope)?;
                let (found, term) = self.resolve(value, scope);
                match (truth, found) {
                    (false, Found::Value(Kind::Place)) => {}
                    (true, found) => self.expect(value, found, Kind::Truth),
                    (false, found) => self.expect(value, found, Kind::Number),
                }
                Effect::Set(whose, index, self.program(&term, value))
            }
            EffectKind::Add(qualifier, name, value) => {
                let (whose, index, truth) = self.written(qualifier.as_deref(), name, effect.span, scope)?;
                if truth {
                    let help = Some(format!("write `{name} = yes` or `{name} = no`"));
                    self.report.error("wrong-type", effect.span, format!("`{name}` is yes or no"), help);
                }
                Effect::Add(whose, index, self.value(value, Kind::Number, scope))
            }
            EffectKind::Mark(name, value) => {
                let mark = self.mark(name, effect.span)?;
                let needed = Scope::qualifier(Some("pawn"));
                self.known_here(&format!("pawn.{name}"), needed, scope, effect.span);
                Effect::Mark(mark, self.value(value, Kind::Truth, scope))
            }
            EffectKind::MarkEach(name, value, condition) => {
                let mark = self.mark(name, effect.span)?;
                let each = scope.each_pawn();
                let set = self.value(value, Kind::Truth, each);
                let condition = match condition {
                    Some(condition) => self.value(condition, Kind::Truth, each),
                    None => self.program(&Term::truth(true), value),
                };
                Effect::MarkEach(mark, set, condition)
            }
            EffectKind::ThrowAgain => Effect::ThrowNow,
            EffectKind::ThrowAfter => Effect::ThrowAfter,
            EffectKind::Bonus { steps, due } => Effect::Bonus(self.value(steps, Kind::Number, scope), *due),
            EffectKind::DropThrow => Effect::Drop { all: false },
            EffectKind::DropHand => Effect::Drop { all: true },
            EffectKind::EndTurn => Effect::EndTurn,
            EffectKind::UndoTurn => Effect::UndoTurn,
            EffectKind::Send { which, to } => {
                let to = self.place(to);
                let which = match self.word(which, "pawn to send", &["this", "nearest", "last_moved", "argument"])? {
                    0 => {
                        self.known_here("this", Scope::qualifier(Some("pawn")), scope, effect.span);
                        Which::This
                    }
                    1 => Which::Nearest,
                    2 => Which::LastMoved,
                    _ => {
                        self.known_here("argument", Scope::choice(Argument::RightPawn), scope, effect.span);
                        Which::Argument
                    }
                };
                Effect::Send(which, to)
            }
            EffectKind::Jump { from, to } => Effect::Jump(self.place(from), self.place(to)),
            EffectKind::Pounce { from } => {
                let needed = Scope::choice(Argument::RightPawn);
                self.known_here("pounce", needed, scope, effect.span);
                Effect::Pounce(self.place(from))
            }
            EffectKind::CutBehind => {
                self.known_here("cut behind", Scope::SPEND, scope, effect.span);
                Effect::CutBehind
            }
        })
    }

    fn value(&mut self, expr: &'d Expr, kind: Kind, scope: Scope) -> crate::tables::Program {
        let term = self.typed(expr, kind, scope);
        self.program(&term, expr)
    }

    /// A counter that an effect changes.
    fn written(&mut self, qualifier: Option<&str>, name: &str, span: Span, scope: Scope) -> Option<(Whose, u8, bool)> {
        let found = self.find_counter(qualifier, name, span)?;
        self.known_here(name, Scope::qualifier(qualifier), scope, span).then_some(found)
    }

    /// The declared counters: of a seat, of the game, and marks of a pawn.
    pub fn counters(&mut self) -> [Vec<Counter>; 3] {
        let document = self.document;
        let seat = self.declared(&document.seat_counters, MAX_COUNTERS, false);
        let game = self.declared(&document.game_counters, MAX_GAME_COUNTERS, false);
        [seat, game, self.declared(&document.pawn_marks, MAX_MARKS, true)]
    }

    fn declared(&mut self, lines: &[CounterLine], most: usize, marks: bool) -> Vec<Counter> {
        if let Some(line) = lines.get(most) {
            let help = Some(format!("at most {most}"));
            self.report.error("too-many", line.span, "too many counters of this kind".to_owned(), help);
        }
        lines.iter().map(|line| self.counter_line(line, marks)).collect()
    }

    fn counter_line(&mut self, line: &CounterLine, mark: bool) -> Counter {
        let name = &line.name.value;
        let option = self.document.options.iter().any(|option| option.name.value == *name);
        if option || super::scope::fact(name).is_some() {
            let message = format!("`{name}` already means something in conditions");
            self.report.error("name-taken", line.name.span, message, Some("choose another name".to_owned()));
        }
        if let (true, Some((from, _))) = (mark, &line.range) {
            let help = Some("write `{truth: yes}`".to_owned());
            self.report.error("wrong-type", from.span, "a pawn bears marks, not counters".to_owned(), help);
        }
        let whole = i64::from(i16::MIN)..=i64::from(i16::MAX);
        let range = match &line.range {
            Some((from, to)) if from.value > to.value || !whole.contains(&from.value) || !whole.contains(&to.value) => {
                let message = format!("`{name}` runs from {} to {}", from.value, to.value);
                self.report.error("bad-range", from.span, message, Some("the smaller number comes first".to_owned()));
                (0, 1)
            }
            Some((from, to)) => (from.value as i16, to.value as i16),
            None => (0, 1),
        };
        let start = match &line.start {
            Some(start) if !(i64::from(range.0)..=i64::from(range.1)).contains(&start.value) => {
                let help = Some(format!("from {} to {}", range.0, range.1));
                self.report.error("bad-range", start.span, format!("`{name}` cannot begin at {}", start.value), help);
                range.0
            }
            Some(start) => start.value as i16,
            None => 0.clamp(range.0, range.1),
        };
        Counter { name: name.clone(), truth: line.range.is_none(), range, start, hidden: line.hidden }
    }
}
