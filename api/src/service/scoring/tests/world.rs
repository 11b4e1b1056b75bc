//! Players and tables of a store, and sums over all of them.

use std::collections::BTreeSet;
use std::net::IpAddr;
use std::sync::Arc;

use pagade_robots::RobotKind;
use serde_json::{Value, json};
use tokio::sync::watch;
use uuid::{Builder, Uuid};

use crate::bank::shards;
use crate::bank::stored::{ChipSource, Shard};
use crate::config::ServeConfig;
use crate::error::Problem;
use crate::game::edit::Edit;
use crate::game::terms::{Status, WhenLate};
use crate::game::{GameId, entity as entity_of_game};
use crate::ground::language::Languages;
use crate::ground::token::Token;
use crate::model::ending::Resign;
use crate::model::table::{CastVote, CreateTable, JoinTable, OpenVote};
use crate::model::table_options::ChangeOptions;
use crate::player::edit::PlayerEdit;
use crate::player::event::PlayerEventKind;
use crate::player::stored::Player;
use crate::player::{PLAYER, PlayerId, entity as entity_of_player};
use crate::service::Service;
use crate::service::call::{Call, CallPlayer};
use crate::service::entity::EntityEdit;
use crate::service::reply::Reply;
use crate::store::{Change, Commit, Store};
use crate::table::purse::PurseStage;
use crate::table::stored::{CurrentGame, Table};
use crate::table::{TableId, entity as entity_of_table};

/// Chips of a new player.
pub(super) const CHIPS: u64 = 100;

/// A player who is registered, with the token.
#[derive(Debug, Clone)]
pub(super) struct Person {
    pub id: PlayerId,
    token: Token,
}

/// A store, and a process that works on it.
pub(super) struct World {
    pub store: Arc<dyn Store>,
    pub service: Service,
    pub people: Vec<Person>,
    pub tables: Vec<TableId>,
    /// The service closes when this sender is dropped.
    _closing: watch::Sender<bool>,
}

pub(super) fn body(reply: &Reply) -> Value {
    serde_json::from_slice(&reply.body).unwrap()
}

impl World {
    pub(super) fn new(store: Arc<dyn Store>) -> Self {
        let (_closing, closed) = watch::channel(false);
        let mut config = ServeConfig::default();
        (config.scoring.chips, config.scoring.season) = (CHIPS, Some("autumn".to_owned()));
        let service = Service::new(Arc::clone(&store), &config, closed);
        Self { store, service, people: Vec::new(), tables: Vec::new(), _closing }
    }

    /// Registers a player, as the first token of an identity provider does.
    pub(super) async fn person(&mut self) -> Person {
        let id = Builder::from_custom_bytes(rand::random()).into_uuid();
        let (token, now) = (Token::of(PLAYER.word(), id).unwrap(), self.store.now());
        let player = Player { is_registered: true, ..Player::new(Some(format!("P{id}")), token.hash(), now) };
        let mut edit = PlayerEdit::begin(id, player, now);
        edit.issue(CHIPS);
        edit.add(PlayerEventKind::Created).unwrap();
        let (change, _) = edit.finish(&self.service, None).unwrap();
        self.store.commit(Commit::from(Change::Entity(change))).await.unwrap();
        self.people.push(Person { id, token });
        self.people.last().unwrap().clone()
    }

    /// Returns a request of a player, from a network address of the player's own.
    pub(super) async fn call(&self, person: &Person) -> Call {
        let last = person.id.as_bytes()[15];
        self.call_from(person, IpAddr::from([10, 0, person.id.as_bytes()[0], last])).await
    }

    pub(super) async fn call_from(&self, person: &Person, address: IpAddr) -> Call {
        let player = self.player(person.id).await.filter(|player| !player.is_deleted);
        let player =
            player.map(|player| CallPlayer { id: person.id, name: player.name, balance: player.ledger.balance });
        let caller = Some(self.service.meter.caller(address, None));
        Call { token: Some(person.token.clone()), player, caller, ..Call::default() }
    }

    pub(super) async fn player(&self, id: PlayerId) -> Option<Player> {
        let stored = self.store.entity(entity_of_player(id)).await.unwrap()?;
        Some(Player::read_any(&stored.snapshot).unwrap())
    }

