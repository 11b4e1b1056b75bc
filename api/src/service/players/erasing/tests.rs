use std::sync::Arc;

use super::*;
use crate::bank::shards;
use crate::game::terms::PinnedRules;
use crate::ground::token::Token;
use crate::player::event::PlayerEventKind;
use crate::service::call::CallPlayer;
use crate::service::entity::EntityEdit;
use crate::service::lamp::tests::on_both_stores;
use crate::service::players::gather::tests::{has_a_seat, process, sits_in_a_game};
use crate::store::Store;
use crate::table::stored::{Table, TableSeat};
use crate::table::{TableId, entity as entity_of_table};

/// Marks a player as gone, as a process does that dies before it does anything else.
type Mark = fn(&mut PlayerEdit, PlayerId) -> Result<(), Problem>;
const DELETE: Mark = |edit, _| edit.delete();
/// Chips of a new registered player.
const CHIPS: u64 = 100;
const CLAIM: Mark = |edit, registered| edit.claim_for(registered);

async fn write(store: &Arc<dyn Store>, service: &Service, edit: impl EntityEdit) {
    let (change, _) = edit.finish(service, None).unwrap();
    store.commit(Commit::from(Change::Entity(change))).await.unwrap();
}

async fn create(store: &Arc<dyn Store>, service: &Service, is_registered: bool) -> PlayerId {
    let (id, now) = (PlayerId::now_v7(), store.now());
    let player = Player { is_registered, ..Player::new(Some("Asha".to_owned()), Token::new().unwrap().hash(), now) };
    let mut edit = PlayerEdit::begin(id, player, now);
    edit.issue(if is_registered { CHIPS } else { 0 });
    edit.add(PlayerEventKind::Created).unwrap();
    write(store, service, edit).await;
    id
}

/// Marks a player as gone some time ago.
async fn mark(store: &Arc<dyn Store>, service: &Service, id: PlayerId, by: Mark, other: PlayerId, ago: u64) {
    let stored = store.entity(entity(id)).await.unwrap().unwrap();
    let mut edit = PlayerEdit::begin(id, Player::read(&stored.snapshot).unwrap(), store.now() - ago);
    by(&mut edit, other).unwrap();
    write(store, service, edit).await;
}

/// Lists which of these entities name a player, and where.
async fn naming(store: &Arc<dyn Store>, among: &[EntityId], player: PlayerId) -> Vec<String> {
    let mut found = Vec::new();
    for id in among {
        let (stored, events) = store.entity_and_events(*id, 0, 999).await.unwrap();
        let (Some(stored), bytes) = (stored, player.as_bytes()) else { continue };
        let in_snapshot = stored.snapshot.windows(bytes.len()).any(|part| part == bytes);
        let in_events = String::from_utf8(events.concat()).unwrap().contains(&player.to_string());
        for (is_named, part) in [(in_snapshot, "snapshot"), (in_events, "events")] {
            found.extend(is_named.then(|| format!("{part} of {id}")));
        }
    }
    found
}

#[test]
fn a_deletion_that_a_crash_interrupted_is_completed_by_the_check() {
    on_both_stores(async |store| {
        let (first, _closing) = process(&store);
        let (CallPlayer { id, .. }, game) = sits_in_a_game(&first, &store).await;
        // The process dies after it has marked the player as deleted.
        mark(&store, &first, id, DELETE, id, 0).await;
        drop(first);
        let (second, _closing) = process(&store);
        let next = second.check_player(entity(id)).await.unwrap();
        assert!(next.is_some(), "the player has noted a game a moment ago, and may just be about to join it");
        let (stored, events) = store.entity_and_events(entity_of_game(game), 0, 99).await.unwrap();
        let setup = Game::read(&stored.unwrap().snapshot).unwrap().setup;
        assert_eq!((setup.seats[0].player, setup.seats[0].name.as_deref()), (None, Some(DELETED_PLAYER)));
        let events = String::from_utf8(events.concat()).unwrap();
        assert!(events.contains(DELETED_PLAYER) && !events.contains("Asha") && !events.contains(&id.to_string()));
        let refused = second.note_game(id, GameId::now_v7(), None).await.unwrap_err();
        assert_eq!(refused.code, Code::PlayerNotFound, "a deleted player joins no further game");
    });
}

/// Commands that have read a player before the player was deleted or claimed are committed after the first search.
#[test]
fn what_names_a_player_who_is_gone_is_found_by_the_next_search() {
    on_both_stores(async |store| {
        for by in [DELETE, CLAIM] {
            let (service, _closing) = process(&store);
            let [id, friend, host] = [(); 3].map(|()| create(&store, &service, false));
            let (id, friend, host) = (id.await, friend.await, host.await);
            let registered = create(&store, &service, true).await;
            mark(&store, &service, id, by, registered, 0).await;
            assert!(service.check_player(entity(id)).await.unwrap().is_some());

            let mut among = vec![entity(friend), entity(host)];
            for names in [
                |edit: &mut TableEdit, id: PlayerId, _: PlayerId| edit.sit("red", id, None),
                |edit: &mut TableEdit, id, _| edit.watch(id, None),
                |edit: &mut TableEdit, id, host| edit.invite(id, host),
            ] {
                let rule_set = PinnedRules { id: "x".to_owned(), version: "1".to_owned(), digest: "d".to_owned() };
                let seats = ["red", "yellow"].map(|seat| TableSeat::free(seat.to_owned())).into();
                let table = TableId::now_v7();
                let mut edit = TableEdit::begin(table, Table::new(None, rule_set, seats, store.now()), store.now());
                edit.table.settings.competitive = false;
                edit.sit("yellow", host, None).unwrap();
                names(&mut edit, id, host).unwrap();
                write(&store, &service, edit).await;
                among.push(entity_of_table(table));
            }
            let game =
                has_a_seat(&service, &store, &CallPlayer { id, name: Some("Asha".to_owned()), balance: 0 }).await;
            among.push(entity_of_game(game));
            let stored = store.entity(entity(friend)).await.unwrap().unwrap();
            let mut edit = PlayerEdit::open(&service, &stored).await.unwrap();
            edit.ask_friend(id).unwrap();
            write(&store, &service, edit).await;
            let found = naming(&store, &among, id).await;
            assert_eq!(found.len(), 9, "the test looks at the right places: {found:#?}");

            assert!(service.check_player(entity(id)).await.unwrap().is_some());
            service.check_player(entity(friend)).await.unwrap();
            let mut left = naming(&store, &among, id).await;
            // Events keep the id of a claimed guest: they are found when the player who has claimed the guest is
            // deleted.
            left.retain(|place| by as usize == DELETE as usize || !place.starts_with("events"));
            assert!(left.is_empty(), "{left:?}");
        }
    });
}

