//! Builds the seats, the order of turns, the partners, the course of a turn, and the end of the game.

use super::builder::Builder;
use super::findings::{meant, meant_for_table};
use super::scope::{Scope, ValueType};
use super::table_part::Input;
use crate::document::{DiceUse, Order, PlayersLine, PlayersSeats, TURN_CAP, WordOr};
use crate::language::number_within;
use crate::ruleset::{PlayableTable, TableProblem};
use crate::source::Text;
use crate::tables::{Finish, First, Reunite, SeatInfo, Turn};
use crate::texts::sentence;
use crate::units::{MAX_SEATS, Seat};

/// The names of colours, each with the colour in which it is painted.
const PAINTS: &str = include_str!("paints.txt");

/// The colours of seats for which the board declares none. A seat that is named like a colour has that one; the others
/// have the first that are left.
fn paints(names: &[Text]) -> Vec<&'static str> {
    let all = || PAINTS.lines().filter_map(|line| line.split_once(' '));
    let named = |name: &Text| all().find(|(word, _)| *word == name.value).map(|(_, paint)| paint);
    let own: Vec<Option<&str>> = names.iter().map(named).collect();
    let mut left = all().map(|(_, paint)| paint).filter(|paint| !own.contains(&Some(paint)));
    own.iter().map(|own| own.or_else(|| left.next()).unwrap_or_default()).collect()
}

/// The order of the playing seats, their neighbours and partners.
#[derive(Debug, Default)]
pub(crate) struct Seats {
    pub next: [Seat; MAX_SEATS],
    pub right: [Seat; MAX_SEATS],
    pub partner: [Seat; MAX_SEATS],
    pub colours: Vec<Seat>,
    pub player: [Seat; MAX_SEATS],
    pub shares: bool,
    pub friends: [u8; MAX_SEATS],
}

impl<'d> Builder<'d> {
    /// Lists the seats of the board with their names and colours.
    pub(super) fn seat_infos(&self) -> Vec<SeatInfo> {
        let board = &self.document.board;
        let declared = board.paints.iter().map(|paint| paint.value.as_str());
        let paints = declared.chain(paints(&board.seats).into_iter().skip(board.paints.len()));
        let seats = board.seats.iter().zip(paints);
        seats.map(|(seat, paint)| SeatInfo { name: seat.value.clone(), paint: paint.to_owned() }).collect()
    }

    /// Lists the combinations of seats that can play with the chosen options. The last one is the full table.
    ///
    /// `Err(n)` stands for all combinations of `n` seats.
    pub(super) fn tables(&mut self) -> Vec<Result<Vec<Seat>, u8>> {
        let document = self.document;
        let mut tables = Vec::new();
        for line in &document.players {
            let seats = self.players_of(line);
            if self.decided(line.when.as_ref()) {
                tables.extend(seats);
            }
        }
        if document.players.is_empty() {
            tables.push(Ok((0..document.board.seats.len() as u8).map(Seat).collect()));
        }
        tables
    }

    /// Lists every group of seats that can play with the chosen options, with its teams. The last group is the full
    /// table.
    pub(super) fn playable_tables(&mut self) -> Vec<PlayableTable> {
        let count = self.document.board.seats.len().min(MAX_SEATS) as u8;
        let mut groups: Vec<Vec<Seat>> = Vec::new();
        for table in self.tables() {
            let these = match table {
                Ok(seats) => vec![seats],
                Err(any) => groups_of(count, any),
            };
            groups.retain(|group| !these.contains(group));
            groups.extend(these);
        }
        groups.into_iter().map(|group| self.playable_table(&group)).collect()
    }

    fn playable_table(&mut self, players: &[Seat]) -> PlayableTable {
        self.players = Some(players.len() as u8);
        let teams = self.teams(players);
        let seats = self.seats(players, teams);
        let partner = seats.partner;
        let name = |seat: &Seat| self.document.board.seats[seat.index()].value.clone();
        let pairs = players.iter().map(|&seat| (seat, partner[seat.index()]));
        let colours = |player: Seat| {
            let colours = seats.colours.iter().filter(|seat| seats.player[seat.index()] == player);
            let mut colours: Vec<&Seat> = colours.collect();
            colours.sort_by_key(|&&seat| seat != player);
            colours.into_iter().map(name).collect::<Vec<_>>()
        };
        PlayableTable {
            players: players.iter().map(name).collect(),
            teams: pairs
                .filter(|(seat, other)| seat < other)
                .map(|(seat, other)| vec![name(&seat), name(&other)])
                .collect(),
            colours: if seats.shares { players.iter().map(|&player| colours(player)).collect() } else { Vec::new() },
        }
    }

