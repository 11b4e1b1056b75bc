//! Builds the dice or lots, and the lines that say which numbers a throw gives.

use super::builder::Builder;
use super::line_numbers::LineNumbers;
use super::scope::{Scope, ValueType};
use super::term::Term;
use crate::document::{DiceSection, Document, Expr};
use crate::language::number_within;
use crate::tables::{Dice, Numbers};
use crate::units::MAX_STEP;

/// The number of faces that a throw shows.
pub(crate) fn faces(document: &Document) -> u8 {
    match &document.dice {
        DiceSection::Dice { count, .. } => count.value,
        DiceSection::Lots { .. } => 1,
    }
}

impl<'d> Builder<'d> {
    /// Checks and builds the dice or lots.
    pub(super) fn dice(&mut self) -> Dice {
        let (values, span, dice) = match &self.document.dice {
            DiceSection::Dice { count, faces, span } => {
                let values = faces.iter().map(|face| face.value).collect();
                (faces, *span, Dice::Faces { count: count.value, faces: values })
            }
            DiceSection::Lots { lots, values, span } => {
                if values.len() != lots.value as usize + 1 {
                    let (lots, needed) = (lots.value, u32::from(lots.value) + 1);
                    let message = format!("{lots} lots need {needed} values, but there are {}", values.len());
                    let help = Some(format!("write one value for each number of mouths up, from 0 to {lots}"));
                    self.report.error("lot-values", *span, message, help);
                }
                let numbers = values.iter().map(|value| value.value).collect();
                (values, *span, Dice::Lots { count: lots.value, values: numbers })
            }
        };
        if values.iter().all(|value| value.value == 0) {
            let help = Some("a 0 cannot be spent: name another number, too".to_owned());
            self.report.error("bad-face", span, "every throw gives 0".to_owned(), help);
        }
        dice
    }

    /// Reports a number of a hand that never is one that can be spent.
    fn check_number(&mut self, term: &Term, written: &Expr) {
        let most = i64::from(MAX_STEP.0);
        let Some((least, greatest)) = self.range(term).filter(|range| range.1 < 0 || range.0 > most) else { return };
        let message = match least == greatest {
            true => format!("{least} is not a number that can be spent"),
            false => format!("this gives {}, which nobody can spend", number_within(least, greatest)),
        };
        self.report.error("out-of-range", written.span, message, Some(number_within(0, most)));
    }

    /// Builds the lines that say which numbers a throw gives.
    pub(super) fn numbers(&mut self, ids: &LineNumbers) -> Vec<Numbers> {
        let mut lines = Vec::new();
        for (index, line) in self.document.numbers.iter().enumerate() {
            let when = self.condition(line.when.as_ref(), Scope::NUMBERS);
            let terms: Vec<_> = line
                .numbers
                .iter()
                .map(|number| (self.typed(number, ValueType::Number, Scope::NUMBERS), number))
                .collect();
            for (term, number) in &terms {
                self.check_number(term, number);
            }
            if when.known_truth() == Some(false) {
                continue;
            }
            lines.push(Numbers {
                line: ids.of("numbers", index),
                when: self.asked(&when, line.when.as_ref()),
                numbers: terms.into_iter().map(|(term, number)| self.program(&term, number.span)).collect(),
                all_or_none: line.all_or_none,
            });
        }
        lines
    }
}
