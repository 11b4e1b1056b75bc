//! Finds comparisons that always hold, and those that never do: their sides are the same, or are numbers from ranges
//! that do not meet.

use std::collections::BTreeSet;

use super::builder::Builder;
use super::fixed::{Fixed, add};
use super::term::Term;
use crate::document::{Binary, DiceSection, Expr, Node, PlayersLine, PlayersSeats, Unary};
use crate::language::number_within;
use crate::source::Span;
use crate::tables::{Crowd, Fact, Op, PawnsOf, Whose};

/// The least and the greatest value of a term.
type TermRange = (i64, i64);

/// The greatest value of a count of one seat's pawns on a square. Expressions see this number for higher counts, too.
const MOST_OF_A_SEAT: i64 = 3;

impl Builder<'_> {
    /// Notes a comparison by `=`, `<` or `<=`. `is_negated`: the file has the opposite sign.
    pub(super) fn compare(&mut self, span: Span, op: Op, (a, b): (&Term, &Term), is_negated: bool) {
        let found = match self.are_same(a, b) {
            Some(why) => Some((op != Op::Lt, why)),
            None => self.apart(op, a, b),
        };
        let found = found.map(|(holds, why)| Fixed { holds: holds != is_negated, why });
        add(&mut self.comparisons, span, found);
    }

    /// Notes a comparison of two expressions that are computed already. It is the same in every game if they consist
    /// of numbers, and of `players` where that makes no difference. `compared` compares their values.
    pub(super) fn compare_known(&mut self, span: Span, sides: [&Expr; 2], compared: &dyn Fn(i64, i64) -> bool) {
        let compare = |&players: &i64| {
            let [a, b] = sides.map(|side| fixed_number(side, players));
            Some(compared(a?, b?))
        };
        let Some(results) = self.table_sizes().iter().map(compare).collect::<Option<Vec<bool>>>() else { return };
        let names_players = sides.iter().any(|side| fixed_number(side, 0) != fixed_number(side, 1));
        // A variant inherits conditions for tables that it takes away.
        if names_players && span.file > 0 {
            return;
        }
        let is_same = results.iter().all(|holds| *holds == results[0]);
        let why = match names_players {
            true => format!("`players` is {} at every table", list_text(&self.table_sizes())),
            false => "both sides are fixed numbers".to_owned(),
        };
        add(&mut self.comparisons, span, is_same.then(|| Fixed { holds: results[0], why }));
    }

    /// The numbers of players of all tables of the file, in ascending order. At least one.
    fn table_sizes(&self) -> Vec<i64> {
        let size = |line: &PlayersLine| match &line.seats {
            PlayersSeats::Any(any) => any.value.into(),
            PlayersSeats::These(names) => names.len() as i64,
            PlayersSeats::Colours(players) => players.len() as i64,
        };
        let sizes: BTreeSet<i64> = self.document.players.iter().map(size).collect();
        if sizes.is_empty() { vec![self.document.board.seats.len() as i64] } else { sizes.into_iter().collect() }
    }

    /// Notes that a number is looked for in a list.
    pub(super) fn compare_with_items(&mut self, span: Span, term: &Term, items: &[i64]) {
        let Some(range) = self.range(term).filter(|_| !matches!(term, Term::Known(_))) else { return };
        let is_apart = items.iter().all(|item| !(range.0..=range.1).contains(item));
        let why = || format!("the number before `in` is {}", range_text(range));
        add(&mut self.comparisons, span, is_apart.then(|| Fixed { holds: false, why: why() }));
    }

    /// The reason why both sides of a comparison have the same value, in words. `None` if they may differ.
    fn are_same(&self, a: &Term, b: &Term) -> Option<String> {
        let is_place = |term: &Term| matches!(term, Term::Ask(Op::Fact(Fact::From | Fact::To)));
        if a == b {
            Some("both sides are the same".to_owned())
        } else if self.is_choosing && is_place(a) && is_place(b) {
            Some("`from` and `to` are both the place where the pawn in question stands".to_owned())
        } else {
            None
        }
    }

    /// The result of a comparison and the reason in words, if its sides are numbers from ranges that do not meet.
    fn apart(&self, op: Op, a: &Term, b: &Term) -> Option<(bool, String)> {
        let (first, second) = (self.range(a)?, self.range(b)?);
        let holds = match op {
            Op::Eq if first.1 < second.0 || second.1 < first.0 => false,
            Op::Lt if first.1 < second.0 => true,
            Op::Lt if first.0 >= second.1 => false,
            Op::Le if first.1 <= second.0 => true,
            Op::Le if first.0 > second.1 => false,
            _ => return None,
        };
        Some((holds, format!("it compares {} with {}", range_text(first), range_text(second))))
    }

    /// The range of a term that is a number. `None` if the range is unknown, or if the term is a place.
    pub(super) fn range(&self, term: &Term) -> Option<TermRange> {
        match term {
            Term::Known(value) => Some((*value, *value)),
            Term::Ask(op) => self.asked_range(*op),
            Term::One(Op::Half, inner) => self.range(inner).map(|(least, most)| (least >> 1, most >> 1)),
            Term::One(Op::CountAt(crowd), _) => Some((0, self.most_there(*crowd))),
            Term::Two(Op::Add, a, b) => {
                let (a, b) = (self.range(a)?, self.range(b)?);
                Some((a.0.saturating_add(b.0), a.1.saturating_add(b.1)))
            }
            Term::Two(Op::Sub, a, b) => {
                let (a, b) = (self.range(a)?, self.range(b)?);
                Some((a.0.saturating_sub(b.1), a.1.saturating_sub(b.0)))
            }
            Term::Two(Op::Mul, a, b) => {
                let (a, b) = (self.range(a)?, self.range(b)?);
                let products = [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)].map(|(a, b)| a.saturating_mul(b));
                let range = (*products.iter().min()?, *products.iter().max()?);
                // Beyond, the numbers of a game no longer hold the product.
                Some(range).filter(|(least, most)| i32::try_from(*least).is_ok() && i32::try_from(*most).is_ok())
            }
            Term::Pick(parts) => {
                let (then, other) = (self.range(&parts[1])?, self.range(&parts[2])?);
                Some((then.0.min(other.0), then.1.max(other.1)))
            }
            _ => None,
        }
    }

    fn asked_range(&self, op: Op) -> Option<TermRange> {
        let document = self.document;
        let pawns = self.most_pawns();
        let range = match op {
            Op::Counter(whose, index) => {
                let counters = if whose == Whose::Game { document.game_counters() } else { document.seat_counters() };
                let (from, to) = counters.get(usize::from(index))?.range.as_ref()?;
                (from.value, to.value)
            }
            Op::Pawns(counted, _) | Op::PawnsWhere(counted, _) => (0, self.seats_of(counted) * pawns),
            Op::Pairs(counted, places) => (0, self.seats_of(counted) * (pawns / 2).min(places.count_ones().into())),
            Op::Fact(Fact::OwnThere) => (0, self.most_there(Crowd::Own)),
            Op::Fact(Fact::EnemiesThere) => (0, self.most_there(Crowd::Enemies)),
            Op::Fact(Fact::PawnsThere) => (0, self.most_there(Crowd::All)),
            Op::Fact(Fact::Group | Fact::GroupThere) => (0, pawns),
            Op::Fact(Fact::Victims) => (0, self.seats_of(PawnsOf::Enemies) * pawns),
            Op::Fact(Fact::SeatNumber) => (1, document.board.seats.len() as i64),
            Op::Fact(Fact::Total) => self.thrown().map(|(count, least, most)| (count * least, count * most))?,
            Op::Face(_) => self.thrown().map(|(_, least, most)| (least, most))?,
            _ => return None,
        };
        Some(range)
    }

    /// The greatest number of pawns of a seat, whatever the options.
    fn most_pawns(&self) -> i64 {
        let part = &self.document.pawns;
        let written = part.start.iter().map(|line| line.pawns.len() as i64);
        written.fold(part.each.value.into(), i64::max)
    }

    /// The greatest number of seats whose pawns are counted: of a player with several colours, all of them may be.
    fn seats_of(&self, counted: PawnsOf) -> i64 {
        if counted == PawnsOf::Enemies {
            return self.document.board.seats.len() as i64 - 1;
        }
        let colours = |line: &PlayersLine| match &line.seats {
            PlayersSeats::Colours(players) => players.iter().map(Vec::len).max().unwrap_or(1) as i64,
            PlayersSeats::Any(_) | PlayersSeats::These(_) => 1,
        };
        self.document.players.iter().map(colours).max().unwrap_or(1)
    }

    /// The greatest number that a count of the pawns on one square can have.
    fn most_there(&self, crowd: Crowd) -> i64 {
        let seats = self.document.board.seats.len() as i64;
        let seats = match crowd {
            Crowd::Own => 1,
            Crowd::Enemies => seats - 1,
            Crowd::All => seats,
        };
        seats * MOST_OF_A_SEAT.min(self.most_pawns())
    }

    /// The number of dice of a throw, and the least and the greatest face. Lots count as one die that shows their
    /// value.
    fn thrown(&self) -> Option<(i64, i64, i64)> {
        let (count, faces) = match &self.document.dice {
            DiceSection::Dice { count, faces, .. } => (count.value.into(), faces),
            DiceSection::Lots { values, .. } => (1, values),
        };
        let faces = || faces.iter().map(|face| i64::from(face.value));
        Some((count, faces().min()?, faces().max()?))
    }
}

/// The value of an expression of numbers and `players`. `None` if the expression has anything else.
fn fixed_number(expr: &Expr, players: i64) -> Option<i64> {
    match &expr.node {
        Node::Number(value) => Some(*value),
        Node::Name(None, name) if name == "players" => Some(players),
        Node::Unary(Unary::Minus, inner) => fixed_number(inner, players)?.checked_neg(),
        Node::Binary(op, a, b) => {
            let (a, b) = (fixed_number(a, players)?, fixed_number(b, players)?);
            match op {
                Binary::Add => a.checked_add(b),
                Binary::Sub => a.checked_sub(b),
                Binary::Mul => a.checked_mul(b),
                Binary::Div => a.checked_div_euclid(b),
                Binary::Rem => a.checked_rem_euclid(b),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Numbers in words: `2, 3 or 4`.
fn list_text(numbers: &[i64]) -> String {
    let texts: Vec<String> = numbers.iter().map(i64::to_string).collect();
    match texts.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => texts.concat(),
    }
}

fn range_text((least, most): TermRange) -> String {
    if least == most { least.to_string() } else { number_within(least, most) }
}
