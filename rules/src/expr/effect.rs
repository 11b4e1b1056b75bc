//! The parser of effects. An effect is a short sentence, such as `send this to home`; it becomes an [`EffectText`].

use crate::expr::parse::{Cursor, SpanOf};
use crate::expr::token::TokenKind;
use crate::expr::tree::{EffectKind, EffectText, Expr, GoalText, JumperText, Node, Unary};
use crate::expr::{RESERVED, SyntaxError};
use crate::nearest::nearest;
use crate::source::At;
use crate::tables::{Each, Which};
use crate::units::Due;
use crate::word::{Word, words};

words! {
    Which {
        "this" => Which::This, "nearest" => Which::Nearest, "last_moved" => Which::LastMoved,
        "argument" => Which::Argument,
    }
    Due { "now" => Due::Now, "last" => Due::Last }
}

/// An effect that is two words and nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TwoWordEffect {
    ThrowAgain,
    ThrowAfter,
    DropThrow,
    DropHand,
    EndTurn,
    UndoTurn,
    CutBehind,
}

/// The first word of an effect that goes on with values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EffectWord {
    Each,
    Bonus,
    Send,
    Jump,
    Pounce,
}

words! {
    TwoWordEffect {
        "throw again" => TwoWordEffect::ThrowAgain, "throw after" => TwoWordEffect::ThrowAfter,
        "drop throw" => TwoWordEffect::DropThrow, "drop hand" => TwoWordEffect::DropHand,
        "end turn" => TwoWordEffect::EndTurn, "undo turn" => TwoWordEffect::UndoTurn,
        "cut behind" => TwoWordEffect::CutBehind,
    }
    EffectWord {
        "each" => EffectWord::Each, "bonus" => EffectWord::Bonus, "send" => EffectWord::Send,
        "jump" => EffectWord::Jump, "pounce" => EffectWord::Pounce,
    }
}

impl From<TwoWordEffect> for EffectKind {
    fn from(effect: TwoWordEffect) -> Self {
        match effect {
            TwoWordEffect::ThrowAgain => Self::ThrowAgain,
            TwoWordEffect::ThrowAfter => Self::ThrowAfter,
            TwoWordEffect::DropThrow => Self::DropThrow,
            TwoWordEffect::DropHand => Self::DropHand,
            TwoWordEffect::EndTurn => Self::EndTurn,
            TwoWordEffect::UndoTurn => Self::UndoTurn,
            TwoWordEffect::CutBehind => Self::CutBehind,
        }
    }
}

/// The words by which a `jump` effect names the pawn that jumps.
const JUMPERS: [Which; 3] = [Which::This, Which::Nearest, Which::LastMoved];

/// Lists every form of an effect, for help texts and for the reference.
pub(crate) fn effect_forms() -> String {
    let [each, bonus, send, jump, pounce] = [
        EffectWord::Each.word(),
        EffectWord::Bonus.word(),
        EffectWord::Send.word(),
        EffectWord::Jump.word(),
        EffectWord::Pounce.word(),
    ];
    let (due, which, jumpers) = (Due::NAMES.join("|"), Which::NAMES.join("|"), JUMPERS.map(Word::word).join("|"));
    format!(
        "`NAME = VALUE`, `NAME += VALUE`, `{each} pawn.NAME = VALUE where CONDITION`, `{}`, `{}`, \
         `{bonus} STEPS [times COUNT] [{due}]`, `{}`, `{}`, `{}`, `{}`, `{send} {which} to PLACE`, \
         `{send} each [enemy] to PLACE where CONDITION`, `{jump} LABEL|{jumpers} to PLACE`, \
         `{jump} each to PLACE where CONDITION`, `{pounce} from LABEL`, `{}`; in place of `to PLACE` also `by NUMBER`",
        TwoWordEffect::ThrowAgain.word(),
        TwoWordEffect::ThrowAfter.word(),
        TwoWordEffect::DropThrow.word(),
        TwoWordEffect::DropHand.word(),
        TwoWordEffect::EndTurn.word(),
        TwoWordEffect::UndoTurn.word(),
        TwoWordEffect::CutBehind.word(),
    )
}

/// Parses a whole text as one effect.
///
/// # Errors
/// The text is not an effect, or exceeds a limit. The error has the span of the first wrong token.
pub(crate) fn parse_effect(text: &str, span: SpanOf<'_>) -> Result<EffectText, SyntaxError> {
    let mut cursor = Cursor::new(text, span)?;
    let from = cursor.here();
    let kind = kind(&mut cursor)?;
    cursor.end()?;
    Ok(EffectText { kind, span: cursor.since(from) })
}

