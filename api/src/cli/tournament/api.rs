//! The service as the program sees it: requests of the public API, sent again until they are answered.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use pagade::ProblemCode;
use pagade::ground::tls;
use reqwest::header::{HeaderMap, RETRY_AFTER};
use reqwest::redirect::Policy;
use reqwest::{Client, Method, StatusCode, Url};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::answer::ProblemAnswer;
use crate::cli::ending::CommandError;

/// The longest time until an answer is complete. A request that waits for events takes up to 30 seconds.
const TIMEOUT: Duration = Duration::from_secs(60);
/// The pause before a request is sent again the first time. It doubles with every attempt.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
/// The longest pause between two attempts, unless the server asks for a longer one.
const LONGEST_PAUSE: Duration = Duration::from_secs(15);

/// A service, with the token that requests carry.
#[derive(Debug)]
pub(super) struct Api {
    /// The addresses of the replicas of the service, without a slash at their ends. There is at least one.
    addresses: Vec<String>,
    /// The index of the replica that answered last.
    current: AtomicUsize,
    /// The token of the organiser; `None` until there is one.
    pub token: Option<String>,
    client: Client,
    /// The time after which a server without an answer is given up.
    patience: Duration,
}

/// The reason why a request was in vain.
#[derive(Debug)]
pub(super) enum RequestFailure {
    /// The server refuses the request. The same request would be refused again.
    Refused(Box<ProblemAnswer>),
    /// The server did not answer for a long time, or its answers are not those of the API.
    Unreachable(String),
    /// The program cannot do its part, for example because a file cannot be written.
    Own(CommandError),
}

impl From<CommandError> for RequestFailure {
    fn from(error: CommandError) -> Self {
        Self::Own(error)
    }
}

impl RequestFailure {
    /// Returns the failure as the error of a command.
    pub(super) fn into_error(self) -> CommandError {
        match self {
            Self::Refused(problem) => CommandError(format!("{}: {}", problem.title, problem.detail)),
            Self::Unreachable(cause) => CommandError(cause),
            Self::Own(error) => error,
        }
    }

    /// Whether the server refuses the request with this code.
    pub(super) fn is(&self, code: ProblemCode) -> bool {
        matches!(self, Self::Refused(problem) if problem.code == code.word())
    }
}

struct ApiRequest<'r> {
    method: Method,
    path: &'r str,
    key: Option<&'r str>,
    accept: &'r str,
    body: Option<&'r Value>,
}

/// The outcome of one attempt.
enum RequestAttempt {
    Answered(String),
    Refused(Box<ProblemAnswer>),
    /// The request may succeed if it is sent again, after this time at the earliest.
    Again(String, Option<Duration>),
}

impl Api {
    /// Makes a client of the service whose replicas have these addresses, separated by commas.
    ///
    /// # Errors
    /// There is no address, or the client cannot be built.
    pub(super) fn new(addresses: &str, token: Option<String>, patience: Duration) -> Result<Self, CommandError> {
        let addresses = addresses.split(',').map(|address| address.trim().trim_end_matches('/').to_owned());
        let addresses: Vec<String> = addresses.filter(|address| !address.is_empty()).collect();
        if addresses.is_empty() {
            return Err(CommandError("the address of the server is empty".to_owned()));
        }
        let is_address = |address: &&String| {
            Url::parse(address).is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
        };
        if let Some(wrong) = addresses.iter().find(|address| !is_address(address)) {
            let help = "it begins with `http://` or `https://`, as `http://127.0.0.1:8080` does";
            return Err(CommandError(format!("`{wrong}` is no address of a server\n  help: {help}")));
        }
        tls::prepare();
        let client = Client::builder().redirect(Policy::none()).timeout(TIMEOUT).build();
        let client = client.map_err(|error| CommandError(error.to_string()))?;
        Ok(Self { addresses, current: AtomicUsize::new(0), token, client, patience })
    }

    /// The address of the replica to which the next request goes.
    pub(super) fn address(&self) -> &str {
        &self.addresses[self.current.load(Ordering::Relaxed) % self.addresses.len()]
    }

    /// The addresses of all replicas, separated by commas.
    pub(super) fn addresses(&self) -> String {
        self.addresses.join(",")
    }

    /// Reads a JSON document.
    pub(super) async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, RequestFailure> {
        read(path, &self.get_text(path, "application/json").await?)
    }

