//! The rules engine as the use cases see it: the only file of the service that speaks of its states and happenings.

use pagade_rules::notation::{ActionError, ThrowError};
use pagade_rules::play::{Action, ActionKind, Actions, Engine, Happening, HappeningKind, Phase, Refusal, Seat, State};

use crate::error::{Code, Problem, ProblemPart, internal};
use crate::model::event::EventView;
use crate::model::game::Awaits;
use crate::model::turn::{LegalAction, LegalKind};
use crate::model::written::PawnId;

/// Something that happened, without number and time.
pub type Told = EventView;

/// A throw or an action that the engine does not take.
#[derive(Debug)]
pub struct Refused {
    code: Code,
    detail: String,
    help: Option<String>,
}

impl Refused {
    fn new(code: Code, detail: impl Into<String>) -> Self {
        Self { code, detail: detail.into(), help: None }
    }

    /// As a problem of a place in the body.
    pub fn at(self, pointer: &str) -> Problem {
        let part = ProblemPart { help: self.help, ..ProblemPart::at(pointer, self.detail.clone()) };
        Problem::new(self.code, self.detail).with(vec![part])
    }
}

impl From<Refused> for Problem {
    fn from(refused: Refused) -> Self {
        Problem::new(refused.code, refused.detail)
    }
}

impl From<Refusal> for Refused {
    fn from(refusal: Refusal) -> Self {
        let code = match refusal {
            Refusal::NoThrowDue => Code::ThrowNotExpected,
            Refusal::ThrowDue => Code::ThrowExpected,
            Refusal::Over => Code::GameOver,
            Refusal::NotLegal => Code::ActionNotLegal,
            Refusal::NoSuchThrow => Code::ThrowUnreadable,
        };
        Self::new(code, refusal.to_string())
    }
}

impl From<ActionError> for Refused {
    fn from(error: ActionError) -> Self {
        let detail = error.to_string();
        match error {
            ActionError::NotLegal { legal, .. } => {
                let help = (!legal.is_empty()).then(|| format!("legal are {}", list(&legal)));
                Self { code: Code::ActionNotLegal, detail, help }
            }
            ActionError::Ambiguous { .. } => Self::new(Code::ActionNotLegal, detail),
            ActionError::Malformed(_) | ActionError::UnknownWord { .. } | ActionError::UnknownSquare(_) => {
                Self::new(Code::ActionUnreadable, detail)
            }
        }
    }
}

/// The first few of a list.
fn list(texts: &[String]) -> String {
    let shown = texts.iter().take(12).map(|text| format!("`{text}`")).collect::<Vec<_>>().join(", ");
    if texts.len() > 12 { format!("{shown} and {} more", texts.len() - 12) } else { shown }
}

/// A state as it is stored.
pub fn encode(rules: &Engine, state: &State) -> String {
    const_hex::encode(rules.encode(state))
}

/// Reads a stored state.
///
/// # Errors
/// It is damaged.
pub fn decode(rules: &Engine, text: &str) -> Result<State, Problem> {
    let bytes = const_hex::decode(text).map_err(internal)?;
    rules.decode(&bytes).map_err(internal)
}

/// Reads a throw.
///
/// # Errors
/// It is none of these dice; `pointer` names it.
pub fn read_throw(rules: &Engine, text: &str, pointer: &str) -> Result<pagade_rules::play::Throw, Problem> {
    rules
        .parse_throw(text)
        .map_err(|error: ThrowError| Refused::new(Code::ThrowUnreadable, error.to_string()).at(pointer))
}

/// Throws.
///
/// # Errors
/// No throw is due, or no dice fall like that.
pub fn throw(rules: &Engine, state: &mut State, text: &str) -> Result<Vec<Told>, Refused> {
    let throw = rules.parse_throw(text).map_err(|error| Refused::new(Code::ThrowUnreadable, error.to_string()))?;
    let mut happenings = Vec::<Happening>::new();
    if matches!(state.phase, Phase::Choose) {
        return Err(Refused::new(Code::ChoiceNeeded, "a choice is open before the throw"));
    }
    rules.throw(state, &throw, &mut happenings)?;
    let mut told = tell(rules, &happenings);
    for event in told.iter_mut().filter(|event| event.event == HappeningKind::Thrown.word()) {
        event.throw = Some(rules.throw_text(&throw));
        event.number = None;
    }
    Ok(told)
}