    fn players_of(&mut self, line: &'d PlayersLine) -> Option<Result<Vec<Seat>, u8>> {
        let seats_of_board = &self.document.board.seats;
        match &line.seats {
            PlayersSeats::Colours(players) => {
                self.seats_named(&players.concat());
                Some(Ok(self.first_of_each(players)))
            }
            PlayersSeats::Any(any) if usize::from(any.value) <= seats_of_board.len() => Some(Err(any.value)),
            PlayersSeats::Any(any) => {
                let message = format!("`any` is {} seats, but the board has {}", any.value, seats_of_board.len());
                self.report.error("seat-count", any.span, message, Some(number_within(2, seats_of_board.len())));
                None
            }
            PlayersSeats::These(names) => Some(Ok(self.seats_named(names))),
        }
    }

    pub(super) fn seat_of(&self, name: &Text) -> Option<Seat> {
        let index = self.document.board.seats.iter().position(|seat| seat.value == name.value)?;
        Some(Seat(index as u8))
    }

    /// The seats with these names, in the order of travel. Reports unknown names, and names that are named a second time.
    fn seats_named(&mut self, names: &[Text]) -> Vec<Seat> {
        let mut seats = Vec::new();
        for name in names {
            match self.seat_of(name) {
                Some(seat) if !seats.contains(&seat) => seats.push(seat),
                Some(_) => {
                    let message = format!("`{}` is named a second time", name.value);
                    self.report.error("seat-count", name.span, message, None);
                }
                None => {
                    let seats_of_board = &self.document.board.seats;
                    let help = meant(&name.value, seats_of_board.iter().map(|seat| seat.value.as_str()));
                    let message = format!("no seat is called `{}`", name.value);
                    self.report.error("unknown-seat", name.span, message, help);
                }
            }
        }
        seats.sort();
        seats
    }

