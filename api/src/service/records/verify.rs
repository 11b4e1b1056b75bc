//! Proves from a record that the server's dice were fair: every throw is drawn again.

use std::sync::Arc;

use pagade_rules::ruleset::RuleSet;
use thiserror::Error;

use crate::error::Problem;
use crate::game::dice::{self, Dice};
use crate::service::records;
use crate::service::records::header::RecordHeader;
use crate::service::records::read_header;

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
    find: impl FnOnce(&RecordHeader) -> Result<Arc<RuleSet>, String>,
    hash: Option<&str>,
) -> Result<Verified, Unproven> {
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
    let dice = Dice::new(seed, mixed);
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
    Ok(Verified {
        rule_set: format!("{} {}", set.id(), set.version()),
        seed_hash: found,
        first: recorded,
        contributions: proof.contributions.len(),
        throws: usize::try_from(game.throws).unwrap_or(usize::MAX),
        steps: usize::try_from(game.steps).unwrap_or(usize::MAX),
    })
}
