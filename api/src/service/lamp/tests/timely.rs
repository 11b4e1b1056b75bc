//! Tests that nothing is late: neither deadlines nor events that come while a worker has the task, nor tasks that are
//! due while another task is slow.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::game::GAME;
use crate::store::{Change, Commit, LEASE, Task};

/// Longest time after its deadline at which a task begins, with some room for a busy machine.
const IN_TIME: Duration = Duration::from_secs(3);

async fn in_time(what: &str, holds: impl Future<Output = ()>) {
    tokio::time::timeout(IN_TIME, holds).await.unwrap_or_else(|_| panic!("{what}: late"));
}

#[test]
fn a_deadline_that_comes_during_a_check_is_met_in_time() {
    on_both_stores(async |store| {
        let house = House::on(Arc::clone(&store), Retention::default()).await;
        let task = Task::entity(house.id);
        store.commit(Commit::from(Change::ScheduleBy(vec![(task, store.now())]))).await.unwrap();
        let leased = store.due(9).await.unwrap()[0];
        let at = house.service.check::<Lamp>(house.id).await.unwrap();
        assert!(at.is_some_and(|at| at > store.now() + 5_000), "the lamp is dark");
        house.light(100).await;
        store.commit(Commit::from(Change::EndLease { leased, at })).await.unwrap();
        tokio::spawn(house.service.clone().run_schedule(WITH_LAMPS));
        in_time("the lamp goes out", house.until_event("went_out")).await;
    });
}

#[test]
fn an_event_that_comes_during_deliveries_is_told_in_time() {
    on_both_stores(async |store| {
        let house = House::on(Arc::clone(&store), Retention::default()).await;
        let receiver = Receiver::start();
        let wish = CreateWebhook { url: receiver.url.clone(), events: Vec::new(), secret: None };
        house.service.add_webhook::<Lamp>(&house.keeper(), b"", &house.name(), &wish).await.unwrap();
        house.service.wake_webhooks(house.id);
        // The service adds the task in the background, so it may take a moment.
        let leased = loop {
            match store.due(9).await.unwrap().pop() {
                Some(leased) => break leased,
                None => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        };
        // The worker finds nothing to send, and would come again in twenty seconds.
        let at = Some(store.now() + 20_000);
        house.light(60_000).await;
        // The service schedules the delivery in the background. Nothing shows it as long as the worker has the task.
        tokio::time::sleep(Duration::from_millis(200)).await;
        store.commit(Commit::from(Change::EndLease { leased, at })).await.unwrap();
        tokio::spawn(house.service.clone().run_schedule(WITH_LAMPS));
        in_time("the light is told", until("told", async || receiver.events() == [2])).await;
    });
}

/// A program in which games are slow to check.
static WITH_SLOW_GAMES: &[ScheduledKind] = &[
    ScheduledKind {
        check: |_, _| {
            Box::pin(async {
                tokio::time::sleep(Duration::from_secs(8)).await;
                Ok(None)
            })
        },
        ..ScheduledKind::of::<Game>()
    },
    ScheduledKind::of::<Lamp>(),
];

#[test]
fn a_slow_task_holds_up_no_other() {
    the_lamp_goes_out_in_time_beside_a_game(WITH_SLOW_GAMES);
}

/// A program in which the check of a game panics.
static WITH_BAD_GAMES: &[ScheduledKind] = &[
    ScheduledKind { check: |_, _| Box::pin(async { panic!("the check of a game") }), ..ScheduledKind::of::<Game>() },
    ScheduledKind::of::<Lamp>(),
];

#[test]
fn a_panic_in_a_task_ends_no_other_task() {
    the_lamp_goes_out_in_time_beside_a_game(WITH_BAD_GAMES);
}

fn the_lamp_goes_out_in_time_beside_a_game(kinds: &'static [ScheduledKind]) {
    on_both_stores(async |store| {
        let house = House::on(Arc::clone(&store), Retention::default()).await;
        let game = EntityId::new(GAME, Uuid::now_v7());
        store.commit(Commit::from(Change::ScheduleBy(vec![(Task::entity(game), store.now())]))).await.unwrap();
        tokio::spawn(house.service.clone().run_schedule(kinds));
        // Nothing shows that the task of the game has begun. If it has not, both tasks begin together.
        tokio::time::sleep(Duration::from_millis(100)).await;
        house.light(100).await;
        in_time("the lamp goes out", house.until_event("went_out")).await;
    });
}

#[test]
fn a_slow_task_is_done_once() {
    static CHECKS: AtomicUsize = AtomicUsize::new(0);
    static SLOW_GAMES: &[ScheduledKind] = &[ScheduledKind {
        check: |_, _| {
            Box::pin(async {
                CHECKS.fetch_add(1, Ordering::SeqCst);
                tokio::time::sleep(LEASE + Duration::from_secs(3)).await;
                Ok(None)
            })
        },
        ..ScheduledKind::of::<Game>()
    }];
    run(async || {
        let data = TestStore::redis().await;
        let (one, other) =
            (House::on(data.store(), Retention::default()).await, House::on(data.store(), Retention::default()).await);
        let task = Task::entity(EntityId::new(GAME, Uuid::now_v7()));
        let store = data.store();
        store.commit(Commit::from(Change::ScheduleBy(vec![(task, store.now())]))).await.unwrap();
        for house in [&one, &other] {
            tokio::spawn(house.service.clone().run_schedule(SLOW_GAMES));
        }
        // Time itself is tested: nothing happens when the lease would end, nor later.
        tokio::time::sleep(LEASE).await;
        assert_eq!(CHECKS.load(Ordering::SeqCst), 1, "although its lease would have ended");
        tokio::time::sleep(Duration::from_secs(5)).await;
        assert_eq!(CHECKS.load(Ordering::SeqCst), 1);
        assert_eq!(store.due(9).await.unwrap(), []);
    });
}

#[test]
fn a_process_does_not_begin_a_task_again_while_it_works_on_it() {
    static CHECKS: AtomicUsize = AtomicUsize::new(0);
    static SLOW_GAMES: &[ScheduledKind] = &[ScheduledKind {
        check: |_, _| {
            Box::pin(async {
                CHECKS.fetch_add(1, Ordering::SeqCst);
                tokio::time::sleep(Duration::from_secs(2)).await;
                Ok(None)
            })
        },
        ..ScheduledKind::of::<Game>()
    }];
    run(async || {
        let data = TestStore::redis().await;
        let (house, store) = (House::on(data.store(), Retention::default()).await, data.store());
        let task = Task::entity(EntityId::new(GAME, Uuid::now_v7()));
        let is_due = async || store.commit(Commit::from(Change::ScheduleBy(vec![(task, store.now())]))).await.unwrap();
        is_due().await;
        tokio::spawn(house.service.clone().run_schedule(SLOW_GAMES));
        until("the work begins", async || CHECKS.load(Ordering::SeqCst) == 1).await;
        is_due().await;
        // Time itself is tested: a tick of the schedule passes, and nothing happens.
        tokio::time::sleep(Duration::from_millis(1_200)).await;
        assert_eq!(CHECKS.load(Ordering::SeqCst), 1, "a deadline during the work waits");
        until("the deadline is not lost", async || CHECKS.load(Ordering::SeqCst) == 2).await;
    });
}
