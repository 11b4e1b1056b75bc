//! Tests that commits which are slow on their way to Redis lose no deadline, although a worker of another process takes
//! their task before they are made.

use std::sync::Arc;
use std::time::{Duration, Instant};

use pagade::EVENT_PHRASES;
use pagade::store::redis::Redis;
use pagade::store::{Change, Commit, EntityChange, EntityCopy, LeasedTask, Store, Task};

use crate::harness::TestStore;
use crate::store::{change, new_game, plain, run};
use crate::wire::RedisWire;

/// The delay of a slow commit on its way to Redis.
const SLOW: Duration = Duration::from_millis(600);

/// Two processes on one Redis. The commits of one are slow.
struct Two {
    slow: Arc<dyn Store>,
    other: Arc<dyn Store>,
}

impl Two {
    async fn on(data: &TestStore, wire: &RedisWire) -> Self {
        let slow = Redis::open(&wire.address(), &EVENT_PHRASES).await.unwrap();
        let other = Redis::open(&data.redis().address(), &EVENT_PHRASES).await.unwrap();
        // The script that writes an entity names the list of its events.
        wire.slow_down(":events", SLOW);
        Self { slow: Arc::new(slow), other: Arc::new(other) }
    }

    /// Waits until the other process gets the task.
    async fn take(&self, task: Task, at_most: Duration) -> Option<LeasedTask> {
        let began = Instant::now();
        while began.elapsed() < at_most {
            if let Some(leased) = self.other.due(9).await.unwrap().into_iter().find(|leased| leased.task == task) {
                return Some(leased);
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        None
    }

    /// Makes a slow commit of `change`. Meanwhile the other process takes the task, checks that the stored entity still
    /// has `version` (0: no entity), and ends the lease with the deadline `at`. After the commit the task has to be due
    /// again.
    async fn passes_each_other(&self, change: Change, task: Task, version: u64, at: Option<u64>) {
        let commit = async { self.slow.commit(Commit::from(change)).await.unwrap() };
        let check = async {
            let leased = self.take(task, SLOW).await.expect("the task is due before the commit is made");
            assert_eq!(self.other.entity(task.id).await.unwrap().map_or(0, |entity| entity.version), version);
            self.other.commit(Commit::from(Change::EndLease { leased, at })).await.unwrap();
        };
        tokio::join!(commit, check);
        let leased = self.take(task, Duration::from_secs(1)).await.expect("the deadline of the commit is kept");
        self.other.commit(Commit::from(Change::EndLease { leased, at: None })).await.unwrap();
    }
}

#[test]
fn a_deadline_that_passes_during_its_commit_is_not_forgotten() {
    let data = TestStore::on_redis();
    let wire = RedisWire::to(data.redis().port);
    run(async || {
        let (two, id) = (Two::on(&data, &wire).await, new_game());
        for version in 0..2 {
            let deadline = Some(two.slow.now() + 50);
            let change = Change::Entity(EntityChange { deadline, ..change(id, version) });
            let later = two.slow.now() + 10_000;
            two.passes_each_other(change, Task::entity(id), version, Some(later)).await;
        }
    });
}

#[test]
fn a_deadline_after_a_check_that_passes_its_commit_is_not_forgotten() {
    let data = TestStore::on_redis();
    let wire = RedisWire::to(data.redis().port);
    run(async || {
        let (two, id) = (Two::on(&data, &wire).await, new_game());
        let task = Task::entity(id);
        two.other.commit(plain(change(id, 0))).await.unwrap();
        // The task is due in 50 milliseconds for another reason, earlier than the deadline of the slow commit.
        two.other.commit(Commit::from(Change::ScheduleBy(vec![(task, two.other.now() + 50)]))).await.unwrap();
        let deadline = Some(two.slow.now() + 1_000);
        let change = Change::Entity(EntityChange { deadline, ..change(id, 1) });
        two.passes_each_other(change, task, 1, None).await;
    });
}

#[test]
fn a_deadline_that_is_over_is_imported_although_the_entity_comes_later() {
    let data = TestStore::on_redis();
    let wire = RedisWire::to(data.redis().port);
    run(async || {
        let (two, id) = (Two::on(&data, &wire).await, new_game());
        let copy = EntityCopy {
            id,
            version: 7,
            changed_at: 1_000,
            is_closed: false,
            snapshot: vec![1].into(),
            tags: Vec::new(),
            events: vec![b"made".to_vec()],
            deliveries: (0, Vec::new()),
            deadlines: [Some(two.slow.now() - 1), None],
            answers: Vec::new(),
        };
        two.passes_each_other(Change::Import(Box::new(copy)), Task::entity(id), 0, None).await;
    });
}
