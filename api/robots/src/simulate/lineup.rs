//! The lineup of a simulation: which kind of robot sits at which seat of which game.

use std::fmt;
use std::sync::Arc;

use pagade_rules::play::{Action, Engine, Game, Seat};

use super::chance::Chance;
use super::named::{NameError, NamedRobot};
use super::robots::{Robot, RobotsError};
use crate::solving::Solution;
use crate::{Brain, Budget, UnknownRobot};

/// The robots of all games of a simulation, and their seats in each game.
///
/// The robots move on by one seat with every game. After as many games as there are seats, each robot has sat at every
/// seat equally often.
#[derive(Debug, Clone, Default)]
pub struct Lineup {
    /// The robot of each playing seat in the game with number 0, in the order of travel.
    seats: Vec<NamedRobot>,
    /// The robots without repetitions, in the order in which they were named.
    kinds: Vec<NamedRobot>,
    /// The solved table by which the perfect robot plays.
    solution: Option<Arc<Solution>>,
}

impl PartialEq for Lineup {
    /// Whether the same robots sit at the same seats. Solved tables are not compared: equal rules have equal ones.
    fn eq(&self, other: &Lineup) -> bool {
        self.seats == other.seats
    }
}

impl Eq for Lineup {}

impl Lineup {
    /// Reads names of robots, separated by commas. A list that is shorter than the number of playing seats is repeated.
    ///
    /// # Errors
    /// A name is unknown, the list cannot be repeated without a remainder, partners would be different robots, or the
    /// perfect robot has no solved table.
    pub(super) fn parse(text: &str, engine: &Engine, solution: Option<Arc<Solution>>) -> Result<Lineup, RobotsError> {
        let named = text.split(',').map(|name| name.trim().parse::<NamedRobot>());
        let named: Vec<NamedRobot> = named.collect::<Result<_, _>>().map_err(|error| match error {
            NameError::Unknown(UnknownRobot(name)) => RobotsError::Unknown(name),
            error => RobotsError::Name(error),
        })?;
        if named.contains(&NamedRobot::Perfect) && solution.is_none() {
            return Err(RobotsError::NotSolved);
        }
        let seats = engine.seating.players.len();
        if !seats.is_multiple_of(named.len()) {
            return Err(RobotsError::Uneven { robots: named.len(), seats });
        }
        let kinds_at = |index: usize| named[index % named.len()];
        if engine.seating.teams && (0..seats).any(|index| kinds_at(index) != kinds_at(index + seats / 2)) {
            return Err(RobotsError::MixedTeam);
        }
        let mut kinds = Vec::new();
        for kind in &named {
            if !kinds.contains(kind) {
                kinds.push(*kind);
            }
        }
        Ok(Lineup { seats: (0..seats).map(kinds_at).collect(), kinds, solution })
    }

    /// Whether no robots were named.
    pub fn is_empty(&self) -> bool {
        self.seats.is_empty()
    }

    /// The robots without repetitions, in the order in which they were named. Empty if no robots were named.
    pub fn kinds(&self) -> &[NamedRobot] {
        &self.kinds
    }

    /// The number of seats at which this kind of robot sits in each game.
    pub fn seats_of(&self, kind: NamedRobot) -> usize {
        self.seats.iter().filter(|seated| **seated == kind).count()
    }

    /// The robot at a playing seat in the game with this number.
    pub fn at(&self, engine: &Engine, game: u64, seat: Seat) -> Option<NamedRobot> {
        let index = engine.seating.players.iter().position(|player| *player == seat)?;
        let seats = self.seats.len().max(1);
        let turned = (game % seats as u64) as usize;
        self.seats.get((index + turned) % seats).copied()
    }

    /// The index in [`Lineup::kinds`] of the robot at a playing seat in the game with this number.
    pub(super) fn index_at(&self, engine: &Engine, game: u64, seat: Seat) -> Option<usize> {
        let seated = self.at(engine, game, seat)?;
        self.kinds.iter().position(|kind| *kind == seated)
    }
}

impl fmt::Display for Lineup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.seats.iter().map(ToString::to_string).collect();
        f.write_str(&names.join(","))
    }
}

/// The robots of a lineup, which play all seats of one game after another.
#[derive(Debug)]
pub(super) struct Seated<'l> {
    lineup: &'l Lineup,
    /// The robots of [`Lineup::kinds`], prepared for the table. `None` for the perfect robot.
    brains: Vec<Option<Brain>>,
    /// The number of the present game.
    game: u64,
    /// The legal actions. The list is a field, and not a local variable, to save allocations.
    open: Vec<Action>,
}

