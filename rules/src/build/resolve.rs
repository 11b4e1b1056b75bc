//! Resolves the names of expressions and checks their types.

use super::builder::Builder;
use super::findings::meant;
use super::scope::{self, FACTS, FUNCTIONS, Scope, ValueType};
use super::table_part::Input;
use super::term::Term;
use crate::document::{CounterLine, Expr, Node, Text, Unary};
use crate::language::{number_within, quoted};
use crate::nearest::nearest;
use crate::ruleset::OptionValue;
use crate::source::Span;
use crate::tables::{Fact, Op, PawnsOf, Whose};

/// The type of an expression.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Resolved<'d> {
    /// A value of this type.
    Value(ValueType),
    /// An option whose values are words, by its index.
    Word(usize),
    /// A name that is no option, counter, term or fact. It may be a word that is compared with an option.
    Bare(&'d str, Span),
    /// The expression has an error, which is already reported.
    Wrong,
}

impl<'d> Builder<'d> {
    /// Resolves the names of an expression and computes its constant parts.
    pub(super) fn resolve(&mut self, expr: &'d Expr, scope: Scope) -> (Resolved<'d>, Term) {
        self.written_out += usize::from(self.term_use.is_some());
        match &expr.node {
            Node::Number(value) => (Resolved::Value(ValueType::Number), Term::Known(*value)),
            Node::Truth(value) => (Resolved::Value(ValueType::Truth), Term::truth(*value)),
            Node::Name(None, name) => self.name(name, expr.span, scope),
            Node::Name(Some(qualifier), name) => self.qualified(qualifier, name, expr.span, scope),
            Node::Call(name, arguments) => self.call(name, arguments, expr.span, scope),
            Node::Chosen(name, places, condition) => self.chosen(name, places, condition, expr.span, scope),
            Node::Count(name, place) => self.count(name, place, expr.span, scope),
            Node::Unary(Unary::Not, inner) => {
                (Resolved::Value(ValueType::Truth), self.typed(inner, ValueType::Truth, scope).negated())
            }
            Node::Unary(Unary::Minus, inner) => {
                let inner = self.typed(inner, ValueType::Number, scope);
                (Resolved::Value(ValueType::Number), Term::two(Op::Sub, Term::Known(0), inner))
            }
            Node::Binary(op, a, b) => self.binary((*op, expr.span), a, b, scope),
            Node::In(inner, items) => self.member(inner, items, scope),
            Node::If(condition, then, other) => {
                let condition = self.typed(condition, ValueType::Truth, scope);
                let (kind, then) = self.resolve(then, scope);
                let (same, otherwise) = self.resolve(other, scope);
                match (kind, same) {
                    (Resolved::Value(kind), same) => self.expect(other, same, kind),
                    (first, _) => self.expect(expr, first, ValueType::Number),
                }
                (kind, Term::pick(condition, then, otherwise))
            }
        }
    }

    pub(super) fn unknown(&mut self, name: &str, span: Span) {
        if self.path.place(name).is_some() {
            let message = format!("`{name}` is a square, not a value");
            return self.report.error("unknown-name", span, message, Some(format!("write `at({name})`")));
        }
        let document = self.document;
        let names = document.options.iter().map(|option| option.name.value.as_str());
        let names = names.chain(document.seat_counters().iter().map(|counter| counter.name.value.as_str()));
        let names = names.chain(document.terms.iter().map(|term| term.name.value.as_str()));
        let names = names.chain(FACTS.iter().map(|(name, ..)| *name));
        let called = FUNCTIONS.iter().any(|(function, _)| *function == name);
        let called = called.then(|| format!("it is written with brackets: `{name}(..)`"));
        let help = called.or_else(|| self.declared_as(name)).or_else(|| as_this_language(name));
        let help = help.or_else(|| nearest(name, names).map(|near| format!("did you mean `{near}`?")));
        let declared = || format!("a counter is declared: `counters: {{seat: {{{name}: {{from: 0, to: 99}}}}}}`");
        let help = Some(help.unwrap_or_else(declared));
        self.report.error("unknown-name", span, format!("there is no name `{name}`"), help);
    }

