//! Compares the fast engine with the general engine, at every decision of many games.

use crate::build::tests::ruleset;
use crate::bundled;
use crate::document::OptionKind;
use crate::play::engine::Engine;
use crate::play::quick::Bits;
use crate::play::{Action, Actions, Counts, Game, Phase, Quiet, State};
use crate::ruleset::{OptionValue, Options, RuleSet};
use crate::units::PathPlace;

/// A small crowded board whose rules use every feature that a plain rule set may have.
const CROWDED: &str = include_str!("plain.yaml");
/// Maximum number of steps of a game that are compared. Some games on the crowded board go on almost for ever.
const MAX_STEPS: usize = 3_000;

/// A small generator for tests: splitmix64.
pub(crate) struct Chance(pub u64);

impl Chance {
    pub(crate) fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (((z ^ z >> 31) >> 32) * u64::from(n) >> 32) as u32
    }
}

/// Plays at random from the opening, for at most this many steps. Calls `each` with every position in which an action
/// has to be chosen.
pub(crate) fn walk(engine: &Engine, chance: &mut Chance, steps: u32, mut each: impl FnMut(&State)) {
    let (mut state, mut open) = (engine.opening(engine.first_seat()), Actions::default());
    for _ in 0..steps {
        if state.phase == Phase::Over {
            break;
        } else if state.phase == Phase::Throw {
            let throw = engine.draw(&mut |n| chance.below(n));
            engine.throw_into(&mut state, &throw, &mut open, &mut Quiet).unwrap();
            continue;
        }
        each(&state);
        engine.legal_into(&state, &mut open);
        let action = open[chance.below(open.len() as u32) as usize];
        engine.play_unchecked(&mut state, &action, &mut open, &mut Quiet);
    }
}

/// A random position in which the pawns of each colour crowd on few squares, some of which the path visits twice.
pub(crate) fn crowd(engine: &Engine, chance: &mut Chance) -> State {
    let mut state = engine.opening(engine.seating.players[0]);
    let places = u32::from(engine.board.len);
    for &seat in &engine.seating.players {
        let some = [0; 2].map(|_| PathPlace(chance.below(places) as u8));
        let alike = |place: PathPlace, chance: &mut Chance| {
            let square = engine.square(seat, place);
            let same: Vec<_> = engine.board.places().filter(|&other| engine.square(seat, other) == square).collect();
            if square.is_none() { place } else { same[chance.below(same.len() as u32) as usize] }
        };
        for pawn in 0..engine.pawns.count as usize {
            state.at[seat.index()][pawn] = match chance.below(6) {
                0 => PathPlace(chance.below(places) as u8),
                _ => alike(some[chance.below(2) as usize], chance),
            };
        }
        // At least one pawn of each seat is not home, so that no seat has finished.
        if state.at[seat.index()][..engine.pawns.count as usize].iter().all(|&at| at == engine.board.home()) {
            state.at[seat.index()][0] = PathPlace(1);
        }
    }
    engine.settle_position(&mut state);
    state
}

/// The legal actions as the fast engine lists them. `None` if it leaves the position to the general engine.
fn quick_list(engine: &Engine, state: &State) -> Option<Vec<Action>> {
    let quick = engine.quick.as_ref().expect("a plain rule set");
    let bits = engine.quick_moves(quick, state)?;
    let bits = (0..Bits::BITS).filter(|bit| bits >> bit & 1 == 1);
    Some(bits.map(|bit| engine.quick_action(quick, state, bit)).collect())
}

/// Compares the legal actions of the two engines, which list them in the same order. Returns them.
fn compare_lists(engine: &Engine, state: &State) -> Actions {
    let listed = |actions: &[Action]| {
        let values =
            |action: &Action| (action.from, action.to, action.numbers, action.line, action.pawn, action.captures);
        actions.iter().map(values).collect::<Vec<_>>()
    };
    let legal = engine.legal(state);
    // No game reaches a position with two pairs of one text: three pawns on a square that the path visits twice.
    let all = listed(&legal);
    let is_reached = all.iter().enumerate().all(|(index, values)| !all[..index].contains(values));
    if is_reached && let Some(quick) = quick_list(engine, state) {
        assert_eq!(listed(&quick), listed(&legal), "{state:?} {:?}", engine.hand_texts(state));
    }
    legal
}

