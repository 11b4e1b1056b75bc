//! Rounds that an organiser has paired: mistakes are refused, and the tournament goes on from rounds without mistakes.

use super::simulated::{Life, chance, check_round, read, result, swiss, tournament};
use crate::{
    Entrant, EntrantId, Format, History, InRound, KnockOut, OwnBye, OwnError, OwnMistake, OwnMistakeKind, OwnPlace,
    OwnRound, OwnTable, TableSize, Tournament, own_round, pair, standings,
};

fn own(tables: &[&[u32]], byes: &[u32]) -> OwnRound {
    let seats = |table: &&[u32]| table.iter().copied().map(EntrantId).collect();
    OwnRound {
        tables: tables.iter().map(|table| OwnTable { seats: seats(table), note: None }).collect(),
        byes: byes.iter().map(|id| OwnBye { entrant: EntrantId(*id), note: Some("asked for it".to_owned()) }).collect(),
    }
}

fn mistakes(tournament: &Tournament, history: &History, round: &OwnRound) -> Vec<(OwnPlace, OwnMistakeKind)> {
    match own_round(tournament, history, round, &[]) {
        Err(OwnError::Mistakes(found)) => found.into_iter().map(|OwnMistake { at, kind }| (at, kind)).collect(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_mistake_of_an_own_round_is_found() {
    let cup = tournament(7, swiss(TableSize::Two, false, 3), 1);
    let mut history = History::default();
    history.absences.push(InRound { entrant: EntrantId(6), round: 1 });
    history.withdrawals.push(InRound { entrant: EntrantId(7), round: 1 });
    let found = mistakes(&cup, &history, &own(&[&[1, 9], &[2, 1], &[6, 3, 4]], &[7]));
    assert_eq!(
        found,
        [
            (OwnPlace::Seat(0, 1), OwnMistakeKind::Unknown(EntrantId(9))),
            (OwnPlace::Seat(1, 1), OwnMistakeKind::Twice(EntrantId(1))),
            (OwnPlace::Table(2), OwnMistakeKind::Size { found: 3, least: 2, most: 2 }),
            (OwnPlace::Seat(2, 0), OwnMistakeKind::NotPresent(EntrantId(6))),
            (OwnPlace::Bye(0), OwnMistakeKind::NotPresent(EntrantId(7))),
            (OwnPlace::Byes, OwnMistakeKind::Missing(EntrantId(5))),
        ]
    );
}

#[test]
fn a_swiss_tournament_goes_on_from_an_own_round() {
    let cup = tournament(5, swiss(TableSize::Two, false, 4), 2);
    let (mut history, mut chance) = (History::default(), chance(2));
    let round = own_round(&cup, &history, &own(&[&[5, 1], &[2, 4]], &[3]), &[]).unwrap().unwrap();
    assert_eq!(round.tables[0].why.to_string(), "uploaded by the organiser; 5 begins, has begun 0 of 0 games");
    assert_eq!(round.byes[0].why.to_string(), "uploaded by the organiser: asked for it; 0 points, 0 byes before");
    history.add(&round);
    assert!(matches!(own_round(&cup, &history, &own(&[], &[]), &[]), Err(OwnError::Tournament(_))));
    for number in 1..=4 {
        for table in &mut history.rounds.last_mut().unwrap().tables {
            table.result = Some(result(table, Life::Calm, &mut chance));
        }
        let Some(next) = pair(&cup, &history).unwrap() else {
            assert_eq!(number, 4);
            break;
        };
        check_round(&cup, &history, &next);
        let read = read(&history);
        let again = next.tables.iter().filter(|table| read.met(table.seats[0], table.seats[1]) > 0).count();
        assert_eq!(again, 0, "the meetings of the own round are avoided in round {}", number + 1);
        history.add(&next);
    }
    assert_eq!(own_round(&cup, &history, &own(&[], &[]), &[]), Ok(None), "all rounds are paired");
    assert_eq!(standings(&cup, &history).unwrap().len(), 5);
}

#[test]
fn an_own_round_of_a_knock_out_has_the_tables_of_the_bracket_in_any_order_of_seats() {
    let duels = KnockOut::Duels { best_of: 3, third_place: false };
    let cup = tournament(5, Format::KnockOut(duels), 3);
    let history = History::default();
    let planned = pair(&cup, &history).unwrap().unwrap();
    let byes: Vec<u32> = planned.byes.iter().map(|bye| bye.entrant.0).collect();
    let [a, b] = [planned.tables[0].seats[0].0, planned.tables[0].seats[1].0];
    let turned = own_round(&cup, &history, &own(&[&[b, a]], &byes), &[]).unwrap().unwrap();
    assert_eq!((turned.tables[0].seats[0], turned.tables[0].games), (EntrantId(b), 3));
    let mut after = history.clone();
    after.add(&turned);
    after.rounds[0].tables[0].result = Some(result(&after.rounds[0].tables[0], Life::Calm, &mut chance(3)));
    assert_eq!(pair(&cup, &after).unwrap().unwrap().tables.len(), 2, "the bracket goes on");
    let found = mistakes(&cup, &history, &own(&[&[byes[0], a]], &[b, byes[1], byes[2]]));
    assert_eq!(
        found,
        [
            (OwnPlace::Table(0), OwnMistakeKind::Bracket),
            (OwnPlace::Tables, OwnMistakeKind::BracketTable(vec![EntrantId(a.min(b)), EntrantId(a.max(b))])),
            (OwnPlace::Bye(0), OwnMistakeKind::BracketBye(EntrantId(b))),
        ]
    );
}

#[test]
fn an_own_table_of_groups_has_entrants_of_one_group_and_an_arena_those_who_are_free() {
    let then = KnockOut::Duels { best_of: 1, third_place: false };
    let groups = Format::Groups { groups: 2, table: TableSize::Two, cycles: 1, advance: 1, then };
    let cup = tournament(8, groups, 4);
    // The groups are 1 4 5 8 and 2 3 6 7.
    let history = History::default();
    assert!(own_round(&cup, &history, &own(&[&[1, 8], &[4, 5], &[2, 7], &[3, 6]], &[]), &[]).is_ok());
    let found = mistakes(&cup, &history, &own(&[&[1, 2], &[4, 5], &[8, 7], &[3, 6]], &[]));
    assert_eq!(found, [(OwnPlace::Table(0), OwnMistakeKind::Groups), (OwnPlace::Table(2), OwnMistakeKind::Groups)]);
    let mut arena = tournament(4, Format::Arena { table: TableSize::Two, smaller_tables: false }, 5);
    arena.entrants.push(Entrant::alone(5));
    let free = own_round(&arena, &history, &own(&[&[1, 2]], &[]), &[EntrantId(3)]).unwrap().unwrap();
    assert_eq!(free.tables.len(), 1);
    let busy = own_round(&arena, &history, &own(&[&[1, 3]], &[]), &[EntrantId(3)]);
    let kind = OwnMistakeKind::NotPresent(EntrantId(3));
    assert_eq!(busy, Err(OwnError::Mistakes(vec![OwnMistake { at: OwnPlace::Seat(0, 1), kind }])));
}
