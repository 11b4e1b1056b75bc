//! Why actions are not legal, as problems and as lists for clients: in words, with codes and values.

use pagade_rules::notation::{WhyNot, WrittenWith};
use pagade_rules::play::{Action, Attempt, Engine, Fate, PathPlace, State};
use pagade_rules::tables::LineId;
use pagade_rules::units::PawnSet;

use crate::error::{Detail, ProblemPart, ProblemWords, detail};
use crate::game::pawn_ids::ids;
use crate::model::turn::{AttemptView, ReasonCode, ReasonView};

/// The reasons why the action of this text is not legal.
pub(crate) fn reasons(engine: &Engine, state: &State, legal: &[Action], text: &str) -> Vec<ProblemPart> {
    let told = engine.why_not(state, legal, text).into_iter().filter_map(|why| reason(engine, state, &why));
    told.map(|(code, detail)| ProblemPart { code: Some(code.word()), ..ProblemPart::of(detail) }).collect()
}

/// Lists the attempts: every pawn of the seat that moves, with every part of the hand, and the fate of each attempt.
/// Equal attempts of pawns on the same place are listed once.
pub(crate) fn attempts(engine: &Engine, state: &State, legal: &[Action], words: ProblemWords) -> Vec<AttemptView> {
    let mut found: Vec<(Attempt, PawnSet)> = Vec::new();
    engine.attempts(state, legal, &mut |attempt| {
        let pawn = attempt.action.pawn.alone();
        let same = |(known, _): &&mut (Attempt, PawnSet)| {
            let (one, other) = (&known.action, &attempt.action);
            (known.fate, known.end, one.line, one.from) == (attempt.fate, attempt.end, other.line, other.from)
                && one.colour == other.colour
                && engine.wording(state, one).spent() == engine.wording(state, other).spent()
                && (one.is_joint(), one.spends_bonus()) == (other.is_joint(), other.spends_bonus())
        };
        match found.iter_mut().find(same) {
            Some((_, pawns)) => *pawns |= pawn,
            None => found.push((attempt, pawn)),
        }
    });
    found.into_iter().map(|(attempt, pawns)| view(engine, state, &attempt, pawns, words)).collect()
}

fn view(engine: &Engine, state: &State, attempt: &Attempt, pawns: PawnSet, words: ProblemWords) -> AttemptView {
    let action = &attempt.action;
    let wording = engine.wording(state, action);
    let bonus = if wording.bonus { "b" } else { "" };
    let line = engine.moves.spend.get(usize::from(action.line)).filter(|_| attempt.fate != Fate::NoLine);
    let reason = fate(engine, state, attempt);
    let reason = reason.map(|(code, detail)| ReasonView { code, detail: words.said(&detail), args: detail.args });
    AttemptView {
        pawns: ids(engine, action.colour, pawns),
        together: wording.joint,
        from: engine.label(wording.from).to_owned(),
        to: attempt.end.map(|end| engine.label(end).to_owned()),
        spends: wording.spent().iter().map(|number| format!("{bonus}{number}")).collect(),
        rule: line.map(|line| name(engine, line.line)),
        action: reason.is_none().then(|| engine.action_text(state, action)),
        reason,
    }
}

fn name(engine: &Engine, line: LineId) -> String {
    engine.lines[line.index()].name.clone()
}

/// The code of a reason, and its sentence. `None` if the action is legal.
fn reason(engine: &Engine, state: &State, why: &WhyNot) -> Option<(ReasonCode, Detail)> {
    let label = |place: PathPlace| engine.label(place).to_owned();
    let rule = |line: LineId| name(engine, line);
    let clauses = |line: LineId| engine.lines[line.index()].clauses.clone();
    Some(match why {
        WhyNot::ChoiceFirst => (ReasonCode::ChoiceFirst, detail!("a choice comes before any move")),
        WhyNot::NoPawn(place) => {
            let (seat, place) = (engine.seat_name(engine.colour(state)), label(*place));
            (ReasonCode::NoPawn, detail!("no pawn of `{seat}` stands on `{place}`", seat, place))
        }
        WhyNot::NotInHand(with) => {
            let (numbers, hand) = (with.to_string(), engine.hand_texts(state));
            (ReasonCode::NotInHand, detail!("the hand has no `{numbers}` left, only {hand}", numbers, hand))
        }
        WhyNot::NoLine(place, with) => no_line(label(*place), with.as_ref()),
        WhyNot::Elsewhere(end) => {
            (ReasonCode::Elsewhere, detail!("these numbers lead to `{place}`", place = label(*end)))
        }
        WhyNot::NotReached(from, to) => {
            let (from, to) = (label(*from), label(*to));
            (ReasonCode::NotReached, detail!("nothing in the hand leads from `{from}` to `{to}`", from, to))
        }
        WhyNot::NoCapture => (ReasonCode::NoCapture, detail!("the move captures no pawn: leave the `x` out")),
        WhyNot::NotNamed => (
            ReasonCode::NotNamed,
            detail!("the move is legal, but not by this throw or by these pawns: leave `@` and `~` out"),
        ),
        WhyNot::MustPlay => (ReasonCode::MustPlay, detail!("an action is possible, so the turn is not passed")),
        WhyNot::OtherMoment(line) => (
            ReasonCode::OtherMoment,
            detail!("the choice `{rule}` belongs to another moment of the turn", rule = rule(*line)),
        ),
        WhyNot::Condition(line) => condition(rule(*line), clauses(*line)),
        WhyNot::Fate(attempt) => return fate(engine, state, attempt),
    })
}

