//! Compares verdict tables with a function that tries the lines one by one.

use super::super::builder::Builder;
use super::super::checked_tables::combinations;
use super::super::findings::Findings;
use super::super::line_numbers::LineNumbers;
use super::super::path;
use super::super::rulings::VerdictSection;
use super::super::verdicts::{classes, naive};
use super::{SMALL, document};
use crate::document::Document;
use crate::ruleset::OptionValue;
use crate::tables::{Company, LineId, Verdict, VerdictEntry, VerdictTable};

/// Looks up a verdict and its line in the table. `holds` says whether the condition of a line holds.
fn answer(table: &VerdictTable, row: usize, holds: &impl Fn(LineId) -> bool) -> (Verdict, Option<LineId>) {
    let mut verdict = table.table[row];
    loop {
        match verdict {
            VerdictEntry::Is(answer, line) => return (answer, line),
            VerdictEntry::Ask(index) => {
                let asked = &table.asked[index as usize];
                if holds(asked.line) {
                    return (asked.then, Some(asked.line));
                }
                verdict = asked.otherwise;
            }
        }
    }
}

fn agree(document: &Document, values: Vec<OptionValue>, teams: bool) {
    let ids = LineNumbers::new(document);
    let path = path::read(document, &mut Findings::default());
    let mut builder = Builder::new(document, &path, values);
    builder.players = Some(document.board.seats.len() as u8);
    builder.read_tags();
    let rulings = [builder.rulings(VerdictSection::Landing, &ids), builder.rulings(VerdictSection::Passing, &ids)];
    let classes = classes(&[&rulings[0], &rulings[1]]);
    for (rulings, kind) in rulings.iter().zip([VerdictSection::Landing, VerdictSection::Passing]) {
        let table = builder.verdicts(kind, rulings, &classes, teams);
        if table.table.is_empty() {
            continue;
        }
        let masks: &[u16] = if table.asked.is_empty() { &[0] } else { &[0, u16::MAX, 0x5555, 0x3333] };
        for (place, &class) in classes.iter().enumerate().take(path.labels.len()) {
            for mover in 0..2 {
                for seen in Company::all().filter(|seen| teams || seen.partners() == 0) {
                    for mask in masks.iter().copied() {
                        let holds = |line: LineId| mask >> (line.index() % 16) & 1 == 1;
                        let row = (mover * table.classes as usize + class as usize) * Company::COUNT + seen.index();
                        let unspoken = if kind == VerdictSection::Landing { Verdict::Refuse } else { Verdict::Allow };
                        let expected = match seen {
                            Company::NOBODY => (Verdict::Allow, None),
                            _ => naive(rulings, mover, place, seen, holds)
                                .map_or((unspoken, None), |(answer, line)| (answer, Some(line))),
                        };
                        assert_eq!(answer(&table, row, &holds), expected, "{kind:?} {place} {mover} {seen:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn tables_agree_with_their_lines_for_every_option() {
    let document = document(SMALL);
    let landing = document.landing.iter().filter_map(|line| line.when.as_ref());
    let conditions = document.passing.iter().filter_map(|line| line.when.as_ref()).chain(landing);
    for combination in combinations(&document, conditions).values {
        agree(&document, combination.clone(), false);
        agree(&document, combination, true);
    }
}
