//! The builder of a table, with its inputs and the problems and programs found so far.

use std::collections::BTreeSet;

use super::findings::{Findings, meant};
use super::fixed::Comparisons;
use super::path::Path;
use super::scope::{Scope, ValueType};
use super::table_part::Input;
use super::term::Term;
use crate::document::{At, Document, Expr, OptionKind, Setting, Text, WordOr};
use crate::language::number_within;
use crate::nearest::nearest;
use crate::ruleset::OptionValue;
use crate::source::Span;
use crate::tables::{Op, Places, Program};
use crate::units::PathPlace;
use crate::word::Word;

/// Maximum number of operations of one program.
const MAX_PROGRAM: usize = 512;

/// Maximum number of operations that run for one program, with the conditions of counted pawns, each of which runs for
/// every pawn.
const MAX_COUNTING: usize = 2048;

/// The use of a term in an expression that is being resolved.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TermUse<'d> {
    pub name: &'d str,
    /// The span of the name in the expression that uses it.
    pub span: Span,
}

/// Builds a table from a rule file and the values of its options.
#[derive(Debug)]
pub(crate) struct Builder<'d> {
    /// The rule file.
    pub document: &'d Document,
    /// The path of the first seat.
    pub path: &'d Path,
    /// The value of every option, in declaration order.
    pub options: Vec<OptionValue>,
    /// The number of playing seats; `None` before the seats are chosen.
    pub players: Option<u8>,
    /// The tags that were read, with the places that they mark.
    pub tags: Vec<(String, Places)>,
    /// The problems found so far.
    pub report: Findings,
    /// The operations of all programs compiled so far.
    pub code: Vec<Op>,
    /// Each program: where it begins in `code`, and its length.
    pub programs: Vec<Program>,
    /// The inputs that the part of the table which is being built has used so far.
    pub inputs: BTreeSet<Input>,
    /// The outermost term that is being resolved. `None` outside of terms.
    pub term_use: Option<TermUse<'d>>,
    /// Whether the condition of counted pawns is being resolved.
    pub is_counting: bool,
    /// Whether a condition is being resolved that chooses pawns by where they stand, to count or to move them.
    pub is_choosing: bool,
    /// The comparisons that were resolved so far.
    pub comparisons: Comparisons,
    /// The number of names, numbers and operators that the table has from terms so far. A term counts at every use.
    pub written_out: usize,
    /// The inputs in which this table differs from the table whose parts it may reuse.
    pub changed: BTreeSet<Input>,
}

