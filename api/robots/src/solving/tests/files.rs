//! Files of solved tables, work that is interrupted, and tables that are refused.

use super::ways::differences;
use super::*;

fn file_of(engine: &Engine, solution: &Solution) -> Vec<u8> {
    let mut file = Vec::new();
    solution.write(engine, &mut file).unwrap();
    file
}

#[test]
fn an_interrupted_run_goes_on_from_its_file_to_the_same_values() {
    let engine = ur(2);
    let settings = SolveSettings { threads: 1, ..SETTINGS };
    let whole = solved_with(&engine, &settings);
    let (mut stopped_in, half) = (Vec::new(), whole.len() / 2);
    for (sweeps, done) in [(1, 0), (9, 0), (3, half)] {
        let mut begun = Solution::find(&engine, &settings, &mut |_| true).unwrap();
        let mut goes_on = |_: &Solution, progress: &Progress| progress.sweeps < sweeps || progress.done < done;
        assert_eq!(begun.solve(&engine, &settings, &mut goes_on), Err(SolveError::Stopped));
        stopped_in.push(begun.done());
        let mut resumed = Solution::read(&engine, &mut file_of(&engine, &begun).as_slice()).unwrap();
        assert_eq!((resumed.len(), resumed.done(), resumed.sweeps()), (begun.len(), begun.done(), begun.sweeps()));
        assert!(resumed.values.to_list().eq(begun.values.to_list()));
        resumed.solve(&engine, &settings, &mut |_, _| true).unwrap();
        assert_eq!(resumed.done(), resumed.len());
        let greatest = differences(&whole, &resumed).fold(0.0, f64::max);
        assert!(greatest < 1e-10, "{greatest}");
    }
    assert!(stopped_in[0] == 0 && stopped_in[2] > 0, "{stopped_in:?}: the first set and a later one");
}

#[test]
fn a_finished_set_is_not_computed_again() {
    let engine = ur(2);
    let mut solution = solved(&engine);
    let mut again = Solution::read(&engine, &mut file_of(&engine, &solution).as_slice()).unwrap();
    again.solve(&engine, &SETTINGS, &mut |_, _| panic!("nothing is left to compute")).unwrap();
    assert_eq!(again.sweeps(), solution.sweeps());
    // The file has the change as a decimal number, which is not read to the last bit.
    let (read, written) = (again.change(), solution.change());
    assert!((read - written).abs() <= 1e-12 * written, "{read}, written {written}");
    // Only the last set has no final values: no other set is computed again.
    solution.done -= 1;
    let (before, mut least) = (solution.sweeps(), usize::MAX);
    solution
        .solve(&engine, &SETTINGS, &mut |_, progress| {
            least = least.min(progress.done);
            true
        })
        .unwrap();
    assert!(solution.sweeps() > before);
    assert!(least >= solution.len() - 1, "{least} of {} were done at the beginning", solution.len());
}

#[test]
fn files_of_other_tables_and_layouts_and_damaged_ones_are_refused() {
    let engine = ur(1);
    let file = file_of(&engine, &solved(&engine));
    let refused = |engine: &Engine, file: &[u8]| Solution::read(engine, &mut &*file).unwrap_err();
    assert!(Solution::read(&engine, &mut file.as_slice()).is_ok());
    assert!(matches!(refused(&ur(2), &file), FileError::OtherTable(_)));
    assert!(matches!(refused(&engine, b"{}\n"), FileError::Format));
    assert!(matches!(refused(&engine, &file[..file.len() - 1]), FileError::Io(_)));
    let line = file.iter().position(|byte| *byte == b'\n').unwrap();
    let old = [&String::from_utf8(file[..line].to_vec()).unwrap().replace("solution 2", "solution 1"), "\n"].concat();
    let error = refused(&engine, old.as_bytes());
    assert!(error.to_string().starts_with("it has the layout 1, and this program reads layout 2"), "{error}");
    let mut damaged = file.clone();
    damaged[file.len() - 1] = 0xff; // the sign and the exponent of the last value
    assert!(matches!(refused(&engine, &damaged), FileError::Damaged(_)));
    let last_word = file.len() - 8 * (solved(&engine).len() + 1);
    damaged.clone_from(&file);
    damaged[last_word] ^= 1;
    assert!(matches!(refused(&engine, &damaged), FileError::Damaged(_)));
}

#[test]
fn what_is_too_large_is_refused_with_a_count() {
    let find = |engine: &Engine, memory| {
        Solution::find(engine, &SolveSettings { memory, ..SETTINGS }, &mut |_| true).unwrap_err()
    };
    let SolveError::TooLarge { positions, waiting, megabytes: 1 } = find(&ur(7), 1_000_000) else {
        panic!("seven pieces have millions of positions")
    };
    assert!(positions > 1_000 && waiting > 0, "{positions}, {waiting}");
    let set = pagade_rules::bundled::ruleset("ludo").unwrap();
    let four = set.table(&Options::new(), None).unwrap();
    assert_eq!(find(&four, 1 << 20), SolveError::Players(4));
}

#[test]
fn rules_that_ask_another_seat_are_refused() {
    let text = "rules: asking\nversion: 1.0.0\ntitle: Questions\nextends: royal-game-of-ur\n\
        choices: [{id: fine, ask: before_throw, who: next, do: []}]\n";
    let source = pagade_rules::source::Source { name: "asking.yaml".to_owned(), text: text.to_owned() };
    let checked = pagade_rules::ruleset::RuleSet::check(&source, &pagade_rules::bundled::Bundled);
    let engine = checked.ruleset.unwrap().table(&Options::new(), None).unwrap();
    assert_eq!(Solution::find(&engine, &SETTINGS, &mut |_| true).unwrap_err(), SolveError::AskedOthers);
}