#[test]
fn a_player_who_is_gone_is_removed_when_no_command_can_name_the_player() {
    on_both_stores(async |store| {
        for (by, is_registered) in [(DELETE, true), (DELETE, false), (CLAIM, false)] {
            let (service, _closing) = process(&store);
            let registered = create(&store, &service, true).await;
            let late = NAMING + 1000 * service.bounds.patience_seconds;
            for (ago, is_kept) in [(0, true), (late - 5_000, true), (late, false)] {
                let id = create(&store, &service, is_registered).await;
                mark(&store, &service, id, by, registered, ago).await;
                let next = service.check_player(entity(id)).await.unwrap();
                let stored = store.entity(entity(id)).await.unwrap();
                assert_eq!((next.is_some(), stored.is_some()), (is_kept, is_kept), "{ago} ms after the mark");
                let banks: Vec<_> = shards().collect();
                let is_credited = !naming(&store, &banks, id).await.is_empty();
                assert_eq!(is_credited, is_kept && is_registered, "the bank has the chips, and forgets from whom");
                let latest = store.now() + ago.max(FIRST_SEARCH).min(late - ago);
                assert!(next.is_none_or(|next| next <= latest), "{ago} ms after the mark");
            }
        }
    });
}

#[test]
fn a_block_of_a_guest_is_one_of_the_player_who_claims_the_guest() {
    on_both_stores(async |store| {
        let (service, _closing) = process(&store);
        let (guest, registered) = (create(&store, &service, false).await, create(&store, &service, true).await);
        let mut blockers = Vec::new();
        for blocked in [[guest].as_slice(), &[guest, registered], &[registered]] {
            let blocker = create(&store, &service, false).await;
            let stored = store.entity(entity(blocker)).await.unwrap().unwrap();
            let mut edit = PlayerEdit::open(&service, &stored).await.unwrap();
            blocked.iter().for_each(|player| edit.block(*player).unwrap());
            write(&store, &service, edit).await;
            blockers.push(blocker);
        }
        mark(&store, &service, guest, CLAIM, registered, 0).await;
        service.check_player(entity(guest)).await.unwrap();
        for blocker in blockers {
            let stored = store.entity(entity(blocker)).await.unwrap().unwrap();
            assert_eq!(Player::read(&stored.snapshot).unwrap().circle.blocked, [registered]);
            let refused = service.reachable_player(blocker, Some(registered)).await.unwrap_err();
            assert_eq!(refused.code, Code::PlayerNotFound);
        }
    });
}

/// A registered player claims a guest. A third player is a friend of one of the two, and has blocked the other one or
/// is blocked by the other one. After the claim, neither side has the friendship.
#[test]
fn a_claim_leaves_no_friends_of_whom_one_has_blocked_the_other() {
    on_both_stores(async |store| {
        let (service, _closing) = process(&store);
        let act = async |id, act: &dyn Fn(&mut PlayerEdit) -> Result<(), Problem>| {
            let stored = store.entity(entity(id)).await.unwrap().unwrap();
            let mut edit = PlayerEdit::open(&service, &stored).await.unwrap();
            act(&mut edit).unwrap();
            write(&store, &service, edit).await;
            service.deliver_messages(id).await.unwrap();
        };
        for (guest_is_friend, by_friend, accepted) in [
            (true, true, true),
            (true, false, true),
            (false, true, true),
            (false, false, true),
            (true, true, false),
            (true, false, false),
            (false, true, false),
            (false, false, false),
        ] {
            let (guest, registered) = (create(&store, &service, false).await, create(&store, &service, true).await);
            let friend = create(&store, &service, false).await;
            let (known, other) = if guest_is_friend { (guest, registered) } else { (registered, guest) };
            act(known, &|edit| edit.ask_friend(friend)).await;
            if accepted {
                act(friend, &|edit| edit.ask_friend(known)).await;
            }
            match by_friend {
                true => act(friend, &|edit| edit.block(other)).await,
                false => act(other, &|edit| edit.block(friend)).await,
            }
            mark(&store, &service, guest, CLAIM, registered, 0).await;
            for id in [guest, registered, friend, guest, registered, friend] {
                service.check_player(entity(id)).await.unwrap();
            }
            for (id, other) in [(friend, registered), (registered, friend)] {
                let stored = store.entity(entity(id)).await.unwrap().unwrap();
                let circle = Player::read(&stored.snapshot).unwrap().circle;
                let is_blocking = (id == friend) == by_friend;
                let what = (guest_is_friend, by_friend, accepted, id == friend);
                assert_eq!(
                    (circle.relations.as_slice(), circle.has_blocked(other)),
                    (&[][..], is_blocking),
                    "{what:?}"
                );
                assert!(circle.outbox.is_empty(), "{what:?}");
            }
        }
    });
}
