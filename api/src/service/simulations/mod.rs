//! The use cases of simulations: start, read, cancel.
//!
//! A simulation belongs to the process that got the request: a thread of low priority plays its games. Once a second,
//! the process writes the progress to the store as a note, so that every process can read it, and checks whether
//! another process was asked to cancel the simulation. A simulation whose process has written nothing for a while
//! counts as failed. No other process continues it; a client can start it again with the same seed, and gets the same
//! games.

pub(crate) mod job;
pub(in crate::service) mod jobs;
mod notes;
mod running;
mod state;
mod statistics;
pub(crate) mod stored;

use std::sync::Arc;
use std::time::{Duration, Instant};

use pagade_robots::RobotKind;
use pagade_robots::simulate::{NamedRobot, Plan, Robots, RobotsError};
use uuid::{Builder, Uuid};

use self::job::{Job, SimulationTask};
use self::state::{SimulationStage, SimulationState};
use self::stored::{LIFETIME, StoredSimulation, cancelled, entity};
use crate::error::{Code, Problem, ProblemPart, detail};
use crate::game::wire;
use crate::ground::clock;
use crate::model::creation::Robot;
use crate::model::simulation::{CreateSimulation, SimulationView};
use crate::service::Service;
use crate::service::call::Call;
use crate::service::events::waiting::LONGEST_WAIT;
use crate::service::idempotency::IdempotentRequest;
use crate::service::reply::Reply;
use crate::service::rule_sets::requested_rules::RulesWish;

/// Pause between two looks at a simulation for which a request waits.
const LOOK_PAUSE: Duration = Duration::from_millis(100);

impl Service {
    /// Starts a simulation. A repeated request with the same idempotency key gets the simulation that was started
    /// first.
    ///
    /// # Errors
    /// The rule set does not exist, the rule text has errors, options, seats or robots do not suit the rules, or too
    /// many simulations wait.
    pub(crate) async fn create_simulation(
        &self,
        call: &Call,
        body: &[u8],
        wish: &CreateSimulation,
    ) -> Result<Reply, Problem> {
        let idempotency = IdempotentRequest::secret(call, body)?;
        let request = const_hex::encode(blake3::hash(body).as_bytes());
        let id = new_id(idempotency.as_ref())?;
        if idempotency.is_some()
            && let Some(kept) = self.simulation(id).await?
        {
            return repeated(&kept, &request);
        }
        let (rule_set, version, text) = (wish.rule_set.as_deref(), wish.version.as_deref(), wish.text.as_deref());
        let rules = self.given_rules(RulesWish { rule_set, version, text, pointer: "" }).await?;
        let engine = self.given_engine(&rules, &wire::options(&wish.options), wish.players.as_deref()).await?;
        let robots = robots(wish.robots.as_deref().unwrap_or_default(), &engine)?;
        let plan = Plan { games: wish.games.into(), seed: wish.seed.into(), threads: 1, lines: true, robots };
        let players = engine.seating.players.clone();
        let state = SimulationState {
            id,
            status: SimulationStage::Waiting,
            ended_by: None,
            rule_set: rules.set().into(),
            title: rules.set().title().to_owned(),
            options: engine.identity.options.iter().map(|(name, value)| (name.clone(), value.into())).collect(),
            players: players.iter().map(|seat| engine.seat_name(*seat).to_owned()).collect(),
            robots: players
                .iter()
                .map(|seat| {
                    plan.robots.lineup.at(&engine, 0, *seat).unwrap_or(NamedRobot::Kind(RobotKind::Random)).to_string()
                })
                .collect(),
            seed: wish.seed,
            games: wish.games,
            played: 0,
            seconds: 0.0,
            created_at: clock::at(self.store.now()),
            results: None,
        };
        let slot = self.meter.simulate(call.caller)?;
        let kept = StoredSimulation { version: 1, at: self.store.now(), request, state };
        let job = Arc::new(Job::new(kept.clone()));
        if let Some(running) = self.simulations.add(&job)? {
            return repeated(&running.kept(), &kept.request);
        }
        self.clone().start_simulation(job, SimulationTask { engine, plan }, slot).await?;
        created(&kept)
    }

