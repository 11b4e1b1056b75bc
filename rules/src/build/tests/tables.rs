//! Tests how options change the lines and the board of a table.

use std::fmt::Debug;

use super::super::builder::Builder;
use super::super::findings::Findings;
use super::super::line_numbers::LineNumbers;
use super::super::{TableParts, options, path};
use super::{SMALL, document, ruleset, table, word};
use crate::bundled::{self, SETS};
use crate::ruleset::OptionValue;
use crate::tables::{Op, Route};
use crate::units::PathPlace;

#[test]
fn a_mark_for_everyone_is_on_every_seats_square() {
    let rules = table(&ruleset(SMALL), &[], None);
    let tag = |name: &str| rules.board.tags.iter().find(|(tag, _)| tag == name).unwrap().1[0];
    assert_eq!(tag("mine"), 0b10);
    assert_eq!(tag("safe"), 0b10_0010, "1, and 5, which the other seat calls 1");
}

#[test]
fn lines_exist_only_where_their_options_let_them() {
    let ruleset = ruleset(SMALL);
    let plain = table(&ruleset, &[], None);
    assert!(plain.moves.passing.is_empty);
    assert_eq!(plain.moves.spend[0].route, Route::To(PathPlace(1)));
    assert!(plain.moves.spend[1].open.is_none() && plain.moves.spend[1].when.is_some());
    let soft = table(&ruleset, &[("mode", word("soft")), ("walls", OptionValue::Truth(true))], None);
    assert!(soft.moves.spend[1].when.is_none(), "it holds for every pawn and number");
    assert!(!soft.moves.passing.is_empty);
    assert_eq!(soft.identity.options[2], ("need".to_owned(), OptionValue::Number(1)));
}

#[test]
fn an_answer_counts_where_only_unmet_conditions_lead_to_it() {
    let text = SMALL.replacen("on: enemy pair, when: taken < 2", "on: enemy, when: taken < 2", 1);
    let text = text.replacen("on: enemy, then: cut}", "on: enemy, then: cut last}", 1);
    assert!(table(&ruleset(&text), &[], None).tracks_newest());
    assert!(!table(&ruleset(SMALL), &[], None).tracks_newest());
}

fn made<'d>(builder: &mut Builder<'d>, ids: &LineNumbers, before: Option<&TableParts<'d>>) -> TableParts<'d> {
    let seats = builder.choose_seats(None).unwrap();
    let parts = builder.table_parts(ids, seats, before).unwrap();
    assert_eq!(builder.report.errors(), 0);
    parts
}

/// Prints parts of a table, with the operations of each program in place of its position in `code`.
fn shown(parts: &dyn Debug, code: &[Op]) -> String {
    let text = format!("{parts:?}");
    let mut texts = text.split("Program { start: ");
    let mut shown_text = texts.next().unwrap().to_owned();
    for text in texts {
        let (program, rest) = text.split_once(" }").unwrap();
        let (start, len) = program.split_once(", len: ").unwrap();
        let (start, len): (usize, usize) = (start.parse().unwrap(), len.parse().unwrap());
        // An operation that counts pawns has a program of its own.
        shown_text += &shown(&&code[start..start + len], code);
        shown_text += rest;
    }
    shown_text
}

#[test]
fn a_table_beside_the_one_with_the_defaults_is_as_if_built_by_itself() {
    for (id, _) in SETS {
        let ruleset = bundled::ruleset(id).unwrap();
        let document = ruleset.document();
        let path = path::read(document, &mut Findings::default());
        let ids = LineNumbers::new(document);
        let defaults = options::defaults(document);
        let mut base = Builder::new(document, &path, defaults.clone());
        let before = made(&mut base, &ids, None);
        for (index, option) in document.options.iter().enumerate() {
            for value in options::values(option).0 {
                let name = format!("{id}: {} {value:?}", option.name.value);
                let mut values = defaults.clone();
                values[index] = value;
                let (mut beside, mut alone) = (base.beside(values.clone()), Builder::new(document, &path, values));
                let parts = [made(&mut beside, &ids, Some(&before)), made(&mut alone, &ids, None)];
                assert!(shown(&parts[0], &beside.code) == shown(&parts[1], &alone.code), "{name}");
            }
        }
    }
}

#[test]
fn a_table_beside_another_makes_only_what_a_changed_option_decides() {
    let document = document(SMALL);
    let path = path::read(&document, &mut Findings::default());
    let ids = LineNumbers::new(&document);
    let mut base = Builder::new(&document, &path, options::defaults(&document));
    let before = made(&mut base, &ids, None);
    let made_anew = |option: usize, value: OptionValue| {
        let mut values = options::defaults(&document);
        values[option] = value;
        let parts = made(&mut base.beside(values), &ids, Some(&before));
        let kept = [
            ("landing and passing", parts.verdicts.is(&before.verdicts)),
            ("spend", parts.spend.is(&before.spend)),
            ("on", parts.on.is(&before.on)),
            ("board", parts.board.is(&before.board)),
            ("seats", parts.seats.is(&before.seats)),
        ];
        kept.into_iter().filter(|(_, kept)| !kept).map(|(name, _)| name).collect::<Vec<_>>()
    };
    assert_eq!(made_anew(0, word("soft")), ["landing and passing", "spend", "board"]);
    assert_eq!(made_anew(1, OptionValue::Truth(true)), ["landing and passing", "board"]);
    assert_eq!(made_anew(2, OptionValue::Number(0)), ["board"]);
    assert!(made_anew(2, OptionValue::Number(1)).is_empty(), "the default");
}
