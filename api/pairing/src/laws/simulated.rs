//! Tournaments with random results, and the facts of their histories, computed without `facts.rs`.

use std::collections::BTreeMap;

use crate::lots::Lots;
use crate::{
    Entrant, EntrantId, Format, History, InRound, Playable, PlayedTable, Points, Round, Score, SeatResult, Seeding,
    TableSize, TieBreak, Tournament, TournamentSeed, pair,
};

/// The events of a simulated tournament, apart from its games.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Life {
    /// Everybody plays every round.
    Calm,
    /// Late entries, absences, withdrawals and no-shows.
    Eventful,
}

pub(super) const ALL_TIE_BREAKS: [TieBreak; 7] = [
    TieBreak::Buchholz,
    TieBreak::BuchholzCut1,
    TieBreak::SonnebornBerger,
    TieBreak::DirectMeeting,
    TieBreak::Wins,
    TieBreak::ScoreDifference,
    TieBreak::Lots,
];

pub(super) fn swiss(table: TableSize, smaller_tables: bool, rounds: u32) -> Format {
    Format::Swiss { table, smaller_tables, rounds }
}

pub(super) fn tournament(entrants: u32, format: Format, seed: u64) -> Tournament {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    Tournament {
        entrants: (1..=entrants).map(Entrant::alone).collect(),
        format,
        playable: Playable::new(|_| true),
        seeding: Seeding::AsListed,
        points: Points::default(),
        tie_breaks: ALL_TIE_BREAKS.to_vec(),
        seed: TournamentSeed(bytes),
    }
}

/// The random numbers of a test, independent of the lots of the tournament.
pub(super) fn chance(seed: u64) -> Lots {
    Lots::new(TournamentSeed([7; 32]), seed)
}

/// Plays a tournament to its end. `see` gets the history before each round, and the round.
pub(super) fn play(
    tournament: &Tournament,
    life: Life,
    chance: &mut Lots,
    mut see: impl FnMut(&History, &Round),
) -> History {
    let mut history = History::default();
    let count = tournament.entrants.len();
    if life == Life::Eventful {
        for entrant in tournament.entrants.iter().skip(2).map(|entrant| entrant.id) {
            let round = 1 + chance.below(5);
            match chance.below(12) {
                0 => history.late_entries.push(InRound { entrant, round: round + 1 }),
                1 => history.absences.push(InRound { entrant, round }),
                2 => history.withdrawals.push(InRound { entrant, round: round + 1 }),
                _ => {}
            }
        }
    }
    while let Some(round) = pair(tournament, &history).unwrap() {
        see(&history, &round);
        history.add(&round);
        let last = history.rounds.last_mut().unwrap();
        for table in &mut last.tables {
            table.result = Some(result(table, life, chance));
        }
        assert!(history.rounds.len() <= 8 * count + 8, "the tournament does not end");
    }
    history
}

/// A random result, with ties, and with no-shows if `life` has them.
pub(super) fn result(table: &PlayedTable, life: Life, chance: &mut Lots) -> Vec<SeatResult> {
    let mut strength = |_: &EntrantId| {
        let no_show = life == Life::Eventful && chance.below(25) == 0;
        let range = if chance.below(3) == 0 { 3 } else { 99 };
        (no_show, chance.below(range))
    };
    let strength: Vec<(bool, usize)> = table.seats.iter().map(&mut strength).collect();
    let results = strength.iter().map(|(is_away, own)| {
        let is_better = |(away, other): &&(bool, usize)| !away && (*is_away || other > own);
        let place = 1 + strength.iter().filter(is_better).count();
        if *is_away { SeatResult::no_show(place) } else { SeatResult::played(place, i64::try_from(*own).unwrap()) }
    });
    results.collect()
}

/// The facts of a history, computed without `facts.rs`.
#[derive(Default)]
pub(super) struct Read {
    pub(super) met: BTreeMap<[EntrantId; 2], u64>,
    pub(super) byes: BTreeMap<EntrantId, u64>,
    pub(super) points: BTreeMap<EntrantId, Score>,
    pub(super) begun: BTreeMap<EntrantId, i64>,
    pub(super) played: BTreeMap<EntrantId, i64>,
}

pub(super) fn sorted(a: EntrantId, b: EntrantId) -> [EntrantId; 2] {
    [a.min(b), a.max(b)]
}

