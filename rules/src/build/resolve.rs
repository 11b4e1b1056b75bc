//! Resolves the names of expressions and checks their types.

use super::builder::Builder;
use super::findings::meant;
use super::scope::{self, FACTS, FUNCTIONS, Scope, ValueType};
use super::table_part::Input;
use super::term::Term;
use crate::document::{Binary, CounterLine, Expr, Node, OptionKind, OptionLine, Text, Unary};
use crate::language::number_within;
use crate::nearest::nearest;
use crate::ruleset::OptionValue;
use crate::source::Span;
use crate::tables::{Fact, Op, Whose};

/// The type of an expression.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Resolved<'d> {
    /// A value of a type.
    Value(ValueType),
    /// A word option, by index.
    Word(usize),
    /// A name that is no fact, counter or option. It may be a word with which an option is compared.
    Bare(&'d str, Span),
    /// The expression has an error, which is already reported.
    Wrong,
}

impl<'d> Builder<'d> {
    /// Resolves the names of an expression and folds its constant parts.
    pub(super) fn resolve(&mut self, expr: &'d Expr, scope: Scope) -> (Resolved<'d>, Term) {
        self.written_out += usize::from(self.term_use.is_some());
        match &expr.node {
            Node::Number(value) => (Resolved::Value(ValueType::Number), Term::Known(*value)),
            Node::Truth(value) => (Resolved::Value(ValueType::Truth), Term::truth(*value)),
            Node::Name(None, name) => self.name(name, expr.span, scope),
            Node::Name(Some(qualifier), name) => self.qualified(qualifier, name, expr.span, scope),
            Node::Call(name, arguments) => self.call(name, arguments, expr.span, scope),
            Node::Unary(Unary::Not, inner) => {
                (Resolved::Value(ValueType::Truth), self.typed(inner, ValueType::Truth, scope).negated())
            }
            Node::Unary(Unary::Minus, inner) => {
                let inner = self.typed(inner, ValueType::Number, scope);
                (Resolved::Value(ValueType::Number), Term::two(Op::Sub, Term::Known(0), inner))
            }
            Node::Binary(op, a, b) => self.binary(*op, a, b, scope),
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

    /// Reports an expression of a wrong type.
    pub(super) fn expect(&mut self, expr: &Expr, found: Resolved<'_>, kind: ValueType) {
        let (what, help) = match found {
            Resolved::Value(found) if found == kind => return,
            Resolved::Wrong => return,
            Resolved::Bare(name, span) => return self.unknown(name, span),
            Resolved::Word(option) => {
                let name = &self.document.options[option].name.value;
                (format!("the word of `{name}`"), Some(format!("compare it: `{name} = WORD`")))
            }
            Resolved::Value(ValueType::Number) if kind == ValueType::Place => {
                (ValueType::Number.name().to_owned(), Some("a place is written `at(LABEL)`".to_owned()))
            }
            Resolved::Value(found) => (found.name().to_owned(), None),
        };
        let message = format!("this is {what}, where {} is needed", kind.name());
        self.report.error("wrong-type", expr.span, message, help);
    }

    fn unknown(&mut self, name: &str, span: Span) {
        if self.path.place(name).is_some() {
            let message = format!("`{name}` is a square, not a value");
            return self.report.error("unknown-name", span, message, Some(format!("write `at({name})`")));
        }
        let document = self.document;
        let names = document.options.iter().map(|option| option.name.value.as_str());
        let names = names.chain(document.seat_counters().iter().map(|counter| counter.name.value.as_str()));
        let names = names.chain(document.terms.iter().map(|term| term.name.value.as_str()));
        let names = names.chain(FACTS.iter().map(|(name, ..)| *name));
        let help =
            self.declared_as(name).or_else(|| nearest(name, names).map(|near| format!("did you mean `{near}`?")));
        self.report.error("unknown-name", span, format!("nothing is called `{name}`"), help);
    }

    /// Help for a name that is declared as another kind of counter, or as a mark.
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

    /// Whether a name has a meaning in this scope. Reports a name without one.
    pub(super) fn known_here(&mut self, name: &str, needed: Scope, scope: Scope, span: Span) -> bool {
        let known = scope.covers(needed);
        if let (false, Some(term)) = (known, self.term_use) {
            let message = format!("the term `{}` asks for `{name}`, which cannot be asked here", term.name);
            let help = Some("say the condition without this term".to_owned());
            self.report.error("not-here", term.span, message, help);
        } else if !known {
            let help = if scope == Scope::OPTIONS {
                "only table options decide here: it is settled before the game".to_owned()
            } else {
                format!("`{name}` means nothing at this point of the game")
            };
            self.report.error("not-here", span, format!("`{name}` cannot be asked here"), Some(help));
        }
        known
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
                let help = Some("this decides who plays".to_owned());
                let span = self.term_use.map_or(span, |term| term.span);
                self.report.error("not-here", span, "`players` cannot be asked here".to_owned(), help);
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
        if matches!(qualifier, "pawn" | "there") {
            let needed = Scope::qualifier(Some(qualifier));
            let mark = self.mark(name, span);
            let found = mark.filter(|_| self.known_here(&format!("{qualifier}.{name}"), needed, scope, span));
            self.inputs.extend(mark.map(|index| Input::Mark(usize::from(index))));
            return match found {
                Some(bit) if qualifier == "there" && scope.has_argument() => {
                    (Resolved::Value(ValueType::Truth), Term::Ask(Op::MarkNamed(bit)))
                }
                Some(bit) if qualifier == "there" => (Resolved::Value(ValueType::Truth), Term::Ask(Op::MarkThere(bit))),
                Some(bit) => (Resolved::Value(ValueType::Truth), Term::Ask(Op::Mark(bit))),
                None => (Resolved::Wrong, Term::Known(0)),
            };
        }
        self.counter(Some(qualifier), name, span, scope)
    }

    fn counter(&mut self, qualifier: Option<&str>, name: &str, span: Span, scope: Scope) -> (Resolved<'d>, Term) {
        let full = qualifier.map_or_else(|| name.to_owned(), |qualifier| format!("{qualifier}.{name}"));
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

    /// Finds a declared counter: its owner, its index, and whether it is a truth value.
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
                let help = meant(unknown, ["other", "partner", "turn", "game", "pawn", "there"]);
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
            let others = || meant(name, counters.iter().map(|counter| counter.name.value.as_str()));
            let help = self.declared_as(name).or_else(others);
            self.report.error("unknown-name", span, format!("no counter is called `{name}`"), help);
        }
        index.map(|index| (whose, index as u8, counters[index].range.is_none()))
    }

    /// A declared mark.
    pub(super) fn mark(&mut self, name: &str, span: Span) -> Option<u8> {
        let marks = self.document.pawn_marks();
        let index = marks.iter().position(|mark| mark.name.value == name);
        if index.is_none() {
            let others = || meant(name, marks.iter().map(|mark| mark.name.value.as_str()));
            let help = self.declared_as(name).or_else(others);
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
            let message = format!("`{name}` is asked with {} arguments", arguments.len());
            self.report.error("argument-count", span, message, Some(format!("such as `{name}(..)` with one")));
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
                    "pawns" => Op::Pawns(places),
                    "other_pawns" => Op::OtherPawns(places),
                    "pairs" => Op::Pairs(places),
                    _ => Op::OtherPairs(places),
                };
                (number, Term::Ask(op))
            }
        }
    }

    fn binary(&mut self, op: Binary, left: &'d Expr, right: &'d Expr, scope: Scope) -> (Resolved<'d>, Term) {
        let truth = Resolved::Value(ValueType::Truth);
        match op {
            Binary::And | Binary::Or => {
                let a = self.typed(left, ValueType::Truth, scope);
                let b = self.typed(right, ValueType::Truth, scope);
                (truth, if op == Binary::And { a.and(b) } else { a.or(b) })
            }
            Binary::Eq | Binary::Ne => {
                let equal = self.equal(left, right, scope);
                (truth, if op == Binary::Eq { equal } else { equal.negated() })
            }
            Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge => {
                let (found, a) = self.resolve(left, scope);
                let (other, b) = self.resolve(right, scope);
                if !is_kept_place(&[(found, &a), (other, &b)]) {
                    let kind =
                        if found == Resolved::Value(ValueType::Place) { ValueType::Place } else { ValueType::Number };
                    self.expect(left, found, kind);
                    self.expect(right, other, kind);
                }
                let term = match op {
                    Binary::Lt => Term::two(Op::Lt, a, b),
                    Binary::Le => Term::two(Op::Le, a, b),
                    Binary::Gt => Term::two(Op::Lt, b, a),
                    _ => Term::two(Op::Le, b, a),
                };
                (truth, term)
            }
            _ => (Resolved::Value(ValueType::Number), self.arithmetic(op, left, right, scope)),
        }
    }

    fn arithmetic(&mut self, op: Binary, left: &'d Expr, right: &'d Expr, scope: Scope) -> Term {
        let a = self.typed(left, ValueType::Number, scope);
        let b = self.typed(right, ValueType::Number, scope);
        match (op, &b) {
            (Binary::Add, _) => Term::two(Op::Add, a, b),
            (Binary::Sub, _) => Term::two(Op::Sub, a, b),
            (Binary::Mul, _) => Term::two(Op::Mul, a, b),
            (Binary::Div, Term::Known(by)) if *by > 0 && by.count_ones() == 1 => a.halves(by.trailing_zeros()),
            (Binary::Div, Term::Known(by)) if *by > 0 => match a {
                Term::Known(value) => Term::Known(value.div_euclid(*by)),
                _ => self.bad_divisor(right),
            },
            (Binary::Rem, Term::Known(by)) if *by > 0 => Term::two(Op::Rem, a, b),
            _ => self.bad_divisor(right),
        }
    }

    fn bad_divisor(&mut self, right: &Expr) -> Term {
        let help = Some("divide by 2, 4 or 8; take the remainder of a number above 0".to_owned());
        self.report.error("bad-divisor", right.span, "this cannot be divided by".to_owned(), help);
        Term::Known(0)
    }

    fn equal(&mut self, left: &'d Expr, right: &'d Expr, scope: Scope) -> Term {
        for (option, word) in [(left, right), (right, left)] {
            if let (Some(option), Node::Name(None, name)) = (self.word_option(option), &word.node)
                && self.word_option(word).is_none()
            {
                self.inputs.insert(Input::Option(option));
                return self.is_word(option, name, word.span);
            }
        }
        let (a, first) = self.resolve(left, scope);
        let (b, second) = self.resolve(right, scope);
        match (a, b) {
            (Resolved::Word(one), Resolved::Word(other)) => Term::truth(self.options[one] == self.options[other]),
            (Resolved::Word(option), _) => {
                self.word_with_value(option, right);
                Term::Known(0)
            }
            (_, Resolved::Word(option)) => {
                self.word_with_value(option, left);
                Term::Known(0)
            }
            (Resolved::Value(kind), found) => {
                if !is_kept_place(&[(a, &first), (b, &second)]) {
                    self.expect(right, found, kind);
                }
                Term::two(Op::Eq, first, second)
            }
            (found, Resolved::Value(kind)) => {
                self.expect(left, found, kind);
                Term::Known(0)
            }
            (one, other) => {
                self.expect(left, one, ValueType::Number);
                self.expect(right, other, ValueType::Number);
                Term::Known(0)
            }
        }
    }

    /// The word option that an expression names. The other side of a comparison is then one of the option's words, even
    /// if that word has a meaning elsewhere (`total`).
    fn word_option(&self, expr: &Expr) -> Option<usize> {
        let Node::Name(None, name) = &expr.node else { return None };
        let is_it = |option: &OptionLine| option.name.value == *name && matches!(option.kind, OptionKind::OneOf { .. });
        self.document.options.iter().position(is_it)
    }

    fn word_with_value(&mut self, option: usize, value: &Expr) {
        let document = self.document;
        let name = &document.options[option].name.value;
        let message = format!("`{name}` is a word and is never equal to this");
        let help = Some(format!("one of: {}", words(&document.options[option].kind).join(", ")));
        self.report.error("never-equal", value.span, message, help);
    }

    fn is_word(&mut self, option: usize, word: &str, span: Span) -> Term {
        let document = self.document;
        let words = words(&document.options[option].kind);
        if !words.contains(&word) {
            let message = format!("`{}` is never `{word}`", document.options[option].name.value);
            self.report.error("never-equal", span, message, meant(word, words));
        }
        Term::truth(matches!(&self.options[option], OptionValue::Word(value) if value == word))
    }

    fn member(&mut self, inner: &'d Expr, items: &'d [Text], scope: Scope) -> (Resolved<'d>, Term) {
        let before = self.written_out;
        let (found, term) = self.resolve(inner, scope);
        // A number is compared with every item.
        self.written_out += (self.written_out - before).saturating_mul(items.len());
        let member = match found {
            Resolved::Value(ValueType::Place) => term.within(self.places(items)),
            Resolved::Word(option) => items
                .iter()
                .fold(Term::truth(false), |any, item| any.or(self.is_word(option, item.value.trim(), item.span))),
            Resolved::Value(ValueType::Number) => items.iter().fold(Term::truth(false), |any, item| {
                let item = self.item(item);
                any.or(Term::two(Op::Eq, term.clone(), Term::Known(item)))
            }),
            other => {
                self.expect(inner, other, ValueType::Number);
                Term::Known(0)
            }
        };
        (Resolved::Value(ValueType::Truth), member)
    }

    /// The value of a list's item: a number, or the name of a number option.
    fn item(&mut self, item: &Text) -> i64 {
        let word = item.value.trim();
        let document = self.document;
        if let Ok(number) = word.parse() {
            return number;
        }
        if let Some(index) = document.options.iter().position(|option| option.name.value == word) {
            self.inputs.insert(Input::Option(index));
            if let OptionValue::Number(number) = self.options[index] {
                return number;
            }
        }
        let message = format!("`{word}` is not a number");
        self.report.error("wrong-type", item.span, message, None);
        0
    }
}

/// Whether a place is compared with a computed number, which is allowed because a counter may hold a place. A literal
/// number is more likely a label without its context, so it is an error.
fn is_kept_place(sides: &[(Resolved<'_>, &Term); 2]) -> bool {
    let kind = |index: usize| sides[index].0;
    let place = (0..2).find(|&index| kind(index) == Resolved::Value(ValueType::Place));
    place.is_some_and(|place| {
        kind(1 - place) == Resolved::Value(ValueType::Number) && !matches!(sides[1 - place].1, Term::Known(_))
    })
}

/// The words of a word option.
fn words(kind: &OptionKind) -> Vec<&str> {
    match kind {
        OptionKind::OneOf { words, .. } => words.iter().map(|word| word.value.as_str()).collect(),
        _ => Vec::new(),
    }
}
