//! The terms of a file: conditions and numbers with a name. An expression that uses the name is compiled as if it
//! contained the term itself.

use std::collections::BTreeSet;

use super::builder::{Builder, TermUse};
use super::findings::Findings;
use super::options;
use super::resolve::Resolved;
use super::scope::{FUNCTIONS, Scope, ValueType};
use super::table_part::Input;
use super::term::Term;
use crate::document::{Document, Expr, Node, Text};
use crate::source::Span;

/// Maximum number of parts of a term, together with those of the terms that it uses. A part is a name, a number or an
/// operator. The limit also bounds the depth of syntax trees.
const MAX_PARTS: usize = 256;
/// Maximum number of parts of terms in one table. A term counts at every use.
const MAX_WRITTEN_OUT: usize = 16_384;

/// Reports terms whose names are taken, that use themselves, or that are too long. Returns the names of those that
/// cannot be compiled: the terms of a circle, and terms that are too long.
pub(crate) fn check<'d>(document: &'d Document, report: &mut Findings) -> BTreeSet<&'d str> {
    for term in &document.terms {
        options::check_name(&term.name, report);
        if FUNCTIONS.iter().any(|(function, _)| *function == term.name.value) {
            let message = format!("`{}` is a function of the language", term.name.value);
            report.error("name-taken", term.name.span, message, Some("choose another name".to_owned()));
        }
        if let Some((what, taken)) = taken(document, &term.name.value) {
            options::report_both(&term.name, "term", taken, what, report);
        }
    }
    let counted = vec![Length::Unknown; document.terms.len()];
    let mut lengths = Lengths { document, counted, way: Vec::new(), refused: BTreeSet::new() };
    for index in 0..document.terms.len() {
        lengths.of(index, None, report);
    }
    lengths.refused
}

/// Finds another declaration with the name of a term. Returns its kind, and its name with its span.
fn taken<'d>(document: &'d Document, name: &str) -> Option<(&'static str, &'d Text)> {
    let options = document.options.iter().map(|option| ("table option", &option.name));
    let counters = document.seat_counters().iter().chain(document.game_counters());
    let counters = counters.map(|counter| ("counter", &counter.name));
    let marks = document.pawn_marks().iter().map(|mark| ("mark", &mark.name));
    let choices = document.choices.iter().map(|choice| ("choice", choice.word.as_ref().unwrap_or(&choice.id)));
    options.chain(counters).chain(marks).chain(choices).find(|(_, other)| other.value == name)
}

/// The number of parts of a term (names, numbers, operators), if they are counted already. The parts of the terms that
/// it uses count, too.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Length {
    Unknown,
    /// The parts are being counted. If the count comes to the term again, the term uses itself.
    Open,
    Parts(usize),
}

struct Lengths<'d> {
    document: &'d Document,
    counted: Vec<Length>,
    /// The terms that the count has entered and not finished, by name. Each of these terms uses the next one.
    way: Vec<&'d str>,
    /// The terms that cannot be compiled.
    refused: BTreeSet<&'d str>,
}

impl<'d> Lengths<'d> {
    /// Counts the names, numbers and operators of a term. `used` is where another term uses it. A term with an error
    /// counts as one part.
    fn of(&mut self, index: usize, used: Option<Span>, report: &mut Findings) -> usize {
        let term = &self.document.terms[index];
        let name = term.name.value.as_str();
        match self.counted[index] {
            Length::Parts(parts) => return parts,
            Length::Open => {
                let from = self.way.iter().position(|open| *open == name).unwrap_or_default();
                let circle: Vec<_> = self.way[from..].iter().chain([&name]).map(|name| format!("`{name}`")).collect();
                let message = format!("the term `{name}` uses itself: {}", circle.join(", "));
                self.refused.extend(&self.way[from..]);
                let help = Some("write one of them without the other".to_owned());
                report.error("term-uses-itself", used.unwrap_or(term.name.span), message, help);
                return 1;
            }
            Length::Unknown => {}
        }
        self.counted[index] = Length::Open;
        self.way.push(name);
        let mut parts = self.length(&term.value, report);
        self.way.pop();
        if parts > MAX_PARTS {
            let message = format!("with the terms that it uses, `{name}` has {parts} names and operators");
            let largest = self.largest_in(&term.value).map_or_else(String::new, |(used, parts)| {
                format!("; its largest term is `{used}` with {parts}, counted wherever it stands")
            });
            let help =
                format!("at most {MAX_PARTS}{largest}: split it over several lines of a table, or use a counter");
            let help = Some(help);
            report.error("expression-too-long", term.value.span, message, help);
            self.refused.insert(name);
            parts = 1;
        }
        self.counted[index] = Length::Parts(parts);
        parts
    }

