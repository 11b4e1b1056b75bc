//! Forms of single values: texts, words, numbers, expressions.

use std::marker::PhantomData;

use super::lists::List;
use super::readable::{MOST_WORDS, is_one_line, is_readable};
use crate::expr::{EffectText, Expr, GoalText, SyntaxError, parse_effect, parse_expression, parse_goal};
use crate::language::messages::{bad_form, bad_word, empty_value, number_within, syntax_error, wrong_type};
use crate::language::{Form, Name, TextValue, Value};
use crate::source::{At, Report, Span, Text};
use crate::word::{Word, words};
use crate::yaml::tree::{Content, Scalar, Tree};

/// Longest text for people, in characters.
pub(crate) const MOST_TEXT: usize = 2000;

/// Returns the scalar of a tree. Reports a list, a map or an empty value as a value of the wrong form.
fn scalar<'t>(tree: &'t Tree, form: &Form, name: &str, report: &mut Report) -> Option<&'t Scalar> {
    match &tree.content {
        Content::Scalar(scalar) => return Some(scalar),
        Content::Empty => empty_value(tree, form, name, report),
        Content::List(_) | Content::Map(_) => wrong_type(tree, form, name, report),
    }
    None
}

/// Free text for people, such as a title.
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
        check_readable(text, tree.span, report)?;
        Some(At { value: text.to_owned(), span: tree.span })
    }
}

/// The text of a name: a few words for people, on one line.
pub(crate) struct Words;

impl Value for Words {
    type Output = Text;
    const FORM: Form = Form::Prose;

    fn parse(tree: &Tree, name: &str, report: &mut Report) -> Option<Text> {
        let text = scalar(tree, &Self::FORM, name, report)?.text.trim();
        check_readable(text, tree.span, report)?;
        if !is_one_line(text, MOST_WORDS) {
            let message = format!("the text of a name is one line of at most {MOST_WORDS} characters");
            report.error("text-too-long", tree.span, message);
            return None;
        }
        Some(At { value: text.to_owned(), span: tree.span })
    }
}

fn check_readable(text: &str, span: Span, report: &mut Report) -> Option<()> {
    if is_readable(text) {
        return Some(());
    }
    let message = match text.trim() {
        "" => "nothing in this text is visible",
        _ => "this text has a character that controls the text around it, such as NUL or a change of direction",
    };
    report.error("bad-text", span, message);
    None
}

/// A scalar that is parsed later, because its form depends on other keys of its map.
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
pub(super) fn parse_text<F: TextValue>(text: &str, span: Span, report: &mut Report) -> Option<F::Parsed> {
    let Some(parsed) = F::parse_text(text) else {
        let small = text.to_lowercase();
        let small = (small != text && F::parse_text(&small).is_some()).then_some(small);
        bad_form(&F::FORM, text, F::meant(text).or(small), span, report);
        return None;
    };
    if F::is_reserved(text) {
        let message = format!("`{text}` is a word of expressions and cannot be a name");
        report.error("reserved-name", span, message);
        return None;
    }
    Some(parsed)
}

/// Replaces `true` and `false` by `yes` and `no`.
fn plain_truth(text: &str) -> &str {
    match text {
        "true" => "yes",
        "false" => "no",
        other => other,
    }
}

words! {
    bool { "yes" => true, "no" => false }
}

/// A truth value, written `yes` or `no`.
pub(crate) struct Truth;

impl Truth {
    /// Converts `yes`, `no`, `true` or `false`. Returns `None` for other texts.
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

/// A truth value. The document does not store its span.
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

/// A setting of a rule file: a fixed value, or `$name`, which stands for the value of a table option.
#[derive(Debug, Clone, PartialEq)]
pub enum Setting<W> {
    /// The value that a word stands for.
    Fixed(W),
    /// The name of the table option whose value counts.
    Option(String),
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

/// A word of a closed list, or another value.
#[derive(Debug, Clone, PartialEq)]
pub enum WordOr<W, T> {
    /// The value that the word stands for.
    Word(W),
    /// The other value.
    Other(T),
}

/// A word of a closed list, or a value of the form `F`.
pub(crate) struct WordOrForm<W, F>(PhantomData<(W, F)>);

impl<T, W: Word, F: Value<Output = At<T>>> Value for WordOrForm<W, F> {
    type Output = At<WordOr<W, T>>;
    const FORM: Form = Form::WordOr(W::NAMES, &F::FORM);

    fn parse(tree: &Tree, name: &str, report: &mut Report) -> Option<Self::Output> {
        let text = &scalar(tree, &Self::FORM, name, report)?.text;
        let value = match W::from_word(text) {
            Some(word) => WordOr::Word(word),
            None => WordOr::Other(F::parse(tree, name, report)?.value),
        };
        Some(At { value, span: tree.span })
    }
}

/// A whole number from `FROM` to `TO`, which fits the type `T`.
pub(crate) struct Whole<T, const FROM: i64, const TO: i64>(PhantomData<T>);

impl<T: TryFrom<i64>, const FROM: i64, const TO: i64> Value for Whole<T, FROM, TO> {
    type Output = At<T>;
    const FORM: Form = Form::Whole(FROM, TO);

    fn parse(tree: &Tree, name: &str, report: &mut Report) -> Option<At<T>> {
        let text = &scalar(tree, &Self::FORM, name, report)?.text;
        let Ok(number) = text.parse::<i64>() else {
            let message = format!("`{text}` is not a whole number");
            if text.contains(['=', '<', '>']) {
                report.error_with_help("not-a-number", tree.span, message, "a condition stands in `when`");
                return None;
            }
            let within = number_within(FROM, TO);
            let help = if text.contains("..") {
                format!("{within}; several stand in a list, such as `[1, 2, 3]`")
            } else {
                within
            };
            report.error_with_help("not-a-number", tree.span, message, help);
            return None;
        };
        if !(FROM..=TO).contains(&number) {
            let message = format!("`{number}` is out of range");
            report.error_with_help("out-of-range", tree.span, message, number_within(FROM, TO));
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

/// A place: a label, a zone or tag of one place, or an expression.
pub(crate) struct GoalForm;

impl Value for GoalForm {
    type Output = GoalText;
    const FORM: Form = Form::Place;

    fn parse(tree: &Tree, name: &str, report: &mut Report) -> Option<GoalText> {
        let scalar = scalar(tree, &Self::FORM, name, report)?;
        parsed(parse_goal(&scalar.text, &|from, to| scalar.span(tree.span.file, from, to)), report)
    }
}

/// An effect of a rule, such as `throw again`.
pub(crate) struct EffectForm;

impl Value for EffectForm {
    type Output = EffectText;
    const FORM: Form = Form::Effect;

    fn parse(tree: &Tree, name: &str, report: &mut Report) -> Option<EffectText> {
        let Content::Scalar(scalar) = &tree.content else {
            wrong_type(tree, &<List<EffectForm>>::FORM, name, report);
            return None;
        };
        parsed(parse_effect(&scalar.text, &|from, to| scalar.span(tree.span.file, from, to)), report)
    }
}

fn parsed<T>(result: Result<T, SyntaxError>, report: &mut Report) -> Option<T> {
    result.map_err(|error| syntax_error(error, report)).ok()
}
