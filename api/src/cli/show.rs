//! `pagade show`: shows a summary of a rule set, or draws its board.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use pagade_rules::document::{Document, OptionKind, OptionLine};
use pagade_rules::picture::svg;
use pagade_rules::play::Engine;
use pagade_rules::play::Quiet;
use pagade_rules::position::{ByName, PositionSetup};
use pagade_rules::ruleset::RuleSet;
use pagade_rules::tables::{Dice, First, Grid, LineInfo};
use pagade_rules::texts::names;
use pagade_rules::units::{PathPlace, Seat};

use super::ending::{CommandEnding, CommandError, print};
use super::sets;
use super::table::TableArgs;

const EXAMPLES: &str = "\
Examples:
  pagade show pagade
  pagade show pagade --svg > board.svg
  pagade show pagade --svg --seat yellow --position 'red: 66 67 12 12; black: out 6 7 12' > position.svg

If --position leaves out a seat, its pawns stand where they start. `red: none` draws no pawns of red.

Exit codes: 0 success; 2 the rule set or the position cannot be read.";

/// Arguments of `pagade show`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    table: TableArgs,
    /// Draw the board as SVG
    #[arg(long)]
    svg: bool,
    /// Places of the pawns in the picture, such as "red: 66 67 12 12; black: out 6 7 12"
    #[arg(long, requires = "svg", value_name = "TEXT", value_parser = position)]
    position: Option<PawnLabels>,
    /// Seat whose path is drawn and whose labels are used
    #[arg(long, requires = "svg")]
    seat: Option<String>,
}

/// The labels of the places where each seat's pawns stand.
type PawnLabels = ByName<Vec<String>>;

/// Reads a position such as `red: 66 67 12 12; black: out 6 7 12`.
fn position(text: &str) -> Result<PawnLabels, String> {
    let seats = text.split(';').filter(|seat| !seat.trim().is_empty()).map(|seat| {
        let (name, places) = seat.split_once(':').ok_or("write it as `SEAT: PLACE PLACE ..; SEAT: ..`")?;
        let places = places.split([' ', ',']).filter(|place| !place.is_empty());
        Ok((name.trim().to_string(), places.map(str::to_string).collect()))
    });
    seats.collect::<Result<_, String>>().map(ByName)
}

/// Prints an overview of the rule set, or with `--svg` a picture of its board.
pub(super) fn run(args: &Args) -> Result<CommandEnding, CommandError> {
    let set = sets::load(&args.table.ruleset, Path::new(""))?;
    let engine = args.table.table_of(&set)?;
    print(if args.svg { picture(args, &engine)? } else { overview(&set, &engine) }.trim_end())?;
    Ok(CommandEnding::Fine)
}

/// Draws the board, with the pawns of a position if one is given.
fn picture(args: &Args, engine: &Engine) -> Result<String, CommandError> {
    let seat = args
        .seat
        .as_deref()
        .map(|name| engine.seat_named(name).ok_or_else(|| CommandError(format!("there is no seat `{name}`"))));
    let state = args.position.as_ref().map(|pieces| {
        let setup = PositionSetup { pieces: pieces.clone(), ..PositionSetup::default() };
        engine.set_up(&setup, &mut Quiet).map_err(|error| CommandError(format!("the position: {error}")))
    });
    Ok(svg(engine, state.transpose()?.as_ref(), seat.transpose()?))
}

/// Writes the overview of a rule set: head, table, options, rule lines.
fn overview(set: &RuleSet, engine: &Engine) -> String {
    let document = set.document();
    let mut text = String::new();
    let mut line = |what: &str, value: String| {
        if !value.is_empty() {
            let _ = writeln!(text, "{what:<9} {value}");
        }
    };
    line(set.id(), format!("{}, version {}, digest {}", set.title(), set.version(), set.digest()));
    let region = document.region.iter().chain(&document.period).map(|part| part.value.as_str());
    line("from", region.collect::<Vec<_>>().join(", "));
    let sources: Vec<&str> = document.sources.iter().map(|source| source.value.as_str()).collect();
    line("sources", sources.join("; "));
    line("about", document.about.as_ref().map(|about| about.value.trim().to_string()).unwrap_or_default());
    line("players", players(engine));
    line("board", board(engine));
    line("pawns", pawns(engine));
    line("dice", dice(&engine.throws.dice));
    write_options(&mut text, &document.options, engine);
    write_lines(&mut text, document, engine);
    text
}

