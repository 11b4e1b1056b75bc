//! The part of the contract of stores about copies, removals and inventories.

use std::sync::Arc;

use pagade::store::{
    AnswerOwner, Change, Commit, CopiedAnswer, EntityChange, EntityCopy, EntityId, Kind, RewrittenEvent, SharedText,
    Store, StoreError, Task,
};

use crate::store::{change, changes, key, new, plain, stored_answer};

pub(crate) async fn contract(store: &Arc<dyn Store>, kind: Kind) {
    entities_are_removed_with_everything(store, kind).await;
    scheduled_by_a_moment_deadlines_become_earlier_never_later(store, kind).await;
    entities_are_copied_whole(store, kind).await;
    events_are_replaced_where_they_are_as_they_were_read(store, kind).await;
    entities_and_their_answers_are_listed(store, kind).await;
}

async fn apply(store: &Arc<dyn Store>, change: Change) -> Result<(), StoreError> {
    store.commit(Commit::from(change)).await
}

async fn remove(store: &Arc<dyn Store>, id: EntityId, expected: u64, delivered: u64) -> Result<(), StoreError> {
    apply(store, Change::Remove { id, expected, delivered }).await
}

async fn entities_are_removed_with_everything(store: &Arc<dyn Store>, kind: Kind) {
    let (id, other) = (new(kind), new(kind));
    let tags = Some(vec!["removed".to_owned()]);
    for id in [id, other] {
        let deadline = Some(u64::MAX >> 12);
        store.commit(plain(EntityChange { tags: tags.clone(), deadline, ..change(id, 0) })).await.unwrap();
        apply(store, Change::Deliveries { id, expected: 0, value: b"one".to_vec() }).await.unwrap();
    }
    assert!(matches!(remove(store, id, 2, 1).await, Err(StoreError::Conflict(Some(now))) if now.version == 1));
    assert!(matches!(remove(store, id, 1, 0).await, Err(StoreError::Conflict(_))), "webhooks were told meanwhile");
    remove(store, id, 1, 1).await.unwrap();
    remove(store, id, 1, 1).await.unwrap();
    assert_eq!(store.entity(id).await.unwrap(), None);
    assert_eq!(store.cached(id), None);
    assert_eq!(store.copy(id, Vec::new()).await.unwrap(), None);
    assert_eq!(store.entity_and_events(id, 0, 9).await.unwrap(), (None, Vec::new()));
    assert_eq!(store.entity_and_deliveries(id).await.unwrap(), (None, (0, Vec::new())));
    let listed = store.list(kind, "removed".to_owned(), None, 9).await.unwrap();
    assert_eq!(listed.iter().map(|entity| entity.id).collect::<Vec<_>>(), [other]);
    assert!(matches!(store.commit(plain(change(id, 1))).await, Err(StoreError::Conflict(None))));
    let late = apply(store, Change::Deliveries { id, expected: 0, value: b"late".to_vec() }).await;
    assert!(matches!(late, Err(StoreError::Conflict(None))), "nothing of it comes back");
    assert_eq!(changes(store.as_ref(), other).await, 1);
    remove(store, other, 1, 1).await.unwrap();
}

async fn scheduled_by_a_moment_deadlines_become_earlier_never_later(store: &Arc<dyn Store>, kind: Kind) {
    let id = new(kind);
    store.commit(plain(EntityChange { deadline: Some(9_000_000_000_000), ..change(id, 0) })).await.unwrap();
    let set_by = async |at| {
        apply(store, Change::ScheduleBy(Task::both(id).map(|task| (task, at)).to_vec())).await.unwrap();
        store.copy(id, Vec::new()).await.unwrap().unwrap().deadlines
    };
    assert_eq!(set_by(9_000_000_000_009).await, [Some(9_000_000_000_000), Some(9_000_000_000_009)]);
    assert_eq!(set_by(8_000_000_000_000).await, [Some(8_000_000_000_000); 2]);
}

