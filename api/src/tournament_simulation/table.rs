//! Plays the games of one table.

use std::collections::BTreeMap;

use pagade_pairing::{EntrantId, SeatResult, Series, Table, TournamentError, board_seats, series};
use pagade_robots::simulate::Robot;
use pagade_robots::simulate::{Chance, ThrowTable};
use pagade_robots::simulate::{NoRecording, play};
use pagade_robots::{Brain, RobotKind};
use pagade_rules::play::{Action, Counts, Engine, Game, Seat};
use pagade_rules::units::MAX_SEATS;

use crate::tournament::outcome::EntrantRank;
use crate::tournament_simulation::plan::TournamentPlan;

/// An engine with its game, which is played again and again.
#[derive(Debug)]
pub(super) struct RestartedGame<'e> {
    engine: &'e Engine,
    throws: ThrowTable<'e>,
    game: Game<'e>,
    robots: SeatedRobots,
}

/// The result and the counts of the games of one table.
#[derive(Debug, Default)]
pub(super) struct SimulatedTable {
    /// The result, in the order of the table.
    pub result: Vec<SeatResult>,
    pub games: u64,
    /// Number of throws and actions.
    pub decisions: u64,
    /// Number of games that reached the turn cap of the rule set. All their seats share the first place.
    pub stuck: u64,
}

/// The robots of a game, by seat. They have random numbers of their own, so that games with the same random numbers
/// have the same throws. Their searches have no time limit, so that a simulation is repeatable.
#[derive(Debug)]
struct SeatedRobots {
    kinds: [RobotKind; MAX_SEATS],
    /// The robots that were prepared for the engine, by kind.
    brains: Vec<(RobotKind, Brain)>,
    chance: Chance,
    /// The legal actions. The list is a field, and not a local variable, to save allocations.
    open: Vec<Action>,
}

impl Robot for SeatedRobots {
    fn choose(&mut self, game: &Game<'_>, _: &mut Chance) -> usize {
        let (engine, state) = (game.rules(), game.state());
        self.open.clear();
        self.open.extend((0..game.open()).map(|index| game.action(index)));
        let kind = self.kinds[state.decider().index()];
        let brain = self.brains.iter().find(|(known, _)| *known == kind).map_or(&Brain::Random, |(_, brain)| brain);
        brain.choose(engine, state, &self.open, &mut |n| self.chance.below(n))
    }
}

impl SeatedRobots {
    fn sit(&mut self, engine: &Engine, seat: usize, kind: RobotKind) {
        self.kinds[seat] = kind;
        if self.brains.iter().all(|(known, _)| *known != kind) {
            self.brains.push((kind, Brain::new(kind, engine)));
        }
    }
}

/// Plays the games of a table with the engine for its seats. `at` has the numbers of its round and of the table in it.
///
/// # Errors
/// There is no board with this number of seats.
pub(super) fn play_table(
    plan: &TournamentPlan<'_>,
    games_by_seats: &mut BTreeMap<usize, RestartedGame<'_>>,
    table: &Table,
    [round, number]: [usize; 2],
    throws: &Chance,
    chance: &mut Chance,
) -> Result<SimulatedTable, TournamentError> {
    let seats = table.seats.len() * plan.prepared.team_size;
    let game = games_by_seats.get_mut(&seats).ok_or(TournamentError::TableSize { round, table: number, seats })?;
    Ok(game.play(plan, table, throws, chance))
}

impl<'e> RestartedGame<'e> {
    pub(super) fn new(engine: &'e Engine) -> Self {
        let robots = SeatedRobots {
            kinds: [RobotKind::Random; MAX_SEATS],
            brains: Vec::new(),
            chance: Chance::of_game(0, 0),
            open: Vec::new(),
        };
        Self { engine, throws: ThrowTable::new(engine), game: Game::new(engine, Seat::default()), robots }
    }

    /// Plays the games of a table until it is decided. The throws of the first game come from the random numbers
    /// `throws`, those of later games from `chance`.
    pub(super) fn play(
        &mut self,
        plan: &TournamentPlan<'_>,
        table: &Table,
        throws: &Chance,
        chance: &mut Chance,
    ) -> SimulatedTable {
        let (mut results, mut played) = (Vec::new(), SimulatedTable::default());
        let (mut turned, mut throws) = (table.clone(), throws.clone());
        loop {
            results.push(self.play_game(plan, table, &turned, &mut throws, chance, &mut played));
            match series(table, &results) {
                Series::Decided(result) => {
                    played.result = result;
                    return played;
                }
                Series::Next { seats } => {
                    let place = |entrant: EntrantId| seats.iter().position(|seat| *seat == entrant);
                    turned.why.seats.sort_by_key(|why| place(why.entrant));
                    turned.seats = seats;
                    throws = split(chance);
                }
            }
        }
    }

