//! Draws random rule files: games on a small ring, in which pawns come home in every way that the language has.

use crate::common::Chance;

/// Effects that any event may have. Some of them send a pawn home.
const EFFECTS: &[&str] = &[
    "send nearest to home",
    "send nearest to h1",
    "send last_moved to home",
    "jump h1 to home",
    "jump 5 to home",
    "jump 2 to 6",
    "jump out to 0",
    "jump each to home where from in 4..6",
    "send each to home where tally > 1",
    "send each enemy to home where from in h1",
    "jump home to 3",
    "send each to h1 where from in ring and group = 1",
    "send each enemy to out where own_there = 1 and not finished",
    "send each enemy to home where from in lane",
    "jump each to home where from in lane",
    "jump each to 3 where from in 4..11",
    "bonus 1 times pawns(ring)",
    "throw again",
    "throw after",
    "bonus 2",
    "bonus 3 now",
    "bonus 1 last",
    "end turn",
    "undo turn",
    "tally += 1",
    "game.seen += 1",
    "each pawn.marked = (own_there = 1)",
];

/// Effects that the events of a move may have, too.
const EFFECTS_OF_MOVES: &[&str] =
    &["cut behind", "send this to from", "jump this to from", "jump this by 3", "pawn.marked = not own_there.marked"];

const CONDITIONS: &[&str] = &[
    "enemy_pawns(ring) > 3",
    "enemy_pawns(where own_there > 1 and other.tally < 2) > 0",
    "enemy_pairs(ring) = 0",
    "tally < 3",
    "game.seen % 3 = 1",
    "finished",
    "not finished",
    "pawns(home) > 0",
    "pawns(ring) > 0",
    "pawns(ring where group > 1) = 0",
    "pawns(where from in lane or own_there = 1) < 3",
    "throws < 3",
    "not is_turn",
];

const EVENTS: &[&str] = &[
    "turn_start",
    "throw",
    "spent",
    "turn_end",
    "any_turn_end",
    "moved",
    "entered",
    "left",
    "home",
    "lost",
    "cut",
    "stayed",
];

const SPEND: &[&str] = &[
    "move: pawn, from: [0, 4], with: die, along: [4, 8]",
    "move: [pawn, group], from: [out, ring], with: [die, sum], along: [0, 3, 6, 9, home]",
    "move: pawn, from: [out, ring, lane], with: die",
    "move: pawn, from: ring, with: die, steps: 2 * number",
    "move: pawn, from: ring, with: die, steps: 7 - number",
    "move: pawn, from: [ring, lane], with: die, route: bounce",
    "move: pawn, from: [ring, lane], with: sum",
    "move: pair, from: ring, with: doublet, steps: 2 * number",
    "move: pawn, from: ring, with: bonus, steps: number + 1",
    "move: pawn, from: out, with: die, exactly: 3, to: 0",
    "move: pawn, from: ring, with: die, exactly: 2, to: home",
    "move: pawn, from: [ring, lane], with: bonus",
    "move: pawn, from: ring, with: die, duty: voluntary",
    "move: pawn, from: lane, with: die, duty: last",
    "move: pawn, from: ring, with: die, when: pawns(ring where from > at(4)) < 2",
    "move: pawn, from: [ring, lane], with: sum, when: pawns(where own_there = 1 or from in lane) > 1",
    "move: pair, from: ring, with: doublet",
    "move: [pawn, pair], from: ring, with: [sum, doublet]",
    "move: group, from: ring, with: die",
    "move: pawn, from: home, with: die, route: outward, duty: voluntary",
    "move: pawn, from: [out, ring, lane, home], with: die, route: back",
    "move: pawn, from: ring, with: [sum, bonus], route: back, duty: voluntary",
    "move: pair, from: ring, with: doublet, route: back, steps: number + 1",
    "move: pawn, from: [ring, lane], with: die, route: bounce, bounce_at: 7",
    "move: [pawn, group], from: ring, with: [die, bonus], route: bounce, bounce_at: h1",
    "move: pawn, from: [out, ring], with: die, route: stay, when: tally < 2",
    "move: [pawn, pair, group], from: [ring, lane], with: [die, sum, bonus], route: stay, duty: voluntary",
];

