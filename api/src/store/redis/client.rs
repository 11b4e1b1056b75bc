//! The client: sends commands to Redis, and retries them for a limited time.
//!
//! A command is retried for [`PATIENCE`], on a new connection if needed, so that clients do not notice a restart of
//! Redis that takes a second. Each retry takes from a budget, and each success adds to it: while Redis stays away, the
//! budget is used up, and commands fail at once instead of piling up.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use redis::{Cmd, ErrorKind, Pipeline, RedisError, RedisResult, ServerErrorKind, Value};

use super::address::Reach;
use super::connection::{Connections, Node};
use super::scripts::Script;
use crate::store::StoreError;

/// How long a command may take with all its retries.
const PATIENCE: Duration = Duration::from_secs(5);
/// The first pause between two tries; each is twice as long as the one before, up to [`LONGEST_PAUSE`].
const PAUSE: Duration = Duration::from_millis(25);
/// See [`PAUSE`].
const LONGEST_PAUSE: Duration = Duration::from_millis(400);
/// How long a write waits for replicas.
const REPLICATED: Duration = Duration::from_secs(1);
/// Largest budget of retries.
const BUDGET: i64 = 5_000;
/// Cost of a retry. A success adds 1 to the budget.
const RETRY: i64 = 10;

/// A client of one Redis.
pub(super) struct Client {
    connections: Connections,
    budget: AtomicI64,
}