    /// Help for a name that is declared as another kind of counter or as a mark: the right prefix.
    fn declared_as(&self, name: &str) -> Option<String> {
        let document = self.document;
        let is_among = |counters: &[CounterLine]| counters.iter().any(|counter| counter.name.value == name);
        let prefix = if is_among(document.seat_counters()) {
            ""
        } else if is_among(document.game_counters()) {
            "game."
        } else if is_among(document.pawn_marks()) {
            "pawn."
        } else {
            return None;
        };
        Some(format!("write `{prefix}{name}`"))
    }

    /// Whether a name has a meaning in this scope. Reports a name that has none.
    pub(super) fn known_here(&mut self, name: &str, needed: Scope, scope: Scope, span: Span) -> bool {
        let is_known = scope.covers(needed);
        if let (false, Some(term)) = (is_known, self.term_use) {
            let message = format!("the term `{}` uses `{name}`, which cannot be used here", term.name);
            let help = Some("write the condition without this term".to_owned());
            self.report.error("not-here", term.span, message, help);
        } else if !is_known {
            let help = if scope == Scope::OPTIONS {
                "only table options can be used here, because the value is fixed before the game".to_owned()
            } else if name.starts_with("other.") {
                format!("there is no `other` seat at this point of the game, so `{name}` has no value")
            } else if name == "number" && scope.covers(Scope::NUMBERS) {
                "here the throw is `total`, or `face(1)` for its first face".to_owned()
            } else {
                let known = needed.known_in();
                if known.is_empty() {
                    format!("`{name}` has no value at this point of the game")
                } else {
                    format!("`{name}` has a value in {}", quoted(&known, ", "))
                }
            };
            self.report.error("not-here", span, format!("`{name}` cannot be used here"), Some(help));
        }
        is_known
    }

    fn name(&mut self, name: &'d str, span: Span, scope: Scope) -> (Resolved<'d>, Term) {
        let document = self.document;
        if let Some(index) = document.options.iter().position(|option| option.name.value == name) {
            self.inputs.insert(Input::Option(index));
            return match &self.options[index] {
                OptionValue::Word(_) => (Resolved::Word(index), Term::Known(0)),
                OptionValue::Truth(value) => (Resolved::Value(ValueType::Truth), Term::truth(*value)),
                OptionValue::Number(value) => (Resolved::Value(ValueType::Number), Term::Known(*value)),
            };
        }
        if document.seat_counters().iter().any(|counter| counter.name.value == name) {
            return self.counter(None, name, span, scope);
        }
        if let Some(index) = document.terms.iter().position(|term| term.name.value == name) {
            return self.term(index, span, scope);
        }
        let Some((fact, kind, needed)) = scope::fact(name) else {
            return (Resolved::Bare(name, span), Term::Known(0));
        };
        if fact == Fact::Players {
            let Some(players) = self.players else {
                let help = Some("this condition itself decides which seats play".to_owned());
                let span = self.term_use.map_or(span, |term| term.span);
                self.report.error("not-here", span, "`players` cannot be used here".to_owned(), help);
                return (Resolved::Wrong, Term::Known(0));
            };
            self.inputs.insert(Input::Players);
            return (Resolved::Value(kind), Term::Known(i64::from(players)));
        }
        if !self.known_here(name, needed, scope, span) {
            return (Resolved::Wrong, Term::Known(0));
        }
        (Resolved::Value(kind), Term::Ask(Op::Fact(fact)))
    }