/// Spend lines that need lines of `passing` with obstacles.
const AT_OBSTACLES: &[&str] = &[
    "move: pawn, from: [ring, lane], with: die, route: bounce, bounce_at: obstacle",
    "move: group, from: ring, with: die, route: bounce, bounce_at: obstacle",
];

const PASSING: &[&str] = &[
    "over: enemy, then: cut",
    "over: enemy single, by: pawn, then: cut",
    "over: pawn, in: 3..8, then: cut",
    "over: enemy pair, then: refuse",
    "over: own pair, then: refuse",
    "over: enemy, in: 5, then: pass",
];

const LANDING: &[&str] = &[
    "on: enemy, then: cut",
    "on: enemy, then: cut last",
    "on: own, then: join",
    "on: partner, then: join",
    "on: enemy, in: 3, then: stop before",
    "on: own pair, then: refuse",
    "on: own, when: own_there.marked, then: refuse",
    "on: enemy, when: other_pawns(where own_there > 1) > 0, then: refuse",
];

const CHOICES: &[&str] = &[
    "ask: before_throw, when: pawns(h1) > 0, do: jump h1 to home",
    "ask: before_throw, do: []",
    "ask: before_turn_end, when: pawns(ring) > 0, do: send nearest to home",
    "ask: before_turn_end, do: tally += 1",
    "ask: before_throw, who: next, when: tally < 3, do: [tally += 1, jump out to 0]",
    "ask: before_throw, who: previous, do: end turn",
    "ask: before_throw, who: others, argument: own_pair, do: send argument to h1",
    "ask: before_throw, who: others, argument: turn_pawn, when: argument in ring, do: send argument to out",
    "ask: before_turn_end, who: others, when: pawns(h1) > 0, do: jump h1 to home",
    "ask: before_turn_end, who: partner, argument: turn_pair, do: [other.tally += 1, throw after]",
    "ask: before_turn_end, who: others, argument: turn_pawn, when: there.marked, do: [send argument to home]",
    "ask: before_turn_end, who: next, argument: right_pawn, when: game.seen % 3 = 1, do: pounce from 4",
    "ask: before_turn_end, who: others, do: []",
];

const STARTS: &[&str] = &["out", "out", "0", "4", "h1", "home"];

/// Boards for four, six and eight seats. Each has four parts of a rule file: the grid with the names of the seats, the
/// `walk` of the zone `ring`, the `walk` of the zone `lane`, and for each player the colours that this player plays.
const BOARDS: [[&str; 4]; 3] = [
    ["grid: 5 x 5\n  seats: [south, east, north, west]", "from 2,4 E2 N4 W4 S1", "E1", "[south, north], [east, west]"],
    ["grid: 2 x 2\n  arms: 6\n  seats: [a, b, c, d, e, f]", "from 0,1 E11", "N1", "[a, d], [b, e], [c, f]"],
    ["grid: 2 x 2\n  arms: 8\n  seats: [a, b, c, d, e, f, g, h]", "from 0,1 E11", "N1", "[c, a, e, g], [b], [d, f, h]"],
];

