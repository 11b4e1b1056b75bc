//! The games of a table: the plan of the next game, and the results of games that are over.

use crate::error::{Code, Problem};
use crate::game::GameId;
use crate::game::planned::PlannedGame;
use crate::game::terms::Control;
use crate::model::event_kind::TableEventKind;
use crate::table::edit::TableEdit;
use crate::table::event::TableEventFields;
use crate::table::purse::Purse;
use crate::table::result::{GameResult, SeatControls};
use crate::table::stored::{CurrentGame, GamePlayer, MOST_PAST_GAMES, PastGame};
use crate::table::vote::VoteResult;

impl CurrentGame {
    /// Returns the seats whose control has changed since the table last noted it.
    pub(crate) fn changed_controls<'c>(&self, controls: &'c SeatControls) -> Vec<&'c (String, Option<Control>)> {
        let is_known = |(seat, control): &(String, Option<Control>)| {
            self.players.iter().any(|player| player.seat == *seat && player.control == *control)
        };
        controls.iter().filter(|control| !is_known(control)).collect()
    }
}

impl TableEdit {
    /// Plans the next game, under an id that is reserved for it. The players of the plan are the players at the table.
    ///
    /// # Errors
    /// A game is in play.
    pub(crate) fn plan_game(&mut self, id: GameId, planned: PlannedGame, purse: Option<Purse>) -> Result<(), Problem> {
        self.check_open()?;
        if self.table.current.is_some() {
            return Err(Problem::new(Code::TablePlaying, "a game is in play at this table"));
        }
        self.close_vote(VoteResult::Dropped)?;
        self.table.wants_game = false;
        self.table.games += 1;
        let players = planned.setup.seats.iter().map(|game_seat| GamePlayer {
            seat: game_seat.seat.clone(),
            player: game_seat.player,
            name: game_seat.name.clone(),
            has_left: false,
            won: None,
            robot: game_seat.robot,
            control: game_seat.control(),
        });
        self.table.current = Some(CurrentGame {
            id,
            number: self.table.games,
            started_at: self.table.changed_at,
            players: players.collect(),
            can_end_amicably: self.table.settings.amicable_end,
            is_cancelled: false,
            planned: Box::new(planned),
            purse,
        });
        self.add(TableEventKind::GameStarted, TableEventFields { game_id: Some(id), ..TableEventFields::default() })
    }

    /// Notes who decides for the seats of the game in play, and counts the open vote again, because robots do not vote.
    /// Does nothing if the game is not the one in play.
    ///
    /// # Errors
    /// An event cannot be written as JSON, which its type makes impossible.
    pub(crate) fn note_controls(&mut self, id: GameId, controls: &SeatControls) -> Result<(), Problem> {
        let Some(current) = self.table.current.as_mut().filter(|current| current.id == id) else { return Ok(()) };
        let changed: Vec<_> = current.changed_controls(controls).into_iter().cloned().collect();
        for (seat, control) in changed {
            let current = self.table.current.iter_mut().flat_map(|current| &mut current.players);
            let Some(game_player) = current.into_iter().find(|game_player| game_player.seat == seat) else { continue };
            game_player.control = control;
            let player = game_player.player;
            let (seat, game_id) = (Some(seat), Some(id));
            let fields = TableEventFields { seat, player, control, game_id, ..TableEventFields::default() };
            self.add(TableEventKind::ControlChanged, fields)?;
        }
        self.count_votes()
    }

    /// Notes that the game is over. Does nothing if the game is not the one in play.
    ///
    /// # Errors
    /// An event cannot be written as JSON, which its type makes impossible.
    pub(crate) fn end_game(&mut self, id: GameId, result: &GameResult) -> Result<(), Problem> {
        self.note_controls(id, &result.controls)?;
        let Some(current) = self.table.current.take_if(|current| current.id == id) else { return Ok(()) };
        let score = current.purse.as_ref().map(|purse| purse.score(result));
        let place = |seat: &str| result.places.iter().find(|place| place.seat == seat).and_then(|found| found.place);
        let mut players: Vec<_> = current.players.into_iter().map(|player| (place(&player.seat), player)).collect();
        players.sort_by_key(|(place, _)| (place.is_none(), *place));
        self.table.past.push_back(PastGame {
            id,
            number: current.number,
            started_at: current.started_at,
            ended_at: self.table.changed_at,
            ended_by: result.ended_by,
            score,
            players: players.into_iter().map(|(place, player)| (player, place)).collect(),
        });
        if self.table.past.len() > MOST_PAST_GAMES {
            self.table.past.pop_front();
        }
        self.close_vote(VoteResult::Dropped)?;
        let ended_by = result.ended_by;
        let fields = TableEventFields { game_id: Some(id), ended_by, ..TableEventFields::default() };
        self.add(TableEventKind::GameEnded, fields)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::game::setup::Setup;
    use crate::game::stored::NewGame;
    use crate::ground::token::Token;
    use crate::rule_sets::library;

    /// The plan of a game of the first bundled rule set.
    pub(crate) fn planned() -> PlannedGame {
        let (id, text) = pagade_rules::bundled::SETS[0];
        let source = pagade_rules::source::Source { name: id.to_owned(), text: text.to_owned() };
        let set = pagade_rules::ruleset::RuleSet::check(&source, &pagade_rules::bundled::Bundled).ruleset.unwrap();
        let engine = library::table(&set, &Default::default(), None).unwrap();
        let new = NewGame::hot_seat(&set, &engine, Token::new().unwrap().hash());
        PlannedGame { setup: Setup::new(new, String::new()), starts: true }
    }
}
