//! The sections of `texts`, such as seats and choices: for each section its names and their texts.

use super::names::NameKind;
use crate::document::{CounterLine, Document, OptionKind, OptionLine, Text, Texts};
use crate::tables::Event;
use crate::word::Word;

/// All names of one sort, such as the seats, with the texts that the file gives them.
pub(super) struct Section<'d> {
    /// A noun for the names of the section, used in messages, such as `seat`.
    pub what: String,
    /// The path of the section: `seats`, `options.NAME`, ..
    pub path: String,
    /// The subject of the texts.
    pub kind: NameKind,
    /// The names that need a text, in the order of the file.
    pub needed: Vec<&'d str>,
    /// The other names that may have a text. `None` means that any name may have one.
    pub others: Option<Vec<&'d str>>,
    /// The names to which the file gives a text, each with the text.
    pub called: &'d [(Text, Text)],
}

/// The ids of the lines of a table.
macro_rules! ids {
    ($lines:expr) => {
        $lines.iter().map(|line| line.id.value.as_str()).collect::<Vec<_>>()
    };
}

/// The sections of a rule set, in the order of the language.
pub(super) fn sections(document: &Document) -> Vec<Section<'_>> {
    let called = GivenTexts(document.texts.as_ref());
    let lines = |path: &str, ids, kind, called| Section {
        what: format!("line of `{path}`"),
        path: path.to_owned(),
        kind,
        needed: ids,
        others: Some(Vec::new()),
        called,
    };
    let optional = |path: &str, ids, called| Section {
        needed: Vec::new(),
        others: Some(ids),
        ..lines(path, Vec::new(), NameKind::Name, called)
    };
    let named = |what: &str, section| Section { what: what.to_owned(), ..section };
    let seats = document.board.seats.iter().map(|seat| seat.value.as_str()).collect();
    let mut sections = vec![named("seat", lines("seats", seats, NameKind::Seat, called.of(|texts| &texts.seats)))];
    sections.extend(document.options.iter().map(|option| values_of(option, called)));
    sections.extend(counters(document, called));
    let squares = document.board.path.iter().flat_map(|zone| &zone.squares);
    let labels = squares.flat_map(|squares| &squares.value).map(String::as_str).collect();
    let zones = lines("places", ids!(document.board.path), NameKind::Name, called.of(|texts| &texts.places));
    sections.push(Section { what: "zone or label".to_owned(), others: Some(labels), ..zones });
    let (shown, hidden): (Vec<_>, Vec<_>) = document.board.tags.iter().partition(|tag| tag.scope.is_some());
    let tags = lines("tags", ids!(shown), NameKind::Name, called.of(|texts| &texts.tags));
    sections.push(Section { what: "tag".to_owned(), others: Some(ids!(hidden)), ..tags });
    sections.push(lines("spend", ids!(document.spend), NameKind::Name, called.of(|texts| &texts.spend)));
    let choices = lines("choices", ids!(document.choices), NameKind::Choice, called.of(|texts| &texts.choices));
    sections.push(named("choice", choices));
    let throws = optional("throws", Vec::new(), called.of(|texts| &texts.throws));
    sections.push(Section { others: None, ..throws });
    let events = optional("events", Event::NAMES.to_vec(), called.of(|texts| &texts.events));
    sections.push(named("event", events));
    sections.push(optional("must", ids!(document.must), called.of(|texts| &texts.must)));
    sections.push(optional("landing", ids!(document.landing), called.of(|texts| &texts.landing)));
    sections.push(optional("passing", ids!(document.passing), called.of(|texts| &texts.passing)));
    sections.push(optional("on", ids!(document.on), called.of(|texts| &texts.on)));
    sections
}

fn values_of<'d>(option: &'d OptionLine, called: GivenTexts<'d>) -> Section<'d> {
    let name = &option.name.value;
    let texts = called.0.map_or(&[][..], |texts| &texts.options);
    let texts = texts.iter().find(|(of, _)| of.value == *name).map_or(&[][..], |(_, called)| called);
    let (needed, others) = match &option.kind {
        OptionKind::OneOf { words, .. } => (words.iter().map(|word| word.value.as_str()).collect(), Vec::new()),
        OptionKind::Truth { .. } => (vec!["yes", "no"], Vec::new()),
        OptionKind::Range { from, to, .. } => {
            let range = from.value..=to.value;
            let numbers = texts.iter().map(|(number, _)| number.value.as_str());
            (Vec::new(), numbers.filter(|text| text.parse().is_ok_and(|number| range.contains(&number))).collect())
        }
    };
    Section {
        what: format!("value of the option `{name}`"),
        path: format!("options.{name}"),
        kind: NameKind::OptionValue,
        needed,
        others: Some(others),
        called: texts,
    }
}

/// The counters of seats and of the game, and the marks. Hidden ones need no text, for players never see them.
fn counters<'d>(document: &'d Document, called: GivenTexts<'d>) -> [Section<'d>; 3] {
    let texts = called.0.and_then(|texts| texts.counters.as_ref());
    let section = |what: &str, path: &str, lines: &'d [CounterLine], called| {
        let (shown, hidden): (Vec<_>, Vec<_>) = lines.iter().partition(|line| !line.hidden);
        let names = |lines: Vec<&'d CounterLine>| lines.into_iter().map(|line| line.name.value.as_str()).collect();
        Section {
            what: what.to_owned(),
            path: path.to_owned(),
            kind: NameKind::Name,
            needed: names(shown),
            others: Some(names(hidden)),
            called,
        }
    };
    let none = &[][..];
    [
        section(
            "counter of a seat",
            "counters.seat",
            document.seat_counters(),
            texts.map_or(none, |texts| &texts.seat),
        ),
        section("counter of the game", "counters.game", document.game_counters(), texts.map_or(none, |t| &t.game)),
        section("mark", "counters.pawn", document.pawn_marks(), texts.map_or(none, |texts| &texts.pawn)),
    ]
}

/// The texts of a file, if it has any.
#[derive(Clone, Copy)]
struct GivenTexts<'d>(Option<&'d Texts>);

impl<'d> GivenTexts<'d> {
    fn of(self, section: fn(&'d Texts) -> &'d Vec<(Text, Text)>) -> &'d [(Text, Text)] {
        self.0.map_or(&[][..], |texts| section(texts))
    }
}
