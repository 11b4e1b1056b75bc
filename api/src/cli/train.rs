//! `pagade train`: lets a robot learn by playing against itself.

use std::fs::{self, OpenOptions};
use std::num::NonZero;
use std::path::{Path, PathBuf};

use pagade::ground::cores::cores;
use pagade_robots::training::{Course, games_for, lesson};
use pagade_robots::{Lesson, MeasuredStrength};
use pagade_rules::bundled;
use pagade_rules::play::Engine;
use pagade_rules::ruleset::{Options, RuleSet};

use super::ending::{CommandEnding, CommandError, print};
use super::progress;
use super::sets;
use super::table::OptionArgs;

const EXAMPLES: &str = "\
Examples:
  pagade train pagade --players 2 --games 5000 --out pagade.ndjson
  pagade train ./my-pagade.yaml --out my-pagade.ndjson
  pagade simulate ./my-pagade.yaml --players 2 --robots learned,hunter --lessons my-pagade.ndjson
  pagade train --bundled --out api/robots/src/lessons.ndjson

Plays games of the robot against itself, and finds the weights by which `learned` values positions: for the rule set,
and for each number of players that it seats, with the default options unless --option chooses others. The file has one
JSON object a line: the weights, the digest of the rule set, the seed, the number of games, and games against other
robots. If the weights lose against `hunter`, bolder ones are compared with them, and the better ones are written. The
same rule set, seed and number of games give the same bytes, whatever the number of threads.

A file that is there already keeps its lines of other rule sets and numbers of players. --bundled trains every table of
every bundled rule set whose line is missing, or whose digest is no longer that of the rule set.

Exit codes: 0 trained; 2 the rule set cannot be read, or the file cannot be written.";

/// Arguments of `pagade train`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Id of a rule set, or path of a rule file
    #[arg(required_unless_present = "bundled", conflicts_with = "bundled")]
    ruleset: Option<String>,
    /// Train all bundled rule sets, for each number of players that has no weights yet
    #[arg(long)]
    bundled: bool,
    /// Number of players [default: every number that the rule set seats]
    #[arg(long, value_name = "N")]
    players: Option<usize>,
    #[command(flatten)]
    options: OptionArgs,
    /// Number of games [default: 1000 for two players, fewer for more]
    #[arg(long)]
    games: Option<NonZero<u64>>,
    /// Seed of all random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of threads [default: one for each processor]
    #[arg(long)]
    threads: Option<NonZero<usize>>,
    /// File for the weights (lessons); written after each number of players
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Trains the tables one after another, and writes each into the file.
pub(super) fn run(args: &Args) -> Result<CommandEnding, CommandError> {
    let sets: Vec<RuleSet> = match &args.ruleset {
        Some(name) => vec![sets::load(name, Path::new(""))?],
        None => bundled::SETS.iter().filter_map(|(id, _)| bundled::ruleset(id)).collect(),
    };
    let mut lessons = read(&args.out)?;
    for set in &sets {
        for engine in tables(set, &set.typed(&args.options.by_name()), args.players)? {
            let is_same = |lesson: &&Lesson| is_of(lesson, &engine);
            let old = lessons.iter().find(is_same);
            if args.bundled && old.is_some_and(|old| old.origin.digest == engine.identity.digest) {
                continue;
            }
            check_writable(&args.out)?;
            let learned = train(args, &engine);
            print(format_args!("{}", lesson_line(&learned)))?;
            lessons.retain(|lesson| !is_of(lesson, &engine));
            lessons.push(learned);
            write(&args.out, &mut lessons)?;
        }
    }
    if args.bundled {
        lessons.retain(|lesson| sets.iter().any(|set| set.id() == lesson.origin.ruleset));
        write(&args.out, &mut lessons)?;
    }
    Ok(CommandEnding::Fine)
}

