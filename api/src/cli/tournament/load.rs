//! Reads a tournament file with its rule set, and checks both together.

use std::fs;
use std::path::Path;

use pagade::tournament_file::{Prepared, TournamentFile};
use pagade_rules::bundled::{Bundled, SETS};
use pagade_rules::nearest::nearest;
use pagade_rules::ruleset::{Checked, RuleFiles, RuleSet};
use pagade_rules::source::{Report, Source, counts};

use super::api::{Api, RequestFailure};
use crate::cli::check::count;
use crate::cli::ending::CommandError;
use crate::cli::sets;

/// Deepest chain of published rule sets that extend one another.
const LONGEST_CHAIN: usize = 8;

/// A tournament file after its check. Problems may be added to the report.
#[derive(Debug)]
pub(super) struct Loaded {
    /// The file. `None` if it is no map of keys and values.
    pub file: Option<TournamentFile>,
    /// The rule set, if there is one without errors.
    pub rules: Option<TournamentRules>,
    /// The tournament, if nothing is wrong with it.
    pub prepared: Option<Prepared>,
    /// The problems found so far.
    pub report: Report,
}

/// The rule set of a tournament.
#[derive(Debug)]
pub(super) struct TournamentRules {
    pub set: RuleSet,
    /// Whether the rule set is a file of the organiser, which has to be published.
    pub is_own: bool,
}

impl Loaded {
    /// Adds an error at the value that a JSON Pointer into the request leads to.
    pub(super) fn error(&mut self, pointer: &str, code: &'static str, message: &str, help: Option<&str>) {
        if let Some(file) = &self.file {
            file.report(pointer, code, message, help, &mut self.report);
        }
    }
}

/// Reads and checks a file. With a server, the rule set is that of the server; without a server, it comes with the
/// program or from a file.
///
/// # Errors
/// The file cannot be read, or the server does not answer.
pub(super) async fn load(path: &Path, api: Option<&Api>) -> Result<Loaded, RequestFailure> {
    let bytes = fs::read(path).map_err(|error| CommandError::file(path, error))?;
    let text = String::from_utf8(bytes).map_err(|_| CommandError::file(path, "the file is not UTF-8 text"))?;
    let mut report = Report::default();
    let file = TournamentFile::read(Source { name: path.display().to_string(), text }, &mut report);
    let mut loaded = Loaded { file, rules: None, prepared: None, report };
    let Some(file) = &loaded.file else { return Ok(loaded) };
    let Some(name) = file.rule_set().map(str::to_owned) else { return Ok(loaded) };
    let version = file.version().map(str::to_owned);
    let found = match (sets::is_path(&name), api) {
        (true, _) => of_file(&name, path.parent().unwrap_or(Path::new(""))),
        (false, Some(api)) => of_server(api, &name, version.as_deref()).await?,
        (false, None) => bundled(&name),
    };
    match found {
        Err((message, help)) => loaded.error("/rule_set", "unknown-rule-set", &message, help.as_deref()),
        Ok(Checked { ruleset: None, problems }) => {
            let message = format!("the rule set `{name}` has {}", count(counts(&problems).0, "error"));
            loaded.error("/rule_set", "bad-rule-set", &message, Some(&format!("`pagade check {name}` lists them")));
        }
        Ok(Checked { ruleset: Some(set), .. }) => {
            if let Some(wanted) = version.filter(|wanted| wanted != set.version()) {
                let message = format!("the rule set has version {}, not {wanted}", set.version());
                let help = "a version that a server has is found with `--server`";
                loaded.error("/version", "unknown-version", &message, Some(help));
            }
            loaded.prepared = loaded.file.as_ref().and_then(|file| file.prepare(&set, &mut loaded.report));
            loaded.rules = Some(TournamentRules { set, is_own: sets::is_path(&name) });
        }
    }
    Ok(loaded)
}

/// The rule set that was looked for, or an error message with its help text.
type Found = Result<Checked, (String, Option<String>)>;

/// Reads a rule file. A relative path begins at the folder of the tournament file, or else at the working directory.
fn of_file(name: &str, folder: &Path) -> Found {
    let folder = if folder.join(name).exists() { folder } else { Path::new("") };
    sets::check(name, folder).map_err(|CommandError(message)| (message, None))
}

fn bundled(name: &str) -> Found {
    let source = Bundled.find(name).ok_or_else(|| {
        let near = nearest(name, SETS.iter().map(|(id, _)| *id)).map(|near| format!("did you mean `{near}`?"));
        let help = near.unwrap_or_else(|| {
            "name a rule set of `pagade show`, or the path of a rule file; `--server` finds published ones".to_owned()
        });
        (format!("there is no rule set `{name}`"), Some(help))
    })?;
    Ok(RuleSet::check(&source, &Bundled))
}

/// Reads a rule set from the server, with the published rule sets that it extends.
async fn of_server(api: &Api, name: &str, version: Option<&str>) -> Result<Found, RequestFailure> {
    let missing = || Err((format!("the server has no rule set `{name}`{}", of_version(version)), None));
    let Some(text) = source(api, name, version).await? else { return Ok(missing()) };
    let mut texts = Published(Vec::new());
    let own = Source { name: format!("{name}.yaml"), text };
    for _ in 0..LONGEST_CHAIN {
        let checked = RuleSet::check(&own, &texts);
        let lacks = checked.problems.iter().find(|problem| problem.code == "unknown-base");
        let base = lacks.and_then(|problem| problem.message.split('`').nth(1)).map(str::to_owned);
        let Some(base) = base.filter(|base| texts.find(base).is_none()) else { return Ok(Ok(checked)) };
        let Some(text) = source(api, &base, None).await? else { return Ok(Ok(checked)) };
        texts.0.push(Source { name: base, text });
    }
    Ok(missing())
}

fn of_version(version: Option<&str>) -> String {
    version.map(|version| format!(" of version {version}")).unwrap_or_default()
}

/// The texts of published rule sets by id, and the bundled ones.
struct Published(Vec<Source>);

impl RuleFiles for Published {
    fn find(&self, name: &str) -> Option<Source> {
        let own = self.0.iter().find(|source| source.name == name).cloned();
        own.or_else(|| Bundled.find(name))
    }
}

/// Reads the text of a rule set from the server. `None` if the server has none with this id and version.
///
/// # Errors
/// The server does not answer, or refuses the request for another reason.
pub(super) async fn source(api: &Api, id: &str, version: Option<&str>) -> Result<Option<String>, RequestFailure> {
    let is_plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
    if !is_plain(id) || id.starts_with('.') || !version.is_none_or(is_plain) {
        return Ok(None);
    }
    let query = version.map(|version| format!("?version={version}")).unwrap_or_default();
    match api.get_text(&format!("/v1/rule-sets/{id}/source{query}"), "*/*").await {
        Ok(text) => Ok(Some(text)),
        Err(RequestFailure::Refused(problem)) if problem.status == 404 && problem.code == "rule_set_not_found" => {
            Ok(None)
        }
        Err(failure) => Err(failure),
    }
}
