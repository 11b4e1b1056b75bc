//! The tracer: decides which requests are traced, and sends their spans to a collector.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use reqwest::{Client, StatusCode};
use tokio::sync::mpsc::{Receiver, channel};
use tokio::sync::watch;

use super::otlp;
use super::span::{FinishedSpan, Span, SpanKind, SpanQueue};
use super::traceparent::Parent;

/// Spans that can wait to be sent; further spans are lost.
const QUEUE_LENGTH: usize = 8_192;
/// Spans in one message to the collector.
const BATCH: usize = 512;
/// Time that spans wait for further ones, and first pause before a failed message is sent again.
const PAUSE: Duration = Duration::from_secs(1);
/// Time that the collector has to answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);
/// Attempts to send a message, before its spans are lost.
const ATTEMPTS: u32 = 4;

/// The settings of traces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tracing {
    /// Address of the collector, without `/v1/traces`.
    pub endpoint: String,
    /// Headers of every message, such as the credentials that the collector wants.
    pub headers: Vec<(String, String)>,
    /// Name of this service in its traces.
    pub service: String,
    /// Percentage of requests to trace, of those that come without a `traceparent`.
    pub percent: u8,
}

/// Begins traces, and sends ended spans to the collector.
#[derive(Debug)]
pub struct Tracer {
    tracing: Tracing,
    queue: Arc<SpanQueue>,
    /// Taken by [`Tracer::send`].
    ended: Mutex<Option<Receiver<FinishedSpan>>>,
}

impl Tracer {
    /// Makes a tracer. It sends spans as soon as [`Tracer::send`] is polled.
    pub fn new(tracing: Tracing) -> Self {
        let (sender, ended) = channel(QUEUE_LENGTH);
        Self { tracing, queue: Arc::new(SpanQueue { sender }), ended: Mutex::new(Some(ended)) }
    }

    /// Begins the span of a request; `None` if the request is not traced.
    ///
    /// A request with a `traceparent` header belongs to the trace in the header, and is traced if the header says so.
    /// Another request begins a trace of its own, for the percentage of requests in the settings.
    pub fn begin(&self, traceparent: Option<&str>) -> Option<Span> {
        let begin = |trace, parent| Span::begin(trace, parent, "request", SpanKind::Server, Arc::clone(&self.queue));
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

    /// Sends ended spans until the service stops, and then those that are left.
    pub async fn send(self: Arc<Self>, mut closing: watch::Receiver<bool>) {
        let Some(mut ended) = self.ended.lock().unwrap_or_else(PoisonError::into_inner).take() else { return };
        crate::ground::tls::prepare();
        let client =
            Client::builder().timeout(ANSWER_TIMEOUT).user_agent(concat!("pagade/", env!("CARGO_PKG_VERSION"))).build();
        let client = match client {
            Ok(client) => client,
            Err(error) => return tracing::error!(%error, "traces disabled, cannot create the HTTP client"),
        };
        let (mut spans, mut are_lost) = (Vec::new(), false);
        loop {
            let closes = *closing.borrow();
            while spans.len() < BATCH
                && let Ok(span) = ended.try_recv()
            {
                spans.push(span);
            }
            if !spans.is_empty() {
                let sent = self.post(&client, &spans, if closes { 1 } else { ATTEMPTS }).await;
                match &sent {
                    Err(reason) if !are_lost => tracing::warn!(reason, "traces lost, collector unavailable"),
                    Ok(()) if are_lost => tracing::info!("collector available again"),
                    _ => {}
                }
                are_lost = sent.is_err();
            }
            let is_full = spans.len() == BATCH;
            spans.clear();
            if closes {
                return;
            }
            if !is_full {
                // An error means that the channel's sender is gone, so the service will not announce its stop.
                let _ = tokio::time::timeout(PAUSE, closing.wait_for(|closing| *closing)).await;
            }
        }
    }

    async fn post(&self, client: &Client, spans: &[FinishedSpan], attempts: u32) -> Result<(), String> {
        let url = format!("{}/v1/traces", self.tracing.endpoint.trim_end_matches('/'));
        let body = otlp::request(&self.tracing.service, spans);
        let mut pause = PAUSE;
        for attempt in 1.. {
            let headers = self.tracing.headers.iter();
            let request = headers.fold(client.post(&url), |request, (name, value)| request.header(name, value));
            let reason = match request.json(&body).send().await {
                Ok(answer) if answer.status().is_success() => return Ok(()),
                Ok(answer) if !is_temporary(answer.status()) => return Err(answer.status().to_string()),
                Ok(answer) => answer.status().to_string(),
                // The address is left out because it may contain a password.
                Err(error) => error.without_url().to_string(),
            };
            if attempt == attempts {
                return Err(reason);
            }
            tokio::time::sleep(pause).await;
            pause *= 2;
        }
        Ok(())
    }
}

/// Tells whether the same message may succeed a moment later.
fn is_temporary(status: StatusCode) -> bool {
    [429, 502, 503, 504].contains(&status.as_u16())
}
