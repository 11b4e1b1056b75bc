//! What is not wrong but probably not meant: names nobody reads, lines that never count, squares out of reach.

use super::builder::Builder;
use super::findings::Findings;
use super::lines::Ids;
use super::path::Path;
use super::scope::Scope;
use super::trials::{Seen, combinations};
use crate::document::{Document, Expr, Line};
use crate::play::state::{MAX_PLACES, MAX_STEP, WALL};
use crate::tables::{Answer, Dice, Effect, Op, Places, Route, Rules, Spend, With};

/// Adds the warnings.
pub(crate) fn warn(document: &Document, path: &Path, ids: &Ids, seen: &Seen, report: &mut Findings) {
    unread(document, seen, report);
    shadowed(document, ids, seen, report);
    never_hold(document, path, report);
    out_of_reach(document, path, seen, report);
    never_used(document, ids, seen, report);
}

fn unread(document: &Document, seen: &Seen, report: &mut Findings) {
    for option in document.options.iter().filter(|option| !seen.read.contains(&option.name.value)) {
        let message = format!("nothing asks for the option `{}`", option.name.value);
        report.warning("option-unread", option.name.span, message, Some("use it, or leave it out".to_owned()));
    }
    let sections = [("", &document.seat_counters), ("game.", &document.game_counters), ("pawn.", &document.pawn_marks)];
    for (prefix, counters) in sections {
        for counter in counters {
            let name = format!("{prefix}{}", counter.name.value);
            if !seen.read.contains(&name) {
                let help = Some("use it, or leave it out".to_owned());
                report.warning("counter-unread", counter.name.span, format!("nothing asks for `{name}`"), help);
            }
        }
    }
}

fn shadowed(document: &Document, ids: &Ids, seen: &Seen, report: &mut Findings) {
    for (section, lines) in [("landing", &document.landing), ("passing", &document.passing)] {
        for (index, line) in lines.iter().enumerate() {
            let id = ids.of(section, index);
            if seen.shadowed.contains(&id) && !seen.deciding.contains(&id) {
                let message = format!("earlier lines leave nothing for `{}` to decide", line.line.id.value);
                let help = Some("the first line that fits decides: move it up, or leave it out".to_owned());
                report.warning("line-never-fits", line.line.span, message, help);
            }
        }
    }
}

/// Lines whose condition no choice of options lets hold.
fn never_hold(document: &Document, path: &Path, report: &mut Findings) {
    let landing = document.landing.iter().chain(&document.passing).map(|line| (&line.line, Scope::VERDICT));
    let spend = document.spend.iter().map(|line| (&line.line, Scope::SPEND));
    let must = document.must.iter().map(|line| (&line.line, Scope::SPEND));
    let numbers = document.numbers.iter().map(|line| (&line.line, Scope::NUMBERS));
    for (line, scope) in landing.chain(spend).chain(must).chain(numbers) {
        let Some(when) = &line.when else { continue };
        if never(document, path, when, scope) {
            warn_never(line, when, report);
        }
    }
}

fn never(document: &Document, path: &Path, when: &Expr, scope: Scope) -> bool {
    let tried = combinations(document, [when]);
    tried.all
        && tried.values.into_iter().all(|values| {
            let mut builder = Builder::new(document, path, values);
            builder.players = Some(document.board.seats.len() as u8);
            let (_, term) = builder.resolve(when, scope);
            builder.report.errors() == 0 && term.known_truth() == Some(false)
        })
}

fn warn_never(line: &Line, when: &Expr, report: &mut Findings) {
    let message = format!("`{}` never holds, whatever the options", line.id.value);
    report.warning("never-holds", when.span, message, Some("mend the condition, or leave the line out".to_owned()));
}

fn out_of_reach(document: &Document, path: &Path, seen: &Seen, report: &mut Findings) {
    for (zone, line) in document.board.path.iter().enumerate() {
        let missed = |&place: &usize| path.zone[place] as usize == zone && seen.reached >> place & 1 == 0;
        let labels: Vec<&str> =
            (1..path.labels.len()).filter(missed).map(|place| path.labels[place].as_str()).collect();
        if let [first, rest @ ..] = labels.as_slice() {
            let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
            let message = format!("no pawn can come to `{first}`{more}");
            let help = Some("look at where pawns begin and at the ways of spending".to_owned());
            report.warning("out-of-reach", line.line.span, message, help);
        }
    }
}

/// Spending lines that no throw and no bonus offers anything to.
fn never_used(document: &Document, ids: &Ids, seen: &Seen, report: &mut Findings) {
    for (index, line) in document.spend.iter().enumerate() {
        let id = ids.of("spend", index);
        if seen.idle.contains(&id) && !seen.useful.contains(&id) {
            let message = format!("no throw gives what `{}` spends, or no pawn stands there", line.line.id.value);
            let help = Some("look at the dice, at `exactly` and at `from`".to_owned());
            report.warning("line-never-used", line.line.span, message, help);
        }
    }
}

/// Whether some throw or bonus offers something to a spending line, for a pawn that can stand where it must.
pub(crate) fn is_useful(rules: &Rules, line: &Spend, code: &[Op], reached: Places) -> bool {
    line.from & reached != 0 && steps(rules, line, code) != 0
}

