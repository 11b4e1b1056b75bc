//! The proof that the server's dice were fair: shown for a game, checked from a record.

use std::sync::Arc;

use pagade_rules::ruleset::RuleSet;
use pagade_rules::tables::{self, First};
use thiserror::Error;

use crate::error::{Code, Problem};
use crate::game::dice;
use crate::game::dice::Dice;
use crate::game::steps::Step;
use crate::game::stored::Game;
use crate::model::dice::{Begins, DiceProof, DiceShape};
use crate::model::game::DiceHolder;
use crate::service::Service;
use crate::service::call::Call;
use crate::service::games::history::History;
use crate::service::records;
use crate::service::records::head::{Head, head_of};
use crate::service::reply::Reply;

impl Service {
    /// What is known of the dice of a game.
    ///
    /// # Errors
    /// The game is unknown, or its players throw.
    pub async fn read_dice(&self, call: &Call, id: &str) -> Result<Reply, Problem> {
        let History { game, rules, steps, .. } = self.with_history(call, id, Ok).await?;
        if game.setup.dice == DiceHolder::Players {
            let detail = "the players throw their own dice in this game: nothing of them can be proven";
            return Err(Problem::new(Code::DiceHeldByPlayers, detail));
        }
        if call.has_seen(game.version) {
            return Ok(Reply::not_modified(game.version));
        }
        let throws = steps.into_iter().filter_map(|step| match step {
            Step::Throw(text) => Some(text),
            Step::Play(_) => None,
        });
        let proof = DiceProof {
            scheme: dice::SCHEME.to_owned(),
            seed_hash: game.setup.seed_hash().to_owned(),
            seed_by: game.setup.seed_by,
            seed: game.told_seed().map(str::to_owned),
            players: game.setup.players(),
            contributions: contributions(&game),
            first: game.setup.first.clone(),
            begins: match rules.first {
                First::Seat(_) => Begins::Seat,
                First::Random => Begins::Random,
                First::Highest => Begins::Highest,
            },
            dice: match rules.dice.clone() {
                tables::Dice::Faces { count, faces } => DiceShape::Faces { count, faces },
                tables::Dice::Lots { count, values } => DiceShape::Lots { count, values },
            },
            throws: throws.collect(),
        };
        Ok(Reply::ok(&proof)?.at_version(game.version))
    }
}

/// What players mixed in, by seat.
pub fn contributions(game: &Game) -> std::collections::BTreeMap<String, String> {
    game.setup.contributions().map(|(seat, text)| (seat.to_owned(), text.to_owned())).collect()
}

/// A record whose dice came from its seed.
#[derive(Debug, Clone)]
pub struct Verified {
    /// Id and version of the rules.
    pub rule_set: String,
    /// The seed's hash.
    pub seed_hash: String,
    /// Who began.
    pub first: String,
    /// How many players mixed something in.
    pub contributions: usize,
    /// Throws that were drawn again.
    pub throws: usize,
    /// Throws and actions that followed from the rules.
    pub steps: usize,
}

/// Why nothing is proven.
#[derive(Debug, Error)]
pub enum Unproven {
    /// It cannot be read, or does not follow from the rules.
    #[error("{0}")]
    Record(String),
    /// It says nothing about dice.
    #[error(
        "the record has no proof of its dice: they were thrown by players, or by a simulation\n  help: the service writes one for games whose dice it throws"
    )]
    NoProof,
    /// Another scheme than this program knows.
    #[error("the dice follow the scheme `{0}`, this program knows `{scheme}`", scheme = dice::SCHEME)]
    Scheme(String),
    /// The seed is not known yet.
    #[error("the seed is not in the record: it is told when the game is over\n  help: take the record again then")]
    NoSeed,
    /// The seed is not the one that was committed to.
    #[error("the hash of the seed is {found}, not {committed}: the seed was changed")]
    Hash {
        /// What was published or given.
        committed: String,
        /// What the seed gives.
        found: String,
    },
    /// Someone else began.
    #[error("`{recorded}` began, but by the seed `{drawn}` begins")]
    First {
        /// Who began.
        recorded: String,
        /// Who begins by the seed.
        drawn: String,
    },
    /// Something else was thrown.
    #[error("throw {number} was {recorded}, but the seed gives {drawn}")]
    Throw {
        /// From 1.
        number: usize,
        /// What the record says.
        recorded: String,
        /// What the seed gives.
        drawn: String,
    },
}

/// Draws every throw of a record again. `hash` is what the verifier noted when the game was created.
///
/// # Errors
/// The record cannot be read, does not follow from its rules, has no proof, or shows something else than its seed gives.
pub fn verify(
    text: &str,
    find: impl FnOnce(&Head) -> Result<Arc<RuleSet>, String>,
    hash: Option<&str>,
) -> Result<Verified, Unproven> {
    let unreadable = |problem: Problem| match problem.parts.first().and_then(|part| part.line) {
        Some(line) => Unproven::Record(format!("line {line}: {}", problem.detail)),
        None => Unproven::Record(problem.detail),
    };
    let head = head_of(text).map_err(unreadable)?;
    let proof = head.dice.as_ref().ok_or(Unproven::NoProof)?;
    if proof.scheme != dice::SCHEME {
        return Err(Unproven::Scheme(proof.scheme.clone()));
    }
    let seed = head.seed.as_deref().ok_or(Unproven::NoSeed)?;
    let found = dice::seed_hash(seed);
    for committed in [Some(proof.seed_hash.as_str()), hash].into_iter().flatten() {
        if !committed.eq_ignore_ascii_case(&found) {
            return Err(Unproven::Hash { committed: committed.to_owned(), found });
        }
    }
    let set = find(&head).map_err(Unproven::Record)?;
    let edit = records::replayed(&set, &head, text).map_err(unreadable)?;
    let (rules, game) = (&edit.rules, &edit.game);
    let players = game.setup.players();
    let mixed = players.iter().filter_map(|seat| Some((seat.as_str(), proof.contributions.get(seat)?.as_str())));
    let dice = Dice::new(seed, mixed);
    let (recorded, drawn) =
        (game.setup.first.clone().unwrap_or_default(), rules.seat_name(dice.first(rules)).to_owned());
    if recorded != drawn {
        return Err(Unproven::First { recorded, drawn });
    }
    for (recorded, number) in edit.events.iter().filter_map(|event| event.throw.as_deref()).zip(1..) {
        let drawn = rules.throw_text(&dice.throw(rules, number as u64));
        if recorded != drawn {
            return Err(Unproven::Throw { number, recorded: recorded.to_owned(), drawn });
        }
    }
    Ok(Verified {
        rule_set: format!("{} {}", set.id(), set.version()),
        seed_hash: found,
        first: recorded,
        contributions: proof.contributions.len(),
        throws: usize::try_from(game.throws).unwrap_or(usize::MAX),
        steps: usize::try_from(game.steps).unwrap_or(usize::MAX),
    })
}