    fn qualified(&mut self, qualifier: &'d str, name: &'d str, span: Span, scope: Scope) -> (Resolved<'d>, Term) {
        if matches!(qualifier, "pawn" | "there" | "own_there") {
            let needed = Scope::qualifier(Some(qualifier));
            let mark = self.mark(name, span);
            let found = mark.filter(|_| self.known_here(&format!("{qualifier}.{name}"), needed, scope, span));
            self.inputs.extend(mark.map(|index| Input::Mark(usize::from(index))));
            return match found {
                Some(bit) if qualifier == "there" && scope.has_argument() => {
                    (Resolved::Value(ValueType::Truth), Term::Ask(Op::MarkNamed(bit)))
                }
                Some(bit) if qualifier == "there" => (Resolved::Value(ValueType::Truth), Term::Ask(Op::MarkThere(bit))),
                Some(bit) if qualifier == "own_there" => {
                    (Resolved::Value(ValueType::Truth), Term::Ask(Op::OwnMarkThere(bit)))
                }
                Some(bit) => (Resolved::Value(ValueType::Truth), Term::Ask(Op::Mark(bit))),
                None => (Resolved::Wrong, Term::Known(0)),
            };
        }
        self.counter(Some(qualifier), name, span, scope)
    }

    fn counter(&mut self, qualifier: Option<&str>, name: &str, span: Span, scope: Scope) -> (Resolved<'d>, Term) {
        let full = qualified_name(qualifier, name);
        let Some((whose, index, truth)) = self.find_counter(qualifier, name, span) else {
            return (Resolved::Wrong, Term::Known(0));
        };
        let counter = if whose == Whose::Game { Input::GameCounter } else { Input::Counter };
        self.inputs.insert(counter(usize::from(index)));
        if !self.known_here(&full, Scope::qualifier(qualifier), scope, span) {
            return (Resolved::Wrong, Term::Known(0));
        }
        let kind = if truth { ValueType::Truth } else { ValueType::Number };
        (Resolved::Value(kind), Term::Ask(Op::Counter(whose, index)))
    }

    /// Finds a declared counter. Returns its owner, its index, and whether it is a truth value.
    pub(super) fn find_counter(
        &mut self,
        qualifier: Option<&str>,
        name: &str,
        span: Span,
    ) -> Option<(Whose, u8, bool)> {
        let document = self.document;
        let (whose, counters) = match qualifier {
            None => (Whose::Own, document.seat_counters()),
            Some("other") => (Whose::Other, document.seat_counters()),
            Some("partner") => (Whose::Partner, document.seat_counters()),
            Some("turn") => (Whose::Turn, document.seat_counters()),
            Some("game") => (Whose::Game, document.game_counters()),
            Some(unknown) => {
                let help = meant(unknown, ["other", "partner", "turn", "game", "pawn", "there", "own_there"]);
                self.report.error(
                    "unknown-name",
                    span,
                    format!("`{unknown}` does not say whose counter is meant"),
                    help,
                );
                return None;
            }
        };
        let index = counters.iter().position(|counter| counter.name.value == name);
        if index.is_none() {
            let near = || nearest(name, counters.iter().map(|counter| counter.name.value.as_str()));
            let is_fact = FACTS.iter().any(|(fact, ..)| *fact == name);
            let of_fact = is_fact.then(|| match qualifier {
                Some(whose) => format!("`{name}` stands alone: `{whose}.` stands before counters only"),
                None => format!("the value of `{name}` cannot be set: declare a counter with another name"),
            });
            let help = of_fact
                .or_else(|| self.declared_as(name))
                .or_else(|| near().map(|near| format!("did you mean `{near}`?")));
            let owner = if whose == Whose::Game { "game" } else { "seat" };
            let declared = || format!("declare it: `counters: {{{owner}: {{{name}: {{from: 0, to: 99}}}}}}`");
            let help = Some(help.unwrap_or_else(declared));
            self.report.error("unknown-name", span, format!("no counter is called `{name}`"), help);
        }
        index.map(|index| (whose, index as u8, counters[index].range.is_none()))
    }