    /// Reads a simulation. With `If-None-Match` and `Prefer: wait`, waits until it has another version, or has ended.
    ///
    /// # Errors
    /// The simulation does not exist.
    pub(crate) async fn read_simulation(&self, call: &Call, id: &str) -> Result<Reply, Problem> {
        call.check()?;
        let id = parse(id)?;
        let wait = call.wait.map(|seconds| seconds.min(LONGEST_WAIT));
        let end = wait.map(|seconds| Instant::now() + Duration::from_secs(seconds.into()));
        let mut kept = self.simulation(id).await?.ok_or_else(not_found)?;
        let is_awaited =
            |kept: &StoredSimulation| call.has_seen(kept.version) && kept.state.status != SimulationStage::Ended;
        if let Some(end) = end.filter(|_| is_awaited(&kept)) {
            let _slot = self.meter.follow(call.caller)?;
            while is_awaited(&kept) && Instant::now() < end && !*self.closing.borrow() {
                tokio::time::sleep(LOOK_PAUSE).await;
                kept = self.simulation(id).await?.ok_or_else(not_found)?;
            }
        }
        let reply = match call.has_seen(kept.version) {
            true => Reply::not_modified(kept.version),
            false => Reply::ok(&SimulationView::from(kept.state))?.at_version(kept.version),
        };
        Ok(reply.after_waiting(wait))
    }

    /// Cancels a simulation, at whatever process it runs.
    ///
    /// # Errors
    /// The simulation does not exist.
    pub(crate) async fn cancel_simulation(&self, id: &str) -> Result<Reply, Problem> {
        let id = parse(id)?;
        if let Some(job) = self.simulations.job(id) {
            job.cancel();
            return Ok(Reply::gone());
        }
        let kept = self.simulation(id).await?.ok_or_else(not_found)?;
        if kept.state.status != SimulationStage::Ended {
            self.store.note(entity(id), vec![cancelled()], LIFETIME).await?;
        }
        Ok(Reply::gone())
    }
}

/// Makes the answer to the request that started a simulation.
fn created(kept: &StoredSimulation) -> Result<Reply, Problem> {
    let reply = Reply::new(201, &SimulationView::from(kept.state.clone()))?.at_version(kept.version);
    Ok(reply.at_location(format!("/v1/simulations/{}", kept.state.id)))
}

/// Makes the answer to a request that came again with its idempotency key. `request` is the hash of its body.
///
/// # Errors
/// 422 if the simulation was started with another body.
fn repeated(kept: &StoredSimulation, request: &str) -> Result<Reply, Problem> {
    if kept.request == request {
        return Ok(created(kept)?.into_repeated());
    }
    Err(Problem::new(Code::IdempotencyKeyReused, "this idempotency key was used with another body"))
}

/// Makes the id of a simulation: random, or computed from the secret idempotency key, so that a repeated request finds
/// its simulation at every process.
fn new_id(idempotency: Option<&IdempotentRequest>) -> Result<Uuid, Problem> {
    let mut bytes = [0; 16];
    match idempotency {
        Some(request) => {
            let key = blake3::derive_key("pagade simulation id v1", &request.key);
            bytes.copy_from_slice(&key[..16]);
        }
        None => getrandom::fill(&mut bytes)?,
    }
    Ok(Builder::from_custom_bytes(bytes).into_uuid())
}

fn robots(wished: &[Robot], engine: &pagade_rules::play::Engine) -> Result<Robots, Problem> {
    if wished.is_empty() {
        return Ok(Robots::default());
    }
    let names = wished.iter().map(|robot| RobotKind::from(*robot).to_string()).collect::<Vec<_>>().join(",");
    Robots::parse(&names, engine).map_err(|error| {
        let (detail, help) = match error {
            RobotsError::Uneven { robots, seats } => (
                detail!("{seats} seats cannot be shared evenly by {robots} robots", seats, robots),
                Some(detail!("name one robot for each seat")),
            ),
            RobotsError::MixedTeam => (
                detail!("partners must be robots of one kind"),
                Some(detail!("opposite seats are partners: name two robots, the first of them for the first seat")),
            ),
            // Other errors are about names of robots that the schema of the request does not allow.
            error => (error.to_string().into(), None),
        };
        Problem::one(Code::BodyInvalid, ProblemPart::at("/robots", detail).helped(help))
    })
}

fn parse(id: &str) -> Result<Uuid, Problem> {
    Uuid::try_parse(id).map_err(|_| not_found())
}

fn not_found() -> Problem {
    Problem::new(Code::SimulationNotFound, "no simulation has this id")
}
