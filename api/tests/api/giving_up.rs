//! Tests players who resign from a competitive game or leave it before it is over. What a player does first decides
//! what this player gets, whatever happens later.

use std::time::{Duration, Instant};

use pagade_tests::wait::until;
use serde_json::{Value, json};

use crate::chips::{CHIPS, Club, Member, SEATS};
use crate::harness::{TestStore, on_both_stores};

on_both_stores!(who_abandons_the_seat_loses_the_stake_and_gains_nothing);
fn who_abandons_the_seat_loses_the_stake_and_gains_nothing(data: TestStore) {
    let club = Club::new(&data);
    let all = club.members(["Asha", "Ravi", "Meera"]);
    let [asha, ravi, meera] = &all;
    let table = club.table(&[asha, ravi, meera], json!({"bet": 100, "time_per_turn": 0, "stand_in": "none"}));
    let game = club.start(asha, &table);
    assert_eq!(club.send(meera, "DELETE", &format!("{table}/seats/red"), Value::Null).status, 204);
    club.resign(ravi, &game);
    // A player who leaves after the end of the game has not abandoned it.
    assert_eq!(club.send(asha, "DELETE", &format!("{table}/seats/yellow"), Value::Null).status, 204);
    club.settled(&table);
    let experience = |member| club.statistics(member)["experience"].clone();
    assert_eq!((experience(asha), experience(ravi), experience(meera)), (json!(30), json!(5), json!(0)));
    let record = club.statistics(meera)["rule_sets"][0].clone();
    assert_eq!((&record["played"], &record["lost"]), (&json!(1), &json!(1)));
    assert_eq!((club.chips(asha).0, club.chips(meera).0, club.bank()), (CHIPS + 125, CHIPS - 100, 75));
}

on_both_stores!(what_a_robot_wins_for_an_abandoned_seat_goes_to_the_bank);
fn what_a_robot_wins_for_an_abandoned_seat_goes_to_the_bank(data: TestStore) {
    let club = Club::new(&data);
    let all = club.members(["Asha", "Ravi", "Meera"]);
    let [asha, ravi, meera] = &all;
    let table = club.table(&[asha, ravi, meera], json!({"bet": 100, "time_per_turn": 0, "stand_in": "random"}));
    let game = club.start(asha, &table);
    assert_eq!(club.send(meera, "DELETE", &format!("{table}/seats/red"), Value::Null).status, 204);
    club.resign(asha, &game);
    club.resign(ravi, &game);
    club.settled(&table);
    let experience = |member| club.statistics(member)["experience"].clone();
    assert_eq!((experience(asha), experience(ravi), experience(meera)), (json!(5), json!(5), json!(0)));
    assert_eq!(club.statistics(meera)["rule_sets"][0]["lost"], json!(1));
    assert_eq!((club.chips(asha).0, club.chips(meera).0, club.bank()), (CHIPS - 100, CHIPS - 100, 300));
}

/// What a player does to give up.
#[derive(Debug, Clone, Copy)]
enum Act {
    Resigns,
    Leaves,
}

impl Act {
    fn by(self, club: &Club, member: &Member, table: &str, seat: &str, game: &str) {
        match self {
            Self::Resigns => club.resign(member, game),
            Self::Leaves => {
                let left = club.send(member, "DELETE", &format!("{table}/seats/{seat}"), Value::Null);
                assert_eq!(left.status, 204, "{}", left.raw);
            }
        }
    }
}

/// A game of three for 100 chips each, and what the players and the bank had before it.
struct Three<'c> {
    club: &'c Club,
    members: [&'c Member; 3],
    table: String,
    game: String,
    before: ([u64; 3], [Value; 3], u64),
}

impl<'c> Three<'c> {
    fn start(club: &'c Club, members: [&'c Member; 3], stand_in: &str) -> Self {
        let table = club.table(&members, json!({"bet": 100, "time_per_turn": 0, "stand_in": stand_in}));
        let before =
            (members.map(|member| club.chips(member).0), members.map(|member| club.statistics(member)), club.bank());
        let game = club.start(members[0], &table);
        Self { club, members, table, game, before }
    }

    fn act(&self, (index, act): (usize, Act)) {
        act.by(self.club, self.members[index], &self.table, SEATS[index], &self.game);
    }

    /// Opens a vote to end the game by the first of these players, and lets the others agree. A player is given by the
    /// index of the seat.
    fn vote(&self, voters: &[usize]) {
        let [first, rest @ ..] = voters else { panic!("nobody votes") };
        let opened =
            self.club.send(self.members[*first], "POST", &format!("{}/votes", self.table), json!({"on": "end"}));
        assert_eq!(opened.status, 201, "{}", opened.raw);
        for other in rest {
            let path = format!("{}/votes/current", self.table);
            assert_eq!(self.club.send(self.members[*other], "POST", &path, json!({"agree": true})).status, 200);
        }
    }

    /// Waits until the game is settled. Returns what the game has changed: for each player the chips, the experience
    /// and the number of lost games, then the chips of the bank, and the reason why the game ended.
    fn gained(&self) -> ([i64; 3], [u64; 3], [u64; 3], u64, String) {
        let past = self.club.settled(&self.table);
        let (chips, statistics, bank) = &self.before;
        let index = [0, 1, 2];
        let now = self.members.map(|member| self.club.statistics(member));
        let more = |index: usize, field: &str| {
            let number = |of: &Value| of["rule_sets"][0][field].as_u64().unwrap_or(0);
            number(&now[index]) - number(&statistics[index])
        };
        (
            index.map(|index| self.club.chips(self.members[index]).0 as i64 - chips[index] as i64),
            index.map(|index| more(index, "experience")),
            index.map(|index| more(index, "lost")),
            self.club.bank() - bank,
            past["ended_by"].as_str().unwrap_or_default().to_owned(),
        )
    }
}

