//! The criteria of the Dutch system of FIDE for Swiss rounds of two, checked apart from the costs of the pairing.
//!
//! In small fields, every possible pairing is judged by `criteria.rs`. In fields of up to 16, a search tells whether
//! the absolute criteria C1 to C3 can be kept, and which score the bye then has (C5). Published examples of the pairing
//! engine bbpPairings (Bierema Boyz Programming, Apache License 2.0, folder `test/tests`) are paired again.

use std::collections::HashMap;

use super::criteria::{Cards, Pairs, Verdict, pairs_of};
use super::simulated::{Life, Read, chance, check_round, play, present, read, sorted, swiss, tournament};
use crate::cost::Field;
use crate::divide::Division;
use crate::dutch::go_on;
use crate::facts::Facts;
use crate::{
    EntrantId, Float, Format, History, InRound, PlayedRound, PlayedTable, Points, Round, Score, SeatResult, TableSize,
    Tournament, pair,
};

/// The state before the next round of a tournament.
fn cards(tournament: &Tournament, history: &History) -> Cards {
    let Format::Swiss { rounds, .. } = tournament.format else { panic!("a Swiss tournament") };
    let is_last = history.next_round() == usize::try_from(rounds).unwrap();
    Cards::new(history, present(tournament, history), is_last)
}

/// All pairings of these entrants. If the number is odd, somebody is left out.
fn all_pairings(rest: &[EntrantId]) -> Vec<Pairs> {
    let Some((first, rest)) = rest.split_first() else { return vec![Vec::new()] };
    let mut all = if rest.len() % 2 == 0 { all_pairings(rest) } else { Vec::new() };
    for at in 0..rest.len() {
        let mut others = rest.to_vec();
        let pair = [*first, others.remove(at)];
        all.extend(all_pairings(&others).into_iter().map(|mut pairs| {
            pairs.push(pair);
            pairs
        }));
    }
    all
}

#[test]
fn in_small_fields_no_pairing_of_all_follows_the_criteria_better() {
    let (mut rounds, mut pairings, mut floaters) = (0, 0_usize, 0);
    // A build without optimisation plays fewer tournaments.
    let tournaments = if cfg!(debug_assertions) { 100 } else { 400 };
    for seed in 0..tournaments {
        let entrants = 2 + u32::try_from(seed % 8).unwrap();
        let tournament = tournament(entrants, swiss(TableSize::Two, false, entrants + 1), seed);
        let life = if seed % 2 == 0 { Life::Calm } else { Life::Eventful };
        play(&tournament, life, &mut chance(seed), |history, round| {
            check_round(&tournament, history, round);
            let (cards, read) = (cards(&tournament, history), read(history));
            let met = |a, b| read.met(a, b);
            let own = cards.judge(met, &pairs_of(round));
            for pairs in all_pairings(&present(&tournament, history)) {
                let other = cards.judge(met, &pairs);
                assert!(own.is_as_good_as(&other), "seed {seed}: {own:#?}\nagainst {other:#?}\n{history:?}");
                pairings += 1;
            }
            rounds += 1;
            floaters += usize::from(own.brackets.iter().any(|bracket| bracket.quality[0] > vec![0]));
        });
    }
    println!("{rounds} rounds, {floaters} with floaters, against {pairings} pairings");
    let part = usize::try_from(400 / tournaments).unwrap();
    let enough = rounds * part > 2_000 && floaters * part > 1_000 && pairings * part > 100_000;
    assert!(enough, "{rounds}, {floaters}, {pairings}");
}

#[test]
fn who_begins_follows_the_rules_of_colours() {
    let mut settled = 0;
    for seed in 0..100 {
        let tournament = tournament(6 + u32::try_from(seed % 20).unwrap(), swiss(TableSize::Two, false, 7), seed);
        play(&tournament, Life::Eventful, &mut chance(seed), |history, round| {
            let cards = cards(&tournament, history);
            for [first, second] in pairs_of(round) {
                if let Some(begins) = cards.begins([second, first]) {
                    assert_eq!(begins, first, "seed {seed}: {first} and {second}, {history:?}");
                    settled += 1;
                }
            }
        });
    }
    assert!(settled > 3_000, "{settled}");
}

/// A search for divisions of entrants into pairs who have not met. A set of entrants is a number with one bit for each.
struct Search<'s> {
    entrants: &'s [EntrantId],
    read: &'s Read,
    cards: &'s Cards,
    known: HashMap<u32, bool>,
}

impl Search<'_> {
    /// Tells whether the entrants of a set can all be paired as C1 and C3 demand.
    fn is_possible(&mut self, set: u32) -> bool {
        if set == 0 {
            return true;
        }
        if let Some(known) = self.known.get(&set) {
            return *known;
        }
        let first = set.trailing_zeros();
        let rest = set & !(1 << first);
        let entrant = |at: u32| self.entrants[usize::try_from(at).unwrap()];
        let may_meet = |pair: [EntrantId; 2]| self.read.met(pair[0], pair[1]) == 0 && !self.cards.is_forbidden(pair);
        let partners = (0..32).filter(|at| rest >> at & 1 == 1 && may_meet([entrant(first), entrant(*at)]));
        let partners: Vec<u32> = partners.collect();
        let found = partners.into_iter().any(|partner| self.is_possible(rest & !(1 << partner)));
        self.known.insert(set, found);
        found
    }
}

