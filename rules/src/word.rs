//! Closed lists of words of the rule language.

/// A type whose values are written as words of a closed list.
pub(crate) trait Word: Copy + PartialEq + 'static {
    /// The words in the order in which messages list them.
    const NAMES: &'static [&'static str];
    /// The values, in the order of the words.
    const VALUES: &'static [Self];

    /// The value that a word stands for.
    fn from_word(text: &str) -> Option<Self> {
        Self::NAMES.iter().position(|name| *name == text).map(|index| Self::VALUES[index])
    }

    /// The word for a value. Some values have no word; for them it is the empty text.
    fn word(self) -> &'static str {
        Self::VALUES.iter().position(|value| *value == self).map_or("", |index| Self::NAMES[index])
    }
}

/// Implements [`Word`] for each of the listed types, from pairs such as `"cut" => Event::Cut`: the word of a rule
/// file, and the value of the type that it stands for.
macro_rules! words {
    ($($type:ty { $($word:literal => $value:expr),+ $(,)? })+) => {$(
        impl $crate::word::Word for $type {
            const NAMES: &'static [&'static str] = &[$($word),+];
            const VALUES: &'static [Self] = &[$($value),+];
        }
    )+};
}

pub(crate) use words;
