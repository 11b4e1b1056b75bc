//! Tournament files: a whole tournament in one YAML file, as organisers write it.
//!
//! A file has the fields of the request that creates a tournament (`POST /v1/tournaments`), under the same names and
//! with the same bounds, and two keys of its own, `entrants` and `pause`. The wire types of the request declare its
//! fields, so a field that the API gets is a key of the file at once. Every mistake is a problem with line and column,
//! in the look of the problems of rule files.

/// A sentence with values, like those of `detail!`, for mistakes that only the command line reports. It has no
/// translations.
macro_rules! mistake {
    ($($sentence:tt)+) => {
        $crate::error::detail!($($sentence)+)
    };
}

mod entrants;
mod keys;
mod mistakes;
mod prepared;
mod terms;

use std::collections::BTreeSet;

use pagade_rules::source::{Report, Source};
use pagade_rules::written::Written;
use serde_json::{Map, Value};

use keys::{OWN_KEYS, OwnKeys};

pub use entrants::{Awaited, Entrant};
pub use prepared::Prepared;

/// The kind of the file in messages.
const CALLED: &str = "a tournament file";

/// A tournament file. Keys whose values do not have the right form are left out.
#[derive(Debug)]
pub struct TournamentFile {
    written: Written,
    /// The keys that are left out, also those that are missing. Values that depend on them are not checked.
    lacking: BTreeSet<String>,
    /// The fields of the request that creates the tournament. Values of options are texts.
    request: Map<String, Value>,
    own: OwnKeys,
}

impl TournamentFile {
    /// Reads a file, and checks all that needs no rule set. Returns `None` if it is not a map of keys and values; all
    /// mistakes are reported.
    pub fn read(source: Source, report: &mut Report) -> Option<Self> {
        let written = Written::read(source, CALLED, report)?;
        let Value::Object(mut request) = written.json(&|path, text| keys::typed(path, text)) else { return None };
        let found = keys::check(&mut request);
        let lacking = keys::leave_out(&mut request, &found);
        found.into_iter().for_each(|part| mistakes::report(&written, part, report));
        request.entry("entrants").or_insert_with(|| Value::Array(Vec::new()));
        let own = OWN_KEYS.iter().filter_map(|key| Some(((*key).to_owned(), request.remove(*key)?)));
        let own = serde_json::from_value(Value::Object(own.collect())).ok()?;
        let file = Self { written, lacking, request, own };
        let mut found = Vec::new();
        file.check_alone(&mut found);
        found.into_iter().for_each(|part| mistakes::report(&file.written, part, report));
        Some(file)
    }

    /// Tells whether one of these keys is missing, or has a value without the right form.
    fn lacks(&self, keys: &[&str]) -> bool {
        keys.iter().any(|key| self.lacking.contains(*key))
    }

    /// The id of the rule set, or the path of a rule file. `None` if the file names none.
    pub fn rule_set(&self) -> Option<&str> {
        self.request.get("rule_set").and_then(Value::as_str)
    }

    /// The version of the rule set. `None` stands for the newest one.
    pub fn version(&self) -> Option<&str> {
        self.request.get("version").and_then(Value::as_str)
    }

    /// Reports an error at the value that a JSON Pointer into the request leads to.
    pub fn report(&self, pointer: &str, code: &'static str, message: &str, help: Option<&str>, report: &mut Report) {
        let span = self.written.span(pointer);
        report.add(pagade_rules::source::Severity::Error, code, span, message.to_owned(), help.map(str::to_owned));
    }
}
