//! Checks that the engine allocates no memory while a game is played.

use pagade_rules::bundled::{self, Bundled};
use pagade_rules::play::state::Banked;
use pagade_rules::play::{Actions, Counts, Engine, Game, Phase, Quiet, Seat};
use pagade_rules::ruleset::{Options, RuleSet};
use pagade_rules::source::Source;
use pagade_rules::units::Pips;

/// Maximum number of steps that the test plays of one game. Some random games go on almost for ever.
const MAX_STEPS: usize = 5_000;

/// Plays a random game and returns the number of actions.
///
/// With `turns` it plays whole turns if the rules allow that, otherwise single steps.
fn play(game: &mut Game<'_>, engine: &Engine, chance: &mut u64, turns: bool) -> u64 {
    let mut below = |n: u32| {
        *chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*chance >> 33) as u32 % n
    };
    let mut actions = 0;
    game.restart(engine.seating.players[0]);
    for _ in 0..MAX_STEPS {
        if game.is_over() {
            break;
        }
        if game.needs_throw() {
            let throw = engine.draw(&mut below);
            let played = if turns { game.play_turn(&throw, &mut below, &mut Counts::default()) } else { None };
            match played {
                Some(played) => actions += u64::from(played),
                None => game.throw_drawn(&throw, &mut Quiet),
            }
        } else {
            let index = game.pick(&mut below);
            game.play_nth(index, &mut Quiet);
            actions += 1;
        }
    }
    actions
}

#[test]
fn after_the_first_game_no_bundled_rule_set_allocates_while_playing() {
    for ((id, _), turns) in bundled::SETS.iter().flat_map(|set| [(set, false), (set, true)]) {
        let engine = bundled::ruleset(id).unwrap().table(&Options::new(), None).unwrap();
        let mut game = Game::new(&engine, Seat::default());
        let mut chance = 1;
        play(&mut game, &engine, &mut chance, turns);
        let mut actions = 0;
        let counted = allocation_counter::measure(|| {
            for _ in 0..40 {
                actions += play(&mut game, &engine, &mut chance, turns);
            }
        });
        assert!(actions > 1000, "{id}: {actions} actions");
        assert_eq!(counted.count_total, 0, "{id}: allocations in {actions} actions");
    }
}

#[test]
fn a_long_bank_is_looked_ahead_over_without_allocating() {
    let text = "rules: banker\nversion: 1.0.0\ntitle: Doublets throw again\nextends: pagade\n\
                options: {doublet_extra_throw: {default: yes}}\nturn: {reunite: turn}\n";
    let checked = RuleSet::check(&Source { name: "banker.yaml".into(), text: text.into() }, &Bundled);
    let engine = checked.ruleset.unwrap().table(&Options::new(), None).unwrap();
    let mut state = engine.opening(engine.seating.players[0]);
    for (i, banked) in state.hand.banked[..20].iter_mut().enumerate() {
        let face = [1, 3, 4, 6][i % 4];
        *banked =
            Banked { numbers: [face, face, 0, 0].map(Pips), left: 3, flags: Banked::DOUBLET, ..Banked::default() };
    }
    state.hand.throws = 20;
    state.phase = Phase::Move;
    let mut actions = Actions::default();
    let counted = allocation_counter::measure(|| engine.legal_into(&state, &mut actions));
    assert!(actions.len() > 4);
    assert_eq!(counted.count_total, 0);
}
