//! Tests players who end their part in a competitive game before the game is over: what they resign or abandon first
//! decides what they get, whatever happens later.

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

/// A game of three for 100 chips each, and what each player and the bank have gained by it at the end.
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
        let member = self.members[index];
        match act {
            Act::Resigns => self.club.resign(member, &self.game),
            Act::Leaves => {
                let path = format!("{}/seats/{}", self.table, SEATS[index]);
                assert_eq!(self.club.send(member, "DELETE", &path, Value::Null).status, 204);
            }
        }
    }

    /// These players vote to end the game.
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

    /// Waits for the end. Returns the chips, the experience and the lost games that each player has gained, the chips
    /// of the bank, and the reason of the end.
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
        // A vote returns the stake, as it does to all who have not abandoned their seats.
        let game = Three::start(&club, members, stand_in);
        game.act((1, Act::Resigns));
        game.act((1, Act::Leaves));
        game.vote(&[0, 2]);
        assert_eq!(game.gained(), ([0; 3], [0; 3], [0; 3], 0, "abort".to_owned()), "{stand_in}");
        // Who leaves first has abandoned the seat, and cannot resign any more.
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

on_both_stores!(who_leaves_a_pair_that_wins_has_lost);
fn who_leaves_a_pair_that_wins_has_lost(data: TestStore) {
    let club = Club::new(&data);
    let all = club.members(["Asha", "Ravi", "Meera", "Kiran"]);
    let [asha, ravi, meera, kiran] = &all;
    let options = json!({"bet": 100, "time_per_turn": 0, "pairs": true, "stand_in": "random"});
    let table = club.table(&[asha, ravi, meera, kiran], options);
    let game = club.start(asha, &table);
    assert_eq!(club.send(meera, "DELETE", &format!("{table}/seats/{}", SEATS[2]), Value::Null).status, 204);
    club.resign(ravi, &game);
    club.resign(kiran, &game);
    club.settled(&table);
    let found = |member: &Member| {
        let (statistics, chips) = (club.statistics(member), club.chips(member).0);
        let record = &statistics["rule_sets"][0];
        let gains = record["rating"]["value"].as_f64().unwrap() > 25.0;
        (chips, statistics["experience"].as_u64().unwrap(), record["won"].as_u64().unwrap(), gains)
    };
    assert_eq!((found(asha), found(meera)), ((1_050, 20, 1, true), (900, 0, 0, false)));
    assert_eq!((found(ravi), found(kiran)), ((900, 5, 0, false), (900, 5, 0, false)));
    assert_eq!(club.bank(), 250);
}
