//! Waits until a game has changed, or until it is the turn of a seat.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::error::{Problem, detail};
use crate::game::cache::CachedGame;
use crate::game::play::Play;
use crate::game::terms::Status;
use crate::game::{entity, view};
use crate::service::call::Call;
use crate::service::events::waiting::LONGEST_WAIT;
use crate::service::games::presence;
use crate::service::{Service, access, page};

impl Service {
    /// Reads a game that the caller may see. With `Prefer: wait`, waits until the game has a version that the client
    /// does not have (`If-None-Match`), and until the seat `turn` has to decide. The wait ends at the latest after
    /// the time that the client prefers, and when the game is over.
    pub(in crate::service) async fn awaited_game(
        &self,
        call: &Call,
        id: &str,
        turn: Option<&str>,
    ) -> Result<Arc<CachedGame>, Problem> {
        let known = self.visible_game(call, id).await?;
        if let Some(seat) = turn
            && !known.game.setup.seats.iter().any(|record| record.seat == seat)
        {
            let (seats, seat) = (known.game.setup.players(), seat.chars().take(32).collect::<String>());
            return Err(page::parameter(
                "turn",
                detail!("no seat is named `{seat}`; the seats are {seats}", seat, seats),
            ));
        }
        let Some(seconds) = call.wait.filter(|_| is_waited_for(&known, call, turn)) else { return Ok(known) };
        // The future is boxed because it is large, and most requests do not wait.
        Box::pin(self.wait_for_game(call, id, turn, known, seconds)).await
    }

    /// Waits at most `seconds` for a later version of a game than `known`, as [`Service::awaited_game`] describes it.
    async fn wait_for_game(
        &self,
        call: &Call,
        id: &str,
        turn: Option<&str>,
        mut known: Arc<CachedGame>,
        seconds: u32,
    ) -> Result<Arc<CachedGame>, Problem> {
        let end = Instant::now() + Duration::from_secs(seconds.min(LONGEST_WAIT).into());
        let _slot = self.meter.follow(call.caller)?;
        let role = access::may_see(&known.game, call)?;
        self.presence.mark_seen(entity(known.id), &presence::seats_of(role.as_ref(), &known.game));
        loop {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() || *self.closing.borrow() || !is_waited_for(&known, call, turn) {
                return Ok(known);
            }
            self.wait_for_events(entity(known.id), known.game.events, left).await?;
            // The token may have been revoked during the wait.
            known = self.visible_game(call, id).await?;
        }
    }
}

/// Tells whether the client has to wait, because it has this version already, or another seat has to decide.
fn is_waited_for(known: &CachedGame, call: &Call, turn: Option<&str>) -> bool {
    let now = known.play.as_ref().map(Play::state).and_then(|state| view::decider(&known.engine, state));
    let is_other_turn = turn.is_some_and(|seat| now != Some(seat));
    known.game.status != Status::Finished && (is_other_turn || call.has_seen(known.game.version))
}
