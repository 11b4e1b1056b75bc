//! The tables whose lines have ids: `numbers`, `spend`, `must`, `landing`, `passing`, `on` and `choices`.

use super::pattern::PatternForm;
use super::{
    Arrival, At, BESIDE, EffectText, Expr, GoalText, LandingVerdict, PassingVerdict, Pattern, Setting, Text, Within,
    WordOr,
};
use crate::language::{
    EffectForm, Flag, GoalForm, Id, List, Name, OnePlace, PlaceName, Several, Whole, WordOrForm, WordOrOption,
    WordValue, shape,
};
use crate::tables::{Argument, Asked, Asking, Duty, Event, Mover, Route, Wall, With};
use crate::units::MAX_NUMBERS;

/// Maximum number of effects of one line.
const MAX_EFFECTS: usize = 16;

shape! {
    /// The numbers that a throw puts into the hand.
    pub struct NumbersLine with clauses: "a line of numbers", id "id", most 200, variants BESIDE;

    /// The id of the line in its table.
    required id: Text = Id;
    /// The condition under which the line holds. Parts that depend only on options are evaluated before the game.
    optional when: Option<Expr> = Expr;
    /// The numbers that go into the hand. With an empty list the throw gives none.
    required numbers: Vec<Expr> = List<Expr, 0, MAX_NUMBERS>;
    /// Whether the player has to spend either all of these numbers or none.
    default all_or_none: bool = Flag;
}

shape! {
    /// A way to spend numbers of the hand.
    pub struct SpendLine with clauses: "a line of spend", id "id", most 64, variants BESIDE;

    /// The id of the line in its table.
    required id: Text = Id;
    /// Who moves: a pawn, a pair or a group. The line may list several of them.
    required movers as "move": Vec<At<Mover>> = Several<Mover>;
    /// The places on which the mover may stand.
    required from: Vec<Text> = List<PlaceName>;
    /// The kind of numbers that are spent: a die, a sum, a doublet, .. The line may list several of them.
    required with: Vec<At<With>> = Several<With>;
    /// The only numbers (or sums) that may be spent by this line. Without this key it is every number.
    default exactly: Vec<At<u8>> = List<Whole<u8, 1, 60>, 1>;
    /// The places to which the mover may go: labels, or expressions. Without this key the number decides how far it
    /// goes.
    default to: Vec<GoalText> = List<GoalForm, 1>;
    /// The direction of the move. Without this key it is `ahead`.
    optional route: Option<At<Route>> = WordValue<Route>;
    /// The only places of the path over which the mover walks, up to the last of them. Not together with `to` or `route`.
    default along: Vec<Text> = List<PlaceName, 1>;
    /// Where a move with the route `bounce` turns back: a place, or `obstacle`, the first square that `passing` refuses
    /// to pass. Without this key it is home.
    optional bounce_at: Option<At<WordOr<Wall, String>>> = WordOrForm<Wall, OnePlace>;
    /// The length of the move in places. Without this key it is the number that is spent.
    optional steps: Option<Expr> = Expr;
    /// The condition under which the line holds. Parts that depend only on options are evaluated before the game.
    optional when: Option<Expr> = Expr;
    /// Whether the player must play the actions of the line. Without this key it is `ordinary`.
    optional duty: Option<At<Duty>> = WordValue<Duty>;
}

shape! {
    /// A compulsion: actions that a player has to prefer.
    pub struct MustLine with clauses: "a line of must", id "id", most 32, variants BESIDE;

    /// The id of the line in its table.
    required id: Text = Id;
    /// Ids of `spend` lines. Only their actions are legal while one of them is possible.
    required actions: Vec<Text> = List<Id>;
    /// When one of the actions has to be possible for the line to apply. `moment` (also without this key): now. `hand`:
    /// at some point while the hand is spent.
    optional within: Option<At<Setting<Within>>> = WordOrOption<Within>;
    /// A number for each of the actions. Only those with the least number are legal. Not together with `within: hand`.
    optional least: Option<Expr> = Expr;
    /// The condition under which the line holds. Parts that depend only on options are evaluated before the game.
    optional when: Option<Expr> = Expr;
}

shape! {
    /// The effect of a landing on a square with pawns.
    pub struct LandingLine with clauses: "a line of landing", id "id", most 64, variants BESIDE;

    /// The id of the line in its table.
    required id: Text = Id;
    /// The pawns that have to stand on the square for the line to fit.
    required on: At<Pattern> = PatternForm;
    /// The mover: a pawn or a pair. Without this key the line is for both.
    optional by: Option<At<Arrival>> = WordValue<Arrival>;
    /// Places on the path of the mover. Without this key the line is for all places.
    default within as "in": Vec<Text> = List<PlaceName>;
    /// The condition under which the line holds. Parts that depend only on options are evaluated before the game.
    optional when: Option<Expr> = Expr;
    /// What happens: the verdict of the line.
    required then: At<LandingVerdict> = WordValue<LandingVerdict>;
}

shape! {
    /// Whether a mover can pass the pawns on a square.
    pub struct PassingLine with clauses: "a line of passing", id "id", most 64, variants BESIDE;

    /// The id of the line in its table.
    required id: Text = Id;
    /// The pawns that have to stand on the square for the line to fit.
    required over: At<Pattern> = PatternForm;
    /// The mover: a pawn or a pair. Without this key the line is for both.
    optional by: Option<At<Arrival>> = WordValue<Arrival>;
    /// Places on the path of the mover. Without this key the line is for all places.
    default within as "in": Vec<Text> = List<PlaceName>;
    /// The condition under which the line holds. Parts that depend only on options are evaluated before the game.
    optional when: Option<Expr> = Expr;
    /// What happens: the verdict of the line.
    required then: At<PassingVerdict> = WordValue<PassingVerdict>;
}

shape! {
    /// The effects of an event.
    pub struct EventLine with clauses: "a line of on", id "id", most 128, variants BESIDE;

    /// The id of the line in its table.
    required id: Text = Id;
    /// The event at which the effects happen. The line may list several events.
    required events as "event": Vec<At<Event>> = Several<Event>;
    /// The condition under which the line holds. Parts that depend only on options are evaluated before the game.
    optional when: Option<Expr> = Expr;
    /// The effects, in order.
    required effects as "do": Vec<EffectText> = List<EffectForm, 0, MAX_EFFECTS>;
}

shape! {
    /// A choice that is not a move. Players choose it by its word.
    pub struct ChoiceLine with clauses: "a line of choices", id "id", most 32, variants BESIDE;

    /// The id of the line in its table.
    required id: Text = Id;
    /// The word that players write to choose it. Without this key it is the id.
    optional word: Option<Text> = Name;
    /// The moment at which players can choose.
    required ask: At<Asking> = WordValue<Asking>;
    /// The seats that are asked. Without this key it is the seat whose turn it is.
    optional who: Option<At<Asked>> = WordValue<Asked>;
    /// The argument that players write after the word.
    optional argument: Option<At<Argument>> = WordValue<Argument>;
    /// The condition under which the line holds. Parts that depend only on options are evaluated before the game.
    optional when: Option<Expr> = Expr;
    /// The effects, in order.
    required effects as "do": Vec<EffectText> = List<EffectForm, 0, MAX_EFFECTS>;
}
