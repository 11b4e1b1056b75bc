//! The state of a run: a file beside the tournament file, by which an interrupted run goes on.
//!
//! The state is written before the first request. It has a secret, from which the idempotency key of every request
//! follows: a run that is started again sends the same requests under the same keys, so nothing is done twice, and it
//! gets the answers that it lost. Only the user can read the file, because it has the tokens, too.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::answer::EntrantTokens;
use crate::cli::ending::CommandError;

/// The number of the layout of the file.
const LAYOUT: u32 = 1;

/// The state of a run, as it is stored.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct RunState {
    layout: u32,
    /// The address of the server.
    pub server: String,
    /// The BLAKE3 hash of the terms and the entrants in the file.
    pub digest: String,
    /// Random bytes in hexadecimal, from which idempotency keys follow.
    secret: String,
    /// The request that creates the tournament, stored before it is sent.
    pub request: Option<Value>,
    /// The tournament, once it was created.
    pub tournament: Option<TournamentTokens>,
    /// The names of the entrants whom this run enters, stored before the request is sent.
    pub entering: Option<Vec<String>>,
    /// The entrants whom this run has entered, with their tokens.
    pub entered: Option<Vec<EntrantTokens>>,
    /// The time until which the start waits for players, in seconds since 1970.
    pub waits_until: Option<u64>,
}

/// The id of the tournament and its tokens.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct TournamentTokens {
    pub id: String,
    pub token: String,
    /// The token of the arbiters. `None` if the tournament was not created by this run.
    pub arbiter_token: Option<String>,
    /// The invitation that people send when they enter. `None` if they need none.
    #[serde(default)]
    pub invitation: Option<String>,
}

/// A state and the path of its file.
#[derive(Debug)]
pub(super) struct StateFile {
    path: PathBuf,
    pub state: RunState,
}

impl StateFile {
    /// Reads the state of a run. `None` if there is no such file.
    ///
    /// # Errors
    /// The file cannot be read, or is not the state of a run.
    pub(super) fn read(path: &Path) -> Result<Option<Self>, CommandError> {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(CommandError::file(path, error)),
        };
        let state: RunState = serde_json::from_str(&text)
            .map_err(|error| CommandError(format!("{}: this is not the state of a run: {error}", path.display())))?;
        if state.layout != LAYOUT {
            let cause = format!("the state has layout {}, this program reads {LAYOUT}", state.layout);
            return Err(CommandError::file(path, cause));
        }
        Ok(Some(Self { path: path.to_owned(), state }))
    }

    /// Begins a run: draws the secret and writes the file.
    ///
    /// # Errors
    /// The file cannot be written, or another run has written it at the same moment.
    pub(super) fn begin(path: &Path, server: &str, digest: &str) -> Result<Self, CommandError> {
        let mut secret = [0; 32];
        getrandom::fill(&mut secret).map_err(|error| CommandError(error.to_string()))?;
        let state = RunState {
            layout: LAYOUT,
            server: server.to_owned(),
            digest: digest.to_owned(),
            secret: const_hex::encode(secret),
            request: None,
            tournament: None,
            entering: None,
            entered: None,
            waits_until: None,
        };
        let begun = Self { path: path.to_owned(), state };
        let draft = write_draft(path, &begun.text()?)?;
        // A link fails if the file exists, so of two runs that begin at the same moment only one goes on.
        let linked = fs::hard_link(&draft, path).map_err(|error| CommandError::file(path, error));
        fs::remove_file(&draft).map_err(|error| CommandError::file(&draft, error))?;
        linked.map(|()| begun)
    }

    /// Changes the state, and writes it before anything else happens.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn change(&mut self, change: impl FnOnce(&mut RunState)) -> Result<(), CommandError> {
        change(&mut self.state);
        write_private(&self.path, &self.text()?)
    }

    fn text(&self) -> Result<String, CommandError> {
        serde_json::to_string_pretty(&self.state).map_err(|error| CommandError(error.to_string()))
    }

    /// The idempotency key of a request. The same step with the same body has the same key in all runs of this state.
    pub(super) fn key(&self, step: &str, body: &Value) -> String {
        let mut hasher = blake3::Hasher::new();
        for part in [self.state.secret.as_str(), step, &body.to_string()] {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        const_hex::encode(&hasher.finalize().as_bytes()[..24])
    }
}

/// Writes a file that only the user can read, in place of an older one. If the program is killed meanwhile, the file is
/// the older one or the new one, never a part.
///
/// # Errors
/// The file cannot be written.
pub(super) fn write_private(path: &Path, text: &str) -> Result<(), CommandError> {
    let draft = write_draft(path, text)?;
    fs::rename(&draft, path).map_err(|error| CommandError::file(path, error))
}

/// Writes a file beside `path` that only the user can read, and waits until it is on the disk.
fn write_draft(path: &Path, text: &str) -> Result<PathBuf, CommandError> {
    let draft = PathBuf::from(format!("{}.new", path.display()));
    let fail = |error| CommandError::file(&draft, error);
    match fs::remove_file(&draft) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(fail(error)),
        _ => {}
    }
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&draft).map_err(fail)?;
    file.write_all(text.as_bytes()).map_err(fail)?;
    file.sync_all().map_err(fail)?;
    Ok(draft)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use serde_json::json;

    use super::*;

    #[test]
    fn a_state_is_read_again_and_gives_the_same_keys() {
        let path = std::env::temp_dir().join(format!("pagade-state-{}.json", std::process::id()));
        assert!(StateFile::read(&path).unwrap().is_none());
        let mut begun = StateFile::begin(&path, "http://127.0.0.1:1", "d").unwrap();
        assert!(StateFile::begin(&path, "http://127.0.0.1:1", "d").is_err(), "another run has begun");
        begun.change(|state| state.entering = Some(vec!["Asha".to_owned()])).unwrap();
        let again = StateFile::read(&path).unwrap().unwrap();
        assert_eq!(again.state.entering, begun.state.entering);
        let body = json!({"round": 1});
        assert_eq!(again.key("round", &body), begun.key("round", &body));
        assert_ne!(begun.key("round", &body), begun.key("round", &json!({"round": 2})));
        assert_ne!(begun.key("round", &body), begun.key("start", &body));
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "it has tokens");
        fs::write(&path, "{").unwrap();
        assert!(StateFile::read(&path).unwrap_err().0.contains("not the state of a run"));
        fs::remove_file(&path).unwrap();
    }
}
