//! A tournament as it is stored.

use std::collections::HashSet;

use bytes::Bytes;
use pagade_pairing::{Entrant, EntrantId, History, InRound, Tournament as Field, TournamentSeed};
use pagade_robots::RobotKind;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::error::{Code, Problem, internal};
use crate::follow::Webhook;
use crate::game::GameId;
use crate::ground::token::{RevokedTokens, Token, TokenHash};
use crate::tournament::rounds::{StoredGame, StoredRound, TakenBack};
use crate::tournament::shared::{Shared, join, split};
use crate::tournament::terms::Terms;

/// Maximum number of tables of all rounds of a tournament.
pub(crate) const MOST_TABLES: usize = 5000;

/// The number of the layout of snapshots, which is their first byte. The program refuses other layouts. After it come
/// the parts, as MessagePack with the names of fields: the entrants, each round, and the other fields of
/// [`Tournament`].
const LAYOUT: u8 = 4;

/// A tournament, as it is stored.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Tournament {
    /// The title of the tournament, for people.
    pub title: Option<String>,
    /// The terms, which are fixed when the tournament is created.
    pub terms: Terms,
    /// The seed of the random numbers by which rounds are paired and equal entrants ordered.
    pub seed: TournamentSeed,
    /// The hash of the organiser's token.
    pub organiser: TokenHash,
    /// The hash of the token that arbiters share.
    pub arbiter: TokenHash,
    /// The hash of the invitation; `None` unless people need it to enter.
    pub invitation: Option<TokenHash>,
    /// The hashes of tokens that were revoked.
    pub revoked: RevokedTokens,
    /// The time of creation, in milliseconds since 1970.
    pub created_at: u64,
    /// The time of the last change, in milliseconds since 1970.
    pub changed_at: u64,
    /// The time of the start, in milliseconds since 1970.
    pub started_at: Option<u64>,
    /// The version of the tournament. It grows by one with every commit.
    pub version: u64,
    /// Number of events of the tournament so far.
    pub events: u64,
    /// Whether the tournament is open for entries, in play, or over.
    pub status: TournamentStatus,
    /// The entrants in the order in which they got their places. Those who left before the start are not listed.
    #[serde(skip)]
    pub entrants: Shared<Vec<StoredEntrant>>,
    /// The number of the next entrant.
    pub next_number: u32,
    /// Entrants who entered after the start, with the first round for which they are paired.
    pub late_entries: Vec<InRound>,
    /// Entrants who asked not to be paired in a round.
    pub absences: Vec<InRound>,
    /// Entrants who withdrew after the start, with the first round for which they are not paired.
    pub withdrawals: Vec<InRound>,
    /// Entrants who had withdrawn and came back, with the first round for which they are paired again.
    #[serde(default)]
    pub returns: Vec<InRound>,
    /// The numbers of entrants who were withdrawn because they did not come.
    pub removed: Vec<u32>,
    /// The numbers of entrants whom the organiser has withdrawn.
    #[serde(default)]
    pub excluded: Vec<u32>,
    /// The rounds that were paired, the first one first.
    #[serde(skip)]
    pub rounds: Vec<Shared<StoredRound>>,
    /// The webhooks of the tournament. Their progress is not stored here, but beside the tournament.
    pub webhooks: Vec<Webhook>,
    /// The rounds that were taken back and whose games have still to be aborted.
    pub taken_back: Vec<TakenBack>,
    /// Whether the groups and games of the rounds may still have an earlier token of the organiser as their owner's.
    #[serde(default)]
    pub is_handing_over: bool,
}

/// The stage of a tournament.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum TournamentStatus {
    /// People enter.
    Open,
    /// Rounds are paired and played.
    Running,
    /// No round follows.
    Finished,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct StoredEntrant {
    /// The number of the entrant, which no other entrant ever gets.
    pub number: u32,
    /// The name of the entrant, for people.
    pub name: String,
    /// The members: one, or the members of a team in the order of play.
    pub members: Vec<TeamMember>,
    /// Whether the entrant waits for a place.
    pub is_waiting: bool,
    /// The time of the entry, in milliseconds since 1970.
    pub entered_at: u64,
}

