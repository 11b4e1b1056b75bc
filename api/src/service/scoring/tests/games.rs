//! Single cases of the ledger: late processes, and the sources that the bank remembers.

use serde_json::json;

use super::world::{CHIPS, World};
use crate::bank::stored::Source;
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
            service.credit_bank(Source::Game { table, game }).await.unwrap();
        }
        assert_eq!(world.sums().await.bank, 6, "a game that is settled owes nothing");
    });
}
