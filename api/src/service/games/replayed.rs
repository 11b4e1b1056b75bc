//! Converts the stored answer of a throw or of actions into the form that a repeated request prefers.
//!
//! A client may repeat a request with another `Accept` than before. For example, the client preferred the whole game
//! the first time, and now needs only the brief form.

use std::collections::BTreeMap;

use bytes::Bytes;
use serde::Deserialize;
use serde_json::value::{RawValue, to_raw_value};

use crate::error::{Problem, internal};
use crate::game::view;
use crate::ground::clock;
use crate::model::game::BRIEF_FIELDS;
use crate::model::turn::TurnAnswer;
use crate::service::Service;
use crate::service::call::Call;
use crate::service::games::queries::at_step;
use crate::service::reply::Reply;

/// A stored answer, whole or brief.
#[derive(Deserialize)]
struct StoredTurnAnswer<'a> {
    #[serde(borrow)]
    events: Vec<&'a RawValue>,
    #[serde(borrow)]
    game: BTreeMap<&'a str, &'a RawValue>,
}

/// The fields of the last event in a stored answer that are needed to replay the game up to it.
#[derive(Deserialize)]
struct LastEvent {
    id: u64,
    step: u64,
    at: String,
}

impl Service {
    /// Converts a stored answer to the form that this request prefers. An answer of another kind is returned unchanged.
    ///
    /// # Errors
    /// The game no longer exists, or the token was revoked.
    pub(in crate::service) async fn in_preferred_form(
        &self,
        call: &Call,
        id: &str,
        reply: Reply,
    ) -> Result<Reply, Problem> {
        match (reply.repeated, reply.is_brief, call.is_brief) {
            (true, false, true) => {
                Ok(Reply { body: shortened(&reply.body, self.store.now())?, is_brief: true, ..reply })
            }
            (true, true, false) => {
                Ok(Reply { body: Box::pin(self.completed(call, id, &reply)).await?, is_brief: false, ..reply })
            }
            _ => Ok(reply),
        }
    }

    /// Makes a whole answer from a brief one, by replaying the game up to the last step of the answer. The whole answer
    /// has the present names of the players.
    async fn completed(&self, call: &Call, id: &str, reply: &Reply) -> Result<Bytes, Problem> {
        let (brief, version) = (reply.body.clone(), reply.version);
        self.with_history(call, id, move |history| {
            let stored: StoredTurnAnswer<'_> = serde_json::from_slice(&brief).map_err(internal)?;
            let last = stored.events.last().ok_or_else(|| internal("a stored answer has no event"))?;
            let last: LastEvent = serde_json::from_str(last.get()).map_err(internal)?;
            let (id, engine) = (history.id, history.engine.clone());
            let (mut game, play) = at_step(history, last.step)?;
            (game.events, game.updated_at) = (last.id, last.at);
            game.version = version.unwrap_or(game.version);
            let mut shown = view::game(id, &game, &engine, play.as_ref());
            let deadline = stored.game.get("deadline").map(|at| serde_json::from_str(at.get())).transpose();
            shown.deadline = deadline.map_err(internal)?;
            let events = stored.events.into_iter().map(ToOwned::to_owned).collect::<Vec<_>>();
            Ok(Reply::ok(&TurnAnswer { events: &events, game: shown })?.body)
        })
        .await
    }
}

/// Makes a brief answer from a whole one, which has all fields of the brief one except the remaining time at `now`.
fn shortened(whole: &[u8], now: u64) -> Result<Bytes, Problem> {
    let StoredTurnAnswer { events, mut game } = serde_json::from_slice(whole).map_err(internal)?;
    let deadline = game.get("deadline").and_then(|at| serde_json::from_str::<String>(at.get()).ok());
    let left = deadline.and_then(|at| clock::read(&at)).map(|deadline| deadline.saturating_sub(now) / 1000);
    let left = left.map(|left| to_raw_value(&left)).transpose().map_err(internal)?;
    if let Some(left) = &left {
        game.insert("seconds_left", left);
    }
    let fields = BRIEF_FIELDS.iter().filter_map(|name| Some((*name, *game.get(name)?)));
    let fields = fields.map(|(name, value)| format!("\"{name}\":{}", value.get())).collect::<Vec<_>>().join(",");
    let events = to_raw_value(&events).map_err(internal)?;
    Ok(format!("{{\"events\":{},\"game\":{{{fields}}}}}", events.get()).into())
}