/// A person who plays for an entrant.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct TeamMember {
    /// The name of the person, for people.
    pub name: String,
    /// The hash of the token that plays the seats of this member.
    pub token: TokenHash,
    /// The id of the player; `None` for a member without an account.
    pub player: Option<Uuid>,
    /// The robot that plays for the entrant; `None` for a person.
    #[serde(default)]
    pub robot: Option<RobotKind>,
}

impl Tournament {
    /// Makes a new tournament, before its first commit. `now` is in milliseconds since 1970.
    pub(crate) fn new(
        title: Option<String>,
        terms: Terms,
        seed: TournamentSeed,
        [organiser, arbiter]: [TokenHash; 2],
        now: u64,
    ) -> Self {
        Self {
            title,
            terms,
            seed,
            organiser,
            arbiter,
            invitation: None,
            revoked: RevokedTokens::default(),
            created_at: now,
            changed_at: now,
            started_at: None,
            version: 0,
            events: 0,
            status: TournamentStatus::Open,
            entrants: Shared::default(),
            next_number: 1,
            late_entries: Vec::new(),
            absences: Vec::new(),
            withdrawals: Vec::new(),
            returns: Vec::new(),
            removed: Vec::new(),
            excluded: Vec::new(),
            rounds: Vec::new(),
            webhooks: Vec::new(),
            taken_back: Vec::new(),
            is_handing_over: false,
        }
    }

    /// Decodes a snapshot.
    ///
    /// # Errors
    /// The bytes are damaged, or have another layout.
    pub(crate) fn read(snapshot: &[u8]) -> Result<Self, Problem> {
        Self::read_knowing(snapshot, None)
    }

    /// Decodes a snapshot. The parts that `other` has, another version of the tournament, are shared with it.
    ///
    /// # Errors
    /// The bytes are damaged, or have another layout.
    pub(super) fn read_knowing(snapshot: &[u8], other: Option<&Self>) -> Result<Self, Problem> {
        let parts = match snapshot.split_first() {
            Some((&LAYOUT, parts)) => parts,
            Some((layout, _)) => {
                return Err(internal(format!("a tournament has layout {layout}, this program reads {LAYOUT}")));
            }
            None => return Err(internal("the snapshot of a tournament is empty")),
        };
        let parts = split(parts)?;
        let [entrants, rounds @ .., fields] = &parts[..] else {
            return Err(internal("the snapshot of a tournament has too few parts"));
        };
        let mut tournament: Self = rmp_serde::from_slice(fields).map_err(internal)?;
        tournament.entrants = Shared::read(entrants, other.map(|other| &other.entrants))?;
        let same = |at: usize| other.and_then(|other| other.rounds.get(at));
        let rounds = rounds.iter().enumerate().map(|(at, round)| Shared::read(round, same(at)));
        tournament.rounds = rounds.collect::<Result<_, _>>()?;
        Ok(tournament)
    }

    /// Encodes the tournament as a snapshot.
    ///
    /// # Errors
    /// The tournament cannot be encoded, which its type makes impossible.
    pub(crate) fn write(&self) -> Result<Bytes, Problem> {
        let mut parts = vec![self.entrants.encoded()?];
        for round in &self.rounds {
            parts.push(round.encoded()?);
        }
        parts.push(rmp_serde::to_vec_named(self).map_err(internal)?.into());
        join(LAYOUT, &parts).map(Bytes::from)
    }

    /// Returns the entrants, form and seed as the functions of pairings read them. Entrants who wait for a place are
    /// left out.
    pub(crate) fn field(&self) -> Field {
        let entrants = self.entrants.iter().filter(|entrant| !entrant.is_waiting).map(StoredEntrant::paired);
        Field {
            entrants: entrants.collect(),
            format: self.terms.format.clone(),
            playable: self.terms.playable(),
            seeding: self.terms.seeding,
            points: self.terms.points.clone(),
            tie_breaks: self.terms.tie_breaks.clone(),
            seed: self.seed,
        }
    }

