//! Laws of all formats while entrants come late, are absent, withdraw or do not come to their tables.

use std::collections::{BTreeMap, BTreeSet};

use super::simulated::{Life, chance, result, swiss, tournament};
use crate::lots::Lots;
use crate::{
    EntrantId, Format, History, InRound, KnockOut, Playable, Round, TableSize, Tournament, pair, pair_free, standings,
};

const DUELS: KnockOut = KnockOut::Duels { best_of: 1, third_place: true };

const ARENA_ROUNDS: usize = 6;

/// The sizes of tables for which most rule sets have tables.
const ALL: &[usize] = &[2, 3, 4];

/// A format with the number of tournaments to play, the smallest and the largest number of entrants, and the sizes of
/// sizes that the rule set has.
struct Case {
    format: Format,
    tournaments: u32,
    entrants: [u32; 2],
    sizes: &'static [usize],
}

fn case(format: Format, tournaments: u32, entrants: [u32; 2]) -> Case {
    Case { format, tournaments, entrants, sizes: ALL }
}

/// A case for rule sets without tables of three: with tables of two and four, or for four only.
fn without_threes(sizes: &'static [usize], format: Format, entrants: [u32; 2]) -> Case {
    Case { sizes, ..case(format, 40, entrants) }
}

fn groups(groups: u32, table: TableSize, then: KnockOut) -> Format {
    Format::Groups { groups, table, cycles: 1, advance: 2, then }
}

fn cases() -> Vec<Case> {
    let round_robin = |table, cycles| Format::RoundRobin { table, cycles };
    let arena = |table, smaller_tables| Format::Arena { table, smaller_tables };
    vec![
        case(swiss(TableSize::Two, false, 6), 400, [2, 24]),
        case(swiss(TableSize::Three, true, 4), 100, [3, 16]),
        case(swiss(TableSize::Four, true, 4), 100, [4, 16]),
        case(Format::KnockOut(DUELS), 500, [2, 40]),
        case(Format::KnockOut(KnockOut::Fours), 300, [2, 40]),
        case(round_robin(TableSize::Two, 1), 250, [2, 16]),
        case(round_robin(TableSize::Two, 2), 50, [2, 9]),
        case(round_robin(TableSize::Three, 1), 60, [3, 12]),
        case(round_robin(TableSize::Three, 2), 20, [3, 9]),
        case(round_robin(TableSize::Four, 1), 24, [4, 9]),
        case(groups(2, TableSize::Two, DUELS), 250, [4, 16]),
        case(groups(3, TableSize::Two, DUELS), 100, [6, 15]),
        case(groups(2, TableSize::Three, DUELS), 60, [6, 14]),
        case(groups(3, TableSize::Three, KnockOut::Fours), 40, [9, 15]),
        case(groups(2, TableSize::Four, KnockOut::Fours), 24, [8, 12]),
        case(arena(TableSize::Two, false), 200, [2, 24]),
        case(arena(TableSize::Four, true), 60, [4, 16]),
        without_threes(&[2, 4], swiss(TableSize::Four, true, 5), [4, 14]),
        without_threes(&[2, 4], Format::KnockOut(KnockOut::Fours), [2, 24]),
        without_threes(&[2, 4], round_robin(TableSize::Four, 1), [4, 10]),
        without_threes(&[2, 4], groups(2, TableSize::Four, KnockOut::Fours), [8, 12]),
        without_threes(&[2, 4], arena(TableSize::Four, true), [4, 14]),
        without_threes(&[4], swiss(TableSize::Four, true, 5), [4, 14]),
        without_threes(&[4], Format::KnockOut(KnockOut::Fours), [8, 8]),
        without_threes(&[4], groups(2, TableSize::Four, KnockOut::Fours), [8, 12]),
    ]
}

/// The larger fields that `PAGADE_TOURNAMENTS` adds.
fn large_cases() -> Vec<Case> {
    let most = std::env::var("PAGADE_TOURNAMENTS").ok().and_then(|most| most.parse().ok()).unwrap_or(0);
    let sizes = [300, 1_000].into_iter().filter(|entrants| *entrants <= most);
    let of_size = |entrants: u32| {
        let in_groups = |table, then| groups(entrants.div_ceil(8), table, then);
        let arena = Format::Arena { table: TableSize::Two, smaller_tables: false };
        let formats = [
            swiss(TableSize::Two, false, 5),
            swiss(TableSize::Four, true, 3),
            Format::KnockOut(DUELS),
            Format::KnockOut(KnockOut::Fours),
            in_groups(TableSize::Two, DUELS),
            arena,
        ];
        formats.map(|format| case(format, 1, [entrants; 2]))
    };
    sizes.flat_map(of_size).collect()
}