/// Draws a rule file at random.
pub(crate) fn drawn(chance: &mut Chance) -> String {
    let pawns = if chance.below(8) == 0 { 4 + chance.below(13) } else { 1 + chance.below(3) };
    let start: Vec<&str> = (0..pawns).map(|_| one_of(STARTS, chance)).collect();
    let cut_to = ["", ", cut_to: home", ", cut_to: h1", ", cut_to: 0"][chance.below(4) as usize];
    let dice = ["count: 1", "count: 2", "count: 2"][chance.below(3) as usize];
    let (teams, play_on) = (yes_or_no(chance), yes_or_no(chance));
    let help = ["", ", help: yes"][chance.below(2) as usize];
    let passing = lines(PASSING, 3, chance, |line, _| line.to_owned());
    let turned = match passing.contains("refuse") && chance.below(2) == 0 {
        true => format!("  - {{id: turned, {}}}\n", one_of(AT_OBSTACLES, chance)),
        false => String::new(),
    };
    let [grid, ring, lane, colours] = BOARDS[[0, 0, 0, 1, 2][chance.below(5) as usize]];
    let stays = ["", "", ", stays: game.seen < 5"][chance.below(3) as usize];
    format!(
        "rules: drawn
version: 1.0.0
title: Drawn by chance
sources: Chance
{players}teams: {{opposite: {teams}}}
board:
  turned: anticlockwise
  {grid}
  path:
    - {{zone: out,  squares: out, off_board: yes}}
    - {{zone: ring, squares: 0..11, walk: \"{ring}\"}}
    - {{zone: lane, squares: h1, walk: \"{lane}\"}}
    - {{zone: home, squares: home}}
  pairs_on: ring
pawns: {{each: {pawns}, start: [{}]{cut_to}}}
dice: {{{dice}, faces: [1, 2, 3]}}
counters:
  seat: {{tally: {{from: 0, to: 9}}}}
  game: {{seen: {{from: 0, to: 30}}}}
  pawn: {{marked: {{truth: yes}}}}
turn: {{first: random, use_dice: {}, turn_cap: 400}}
spend:
  - {{id: go, move: pawn, from: [out, ring, lane], with: die}}
{turned}{}landing:
{}passing:
{passing}on:
{}choices:
{}finish: {{play_on: {play_on}, ends_turn: {}{help}{stays}}}
",
        start.join(", "),
        ["any", "most"][chance.below(2) as usize],
        lines(SPEND, 3, chance, |line, _| line.to_owned()),
        lines(LANDING, 4, chance, |line, _| line.to_owned()),
        lines(EVENTS, 5, chance, |event, chance| {
            let mut effects: Vec<&str> = (0..=chance.below(2)).map(|_| one_of(EFFECTS, chance)).collect();
            if matches!(event, "moved" | "entered" | "left" | "home" | "lost" | "cut") && chance.below(2) == 0 {
                effects.push(one_of(EFFECTS_OF_MOVES, chance));
            }
            if event == "throw" && chance.below(3) == 0 {
                effects.push(["drop throw", "drop hand"][chance.below(2) as usize]);
            }
            format!("event: {event}, when: \"{}\", do: [{}]", one_of(CONDITIONS, chance), effects.join(", "))
        }),
        lines(CHOICES, 4, chance, |line, _| line.to_owned()),
        yes_or_no(chance),
        // The colours of players are drawn last, so that the rest of a file does not depend on them.
        players = match chance.below(4) {
            0 => format!("players:\n  - {{colours: [{colours}]}}\n"),
            _ => String::new(),
        },
    )
}

/// Writes up to `most` lines of a table, drawn from `forms`.
fn lines(forms: &[&str], most: u32, chance: &mut Chance, mut line: impl FnMut(&str, &mut Chance) -> String) -> String {
    let count = chance.below(most + 1);
    let lines = (0..count).map(|index| {
        let form = one_of(forms, chance);
        format!("  - {{id: l{index}, {}}}\n", line(form, chance))
    });
    let lines: String = lines.collect();
    if lines.is_empty() { "  []\n".to_owned() } else { lines }
}

fn one_of<'f>(forms: &[&'f str], chance: &mut Chance) -> &'f str {
    forms[chance.below(forms.len() as u32) as usize]
}

fn yes_or_no(chance: &mut Chance) -> &'static str {
    ["yes", "no"][chance.below(2) as usize]
}
