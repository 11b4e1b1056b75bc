//! Votes at a table: the players end the game amicably, or begin the next one, if all of them agree.

use crate::error::{Code, Problem};
use crate::model::event_kind::TableEventKind;
use crate::player::PlayerId;
use crate::table::edit::TableEdit;
use crate::table::event::TableEventFields;
use crate::table::notice::NoticeKind;
use crate::table::vote::{TIME, Vote, VoteQuestion, VoteResult};

impl TableEdit {
    /// Lists the players who may vote: on the end of the game, those who play it; on the next game, those who sit at
    /// the table.
    fn electorate(&self, on: VoteQuestion) -> Vec<PlayerId> {
        match (on, &self.table.current) {
            (VoteQuestion::End, Some(current)) => {
                let present = current.players.iter().filter(|player| player.may_vote());
                present.filter_map(|player| player.player).collect()
            }
            (VoteQuestion::End, None) => Vec::new(),
            (VoteQuestion::NextGame, _) => self.table.sitters().map(|(_, sitter)| sitter.player).collect(),
        }
    }

    /// Opens a vote. The player who opens it agrees.
    ///
    /// # Errors
    /// The player may not vote on this, another vote is open, there is no game to end or a game is in play already, or
    /// the options of the game do not allow that it is ended.
    pub(crate) fn open_vote(&mut self, on: VoteQuestion, by: PlayerId) -> Result<(), Problem> {
        match (on, &self.table.current) {
            (VoteQuestion::End, None) => {
                return Err(Problem::new(Code::NotAvailable, "no game is in play at this table"));
            }
            (VoteQuestion::End, Some(current)) if !current.can_end_amicably => {
                return Err(Problem::new(Code::NotAvailable, "the option `amicable_end` of this game is off"));
            }
            (VoteQuestion::NextGame, Some(_)) => {
                return Err(Problem::new(Code::TablePlaying, "a game is in play at this table"));
            }
            _ => {}
        }
        let electorate = self.electorate(on);
        if !electorate.contains(&by) {
            return Err(Problem::new(Code::NotAllowed, "only the players of the game may vote"));
        }
        if self.table.vote.is_some() {
            return Err(Problem::new(Code::VoteOpen, "a vote is open at this table"));
        }
        let deadline = self.table.changed_at + TIME;
        self.table.vote = Some(Vote { on, by, deadline, agreed: vec![by] });
        self.add(TableEventKind::VoteOpened, TableEventFields { on: Some(on), ..self.of_player(by) })?;
        for other in electorate.into_iter().filter(|other| *other != by) {
            self.notify(other, NoticeKind::VoteOpened);
        }
        self.count_votes()
    }

    /// Notes the vote of a player. One player who does not agree closes the vote.
    ///
    /// # Errors
    /// No vote is open, or the player may not vote.
    pub(crate) fn vote(&mut self, player: PlayerId, agrees: bool) -> Result<(), Problem> {
        let none = || Problem::new(Code::NotAvailable, "no vote is open at this table");
        let on = self.table.vote.as_ref().ok_or_else(none)?.on;
        if !self.electorate(on).contains(&player) {
            return Err(Problem::new(Code::NotAllowed, "only the players of the game may vote"));
        }
        let fields = TableEventFields { on: Some(on), agrees: Some(agrees), ..self.of_player(player) };
        self.add(TableEventKind::Voted, fields)?;
        if !agrees {
            return self.close_vote(VoteResult::Refused);
        }
        if let Some(vote) = self.table.vote.as_mut().filter(|vote| !vote.agreed.contains(&player)) {
            vote.agreed.push(player);
        }
        self.count_votes()
    }

    /// Closes the vote if everybody who may vote has agreed. Called after every change of the electorate.
    ///
    /// # Errors
    /// The event cannot be written as JSON, which its type makes impossible.
    pub(crate) fn count_votes(&mut self) -> Result<(), Problem> {
        let Some(vote) = &self.table.vote else { return Ok(()) };
        let (on, electorate) = (vote.on, self.electorate(vote.on));
        if electorate.is_empty() {
            return self.close_vote(VoteResult::Dropped);
        }
        if !electorate.iter().all(|player| vote.agreed.contains(player)) {
            return Ok(());
        }
        self.close_vote(VoteResult::Agreed)?;
        match (on, &mut self.table.current) {
            (VoteQuestion::End, Some(current)) => current.is_cancelled = true,
            (VoteQuestion::NextGame, None) => self.table.wants_game = true,
            _ => {}
        }
        Ok(())
    }

