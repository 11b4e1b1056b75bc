//! Traces: which requests are traced, and how spans come to a collector.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use reqwest::{Client, StatusCode};
use tokio::sync::mpsc::{Receiver, channel};
use tokio::sync::watch;

use super::otlp;
use super::span::{Ended, Kind, Over, Span};
use super::traceparent::Parent;

/// Spans that wait to be sent; more are lost.
const WAITING: usize = 8_192;
/// Spans sent at a time.
const BATCH: usize = 512;
/// How long spans wait for others.
const PAUSE: Duration = Duration::from_secs(1);
/// Longest time of a message to the collector.
const PATIENCE: Duration = Duration::from_secs(5);
/// How often a message is tried.
const TRIES: u32 = 4;

/// Where traces go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tracing {
    /// The collector: `/v1/traces` is added.
    pub endpoint: String,
    /// Headers that it wants, say to know who sends.
    pub headers: Vec<(String, String)>,
    /// What the service calls itself there.
    pub service: String,
    /// Of so many requests in a hundred that belong to no trace yet.
    pub percent: u8,
}

/// Traces requests.
#[derive(Debug)]
pub struct Tracer {
    tracing: Tracing,
    over: Arc<Over>,
    ended: Mutex<Option<Receiver<Ended>>>,
}

impl Tracer {
    /// Traces go there, as soon as [`Tracer::send`] is polled.
    pub fn new(tracing: Tracing) -> Self {
        let (sender, ended) = channel(WAITING);
        Self { tracing, over: Arc::new(Over { sender }), ended: Mutex::new(Some(ended)) }
    }

    /// Begins the span of a request: a part of the trace that its header `traceparent` names, or a trace of its own.
    /// The sender of the header has decided whether the trace is kept.
    pub fn begin(&self, traceparent: Option<&str>) -> Option<Span> {
        let begin = |trace, parent| Span::begin(trace, parent, "request", Kind::Server, Arc::clone(&self.over));
        match traceparent.and_then(Parent::parse) {
            Some(parent) => parent.is_sampled.then(|| begin(parent.trace, Some(parent.span))),
            None => {
                let mut trace = [0; 16];
                getrandom::fill(&mut trace).ok()?;
                let is_sampled = u16::from(trace[0]) * 100 < u16::from(self.tracing.percent) * 256;
                is_sampled.then(|| begin(trace, None))
            }
        }
    }

    /// Sends what is over, until the service closes; then what is left.
    pub async fn send(self: Arc<Self>, mut closing: watch::Receiver<bool>) {
        let Some(mut ended) = self.ended.lock().unwrap_or_else(PoisonError::into_inner).take() else { return };
        crate::ground::tls::prepare();
        let client =
            Client::builder().timeout(PATIENCE).user_agent(concat!("pagade/", env!("CARGO_PKG_VERSION"))).build();
        let client = match client {
            Ok(client) => client,
            Err(error) => return tracing::error!(%error, "traces cannot be sent"),
        };
        let (mut spans, mut is_lost) = (Vec::new(), false);
        loop {
            let closes = *closing.borrow();
            while spans.len() < BATCH
                && let Ok(span) = ended.try_recv()
            {
                spans.push(span);
            }
            if !spans.is_empty() {
                let sent = self.post(&client, &spans, if closes { 1 } else { TRIES }).await;
                match &sent {
                    Err(reason) if !is_lost => tracing::warn!(reason, "traces are lost until the collector takes them"),
                    Ok(()) if is_lost => tracing::info!("the collector takes traces again"),
                    _ => {}
                }
                is_lost = sent.is_err();
            }
            let is_full = spans.len() == BATCH;
            spans.clear();
            if closes {
                return;
            }
            if !is_full {
                // An error means that whoever would close the service is gone.
                let _ = tokio::time::timeout(PAUSE, closing.wait_for(|closing| *closing)).await;
            }
        }
    }

    async fn post(&self, client: &Client, spans: &[Ended], tries: u32) -> Result<(), String> {
        let url = format!("{}/v1/traces", self.tracing.endpoint.trim_end_matches('/'));
        let body = otlp::request(&self.tracing.service, spans);
        let mut pause = PAUSE;
        for attempt in 1.. {
            let headers = self.tracing.headers.iter();
            let request = headers.fold(client.post(&url), |request, (name, value)| request.header(name, value));
            let reason = match request.json(&body).send().await {
                Ok(answer) if answer.status().is_success() => return Ok(()),
                Ok(answer) if !is_passing(answer.status()) => return Err(answer.status().to_string()),
                Ok(answer) => answer.status().to_string(),
                // Without the address: it may hold a password.
                Err(error) => error.without_url().to_string(),
            };
            if attempt == tries {
                return Err(reason);
            }
            tokio::time::sleep(pause).await;
            pause *= 2;
        }
        Ok(())
    }
}

/// It may be different in a moment.
fn is_passing(status: StatusCode) -> bool {
    [429, 502, 503, 504].contains(&status.as_u16())
}
