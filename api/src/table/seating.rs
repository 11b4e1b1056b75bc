//! The players, the watchers and the master of a table.

use pagade_robots::RobotKind;

use crate::error::{Code, Problem, ProblemPart, detail};
use crate::ground::text;
use crate::model::event_kind::TableEventKind;
use crate::player::{PlayerId, is_registered};
use crate::table::edit::TableEdit;
use crate::table::event::TableEventFields;
use crate::table::notice::NoticeKind;
use crate::table::stored::{Invitation, MOST_INVITED, MOST_WATCHERS, Sitter, Watcher};

impl TableEdit {
    /// Gives a seat to a player. The first player becomes the master. A watcher who sits down stops watching.
    ///
    /// # Errors
    /// There is no such seat, the seat is taken, the player sits at the table already, or somebody else has that name,
    /// or one that looks like it.
    pub(crate) fn sit(&mut self, seat: &str, player: PlayerId, name: Option<String>) -> Result<(), Problem> {
        self.check_open()?;
        if let Some(own) = self.table.seat_of(player) {
            return Err(Problem::new(Code::SeatedAlready, detail!("the player sits at `{seat}` already", seat = own)));
        }
        let order = self.table.sat_down + 1;
        let index = self.index_of(seat)?;
        if self.table.seats[index].is_taken() {
            return Err(Problem::new(Code::SeatTaken, detail!("somebody sits at `{seat}`", seat)));
        }
        self.check_name(player, name.as_deref())?;
        if self.table.settings.competitive && !is_registered(player) {
            let detail = detail!("the games of the table count, and a guest plays for practice only");
            return Err(Problem::new(Code::NotAllowed, detail));
        }
        let watched = self.table.watchers.iter().find(|watcher| watcher.player == player);
        let options_changed = watched.is_some_and(|watcher| watcher.options_changed);
        self.table.seats[index].sitter = Some(Sitter { player, name, order, options_changed, address: None });
        self.table.sat_down = order;
        self.table.watchers.retain(|watcher| watcher.player != player);
        self.table.invitations.retain(|invitation| invitation.player != player);
        self.add(TableEventKind::SeatTaken, self.of_player(player))?;
        if self.table.master.is_none() {
            self.appoint(player)?;
        }
        self.start_if_full();
        Ok(())
    }

    /// Checks that nobody else at the table has a name that people could take for this one. Sitters, watchers, and
    /// those who have left but are still named in the chat or in the game in play are compared with each other.
    ///
    /// # Errors
    /// Somebody else has such a name.
    fn check_name(&self, player: PlayerId, name: Option<&str>) -> Result<(), Problem> {
        let Some(alike) = name.map(text::alike) else { return Ok(()) };
        let is_twin = |other: PlayerId, name: Option<&str>| {
            other != player && name.is_some_and(|name| text::alike(name) == alike)
        };
        let table = &self.table;
        let sitter = table.sitters().find(|(_, sitter)| is_twin(sitter.player, sitter.name.as_deref()));
        let watcher = table.watchers.iter().find(|watcher| is_twin(watcher.player, watcher.name.as_deref()));
        // The players of a game stay named when they leave. A player without an id was deleted, and has no own name.
        let current = table.current.iter().flat_map(|current| &current.players);
        let plays = current.filter_map(|other| Some((other.player?, other.name.as_deref()?)));
        let mut plays = plays.filter(|(other, name)| is_twin(*other, Some(name)));
        let said = table.chat.lines.iter().filter(|line| line.text.is_some());
        let mut said = said.filter(|line| is_twin(line.player, line.name.as_deref()));
        let detail = if let Some((seat, sitter)) = sitter {
            let name = sitter.name.as_deref().unwrap_or_default();
            detail!("`{name}` is the name of the player at `{seat}`", name, seat)
        } else if let Some(watcher) = watcher {
            detail!("`{name}` is the name of a watcher", name = watcher.name.as_deref().unwrap_or_default())
        } else if let Some((_, name)) = plays.next() {
            detail!("`{name}` is the name of a player of the game in play", name)
        } else if let Some(line) = said.next() {
            detail!("`{name}` is the name of somebody in the chat", name = line.name.as_deref().unwrap_or_default())
        } else {
            return Ok(());
        };
        Err(Problem::new(Code::NameTaken, detail.clone()).with(vec![ProblemPart::at("/name", detail)]))
    }