/// Compares the actions in random crowded positions.
fn compare_positions(engine: &Engine, positions: u64) {
    let mut chance = Chance(positions);
    for _ in 0..positions {
        let mut state = crowd(engine, &mut chance);
        for counter in 0..engine.counters.seat.len() {
            let (from, to) = engine.counters.seat[counter].range;
            state.counters[state.turn.index()][counter] = from + chance.below((to - from).min(2) as u32 + 1) as i16;
        }
        let throw = engine.draw(&mut |n| chance.below(n));
        engine.throw(&mut state, &throw, &mut Quiet).expect("a throw is due");
        let turn = state.turn;
        while state.phase == Phase::Move && state.turn == turn {
            let legal = compare_lists(engine, &state);
            let action = legal[chance.below(legal.len() as u32) as usize];
            engine.play(&mut state, &action, &mut Quiet).expect("a listed action is legal");
        }
    }
}

/// Plays games step by step and compares the actions at every decision.
fn compare_actions(engine: &Engine, games: u64) {
    for game in 0..games {
        let mut chance = Chance(game);
        let mut state = engine.opening(engine.seating.players[0]);
        for _ in 0..MAX_STEPS {
            match state.phase {
                Phase::Over => break,
                Phase::Throw => {
                    let throw = engine.draw(&mut |n| chance.below(n));
                    engine.throw(&mut state, &throw, &mut Quiet).expect("a throw is due");
                }
                _ => {
                    let legal = compare_lists(engine, &state);
                    let action = legal[chance.below(legal.len() as u32) as usize];
                    engine.play(&mut state, &action, &mut Quiet).expect("a listed action is legal");
                }
            }
        }
    }
}

/// Plays each game by whole turns and step by step, and compares the states after every turn.
fn compare_turns(engine: &Engine, games: u64) {
    for game in 0..games {
        let mut chance = Chance(game);
        let mut whole = Game::new(engine, engine.seating.players[0]);
        let mut stepped = *whole.state();
        for _ in 0..MAX_STEPS {
            if whole.is_over() {
                break;
            }
            let throw = engine.draw(&mut |n| chance.below(n));
            let mut again = Chance(chance.0);
            whole.play_turn(&throw, &mut |n| chance.below(n), &mut Counts::default()).expect("plain rules");
            let turn = stepped.turn;
            engine.throw(&mut stepped, &throw, &mut Quiet).expect("a throw is due");
            while stepped.phase == Phase::Move && stepped.turn == turn {
                let open = engine.legal(&stepped);
                let action = open[again.below(open.len() as u32) as usize];
                engine.play(&mut stepped, &action, &mut Quiet).expect("a listed action is legal");
            }
            assert_eq!(chance.0, again.0, "as many decisions in game {game}");
            assert!(whole.state() == &stepped, "game {game} after {throw:?}: {:?} {stepped:?}", whole.state());
        }
    }
}

/// Options drawn at random. One time in three on average, all options have their defaults.
pub(crate) fn drawn(ruleset: &RuleSet, chance: &mut Chance) -> Options {
    let mut options = Options::new();
    if chance.below(3) == 0 {
        return options;
    }
    for line in &ruleset.document().options {
        let value = match &line.kind {
            OptionKind::OneOf { words, .. } => {
                OptionValue::Word(words[chance.below(words.len() as u32) as usize].value.clone())
            }
            OptionKind::Truth { .. } => OptionValue::Truth(chance.below(2) == 1),
            OptionKind::Range { from, to, .. } => {
                OptionValue::Number(from.value + i64::from(chance.below((to.value - from.value + 1) as u32)))
            }
        };
        if chance.below(3) > 0 {
            options.insert(line.name.value.clone(), value);
        }
    }
    options
}

/// Makes tables of a rule set with random options, and returns those that are plain.
fn plain_tables(ruleset: &RuleSet, tables: usize) -> Vec<Engine> {
    let mut chance = Chance(tables as u64);
    let made = (0..tables).filter_map(|_| ruleset.table(&drawn(ruleset, &mut chance), None).ok());
    made.filter(|engine| engine.quick.is_some()).collect()
}

/// Compares games at random tables of a rule set. Returns the number of tables that are plain, and the number of those
/// whose whole turns are played at once.
fn compare(ruleset: &RuleSet, tables: usize) -> [usize; 2] {
    let plain = plain_tables(ruleset, tables);
    let mut whole = 0;
    for engine in &plain {
        compare_actions(engine, 3);
        compare_positions(engine, 300);
        if engine.quick.as_ref().is_some_and(|quick| quick.plays_whole_turns()) {
            compare_turns(engine, 3);
            whole += 1;
        }
    }
    [plain.len(), whole]
}

