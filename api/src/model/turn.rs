//! Throws and actions, as JSON.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::{IntoParams, ToSchema};

use super::event::EventView;
use super::game::{Awaits, BriefGame, GameView};
use crate::error::DetailArgs;

/// A throw to make.
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
    /// One or more actions, as `legal` shows them. Either all of them are played or none.
    #[schema(min_items = 1, max_items = 32)]
    pub actions: Vec<String>,
}

/// A throw and actions to try without playing them.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DryRun {
    /// The throw to try first. Required only if a throw is due.
    #[schema(min_length = 1, max_length = 64)]
    pub throw: Option<String>,
    /// The actions to try after the throw.
    #[serde(default)]
    #[schema(max_items = 32)]
    pub actions: Vec<String>,
}

/// The events of a command, and the game after them.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TurnAnswer<'a> {
    /// The events, in order. In the answer to a dry run, their ids are 0.
    #[schema(value_type = Vec<EventView>)]
    pub events: &'a [Box<RawValue>],
    /// The game after the events: `awaits` says what has to happen next, `legal` lists the legal actions.
    pub game: GameView<'a>,
}

/// The events of a command, and a brief form of the game: for robots, and for clients that draw by the events.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct BriefAnswer<'a> {
    /// The events, in order. In the answer to a dry run, their ids are 0.
    #[schema(value_type = Vec<EventView>)]
    pub events: &'a [Box<RawValue>],
    /// The brief form of the game after the events: `awaits` says what has to happen next, `legal` lists the legal
    /// actions.
    pub game: BriefGame<'a>,
}

/// The legal actions with their pawns, squares and numbers, for clients that draw them.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct LegalActions {
    /// The version of the game.
    pub version: u64,
    /// The seat whose turn it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<String>,
    /// The seat that has to decide, where the rules ask another seat than the one whose turn it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<String>,
    /// The next thing that has to happen in the game.
    pub awaits: Awaits,
    /// The numbers that the turn has still to spend.
    pub hand: Vec<String>,
    /// The legal actions.
    pub legal: Vec<LegalAction>,
    /// Whether `legal` has every legal action. It is `false` if there are more actions than the list holds (512), or if
    /// the position is too large to be searched completely. All listed actions are legal even then, but others may be
    /// missing.
    pub legal_complete: bool,
    /// With `explain=all`: for each own pawn, number of the hand and rule line that could move the pawn, the legal
    /// action or the reason against it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempts: Option<Vec<AttemptView>>,
}

/// What to explain beside the legal actions.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct LegalQuery {
    /// With `all`, the answer has the field `attempts`.
    #[param(inline)]
    pub explain: Option<Explain>,
}

/// What to explain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Explain {
    /// Every attempt.
    All,
}

/// Pawns with a part of the hand: a legal action, or the reason why there is none.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(title = "Attempt", example = json!({
    "pawns": ["red-1"], "together": false, "from": "66", "to": "70", "spends": ["4"], "rule": "spend.die",
    "reason": {"code": "landing", "detail": "the rule line `landing.pair-by-one` lets no pawn land on `70`",
        "args": {"rule": "landing.pair-by-one", "place": "70", "clauses": ["PG-48"]}}
}))]
pub(crate) struct AttemptView {
    /// The pawns, each for itself; with `together`, the first pawn of those that would move together.
    pub pawns: Vec<String>,
    /// Whether several pawns would move together.
    pub together: bool,
    /// The place where the pawns stand.
    pub from: String,
    /// The place where the pawns would end, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// The numbers of the hand to spend.
    pub spends: Vec<String>,
    /// The rule line that could move the pawns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// The legal action, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// The reason why there is no legal action.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<ReasonView>,
}

/// Why an action is not legal.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(title = "Reason")]
pub(crate) struct ReasonView {
    /// The kind of the reason.
    pub code: ReasonCode,
    /// The reason as a sentence.
    pub detail: String,
    /// The values in the sentence, such as `rule`, the rule line that refuses, its `clauses` and a `place`.
    #[schema(value_type = BTreeMap<String, Value>)]
    pub args: DetailArgs,
}

/// The kinds of reasons why an action is not legal: the field `code` of the mistakes of the problem `action_not_legal`,
/// and of attempts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ReasonCode {
    /// A `passing` line lets no pawn pass a place of the way.
    Passing,
    /// A `landing` line lets no pawn land on the place.
    Landing,
    /// A `must` line requires another action first.
    Compelled,
    /// The hand has to be spent as far as possible.
    SpendsLess,
    /// Either all numbers of the throw have to be spent or none.
    AllOrNone,
    /// The action is legal only when nothing else is possible.
    LastResort,
    /// The condition of the rule line is not met.
    Condition,
    /// No rule line makes such a move.
    NoLine,
    /// The numbers lead beyond the path, or the way is not open.
    NoWay,
    /// The numbers lead to another place than the one that was written.
    Elsewhere,
    /// No numbers of the hand lead to the place.
    NotReached,
    /// No pawn stands on the place.
    NoPawn,
    /// The numbers are not in the hand.
    NotInHand,
    /// A bonus has to be spent first.
    BonusesFirst,
    /// The numbers have to be spent before the bonus.
    NumbersFirst,
    /// The pawn has already moved by a number of this throw.
    Moved,
    /// Pawns of a parted pair may not meet again yet.
    Reunites,
    /// The pawns would end on different places, but have to stay together.
    Apart,
    /// The action is written as a capture, but captures no pawn.
    NoCapture,
    /// The move is legal, but not with the throw (`@`) or the pawns (`~`) that its text names.
    NotNamed,
    /// The turn cannot be passed while an action is possible.
    MustPlay,
    /// The player has to answer a choice first.
    ChoiceFirst,
    /// The choice cannot be answered at this moment of the turn.
    OtherMoment,
}

impl ReasonCode {
    /// Returns the word of the code.
    pub(crate) fn word(self) -> String {
        let word = serde_json::to_value(self).ok();
        word.and_then(|word| word.as_str().map(str::to_owned)).unwrap_or_default()
    }
}

/// A legal action.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct LegalAction {
    /// The text to send to play the action.
    pub action: String,
    /// The kind of the action.
    pub kind: LegalKind,
    /// The ids of all pawns that may make the action: those that move, and equal ones on the same place.
    pub pawns: Vec<String>,
    /// The ids of the pawns that move when the action is played.
    pub movers: Vec<String>,
    /// The label of the place where the pawns stand, in the numbering of the seat that moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The label of the place where the pawns land, in the numbering of the seat that moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// The places that the pawns walk over, in order; the last is `to`. Empty if no pawn moves.
    pub path: Vec<String>,
    /// The numbers of the hand that the action spends.
    pub spends: Vec<String>,
    /// Whether the action cuts a pawn where it lands, as the `x` of its text says.
    pub captures: bool,
    /// The captured pawns, also those that are captured in passing.
    pub captured: Vec<String>,
    /// Whether the rules never force the action, as with one that leads back out of home. A player that chooses at
    /// random should leave such actions out whenever another action than a pass is legal, as the server does. Otherwise
    /// games hardly ever end.
    pub voluntary: bool,
    /// The name of the rule line that allows the action.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// The clauses of the sources that the rule line implements.
    pub clauses: Vec<String>,
    /// The text of that line, in the language of the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// The kinds of legal actions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum LegalKind {
    /// One pawn moves, or two pawns move together.
    Move,
    /// An answer to a choice that the rule set declares.
    Choice,
    /// The seat spends nothing more in this turn.
    Pass,
}
