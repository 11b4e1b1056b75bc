//! Registered players: players who sign in with tokens of an identity provider. The first token of a person creates the
//! player.

use uuid::Builder;

use crate::error::{Code, Problem, detail, readable_name};
use crate::ground::token::Token;
use crate::identity::{Identity, Subject};
use crate::model::event_kind::PlayerEventKind;
use crate::player::edit::PlayerEdit;
use crate::player::stored::Player;
use crate::player::{PLAYER, entity};
use crate::service::Service;
use crate::service::call::CallPlayer;
use crate::service::commit::{CommitFailure, too_many_conflicts};
use crate::service::entity::EntityEdit;
use crate::service::reply::Reply;
use crate::store::Change;

/// Longest name of a player, in characters.
const LONGEST_NAME: usize = 40;
/// Maximum number of attempts to find or create a player.
const SIGN_IN_TRIES: usize = 4;

impl Service {
    /// Returns the player whom a token of the identity provider (a JWT) names. Creates the player if there is none. The
    /// returned [`Token`] depends only on the person, so it is equal for all JWTs of the player.
    ///
    /// # Errors
    /// 401 if the token is not valid, or the player was deleted a moment ago; 503 if the issuer does not answer.
    pub(crate) async fn player_of_jwt(&self, identity: &Identity, jwt: &str) -> Result<(Token, CallPlayer), Problem> {
        let subject = identity.verify(jwt).await?;
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&subject.hash[..16]);
        // The id follows from issuer and subject, so that all processes find the same player.
        let id = Builder::from_custom_bytes(bytes).into_uuid();
        let token = Token::of_subject(PLAYER.word(), id, &subject.hash);
        for _ in 0..SIGN_IN_TRIES {
            if let Some(stored) = self.store.entity(entity(id)).await? {
                let player = Player::read_any(&stored.snapshot)?;
                if player.is_gone() {
                    let detail = detail!("the player of this token was deleted a moment ago");
                    return Err(Problem::new(Code::TokenUnknown, detail));
                }
                return Ok((token, CallPlayer { id, name: player.name, balance: player.ledger.balance }));
            }
            let now = self.store.now();
            let player = Player { is_registered: true, ..Player::new(name_of(&subject), token.hash(), now) };
            let mut edit = PlayerEdit::begin(id, player, now);
            edit.issue(self.scoring.chips);
            edit.add(PlayerEventKind::Created)?;
            let (change, effects) = edit.finish(self, None)?;
            match self.commit(Change::Entity(change), None, &Reply::default()).await {
                Ok(()) => PlayerEdit::apply(self, effects),
                Err(CommitFailure::Problem(problem)) => return Err(problem),
                // Another request has created the player at the same moment: the next attempt finds that player.
                Err(CommitFailure::Conflict(_) | CommitFailure::Answered(_)) => {}
            }
        }
        Err(too_many_conflicts(PLAYER.word()))
    }
}

/// Returns the name in a token; `None` if the token has none, or one that the service does not accept as a name.
fn name_of(subject: &Subject) -> Option<String> {
    let name = readable_name("/name", subject.name.as_deref(), &mut Vec::new());
    name.filter(|name| name.chars().count() <= LONGEST_NAME)
}
