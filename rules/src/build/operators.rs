//! Resolves the operators of expressions: arithmetic, comparisons, `and`, `or`, and `in`.

use super::builder::Builder;
use super::findings::meant;
use super::resolve::Resolved;
use super::scope::{Scope, ValueType};
use super::table_part::Input;
use super::term::Term;
use crate::document::{Binary, Expr, Node, OptionKind, OptionLine, Text};
use crate::ruleset::OptionValue;
use crate::source::Span;
use crate::tables::Op;

impl<'d> Builder<'d> {
    pub(super) fn binary(
        &mut self,
        (op, span): (Binary, Span),
        left: &'d Expr,
        right: &'d Expr,
        scope: Scope,
    ) -> (Resolved<'d>, Term) {
        let truth = Resolved::Value(ValueType::Truth);
        match op {
            Binary::And | Binary::Or => {
                let a = self.typed(left, ValueType::Truth, scope);
                let b = self.typed(right, ValueType::Truth, scope);
                (truth, if op == Binary::And { a.and(b) } else { a.or(b) })
            }
            Binary::Eq | Binary::Ne => {
                let equal = self.equal(left, right, scope);
                match &equal {
                    Term::Two(Op::Eq, a, b) => self.compare(span, Op::Eq, (a, b), op == Binary::Ne),
                    _ => self.compare_known(span, [left, right], &|a, b| (a == b) == (op == Binary::Eq)),
                }
                (truth, if op == Binary::Eq { equal } else { equal.negated() })
            }
            Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge => {
                let (found, a) = self.resolve(left, scope);
                let (other, b) = self.resolve(right, scope);
                if !is_kept_place(&[(found, &a), (other, &b)]) {
                    let kind =
                        if found == Resolved::Value(ValueType::Place) { ValueType::Place } else { ValueType::Number };
                    self.expect_both([(left, found), (right, other)], kind);
                }
                let term = match op {
                    Binary::Lt => Term::two(Op::Lt, a, b),
                    Binary::Le => Term::two(Op::Le, a, b),
                    Binary::Gt => Term::two(Op::Lt, b, a),
                    _ => Term::two(Op::Le, b, a),
                };
                match &term {
                    Term::Two(op, a, b) => self.compare(span, *op, (a, b), false),
                    _ => self.compare_known(span, [left, right], &|a, b| match op {
                        Binary::Lt => a < b,
                        Binary::Le => a <= b,
                        Binary::Gt => a > b,
                        _ => a >= b,
                    }),
                }
                (truth, term)
            }
            _ => self.arithmetic(op, left, right, scope),
        }
    }

