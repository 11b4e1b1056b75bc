//! Merges variants: lays the tree of a file over the tree of the file that it extends. Every value keeps its span in
//! the file that it comes from.

use crate::document::{At, FILE, Text};
use crate::language::{Form, MapShape};
use crate::nearest::nearest;
use crate::ruleset::RuleFiles;
use crate::source::{Report, Source};
use crate::yaml::clauses;
use crate::yaml::parse;
use crate::yaml::tree::{Content, Entry, Tree};

/// Maximum number of files in a chain in which each file extends the next.
const MOST_FILES: usize = 5;

/// Reads a file and the files that it extends, and merges them. Also returns the value of the file's `extends` key.
pub(crate) fn load(source: &Source, library: &dyn RuleFiles, report: &mut Report) -> Option<(Tree, Option<Text>)> {
    let mut chain = Vec::new();
    let mut next = Some(source.clone());
    while let Some(source) = next.take() {
        let file = report.add_source(source.clone());
        let (mut tree, comments) = parse(file, report)?;
        clauses::attach(&mut tree, &comments, &source.text);
        let extends = tree.get("extends").and_then(file_name);
        chain.push(tree);
        if let Some(name) = extends {
            next = Some(find(&name, chain.len(), library, report)?);
        }
    }
    let extends = chain[0].get("extends").and_then(file_name);
    let mut laid = chain.pop().expect("the chain begins with the file itself");
    refuse_variant_keys(&mut laid, &FILE, report);
    while let Some(mut variant) = chain.pop() {
        check_head(&variant, report);
        take(&mut variant, "extends");
        if let Some(removed) = take(&mut variant, "remove") {
            for path in removed.one_or_more() {
                remove(&mut laid, path, report);
            }
        }
        // A variant has a title of its own. The titles of the extended file in other languages belong to another game.
        take(&mut laid, "titles");
        lay_over(&mut laid, variant, &FILE, report);
    }
    Some((laid, extends))
}

fn file_name(tree: &Tree) -> Option<Text> {
    Some(At { value: tree.text()?.trim_end().to_owned(), span: tree.span })
}

fn find(name: &Text, files: usize, library: &dyn RuleFiles, report: &mut Report) -> Option<Source> {
    if files >= MOST_FILES {
        let message = format!("more than {} files extend each other", MOST_FILES - 1);
        report.error("extends-too-long", name.span, message);
        return None;
    }
    let Some(source) = library.find(&name.value) else {
        let message = format!("there is no rule set `{}` to extend", name.value);
        let help = "the id of a rule set, or a path of a rule file beside this one";
        report.error_with_help("unknown-base", name.span, message, help);
        return None;
    };
    let is_same = |other: &Source| other.name == source.name || other.text == source.text;
    if report.sources().iter().any(is_same) {
        let message = format!("`{}` extends itself in a circle", name.value);
        report.error("extends-cycle", name.span, message);
        return None;
    }
    Some(source)
}

/// Checks that a variant has an id, a version and a title of its own.
fn check_head(variant: &Tree, report: &mut Report) {
    for key in ["rules", "version", "title"] {
        if variant.get(key).is_none() {
            let message = format!("a variant needs a `{key}` of its own");
            report.error("missing-key", variant.span, message);
        }
    }
}

fn take(tree: &mut Tree, key: &str) -> Option<Tree> {
    let Content::Map(entries) = &mut tree.content else {
        return None;
    };
    let index = entries.iter().position(|entry| entry.key == key)?;
    Some(entries.remove(index).value)
}

/// Reports keys that only variants may have (such as `remove`) in a file that extends nothing, and drops them.
fn refuse_variant_keys(tree: &mut Tree, form: &Form, report: &mut Report) {
    match (form, &mut tree.content) {
        (Form::Map(shape), Content::Map(entries)) => {
            entries.retain(|entry| {
                let is_refused = shape.variant_keys.iter().any(|key| key.name == entry.key);
                if is_refused {
                    let message = format!("`{}` is for files that extend another", entry.key);
                    report.error("only-in-variants", entry.key_span, message);
                }
                !is_refused
            });
            for entry in entries {
                if let Some(key) = shape.key(&entry.key) {
                    refuse_variant_keys(&mut entry.value, &key.form, report);
                }
            }
        }
        (Form::Lines(shape), Content::List(lines)) => {
            for line in lines {
                refuse_variant_keys(line, &Form::Map(shape), report);
            }
        }
        _ => {}
    }
}

/// Removes the line or setting that `path` names, such as `landing.single`, `board.gate` or `options.lap`.
fn remove(tree: &mut Tree, path: &Tree, report: &mut Report) {
    let Some(text) = path.text() else { return };
    let mut shape_of = FILE;
    let mut inside = tree;
    let mut names = text.split('.').peekable();
    while let Some(name) = names.next() {
        let names_inside = names_in(inside, &shape_of);
        let Some(index) = names_inside.iter().position(|inside| inside == name) else {
            let message = format!("there is no `{name}` to remove");
            let help = nearest(name, names_inside.iter().map(String::as_str));
            let help = help.map(|meant| format!("did you mean `{meant}`?"));
            report.warning("nothing-to-remove", path.span, message, help);
            return;
        };
        let is_last = names.peek().is_none();
        match &mut inside.content {
            Content::Map(entries) if is_last => drop(entries.remove(index)),
            Content::List(lines) if is_last => drop(lines.remove(index)),
            Content::Map(entries) => {
                shape_of = inner_value(&shape_of, name).unwrap_or(Form::Prose);
                inside = &mut entries[index].value;
                continue;
            }
            Content::List(lines) => {
                shape_of = match shape_of {
                    Form::Lines(shape) => Form::Map(shape),
                    other => other,
                };
                inside = &mut lines[index];
                continue;
            }
            _ => {}
        }
        return;
    }
}

