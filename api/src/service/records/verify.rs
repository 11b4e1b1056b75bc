//! Verifies that the server's dice in a record were fair, by drawing every throw again.

use std::sync::Arc;

use pagade_rules::ruleset::RuleSet;
use thiserror::Error;

use crate::error::Problem;
use crate::game::dice::{self, GameDice};
use crate::service::records;
use crate::service::records::header::RecordHeader;
use crate::service::records::read_header;

/// The result of verifying a record whose throws all follow from its seed.
#[derive(Debug, Clone)]
pub struct VerifiedRecord {
    /// Id and version of the rule set.
    pub rule_set: String,
    /// The hash of the seed.
    pub seed_hash: String,
    /// The seat that began in the record.
    pub first: String,
    /// Number of contributions by players.
    pub contributions: usize,
    /// Number of throws that were drawn again.
    pub throws: usize,
    /// Number of steps. The rules allow all of them.
    pub steps: usize,
}

/// The reason why a record does not prove that its dice were fair.
#[derive(Debug, Error)]
pub enum Unproven {
    /// The record is malformed, or contradicts the rules.
    #[error("{0}")]
    Record(String),
    /// The header of the record has no proof of the dice.
    #[error(
        "the record has no proof of its dice: they were thrown by players, or by a simulation\n  help: the service writes one for games whose dice it throws"
    )]
    NoProof,
    /// The throws were computed by a scheme that this program does not support.
    #[error("the dice follow the scheme `{0}`, this program knows `{scheme}`", scheme = dice::SCHEME)]
    Scheme(String),
    /// The record has no seed, because the game was not over.
    #[error(
        "the seed is not in the record: it is published when the game is over\n  help: read the record again after the end"
    )]
    NoSeed,
    /// The hash of the seed is not the published one.
    #[error("the hash of the seed is {found}, not {committed}: the seed was changed")]
    Hash {
        /// The hash that was published, or that the user noted.
        committed: String,
        /// The hash of the seed.
        found: String,
    },
    /// The seat that began is not the one that the seed gives.
    #[error("`{recorded}` began, but the seed gives `{drawn}`")]
    First {
        /// The seat that began, according to the record.
        recorded: String,
        /// The seat that has to begin, according to the seed.
        drawn: String,
    },
    /// A throw in the record differs from the one that the seed gives.
    #[error("throw {number} was {recorded}, but the seed gives {drawn}")]
    Throw {
        /// Number of the throw, from 1.
        number: usize,
        /// The throw in the record.
        recorded: String,
        /// The throw that the seed gives.
        drawn: String,
    },
}

/// Draws every throw of a record again, and compares it with the recorded throw. `hash` is the hash of the seed that
/// the user noted when the game was created.
///
/// # Errors
/// The record is malformed, contradicts the rules, has no proof, or has a throw that its seed does not give.
pub fn verify(
    text: &str,
    find: impl FnOnce(&RecordHeader) -> Result<Arc<RuleSet>, String>,
    hash: Option<&str>,
) -> Result<VerifiedRecord, Unproven> {
    let unreadable = |problem: Problem| match problem.parts.first().and_then(|part| part.line) {
        Some(line) => Unproven::Record(format!("line {line}: {}", problem.detail)),
        None => Unproven::Record(problem.detail),
    };
    let header = read_header(text).map_err(unreadable)?;
    let proof = header.dice.as_ref().ok_or(Unproven::NoProof)?;
    if proof.scheme != dice::SCHEME {
        return Err(Unproven::Scheme(proof.scheme.clone()));
    }
    let seed = header.seed.as_deref().ok_or(Unproven::NoSeed)?;
    let found = dice::seed_hash(seed);
    for committed in [Some(proof.seed_hash.as_str()), hash].into_iter().flatten() {
        if !committed.eq_ignore_ascii_case(&found) {
            return Err(Unproven::Hash { committed: committed.to_owned(), found });
        }
    }
    let set = find(&header).map_err(Unproven::Record)?;
    let edit = records::replayed(&set, &header, text).map_err(unreadable)?;
    let (engine, game) = (&edit.engine, &edit.game);
    let players = game.setup.players();
    let mixed = players.iter().filter_map(|seat| Some((seat.as_str(), proof.contributions.get(seat)?.as_str())));
    let dice = GameDice::new(seed, mixed);
    let (recorded, drawn) =
        (game.setup.first.clone().unwrap_or_default(), engine.seat_name(dice.first(engine)).to_owned());
    if recorded != drawn {
        return Err(Unproven::First { recorded, drawn });
    }
    for (recorded, number) in edit.events.iter().filter_map(|numbered| numbered.event.throw).zip(1..) {
        let drawn = dice.throw(engine, number as u64);
        if recorded != drawn {
            let [recorded, drawn] = [recorded, drawn].map(|throw| engine.throw_text(&throw));
            return Err(Unproven::Throw { number, recorded, drawn });
        }
    }
    Ok(VerifiedRecord {
        rule_set: format!("{} {}", set.id(), set.version()),
        seed_hash: found,
        first: recorded,
        contributions: proof.contributions.len(),
        throws: usize::try_from(game.throws).unwrap_or(usize::MAX),
        steps: usize::try_from(game.steps).unwrap_or(usize::MAX),
    })
}
