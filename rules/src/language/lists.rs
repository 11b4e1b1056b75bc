//! Lists, tables and maps of values. An error in one item does not stop the parser, so that all problems are reported.

use std::collections::HashMap;
use std::marker::PhantomData;

use super::values::parse_text;
use crate::language::messages::{
    check_choice, empty_value, meant_key, missing_keys, not_a_map, unknown_key, wrong_type,
};
use crate::language::{Count, Form, MOST_ITEMS, MapShape, TextValue, Value, WordValue, refuse_section};
use crate::source::{At, Report, Severity, Span, Text};
use crate::word::Word;
use crate::yaml::tree::{Content, Entry, Tree};

/// A list. One item without brackets stands for a list of one.
pub(crate) struct List<V, const LEAST: usize = 0, const MOST: usize = MOST_ITEMS>(PhantomData<V>);

impl<V: Value, const LEAST: usize, const MOST: usize> Value for List<V, LEAST, MOST> {
    type Output = Vec<V::Output>;
    const FORM: Form = Form::List(&V::FORM, Count { least: LEAST, most: MOST });

    fn parse(tree: &Tree, name: &str, report: &mut Report) -> Option<Self::Output> {
        let items = match &tree.content {
            Content::Empty => {
                empty_value(tree, &Self::FORM, name, report);
                return None;
            }
            Content::List(items) => items.as_slice(),
            Content::Scalar(_) if LEAST < 2 => std::slice::from_ref(tree),
            Content::Scalar(_) | Content::Map(_) => {
                wrong_type(tree, &Self::FORM, name, report);
                return None;
            }
        };
        let is_unseparated = |item: &Tree| item.text().is_some_and(|text| text.trim().contains(' '));
        let fits = (LEAST..=MOST).contains(&items.len());
        if items.len() > MOST {
            let message = format!("`{name}` has {} items, at most {MOST}", items.len());
            report.error("too-many-items", tree.span, message);
        } else if !fits {
            let message = format!("`{name}` has {} items, at least {LEAST}", items.len());
            let commas = items.iter().any(is_unseparated).then(|| "commas stand between the items".to_owned());
            report.add(Severity::Error, "too-few-items", tree.span, message, commas.clone());
            if commas.is_some() {
                return None; // the items are not those that the author meant
            }
        }
        // All items are parsed before `collect` stops at the first error, so that the problems of all items are
        // reported.
        let parsed: Vec<_> = items.iter().take(MOST).map(|item| V::parse(item, name, report)).collect();
        parsed.into_iter().collect::<Option<_>>().filter(|_| fits)
    }
}

/// A list of different words of a closed list. One word may stand without brackets.
pub(crate) struct Several<W>(PhantomData<W>);

impl<W: Word> Value for Several<W> {
    type Output = Vec<At<W>>;
    const FORM: Form = Form::List(&<WordValue<W> as Value>::FORM, Count { least: 1, most: W::NAMES.len() });

    fn parse(tree: &Tree, name: &str, report: &mut Report) -> Option<Self::Output> {
        let words = <List<WordValue<W>, 1>>::parse(tree, name, report)?;
        are_different(&words, |word| word.word(), report).then_some(words)
    }
}

/// A list of different names.
pub(crate) struct Different<V, const LEAST: usize, const MOST: usize>(PhantomData<V>);

impl<V: Value<Output = Text>, const LEAST: usize, const MOST: usize> Value for Different<V, LEAST, MOST> {
    type Output = Vec<Text>;
    const FORM: Form = <List<V, LEAST, MOST> as Value>::FORM;

    fn parse(tree: &Tree, name: &str, report: &mut Report) -> Option<Self::Output> {
        let names = <List<V, LEAST, MOST>>::parse(tree, name, report)?;
        are_different(&names, String::as_str, report).then_some(names)
    }
}

/// Whether all items of a list are different. Reports each that is named a second time.
fn are_different<W: PartialEq>(items: &[At<W>], name: impl Fn(&W) -> &str, report: &mut Report) -> bool {
    let is_second = |&(index, item): &(usize, &At<W>)| items[..index].iter().any(|first| first.value == item.value);
    let mut is_sound = true;
    for (_, item) in items.iter().enumerate().filter(is_second) {
        let message = format!("`{}` is named a second time", name(&item.value));
        report.error("duplicate-word", item.span, message);
        is_sound = false;
    }
    is_sound
}

