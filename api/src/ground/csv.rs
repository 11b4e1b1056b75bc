//! Cells of CSV (RFC 4180).

/// Writes a text as a cell. Spreadsheet programs read a text that begins with `=`, `+`, `-` or `@` as a formula, so an
/// apostrophe is put before such a text.
#[must_use]
pub fn cell(text: &str) -> String {
    let quote = if text.starts_with(['=', '+', '-', '@']) { "'" } else { "" };
    match text.contains([',', '"', '\r', '\n']) || !quote.is_empty() {
        true => format!("\"{quote}{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_quoted_where_it_must_be() {
        assert_eq!(
            ["Asha", "Asha, the first", "a \"b\"", "=1+1", ""].map(cell),
            ["Asha", "\"Asha, the first\"", "\"a \"\"b\"\"\"", "\"'=1+1\"", ""]
        );
    }
}
