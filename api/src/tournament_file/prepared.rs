//! A tournament file that was checked against its rule set: the requests to send, and the field to simulate.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use pagade_pairing::{Entrant as Paired, Format, History, TournamentSeed};
use pagade_robots::RobotKind;
use pagade_rules::play::Engine;
use pagade_rules::ruleset::RuleSet;
use pagade_rules::source::{Report, Severity};
use serde_json::{Value, json};

use super::entrants::{self, Awaited, Entrant};
use super::terms::{self, SuitableTerms};
use super::{TournamentFile, mistakes};
use crate::error::ProblemPart;
use crate::model::tournament::{CreateTournament, FormatKind, RegistrationWord, TieBreakWord};
use crate::service::tournaments::creation::TIE_BREAKS;
use crate::tournament::form;

/// A tournament in whose file no mistake was found: as far as the file and its rule set show, it can be created,
/// entered and started.
#[derive(Debug)]
pub struct Prepared {
    /// The body of `POST /v1/tournaments`. Its `rule_set` and `version` are those of the rule set that was checked.
    pub request: Value,
    /// The entrants whom the organiser enters, in their order.
    pub entrants: Vec<Entrant>,
    /// Players who enter by themselves.
    pub awaited: Option<Awaited>,
    /// The pause between two rounds.
    pub pause: Duration,
    /// The field, with a number for each entrant in their order from 1 and then for each awaited player. The seed of
    /// its lots is all zero.
    pub field: pagade_pairing::Tournament,
    /// The engines, by the number of seats.
    pub engines: BTreeMap<usize, Arc<Engine>>,
    /// The time for which an arena is open, in seconds.
    pub open_seconds: Option<u32>,
    /// Whether all tables of a round get the same throws.
    pub has_same_dice: bool,
    /// The time limit of a decision, in seconds.
    pub seconds_a_decision: Option<u32>,
    /// Number of members of an entrant.
    pub team_size: usize,
}

impl Prepared {
    /// The robots that play for the entrants in a simulation, in the order of the field.
    pub fn strengths(&self) -> Vec<RobotKind> {
        let awaited = self.awaited.iter().flat_map(|awaited| (0..awaited.players).map(|_| awaited.strength));
        self.entrants.iter().map(|entrant| entrant.strength).chain(awaited).take(self.field.entrants.len()).collect()
    }

    /// The title of the tournament.
    pub fn title(&self) -> Option<&str> {
        self.request.get("title").and_then(Value::as_str)
    }

    /// Whether the service pairs the rounds by itself.
    pub fn is_automatic(&self) -> bool {
        matches!(self.field.format, Format::Arena { .. }) || self.request.get("automatic") == Some(&Value::Bool(true))
    }
}

impl TournamentFile {
    /// Checks entrants and terms as far as that needs no rule set.
    pub(super) fn check_alone(&self, found: &mut Vec<ProblemPart>) {
        let Some(wish) = self.wish() else { return };
        let mut entrants = Vec::new();
        if !self.lacks(&["team_size"]) {
            entrants = entrants::all(&self.own.entrants, wish.team_size.unwrap_or(1) as usize, found).0;
        }
        if self.waits_for_players() && wish.registration == RegistrationWord::List {
            let detail = mistake!("players cannot enter by themselves if only the organiser enters entrants");
            found.push(ProblemPart::at("/registration", detail));
        }
        if let Some(robot) = entrants.iter().find(|entrant| entrant.robot.is_some()).filter(|_| !wish.robots) {
            let part = ProblemPart::at(&robot.pointer, mistake!("no robots may enter this tournament"));
            found.push(part.helped(Some(mistake!("`robots` is `no`"))));
        }
        form::check_terms(&wish, found);
    }

    fn waits_for_players(&self) -> bool {
        self.own.entrants.iter().any(|line| line.players.is_some())
    }