/// A table: a list of lines with different ids. Lines with errors are left out, and the report notes their ids.
pub(crate) struct Lines<V>(PhantomData<V>);

/// A table of which no line can be left out: one line with an error spoils it.
pub(crate) struct AllLines<V>(PhantomData<V>);

impl<V: Value> Value for Lines<V> {
    type Output = Vec<V::Output>;
    const FORM: Form = match V::FORM {
        Form::Map(shape) => Form::Lines(shape),
        other => other,
    };

    fn parse(tree: &Tree, name: &str, report: &mut Report) -> Option<Self::Output> {
        lines_of(tree, &Self::FORM, name, report).map(|lines| parse_lines::<V>(lines, tree.span, report).0)
    }
}

impl<V: Value> Value for AllLines<V> {
    type Output = Vec<V::Output>;
    const FORM: Form = <Lines<V> as Value>::FORM;

    fn parse(tree: &Tree, name: &str, report: &mut Report) -> Option<Self::Output> {
        let lines = lines_of(tree, &Self::FORM, name, report)?;
        let (parsed, is_sound) = parse_lines::<V>(lines, tree.span, report);
        is_sound.then_some(parsed)
    }
}

/// The lines of a table. Reports a value that is no list.
fn lines_of<'t>(tree: &'t Tree, form: &Form, name: &str, report: &mut Report) -> Option<&'t [Tree]> {
    match &tree.content {
        Content::List(lines) => return Some(lines),
        Content::Empty => empty_value(tree, form, name, report),
        Content::Scalar(_) | Content::Map(_) => wrong_type(tree, form, name, report),
    }
    refuse_section(form, report);
    None
}

/// Parses the lines of a table. Returns the sound lines, and whether these are all lines. The ids of the others are
/// noted in the report.
fn parse_lines<V: Value>(lines: &[Tree], span: Span, report: &mut Report) -> (Vec<V::Output>, bool) {
    let Form::Map(shape) = V::FORM else { return (Vec::new(), false) };
    let id =
        |line: &'_ Tree| shape.id.and_then(|key| line.get(key)).and_then(|id| Some((id.span, id.text()?.to_owned())));
    let mut is_sound = lines.len() <= shape.most;
    if !is_sound {
        let message = format!("{} lines, at most {}", lines.len(), shape.most);
        let first_over = lines.get(shape.most).map_or(span, |line| line.span);
        report.error("too-many-lines", first_over, message);
    }
    let mut first_lines = HashMap::new();
    let mut parsed = Vec::with_capacity(lines.len());
    for line in lines.iter().take(shape.most) {
        if !matches!(line.content, Content::Map(_)) {
            not_a_map(line, shape, report);
            is_sound = false;
            continue;
        }
        let value = V::parse(line, shape.name, report);
        let id = id(line);
        is_sound &= value.is_some();
        if let (None, Some((_, text))) = (&value, &id) {
            report.refuse(text);
        }
        parsed.extend(value);
        let Some((span, text)) = id else { continue };
        if let Some(first) = first_lines.insert(text.clone(), span.line) {
            let message = format!("`{text}` names a second line");
            report.error_with_help("duplicate-id", span, message, format!("the first is in line {first}"));
            is_sound = false;
        }
    }
    for (_, text) in lines.iter().skip(shape.most).filter_map(id) {
        report.refuse(&text);
    }
    if !is_sound {
        report.refuse_part();
    }
    (parsed, is_sound)
}

/// A list of lines, each with a list of places. A plain list of places stands for one line without a condition.
pub(crate) struct PlacesOrLines<P, V>(PhantomData<(P, V)>);

