//! One round of a Swiss tournament.

use super::cost::Field;
use super::divide::{divide, sizes};
use super::explain;
use super::facts::Facts;
use super::format::TableSize;
use super::history::History;
use super::round::Round;
use super::score::Score;
use super::why::{ByeRule, TableRule};

/// Pairs the next round. The tables with the highest scores come first.
///
/// `leaders_above` is the score of the leaders in the last round, see [`Field::leaders_above`].
pub(super) fn pair(
    facts: &Facts<'_>,
    history: &History,
    size: TableSize,
    smaller_tables: bool,
    leaders_above: Option<Score>,
) -> Round {
    let round = history.next_round();
    let mut field = Field::new(facts, facts.present(history, round), round);
    field.leaders_above = leaders_above;
    let entrants = field.order.len();
    let mut sizes = sizes(facts.playable, entrants, size, smaller_tables);
    if sizes.is_empty() {
        sizes.extend(facts.playable.largest(entrants));
    }
    let division = divide(&field, &sizes);
    let mut tables: Vec<([Score; 2], Vec<usize>)> =
        division.tables.into_iter().map(|table| (bounds(facts, &table), table)).collect();
    tables.sort_by(|(a, _), (b, _)| b.cmp(a));
    let tables = tables.into_iter().map(|([highest, lowest], table)| {
        explain::divided(&field, &table, TableRule::ScoreGroup { highest, lowest }, division.is_proven)
    });
    let byes = division.byes.into_iter().map(|entrant| explain::bye(&field, entrant, ByeRule::LeftOver));
    Round { tables: tables.collect(), byes: byes.collect() }
}

/// The highest and the lowest score at a table.
fn bounds(facts: &Facts<'_>, table: &[usize]) -> [Score; 2] {
    let scores = || table.iter().map(|index| facts.past[*index].score);
    [scores().max().unwrap_or_default(), scores().min().unwrap_or_default()]
}
