//! Divisions of the entrants of a round into tables and byes, of least cost.

mod division;
mod exact;
mod tables;

pub(super) use self::division::Division;
use super::cost::Field;
use super::dutch;
use super::format::TableSize;
use super::playable::Playable;

/// Divides the entrants of a field into tables of these sizes, and byes.
pub(super) fn divide(field: &Field<'_>, sizes: &[usize]) -> Division {
    if sizes.iter().all(|seats| *seats == 2) && field.order.len() <= 2 * sizes.len() + 1 {
        dutch::divide(field)
    } else {
        tables::divide(field, sizes)
    }
}

/// Returns the sizes of the tables, the full tables first. Entrants beyond the sum of the sizes get no table. The sizes
/// leave as few entrants as possible without a table, and have as few small tables as that allows.
pub(super) fn sizes(playable: &Playable, entrants: usize, size: TableSize, smaller_tables: bool) -> Vec<usize> {
    let seats = size.seats();
    let small = if smaller_tables { playable.smaller(size) } else { None };
    let plan = |count: usize| {
        let rest = entrants.checked_sub(count * small.unwrap_or(seats))?;
        Some((rest % seats, count, rest / seats))
    };
    let most = if small.is_some() { seats - 1 } else { 0 };
    let (_, count, full) = (0..=most).filter_map(plan).min().expect("a plan without small tables exists");
    [vec![seats; full], vec![small.unwrap_or(seats); count]].concat()
}
