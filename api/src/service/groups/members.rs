//! Adds games to a group: many in one request, and either all of them or none.
//!
//! One commit of the group decides: it stores the plans of all games, and the answer with their tokens. Then the games
//! are created: by this process, by the next request with the same key, or by the regular check of the group, whichever
//! comes first.

use std::collections::BTreeMap;

use uuid::Uuid;

use crate::error::{Code, Problem, ProblemPart, detail};
use crate::game::GameId;
use crate::game::planned::PlannedGame;
use crate::group::edit::GroupEdit;
use crate::group::stored::{Group, GroupStatus, not_found};
use crate::group::{GroupId, entity};
use crate::limits::Policy;
use crate::model::creation::CreateGame;
use crate::model::group::{CreateGames, CreatedGames, GameTokens};
use crate::service::Service;
use crate::service::call::Call;
use crate::service::entity::check_seen;
use crate::service::games::creation;
use crate::service::groups::access::{group_id, owner, token};
use crate::service::idempotency::IdempotentRequest;
use crate::service::reply::Reply;
use crate::store::{Change, Commit, SharedText};

/// Maximum number of games that one request adds.
pub(crate) const MOST_AT_ONCE: usize = 500;
/// Maximum number of games of a group.
pub(crate) const MOST_GAMES: u32 = 1000;

/// The plans of the games of a request, and the answer with their tokens.
struct PlannedGames {
    games: Vec<(GameId, PlannedGame)>,
    /// The texts of the rule sets of the games.
    texts: Vec<SharedText>,
    reply: Reply,
}

impl Service {
    /// Adds games to a group. The answer has the tokens of all of them.
    ///
    /// # Errors
    /// The caller is not the owner, a game does not suit its rule set, or the group has no room for more games: then no
    /// game is created. If the store fails after some games were created, the same request with the same key creates
    /// the others.
    pub(crate) async fn create_games(
        &self,
        call: &Call,
        body: &[u8],
        id: &str,
        wish: &CreateGames,
    ) -> Result<Reply, Problem> {
        token(call)?;
        let id = group_id(id)?;
        let reply = self.commit_games(call, body, id, wish).await?;
        self.create_planned_games(id).await?;
        Ok(reply)
    }

    /// Decides on the games of a request, and commits their plans to the group, together with the answer.
    async fn commit_games(&self, call: &Call, body: &[u8], id: GroupId, wish: &CreateGames) -> Result<Reply, Problem> {
        let Some(idempotency) = IdempotentRequest::secret(call, body)? else { return Err(key_is_needed()) };
        let (stored, answer) = self.store.entity_and_answer(entity(id), idempotency.key).await?;
        if let Some(answer) = answer {
            return idempotency.open(answer);
        }
        let group = Group::read(&stored.ok_or_else(not_found)?.snapshot)?;
        owner(&group, call)?;
        check_room(&group, wish.games.len())?;
        let round = self.decide_round(id, wish, group.private).await?;
        if let Some(caller) = call.caller {
            let counted = self.meter.count_many(Policy::Create, caller, round.games.len());
            counted.map_err(|refused| refused.problem)?;
        }
        let texts = Change::Shared { texts: round.texts, answers: Vec::new() };
        self.store.commit(Commit::from(texts)).await?;
        self.change(Some(idempotency), entity(id), |edit: &mut GroupEdit| {
            owner(&edit.group, call)?;
            check_seen(edit, call)?;
            check_room(&edit.group, round.games.len())?;
            edit.plan(&round.games);
            Ok(round.reply.clone().at_version(edit.group.version))
        })
        .await
    }

    async fn create_planned_games(&self, id: GroupId) -> Result<(), Problem> {
        // A request may be repeated after the group has expired.
        let Some(stored) = self.store.entity(entity(id)).await? else { return Ok(()) };
        self.gather(id, &Group::read(&stored.snapshot)?.planned()).await
    }

    /// Makes the plans of all games of a request, and their tokens.
    async fn decide_round(&self, group: GroupId, wish: &CreateGames, private: bool) -> Result<PlannedGames, Problem> {
        let (mut games, mut texts, mut tokens) = (Vec::new(), BTreeMap::new(), Vec::new());
        let mut mistakes = Vec::new();
        for (index, wish) in wish.games.iter().enumerate() {
            if wish.private && !private {
                let detail = detail!("the group is public: its list and its streams show all of its games");
                mistakes.push(ProblemPart::at(format!("/games/{index}/private"), detail));
                continue;
            }
            let id = Uuid::now_v7();
            let wish = CreateGame { private, ..wish.clone() };
            match self.decide_game(id, &wish, Some(group), None).await {
                Ok(decided) => {
                    let digest = decided.compiled.set.digest();
                    if !texts.contains_key(digest) {
                        texts.insert(digest.to_owned(), decided.compiled.rule_text()?);
                    }
                    games.push((id, decided.planned));
                    tokens.push(decided.tokens);
                }
                Err(problem) if problem.code == Code::BodyInvalid => mistakes.extend(within(problem.parts, index)),
                Err(problem) => return Err(problem),
            }
        }
        if !mistakes.is_empty() {
            return Err(Problem::several(Code::BodyInvalid, mistakes));
        }
        let listed = games.iter().zip(&tokens).map(|((id, planned), tokens)| tokens_of(*id, planned, tokens));
        let reply = Reply::new(201, &CreatedGames { games: listed.collect() })?;
        let reply = reply.at_location(format!("/v1/groups/{group}/games"));
        Ok(PlannedGames { games, texts: texts.into_values().collect(), reply })
    }
}

