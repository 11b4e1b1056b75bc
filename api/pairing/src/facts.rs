//! The past of each entrant, as a pairing needs it: points, byes, meetings, beginnings, seats, floats.

use std::collections::HashMap;
use std::collections::HashSet;

use super::entrant::{Entrant, EntrantId};
use super::error::TournamentError;
use super::format::{Seeding, Tournament};
use super::history::{Attendance, History, PlayedRound};
use super::lots::Lots;
use super::outcome;
use super::playable::Playable;
use super::score::Score;
use super::why::Float;

/// The worth of one beginning in [`Past::due`], which counts in twelfths. So the share of one entrant at a table of
/// two, three or four is a whole number: 6, 4 or 3.
pub(super) const BEGINNING: i64 = 12;

/// The past of one entrant.
#[derive(Clone, Debug, Default)]
pub(super) struct Past {
    /// The points so far.
    pub(super) score: Score,
    /// Rounds without a game although the entrant was present: byes, and games to which no opponent came.
    pub(super) byes: u32,
    /// Games played.
    pub(super) played: u32,
    /// Games begun.
    pub(super) begun: u32,
    /// Games begun, less the even share of the beginnings at the entrant's tables, in twelfths of a game. The number is
    /// negative if the entrant has begun too few games.
    pub(super) due: i64,
    /// The turns in games of two, the first one first: whether the entrant began.
    pub(super) turns: Vec<bool>,
    /// How often the entrant sat in each seat.
    pub(super) seats: [u32; 4],
    /// The entrants whom this entrant has met, by index in rising order, each with the number of meetings.
    met: Vec<(usize, u32)>,
    /// The last game: the numbers of its round and table.
    last_game: Option<[usize; 2]>,
    /// The entrant's floats in the last round and in the round before it.
    pub(super) floats: [Option<Float>; 2],
}

/// The past of all entrants, by their index in the list.
pub(super) struct Facts<'t> {
    pub(super) entrants: &'t [Entrant],
    pub(super) past: Vec<Past>,
    /// The sizes of tables that can be played.
    pub(super) playable: &'t Playable,
    /// A random number for each entrant, by index. It orders entrants who are equal in everything else.
    pub(super) lots: Vec<u64>,
    index: HashMap<EntrantId, usize>,
}

impl<'t> Facts<'t> {
    /// Reads a history.
    ///
    /// # Errors
    /// If entrants or history contradict themselves or each other.
    pub(super) fn new(tournament: &'t Tournament, history: &History) -> Result<Self, TournamentError> {
        let entrants = &tournament.entrants;
        let mut lots = Lots::new(tournament.seed, 0);
        let mut facts = Facts {
            entrants,
            playable: &tournament.playable,
            past: vec![Past::default(); entrants.len()],
            lots: entrants.iter().map(|_| lots.draw()).collect(),
            index: index(entrants)?,
        };
        let noted = history.late_entries.iter().chain(&history.absences);
        for changed in noted.chain(&history.withdrawals).chain(&history.returns) {
            facts.index(changed.entrant)?;
        }
        for (number, round) in (1..).zip(&history.rounds) {
            facts.add(tournament, history, number, round)?;
        }
        Ok(facts)
    }

    /// The index of an entrant.
    ///
    /// # Errors
    /// [`TournamentError::UnknownEntrant`].
    pub(super) fn index(&self, entrant: EntrantId) -> Result<usize, TournamentError> {
        self.index.get(&entrant).copied().ok_or(TournamentError::UnknownEntrant(entrant))
    }

    /// How often two entrants have met.
    pub(super) fn met(&self, a: usize, b: usize) -> u32 {
        let met = &self.past[a].met;
        met.binary_search_by_key(&b, |(other, _)| *other).map_or(0, |found| met[found].1)
    }

    /// Tells whether the last game of both entrants was the one in which they met.
    pub(super) fn just_met(&self, a: usize, b: usize) -> bool {
        self.past[a].last_game.is_some() && self.past[a].last_game == self.past[b].last_game
    }

    /// The entrants whom an entrant has met.
    pub(super) fn all_met(&self, entrant: usize) -> impl Iterator<Item = usize> {
        self.past[entrant].met.iter().map(|(other, _)| *other)
    }

    /// The indexes of the entrants who are paired in a round.
    pub(super) fn present(&self, history: &History, round: usize) -> Vec<usize> {
        let is_present = |index: &usize| history.presence(self.entrants[*index].id, round) == Attendance::Present;
        (0..self.entrants.len()).filter(is_present).collect()
    }

    /// Returns the entrants, given by index, in the order before the first round.
    pub(super) fn seeded(&self, seeding: Seeding, mut entrants: Vec<usize>) -> Vec<usize> {
        if seeding == Seeding::Lots {
            entrants.sort_by_key(|index| self.lots[*index]);
        }
        entrants
    }

