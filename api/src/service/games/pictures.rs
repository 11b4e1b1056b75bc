//! Pictures of boards, as SVG.

use std::sync::Arc;

use pagade_rules::picture;
use pagade_rules::play::Engine;
use pagade_rules::play::Seat;

use crate::error::{Code, Problem, detail};
use crate::game::play::Play;
use crate::model::game_list::PictureQuery;
use crate::model::layout::BoardQuery;
use crate::service::Service;
use crate::service::call::Call;
use crate::service::games::history::GameHistory;
use crate::service::games::queries;

impl Service {
    /// Draws the empty board of a rule set, with the path of a seat.
    ///
    /// # Errors
    /// The rule set or the seat does not exist, or the options and players do not suit the rule set.
    pub(crate) async fn draw_rule_set(&self, id: &str, query: BoardQuery) -> Result<String, Problem> {
        let seat = query.seat.clone();
        let (_, engine) = self.table_of(id, &query.into_layout()).await?;
        let seat = seat_of(&engine, seat.as_deref())?;
        Ok(picture::svg(&engine, None, seat))
    }

    /// Draws the board of a game with its pawns.
    ///
    /// # Errors
    /// The game, the step, or the seat does not exist.
    pub(crate) async fn draw_game(&self, call: &Call, id: &str, query: &PictureQuery) -> Result<String, Problem> {
        let (engine, play) = match query.at {
            Some(at) => {
                let drawn =
                    move |history: GameHistory| Ok((Arc::clone(&history.engine), queries::at_step(history, at)?.1));
                self.with_history(call, id, drawn).await?
            }
            None => {
                let cached = self.visible_game(call, id).await?;
                (Arc::clone(&cached.engine), cached.play.clone())
            }
        };
        let seat = seat_of(&engine, query.seat.as_deref())?;
        let play = play.unwrap_or_else(|| Play::opening(&engine, engine.first_seat()));
        Ok(picture::svg(&engine, Some(play.state()), seat))
    }
}

fn seat_of(engine: &Engine, name: Option<&str>) -> Result<Option<Seat>, Problem> {
    let Some(name) = name else { return Ok(None) };
    engine.seat_named(name).map(Some).ok_or_else(|| {
        let names = engine.seating.seats.iter().map(|seat| seat.name.as_str()).collect::<Vec<_>>();
        Problem::new(
            Code::SeatNotFound,
            detail!("no seat is named `{seat}`; the seats are {seats}", seat = name, seats = names),
        )
    })
}