fn tokens_of<'a>(id: GameId, planned: &'a PlannedGame, tokens: &'a creation::GameTokens) -> GameTokens<'a> {
    GameTokens {
        id,
        title: planned.setup.title.as_deref(),
        token: tokens.owner.reveal(),
        invitation: tokens.invitation.as_ref().map(|token| token.reveal()),
        seats: tokens.of_seats(),
    }
}

/// Extends the pointers of the mistakes in one game, so that they begin at the body of the whole request.
fn within(parts: Vec<ProblemPart>, index: usize) -> impl Iterator<Item = ProblemPart> {
    parts.into_iter().map(move |part| {
        let pointer = format!("/games/{index}{}", part.pointer.as_deref().unwrap_or_default());
        ProblemPart { pointer: Some(pointer), ..part }
    })
}

fn check_room(group: &Group, more: usize) -> Result<(), Problem> {
    if group.status != GroupStatus::Open {
        return Err(Problem::new(Code::GroupComplete, "the group is complete: no games can be added"));
    }
    let room = (MOST_GAMES as usize).saturating_sub(group.members.len());
    if more > room {
        let detail =
            detail!("the group has {count} games, and has room for {room} more", count = group.members.len(), room);
        return Err(Problem::new(Code::GroupFull, detail));
    }
    Ok(())
}

fn key_is_needed() -> Problem {
    let detail = detail!("if the connection breaks, the key is the only way to the tokens of games that were created");
    let part = ProblemPart { header: Some("idempotency-key".to_owned()), ..ProblemPart::of(detail) };
    Problem::one(Code::IdempotencyKeyMissing, part)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::{Value, json};
    use tokio::sync::watch;

    use super::*;
    use crate::config::ServeConfig;
    use crate::game::entity as entity_of_game;
    use crate::ground::token::Token;
    use crate::model::group::CreateGroup;
    use crate::service::lamp::tests::on_both_stores;
    use crate::store::Store;

    /// Makes a service that stands for a process with this store. It ends when the returned sender is dropped.
    fn process(store: &Arc<dyn Store>) -> (Service, watch::Sender<bool>) {
        let (closing, closed) = watch::channel(false);
        (Service::new(Arc::clone(store), &ServeConfig::default(), closed), closing)
    }

    fn body(reply: &Reply) -> Value {
        serde_json::from_slice(&reply.body).unwrap()
    }

    async fn count(service: &Service, games: &[GameId]) -> usize {
        let mut count = 0;
        for game in games {
            count += usize::from(service.store.entity(entity_of_game(*game)).await.unwrap().is_some());
        }
        count
    }

    #[test]
    fn a_round_that_a_crash_interrupted_is_finished_by_the_same_request_or_by_the_check() {
        on_both_stores(async |store| {
            let (first, _closing) = process(&store);
            let created = first.create_group(&Call::default(), b"", &CreateGroup::default()).await.unwrap();
            let created = body(&created);
            let id: GroupId = created["group"]["id"].as_str().unwrap().parse().unwrap();
            let game = json!({"rule_set": "pagade", "players": ["red", "yellow"], "start": true,
                "seats": {"red": {"name": "Asha"}, "yellow": {}}});
            let wish: CreateGames = serde_json::from_value(json!({"games": vec![game; 5]})).unwrap();
            let call = |key: &str| Call {
                token: Some(Token::sent(created["token"].as_str().unwrap())),
                target: "POST /games".into(),
                key: Some(key.into()),
                ..Call::default()
            };
            let one = call("5f0a1c8e-3a52-4d0c-9a3e-6b1f0c9d7e42");
            // The process dies when two of the five games exist.
            let reply = first.commit_games(&one, b"five", id, &wish).await.unwrap();
            let games: Vec<GameId> = body(&reply)["games"]
                .as_array()
                .unwrap()
                .iter()
                .map(|game| game["id"].as_str().unwrap().parse().unwrap())
                .collect();
            first.gather(id, &games[..2]).await.unwrap();
            drop(first);
            let (second, _closing) = process(&store);
            assert_eq!(count(&second, &games).await, 2);
            let again = second.create_games(&one, b"five", &id.to_string(), &wish).await.unwrap();
            assert_eq!((body(&again), again.repeated), (body(&reply), true), "the same tokens");
            assert_eq!(count(&second, &games).await, 5);
            let other = second.create_games(&one, b"six", &id.to_string(), &wish).await.unwrap_err();
            assert_eq!(other.code, Code::IdempotencyKeyReused);

            // The process dies at once, and no client repeats the request.
            let two = call("6f0a1c8e-3a52-4d0c-9a3e-6b1f0c9d7e43");
            second.commit_games(&two, b"five", id, &wish).await.unwrap();
            drop(second);
            let (third, _closing) = process(&store);
            assert!(third.check_group(entity(id)).await.unwrap().is_some(), "it is checked again");
            let group = Group::read(&store.entity(entity(id)).await.unwrap().unwrap().snapshot).unwrap();
            assert_eq!((group.members.len(), group.planned().len()), (10, 0));
            let games: Vec<_> = group.members.iter().map(|member| member.id).collect();
            assert_eq!(count(&third, &games).await, 10);
            // Each game has four events: created, two joined, started. The group has copied each of them once.
            assert_eq!(group.events, 1 + 10 * 4);
        });
    }
}