on_both_stores!(who_resigns_and_then_leaves_has_resigned);
fn who_resigns_and_then_leaves_has_resigned(data: TestStore) {
    let club = Club::new(&data);
    let all = club.members(["Asha", "Ravi", "Meera"]);
    let members = [&all[0], &all[1], &all[2]];
    for stand_in in ["none", "random"] {
        let game = Three::start(&club, members, stand_in);
        game.act((1, Act::Resigns));
        game.act((1, Act::Leaves));
        game.act((2, Act::Resigns));
        let expected = ([125, -100, -100], [30, 5, 5], [0, 1, 1], 75, "resignation".to_owned());
        assert_eq!(game.gained(), expected, "{stand_in}");
        // When a vote ends the game, a player who resigned before leaving gets the stake back, like all who have not
        // abandoned their seats.
        let game = Three::start(&club, members, stand_in);
        game.act((1, Act::Resigns));
        game.act((1, Act::Leaves));
        game.vote(&[0, 2]);
        assert_eq!(game.gained(), ([0; 3], [0; 3], [0; 3], 0, "abort".to_owned()), "{stand_in}");
        // A player who leaves without resigning has abandoned the seat, and can no longer resign.
        let game = Three::start(&club, members, stand_in);
        game.act((1, Act::Leaves));
        let resigned = club.send(members[1], "POST", &format!("{}/resignations", game.game), json!({}));
        assert!(matches!(resigned.status, 403 | 409), "{}", resigned.raw);
        game.vote(&[0, 2]);
        assert_eq!(game.gained(), ([0, -100, 0], [0; 3], [0; 3], 100, "abort".to_owned()), "{stand_in}");
    }
}

on_both_stores!(a_game_that_nobody_plays_any_more_ends_alike_in_every_order);
fn a_game_that_nobody_plays_any_more_ends_alike_in_every_order(data: TestStore) {
    use Act::{Leaves, Resigns};
    let club = Club::new(&data);
    let all = club.members(["Asha", "Ravi", "Meera"]);
    let members = [&all[0], &all[1], &all[2]];
    // Nobody has won: one player has lost by resigning, and two have abandoned their seats.
    let expected = ([-100; 3], [5, 0, 0], [1, 1, 1], 300, "resignation".to_owned());
    let acts = [(0, Resigns), (1, Leaves), (2, Leaves)];
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let game = Three::start(&club, members, "random");
        order.iter().for_each(|index| game.act(acts[*index]));
        assert_eq!(game.gained(), expected, "{order:?}");
    }
    // Two have resigned before the third leaves: the third has won, and leaves a game that is over.
    let game = Three::start(&club, members, "random");
    [(0, Resigns), (1, Resigns), (2, Leaves)].into_iter().for_each(|act| game.act(act));
    assert_eq!(game.gained(), ([-100, -100, 125], [5, 5, 30], [1, 1, 0], 75, "resignation".to_owned()));
    // All have abandoned their seats.
    let game = Three::start(&club, members, "random");
    [(2, Leaves), (0, Leaves), (1, Leaves)].into_iter().for_each(|act| game.act(act));
    assert_eq!(game.gained(), ([-100; 3], [0; 3], [0; 3], 300, "abort".to_owned()));
}

on_both_stores!(who_does_not_play_to_the_end_in_a_pair_that_wins_has_lost);
fn who_does_not_play_to_the_end_in_a_pair_that_wins_has_lost(data: TestStore) {
    let club = Club::new(&data);
    for (round, act) in [Act::Leaves, Act::Resigns].into_iter().enumerate() {
        let all = ["Asha", "Ravi", "Meera", "Kiran"].map(|name| format!("{name} {round}"));
        let all = club.members(all.each_ref().map(String::as_str));
        let [asha, ravi, meera, kiran] = &all;
        let (game, bank) = (Pairs::start(&club, &all), club.bank());
        game.act(2, act);
        club.resign(ravi, &game.game);
        club.resign(kiran, &game.game);
        club.settled(&game.table);
        let found = |member| game.found(member);
        let of_who_stopped = match act {
            Act::Leaves => (900, 0, 0, false),
            Act::Resigns => (900, 5, 0, false),
        };
        assert_eq!((found(asha), found(meera)), ((1_050, 20, 1, true), of_who_stopped), "{act:?}");
        assert_eq!((found(ravi), found(kiran)), ((900, 5, 0, false), (900, 5, 0, false)), "{act:?}");
        assert_eq!(club.bank() - bank, 250, "{act:?}");
    }
}