/// The demands of the criteria C1, C2, C3 and C5 on a round.
enum Demand {
    /// Nobody meets again (C1) or has a turn too many (C3), and a bye goes to an entrant without an earlier one (C2)
    /// with this score (C5).
    Legal(Option<Score>),
    /// No division keeps C1 to C3.
    Impossible,
}

fn demand(present: &[EntrantId], read: &Read, cards: &Cards) -> Demand {
    let all = u32::try_from((1_u64 << present.len()) - 1).unwrap();
    let mut search = Search { entrants: present, read, cards, known: HashMap::new() };
    if present.len().is_multiple_of(2) {
        return if search.is_possible(all) { Demand::Legal(None) } else { Demand::Impossible };
    }
    let may_have_bye = (0..present.len()).filter(|at| read.byes(present[*at]) == 0);
    let scores = may_have_bye.filter(|at| search.is_possible(all & !(1 << at))).map(|at| read.points(present[at]));
    scores.min().map_or(Demand::Impossible, |lowest| Demand::Legal(Some(lowest)))
}

/// Checks a round. Returns whether there was a legal division.
fn check(present: &[EntrantId], read: &Read, cards: &Cards, round: &Round) -> bool {
    let Demand::Legal(lowest) = demand(present, read, cards) else { return false };
    for table in &round.tables {
        assert_eq!(read.met(table.seats[0], table.seats[1]), 0, "C1: {:?} meet again", table.seats);
        assert!(!cards.is_forbidden([table.seats[0], table.seats[1]]), "C3: {:?}", table.seats);
    }
    assert_eq!(round.byes.len(), usize::from(lowest.is_some()));
    for bye in &round.byes {
        assert_eq!(read.byes(bye.entrant), 0, "C2: {} has a second bye", bye.entrant);
        assert_eq!(Some(read.points(bye.entrant)), lowest, "C5: {} does not have the lowest score", bye.entrant);
    }
    true
}

#[test]
fn whenever_the_absolute_criteria_can_be_kept_they_are() {
    let (mut legal, mut impossible) = (0, 0);
    for seed in 0..300 {
        let entrants = 5 + u32::try_from(seed % 12).unwrap();
        // As many rounds as there are entrants, so that in the end an entrant has met all others.
        let tournament = tournament(entrants, swiss(TableSize::Two, false, entrants), 5_000 + seed);
        let life = if seed % 2 == 0 { Life::Calm } else { Life::Eventful };
        play(&tournament, life, &mut chance(seed), |history, round| {
            check_round(&tournament, history, round);
            match check(&present(&tournament, history), &read(history), &cards(&tournament, history), round) {
                true => legal += 1,
                false => impossible += 1,
            }
        });
    }
    assert!(legal > 1_500 && impossible > 100, "{legal} legal rounds, {impossible} without a legal division");
}

/// Reads results, one line for each entrant: the opponent, the colour, and `1`, `0` or `=`, or `+` and `-` if only the
/// one with `+` came. `-` alone is a round in which the entrant was absent.
fn history(text: &str) -> History {
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    let mut history = History::default();
    for number in 0..lines[0].len() {
        let mut round = PlayedRound::default();
        for (own, line) in (1..).zip(&lines) {
            let absent = || InRound { entrant: EntrantId(own), round: number + 1 };
            let Some(&cell) = line.get(number).filter(|cell| **cell != "-") else {
                history.absences.push(absent());
                continue;
            };
            let at = cell.find(['w', 'b']).unwrap();
            let (other, colour, result): (u32, _, _) = (cell[..at].parse().unwrap(), &cell[at..=at], &cell[at + 1..]);
            if colour == "w" {
                let results = match result {
                    "1" => [SeatResult::played(1, 1), SeatResult::played(2, 0)],
                    "0" => [SeatResult::played(2, 0), SeatResult::played(1, 1)],
                    "=" => [SeatResult::played(1, 0), SeatResult::played(1, 0)],
                    "+" => [SeatResult::played(1, 0), SeatResult::no_show(2)],
                    _ => [SeatResult::no_show(2), SeatResult::played(1, 0)],
                };
                let seats = vec![EntrantId(own), EntrantId(other)];
                round.tables.push(PlayedTable { seats, result: Some(results.to_vec()) });
            }
        }
        history.rounds.push(round);
    }
    history
}

fn pairs_of_sorted(round: &Round) -> Pairs {
    let mut pairs: Pairs = pairs_of(round).into_iter().map(|[a, b]| sorted(a, b)).collect();
    pairs.sort_unstable();
    pairs
}

