//! What can be done with the hand, and what must be.

use super::builder::Builder;
use super::lines::Ids;
use super::scope::{Kind, Scope};
use super::term::Term;
use crate::document::{Expr, SpendLine, Text};
use crate::tables::{Duty, Fact, Mover, Must, Op, Program, Route, Spend, With};
use crate::units::MAX_STEP;

/// Most spending lines, and most compulsions.
const MAX_LINES: usize = 32;

impl<'d> Builder<'d> {
    /// The spending lines that exist with the options chosen, and for each written line where it went.
    pub fn spend(&mut self, ids: &Ids) -> (Vec<Spend>, Vec<Option<usize>>) {
        let lines = &self.document.spend;
        if let Some(line) = lines.get(MAX_LINES) {
            let help = Some(format!("at most {MAX_LINES}"));
            self.report.error("too-many", line.line.span, "too many spending lines".to_owned(), help);
        }
        let (mut spend, mut kept) = (Vec::new(), Vec::new());
        for (index, line) in lines.iter().enumerate().take(MAX_LINES) {
            let made = self.spend_line(line, ids.of("spend", index));
            kept.push(made.as_ref().map(|_| spend.len()));
            spend.extend(made);
        }
        (spend, kept)
    }

    fn spend_line(&mut self, line: &'d SpendLine, id: u16) -> Option<Spend> {
        let mover = self.word(&line.mover, "mover", &["pawn", "pair", "group"]);
        let with = self.word(&line.with, "way to spend", &["die", "sum", "doublet", "triplet", "bonus"]);
        let route = line.route.as_ref().and_then(|route| {
            let to = line.to.is_some();
            if to {
                let help = Some("leave out one of them".to_owned());
                self.report.error(
                    "bad-route",
                    route.span,
                    "it goes either `to` a square or by a route".to_owned(),
                    help,
                );
            }
            self.word(route, "route", &["ahead", "outward", "recoil", "bounce", "lap"])
        });
        if let (Some(4), Some(route)) = (route, &line.route) {
            self.check_lap(route);
        }
        let duty = line.duty.as_ref().and_then(|duty| self.word(duty, "duty", &["ordinary", "voluntary", "last"]));
        let route = match (&line.to, route) {
            (Some(to), _) => Route::To(self.place(to)),
            (None, Some(1)) => Route::Outward,
            (None, Some(2)) => Route::Recoil,
            (None, Some(3)) => Route::Bounce,
            (None, Some(4)) => Route::Lap,
            _ => Route::Ahead,
        };
        if let Some(exactly) =
            line.exactly.as_ref().filter(|exactly| exactly.value == 0 || exactly.value > 4 * MAX_STEP)
        {
            let message = format!("{} is never thrown", exactly.value);
            self.report.error("bad-number", exactly.span, message, None);
        }
        let from = self.places(&line.from);
        let steps = line.steps.as_ref().map(|expr| (self.typed(expr, Kind::Number, Scope::STEPS), expr));
        if let Some((Term::Known(known), expr)) = steps.as_ref().filter(|(term, _)| !within_steps(term)) {
            let help = Some(format!("from 1 to {MAX_STEP}"));
            self.report.error("bad-steps", expr.span, format!("a pawn cannot go {known} steps"), help);
        }
        let expr = line.line.when.as_ref();
        let when = self.condition(expr, Scope::SPEND);
        if when.known_truth() == Some(false) {
            return None;
        }
        let (open, when) = self.split(when, expr);
        let steps = steps.filter(|(term, _)| *term != Term::Ask(Op::Fact(Fact::Number)));
        Some(Spend {
            line: id,
            mover: [Mover::Pawn, Mover::Pair, Mover::Group][mover?],
            from,
            with: [With::Die, With::Sum, With::Doublet, With::Triplet, With::Bonus][with?],
            exactly: line.exactly.as_ref().map_or(0, |exactly| exactly.value),
            route,
            steps: steps.map(|(term, expr)| self.program(&term, expr)),
            open,
            when,
            duty: [Duty::Ordinary, Duty::Voluntary, Duty::Last][duty.unwrap_or(0)],
        })
    }

    /// Another lap is walked where a gate sends pawns round.
    fn check_lap(&mut self, route: &Text) {
        let gate = self.document.board.gate.as_ref();
        let laps = gate.is_some_and(|gate| self.setting(&gate.closed, "way to close", &["lap", "wait"]) == Some(0));
        if !laps {
            let help =
                Some("give the board a `gate` with `closed: lap`, `lap_to` and, say, `open_when: yes`".to_owned());
            self.report.error("bad-route", route.span, "no gate leads to another lap".to_owned(), help);
        }
    }

    /// Parts a condition into what is asked once a decision and what is asked of each action.
    fn split(&mut self, when: Term, expr: Option<&Expr>) -> (Option<Program>, Option<Program>) {
        let mut open = Term::truth(true);
        let mut each = Term::truth(true);
        for part in when.conjuncts() {
            if part.asks_pawn() { each = each.and(part) } else { open = open.and(part) }
        }
        (self.asked(&open, expr), self.asked(&each, expr))
    }

    /// The compulsions; `kept` says where the written spending lines went.
    pub fn must(&mut self, ids: &Ids, kept: &[Option<usize>]) -> Vec<Must> {
        let document = self.document;
        let mut musts = Vec::new();
        if let Some(line) = document.must.get(MAX_LINES) {
            let help = Some(format!("at most {MAX_LINES}"));
            self.report.error("too-many", line.line.span, "too many compulsions".to_owned(), help);
        }
        for (index, line) in document.must.iter().enumerate() {
            let names: Vec<&str> = document.spend.iter().map(|spend| spend.line.id.value.as_str()).collect();
            let mut actions = 0u32;
            for action in &line.actions {
                let written = self.word(action, "spending line", &names);
                if let Some(bit) = written.and_then(|written| kept.get(written).copied().flatten()) {
                    actions |= 1 << bit;
                }
            }
            let in_hand = self.setting(&line.within, "reach of a compulsion", &["moment", "hand"]) == Some(1);
            let expr = line.line.when.as_ref();
            let when = self.condition(expr, Scope::SPEND);
            if actions == 0 || when.known_truth() == Some(false) {
                continue;
            }
            let (open, when) = self.split(when, expr);
            musts.push(Must { line: ids.of("must", index), actions, in_hand, open, when });
        }
        musts
    }
}

fn within_steps(term: &Term) -> bool {
    match term {
        Term::Known(steps) => (1..=i64::from(MAX_STEP)).contains(steps),
        _ => true,
    }
}
