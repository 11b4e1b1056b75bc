//! Resolves counts of pawns: those that a condition chooses, and those on a computed place.

use super::builder::Builder;
use super::resolve::Resolved;
use super::scope::{Scope, ValueType};
use super::term::Term;
use crate::document::{Expr, Text};
use crate::source::Span;
use crate::tables::{Crowd, Fact, Op, PawnsOf};

impl<'d> Builder<'d> {
    /// The number of pawns for which a condition holds.
    pub(super) fn chosen(
        &mut self,
        name: &str,
        places: &'d [Text],
        condition: &'d Expr,
        span: Span,
        scope: Scope,
    ) -> (Resolved<'d>, Term) {
        let wrong = (Resolved::Wrong, Term::Known(0));
        let (counted, needed) = match name {
            "pawns" => (PawnsOf::Own, Scope::SEAT),
            "other_pawns" => (PawnsOf::Other, Scope::qualifier(Some("other"))),
            _ => (PawnsOf::Enemies, Scope::SEAT),
        };
        if !self.known_here(name, needed, scope, span) {
            return wrong;
        }
        if std::mem::replace(&mut self.is_counting, true) {
            let (span, message) = match self.term_use {
                Some(term) => {
                    (term.span, format!("the term `{}` counts by a condition, inside another count", term.name))
                }
                None => (span, "a count by a condition stands inside another one".to_owned()),
            };
            let help = Some("count the inner pawns by their places, or keep the number in a counter".to_owned());
            self.report.error("nested-count", span, message, help);
            return wrong;
        }
        let about = if counted == PawnsOf::Own { scope.each_pawn() } else { scope.each_enemy() };
        let outer = std::mem::replace(&mut self.is_choosing, true);
        let asked = self.typed(condition, ValueType::Truth, about);
        self.is_choosing = outer;
        self.is_counting = false;
        let stands = match places {
            [] => Term::truth(true),
            places => Term::Ask(Op::Fact(Fact::From)).within(self.places(places)),
        };
        let program = self.program(&stands.and(asked), condition.span);
        (Resolved::Value(ValueType::Number), Term::Ask(Op::PawnsWhere(counted, program)))
    }

    /// The number of pawns on the square of a computed place.
    pub(super) fn count(&mut self, name: &str, place: &'d Expr, span: Span, scope: Scope) -> (Resolved<'d>, Term) {
        let (found, term) = self.resolve(place, scope);
        let is_kept = found == Resolved::Value(ValueType::Number) && !matches!(term, Term::Known(_));
        if !is_kept {
            self.expect(place, found, ValueType::Place);
        }
        if !self.known_here(name, Scope::SEAT, scope, span) {
            return (Resolved::Wrong, Term::Known(0));
        }
        let crowd = match name {
            "own_at" => Crowd::Own,
            "enemies_at" => Crowd::Enemies,
            _ => Crowd::All,
        };
        (Resolved::Value(ValueType::Number), Term::One(Op::CountAt(crowd), Box::new(term)))
    }
}
