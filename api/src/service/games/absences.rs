//! Players who lose the connection: a robot plays for them until they come back.
//!
//! The connection of a player is a stream of the game's events. A player who never opened a stream never counts as
//! absent, so for people who play by single requests only the time limit counts.

use crate::error::{Code, Problem, detail};
use crate::follow::CombinedPresence;
use crate::game::edit::Edit;
use crate::game::setup::GameSeat;
use crate::game::stored::{Game, not_found};
use crate::game::terms::{Absence, StandIn, Status};
use crate::service::Service;
use crate::service::access::{self, Role};
use crate::service::call::Call;
use crate::service::entity::check_seen;
use crate::service::idempotency::IdempotentRequest;
use crate::service::reply::Reply;
use crate::store::EntityId;

/// Pause, in milliseconds, between two looks whether a player without a connection has come back.
const LOOK: u64 = 2_000;
/// The shortest pause between two looks, in milliseconds.
const SHORTEST: u64 = 500;

/// The result of a look at the seats of a game.
#[derive(Debug, Default, PartialEq, Eq)]
struct AbsenceLook {
    /// The seats whose control changes: the name, the absence before, and the absence from now on.
    changes: Vec<(String, Option<Absence>, Option<Absence>)>,
    /// The time of the next look, in milliseconds since 1970.
    next: Option<u64>,
}

impl AbsenceLook {
    /// Looks at every seat of a game in play. A seat that has its final rank plays no longer, and is left out.
    fn at(edit: &Edit, stand_in: StandIn, presence: &CombinedPresence, now: u64) -> Self {
        let mut look = Self { next: Some(now + stand_in.after), ..Self::default() };
        let seats = edit.game.setup.seats.iter();
        for game_seat in seats.filter(|game_seat| game_seat.has_person() && !edit.has_place(&game_seat.seat)) {
            let (absence, again) = seen(game_seat, stand_in, presence, now);
            if absence != game_seat.absence {
                look.changes.push((game_seat.seat.clone(), game_seat.absence, absence));
            }
            look.next = look.next.into_iter().chain([again]).min();
        }
        look.next = look.next.map(|next| next.max(now + SHORTEST));
        look
    }
}

/// Returns whether the player of a seat is absent, and the time of the next look at the seat.
fn seen(game_seat: &GameSeat, stand_in: StandIn, presence: &CombinedPresence, now: u64) -> (Option<Absence>, u64) {
    let is_connected = presence.streams.seats.contains_key(&game_seat.seat);
    match game_seat.absence {
        Some(Absence::Away { .. }) if is_connected => (None, now + stand_in.after),
        Some(Absence::Away { until }) if until <= now => (Some(Absence::Abandoned), now + stand_in.after),
        Some(Absence::Away { until }) => (game_seat.absence, until.min(now + LOOK)),
        other if is_connected || !presence.followed.contains(&game_seat.seat) => (other, now + stand_in.after),
        other => {
            // Another process may know later that the player was seen, but the game itself has the time of a return.
            let seen = presence.seen.get(&game_seat.seat).copied().unwrap_or(0).max(game_seat.back_at);
            let gone = seen + stand_in.after;
            let away = Absence::Away { until: now + stand_in.window };
            if gone <= now { (Some(away), now + LOOK) } else { (other, gone) }
        }
    }
}

impl Service {
    /// Finds the absent players, and does the work that is due in the game. Returns the time of the next check of the
    /// game.
    pub(in crate::service) async fn check_game(&self, id: EntityId) -> Result<Option<u64>, Problem> {
        let look = self.look_for_players(id).await?;
        let due = self.check::<Game>(id).await?;
        Ok(due.into_iter().chain(look).min())
    }

    /// Finds the players of a game who have lost the connection, or have come back, and stores the change. Returns the
    /// time of the next look.
    async fn look_for_players(&self, id: EntityId) -> Result<Option<u64>, Problem> {
        // The stand-in of a game never changes. So if a cached version of the game has none, whatever its age, there is
        // nothing to look for.
        if let Some(cached) = self.store.cached(id)
            && Game::read(&cached.snapshot)?.setup.stand_in.is_none()
        {
            return Ok(None);
        }
        let (stored, notes) = self.store.entity_and_notes(id).await?;
        let Some(stored) = stored else { return Ok(None) };
        let (cached, now) = (self.games.read(&stored, &self.library).await?, self.store.now());
        let game = &cached.game;
        let Some(stand_in) = game.setup.stand_in.filter(|_| game.status == Status::Playing) else { return Ok(None) };
        let look = AbsenceLook::at(&Edit::of(&cached, now), stand_in, &self.presence.combine(id, notes, now), now);
        if look.changes.is_empty() {
            return Ok(look.next);
        }
        let change = |edit: &mut Edit| {
            let is_same = |(seat, before, _): &(String, _, _)| {
                edit.game.setup.seat(seat).is_some_and(|game_seat| game_seat.absence == *before)
            };
            if edit.game.status != Status::Playing || !look.changes.iter().all(is_same) {
                // The player or another process has changed the game first: the next look sees the change.
                return Err(not_found());
            }
            for (seat, _, absence) in &look.changes {
                match absence {
                    _ if edit.game.status != Status::Playing => {}
                    Some(Absence::Abandoned) => edit.abandon(seat)?,
                    _ => edit.set_absence(seat, *absence)?,
                }
            }
            edit.count_agreements();
            Ok(Reply::default())
        };
        match self.change(None, id, change).await {
            Err(problem) if problem.code != Code::GameNotFound => Err(problem),
            _ => Ok(look.next),
        }
    }

