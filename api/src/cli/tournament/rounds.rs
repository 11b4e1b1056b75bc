//! Goes through the rounds of a tournament: pairs the next one when all results are in, and waits for results.

use pagade::{ProblemCode, TournamentEventKind, TournamentStatusWord};
use serde_json::{Value, json};

use super::answer::{EventsAnswer, PairedAnswer, TournamentAnswer};
use super::api::{Api, RequestFailure};
use super::enter::Run;
use crate::cli::tournament::show::Show;

/// The time that a request waits for an event, in seconds: the longest that the service allows.
const WAIT: u32 = 30;

pub(super) async fn read(api: &Api, id: &str) -> Result<TournamentAnswer, RequestFailure> {
    api.get(&format!("/v1/tournaments/{id}")).await
}

/// Waits for the next events of a tournament. Returns them with the number of the last one; the list is empty if
/// nothing happens for half a minute.
pub(super) async fn events(api: &Api, id: &str, after: u64) -> Result<EventsAnswer, RequestFailure> {
    api.get(&format!("/v1/tournaments/{id}/events?after={after}&wait={WAIT}")).await
}

/// Pairs rounds and waits for results until the tournament is over. Every step follows from the state at the server. So
/// others may pair rounds or correct results meanwhile, and a run that was interrupted can go on.
pub(super) async fn play(run: &Run<'_>, show: &mut Show) -> Result<(), RequestFailure> {
    let id = run.id()?;
    loop {
        let tournament = read(run.api, id).await?;
        if tournament.status == Some(TournamentStatusWord::Finished) {
            show.clear();
            return Ok(());
        }
        show.round(&tournament);
        if tournament.automatic || !tournament.has_all_results() {
            wait(run, &tournament, show).await?;
        } else {
            next(run, &tournament, show).await?;
        }
    }
}

/// Waits until a round begins or is over, or the tournament is over.
async fn wait(run: &Run<'_>, tournament: &TournamentAnswer, show: &Show) -> Result<(), RequestFailure> {
    let (mut after, mut names) = (tournament.events, tournament.names());
    loop {
        let page = events(run.api, &tournament.id, after).await?;
        after = page.next_after;
        if page.events.iter().any(|event| event.event == Some(TournamentEventKind::Entered)) {
            names = read(run.api, &tournament.id).await?.names();
        }
        page.events.iter().for_each(|event| show.event(event, &names));
        if page.events.iter().any(|event| event.event.is_some_and(is_turn)) {
            return Ok(());
        }
    }
}

/// Whether a round begins or ends, or the tournament ends, by an event of this kind.
fn is_turn(kind: TournamentEventKind) -> bool {
    use TournamentEventKind::{Over, RoundOver, RoundPaired, RoundTakenBack};
    matches!(kind, RoundPaired | RoundOver | RoundTakenBack | Over)
}

/// Pairs the next round, or ends the tournament if no round is left.
async fn next(run: &Run<'_>, tournament: &TournamentAnswer, show: &Show) -> Result<(), RequestFailure> {
    let number = tournament.rounds.len() + 1;
    if !tournament.rounds.is_empty() && !run.pause.is_zero() && !run.is_last_round(number - 1) {
        show.say(&format!("A pause of {} seconds", run.pause.as_secs()));
        tokio::time::sleep(run.pause).await;
    }
    let (path, body) = (format!("/v1/tournaments/{}/rounds", tournament.id), json!({"round": number}));
    // The key contains the version, so a round that was taken back can be paired again, under another key.
    let at = json!({"round": number, "version": tournament.version});
    match run.api.post::<PairedAnswer>(&path, Some(&run.key("round", &at)), &body).await {
        Ok(paired) => {
            let byes = match paired.round.byes.len() {
                0 => String::new(),
                byes => format!(", {byes} without a table"),
            };
            show.say(&format!("Round {}: {} tables{byes}", paired.round.round, paired.round.tables.len()));
            Ok(())
        }
        Err(failure) if failure.is(ProblemCode::TournamentOver) => {
            let (path, body) = (format!("/v1/tournaments/{}/finish", tournament.id), json!({}));
            match run.api.post::<Value>(&path, Some(&run.key("finish", &at)), &body).await {
                Err(failure) if !is_overtaken(&failure) => Err(failure),
                _ => Ok(()),
            }
        }
        Err(failure) if is_overtaken(&failure) => Ok(()),
        Err(failure) => Err(failure),
    }
}

/// Whether the server has refused a step because somebody else has done it already, or has changed the tournament at
/// the same moment. The run then goes on from the new state of the tournament.
fn is_overtaken(failure: &RequestFailure) -> bool {
    use ProblemCode::{ResultsMissing, RoundPaired, RoundsLeft, TournamentOver, VersionConflict};
    [RoundPaired, RoundsLeft, ResultsMissing, VersionConflict, TournamentOver].into_iter().any(|code| failure.is(code))
}
