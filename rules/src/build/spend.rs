//! Builds spend lines and compulsions.

use std::ops::Range;

use super::builder::Builder;
use super::line_numbers::LineNumbers;
use super::scope::{Scope, ValueType};
use super::term::Term;
use crate::document::{At, Closing, Expr, MustLine, SpendLine, Within, WordOr};
use crate::language::number_within;
use crate::source::Span;
use crate::tables::{Duty, Fact, Goal, LineId, Must, NumberSet, Op, Program, Route, Spend, Verdict, Wall, WaySet};
use crate::units::{MAX_STEP, PathPlace, Pips};
use crate::word::Word;

/// Maximum number of ways to spend in one table.
const MAX_WAYS: usize = WaySet::BITS as usize;

/// Number of ways to spend that a line describes.
fn ways_of(line: &SpendLine) -> usize {
    line.movers.len() * line.with.len() * line.to.len().max(1)
}

impl<'d> Builder<'d> {
    /// Builds the ways to spend that exist with the chosen options. The second result has, for every spend line of the
    /// file, the range of its ways. A line has one way for each of its movers with each of its kinds of numbers, and to
    /// each of its places.
    pub(super) fn spend(&mut self, ids: &LineNumbers) -> (Vec<Spend>, Vec<Range<usize>>) {
        let lines = &self.document.spend;
        let (mut spend, mut kept) = (Vec::new(), Vec::new());
        let mut ways = 0;
        for (index, line) in lines.iter().enumerate() {
            let mut made = self.spend_line(line, ids.of("spend", index));
            let first = spend.len();
            let before = ways;
            ways += ways_of(line);
            if ways > MAX_WAYS {
                // Reported once, at the line that exceeds the limit. The lines after it are not further mistakes.
                if before <= MAX_WAYS {
                    let all: usize = lines.iter().map(ways_of).sum();
                    let message = format!("with this line there are {ways} ways to spend, in the whole table {all}");
                    let help =
                        Some(format!("at most {MAX_WAYS}: every `move` with every `with` and `to` of a line is one"));
                    self.report.error("too-many", line.span, message, help);
                }
                made.clear();
            }
            spend.append(&mut made);
            kept.push(first..spend.len());
        }
        (spend, kept)
    }

    /// Builds the ways of a line. There are none if its condition is false with the chosen options.
    fn spend_line(&mut self, line: &'d SpendLine, id: LineId) -> Vec<Spend> {
        self.check_one_way(line);
        if let Some(route) = line.route.as_ref().filter(|route| route.value == Route::Lap) {
            self.check_lap(route.span);
        }
        let goals = line.to.iter().map(|to| match self.goal(to, Scope::STEPS) {
            Goal::Place(place) => Route::To(place),
            Goal::Computed(program) | Goal::By(program) => Route::Computed(program),
        });
        let goals: Vec<Route> = goals.collect();
        let route = match line.along.as_slice() {
            [] => line.route.as_ref().map_or(Route::Ahead, |route| route.value),
            places => Route::Along(self.places(places)),
        };
        let route = match &line.bounce_at {
            Some(place) => self.bounce_at(route, place),
            None => route,
        };
        let routes = if goals.is_empty() { vec![route] } else { goals };
        let from = self.places(&line.from);
        let errors = self.report.errors();
        let steps = line.steps.as_ref().map(|expr| (self.typed(expr, ValueType::Number, Scope::STEPS), expr));
        if let Some((Term::Known(known), expr)) = steps.as_ref().filter(|(term, _)| !within_steps(term))
            && self.report.errors() == errors
        {
            let help = Some(number_within(1, MAX_STEP));
            self.report.error("bad-steps", expr.span, format!("a pawn cannot go {known} steps"), help);
        }
        let expr = line.when.as_ref();
        let when = self.condition(expr, Scope::SPEND);
        if when.known_truth() == Some(false) {
            return Vec::new();
        }
        let (open, when) = self.split(when, expr);
        let steps = steps.filter(|(term, _)| *term != Term::Ask(Op::Fact(Fact::Number)));
        let steps = steps.map(|(term, expr)| self.program(&term, expr.span));
        let exactly = NumberSet::of(line.exactly.iter().map(|number| Pips(number.value)));
        let duty = line.duty.as_ref().map_or(Duty::Ordinary, |duty| duty.value);
        let kinds = line.movers.iter().flat_map(|mover| line.with.iter().map(|with| (mover.value, with.value)));
        let ways = kinds.flat_map(|kind| routes.iter().map(move |&route| (kind, route)));
        let way =
            |((mover, with), route)| Spend { line: id, mover, from, with, exactly, route, steps, open, when, duty };
        ways.map(way).collect()
    }

    /// Reports a line that says in two ways where the pawn goes.
    fn check_one_way(&mut self, line: &SpendLine) {
        let to = line.to.first().map(|_| ("to", line.span));
        let along = line.along.first().map(|place| ("along", place.span));
        let route = line.route.as_ref().map(|route| ("route", route.span));
        if let [(first, _), (second, span), ..] = [to, along, route].into_iter().flatten().collect::<Vec<_>>()[..] {
            let message = format!("a line has either `{first}` or `{second}`");
            self.report.error("bad-route", span, message, Some("leave out one of them".to_owned()));
        }
    }

