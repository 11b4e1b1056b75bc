//! Laws of round robins, knock-outs, groups, series and teams.

use std::collections::{BTreeMap, BTreeSet};

use super::simulated::{Life, chance, check_round, play, read, result, tournament};
use crate::{
    ByeRule, Entrant, EntrantId, Format, History, InRound, KnockOut, Round, SeatResult, Seeding, Series, Standing,
    Table, TableRule, TableSize, Tournament, TournamentError, board_seats, pair, series, standings,
};

const DUELS: KnockOut = KnockOut::Duels { best_of: 1, third_place: true };

fn round_robin(table: TableSize, cycles: u32) -> Format {
    Format::RoundRobin { table, cycles }
}

#[test]
fn in_a_round_robin_of_two_all_meet_equally_often_and_begin_equally_often() {
    for entrants in (2..=13).chain([20, 33]) {
        for cycles in 1..=2 {
            let tournament = tournament(entrants, round_robin(TableSize::Two, cycles), 1);
            let history = play(&tournament, Life::Calm, &mut chance(1), |history, round| {
                check_round(&tournament, history, round);
            });
            let read = read(&history);
            let ids = || tournament.entrants.iter().map(|entrant| entrant.id);
            assert!(ids().all(|a| ids().filter(|b| a < *b).all(|b| read.met(a, b) == u64::from(cycles))));
            assert!(ids().all(|entrant| read.imbalance(entrant).abs() <= 1), "{entrants} entrants");
            assert!(ids().all(|entrant| read.byes(entrant) == u64::from(entrants % 2 * cycles)));
        }
    }
}

#[test]
fn a_round_robin_of_four_ends_and_goes_on_without_those_who_leave() {
    for entrants in [4, 5, 8, 11] {
        let tournament = tournament(entrants, round_robin(TableSize::Four, 1), 1);
        let mut history = History::default();
        history.withdrawals.push(InRound { entrant: EntrantId(1), round: 2 });
        let mut rounds = 0;
        while let Some(round) = pair(&tournament, &history).unwrap() {
            check_round(&tournament, &history, &round);
            history.add(&round);
            history.rounds.last_mut().unwrap().tables.iter_mut().for_each(|table| {
                table.result = Some(result(table, Life::Calm, &mut chance(2)));
            });
            rounds += 1;
        }
        assert_eq!(rounds, if entrants % 4 == 0 { entrants - 1 } else { entrants });
    }
}

#[test]
fn a_late_entrant_gets_the_free_place_of_the_berger_tables_or_none() {
    let late = |entrant| InRound { entrant: EntrantId(entrant), round: 2 };
    let odd = tournament(6, round_robin(TableSize::Two, 1), 1);
    let history = History { late_entries: vec![late(6)], ..History::default() };
    assert_eq!(pair(&odd, &history).unwrap().unwrap().byes[0].why.rule, ByeRule::OpponentsAway);
    let even = tournament(5, round_robin(TableSize::Two, 1), 1);
    let history = History { late_entries: vec![late(5)], ..History::default() };
    assert_eq!(pair(&even, &history), Err(TournamentError::NoFreePlace(EntrantId(5))));
}

