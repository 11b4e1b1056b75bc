//! `pagade tournament simulate`: plays a tournament with robots, many times.

use std::num::NonZero;
use std::path::{Path, PathBuf};

use pagade::ground::cores::cores;
use pagade::tournament_file::Prepared;
use pagade::tournament_simulation::{Mean, SimulationSummary, TournamentPlan, run as play};
use pagade_robots::RobotKind;
use pagade_rules::source::counts;
use serde_json::json;

use super::api::RequestFailure;
use super::load::load;
use super::outcome::{aligned, described, number};
use crate::cli::ending::{CommandEnding, CommandError, print, print_json};
use crate::cli::progress;

const EXAMPLES: &str = "\
Examples:
  pagade tournament simulate cup.yaml
  pagade tournament simulate swiss.yaml groups.yaml knock-out.yaml --field thinker:1,hunter:7,random:8
  pagade tournament simulate cup.yaml --tournaments 5000 --seed 7 --seconds-a-decision 8 --json

Every tournament is played with other random draws and other throws. People and players play like the robot that
`plays_like` names in the file, or like `hunter`; `--field` names other robots for all entrants, in their order. The
strongest entrants are those with the best robot of the field: thinker, hunter, runner, random. If several entrants
share the first place, the winner is drawn at random.

A decision is a throw or an action. The hours are those of decisions that follow one after the other: all tables of a
round play at the same time, a round takes as long as its longest table, and pauses count. No decision takes longer than
the turn timer allows. The second number of hours supposes that every decision takes all the time of the turn timer.

Numbers in brackets are 95 % intervals. The same file, seed and number of tournaments give the same results, whatever
the number of threads.

Exit codes: 0 all tournaments were played; 1 a file has errors; 2 a file cannot be read, or the command line is wrong.";

/// Arguments of `pagade tournament simulate`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Tournament files; several are compared
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Number of tournaments
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    tournaments: u64,
    /// Seed of all random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of threads [default: one for each processor]
    #[arg(long)]
    threads: Option<NonZero<usize>>,
    /// Seconds that a player takes for a throw or an action
    #[arg(long, default_value_t = 4.0, value_name = "SECONDS", value_parser = parse_seconds)]
    seconds_a_decision: f64,
    /// Robots that play for the entrants, each with the number of entrants, such as `thinker:1,hunter:7`
    #[arg(long, value_name = "ROBOTS", value_delimiter = ',', value_parser = parse_share)]
    field: Vec<(RobotKind, usize)>,
    /// Print the results as JSON
    #[arg(long)]
    json: bool,
}

/// A file with the summary of its tournaments.
struct Simulated {
    name: String,
    title: String,
    described: String,
    summary: SimulationSummary,
}

/// Plays the tournaments of all files and prints their summaries.
pub(super) fn run(args: &Args) -> Result<CommandEnding, CommandError> {
    let mut prepared = Vec::new();
    let mut errors = 0;
    for path in &args.files {
        let loaded = pagade::serve::block_on(load(path, None)).map_err(RequestFailure::into_error)?;
        let problems = loaded.report.finish().1;
        for problem in &problems {
            eprintln!("{problem}\n");
        }
        errors += counts(&problems).0;
        prepared.extend(loaded.prepared.map(|prepared| (path, prepared)));
    }
    if errors > 0 {
        return Ok(CommandEnding::Failed);
    }
    let all: Result<Vec<Simulated>, CommandError> =
        prepared.iter().map(|(path, prepared)| simulate(args, path, prepared)).collect();
    let all = all?;
    if args.json {
        let files =
            all.iter().map(|one| json!({"file": one.name, "tournament": one.described, "summary": one.summary}));
        print_json(&files.collect::<Vec<_>>())?;
        return Ok(CommandEnding::Fine);
    }
    for one in &all {
        print(format_args!("{}\n", text(one)))?;
    }
    if all.len() > 1 {
        print(comparison(&all))?;
    }
    Ok(CommandEnding::Fine)
}

fn simulate(args: &Args, path: &Path, prepared: &Prepared) -> Result<Simulated, CommandError> {
    let strengths = strengths(args, path, prepared)?;
    let plan = TournamentPlan {
        prepared,
        strengths: &strengths,
        tournaments: args.tournaments,
        seed: args.seed,
        threads: args.threads.map_or_else(cores, NonZero::get),
        decision: (args.seconds_a_decision * 1000.0).round() as u64,
    };
    let bar = progress::bar(args.tournaments, "tournaments");
    let played = play(&plan, &|| bar.inc(1));
    bar.finish_and_clear();
    let tally = played.map_err(|error| CommandError::file(path, format!("the entrants cannot be paired: {error}")))?;
    let name = path.display().to_string();
    Ok(Simulated {
        title: prepared.title().map_or_else(|| name.clone(), str::to_owned),
        name,
        described: described(prepared),
        summary: SimulationSummary::new(&plan, &tally),
    })
}