    /// Computes with numbers or places. A place plus or minus a number is a place; a place minus a place is a number.
    fn arithmetic(&mut self, op: Binary, left: &'d Expr, right: &'d Expr, scope: Scope) -> (Resolved<'d>, Term) {
        let place = Resolved::Value(ValueType::Place);
        let (first, a) = self.resolve(left, scope);
        let (second, b) = self.resolve(right, scope);
        if first == Resolved::Wrong || second == Resolved::Wrong {
            return (Resolved::Wrong, Term::Known(0));
        }
        let is_step = matches!(op, Binary::Add | Binary::Sub);
        let kind = match (first == place, second == place) {
            (true, true) if op == Binary::Sub => return (Resolved::Value(ValueType::Number), Term::two(Op::Sub, a, b)),
            (true, false) if is_step => {
                self.expect(right, second, ValueType::Number);
                place
            }
            (false, true) if op == Binary::Add => {
                self.expect(left, first, ValueType::Number);
                place
            }
            _ => {
                self.expect(left, first, ValueType::Number);
                self.expect(right, second, ValueType::Number);
                Resolved::Value(ValueType::Number)
            }
        };
        match computed_number(op, a, b) {
            Some(term) => (kind, term),
            None => {
                let help = "divide by 2, 4, 8, 16 or another power of two; the remainder `%` takes any fixed number \
                            above 0";
                let message = "this is not a possible divisor".to_owned();
                self.report.error("bad-divisor", right.span, message, Some(help.to_owned()));
                (Resolved::Wrong, Term::Known(0))
            }
        }
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
                    self.expect_both([(left, a), (right, found)], kind);
                }
                Term::two(Op::Eq, first, second)
            }
            (found, Resolved::Value(kind)) => {
                self.expect(left, found, kind);
                Term::Known(0)
            }
            (one, other) => {
                // If one side is a word of an option and the other side is not, the other side is the mistake.
                let [is_word, is_other_word] = [left, right].map(|side| self.is_word_of_any_option(side));
                if !is_word || is_other_word {
                    self.expect(left, one, ValueType::Number);
                }
                if !is_other_word || is_word {
                    self.expect(right, other, ValueType::Number);
                }
                Term::Known(0)
            }
        }
    }

    /// If an expression names an option whose values are words, returns the index of the option. The other side of the
    /// comparison is then one of these words, even if the word means something else in other expressions (`total`).
    fn word_option(&self, expr: &Expr) -> Option<usize> {
        let Node::Name(None, name) = &expr.node else { return None };
        let is_it = |option: &OptionLine| option.name.value == *name && matches!(option.kind, OptionKind::OneOf { .. });
        self.document.options.iter().position(is_it)
    }

    fn is_word_of_any_option(&self, expr: &Expr) -> bool {
        let Node::Name(None, name) = &expr.node else { return false };
        self.document.options.iter().any(|option| words(&option.kind).contains(&name.as_str()))
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

    pub(super) fn member(&mut self, inner: &'d Expr, items: &'d [Text], scope: Scope) -> (Resolved<'d>, Term) {
        let before = self.written_out;
        let (found, term) = self.resolve(inner, scope);
        // The program compares the value with each item, so it contains the value's parts once for each item.
        self.written_out += (self.written_out - before).saturating_mul(items.len());
        let member = match found {
            Resolved::Value(ValueType::Place) => term.within(self.places(items)),
            Resolved::Word(option) => items
                .iter()
                .fold(Term::truth(false), |any, item| any.or(self.is_word(option, item.value.trim(), item.span))),
            Resolved::Value(ValueType::Number) => {
                let items: Vec<i64> = items.iter().map(|item| self.item(item)).collect();
                self.compare_with_items(inner.span, &term, &items);
                let is = |item: &i64| Term::two(Op::Eq, term.clone(), Term::Known(*item));
                items.iter().fold(Term::truth(false), |any, item| any.or(is(item)))
            }
            other => {
                self.expect(inner, other, ValueType::Number);
                Term::Known(0)
            }
        };
        (Resolved::Value(ValueType::Truth), member)
    }

    /// The value of an item of a list: a number, or the name of an option that is a number.
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

/// The result of an arithmetic operation. `None` if the second operand is not a possible divisor.
fn computed_number(op: Binary, a: Term, b: Term) -> Option<Term> {
    Some(match (op, &b) {
        (Binary::Add, _) => Term::two(Op::Add, a, b),
        (Binary::Sub, _) => Term::two(Op::Sub, a, b),
        (Binary::Mul, _) => Term::two(Op::Mul, a, b),
        (Binary::Div, Term::Known(by)) if *by > 0 && by.count_ones() == 1 => a.halves(by.trailing_zeros()),
        (Binary::Div, Term::Known(by)) if *by > 0 => match a {
            Term::Known(value) => Term::Known(value.div_euclid(*by)),
            _ => return None,
        },
        (Binary::Rem, Term::Known(by)) if *by > 0 => Term::two(Op::Rem, a, b),
        _ => return None,
    })
}

/// Whether a place is compared with a computed number. That is allowed, because a counter may hold a place. A number
/// that is written out was probably meant as a label, `at(12)`, so it is an error.
fn is_kept_place(sides: &[(Resolved<'_>, &Term); 2]) -> bool {
    let kind = |index: usize| sides[index].0;
    let place = (0..2).find(|&index| kind(index) == Resolved::Value(ValueType::Place));
    place.is_some_and(|place| {
        kind(1 - place) == Resolved::Value(ValueType::Number) && !matches!(sides[1 - place].1, Term::Known(_))
    })
}

/// The words that an option can have. An option of another kind has none.
fn words(kind: &OptionKind) -> Vec<&str> {
    match kind {
        OptionKind::OneOf { words, .. } => words.iter().map(|word| word.value.as_str()).collect(),
        _ => Vec::new(),
    }
}