    /// Reads a document of this media type as text.
    pub(super) async fn get_text(&self, path: &str, accept: &str) -> Result<String, RequestFailure> {
        self.insist(&ApiRequest { method: Method::GET, path, key: None, accept, body: None }).await
    }

    /// Sends a command. A command with a key has one effect, however often it is sent. A command without a key must
    /// change nothing, because it may be sent twice.
    pub(super) async fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        key: Option<&str>,
        body: &Value,
    ) -> Result<T, RequestFailure> {
        let accept = "application/json";
        let request = ApiRequest { method: Method::POST, path, key, accept, body: Some(body) };
        read(path, &self.insist(&request).await?)
    }

    /// Sends a request again and again until it succeeds, or until repeating it is of no use.
    async fn insist(&self, request: &ApiRequest<'_>) -> Result<String, RequestFailure> {
        let (began, mut pause, mut is_told) = (Instant::now(), FIRST_PAUSE, false);
        loop {
            let (reason, asked) = match self.attempt(request).await {
                RequestAttempt::Answered(text) => return Ok(text),
                RequestAttempt::Refused(problem) => return Err(RequestFailure::Refused(problem)),
                RequestAttempt::Again(reason, asked) => (reason, asked),
            };
            let wait = asked.unwrap_or(pause).max(pause);
            if began.elapsed() + wait > self.patience {
                return Err(RequestFailure::Unreachable(format!("{}: {reason}", self.address())));
            }
            if !is_told && began.elapsed() > Duration::from_secs(2) {
                eprintln!("{}: {reason}; trying again", self.address());
                is_told = true;
            }
            // Another replica may be able to answer.
            self.current.fetch_add(1, Ordering::Relaxed);
            tokio::time::sleep(wait).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    async fn attempt(&self, ApiRequest { method, path, key, accept, body }: &ApiRequest<'_>) -> RequestAttempt {
        let mut sent =
            self.client.request(method.clone(), format!("{}{path}", self.address())).header("Accept", *accept);
        sent = match &self.token {
            Some(token) => sent.bearer_auth(token),
            None => sent,
        };
        sent = key.iter().fold(sent, |sent, key| sent.header("Idempotency-Key", *key));
        sent = body.iter().fold(sent, |sent, body| sent.json(body));
        let answer = match sent.send().await {
            Ok(answer) => answer,
            Err(error) if error.is_builder() => {
                let problem = ProblemAnswer { title: error.to_string(), ..ProblemAnswer::default() };
                return RequestAttempt::Refused(problem.into());
            }
            Err(error) => return RequestAttempt::Again(reason(error), None),
        };
        let (status, asked) = (answer.status(), retry_after(answer.headers()));
        let text = match answer.text().await {
            Ok(text) => text,
            Err(error) => return RequestAttempt::Again(reason(error), None),
        };
        if status.is_success() {
            return RequestAttempt::Answered(text);
        }
        let problem = serde_json::from_str::<ProblemAnswer>(&text);
        if status == StatusCode::TOO_MANY_REQUESTS || status == StatusCode::REQUEST_TIMEOUT || status.is_server_error()
        {
            let detail = problem.map(|problem| problem.title).unwrap_or_default();
            return RequestAttempt::Again(format!("{status} {detail}").trim().to_owned(), asked);
        }
        let unknown = |_| ProblemAnswer {
            status: status.as_u16(),
            title: format!("{path} is answered {status}: is a Pagade service there?"),
            ..ProblemAnswer::default()
        };
        RequestAttempt::Refused(problem.unwrap_or_else(unknown).into())
    }
}

fn read<T: DeserializeOwned>(path: &str, text: &str) -> Result<T, RequestFailure> {
    serde_json::from_str(text).map_err(|error| RequestFailure::Unreachable(format!("the answer of {path}: {error}")))
}

/// The innermost cause of an error, which is the most specific one: `connection refused` in place of `error sending
/// request`.
fn reason(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut cause: &dyn std::error::Error = &error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}

/// The time that a server asks clients to wait, from a number of seconds in `Retry-After`.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let seconds = headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_may_ask_for_a_pause() {
        let headers = |value: &'static str| HeaderMap::from_iter([(RETRY_AFTER, value.parse().unwrap())]);
        assert_eq!(retry_after(&headers("7")), Some(Duration::from_secs(7)));
        assert_eq!(retry_after(&headers("Wed, 25 Nov 2026 18:00:00 GMT")), None);
        assert_eq!(retry_after(&HeaderMap::new()), None);
    }
}
