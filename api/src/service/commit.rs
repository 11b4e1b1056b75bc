//! Commands: each is done once, whatever is sent again and whatever happens at the same moment.

use std::sync::Arc;

use uuid::Uuid;

use crate::error::{Code, Problem};
use crate::game::cache::Known;
use crate::game::edit::{Edit, Milestones};
use crate::game::{GameId, entity};
use crate::limits::Policy;
use crate::service::call::Call;
use crate::service::games::reading;
use crate::service::once::Once;
use crate::service::reply::Reply;
use crate::service::uncancelled::Unstoppable;
use crate::service::{Service, access};
use crate::store::{AnswerOwner, Change, Commit, EntityId, SharedText, StoreError, StoredEntity};

/// How often a command is tried again when another got in between. Each try means that another command succeeded.
const TRIES: usize = 32;

impl Service {
    /// Changes a game once. `work` is asked again where another commit got in between; it refuses if that matters to it.
    ///
    /// A copy at hand is tried first: where it is fresh, the commit is the only call to the store. A refusal counts only
    /// when the copy was the game as it is.
    pub(crate) async fn change_game<F>(&self, once: Option<Once>, id: &str, work: F) -> Result<Reply, Problem>
    where
        F: Fn(&mut Edit) -> Result<Reply, Problem>,
    {
        let id = reading::game_id(id)?;
        let mut at_hand = self.store.cached(entity(id)).map(|game| (game, false));
        let mut refused = None;
        for _ in 0..TRIES {
            let (game, is_fresh) = match at_hand.take() {
                Some(copy) => copy,
                None => match self.look(entity(id), once.as_ref()).await? {
                    Look::Answered(reply) => return Ok(reply),
                    Look::Game(game) => (game, true),
                },
            };
            if let Some((version, problem)) = refused.take()
                && version == game.version
            {
                return Err(problem);
            }
            let (change, done, reply) = match self.work_on(&game, &work).await {
                Ok(done) => done,
                Err(problem) if is_fresh => return Err(problem),
                Err(problem) => {
                    refused = Some((game.version, problem));
                    continue;
                }
            };
            match self.commit(change, once.as_ref(), &reply).await {
                Ok(()) => {
                    self.tell(done);
                    return Ok(reply);
                }
                Err(Refusal::Answered(reply)) => return Ok(reply),
                Err(Refusal::Conflict(now)) => at_hand = Some((*now.ok_or_else(access::not_found)?, true)),
                Err(Refusal::Problem(problem)) => return Err(problem),
            }
        }
        Err(crowded())
    }

    /// Creates a game once; `work` is given its id.
    pub(crate) async fn create_once<F>(&self, once: Option<Once>, work: F) -> Result<Reply, Problem>
    where
        F: AsyncFn(GameId) -> Result<(Edit, Option<SharedText>, Reply), Problem>,
    {
        for _ in 0..TRIES {
            let mut id = Uuid::now_v7();
            if let Some(once) = &once {
                let (reserved, held) = self.store.reserve(once.key, entity(id)).await?;
                if let Some(held) = held {
                    return once.open(held);
                }
                id = reserved.id;
            }
            let (edit, text, reply) = work(id).await?;
            let (mut change, done) = Done::by(edit, text)?;
            self.expire(&mut change, &done.milestones);
            match self.commit(change, once.as_ref(), &reply).await {
                Ok(()) => {
                    self.tell(done);
                    return Ok(reply);
                }
                Err(Refusal::Answered(reply)) => return Ok(reply),
                Err(Refusal::Conflict(_)) => {}
                Err(Refusal::Problem(problem)) => return Err(problem),
            }
        }
        Err(crowded())
    }

    /// Tells what a commit has made of a game.
    pub(crate) fn tell(&self, done: Done) {
        done.milestones.count(&self.metrics);
        if done.milestones.is_told {
            self.wake(entity(done.known.id));
        }
        self.known.keep(done.known);
    }