impl<'d> Builder<'d> {
    /// Begins a table that reuses no parts of another.
    pub(super) fn new(document: &'d Document, path: &'d Path, options: Vec<OptionValue>) -> Builder<'d> {
        Builder {
            document,
            path,
            options,
            players: None,
            tags: Vec::new(),
            report: Findings::default(),
            code: Vec::new(),
            programs: Vec::new(),
            inputs: BTreeSet::new(),
            changed: BTreeSet::new(),
            term_use: None,
            is_counting: false,
            is_choosing: false,
            comparisons: Comparisons::new(),
            written_out: 0,
        }
    }

    /// Begins a table with other options, which may reuse parts of this table.
    pub(super) fn beside(&self, options: Vec<OptionValue>) -> Builder<'d> {
        let differs = |&index: &usize| options[index] != self.options[index];
        let changed = (0..options.len()).filter(differs).map(Input::Option).collect();
        let (tags, code, programs) = (self.tags.clone(), self.code.clone(), self.programs.clone());
        Builder { tags, code, programs, changed, ..Builder::new(self.document, self.path, options) }
    }

    /// Resolves the names of a condition and computes its constant parts. A missing condition always holds.
    pub(super) fn condition(&mut self, when: Option<&'d Expr>, scope: Scope) -> Term {
        match when {
            None => Term::truth(true),
            Some(expr) => self.typed(expr, ValueType::Truth, scope),
        }
    }

    /// Evaluates a condition that depends only on options. A condition with an error counts as false.
    pub(super) fn decided(&mut self, when: Option<&'d Expr>) -> bool {
        self.condition(when, Scope::OPTIONS).known_truth().unwrap_or(false)
    }

    /// Resolves an expression that must have the given type.
    pub(super) fn typed(&mut self, expr: &'d Expr, kind: ValueType, scope: Scope) -> Term {
        let (found, term) = self.resolve(expr, scope);
        self.expect(expr, found, kind);
        term
    }

    /// Compiles a condition. Returns `None` if the file has no condition here (`expr` is `None`), or if the condition
    /// always holds.
    pub(super) fn asked(&mut self, term: &Term, expr: Option<&Expr>) -> Option<Program> {
        let expr = expr.filter(|_| term.known_truth() != Some(true))?;
        Some(self.program(term, expr.span))
    }

    /// Compiles a term. `span` is where its expression stands in the file.
    pub(super) fn program(&mut self, term: &Term, span: Span) -> Program {
        let start = self.code.len();
        let depth = term.emit(&mut self.code);
        let len = self.code.len() - start;
        if !term.fits() {
            let help = Some(number_within(i16::MIN, i16::MAX));
            self.report.error("number-too-large", span, "a number is too large".to_owned(), help);
        }
        if depth > Op::STACK || len > MAX_PROGRAM {
            let help = Some("break it into several lines, or use a counter".to_owned());
            let message = match depth > Op::STACK {
                true => format!("this needs {depth} values at a time, {} are possible", Op::STACK),
                false => format!("this takes {len} operations, {MAX_PROGRAM} are possible"),
            };
            self.report.error("too-deep", span, message, help);
        }
        let (opponents, pawns) = (self.document.board.seats.len() - 1, self.document.pawns.each.value);
        let counting: usize = self.code[start..].iter().map(|op| op.operations(opponents, pawns)).sum();
        if counting > MAX_COUNTING {
            let message = format!(
                "this takes {counting} operations, because each pawn is asked about, {MAX_COUNTING} are possible"
            );
            let help = "count fewer pawns here, or count them once and keep the number in a counter";
            self.report.error("too-deep", span, message, Some(help.to_owned()));
        }
        let program = Program { start: start as u32, len: len.min(MAX_PROGRAM) as u16 };
        self.programs.push(program);
        program
    }

    /// Finds the places that a list of labels, ranges, zones and tags names.
    pub(super) fn places(&mut self, list: &[Text]) -> Places {
        let mut places = 0;
        for item in list {
            let word = item.value.trim();
            if word.contains("..") {
                for place in self.path.list(std::slice::from_ref(item), &mut self.report) {
                    places |= place.alone();
                }
            } else if let Some(place) = self.path.place(word) {
                places |= place.alone();
            } else if let Some((_, zone)) = self.path.zones.iter().chain(&self.tags).find(|(name, _)| name == word) {
                places |= zone;
            } else {
                let names = self.path.zones.iter().chain(&self.tags).map(|(name, _)| name.as_str());
                let names = names.chain(self.path.labels.iter().map(String::as_str));
                let help = nearest(word, names).map(|near| format!("did you mean `{near}`?"));
                let help = help.or_else(|| self.path.near(word));
                let message = format!("no square, zone or tag is named `{word}`");
                self.report.error("unknown-label", item.span, message, help);
            }
        }
        places
    }

    /// Finds the place of a label, or of a zone or tag that has only one place. After an error it is the place off the
    /// board.
    pub(super) fn place(&mut self, label: &Text) -> PathPlace {
        self.one_place(label).unwrap_or_default()
    }

    /// Finds the place of a label, or of a zone or tag that has only one place. Returns `None` after an error, which is
    /// then reported.
    pub(super) fn one_place(&mut self, label: &Text) -> Option<PathPlace> {
        let word = label.value.trim();
        let named = self.path.zones.iter().chain(&self.tags).find(|(name, _)| name == word);
        match named.map(|(_, places)| *places).filter(|_| self.path.place(word).is_none()) {
            None => self.path.label(label, word, &mut self.report),
            Some(places) if places.count_ones() == 1 => Some(PathPlace(places.trailing_zeros() as u8)),
            Some(_) if !self.path.is_known() => None,
            Some(places) => {
                let message = format!("`{word}` is {} places, where one is needed", places.count_ones());
                let help = Some("write its label, or name a tag of one place".to_owned());
                self.report.error("not-one-place", label.span, message, help);
                None
            }
        }
    }

    /// Finds a text in a list of words and returns its index. Reports a text that is not in the list.
    pub(super) fn word(&mut self, text: &Text, what: &str, words: &[&str]) -> Option<usize> {
        let found = words.iter().position(|word| *word == text.value);
        if found.is_none() {
            let message = format!("`{}` is not a known {what}", text.value);
            self.report.error("unknown-word", text.span, message, meant(&text.value, words.iter().copied()));
        }
        found
    }

    /// The value of a setting: its fixed value, or the value of the option that it names.
    pub(super) fn setting<W: Word>(&mut self, setting: &At<Setting<W>>, what: &str) -> Option<W> {
        match &setting.value {
            Setting::Fixed(word) => Some(*word),
            Setting::Option(name) => self.option_word(name, setting.span, what, W::NAMES).map(|index| W::VALUES[index]),
        }
    }

    /// Reads a setting that is one of `names`, of which it finds the index, or a word. A name that is also a word
    /// counts as the name.
    pub(super) fn name_or_word<W: Word>(
        &mut self,
        setting: &At<WordOr<W, Setting<String>>>,
        what: &str,
        names: &[&str],
    ) -> Option<WordOr<W, usize>> {
        let words: Vec<&str> = names.iter().chain(W::NAMES).copied().collect();
        let written = |text: &str| At { value: text.to_owned(), span: setting.span };
        let index = match &setting.value {
            WordOr::Word(word) => self.word(&written(word.word()), what, &words),
            WordOr::Other(Setting::Fixed(name)) => self.word(&written(name), what, &words),
            WordOr::Other(Setting::Option(option)) => self.option_word(option, setting.span, what, &words),
        }?;
        Some(match index.checked_sub(names.len()) {
            Some(word) => WordOr::Word(W::VALUES[word]),
            None => WordOr::Other(index),
        })
    }

    /// Finds the value of an option in `words` and returns its index. Reports an option that may also have other
    /// values.
    fn option_word(&mut self, name: &str, span: Span, what: &str, words: &[&str]) -> Option<usize> {
        let document = self.document;
        let Some(index) = document.options.iter().position(|option| option.name.value == *name) else {
            let help = meant(name, document.options.iter().map(|option| option.name.value.as_str()));
            self.report.error("unknown-option", span, format!("there is no option `{name}`"), help);
            return None;
        };
        self.inputs.insert(Input::Option(index));
        let possible: Vec<&str> = match &document.options[index].kind {
            OptionKind::OneOf { words, .. } => words.iter().map(|word| word.value.as_str()).collect(),
            OptionKind::Truth { .. } => bool::NAMES.to_vec(),
            OptionKind::Range { .. } => vec!["a number"],
        };
        if let Some(odd) = possible.iter().find(|word| !words.contains(word)) {
            let message = format!("`{name}` can be `{odd}`, which is not a known {what}");
            let help = Some(format!("one of: {}", words.join(", ")));
            self.report.error("wrong-type", span, message, help);
            return None;
        }
        let chosen = match &self.options[index] {
            OptionValue::Word(word) => word,
            OptionValue::Truth(true) => "yes",
            OptionValue::Truth(false) => "no",
            OptionValue::Number(_) => return None,
        };
        words.iter().position(|word| *word == chosen)
    }
}