    /// Closes the vote, if one is open.
    ///
    /// # Errors
    /// The event cannot be written as JSON, which its type makes impossible.
    pub(crate) fn close_vote(&mut self, result: VoteResult) -> Result<(), Problem> {
        let Some(vote) = self.table.vote.take() else { return Ok(()) };
        let fields = TableEventFields { on: Some(vote.on), result: Some(result), ..TableEventFields::default() };
        self.add(TableEventKind::VoteClosed, fields)
    }

    /// Closes a vote whose time is over.
    ///
    /// # Errors
    /// The event cannot be written as JSON, which its type makes impossible.
    pub(crate) fn expire_vote(&mut self) -> Result<(), Problem> {
        let now = self.table.changed_at;
        let is_over = self.table.vote.as_ref().is_some_and(|vote| vote.deadline <= now);
        if is_over { self.close_vote(VoteResult::Expired) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::game::terms::{Control, PinnedRules};
    use crate::table::stored::{CurrentGame, GamePlayer, Table, TableSeat};

    const fn player(number: u128) -> PlayerId {
        Uuid::from_u128(number)
    }

    /// A table at which the players 1 to `players` sit, at the time `now`.
    fn table(players: u128, now: u64) -> TableEdit {
        let rule_set = PinnedRules { id: "x".to_owned(), version: "1".to_owned(), digest: "d".to_owned() };
        let seats = (1..=players).map(|number| TableSeat::free(number.to_string()));
        let mut edit = TableEdit::begin(Uuid::nil(), Table::new(None, rule_set, seats.collect(), now), now);
        // The ids of the players are those of guests, who play for practice only.
        edit.table.settings.competitive = false;
        for number in 1..=players {
            edit.sit(&number.to_string(), player(number), None).unwrap();
        }
        edit
    }

    #[test]
    fn a_vote_that_is_late_is_refused() {
        let mut edit = table(3, 1_000);
        edit.open_vote(VoteQuestion::NextGame, player(2)).unwrap();
        edit.vote(player(1), true).unwrap();
        assert_eq!(edit.table.vote.as_ref().unwrap().deadline, 1_000 + TIME);
        let early = TableEdit::begin(edit.id, edit.table.clone(), 999 + TIME);
        for (mut later, is_open) in [(early, true), (TableEdit::begin(edit.id, edit.table, 1_000 + TIME), false)] {
            later.expire_vote().unwrap();
            assert_eq!(later.table.vote.is_some(), is_open);
            let voted = later.vote(player(3), true);
            assert_eq!((voted.is_ok(), later.table.wants_game), (is_open, is_open));
        }
    }

    #[test]
    fn everybody_who_may_vote_is_told_but_the_one_who_opens_the_vote() {
        let mut edit = table(3, 1_000);
        edit.open_vote(VoteQuestion::NextGame, player(2)).unwrap();
        let told: Vec<_> = edit.table.notices.iter().map(|notice| (notice.number, notice.player)).collect();
        assert_eq!(told, [(1, player(1)), (2, player(3))]);
        assert!(edit.has_notices());
    }

    #[test]
    fn the_votes_are_counted_again_when_a_player_leaves() {
        let mut edit = table(3, 1_000);
        let players = (1..=3).map(|number| GamePlayer {
            seat: number.to_string(),
            player: Some(player(number)),
            name: None,
            has_left: false,
            won: None,
            robot: None,
            control: Some(Control::Player),
        });
        let planned = crate::table::playing::tests::planned();
        edit.table.current = Some(CurrentGame {
            id: Uuid::nil(),
            planned: Box::new(planned),
            number: 1,
            started_at: 0,
            players: players.collect(),
            can_end_amicably: true,
            is_cancelled: false,
            purse: None,
        });
        edit.open_vote(VoteQuestion::End, player(1)).unwrap();
        edit.vote(player(2), true).unwrap();
        assert!(edit.table.vote.is_some());
        edit.leave(player(3)).unwrap();
        edit.count_votes().unwrap();
        assert!(edit.table.vote.is_none() && edit.table.current.unwrap().is_cancelled);
    }
}
