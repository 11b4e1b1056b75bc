//! Single cases of the ledger: processes that go on with old data, and the sources that the bank remembers.

use serde_json::{Value, json};

use super::world::{CHIPS, World};
use crate::bank::stored::ChipSource;
use crate::player::edit::PlayerEdit;
use crate::player::settling::ScoredGame;
use crate::service::lamp::tests::on_both_stores;
use crate::service::reply::Reply;
use crate::table::edit::TableEdit;
use crate::table::entity as entity_of_table;
use crate::table::purse::Purse;

#[test]
fn a_late_process_moves_no_stake_after_the_game_was_dropped() {
    on_both_stores(async |store| {
        let mut world = World::new(store);
        let (asha, ravi) = (world.person().await, world.person().await);
        let table = world.new_table(&asha, "parcheesi", json!({"bet": 30, "time_per_turn": 0})).await;
        let service = world.service.clone();
        world.sit(&service, &ravi, table, "red").await.unwrap();
        let (game, planned) = service.plan_for_tests(table, &world.table(table).await).await;
        let purse = Purse::new(30, None, vec![asha.id, ravi.id]);
        let plan = |edit: &mut TableEdit| {
            edit.plan_game(game, planned.clone(), Some(purse.clone())).map(|()| Reply::default())
        };
        service.change(None, entity_of_table(table), plan).await.unwrap();
        // A process has read player and table, and is about to commit the stake of Asha.
        let scored = ScoredGame { id: game, rule_set: "parcheesi", season: None };
        let mut late = PlayerEdit::begin(asha.id, world.player(asha.id).await.unwrap(), world.store.now());
        late.stake(scored, 30).unwrap();
        // Meanwhile, another process drops the game.
        let drop_game = |edit: &mut TableEdit| {
            edit.note_unstaked(game);
            Ok(Reply::default())
        };
        service.change(None, entity_of_table(table), drop_game).await.unwrap();
        service.settle_table(table).await.unwrap();
        assert!(world.table(table).await.current.is_none());
        assert!(!service.commit_player(late).await.unwrap(), "the player was committed meanwhile");
        let ledger = world.player(asha.id).await.unwrap().ledger;
        assert_eq!((ledger.balance, ledger.escrow.len()), (CHIPS, 0));
        assert_eq!(world.table(table).await.unstaked, Some(game));
        // The next game begins as usual.
        world.start(&service, &asha, table).await.unwrap();
        assert_eq!(world.player(asha.id).await.unwrap().ledger.staked(), 30);
    });
}

#[test]
fn a_game_whose_stake_was_spent_meanwhile_says_who_is_short_of_chips() {
    on_both_stores(async |store| {
        let mut world = World::new(store);
        let (asha, ravi, meera) = (world.person().await, world.person().await, world.person().await);
        let options = json!({"bet": 60, "time_per_turn": 0});
        let tables = [(&asha, &ravi), (&meera, &ravi)];
        let mut ids = Vec::new();
        for (master, other) in tables {
            let table = world.new_table(master, "parcheesi", options.clone()).await;
            world.sit(&world.service, other, table, "red").await.unwrap();
            ids.push(table);
        }
        // The first table has planned its game, and takes the stakes after those of the second one.
        let service = world.service.clone();
        let (game, planned) = service.plan_for_tests(ids[0], &world.table(ids[0]).await).await;
        let purse = Purse::new(60, None, vec![asha.id, ravi.id]);
        let plan = |edit: &mut TableEdit| {
            edit.plan_game(game, planned.clone(), Some(purse.clone())).map(|()| Reply::default())
        };
        service.change(None, entity_of_table(ids[0]), plan).await.unwrap();
        world.start(&service, &meera, ids[1]).await.unwrap();
        service.settle_table(ids[0]).await.unwrap();
        assert_eq!(world.player(asha.id).await.unwrap().ledger.balance, CHIPS);
        let (_, events) = world.store.entity_and_events(entity_of_table(ids[0]), 0, 100).await.unwrap();
        let last: Value = serde_json::from_slice(events.last().unwrap()).unwrap();
        assert_eq!((&last["event"], &last["player"]), (&json!("table_game_dropped"), &json!(ravi.id)));
        assert_eq!((&last["reason"], &last["game_id"]), (&json!("insufficient_chips"), &json!(game)));
    });
}

#[test]
fn the_bank_is_credited_once_although_it_forgets() {
    on_both_stores(async |store| {
        let mut world = World::new(store);
        let (asha, ravi) = (world.person().await, world.person().await);
        let table = world.new_table(&asha, "parcheesi", json!({"bet": 4, "time_per_turn": 0})).await;
        let service = world.service.clone();
        world.sit(&service, &ravi, table, "red").await.unwrap();
        let mut games = Vec::new();
        for _ in 0..3 {
            world.start(&service, &asha, table).await.unwrap();
            games.push(world.table(table).await.current.unwrap().id);
            world.resign(&service, &ravi, table).await.unwrap();
            service.settle_table(table).await.unwrap();
        }
        assert_eq!(world.sums().await.bank, 6);
        for game in games {
            service.credit_bank(ChipSource::Game { table, game }).await.unwrap();
        }
        assert_eq!(world.sums().await.bank, 6, "a game that is settled owes nothing");
    });
}