    /// Reports a `lap` route on a board that has no gate which sends pawns on another lap.
    fn check_lap(&mut self, route: Span) {
        let gate = self.document.board.gate.as_ref();
        let laps = gate.is_some_and(|gate| self.setting(&gate.closed, "value of `closed`") == Some(Closing::Lap));
        if !laps {
            let lap = Closing::Lap.word();
            let help = format!("give the board a `gate` with `closed: {lap}`, `lap_to` and, say, `open_when: yes`");
            self.report.error("bad-route", route, "no gate leads to another lap".to_owned(), Some(help));
        }
    }

    /// The route `bounce` with the place where its moves turn back. Reports an error if `route` is not `bounce`.
    fn bounce_at(&mut self, route: Route, place: &At<WordOr<Wall, String>>) -> Route {
        if !matches!(route, Route::Bounce(_)) {
            let message = "only a move that bounces turns back at a place".to_owned();
            let help = format!("add `route: {}`", Route::Bounce(Wall::Home).word());
            self.report.error("bad-route", place.span, message, Some(help));
            return route;
        }
        let label = match &place.value {
            WordOr::Word(wall) => {
                self.check_wall(*wall, place.span);
                return Route::Bounce(*wall);
            }
            WordOr::Other(label) => At { value: label.clone(), span: place.span },
        };
        let Some(wall) = self.one_place(&label) else { return route };
        if wall == PathPlace::OUT {
            let help = Some("name a place behind it".to_owned());
            let message = "no pawn turns back off the board".to_owned();
            self.report.error("bad-route", place.span, message, help);
        }
        Route::Bounce(if wall == self.path.home() { Wall::Home } else { Wall::Place(wall) })
    }

    /// Reports a wall of obstacles where nothing is an obstacle.
    fn check_wall(&mut self, wall: Wall, span: Span) {
        let is_refused = || self.document.passing.iter().any(|line| line.then.value.0 == Verdict::Refuse);
        if wall == Wall::Obstacle && !is_refused() {
            let help = Some("give `passing` a line with `then: refuse`".to_owned());
            self.report.error("bad-route", span, "no line of `passing` makes an obstacle".to_owned(), help);
        }
    }

    /// Splits a condition into a program that runs once for each decision, and a program that runs for each action.
    fn split(&mut self, when: Term, expr: Option<&Expr>) -> (Option<Program>, Option<Program>) {
        let mut open = Term::truth(true);
        let mut each = Term::truth(true);
        for part in when.conjuncts() {
            if part.asks_pawn() { each = each.and(part) } else { open = open.and(part) }
        }
        (self.asked(&open, expr), self.asked(&each, expr))
    }

    /// Builds the compulsions. `kept` has, for every spend line of the file, the range of its ways.
    pub(super) fn must(&mut self, ids: &LineNumbers, kept: &[Range<usize>]) -> Vec<Must> {
        let document = self.document;
        let mut musts = Vec::new();
        for (index, line) in document.must.iter().enumerate() {
            let names: Vec<&str> = document.spend.iter().map(|spend| spend.id.value.as_str()).collect();
            let mut actions: WaySet = 0;
            for action in &line.actions {
                let written = self.word(action, "spend line", &names);
                let ways = written.and_then(|written| kept.get(written).cloned()).unwrap_or_default();
                actions |= ways.fold(0, |actions, way| actions | 1 << way);
            }
            let within = line.within.as_ref().and_then(|within| self.setting(within, "reach of a compulsion"));
            let in_hand = within == Some(Within::Hand);
            let expr = line.when.as_ref();
            let when = self.condition(expr, Scope::SPEND);
            if actions == 0 || when.known_truth() == Some(false) {
                continue;
            }
            let (open, when) = self.split(when, expr);
            let least = self.least(line, in_hand);
            musts.push(Must { line: ids.of("must", index), actions, in_hand, open, when, least });
        }
        musts
    }

    /// The number of each action whose least value a compulsion asks for. Reports an error if the compulsion looks at
    /// the whole hand, where no single action comes first.
    fn least(&mut self, line: &'d MustLine, in_hand: bool) -> Option<Program> {
        let expr = line.least.as_ref()?;
        let number = self.typed(expr, ValueType::Number, Scope::SPEND);
        if in_hand {
            let message = "a compulsion over the whole hand has no least action".to_owned();
            let help = Some(format!("leave out `least`, or `within: {}`", Within::Hand.word()));
            self.report.error("bad-least", expr.span, message, help);
        }
        Some(self.program(&number, expr.span))
    }
}

fn within_steps(term: &Term) -> bool {
    match term {
        Term::Known(steps) => (1..=i64::from(MAX_STEP.0)).contains(steps),
        _ => true,
    }
}
