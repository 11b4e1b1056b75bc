//! The ways to write a value, each with its parser. A parser reports everything that is wrong with a value before it
//! gives up.

use std::collections::HashMap;
use std::marker::PhantomData;

use crate::document::{At, EffectText, Expr, Setting, Text};
use crate::expr::{SyntaxError, parse_effect, parse_expression};
use crate::language::messages::{
    bad_form, bad_word, check_choice, empty_value, missing_keys, not_a_map, syntax_error, unknown_key, wrong_type,
};
use crate::language::{Count, Form, MOST_ITEMS, Name, Shape, TextValue, Value, Word};
use crate::read::tree::{Content, Entry, Scalar, Tree};
use crate::source::{Report, Span};

/// Longest text for people, in characters.
pub(super) const MOST_TEXT: usize = 2000;

/// The scalar of a tree; anything else is reported as not of the form.
fn scalar<'t>(tree: &'t Tree, form: &Form, name: &str, report: &mut Report) -> Option<&'t Scalar> {
    match &tree.content {
        Content::Scalar(scalar) => return Some(scalar),
        Content::Empty => empty_value(tree, form, name, report),
        Content::List(_) | Content::Map(_) => wrong_type(tree, form, name, report),
    }
    None
}

/// Text for people.
pub(crate) struct Prose;

impl Value for Prose {
    type Output = Text;
    const FORM: Form = Form::Prose;

    fn parse(tree: &Tree, name: &str, report: &mut Report) -> Option<Text> {
        let text = scalar(tree, &Self::FORM, name, report)?.text.trim_end();
        if text.chars().count() > MOST_TEXT {
            let message = format!("a text has at most {MOST_TEXT} characters");
            report.error("text-too-long", tree.span, message);
            return None;
        }
        Some(At { value: text.to_owned(), span: tree.span })
    }
}

/// A scalar that the declaration around it makes sense of.
pub(crate) struct Undecided;

impl Value for Undecided {
    type Output = Text;
    const FORM: Form = Form::Undecided;

    fn parse(tree: &Tree, name: &str, report: &mut Report) -> Option<Text> {
        let text = scalar(tree, &Self::FORM, name, report)?.text.trim_end();
        Some(At { value: text.to_owned(), span: tree.span })
    }
}

impl<F: TextValue> Value for F {
    type Output = At<F::Parsed>;
    const FORM: Form = Form::Text(&F::FORM);

    fn parse(tree: &Tree, name: &str, report: &mut Report) -> Option<Self::Output> {
        let text = &scalar(tree, &<Self as Value>::FORM, name, report)?.text;
        Some(At { value: parse_text::<F>(text, tree.span, report)?, span: tree.span })
    }
}

/// Parses a text of a fixed form.
fn parse_text<F: TextValue>(text: &str, span: Span, report: &mut Report) -> Option<F::Parsed> {
    let Some(parsed) = F::parse_text(text) else {
        bad_form(&F::FORM, text, F::meant(text), span, report);
        return None;
    };
    if F::is_reserved(text) {
        let message = format!("`{text}` is a word of expressions and cannot be a name");
        report.error("reserved-name", span, message);
        return None;
    }
    Some(parsed)
}

/// `true` and `false` as the language writes them.
fn plain_truth(text: &str) -> &str {
    match text {
        "true" => "yes",
        "false" => "no",
        other => other,
    }
}

/// `yes` or `no`.
pub(crate) struct Truth;

impl Truth {
    /// The truth value of a text.
    pub(crate) fn from_text(text: &str) -> Option<bool> {
        bool::from_word(plain_truth(text))
    }
}

impl Value for Truth {
    type Output = At<bool>;
    const FORM: Form = Form::Truth;

    fn parse(tree: &Tree, name: &str, report: &mut Report) -> Option<At<bool>> {
        let text = &scalar(tree, &Self::FORM, name, report)?.text;
        let Some(value) = Self::from_text(text) else {
            let message = format!("`{text}` is not `yes` or `no`");
            report.error_with_help("not-a-truth-value", tree.span, message, "write `yes` or `no`");
            return None;
        };
        Some(At { value, span: tree.span })
    }
}

/// `yes` or `no`, where nobody asks for its span.
pub(crate) struct Flag;

impl Value for Flag {
    type Output = bool;
    const FORM: Form = Truth::FORM;

    fn parse(tree: &Tree, name: &str, report: &mut Report) -> Option<bool> {
        Truth::parse(tree, name, report).map(|truth| truth.value)
    }
}

