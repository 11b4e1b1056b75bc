//! A balanced round robin for tables of three and four, by rotation.
//!
//! A search finds the first round; all other rounds are rotations of it. If the tables have room for all entrants, the
//! last place stays and the other places go round in a circle. Otherwise all places go round. There are as many rounds
//! as the circle has places, so each place of the circle comes to every position of the first round once. It follows:
//! - all entrants have the same number of byes (none, if the last place stays);
//! - an entrant of the circle sits in every seat equally often, at every table except that of the last place;
//! - how often two entrants of the circle meet depends only on their distance in it.
//!
//! The search, a walk of at most `STEPS` exchanges, looks for a first round in which every distance occurs equally
//! often. The seats at the table of the last place are chosen for all rounds together, see [`evenly_seated`]. A test
//! checks these bounds for fields of up to 36 entrants: two entrants meet at most `MEETING_BOUND` times more than two
//! others do, and an entrant's visits to two seats differ by at most one.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The greatest number of exchanges in the search of the first round.
const STEPS: u64 = 60_000;

/// The greatest allowed difference between how often any two entrants meet and how often any two others meet.
#[cfg(test)]
const MEETING_BOUND: usize = 2;

/// The tables of one round by places, and the places with a bye.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct RoundPlaces {
    pub(super) tables: Vec<Vec<usize>>,
    pub(super) byes: Vec<usize>,
}

/// The number of places in the circle, which is the number of rounds.
pub(super) fn circle(places: usize, seats: usize) -> usize {
    if places.is_multiple_of(seats) { places - 1 } else { places }
}

/// All rounds of one cycle.
pub(super) fn rounds(places: usize, seats: usize) -> Vec<RoundPlaces> {
    let (circle, first) = (circle(places, seats), first_round(places, seats));
    let turned = |place: &usize, round: usize| if *place < circle { (place + round) % circle } else { *place };
    let turned = |places: &[usize], round: usize| places.iter().map(|place| turned(place, round)).collect::<Vec<_>>();
    let mut rounds: Vec<RoundPlaces> = (0..circle)
        .map(|round| RoundPlaces {
            tables: first.chunks_exact(seats).map(|table| turned(table, round)).collect(),
            byes: turned(first.chunks_exact(seats).remainder(), round),
        })
        .collect();
    let of_last = first.chunks_exact(seats).position(|table| table.iter().any(|place| *place >= circle));
    if let Some(table) = of_last {
        let tables: Vec<_> = rounds.iter().map(|round| round.tables[table].clone()).collect();
        for (round, seated) in rounds.iter_mut().zip(evenly_seated(&tables, circle)) {
            round.tables[table] = seated;
        }
    }
    rounds
}

/// Seats the entrants of the table of the last place, in every round. Nobody sits in one seat two times more often than
/// in another.
///
/// This is the colouring of the edges of a bipartite graph that Kőnig's theorem promises: tables and entrants are its
/// nodes, seats are its colours, and edges that meet have different ones. Every other entrant comes to this table less
/// often than it has seats. The last place is at this table in every round, so it has a node of its own for each run of
/// as many rounds as there are seats.
fn evenly_seated(tables: &[Vec<usize>], last: usize) -> Vec<Vec<usize>> {
    let seats = tables.first().map_or(0, Vec::len);
    let mut of_tables: Vec<Vec<Option<usize>>> = vec![vec![None; seats]; tables.len()];
    let mut of_nodes: Vec<Vec<Option<usize>>> = vec![vec![None; seats]; last + 1 + tables.len() / seats.max(1)];
    for (table, members) in tables.iter().enumerate() {
        for place in members {
            let node = if *place == last { last + table / seats } else { *place };
            let free = |taken: &[Option<usize>]| taken.iter().position(Option::is_none).expect("a free seat");
            let both = (0..seats).find(|seat| of_tables[table][*seat].or(of_nodes[node][*seat]).is_none());
            let seat = both.unwrap_or_else(|| {
                let (at_table, at_node) = (free(&of_tables[table]), free(&of_nodes[node]));
                exchange(&mut of_tables, &mut of_nodes, node, [at_table, at_node]);
                at_table
            });
            of_tables[table][seat] = Some(node);
            of_nodes[node][seat] = Some(table);
        }
    }
    let place = |node: &Option<usize>| node.map(|node| node.min(last));
    of_tables.iter().map(|seated| seated.iter().filter_map(place).collect()).collect()
}

/// Exchanges two seats along the path that begins at a node with the first of them, which becomes free there. The path
/// goes from an entrant to a table by the first seat, and on to the next entrant by the second.
fn exchange(
    of_tables: &mut [Vec<Option<usize>>],
    of_nodes: &mut [Vec<Option<usize>>],
    mut node: usize,
    [first, second]: [usize; 2],
) {
    let mut path = Vec::new();
    while let Some(table) = of_nodes[node][first] {
        path.push((table, node, first));
        let Some(next) = of_tables[table][second] else { break };
        path.push((table, next, second));
        node = next;
    }
    for (table, node, seat) in &path {
        (of_tables[*table][*seat], of_nodes[*node][*seat]) = (None, None);
    }
    for (table, node, seat) in path {
        let seat = if seat == first { second } else { first };
        (of_tables[table][seat], of_nodes[node][seat]) = (Some(node), Some(table));
    }
}