/// Reads a history whose entrants have the default points.
pub(super) fn read(history: &History) -> Read {
    let mut read = Read::default();
    for (number, round) in (1..).zip(&history.rounds) {
        let absent = |entrant: &EntrantId| history.absences.contains(&InRound { entrant: *entrant, round: number });
        assert!(!round.byes.iter().any(absent));
        for entrant in &round.byes {
            *read.byes.entry(*entrant).or_default() += 1;
            *read.points.entry(*entrant).or_default() += Score::points(6);
        }
        for table in &round.tables {
            let result = table.result.as_ref().unwrap();
            let came: Vec<usize> = (0..result.len()).filter(|seat| !result[*seat].no_show).collect();
            for seat in &came {
                let beaten = result.iter().filter(|other| other.place > result[*seat].place).count();
                let beside = result.iter().filter(|other| other.place == result[*seat].place).count() - 1;
                // The points of the places differ by even steps. So each opponent below the entrant is worth one step,
                // and each opponent who shares the place half a step.
                let step = Score::points(6).parts() / i64::try_from(result.len() - 1).unwrap();
                let parts = step * i64::try_from(2 * beaten + beside).unwrap() / 2;
                *read.points.entry(table.seats[*seat]).or_default() += Score::from_parts(parts);
                if came.len() == 1 {
                    *read.byes.entry(table.seats[*seat]).or_default() += 1;
                    continue;
                }
                *read.played.entry(table.seats[*seat]).or_default() += 1;
                if *seat == came[0] {
                    *read.begun.entry(table.seats[*seat]).or_default() += 1;
                }
                for other in came.iter().filter(|other| *other > seat) {
                    *read.met.entry(sorted(table.seats[*seat], table.seats[*other])).or_default() += 1;
                }
            }
        }
    }
    read
}

impl Read {
    pub(super) fn met(&self, a: EntrantId, b: EntrantId) -> u64 {
        self.met.get(&sorted(a, b)).copied().unwrap_or(0)
    }

    pub(super) fn byes(&self, entrant: EntrantId) -> u64 {
        self.byes.get(&entrant).copied().unwrap_or(0)
    }

    pub(super) fn points(&self, entrant: EntrantId) -> Score {
        self.points.get(&entrant).copied().unwrap_or_default()
    }

    /// Twice the difference between the number of games that an entrant has begun and half of the entrant's games.
    pub(super) fn imbalance(&self, entrant: EntrantId) -> i64 {
        let count = |counts: &BTreeMap<EntrantId, i64>| counts.get(&entrant).copied().unwrap_or(0);
        2 * count(&self.begun) - count(&self.played)
    }
}

/// The entrants whom a round has to pair, read from the history.
pub(super) fn present(tournament: &Tournament, history: &History) -> Vec<EntrantId> {
    let number = history.next_round();
    let in_round = |list: &[InRound], entrant: EntrantId, holds: fn(usize, usize) -> bool| {
        list.iter().any(|entry| entry.entrant == entrant && holds(entry.round, number))
    };
    let is_present = |entrant: &EntrantId| {
        !in_round(&history.late_entries, *entrant, |entered, number| entered > number)
            && !in_round(&history.absences, *entrant, |absent, number| absent == number)
            && !in_round(&history.withdrawals, *entrant, |left, number| left <= number)
    };
    tournament.entrants.iter().map(|entrant| entrant.id).filter(is_present).collect()
}

/// Checks the laws that hold for every round: each entrant who is present appears once, the reasons agree with the
/// history, and a second call gives the same pairing.
pub(super) fn check_round(tournament: &Tournament, history: &History, round: &Round) {
    let tables = round.tables.iter().flat_map(|table| table.seats.iter().copied());
    let mut seen: Vec<EntrantId> = tables.chain(round.byes.iter().map(|bye| bye.entrant)).collect();
    seen.sort_unstable();
    assert_eq!(seen, present(tournament, history));
    assert_eq!(pair(tournament, history).unwrap().as_ref(), Some(round));
    let read = read(history);
    for table in &round.tables {
        let explained: Vec<EntrantId> = table.why.seats.iter().map(|seat| seat.entrant).collect();
        assert_eq!(explained, table.seats);
        assert!(table.why.to_string().contains("begins"), "{}", table.why);
        for why in &table.why.seats {
            assert_eq!(why.score, read.points(why.entrant));
            assert!(why.avoided.iter().all(|other| read.met(why.entrant, *other) > 0 && !table.seats.contains(other)));
        }
        let again: u64 = table.why.meetings.iter().map(|meeting| u64::from(meeting.before)).sum();
        assert_eq!(again, meetings(&read, &table.seats));
    }
    for bye in &round.byes {
        assert_eq!(bye.why.score, read.points(bye.entrant));
        assert_eq!(u64::from(bye.why.before), read.byes(bye.entrant));
    }
}

/// The number of earlier meetings of all pairs at a table.
pub(super) fn meetings(read: &Read, seats: &[EntrantId]) -> u64 {
    let pairs = seats.iter().enumerate().flat_map(|(at, a)| seats[at + 1..].iter().map(move |b| (*a, *b)));
    pairs.map(|(a, b)| read.met(a, b)).sum()
}
