//! Texts that people read: titles of the names in a rule file.

use std::marker::PhantomData;

use super::Text;
use crate::language::{Id, Name, Named, Names, OnePlace, TextValue, ThrowName, ValueName, Words, shape};
use crate::source::Report;
use crate::yaml::tree::Entry;

/// Names with their texts.
type Called = Vec<(Text, Text)>;
/// A map from names to texts.
type CalledNames<K, const MOST: usize> = Names<NameWithText<K>, MOST>;

shape! {
    /// Texts that people read: titles of the names in the file.
    pub struct Texts: "the section `texts`";

    /// The seats.
    default seats: Called = CalledNames<Name, 16>;
    /// The values of options: for each option its words, `yes` and `no`, or numbers.
    default options: Vec<(Text, Called)> = Names<OptionWithTexts, 64>;
    /// The counters and marks.
    optional counters: Option<CounterTexts> = CounterTexts;
    /// Zones and single places, by zone or label.
    default places: Called = CalledNames<OnePlace, 128>;
    /// The tags.
    default tags: Called = CalledNames<Name, 32>;
    /// Throws that have a name: by value, or by the faces of the dice in ascending order.
    default throws: Called = CalledNames<ThrowName, 128>;
    /// The events of `on`, such as `cut`.
    default events: Called = CalledNames<ValueName, 32>;
    /// The lines of `spend`.
    default spend: Called = CalledNames<Id, 64>;
    /// The lines of `must`.
    default must: Called = CalledNames<Id, 32>;
    /// The lines of `landing`.
    default landing: Called = CalledNames<Id, 64>;
    /// The lines of `passing`.
    default passing: Called = CalledNames<Id, 64>;
    /// The lines of `on`.
    default on: Called = CalledNames<Id, 128>;
    /// The lines of `choices`.
    default choices: Called = CalledNames<Id, 32>;
}

shape! {
    /// What counters and marks are called.
    pub struct CounterTexts: "the section `texts.counters`";

    /// The counters of each seat.
    default seat: Called = CalledNames<Name, 64>;
    /// The counters of the game.
    default game: Called = CalledNames<Name, 64>;
    /// The marks of each pawn.
    default pawn: Called = CalledNames<Name, 64>;
}

struct NameWithText<K>(PhantomData<K>);

impl<K: TextValue<Parsed = String>> Named for NameWithText<K> {
    type Key = K;
    type Written = Words;
    type Output = (Text, Text);

    fn from_entry(name: Text, _: &Entry, text: Text, _: &mut Report) -> Option<(Text, Text)> {
        Some((name, text))
    }
}

/// An option with the texts of its values.
struct OptionWithTexts;

impl Named for OptionWithTexts {
    type Key = Name;
    type Written = CalledNames<ValueName, 32>;
    type Output = (Text, Called);

    fn from_entry(name: Text, _: &Entry, texts: Called, _: &mut Report) -> Option<(Text, Called)> {
        Some((name, texts))
    }
}
