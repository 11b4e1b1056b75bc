//! YAML files other than rule files, read with the positions of their values. The caller knows the keys of the file and
//! reports mistakes at the position of a value, in the same form as the problems of a rule file.

use serde_json::{Map, Value};

use crate::source::{Report, Source, Span};
use crate::yaml::parse_called;
use crate::yaml::tree::{Content, Entry, Tree};

/// A YAML file whose top is a map.
#[derive(Debug, Clone)]
pub struct Written {
    tree: Tree,
}

impl Written {
    /// Reads a file. `called` is its kind in messages, such as `a tournament file`. The same bounds hold as for rule
    /// files: bytes, nesting, lengths of lists; no anchors, aliases, tags or second documents. Returns `None` after an
    /// error, which is then reported.
    pub fn read(source: Source, called: &'static str, report: &mut Report) -> Option<Self> {
        let file = report.add_source(source);
        parse_called(called, file, report).map(|(tree, _)| Self { tree })
    }

    /// Returns the file as JSON. The text of every scalar goes through `typed`, which also gets the names of the keys,
    /// and the indexes of the items, that lead to it. A missing value, `~` or `null`, is `null`.
    pub fn json(&self, typed: &dyn Fn(&[&str], &str) -> Value) -> Value {
        json(&self.tree, &mut Vec::new(), typed)
    }

    /// Returns the span of the value that a JSON Pointer (RFC 6901) leads to. For the value of a key, the span begins
    /// with the key. If there is no such value, it is the span of the innermost value on the way that exists, or the
    /// first line of the file.
    pub fn span(&self, pointer: &str) -> Span {
        let mut found = Span { width: 1, ..self.tree.span };
        let mut tree = &self.tree;
        for step in pointer.split('/').skip(1).map(|step| step.replace("~1", "/").replace("~0", "~")) {
            let (inner, span) =
                match (entry(tree, &step), step.parse::<usize>().ok().and_then(|at| tree.items().get(at))) {
                    (Some(entry), _) => (&entry.value, entry.span()),
                    (None, Some(item)) => (item, item.span),
                    (None, None) => break,
                };
            (tree, found) = (inner, span);
        }
        found
    }

    /// Returns the span of the last key that a JSON Pointer names, without its value. It is the span of
    /// [`Written::span`] if the pointer leads to no key.
    pub fn key_span(&self, pointer: &str) -> Span {
        let span = self.span(pointer);
        let (outer, key) = pointer.rsplit_once('/').unwrap_or_default();
        let key = key.replace("~1", "/").replace("~0", "~");
        match self.find(outer).and_then(|tree| entry(tree, &key)) {
            Some(entry) => entry.key_span,
            None => span,
        }
    }

    /// Returns the span of a value without its key.
    pub fn value_span(&self, pointer: &str) -> Span {
        self.find(pointer).map_or_else(|| self.span(pointer), |tree| tree.span)
    }

    fn find(&self, pointer: &str) -> Option<&Tree> {
        let mut steps = pointer.split('/').skip(1).map(|step| step.replace("~1", "/").replace("~0", "~"));
        steps.try_fold(&self.tree, |tree, step| match entry(tree, &step) {
            Some(entry) => Some(&entry.value),
            None => tree.items().get(step.parse::<usize>().ok()?),
        })
    }
}

fn entry<'t>(tree: &'t Tree, key: &str) -> Option<&'t Entry> {
    tree.entries().iter().find(|entry| entry.key == key)
}

fn json<'t>(tree: &'t Tree, path: &mut Vec<String>, typed: &dyn Fn(&[&str], &str) -> Value) -> Value {
    let mut inside = |step: String, tree: &'t Tree| {
        path.push(step);
        let value = json(tree, path, typed);
        path.pop();
        value
    };
    match &tree.content {
        Content::Empty => Value::Null,
        Content::Scalar(scalar) => {
            let path: Vec<&str> = path.iter().map(String::as_str).collect();
            typed(&path, scalar.text.trim_end())
        }
        Content::List(items) => {
            items.iter().enumerate().map(|(at, item)| inside(at.to_string(), item)).collect::<Vec<_>>().into()
        }
        Content::Map(entries) => {
            let named = entries.iter().map(|entry| (entry.key.clone(), inside(entry.key.clone(), &entry.value)));
            Value::Object(named.collect::<Map<_, _>>())
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const TEXT: &str =
        "title: Cup\nformat:\n  kind: swiss\n  rounds: 7\nentrants:\n  - {names: [Asha, Ravi]}\nempty:\n";

    fn read(text: &str) -> (Option<Written>, Report) {
        let mut report = Report::default();
        let source = Source { name: "cup.yaml".to_owned(), text: text.to_owned() };
        (Written::read(source, "a tournament file", &mut report), report)
    }

    #[test]
    fn scalars_get_their_types_by_the_keys_that_lead_to_them() {
        let (written, report) = read(TEXT);
        assert_eq!(report.problems(), []);
        let typed = |path: &[&str], text: &str| match path {
            ["format", "rounds"] => text.parse::<u32>().unwrap().into(),
            _ => text.into(),
        };
        let expected = json!({"title": "Cup", "format": {"kind": "swiss", "rounds": 7},
            "entrants": [{"names": ["Asha", "Ravi"]}], "empty": null});
        assert_eq!(written.unwrap().json(&typed), expected);
    }

    #[test]
    fn a_pointer_leads_to_a_span_or_to_the_value_around_it() {
        let written = read(TEXT).0.unwrap();
        let place = |span: Span| (span.line, span.column, span.width);
        assert_eq!(place(written.span("/format/rounds")), (4, 3, 9));
        assert_eq!(place(written.key_span("/format/rounds")), (4, 3, 6));
        assert_eq!(place(written.value_span("/format/rounds")), (4, 11, 1));
        assert_eq!(place(written.span("/format/table")), (2, 1, 6));
        assert_eq!(place(written.span("/entrants/0/names/1")), (6, 20, 4));
        assert_eq!(place(written.span("/nothing")), (1, 1, 1));
    }

    #[test]
    fn files_that_are_no_map_are_refused_by_the_name_of_their_kind() {
        let (written, report) = read("- a\n- b\n");
        assert!(written.is_none());
        assert_eq!(report.problems()[0].message, "a tournament file is a map of keys with values");
    }
}
