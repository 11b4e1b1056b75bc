//! The client: sends commands to Redis, and retries them for a limited time.
//!
//! A command is retried for [`PATIENCE`], on a new connection if needed, so that clients do not notice a restart of
//! Redis that takes a second. Each retry takes from a budget, and each success adds to it. If Redis is unavailable for
//! longer, the budget is used up, and commands fail at once, so that waiting commands do not accumulate.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use redis::{Cmd, ErrorKind, Pipeline, RedisError, RedisResult, ServerErrorKind, Value};

use super::address::RedisServers;
use super::connection::{Connection, Connections, NodeAddress};
use super::scripts::Script;
use crate::store::StoreError;

/// Time for which a command is retried. A last try that begins within this time may end after it.
const PATIENCE: Duration = Duration::from_secs(5);
/// The first pause between two tries of a command; each pause is twice as long as the one before, up to
/// [`LONGEST_PAUSE`].
const PAUSE: Duration = Duration::from_millis(25);
/// The longest pause between two tries of a command.
const LONGEST_PAUSE: Duration = Duration::from_millis(400);
/// Longest time that a write waits for Redis replicas.
const REPLICATED: Duration = Duration::from_secs(1);
/// Largest value of the budget for retries. Each success adds 1, up to this value.
const BUDGET: i64 = 5_000;
/// The amount that each retry takes from the budget for retries.
const RETRY: i64 = 10;

/// A client of one Redis.
pub(super) struct Client {
    connections: Connections,
    budget: AtomicI64,
}

