//! Creates tournaments.

use pagade_pairing::TournamentSeed;

use crate::error::{Code, Problem, ProblemPart, internal, readable};
use crate::game::wire;
use crate::ground::token::Token;
use crate::model::event_kind::TournamentEventKind;
use crate::model::tournament::{CreateTournament, CreatedTournament, FormatKind, TieBreakWord};
use crate::rule_sets::library::CompiledRuleSet;
use crate::service::Service;
use crate::service::call::Call;
use crate::service::idempotency::IdempotentRequest;
use crate::service::reply::Reply;
use crate::service::rule_sets::problems::no_rule_set;
use crate::tournament::TOURNAMENT;
use crate::tournament::edit::TournamentEdit;
use crate::tournament::event::EventSubjects;
use crate::tournament::form;
use crate::tournament::stored::Tournament;
use crate::tournament::suiting::{Suited, suit};
use crate::tournament::terms::{Registration, Terms};

/// Maximum number of entrants who play.
pub(crate) const MOST_ENTRANTS: u32 = 1024;

/// The tie-breaks of a tournament whose organiser names none.
pub(crate) const TIE_BREAKS: [TieBreakWord; 5] = [
    TieBreakWord::Buchholz,
    TieBreakWord::DirectMeeting,
    TieBreakWord::Wins,
    TieBreakWord::ScoreDifference,
    TieBreakWord::Lots,
];

impl Service {
    /// Creates a tournament without entrants.
    ///
    /// # Errors
    /// The rule set does not exist, or the options, seats, form or title do not suit it. The error lists every
    /// mistake.
    pub(crate) async fn create_tournament(
        &self,
        call: &Call,
        body: &[u8],
        wish: &CreateTournament,
    ) -> Result<Reply, Problem> {
        self.create(IdempotentRequest::secret(call, body)?, async |id| {
            let mut mistakes = Vec::new();
            let title = readable("/title", wish.title.as_deref(), &mut mistakes);
            let prizes = wish.prizes.iter().enumerate();
            let prizes: Vec<String> =
                prizes.filter_map(|(at, text)| readable(&format!("/prizes/{at}"), Some(text), &mut mistakes)).collect();
            let compiled = self.library.find(&wish.rule_set, wish.version.as_deref()).await?;
            let unknown = || Problem::body("/rule_set", no_rule_set(&wish.rule_set, wish.version.as_deref()));
            let compiled = compiled.ok_or_else(unknown)?;
            let terms = Terms { prizes, ..self.decide_terms(wish, &compiled, mistakes)? };
            let (organiser, arbiter) = (Token::of(TOURNAMENT.word(), id)?, Token::of(TOURNAMENT.word(), id)?);
            let now = self.store.now();
            let hashes = [organiser.hash(), arbiter.hash()];
            let invitation = match terms.registration {
                Registration::Invited => Some(Token::of(TOURNAMENT.word(), id)?),
                Registration::Open | Registration::List => None,
            };
            let mut tournament = Tournament::new(title, terms, seed(wish.seed.as_deref())?, hashes, now);
            tournament.invitation = invitation.as_ref().map(Token::hash);
            let mut edit = TournamentEdit::begin(id, tournament, now);
            edit.add(TournamentEventKind::Created, EventSubjects::default())?;
            let answer = CreatedTournament {
                token: organiser.reveal(),
                arbiter_token: arbiter.reveal(),
                invitation: invitation.as_ref().map(Token::reveal),
                tournament: edit.view(),
            };
            let reply = Reply::new(201, &answer)?.at_version(edit.tournament.version);
            Ok((edit, Some(compiled.rule_text()?), reply.at_location(format!("/v1/tournaments/{id}"))))
        })
        .await
    }

    /// Reads the terms of a request.
    fn decide_terms(
        &self,
        wish: &CreateTournament,
        compiled: &CompiledRuleSet,
        mut mistakes: Vec<ProblemPart>,
    ) -> Result<Terms, Problem> {
        let options = wire::options(&wish.options);
        form::check_terms(wish, &mut mistakes);
        let table = |seats: Option<&[String]>| self.library.table(compiled, &options, seats);
        let suited = suit(wish, &options, &compiled.set, &table, &mut mistakes);
        let Some(Suited { format, seatings, .. }) = suited.filter(|_| mistakes.is_empty()) else {
            return Err(Problem::several(Code::BodyInvalid, mistakes));
        };
        let tie_breaks = wish.tie_breaks.as_deref().unwrap_or(&TIE_BREAKS);
        Ok(Terms {
            rule_set: (&compiled.set).into(),
            options,
            boards: seatings.into_values().rev().map(|seating| seating.seats).collect(),
            timer: wish.turn_timer.map(Into::into),
            robot_pause: wish.robot_pause_milliseconds.into(),
            same_dice: wish.same_dice,
            format,
            open_seconds: wish.format.seconds,
            seeding: wish.seeding.into(),
            points: form::points(wish.points.as_ref()),
            tie_breaks: tie_breaks.iter().map(|word| (*word).into()).collect(),
            team_size: wish.team_size.unwrap_or(1) as usize,
            registration: wish.registration.into(),
            most_entrants: wish.most_entrants.unwrap_or(MOST_ENTRANTS) as usize,
            late_entries: wish.late_entries,
            is_automatic: wish.automatic || wish.format.kind == FormatKind::Arena,
            takes_robots: wish.robots,
            no_show: wish.no_show.map(Into::into),
            prizes: Vec::new(),
        })
    }
}

/// Reads the seed of a request, or draws one.
fn seed(sent: Option<&str>) -> Result<TournamentSeed, Problem> {
    let mut seed = [0; 32];
    match sent {
        Some(sent) => const_hex::decode_to_slice(sent, &mut seed).map_err(internal)?,
        None => getrandom::fill(&mut seed).map_err(internal)?,
    }
    Ok(TournamentSeed(seed))
}