fn kind(cursor: &mut Cursor<'_>) -> Result<EffectKind, SyntaxError> {
    let TokenKind::Word(first) = cursor.peek() else {
        return Err(no_effect(cursor));
    };
    // A counter may have the name `bonus` or another first word of an effect. The sign after it shows an assignment.
    let is_assignment = matches!(cursor.peek_second(), TokenKind::Sign("=" | "+=" | "-=" | "."));
    if is_assignment {
        return assignment(cursor);
    }
    if let TokenKind::Word(second) = cursor.peek_second()
        && let Some(effect) = TwoWordEffect::from_word(&format!("{first} {second}"))
    {
        cursor.advance();
        cursor.advance();
        return Ok(effect.into());
    }
    match EffectWord::from_word(first) {
        Some(EffectWord::Each) => each(cursor),
        Some(EffectWord::Bonus) => {
            cursor.advance();
            let steps = cursor.expression()?;
            let times = if cursor.accept("times") { Some(cursor.expression()?) } else { None };
            let due = cursor.accept_word().unwrap_or(Due::After);
            Ok(EffectKind::Bonus { steps, times, due })
        }
        Some(EffectWord::Send) => {
            cursor.advance();
            if cursor.accept("each") {
                let each = if cursor.accept("enemy") { Each::Enemy } else { Each::Own };
                let to = goal(cursor)?;
                return Ok(EffectKind::SendEach { each, to, condition: chosen_by(cursor)? });
            }
            let Some(which) = cursor.accept_word() else {
                let (last, others) = Which::NAMES.split_last().unwrap_or((&"", &[]));
                let help = Some("several pawns are sent by `send each to ..` and `send each enemy to ..`".to_owned());
                let error = cursor.unexpected(&format!("`{}` or `{last}`", others.join("`, `")));
                return Err(SyntaxError { help, ..error });
            };
            let to = goal(cursor)?;
            Ok(EffectKind::Send { which, to })
        }
        Some(EffectWord::Jump) => {
            cursor.advance();
            if cursor.accept("each") {
                let to = goal(cursor)?;
                return Ok(EffectKind::JumpEach { to, condition: chosen_by(cursor)? });
            }
            let pawn = match JUMPERS.into_iter().find(|which| cursor.accept(Word::word(*which))) {
                Some(which) => JumperText::Which(which),
                None => JumperText::On(cursor.label()?),
            };
            let to = goal(cursor)?;
            Ok(EffectKind::Jump { pawn, to })
        }
        Some(EffectWord::Pounce) => {
            cursor.advance();
            cursor.expect("from")?;
            let from = cursor.label()?;
            Ok(EffectKind::Pounce { from })
        }
        None => Err(no_effect(cursor)),
    }
}

fn no_effect(cursor: &Cursor<'_>) -> SyntaxError {
    let mut error = cursor.unexpected("an effect");
    if let (TokenKind::Word(first), TokenKind::Word(second)) = (cursor.peek(), cursor.peek_second()) {
        error.message = format!("`{first} {second}` is not an effect");
    }
    error.code = "bad-effect";
    error.help = Some(match (cursor.peek(), cursor.peek_second()) {
        (TokenKind::Word("if"), _) => "the condition of an effect is the `when` of its line".to_owned(),
        (TokenKind::Word(name), TokenKind::Sign("+")) => format!("a counter is raised by `{name} += 1`"),
        (first, second) => match misspelt(first, second) {
            Some(word) => format!("did you mean `{word}`?"),
            None => format!("effects are {}", effect_forms()),
        },
    });
    error
}

/// Finds the effect that begins almost like these words.
fn misspelt(first: TokenKind<'_>, second: TokenKind<'_>) -> Option<&'static str> {
    let TokenKind::Word(first) = first else { return None };
    let two = match second {
        TokenKind::Word(second) => nearest(&format!("{first} {second}"), TwoWordEffect::NAMES.iter().copied()),
        _ => None,
    };
    two.or_else(|| nearest(first, EffectWord::NAMES.iter().copied()))
}