impl<P, V> Value for PlacesOrLines<P, V>
where
    P: Value<Output = Text>,
    V: Value<Output: From<At<Vec<Text>>>>,
{
    type Output = Vec<V::Output>;
    const FORM: Form = match V::FORM {
        Form::Map(shape) => Form::ListOrLines(&<List<P> as Value>::FORM, shape),
        other => other,
    };

    fn parse(tree: &Tree, name: &str, report: &mut Report) -> Option<Self::Output> {
        match tree.content {
            Content::Empty => {
                empty_value(tree, &Self::FORM, name, report);
                return None;
            }
            Content::Map(_) => {
                wrong_type(tree, &Self::FORM, name, report);
                return None;
            }
            _ => {}
        }
        if tree.items().iter().any(|item| !item.entries().is_empty()) {
            let (parsed, is_sound) = parse_lines::<V>(tree.items(), tree.span, report);
            return is_sound.then_some(parsed);
        }
        let places = <List<P>>::parse(tree, name, report)?;
        Some(vec![At { value: places, span: tree.span }.into()])
    }
}

/// An entry of a map whose keys are free names, such as an option or a counter.
pub(crate) trait Named {
    /// The form of the free names.
    type Key: TextValue<Parsed = String>;
    /// The form of the value.
    type Written: Value;
    /// The type of a parsed entry.
    type Output;
    /// Makes the parsed entry. Returns `None` after an error, which is then reported.
    fn from_entry(
        name: Text,
        entry: &Entry,
        written: <Self::Written as Value>::Output,
        report: &mut Report,
    ) -> Option<Self::Output>;
}

/// A map with free names as keys. Entries with errors are left out, and the report notes their names.
pub(crate) struct Names<N, const MOST: usize>(PhantomData<N>);

impl<N: Named, const MOST: usize> Value for Names<N, MOST> {
    type Output = Vec<N::Output>;
    const FORM: Form = Form::Names(&<N::Key as TextValue>::FORM, &<N::Written as Value>::FORM, MOST);

    fn parse(tree: &Tree, name: &str, report: &mut Report) -> Option<Self::Output> {
        let Content::Map(entries) = &tree.content else {
            match tree.content {
                Content::Empty => empty_value(tree, &Self::FORM, name, report),
                _ => wrong_type(tree, &Self::FORM, name, report),
            }
            return None;
        };
        if entries.len() > MOST {
            let message = format!("`{name}` has {} names, at most {MOST}", entries.len());
            report.error("too-many-lines", entries[MOST].span(), message);
        }
        let mut sound = Vec::new();
        for (index, entry) in entries.iter().enumerate() {
            match (index < MOST).then(|| parse_entry::<N>(entry, report)).flatten() {
                Some(value) => sound.push(value),
                None => refuse_entry(entry, report),
            }
        }
        Some(sound)
    }
}

fn parse_entry<N: Named>(entry: &Entry, report: &mut Report) -> Option<N::Output> {
    let key = parse_text::<N::Key>(&entry.key, entry.key_span, report);
    let written = N::Written::parse(&entry.value, &entry.key, report)?;
    N::from_entry(At { value: key?, span: entry.key_span }, entry, written, report)
}

/// Notes the name of an entry that is left out, and the words that it would have declared, such as those of an option.
fn refuse_entry(entry: &Entry, report: &mut Report) {
    report.refuse(&entry.key);
    for word in entry.value.entries().iter().flat_map(|inner| inner.value.items()).filter_map(Tree::text) {
        report.refuse(word);
    }
}

/// Checks the keys of a map against its shape. `None`: the value is not a map. `false`: keys that exclude each other
/// are given, or none of them. Missing keys are reported, and [`shape!`] sees by itself that they are missing.
pub(crate) fn parse_keys(tree: &Tree, shape: &'static MapShape, name: &str, report: &mut Report) -> Option<bool> {
    match &tree.content {
        Content::Map(_) => {}
        Content::Empty => {
            empty_value(tree, &Form::Map(shape), name, report);
            return None;
        }
        Content::Scalar(_) | Content::List(_) => {
            wrong_type(tree, &Form::Map(shape), name, report);
            return None;
        }
    }
    for entry in tree.entries() {
        if shape.key(&entry.key).is_none() {
            unknown_key(&entry.key, entry.key_span, shape, report);
            match meant_key(&entry.key, shape.all_keys().map(|key| key.name)).and_then(|key| shape.key(key)) {
                Some(meant) => refuse_section(&meant.form, report),
                None => report.refuse_part(),
            }
        }
    }
    missing_keys(tree, shape, report);
    Some(check_choice(tree, shape, report))
}
