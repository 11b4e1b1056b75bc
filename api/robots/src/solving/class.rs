//! Classes of positions: those with equally many pawns at home, and the same context. Games go from class to class.

use std::collections::HashSet;

use foldhash::fast::FixedState;
use pagade_rules::units::MAX_PAWNS;

pub(super) type Class = u32;

const HOMES: u32 = MAX_PAWNS as u32 + 1;
/// All contexts from this number on count as one in classes.
const LAST_CONTEXT: u32 = 63;

/// The class of a position by its context and the numbers of pawns at home.
#[inline]
pub(super) fn class(context: u32, mover_home: u8, other_home: u8) -> Class {
    (context.min(LAST_CONTEXT) * HOMES + u32::from(mover_home)) * HOMES + u32::from(other_home)
}

/// Whether positions of a class may have this context.
pub(super) fn has_context(class: Class, context: u32) -> bool {
    class / HOMES / HOMES == context.min(LAST_CONTEXT)
}

/// The pawns at home in positions of this class: of the seat to move, and of the other seat.
pub(super) fn homes(class: Class) -> (u8, u8) {
    ((class / HOMES % HOMES) as u8, (class % HOMES) as u8)
}

/// The arcs between classes: actions lead from the first class of an arc to the second.
#[derive(Debug, Default)]
pub(super) struct Arcs {
    arcs: HashSet<(Class, Class), FixedState>,
    /// The arcs that were added last. A repeated arc is mostly among them, which saves a look into the set.
    recent: [Option<(Class, Class)>; 4],
    next: usize,
}

impl Arcs {
    #[inline]
    pub(super) fn add(&mut self, from: Class, to: Class) {
        if !self.recent.contains(&Some((from, to))) {
            self.arcs.insert((from, to));
            self.recent[self.next] = Some((from, to));
            self.next = (self.next + 1) % self.recent.len();
        }
    }

    pub(super) fn into_set(self) -> HashSet<(Class, Class), FixedState> {
        self.arcs
    }
}

/// The strongly connected components of the graph of classes: a game can go from each class of a component to every
/// other class of it. In the returned order, actions lead only into the same component or into earlier ones.
pub(super) fn components(classes: &[Class], arcs: &[(Class, Class)]) -> Vec<Vec<Class>> {
    let index = |class: Class| classes.binary_search(&class).expect("all classes are listed, in order");
    let (mut forward, mut backward) = (vec![Vec::new(); classes.len()], vec![Vec::new(); classes.len()]);
    for &(from, to) in arcs {
        forward[index(from)].push(index(to));
        backward[index(to)].push(index(from));
    }
    // Kosaraju's algorithm on the graph with all arcs turned: its components come out in the order that this function
    // returns.
    let mut seen = vec![false; classes.len()];
    let order: Vec<usize> = (0..classes.len()).flat_map(|start| reached(start, &backward, &mut seen)).collect();
    seen.fill(false);
    let sets = order.iter().rev().map(|start| reached(*start, &forward, &mut seen));
    let named = |set: Vec<usize>| set.into_iter().map(|index| classes[index]).collect();
    sets.filter(|set| !set.is_empty()).map(named).collect()
}

/// Lists the nodes that can be reached from a node without passing nodes in `seen`, in the postorder of a depth-first
/// search, and adds them to `seen`.
fn reached(start: usize, next: &[Vec<usize>], seen: &mut [bool]) -> Vec<usize> {
    let mut done = Vec::new();
    let mut path = vec![(start, 0)];
    if std::mem::replace(&mut seen[start], true) {
        return done;
    }
    while let Some((node, at)) = path.last_mut() {
        match next[*node].get(*at) {
            Some(&to) => {
                *at += 1;
                if !std::mem::replace(&mut seen[to], true) {
                    path.push((to, 0));
                }
            }
            None => {
                done.push(*node);
                path.pop();
            }
        }
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_come_after_those_that_they_lead_to() {
        // 1 and 2 lead to each other, then to 3; 3 leads to 4 and 5, which lead to each other.
        let arcs = [(1, 2), (2, 1), (2, 3), (3, 4), (4, 5), (5, 4), (3, 3)];
        let mut sets = components(&[1, 2, 3, 4, 5], &arcs);
        sets.iter_mut().for_each(|set| set.sort_unstable());
        assert_eq!(sets, [vec![4, 5], vec![3], vec![1, 2]]);
    }
}
