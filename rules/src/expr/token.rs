//! Tokens of expressions and effects: words and signs.

use crate::expr::SyntaxError;
use crate::source::Span;

/// Maximum number of tokens in one expression. It limits the depth of the syntax tree and the length of the compiled
/// program.
pub(crate) const MOST_TOKENS: usize = 256;

/// A word or sign, with its characters `from..to` in the text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ExprToken<'a> {
    pub(crate) kind: TokenKind<'a>,
    pub(crate) from: usize,
    pub(crate) to: usize,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum TokenKind<'a> {
    /// Letters, digits and `_`: a name, a number or a label.
    Word(&'a str),
    /// An operator, bracket or other sign, such as `+`, `<=` or `..`.
    Sign(&'a str),
    End,
}

/// All signs. Longer ones stand first, so that `<=` is not read as `<` and `=`.
const SIGNS: &[&str] =
    &["!=", "<=", ">=", "+=", "-=", "..", "=", "<", ">", "+", "-", "*", "/", "%", "(", ")", "[", "]", ",", "."];

/// Signs of other languages that authors may write by mistake, each with the right sign of this language.
const STRANGE: &[(&str, &str)] = &[
    ("==", "`=`"),
    ("=<", "`<=`"),
    ("=>", "`>=`"),
    ("&&", "`and`"),
    ("||", "`or`"),
    ("<>", "`!=`"),
    ("≤", "`<=`"),
    ("≥", "`>=`"),
    ("≠", "`!=`"),
    ("!", "`not`"),
    (";", "several effects as `[end turn, throw again]`"),
    ("“", "straight quotes, `\"`"),
    ("”", "straight quotes, `\"`"),
    ("„", "straight quotes, `\"`"),
    ("‘", "straight quotes, `'`"),
    ("’", "straight quotes, `'`"),
];

/// Cuts a text into tokens. The last token is [`TokenKind::End`].
pub(crate) fn tokens<'a>(
    text: &'a str,
    span: &dyn Fn(usize, usize) -> Span,
) -> Result<Vec<ExprToken<'a>>, SyntaxError> {
    let mut tokens = Vec::new();
    let mut rest = text;
    let mut from = 0;
    loop {
        let trimmed = rest.trim_start();
        from += rest[..rest.len() - trimmed.len()].chars().count();
        rest = trimmed;
        let Some(first) = rest.chars().next() else {
            break;
        };
        if tokens.len() >= MOST_TOKENS {
            return Err(SyntaxError {
                code: "expression-too-long",
                message: format!("an expression has at most {MOST_TOKENS} words and signs"),
                help: Some("split it over several lines of the table, or count in a counter".into()),
                span: span(from, from + 1),
            });
        }
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let is_strange = |(sign, _): &&(&str, _)| rest.starts_with(sign) && !rest.starts_with("!=");
        let (kind, length) = if is_word(first) {
            let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            (TokenKind::Word(&rest[..end]), end)
        } else if let Some((sign, meant)) = STRANGE.iter().find(is_strange) {
            return Err(SyntaxError {
                code: "bad-expression",
                message: format!("`{sign}` is not a character of this language"),
                help: Some(format!("write {meant}")),
                span: span(from, from + sign.chars().count()),
            });
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            (TokenKind::Sign(sign), sign.len())
        } else {
            return Err(SyntaxError {
                code: "bad-expression",
                message: format!("`{first}` has no meaning here"),
                help: None,
                span: span(from, from + 1),
            });
        };
        let to = from + rest[..length].chars().count();
        tokens.push(ExprToken { kind, from, to });
        rest = &rest[length..];
        from = to;
    }
    tokens.push(ExprToken { kind: TokenKind::End, from, to: from + 1 });
    Ok(tokens)
}