impl<'l> Seated<'l> {
    pub(super) fn new(lineup: &'l Lineup, engine: &Engine) -> Self {
        let brains = lineup.kinds.iter().map(|kind| kind.brain(engine)).collect();
        Seated { lineup, brains, game: 0, open: Vec::new() }
    }

    /// The index in [`Lineup::kinds`] of the robot that decides next.
    pub(super) fn decider(&self, game: &Game<'_>) -> Option<usize> {
        self.lineup.index_at(game.rules(), self.game, game.state().decider())
    }
}

impl Robot for Seated<'_> {
    fn begin(&mut self, number: u64) {
        self.game = number;
    }

    fn choose(&mut self, game: &Game<'_>, chance: &mut Chance) -> usize {
        let (engine, state) = (game.rules(), game.state());
        let decider = self.decider(game);
        let brain = decider.and_then(|index| self.brains.get(index));
        let budget = decider.map_or(Budget::PLAYING, |index| self.lineup.kinds[index].budget());
        self.open.clear();
        self.open.extend((0..game.open()).map(|index| game.action(index)));
        match (brain, &self.lineup.solution) {
            (Some(Some(brain)), _) => brain.choose_within(engine, state, &self.open, budget, &mut |n| chance.below(n)),
            (Some(None), Some(solution)) => solution.choose(engine, state, &self.open),
            _ => engine.pick(&self.open, &mut |n| chance.below(n)),
        }
    }
}

#[cfg(test)]
mod tests {
    use pagade_rules::bundled;
    use pagade_rules::ruleset::{OptionValue, Options};

    use super::*;
    use crate::RobotKind;

    fn table(id: &str, seats: &[&str]) -> Engine {
        let players = seats.iter().map(|seat| (*seat).to_owned()).collect::<Vec<_>>();
        bundled::ruleset(id).unwrap().table(&Options::new(), Some(&players)).unwrap()
    }

    #[test]
    fn every_robot_sits_everywhere_equally_often() {
        let engine = table("pagade", &["red", "green", "yellow", "black"]);
        let lineup = Lineup::parse("hunter, runner", &engine, None).unwrap();
        let [hunter, random] = [RobotKind::Hunter, RobotKind::Random].map(NamedRobot::Kind);
        assert_eq!((lineup.seats_of(hunter), lineup.seats_of(random)), (2, 0));
        for &seat in &engine.seating.players {
            let hunts = |game: &u64| lineup.at(&engine, *game, seat) == Some(hunter);
            assert_eq!((0..8).filter(hunts).count(), 4, "{seat:?}");
        }
    }

    #[test]
    fn robots_with_a_budget_are_named_with_it_except_at_the_playing_level() {
        let engine = table("pagade", &["red", "yellow"]);
        let lineup = Lineup::parse("learned-8, thinker-1", &engine, None).unwrap();
        assert_eq!(lineup.to_string(), "learned-8,thinker");
        assert_eq!(
            lineup.kinds().iter().map(|kind| kind.budget()).collect::<Vec<_>>(),
            [Budget::times(8).unwrap(), Budget::PLAYING]
        );
        assert_eq!(Lineup::parse("thinker,thinker-1", &engine, None).unwrap().kinds().len(), 1);
    }

    #[test]
    fn lists_that_do_not_fit_the_seats_are_refused() {
        let engine = table("pagade", &["red", "yellow"]);
        let refused = |text: &str| Lineup::parse(text, &engine, None).unwrap_err();
        assert_eq!(refused("runner,hunter,random"), RobotsError::Uneven { robots: 3, seats: 2 });
        assert_eq!(refused("runner,walker"), RobotsError::Unknown("walker".to_owned()));
        assert_eq!(refused("runner,expectimax-9"), RobotsError::Unknown("expectimax-9".to_owned()));
        assert_eq!(refused("perfect,runner"), RobotsError::NotSolved);
        for budget in ["0", "1001", "x", ""] {
            let told = refused(&format!("thinker-{budget},runner")).to_string();
            let says = format!("`{budget}` is no budget: a whole number from 1 to 1000 is needed\n  help: `thinker-8`");
            assert!(told.starts_with(&says), "{told}");
        }
        assert!(refused("runner,hunter-8").to_string().starts_with("`hunter` takes no budget"));
        let options = Options::from([("mode".to_owned(), OptionValue::Word("partnership".to_owned()))]);
        let teams = bundled::ruleset("pagade").unwrap().table(&options, None).unwrap();
        assert_eq!(Lineup::parse("runner,runner,hunter,hunter", &teams, None).unwrap_err(), RobotsError::MixedTeam);
        assert!(Lineup::parse("runner,hunter", &teams, None).is_ok());
    }
}
