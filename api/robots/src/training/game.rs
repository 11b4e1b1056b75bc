//! Plays one game of a training, and collects its positions as samples.

use std::time::Instant;

use pagade_rules::play::{Engine, Game, Phase, Quiet, Seat, State, Throw};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use crate::features::Evaluation;
use crate::logistic::logistic;
use crate::search::winner;
use crate::thinker::Thinker;
use crate::view::View;
use crate::weights::Weights;
use crate::{hunter, runner};

/// Number of actions that are tried for a decision: fewer than in real games, so that more games are played.
const MOST_TRIED: u32 = 60;
/// One decision in this number is made at random, so that positions are seen that the robot would not choose.
const EXPLORED: u32 = 40;
/// In one game of this number, half of the seats play as the hunter or the runner. A robot that only plays against
/// itself would not learn how others play.
const GUESTS: u64 = 5;
/// Longest game, in throws. A game that is longer is a draw.
const MOST_THROWS: u32 = 4_000;
/// Greatest number of actions between two throws. Rules may let pawns go to and fro.
const MOST_ACTIONS: u32 = 200;

/// A position after a hand was spent.
#[derive(Debug)]
pub(super) struct Sample {
    /// The features that are not 0.
    pub features: Vec<(u32, f32)>,
    /// The value of the position by the weights of the game.
    pub value: f64,
    /// The chance to win, computed from the positions that followed and the end of the game.
    pub target: f64,
}

/// The samples of one game.
#[derive(Debug, Default)]
pub(super) struct Lecture {
    pub samples: Vec<Sample>,
}

/// Plays games with the same weights.
pub(super) struct Trainee<'t> {
    engine: &'t Engine,
    weights: &'t Weights,
    /// Share of a target that comes from positions later than the next one: the lambda of TD(lambda).
    lambda: f64,
    /// The time at which games are broken off, as draws. `None` in trainings that can be repeated.
    until: Option<Instant>,
    thinker: Thinker,
    evaluation: Evaluation,
    /// Every outcome of the dice, each with the number of ways to throw it or any outcome before it in the list.
    outcomes: Vec<(Throw, u64)>,
}

impl<'t> Trainee<'t> {
    pub(super) fn new(engine: &'t Engine, weights: &'t Weights, lambda: f64, until: Option<Instant>) -> Trainee<'t> {
        let (thinker, evaluation) = (Thinker::new(engine, weights), Evaluation::new(engine));
        let mut sum = 0;
        let outcomes = engine.outcomes().into_iter().map(|(throw, ways)| {
            sum += ways;
            (throw, sum)
        });
        Trainee { engine, weights, lambda, until, thinker, evaluation, outcomes: outcomes.collect() }
    }

    /// Plays the game with this number, and returns its samples.
    pub(super) fn play(&self, seed: u64, number: u64) -> Lecture {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        random = Xoshiro256PlusPlus::seed_from_u64(random.next_u64() ^ number);
        let mut below = move |n: u32| (((random.next_u64() >> 32) * u64::from(n)) >> 32) as u32;
        let engine = self.engine;
        let players = &engine.seating.players;
        let mut game = Game::new(engine, players[below(players.len() as u32) as usize]);
        let mut samples: Vec<(Seat, Sample)> = Vec::new();
        let (mut throws, mut actions, mut won) = (0, 0, None);
        let mut open = Vec::new();
        let is_late = || self.until.is_some_and(|until| Instant::now() >= until);
        while !game.is_over() && throws < MOST_THROWS && actions < MOST_ACTIONS && won.is_none() && !is_late() {
            let (before, seat) = (*game.state(), game.state().decider());
            if game.needs_throw() {
                (throws, actions) = (throws + 1, 0);
                let throw = self.draw(&mut below);
                game.throw_drawn(&throw, &mut Quiet);
            } else {
                actions += 1;
                open.clear();
                open.extend((0..game.open()).map(|index| game.action(index)));
                let index = if self.is_guest(number, seat) {
                    let view = View::new(engine, &before, &open);
                    let chosen = if number.is_multiple_of(2) { hunter::choose(&view) } else { runner::choose(&view) };
                    chosen.unwrap_or_else(|| engine.pick(&open, &mut below))
                } else if below(EXPLORED) == 0 {
                    engine.pick(&open, &mut below)
                } else if open.len() == 1 {
                    0
                } else {
                    self.thinker.choose(engine, &before, &open, MOST_TRIED, self.until)
                };
                game.play_nth(index, &mut Quiet);
            }
            won = winner(engine, &before, game.state());
            let state = game.state();
            let has_spent = state.phase == Phase::Throw && (state.turn != seat || state.hand.throws == 0);
            if won.is_none() && has_spent && !self.is_guest(number, seat) {
                samples.push((seat, self.sample(state, seat)));
            }
        }
        self.set_targets(&mut samples, won);
        Lecture { samples: samples.into_iter().map(|(_, sample)| sample).collect() }
    }

    /// Whether the seat plays as another robot in the game with this number.
    fn is_guest(&self, number: u64, seat: Seat) -> bool {
        if !number.is_multiple_of(GUESTS) {
            return false;
        }
        let players = &self.engine.seating.players;
        let index = players.iter().position(|player| *player == seat).unwrap_or_default();
        let half = (number / GUESTS) as usize;
        (index + half).is_multiple_of(2)
    }

    fn draw(&self, below: &mut impl FnMut(u32) -> u32) -> Throw {
        let total = self.outcomes.last().map_or(1, |(_, sum)| *sum);
        match u32::try_from(total) {
            Ok(total) => {
                let drawn = u64::from(below(total));
                self.outcomes[self.outcomes.partition_point(|(_, sum)| *sum <= drawn)].0
            }
            Err(_) => self.engine.draw(below),
        }
    }

    fn sample(&self, state: &State, seat: Seat) -> Sample {
        let mut features = Vec::new();
        self.evaluation.sparse(self.engine, state, seat, &mut features);
        let value = self.evaluation.value(self.engine, state, seat, self.weights);
        Sample { features, value: f64::from(value), target: 0.0 }
    }

    /// Sets the target of every sample from the next sample of the same seat: `1 - lambda` times its estimate plus
    /// `lambda` times its target. The target of the last sample is the result: 1 if the seat or its team has won, 0 if
    /// another side has, and a fair share if nobody has.
    fn set_targets(&self, samples: &mut [(Seat, Sample)], won: Option<Seat>) {
        let seating = &self.engine.seating;
        let sides = if seating.teams { 2 } else { seating.players.len() };
        for &seat in &seating.players {
            let is_own = |winner: Seat| winner == seat || winner == seating.partner[seat.index()];
            let mut target = won.map_or(1.0 / sides as f64, |winner| f64::from(u8::from(is_own(winner))));
            for (_, sample) in samples.iter_mut().rev().filter(|(other, _)| *other == seat) {
                sample.target = target;
                target = self.lambda * target + (1.0 - self.lambda) * logistic(sample.value);
            }
        }
    }
}