    /// Plays one game. Returns the results in the order of `table`; `turned` is the table in the order of play.
    fn play_game(
        &mut self,
        plan: &TournamentPlan<'_>,
        table: &Table,
        turned: &Table,
        throws: &mut Chance,
        chance: &mut Chance,
        played: &mut SimulatedTable,
    ) -> Vec<SeatResult> {
        // The first seat has to be known before the game. `play` draws it again from the same random numbers.
        let first = self.throws.first(&mut throws.clone());
        let players = &self.engine.seating.players;
        let begins = players.iter().position(|seat| *seat == first).unwrap_or(0);
        let mut entrants = [None; MAX_SEATS];
        for (turn, seated) in board_seats(&plan.prepared.field.entrants, turned).iter().enumerate() {
            let seat = players[(begins + turn) % players.len()].index();
            entrants[seat] = Some(seated.entrant);
            self.robots.sit(self.engine, seat, plan.strengths[seated.entrant.0 as usize - 1]);
        }
        self.robots.chance = split(chance);
        let robots = &mut self.robots;
        let game = play(&mut self.game, &self.throws, throws, robots, &mut Counts::default(), &mut NoRecording);
        played.games += 1;
        played.decisions += game.throws + game.actions;
        if game.stuck {
            played.stuck += 1;
            return table.seats.iter().map(|_| SeatResult::played(1, 0)).collect();
        }
        self.results(&table.seats, &entrants)
    }

    /// The results of the game that was played.
    fn results(&self, table: &[EntrantId], entrants: &[Option<EntrantId>]) -> Vec<SeatResult> {
        let state = self.game.state();
        let places: Vec<(u8, Seat)> = self.engine.places(state).collect();
        let place = |seat: Seat| places.iter().find(|(_, placed)| *placed == seat).map(|(place, _)| *place);
        let seats = |entrant: EntrantId| {
            let players = self.engine.seating.players.iter().copied();
            players.filter(move |seat| entrants[seat.index()] == Some(entrant))
        };
        let rank = |entrant: &EntrantId| EntrantRank::of_seats(seats(*entrant).next().and_then(place));
        let ranks: Vec<EntrantRank> = table.iter().map(rank).collect();
        let home = self.engine.board.home();
        let pawns_home = |seat: Seat| {
            let pawns = &state.at[seat.index()][..usize::from(self.engine.pawns.count)];
            pawns.iter().filter(|place| **place == home).count() as i64
        };
        let results = table
            .iter()
            .zip(&ranks)
            .map(|(entrant, rank)| SeatResult::played(rank.place_among(&ranks), seats(*entrant).map(pawns_home).sum()));
        results.collect()
    }
}

/// Splits off a generator, whose numbers are independent of those that `chance` draws later.
pub(super) fn split(chance: &mut Chance) -> Chance {
    let draw = |chance: &mut Chance| u64::from(chance.below(u32::MAX));
    let (high, low) = (draw(chance), draw(chance));
    Chance::of_game(high << 32 | low, 0)
}

#[cfg(test)]
mod tests {
    use pagade_rules::bundled;
    use pagade_rules::ruleset::OptionValue;

    use super::*;

    #[test]
    fn the_team_that_brought_all_its_pawns_home_is_first() {
        let options = [("mode".to_owned(), OptionValue::Word("partnership".to_owned()))].into();
        let engine = bundled::ruleset("pagade").unwrap().table(&options, None).unwrap();
        let mut replayed = RestartedGame::new(&engine);
        let teams = [EntrantId(1), EntrantId(2)];
        for game in 0..40 {
            let mut throws = Chance::of_game(5, game);
            replayed.robots.chance = Chance::of_game(6, game);
            let (throw, robots) = (&replayed.throws, &mut replayed.robots);
            play(&mut replayed.game, throw, &mut throws, robots, &mut Counts::default(), &mut NoRecording);
            let results = replayed.results(&teams, &[1, 2, 1, 2].map(|team| Some(EntrantId(team))));
            let places: Vec<(usize, bool)> = results.iter().map(|seat| (seat.place, seat.score == 8)).collect();
            assert!(places == [(1, true), (2, false)] || places == [(2, false), (1, true)], "{game}: {results:?}");
        }
    }
}
