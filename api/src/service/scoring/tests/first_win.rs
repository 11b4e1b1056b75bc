//! Games that go on for the further ranks: chips and experience are settled at the first win (SF-90 in
//! `tests/service-features.md`), and nothing that happens later changes them.

use std::sync::Arc;

use pagade_robots::RobotKind;
use serde_json::json;

use super::world::{CHIPS, Person, World};
use crate::error::Code;
use crate::game::edit::Edit;
use crate::game::entity as entity_of_game;
use crate::game::terms::EndedBy;
use crate::game::terms::{Status, WhenLate};
use crate::service::lamp::tests::on_both_stores;
use crate::service::reply::Reply;
use crate::store::Store;
use crate::table::TableId;
use crate::table::purse::PurseStage;
use crate::table::stored::PastGame;

const BET: u64 = 20;

/// A game of four in which one player has won and the others play on.
struct Won {
    world: World,
    table: TableId,
    winner: Person,
    others: Vec<Person>,
    /// The chips of the bank before the game.
    bank: u64,
}

impl Won {
    async fn play(store: Arc<dyn Store>) -> Self {
        Self::play_with(store, "hunter").await
    }

    /// Plays such a game up to the first win. `stand_in` is the robot that plays for players who leave.
    async fn play_with(store: Arc<dyn Store>, stand_in: &str) -> Self {
        let mut world = World::new(store);
        let bank = world.sums().await.bank;
        let mut people = Vec::new();
        for _ in 0..4 {
            people.push(world.person().await);
        }
        let options = json!({"bet": BET, "time_per_turn": 0, "stand_in": stand_in});
        let table = world.new_table(&people[0], "pagade", options).await;
        let service = world.service.clone();
        let seats: Vec<_> = world.table(table).await.seats.iter().map(|seat| seat.seat.clone()).collect();
        for (person, seat) in people.iter().zip(&seats).skip(1) {
            world.sit(&service, person, table, seat).await.unwrap();
        }
        world.start(&service, &people[0], table).await.unwrap();
        world.play_to_win(&service, table).await.unwrap();
        let mut winner = None;
        for person in &people {
            let career = world.player(person.id).await.unwrap().career;
            winner = winner.or((career.won == 1).then(|| person.clone()));
        }
        let winner = winner.expect("somebody has won");
        let others = people.into_iter().filter(|person| person.id != winner.id).collect();
        Self { world, table, winner, others, bank }
    }

    /// Checks the chips and the experience of everybody after the first win.
    async fn check(&self) {
        let winner = self.world.player(self.winner.id).await.unwrap();
        let found = (winner.ledger.balance, winner.career.experience, winner.career.won, winner.career.played);
        assert_eq!(found, (CHIPS + 2 * BET, 40, 1, 1));
        for person in &self.others {
            let other = self.world.player(person.id).await.unwrap();
            let found = (other.ledger.balance, other.career.experience, other.career.won, other.career.played);
            assert_eq!(found, (CHIPS - BET, 5, 0, 1));
        }
        let sums = self.world.sums().await;
        assert_eq!((sums.bank - self.bank, sums.escrow), (BET, 0));
    }

    async fn play_out(&self) {
        let current = self.world.table(self.table).await.current;
        let play_out = |edit: &mut Edit| {
            while edit.game.status == Status::Playing {
                edit.finish_turn(WhenLate::Robot(RobotKind::Runner))?;
            }
            Ok(Reply::default())
        };
        self.world.service.change(None, entity_of_game(current.unwrap().id), play_out).await.unwrap();
        self.settle().await;
    }

    async fn settle(&self) {
        self.world.service.settle_table(self.table).await.unwrap();
    }

    /// Returns the game, which is over, from the history of the table. Checks that the winner has the first place
    /// there.
    async fn past(&self) -> PastGame {
        let table = self.world.table(self.table).await;
        assert!(table.current.is_none());
        let past = table.past.back().unwrap().clone();
        let (first, place) = &past.players[0];
        assert_eq!((first.player, *place), (Some(self.winner.id), Some(1)));
        assert_eq!(first.won.as_ref().map(|won| won.chips), Some(2 * i64::try_from(BET).unwrap()));
        past
    }
}

#[test]
fn the_first_win_is_settled_while_the_others_play_on() {
    on_both_stores(async |store| {
        let won = Won::play(store).await;
        won.check().await;
        let current = won.world.table(won.table).await.current.expect("the others play on");
        assert!(matches!(current.purse.unwrap().stage, PurseStage::Settled { .. }));
        // Further calls, also at the same time, find nothing left to do.
        let service = won.world.service.clone();
        tokio::join!(won.settle(), won.settle(), won.world.check_all(&service));
        won.check().await;
        won.play_out().await;
        won.check().await;
        let past = won.past().await;
        let places: Vec<_> = past.players.iter().map(|(_, place)| *place).collect();
        assert_eq!((past.ended_by, places), (Some(EndedBy::Rules), vec![Some(1), Some(2), Some(3), Some(4)]));
    });
}

#[test]
fn a_winner_who_leaves_keeps_the_place_and_the_chips() {
    on_both_stores(async |store| {
        for stand_in in ["hunter", "none"] {
            let won = Won::play_with(Arc::clone(&store), stand_in).await;
            let service = won.world.service.clone();
            let refused = won.world.resign(&service, &won.winner, won.table).await.unwrap_err();
            assert_eq!(refused.code, Code::NotAllowed, "who has a place cannot give it up");
            won.world.leave(&service, &won.winner, won.table).await.unwrap();
            won.settle().await;
            won.play_out().await;
            won.check().await;
            assert_eq!(won.past().await.ended_by, Some(EndedBy::Rules));
        }
    });
}

#[test]
fn a_vote_after_the_first_win_ends_the_game_with_its_places() {
    on_both_stores(async |store| {
        let won = Won::play(store).await;
        let service = won.world.service.clone();
        for person in won.others.iter().chain([&won.winner]) {
            won.world.vote(&service, person, won.table).await.unwrap();
        }
        won.settle().await;
        won.check().await;
        assert_eq!(won.past().await.ended_by, Some(EndedBy::Agreement));
    });
}

#[test]
fn the_game_ends_when_one_is_left_who_plays_on() {
    on_both_stores(async |store| {
        let won = Won::play(store).await;
        let service = won.world.service.clone();
        for person in &won.others[..2] {
            won.world.resign(&service, person, won.table).await.unwrap();
        }
        won.settle().await;
        won.check().await;
        let past = won.past().await;
        let second = &past.players[1];
        assert_eq!(
            (past.ended_by, second.0.player, second.1),
            (Some(EndedBy::Resignation), Some(won.others[2].id), Some(2))
        );
    });
}