/// One word of a closed list.
pub(crate) struct WordValue<W>(PhantomData<W>);

impl<W: Word> Value for WordValue<W> {
    type Output = At<W>;
    const FORM: Form = Form::Word(W::NAMES);

    fn parse(tree: &Tree, name: &str, report: &mut Report) -> Option<At<W>> {
        let text = &scalar(tree, &Self::FORM, name, report)?.text;
        let word = W::from_word(text);
        if word.is_none() {
            bad_word(text, tree.span, W::NAMES, "", report);
        }
        Some(At { value: word?, span: tree.span })
    }
}

/// A word of a closed list, or `$option`.
pub(crate) struct WordOrOption<W>(PhantomData<W>);

impl<W: Word> Value for WordOrOption<W> {
    type Output = At<Setting<W>>;
    const FORM: Form = Form::Setting(W::NAMES);

    fn parse(tree: &Tree, name: &str, report: &mut Report) -> Option<Self::Output> {
        let text = &scalar(tree, &Self::FORM, name, report)?.text;
        let value = match text.strip_prefix('$') {
            Some(option) => Setting::Option(parse_text::<Name>(option, tree.span, report)?),
            None => {
                let word = W::from_word(plain_truth(text));
                if word.is_none() {
                    bad_word(text, tree.span, W::NAMES, " or `$option`", report);
                }
                Setting::Fixed(word?)
            }
        };
        Some(At { value, span: tree.span })
    }
}

/// A name that the file itself declares, or `$option`.
pub(crate) struct NameSetting;

impl Value for NameSetting {
    type Output = At<Setting<String>>;
    const FORM: Form = Form::Setting(&[]);

    fn parse(tree: &Tree, name: &str, report: &mut Report) -> Option<Self::Output> {
        let text = &scalar(tree, &Self::FORM, name, report)?.text;
        let value = match text.strip_prefix('$') {
            Some(option) => Setting::Option(parse_text::<Name>(option, tree.span, report)?),
            None => Setting::Fixed(parse_text::<Name>(text, tree.span, report)?),
        };
        Some(At { value, span: tree.span })
    }
}

/// A whole number within bounds that fit its type.
pub(crate) struct Whole<T, const FROM: i64, const TO: i64>(PhantomData<T>);

impl<T: TryFrom<i64>, const FROM: i64, const TO: i64> Value for Whole<T, FROM, TO> {
    type Output = At<T>;
    const FORM: Form = Form::Whole(FROM, TO);

    fn parse(tree: &Tree, name: &str, report: &mut Report) -> Option<At<T>> {
        let text = &scalar(tree, &Self::FORM, name, report)?.text;
        let Ok(number) = text.parse::<i64>() else {
            let message = format!("`{text}` is no whole number");
            report.error_with_help("not-a-number", tree.span, message, format!("a number from {FROM} to {TO}"));
            return None;
        };
        if !(FROM..=TO).contains(&number) {
            report.error("out-of-range", tree.span, format!("{number} is not within {FROM} to {TO}"));
            return None;
        }
        Some(At { value: T::try_from(number).ok()?, span: tree.span })
    }
}

impl Value for Expr {
    type Output = Expr;
    const FORM: Form = Form::Expression;

    fn parse(tree: &Tree, name: &str, report: &mut Report) -> Option<Expr> {
        let scalar = scalar(tree, &Self::FORM, name, report)?;
        parsed(parse_expression(&scalar.text, &|from, to| scalar.span(tree.span.file, from, to)), report)
    }
}

/// An effect of a rule.
pub(crate) struct Effect;

impl Value for Effect {
    type Output = EffectText;
    const FORM: Form = Form::Effect;

    fn parse(tree: &Tree, name: &str, report: &mut Report) -> Option<EffectText> {
        let Content::Scalar(scalar) = &tree.content else {
            wrong_type(tree, &<List<Effect>>::FORM, name, report);
            return None;
        };
        parsed(parse_effect(&scalar.text, &|from, to| scalar.span(tree.span.file, from, to)), report)
    }
}

fn parsed<T>(result: Result<T, SyntaxError>, report: &mut Report) -> Option<T> {
    result.map_err(|error| syntax_error(error, report)).ok()
}