/// One command, or several that are sent together.
enum RedisRequest<'q> {
    One(&'q Cmd),
    Many(&'q Pipeline),
}

impl Client {
    /// Makes a client of the Redis at an address.
    pub(super) fn at(reach: RedisServers) -> Self {
        Self { connections: Connections::to(reach), budget: AtomicI64::new(BUDGET) }
    }

    /// Sends one command.
    ///
    /// # Errors
    /// Redis does not answer in time, or refuses.
    pub(super) async fn one(&self, command: &Cmd) -> Result<Value, StoreError> {
        self.send(&RedisRequest::One(command)).await.map_err(CommandFailure::plain)
    }

    /// Returns the masters of a cluster; for any other Redis, its one server.
    ///
    /// # Errors
    /// Redis does not answer in time.
    pub(super) async fn masters(&self) -> Result<Vec<NodeAddress>, StoreError> {
        let unavailable = |error: RedisError| StoreError::Unavailable(error.to_string());
        let (_, connection) = self.connections.get().await.map_err(unavailable)?;
        connection.masters().await.map_err(unavailable)
    }

    /// Sends one command to one of [`Client::masters`].
    ///
    /// # Errors
    /// Redis does not answer in time, or refuses.
    pub(super) async fn one_at(&self, node: &NodeAddress, command: &Cmd) -> Result<Value, StoreError> {
        let Some(node) = node else { return self.one(command).await };
        let unavailable = |error: RedisError| StoreError::Unavailable(error.to_string());
        let (_, connection) = self.connections.get().await.map_err(unavailable)?;
        connection.send_to(node, command).await.map_err(unavailable)
    }

    /// Sends several commands in one round trip. On a cluster, all their keys must be in one hash slot.
    ///
    /// # Errors
    /// Redis does not answer in time, or refuses one of them.
    pub(super) async fn many(&self, commands: &Pipeline) -> Result<Vec<Value>, StoreError> {
        match self.send(&RedisRequest::Many(commands)).await.map_err(CommandFailure::plain)? {
            Value::Array(answers) => Ok(answers),
            answer => Ok(vec![answer]),
        }
    }

    /// Runs a script: sends its hash, and the text only if Redis has no script with this hash. Waits until `replicas`
    /// Redis replicas have the writes of the script.
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
        // Capacity of the command: each argument is sent with its length, so it needs a little more than its own bytes.
        let room = arguments.iter().map(|argument| argument.len() + 16).sum::<usize>() + 64 * (keys.len() + 3);
        let mut answer = Err(CommandFailure::UnknownScript);
        for (command, what) in [("EVALSHA", script.hash.as_str()), ("EVAL", script.text.as_str())] {
            let mut call = Cmd::with_capacity(arguments.len() + keys.len() + 3, room);
            call.arg(command).arg(what).arg(keys.len()).arg(keys).arg(arguments);
            answer = self.run(call, replicas).await;
            if !matches!(answer, Err(CommandFailure::UnknownScript)) {
                break;
            }
        }
        replicated(answer, replicas)
    }

    /// Sends one command that writes, and waits until `replicas` Redis replicas have the write.
    ///
    /// # Errors
    /// The same errors as those of [`Client::script`].
    pub(super) async fn write(&self, command: Cmd, replicas: u32) -> Result<Value, StoreError> {
        replicated(self.run(command, replicas).await, replicas)
    }

    /// Sends a command, and then a `WAIT` for `replicas` replicas, unless that is 0.
    async fn run(&self, command: Cmd, replicas: u32) -> Result<Value, CommandFailure> {
        let mut both = redis::pipe();
        let request = if replicas == 0 {
            RedisRequest::One(&command)
        } else {
            both.add_command(command).cmd("WAIT").arg(replicas).arg(REPLICATED.as_millis() as u64);
            RedisRequest::Many(&both)
        };
        self.send(&request).await
    }

    /// Sends a request, and retries it. The answer to several commands is an array of their answers.
    async fn send(&self, request: &RedisRequest<'_>) -> Result<Value, CommandFailure> {
        let began = Instant::now();
        let mut pause = PAUSE;
        loop {
            let answered = match self.connections.at_hand() {
                // Usually a connection is ready. The connection itself limits the time of a request; a timer here would
                // cost more than the rest of this function.
                Some((number, connection)) => Ok(self.query(request, number, connection).await),
                // Futures that are rarely needed are boxed, so that the futures of all other requests stay small.
                None => {
                    let left = PATIENCE.saturating_sub(began.elapsed());
                    Box::pin(tokio::time::timeout(left, self.connect_and_query(request))).await
                }
            };
            let error = match answered {
                Ok(Ok(value)) => {
                    if self.budget.load(Ordering::Relaxed) < BUDGET {
                        self.budget.fetch_add(1, Ordering::Relaxed);
                    }
                    return Ok(value);
                }
                Ok(Err(error)) => error,
                Err(_) => return Err(CommandFailure::Other(format!("no answer within {PATIENCE:?}"))),
            };
            if error.kind() == ErrorKind::Server(ServerErrorKind::NoScript) {
                return Err(CommandFailure::UnknownScript);
            }
            let is_worth_it = is_passing(&error) && began.elapsed() + pause < PATIENCE;
            if !is_worth_it || self.budget.fetch_sub(RETRY, Ordering::Relaxed) < RETRY {
                if is_worth_it {
                    self.budget.fetch_add(RETRY, Ordering::Relaxed);
                }
                return Err(CommandFailure::Other(error.to_string()));
            }
            Box::pin(tokio::time::sleep(pause)).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    async fn connect_and_query(&self, request: &RedisRequest<'_>) -> RedisResult<Value> {
        let (number, connection) = self.connections.get().await?;
        self.query(request, number, connection).await
    }

    async fn query(&self, request: &RedisRequest<'_>, number: u64, mut connection: Connection) -> RedisResult<Value> {
        let answered = match request {
            RedisRequest::One(command) => command.query_async::<Value>(&mut connection).await,
            RedisRequest::Many(commands) => commands.query_async::<Vec<Value>>(&mut connection).await.map(Value::Array),
        };
        if let Err(error) = &answered
            && is_broken(error)
        {
            Box::pin(self.connections.drop_broken(number)).await;
        }
        answered
    }
}

/// Returns the answer to a write. Fails if fewer than `replicas` replicas have the write.
fn replicated(answer: Result<Value, CommandFailure>, replicas: u32) -> Result<Value, StoreError> {
    let answer = answer.map_err(CommandFailure::plain)?;
    if replicas == 0 {
        return Ok(answer);
    }
    let mut both = match answer {
        Value::Array(both) => both.into_iter(),
        answer => vec![answer].into_iter(),
    };
    match (both.next(), both.next()) {
        (Some(answer), Some(Value::Int(count))) if count >= i64::from(replicas) => Ok(answer),
        (_, count) => Err(StoreError::Unavailable(format!("{count:?} of {replicas} replicas have the commit"))),
    }
}

/// The reason why a command has no answer.
enum CommandFailure {
    UnknownScript,
    Other(String),
}

impl CommandFailure {
    fn plain(self) -> StoreError {
        StoreError::Unavailable(match self {
            Self::UnknownScript => "a script is not known".to_owned(),
            Self::Other(reason) => reason,
        })
    }
}

/// Tells whether an error means that the connection can no longer be used.
fn is_broken(error: &RedisError) -> bool {
    // A master that has become a Redis replica refuses writes.
    let demoted = error.kind() == ErrorKind::Server(ServerErrorKind::ReadOnly);
    demoted || error.is_io_error() || error.is_unrecoverable_error()
}

/// Tells whether the command may succeed a moment later, after this error.
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
