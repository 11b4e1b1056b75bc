//! `pagade tournament run`: drives a whole tournament from its file.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use pagade::tournament_file::Prepared;
use pagade_rules::bundled::Bundled;
use pagade_rules::ruleset::RuleSet;
use pagade_rules::source::{Source, counts};
use serde_json::{Value, json};

use super::answer::{ExportAnswer, ProblemAnswer};
use super::api::{Api, RequestFailure};
use super::enter::{self, Run};
use super::load::{Loaded, TournamentRules, load, source};
use super::outcome;
use super::rounds;
use super::show::Show;
use super::state::{RunState, StateFile, TournamentTokens};
use crate::cli::check::count;
use crate::cli::ending::{CommandEnding, CommandError, print};

const EXAMPLES: &str = "\
Examples:
  pagade tournament run cup.yaml                                  on http://127.0.0.1:8080
  pagade tournament run cup.yaml --server https://pagade.example --records cup.ndjson
  pagade tournament run cup.yaml --csv > table.csv
  pagade tournament run cup.yaml --token-file organiser.token     a tournament that exists already

The run publishes the rule file (if the tournament has one of its own), creates the tournament, enters the entrants,
starts, pairs a round whenever all results of the last one are in, and prints the final table. It waits as long as the
games take. Tokens of people without accounts are written to cup.tokens.csv, which only you can read.

What the run has done is in cup.state.json. After an interruption, the same command goes on where it stopped: nothing
is done twice, and no token is lost. To have the same tournament once more, move this file away. Requests that get no
answer (no connection, 429, 5xx) are sent again for `--patience` seconds, at growing intervals or as the server asks.

Exit codes: 0 the tournament is over; 1 the file has errors, or the server refuses a step; 2 a file cannot be read or
written, or the server does not answer: start the command again to go on.";

/// The server, if neither the command line nor the state of the run names one.
const SERVER: &str = "http://127.0.0.1:8080";

/// Arguments of `pagade tournament run`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Tournament file
    file: PathBuf,
    /// Address of the server, or those of its replicas with commas between them [default: that of the interrupted run,
    /// or http://127.0.0.1:8080]
    #[arg(long, value_name = "URL", env = "PAGADE_SERVER")]
    server: Option<String>,
    /// File with the organiser's token of a tournament that exists already
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// The organiser's token of a tournament that exists already; other users of the machine can see arguments, so set
    /// the variable
    #[arg(long, value_name = "TOKEN", env = "PAGADE_TOURNAMENT_TOKEN", hide_env_values = true)]
    #[arg(conflicts_with = "token_file")]
    token: Option<String>,
    /// File for the state of the run [default: FILE with the ending .state.json]
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// File for the tokens of people without accounts [default: FILE with the ending .tokens.csv]
    #[arg(long, value_name = "FILE")]
    tokens: Option<PathBuf>,
    /// Write the records of all games to this file, to play them again with `pagade replay`
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
    /// Print the whole tournament as JSON: entrants, rounds, results, standings
    #[arg(long)]
    json: bool,
    /// Print the final table as CSV
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Seconds for which requests to a server that does not answer are repeated
    #[arg(long, default_value_t = 300, value_name = "SECONDS")]
    patience: u64,
}

/// Runs the tournament, and prints its final table.
pub(super) fn run(args: &Args) -> Result<CommandEnding, CommandError> {
    match pagade::serve::block_on(drive(args)) {
        Ok(ending) => Ok(ending),
        Err(RequestFailure::Own(error)) => Err(error),
        Err(RequestFailure::Unreachable(cause)) => {
            Err(CommandError(format!("{cause}\n  help: start the command again to go on")))
        }
        Err(RequestFailure::Refused(problem)) => {
            eprintln!("error: {}", problem_message(&problem));
            Ok(CommandEnding::Failed)
        }
    }
}

/// The message of a problem, with the mistakes that it lists.
fn problem_message(problem: &ProblemAnswer) -> String {
    let mut text = problem.title.clone();
    if !problem.detail.is_empty() {
        text += &format!(": {}", problem.detail);
    }
    for part in &problem.problems {
        text += &format!("\n  {} {}", part.pointer.as_deref().unwrap_or_default(), part.detail);
    }
    text
}