/// Lets learned robots play at this table by the lesson of a file.
///
/// # Errors
/// The file cannot be read, or has no lesson of this rule set, digest and number of players.
pub(super) fn teach(engine: &Engine, path: &Path) -> Result<(), CommandError> {
    let fits = |lesson: &Lesson| is_of(lesson, engine) && lesson.origin.digest == engine.identity.digest;
    let weights = read(path)?.into_iter().find(fits).and_then(|lesson| lesson.weights());
    let players = engine.seating.players.len();
    let missing = || format!("no lesson for `{}` as it is now, with {players} players", engine.identity.id);
    pagade_robots::teach(engine, weights.ok_or_else(|| CommandError::file(path, missing()))?);
    Ok(())
}

fn train(args: &Args, engine: &Engine) -> Lesson {
    let players = engine.seating.players.len();
    let course = Course {
        games: args.games.map_or_else(|| games_for(players), NonZero::get),
        seed: args.seed,
        threads: args.threads.map_or_else(cores, NonZero::get),
        until: None,
    };
    let bar = progress::bar(course.games, &format!("games of {players}, {}", engine.identity.id));
    let learned = lesson(engine, &course, &mut |games| {
        bar.inc(games);
        true
    });
    bar.finish_and_clear();
    learned
}

/// Whether a lesson is of this rule set and number of players.
fn is_of(lesson: &Lesson, engine: &Engine) -> bool {
    lesson.origin.ruleset == engine.identity.id && lesson.origin.players == engine.seating.players.len()
}

/// One table for each number of players that the rule set seats, or for the given number only.
fn tables(set: &RuleSet, options: &Options, players: Option<usize>) -> Result<Vec<Engine>, CommandError> {
    let problem = |problems: Vec<_>| {
        let message = |problem: &pagade_rules::ruleset::TableProblem| problem.message.to_string();
        CommandError(problems.iter().map(message).collect::<Vec<_>>().join("\n"))
    };
    let mut tables: Vec<Engine> = Vec::new();
    for seats in set.playable_tables(options).map_err(problem)? {
        let count = seats.players.len();
        let is_known = tables.iter().any(|table| table.seating.players.len() == count);
        if count > 1 && !is_known && players.is_none_or(|wanted| wanted == count) {
            tables.push(set.table(options, Some(&seats.players)).map_err(problem)?);
        }
    }
    match players {
        Some(count) if tables.is_empty() => {
            Err(CommandError(format!("`{}` has no table of {count} players with these options", set.id())))
        }
        _ => Ok(tables),
    }
}

/// One line about a lesson: its table, and how often it wins against other robots.
fn lesson_line(lesson: &Lesson) -> String {
    let won = |&MeasuredStrength { ref against, games, wins }: &MeasuredStrength| {
        format!("{against} {:.0} %", 100.0 * wins as f64 / games.max(1) as f64)
    };
    let origin = &lesson.origin;
    let won: Vec<String> = origin.strength.iter().map(won).collect();
    format!("{}, {} players, {} games: wins against {}", origin.ruleset, origin.players, origin.games, won.join(", "))
}

/// Reads the lessons of a file. A missing file has no lessons.
fn read(path: &Path) -> Result<Vec<Lesson>, CommandError> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = fs::read_to_string(path).map_err(|error| CommandError::file(path, error))?;
    let lesson = |line| serde_json::from_str(line).map_err(|error| CommandError::file(path, error));
    text.lines().map(lesson).collect()
}

/// Checks that the lessons can be written, before games are played that take hours. A missing file is created.
fn check_writable(path: &Path) -> Result<(), CommandError> {
    let opened = OpenOptions::new().append(true).create(true).open(path);
    opened.map(drop).map_err(|error| CommandError::file(path, format!("the weights cannot be written: {error}")))
}

/// Writes lessons, sorted by rule set and number of players.
fn write(path: &Path, lessons: &mut [Lesson]) -> Result<(), CommandError> {
    lessons.sort_by_key(|lesson| (lesson.origin.ruleset.clone(), lesson.origin.players));
    let line = |lesson: &Lesson| serde_json::to_string(lesson).expect("a lesson has only names and numbers") + "\n";
    fs::write(path, lessons.iter().map(line).collect::<String>()).map_err(|error| CommandError::file(path, error))
}
