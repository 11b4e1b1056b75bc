//! Stored answers to throws and actions, in the form that the client now prefers.
//!
//! A client may send a request again with another `Accept` than before. For example, it wanted the whole game the first
//! time, and now only needs the brief form.

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
use crate::service::games::reading::at_step;
use crate::service::reply::Reply;

/// A stored answer, in either form.
#[derive(Deserialize)]
struct StoredAnswer<'a> {
    #[serde(borrow)]
    events: Vec<&'a RawValue>,
    #[serde(borrow)]
    game: BTreeMap<&'a str, &'a RawValue>,
}

/// The last event of a stored answer.
#[derive(Deserialize)]
struct LastEvent {
    id: u64,
    step: u64,
    at: String,
}

impl Service {
    /// Gives a stored answer the form that the client prefers now; every other answer has it already.
    ///
    /// # Errors
    /// The game does not exist any more, or its token has lost its role.
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
                Ok(Reply { body: self.completed(call, id, &reply).await?, is_brief: false, ..reply })
            }
            _ => Ok(reply),
        }
    }

    /// Makes the whole answer from a brief one: replays the game up to the last step of the answer. The names in it are
    /// the present ones.
    async fn completed(&self, call: &Call, id: &str, reply: &Reply) -> Result<Bytes, Problem> {
        let (brief, version) = (reply.body.clone(), reply.version);
        self.with_history(call, id, move |history| {
            let stored: StoredAnswer<'_> = serde_json::from_slice(&brief).map_err(internal)?;
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

/// The brief answer for a whole one, which has all its fields but the time that is left at `now`.
fn shortened(whole: &[u8], now: u64) -> Result<Bytes, Problem> {
    let StoredAnswer { events, mut game } = serde_json::from_slice(whole).map_err(internal)?;
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