fn players(engine: &Engine) -> String {
    let name = |player: Seat| {
        let others = engine.seating.colours_of(player).filter(|colour| *colour != player);
        let names: Vec<&str> = std::iter::once(player).chain(others).map(|seat| engine.seat_name(seat)).collect();
        names.join(" and ")
    };
    let names: Vec<String> = engine.seating.players.iter().map(|&player| name(player)).collect();
    let first = match engine.seating.first {
        First::Seat(seat) => format!("{} begins", engine.seat_name(seat)),
        First::Random => "a random seat begins".to_string(),
        First::Highest => "the seat with the highest throw begins".to_string(),
    };
    let teams = if engine.seating.teams { ", opposite seats are a team" } else { "" };
    format!("{}; {first}{teams}", names.join(", "))
}

fn board(engine: &Engine) -> String {
    let board = &engine.board;
    let Grid { columns, rows, arms, .. } = board.grid;
    let shape = match arms {
        None => format!("{columns} x {rows}"),
        Some(arms) => format!("{arms} arms of {} x {rows}", columns / arms),
    };
    let zones = board.zones.iter().map(|(name, places)| {
        let first = engine.label(PathPlace(places.trailing_zeros() as u8));
        let last = engine.label(PathPlace(127 - places.leading_zeros() as u8));
        match first == last {
            true if first == name => name.clone(),
            true => format!("{name} {first}"),
            false => format!("{name} {first}..{last}"),
        }
    });
    format!("{shape}, {} squares; path: {}", board.squares, zones.collect::<Vec<_>>().join(", "))
}

fn pawns(engine: &Engine) -> String {
    let of = |seat: Seat| {
        let places = engine.pawns.start[seat.index()].iter().take(usize::from(engine.pawns.count));
        places.map(|&place| engine.label(place)).collect::<Vec<_>>().join(" ")
    };
    let first = of(Seat(0));
    if engine.all_seats().all(|seat| of(seat) == first) {
        return format!("{} each, from {first}", engine.pawns.count);
    }
    let each = engine.all_seats().map(|seat| format!("{} from {}", engine.seat_name(seat), of(seat)));
    format!("{} each, {}", engine.pawns.count, each.collect::<Vec<_>>().join(", "))
}

fn dice(dice: &Dice) -> String {
    let list = |values: &[u8]| values.iter().map(u8::to_string).collect::<Vec<_>>().join(" ");
    match dice {
        Dice::Faces { count, faces } => format!("{count} with faces {}", list(faces)),
        Dice::Lots { count, values } => format!("{count} lots, worth {} by how many lie mouth up", list(values)),
    }
}

fn write_options(text: &mut String, options: &[OptionLine], engine: &Engine) {
    if options.is_empty() {
        return;
    }
    text.push_str("\noptions, with their values at this table (--option NAME=VALUE sets one)\n");
    let width = options.iter().map(|option| option.name.value.len()).max().unwrap_or_default();
    for option in options {
        let name = &option.name.value;
        let chosen = engine.identity.options.iter().find(|(other, _)| other == name);
        let chosen = chosen.map(|(_, value)| value.written()).unwrap_or_default();
        let choice = match &option.kind {
            OptionKind::OneOf { words, .. } => {
                words.iter().map(|word| word.value.as_str()).collect::<Vec<_>>().join(" | ")
            }
            OptionKind::Truth { .. } => "yes | no".to_string(),
            OptionKind::Range { from, to, .. } => format!("{} to {}", from.value, to.value),
        };
        let clauses = bracketed(&option.clauses);
        let _ = writeln!(text, "  {name:<width$} = {chosen} ({choice}): {}{clauses}", option.text.value);
    }
}

/// Writes the parts of the board and the lines that are in force at this table, each with its text and clauses.
fn write_lines(text: &mut String, document: &Document, engine: &Engine) {
    text.push_str("\nrule lines at this table, with their clauses\n");
    let texts: BTreeMap<String, &str> =
        names(document).into_iter().filter_map(|name| Some((name.path, name.text?))).collect();
    // Options are in the overview already. The other lines that are not in force are turned off by options.
    let is_described = |line: &LineInfo| {
        ["players.", "path.", "tags.", "counters.", "terms."].iter().any(|part| line.name.starts_with(part))
    };
    let described = engine.lines.iter().filter(|line| is_described(line));
    let lines: Vec<&LineInfo> = described.chain(engine.lines_in_force()).collect();
    let width = lines.iter().map(|line| line.name.len()).max().unwrap_or_default();
    for line in lines {
        let said = texts.get(&line.name).copied().unwrap_or_default();
        let shown = format!("{said}{}", bracketed(&line.clauses));
        let _ = writeln!(text, "{}", format!("  {:<width$}  {}", line.name, shown.trim_start()).trim_end());
    }
}

fn bracketed(clauses: &[String]) -> String {
    if clauses.is_empty() { String::new() } else { format!("  [{}]", clauses.join(" ")) }
}