#[test]
fn losers_of_duels_never_play_again_and_one_entrant_wins_every_game() {
    for entrants in 2..=40_u32 {
        let tournament = tournament(entrants, Format::KnockOut(DUELS), u64::from(entrants));
        let mut out = BTreeSet::new();
        let history = play(&tournament, Life::Calm, &mut chance(u64::from(entrants)), |history, round| {
            let last = history.rounds.last();
            for table in last.iter().flat_map(|round| &round.tables) {
                let places = table.result.as_ref().unwrap().iter().map(|seat| seat.place);
                out.extend(table.seats.iter().zip(places).filter(|(_, place)| *place > 1).map(|(seat, _)| *seat));
            }
            for table in round.tables.iter().filter(|table| table.why.rule != TableRule::ThirdPlace) {
                assert!(table.seats.iter().all(|seat| !out.contains(seat)), "{entrants} entrants: {table:?}");
            }
            let byes = if history.rounds.is_empty() { entrants.next_power_of_two() - entrants } else { 0 };
            assert_eq!(round.byes.len(), usize::try_from(byes).unwrap());
            // The strongest entrants have the byes.
            assert!(round.byes.iter().all(|bye| bye.entrant.0 <= byes && bye.why.rule == ByeRule::EmptyPlace));
        });
        assert_eq!(history.rounds.len(), usize::try_from(entrants.next_power_of_two().ilog2()).unwrap());
        let table = standings(&tournament, &history).unwrap();
        let last = history.rounds.last().unwrap();
        assert!(last.tables[0].seats.contains(&table[0].entrant) && last.tables[0].seats.contains(&table[1].entrant));
        assert_eq!(last.tables.len(), if entrants > 3 { 2 } else { 1 });
        if entrants > 3 {
            assert!(last.tables[1].seats.contains(&table[2].entrant), "the third comes from the game for third place");
        }
    }
}

#[test]
fn the_strongest_two_can_meet_in_the_final_only() {
    for entrants in 4..=32 {
        let tournament = tournament(entrants, Format::KnockOut(DUELS), 1);
        let mut history = History::default();
        while let Some(round) = pair(&tournament, &history).unwrap() {
            let meet = round.tables.iter().any(|table| table.seats.iter().all(|seat| seat.0 < 3));
            history.add(&round);
            for table in &mut history.rounds.last_mut().unwrap().tables {
                let strongest = *table.seats.iter().min().unwrap();
                let place = |seat: &EntrantId| SeatResult::played(if *seat == strongest { 1 } else { 2 }, 0);
                table.result = Some(table.seats.iter().map(place).collect());
            }
            let is_over = pair(&tournament, &history).unwrap().is_none();
            assert_eq!(meet, is_over, "{entrants} entrants, round {}", history.rounds.len());
        }
        let places: Vec<u32> = standings(&tournament, &history).unwrap().iter().map(|s| s.entrant.0).collect();
        assert_eq!(places[..2], [1, 2]);
    }
}

#[test]
fn of_tables_of_four_the_first_two_go_on() {
    for entrants in 2..=40_u32 {
        let tournament = tournament(entrants, Format::KnockOut(KnockOut::Fours), u64::from(entrants));
        let mut before: Option<BTreeSet<EntrantId>> = None;
        let history = play(&tournament, Life::Calm, &mut chance(u64::from(entrants)), |history, round| {
            let playing: BTreeSet<EntrantId> = round.tables.iter().flat_map(|table| table.seats.clone()).collect();
            let here = &playing | &round.byes.iter().map(|bye| bye.entrant).collect();
            if let (Some(before), Some(last)) = (&before, history.rounds.last()) {
                assert!(here.is_subset(before));
                assert_eq!(here.len(), 2 * last.tables.len() + last.byes.len(), "{entrants} entrants");
            }
            assert!(round.tables.iter().all(|table| table.seats.len() > 2 || here.len() < 3), "{entrants} entrants");
            before = Some(here);
        });
        let last = history.rounds.last().unwrap();
        let winner = standings(&tournament, &history).unwrap()[0].entrant;
        let seat = last.tables[0].seats.iter().position(|seat| *seat == winner).unwrap();
        assert_eq!(last.tables[0].result.as_ref().unwrap()[seat].place, 1);
    }
}