    /// Chooses who of these entrants has a bye, if only `seats` of them can play: the fewest byes first, then the
    /// lowest score, then the lot. Returns the entrants with a bye, and then the others, each list in the order of the
    /// entrants.
    pub(super) fn seat(&self, entrants: &[usize], seats: usize) -> (Vec<usize>, Vec<usize>) {
        let mut sitting_out = entrants.to_vec();
        sitting_out.sort_by_key(|index| (self.past[*index].byes, self.past[*index].score, self.lots[*index]));
        sitting_out.truncate(entrants.len().saturating_sub(seats));
        entrants.iter().partition(|index| sitting_out.contains(index))
    }

    fn add(
        &mut self,
        tournament: &Tournament,
        history: &History,
        number: usize,
        round: &PlayedRound,
    ) -> Result<(), TournamentError> {
        let before: Vec<Score> = self.past.iter().map(|past| past.score).collect();
        let (mut seen, mut floats) = (HashSet::new(), vec![None; self.past.len()]);
        // An entrant who gets points without a game floats down, unless the points are at most those of a lost game.
        let float_of = |points: u32| (points > tournament.points.two[1]).then_some(Float::Down);
        for (table_number, table) in (1..).zip(&round.tables) {
            outcome::check(table, number, table_number)?;
            let mut seats = Vec::with_capacity(4);
            for entrant in &table.seats {
                let index = self.index(*entrant)?;
                if !seen.insert(index) {
                    return Err(TournamentError::TwiceInRound { round: number, entrant: *entrant });
                }
                seats.push(index);
            }
            if let Some(result) = &table.result {
                for (seat, index) in seats.iter().enumerate() {
                    self.past[*index].score += outcome::points(&tournament.points, result, seat);
                }
            }
            let came = outcome::came(table);
            if let [seat] = came[..] {
                self.past[seats[seat]].byes += 1;
                floats[seats[seat]] = Some(Float::Down);
            } else {
                self.play(&seats, &came, &before, &mut floats);
                came.iter().for_each(|seat| self.past[seats[*seat]].last_game = Some([number, table_number]));
            }
        }
        for entrant in &round.byes {
            let index = self.index(*entrant)?;
            if !seen.insert(index) {
                return Err(TournamentError::TwiceInRound { round: number, entrant: *entrant });
            }
            self.past[index].score += Score::points(i64::from(tournament.points.bye));
            self.past[index].byes += 1;
            floats[index] = float_of(tournament.points.bye);
        }
        for (index, past) in self.past.iter_mut().enumerate() {
            past.floats = [floats[index], past.floats[0]];
            if history.presence(self.entrants[index].id, number) == Attendance::Absent && !seen.contains(&index) {
                past.score += Score::points(i64::from(tournament.points.absent));
                past.floats[0] = float_of(tournament.points.absent);
            }
        }
        Ok(())
    }

    /// Adds a game to the past of the entrants who came.
    fn play(&mut self, seats: &[usize], came: &[usize], before: &[Score], floats: &mut [Option<Float>]) {
        let share = BEGINNING / i64::try_from(came.len().max(1)).expect("a table has at most four seats");
        for (turn, seat) in came.iter().enumerate() {
            let others = came.iter().filter(|other| *other != seat).map(|other| seats[*other]);
            let others: Vec<usize> = others.collect();
            let own = seats[*seat];
            floats[own] = float(before[own].parts(), others.iter().map(|other| before[*other].parts()));
            let past = &mut self.past[own];
            past.played += 1;
            past.seats[*seat] += 1;
            past.due -= share;
            if came.len() == 2 {
                past.turns.push(turn == 0);
            }
            if turn == 0 {
                past.begun += 1;
                past.due += BEGINNING;
            }
            for other in others {
                match past.met.binary_search_by_key(&other, |(met, _)| *met) {
                    Ok(found) => past.met[found].1 += 1,
                    Err(place) => past.met.insert(place, (other, 1)),
                }
            }
        }
    }
}

/// The float of an entrant with the score `own`: up if the mean score of the opponents is higher, down if it is lower.
pub(super) fn float(own: i64, others: impl Iterator<Item = i64>) -> Option<Float> {
    match others.map(|other| other - own).sum::<i64>() {
        0 => None,
        1.. => Some(Float::Up),
        _ => Some(Float::Down),
    }
}

/// Returns the index of each entrant in the list. Two entrants with the same number, somebody in two teams, and teams
/// of different sizes are errors.
fn index(entrants: &[Entrant]) -> Result<HashMap<EntrantId, usize>, TournamentError> {
    let (mut found, mut members) = (HashMap::new(), HashSet::new());
    let size = entrants.first().map_or(0, |entrant| entrant.members.len());
    for (index, entrant) in entrants.iter().enumerate() {
        if found.insert(entrant.id, index).is_some() {
            return Err(TournamentError::SameNumber(entrant.id));
        }
        if entrant.members.len() != size {
            return Err(TournamentError::UnequalTeams(entrant.id, entrant.members.len(), size));
        }
        if let Some(member) = entrant.members.iter().find(|member| !members.insert(member.as_str())) {
            return Err(TournamentError::SameMember(member.clone()));
        }
    }
    Ok(found)
}