    /// Returns the index of a seat.
    ///
    /// # Errors
    /// The table has no such seat.
    pub(crate) fn index_of(&self, seat: &str) -> Result<usize, Problem> {
        self.table.seats.iter().position(|table_seat| table_seat.seat == seat).ok_or_else(|| {
            let names: Vec<_> = self.table.seats.iter().map(|seat| seat.seat.clone()).collect();
            let shown: String = seat.chars().take(32).collect();
            let detail = detail!("no seat is named `{seat}`; the seats are {seats}", seat = shown, seats = names);
            Problem::new(Code::SeatNotFound, detail)
        })
    }

    /// Gives a seat to a robot, from the next game on. A robot that has the seat is replaced.
    ///
    /// # Errors
    /// There is no such seat, or a player sits there.
    pub(crate) fn seat_robot(&mut self, seat: &str, robot: RobotKind) -> Result<(), Problem> {
        self.check_open()?;
        let index = self.index_of(seat)?;
        if self.table.seats[index].sitter.is_some() {
            return Err(Problem::new(Code::SeatTaken, detail!("somebody sits at `{seat}`", seat)));
        }
        if self.table.seats[index].robot == Some(robot) {
            return Ok(());
        }
        self.table.seats[index].robot = Some(robot);
        let fields =
            TableEventFields { seat: Some(seat.to_owned()), robot: Some(robot), ..TableEventFields::default() };
        self.add(TableEventKind::SeatTaken, fields)?;
        self.start_if_full();
        Ok(())
    }

    /// Frees the seat of a robot, from the next game on. Does nothing if no robot has the seat.
    ///
    /// # Errors
    /// There is no such seat.
    pub(crate) fn free_robot(&mut self, seat: &str) -> Result<(), Problem> {
        let index = self.index_of(seat)?;
        let Some(robot) = self.table.seats[index].robot.take() else { return Ok(()) };
        let fields =
            TableEventFields { seat: Some(seat.to_owned()), robot: Some(robot), ..TableEventFields::default() };
        self.add(TableEventKind::SeatLeft, fields)
    }

    /// Asks for the next game if every seat is taken, no game is in play, and the option `start_when_full` is on.
    pub(crate) fn start_if_full(&mut self) {
        let table = &mut self.table;
        if table.settings.start_when_full && !table.has_free_seat() && table.current.is_none() {
            table.wants_game = true;
        }
    }

    fn appoint(&mut self, player: PlayerId) -> Result<(), Problem> {
        self.table.master = Some(player);
        self.add(TableEventKind::MasterChanged, self.of_player(player))
    }

    /// Frees the seat of a player. A player who leaves during a game has left the game for good, too. If the master
    /// leaves, the player who sat down first becomes the master; if nobody is left, the table is closed.
    ///
    /// # Errors
    /// An event cannot be written as JSON, which its type makes impossible.
    pub(crate) fn leave(&mut self, player: PlayerId) -> Result<(), Problem> {
        let fields = self.of_player(player);
        let seats = self.table.seats.iter_mut();
        let own = seats.filter_map(|seat| seat.sitter.take_if(|sitter| sitter.player == player)).next();
        let address = own.and_then(|sitter| sitter.address);
        // A game that the players have voted to end is over: a player who leaves then has not abandoned it.
        if let Some(current) = self.table.current.as_mut().filter(|current| !current.is_cancelled) {
            for own in current.players.iter_mut().filter(|game_player| game_player.player == Some(player)) {
                own.has_left = true;
                // The game has still to compare the address from which the player leaves.
                if let Some(address) = address {
                    current.planned.setup.compare_address(&own.seat, address);
                }
            }
        }
        self.add(TableEventKind::SeatLeft, fields)?;
        if self.table.master == Some(player) {
            self.remove_webhooks_of_master()?;
            let first = self.table.sitters().min_by_key(|(_, sitter)| sitter.order).map(|(_, sitter)| sitter.player);
            match first {
                Some(first) => self.appoint(first)?,
                None => self.close()?,
            }
        }
        Ok(())
    }