    /// Finds the seats with these names, or those of the full table. Reports seats that cannot play together.
    pub(super) fn choose_seats(&mut self, asked: Option<&[String]>) -> Result<Vec<Seat>, Vec<TableProblem>> {
        let seats_of_board = &self.document.board.seats;
        let tables = self.tables();
        let problem = |code, message, help| TableProblem { code, field: "players".to_owned(), message, help };
        let Some(names) = asked else {
            return match tables.into_iter().next_back() {
                Some(Ok(seats)) => Ok(seats),
                Some(Err(any)) => Ok((0..any).map(Seat).collect()),
                None => {
                    let message = sentence!("the rule set has no table with these options");
                    Err(vec![problem("seats-not-playable", message, None)])
                }
            };
        };
        let mut seats = Vec::new();
        let mut problems = Vec::new();
        for name in names {
            match seats_of_board.iter().position(|seat| seat.value == *name) {
                Some(index) => seats.push(Seat(index as u8)),
                None => {
                    let help = meant_for_table(name, seats_of_board.iter().map(|seat| seat.value.as_str()));
                    let message = sentence!("no seat is called `{seat}`", seat = name.as_str());
                    problems.push(problem("unknown-seat", message, help));
                }
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        let count = seats.len();
        seats.sort();
        seats.dedup();
        if let Some(players) = self.players_with_colours(&seats) {
            return Ok(players);
        }
        let fits = |table: &Result<Vec<Seat>, u8>| match table {
            Ok(table) => *table == seats,
            Err(any) => seats.len() == *any as usize,
        };
        if seats.len() == count && tables.iter().any(fits) {
            return Ok(seats);
        }
        let name = |seat: &Seat| seats_of_board[seat.index()].value.as_str();
        let named = tables.iter().flatten().map(|seats| seats.iter().map(name).collect::<Vec<_>>().join(" "));
        let named: Vec<String> = named.collect();
        let counts: Vec<String> = tables.iter().filter_map(|table| table.as_ref().err()).map(u8::to_string).collect();
        let counts = counts.join(", ");
        let help = match (named.is_empty(), counts.is_empty()) {
            (_, true) => sentence!("one of: {tables}", tables = named),
            (true, false) => sentence!("any seats, as many as {counts}", counts = counts.as_str()),
            (false, false) => {
                let counts = counts.as_str();
                sentence!("one of: {tables}; or any seats, as many as {counts}", tables = named, counts = counts)
            }
        };
        let message = sentence!("{seats} do not make a table with these options", seats = names.to_vec());
        Err(vec![problem("seats-not-playable", message, Some(help))])
    }

    /// Whether opposite seats are a team. Where a player has several colours, nobody has a partner.
    pub(super) fn teams(&mut self, players: &[Seat]) -> bool {
        let Some(when) = self.document.teams.as_ref().map(|teams| &teams.opposite) else { return false };
        let teams = self.decided(Some(when));
        let count = self.document.board.seats.len().clamp(1, MAX_SEATS);
        if teams && (count < 4 || count % 2 == 1) {
            let help = Some("opposite seats can be a team on a board of four, six or eight seats".to_owned());
            self.report.error("no-opposite-seats", when.span, format!("a board of {count} seats has no teams"), help);
        }
        teams && !self.shares(players)
    }

    /// Computes the order of turns, the neighbours and the partners of the playing seats.
    pub(super) fn seats(&mut self, players: &[Seat], teams: bool) -> Seats {
        self.inputs.insert(Input::Players);
        let document = self.document;
        let count = document.board.seats.len().clamp(1, MAX_SEATS) as u8;
        let mut seats = Seats::default();
        let order = document.turn.order.as_ref().and_then(|order| self.setting(order, "order of turns"));
        let backward = order == Some(Order::Backward);
        for index in 0..count {
            let following = |step: u8| {
                let later = (1..=count).map(|distance| Seat((index + distance * step) % count));
                later.into_iter().find(|seat| players.contains(seat)).unwrap_or(Seat(index))
            };
            seats.right[index as usize] = following(1);
            seats.next[index as usize] = if backward { following(count - 1) } else { following(1) };
            let opposite = Seat((index + count / 2) % count);
            let paired = teams && players.contains(&opposite) && players.contains(&Seat(index));
            seats.partner[index as usize] = if paired { opposite } else { Seat(index) };
        }
        for index in count..MAX_SEATS as u8 {
            let first = players.first().copied().unwrap_or_default();
            (seats.right[index as usize], seats.next[index as usize]) = (first, first);
            seats.partner[index as usize] = Seat(index);
        }
        let player_of = self.player_of_each(players);
        let is_alike = |one: usize, other: usize| {
            player_of[one].is_some() && player_of[one] == player_of[other] || seats.partner[one].index() == other
        };
        let friends = |one: usize| {
            (0..MAX_SEATS).filter(|&other| other != one && is_alike(one, other)).fold(0, |all, other| all | 1 << other)
        };
        seats.friends = std::array::from_fn(friends);
        seats.player = std::array::from_fn(|seat| player_of[seat].unwrap_or(Seat(seat as u8)));
        seats.colours = (0..MAX_SEATS as u8).map(Seat).filter(|seat| player_of[seat.index()].is_some()).collect();
        seats.shares = seats.colours.len() > players.len();
        seats
    }

    /// Finds the seat that begins. If that seat does not play, the first playing seat begins.
    pub(super) fn first(&mut self, players: &[Seat]) -> First {
        self.inputs.insert(Input::Players);
        let document = self.document;
        let seats: Vec<&str> = document.board.seats.iter().map(|seat| seat.value.as_str()).collect();
        match self.name_or_word(&document.turn.first, "way to begin", &seats) {
            Some(WordOr::Word(first)) => first,
            Some(WordOr::Other(index)) if players.contains(&Seat(index as u8)) => First::Seat(Seat(index as u8)),
            _ => First::Seat(players.first().copied().unwrap_or_default()),
        }
    }

    /// Builds the settings for the course of a turn.
    pub(super) fn turn(&mut self, shares: bool) -> Turn {
        let turn = &self.document.turn;
        let reunite = turn.reunite.as_ref().and_then(|reunite| self.setting(reunite, "scope of `reunite`"));
        let once_per_throw = turn.once_per_throw.is_some() && self.decided(turn.once_per_throw.as_ref());
        if let Some(written) = turn.reunite.as_ref().filter(|_| reunite.is_some_and(|scope| scope != Reunite::Free)) {
            self.refuse_with_colours(shares, "`reunite`", written.span);
        }
        if let Some(written) = turn.once_per_throw.as_ref().filter(|_| once_per_throw) {
            self.refuse_with_colours(shares, "`once_per_throw`", written.span);
        }
        Turn {
            most: self.setting(&turn.use_dice, "way to use the dice") != Some(DiceUse::Any),
            once_per_throw,
            reunite: reunite.unwrap_or(Reunite::Free),
            may_pass: turn.may_pass.is_some() && self.decided(turn.may_pass.as_ref()),
            cap: turn.turn_cap.as_ref().map_or(TURN_CAP, |cap| cap.value),
        }
    }

    /// Builds the settings for the end of the game.
    pub(super) fn finish(&mut self) -> Finish {
        let finish = &self.document.finish;
        let play_on = self.setting(&finish.play_on, "answer to `play_on`") != Some(false);
        let [help, stays] = [&finish.help, &finish.stays].map(|when| {
            let expr = when.as_ref()?;
            let term = self.condition(Some(expr), Scope::SEAT);
            (term.known_truth() != Some(false)).then(|| self.program(&term, expr.span))
        });
        let when = finish.when.as_ref().map(|expr| {
            let term = self.condition(Some(expr), Scope::SEAT);
            self.program(&term, expr.span)
        });
        let score = finish.score.as_ref().map(|expr| {
            let term = self.typed(expr, ValueType::Number, Scope::SEAT);
            self.program(&term, expr.span)
        });
        let ranks = finish.ranks.iter().map(|rank| rank.value.clone()).collect();
        Finish { when, score, play_on, ends_turn: finish.ends_turn, help, stays, ranks }
    }
}

/// Lists every group of `size` seats out of `count` seats. The group of the first `size` seats comes last.
fn groups_of(count: u8, size: u8) -> Vec<Vec<Seat>> {
    let members = |group: u16| (0..count).filter(move |seat| group >> seat & 1 == 1).map(Seat).collect::<Vec<_>>();
    let groups = (1u16..1 << count).filter(|group| group.count_ones() == u32::from(size));
    groups.rev().map(members).collect()
}
