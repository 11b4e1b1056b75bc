//! Says in plain words why a text is not YAML, and where the mistake probably is.

use crate::source::Span;

/// A text that is not YAML: the problem code, where it is, what is wrong, and what helps.
pub(super) struct NotYaml {
    pub(super) code: &'static str,
    pub(super) span: Span,
    pub(super) message: String,
    pub(super) help: Option<String>,
}

/// Explains an error of the YAML parser. `info` is the parser's own message, and `span` the place where it gave up.
pub(super) fn explain(info: &str, span: Span, text: &str) -> NotYaml {
    if let Some(span) = tab_at(span, text) {
        let help = Some("indent with spaces".to_owned());
        return NotYaml { code: "tab", span, message: "a tab in the indentation".to_owned(), help };
    }
    let Scanned { bracket, quote } = scan(span, text);
    if let Some((opened, sign)) = quote.filter(|_| info.contains("quote")) {
        let message = format!("this is not YAML: `{sign}` is not closed in this line");
        let help = Some("end the text with the quote that it begins with".to_owned());
        return NotYaml { code: "not-yaml", span: opened, message, help };
    }
    if let Some((opened, sign, before)) = bracket {
        let message = format!("this is not YAML: `{sign}` is not closed before line {before}");
        let help = format!("close it with `{}` at the end of the line", if sign == '{' { '}' } else { ']' });
        return NotYaml { code: "not-yaml", span: opened, message, help: Some(help) };
    }
    let help = if info.contains(NO_MAPPING_HERE) && is_deeper(span, text) {
        let help = "this line is indented deeper than the one before, whose key has a value already; a text with a colon \
                    in it stands in quotes";
        Some(help.to_owned())
    } else if info.contains("flow mapping") {
        // An author who has written `pawns([31, 52])` would get the next error after adding quotes, so the help names
        // both.
        let more = if line(text, span.line).contains("([") {
            "; places of a function stand in its round brackets alone, as in \"pawns(31, 52)\""
        } else {
            ""
        };
        Some(format!("inside `{{ }}` a value with a comma, a colon or square brackets stands in quotes{more}"))
    } else {
        HELP.iter().find(|(part, _)| info.contains(part)).map(|(_, help)| (*help).to_owned())
    };
    NotYaml { code: "not-yaml", span, message: format!("this is not YAML: {info}"), help }
}

/// The parser's message about a colon where no key may stand.
const NO_MAPPING_HERE: &str = "mapping values are not allowed";

/// Help for parts of the parser's messages.
const HELP: [(&str, &str); 6] = [
    (
        NO_MAPPING_HERE,
        "a key is followed by a colon, as in `turn: {first: random}`; a text with a colon in it stands in quotes",
    ),
    ("expected '-' indicator", "the lines of a list begin with `-`, all in the same column"),
    (
        "did not find expected key",
        "look at the beginning of this line and of the one before: keys of a map begin in the same column, lines of a \
         list with `-`",
    ),
    ("unclosed quote", "end the text with the quote that it begins with"),
    ("unclosed bracket", "close it at the end of the line: `{` with `}`, `[` with `]`"),
    ("mismatched bracket", "close each bracket with its own sign: `{` with `}`, `[` with `]`"),
];

fn line(text: &str, number: u32) -> &str {
    text.lines().nth((number as usize).saturating_sub(1)).unwrap_or_default()
}

/// Whether the line of a span is indented deeper than the line before it, which has a key and its value.
fn is_deeper(span: Span, text: &str) -> bool {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let here = line(text, span.line);
    let before = text.lines().take((span.line as usize).saturating_sub(1));
    let before = before.filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#')).last();
    before.is_some_and(|before| {
        let value = before.split_once(": ").map(|(_, value)| value.trim_start());
        let has_value = value.is_some_and(|value| !value.is_empty() && !value.starts_with(['#', '|', '>']));
        has_value && indent(here) > indent(before) && here.contains(':')
    })
}

/// The place of a tab in the indentation of the line of a span, or of the line after it.
fn tab_at(span: Span, text: &str) -> Option<Span> {
    [span.line, span.line + 1].into_iter().find_map(|number| {
        let line = line(text, number);
        let column = line.chars().take_while(|c| c.is_whitespace()).position(|c| c == '\t')?;
        Some(Span { line: number, column: column as u32 + 1, width: 1, ..span })
    })
}

/// What is still open where the parser gave up, each with its place and its sign.
struct Scanned {
    /// The innermost open bracket, and the number of the first line that does not belong to it: one that is indented no
    /// more than the line of the bracket. `None` if all lines may belong to the bracket.
    bracket: Option<(Span, char, u32)>,
    /// The first quote that its own line does not close.
    quote: Option<(Span, char)>,
}

/// Looks for brackets and quotes that are not closed before a span.
fn scan(span: Span, text: &str) -> Scanned {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut open: Vec<(Span, char)> = Vec::new();
    let mut unclosed = None;
    for (number, line) in (1..span.line).zip(text.lines()) {
        let (mut quote, mut before) = (None, ' ');
        for (column, c) in (1..).zip(line.chars()) {
            let here = Span { line: number, column, width: 1, ..span };
            let is_first = before == ' ' || matches!(before, '{' | '[' | ',');
            match (c, quote) {
                ('#', None) if before == ' ' => break,
                ('"' | '\'', None) if is_first => quote = Some((here, c)),
                (c, Some((_, sign))) if c == sign => quote = None,
                ('{' | '[', None) => open.push((here, c)),
                ('}' | ']', None) => {
                    open.pop();
                }
                _ => {}
            }
            before = c;
        }
        unclosed = unclosed.or(quote);
    }
    let bracket = open.pop().and_then(|(opened, sign)| {
        let mut lines = (1..=span.line).zip(text.lines()).skip(opened.line as usize - 1);
        let most = indent(lines.next()?.1);
        let (outside, _) = lines.find(|(_, line)| !line.trim().is_empty() && indent(line) <= most)?;
        Some((opened, sign, outside))
    });
    Scanned { bracket, quote: unclosed }
}