#[test]
fn the_best_of_the_groups_meet_in_the_knock_out_and_not_those_of_one_group_first() {
    for (entrants, groups, table) in [(8, 2, TableSize::Two), (16, 4, TableSize::Two), (13, 3, TableSize::Three)] {
        let format = Format::Groups { groups, table, cycles: 1, advance: 2, then: DUELS };
        let tournament = tournament(entrants, format, 3);
        let mut group_of = BTreeMap::new();
        let mut first = true;
        let history = play(&tournament, Life::Calm, &mut chance(3), |history, round| {
            for table in &round.tables {
                match &table.why.rule {
                    TableRule::Berger { group, .. } | TableRule::Rotation { group, .. } => {
                        group_of.extend(table.seats.iter().map(|seat| (*seat, group.unwrap())));
                    }
                    _ if std::mem::take(&mut first) => {
                        for table in &round.tables {
                            assert_ne!(group_of[&table.seats[0]], group_of[&table.seats[1]]);
                        }
                        let through = 2 * round.tables.len() + round.byes.len();
                        assert_eq!(through, usize::try_from(2 * groups).unwrap());
                        assert!(history.rounds.len() > 2);
                    }
                    _ => {}
                }
            }
        });
        assert!(!first && group_of.len() == usize::try_from(entrants).unwrap());
        let table = standings(&tournament, &history).unwrap();
        assert!(table[0].reached > table[1].reached && table[1].reached > table[2].reached);
        assert!(table.iter().filter(|standing| standing.reached > 0).count() == usize::try_from(2 * groups).unwrap());
    }
}

/// Plays the groups of a tournament. The lower number wins every game.
fn after_groups(tournament: &Tournament) -> History {
    let mut history = History::default();
    while let Some(round) = pair(tournament, &history).unwrap() {
        if !round.tables.iter().all(|table| matches!(table.why.rule, TableRule::Berger { .. })) {
            break;
        }
        history.add(&round);
        play_by_number(&mut history);
    }
    history
}

fn play_by_number(history: &mut History) {
    for table in &mut history.rounds.last_mut().unwrap().tables {
        let place = |seat: &EntrantId| 1 + table.seats.iter().filter(|other| *other < seat).count();
        table.result = Some(table.seats.iter().map(|seat| SeatResult::played(place(seat), 0)).collect());
    }
}

#[test]
fn in_place_of_those_who_have_withdrawn_the_next_of_their_group_go_on() {
    let format = Format::Groups { groups: 2, table: TableSize::Two, cycles: 1, advance: 2, then: DUELS };
    // The groups are 1 4 5 8 and 2 3 6 7.
    let tournament = tournament(8, format, 1);
    let groups = after_groups(&tournament);
    let knock_out = |left: &[(u32, usize)]| {
        let mut history = groups.clone();
        let withdrawn = left.iter().map(|(entrant, after)| InRound { entrant: EntrantId(*entrant), round: *after });
        history.withdrawals.extend(withdrawn);
        let round = pair(&tournament, &history).unwrap();
        let byes: Vec<u32> = round.iter().flat_map(|round| &round.byes).map(|bye| bye.entrant.0).collect();
        let tables = round.iter().flat_map(|round| &round.tables);
        let mut tables: Vec<Vec<u32>> =
            tables.map(|table| table.seats.iter().map(|seat| seat.0).collect::<Vec<_>>()).collect();
        tables.iter_mut().for_each(|table| table.sort_unstable());
        tables.sort();
        (history, tables, byes)
    };
    let next = groups.next_round();
    assert_eq!(knock_out(&[]).1, [[1, 3], [2, 4]]);
    let (mut history, tables, _) = knock_out(&[(1, next), (6, next)]);
    assert_eq!(tables, [[2, 5], [3, 4]], "4 is first in the group, and 5 moves up");
    history.add(&pair(&tournament, &history).unwrap().unwrap());
    play_by_number(&mut history);
    history.withdrawals.push(InRound { entrant: EntrantId(5), round: history.next_round() });
    let of = |standings: &[Standing], entrant: u32| {
        standings.iter().find(|standing| standing.entrant == EntrantId(entrant)).unwrap().reached
    };
    let table = standings(&tournament, &history).unwrap();
    assert!(of(&table, 1) == 0 && of(&table, 4) > 0 && of(&table, 5) > 0, "who leaves later has got that far");
    // A group whose entrants have all left sends nobody to the knock-out.
    let (_, tables, byes) = knock_out(&[(1, next), (4, next), (5, next), (8, next)]);
    assert_eq!((tables, byes), (vec![vec![2, 3]], vec![]));
    let (history, tables, byes) = knock_out(&[1, 4, 5, 8, 3, 6, 7].map(|entrant| (entrant, next)));
    assert_eq!((tables, byes), (vec![], vec![]), "one is left, and the tournament is over");
    let table = standings(&tournament, &history).unwrap();
    assert_eq!((table[0].entrant, table[0].place, table[0].reached), (EntrantId(2), 1, 1));
    let (history, ..) = knock_out(&[1, 2, 4, 5, 8, 3, 6, 7].map(|entrant| (entrant, next)));
    assert!(standings(&tournament, &history).is_ok(), "nobody is left");
}

