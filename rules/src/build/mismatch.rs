//! Reports expressions whose type is not the one that is needed.

use std::cmp::Ordering;

use super::builder::Builder;
use super::resolve::Resolved;
use super::scope::ValueType;
use crate::document::{Expr, Node, TermLine};

const PLACES: &str = "a place minus a number is a place, a place minus a place is a number";

impl<'d> Builder<'d> {
    /// Reports an expression that is not of the type `kind`.
    pub(super) fn expect(&mut self, expr: &Expr, found: Resolved<'_>, kind: ValueType) {
        let (what, help) = match found {
            Resolved::Value(found) if found == kind => return,
            Resolved::Wrong => return,
            Resolved::Bare(name, span) => return self.unknown(name, span),
            Resolved::Word(option) => {
                let name = &self.document.options[option].name.value;
                (format!("the word of `{name}`"), Some(format!("compare it: `{name} = WORD`")))
            }
            Resolved::Value(found) => {
                let places = match (found, kind) {
                    (ValueType::Number, ValueType::Place) => Some("a place is written `at(LABEL)`".to_owned()),
                    (ValueType::Place, ValueType::Number) => Some(PLACES.to_owned()),
                    (ValueType::Number, ValueType::Truth) if matches!(expr.node, Node::Number(0 | 1)) => {
                        Some("write `yes` or `no`".to_owned())
                    }
                    (ValueType::Number, ValueType::Truth) if matches!(expr.node, Node::Number(_)) => {
                        Some("a comparison with several numbers is written `total in [1, 6]`".to_owned())
                    }
                    (ValueType::Number, ValueType::Truth) => {
                        Some("compare it with a number, such as `total > 6`".to_owned())
                    }
                    _ => None,
                };
                (found.name().to_owned(), joined([self.where_declared(expr), places]))
            }
        };
        let message = format!("this is {what}, where {} is needed", kind.name());
        self.report.error("wrong-type", expr.span, message, help);
    }

    /// Reports two sides of a comparison that are not both of the type `kind`.
    pub(super) fn expect_both(&mut self, sides: [(&Expr, Resolved<'_>); 2], kind: ValueType) {
        let is = |index: usize, kind| sides[index].1 == Resolved::Value(kind);
        for (other, number) in [(0, 1), (1, 0)].into_iter().filter(|&(_, number)| is(number, ValueType::Number)) {
            if is(other, ValueType::Place) {
                return self.place_with_number(sides[other].0, sides[number].0);
            }
            let is_written = matches!(sides[number].0.node, Node::Number(_));
            if kind == ValueType::Truth && is(other, kind) && is_written {
                return self.truth_with_number(sides[other].0, sides[number].0);
            }
        }
        for (expr, found) in sides {
            self.expect(expr, found, kind);
        }
    }

    /// Reports the comparison of a truth with a written number.
    fn truth_with_number(&mut self, truth: &Expr, number: &Expr) {
        let help = match &truth.node {
            Node::Name(None, name) => format!("`{name}` is yes or no: write `{name}` or `not {name}`"),
            Node::Name(Some(of), name) => {
                format!("`{of}.{name}` is yes or no: write `{of}.{name}` or `not {of}.{name}`")
            }
            _ => "what is yes or no stands alone, or after `not`".to_owned(),
        };
        let message = "this is a number, where yes or no is needed".to_owned();
        self.report.error("wrong-type", number.span, message, Some(help));
    }

    /// Reports the comparison of a place with a number. Where the place comes from a term, the term is probably wrong,
    /// otherwise the number.
    fn place_with_number(&mut self, place: &Expr, number: &Expr) {
        let declared = self.where_declared(place);
        let help = joined([declared.clone(), Some(format!("a place is written `at(LABEL)`; {PLACES}"))]);
        let (message, span) = match &place.node {
            Node::Name(None, name) if declared.is_some() => {
                (format!("`{name}` is a place, and is compared with a number"), place.span)
            }
            Node::Name(None, name) => (format!("this is a number, and `{name}` is a place"), number.span),
            _ => ("this is a number, and the other side of the comparison is a place".to_owned(), number.span),
        };
        self.report.error("wrong-type", span, message, help);
    }

    /// For the name of a term, where the term is declared.
    fn where_declared(&self, expr: &Expr) -> Option<String> {
        let Node::Name(None, name) = &expr.node else { return None };
        let is_it = |term: &&TermLine| term.name.value == *name;
        let at = self.document.terms.iter().find(is_it)?.name.span;
        let file = match at.file.cmp(&expr.span.file) {
            Ordering::Less => " of a file that extends this one",
            Ordering::Equal => "",
            Ordering::Greater => " of a file that this one extends",
        };
        Some(format!("the term `{name}` is declared in line {}{file}", at.line))
    }
}

fn joined(parts: [Option<String>; 2]) -> Option<String> {
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() { None } else { Some(parts.join("; ")) }
}
