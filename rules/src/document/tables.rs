//! Tables of lines with ids: numbers, spend, must, landing, passing, on, choices.

use super::pattern::PatternForm;
use super::{Arrival, At, BESIDE, EffectText, Expr, LandingVerdict, PassingVerdict, Pattern, Setting, Text, Within};
use crate::language::{Effect, Flag, Id, Label, List, Name, PlaceName, Whole, WordOrOption, WordValue, shape};
use crate::tables::{Argument, Asking, Duty, Event, Mover, Route, With};
use crate::units::MAX_NUMBERS;

/// Most effects of one line.
const MAX_EFFECTS: usize = 16;

shape! {
    /// What a throw gives to spend.
    pub struct NumbersLine with clauses: "a line of numbers", id "id", most 200, variants BESIDE;

    /// Its name in the table.
    required id: Text = Id;
    /// Its condition; what depends on options only is decided before the game.
    optional when: Option<Expr> = Expr;
    /// The numbers; an empty list gives nothing.
    required numbers: Vec<Expr> = List<Expr, 0, MAX_NUMBERS>;
    /// All of them are spent, or none.
    default all_or_none: bool = Flag;
}

shape! {
    /// A way to spend something of the hand.
    pub struct SpendLine with clauses: "a line of spend", id "id", most 32, variants BESIDE;

    /// Its name in the table.
    required id: Text = Id;
    /// What moves.
    required mover as "move": At<Mover> = WordValue<Mover>;
    /// Where it may stand.
    required from: Vec<Text> = List<PlaceName>;
    /// What is spent.
    required with: At<With> = WordValue<With>;
    /// The only number (or sum) that it may be.
    optional exactly: Option<At<u8>> = Whole<u8, 1, 60>;
    /// Where it goes, whatever the number.
    optional to: Option<Text> = Label;
    /// Which way it goes: ahead without it.
    optional route: Option<At<Route>> = WordValue<Route>;
    /// How far it goes: the number without it.
    optional steps: Option<Expr> = Expr;
    /// Its condition; what depends on options only is decided before the game.
    optional when: Option<Expr> = Expr;
    /// Whether it must be taken; ordinary without it.
    optional duty: Option<At<Duty>> = WordValue<Duty>;
}

shape! {
    /// A compulsion.
    pub struct MustLine with clauses: "a line of must", id "id", most 32, variants BESIDE;

    /// Its name in the table.
    required id: Text = Id;
    /// Ids of lines of spend.
    required actions: Vec<Text> = List<Id>;
    /// Looks at what is possible at the moment, as without it, or in the course of the whole hand.
    optional within: Option<At<Setting<Within>>> = WordOrOption<Within>;
    /// Its condition; what depends on options only is decided before the game.
    optional when: Option<Expr> = Expr;
}

shape! {
    /// What a landing does.
    pub struct LandingLine with clauses: "a line of landing", id "id", most 64, variants BESIDE;

    /// Its name in the table.
    required id: Text = Id;
    /// Who stands there.
    required on: At<Pattern> = PatternForm;
    /// What comes there; either without it.
    optional by: Option<At<Arrival>> = WordValue<Arrival>;
    /// On which places of the mover's path; everywhere without it.
    default within as "in": Vec<Text> = List<PlaceName>;
    /// Its condition; what depends on options only is decided before the game.
    optional when: Option<Expr> = Expr;
    /// What happens.
    required then: At<LandingVerdict> = WordValue<LandingVerdict>;
}

shape! {
    /// What a passing does.
    pub struct PassingLine with clauses: "a line of passing", id "id", most 64, variants BESIDE;

    /// Its name in the table.
    required id: Text = Id;
    /// Who stands there.
    required over: At<Pattern> = PatternForm;
    /// What comes there; either without it.
    optional by: Option<At<Arrival>> = WordValue<Arrival>;
    /// On which places of the mover's path; everywhere without it.
    default within as "in": Vec<Text> = List<PlaceName>;
    /// Its condition; what depends on options only is decided before the game.
    optional when: Option<Expr> = Expr;
    /// Whether it can be gone by.
    required then: At<PassingVerdict> = WordValue<PassingVerdict>;
}

shape! {
    /// What happens at an event.
    pub struct EventLine with clauses: "a line of on", id "id", most 128, variants BESIDE;

    /// Its name in the table.
    required id: Text = Id;
    /// The event.
    required event: At<Event> = WordValue<Event>;
    /// Its condition; what depends on options only is decided before the game.
    optional when: Option<Expr> = Expr;
    /// What happens, in order.
    required effects as "do": Vec<EffectText> = List<Effect, 0, MAX_EFFECTS>;
}

shape! {
    /// A choice that is not a move; its id is the word that players use.
    pub struct ChoiceLine with clauses: "a line of choices", id "id", most 32, variants BESIDE;

    /// Its name in the table.
    required id: Text = Id;
    /// The word that players use; the id where it is not said.
    optional word: Option<Text> = Name;
    /// When it is asked.
    required ask: At<Asking> = WordValue<Asking>;
    /// What it names.
    optional argument: Option<At<Argument>> = WordValue<Argument>;
    /// Its condition; what depends on options only is decided before the game.
    optional when: Option<Expr> = Expr;
    /// What happens, in order.
    required effects as "do": Vec<EffectText> = List<Effect, 0, MAX_EFFECTS>;
}
