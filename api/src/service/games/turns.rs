//! Turns: throws and actions.

use crate::error::{Code, Problem, ProblemPart, ProblemWords, detail, internal};
use crate::game::edit::Edit;
use crate::game::entity;
use crate::game::{legal, view, why};
use crate::ground::language::Languages;
use crate::model::turn::{BriefAnswer, DryRun, LegalActions, LegalQuery, PlayActions, ThrowDice, TurnAnswer};
use crate::service::Service;
use crate::service::access::{self, Role};
use crate::service::call::Call;
use crate::service::entity::check_version;
use crate::service::games::presence;
use crate::service::idempotency::IdempotentRequest;
use crate::service::reply::Reply;

/// Maximum number of actions in one request. No turn has as many.
pub(crate) const MOST_ACTIONS: usize = 32;

impl Service {
    /// Throws the dice.
    ///
    /// # Errors
    /// It is not the caller's turn, no throw is due, or the request has a throw although the server throws, or none
    /// although the players throw.
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

    /// Plays actions: either all of them or none.
    ///
    /// # Errors
    /// It is not the caller's turn, or an action is malformed or not legal.
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
            let (turn, decider) = (edit.turn()?, edit.decider()?);
            for (index, action) in wish.actions.iter().enumerate() {
                let pointer = format!("/actions/{index}");
                if edit.decider().is_ok_and(|now| now != decider) {
                    let (of_turn, seat) = (edit.turn()? != turn, edit.engine.seat_name(decider));
                    let detail = if of_turn {
                        detail!("`{action}` comes after the end of the turn of `{turn}`", action, turn = seat)
                    } else {
                        detail!("`{action}` comes after the decision of `{seat}`", action, seat)
                    };
                    return Err(Problem::one(Code::ActionNotLegal, ProblemPart::at(pointer, detail)));
                }
                edit.act(action, &pointer)?;
            }
            self.end_command(edit, call, &role)
        };
        let reply = self.change_game(IdempotentRequest::of(call, body)?, id, work).await?;
        self.in_preferred_form(call, id, reply).await
    }

    /// Plays a throw and actions on a copy of the game, and changes nothing.
    ///
    /// # Errors
    /// The throw or an action is not possible, as in [`Service::throw_dice`] and [`Service::play_actions`].
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
        // Nothing is committed, so the events have no numbers, and the game keeps its version.
        for event in &mut edit.events {
            (event.id, event.version) = (None, edit.game.version);
        }
        answer(&mut edit, call)
    }

    /// Lists the legal actions, each with its pawns, squares and numbers.
    ///
    /// # Errors
    /// The game does not exist.
    pub(crate) async fn legal_actions(
        &self,
        call: &Call,
        id: &str,
        query: &LegalQuery,
        languages: &Languages,
    ) -> Result<Reply, Problem> {
        let edit = self.edit(id).await?;
        access::may_see(&edit.game, call)?;
        let version = edit.version_before();
        let digest = &edit.game.setup.rule_set.digest;
        let rule_set = self.library.by_digest(digest).await?;
        let rule_set = rule_set.ok_or_else(|| internal(format!("the rule set {digest} is missing")))?;
        let tag = rule_set.translated_to(languages).map(str::to_owned);
        if call.has_seen_in(version, tag.as_deref()) {
            return Ok(Reply::not_modified(version).in_language(tag, None));
        }
        let (engine, play) = (&edit.engine, view::deciding(&edit.game, edit.play.as_ref()));
        let mut legal = play.map(|play| legal::explained(engine, play)).unwrap_or_default();
        let mut said =
            rule_set.texts(languages, |path| legal.iter().any(|action| action.rule.as_deref() == Some(path)));
        for action in &mut legal {
            action.text = action.rule.as_ref().and_then(|rule| said.by_path.get(rule)).cloned();
        }
        // The reasons are in the language of the texts if possible, because the `ETag` names only that language.
        let words = ProblemWords::in_one_of(&Languages(vec![said.language.clone()]));
        let explained =
            query.explain.and(play).map(|play| why::attempts(engine, play.state(), &play.legal(engine).actions, words));
        if explained.is_some() {
            said.languages.insert(words.language().to_owned());
        }
        let answer = LegalActions {
            version,
            turn: play.and_then(|play| view::turn(engine, play.state())).map(str::to_owned),
            asked: play.and_then(|play| view::asked(engine, play.state())).map(str::to_owned),
            awaits: view::awaits(&edit.game, play),
            hand: play.map(|play| engine.hand_texts(play.state())).unwrap_or_default(),
            legal,
            legal_complete: play.is_none_or(|play| play.legal(engine).is_complete),
            attempts: explained,
        };
        Ok(Reply::ok(&answer)?.at_version(version).in_language(tag, Some(said.header())))
    }

    /// Finishes a command: notes that the caller is present, and makes the answer.
    fn end_command(&self, edit: &mut Edit, call: &Call, role: &Role) -> Result<Reply, Problem> {
        if let Role::Seat(seat) = role {
            edit.note_address(seat, call.caller);
        }
        edit.settle()?;
        self.presence.mark_seen(entity(edit.id), &presence::seats_of(Some(role), &edit.game));
        Ok(answer(edit, call)?.at_version(edit.game.version))
    }
}

/// Checks that the caller may make the decision that is due, and that the request names the current version of the
/// game.
fn check_turn(edit: &mut Edit, call: &Call) -> Result<Role, Problem> {
    let role = access::player(&edit.game, call)?;
    check_version(edit, call)?;
    let decider = edit.decider_name()?;
    access::has_not_left(&edit.game, &role)?;
    if let Some(robot) = edit.game.setup.robot_at(decider) {
        let detail = detail!("the robot `{robot}` plays `{seat}`", robot = robot.name(), seat = decider);
        return Err(Problem::new(Code::NotYourTurn, detail));
    }
    // Any player who is still in the game may play the turns of a seat that gave up.
    if edit.game.setup.has_given_up(decider) {
        access::is_in_play(&edit.game, &role)?;
    } else {
        access::has_turn(&role, edit.turn_name()?, decider)?;
        edit.note_in_time()?;
    }
    Ok(role)
}

/// Makes the answer: the events of the command and the game after them, in the form that the client prefers.
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
    let most = MOST_ACTIONS;
    let detail = detail!("there are {count} actions, {least} to {most} are allowed", count, least, most);
    Err(Problem::body("/actions", detail))
}