#[test]
fn the_short_way_plays_every_plain_bundled_game_as_the_long_way_does() {
    let bundled = bundled::SETS.iter().filter_map(|(id, _)| bundled::ruleset(id));
    let tables: Vec<[usize; 2]> = bundled.map(|ruleset| compare(&ruleset, 60)).collect();
    let [plain, whole] = [0, 1].map(|kind| tables.iter().map(|count| count[kind]).sum::<usize>());
    assert!(plain > 20 && whole > 10, "{plain} tables, {whole} with whole turns");
}

#[test]
fn the_short_way_is_not_taken_where_it_would_foresee_too_little() {
    for line in [
        "event: cut, when: pawns(inner) > 0, do: [cuts += 1]",
        "event: cut, do: send nearest to out",
        "event: home, do: [cuts += 1]",
        "event: moved, when: number = 5, do: [cuts += 1]",
        "event: pair_formed, do: [cuts = 0]",
    ] {
        assert!(!is_taken("event: cut, do: [cuts += victims]", line), "{line}");
    }
    for (finish, takes) in [("help: yes", true), ("help: cuts > 1", false), ("help: pawns(ring) < 2", false)] {
        let teams = format!("finish: {{play_on: yes, ends_turn: yes, {finish}}}\nteams: {{opposite: yes}}");
        assert_eq!(is_taken("finish: {play_on: yes}", &teams), takes, "{finish}");
    }
    let takes = |set: &RuleSet, pawns: i64| {
        let options = Options::from_iter([("max_on_square".to_owned(), OptionValue::Number(pawns))]);
        set.table(&options, None).is_ok_and(|table| table.quick.is_some())
    };
    let mut sets = bundled::SETS.iter().filter_map(|(id, _)| bundled::ruleset(id));
    let crossing = sets.find(|set| takes(set, 2)).expect("a plain set whose path visits squares twice");
    assert!(!takes(&crossing, 3), "three pawns on a square that the path visits twice");
}

/// Whether the fast engine plays the crowded board with a text in place of another one.
fn is_taken(text: &str, instead: &str) -> bool {
    assert!(CROWDED.contains(text), "{text}");
    let ruleset = ruleset(&CROWDED.replacen(text, instead, 1));
    ruleset.table(&Options::new(), None).expect("the defaults make a table").quick.is_some()
}

#[test]
fn the_short_way_plays_a_crowded_ring_as_the_long_way_does() {
    let variants = [
        ("", ""),
        ("each: 4, start: [0, 0, 2, 5]", "each: 6, start: [0, 0, 2, 5, 5, 9]"),
        ("each: 4, start: [0, 0, 2, 5]", "each: 3, start: [0, 0, 2]"),
        ("cut_to: 0", "cut_to: out"),
        ("pairs_on: [ring, inner]", "pairs_on: inner"),
        ("  gate: {after: 15, open_when: cuts >= needed, closed: $closed, lap_to: 0}\n", ""),
        ("finish: {play_on: yes}", "finish: {play_on: yes}\nteams: {opposite: yes}"),
        ("event: cut, do: [cuts += victims]", "event: cut, when: doublet, do: [cuts += victims]"),
        ("event: cut, do: [cuts += victims]", "event: cut, do: [cuts += number - 1 + face(2)]"),
        ("event: cut, do: [cuts += victims]", "event: cut, when: throws < 3, do: throw after"),
        ("event: cut, do: [cuts += victims]", "event: home, when: number > 1, do: throw after"),
        ("event: cut, do: [cuts += victims]", "event: lost, do: [cuts = 0]"),
        ("event: cut, do: [cuts += victims]", "event: throw, when: doublet and throws < 4, do: throw after"),
        ("open_when: cuts >= needed", "open_when: pawns(inner) + cuts > 1"),
    ];
    for (text, instead) in variants {
        assert!(CROWDED.contains(text), "{text}");
        let ruleset = ruleset(&CROWDED.replacen(text, instead, 1));
        let [plain, whole] = compare(&ruleset, 40);
        assert!(plain > 20, "{plain} tables with `{instead}`");
        let is_whole = !instead.contains("event: lost");
        assert_eq!(whole > 0, is_whole, "{whole} tables whose whole turns are played, with `{instead}`");
    }
}
