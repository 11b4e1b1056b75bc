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
        let cached = self.visible_game(call, id).await?;
        if let Some(seat) = turn
            && !cached.game.setup.seats.iter().any(|game_seat| game_seat.seat == seat)
        {
            let (seats, seat) = (cached.game.setup.players(), seat.chars().take(32).collect::<String>());
            return Err(page::parameter(
                "turn",
                detail!("no seat is named `{seat}`; the seats are {seats}", seat, seats),
            ));
        }
        let Some(seconds) = call.wait.filter(|_| is_waited_for(&cached, call, turn)) else { return Ok(cached) };
        // The future is boxed because it is large, and most requests do not wait.
        Box::pin(self.wait_for_game(call, id, turn, cached, seconds)).await
    }

    /// Waits at most `seconds` for a later version of a game than `cached`, as [`Service::awaited_game`] describes it.
    async fn wait_for_game(
        &self,
        call: &Call,
        id: &str,
        turn: Option<&str>,
        mut cached: Arc<CachedGame>,
        seconds: u32,
    ) -> Result<Arc<CachedGame>, Problem> {
        let end = Instant::now() + Duration::from_secs(seconds.min(LONGEST_WAIT).into());
        let _slot = self.meter.follow(call.caller)?;
        let role = access::may_see(&cached.game, call)?;
        self.presence.mark_seen(entity(cached.id), &presence::seats_of(role.as_ref(), &cached.game));
        loop {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() || *self.closing.borrow() || !is_waited_for(&cached, call, turn) {
                return Ok(cached);
            }
            self.wait_for_events(entity(cached.id), cached.game.events, left).await?;
            // The token may have been revoked during the wait.
            cached = self.visible_game(call, id).await?;
        }
    }
}

/// Tells whether the client has to wait, because it has this version already, or another seat has to decide.
fn is_waited_for(cached: &CachedGame, call: &Call, turn: Option<&str>) -> bool {
    let now = cached.play.as_ref().map(Play::state).and_then(|state| view::decider(&cached.engine, state));
    let is_other_turn = turn.is_some_and(|seat| now != Some(seat));
    cached.game.status != Status::Finished && (is_other_turn || call.has_seen(cached.game.version))
}