fn assignment(cursor: &mut Cursor<'_>) -> Result<EffectKind, SyntaxError> {
    let (whose, name) = target(cursor)?;
    let sign = cursor.advance();
    if sign.kind == TokenKind::Sign("=") && matches!(cursor.peek(), TokenKind::Sign("+")) {
        let error = cursor.unexpected("a value");
        return Err(SyntaxError { help: Some("a counter is raised by `+=`".to_owned()), ..error });
    }
    let from = cursor.here();
    let is_mark = whose.as_deref() == Some("pawn");
    match sign.kind {
        TokenKind::Sign("=") if is_mark => Ok(EffectKind::Mark(name, cursor.expression()?)),
        TokenKind::Sign("=") => Ok(EffectKind::Set(whose, name, cursor.expression()?)),
        TokenKind::Sign("+=" | "-=") if is_mark => {
            let message = "a mark is `yes` or `no`; it cannot be counted".to_owned();
            Err(cursor.error(message, sign))
        }
        TokenKind::Sign("+=") => Ok(EffectKind::Add(whose, name, cursor.expression()?)),
        TokenKind::Sign("-=") => {
            let value = cursor.expression()?;
            let value = Expr { node: Node::Unary(Unary::Minus, Box::new(value)), span: cursor.since(from) };
            Ok(EffectKind::Add(whose, name, value))
        }
        TokenKind::Sign(".") if whose.is_some() => {
            let message = "a line changes only the marks of the own pawns".to_owned();
            let help = "the seat whose pawn is captured has the event `lost`, and any seat `any_turn_end`".to_owned();
            Err(SyntaxError { help: Some(help), ..cursor.error(message, sign) })
        }
        _ => {
            let message = "after the name stands `=`, `+=` or `-=`".to_owned();
            Err(cursor.error(message, sign))
        }
    }
}

fn each(cursor: &mut Cursor<'_>) -> Result<EffectKind, SyntaxError> {
    cursor.advance();
    cursor.expect("pawn").and_then(|()| cursor.expect(".")).map_err(|error| SyntaxError {
        help: Some(
            "`each pawn.MARK = ..` is about own pawns; `send each enemy to ..` moves those of opponents".to_owned(),
        ),
        ..error
    })?;
    let name = name(cursor)?;
    cursor.expect("=")?;
    let value = cursor.expression()?;
    Ok(EffectKind::MarkEach(name, value, chosen_by(cursor)?))
}

/// Parses the place to which an effect brings a pawn: `to PLACE` or `by NUMBER`.
fn goal(cursor: &mut Cursor<'_>) -> Result<GoalText, SyntaxError> {
    if cursor.accept("by") {
        return Ok(GoalText::By(cursor.expression()?));
    }
    if !cursor.accept("to") {
        let mut error = cursor.unexpected("`to` or `by`");
        if let TokenKind::Word(text) | TokenKind::Sign(text) = cursor.peek() {
            error.help = Some(format!("write `to {text}` for a place, or `by NUMBER` for so many places ahead"));
        }
        return Err(error);
    }
    place(cursor)
}

/// Parses a place: a label, or an expression.
fn place(cursor: &mut Cursor<'_>) -> Result<GoalText, SyntaxError> {
    let is_alone = matches!(cursor.peek_second(), TokenKind::End | TokenKind::Word("where"));
    match cursor.peek() {
        TokenKind::Word(word) if is_alone && !RESERVED.contains(&word) => {
            let label = cursor.label()?;
            Ok(if word.starts_with(|c: char| c.is_ascii_digit()) {
                GoalText::Place(label)
            } else {
                let name = Expr { node: Node::Name(None, word.to_owned()), span: label.span };
                GoalText::Named(At { value: word.to_owned(), span: label.span }, name)
            })
        }
        _ => Ok(GoalText::Computed(cursor.expression()?)),
    }
}

/// Parses a whole text as a place: a label, or an expression.
///
/// # Errors
/// The text is no place, or exceeds a limit. The error has the span of the first wrong token.
pub(crate) fn parse_goal(text: &str, span: SpanOf<'_>) -> Result<GoalText, SyntaxError> {
    let mut cursor = Cursor::new(text, span)?;
    let goal = place(&mut cursor)?;
    cursor.end()?;
    Ok(goal)
}

/// Parses `where` and the condition that chooses pawns. Without `where` the result is `None`, which means all pawns.
fn chosen_by(cursor: &mut Cursor<'_>) -> Result<Option<Expr>, SyntaxError> {
    if cursor.accept("where") { Ok(Some(cursor.expression()?)) } else { Ok(None) }
}

/// Parses a name, with its qualifier if it has one: `cuts` or `other.cuts`. Returns the qualifier and the name.
fn target(cursor: &mut Cursor<'_>) -> Result<(Option<String>, String), SyntaxError> {
    let first = name(cursor)?;
    if cursor.accept(".") { Ok((Some(first), name(cursor)?)) } else { Ok((None, first)) }
}

fn name(cursor: &mut Cursor<'_>) -> Result<String, SyntaxError> {
    match cursor.peek() {
        TokenKind::Word(word) if !word.starts_with(|c: char| c.is_ascii_digit()) => {
            cursor.advance();
            Ok(word.to_owned())
        }
        _ => Err(cursor.unexpected("a name")),
    }
}
