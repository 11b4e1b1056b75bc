//! Says in plain words why a text is not YAML, and where the mistake probably is.

use crate::source::Span;

/// A text that is not YAML: the problem code, where it is, what is wrong, and what helps.
pub(super) struct Unreadable {
    pub(super) code: &'static str,
    pub(super) span: Span,
    pub(super) message: String,
    pub(super) help: Option<String>,
}

/// Explains an error of the YAML parser. `info` is the parser's own message, `span` the place where it gave up, and
/// `open` are the places of the lists and maps that it had not read to the end, the innermost last.
pub(super) fn explain(info: &str, span: Span, text: &str, open: &[Span]) -> Unreadable {
    if let Some(span) = tab_at(span, text) {
        let help = Some("indent with spaces".to_owned());
        return Unreadable { code: "tab", span, message: "a tab in the indentation".to_owned(), help };
    }
    let bracket = open.iter().rev().find_map(|open| Some((*open, bracket_at(*open, text)?)));
    if let Some((opened, sign)) = bracket.filter(|(opened, _)| opened.line < span.line) {
        let message = format!("this is not YAML: `{sign}` is not closed before line {}", span.line);
        let help = format!("close it with `{}` at the end of the line", if sign == '{' { '}' } else { ']' });
        let span = Span { width: 1, ..opened };
        return Unreadable { code: "not-yaml", span, message, help: Some(help) };
    }
    let help = if info.contains("flow mapping") {
        // An author who writes the places of a function as a list would meet the next error in the quotes.
        let more = if line(text, span.line).contains("([") {
            "; places of a function stand in its round brackets alone, as in \"pawns(31, 52)\""
        } else {
            ""
        };
        Some(format!("inside `{{ }}` a value with a comma, a colon or square brackets stands in quotes{more}"))
    } else {
        HELP.iter().find(|(part, _)| info.contains(part)).map(|(_, help)| (*help).to_owned())
    };
    Unreadable { code: "not-yaml", span, message: format!("this is not YAML: {info}"), help }
}

/// Help for parts of the parser's messages.
const HELP: [(&str, &str); 4] = [
    (
        "mapping values are not allowed",
        "a key is followed by a colon, as in `turn: {first: random}`; a text with a colon in it stands in quotes",
    ),
    ("expected '-' indicator", "the lines of a list begin with `-`, all in the same column"),
    (
        "did not find expected key",
        "look at the beginning of this line and of the one before: keys of a map begin in the same column, lines of a \
         list with `-`",
    ),
    ("unclosed quote", "end the text with the same sign"),
];

fn line(text: &str, number: u32) -> &str {
    text.lines().nth((number as usize).saturating_sub(1)).unwrap_or_default()
}

/// The place of a tab in the indentation of the line of a span, or of the line after it.
fn tab_at(span: Span, text: &str) -> Option<Span> {
    [span.line, span.line + 1].into_iter().find_map(|number| {
        let line = line(text, number);
        let column = line.chars().take_while(|c| c.is_whitespace()).position(|c| c == '\t')?;
        Some(Span { line: number, column: column as u32 + 1, width: 1, ..span })
    })
}

/// The opening bracket at the beginning of a span.
fn bracket_at(span: Span, text: &str) -> Option<char> {
    let sign = line(text, span.line).chars().nth((span.column as usize).saturating_sub(1))?;
    matches!(sign, '{' | '[').then_some(sign)
}
