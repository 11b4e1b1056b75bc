//! Tables of lines with ids: numbers, spend, must, landing, passing, on, choices.

use super::pattern::PatternForm;
use super::{Arrival, At, BESIDE, EffectText, Expr, LandingVerdict, PassingVerdict, Pattern, Setting, Text, Within};
use crate::language::{
    Effect, Flag, Id, List, Name, OnePlace, PlaceName, Several, Whole, WordOrOption, WordValue, shape,
};
use crate::tables::{Argument, Asking, Duty, Event, Mover, Route, With};
use crate::units::MAX_NUMBERS;

/// Most effects of one line.
const MAX_EFFECTS: usize = 16;

shape! {
    /// The numbers that a throw puts into the hand.
    pub struct NumbersLine with clauses: "a line of numbers", id "id", most 200, variants BESIDE;

    /// Its name in the table.
    required id: Text = Id;
    /// The condition of the line. A part that depends on options only is decided before the game.
    optional when: Option<Expr> = Expr;
    /// The numbers. With an empty list the throw gives none.
    required numbers: Vec<Expr> = List<Expr, 0, MAX_NUMBERS>;
    /// Either all of these numbers are spent, or none.
    default all_or_none: bool = Flag;
}

shape! {
    /// A way to spend numbers of the hand.
    pub struct SpendLine with clauses: "a line of spend", id "id", most 64, variants BESIDE;

    /// Its name in the table.
    required id: Text = Id;
    /// The mover: a pawn, a pair or a group. With several the line serves each of them.
    required movers as "move": Vec<At<Mover>> = Several<Mover>;
    /// The places on which the mover may stand.
    required from: Vec<Text> = List<PlaceName>;
    /// The numbers that are spent: a die, a sum, a doublet, .. With several the line serves each of them.
    required with: Vec<At<With>> = Several<With>;
    /// The only number (or sum) that may be spent.
    optional exactly: Option<At<u8>> = Whole<u8, 1, 60>;
    /// The target. Without this key the number decides how far the mover goes.
    optional to: Option<Text> = OnePlace;
    /// The direction of the move. Without this key it is `ahead`.
    optional route: Option<At<Route>> = WordValue<Route>;
    /// The length of the move in places. Without this key it is the number.
    optional steps: Option<Expr> = Expr;
    /// The condition of the line. A part that depends on options only is decided before the game.
    optional when: Option<Expr> = Expr;
    /// Whether the player must play the actions of the line. Without this key it is `ordinary`.
    optional duty: Option<At<Duty>> = WordValue<Duty>;
}

shape! {
    /// A compulsion.
    pub struct MustLine with clauses: "a line of must", id "id", most 32, variants BESIDE;

    /// Its name in the table.
    required id: Text = Id;
    /// Ids of `spend` lines. Only their actions are legal while one of them is possible.
    required actions: Vec<Text> = List<Id>;
    /// `moment` (also without this key): an action has to be possible now. `hand`: it has to be possible in the course
    /// of the whole hand.
    optional within: Option<At<Setting<Within>>> = WordOrOption<Within>;
    /// The condition of the line. A part that depends on options only is decided before the game.
    optional when: Option<Expr> = Expr;
}

shape! {
    /// The effect of a landing on a square with pawns.
    pub struct LandingLine with clauses: "a line of landing", id "id", most 64, variants BESIDE;

    /// Its name in the table.
    required id: Text = Id;
    /// The pawns on the square.
    required on: At<Pattern> = PatternForm;
    /// The mover: a pawn or a pair. Without this key the line is for both.
    optional by: Option<At<Arrival>> = WordValue<Arrival>;
    /// Places on the path of the mover. Without this key the line is for all places.
    default within as "in": Vec<Text> = List<PlaceName>;
    /// The condition of the line. A part that depends on options only is decided before the game.
    optional when: Option<Expr> = Expr;
    /// The verdict.
    required then: At<LandingVerdict> = WordValue<LandingVerdict>;
}

shape! {
    /// Whether pawns can be passed.
    pub struct PassingLine with clauses: "a line of passing", id "id", most 64, variants BESIDE;

    /// Its name in the table.
    required id: Text = Id;
    /// The pawns on the square.
    required over: At<Pattern> = PatternForm;
    /// The mover: a pawn or a pair. Without this key the line is for both.
    optional by: Option<At<Arrival>> = WordValue<Arrival>;
    /// Places on the path of the mover. Without this key the line is for all places.
    default within as "in": Vec<Text> = List<PlaceName>;
    /// The condition of the line. A part that depends on options only is decided before the game.
    optional when: Option<Expr> = Expr;
    /// The verdict.
    required then: At<PassingVerdict> = WordValue<PassingVerdict>;
}

shape! {
    /// Effects of an event.
    pub struct EventLine with clauses: "a line of on", id "id", most 128, variants BESIDE;

    /// Its name in the table.
    required id: Text = Id;
    /// The event. With several the line serves each of them.
    required events as "event": Vec<At<Event>> = Several<Event>;
    /// The condition of the line. A part that depends on options only is decided before the game.
    optional when: Option<Expr> = Expr;
    /// The effects, in order.
    required effects as "do": Vec<EffectText> = List<Effect, 0, MAX_EFFECTS>;
}

shape! {
    /// A choice that is not a move. Players choose it by its word.
    pub struct ChoiceLine with clauses: "a line of choices", id "id", most 32, variants BESIDE;

    /// Its name in the table.
    required id: Text = Id;
    /// The word that players write. Without this key it is the id.
    optional word: Option<Text> = Name;
    /// The moment at which players are asked.
    required ask: At<Asking> = WordValue<Asking>;
    /// The argument that players name with the word.
    optional argument: Option<At<Argument>> = WordValue<Argument>;
    /// The condition of the line. A part that depends on options only is decided before the game.
    optional when: Option<Expr> = Expr;
    /// The effects, in order.
    required effects as "do": Vec<EffectText> = List<Effect, 0, MAX_EFFECTS>;
}
