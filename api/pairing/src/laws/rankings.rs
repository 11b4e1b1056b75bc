//! Standings: tie-breaks computed by hand, and laws of simulated tournaments.

use super::simulated::{ALL_TIE_BREAKS, Life, chance, play, read, swiss, tournament};
use crate::{
    EntrantId, Explained, History, InRound, PlayedRound, PlayedTable, Score, SeatResult, Standing, TableSize, TieBreak,
    Tournament, standings,
};

/// A table of two, with scores. Equal scores share the place.
fn game(a: u32, b: u32, scores: [i64; 2]) -> PlayedTable {
    let place = |own: i64, other: i64| SeatResult::played(if other > own { 2 } else { 1 }, own);
    let result = vec![place(scores[0], scores[1]), place(scores[1], scores[0])];
    PlayedTable { seats: vec![EntrantId(a), EntrantId(b)], result: Some(result) }
}

/// Three rounds of four entrants: entrant 1 has 4 points, entrants 2 and 3 have 3, entrant 4 has 2.
fn example() -> (Tournament, History) {
    let mut tournament = tournament(4, swiss(TableSize::Two, false, 3), 1);
    tournament.points.two = [2, 0];
    let round = |tables: [PlayedTable; 2]| PlayedRound { tables: tables.to_vec(), byes: Vec::new(), waits: Vec::new() };
    let rounds = vec![
        round([game(1, 2, [10, 4]), game(3, 4, [8, 1])]),
        round([game(1, 3, [9, 2]), game(2, 4, [5, 2])]),
        round([game(4, 1, [6, 3]), game(2, 3, [7, 7])]),
    ];
    (tournament, History { rounds, ..History::default() })
}

fn of(standings: &[Standing], entrant: u32) -> &Standing {
    standings.iter().find(|standing| standing.entrant == EntrantId(entrant)).unwrap()
}

fn value(standing: &Standing, tie_break: TieBreak) -> String {
    let found = |explained: &&Explained| explained.tie_break == tie_break;
    standing.tie_breaks.iter().find(found).unwrap().value.to_string()
}

#[test]
fn tie_breaks_have_the_values_that_a_person_computes() {
    let (tournament, history) = example();
    let table = standings(&tournament, &history).unwrap();
    let order: Vec<(u32, usize, String)> =
        table.iter().map(|standing| (standing.entrant.0, standing.place, standing.points.to_string())).collect();
    let text = |points: &str| points.to_owned();
    assert_eq!(order, [(1, 1, text("4")), (3, 2, text("3")), (2, 3, text("3")), (4, 4, text("2"))]);
    let values =
        |entrant: u32| ALL_TIE_BREAKS[..6].iter().map(|tie| value(of(&table, entrant), *tie)).collect::<Vec<_>>();
    assert_eq!(values(1), ["8", "6", "6", "0", "2", "10"]);
    assert_eq!(values(2), ["9", "7", "3.5", "0.5", "1", "-3"]);
    assert_eq!(values(3), ["9", "7", "3.5", "0.5", "1", "0"]);
    assert_eq!(values(4), ["10", "7", "4", "0", "1", "-7"]);
    assert_eq!(of(&table, 2).decided_by, Some(TieBreak::ScoreDifference));
    assert_eq!((of(&table, 3).decided_by, of(&table, 1).decided_by), (None, None));
    let cut = &of(&table, 1).tie_breaks[1];
    let left_out: Vec<(usize, Score)> =
        cut.parts.iter().filter(|part| part.is_cut).map(|p| (p.round, p.value)).collect();
    assert_eq!(left_out, [(3, Score::points(2))]);
}