#[test]
fn entrants_who_come_late_change_nobodys_group() {
    let format = Format::Groups { groups: 3, table: TableSize::Two, cycles: 1, advance: 1, then: DUELS };
    for seed in 0..20 {
        let mut early = Tournament { seeding: Seeding::Lots, ..tournament(9, format.clone(), seed) };
        let mut history = History::default();
        let round = pair(&early, &history).unwrap().unwrap();
        history.add(&round);
        let before = pair(&early, &history).unwrap().unwrap();
        early.entrants.extend((10..=12).map(Entrant::alone));
        history.late_entries.extend((10..=12).map(|id| InRound { entrant: EntrantId(id), round: 2 }));
        let after = pair(&early, &history).unwrap().unwrap();
        let old = |round: &Round| {
            let tables = round.tables.iter().map(|table| table.seats.clone());
            tables.filter(|seats| seats.iter().all(|seat| seat.0 <= 9)).collect::<Vec<_>>()
        };
        assert_eq!(old(&before), old(&after), "{seed}");
        let late = after.tables.iter().filter(|table| table.seats.iter().any(|seat| seat.0 > 9));
        assert_eq!(late.count(), 3, "{seed}: each late entrant meets the one who had a bye");
    }
}

#[test]
fn a_series_ends_when_it_is_decided_and_the_beginning_goes_round() {
    let format = Format::KnockOut(KnockOut::Duels { best_of: 3, third_place: false });
    let table = pair(&tournament(2, format, 1), &History::default()).unwrap().unwrap().tables.remove(0);
    let [a, b] = [table.seats[0], table.seats[1]];
    let won = |first: usize| vec![SeatResult::played(first, 0), SeatResult::played(3 - first, 4)];
    assert_eq!(series(&table, &[]), Series::Next { seats: vec![a, b] });
    assert_eq!(series(&table, &[won(1)]), Series::Next { seats: vec![b, a] });
    let decided = |games: &[Vec<SeatResult>]| match series(&table, games) {
        Series::Decided(result) => result.iter().map(|seat| seat.place).collect(),
        Series::Next { .. } => Vec::new(),
    };
    assert_eq!(decided(&[won(1), won(1)]), [1, 2]);
    assert_eq!(decided(&[won(1), won(2)]), Vec::<usize>::new());
    assert_eq!(decided(&[won(1), won(2), won(2)]), [2, 1]);
    let no_show = vec![SeatResult::no_show(2), SeatResult::played(1, 0)];
    let missed = Series::Decided(vec![SeatResult::no_show(2), SeatResult::played(1, 0)]);
    assert_eq!(series(&table, std::slice::from_ref(&no_show)), missed);
    // The opponent came to the first game, and to none after it.
    let long = Table { games: 9, ..table.clone() };
    let missed = |games: usize| [vec![won(1)], vec![no_show.clone(); games]].concat();
    assert!(matches!(series(&long, &missed(1)), Series::Next { .. }));
    let ended = vec![SeatResult::no_show(2), SeatResult::played(1, 4)];
    assert_eq!(series(&long, &missed(2)), Series::Decided(ended));
}