/// One command, or several that are sent together.
enum Request<'q> {
    One(&'q Cmd),
    Many(&'q Pipeline),
}

impl Client {
    /// Makes a client of the Redis at an address.
    pub(super) fn at(reach: Reach) -> Self {
        Self { connections: Connections::to(reach), budget: AtomicI64::new(BUDGET) }
    }

    /// Sends one command.
    ///
    /// # Errors
    /// Redis does not answer in time, or refuses.
    pub(super) async fn one(&self, command: &Cmd) -> Result<Value, StoreError> {
        let mut values = self.send(&Request::One(command)).await.map_err(Failure::plain)?;
        Ok(values.pop().unwrap_or(Value::Nil))
    }

    /// The masters of a cluster; of any other Redis, the server.
    ///
    /// # Errors
    /// Redis does not answer in time.
    pub(super) async fn masters(&self) -> Result<Vec<Node>, StoreError> {
        let unavailable = |error: RedisError| StoreError::Unavailable(error.to_string());
        let (_, connection) = self.connections.get().await.map_err(unavailable)?;
        connection.masters().await.map_err(unavailable)
    }

    /// Sends one command to one of [`Client::masters`].
    ///
    /// # Errors
    /// Redis does not answer in time, or refuses.
    pub(super) async fn one_at(&self, node: &Node, command: &Cmd) -> Result<Value, StoreError> {
        let Some(node) = node else { return self.one(command).await };
        let unavailable = |error: RedisError| StoreError::Unavailable(error.to_string());
        let (_, connection) = self.connections.get().await.map_err(unavailable)?;
        connection.send_to(node, command).await.map_err(unavailable)
    }

    /// Sends several commands in one round trip. On a cluster, all their keys have to be in one slot.
    ///
    /// # Errors
    /// Redis does not answer in time, or refuses one of them.
    pub(super) async fn many(&self, commands: &Pipeline) -> Result<Vec<Value>, StoreError> {
        self.send(&Request::Many(commands)).await.map_err(Failure::plain)
    }

    /// Runs a script, by its hash if Redis has its text already. Waits until `replicas` Redis replicas have its writes.
    ///
    /// # Errors
    /// Redis does not answer in time or refuses, or too few replicas have the writes. It is then unknown whether the
    /// script has run.
    pub(super) async fn script(
        &self,
        script: &Script,
        keys: &[String],
        arguments: &[&[u8]],
        replicas: u32,
    ) -> Result<Value, StoreError> {
        // Room for the arguments, each of which is sent with its length.
        let room = arguments.iter().map(|argument| argument.len() + 16).sum::<usize>() + 64 * (keys.len() + 3);
        let mut answers = Err(Failure::UnknownScript);
        for (command, what) in [("EVALSHA", script.hash.as_str()), ("EVAL", script.text.as_str())] {
            let mut call = Cmd::with_capacity(arguments.len() + keys.len() + 3, room);
            call.arg(command).arg(what).arg(keys.len()).arg(keys).arg(arguments);
            answers = self.run(call, replicas).await;
            if !matches!(answers, Err(Failure::UnknownScript)) {
                break;
            }
        }
        replicated(answers, replicas)
    }

    /// Sends one command that writes, and waits until `replicas` Redis replicas have the write.
    ///
    /// # Errors
    /// As [`Client::script`].
    pub(super) async fn write(&self, command: Cmd, replicas: u32) -> Result<Value, StoreError> {
        replicated(self.run(command, replicas).await, replicas)
    }

    /// Sends a command, and waits for replicas.
    async fn run(&self, command: Cmd, replicas: u32) -> Result<Vec<Value>, Failure> {
        let mut both = redis::pipe();
        let request = if replicas == 0 {
            Request::One(&command)
        } else {
            both.add_command(command).cmd("WAIT").arg(replicas).arg(REPLICATED.as_millis() as u64);
            Request::Many(&both)
        };
        self.send(&request).await
    }

    async fn send(&self, request: &Request<'_>) -> Result<Vec<Value>, Failure> {
        let began = Instant::now();
        let mut pause = PAUSE;
        loop {
            let answered = tokio::time::timeout(PATIENCE.saturating_sub(began.elapsed()), self.try_once(request));
            let error = match answered.await {
                Ok(Ok(values)) => {
                    let full = self.budget.load(Ordering::Relaxed) >= BUDGET;
                    self.budget.fetch_add(i64::from(!full), Ordering::Relaxed);
                    return Ok(values);
                }
                Ok(Err(error)) => error,
                Err(_) => return Err(Failure::Other(format!("no answer within {PATIENCE:?}"))),
            };
            if error.kind() == ErrorKind::Server(ServerErrorKind::NoScript) {
                return Err(Failure::UnknownScript);
            }
            let is_worth_it = is_passing(&error) && began.elapsed() + pause < PATIENCE;
            if !is_worth_it || self.budget.fetch_sub(RETRY, Ordering::Relaxed) < RETRY {
                if is_worth_it {
                    self.budget.fetch_add(RETRY, Ordering::Relaxed);
                }
                return Err(Failure::Other(error.to_string()));
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    async fn try_once(&self, request: &Request<'_>) -> RedisResult<Vec<Value>> {
        let (number, mut connection) = self.connections.get().await?;
        let answered = match request {
            Request::One(command) => command.query_async::<Value>(&mut connection).await.map(|value| vec![value]),
            Request::Many(commands) => commands.query_async::<Vec<Value>>(&mut connection).await,
        };
        if let Err(error) = &answered
            && is_broken(error)
        {
            self.connections.drop_broken(number).await;
        }
        answered
    }
}

/// The answer to a write, once enough replicas have it.
fn replicated(answers: Result<Vec<Value>, Failure>, replicas: u32) -> Result<Value, StoreError> {
    let mut answers = answers.map_err(Failure::plain)?.into_iter();
    let answer = answers.next().unwrap_or(Value::Nil);
    match answers.next() {
        None if replicas == 0 => Ok(answer),
        Some(Value::Int(count)) if count >= i64::from(replicas) => Ok(answer),
        count => Err(StoreError::Unavailable(format!("{count:?} of {replicas} replicas have the commit"))),
    }
}

/// Why there is no answer.
enum Failure {
    UnknownScript,
    Other(String),
}

impl Failure {
    fn plain(self) -> StoreError {
        StoreError::Unavailable(match self {
            Self::UnknownScript => "a script is not known".to_owned(),
            Self::Other(reason) => reason,
        })
    }
}

/// Whether an error means that the connection can no longer be used.
fn is_broken(error: &RedisError) -> bool {
    // A master that became a replica only reads.
    let demoted = error.kind() == ErrorKind::Server(ServerErrorKind::ReadOnly);
    demoted || error.is_io_error() || error.is_unrecoverable_error()
}

/// Whether the same command may succeed a moment later.
fn is_passing(error: &RedisError) -> bool {
    match error.kind() {
        ErrorKind::Server(kind) => matches!(
            kind,
            ServerErrorKind::BusyLoading
                | ServerErrorKind::TryAgain
                | ServerErrorKind::ClusterDown
                | ServerErrorKind::MasterDown
                | ServerErrorKind::ReadOnly
                | ServerErrorKind::Moved
                | ServerErrorKind::Ask
        ),
        ErrorKind::AuthenticationFailed | ErrorKind::InvalidClientConfig | ErrorKind::UnexpectedReturnType => false,
        ErrorKind::MasterNameNotFoundBySentinel | ErrorKind::ClusterConnectionNotFound | ErrorKind::Io => true,
        _ => error.is_unrecoverable_error(),
    }
}
