//! The longest banks.

use std::time::Instant;

use super::*;

thread_local! {
    static PACKED: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
    /// How many positions each look ahead has tried.
    static WORK: std::cell::RefCell<Vec<u32>> = const { std::cell::RefCell::new(Vec::new()) };
}

pub(in super::super) fn note(tried: u32, packed: u32) {
    WORK.with_borrow_mut(|w| w.push(tried));
    PACKED.set(PACKED.get() + packed);
}

#[test]
fn experiment() {
    use crate::ruleset::OptionValue;
    let set = bundled::ruleset("chopat").unwrap();
    let word = |w: &str| OptionValue::Word(w.into());
    let tables = [
        ("four", set.table(&Options::new(), None).unwrap()),
        ("partners", set.table(&Options::from([("mode".to_owned(), word("partnership"))]), None).unwrap()),
        ("two", set.table(&Options::new(), Some(&["black".to_owned(), "yellow".to_owned()])).unwrap()),
    ];
    for (name, rules) in &tables {
        let Dice::Faces { faces, .. } = &rules.dice else { panic!() };
        let mut all: Vec<(u128, u32, u32, String)> = Vec::new();
        let seeds: u64 = std::env::var("SEEDS").map_or(40, |s| s.parse().unwrap());
        for seed in (0..seeds).filter(|s| std::env::var("HARD").is_err() || [291,164,430,383,344,311,200,275,76,414,234,114,391].contains(s)) {
            let mut chance = Chance(seed);
            let Some(mut state) = mid_game(rules, &mut chance) else { continue };
            if !twenty(rules, faces, &mut state, &mut chance) { continue };
            let mut n = 0;
            while state.phase == Phase::Move {
                WORK.with_borrow_mut(Vec::clear); PACKED.set(0);
                let begun = Instant::now();
                let legal = rules.legal(&state);
                let took = begun.elapsed().as_micros();
                let (sum, most) = WORK.with_borrow(|w| (w.iter().sum::<u32>(), w.iter().copied().max().unwrap_or(0)));
                all.push((took, sum, most, format!("walks {} finished {} atmost {} packed {} seed {seed} dec {n} at {:?} legal {} hand {:?} searches {} {}", rules.only_walks_home(&state, false), state.has_finished(rules.colour(&state)), rules.at_most(&state, state.numbers_left(), false), PACKED.get(), state.at[rules.colour(&state).index()], legal.len(), hand(&state), WORK.with_borrow(Vec::len), if most > super::super::MOST_TRIED {"EXHAUSTED"} else {""})));
                if std::env::var("HARD").is_ok() && most > super::super::MOST_TRIED { explain(rules, &state); }
                let a = legal[chance.below(legal.len() as u32) as usize];
                rules.play(&mut state, &a, &mut Quiet).unwrap();
                n += 1;
            }
        }
        all.sort();
        all.reverse();
        let mut by: Vec<u32> = all.iter().map(|x| x.1).collect(); by.sort(); let q = |f: f64| by[((by.len()-1) as f64 * f) as usize];
        println!("tried: mean {} p50 {} p90 {} p95 {} p99 {} p100 {}", by.iter().map(|x| *x as u64).sum::<u64>() / by.len() as u64, q(0.5), q(0.9), q(0.95), q(0.99), q(1.0));
        println!("{name}: {} decisions, median {:?}, over 10ms: {}, exhausted {}", all.len(), all[all.len()/2].0, all.iter().filter(|x| x.0 > 10000).count(), all.iter().filter(|x| x.2 > super::super::MOST_TRIED).count());
        for x in all.iter().take(2) { println!("{x:?}"); }
        all.sort_by_key(|x| std::cmp::Reverse(x.1));
        for x in all.iter().filter(|x|x.2>1500).take(40) { println!("{x:?}"); }
    }
}

fn hand(state: &State) -> Vec<(Vec<u8>, u8)> {
    state.hand.banked[..state.hand.throws as usize].iter().filter(|t| t.left > 0).map(|t| ((0..2).filter(|i| t.left >> i & 1 == 1).map(|i| t.numbers[i]).collect(), t.moved)).collect()
}

fn mid_game(rules: &Rules, chance: &mut Chance) -> Option<State> {
    let mut state = rules.opening(rules.players[0]);
    let most = chance.below(if rules.players.len() == 2 { 200 } else { 700 });
    let mut n = 0;
    loop {
        match state.phase {
            Phase::Over => return None,
            Phase::Throw if n >= most && state.thrown == 0 => return Some(state),
            Phase::Throw => {
                let throw = rules.draw(&mut |n| chance.below(n));
                rules.throw(&mut state, &throw, &mut Quiet).unwrap();
            }
            _ => {
                let legal = rules.legal(&state);
                let a = legal[rules.pick(&legal, &mut |n| chance.below(n))];
                rules.play(&mut state, &a, &mut Quiet).unwrap();
                n += 1;
            }
        }
    }
}

fn twenty(rules: &Rules, faces: &[u8], state: &mut State, chance: &mut Chance) -> bool {
    let colour = rules.colour(state);
    let turn = state.turn;
    for name in ["kajalvun", "first_throw_done"] {
        let index = rules.counters.iter().position(|c| c.name == name).unwrap();
        state.counters[colour.index()][index] = 1;
    }
    for i in 0..21 {
        let a = faces[chance.below(4) as usize];
        let b = if i < 20 { a } else { faces[(faces.iter().position(|f| *f == a).unwrap() + 1) % 4] };
        if state.phase != Phase::Throw || state.turn != turn { return false; }
        rules.throw(state, &Throw { faces: [a, b, 0, 0], count: 2, up: None }, &mut Quiet).unwrap();
    }
    state.turn == turn && state.hand.throws == 21
}

fn explain(rules: &Rules, state: &State) {
    println!("== {:?} marks {:?} counters {:?} {:?}", rules.identity.id, state.marks, state.counters, state.at);
    println!("{:?}", hand(state));
    let mut actions = Actions::default();
    rules.candidates(state, rules.colour(state), Duty::Ordinary, &mut actions);
    if actions.is_empty() { println!("no ordinary"); }
    rules.candidates(state, rules.colour(state), Duty::Voluntary, &mut actions);
    for action in actions.iter() {
        let mut next = *state;
        rules.perform(&mut next, action, &mut Quiet);
        let most = rules.at_most(&next, next.numbers_left(), false);
        print!("{} {} {:?}: ", action.from, action.to, rules.wording(state, action));
        for aim in (most.saturating_sub(8)..=most).rev() {
            rules.look_far(&next, false, |search| {
                let mut spent = 0;
                let mut how = String::new();
                if !rules.may_fit(&next, aim, search) { how += "U"; }
                else {
                    let mut actions = Actions::default();
                    rules.candidates(&next, rules.colour(&next), Duty::Ordinary, &mut actions);
                    for a in actions.iter() { spent = spent.max(rules.spends_in_some_order(&next, a, aim, search)); if spent >= aim || search.is_exhausted() { break; } }
                    how += if spent >= aim { "Y" } else if search.is_exhausted() { "?" } else { "N" };
                }
                print!("{aim}{how}({}) ", search.tried);
            });
        }
        println!();
    }
}
