//! Compares two rule sets, and lists what differs in their data.
//!
//! The normal forms of both are compared ([`RuleSet::flattened`]): comments, the order of keys and the spelling of
//! values make no difference, and a variant is compared with all that it has from its base.

use std::collections::BTreeMap;

use crate::ruleset::RuleSet;

/// Something that differs between two rule sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The part that differs: its key, or the section and the name or id of the line, such as `dice.count`,
    /// `options.min_cuts` or `landing.pair-by-one`. A line without id is named by its number in the section.
    pub path: String,
    /// The kind of difference.
    pub change: DifferenceKind,
}

/// The ways in which a part of the first rule set differs from the same part of the second.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DifferenceKind {
    /// Only the second rule set has the part. The value is its text.
    Added(String),
    /// Only the first rule set has the part. The value is its text.
    Removed(String),
    /// Both rule sets have the part, with these two texts.
    Changed(String, String),
    /// The section has the same lines in another order; the names of the lines in both orders.
    Reordered(String, String),
}

/// Lists the differences in the order of the first rule set. A part that only the second rule set has comes after the
/// part that precedes it in the second.
pub fn compare(first: &RuleSet, second: &RuleSet) -> Vec<Difference> {
    compare_texts(first.flattened(), second.flattened())
}

fn compare_texts(first: &str, second: &str) -> Vec<Difference> {
    let (one, other) = (Parts::of(first), Parts::of(second));
    let mut differences = Vec::new();
    for path in in_both_orders(&one.paths, &other.paths) {
        let change = match (one.texts.get(path), other.texts.get(path)) {
            (Some(text), None) => DifferenceKind::Removed(text.clone()),
            (None, Some(text)) => DifferenceKind::Added(text.clone()),
            (Some(text), Some(changed)) if text != changed => DifferenceKind::Changed(text.clone(), changed.clone()),
            _ => continue,
        };
        differences.push(Difference { path: path.clone(), change });
    }
    for (section, names) in &one.lists {
        let Some(others) = other.lists.get(section) else { continue };
        // Lines that only one rule set has are left out of the comparison of orders.
        let of_both = |names: &[String], also: &[String]| -> Vec<String> {
            names.iter().filter(|name| also.contains(name)).cloned().collect()
        };
        let (order, changed) = (of_both(names, others), of_both(others, names));
        if order != changed {
            let change = DifferenceKind::Reordered(order.join(", "), changed.join(", "));
            differences.push(Difference { path: section.clone(), change });
        }
    }
    differences
}

/// The parts of a rule set in normal form.
#[derive(Default)]
struct Parts {
    /// The paths of all parts, in order.
    paths: Vec<String>,
    /// The text of each part, by its path.
    texts: BTreeMap<String, String>,
    /// The names of the lines of each section, in order.
    lists: BTreeMap<String, Vec<String>>,
}

impl Parts {
    /// Cuts a normal form into parts. Each key, named value and line stands on one text line; sections are indented by
    /// two spaces.
    fn of(text: &str) -> Parts {
        let mut parts = Parts::default();
        let mut sections: Vec<&str> = Vec::new();
        for line in text.lines() {
            let entry = line.trim_start();
            sections.truncate((line.len() - entry.len()) / 2);
            if let Some(row) = entry.strip_prefix("- ") {
                parts.add_row(&sections.join("."), row);
            } else if let Some(section) = entry.strip_suffix(':') {
                sections.push(section);
            } else if let Some((key, value)) = entry.split_once(": ") {
                let section = sections.iter().map(|section| format!("{section}."));
                parts.add(format!("{}{key}", section.collect::<String>()), value);
            }
        }
        parts
    }

    fn add_row(&mut self, section: &str, row: &str) {
        let id = row.strip_prefix("{id: ").and_then(|rest| rest.split([',', '}']).next());
        let rows = self.lists.entry(section.to_owned()).or_default();
        let name = id.map_or_else(|| (rows.len() + 1).to_string(), str::to_owned);
        rows.push(name.clone());
        self.add(format!("{section}.{name}"), row);
    }

    fn add(&mut self, path: String, text: &str) {
        if self.texts.insert(path.clone(), text.to_owned()).is_none() {
            self.paths.push(path);
        }
    }
}

/// Lists the names of both lists, each once: the names of `first` in their order; a name that only `second` has comes
/// after the name that precedes it in `second`.
fn in_both_orders<'p>(first: &'p [String], second: &'p [String]) -> Vec<&'p String> {
    let is_in_first = |name: &String| first.contains(name);
    let mut leading: Vec<&String> = second.iter().take_while(|name| !is_in_first(name)).collect();
    for name in first {
        leading.push(name);
        if let Some(at) = second.iter().position(|other| other == name) {
            leading.extend(second[at + 1..].iter().take_while(|name| !is_in_first(name)));
        }
    }
    leading
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundled;

    #[test]
    fn added_lines_follow_their_neighbours_and_another_order_is_told() {
        let one = "rules: a\non:\n  - {id: x, event: cut}\n  - {id: y, event: home}\nplayers:\n  - {any: 4}\n";
        let other = "rules: a\non:\n  - {id: y, event: home}\n  - {id: z, event: cut}\n  - {id: x, event: cut}\n\
             players:\n  - {any: 2}\n";
        let told: Vec<String> =
            compare_texts(one, other).iter().map(|found| format!("{} {:?}", found.path, found.change)).collect();
        assert_eq!(
            told,
            [
                "on.z Added(\"{id: z, event: cut}\")",
                "players.1 Changed(\"{any: 4}\", \"{any: 2}\")",
                "on Reordered(\"x, y\", \"y, x\")",
            ]
        );
    }

    #[test]
    fn every_bundled_set_is_cut_into_parts_without_rest() {
        for (id, _) in bundled::SETS {
            let set = bundled::ruleset(id).unwrap();
            let text = set.flattened();
            let parts = Parts::of(text);
            let values = text.lines().filter(|line| !line.ends_with(':')).count();
            assert_eq!(parts.paths.len(), values, "{id}: each line has a path of its own");
        }
    }
}
