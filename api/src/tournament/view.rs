//! Views of a tournament: the forms in which the API shows it.

use std::collections::BTreeMap;

use pagade_pairing::{ByeRule, EntrantId, Score, SeatResult, Standing};
use pagade_rules::ruleset::OptionValue as Chosen;
use sha2::{Digest, Sha256};

use crate::ground::clock;
use crate::model::creation::OptionValue;
use crate::model::tournament::{EntrantView, RoundSummary, SeatResultView, TournamentView};
use crate::model::tournament_list::TournamentSummary;
use crate::model::tournament_round::{
    ByeView, ResultByWord, RoundSeatView, RoundTableView, RoundView, StandingView, TableGameStatus, TableGameView,
    TableResultView, TieBreakPart, TieBreakView,
};
use crate::player::PlayerId;
use crate::tournament::TournamentId;
use crate::tournament::form;
use crate::tournament::rounds::{GameOutcome, ResultBy, StoredGame, StoredRound, StoredTable};
use crate::tournament::stored::{StoredEntrant, Tournament, TournamentStatus};

pub(crate) fn tournament(id: TournamentId, tournament: &Tournament) -> TournamentView<'_> {
    let terms = &tournament.terms;
    let (seed, no_shows) = (const_hex::encode(tournament.seed.0), tournament.no_shows());
    let entrant = |stored| entrant(tournament, stored, &no_shows);
    TournamentView {
        id,
        version: tournament.version,
        status: tournament.status.into(),
        title: tournament.title.as_deref(),
        rule_set: (&terms.rule_set).into(),
        options: terms.options.iter().map(|(name, chosen)| (name.as_str(), option(chosen))).collect::<BTreeMap<_, _>>(),
        boards: &terms.boards,
        turn_timer: terms.timer.map(Into::into),
        robot_pause_milliseconds: terms.robot_pause.shown(),
        same_dice: terms.same_dice,
        no_show: terms.no_show.map(Into::into),
        format: form::shown(terms),
        seeding: terms.seeding.into(),
        points: form::shown_points(&terms.points),
        tie_breaks: terms.tie_breaks.iter().map(|tie_break| (*tie_break).into()).collect(),
        prizes: &terms.prizes,
        team_size: terms.team_size,
        robots: terms.takes_robots,
        registration: terms.registration.into(),
        most_entrants: terms.most_entrants,
        late_entries: terms.late_entries,
        automatic: terms.is_automatic,
        entrants: tournament.entrants.iter().map(entrant).collect(),
        rounds: (1..).zip(&tournament.rounds).map(|(number, round)| summary_of_round(number, round)).collect(),
        seed_hash: const_hex::encode(Sha256::digest(seed.as_bytes())),
        seed: (tournament.status == TournamentStatus::Finished).then_some(seed),
        created_at: clock::at(tournament.created_at),
        started_at: tournament.started_at.map(clock::at),
        updated_at: clock::at(tournament.changed_at),
        events: tournament.events,
    }
}

fn option(chosen: &Chosen) -> OptionValue {
    match chosen {
        Chosen::Truth(truth) => OptionValue::Truth(*truth),
        Chosen::Number(number) => OptionValue::Number(*number),
        Chosen::Word(word) => OptionValue::Word(word.clone()),
    }
}

fn entrant<'a>(
    tournament: &Tournament,
    entrant: &'a StoredEntrant,
    no_shows: &BTreeMap<u32, usize>,
) -> EntrantView<'a> {
    let of = |list: &[pagade_pairing::InRound]| {
        list.iter().find(|noted| noted.entrant.0 == entrant.number).map(|noted| noted.round)
    };
    let is_team = entrant.members.len() > 1;
    EntrantView {
        number: entrant.number,
        name: &entrant.name,
        members: entrant.members.iter().filter(|_| is_team).map(|member| member.name.as_str()).collect(),
        players: entrant.members.iter().filter_map(|member| member.player).collect(),
        robot: entrant.members.iter().find_map(|member| member.robot).map(Into::into),
        waiting: entrant.is_waiting,
        from_round: of(&tournament.late_entries),
        left_before_round: tournament.left_before(entrant.number),
        absent_in_rounds: {
            let own = tournament.absences.iter().filter(|noted| noted.entrant.0 == entrant.number);
            own.map(|noted| noted.round).collect()
        },
        no_shows: no_shows.get(&entrant.number).copied(),
        removed: tournament.removed.contains(&entrant.number),
        excluded: tournament.excluded.contains(&entrant.number),
    }
}

/// Makes the views of the entrants for whom a player plays.
pub(crate) fn entries_of(tournament: &Tournament, player: PlayerId) -> Vec<EntrantView<'_>> {
    let no_shows = tournament.no_shows();
    let is_own = |stored: &&StoredEntrant| stored.members.iter().any(|member| member.player == Some(player));
    tournament.entrants.iter().filter(is_own).map(|stored| entrant(tournament, stored, &no_shows)).collect()
}