/// Draws late entries, absences and withdrawals. Late entrants come in the order of the list. Entrants for whom the
/// format has no late place take part from the beginning.
fn events(tournament: &Tournament, chance: &mut Lots) -> History {
    let mut history = History::default();
    let takes_late = !matches!(tournament.format, Format::KnockOut(_));
    // The first four entrants take part from the beginning, because a first round needs some.
    for entrant in tournament.entrants.iter().skip(4).map(|entrant| entrant.id) {
        let round = 1 + chance.below(4);
        match chance.below(12) {
            0 if takes_late => history.late_entries.push(InRound { entrant, round: round + 1 }),
            1 => history.absences.push(InRound { entrant, round }),
            2 => history.withdrawals.push(InRound { entrant, round: round + 1 }),
            _ => {}
        }
    }
    if matches!(tournament.format, Format::RoundRobin { .. } | Format::Groups { .. }) {
        while pair(tournament, &history).is_err() {
            history.late_entries.pop().expect("without late entries there is a first round");
        }
    }
    history
}

fn next(tournament: &Tournament, history: &History) -> Option<Round> {
    if !matches!(tournament.format, Format::Arena { .. }) {
        return pair(tournament, history).unwrap();
    }
    let number = history.next_round();
    let present = tournament.entrants.iter().filter(|entrant| history.is_present(entrant.id, number));
    let free: Vec<EntrantId> = present.map(|entrant| entrant.id).collect();
    (number <= ARENA_ROUNDS).then(|| pair_free(tournament, history, &free).unwrap())
}

/// Checks a round by the laws that hold for all formats.
fn check(tournament: &Tournament, history: &History, round: &Round) {
    let number = history.next_round();
    let seated = round.tables.iter().flat_map(|table| table.seats.iter().copied());
    let all: Vec<EntrantId> = seated.chain(round.byes.iter().map(|bye| bye.entrant)).collect();
    let once: BTreeSet<EntrantId> = all.iter().copied().collect();
    assert_eq!(once.len(), all.len(), "an entrant is there twice");
    assert!(all.iter().all(|entrant| history.is_present(*entrant, number)), "an entrant is not present");
    assert_eq!(next(tournament, history).as_ref(), Some(round), "the same input gives the same pairing");
    let present = tournament.entrants.iter().filter(|entrant| history.is_present(entrant.id, number)).count();
    match tournament.format {
        Format::Swiss { .. } | Format::Arena { .. } | Format::RoundRobin { .. } => assert_eq!(all.len(), present),
        Format::KnockOut(_) | Format::Groups { .. } => assert!(all.len() <= present),
    }
    for table in &round.tables {
        assert!(tournament.playable.has(table.seats.len()), "the rule set has a table of this size");
        let explained: Vec<EntrantId> = table.why.seats.iter().map(|seat| seat.entrant).collect();
        assert_eq!(explained, table.seats, "every seat has its reason");
        assert!((2..=4).contains(&table.seats.len()) && table.why.to_string().contains("begins"));
    }
    assert!(round.byes.iter().all(|bye| bye.why.to_string().contains("points")));
}

/// Checks the history of a tournament that is over.
fn check_end(tournament: &Tournament, history: &History) {
    let table = standings(tournament, history).unwrap();
    let listed: BTreeSet<EntrantId> = table.iter().map(|standing| standing.entrant).collect();
    assert_eq!((table.len(), listed.len()), (tournament.entrants.len(), tournament.entrants.len()));
    assert!(table.is_empty() || table[0].place == 1);
    assert!(table.windows(2).all(|pair| pair[0].place <= pair[1].place));
    if let Format::RoundRobin { table: TableSize::Two, cycles } = tournament.format {
        let mut met: BTreeMap<BTreeSet<EntrantId>, u32> = BTreeMap::new();
        for table in history.rounds.iter().flat_map(|round| &round.tables) {
            *met.entry(table.seats.iter().copied().collect()).or_default() += 1;
        }
        assert!(met.values().all(|times| *times <= cycles), "nobody meets more often than the schedule says");
    }
}

/// Plays a tournament. Returns the number of its late entries.
fn run(case: &Case, seed: u32) -> usize {
    let [least, most] = case.entrants;
    let tournament = Tournament {
        playable: Playable::new(|seats| case.sizes.contains(&seats)),
        ..tournament(least + seed % (most - least + 1), case.format.clone(), u64::from(seed))
    };
    let mut chance = chance(u64::from(seed));
    let mut history = events(&tournament, &mut chance);
    let late = history.late_entries.len();
    while let Some(round) = next(&tournament, &history) {
        check(&tournament, &history, &round);
        history.add(&round);
        for table in &mut history.rounds.last_mut().unwrap().tables {
            table.result = Some(result(table, Life::Eventful, &mut chance));
        }
        assert!(history.rounds.len() <= 8 * tournament.entrants.len() + 8, "the tournament does not end");
    }
    check_end(&tournament, &history);
    late
}

#[test]
fn every_format_goes_on_whoever_comes_and_goes() {
    let mut played = 0;
    for case in cases().iter().chain(&large_cases()) {
        let late: usize = (0..case.tournaments).map(|seed| run(case, seed)).sum();
        let size_two = matches!(
            case.format,
            Format::RoundRobin { table: TableSize::Two, .. } | Format::Groups { table: TableSize::Two, .. }
        );
        assert!(!size_two || late > 0, "{:?}: nobody comes late", case.format);
        played += case.tournaments;
        println!("{:?}: {} tournaments of {:?} entrants", case.format, case.tournaments, case.entrants);
    }
    assert!(played > 2_000, "{played} tournaments");
}
