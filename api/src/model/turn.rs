//! Throws and actions on the wire.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::event::EventView;
use super::game::{Awaits, BriefGame, GameView};

/// A throw.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"throw": "3+6"}))]
pub(crate) struct ThrowDice {
    /// The throw, with the dice in the order thrown. Only for games whose players throw the dice.
    #[schema(min_length = 1, max_length = 64)]
    pub throw: Option<String>,
}

/// Actions to play.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"actions": ["66-69:3"]}))]
pub(crate) struct PlayActions {
    /// One or more, as `legal` shows them; all are played or none.
    #[schema(min_items = 1, max_items = 32)]
    pub actions: Vec<String>,
}

/// A throw and actions to try without playing them.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"throw": "3+6", "actions": ["12-15:3"]}))]
pub(crate) struct DryRun {
    /// The throw to try first, if a throw is due.
    #[schema(min_length = 1, max_length = 64)]
    pub throw: Option<String>,
    /// Actions to try after it.
    #[serde(default)]
    #[schema(max_items = 32)]
    pub actions: Vec<String>,
}

/// What happened, and the game after it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TurnAnswer<'a> {
    /// What happened, in order. Of a dry run the ids are 0.
    #[schema(value_type = Vec<EventView>)]
    pub events: &'a [Box<RawValue>],
    /// The game now: `awaits` says what is next, `legal` what may be played.
    pub game: GameView<'a>,
}

/// The events and the game in brief, for robots and for clients that draw by the events.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct BriefAnswer<'a> {
    /// What happened, in order. Of a dry run the ids are 0.
    #[schema(value_type = Vec<EventView>)]
    pub events: &'a [Box<RawValue>],
    /// The game in brief: `awaits` is the next decision, `legal` the legal actions.
    pub game: BriefGame<'a>,
}

/// The legal actions with their pawns, squares and numbers, for clients that draw them.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct LegalActions {
    /// The game's version.
    pub version: u64,
    /// The seat to move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<String>,
    /// What the game waits for.
    pub awaits: Awaits,
    /// What is left to spend.
    pub hand: Vec<String>,
    /// The legal actions.
    pub legal: Vec<LegalAction>,
    /// Whether `legal` is exact. `false`: the hand is too long to look through to its end. What is listed may be played;
    /// another action that spends as many numbers may be missing.
    pub legal_complete: bool,
}

/// A legal action.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(example = json!({
    "action": "66-69x:3", "kind": "move", "pawns": ["red-1"], "from": "66", "to": "69", "spends": ["3"], "captures": true, "voluntary": false, "rule": "spend.die"
}))]
pub(crate) struct LegalAction {
    /// The text to send to play the action.
    pub action: String,
    /// What it is.
    pub kind: LegalKind,
    /// The pawns that move.
    pub pawns: Vec<String>,
    /// Where they stand, in the numbering of the colour that moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Where they land.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// The numbers of the hand that the action spends.
    pub spends: Vec<String>,
    /// Something is captured.
    pub captures: bool,
    /// Whether the rules never force the action, as with one that leads back out of home. A player that chooses at
    /// random should leave such actions out whenever another action than a pass is legal, as the server does; otherwise
    /// games hardly end.
    pub voluntary: bool,
    /// The rule line that allows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
}

/// Kinds of actions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum LegalKind {
    /// A pawn, or two together, move.
    Move,
    /// A choice that the rule set declares.
    Choice,
    /// Nothing more is spent.
    Pass,
}