    /// Changes the published rule sets once.
    pub(crate) async fn publish_once(
        &self,
        call: &Call,
        once: Option<Once>,
        change: Change,
        reply: Reply,
    ) -> Result<Reply, Problem> {
        if let Some(once) = &once
            && let Some(held) = self.store.answer(AnswerOwner::Published, once.key).await?
        {
            return once.open(held);
        }
        let most = self.bounds.rule_sets;
        if self.store.published().await?.len() >= most {
            let detail = format!("{most} rule sets are published here, and no more are taken");
            return Err(Problem::new(Code::RuleSetsFull, detail));
        }
        if let Some(caller) = call.caller {
            self.meter.count(Policy::Publish, caller).map_err(|refused| refused.problem)?;
        }
        match self.commit(change, once.as_ref(), &reply).await {
            Ok(()) => Ok(reply),
            Err(Refusal::Answered(reply)) => Ok(reply),
            Err(Refusal::Conflict(_)) => Err(crowded()),
            Err(Refusal::Problem(problem)) => Err(problem),
        }
    }

    async fn look(&self, id: EntityId, once: Option<&Once>) -> Result<Look, Problem> {
        let game = match once {
            None => self.store.entity(id).await?,
            Some(once) => match self.store.entity_and_answer(id, once.key).await? {
                (_, Some(held)) => return once.open(held).map(Look::Answered),
                (game, None) => game,
            },
        };
        game.map(Look::Game).ok_or_else(access::not_found)
    }

    async fn work_on<F>(&self, stored: &StoredEntity, work: &F) -> Result<(Change, Done, Reply), Problem>
    where
        F: Fn(&mut Edit) -> Result<Reply, Problem>,
    {
        let known = self.known.read(stored, &self.library).await?;
        let mut edit = Edit::of(&known).at(self.store.now());
        let reply = work(&mut edit)?;
        let (mut change, done) = Done::by(edit, None)?;
        self.expire(&mut change, &done.milestones);
        Ok((change, done, reply))
    }

    async fn commit(&self, change: Change, once: Option<&Once>, reply: &Reply) -> Result<(), Refusal> {
        let answer = match once {
            Some(once) => Some((once.key, once.seal(reply, self.store.now()).map_err(Refusal::Problem)?)),
            None => None,
        };
        // Whoever asked may go away meanwhile: what was begun is finished all the same.
        let store = Arc::clone(&self.store);
        let work = async move { store.commit(Commit { change, answer }).await };
        match (Unstoppable::new(work).await, once) {
            (Ok(()), _) => Ok(()),
            (Err(StoreError::KeyTaken(held)), Some(once)) => {
                Err(once.open(*held).map_or_else(Refusal::Problem, Refusal::Answered))
            }
            (Err(StoreError::Conflict(now)), _) => Err(Refusal::Conflict(now)),
            (Err(error), _) => Err(Refusal::Problem(error.into())),
        }
    }
}

/// What a command does to a game.
pub(crate) struct Done {
    known: Arc<Known>,
    milestones: Milestones,
}

impl Done {
    /// The commit of an edit, and what is to be told when it is done.
    ///
    /// # Errors
    /// The game cannot be written, which its type rules out.
    pub(crate) fn by(edit: Edit, rules: Option<SharedText>) -> Result<(Change, Self), Problem> {
        let milestones = edit.milestones();
        let (change, known) = edit.into_change(rules)?;
        Ok((change, Self { known: Arc::new(known), milestones }))
    }
}

/// What was found before a command.
enum Look {
    /// It was done already; this was the answer.
    Answered(Reply),
    /// The game as it is.
    Game(StoredEntity),
}

/// Why a commit was not done.
enum Refusal {
    /// It was done already; this was the answer.
    Answered(Reply),
    /// The game has moved on to this.
    Conflict(Option<Box<StoredEntity>>),
    /// Something else.
    Problem(Problem),
}

fn crowded() -> Problem {
    Problem::new(Code::StoreUnavailable, "too many commands for this game at the same moment")
}
