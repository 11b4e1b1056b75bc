//! The operation that reads the proof of the dice.

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
/// The answer has the hash of the seed from the beginning, and every throw so far. When the game is over, it also has
/// the seed. Then anyone can draw each throw again: `pagade verify` does so from the record of the game, and a program
/// of your own can do so from this answer.
///
/// Scheme `pagade-dice-1`:
/// 1. `seed_hash` is the SHA-256 of the seed, in hexadecimal. The seed is a text: its UTF-8 bytes are hashed, even if
///    they are hexadecimal digits.
/// 2. The key of the dice is an HMAC-SHA-256. Its own key is the seed, as the same bytes. Its message has a line
///    `SEAT=CONTRIBUTION` for every seat in `contributions`, in the order of `players`. Each line ends with a line
///    feed. Without contributions, the message is empty.
/// 3. Throw `n` of the list `throws`, counted from 1, reads the ChaCha20 stream with this key and the nonce `n`. Nonce
///    and block counter have 64 bits each (D. J. Bernstein's ChaCha20, not that of RFC 8439), and the counter starts
///    at 0. The stream is read as 32-bit words, least significant byte first.
/// 4. A random number below `k` is the next word modulo `k`. Before that, words of 2^32-1 - (2^32-1) mod `k` or more
///    are skipped.
/// 5. Dice (`dice.kind` is `faces`): each of the `count` dice, in the order in which the throw shows them, takes a
///    random number below the length of `faces`. It shows the face at this index of `faces`, counted from 0.
/// 6. Lots (`dice.kind` is `lots`): each of the `count` lots takes a random number below 2; the number 1 means that the
///    lot lies mouth up. The throw is worth the element of `values` whose index, counted from 0, is the number of lots
///    that lie mouth up. `throws` shows this number in parentheses after the worth, as in `4(3)`.
/// 7. The nonce 0 decides who begins. If `begins` is `seat`, the rules name the seat, and nothing is drawn. If it is
///    `random`, a random number below the number of `players` is the index of the seat that begins. If it is `highest`,
///    the seats throw one after the other, in the order of `players`, and all throws are read from the one stream with
///    the nonce 0. The sum of the faces counts; of lots, their worth. The seats with the highest sum throw again in the
///    same way, and read on in the stream, until one seat is left. If seats are still tied after 1,000 rounds, the
///    first of them in the order of `players` begins.
#[utoipa::path(tag = "games",
    params(("id" = String, Path, description = "The game's id", example = "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11"), IfNoneMatch),
    responses(
        (status = 200, description = "The proof of the dice", body = DiceProof,
            headers(("ETag" = String, description = "The game's version"))),
        (status = 304, description = "The client has this version")),
    security((), ("token" = [])), extensions(("x-problem-codes" = json!(["game_not_found", "dice_held_by_players", "too_much_work", "too_busy"]))))]
#[get("/dice")]
pub(crate) async fn read_dice(service: Data<Service>, call: Call, id: Path<String>) -> Result<Reply, Problem> {
    service.read_dice(&call, &id).await
}
