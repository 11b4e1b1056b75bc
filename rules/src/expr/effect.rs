//! The parser of effects: from a short sentence to [`EffectText`].

use crate::expr::SyntaxError;
use crate::expr::parse::{Cursor, SpanOf};
use crate::expr::token::TokenKind;
use crate::expr::tree::{EffectKind, EffectText, Expr, Node, Unary};
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

/// Every form of an effect, for help and for the reference.
pub(crate) fn effect_forms() -> String {
    format!(
        "`NAME = VALUE`, `NAME += VALUE`, `each pawn.NAME = VALUE where CONDITION`, `throw again`, `throw after`, \
         `bonus STEPS [times COUNT] [{}]`, `drop throw`, `drop hand`, `end turn`, `undo turn`, `send {} to LABEL`, \
         `send each [enemy] to LABEL where CONDITION`, `jump LABEL to LABEL`, `jump each to LABEL where CONDITION`, \
         `pounce from LABEL`, `cut behind`",
        Due::NAMES.join("|"),
        Which::NAMES.join("|")
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
    // A counter may be called `bonus`, so the next token decides.
    let is_assignment = matches!(cursor.peek_second(), TokenKind::Sign("=" | "+=" | "-=" | "."));
    if is_assignment {
        return assignment(cursor);
    }
    let second = cursor.peek_second();
    let words = |cursor: &mut Cursor<'_>, kind| {
        cursor.advance();
        cursor.advance();
        Ok(kind)
    };
    match (first, second) {
        ("each", _) => each(cursor),
        ("throw", TokenKind::Word("again")) => words(cursor, EffectKind::ThrowAgain),
        ("throw", TokenKind::Word("after")) => words(cursor, EffectKind::ThrowAfter),
        ("drop", TokenKind::Word("throw")) => words(cursor, EffectKind::DropThrow),
        ("drop", TokenKind::Word("hand")) => words(cursor, EffectKind::DropHand),
        ("end", TokenKind::Word("turn")) => words(cursor, EffectKind::EndTurn),
        ("undo", TokenKind::Word("turn")) => words(cursor, EffectKind::UndoTurn),
        ("cut", TokenKind::Word("behind")) => words(cursor, EffectKind::CutBehind),
        ("bonus", _) => {
            cursor.advance();
            let steps = cursor.expression()?;
            let times = if cursor.accept("times") { Some(cursor.expression()?) } else { None };
            let due = cursor.accept_word().unwrap_or(Due::After);
            Ok(EffectKind::Bonus { steps, times, due })
        }
        ("send", _) => {
            cursor.advance();
            if cursor.accept("each") {
                let each = if cursor.accept("enemy") { Each::Enemy } else { Each::Own };
                cursor.expect("to")?;
                let to = cursor.label()?;
                return Ok(EffectKind::SendEach { each, to, condition: chosen_by(cursor)? });
            }
            let Some(which) = cursor.accept_word() else {
                let (last, others) = Which::NAMES.split_last().unwrap_or((&"", &[]));
                return Err(cursor.unexpected(&format!("`{}` or `{last}`", others.join("`, `"))));
            };
            cursor.expect("to")?;
            let to = cursor.label()?;
            Ok(EffectKind::Send { which, to })
        }
        ("jump", _) => {
            cursor.advance();
            if cursor.accept("each") {
                cursor.expect("to")?;
                let to = cursor.label()?;
                return Ok(EffectKind::JumpEach { to, condition: chosen_by(cursor)? });
            }
            let from = cursor.label()?;
            cursor.expect("to")?;
            let to = cursor.label()?;
            Ok(EffectKind::Jump { from, to })
        }
        ("pounce", _) => {
            cursor.advance();
            cursor.expect("from")?;
            let from = cursor.label()?;
            Ok(EffectKind::Pounce { from })
        }
        _ => Err(no_effect(cursor)),
    }
}

fn no_effect(cursor: &Cursor<'_>) -> SyntaxError {
    let mut error = cursor.unexpected("an effect");
    if let (TokenKind::Word(first), TokenKind::Word(second)) = (cursor.peek(), cursor.peek_second()) {
        error.message = format!("`{first} {second}` is not an effect");
    }
    error.code = "bad-effect";
    error.help = Some(format!("effects are {}", effect_forms()));
    error
}

fn assignment(cursor: &mut Cursor<'_>) -> Result<EffectKind, SyntaxError> {
    let (whose, name) = target(cursor)?;
    let sign = cursor.advance();
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
        _ => {
            let message = "after the name stands `=`, `+=` or `-=`".to_owned();
            Err(cursor.error(message, sign))
        }
    }
}

fn each(cursor: &mut Cursor<'_>) -> Result<EffectKind, SyntaxError> {
    cursor.expect("each")?;
    cursor.expect("pawn")?;
    cursor.expect(".")?;
    let name = name(cursor)?;
    cursor.expect("=")?;
    let value = cursor.expression()?;
    Ok(EffectKind::MarkEach(name, value, chosen_by(cursor)?))
}

/// The condition that chooses pawns. Without it an effect is for all of them.
fn chosen_by(cursor: &mut Cursor<'_>) -> Result<Option<Expr>, SyntaxError> {
    if cursor.accept("where") { Ok(Some(cursor.expression()?)) } else { Ok(None) }
}

/// A name, with its qualifier if it has one.
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
