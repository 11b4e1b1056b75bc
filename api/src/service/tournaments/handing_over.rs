//! Hands the groups and games of a tournament over to the new token of its organiser.
//!
//! A tournament, its groups and its games are different entities, which no commit can change together. The commit that
//! renews the token notes that they have still to be handed over. So any process can do it, and repeat a failed attempt.

use futures_util::stream::iter;
use futures_util::{StreamExt, TryStreamExt};

use crate::error::{Code, Problem};
use crate::game::edit::Edit;
use crate::game::event::Event;
use crate::game::stored::Game;
use crate::ground::token::TokenHash;
use crate::group::edit::GroupEdit;
use crate::group::{GroupId, entity as entity_of_group};
use crate::model::event_kind::{EventKind, GroupEventKind};
use crate::service::Service;
use crate::service::reply::Reply;
use crate::service::tournaments::making::GAMES_AT_ONCE;
use crate::tournament::edit::TournamentEdit;
use crate::tournament::stored::Tournament;
use crate::tournament::{TournamentId, entity};

impl Service {
    /// Makes the organiser's token that of the owner of all groups and games of a tournament, if a renewal of the token
    /// has left them to an earlier one. Games that are still to be created have to be created before.
    ///
    /// # Errors
    /// The store is not available.
    pub(super) async fn hand_over(&self, id: TournamentId, tournament: &Tournament) -> Result<(), Problem> {
        if !tournament.is_handing_over {
            return Ok(());
        }
        let organiser = &tournament.organiser;
        for round in &tournament.rounds {
            self.hand_over_group(round.group, organiser).await?;
            let is_of_other = |game: &Game| game.setup.owner != *organiser;
            let games =
                round.games().map(|game| self.change_if_needed(game.id, is_of_other, |edit| edit.hand_over(organiser)));
            iter(games.collect::<Vec<_>>()).buffer_unordered(GAMES_AT_ONCE).try_collect::<Vec<bool>>().await?;
        }
        self.change(None, entity(id), |edit: &mut TournamentEdit| {
            // The token may have been renewed once more meanwhile.
            edit.tournament.is_handing_over &= edit.tournament.organiser != *organiser;
            Ok(Reply::default())
        })
        .await
        .map(drop)
    }

    async fn hand_over_group(&self, id: GroupId, organiser: &TokenHash) -> Result<(), Problem> {
        let hand_over = |edit: &mut GroupEdit| {
            if edit.group.owner != *organiser {
                let old = std::mem::replace(&mut edit.group.owner, organiser.clone());
                edit.group.revoke(old);
                edit.add(GroupEventKind::TokenChanged)?;
            }
            Ok(Reply::default())
        };
        match self.change(None, entity_of_group(id), hand_over).await {
            Err(problem) if problem.code != Code::GroupNotFound => Err(problem),
            _ => Ok(()),
        }
    }
}

impl Edit {
    /// Gives the game another owner. The token of the owner before is revoked.
    fn hand_over(&mut self, owner: &TokenHash) {
        let setup = self.game.setup_mut();
        let old = std::mem::replace(&mut setup.owner, owner.clone());
        setup.revoke(old);
        self.add(Event::of_game(EventKind::TokenChanged));
    }
}