    pub(super) async fn table(&self, id: TableId) -> Table {
        Table::read(&self.store.entity(entity_of_table(id)).await.unwrap().unwrap().snapshot).unwrap()
    }

    /// Creates a table with these options, whose master is a player.
    pub(super) async fn new_table(&mut self, master: &Person, rule_set: &str, options: Value) -> TableId {
        let wish: CreateTable = serde_json::from_value(json!({"rule_set": rule_set, "options": options})).unwrap();
        let created = self.service.create_table(&self.call(master).await, b"", &wish).await.unwrap();
        let id = body(&created)["id"].as_str().unwrap().parse().unwrap();
        self.tables.push(id);
        id
    }

    pub(super) async fn sit(
        &self,
        on: &Service,
        person: &Person,
        table: TableId,
        seat: &str,
    ) -> Result<Reply, Problem> {
        let call = self.call(person).await;
        on.take_table_seat(&call, b"", &table.to_string(), seat, &JoinTable::default()).await
    }

    pub(super) async fn start(&self, on: &Service, person: &Person, table: TableId) -> Result<Reply, Problem> {
        on.start_table_game(&self.call(person).await, b"", &table.to_string()).await
    }

    pub(super) async fn leave(&self, on: &Service, person: &Person, table: TableId) -> Result<Reply, Problem> {
        let seat = self.table(table).await.seat_of(person.id).unwrap_or("nowhere").to_owned();
        on.leave_table_seat(&self.call(person).await, &table.to_string(), &seat).await
    }

    pub(super) async fn resign(&self, on: &Service, person: &Person, table: TableId) -> Result<Reply, Problem> {
        let game = self.table(table).await.current.map_or(Uuid::nil(), |current| current.id);
        on.resign_seat(&self.call(person).await, b"", &game.to_string(), &Resign::default()).await
    }

    /// Plays the game of a table until a side has won, or the game is over. Robots decide for all players.
    pub(super) async fn play_to_win(&self, on: &Service, table: TableId) -> Result<Reply, Problem> {
        let game = self.table(table).await.current.map_or(Uuid::nil(), |current| current.id);
        let play = |edit: &mut Edit| {
            while edit.game.status == Status::Playing && !edit.is_won() {
                edit.finish_turn(WhenLate::Robot(RobotKind::Runner))?;
            }
            Ok(Reply::default())
        };
        let played = on.change(None, entity_of_game(game), play).await?;
        on.settle_table(table).await?;
        Ok(played)
    }

    /// Votes for the end of the game: opens the vote, or agrees to it.
    pub(super) async fn vote(&self, on: &Service, person: &Person, table: TableId) -> Result<Reply, Problem> {
        let call = self.call(person).await;
        let wish: OpenVote = serde_json::from_value(json!({"on": "end"})).unwrap();
        match on.open_table_vote(&call, b"", &table.to_string(), &wish).await {
            Err(_) => on.cast_table_vote(&call, b"", &table.to_string(), &CastVote { agree: true }).await,
            opened => opened,
        }
    }

    pub(super) async fn choose(
        &self,
        on: &Service,
        person: &Person,
        table: TableId,
        options: Value,
    ) -> Result<Reply, Problem> {
        let wish: ChangeOptions = serde_json::from_value(json!({"options": options})).unwrap();
        on.change_table_options(&self.call(person).await, b"", &table.to_string(), &wish, &Languages::default()).await
    }

    pub(super) async fn delete(&self, on: &Service, person: &Person) -> Result<Reply, Problem> {
        on.delete_player(&self.call(person).await, &person.id.to_string()).await
    }

    /// Runs the regular checks of all tables and players, as the schedule does when their deadlines are due.
    pub(super) async fn check_all(&self, on: &Service) {
        for table in &self.tables {
            on.check_table(entity_of_table(*table)).await.unwrap();
        }
        for person in &self.people {
            on.check_player(entity_of_player(person.id)).await.unwrap();
        }
    }

    /// Returns the versions of all players, tables and shards.
    async fn versions(&self) -> Vec<Option<u64>> {
        let people = self.people.iter().map(|person| entity_of_player(person.id));
        let tables = self.tables.iter().map(|table| entity_of_table(*table));
        let mut versions = Vec::new();
        for id in people.chain(tables).chain(shards()) {
            versions.push(self.store.entity(id).await.unwrap().map(|stored| stored.version));
        }
        versions
    }