#[test]
fn the_winner_of_the_direct_meeting_is_ahead_only_if_all_equals_have_met() {
    let (mut tournament, mut history) = example();
    tournament.tie_breaks = vec![TieBreak::DirectMeeting];
    history.rounds.pop();
    history.rounds.push(PlayedRound {
        tables: vec![game(4, 1, [6, 3]), game(2, 3, [9, 7])],
        byes: Vec::new(),
        waits: Vec::new(),
    });
    // Entrants 1 and 2 have 4 points, 3 and 4 have 2. Entrant 1 has beaten 2, and 3 has beaten 4.
    let table = standings(&tournament, &history).unwrap();
    assert_eq!(table.iter().map(|standing| standing.entrant.0).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert!(table.iter().skip(1).step_by(2).all(|second| second.decided_by == Some(TieBreak::DirectMeeting)));
    history.rounds.truncate(1);
    // Entrants 1 and 3 have 2 points each, and have not met.
    let places: Vec<usize> = standings(&tournament, &history).unwrap().iter().map(|standing| standing.place).collect();
    assert_eq!(places, [1, 1, 3, 3]);
}

#[test]
fn a_round_without_opponents_counts_the_own_points() {
    let (mut tournament, mut history) = example();
    tournament.points.bye = 2;
    history.rounds[2] = PlayedRound { tables: vec![game(2, 3, [7, 7])], byes: vec![EntrantId(1)], waits: Vec::new() };
    let table = standings(&tournament, &history).unwrap();
    let buchholz = &of(&table, 1).tie_breaks[0];
    assert_eq!(buchholz.value, Score::points(3 + 3 + 6));
    assert_eq!((buchholz.parts[2].opponents.len(), buchholz.parts[2].value), (0, Score::points(6)));
}

#[test]
fn a_round_before_the_entry_is_the_one_that_is_cut() {
    let (tournament, mut history) = example();
    history.rounds[0].tables.remove(1);
    history.late_entries = [3, 4].map(|entrant| InRound { entrant: EntrantId(entrant), round: 2 }).to_vec();
    let table = standings(&tournament, &history).unwrap();
    // The points are 4, 3, 1 and 2 now. Entrant 3 met 1 and 2, entrant 1 met 2, 3 and 4.
    for (entrant, whole, cut) in [(3, "7", "7"), (1, "6", "5")] {
        let standing = of(&table, entrant);
        assert_eq!(
            (value(standing, TieBreak::Buchholz), value(standing, TieBreak::BuchholzCut1)),
            (whole.into(), cut.into())
        );
    }
}

#[test]
fn entrants_who_share_places_at_a_table_of_four_share_the_points() {
    let tournament = tournament(4, swiss(TableSize::Four, false, 1), 1);
    let seats = (1..=4).map(EntrantId).collect();
    let result = [(2, 5), (1, 9), (2, 5), (2, 5)].map(|(place, score)| SeatResult::played(place, score)).to_vec();
    let round =
        PlayedRound { tables: vec![PlayedTable { seats, result: Some(result) }], byes: Vec::new(), waits: Vec::new() };
    let table = standings(&tournament, &History { rounds: vec![round], ..History::default() }).unwrap();
    assert_eq!(of(&table, 2).points, Score::points(6));
    assert!([1, 3, 4].iter().all(|entrant| of(&table, *entrant).points == Score::points(2)));
    // Buchholz of entrant 1 is the mean of the opponents' points, (6 + 2 + 2) / 3. For Sonneborn-Berger, entrant 1 lost
    // to 2 (6 points) and shares a place with 3 and 4 (2 points each): half of 2 + 2, divided by three opponents.
    assert_eq!(value(of(&table, 1), TieBreak::Buchholz), "3.33");
    assert_eq!(value(of(&table, 1), TieBreak::SonnebornBerger), "0.66");
    assert_eq!(value(of(&table, 2), TieBreak::ScoreDifference), "4");
}

#[test]
fn standings_hold_all_points_and_do_not_depend_on_the_order_of_the_list() {
    for seed in 0..60 {
        let size = [TableSize::Two, TableSize::Three, TableSize::Four][usize::try_from(seed % 3).unwrap()];
        let mut tournament = tournament(4 + u32::try_from(seed % 17).unwrap(), swiss(size, true, 4), seed);
        let history = play(&tournament, Life::Eventful, &mut chance(seed), |_, _| {});
        let read = read(&history);
        let table = standings(&tournament, &history).unwrap();
        assert_eq!(table.len(), tournament.entrants.len());
        assert!(table.iter().all(|standing| standing.points == read.points(standing.entrant)), "seed {seed}");
        assert!(table.windows(2).all(|pair| pair[0].points >= pair[1].points));
        // Lots as the last tie-break leave no shared places.
        assert!(table.iter().zip(1..).all(|(standing, place)| standing.place == place), "seed {seed}");
        tournament.tie_breaks.pop();
        let places = |tournament: &Tournament| {
            let places =
                standings(tournament, &history).unwrap().into_iter().map(|s| (s.entrant, s.place, s.tie_breaks));
            let mut places: Vec<_> = places.collect();
            places.sort_by_key(|(entrant, ..)| *entrant);
            places
        };
        let before = places(&tournament);
        tournament.entrants.reverse();
        assert_eq!(places(&tournament), before, "seed {seed}");
    }
}

#[test]
fn what_a_tournament_says_is_the_same_after_it_was_stored() {
    let (tournament, history) = example();
    let again = |text: String| -> Tournament { serde_json::from_str(&text).unwrap() };
    assert_eq!(again(serde_json::to_string(&tournament).unwrap()), tournament);
    let text = serde_json::to_string(&history).unwrap();
    assert_eq!(serde_json::from_str::<History>(&text).unwrap(), history);
    let mut next = tournament;
    next.format = swiss(TableSize::Two, false, 4);
    let round = crate::pair(&next, &history).unwrap().unwrap();
    let text = serde_json::to_string(&round).unwrap();
    assert_eq!(serde_json::from_str::<crate::Round>(&text).unwrap(), round);
}
