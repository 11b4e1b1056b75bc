//! The end of a run: the final table, as text, CSV or JSON, and the records of all games.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use pagade::ground::csv::cell;
use pagade::tournament_file::Prepared;
use pagade::{ProblemCode, TableGameStatus};
use pagade_pairing::{Format, KnockOut, TableSize};

use super::answer::ExportAnswer;
use super::api::{Api, RequestFailure};
use crate::cli::ending::CommandError;

/// Describes a tournament in a line: `Swiss, 5 rounds, tables of 2; 8 entrants`.
pub(super) fn described(prepared: &Prepared) -> String {
    let size = |table: &TableSize| format!("tables of {}", table.seats());
    let knock_out = |form: &KnockOut| match form {
        KnockOut::Duels { best_of: 1, .. } => "knock-out of two".to_owned(),
        KnockOut::Duels { best_of, .. } => format!("knock-out of two, best of {best_of}"),
        KnockOut::Fours => "knock-out of four".to_owned(),
    };
    let form = match &prepared.field.format {
        Format::RoundRobin { table, cycles: 1 } => format!("round robin, {}", size(table)),
        Format::RoundRobin { table, cycles } => format!("round robin, {cycles} times, {}", size(table)),
        Format::Swiss { table, rounds, .. } => format!("Swiss, {rounds} rounds, {}", size(table)),
        Format::KnockOut(form) => knock_out(form),
        Format::Groups { groups, table, advance, then, .. } => {
            format!("{groups} groups, {}, the first {advance} of each go on; {}", size(table), knock_out(then))
        }
        Format::Arena { table, .. } => {
            format!("arena of {} minutes, {}", prepared.open_seconds.unwrap_or(0).div_ceil(60), size(table))
        }
    };
    format!("{form}; {} entrants", prepared.field.entrants.len())
}

/// The final table as text, with the tie-breaks in their order.
pub(super) fn table(export: &ExportAnswer) -> String {
    let breaks = export.standings.first().map(|first| first.tie_breaks.as_slice()).unwrap_or_default();
    let has_bracket = export.standings.iter().any(|standing| standing.reached > 0);
    let mut head = vec!["".to_owned(), "name".to_owned()];
    head.extend(has_bracket.then(|| "reached".to_owned()));
    head.push("points".to_owned());
    head.extend(breaks.iter().map(|one| one.tie_break.replace('_', " ")));
    head.push("decided by".to_owned());
    let has_prizes = export.standings.iter().any(|standing| !standing.prizes.is_empty());
    head.extend(has_prizes.then(|| "prizes".to_owned()));
    let prizes_column = head.len() - 1;
    let rows = export.standings.iter().map(|standing| {
        let mut row = vec![format!("{}.", standing.place), standing.name.clone()];
        row.extend(has_bracket.then(|| standing.reached.to_string()));
        row.push(number(standing.points));
        row.extend(standing.tie_breaks.iter().map(|one| number(one.value)));
        row.push(standing.decided_by.clone().unwrap_or_default().replace('_', " "));
        row.extend(has_prizes.then(|| standing.prizes.join(", ")));
        row
    });
    let left = if has_prizes { &[1, prizes_column][..] } else { &[1] };
    aligned(std::iter::once(head).chain(rows).collect(), left)
}

/// The final table as CSV.
pub(super) fn csv(export: &ExportAnswer) -> String {
    let breaks = export.standings.first().map(|first| first.tie_breaks.as_slice()).unwrap_or_default();
    let names: Vec<&str> = breaks.iter().map(|one| one.tie_break.as_str()).collect();
    let mut text = format!("place,entrant,name,reached,points,{},decided_by,prizes\r\n", names.join(","));
    for standing in &export.standings {
        let values: Vec<String> = standing.tie_breaks.iter().map(|one| number(one.value)).collect();
        let decided = standing.decided_by.as_deref().unwrap_or_default();
        let (name, points) = (cell(&standing.name), number(standing.points));
        let _ = write!(
            text,
            "{},{},{name},{},{points},{},{decided},{}\r\n",
            standing.place,
            standing.entrant,
            standing.reached,
            values.join(","),
            cell(&standing.prizes.join(", "))
        );
    }
    text.trim_end().to_owned()
}

/// Writes a number with at most two decimals.
pub(super) fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Writes rows with columns of equal width. The columns `left` are flush left, the others flush right.
pub(super) fn aligned(rows: Vec<Vec<String>>, left: &[usize]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|text| text.chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (text, width))| match left.contains(&column) {
            true => format!("{text:<width$}"),
            false => format!("{text:>width$}"),
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Writes the records of all games into a file, one after another. Games without a record are left out: those that
/// never began, and those that the server has removed. Returns the numbers of records and of games without one.
pub(super) async fn write_records(api: &Api, export: &ExportAnswer, path: &Path) -> Result<[usize; 2], RequestFailure> {
    let fail = |error| RequestFailure::Own(CommandError::file(path, error));
    let mut out = BufWriter::new(File::create(path).map_err(fail)?);
    let games = export.rounds.iter().flat_map(|round| &round.tables).flat_map(|table| &table.games);
    let mut counts = [0, 0];
    for game in games.filter(|game| game.status != Some(TableGameStatus::Planned)) {
        match api.get_text(&format!("/v1/games/{}/record", game.id), "application/x-ndjson").await {
            Ok(record) => {
                out.write_all(record.as_bytes()).map_err(fail)?;
                counts[0] += 1;
            }
            Err(failure) if failure.is(ProblemCode::GameNotFound) || failure.is(ProblemCode::GameNotStarted) => {
                counts[1] += 1
            }
            Err(failure) => return Err(failure),
        }
    }
    out.flush().map_err(fail)?;
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_and_numbers_are_short() {
        let rows = vec![
            vec!["1.".to_owned(), "Asha".to_owned(), number(6.0)],
            vec!["10.".to_owned(), "Ö".to_owned(), number(10.0 / 3.0)],
        ];
        assert_eq!(aligned(rows, &[1]), " 1.  Asha     6\n10.  Ö     3.33");
        assert_eq!([number(0.0), number(12.5), number(100.0)], ["0", "12.5", "100"]);
    }
}
