//! The steps of a run before the first round: publish the rule set, create the tournament, enter the entrants, start.

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use pagade::ground::csv::cell;
use pagade::tournament_file::Prepared;
use pagade::{ProblemCode, TournamentStatusWord};
use serde_json::{Value, json};

use super::answer::{CreatedAnswer, EnteredAnswer, EntrantTokens, TournamentAnswer};
use super::api::{Api, RequestFailure};
use super::rounds::{events, read};
use super::show::Show;
use super::state::{StateFile, TournamentTokens, write_private};
use crate::cli::ending::CommandError;

/// A run of a tournament.
#[derive(Debug)]
pub(super) struct Run<'r> {
    pub api: &'r Api,
    pub prepared: &'r Prepared,
    pub state: &'r StateFile,
    pub pause: Duration,
}

impl Run<'_> {
    /// The id of the tournament.
    pub(super) fn id(&self) -> Result<&str, RequestFailure> {
        id(self.state)
    }

    /// The idempotency key of a request.
    pub(super) fn key(&self, step: &str, body: &Value) -> String {
        self.state.key(step, body)
    }

    /// Whether this is the last round. False if the file does not fix the number of rounds.
    pub(super) fn is_last_round(&self, number: usize) -> bool {
        let rounds = self.prepared.request.pointer("/format/rounds").and_then(Value::as_u64);
        rounds.is_some_and(|rounds| number as u64 >= rounds)
    }
}

fn id(state: &StateFile) -> Result<&str, RequestFailure> {
    let known = state.state.tournament.as_ref().map(|tournament| tournament.id.as_str());
    known.ok_or_else(|| RequestFailure::Own(CommandError("the tournament is not created yet".to_owned())))
}

/// Creates the tournament, unless an earlier run has done so.
pub(super) async fn create(api: &mut Api, prepared: &Prepared, state: &mut StateFile) -> Result<(), RequestFailure> {
    if state.state.tournament.is_none() {
        // The request is stored before it is sent, so that a repeated request has the same body, even if the rule set
        // has a newer version by then.
        if state.state.request.is_none() {
            state.change(|state| state.request = Some(prepared.request.clone()))?;
        }
        let request = state.state.request.clone().unwrap_or_default();
        let created: CreatedAnswer =
            api.post("/v1/tournaments", Some(&state.key("create", &request)), &request).await?;
        state.change(|state| {
            state.tournament = Some(TournamentTokens {
                id: created.tournament.id,
                token: created.token,
                arbiter_token: Some(created.arbiter_token),
                invitation: created.invitation,
            });
        })?;
    }
    api.token = state.state.tournament.as_ref().map(|tournament| tournament.token.clone());
    Ok(())
}

/// Enters those entrants of the file who are not entered yet, and writes the tokens of people without accounts.
pub(super) async fn enter(
    api: &Api,
    prepared: &Prepared,
    state: &mut StateFile,
    tokens: &Path,
    show: &Show,
) -> Result<(), RequestFailure> {
    let id = id(state)?.to_owned();
    if state.state.entered.is_none() && !prepared.entrants.is_empty() {
        let entering = match state.state.entering.clone() {
            Some(entering) => entering,
            None => {
                let known: Vec<String> = read(api, &id).await?.names().into_values().collect();
                let missing = prepared.entrants.iter().filter(|entrant| !known.contains(&entrant.name));
                let missing: Vec<String> = missing.map(|entrant| entrant.name.clone()).collect();
                // The list is stored before it is sent, so that a repeated request has the same body.
                state.change(|state| state.entering = Some(missing.clone()))?;
                missing
            }
        };
        let entered = enter_these(api, prepared, state, &id, &entering, show).await?;
        state.change(|state| state.entered = Some(entered))?;
    }
    let entered = state.state.entered.as_deref().unwrap_or_default();
    if entered.iter().any(|entrant| !entrant.tokens.is_empty()) && !tokens.exists() {
        write_private(tokens, &tokens_csv(prepared, entered))?;
        show.say(&format!("The tokens of people without accounts are in {}", tokens.display()));
    }
    Ok(())
}