/// The places that pawns can come to, whoever stands in the way and whatever the conditions say.
pub(crate) fn reached(rules: &Rules, code: &[Op]) -> Places {
    let board = &rules.board;
    let mut found: Places = rules.start[..rules.pawns as usize].iter().fold(0, |all, &place| all | 1 << place);
    if [Answer::Cut, Answer::CutLast, Answer::CutLastOfAll].iter().any(|&answer| rules.landing.can_answer(answer)) {
        found |= 1 << rules.cut_to;
    }
    let rules_effects = rules.on.iter().flatten().flat_map(|rule| &rule.effects);
    for effect in rules_effects.chain(rules.choices.iter().flat_map(|choice| &choice.effects)) {
        match effect {
            Effect::Send(_, place) | Effect::Jump(_, place) => found |= 1 << place,
            Effect::Pounce(_) => found |= rules.landing_squares(),
            _ => {}
        }
    }
    // What the lines may take together from every place, by the way they go.
    let mut ways = [[0u64; MAX_PLACES]; 3];
    let mut carried: [Places; MAX_PLACES] = [0; MAX_PLACES];
    for line in &rules.spend {
        let steps = steps(rules, line, code);
        for place in (0..MAX_PLACES).filter(|place| steps != 0 && line.from >> place & 1 == 1) {
            match line.route {
                Route::To(to) => carried[place] |= 1 << to,
                Route::Ahead | Route::Lap => ways[0][place] |= steps,
                Route::Bounce => ways[1][place] |= steps,
                Route::Outward | Route::Recoil => ways[2][place] |= steps,
            }
        }
    }
    let home = board.len - 1;
    let mut out: [Places; MAX_PLACES] = [0; MAX_PLACES];
    for place in 0..home {
        out[board.outward[place as usize] as usize] |= 1 << place;
    }
    let bits = |steps: u64| (1..=MAX_STEP).filter(move |step| steps >> step & 1 == 1);
    let mut open = found;
    while open != 0 {
        let place = open.trailing_zeros() as u8;
        open &= open - 1;
        let [ahead, bounce, outward] = [0, 1, 2].map(|way: usize| ways[way][place as usize]);
        let mut reach = carried[place as usize];
        for step in bits(ahead | bounce) {
            for gate in if place > board.gate_at { 1..2 } else { 0..2 } {
                let target = place as usize + step as usize;
                if board.square[gate][0][target] != WALL {
                    reach |= 1 << board.lands[gate][target];
                }
            }
        }
        for step in bits(bounce) {
            let beyond = (place + step).saturating_sub(home);
            if beyond > 0 && beyond < home {
                reach |= 1 << (home - beyond);
            }
        }
        for step in bits(outward) {
            let target = board.outward[place as usize] + step;
            if target < home {
                reach |= 1 << target | out[target as usize];
            }
        }
        open |= reach & !found;
        found |= reach;
    }
    found
}

impl Rules {
    /// Every place that is a square of the board.
    fn landing_squares(&self) -> Places {
        (1..self.board.len - 1).fold(0, |all, place| all | 1 << place)
    }
}

/// The steps that a line may take, a bit each: as thrown where nothing else is said, else any.
fn steps(rules: &Rules, line: &Spend, code: &[Op]) -> u64 {
    let any = (1u64 << (MAX_STEP + 1)) - 2;
    let numbers = if rules.numbers.is_empty() || line.with == With::Bonus { numbers(rules, line, code) } else { any };
    let numbers = match line.exactly {
        0 => numbers,
        exactly => numbers & 1u64.checked_shl(u32::from(exactly)).unwrap_or(0),
    };
    if line.steps.is_some() && numbers != 0 { any } else { numbers & any }
}

/// The numbers that a line may spend, where throws count as they fall.
fn numbers(rules: &Rules, line: &Spend, code: &[Op]) -> u64 {
    let (count, die) = match &rules.dice {
        Dice::Faces { count, faces } => (*count, faces.iter().fold(0, |all, face| all | 1u64 << (face & 63))),
        Dice::Lots { values, .. } => (1, values.iter().fold(0, |all, value| all | 1u64 << (value & 63))),
    };
    let faces = || (0..=MAX_STEP).filter(|face| die >> face & 1 == 1);
    match line.with {
        With::Die => die,
        With::Doublet if count > 1 => die,
        With::Sum if count > 1 => (0..count)
            .fold(1, |sums: u64, _| faces().fold(0, |all, face| all | sums.checked_shl(u32::from(face)).unwrap_or(0))),
        With::Triplet if count > 2 => die,
        With::Doublet | With::Triplet | With::Sum => 0,
        With::Bonus => bonuses(rules, code),
    }
}

/// The bonuses that rules grant, a bit each; any where one is worked out while playing.
fn bonuses(rules: &Rules, code: &[Op]) -> u64 {
    let rules_effects = rules.on.iter().flatten().flat_map(|rule| &rule.effects);
    let effects = rules_effects.chain(rules.choices.iter().flat_map(|choice| &choice.effects));
    effects.fold(0, |all, effect| match effect {
        Effect::Bonus(program, _) => match code.get(program.start as usize) {
            Some(Op::Push(steps)) if program.len == 1 => all | 1u64 << (steps & 63),
            _ => u64::MAX,
        },
        _ => all,
    })
}
