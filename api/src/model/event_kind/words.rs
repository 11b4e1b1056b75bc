//! The words of events in the code and in the description of the interface.

use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};

use super::game::event_words;

/// Declares the kinds of events of one kind of entity, as `Created = "player_created": "the player was created"`: the
/// name in the code, the word, and its meaning. In a request, a kind of event is its word; the text after `as` is the
/// name of this schema. `games` says whether the request may name events of games, too.
macro_rules! event_kinds {
    (
        $(#[$doc:meta])*
        $vis:vis $kind:ident as $schema:literal, games: $games:literal { $($name:ident = $word:literal: $meaning:literal,)+ }
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        $vis enum $kind {
            $(#[doc = $meaning] $name,)+
        }

        impl $kind {
            const ALL: &[Self] = &[$(Self::$name),+];

            /// Returns the word of this kind of event.
            $vis fn word(self) -> &'static str {
                match self { $(Self::$name => $word,)+ }
            }

            /// Returns the meaning of the word.
            fn meaning(self) -> &'static str {
                match self { $(Self::$name => $meaning,)+ }
            }

            /// Returns the kind of event with this word.
            $vis fn parse(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|kind| kind.word() == word)
            }
        }

        impl utoipa::PartialSchema for $kind {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
                let words = Self::ALL.iter().map(|kind| (kind.word(), kind.meaning())).collect::<Vec<_>>();
                $crate::model::event_kind::words::schema_of(&words, $games)
            }
        }

        impl utoipa::ToSchema for $kind {
            fn name() -> std::borrow::Cow<'static, str> {
                std::borrow::Cow::Borrowed($schema)
            }
        }
    };
}

pub(super) use event_kinds;

/// Makes the schema of a text that is one of `words`, each with its meaning. If `with_games` is true, the text may also
/// be a word of the events of games, whose meanings are in the schema of `EventKind`.
pub(super) fn schema_of(words: &[(&'static str, &'static str)], with_games: bool) -> RefOr<Schema> {
    let meanings = words.iter().map(|(word, meaning)| format!("- `{word}`: {meaning}\n"));
    let more = if with_games { "\nOr a word of the events of a game: see `EventWord`." } else { "" };
    let all = words.iter().copied().chain(event_words().filter(|_| with_games));
    ObjectBuilder::new()
        .schema_type(Type::String)
        .description(Some(format!("The word of an event.\n\n{}{more}", meanings.collect::<String>())))
        .enum_values(Some(all.map(|(word, _)| word)))
        .examples(words.first().map(|&(word, _)| word))
        .into()
}
