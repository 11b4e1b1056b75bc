//! Enters and withdraws entrants, notes their absences, and starts tournaments.

use crate::error::{Code, Detail, Problem, ProblemPart, detail, readable_name};
use crate::ground::token::Token;
use crate::model::tournament_entry::{EnterTournament, EnteredTournament, EntrantTokens, NewEntrant};
use crate::service::Service;
use crate::service::call::{Call, CallPlayer};
use crate::service::entity::check_seen;
use crate::service::idempotency::IdempotentRequest;
use crate::service::reply::Reply;
use crate::service::tournaments::access::{
    TournamentRole, entrant as check_entrant, may_see, organiser, token, tournament_id, unknown_token,
};
use crate::tournament::edit::TournamentEdit;
use crate::tournament::entering::EntrantToAdd;
use crate::tournament::names::{EntrantNames, check_members};
use crate::tournament::stored::{TeamMember, Tournament, TournamentStatus};
use crate::tournament::terms::Registration;
use crate::tournament::{TOURNAMENT, TournamentId, entity};

/// An entrant of a request, with the tokens of the members in clear text.
struct Decided {
    entry: EntrantToAdd,
    tokens: Vec<Token>,
}

impl Service {
    /// Enters entrants: as many as the organiser likes, or one person by themself.
    ///
    /// # Errors
    /// The tournament takes no such entries, a name is taken, or the names do not suit.
    pub(crate) async fn enter_tournament(
        &self,
        call: &Call,
        body: &[u8],
        id: &str,
        wish: &EnterTournament,
    ) -> Result<Reply, Problem> {
        call.check()?;
        let id = tournament_id(id)?;
        self.change(IdempotentRequest::secret(call, body)?, entity(id), |edit: &mut TournamentEdit| {
            let role = may_see(&edit.tournament, call)?;
            if role.is_none() && call.token.is_some() && call.player.is_none() {
                return Err(unknown_token());
            }
            let is_organiser = matches!(role, Some(TournamentRole::Organiser | TournamentRole::Admin));
            check_seen(edit, call)?;
            if !is_organiser {
                check_open(&edit.tournament, call, wish)?;
            }
            check_robots(&edit.tournament, wish)?;
            let player = call.player.as_ref().filter(|_| !is_organiser);
            let decided = decide(id, edit.tournament.terms.team_size, player, wish)?;
            let numbers = decided.iter().map(|decided| edit.enter(&decided.entry)).collect::<Result<Vec<_>, _>>()?;
            let is_waiting = |number: u32| edit.tournament.entrants.iter().any(|e| e.number == number && e.is_waiting);
            let entrants = numbers.iter().zip(&decided).map(|(number, decided)| EntrantTokens {
                number: *number,
                name: decided.entry.name.clone(),
                waiting: is_waiting(*number),
                tokens: decided.tokens.iter().map(Token::reveal).collect(),
            });
            let answer = EnteredTournament { entrants: entrants.collect(), tournament: edit.view() };
            Ok(Reply::new(201, &answer)?.at_version(edit.tournament.version))
        })
        .await
    }

    /// Withdraws an entrant.
    ///
    /// # Errors
    /// The caller is neither the entrant nor the organiser, or the entrant has withdrawn before.
    pub(crate) async fn withdraw_entrant(&self, call: &Call, id: &str, number: &str) -> Result<Reply, Problem> {
        token(call)?;
        let number = entrant_number(number)?;
        self.change(IdempotentRequest::of(call, &[])?, entity(tournament_id(id)?), |edit: &mut TournamentEdit| {
            let role = check_entrant(&edit.tournament, call, number)?;
            check_seen(edit, call)?;
            edit.withdraw(number, !matches!(role, TournamentRole::Entrant(_)))?;
            Ok(Reply::ok(&edit.view())?.at_version(edit.tournament.version))
        })
        .await
    }

    /// Lets an entrant who has withdrawn take part again.
    ///
    /// # Errors
    /// The entrant has not withdrawn; the caller is neither the entrant nor the organiser; or the caller is the
    /// entrant, whom the organiser has withdrawn.
    pub(crate) async fn return_entrant(
        &self,
        call: &Call,
        body: &[u8],
        [id, number]: [&str; 2],
    ) -> Result<Reply, Problem> {
        token(call)?;
        let (id, number) = (tournament_id(id)?, entrant_number(number)?);
        let bring_back = |edit: &mut TournamentEdit| {
            let role = check_entrant(&edit.tournament, call, number)?;
            check_seen(edit, call)?;
            if matches!(role, TournamentRole::Entrant(_)) && edit.tournament.excluded.contains(&number) {
                let detail = detail!("the organiser has withdrawn entrant {number}, and can bring them back", number);
                return Err(Problem::new(Code::NotAllowed, detail));
            }
            edit.bring_back(number)?;
            Ok(Reply::ok(&edit.view())?.at_version(edit.tournament.version))
        };
        self.change(IdempotentRequest::of(call, body)?, entity(id), bring_back).await
    }

    /// Notes that an entrant is not to be paired in a round.
    ///
    /// # Errors
    /// The caller is neither the entrant nor the organiser, or the round is paired.
    pub(crate) async fn note_absence(
        &self,
        call: &Call,
        body: &[u8],
        [id, number]: [&str; 2],
        round: u32,
    ) -> Result<Reply, Problem> {
        token(call)?;
        let number = entrant_number(number)?;
        self.change(IdempotentRequest::of(call, body)?, entity(tournament_id(id)?), |edit: &mut TournamentEdit| {
            check_entrant(&edit.tournament, call, number)?;
            check_seen(edit, call)?;
            edit.note_absence(number, round as usize)?;
            Ok(Reply::ok(&edit.view())?.at_version(edit.tournament.version))
        })
        .await
    }