async fn entities_are_copied_whole(store: &Arc<dyn Store>, kind: Kind) {
    let id = new(kind);
    let keys = vec![key(id, 31), key(id, 32)];
    let answers = keys.iter().zip([true, false]);
    let answers =
        answers.map(|(key, is_creation)| CopiedAnswer { key: *key, answer: stored_answer(b"answer", 60), is_creation });
    let copy = EntityCopy {
        id,
        version: 7,
        changed_at: 1_000,
        is_closed: true,
        snapshot: vec![0, 255, 1].into(),
        tags: vec!["copied".to_owned()],
        events: (0..3_500_u32).map(|event| event.to_be_bytes().to_vec()).collect(),
        deliveries: (3, b"far".to_vec()),
        deadlines: [Some(9_000_000_000_000), None],
        answers: answers.collect(),
    };
    apply(store, Change::Import(Box::new(copy.clone()))).await.unwrap();
    assert_eq!(store.copy(id, keys.clone()).await.unwrap(), Some(copy.clone()));
    let entity = store.entity(id).await.unwrap().unwrap();
    assert_eq!((entity.version, entity.events, entity.changed_at, entity.is_closed), (7, 3_500, 1_000, true));
    let again = apply(store, Change::Import(Box::new(EntityCopy { version: 9, ..copy.clone() }))).await;
    assert!(matches!(again, Err(StoreError::Conflict(Some(there))) if there.version == 7));
    assert_eq!(store.copy(id, keys.clone()).await.unwrap(), Some(copy.clone()), "it is as it was");
    let inventory = store.inventory().await.unwrap();
    assert!(inventory.entities.contains(&id));
    assert_eq!(inventory.answers[&id], keys);
    store.commit(plain(EntityChange { tags: Some(copy.tags.clone()), ..change(id, 7) })).await.unwrap();
    let (entity, events) = store.entity_and_events(id, 3_500, 9).await.unwrap();
    let entity = entity.unwrap();
    assert_eq!((entity.version, entity.events, events.len()), (8, 3_502, 2), "it goes on");
    assert_eq!(store.list(kind, "copied".to_owned(), None, 9).await.unwrap().len(), 1);
    let (_, answer) = store.entity_and_answer(id, keys[1]).await.unwrap();
    assert_eq!(answer.unwrap().sealed, b"answer");
    let (_, answer) = store.reserve(keys[0], new(kind)).await.unwrap();
    assert!(answer.is_some(), "a repeated request to create it is answered");
}

async fn events_are_replaced_where_they_are_as_they_were_read(store: &Arc<dyn Store>, kind: Kind) {
    let id = new(kind);
    store.commit(plain(change(id, 0))).await.unwrap();
    store.commit(plain(change(id, 1))).await.unwrap();
    let rewrite = async |id, events: &[(u64, &str, &str)]| {
        let rewritten = events.iter().map(|(number, from, to)| RewrittenEvent {
            number: *number,
            from: from.as_bytes().to_vec(),
            to: to.as_bytes().to_vec(),
        });
        apply(store, Change::Rewrite { id, events: rewritten.collect() }).await.unwrap();
    };
    let events = async || {
        let (entity, events) = store.entity_and_events(id, 0, 9).await.unwrap();
        let entity = entity.unwrap();
        assert_eq!((entity.version, entity.events), (2, 4), "version and number of events are as they were");
        events.into_iter().map(|event| String::from_utf8(event).unwrap()).collect::<Vec<_>>()
    };
    rewrite(id, &[(1, "a0", r#"{"id":1,"event":"joined"}"#), (4, "b1", ""), (2, "b9", "x"), (5, "a2", "x")]).await;
    assert_eq!(events().await, [r#"{"id":1,"event":"joined"}"#, "b0", "a1", ""]);
    rewrite(id, &[(1, "a0", "x"), (0, "a0", "x")]).await;
    rewrite(id, &[(1, r#"{"id":1,"event":"joined"}"#, "again")]).await;
    assert_eq!(events().await, ["again", "b0", "a1", ""]);
    let nobody = new(kind);
    rewrite(nobody, &[(1, "a0", "x")]).await;
    assert_eq!(store.entity_and_events(nobody, 0, 9).await.unwrap(), (None, Vec::new()));
}

async fn entities_and_their_answers_are_listed(store: &Arc<dyn Store>, kind: Kind) {
    let id = new(kind);
    let key = key(id, 41);
    let created = Commit { answer: Some((key, stored_answer(b"answer", 60))), ..plain(change(id, 0)) };
    assert_eq!(store.reserve(key, id).await.unwrap().0, id);
    store.commit(created).await.unwrap();
    let inventory = store.inventory().await.unwrap();
    assert!(inventory.entities.is_sorted() && inventory.entities.contains(&id));
    assert_eq!(inventory.answers[&id], [key]);
    let answers = store.copy(id, vec![key]).await.unwrap().unwrap().answers;
    assert!(answers[0].is_creation);
}

pub(crate) async fn published_texts_are_listed(store: &Arc<dyn Store>) {
    let text = SharedText { digest: "d9".to_owned(), bytes: b"text".to_vec() };
    let change = Change::Publish { name: "listed@1".to_owned(), text };
    let answer = Some(([42; 32], stored_answer(b"answer", 60)));
    store.commit(Commit { change, answer }).await.unwrap();
    let inventory = store.inventory().await.unwrap();
    assert_eq!(inventory.published_answers, [[42; 32]]);
    assert!(inventory.texts.contains(&"d9".to_owned()));
    assert!(store.answer(AnswerOwner::Published, [42; 32]).await.unwrap().is_some());
}

pub(crate) async fn the_first_shared_answer_stays(store: &Arc<dyn Store>) {
    let first = stored_answer(b"first", 60);
    for answer in [first.clone(), stored_answer(b"second", 90)] {
        let answers = vec![CopiedAnswer { key: [43; 32], answer, is_creation: false }];
        store.commit(Commit::from(Change::Shared { texts: Vec::new(), answers })).await.unwrap();
        assert_eq!(store.answer(AnswerOwner::Published, [43; 32]).await.unwrap(), Some(first.clone()));
    }
}
