//! What every store promises of whole games: a part of the contract.

use std::sync::Arc;

use pagade::store::whole::{Answered, Whole, queued};
use pagade::store::{Change, Commit, GameChange, GameId, Place, RuleText, Store, StoreError};
use uuid::Uuid;

use crate::store::{change, changes, plain, remembered};

pub async fn contract(store: &Arc<dyn Store>) {
    games_are_removed_with_everything(store).await;
    games_are_looked_at_by_a_moment(store).await;
    games_are_carried_whole(store).await;
    what_there_is_is_listed(store).await;
}

async fn apply(store: &Arc<dyn Store>, change: Change) -> Result<(), StoreError> {
    store.commit(Commit { change, remember: None }).await
}

async fn remove(store: &Arc<dyn Store>, id: GameId, expected: u64, delivered: u64) -> Result<(), StoreError> {
    apply(store, Change::Remove { id, expected, delivered }).await
}

async fn games_are_removed_with_everything(store: &Arc<dyn Store>) {
    let (id, other) = (Uuid::now_v7(), Uuid::now_v7());
    let tags = Some(vec!["removed".to_owned()]);
    for id in [id, other] {
        store
            .commit(plain(GameChange { tags: tags.clone(), look: Some(u64::MAX >> 12), ..change(id, 0) }))
            .await
            .unwrap();
        apply(store, Change::Deliveries { id, expected: 0, value: b"one".to_vec() }).await.unwrap();
    }
    assert!(matches!(remove(store, id, 2, 1).await, Err(StoreError::Stale(Some(now))) if now.version == 1));
    assert!(matches!(remove(store, id, 1, 0).await, Err(StoreError::Stale(_))), "webhooks were told meanwhile");
    remove(store, id, 1, 1).await.unwrap();
    remove(store, id, 1, 1).await.unwrap();
    assert_eq!(store.game(id).await.unwrap(), None);
    assert_eq!(store.copy_at_hand(id), None);
    assert_eq!(store.whole(id, Vec::new()).await.unwrap(), None);
    assert_eq!(store.game_and_events(id, 0, 9).await.unwrap(), (None, Vec::new()));
    assert_eq!(store.game_and_deliveries(id).await.unwrap(), (None, (0, Vec::new())));
    let listed = store.games("removed".to_owned(), None, 9).await.unwrap();
    assert_eq!(listed.iter().map(|game| game.id).collect::<Vec<_>>(), [other]);
    assert!(matches!(store.commit(plain(change(id, 1))).await, Err(StoreError::Stale(None))));
    let told = apply(store, Change::Deliveries { id, expected: 0, value: b"late".to_vec() }).await;
    assert!(matches!(told, Err(StoreError::Stale(None))), "nothing of it comes back");
    assert_eq!(changes(store.as_ref(), other).await, 1);
    remove(store, other, 1, 1).await.unwrap();
}

async fn games_are_looked_at_by_a_moment(store: &Arc<dyn Store>) {
    let id = Uuid::now_v7();
    store.commit(plain(GameChange { look: Some(9_000_000_000_000), ..change(id, 0) })).await.unwrap();
    let look = async |at| {
        apply(store, Change::LookBy(vec![(id, at), (queued(id), at)])).await.unwrap();
        store.whole(id, Vec::new()).await.unwrap().unwrap().looks
    };
    assert_eq!(look(9_000_000_000_009).await, [Some(9_000_000_000_000), Some(9_000_000_000_009)]);
    assert_eq!(look(8_000_000_000_000).await, [Some(8_000_000_000_000); 2]);
    for id in [id, queued(id)] {
        apply(store, Change::Look { id, at: None }).await.unwrap();
    }
    assert_eq!(store.whole(id, Vec::new()).await.unwrap().unwrap().looks, [None; 2]);
}

async fn games_are_carried_whole(store: &Arc<dyn Store>) {
    let answered = |key, is_creation| Answered { key: [key; 32], remembered: remembered(b"answer", 60), is_creation };
    let whole = Whole {
        id: Uuid::now_v7(),
        version: 7,
        snapshot: vec![0, 255, 1].into(),
        tags: vec!["carried".to_owned()],
        events: (0..3_500_u32).map(|event| event.to_be_bytes().to_vec()).collect(),
        deliveries: (3, b"far".to_vec()),
        looks: [Some(9_000_000_000_000), None],
        answers: vec![answered(31, true), answered(32, false)],
    };
    apply(store, Change::Put(Box::new(whole.clone()))).await.unwrap();
    let keys = vec![[31; 32], [32; 32]];
    assert_eq!(store.whole(whole.id, keys.clone()).await.unwrap(), Some(whole.clone()));
    let again = apply(store, Change::Put(Box::new(Whole { version: 9, ..whole.clone() }))).await;
    assert!(matches!(again, Err(StoreError::Stale(Some(there))) if there.version == 7));
    assert_eq!(store.whole(whole.id, keys.clone()).await.unwrap(), Some(whole.clone()), "it is as it was");
    let inventory = store.inventory().await.unwrap();
    assert!(inventory.games.contains(&whole.id));
    assert_eq!(inventory.answers[&whole.id], keys);
    store.commit(plain(GameChange { tags: Some(whole.tags.clone()), ..change(whole.id, 7) })).await.unwrap();
    let next = store.game_and_events(whole.id, 3_500, 9).await.unwrap();
    assert_eq!((next.0.unwrap().version, next.1.len()), (8, 2), "it goes on");
    assert_eq!(store.games("carried".to_owned(), None, 9).await.unwrap().len(), 1);
    let (_, held) = store.game_and_remembered(whole.id, [32; 32]).await.unwrap();
    assert_eq!(held.unwrap().answer, b"answer");
    let (_, held) = store.reserve([31; 32], Uuid::now_v7()).await.unwrap();
    assert!(held.is_some(), "whoever created it, and asks again, is answered");
    apply(store, Change::Look { id: whole.id, at: None }).await.unwrap();
}

async fn what_there_is_is_listed(store: &Arc<dyn Store>) {
    let (id, key) = (Uuid::now_v7(), [41; 32]);
    let created = Commit { remember: Some((key, remembered(b"answer", 60))), ..plain(change(id, 0)) };
    assert_eq!(store.reserve(key, id).await.unwrap().0, id);
    store.commit(created).await.unwrap();
    let text = RuleText { digest: "d9".to_owned(), bytes: b"text".to_vec() };
    let publish = Change::RuleSet { name: "listed@1".to_owned(), text };
    store.commit(Commit { change: publish, remember: Some(([42; 32], remembered(b"answer", 60))) }).await.unwrap();
    let inventory = store.inventory().await.unwrap();
    assert!(inventory.games.is_sorted() && inventory.games.contains(&id));
    assert_eq!(inventory.answers[&id], [key]);
    assert_eq!(inventory.rule_set_answers, [[42; 32]]);
    assert!(inventory.texts.contains(&"d9".to_owned()));
    assert!(store.remembered(Place::RuleSets, [42; 32]).await.unwrap().is_some());
    let answers = store.whole(id, vec![key]).await.unwrap().unwrap().answers;
    assert!(answers[0].is_creation);
}
