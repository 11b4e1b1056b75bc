//! Pairs rounds: at a request of the organiser or an arbiter, or automatically.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use pagade_pairing::{OwnRound, Round};

use crate::error::{Code, Problem, detail, internal, readable};
use crate::limits::Policy;
use crate::model::tournament_round::{PairRound, PairedRound};
use crate::service::Service;
use crate::service::call::Call;
use crate::service::commit::too_many_conflicts;
use crate::service::entity::check_seen;
use crate::service::idempotency::IdempotentRequest;
use crate::service::reply::Reply;
use crate::service::tournaments::access::{arbiter, token, tournament_id};
use crate::tournament::edit::TournamentEdit;
use crate::tournament::planning::EnginesBySeats;
use crate::tournament::results::{next_round, not_started, over};
use crate::tournament::stored::{Tournament, TournamentStatus, not_found};
use crate::tournament::{TOURNAMENT, TournamentId, entity, own_rounds, view};

/// Maximum number of attempts to pair a round. An attempt fails if the tournament changes while the round is computed.
const PAIRING_TRIES: usize = 16;

/// The function that computes the next round. It returns `None` if no round follows.
pub(super) type PlanRound = Arc<dyn Fn(&Tournament) -> Result<Option<Round>, Problem> + Send + Sync>;

/// The function that changes the tournament with the computed round, and makes the answer.
type UseRound<'u> = &'u (dyn Fn(&mut TournamentEdit, Option<&Round>, &EnginesBySeats) -> Result<Reply, Problem> + Sync);

impl Service {
    /// Pairs the next round at a request: by the format, or as the request says. The games are created at once.
    ///
    /// # Errors
    /// The caller is neither organiser nor arbiter, results are missing, no round is left, `wish` names another round
    /// than the next one, or its tables and byes have mistakes. The error then lists every mistake.
    pub(crate) async fn pair_round(
        &self,
        call: &Call,
        body: &[u8],
        id: &str,
        wish: &PairRound,
    ) -> Result<Reply, Problem> {
        token(call)?;
        let id = tournament_id(id)?;
        let own = own_round(wish)?;
        let plan: PlanRound = match own {
            Some(own) => Arc::new(move |tournament| own_rounds::next_round(tournament, &own)),
            None => Arc::new(next_round),
        };
        let reply = self
            .with_next_round(id, IdempotentRequest::of(call, body)?, &plan, &|edit, round, engines| {
                arbiter(&edit.tournament, call)?;
                check_seen(edit, call)?;
                let next = edit.tournament.rounds.len() + 1;
                if let Some(asked) = wish.round
                    && asked as usize != next
                {
                    let detail = detail!("the next round is {next}, not {asked}", next, asked);
                    return Err(Problem::new(Code::RoundPaired, detail));
                }
                let Some(round) = round else {
                    let detail =
                        detail!("all rounds are paired: the organiser ends the tournament with `POST .../finish`");
                    return Err(Problem::new(Code::TournamentOver, detail));
                };
                if let Some(caller) = call.caller {
                    let counted = self.meter.count_many(Policy::Create, caller, round.tables.len());
                    counted.map_err(|refused| refused.problem)?;
                }
                edit.add_round(round.clone(), engines)?;
                let rounds = &edit.tournament.rounds;
                let paired = rounds.last().ok_or_else(|| internal("a round was paired"))?;
                let answer = PairedRound { round: view::round(rounds.len(), paired), tournament: edit.view() };
                let reply = Reply::new(201, &answer)?.at_version(edit.tournament.version);
                Ok(reply.at_location(format!("/v1/tournaments/{id}/rounds/{next}")))
            })
            .await?;
        self.create_round_games(id).await?;
        Ok(reply)
    }

    /// Computes the next round of a tournament by `plan`, and changes the tournament with it. If the tournament changes
    /// while the round is being computed, it is computed again.
    pub(super) async fn with_next_round(
        &self,
        id: TournamentId,
        idempotency: Option<IdempotentRequest>,
        plan: &PlanRound,
        change: UseRound<'_>,
    ) -> Result<Reply, Problem> {
        for _ in 0..PAIRING_TRIES {
            let (stored, answer) = match &idempotency {
                Some(idempotency) => self.store.entity_and_answer(entity(id), idempotency.key).await?,
                None => (self.store.entity(entity(id)).await?, None),
            };
            if let (Some(idempotency), Some(answer)) = (&idempotency, answer) {
                return idempotency.open(answer);
            }
            let tournament = self.tournaments.read(&stored.ok_or_else(not_found)?)?;
            let version = tournament.version;
            let engines = self.engines(&tournament).await?;
            let plan = Arc::clone(plan);
            let computed = tokio::task::spawn_blocking(move || match tournament.status {
                TournamentStatus::Open => Err(not_started()),
                TournamentStatus::Finished => Err(over()),
                TournamentStatus::Running => plan(&tournament),
            });
            let computed = computed.await.map_err(internal)?;
            let is_stale = AtomicBool::new(false);
            let changed = self
                .change(idempotency.clone(), entity(id), |edit: &mut TournamentEdit| {
                    if edit.version_before() != version {
                        is_stale.store(true, Ordering::Relaxed);
                        return Err(internal("the tournament has changed meanwhile"));
                    }
                    is_stale.store(false, Ordering::Relaxed);
                    match &computed {
                        Ok(round) => change(edit, round.as_ref(), &engines),
                        // The change is tried without a round: if the caller may not pair rounds, that error is
                        // reported instead of the error of the pairing.
                        Err(problem) => change(edit, None, &engines).map_or_else(
                            |refused| Err(if is_of_caller(&refused) { refused } else { problem.clone() }),
                            |_| Err(problem.clone()),
                        ),
                    }
                })
                .await;
            match changed {
                Err(_) if is_stale.load(Ordering::Relaxed) => {}
                changed => return changed,
            }
        }
        Err(too_many_conflicts(TOURNAMENT.word()))
    }

    /// Returns the engines of a tournament.
    ///
    /// # Errors
    /// The store is not available, or has lost the rule set.
    pub(super) async fn engines(&self, tournament: &Tournament) -> Result<EnginesBySeats, Problem> {
        let (terms, mut engines) = (&tournament.terms, EnginesBySeats::default());
        for seats in &terms.boards {
            let engine = self.library.pinned_table(&terms.rule_set.digest, &terms.options, seats).await?;
            engines.0.insert(seats.len(), engine);
        }
        Ok(engines)
    }
}

/// Reads the tables and byes of a request; `None` if the round is to be paired by the format.
fn own_round(wish: &PairRound) -> Result<Option<OwnRound>, Problem> {
    let Some(tables) = &wish.tables else {
        if wish.byes.is_empty() {
            return Ok(None);
        }
        return Err(Problem::body("/byes", detail!("byes are sent only together with `tables`")));
    };
    let mut mistakes = Vec::new();
    let own = own_rounds::read(tables, &wish.byes, |pointer, text| readable(pointer, text, &mut mistakes));
    if mistakes.is_empty() { Ok(Some(own)) } else { Err(Problem::several(Code::BodyInvalid, mistakes)) }
}

/// Tells whether a problem is about the request or its sender, and comes before problems of the tournament.
fn is_of_caller(problem: &Problem) -> bool {
    problem.code == Code::RoundPaired || matches!(problem.code.status(), 400 | 401 | 403 | 412 | 428)
}
