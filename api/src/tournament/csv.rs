//! The results and standings of a tournament as CSV (RFC 4180).

use std::ops::Range;

use pagade_pairing::{ByeRule, Standing};

use crate::ground::csv::cell;
use crate::model::tournament::TieBreakWord;
use crate::tournament::rounds::{ResultBy, StoredRound, StoredTable};
use crate::tournament::stored::Tournament;
use crate::tournament::view;

/// The names of the columns of results.
const HEAD: &str = "round,table,seat,entrant,name,place,score,no_show,by,reason,games\r\n";

/// Writes the results of these rounds: one line for each entrant of each table, and for each bye. A bye has no table,
/// and the word `bye` or `waits` as its reason.
pub(crate) fn results(tournament: &Tournament, rounds: Range<usize>) -> String {
    let mut text = HEAD.to_owned();
    for (number, round) in (rounds.start + 1..).zip(&tournament.rounds[rounds.clone()]) {
        for (table_number, table) in (1..).zip(&round.tables) {
            write_table(&mut text, tournament, [number, table_number], table);
        }
        write_byes(&mut text, tournament, number, round);
    }
    text
}

/// Writes standings: one line for each entrant, with a column for each tie-break. Several prizes stand in one cell,
/// with `; ` between them.
pub(crate) fn standings(tournament: &Tournament, standings: &[Standing]) -> String {
    let words = tournament.terms.tie_breaks.iter().map(|tie_break| TieBreakWord::from(*tie_break).word());
    let columns = ["place", "entrant", "name", "reached", "points"].into_iter().chain(words).chain(["prizes"]);
    let mut text = columns.collect::<Vec<_>>().join(",");
    text.push_str("\r\n");
    for row in view::standings(tournament, standings) {
        let mut cells = vec![row.place.to_string(), row.entrant.to_string(), cell(row.name)];
        cells.extend([row.reached.to_string(), row.points.to_string()]);
        cells.extend(row.tie_breaks.iter().map(|tie_break| tie_break.value.to_string()));
        cells.push(cell(&row.prizes.join("; ")));
        text.push_str(&cells.join(","));
        text.push_str("\r\n");
    }
    text
}

fn write_table(text: &mut String, tournament: &Tournament, [round, number]: [usize; 2], table: &StoredTable) {
    let games: Vec<String> = table.games.iter().map(|game| game.id.to_string()).collect();
    let result = table.result.as_ref();
    let by = match result.map(|result| result.by) {
        Some(ResultBy::Games) => "games",
        Some(ResultBy::Arbiter) => "arbiter",
        None => "",
    };
    let reason = result.and_then(|result| result.reason.as_deref()).unwrap_or_default();
    for (seat, entrant) in table.table.seats.iter().enumerate() {
        let own = result.and_then(|result| result.seats.get(seat));
        let [place, score, no_show] = match own {
            Some(own) => [own.place.to_string(), own.score.to_string(), own.no_show.to_string()],
            None => [String::new(), String::new(), String::new()],
        };
        let name = cell(tournament.entrant(*entrant).map_or("", |entrant| entrant.name.as_str()));
        let (seat, reason, games) = (seat + 1, cell(reason), games.join(" "));
        text.push_str(&format!(
            "{round},{number},{seat},{entrant},{name},{place},{score},{no_show},{by},{reason},{games}\r\n"
        ));
    }
}

fn write_byes(text: &mut String, tournament: &Tournament, round: usize, stored: &StoredRound) {
    for bye in &stored.byes {
        let name = cell(tournament.entrant(bye.entrant).map_or("", |entrant| entrant.name.as_str()));
        let word = if bye.why.rule == ByeRule::Waits { "waits" } else { "bye" };
        text.push_str(&format!("{round},,,{},{name},,,,,{word},\r\n", bye.entrant));
    }
}
