//! Laws of arenas: who waits, and who meets whom, in arenas that are played for many rounds.

use std::collections::BTreeMap;

use super::simulated::{Life, chance, result, sorted, tournament};
use crate::lots::Lots;
use crate::{
    ByeRule, EntrantId, Format, History, InRound, SeatResult, TableSize, Tournament, TournamentError, pair_free,
};

/// An arena that is being played, and what happened in it so far.
struct Arena {
    tournament: Tournament,
    history: History,
    /// The end of each game in play, with the indexes of its round and table.
    ends: Vec<(usize, [usize; 2])>,
    now: usize,
    chance: Lots,
    /// How many rounds each entrant has waited in a row.
    waits: BTreeMap<EntrantId, u32>,
    /// The most rounds that somebody waited in a row.
    longest_wait: u32,
    /// An entrant who does not come to any table.
    never_comes: Option<EntrantId>,
    /// How many rounds each two entrants were free at the same time.
    free_together: BTreeMap<[EntrantId; 2], u32>,
    /// How often the entrants of a table met at once again although there were at least four free entrants.
    at_once: usize,
}

impl Arena {
    fn new(entrants: u32, table: TableSize, seed: u64) -> Self {
        Self {
            tournament: tournament(entrants, Format::Arena { table, smaller_tables: false }, seed),
            history: History::default(),
            ends: Vec::new(),
            now: 0,
            chance: chance(seed),
            waits: BTreeMap::new(),
            longest_wait: 0,
            never_comes: None,
            free_together: BTreeMap::new(),
            at_once: 0,
        }
    }

    /// Pairs rounds until there are as many as this. A game lasts from 1 to `longest` moments.
    fn play(&mut self, rounds: usize, longest: usize) {
        while self.history.rounds.len() < rounds {
            let free = self.free();
            let round = pair_free(&self.tournament, &self.history, &free).unwrap();
            if !round.tables.is_empty() {
                self.note(&free, &round.tables.iter().map(|table| table.seats.clone()).collect::<Vec<_>>());
                for table in 0..round.tables.len() {
                    let length = 1 + self.chance.below(longest);
                    self.ends.push((self.now + length, [self.history.rounds.len(), table]));
                }
                self.history.add(&round);
            }
            self.now = self.ends.iter().map(|(end, _)| *end).min().expect("a game is in play");
            let (over, open) = std::mem::take(&mut self.ends).into_iter().partition(|(end, _)| *end == self.now);
            self.ends = open;
            self.end(over);
        }
        let rest = std::mem::take(&mut self.ends);
        self.end(rest);
    }

    fn end(&mut self, games: Vec<(usize, [usize; 2])>) {
        for (_, [round, table]) in games {
            let table = &mut self.history.rounds[round].tables[table];
            let mut places = result(table, Life::Calm, &mut self.chance);
            if let Some(away) = table.seats.iter().position(|entrant| Some(*entrant) == self.never_comes) {
                places = vec![SeatResult::played(1, 0); table.seats.len()];
                places[away] = SeatResult::no_show(table.seats.len());
            }
            table.result = Some(places);
        }
    }

    /// The entrants who are present and play no game.
    fn free(&self) -> Vec<EntrantId> {
        let number = self.history.next_round();
        let open = self.ends.iter().map(|(_, [round, table])| &self.history.rounds[*round].tables[*table]);
        let busy: Vec<EntrantId> = open.flat_map(|table| table.seats.iter().copied()).collect();
        let present = self.tournament.entrants.iter().map(|entrant| entrant.id);
        present.filter(|id| self.history.is_present(*id, number) && !busy.contains(id)).collect()
    }

    fn note(&mut self, free: &[EntrantId], tables: &[Vec<EntrantId>]) {
        let last = self.last_opponents();
        for (at, entrant) in free.iter().enumerate() {
            let waits = self.waits.entry(*entrant).or_default();
            *waits = if tables.iter().any(|seats| seats.contains(entrant)) { 0 } else { *waits + 1 };
            self.longest_wait = self.longest_wait.max(*waits);
            for other in &free[at + 1..] {
                *self.free_together.entry(sorted(*entrant, *other)).or_default() += 1;
            }
        }
        let again = tables.iter().filter(|seats| last.contains(&set(seats)) && free.len() >= 4);
        self.at_once += again.count();
    }

    /// The entrants of each table whose entrants have not played since.
    fn last_opponents(&self) -> Vec<Vec<EntrantId>> {
        let mut seen: Vec<EntrantId> = Vec::new();
        let mut last = Vec::new();
        for table in self.history.rounds.iter().rev().flat_map(|round| &round.tables) {
            if !table.seats.iter().any(|entrant| seen.contains(entrant)) {
                last.push(set(&table.seats));
            }
            seen.extend(&table.seats);
        }
        last
    }

    /// The number of games of each entrant, in the order of the list.
    fn games(&self) -> Vec<usize> {
        let all = || self.history.rounds.iter().flat_map(|round| &round.tables);
        let of = |entrant: EntrantId| all().filter(|table| table.seats.contains(&entrant)).count();
        self.tournament.entrants.iter().map(|entrant| of(entrant.id)).collect()
    }

    /// How often each two entrants have met.
    fn meetings(&self) -> BTreeMap<[EntrantId; 2], usize> {
        let ids: Vec<EntrantId> = self.tournament.entrants.iter().map(|entrant| entrant.id).collect();
        let pairs = ids.iter().enumerate().flat_map(|(at, a)| ids[at + 1..].iter().map(|b| sorted(*a, *b)));
        let mut met: BTreeMap<_, usize> = pairs.map(|pair| (pair, 0)).collect();
        for table in self.history.rounds.iter().flat_map(|round| &round.tables) {
            for (at, a) in table.seats.iter().enumerate() {
                for b in &table.seats[at + 1..] {
                    *met.get_mut(&sorted(*a, *b)).unwrap() += 1;
                }
            }
        }
        met
    }
}

