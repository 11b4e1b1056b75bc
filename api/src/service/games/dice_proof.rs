//! Reads the proof that the server's dice are fair.

use pagade_rules::tables::First;

use crate::error::{Code, Problem, detail};
use crate::game::dice;
use crate::game::steps::Step;
use crate::game::terms::DiceHolder;
use crate::model::dice::{Begins, DiceProof, DiceShape};
use crate::service::Service;
use crate::service::call::Call;
use crate::service::games::history::GameHistory;
use crate::service::reply::Reply;

impl Service {
    /// Reads the proof of the dice of a game. It has the seed only if the game is over.
    ///
    /// # Errors
    /// The game does not exist, or its players throw the dice.
    pub(crate) async fn read_dice(&self, call: &Call, id: &str) -> Result<Reply, Problem> {
        let GameHistory { game, engine, steps, .. } = self.with_history(call, id, Ok).await?;
        if game.setup.dice == DiceHolder::Players {
            let detail = detail!("the players throw their own dice in this game: nothing of them can be proven");
            return Err(Problem::new(Code::DiceHeldByPlayers, detail));
        }
        if call.has_seen(game.version) {
            return Ok(Reply::not_modified(game.version));
        }
        let throws = steps.into_iter().filter_map(|step| match step {
            Step::Throw(throw) => Some(engine.throw_text(&throw)),
            Step::Act(_) => None,
        });
        let proof = DiceProof {
            scheme: dice::SCHEME.to_owned(),
            seed_hash: game.setup.seed_hash().to_owned(),
            seed_by: game.setup.seed_by.into(),
            seed: game.revealed_seed().map(str::to_owned),
            players: game.setup.players(),
            contributions: game.setup.contributions_by_seat(),
            first: game.setup.first.clone(),
            begins: match engine.seating.first {
                First::Seat(_) => Begins::Seat,
                First::Random => Begins::Random,
                First::Highest => Begins::Highest,
            },
            dice: DiceShape::from(&engine.throws.dice),
            throws: throws.collect(),
        };
        Ok(Reply::ok(&proof)?.at_version(game.version))
    }
}
