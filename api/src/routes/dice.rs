//! The proof of the dice.

use actix_web::get;
use actix_web::web::{Data, Path};

use crate::error::Problem;
use crate::http::call::IfNoneMatch;
use crate::model::dice::DiceProof;
use crate::service::Service;
use crate::service::call::Call;
use crate::service::reply::Reply;

/// Read the proof of the dice
///
/// The hash of the seed from the beginning, every throw so far, and when the game is over the seed itself. Then everyone
/// can draw each throw again: with `pagade verify` from the record, or with a program of one's own from this answer.
///
/// Scheme `pagade-dice-1`: `seed_hash` is the SHA-256 of the seed. Key = HMAC-SHA-256 with the seed as its key and, as
/// message, a line `seat=contribution` with its line feed for every contribution in the order of `players`. Throw `n`, from
/// 1, reads ChaCha20 with that key, nonce `n` and a block counter from 0 (64 bits each) as 32-bit words, least byte first.
/// A number below `k` is a word modulo `k`; words that are 2^32-1 - (2^32-1) mod `k` or more are skipped. Each die shows
/// the face of the number below the count of its faces; each lot is mouth up where the number below 2 is 1. Nonce 0
/// decides who begins: at `random` the seat of a number below their count; at `highest` every seat throws, and those with
/// the highest sum throw again until one is left.
#[utoipa::path(tag = "games",
    params(("id" = String, Path, description = "The game's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11"), IfNoneMatch),
    responses(
        (status = 200, description = "What is known of the dice", body = DiceProof,
            headers(("ETag" = String, description = "The game's version"))),
        (status = 304, description = "The client has this version")),
    security((), ("token" = [])), extensions(("x-problem-codes" = json!(["game_not_found", "dice_held_by_players", "too_much_work", "too_busy"]))))]
#[get("/dice")]
pub(crate) async fn read_dice(service: Data<Service>, call: Call, id: Path<String>) -> Result<Reply, Problem> {
    service.read_dice(&call, &id).await
}
