//! Dice and lots, and the numbers that a throw gives.

use super::builder::Builder;
use super::lines::Ids;
use super::scope::{Kind, Scope};
use crate::document::{DicePart, Document};
use crate::tables::{Dice, Numbers};
use crate::units::{MAX_NUMBERS, MAX_STEP};

/// Most faces of a die, and most lots.
const MAX_FACES: usize = 20;

/// How many faces a throw shows.
pub(crate) fn faces(document: &Document) -> u8 {
    match &document.dice {
        DicePart::Dice { count, .. } => count.value.min(MAX_NUMBERS as u8),
        DicePart::Lots { .. } => 1,
    }
}

impl<'d> Builder<'d> {
    /// Dice or lots, checked.
    pub fn dice(&mut self) -> Dice {
        let (values, span, dice) = match &self.document.dice {
            DicePart::Dice { count, faces, span } => {
                if !(1..=MAX_NUMBERS as u8).contains(&count.value) {
                    let message = format!("{} dice", count.value);
                    self.report.error("dice-count", count.span, message, Some(format!("from 1 to {MAX_NUMBERS}")));
                }
                let values = faces.iter().map(|face| face.value).collect();
                (faces, *span, Dice::Faces { count: count.value, faces: values })
            }
            DicePart::Lots { lots, values, span } => {
                if values.len() != lots.value as usize + 1 {
                    let message = format!("{} lots have {} values", lots.value, values.len());
                    let help = Some("one for 0, 1, .. mouths up".to_owned());
                    self.report.error("lot-values", *span, message, help);
                }
                let numbers = values.iter().map(|value| value.value).collect();
                (values, *span, Dice::Lots { count: lots.value, values: numbers })
            }
        };
        if values.is_empty() || values.len() > MAX_FACES {
            let help = Some(format!("from 1 to {MAX_FACES}"));
            self.report.error("dice-count", span, format!("{} faces or values", values.len()), help);
        }
        for value in values {
            if value.value > MAX_STEP {
                let message = format!("{} cannot be thrown", value.value);
                self.report.error("bad-face", value.span, message, Some(format!("from 0 to {MAX_STEP}")));
            }
        }
        if !values.is_empty() && values.iter().all(|value| value.value == 0) {
            let help = Some("0 gives nothing to spend".to_owned());
            self.report.error("bad-face", span, "nothing but 0 can be thrown".to_owned(), help);
        }
        dice
    }

    /// The lines that say which numbers a throw gives.
    pub fn numbers(&mut self, ids: &Ids) -> Vec<Numbers> {
        let mut lines = Vec::new();
        for (index, line) in self.document.numbers.iter().enumerate() {
            let when = self.condition(line.line.when.as_ref(), Scope::NUMBERS);
            if line.numbers.len() > MAX_NUMBERS {
                let help = Some(format!("at most {MAX_NUMBERS}"));
                self.report.error("too-many", line.line.span, "too many numbers for one throw".to_owned(), help);
            }
            let terms: Vec<_> =
                line.numbers.iter().map(|number| (self.typed(number, Kind::Number, Scope::NUMBERS), number)).collect();
            if when.known_truth() == Some(false) {
                continue;
            }
            lines.push(Numbers {
                line: ids.of("numbers", index),
                when: self.asked(&when, line.line.when.as_ref()),
                numbers: terms.into_iter().map(|(term, number)| self.program(&term, number)).collect(),
                all_or_none: line.all_or_none,
            });
        }
        lines
    }
}