    /// Gives a seat back to its player, for whom a robot or the server has played during an absence.
    ///
    /// # Errors
    /// The token does not play this seat, the game is not in play, or the player has left for good.
    pub(crate) async fn return_to_seat(
        &self,
        call: &Call,
        body: &[u8],
        id: &str,
        seat: &str,
    ) -> Result<Reply, Problem> {
        access::token(call)?;
        self.change_game(IdempotentRequest::of(call, body)?, id, |edit| {
            let role = access::player(&edit.game, call)?;
            edit.seat_mut(seat)?;
            if matches!(&role, Role::Seat(own) if own != seat) {
                return Err(Problem::new(Code::NotAllowed, detail!("the token plays another seat")));
            }
            check_seen(edit, call)?;
            edit.playing()?;
            access::is_in_play(&edit.game, &role)?;
            edit.come_back(seat)?;
            if let Role::Seat(own) = &role {
                edit.note_address(own, call.caller);
            }
            Ok(Reply::ok(&edit.view())?.at_version(edit.game.version))
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::follow::StreamCounts;
    use crate::game::ranking::tests::{play_until, started};
    use crate::ground::token::Token;
    use pagade_robots::RobotKind;

    const STAND_IN: StandIn = StandIn { robot: RobotKind::Hunter, after: 30_000, window: 300_000 };
    const NOW: u64 = 1_000_000;

    fn game_seat(absence: Option<Absence>) -> GameSeat {
        let planned = crate::table::playing::tests::planned();
        GameSeat { seat: "red".to_owned(), absence, ..planned.setup.seats[0].clone() }
    }

    /// The presence of a seat that was seen at this time, and follows the game or has followed it.
    fn presence(seen_at: u64, is_connected: bool, has_followed: bool) -> CombinedPresence {
        let name = || "red".to_owned();
        let seats = if is_connected { BTreeMap::from([(name(), 1)]) } else { BTreeMap::new() };
        CombinedPresence {
            streams: StreamCounts { at: NOW, watchers: 0, seats },
            seen: BTreeMap::from([(name(), seen_at)]),
            followed: if has_followed { BTreeSet::from([name()]) } else { BTreeSet::new() },
        }
    }

    #[test]
    fn a_player_is_away_after_a_time_without_a_connection() {
        let look = |absence, presence| seen(&game_seat(absence), STAND_IN, &presence, NOW);
        let away = Some(Absence::Away { until: NOW + 300_000 });
        assert_eq!(look(None, presence(NOW - 30_000, false, true)), (away, NOW + LOOK));
        assert_eq!(look(None, presence(NOW - 29_000, false, true)), (None, NOW + 1_000));
        assert_eq!(look(None, presence(NOW - 90_000, true, true)).0, None, "the stream is open");
        assert_eq!(look(None, presence(NOW - 90_000, false, false)).0, None, "plays by single requests");
        let automatic = Some(Absence::Automatic);
        assert_eq!(look(automatic, presence(NOW, true, true)).0, automatic, "only a command ends this");
        assert_eq!(look(automatic, presence(NOW - 30_000, false, true)).0, away);
    }

    #[test]
    fn nobody_looks_for_a_player_who_has_a_place_already() {
        let mut edit = started("pagade");
        play_until(&mut edit, |engine, state| engine.places(state).next().is_some());
        let (_, first) = edit.ranked()[0];
        let names: Vec<String> = edit.game.setup.seats.iter().map(|game_seat| game_seat.seat.clone()).collect();
        for name in &names {
            edit.seat_mut(name).unwrap().token = Some(Token::new().unwrap().hash());
        }
        let gone = CombinedPresence {
            streams: StreamCounts { at: NOW, watchers: 0, seats: BTreeMap::new() },
            seen: names.iter().map(|name| (name.clone(), NOW - 90_000)).collect(),
            followed: names.iter().cloned().collect(),
        };
        let changes = AbsenceLook::at(&edit, STAND_IN, &gone, NOW).changes;
        let away: Vec<_> = changes.iter().map(|(seat, ..)| seat.as_str()).collect();
        let others: Vec<_> = names.iter().filter(|name| **name != *edit.engine.seat_name(first)).collect();
        assert_eq!((away.len(), away), (names.len() - 1, others.iter().map(|name| name.as_str()).collect()));
    }

    #[test]
    fn a_player_comes_back_in_time_or_never() {
        let look = |until, is_connected| {
            let absence = Some(Absence::Away { until });
            (seen(&game_seat(absence), STAND_IN, &presence(NOW - 40_000, is_connected, true), NOW), absence)
        };
        let (back, _) = look(NOW + 1, true);
        assert_eq!(back.0, None);
        let (waits, absence) = look(NOW + 1_000, false);
        assert_eq!(waits, (absence, NOW + 1_000));
        let (gone, _) = look(NOW, false);
        assert_eq!(gone.0, Some(Absence::Abandoned));
    }
}