    /// Reads all chips until no entity changes while it reads, because tasks of earlier commands may still be at work.
    /// Returns the sums, and the chips that the sums count twice because their game or player is being settled.
    pub(super) async fn moment(&self) -> (Sums, i64) {
        loop {
            let before = self.versions().await;
            let sums = self.sums().await;
            let ahead = self.ahead(&sums).await;
            if self.versions().await == before {
                return (sums, ahead);
            }
        }
    }

    /// Returns the chips of all players, of all games in escrow, and of the bank, and the chips that were issued.
    pub(super) async fn sums(&self) -> Sums {
        let mut sums = Sums::default();
        for person in &self.people {
            if let Some(player) = self.player(person.id).await {
                sums.balances += player.ledger.balance;
                sums.escrow += player.ledger.staked();
                sums.issued += player.ledger.issued;
            }
        }
        for id in shards() {
            let stored = self.store.entity(id).await.unwrap();
            let shard = Shard::read(stored.as_ref()).unwrap();
            sums.bank += shard.chips;
            sums.issued += shard.issued;
            sums.credited.extend(shard.credited);
        }
        sums
    }

    /// Returns by how many chips the sum of all chips is too large: those that were paid out for games that are still
    /// being settled, less the stakes that have left the escrow; and those of deleted players that the bank has
    /// already.
    pub(super) async fn ahead(&self, sums: &Sums) -> i64 {
        let mut ahead = 0;
        for table in &self.tables {
            let Some(CurrentGame { id, purse: Some(purse), .. }) = self.table(*table).await.current else { continue };
            let PurseStage::Settling(decision) = &purse.stage else { continue };
            for (member, outcome) in purse.members.iter().zip(&decision.division.members) {
                let player = self.player(*member).await;
                let is_paid = player.is_none_or(|player| !player.ledger.holds(id));
                ahead += if is_paid { signed(outcome.chips) - signed(purse.bet) } else { 0 };
            }
            if sums.credited.contains(&ChipSource::Game { table: *table, game: id }) {
                ahead += signed(decision.division.bank);
            }
        }
        // The bank gets the chips of a deleted player before the player is removed, so the sum has them twice.
        for person in &self.people {
            if let Some(player) = self.player(person.id).await {
                let source = ChipSource::Player { player: person.id, created_at: player.created_at };
                if player.is_deleted && sums.credited.contains(&source) {
                    ahead += signed(player.ledger.balance) - signed(player.ledger.issued);
                }
            }
        }
        ahead
    }

    /// Returns the settled games in the inbox of a player, each with the chips that the player gained.
    pub(super) async fn settled(&self, id: PlayerId) -> Vec<(GameId, i64)> {
        let (_, events) = self.store.entity_and_events(entity_of_player(id), 0, usize::MAX).await.unwrap();
        let events = events.iter().map(|event| serde_json::from_slice::<Value>(event).unwrap());
        let settled = events.filter(|event| event["event"] == "game_settled");
        settled
            .map(|event| (event["game_id"].as_str().unwrap().parse().unwrap(), event["chips"].as_i64().unwrap_or(0)))
            .collect()
    }

    /// Returns the balance of a player as the sum of the changes in the inbox; `None` if the player was removed.
    pub(super) async fn told_balance(&self, id: PlayerId) -> Option<u64> {
        let (player, events) = self.store.entity_and_events(entity_of_player(id), 0, usize::MAX).await.unwrap();
        player?;
        let events = events.iter().map(|event| serde_json::from_slice::<Value>(event).unwrap());
        let changes: i64 = events.filter_map(|event| event["chips"].as_i64()).sum();
        Some(u64::try_from(signed(CHIPS) + changes).unwrap())
    }
}

/// The sums over all players and the bank.
#[derive(Debug, Default)]
pub(super) struct Sums {
    pub balances: u64,
    pub escrow: u64,
    pub bank: u64,
    pub issued: u64,
    pub credited: BTreeSet<ChipSource>,
}

impl Sums {
    pub(super) fn all(&self) -> i64 {
        signed(self.balances + self.escrow + self.bank)
    }
}

pub(super) fn signed(chips: u64) -> i64 {
    i64::try_from(chips).unwrap()
}