/// The robots of the entrants: those of the file, or those of `--field` spread over the entrants.
fn strengths(args: &Args, path: &Path, prepared: &Prepared) -> Result<Vec<RobotKind>, CommandError> {
    let entrants = prepared.field.entrants.len();
    if args.field.is_empty() {
        return Ok(prepared.strengths());
    }
    let named: u128 = args.field.iter().map(|(_, count)| *count as u128).sum();
    if named != entrants as u128 {
        let cause = format!("`--field` names {named} robots for {entrants} entrants");
        return Err(CommandError::file(path, cause));
    }
    Ok(args.field.iter().flat_map(|(robot, count)| std::iter::repeat_n(*robot, *count)).collect())
}

fn parse_share(text: &str) -> Result<(RobotKind, usize), String> {
    let (robot, count) = text.split_once(':').unwrap_or((text, "1"));
    let robot = robot.trim().parse::<RobotKind>().map_err(|error| {
        let known = RobotKind::ALL.map(|kind| format!("`{kind}`")).join(", ");
        format!("{error}: there are {known}")
    })?;
    let count = count.trim().parse().map_err(|_| format!("`{count}` is no number of robots"))?;
    Ok((robot, count))
}

fn parse_seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.001..=1_209_600.0).contains(seconds));
    seconds.ok_or_else(|| "write a number of seconds above 0".to_owned())
}

/// The summary of one file.
fn text(Simulated { name, title, described, summary, .. }: &Simulated) -> String {
    let strongest = &summary.strongest;
    let who = match strongest.entrants {
        1 => format!("The strongest ({})", strongest.robot),
        count => format!("One of the {count} strongest ({})", strongest.robot),
    };
    let mut lines = vec![
        format!("{title} ({name}): {described}"),
        format!("{} tournaments, seed {}", summary.tournaments, summary.seed),
        String::new(),
        format!(
            "{who} wins {} {}; by chance alone {}",
            percent(strongest.wins),
            range(strongest.interval, percent),
            percent(strongest.fair)
        ),
        String::new(),
    ];
    let mut rows = vec![
        ["strength", "entrants", "win", "first", "first four", "upper half", "mean place"].map(str::to_owned).to_vec(),
    ];
    for strength in &summary.strengths {
        let up_to = |places: usize| percent(strength.places.iter().take(places).sum());
        rows.push(vec![
            strength.robot.to_owned(),
            strength.entrants.to_string(),
            format!("{} {}", percent(strength.wins), range(strength.interval, percent)),
            up_to(1),
            up_to(4),
            up_to(summary.entrants.div_ceil(2)),
            mean(strength.place),
        ]);
    }
    lines.push(aligned(rows, &[0]));
    lines.push(String::new());
    lines.push(format!(
        "Rounds {}; games {}; decisions {:.0} a game",
        mean(summary.rounds),
        mean(summary.games),
        summary.decisions_a_game
    ));
    lines.push(format!(
        "Hours {} at {} seconds a decision; nine of ten tournaments take at most {}",
        mean(summary.hours),
        number(summary.seconds_a_decision),
        number(summary.hours_of_nine_in_ten)
    ));
    if let Some(by_timer) = summary.hours_by_turn_timer {
        lines.push(format!("Hours {} if every decision takes all the time of the turn timer", mean(by_timer)));
    }
    if summary.stuck > 0 {
        lines.push(format!("{} games reached the turn cap; their entrants shared the first place", summary.stuck));
    }
    lines.join("\n")
}

/// The comparison of several files, as a table with one row for each file.
fn comparison(all: &[Simulated]) -> String {
    let head = ["file", "strongest wins", "by chance", "its mean place", "rounds", "games", "hours", "nine of ten"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for Simulated { name, summary, .. } in all {
        rows.push(vec![
            name.clone(),
            format!("{} {}", percent(summary.strongest.wins), range(summary.strongest.interval, percent)),
            percent(summary.strongest.fair),
            summary.strengths.first().map(|strength| mean(strength.place)).unwrap_or_default(),
            number(summary.rounds.mean),
            number(summary.games.mean),
            mean(summary.hours),
            number(summary.hours_of_nine_in_ten),
        ]);
    }
    aligned(rows, &[0])
}

fn mean(mean: Mean) -> String {
    let [low, high] = mean.interval;
    match number(low) == number(high) {
        true => number(mean.mean),
        false => format!("{} {}", number(mean.mean), range(mean.interval, number)),
    }
}

fn range([low, high]: [f64; 2], shown: fn(f64) -> String) -> String {
    format!("[{}, {}]", shown(low), shown(high))
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}
