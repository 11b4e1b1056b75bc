//! The memory of a search: results for visited positions, in a table of fixed size.

use crate::units::{MAX_BANKED, MAX_NUMBERS, MAX_PAWNS, PathPlace, PawnOfSeat, PawnSet, Pips};
use std::cmp::Reverse;

use arrayvec::ArrayVec;

use crate::play::engine::Engine;
use crate::play::state::State;
use crate::play::state_hash::{mix, mix_wide, words};

/// Size of the table for a short hand. A new position replaces an older one with the same index.
pub(super) const SMALL: usize = 256;

/// Size of the table for a long hand.
pub(super) const LARGE: usize = 8192;

/// The result of a search from one position: bounds for the worth of the best plan. The worth is the count of numbers
/// that it spends, or another measure.
#[derive(Debug, Clone, Copy)]
pub(super) struct MemoEntry {
    key: u64,
    /// Some plan is worth as much.
    pub least: u32,
    /// No plan is worth more.
    pub most: u32,
}

impl Default for MemoEntry {
    fn default() -> Self {
        MemoEntry { key: 0, least: 0, most: u32::MAX }
    }
}

/// The table of results. It is empty in a search that stores none.
pub(super) struct Memo<'s>(pub &'s mut [MemoEntry]);

impl Memo<'_> {
    pub(super) fn is_idle(&self) -> bool {
        self.0.is_empty()
    }

    /// The index of a key. The size of the table is a power of two.
    fn index(&self, key: u64) -> usize {
        key as usize & self.0.len().wrapping_sub(1)
    }

    /// The result for the position with this key. If the table has none, the bounds are their defaults.
    pub(super) fn get(&self, key: u64) -> MemoEntry {
        let seen = self.0.get(self.index(key)).copied().unwrap_or_default();
        if seen.key == key { seen } else { MemoEntry { key, ..MemoEntry::default() } }
    }

    /// Stores the result of a search for the best plan. A search stops when it has found a plan that is worth `aim`. So if
    /// `found` reaches `aim`, more may be possible; otherwise `found` is the most.
    pub(super) fn put(&mut self, key: u64, aim: u32, found: u32, entry: MemoEntry) {
        let index = self.index(key);
        if let Some(seen) = self.0.get_mut(index) {
            *seen = match found >= aim {
                true => MemoEntry { key, least: entry.least.max(found), most: entry.most },
                false => MemoEntry { key, least: entry.least, most: entry.most.min(found) },
            };
        }
    }
}

/// The throws of a hand in groups, and the throws that rules cannot distinguish.
///
/// Throws that share a number or have the same sum form a group and keep their order. Throws of different groups may be
/// spent in any order.
pub(super) struct LikeThrows {
    group: [u8; MAX_BANKED],
    /// For each group of throws, a mask of its throws. First comes the group that has the throw with the greatest sum.
    groups: ArrayVec<u32, MAX_BANKED>,
    /// For each throw, the first throw that rules cannot distinguish from it.
    like: [u8; MAX_BANKED],
}