/// The difference between the largest and the smallest of these numbers.
fn spread(numbers: &[usize]) -> usize {
    numbers.iter().max().unwrap() - numbers.iter().min().unwrap()
}

fn set(seats: &[EntrantId]) -> Vec<EntrantId> {
    let mut seats = seats.to_vec();
    seats.sort_unstable();
    seats
}

const TWO: TableSize = TableSize::Two;
const FOUR: TableSize = TableSize::Four;

#[test]
fn in_games_of_equal_length_all_play_equally_often_and_all_pairs_meet() {
    // The number of entrants, the table, the rounds, and the bounds: for the difference of games, and of meetings.
    for (entrants, table, rounds, games, meetings) in [
        (3, TWO, 17, 1, 1),
        (5, TWO, 11, 1, 1),
        (7, TWO, 10, 1, 1),
        (9, TWO, 60, 1, 2),
        (21, TWO, 60, 1, 2),
        (5, FOUR, 20, 1, 2),
        (6, FOUR, 9, 1, 2),
        (7, FOUR, 30, 1, 4),
        (11, FOUR, 30, 1, 5),
    ] {
        for seed in 0..10 {
            let mut arena = Arena::new(entrants, table, seed);
            arena.play(rounds, 1);
            let case = format!("{entrants} at {table:?}, {:?}, {:?}", arena.games(), arena.meetings());
            assert!(spread(&arena.games()) <= games, "{case}");
            let met: Vec<usize> = arena.meetings().into_values().collect();
            assert!(met.iter().all(|times| *times > 0) && spread(&met) <= meetings, "{case}");
            assert_eq!((arena.longest_wait, arena.at_once), (1, 0), "{case}");
        }
    }
}

#[test]
fn in_games_of_unequal_length_nobody_waits_twice_and_all_who_can_meet_do() {
    for (entrants, table, rounds, longest, games) in [
        (3, TWO, 60, 9, 1),
        (5, TWO, 100, 9, 4),
        (5, TWO, 100, 1000, 4),
        (7, TWO, 100, 9, 6),
        (7, TWO, 100, 1000, 6),
        (9, TWO, 200, 9, 8),
        (9, TWO, 200, 1000, 10),
        (6, FOUR, 60, 9, 1),
        (10, FOUR, 60, 9, 5),
        (10, FOUR, 60, 1000, 5),
    ] {
        for seed in 0..20 {
            let mut arena = Arena::new(entrants, table, seed);
            arena.play(rounds, longest);
            let case = format!("{entrants} at {table:?}, games of {longest}, {:?}, seed {seed}", arena.games());
            assert!(spread(&arena.games()) <= games, "{case}");
            assert_eq!(arena.longest_wait, 1, "{case}");
            assert!(table == FOUR || arena.at_once == 0, "{case}");
            for (pair, times) in arena.meetings() {
                let free = arena.free_together.get(&pair).copied().unwrap_or(0);
                assert!(times > 0 || free < 4, "{case}: {pair:?} were free together {free} times");
            }
        }
    }
}

#[test]
fn an_entrant_who_comes_late_or_comes_back_does_not_make_the_others_wait() {
    for seed in 0..10 {
        let mut arena = Arena::new(5, TWO, seed);
        arena.history.late_entries.push(InRound { entrant: EntrantId(5), round: 41 });
        arena.history.withdrawals.push(InRound { entrant: EntrantId(4), round: 11 });
        arena.history.returns.push(InRound { entrant: EntrantId(4), round: 41 });
        arena.play(40, 5);
        let before = arena.games();
        arena.play(100, 5);
        let since: Vec<usize> = arena.games().iter().zip(&before).map(|(after, before)| after - before).collect();
        assert!(spread(&since) <= 6, "{before:?}, and then {since:?}");
        assert_eq!(arena.longest_wait, 1);
    }
}

#[test]
fn an_entrant_who_never_comes_gets_no_more_tables_than_the_others() {
    let mut arena = Arena::new(5, TWO, 1);
    arena.never_comes = Some(EntrantId(3));
    arena.play(50, 1);
    let tables = arena.games();
    assert!(tables[2] <= 1 + *tables.iter().min().unwrap(), "{tables:?}");
}

#[test]
fn the_reasons_of_a_wait_count_earlier_waits() {
    let mut arena = Arena::new(3, TWO, 1);
    arena.play(9, 1);
    let round = pair_free(&arena.tournament, &arena.history, &arena.free()).unwrap();
    let wait = &round.byes[0];
    assert_eq!((wait.why.rule, wait.why.before), (ByeRule::Waits, 3));
    assert!(wait.why.to_string().ends_with("3 waits before"), "{}", wait.why);
    assert!(arena.history.rounds.iter().all(|round| round.byes.is_empty() && round.waits.len() == 1));
}

#[test]
fn only_free_entrants_who_are_present_are_paired_and_each_once() {
    let arena = Arena::new(9, TWO, 5);
    let mut history = arena.history;
    let pair_these = |history: &History, free: &[u32]| {
        pair_free(&arena.tournament, history, &free.iter().copied().map(EntrantId).collect::<Vec<_>>())
    };
    assert!(matches!(pair_these(&history, &[1, 1]), Err(TournamentError::TwiceInRound { .. })));
    history.withdrawals.push(InRound { entrant: EntrantId(2), round: 1 });
    assert_eq!(pair_these(&history, &[2]), Err(TournamentError::NotPresent(EntrantId(2))));
}