on_both_stores!(a_game_of_pairs_that_nobody_plays_any_more_has_no_winner);
fn a_game_of_pairs_that_nobody_plays_any_more_has_no_winner(data: TestStore) {
    let club = Club::new(&data);
    for order in [[0, 1, 2, 3], [1, 0, 3, 2], [3, 2, 1, 0]] {
        let all = ["Asha", "Ravi", "Meera", "Kiran"].map(|name| format!("{name} {order:?}"));
        let all = club.members(all.each_ref().map(String::as_str));
        let (game, bank) = (Pairs::start(&club, &all), club.bank());
        for index in order {
            game.act(index, if index == 0 { Act::Resigns } else { Act::Leaves });
        }
        club.settled(&game.table);
        assert_eq!(game.found(&all[0]), (900, 5, 0, false), "{order:?}");
        for other in &all[1..] {
            assert_eq!(game.found(other), (900, 0, 0, false), "{order:?}");
        }
        assert_eq!(club.bank() - bank, 400, "{order:?}");
    }
}

/// A game of two pairs for 100 chips each, in which robots play for the absent.
struct Pairs<'c> {
    club: &'c Club,
    members: &'c [Member; 4],
    table: String,
    game: String,
}

impl<'c> Pairs<'c> {
    fn start(club: &'c Club, members: &'c [Member; 4]) -> Self {
        let options = json!({"bet": 100, "time_per_turn": 0, "pairs": true, "stand_in": "random"});
        let table = club.table(&members.each_ref(), options);
        let game = club.start(&members[0], &table);
        Self { club, members, table, game }
    }

    fn act(&self, index: usize, act: Act) {
        act.by(self.club, &self.members[index], &self.table, SEATS[index], &self.game);
    }

    /// Returns the chips, the experience and the won games of a member after one game, and whether the rating is higher
    /// than at the beginning.
    fn found(&self, member: &Member) -> (u64, u64, u64, bool) {
        let (statistics, chips) = (self.club.statistics(member), self.club.chips(member).0);
        let record = &statistics["rule_sets"][0];
        let gains = record["rating"]["value"].as_f64().unwrap() > 25.0;
        (chips, statistics["experience"].as_u64().unwrap(), record["won"].as_u64().unwrap(), gains)
    }
}

on_both_stores!(who_resigns_against_seats_that_robots_play_has_lost_rating);
fn who_resigns_against_seats_that_robots_play_has_lost_rating(data: TestStore) {
    let club = Club::new(&data);
    let all = club.members(["Asha", "Ravi"]);
    let table = club.table(&[&all[0], &all[1]], json!({"bet": 100, "time_per_turn": 0, "stand_in": "random"}));
    let game = club.start(&all[0], &table);
    Act::Leaves.by(&club, &all[1], &table, SEATS[1], &game);
    club.resign(&all[0], &game);
    club.settled(&table);
    for member in &all {
        let record = club.statistics(member)["rule_sets"][0].clone();
        assert_eq!((&record["played"], &record["lost"]), (&json!(1), &json!(1)));
        assert!(record["rating"]["value"].as_f64() < Some(25.0), "{record}");
    }
}

on_both_stores!(the_votes_are_counted_again_when_a_player_resigns);
fn the_votes_are_counted_again_when_a_player_resigns(data: TestStore) {
    let club = Club::new(&data);
    let all = club.members(["Asha", "Ravi", "Meera"]);
    let members = [&all[0], &all[1], &all[2]];
    let [asha, ravi, meera] = members;
    let game = Three::start(&club, members, "random");
    game.vote(&[1, 2]);
    let resigned = Instant::now();
    club.resign(asha, &game.game);
    // The test reads only the chips, because reading the table would count the votes, too.
    until("the stakes are returned", || members.iter().all(|member| club.chips(member) == (CHIPS, 0)));
    assert!(resigned.elapsed() < Duration::from_secs(8), "before the first check: {:?}", resigned.elapsed());
    // A player who has resigned can neither vote nor open a vote.
    let game = Three::start(&club, members, "random");
    game.vote(&[1]);
    club.resign(asha, &game.game);
    let (votes, current) = (format!("{}/votes", game.table), format!("{}/votes/current", game.table));
    assert_eq!(club.send(asha, "POST", &current, json!({"agree": false})).problem().0, 403);
    assert_eq!(club.send(ravi, "POST", &current, json!({"agree": false})).status, 200);
    assert_eq!(club.send(asha, "POST", &votes, json!({"on": "end"})).problem().0, 403);
    game.vote(&[2, 1]);
    assert_eq!(game.gained().4, "abort");
    assert_eq!(club.chips(meera), (CHIPS, 0));
}