    /// Starts a tournament. If the service pairs the rounds by itself, the first round is paired at once.
    ///
    /// # Errors
    /// The caller is not the organiser, the tournament has started, or its form does not fit the number of entrants.
    pub(crate) async fn start_tournament(&self, call: &Call, body: &[u8], id: &str) -> Result<Reply, Problem> {
        token(call)?;
        let id = tournament_id(id)?;
        let start = |edit: &mut TournamentEdit| {
            organiser(&edit.tournament, call)?;
            check_seen(edit, call)?;
            edit.start()?;
            Ok(Reply::ok(&edit.view())?.at_version(edit.tournament.version))
        };
        let reply = self.change(IdempotentRequest::of(call, body)?, entity(id), start).await?;
        self.advance_in_background(id);
        Ok(reply)
    }
}

/// Checks that somebody who is not the organiser may enter.
fn check_open(tournament: &Tournament, call: &Call, wish: &EnterTournament) -> Result<(), Problem> {
    let closed = |detail: Detail| Err(Problem::new(Code::EntriesClosed, detail));
    if tournament.terms.registration == Registration::List {
        token(call)?;
        return closed(detail!("only the organiser of this tournament enters entrants"));
    }
    if tournament.terms.registration == Registration::Invited {
        let sent = wish.invitation.as_deref().map(|text| Token::sent(text).hash());
        if sent.is_none() || sent != tournament.invitation {
            return Err(Problem::new(Code::NotAllowed, "people enter this tournament with its invitation only"));
        }
    }
    if wish.entrants.len() > 1 {
        token(call)?;
        return Err(Problem::new(Code::NotAllowed, "only the organiser may enter several entrants at once"));
    }
    if wish.entrants.iter().any(|entrant| entrant.robot.is_some()) {
        token(call)?;
        return Err(Problem::new(Code::NotAllowed, "only the organiser enters robots"));
    }
    match tournament.status {
        TournamentStatus::Running if !tournament.terms.late_entries => closed(detail!("the tournament has started")),
        _ => Ok(()),
    }
}

/// Checks that no robot enters a tournament that takes none.
fn check_robots(tournament: &Tournament, wish: &EnterTournament) -> Result<(), Problem> {
    let robots = wish.entrants.iter().enumerate().filter(|(_, entrant)| entrant.robot.is_some());
    let mistakes: Vec<ProblemPart> = robots
        .filter(|_| !tournament.terms.takes_robots)
        .map(|(at, _)| ProblemPart::at(format!("/entrants/{at}/robot"), detail!("this tournament takes no robots")))
        .collect();
    if mistakes.is_empty() { Ok(()) } else { Err(Problem::several(Code::BodyInvalid, mistakes)) }
}

/// Checks the names of the entrants of a request, and draws a token for each member.
fn decide(
    id: TournamentId,
    team: usize,
    player: Option<&CallPlayer>,
    wish: &EnterTournament,
) -> Result<Vec<Decided>, Problem> {
    let (mut mistakes, mut all, mut seen) = (Vec::new(), Vec::new(), EntrantNames::default());
    for (at, entrant) in wish.entrants.iter().enumerate() {
        let pointer = format!("/entrants/{at}");
        let Some((name, names)) = names(&pointer, team, player, entrant, &mut mistakes) else { continue };
        let is_alone = names.len() == 1;
        let own = if is_alone { Vec::new() } else { names.clone() };
        for name in std::iter::once(&name).chain(&own) {
            seen.add(&pointer, name, &mut mistakes);
        }
        let (mut members, mut tokens) = (Vec::new(), Vec::new());
        let robot = entrant.robot.map(Into::into);
        for (at, name) in names.into_iter().enumerate() {
            let token = Token::of(TOURNAMENT.word(), id)?;
            let player = player.filter(|_| at == 0).map(|player| player.id);
            members.push(TeamMember { name, token: token.hash(), player, robot });
            tokens.extend(Some(token).filter(|_| player.is_none() && robot.is_none()));
        }
        all.push(Decided { entry: EntrantToAdd { name, members }, tokens });
    }
    if mistakes.is_empty() { Ok(all) } else { Err(Problem::several(Code::BodyInvalid, mistakes)) }
}

/// Returns the name of an entrant and those of the members; `None` if there is a mistake.
fn names(
    pointer: &str,
    team: usize,
    player: Option<&CallPlayer>,
    entrant: &NewEntrant,
    mistakes: &mut Vec<ProblemPart>,
) -> Option<(String, Vec<String>)> {
    let before = mistakes.len();
    let of_player = player.and_then(|player| player.name.clone());
    let name = readable_name(&format!("{pointer}/name"), entrant.name.as_deref(), mistakes);
    let mut members = Vec::new();
    for (at, member) in entrant.members.iter().enumerate() {
        members.extend(readable_name(&format!("{pointer}/members/{at}"), Some(member), mistakes));
    }
    if mistakes.len() > before {
        return None;
    }
    let Some(name) = name.or(of_player) else {
        mistakes.push(ProblemPart::at(format!("{pointer}/name"), detail!("an entrant needs a name")));
        return None;
    };
    if team == 1 && members.is_empty() {
        return Some((name.clone(), vec![name]));
    }
    check_members(&format!("{pointer}/members"), members.len(), team, mistakes).then_some((name, members))
}

/// Parses the number of an entrant in a path.
///
/// # Errors
/// 404 if the text is no number, because no entrant has it.
fn entrant_number(text: &str) -> Result<u32, Problem> {
    let number = text.parse().ok().filter(|number: &u32| number.to_string() == text);
    let shown = || text.chars().take(32).collect::<String>();
    number.ok_or_else(|| {
        Problem::new(Code::EntrantNotFound, detail!("no entrant has the number {number}", number = shown()))
    })
}