    /// Removes the webhooks that the master has registered, because a player who leaves the table stops following it.
    fn remove_webhooks_of_master(&mut self) -> Result<(), Problem> {
        let before = self.table.webhooks.len();
        self.table.webhooks.retain(|hook| hook.is_of_operator);
        if self.table.webhooks.len() < before {
            self.add(TableEventKind::WebhooksChanged, TableEventFields::default())?;
        }
        Ok(())
    }

    fn close(&mut self) -> Result<(), Problem> {
        self.table.master = None;
        self.table.is_closed = true;
        self.table.link = None;
        self.table.invitations.clear();
        self.table.watchers.clear();
        self.is_new_state = true;
        self.add(TableEventKind::Closed, TableEventFields::default())
    }

    /// Adds a watcher. Does nothing if the player watches already.
    ///
    /// # Errors
    /// Nobody may watch, the player sits at the table, too many watch, or another sitter or watcher has that name, or
    /// one that looks like it.
    pub(crate) fn watch(&mut self, player: PlayerId, name: Option<String>) -> Result<(), Problem> {
        self.check_open()?;
        if !self.table.settings.spectators_allowed {
            return Err(Problem::new(Code::NotAllowed, "nobody may watch at this table"));
        }
        if let Some(own) = self.table.seat_of(player) {
            return Err(Problem::new(Code::SeatedAlready, detail!("the player sits at `{seat}` already", seat = own)));
        }
        if self.table.is_watched_by(player) {
            return Ok(());
        }
        if self.table.watchers.len() >= MOST_WATCHERS {
            return Err(Problem::new(Code::TableFull, detail!("{most} players watch already", most = MOST_WATCHERS)));
        }
        self.check_name(player, name.as_deref())?;
        self.table.watchers.push(Watcher { player, name, options_changed: false });
        self.add(TableEventKind::WatcherCame, self.of_player(player))
    }

    /// Removes a watcher. Does nothing if the player does not watch.
    ///
    /// # Errors
    /// The event cannot be written as JSON, which its type makes impossible.
    pub(crate) fn stop_watching(&mut self, player: PlayerId) -> Result<(), Problem> {
        if !self.table.is_watched_by(player) {
            return Ok(());
        }
        let fields = self.of_player(player);
        self.table.watchers.retain(|watcher| watcher.player != player);
        self.add(TableEventKind::WatcherLeft, fields)
    }

    /// Invites a player. Does nothing if the player is invited already.
    ///
    /// # Errors
    /// The player sits at the table, or too many players are invited.
    pub(crate) fn invite(&mut self, player: PlayerId, by: PlayerId) -> Result<(), Problem> {
        self.check_open()?;
        if let Some(own) = self.table.seat_of(player) {
            return Err(Problem::new(Code::SeatedAlready, detail!("the player sits at `{seat}` already", seat = own)));
        }
        if self.table.has_invited(player) {
            return Ok(());
        }
        if self.table.invitations.len() >= MOST_INVITED {
            let detail = detail!("{most} players have an open invitation", most = MOST_INVITED);
            return Err(Problem::new(Code::TableFull, detail));
        }
        self.table.invitations.push(Invitation { player, by, at: self.table.changed_at });
        self.notify(player, NoticeKind::Invited);
        self.add(TableEventKind::Invited, TableEventFields::default())
    }

    /// Ends the invitation of a player. Does nothing if there is none.
    ///
    /// # Errors
    /// The event cannot be written as JSON, which its type makes impossible.
    pub(crate) fn end_invitation(&mut self, player: PlayerId) -> Result<(), Problem> {
        if !self.table.has_invited(player) {
            return Ok(());
        }
        self.table.invitations.retain(|invitation| invitation.player != player);
        self.add(TableEventKind::InvitationEnded, TableEventFields::default())
    }
}
