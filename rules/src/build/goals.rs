//! Builds the places to which effects and spend lines bring pawns: fixed ones, and those that expressions compute.

use super::builder::Builder;
use super::resolve::Resolved;
use super::scope::{self, Scope, ValueType};
use super::term::Term;
use crate::document::{Expr, GoalText, JumperText, Text};
use crate::language::number_within;
use crate::source::Span;
use crate::tables::{Goal, Jumper};
use crate::units::PathPlace;

impl<'d> Builder<'d> {
    /// Builds a goal. `scope` has the subjects that its expression may read.
    pub(super) fn goal(&mut self, goal: &'d GoalText, scope: Scope) -> Goal {
        match goal {
            GoalText::Place(label) => Goal::Place(self.place(label)),
            GoalText::Named(label, _) if self.is_place(&label.value) || !self.is_name(&label.value) => {
                Goal::Place(self.place(label))
            }
            GoalText::Named(_, expr) | GoalText::Computed(expr) => self.computed(expr, scope),
            GoalText::By(steps) => {
                let term = self.typed(steps, ValueType::Number, scope);
                Goal::By(self.program(&term, steps.span))
            }
        }
    }

    /// Builds the goal of a jump. Reports a goal off the board, where no pawn lands.
    pub(super) fn jump_goal(&mut self, goal: &'d GoalText, scope: Scope, effect: Span) -> Goal {
        let before = self.report.errors();
        let goal = self.goal(goal, scope);
        if goal == Goal::Place(PathPlace::OUT) && self.report.errors() == before {
            let help = Some("write `send`, which puts a pawn there without a landing".to_owned());
            self.report.error("out-of-range", effect, "no pawn jumps off the board".to_owned(), help);
        }
        goal
    }

    /// Builds a goal from an expression. Its value is a place, or a number computed during play, because a counter may
    /// hold a place.
    fn computed(&mut self, expr: &'d Expr, scope: Scope) -> Goal {
        let (found, term) = self.resolve(expr, scope);
        let is_kept = found == Resolved::Value(ValueType::Number) && !matches!(term, Term::Known(_));
        if !is_kept {
            self.expect(expr, found, ValueType::Place);
        }
        match term {
            Term::Known(place) if found == Resolved::Value(ValueType::Place) => {
                let home = self.path.home();
                if !(0..=i64::from(home.0)).contains(&place) && self.path.is_known() {
                    let message = format!("the path has no place with the number {place}");
                    let help = Some(format!("{}: from off the board to home", number_within(0, home.0)));
                    self.report.error("out-of-range", expr.span, message, help);
                }
                Goal::Place(PathPlace(place.clamp(0, home.0.into()) as u8))
            }
            term => Goal::Computed(self.program(&term, expr.span)),
        }
    }

    /// Builds the part of an effect that says which own pawn jumps.
    pub(super) fn jumper(&mut self, pawn: &'d JumperText) -> Jumper {
        match pawn {
            JumperText::On(label) => Jumper::On(self.place(label)),
            JumperText::Which(which) => Jumper::Which(*which),
        }
    }

    /// Whether a word is a label, or the name of a zone or tag.
    fn is_place(&self, word: &str) -> bool {
        self.path.place(word).is_some() || self.path.zones.iter().chain(&self.tags).any(|(name, _)| name == word)
    }

    /// Whether a word is a name that expressions may use.
    fn is_name(&self, word: &str) -> bool {
        let document = self.document;
        let is_it = |name: &Text| name.value == word;
        document.seat_counters().iter().any(|counter| is_it(&counter.name))
            || document.terms.iter().any(|term| is_it(&term.name))
            || document.options.iter().any(|option| is_it(&option.name))
            || scope::fact(word).is_some()
    }
}