#[test]
fn partners_sit_opposite_and_take_turns_in_sitting_first() {
    let mut teams = tournament(2, round_robin(TableSize::Two, 2), 1);
    teams.entrants = vec![Entrant::team(1, ["ann", "bob"]), Entrant::team(2, ["cy", "di"])];
    let mut history = History::default();
    let mut boards = Vec::new();
    while let Some(round) = pair(&teams, &history).unwrap() {
        let seats = board_seats(&teams.entrants, &round.tables[0]);
        boards.push(seats.into_iter().map(|seat| seat.member.unwrap()).collect::<Vec<_>>().join(" "));
        history.add(&round);
        history.rounds.last_mut().unwrap().tables[0].result =
            Some(vec![SeatResult::played(1, 0), SeatResult::played(2, 0)]);
    }
    assert_eq!(boards, ["ann cy bob di", "di bob cy ann"]);
}

#[test]
fn contradictions_are_refused() {
    let with = |change: fn(&mut crate::Tournament, &mut History)| {
        let mut tournament = tournament(4, super::simulated::swiss(TableSize::Two, false, 3), 1);
        let mut history = History::default();
        history.add(&pair(&tournament, &history).unwrap().unwrap());
        change(&mut tournament, &mut history);
        pair(&tournament, &history).unwrap_err()
    };
    assert_eq!(with(|_, _| {}), TournamentError::MissingResult { round: 1, table: 1 });
    assert_eq!(with(|t, _| t.entrants.push(Entrant::alone(4))), TournamentError::SameNumber(EntrantId(4)));
    assert_eq!(
        with(|t, _| t.entrants.push(Entrant::team(9, ["x"]))),
        TournamentError::UnequalTeams(EntrantId(9), 1, 0)
    );
    assert_eq!(with(|_, h| h.rounds[0].byes.push(EntrantId(9))), TournamentError::UnknownEntrant(EntrantId(9)));
    let twice = TournamentError::TwiceInRound { round: 1, entrant: EntrantId(2) };
    assert_eq!(with(|_, h| h.rounds[0].byes.push(EntrantId(2))), twice);
    let wrong = TournamentError::WrongResult { round: 1, table: 1 };
    for places in [[2, 2], [1, 3], [0, 1]] {
        let tournament = tournament(2, super::simulated::swiss(TableSize::Two, false, 3), 1);
        let mut history = History::default();
        history.add(&pair(&tournament, &history).unwrap().unwrap());
        history.rounds[0].tables[0].result = Some(places.map(|place| SeatResult::played(place, 0)).to_vec());
        assert_eq!(pair(&tournament, &history), Err(wrong.clone()), "{places:?}");
    }
    let even = Format::KnockOut(KnockOut::Duels { best_of: 2, third_place: false });
    assert!(matches!(pair(&tournament(4, even, 1), &History::default()), Err(TournamentError::Format(_))));
    let one = Format::Groups { groups: 1, table: TableSize::Two, cycles: 1, advance: 1, then: DUELS };
    assert!(matches!(pair(&tournament(4, one, 1), &History::default()), Err(TournamentError::Format(_))));
    let groups = Format::Groups { groups: u32::MAX, table: TableSize::Two, cycles: 1, advance: 1, then: DUELS };
    assert!(matches!(
        pair(&tournament(4, groups, 1), &History::default()),
        Err(TournamentError::TooFewEntrants { found: 4, .. })
    ));
    assert_eq!(
        pair(&tournament(3, round_robin(TableSize::Four, 1), 1), &History::default()),
        Err(TournamentError::TooFewEntrants { found: 3, needed: 4 })
    );
}