/// Lists the names that `remove` can find in a value: the keys of a map, or the ids of the lines of a table.
fn names_in(tree: &Tree, value: &Form) -> Vec<String> {
    match (&tree.content, value) {
        (Content::Map(entries), _) => entries.iter().map(|entry| entry.key.clone()).collect(),
        (Content::List(lines), Form::Lines(shape)) => {
            let id = |line| id_of(line, shape).unwrap_or_default().to_owned();
            lines.iter().map(id).collect()
        }
        _ => Vec::new(),
    }
}

fn id_of<'a>(line: &'a Tree, shape: &MapShape) -> Option<&'a str> {
    line.get(shape.id?)?.text()
}

/// The form of the value that stands under `key` in a map of the form `value`.
fn inner_value(value: &Form, key: &str) -> Option<Form> {
    match value {
        Form::Map(shape) => shape.key(key).map(|key| key.form),
        Form::Names(_, inner, _) => Some(**inner),
        _ => None,
    }
}

/// Merges the value of a variant into the value of the extended file. Maps are merged, lines with ids are replaced or
/// added, other values are replaced.
fn lay_over(base: &mut Tree, over: Tree, value: &Form, report: &mut Report) {
    match (value, &mut base.content, over.content) {
        (Form::Map(_) | Form::Names(..), Content::Map(entries), Content::Map(new)) => {
            if let Form::Map(shape) = value {
                drop_other_choices(entries, &new, shape);
            }
            for entry in new {
                let inner = inner_value(value, &entry.key).unwrap_or(Form::Prose);
                let index = entries.iter().position(|known| known.key == entry.key);
                let index = index.unwrap_or_else(|| {
                    entries.push(emptied(&entry));
                    entries.len() - 1
                });
                let base_entry = &mut entries[index];
                base_entry.key_span = entry.key_span;
                lay_over(&mut base_entry.value, entry.value, &inner, report);
            }
            base.clauses.extend(over.clauses);
            base.span = over.span;
        }
        (Form::Lines(shape), Content::List(lines), Content::List(new)) if shape.id.is_some() => {
            for line in new {
                place_line(lines, line, shape, report);
            }
            base.clauses.extend(over.clauses);
        }
        (_, _, content) => *base = Tree { content, ..over },
    }
}

/// Copies an entry with its list or map empty. The caller then merges the entry into the copy, so that `before` and
/// `after` also work in a table that only the variant has.
fn emptied(entry: &Entry) -> Entry {
    let content = match &entry.value.content {
        Content::List(_) => Content::List(Vec::new()),
        Content::Map(_) => Content::Map(Vec::new()),
        Content::Scalar(_) | Content::Empty => Content::Empty,
    };
    let value = Tree { content, clauses: Vec::new(), ..entry.value };
    Entry { key: entry.key.clone(), key_span: entry.key_span, value }
}

/// Removes the keys of the extended file that exclude a key of the variant (see [`MapShape::one_of`]).
fn drop_other_choices(entries: &mut Vec<Entry>, new: &[Entry], shape: &MapShape) {
    let chosen = |group: &&[&str]| new.iter().any(|entry| group.contains(&entry.key.as_str()));
    let Some(chosen) = shape.one_of.iter().copied().find(chosen) else {
        return;
    };
    let others = shape.one_of.iter().filter(|group| **group != chosen);
    let others: Vec<_> = others.flat_map(|group| group.iter().copied()).collect();
    entries.retain(|entry| !others.contains(&entry.key.as_str()));
}

/// Adds a line of a variant to a table. A line with `before` or `after` goes beside the line that it names. Any other
/// line replaces the line with the same id, or goes to the end of the table.
fn place_line(lines: &mut Vec<Tree>, mut line: Tree, shape: &MapShape, report: &mut Report) {
    let before = take(&mut line, "before");
    let after = take(&mut line, "after");
    let own = id_of(&line, shape).map(str::to_owned);
    let index_of = |lines: &[Tree], id: &str| {
        let has_id = |line: &Tree| id_of(line, shape) == Some(id);
        lines.iter().position(has_id)
    };
    let index = own.and_then(|own| index_of(lines, &own));
    let Some((beside, offset)) = before.map(|id| (id, 0)).or(after.map(|id| (id, 1))) else {
        match index {
            Some(index) => lines[index] = line,
            None => lines.push(line),
        }
        return;
    };
    if let Some(index) = index {
        lines.remove(index);
    }
    let id = beside.text().unwrap_or_default();
    match index_of(lines, id) {
        Some(index) => lines.insert(index + offset, line),
        None => {
            let message = format!("there is no line `{id}` to put this one beside");
            let ids = lines.iter().filter_map(|line| id_of(line, shape));
            let help = nearest(id, ids).map(|meant| format!("did you mean `{meant}`?"));
            let help = help.unwrap_or_else(|| "name a line of the same table".to_owned());
            report.error_with_help("unknown-line", beside.span, message, help);
            // The line goes to the end of the table, so the order of its lines is not the one that the author meant.
            report.refuse_part();
            lines.push(line);
        }
    }
}