    /// Returns the rounds, late entries, absences and withdrawals as the functions of pairings read them.
    pub(crate) fn history(&self) -> History {
        // Entrants who wait are not in the field yet, but may have noted an absence.
        let waiting: HashSet<u32> =
            self.entrants.iter().filter(|entrant| entrant.is_waiting).map(|entrant| entrant.number).collect();
        let is_waiting = |number: EntrantId| waiting.contains(&number.0);
        History {
            rounds: self.rounds.iter().map(|round| round.played()).collect(),
            late_entries: self.late_entries.clone(),
            absences: self.absences.iter().filter(|absence| !is_waiting(absence.entrant)).copied().collect(),
            withdrawals: self.withdrawals.clone(),
            returns: self.returns.clone(),
        }
    }

    /// Finds an entrant by number.
    pub(crate) fn entrant(&self, number: EntrantId) -> Option<&StoredEntrant> {
        self.entrants.iter().find(|entrant| entrant.number == number.0)
    }

    /// Tells whether a token is the invitation by which people enter.
    pub(crate) fn is_invitation(&self, token: &Token) -> bool {
        self.invitation.as_ref() == Some(&token.hash())
    }

    /// Tells whether an entrant has withdrawn after the start and has not come back.
    pub(crate) fn has_withdrawn(&self, number: u32) -> bool {
        self.left_before(number).is_some()
    }

    /// The first round for which a withdrawn entrant is not paired; `None` for entrants who have not withdrawn or are
    /// back.
    pub(crate) fn left_before(&self, number: u32) -> Option<usize> {
        let last =
            |list: &[InRound]| list.iter().filter(|noted| noted.entrant.0 == number).map(|noted| noted.round).max();
        let left = last(&self.withdrawals)?;
        (Some(left) > last(&self.returns)).then_some(left)
    }

    /// Lists the games that are not over.
    pub(crate) fn unfinished(&self) -> impl Iterator<Item = &StoredGame> {
        self.rounds.iter().flat_map(|round| round.games()).filter(|game| game.outcome.is_none())
    }

    /// Tells whether all paired rounds have all their results.
    pub(crate) fn has_all_results(&self) -> bool {
        self.rounds.iter().all(|round| round.is_over())
    }

    /// Lists the games that have still to be created.
    pub(crate) fn planned(&self) -> Vec<GameId> {
        self.rounds.iter().flat_map(|round| round.planned()).map(|(id, _)| id).collect()
    }

    /// Lists the rounds that are over and whose groups are not closed yet.
    pub(crate) fn unclosed(&self) -> impl Iterator<Item = &StoredRound> {
        self.rounds.iter().map(|round| &**round).filter(|round| !round.is_closed && round.is_over())
    }

    /// Tells whether there is something to do for games of rounds that are over or were taken back, or for their owner.
    pub(crate) fn has_loose_ends(&self) -> bool {
        self.is_handing_over || !self.taken_back.is_empty() || self.unclosed().next().is_some()
    }

    /// Returns the tags by which the tournament is listed: by its status, and by the players who are entered.
    pub(crate) fn tags(&self) -> Vec<String> {
        let players = self.entrants.iter().flat_map(|entrant| &entrant.members).filter_map(|member| member.player);
        let players = players.map(tag_of_player);
        [tag(None), tag(Some(self.status))].into_iter().chain(players).collect()
    }

    /// Notes that a token was revoked.
    pub(crate) fn revoke(&mut self, token: TokenHash) {
        self.revoked.add(token);
    }
}

impl StoredEntrant {
    /// Returns the entrant as the functions of pairings read it.
    pub(super) fn paired(&self) -> Entrant {
        match &self.members[..] {
            [_] => Entrant::alone(self.number),
            // Numbers stand for the members, because two members may have the same name.
            members => Entrant::team(self.number, (0..members.len()).map(|at| format!("{}/{at}", self.number))),
        }
    }
}

/// Returns the tag of tournaments with this status; `None` stands for any status.
pub(crate) fn tag(status: Option<TournamentStatus>) -> String {
    let word = match status {
        None => "any",
        Some(TournamentStatus::Open) => "open",
        Some(TournamentStatus::Running) => "running",
        Some(TournamentStatus::Finished) => "finished",
    };
    word.to_owned()
}

/// Returns the tag of tournaments in which this player is entered.
pub(crate) fn tag_of_player(player: Uuid) -> String {
    format!("player/{}", player.simple())
}

/// Makes the problem for a tournament that does not exist.
pub(crate) fn not_found() -> Problem {
    Problem::new(Code::TournamentNotFound, "no tournament has this id")
}
