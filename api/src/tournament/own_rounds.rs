//! Rounds that an organiser has paired, as a request sends them.

use pagade_pairing::{
    EntrantId, OwnBye, OwnError, OwnMistake, OwnMistakeKind, OwnPlace, OwnRound, OwnTable, Round, own_round,
};

use crate::error::{Code, Detail, Problem, ProblemPart, detail};
use crate::model::tournament_round::{OwnBye as SentBye, OwnTable as SentTable};
use crate::tournament::results::{busy, impossible};
use crate::tournament::stored::Tournament;

/// Reads the tables and byes of a request. `readable` returns a text in its normal form, and notes a text that people
/// cannot read as a mistake.
pub(crate) fn read(
    tables: &[SentTable],
    byes: &[SentBye],
    mut readable: impl FnMut(&str, Option<&str>) -> Option<String>,
) -> OwnRound {
    let mut own = OwnRound::default();
    for (at, SentTable { entrants, why }) in tables.iter().enumerate() {
        let note = readable(&format!("/tables/{at}/why"), why.as_deref());
        own.tables.push(OwnTable { seats: entrants.iter().copied().map(EntrantId).collect(), note });
    }
    for (at, SentBye { entrant, why }) in byes.iter().enumerate() {
        let note = readable(&format!("/byes/{at}/why"), why.as_deref());
        own.byes.push(OwnBye { entrant: EntrantId(*entrant), note });
    }
    own
}

/// Makes an own round the next round of the tournament; `None` if no round follows.
///
/// # Errors
/// 422 with every mistake of the round; or the problem for which the format cannot pair a round either, such as a
/// missing result.
pub(crate) fn next_round(tournament: &Tournament, own: &OwnRound) -> Result<Option<Round>, Problem> {
    let (field, history) = (tournament.field(), tournament.history());
    let missing = missing_tables(tournament, own);
    match own_round(&field, &history, own, &busy(tournament)) {
        Ok(None) => Ok(None),
        Ok(Some(round)) if missing.is_empty() => Ok(Some(round)),
        Ok(Some(_)) => Err(Problem::several(Code::BodyInvalid, missing)),
        Err(OwnError::Tournament(error)) => Err(impossible(error)),
        Err(OwnError::Mistakes(mistakes)) => {
            let parts = mistakes.iter().map(part).chain(missing);
            Err(Problem::several(Code::BodyInvalid, parts.collect()))
        }
    }
}

/// Lists the tables with a number of seats that the rule set does not have.
fn missing_tables(tournament: &Tournament, own: &OwnRound) -> Vec<ProblemPart> {
    let terms = &tournament.terms;
    let mut mistakes = Vec::new();
    for (at, table) in own.tables.iter().enumerate() {
        let seats = table.seats.len() * terms.team_size;
        if terms.boards.iter().all(|board| board.len() != seats) {
            let detail = detail!("the rule set has no table of {seats} seats with these options", seats);
            mistakes.push(ProblemPart::at(format!("/tables/{at}/entrants"), detail));
        }
    }
    mistakes
}

fn part(OwnMistake { at, kind }: &OwnMistake) -> ProblemPart {
    let pointer = match at {
        OwnPlace::Tables => "/tables".to_owned(),
        OwnPlace::Byes => "/byes".to_owned(),
        OwnPlace::Table(table) => format!("/tables/{table}/entrants"),
        OwnPlace::Seat(table, seat) => format!("/tables/{table}/entrants/{seat}"),
        OwnPlace::Bye(bye) => format!("/byes/{bye}/entrant"),
    };
    ProblemPart::at(pointer, said(kind))
}

fn said(kind: &OwnMistakeKind) -> Detail {
    match kind {
        OwnMistakeKind::Unknown(entrant) => detail!("no entrant has the number {number}", number = entrant.0),
        OwnMistakeKind::NotPresent(entrant) => {
            detail!("entrant {number} is not present in this round", number = entrant.0)
        }
        OwnMistakeKind::Twice(entrant) => detail!("entrant {number} is listed twice", number = entrant.0),
        OwnMistakeKind::Size { found, least, most } => {
            detail!("{found} entrants sit at the table; in this form, {least} to {most} do", found, least, most)
        }
        OwnMistakeKind::Missing(entrant) => {
            detail!("entrant {number} is present, and has neither a table nor a bye", number = entrant.0)
        }
        OwnMistakeKind::Groups => detail!("the entrants of the table are in different groups"),
        OwnMistakeKind::Bracket => detail!("the bracket does not bring these entrants together"),
        OwnMistakeKind::BracketBye(entrant) => {
            detail!("the bracket gives entrant {number} no bye", number = entrant.0)
        }
        OwnMistakeKind::BracketTable(entrants) => {
            let numbers: Vec<u32> = entrants.iter().map(|entrant| entrant.0).collect();
            detail!("the bracket brings {numbers} together, and no table has them", numbers)
        }
    }
}
