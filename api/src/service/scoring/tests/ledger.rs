//! Random commands by processes that die between any two commits. After every command, no chip is lost or made; after
//! the regular checks, everything is settled, and once.

use std::collections::BTreeSet;
use std::env;
use std::sync::Arc;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::dying::Dying;
use super::world::{CHIPS, World, signed};
use crate::player::PlayerId;
use crate::service::Service;
use crate::service::lamp::tests::on_both_stores;
use crate::store::Store;
use crate::table::TableId;
use crate::table::purse::PurseStage;

/// The rule set and the options of each table. Two players suffice for a game of Parcheesi, so games end soon. At the
/// second table, the others play on for the places; at the third one, partners win together.
fn tables() -> [(&'static str, Value); 3] {
    [
        ("parcheesi", json!({"bet": 30, "time_per_turn": 0, "play_on": false})),
        ("parcheesi", json!({"bet": 30, "time_per_turn": 0, "play_on": true})),
        ("pagade", json!({"bet": 20, "time_per_turn": 0, "mode": "partnership"})),
    ]
}
/// Number of commands in one story: a run of the test with one seed.
const COMMANDS: usize = 40;

/// Returns the number in an environment variable.
fn variable(name: &str, default: u64) -> u64 {
    env::var(name).ok().map_or(default, |text| text.parse().expect("a number"))
}

struct Story {
    world: World,
    random: ChaCha8Rng,
    /// The chips of the bank at the beginning, less those that were issued to players of earlier stories.
    before: i64,
    /// The events of the story, for the message of a failed test.
    told: Vec<String>,
    /// Number of processes that died during a command.
    died: usize,
}

impl Story {
    async fn begin(store: Arc<dyn Store>, seed: u64) -> Self {
        let (mut world, random) = (World::new(store), ChaCha8Rng::seed_from_u64(seed));
        let sums = world.sums().await;
        let before = sums.all() - signed(sums.issued);
        for _ in 0..4 {
            world.person().await;
        }
        for (index, (rule_set, options)) in tables().into_iter().enumerate() {
            let master = world.people[index].clone();
            let id = world.new_table(&master, rule_set, options).await;
            let (service, table) = (world.service.clone(), world.table(id).await);
            let free = table.seats.iter().filter(|seat| !seat.is_taken());
            for (other, seat) in world.people.clone().iter().filter(|other| other.id != master.id).zip(free) {
                world.sit(&service, other, id, &seat.seat).await.unwrap();
            }
        }
        Self { world, random, before, told: Vec::new(), died: 0 }
    }

    fn any<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.random.random_range(0..all.len())].clone()
    }

    /// Runs a random command by a process that may die.
    async fn command(&mut self) {
        let table = self.any(&self.world.tables.clone());
        let dies = self.random.random_bool(0.6);
        let (commits, is_made, seed) =
            (self.random.random_range(0..5), self.random.random_bool(0.5), self.random.random());
        let store = Arc::clone(&self.world.store);
        let store = if dies { Dying::after(store, commits, is_made, seed) } else { Dying::never(store, seed) };
        let on = self.world.service.on_store(Arc::clone(&store) as Arc<dyn Store>);
        let word = self.run(&on, table).await;
        let death = if store.is_dead() { format!(", dies after {commits} (made: {is_made})") } else { String::new() };
        self.told.push(format!("{word} at {table}{death}"));
        self.died += usize::from(store.is_dead());
    }

    async fn run(&mut self, on: &Service, table: TableId) -> String {
        let stored_table = self.world.table(table).await;
        let has = |id: PlayerId| self.world.people.iter().find(|person| person.id == id).cloned();
        let sitters: Vec<_> = stored_table.sitters().filter_map(|(_, sitter)| has(sitter.player)).collect();
        let master = stored_table.master.and_then(has);
        let anybody = self.any(&self.world.people.clone());
        let sitter = if sitters.is_empty() { anybody.clone() } else { self.any(&sitters) };
        let master = master.unwrap_or_else(|| anybody.clone());
        let seats: Vec<_> = stored_table.seats.iter().map(|seat| seat.seat.clone()).collect();
        let (seat, bet) = (self.any(&seats), self.any(&[0, 1, 3, 30, 60]));
        let numbers = if stored_table.current.is_some() { 44..100 } else { 10..66 };
        let number = self.random.random_range(numbers);
        let world = &mut self.world;
        let (person, word, done) = match number {
            0..20 => (anybody.id, format!("sits at {seat}"), world.sit(on, &anybody, table, &seat).await),
            20..50 => (master.id, "starts".to_owned(), world.start(on, &master, table).await),
            50..54 => (master.id, format!("bets {bet}"), world.choose(on, &master, table, json!({"bet": bet})).await),
            54..56 => {
                let options = json!({"competitive": bet != 0});
                (master.id, options.to_string(), world.choose(on, &master, table, options).await)
            }
            56..60 => (sitter.id, "leaves".to_owned(), world.leave(on, &sitter, table).await),
            60..62 => (sitter.id, "is deleted".to_owned(), world.delete(on, &sitter).await),
            62..66 => {
                let new = world.person().await;
                let table = world.new_table(&new, "parcheesi", json!({"bet": bet, "time_per_turn": 0})).await;
                return format!("{} comes with {table}", new.id);
            }
            66..74 => (sitter.id, "plays to a win".to_owned(), world.play_to_win(on, table).await),
            74..86 => (sitter.id, "resigns".to_owned(), world.resign(on, &sitter, table).await),
            _ => (sitter.id, "votes".to_owned(), world.vote(on, &sitter, table).await),
        };
        let done = done.map_or_else(|problem| format!("{:?}", problem.code), |reply| reply.status.to_string());
        format!("{person} {word}: {done}")
    }

    /// Checks that no chip is lost or made, whatever is unfinished.
    async fn check_sum(&self) {
        let (sums, ahead) = self.world.moment().await;
        let all = sums.all() - ahead - self.before;
        assert_eq!(all, signed(sums.issued), "{sums:?}, {ahead} ahead\n{}", self.told.join("\n"));
    }

    /// Lets two processes finish all open work at the same time, and checks that all is settled.
    async fn settle(&mut self) {
        let seeds: [u64; 2] = [self.random.random(), self.random.random()];
        let process = |seed| self.world.service.on_store(Dying::never(Arc::clone(&self.world.store), seed));
        let [one, other] = seeds.map(process);
        tokio::join!(self.world.check_all(&one), self.world.check_all(&other));
        self.world.check_all(&one).await;
        self.check_sum().await;
        let mut in_play = BTreeSet::new();
        for table in &self.world.tables {
            let Some(current) = self.world.table(*table).await.current else { continue };
            let stage = current.purse.as_ref().map(|purse| &purse.stage);
            let is_paid = matches!(stage, Some(PurseStage::Settled { .. }));
            assert!(
                is_paid || matches!(stage, None | Some(PurseStage::Staked(_))),
                "{stage:?}\n{}",
                self.told.join("\n")
            );
            if !is_paid {
                in_play.insert(current.id);
            }
        }
        for person in &self.world.people {
            let Some(player) = self.world.player(person.id).await else { continue };
            for stake in &player.ledger.escrow {
                assert!(in_play.contains(&stake.game), "{stake:?} of a game that is over\n{}", self.told.join("\n"));
            }
            let settled = self.world.settled(person.id).await;
            let games: BTreeSet<_> = settled.iter().map(|(game, _)| *game).collect();
            assert_eq!(games.len(), settled.len(), "a game was settled twice\n{}", self.told.join("\n"));
            let told = self.world.told_balance(person.id).await;
            if let Some(told) = told.filter(|_| !player.is_deleted) {
                assert_eq!(told, player.ledger.balance, "{}\n{}", person.id, self.told.join("\n"));
            }
            assert!(player.ledger.issued == CHIPS && player.career.won <= player.career.played);
        }
    }
}

#[test]
fn no_chip_is_lost_or_made_and_every_game_is_settled_once() {
    let (stories, seed) = (variable("PAGADE_LEDGERS", 6), variable("PAGADE_SEED", rand::random::<u32>().into()));
    println!("PAGADE_LEDGERS={stories} PAGADE_SEED={seed}");
    on_both_stores(async |store| {
        let (mut died, mut settled, mut banked) = (0, 0, 0);
        for number in 0..stories {
            let mut story = Story::begin(Arc::clone(&store), seed + number).await;
            for _ in 0..COMMANDS {
                story.command().await;
                story.check_sum().await;
                if story.random.random_bool(0.3) {
                    story.settle().await;
                }
            }
            story.settle().await;
            died += story.died;
            for person in story.world.people.clone() {
                settled += story.world.settled(person.id).await.len();
            }
            banked += story.world.sums().await.bank;
        }
        println!("{died} processes died, {settled} settlements, {banked} chips in the bank");
        assert!(died > 0 && settled > 0 && banked > 0, "{died} {settled} {banked}");
    });
}