async fn drive(args: &Args) -> Result<CommandEnding, RequestFailure> {
    let state_path = args.state.clone().unwrap_or_else(|| args.file.with_extension("state.json"));
    let known = StateFile::read(&state_path)?;
    let server = args.server.clone().or_else(|| known.as_ref().map(|known| known.state.server.clone()));
    let server = server.unwrap_or_else(|| SERVER.to_owned());
    let mut api = Api::new(&server, None, Duration::from_secs(args.patience))?;
    let mut loaded = load(&args.file, Some(&api)).await?;
    if loaded.report.has_errors() {
        return printed(loaded);
    }
    let (Some(prepared), Some(rules)) = (loaded.prepared.take(), &loaded.rules) else { return printed(loaded) };
    let names_version = loaded.file.as_ref().is_some_and(|file| file.version().is_some());
    let digest = digest(&prepared, rules, names_version);
    let mut state = match known {
        Some(known) => same(known, &api, &digest, &state_path)?,
        None => StateFile::begin(&state_path, &api.addresses(), &digest)?,
    };
    adopt(args, &mut api, &mut state).await?;
    let mut show = Show::new();
    if rules.is_own && state.state.tournament.is_none() {
        publish(&api, &rules.set, &state).await?;
    }
    let title = prepared.title().unwrap_or("The tournament");
    match enter::create(&mut api, &prepared, &mut state).await {
        Err(RequestFailure::Refused(problem)) if problem.problems.iter().any(|part| part.pointer.is_some()) => {
            for part in &problem.problems {
                let pointer = part.pointer.as_deref().unwrap_or_default();
                loaded.error(pointer, "refused-by-the-server", &part.detail, part.help.as_deref());
            }
            // Nothing was created, so the next run begins afresh, with the corrected file.
            fs::remove_file(&state_path).map_err(|error| CommandError::file(&state_path, error))?;
            return printed(loaded);
        }
        created => created?,
    }
    let id = state.state.tournament.as_ref().map(|tournament| tournament.id.clone()).unwrap_or_default();
    show.say(&format!("{title}: {}", outcome::described(&prepared)));
    show.say(&format!("{}/v1/tournaments/{id}, state in {}", api.address(), state_path.display()));
    if state.state.tournament.as_ref().is_some_and(|known| known.invitation.is_some()) {
        show.say("The invitation that people send when they enter is in the state, too");
    }
    let tokens = args.tokens.clone().unwrap_or_else(|| args.file.with_extension("tokens.csv"));
    enter::enter(&api, &prepared, &mut state, &tokens, &show).await?;
    enter::start(&api, &prepared, &mut state, &show).await?;
    let run = Run { api: &api, prepared: &prepared, state: &state, pause: prepared.pause };
    rounds::play(&run, &mut show).await?;
    finish(args, &api, &id, &show).await
}

/// Prints the problems of the file.
fn printed(loaded: Loaded) -> Result<CommandEnding, RequestFailure> {
    let problems = loaded.report.finish().1;
    for problem in &problems {
        eprintln!("{problem}\n");
    }
    let (errors, _) = counts(&problems);
    eprintln!("{}", count(errors, "error"));
    Ok(CommandEnding::Failed)
}

/// The hash of those keys of a file that must not change during a tournament. Other keys, such as the pause, may
/// change; and a server may get a newer version of a rule set whose version the file does not name.
fn digest(prepared: &Prepared, rules: &TournamentRules, names_version: bool) -> String {
    let entrants = prepared.entrants.iter().map(|entrant| {
        json!({"name": entrant.name, "members": entrant.members, "robot": entrant.robot.map(|robot| robot.name())})
    });
    let mut request = prepared.request.clone();
    if let Some(request) = request.as_object_mut().filter(|_| !names_version) {
        request.remove("version");
    }
    let own = rules.is_own.then(|| rules.set.digest());
    let asked = json!({"request": request, "entrants": entrants.collect::<Vec<_>>(), "rules": own});
    const_hex::encode(blake3::hash(asked.to_string().as_bytes()).as_bytes())
}

/// Checks that a state belongs to this file and this server.
fn same(known: StateFile, api: &Api, digest: &str, path: &Path) -> Result<StateFile, RequestFailure> {
    let path = path.display();
    let RunState { server, digest: begun, .. } = &known.state;
    let asked = api.addresses();
    if *server != asked {
        let message = format!("{path}: this run has begun on {server}, not on {asked}\n  help: leave out `--server`");
        return Err(RequestFailure::Own(CommandError(message)));
    }
    if begun != digest {
        let message = format!(
            "{path}: this run has begun with other terms or entrants, and they cannot change during a tournament\n  \
             help: undo the change of the file; or move {path} away, and another tournament begins"
        );
        return Err(RequestFailure::Own(CommandError(message)));
    }
    Ok(known)
}