struct FirstRoundSearch {
    round: Vec<usize>,
    seats: usize,
    circle: usize,
    /// How often each distance in the circle occurs between two places of a table, by distance.
    meetings: Vec<i64>,
}

/// Searches for the first round, and returns its places, table after table. The places with a bye come last.
fn first_round(places: usize, seats: usize) -> Vec<usize> {
    let circle = circle(places, seats);
    let mut search =
        FirstRoundSearch { round: (0..places).collect(), seats, circle, meetings: vec![0; circle / 2 + 1] };
    for spot in 0..places {
        search.count(spot, 1);
    }
    // The loop has counted every pair twice, once for each of its two members.
    search.meetings.iter_mut().for_each(|count| *count /= 2);
    let mut chance = ChaCha8Rng::from_seed([0; 32]);
    let mut below = |n: usize| {
        let n = u64::try_from(n).expect("an index has at most 64 bits");
        usize::try_from(chance.next_u64() % n).expect("the rest is below an index")
    };
    for step in 0..STEPS {
        if search.spread() <= 1 {
            break;
        }
        let (a, b) = (below(places), below(places));
        // Every 16th step may make the round a little worse, so that the search can leave a local minimum.
        let patience = if step % 16 == 0 { 4 } else { 0 };
        if search.table(a) != search.table(b) && search.exchange(a, b) > patience {
            search.exchange(a, b);
        }
    }
    search.round
}

impl FirstRoundSearch {
    /// The number of the table to which the place with this index in `round` belongs. All byes together have the number
    /// after the last table.
    fn table(&self, spot: usize) -> usize {
        spot / self.seats
    }

    /// How often two entrants at this distance in the circle meet in a cycle, for each time that the distance occurs in
    /// the first round.
    const fn weight(&self, distance: usize) -> i64 {
        if 2 * distance == self.circle { 2 } else { 1 }
    }

    /// The difference between the most and the fewest meetings of two entrants who go round.
    fn spread(&self) -> i64 {
        let counts = || self.meetings.iter().enumerate().skip(1).map(|(distance, count)| count * self.weight(distance));
        counts().max().unwrap_or(0) - counts().min().unwrap_or(0)
    }

    /// Exchanges two places, given by their indexes in `round`, of different tables. Returns by how much the sum of
    /// squared meetings grows.
    fn exchange(&mut self, a: usize, b: usize) -> i64 {
        let before = self.count(a, -1) + self.count(b, -1);
        self.round.swap(a, b);
        before + self.count(a, 1) + self.count(b, 1)
    }

    /// Counts the distances of one place, given by its index in `round`, to the others at its table. `by` is 1 to add
    /// them and -1 to remove them. Returns by how much the sum of squared meetings grows.
    fn count(&mut self, spot: usize, by: i64) -> i64 {
        let (table, own) = (self.table(spot) * self.seats, self.round[spot]);
        if table + self.seats > self.round.len() || own >= self.circle {
            return 0;
        }
        let mut change = 0;
        for other in table..table + self.seats {
            let place = self.round[other];
            if other != spot && place < self.circle {
                let apart = own.abs_diff(place);
                let distance = apart.min(self.circle - apart);
                change += self.weight(distance) * (2 * by * self.meetings[distance] + 1);
                self.meetings[distance] += by;
            }
        }
        change
    }
}

#[cfg(test)]
mod tests {
    use super::{MEETING_BOUND, rounds};

    /// The difference between the largest and the smallest of these counts.
    fn spread(counts: impl Iterator<Item = usize> + Clone) -> usize {
        counts.clone().max().unwrap() - counts.min().unwrap()
    }

    #[test]
    fn meetings_byes_and_seats_are_balanced() {
        for seats in [3, 4] {
            for places in (seats..=16).chain([18, 21, 25, 28, 33, 36]) {
                let (mut met, mut sat) = (vec![vec![0; places]; places], vec![vec![0; seats]; places]);
                let mut byes = vec![0; places];
                for round in rounds(places, seats) {
                    let mut seen = vec![false; places];
                    for place in round.byes.iter().chain(round.tables.iter().flatten()) {
                        assert!(!std::mem::replace(&mut seen[*place], true), "{places} at {seats}");
                    }
                    assert!(seen.iter().all(|seen| *seen), "{places} at {seats}");
                    round.byes.iter().for_each(|place| byes[*place] += 1);
                    for table in &round.tables {
                        assert_eq!(table.len(), seats);
                        for (seat, a) in table.iter().enumerate() {
                            sat[*a][seat] += 1;
                            table.iter().filter(|b| *b != a).for_each(|b| met[*a][*b] += 1);
                        }
                    }
                }
                let pairs = (0..places).flat_map(|a| (a + 1..places).map(move |b| (a, b)));
                let meetings = spread(pairs.map(|(a, b)| met[a][b]));
                let visits = sat.iter().map(|visits| spread(visits.iter().copied())).max().unwrap();
                assert!(meetings <= MEETING_BOUND, "{places} at {seats}: meetings differ by {meetings}");
                assert!(visits <= 1, "{places} at {seats}: visits differ by {visits}");
                assert_eq!(spread(byes.iter().copied()), 0, "{places} at {seats}: {byes:?}");
            }
        }
    }
}