impl LikeThrows {
    pub(super) fn of(engine: &Engine, state: &State) -> LikeThrows {
        let hand = &state.hand.banked[..state.hand.throws as usize & 31];
        if let [_] = hand {
            let groups = ArrayVec::from_iter([1]);
            return LikeThrows { group: [0; MAX_BANKED], groups, like: [0; MAX_BANKED] };
        }
        let mut group: [u8; MAX_BANKED] = std::array::from_fn(|i| i as u8);
        for i in 0..hand.len() {
            for k in 0..i {
                let (later, earlier) = (group[i], group[k]);
                if earlier != later && meet(hand[k].numbers, hand[i].numbers) {
                    group[..=i].iter_mut().filter(|group| **group == later).for_each(|group| *group = earlier);
                }
            }
        }
        let members = |of: usize| (0..hand.len()).filter(move |&i| group[i] as usize == of);
        let greatest = |throws: &u32| {
            let sums = hand.iter().enumerate().filter(|(i, _)| throws >> i & 1 == 1);
            sums.map(|(_, thrown)| thrown.numbers.iter().map(|number| number.0).sum::<u8>()).max()
        };
        let mut groups: ArrayVec<u32, MAX_BANKED> = (0..hand.len())
            .map(|of| members(of).fold(0, |throws, i| throws | 1 << i))
            .filter(|&throws| throws != 0)
            .collect();
        groups.sort_unstable_by_key(|throws| (Reverse(greatest(throws)), *throws));
        let first_like = |i: usize| (0..i).find(|&k| !engine.tells_throw(state, k, i)).unwrap_or(i);
        let like = std::array::from_fn(|i| if i < hand.len() && hand.len() > 1 { first_like(i) as u8 } else { 0 });
        LikeThrows { group, groups, like }
    }

    /// The groups of throws (see [`LikeThrows`]), each as a mask of its throws. The group that has the throw with the
    /// greatest sum comes first.
    pub(super) fn greatest_first(&self) -> impl Iterator<Item = u32> + use<> {
        self.groups.clone().into_iter()
    }

    /// A mask of the throws that have numbers left. Of throws that rules cannot distinguish, only the first one is in
    /// it. The table `like` is made once, because rules distinguish the same throws until the hand is spent.
    pub(super) fn distinct_throws(&self, state: &State) -> u32 {
        let hand = &state.hand.banked[..state.hand.throws as usize & 31];
        let mut throws = 0u32;
        for (i, thrown) in hand.iter().enumerate().filter(|(_, thrown)| thrown.left != 0) {
            let earlier = hand[..i].iter().zip(&self.like);
            if !earlier.into_iter().any(|(earlier, like)| earlier == thrown && *like == self.like[i]) {
                throws |= 1 << i;
            }
        }
        throws
    }

    /// A key of the position. Positions that no plan can distinguish have the same key.
    pub(super) fn key(&self, engine: &Engine, state: &State, last_too: bool, locked: PawnSet) -> u64 {
        let colour = engine.colour(state).index();
        let mut pawns = [0u64; MAX_PAWNS];
        let last_moved = PawnOfSeat::to_byte(state.last_moved);
        let mover = if engine.assumptions.asks_mover { last_moved } else { last_moved | 0xf };
        let mut key = mix(u64::from(mover) << 16 | u64::from(last_too) << 8 | u64::from(state.placed), 1);
        for (seat, places) in state.at.iter().enumerate() {
            if seat != colour {
                key = mix_wide(key, PathPlace::word(places));
                key = mix_wide(key, u128::from_le_bytes(state.marks[seat]));
                key = mix(key, state.newest[seat].into());
            }
            key = words(&state.counters[seat]).fold(key, mix);
        }
        key = words(&state.game).fold(key, mix);
        let bonuses = &state.hand.bonuses[..state.hand.granted as usize];
        key = bonuses.iter().fold(key, |key, bonus| mix(key, u64::from(bonus.steps.0) << 2 | bonus.due as u64));
        key = mix(key, u64::from_le_bytes([state.owed[0], state.owed[1], state.hand.granted, 0, 0, 0, 0, 0]));
        let places = &state.at[colour][..engine.pawns.count as usize];
        // `settled` means that pawns only walk home and stay there. Numbers that no pawn can use then count as spent.
        let settled = engine.only_walks_home(state, last_too);
        let home = engine.board.home();
        for (pawn, known) in pawns[..engine.pawns.count as usize].iter_mut().enumerate() {
            let newest = (state.newest[colour] >> pawn & 1) as u8;
            let marks = if settled && places[pawn] == home { 0 } else { state.marks[colour][pawn] };
            let one = [places[pawn].0, marks, newest, 0, 0, 0, 0, 0];
            *known = mix(u64::from_le_bytes(one), 2);
        }
        if !settled || places.iter().any(|place| place.is_in(engine.assumptions.asks_left)) {
            key = mix(key, state.numbers_left().into());
        }
        key = key.wrapping_add(self.hand(engine, state, settled, locked, &mut pawns[..engine.pawns.count as usize]));
        let told_apart = engine.turn.asks_apart() || engine.assumptions.asks_mover;
        if told_apart || differ_together(places, &pawns) {
            let apart =
                state.apart.chunks_exact(4).map(|four| four.iter().fold(0, |word, &set| word << 16 | u64::from(set)));
            key = if told_apart { apart.fold(key, mix) } else { key };
            return pawns.iter().fold(key, |key, &pawn| mix(key, pawn)) | 1;
        }
        pawns.iter().fold(key, |key, &pawn| key.wrapping_add(mix(pawn, 3))) | 1
    }