/// Takes over a tournament that exists already, if there is a token of its organiser.
async fn adopt(args: &Args, api: &mut Api, state: &mut StateFile) -> Result<(), RequestFailure> {
    let of_file = args.token_file.as_ref().map(|path| {
        fs::read_to_string(path).map(|text| text.trim().to_owned()).map_err(|error| CommandError::file(path, error))
    });
    let Some(token) = of_file.transpose()?.or_else(|| args.token.clone()) else { return Ok(()) };
    api.token = Some(token.clone());
    let me: Value = api.get("/v1/me").await?;
    let id = me.pointer("/tournament/id").and_then(Value::as_str).filter(|_| me["role"] == "organiser");
    let Some(id) = id else {
        let message = format!("the token is that of a {}, not that of the organiser of a tournament", me["role"]);
        return Err(RequestFailure::Own(CommandError(message.replace('"', "`"))));
    };
    if let Some(known) = &state.state.tournament
        && known.id != id
    {
        let message = format!("this run is that of tournament {}, and the token is that of {id}", known.id);
        return Err(RequestFailure::Own(CommandError(message)));
    }
    let known = state.state.tournament.clone();
    let (arbiter_token, invitation) = known.map_or((None, None), |known| (known.arbiter_token, known.invitation));
    let tournament = Some(TournamentTokens { id: id.to_owned(), token, arbiter_token, invitation });
    Ok(state.change(|state| state.tournament = tournament)?)
}

/// Publishes the rule set of the organiser, unless the server has it.
async fn publish(api: &Api, set: &RuleSet, state: &StateFile) -> Result<(), RequestFailure> {
    if let Some(text) = source(api, set.id(), Some(set.version())).await? {
        if digest_of(&text).as_deref() == Some(set.digest()) {
            return Ok(());
        }
        let message = format!(
            "the server has another text of the rule set `{}` {}\n  help: give the rule file another id or version",
            set.id(),
            set.version()
        );
        return Err(RequestFailure::Own(CommandError(message)));
    }
    let body = json!({"text": publishable(set)});
    api.post::<Value>("/v1/rule-sets", Some(&state.key("publish", &body)), &body).await.map(drop)
}

/// The text of a rule set to publish. It is the author's text, unless this extends a file that a server does not have:
/// then it is the rule set written out in full, without `extends`.
pub(super) fn publishable(set: &RuleSet) -> &str {
    let own = set.sources().first().map(|source| source.text.as_str()).unwrap_or_default();
    if digest_of(own).as_deref() == Some(set.digest()) { own } else { set.flattened() }
}

/// The digest of a rule text that extends bundled rule sets at most. `None` if it extends another file or has errors.
pub(super) fn digest_of(text: &str) -> Option<String> {
    let source = Source { name: "text".to_owned(), text: text.to_owned() };
    RuleSet::check(&source, &Bundled).ruleset.map(|set| set.digest().to_owned())
}

/// Prints the final table, and writes the records.
async fn finish(args: &Args, api: &Api, id: &str, show: &Show) -> Result<CommandEnding, RequestFailure> {
    let text = api.get_text(&format!("/v1/tournaments/{id}/export"), "application/json").await?;
    let export: ExportAnswer = serde_json::from_str(&text)
        .map_err(|error| RequestFailure::Unreachable(format!("the export of the tournament: {error}")))?;
    if let Some(path) = &args.records {
        let [written, missing] = outcome::write_records(api, &export, path).await?;
        let missing = if missing == 0 { String::new() } else { format!(", {missing} games have none") };
        show.say(&format!("{written} records in {}{missing}", path.display()));
    }
    match (args.json, args.csv) {
        (true, _) => print(&text)?,
        (_, true) => print(outcome::csv(&export))?,
        _ => {
            let title = export.tournament.title.as_deref().unwrap_or("Final table");
            print(format_args!("{title}\n{}", outcome::table(&export)))?;
        }
    }
    Ok(CommandEnding::Fine)
}
