//! All ways to solve a table lead to the same values: with exchanged seats as one position or as two, set by set or all
//! at once, with the throws kept in memory or played anew, on one thread or on several.

use super::*;

/// Counts of positions by an independent program, for 1, 2 and 3 pieces, with both seats to move.
const COUNTS: [usize; 3] = [434, 25_738, 526_242];

#[test]
fn all_positions_are_found_and_each_stands_for_two_where_the_seats_have_the_same_rules() {
    for (pieces, count) in (1..).zip(COUNTS) {
        let mirrored = Solution::find(&ur(pieces), &SETTINGS, &mut |_| true).unwrap();
        assert!(mirrored.is_mirrored());
        assert_eq!(2 * mirrored.len(), count, "{pieces} pieces");
    }
    let whole = Solution::find(&ur(2), &SolveSettings { mirror: false, ..SETTINGS }, &mut |_| true).unwrap();
    assert!(!whole.is_mirrored());
    assert_eq!(whole.len(), COUNTS[1]);
}

#[test]
fn all_ways_to_solve_a_table_agree() {
    let engine = ur(2);
    let by_hand = ByHand::solved(2).values[&(0, 0, 0, 0)];
    let reference = solved(&engine);
    for settings in [
        SolveSettings { mirror: false, ..SETTINGS },
        SolveSettings { in_parts: false, ..SETTINGS },
        SolveSettings { mirror: false, in_parts: false, threads: 1, ..SETTINGS },
        // Memory for the positions only, so that all throws are played anew.
        SolveSettings { memory: 8 * 20_000 + 200_000, ..SETTINGS },
    ] {
        let solution = solved_with(&engine, &settings);
        let [(_, chance)] = solution.chances_to_begin(&engine)[..] else { panic!("white begins") };
        assert!((chance - by_hand).abs() < 1e-10, "{settings:?}: {chance}, by hand {by_hand}");
        walk(&engine, 20, |game| {
            if game.needs_throw() {
                let chance = |solution: &Solution| solution.chance_in(&engine, game.state()).unwrap();
                assert!((chance(&solution) - chance(&reference)).abs() < 1e-10, "{settings:?}: {:?}", game.state());
            }
        });
    }
}

#[test]
fn perfect_choices_do_not_depend_on_how_the_table_was_solved() {
    let engine = ur(3);
    let rough = SolveSettings { tolerance: 1e-9, ..SETTINGS };
    let solutions = [rough, SolveSettings { mirror: false, ..rough }].map(|settings| solved_with(&engine, &settings));
    let mut choices = 0;
    walk(&engine, 200, |game| {
        if game.open() > 1 {
            let open: Vec<_> = (0..game.open()).map(|index| game.action(index)).collect();
            let [one, other] = [0, 1].map(|index| solutions[index].choose(&engine, game.state(), &open));
            assert_eq!(one, other, "{:?}", game.state());
            choices += 1;
        }
    });
    assert!(choices > 5_000, "{choices} choices");
}

#[test]
fn throws_are_played_anew_where_the_memory_is_full() {
    let engine = ur(2);
    let solve = |memory| {
        let mut solution = Solution::find(&engine, &SETTINGS, &mut |_| true).unwrap();
        let mut anew = 0;
        let stopped = solution.solve(&engine, &SolveSettings { memory, ..SETTINGS }, &mut |_, progress| {
            anew = progress.anew;
            progress.sweeps == 0
        });
        assert_eq!(stopped, Err(SolveError::Stopped));
        anew
    };
    assert!(solve(1) > 0);
    assert_eq!(solve(1 << 30), 0);
}

#[test]
fn seats_with_different_rules_are_not_exchanged() {
    let line = "on:\n  - {id: again, event: moved, when: \"to in rosette and seat_number = 1\", do: throw after}\n";
    let engine = ur_with(2, line);
    let solution = solved(&engine);
    assert!(!solution.is_mirrored());
    let [(_, chance)] = solution.chances_to_begin(&engine)[..] else { panic!("white begins") };
    assert!(chance > 0.6, "{chance}: only white throws again");
    let verified = solution.verify(&engine, &SETTINGS, &mut |_| {});
    assert!(verified.residual < 1e-11 && verified.unlike == 0, "{verified:?}");
    // If seats with different rules were exchanged nevertheless, the check of all positions would show it.
    let alike = ur(2);
    let mut forced = solved(&alike);
    assert_eq!(forced.verify(&alike, &SETTINGS, &mut |_| {}).unlike, 0);
    assert!(forced.verify(&alike, &SETTINGS, &mut |_| {}).residual < 1e-11);
    let unlike = forced.verify(&engine, &SETTINGS, &mut |_| {}).unlike;
    assert!(unlike > 1_000, "{unlike}");
    forced.values = values::PositionValues::new(std::iter::repeat_n(0.5, forced.len()));
    assert!(forced.verify(&alike, &SETTINGS, &mut |_| {}).residual > 0.1);
}

/// By how much the values of equal positions differ.
pub(super) fn differences(one: &Solution, other: &Solution) -> impl Iterator<Item = f64> {
    one.values.to_list().zip(other.values.to_list()).map(|(one, other)| (one - other).abs())
}

#[test]
fn a_table_that_cannot_be_solved_says_which_bound_it_meets() {
    let small = Solution::find(&ur(3), &SolveSettings { memory: 100_000, ..SETTINGS }, &mut |_| true);
    assert!(matches!(small, Err(SolveError::TooLarge { megabytes: 0, .. })), "{small:?}");
    // Two counters of the game with 20,000 values each.
    let counters = "counters: {game: {one: {from: 0, to: 20000}, two: {from: 0, to: 20000}}}\n\
                    on: [{id: count, event: throw, do: [game.one += 1, game.two += total]}]\n";
    let varied = Solution::find(&ur_with(1, counters), &SETTINGS, &mut |_| true);
    assert!(matches!(varied, Err(SolveError::TooMany { .. })), "{varied:?}");
    let text = varied.unwrap_err().to_string();
    assert!(text.contains("16384 combinations"), "{text}");
}
