//! Entrants who enter a tournament, as JSON.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::creation::Robot;
use super::tournament::TournamentView;

/// Entrants to enter.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"entrants": [{"name": "Asha"}, {"name": "Bhavna"}]}))]
pub(crate) struct EnterTournament {
    /// The entrants. A sender who is not the organiser enters one.
    #[schema(min_items = 1, max_items = 512)]
    pub entrants: Vec<NewEntrant>,
    /// The invitation. Needed if the registration is `invited`, except by the organiser.
    #[schema(min_length = 1, max_length = 200)]
    pub invitation: Option<String>,
}

/// An entrant to enter.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewEntrant {
    /// A name for people, which no other entrant has. By default the name of the player whose token the request has.
    #[schema(min_length = 1, max_length = 40)]
    pub name: Option<String>,
    /// The robot that plays for the entrant. Only the organiser enters robots.
    pub robot: Option<Robot>,
    /// The names of the members of a team, in the order of play. With the token of a player, that player is the first
    /// one. Only if the tournament has teams.
    #[serde(default)]
    #[schema(max_items = 4)]
    pub members: Vec<String>,
}

/// Entrants who were entered.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct EnteredTournament<'a> {
    /// The entrants, in the order of the request.
    pub entrants: Vec<EntrantTokens<'a>>,
    /// The tournament.
    pub tournament: TournamentView<'a>,
}

/// An entrant who was entered, with the tokens of the members. No other answer shows these tokens.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct EntrantTokens<'a> {
    /// The number of the entrant.
    pub number: u32,
    /// The name of the entrant.
    pub name: String,
    /// Whether the entrant waits for a place.
    pub waiting: bool,
    /// One token for each member without an account. It plays the seat of this member in every game of the tournament,
    /// and withdraws the entrant. A player uses the player's own token.
    pub tokens: Vec<&'a str>,
}
