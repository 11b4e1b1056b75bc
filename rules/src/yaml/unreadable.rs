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
    if let Some((opened, sign)) = open_bracket(span, text) {
        let message = format!("this is not YAML: `{sign}` is not closed before line {}", span.line);
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
const HELP: [(&str, &str); 4] = [
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

/// The innermost bracket that is still open where a span begins, if that line belongs to no bracket: it is not indented
/// more than the line that opened it.
fn open_bracket(span: Span, text: &str) -> Option<(Span, char)> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut open: Vec<(Span, char)> = Vec::new();
    for (index, line) in text.lines().enumerate().take((span.line as usize).saturating_sub(1)) {
        let mut quote = None;
        let mut before = ' ';
        for (column, c) in line.chars().enumerate() {
            let is_first = before == ' ' || matches!(before, '{' | '[' | ',');
            match (c, quote) {
                ('#', None) if before == ' ' => break,
                ('"' | '\'', None) if is_first => quote = Some(c),
                (c, Some(sign)) if c == sign => quote = None,
                ('{' | '[', None) => {
                    open.push((Span { line: index as u32 + 1, column: column as u32 + 1, width: 1, ..span }, c));
                }
                ('}' | ']', None) => {
                    open.pop();
                }
                _ => {}
            }
            before = c;
        }
    }
    let (opened, sign) = open.pop()?;
    (indent(line(text, span.line)) <= indent(line(text, opened.line))).then_some((opened, sign))
}
