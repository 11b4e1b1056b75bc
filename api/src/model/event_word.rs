//! The words of events, with their meaning. They are contract: webhooks are registered for them.

use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

/// Every word of an event, and what has happened.
pub(crate) const EVENT_WORDS: &[(&str, &str)] = &[
    ("created", "the game was created"),
    ("joined", "somebody sat down at `seat`"),
    ("left_seat", "`seat` was left, or freed by the owner"),
    ("started", "the game was started; `seat` begins"),
    ("time_over", "`seat` was late: the server plays its turn to the end"),
    ("token_changed", "a token of `seat`, or of the game, was renewed or revoked"),
    ("resigned", "`seat` gave up"),
    ("forfeited", "`seat` was late too often, and has lost"),
    ("agreed", "`seat` agrees to `reason`: to `end` the game, to `abort` it, or to `play` on after all"),
    ("thrown", "`seat` threw `throw`"),
    ("moved", "`pawn` moved from `from` to `to` and spent `number`"),
    ("entered", "`pawn` came onto the board at `to`"),
    ("cut", "`pawn` was sent from `from` off the board, or back to `to`"),
    ("pair_formed", "`pawn` stands with another one of its seat at `to`"),
    ("home", "`pawn` has reached its goal"),
    ("left", "`pawn` was taken off the board for good"),
    ("bonus_granted", "`seat` may move `number` more"),
    ("bonus_forfeited", "nothing could be done with the bonus `number`"),
    ("dice_dropped", "nothing could be done with the rest of the throw"),
    ("taken_back", "what was thrown or played in this turn was taken back"),
    ("throw_granted", "`seat` may throw once more"),
    ("sent", "a rule has sent `pawn` from `from` to `to`"),
    ("chosen", "`seat` has answered a question of the rules"),
    ("passed", "`seat` passes"),
    ("player_won", "`seat` has won"),
    ("player_finished", "`seat` has finished, at place `number`"),
    ("turn", "it is the turn of `seat`"),
    ("game_over", "the game is over; `reason` says why, where its rules did not end it"),
];

/// The word of an event that a client names. Events themselves have a text: clients shall live with words to come.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EventWord;

impl PartialSchema for EventWord {
    fn schema() -> RefOr<Schema> {
        let meanings = EVENT_WORDS.iter().map(|(word, meaning)| format!("- `{word}`: {meaning}\n"));
        let description = format!("The word of an event. New words may be added.\n\n{}", meanings.collect::<String>());
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some(description))
            .enum_values(Some(EVENT_WORDS.iter().map(|(word, _)| *word)))
            .examples(["moved"])
            .into()
    }
}

impl ToSchema for EventWord {}