/// A list, or one item that stands for a list of one.
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
            Content::Scalar(_) => std::slice::from_ref(tree),
            Content::Map(_) => {
                wrong_type(tree, &Self::FORM, name, report);
                return None;
            }
        };
        let fits = (LEAST..=MOST).contains(&items.len());
        if items.len() > MOST {
            let message = format!("`{name}` has {} items, at most {MOST}", items.len());
            report.error("too-many-items", tree.span, message);
        } else if !fits {
            let message = format!("`{name}` has {} items, at least {LEAST}", items.len());
            report.error("too-few-items", tree.span, message);
        }
        // Every item is parsed, so that all their problems are reported.
        let parsed: Vec<_> = items.iter().take(MOST).map(|item| V::parse(item, name, report)).collect();
        parsed.into_iter().collect::<Option<_>>().filter(|_| fits)
    }
}

/// A table: a list of lines, none of which has the id of another.
pub(crate) struct Lines<V>(PhantomData<V>);

impl<V: Value> Value for Lines<V> {
    type Output = Vec<V::Output>;
    const FORM: Form = match V::FORM {
        Form::Map(shape) => Form::Lines(shape),
        other => other,
    };

    fn parse(tree: &Tree, name: &str, report: &mut Report) -> Option<Self::Output> {
        match &tree.content {
            Content::List(lines) => parse_lines::<V>(lines, tree.span, report),
            Content::Empty => {
                empty_value(tree, &Self::FORM, name, report);
                None
            }
            Content::Scalar(_) | Content::Map(_) => {
                wrong_type(tree, &Self::FORM, name, report);
                None
            }
        }
    }
}

fn parse_lines<V: Value>(lines: &[Tree], span: Span, report: &mut Report) -> Option<Vec<V::Output>> {
    let Form::Map(shape) = V::FORM else { return None };
    let mut is_sound = lines.len() <= shape.most;
    if !is_sound {
        let message = format!("{} lines, at most {}", lines.len(), shape.most);
        report.error("too-many-lines", span, message);
    }
    let mut first_lines = HashMap::new();
    let mut parsed = Vec::with_capacity(lines.len());
    for line in lines.iter().take(shape.most) {
        if !matches!(line.content, Content::Map(_)) {
            not_a_map(line, shape, report);
            is_sound = false;
            continue;
        }
        parsed.push(V::parse(line, shape.name, report));
        let Some((id, text)) = shape.id.and_then(|key| line.get(key)).and_then(|id| Some((id, id.text()?))) else {
            continue;
        };
        if let Some(first) = first_lines.insert(text, id.span.line) {
            let message = format!("`{text}` names a second line");
            report.error_with_help("duplicate-id", id.span, message, format!("the first is in line {first}"));
            is_sound = false;
        }
    }
    parsed.into_iter().collect::<Option<_>>().filter(|_| is_sound)
}

/// Lines with a list of places each; a bare list is one line without condition.
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
        if matches!(tree.content, Content::Empty) {
            empty_value(tree, &Self::FORM, name, report);
            return None;
        }
        if tree.items().iter().any(|item| !item.entries().is_empty()) {
            return parse_lines::<V>(tree.items(), tree.span, report);
        }
        let places = <List<P>>::parse(tree, name, report)?;
        Some(vec![At { value: places, span: tree.span }.into()])
    }
}

/// A value that is declared under a free name.
pub(crate) trait Named {
    /// The form of the names.
    type Key: TextValue<Parsed = String>;
    /// What stands behind the name.
    type Written: Value;
    /// What an entry becomes.
    type Output;
    /// The value of an entry, unless something is wrong with it, which is reported.
    fn from_entry(
        name: Text,
        entry: &Entry,
        written: <Self::Written as Value>::Output,
        report: &mut Report,
    ) -> Option<Self::Output>;
}

/// A map with free names as keys.
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
        let fits = entries.len() <= MOST;
        if !fits {
            let message = format!("`{name}` has {} names, at most {MOST}", entries.len());
            report.error("too-many-lines", tree.span, message);
        }
        let mut parse = |entry: &Entry| {
            let key = parse_text::<N::Key>(&entry.key, entry.key_span, report);
            let written = N::Written::parse(&entry.value, &entry.key, report)?;
            N::from_entry(At { value: key?, span: entry.key_span }, entry, written, report)
        };
        let named: Vec<_> = entries.iter().take(MOST).map(&mut parse).collect();
        named.into_iter().collect::<Option<_>>().filter(|_| fits)
    }
}

/// Checks the keys of a map against its shape; `None` where the value is no map, `false` where the keys that it has
/// do not make a whole.
pub(crate) fn parse_keys(tree: &Tree, shape: &'static Shape, name: &str, report: &mut Report) -> Option<bool> {
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
        }
    }
    let is_complete = missing_keys(tree, shape, report);
    Some(check_choice(tree, shape, report) && is_complete)
}
