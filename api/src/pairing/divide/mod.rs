//! Divisions of the entrants of a round into tables and byes, of least cost.

mod division;
mod pairs;
mod tables;

pub(super) use self::division::Division;
use super::cost::Field;
use super::format::TableSize;

/// Divides the entrants of a field into tables and byes.
pub(super) fn divide(field: &Field<'_>, size: TableSize, smaller_tables: bool) -> Division {
    match size {
        TableSize::Two => pairs::divide(field),
        TableSize::Three | TableSize::Four => {
            tables::divide(field, &sizes(field.order.len(), size.seats(), smaller_tables))
        }
    }
}

/// Returns the sizes of the tables, the full tables first. Entrants beyond the sum of the sizes get no table. The sizes
/// leave as few entrants as possible without a table, and have as few small tables as that allows.
pub(super) fn sizes(entrants: usize, seats: usize, smaller_tables: bool) -> Vec<usize> {
    let plan = |small: usize| {
        let rest = entrants.checked_sub(small * (seats - 1))?;
        Some((rest % seats, small, rest / seats))
    };
    let most = if smaller_tables && seats > 2 { seats - 1 } else { 0 };
    let (_, small, full) = (0..=most).filter_map(plan).min().expect("a plan without small tables exists");
    [vec![seats; full], vec![seats - 1; small]].concat()
}
