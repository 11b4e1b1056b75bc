//! The Berger tables: each two of an even number of places meet once.
//!
//! The last place stays, the others go round in a circle. In the first round, place 1 meets the last place, place 2 the
//! last but one, and so on. For each round, the circle moves on by half of its length, rounded up. In odd rounds the
//! last place sits second, in even rounds first. The beginnings and the other games of a place differ by at most one.

/// The pairs of one round. Places count from 0; the first place of a pair begins. `places` is even, `round` counts
/// from 0.
pub(super) fn round(places: usize, round: usize) -> Vec<[usize; 2]> {
    let (circle, last) = (places - 1, places - 1);
    // In each round, the circle moves on by half of its length, rounded up.
    let top = round * (places / 2) % circle;
    let first = if round.is_multiple_of(2) { [top, last] } else { [last, top] };
    let others = (1..places / 2).map(|step| [(top + step) % circle, (top + circle - step) % circle]);
    std::iter::once(first).chain(others).collect()
}

#[cfg(test)]
mod tests {
    use super::round;

    /// The published tables for 4, 6 and 8 players.
    const PUBLISHED: [&[&str]; 3] = [
        &["1-4 2-3", "4-3 1-2", "2-4 3-1"],
        &["1-6 2-5 3-4", "6-4 5-3 1-2", "2-6 3-1 4-5", "6-5 1-4 2-3", "3-6 4-2 5-1"],
        &[
            "1-8 2-7 3-6 4-5",
            "8-5 6-4 7-3 1-2",
            "2-8 3-1 4-7 5-6",
            "8-6 7-5 1-4 2-3",
            "3-8 4-2 5-1 6-7",
            "8-7 1-6 2-5 3-4",
            "4-8 5-3 6-2 7-1",
        ],
    ];

    #[test]
    fn the_tables_for_4_6_and_8_are_the_published_ones() {
        for (places, published) in [4, 6, 8].into_iter().zip(PUBLISHED) {
            let text = |pairs: Vec<[usize; 2]>| {
                let pairs = pairs.iter().map(|[a, b]| format!("{}-{}", a + 1, b + 1));
                pairs.collect::<Vec<_>>().join(" ")
            };
            let rounds: Vec<String> = (0..places - 1).map(|number| text(round(places, number))).collect();
            assert_eq!(rounds, published);
        }
    }

    #[test]
    fn each_two_meet_once_and_beginnings_differ_by_one_at_most() {
        for places in (2..=64).step_by(2) {
            let (mut met, mut begun) = (vec![vec![0; places]; places], vec![0_usize; places]);
            for [a, b] in (0..places - 1).flat_map(|number| round(places, number)) {
                met[a.min(b)][a.max(b)] += 1;
                begun[a] += 1;
            }
            assert!((0..places).all(|a| (a + 1..places).all(|b| met[a][b] == 1)), "{places} places");
            assert!(begun.iter().all(|games| (2 * games).abs_diff(places - 1) <= 1), "{places} places: {begun:?}");
        }
    }
}