    /// The part of the key for the hand. Mixes into `pawns` how each pawn is restricted by the throws.
    fn hand(&self, engine: &Engine, state: &State, settled: bool, locked: PawnSet, pawns: &mut [u64]) -> u64 {
        let places = &engine.walkers(state, engine.colour(state), locked)[..pawns.len()];
        let home = engine.board.home();
        let mut alone = [0u64; MAX_PAWNS];
        alone[..pawns.len()].copy_from_slice(pawns);
        let mut groups = [0u64; MAX_BANKED];
        let mut pairs = 0u64;
        for (i, (thrown, &group)) in state.hand.banked[..state.hand.throws as usize].iter().zip(&self.group).enumerate()
        {
            let left = if settled { engine.usable(thrown, places) } else { thrown.left };
            if left == 0 {
                continue;
            }
            let [a, b, c, d] = thrown.numbers.map(|number| number.0);
            let content = mix(u64::from_le_bytes([a, b, c, d, left, thrown.flags, self.like[i], 0]), 5);
            let bits = |pawn: usize| u64::from(thrown.moved >> pawn & 1 | (thrown.parted >> pawn & 1) << 1);
            let concerned = |pawn: &usize| bits(*pawn) != 0 && !(settled && places[*pawn] == home);
            let moved = (0..pawns.len()).filter(concerned);
            if c == 0 {
                // A throw of two numbers that is not spent has moved at most one pawn, so the order of such throws does
                // not matter.
                let about = moved.clone().fold(0u64, |sum, pawn| sum.wrapping_add(mix(alone[pawn], bits(pawn))));
                let thrown = mix(content, about);
                pairs = pairs.wrapping_add(mix(thrown, 6));
                moved.for_each(|pawn| pawns[pawn] = pawns[pawn].wrapping_add(mix(thrown, bits(pawn))));
            } else {
                let so_far = mix(groups[group as usize], content);
                groups[group as usize] = so_far;
                moved.for_each(|pawn| pawns[pawn] = pawns[pawn].wrapping_add(mix(so_far, bits(pawn))));
            }
        }
        groups.iter().fold(pairs, |sum, &group| sum.wrapping_add(mix(group, 4)))
    }
}

/// Whether two throws have a number in common, or the same sum.
fn meet(one: [Pips; MAX_NUMBERS], other: [Pips; MAX_NUMBERS]) -> bool {
    let sum = |numbers: [Pips; MAX_NUMBERS]| numbers.iter().map(|number| number.0).sum::<u8>();
    sum(one) == sum(other) || one.iter().any(|number| number.0 > 0 && other.contains(number))
}

/// Whether two pawns on the same place can be distinguished. The order of pawns then matters to the key.
fn differ_together(places: &[PathPlace], pawns: &[u64]) -> bool {
    let later = |i: usize| places.iter().zip(pawns).skip(i + 1);
    (0..places.len()).any(|i| later(i).any(|(place, pawn)| *place == places[i] && *pawn != pawns[i]))
}
