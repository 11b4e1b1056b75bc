//! Turns: throws and actions.

use crate::error::{Code, Problem, ProblemPart};
use crate::game::edit::Edit;
use crate::game::entity;
use crate::game::{legal, view};
use crate::model::turn::{BriefAnswer, DryRun, LegalActions, PlayActions, ThrowDice, TurnAnswer};
use crate::service::Service;
use crate::service::access::{self, Role};
use crate::service::call::Call;
use crate::service::entity::check_version;
use crate::service::games::presence;
use crate::service::idempotency::IdempotentRequest;
use crate::service::reply::Reply;

/// Maximum number of actions in one request: more than any turn has.
pub(crate) const MOST_ACTIONS: usize = 32;

impl Service {
    /// Throws the dice.
    ///
    /// # Errors
    /// It is not the caller's turn, no throw is due, or the dice are not the caller's.
    pub(crate) async fn throw_dice(
        &self,
        call: &Call,
        body: &[u8],
        id: &str,
        wish: &ThrowDice,
    ) -> Result<Reply, Problem> {
        access::token(call)?;
        let work = |edit: &mut Edit| {
            let role = check_turn(edit, call)?;
            let throw = edit.next_throw(wish.throw.as_deref())?;
            edit.throw(&throw)?;
            self.end_command(edit, call, &role)
        };
        let reply = self.change_game(IdempotentRequest::of(call, body)?, id, work).await?;
        self.in_preferred_form(call, id, reply).await
    }

    /// Plays actions: all of them or none.
    ///
    /// # Errors
    /// It is not the caller's turn, or an action cannot be read or is not legal.
    pub(crate) async fn play_actions(
        &self,
        call: &Call,
        body: &[u8],
        id: &str,
        wish: &PlayActions,
    ) -> Result<Reply, Problem> {
        check_count(wish.actions.len(), 1)?;
        access::token(call)?;
        let work = |edit: &mut Edit| {
            let role = check_turn(edit, call)?;
            let turn = edit.turn()?;
            for (index, action) in wish.actions.iter().enumerate() {
                let pointer = format!("/actions/{index}");
                if edit.turn().is_ok_and(|now| now != turn) {
                    let turn = edit.engine.seat_name(turn);
                    let detail = format!("`{action}` comes after the end of the turn of `{turn}`");
                    let part = ProblemPart::at(pointer, detail.clone());
                    return Err(Problem::new(Code::ActionNotLegal, detail).with(vec![part]));
                }
                edit.act(action, &pointer)?;
            }
            self.end_command(edit, call, &role)
        };
        let reply = self.change_game(IdempotentRequest::of(call, body)?, id, work).await?;
        self.in_preferred_form(call, id, reply).await
    }

    /// Tries a throw and actions, and changes nothing.
    ///
    /// # Errors
    /// As for the throw and the actions themselves.
    pub(crate) async fn try_turn(&self, call: &Call, id: &str, wish: &DryRun) -> Result<Reply, Problem> {
        check_count(wish.actions.len(), 0)?;
        let mut edit = self.edit(id).await?;
        access::may_see(&edit.game, call)?;
        edit.playing()?;
        let before = (edit.version_before(), edit.game.events, edit.game.updated_at.clone(), edit.game.deadline);
        if let Some(text) = &wish.throw {
            let throw = edit.read_throw(text, "/throw")?;
            edit.throw(&throw)?;
        }
        for (index, action) in wish.actions.iter().enumerate() {
            edit.act(action, &format!("/actions/{index}"))?;
        }
        (edit.game.version, edit.game.events, edit.game.updated_at, edit.game.deadline) = before;
        // A trial: its events have no numbers, and the game keeps its version.
        for event in &mut edit.events {
            (event.id, event.version) = (0, edit.game.version);
        }
        answer(&mut edit, call)
    }

    /// Lists the legal actions, each with its pawns, squares and numbers.
    ///
    /// # Errors
    /// The game does not exist.
    pub(crate) async fn legal_actions(&self, call: &Call, id: &str) -> Result<Reply, Problem> {
        let edit = self.edit(id).await?;
        access::may_see(&edit.game, call)?;
        let version = edit.version_before();
        if call.has_seen(version) {
            return Ok(Reply::not_modified(version));
        }
        let (engine, play) = (&edit.engine, view::deciding(&edit.game, edit.play.as_ref()));
        let answer = LegalActions {
            version,
            turn: play.and_then(|play| view::turn(engine, play.state())).map(str::to_owned),
            awaits: view::awaits(&edit.game, play),
            hand: play.map(|play| engine.hand_texts(play.state())).unwrap_or_default(),
            legal: play.map(|play| legal::explained(engine, play)).unwrap_or_default(),
            legal_complete: play.is_none_or(|play| play.legal(engine).is_complete),
        };
        Ok(Reply::ok(&answer)?.at_version(version))
    }

    /// Records the presence of the caller, and answers with the events.
    fn end_command(&self, edit: &mut Edit, call: &Call, role: &Role) -> Result<Reply, Problem> {
        edit.settle()?;
        self.presence.mark_seen(entity(edit.id), &presence::seats_of(Some(role), &edit.game));
        Ok(answer(edit, call)?.at_version(edit.game.version))
    }
}

/// Checks that it is the caller's turn, and that the caller knows the current version.
fn check_turn(edit: &mut Edit, call: &Call) -> Result<Role, Problem> {
    let role = access::player(&edit.game, call)?;
    check_version(edit, call)?;
    let turn = edit.turn_name()?;
    // The turns of a seat that gave up are played by anybody who still plays.
    if !edit.game.setup.has_given_up(turn) {
        access::has_turn(&role, turn)?;
        edit.note_in_time()?;
    }
    Ok(role)
}

/// The events of the turn, and the game after them, in the form that the client prefers.
fn answer(edit: &mut Edit, call: &Call) -> Result<Reply, Problem> {
    edit.write_events()?;
    let events = edit.written();
    if call.is_brief {
        return Reply::brief(&BriefAnswer { events, game: edit.brief() });
    }
    Reply::ok(&TurnAnswer { events, game: edit.view() })
}

fn check_count(count: usize, least: usize) -> Result<(), Problem> {
    if (least..=MOST_ACTIONS).contains(&count) {
        return Ok(());
    }
    Err(Problem::body("/actions", format!("there are {count} actions, {least} to {MOST_ACTIONS} are taken")))
}