    /// Finds a declared mark and returns its index.
    pub(super) fn mark(&mut self, name: &str, span: Span) -> Option<u8> {
        let marks = self.document.pawn_marks();
        let index = marks.iter().position(|mark| mark.name.value == name);
        if index.is_none() {
            let near = || nearest(name, marks.iter().map(|mark| mark.name.value.as_str()));
            let help = self.declared_as(name).or_else(|| near().map(|near| format!("did you mean `{near}`?")));
            let declared = || format!("declare it: `counters: {{pawn: {{{name}: {{truth: yes}}}}}}`");
            let help = Some(help.unwrap_or_else(declared));
            self.report.error("unknown-name", span, format!("no mark of a pawn is called `{name}`"), help);
        }
        index.map(|index| index as u8)
    }

    fn call(&mut self, name: &str, arguments: &'d [Text], span: Span, scope: Scope) -> (Resolved<'d>, Term) {
        let wrong = (Resolved::Wrong, Term::Known(0));
        let Some((_, needed)) = FUNCTIONS.iter().find(|(known, _)| *known == name) else {
            let help = meant(name, FUNCTIONS.iter().map(|(name, _)| *name));
            self.report.error("unknown-name", span, format!("there is no function `{name}`"), help);
            return wrong;
        };
        if arguments.is_empty() || matches!(name, "face" | "at") && arguments.len() > 1 {
            let message = format!("`{name}` is used with {} arguments", arguments.len());
            self.report.error("argument-count", span, message, Some(format!("write one argument: `{name}(..)`")));
            return wrong;
        }
        if !self.known_here(name, *needed, scope, span) {
            return wrong;
        }
        let number = Resolved::Value(ValueType::Number);
        match name {
            "at" => (Resolved::Value(ValueType::Place), Term::Known(i64::from(self.place(&arguments[0]).0))),
            "face" => {
                let faces = super::dice::faces(self.document);
                match arguments[0].value.trim().parse::<u8>() {
                    Ok(face) if (1..=faces).contains(&face) => (number, Term::Ask(Op::Face(face - 1))),
                    _ => {
                        let message = format!("a throw has no face `{}`", arguments[0].value);
                        let help = Some(number_within(1, faces));
                        self.report.error("no-such-face", arguments[0].span, message, help);
                        wrong
                    }
                }
            }
            _ => {
                let places = self.places(arguments);
                let op = match name {
                    "pawns" => Op::Pawns(PawnsOf::Own, places),
                    "other_pawns" => Op::Pawns(PawnsOf::Other, places),
                    "enemy_pawns" => Op::Pawns(PawnsOf::Enemies, places),
                    "pairs" => Op::Pairs(PawnsOf::Own, places),
                    "other_pairs" => Op::Pairs(PawnsOf::Other, places),
                    _ => Op::Pairs(PawnsOf::Enemies, places),
                };
                (number, Term::Ask(op))
            }
        }
    }
}

/// Help for a word that means something in other languages, and that this one writes otherwise.
fn as_this_language(word: &str) -> Option<String> {
    const NUMBERS: [&str; 13] =
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    match NUMBERS.iter().position(|number| *number == word) {
        Some(number) => Some(format!("numbers are written in digits: `{number}`")),
        None => match word {
            "sum" => Some("the sum of a throw is `total`".to_owned()),
            "die" | "dice" | "roll" => Some(
                "the sum of a throw is `total`, a face is `face(1)`, the number that is spent is `number`".to_owned(),
            ),
            "on" => Some("write `yes`, or only the name: `when: NAME`".to_owned()),
            "off" => Some("write `no`, or `when: not NAME`".to_owned()),
            _ => None,
        },
    }
}

/// A name as it is written in a file: with its qualifier, if it has one.
pub(super) fn qualified_name(qualifier: Option<&str>, name: &str) -> String {
    qualifier.map_or_else(|| name.to_owned(), |qualifier| format!("{qualifier}.{name}"))
}