    /// The longest term that an expression itself names, with the number of its parts.
    fn largest_in(&self, expr: &'d Expr) -> Option<(&'d str, usize)> {
        match &expr.node {
            Node::Name(None, name) => {
                let index = self.document.terms.iter().position(|term| term.name.value == *name)?;
                let Length::Parts(parts) = self.counted[index] else { return None };
                Some((name.as_str(), parts))
            }
            Node::Number(_) | Node::Truth(_) | Node::Name(Some(_), _) | Node::Call(..) => None,
            Node::Unary(_, inner) | Node::Count(_, inner) | Node::Chosen(_, _, inner) | Node::In(inner, _) => {
                self.largest_in(inner)
            }
            Node::Binary(_, a, b) => {
                [a, b].into_iter().filter_map(|part| self.largest_in(part)).max_by_key(|used| used.1)
            }
            Node::If(a, b, c) => {
                [a, b, c].into_iter().filter_map(|part| self.largest_in(part)).max_by_key(|used| used.1)
            }
        }
    }

    /// The length of an expression: the number of its parts. Terms in it count with all of their parts.
    fn length(&mut self, expr: &'d Expr, report: &mut Findings) -> usize {
        match &expr.node {
            Node::Name(None, name) => match self.document.terms.iter().position(|term| term.name.value == *name) {
                Some(index) => self.of(index, Some(expr.span), report),
                None => 1,
            },
            Node::Number(_) | Node::Truth(_) | Node::Name(Some(_), _) | Node::Call(..) => 1,
            Node::Unary(_, inner) | Node::Count(_, inner) | Node::Chosen(_, _, inner) => self.length(inner, report) + 1,
            // The compiled program compares the operand with every item, so it contains the operand once for each item.
            Node::In(inner, items) => (self.length(inner, report) + 1).saturating_mul(items.len().max(1)),
            Node::Binary(_, a, b) => self.length(a, report).saturating_add(self.length(b, report) + 1),
            Node::If(a, b, c) => {
                let parts = [a, b, c].map(|part| self.length(part, report));
                parts.into_iter().fold(1, usize::saturating_add)
            }
        }
    }
}

impl<'d> Builder<'d> {
    /// Reports errors that a term has wherever it is used: an unknown name, a wrong type, or an option whose values are
    /// words and that the term compares with none of them.
    pub(super) fn check_terms(&mut self) {
        for term in &self.document.terms {
            let (found, _) = self.resolve(&term.value, Scope::ALL);
            if let Resolved::Bare(..) | Resolved::Word(_) = found {
                self.expect(&term.value, found, ValueType::Truth);
            }
        }
    }

    /// Resolves a term for an expression that uses its name at `span`.
    pub(super) fn term(&mut self, index: usize, span: Span, scope: Scope) -> (Resolved<'d>, Term) {
        let line = &self.document.terms[index];
        self.inputs.insert(Input::Term(index));
        if self.written_out > MAX_WRITTEN_OUT {
            return (Resolved::Wrong, Term::Known(0));
        }
        let outer = self.term_use;
        self.term_use = outer.or(Some(TermUse { name: &line.name.value, span }));
        let (found, term) = self.resolve(&line.value, scope);
        self.term_use = outer;
        if self.written_out > MAX_WRITTEN_OUT && outer.is_none() {
            let message = format!("written out, the terms of this file have more than {MAX_WRITTEN_OUT} parts");
            let help = Some("use long terms in fewer places".to_owned());
            self.report.error("too-many", span, message, help);
        }
        match found {
            Resolved::Value(_) => (found, term),
            _ => (Resolved::Wrong, Term::Known(0)),
        }
    }
}