    /// The value of the field `registration` if the file does not have the field.
    fn registration(&self) -> &'static str {
        if self.waits_for_players() { "open" } else { "list" }
    }

    /// Returns the request. If the form or the rule set is missing or wrong, a default takes its place, so that the
    /// other terms can be checked.
    fn wish(&self) -> Option<CreateTournament> {
        let mut request = self.request.clone();
        request.entry("registration").or_insert_with(|| self.registration().into());
        request.entry("rule_set").or_insert_with(|| "pagade".into());
        request.entry("format").or_insert_with(|| json!({"kind": "swiss", "rounds": 1}));
        serde_json::from_value(Value::Object(request)).ok()
    }

    /// Checks the file against its rule set. Returns `None` after an error, which is then reported.
    pub fn prepare(&self, set: &RuleSet, report: &mut Report) -> Option<Prepared> {
        let mut found = Vec::new();
        let prepared = self.prepared(set, &mut found, report);
        found.into_iter().for_each(|part| mistakes::report(&self.written, part, report));
        prepared.filter(|_| !report.has_errors())
    }

    fn prepared(&self, set: &RuleSet, found: &mut Vec<ProblemPart>, report: &mut Report) -> Option<Prepared> {
        let options = terms::typed_options(&self.request, set);
        let mut request = self.request.clone();
        request.insert("rule_set".to_owned(), set.id().into());
        request.insert("version".to_owned(), set.version().into());
        if request.contains_key("options") {
            request.insert("options".to_owned(), terms::options_json(&options));
        }
        request.entry("registration").or_insert_with(|| self.registration().into());
        if self.lacks(&["format", "options", "boards", "team_size"]) {
            return None;
        }
        let request = Value::Object(request);
        let wish: CreateTournament = serde_json::from_value(request.clone()).ok()?;
        let team_size = wish.team_size.unwrap_or(1) as usize;
        // The mistakes in these lines are reported already.
        let (entrants, awaited) = entrants::all(&self.own.entrants, team_size, &mut Vec::new());
        let SuitableTerms { wish, format, playable, engines } = terms::decide(wish, &options, set, found)?;
        let all = entrants.len() + awaited.map_or(0, |awaited| awaited.players as usize);
        if self.lacks(&["entrants", "most_entrants"]) {
            return None;
        }
        let enter = wish.most_entrants.map_or(all, |most| all.min(most as usize));
        if all > enter {
            let span = self.written.span("/most_entrants");
            let message = format!("{all} entrants for {enter} places: {} wait", all - enter);
            report.add(Severity::Warning, "entrants-wait", span, message, None);
        }
        let field = pagade_pairing::Tournament {
            entrants: (1..).take(enter).map(|number| paired(number, team_size)).collect(),
            format,
            playable,
            seeding: wish.seeding.into(),
            points: form::points(wish.points.as_ref()),
            tie_breaks: wish.tie_breaks.as_deref().unwrap_or(&TIE_BREAKS).iter().copied().map(into_rule).collect(),
            seed: TournamentSeed([0; 32]),
        };
        if let Some((pointer, detail)) = form::misfit(&field, &History::default()) {
            found.push(ProblemPart::at(pointer, detail));
        }
        Some(Prepared {
            request: json!(request),
            entrants,
            awaited,
            pause: Duration::from_secs(self.own.pause.unwrap_or(0).into()),
            field,
            engines,
            open_seconds: wish.format.seconds.filter(|_| wish.format.kind == FormatKind::Arena),
            has_same_dice: wish.same_dice,
            seconds_a_decision: wish.turn_timer.map(|timer| timer.seconds),
            team_size,
        })
    }
}

fn into_rule(word: TieBreakWord) -> pagade_pairing::TieBreak {
    word.into()
}

/// Returns an entrant as the functions of pairings read it, with the names of members that the service uses, too.
fn paired(number: u32, team: usize) -> Paired {
    match team {
        1 => Paired::alone(number),
        team => Paired::team(number, (0..team).map(|at| format!("{number}/{at}"))),
    }
}