fn condition(rule: String, clauses: Vec<String>) -> (ReasonCode, Detail) {
    (ReasonCode::Condition, detail!("the condition of the rule line `{rule}` is not met", rule, clauses))
}

fn no_line(place: String, with: Option<&WrittenWith>) -> (ReasonCode, Detail) {
    let detail = match with {
        Some(with) => {
            detail!("no rule line makes such a move from `{place}` with `{numbers}`", place, numbers = with.to_string())
        }
        None => detail!("no rule line makes such a move from `{place}` with the numbers in the hand", place),
    };
    (ReasonCode::NoLine, detail)
}

/// The obstacle that an attempt meets. `None` if it is legal.
fn fate(engine: &Engine, state: &State, attempt: &Attempt) -> Option<(ReasonCode, Detail)> {
    let wording = engine.wording(state, &attempt.action);
    let place = |place: PathPlace| engine.label(place).to_owned();
    let rule = |line: LineId| name(engine, line);
    let clauses = |line: LineId| engine.lines[line.index()].clauses.clone();
    let numbers = match wording.bonus {
        true => WrittenWith::Bonus(wording.numbers[0]),
        false => WrittenWith::Numbers(wording.spent().to_vec()),
    };
    Some(match attempt.fate {
        Fate::Legal => return None,
        Fate::NoLine => no_line(place(wording.from), Some(&numbers)),
        Fate::BonusesFirst => (ReasonCode::BonusesFirst, detail!("a bonus comes before the numbers")),
        Fate::NumbersFirst => (ReasonCode::NumbersFirst, detail!("the numbers come before this bonus")),
        Fate::Moved => (ReasonCode::Moved, detail!("a pawn moves by one number of a throw, and it has moved")),
        Fate::Condition => {
            let line = engine.moves.spend[usize::from(attempt.action.line)].line;
            condition(rule(line), clauses(line))
        }
        Fate::NoWay => {
            let (from, numbers) = (place(wording.from), numbers.to_string());
            (ReasonCode::NoWay, detail!("`{numbers}` is too far from `{from}`, or the way is not open", from, numbers))
        }
        Fate::Passing(over, line) => {
            let (place, rule, clauses) = (place(over), rule(line), clauses(line));
            (ReasonCode::Passing, detail!("the rule line `{rule}` lets no pawn pass `{place}`", place, rule, clauses))
        }
        Fate::Landing(on, line) => {
            let (place, rule, clauses) = (place(on), rule(line), clauses(line));
            (
                ReasonCode::Landing,
                detail!("the rule line `{rule}` lets no pawn land on `{place}`", place, rule, clauses),
            )
        }
        Fate::Reunites => (ReasonCode::Reunites, detail!("pawns that have parted may not meet again yet")),
        Fate::Apart => (ReasonCode::Apart, detail!("the pawns would not stay together")),
        Fate::Compelled(line) => {
            let (rule, clauses) = (rule(line), clauses(line));
            (ReasonCode::Compelled, detail!("the rule line `{rule}` asks for another action first", rule, clauses))
        }
        Fate::SpendsLess => {
            (ReasonCode::SpendsLess, detail!("the hand has to be spent as far as possible, and this spends less of it"))
        }
        Fate::AllOrNone => {
            (ReasonCode::AllOrNone, detail!("all numbers of this throw are spent or none, and not all can be"))
        }
        Fate::LastResort => {
            let rule = rule(engine.moves.spend[usize::from(attempt.action.line)].line);
            (ReasonCode::LastResort, detail!("the rule line `{rule}` is for when nothing else is possible", rule))
        }
    })
}