/// Plays an action. The first event says which, as the engine writes it.
///
/// # Errors
/// It cannot be read, or is not legal now.
pub fn play(rules: &Engine, state: &mut State, text: &str) -> Result<Vec<Told>, Refused> {
    match state.phase {
        Phase::Throw => return Err(Refusal::ThrowDue.into()),
        Phase::Over => return Err(Refusal::Over.into()),
        Phase::Choose | Phase::Move | Phase::Declare => {}
    }
    let mut open = Actions::default();
    rules.legal_into(state, &mut open);
    let action = rules.parse_action_among(state, &open, text)?;
    let text = rules.action_text(state, &action);
    let mut happenings = Vec::<Happening>::new();
    rules.play_unchecked(state, &action, &mut open, &mut happenings);
    let mut told = tell(rules, &happenings);
    // INVARIANT: every action makes something happen; what is played again is read from here.
    let first = told.first_mut().ok_or_else(|| Refused::new(Code::Internal, "nothing happened"))?;
    first.action = Some(text);
    Ok(told)
}

fn tell(rules: &Engine, happenings: &[Happening]) -> Vec<Told> {
    let event = |happening: &Happening| {
        let pawn = happening.pawn;
        let square = |place| pawn.map(|_| rules.label(place).to_owned());
        EventView {
            event: happening.kind.word().to_owned(),
            seat: Some(rules.seat_name(happening.seat).to_owned()),
            pawn: pawn.map(|pawn| pawn_id(rules, happening.seat, pawn).text()),
            from: square(happening.from),
            to: square(happening.to),
            number: (happening.number > 0 && happening.kind != HappeningKind::Chosen).then_some(happening.number),
            ..EventView::default()
        }
    };
    happenings.iter().map(event).collect()
}

/// A pawn's id.
pub fn pawn_id(rules: &Engine, seat: Seat, pawn: u8) -> PawnId<'_> {
    PawnId { seat: rules.seat_name(seat), pawn }
}

/// The game is over.
pub fn is_over(state: &State) -> bool {
    state.phase == Phase::Over
}

/// What the game waits for.
pub fn awaits(state: &State) -> Awaits {
    match state.phase {
        Phase::Throw => Awaits::Throw,
        Phase::Choose | Phase::Move | Phase::Declare => Awaits::Action,
        Phase::Over => Awaits::Nothing,
    }
}

/// The legal actions, taken apart, and whether they are all.
pub fn legal(rules: &Engine, state: &State) -> (Vec<LegalAction>, bool) {
    let legal = rules.legal(state);
    let distinct = rules.one_of_each(state, &legal);
    (distinct.iter().map(|action| explain(rules, state, action)).collect(), legal.is_complete())
}

fn explain(rules: &Engine, state: &State, action: &Action) -> LegalAction {
    let wording = rules.wording(state, action);
    let kind = match wording.kind {
        ActionKind::Move => LegalKind::Move,
        ActionKind::Choice => LegalKind::Choice,
        ActionKind::Pass => LegalKind::Pass,
    };
    let moves = kind == LegalKind::Move;
    let colour = rules.colour(state);
    let moving = if moves { rules.movers_of(state, action) } else { 0 };
    let pawns = (0..rules.pawns.count).filter(|pawn| moving >> pawn & 1 == 1);
    let bonus = if wording.bonus { "b" } else { "" };
    let line = match wording.kind {
        ActionKind::Move => rules.moves.spend.get(usize::from(action.line)).map(|spend| spend.line),
        ActionKind::Choice => rules.events.choices.get(usize::from(action.line)).map(|choice| choice.line),
        ActionKind::Pass => None,
    };
    LegalAction {
        action: rules.action_text(state, action),
        kind,
        pawns: pawns.map(|pawn| pawn_id(rules, colour, pawn).text()).collect(),
        from: moves.then(|| rules.label(wording.from).to_owned()),
        to: moves.then(|| rules.label(wording.to).to_owned()),
        spends: wording.spent().iter().map(|number| format!("{bonus}{number}")).collect(),
        captures: wording.captures,
        rule: line.and_then(|line| rules.lines.get(usize::from(line))).map(|line| line.name.clone()),
    }
}