async fn enter_these(
    api: &Api,
    prepared: &Prepared,
    state: &StateFile,
    id: &str,
    names: &[String],
    show: &Show,
) -> Result<Vec<EntrantTokens>, RequestFailure> {
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let entrants = prepared.entrants.iter().filter(|entrant| names.contains(&entrant.name)).map(|entrant| {
        let mut body = json!({"name": entrant.name});
        if let Some(robot) = entrant.robot {
            body["robot"] = robot.name().into();
        }
        if !entrant.members.is_empty() {
            body["members"] = entrant.members.clone().into();
        }
        body
    });
    let body = json!({"entrants": entrants.collect::<Vec<_>>()});
    let path = format!("/v1/tournaments/{id}/entrants");
    match api.post::<EnteredAnswer>(&path, Some(&state.key("enter", &body)), &body).await {
        Ok(entered) => Ok(entered.entrants),
        Err(failure) if failure.is(ProblemCode::NameTaken) => {
            let known: Vec<String> = read(api, id).await?.names().into_values().collect();
            if !names.iter().all(|name| known.contains(name)) {
                return Err(failure);
            }
            // The service stores answers for a limited time only.
            show.say("An earlier run has entered all entrants; the server no longer has its answer with their tokens");
            Ok(Vec::new())
        }
        Err(failure) => Err(failure),
    }
}

/// Writes the tokens as CSV, a line for each member.
fn tokens_csv(prepared: &Prepared, entered: &[EntrantTokens]) -> String {
    let mut text = "number,name,member,token\r\n".to_owned();
    for entrant in entered {
        let own = prepared.entrants.iter().find(|known| known.name == entrant.name);
        let members = own.map(|own| own.members.clone()).filter(|members| !members.is_empty());
        let members = members.unwrap_or_else(|| vec![entrant.name.clone()]);
        for (member, token) in members.iter().zip(&entrant.tokens) {
            text += &format!("{},{},{},{token}\r\n", entrant.number, cell(&entrant.name), cell(member));
        }
    }
    text
}

/// Starts the tournament, unless it has started. Waits for players who enter by themselves.
pub(super) async fn start(
    api: &Api,
    prepared: &Prepared,
    state: &mut StateFile,
    show: &Show,
) -> Result<TournamentAnswer, RequestFailure> {
    let id = id(state)?.to_owned();
    let mut tournament = read(api, &id).await?;
    if tournament.status == Some(TournamentStatusWord::Open) {
        if let Some(awaited) = prepared.awaited {
            if let Some(wait) = awaited.wait.filter(|_| state.state.waits_until.is_none()) {
                let until = now() + u64::from(wait);
                state.change(|state| state.waits_until = Some(until))?;
            }
            let needed = prepared.entrants.len() + awaited.players as usize;
            wait_for_players(api, tournament, needed, state.state.waits_until, show).await?;
        }
        let body = json!({});
        let path = format!("/v1/tournaments/{id}/start");
        match api.post::<Value>(&path, Some(&state.key("start", &body)), &body).await {
            Err(failure) if !failure.is(ProblemCode::TournamentStarted) && !failure.is(ProblemCode::TournamentOver) => {
                return Err(failure);
            }
            _ => tournament = read(api, &id).await?,
        }
        show.say(&format!("{} entrants, the tournament has started", tournament.entrants.len()));
    }
    Ok(tournament)
}

/// Waits until the tournament has `needed` entrants, or until the time `until`.
async fn wait_for_players(
    api: &Api,
    mut tournament: TournamentAnswer,
    needed: usize,
    until: Option<u64>,
    show: &Show,
) -> Result<(), RequestFailure> {
    let mut told = None;
    while tournament.status == Some(TournamentStatusWord::Open) && tournament.entrants.len() < needed {
        let left = needed - tournament.entrants.len();
        if told != Some(left) {
            let address = api.address();
            show.say(&format!("Waiting for {left} players: they enter at {address}/v1/tournaments/{}", tournament.id));
            told = Some(left);
        }
        let waits = events(api, &tournament.id, tournament.events);
        match until.map(|until| until.saturating_sub(now())) {
            Some(0) => break,
            Some(rest) => match tokio::time::timeout(Duration::from_secs(rest), waits).await {
                Ok(page) => drop(page?),
                Err(_) => break,
            },
            None => drop(waits.await?),
        }
        tournament = read(api, &tournament.id).await?;
    }
    Ok(())
}

/// The time in seconds since 1970.
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