fn summary_of_round(number: usize, round: &StoredRound) -> RoundSummary {
    let results = round.tables.iter().filter(|table| table.result.is_some()).count();
    RoundSummary { round: number, group: round.group, tables: round.tables.len(), results }
}

/// Makes the view of a tournament in a list.
pub(crate) fn summary(id: TournamentId, tournament: &Tournament) -> TournamentSummary {
    TournamentSummary {
        id,
        version: tournament.version,
        status: tournament.status.into(),
        title: tournament.title.clone(),
        rule_set: (&tournament.terms.rule_set).into(),
        entrants: tournament.entrants.len(),
        rounds: tournament.rounds.len(),
        updated_at: clock::at(tournament.changed_at),
    }
}

/// Makes the view of a round. `number` is the number of the round, from 1.
pub(crate) fn round(number: usize, round: &StoredRound) -> RoundView<'_> {
    let byes = round.byes.iter().map(|bye| ByeView {
        entrant: bye.entrant.0,
        why: bye.why.to_string(),
        counts: bye.why.rule != ByeRule::Waits,
    });
    RoundView {
        round: number,
        group: round.group,
        paired_at: clock::at(round.paired_at),
        tables: (1..).zip(&round.tables).map(|(number, stored)| table(number, stored)).collect(),
        byes: byes.collect(),
    }
}

/// Makes the view of a table. `number` is the number of the table in its round, from 1.
pub(crate) fn table(number: usize, stored: &StoredTable) -> RoundTableView<'_> {
    let seats = &stored.table.seats;
    RoundTableView {
        table: number,
        entrants: seats.iter().map(|entrant| entrant.0).collect(),
        games_at_most: stored.table.games,
        why: stored.table.why.to_string(),
        games: stored.games.iter().map(|stored| game(stored, seats)).collect(),
        result: stored.result.as_ref().map(|result| TableResultView {
            seats: seat_results(seats, &result.seats),
            by: match result.by {
                ResultBy::Games => ResultByWord::Games,
                ResultBy::Arbiter => ResultByWord::Arbiter,
            },
            reason: result.reason.as_deref(),
            at: clock::at(result.at),
        }),
        version: stored.version,
    }
}

fn game<'a>(stored: &'a StoredGame, seats: &[EntrantId]) -> TableGameView<'a> {
    let (status, result) = match &stored.outcome {
        Some(GameOutcome::Result(result)) => (TableGameStatus::Finished, seat_results(seats, result)),
        Some(GameOutcome::Void) => (TableGameStatus::Void, Vec::new()),
        None if stored.plan.is_some() => (TableGameStatus::Planned, Vec::new()),
        None => (TableGameStatus::Playing, Vec::new()),
    };
    let board = stored.seats.iter().map(|(seat, entrant)| RoundSeatView { seat, entrant: entrant.0 });
    TableGameView { id: stored.id, seats: board.collect(), status, result }
}

/// Makes the view of the results of a table.
pub(crate) fn seat_results(seats: &[EntrantId], results: &[SeatResult]) -> Vec<SeatResultView> {
    let view = |(entrant, result): (&EntrantId, &SeatResult)| SeatResultView {
        entrant: entrant.0,
        place: result.place,
        score: result.score,
        no_show: result.no_show,
    };
    seats.iter().zip(results).map(view).collect()
}

pub(crate) fn standings<'a>(tournament: &'a Tournament, standings: &[Standing]) -> Vec<StandingView<'a>> {
    let view = |standing: &Standing| StandingView {
        place: standing.place,
        entrant: standing.entrant.0,
        name: tournament.entrant(standing.entrant).map_or("", |entrant| entrant.name.as_str()),
        reached: standing.reached,
        points: decimal(standing.points),
        tie_breaks: standing.tie_breaks.iter().map(tie_break).collect(),
        decided_by: standing.decided_by.map(Into::into),
        prizes: prizes(tournament, standings, standing.place),
    };
    standings.iter().map(view).collect()
}

/// Returns the prizes of a place. Entrants who share it get the prizes of all places that they take.
fn prizes<'a>(tournament: &'a Tournament, standings: &[Standing], place: usize) -> &'a [String] {
    let prizes = &tournament.terms.prizes[..];
    if tournament.rounds.is_empty() {
        return &[];
    }
    let sharers = standings.iter().filter(|standing| standing.place == place).count();
    let from = (place - 1).min(prizes.len());
    &prizes[from..(from + sharers).min(prizes.len())]
}

fn tie_break(explained: &pagade_pairing::Explained) -> TieBreakView {
    let parts = explained.parts.iter().map(|part| TieBreakPart {
        round: part.round,
        opponents: part.opponents.iter().map(|opponent| opponent.0).collect(),
        value: decimal(part.value),
        cut: part.is_cut,
    });
    TieBreakView { tie_break: explained.tie_break.into(), value: decimal(explained.value), parts: parts.collect() }
}

/// Returns a score as a number. Parts of a score are far below 2^53, so the division is rounded only once.
#[expect(clippy::cast_precision_loss, reason = "scores are far below 2^53 parts")]
fn decimal(score: Score) -> f64 {
    score.parts() as f64 / Score::PARTS as f64
}