/// The example `dutch_2025_C5`: entrant 6 has the bye although entrants 1 and 3, who lead, then cannot meet.
#[test]
fn the_published_example_of_the_lowest_bye_is_paired_as_published() {
    let mut history = history("4w1 2b1\n5b1 1w0\n6w1 4b1\n1b0 3w0\n2w0 6b1\n3b0 5w0\n");
    history.absences.push(InRound { entrant: EntrantId(4), round: 3 });
    let tournament = tournament(6, swiss(TableSize::Two, false, 3), 1);
    let round = pair(&tournament, &history).unwrap().unwrap();
    let published = [[1, 5], [2, 3]].map(|pair| pair.map(EntrantId));
    assert_eq!((pairs_of_sorted(&round), round.byes[0].entrant), (published.to_vec(), EntrantId(6)));
    assert!(check(&present(&tournament, &history), &read(&history), &cards(&tournament, &history), &round));
}

/// The example `dutch_2025_C9`: entrant 5 has played no game, so 3 or 4 has the bye. The criteria leave open which of
/// these two.
#[test]
fn the_published_example_of_the_bye_after_most_games_is_paired_as_published() {
    let mut history = history("3w1\n4b1\n1b0\n2w0\n-\n");
    history.absences.push(InRound { entrant: EntrantId(5), round: 1 });
    for seed in 0..20 {
        let tournament = tournament(5, swiss(TableSize::Two, false, 3), seed);
        let round = pair(&tournament, &history).unwrap().unwrap();
        let bye = round.byes[0].entrant;
        assert!([3, 4].map(EntrantId).contains(&bye), "{bye}");
        let meets_five = if bye == EntrantId(3) { EntrantId(4) } else { EntrantId(3) };
        assert_eq!(pairs_of_sorted(&round), [[EntrantId(1), EntrantId(2)], [meets_five, EntrantId(5)]]);
    }
}

/// Article 1.4.3: an entrant who gets points without a game floats down if the points are more than those of a lost
/// game.
#[test]
fn points_without_a_game_are_a_float() {
    let mut history = history("3w1\n4b1\n1b0\n2w0\n-\n");
    history.absences.push(InRound { entrant: EntrantId(5), round: 1 });
    history.rounds[0].byes.push(EntrantId(6));
    for (bye, absent, floats) in
        [(6, 0, [None, Some(Float::Down)]), (0, 3, [Some(Float::Down), None]), (0, 0, [None; 2])]
    {
        let points = Points { bye, absent, ..Points::default() };
        let tournament = Tournament { points, ..tournament(6, swiss(TableSize::Two, false, 3), 1) };
        let facts = Facts::new(&tournament, &history).unwrap();
        assert_eq!([4, 5].map(|index: usize| facts.past[index].floats[0]), floats);
    }
}

/// The example `issue_7`: 60 entrants after 14 rounds. There are no ratings here, so other pairs come out. But whenever
/// the brackets above are paired as published, the next bracket has the quality of the published one, from C6 to C21.
#[test]
fn each_bracket_of_the_published_round_of_sixty_is_paired_as_well_as_published() {
    const PUBLISHED: &str = "1 15 3 2 11 17 7 10 8 14 4 6 5 12 9 16 13 25 24 22 18 29 20 23 19 33 21 38 39 26 28 36 \
        31 40 37 35 44 46 30 32 27 48 47 42 51 55 34 50 49 45 53 58 41 59 56 43 60 52 54 57";
    let history = history(include_str!("published/sixty.txt"));
    let tournament = tournament(60, swiss(TableSize::Two, false, 15), 1);
    let (cards, read) = (cards(&tournament, &history), read(&history));
    let judge = |pairs: &[[EntrantId; 2]]| cards.judge(|a, b| read.met(a, b), pairs);
    let numbers: Vec<u32> = PUBLISHED.split_whitespace().map(|number| number.parse().unwrap()).collect();
    let published: Pairs = numbers.chunks_exact(2).map(|pair| sorted(EntrantId(pair[0]), EntrantId(pair[1]))).collect();
    let theirs: Verdict = judge(&published);
    let facts = Facts::new(&tournament, &history).unwrap();
    let mut field = Field::new(&facts, facts.present(&history, 15), 15);
    field.leaders_above = Some(Score::points(14 * 6 / 2));
    let mut above: Pairs = Vec::new();
    for (number, bracket) in theirs.brackets.iter().enumerate() {
        let mut division = Division::default();
        let id = |index: usize| tournament.entrants[index].id;
        let is_open = |index: &usize| !above.iter().flatten().any(|paired| *paired == id(*index));
        let open: Vec<usize> = field.order.iter().copied().filter(is_open).collect();
        let groups = theirs.brackets.len() - number;
        let (moved, rest) = open.into_iter().partition(|index| field.group(*index) >= u64::try_from(groups).unwrap());
        go_on(&field, moved, rest, &mut division);
        let pairs = division.tables.iter().map(|table| [id(table[0]), id(table[1])]);
        let own = judge(&pairs.chain(above.iter().copied()).collect::<Pairs>());
        assert_eq!(own.absolute, theirs.absolute);
        assert_eq!(own.brackets[number].quality, bracket.quality, "bracket {number}");
        above.extend(&bracket.pairs);
    }
    assert_eq!(above.len(), 30);
}
