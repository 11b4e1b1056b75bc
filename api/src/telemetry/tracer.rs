//! The tracer: decides which requests are traced, and sends their spans to a collector.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use reqwest::{Client, StatusCode};
use tokio::sync::mpsc::{Receiver, channel};
use tokio::sync::watch;

use super::otlp;
use super::span::{FinishedSpan, OpenSpan, SpanKind, SpanQueue};
use super::traceparent::Parent;

/// Number of ended spans that can wait until they are sent; further spans are lost.
const QUEUE_LENGTH: usize = 8_192;
/// Largest number of spans in one message to the collector.
const MOST_SPANS: usize = 512;
/// Time that ended spans wait for further spans before a message is sent. Also the first pause before a failed message
/// is sent again.
const PAUSE: Duration = Duration::from_secs(1);
/// Time in which the collector has to answer a message.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);
/// Maximum number of attempts to send a message. Its spans are lost if all attempts fail.
const ATTEMPTS: u32 = 4;

/// The settings of traces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tracing {
    /// Address of the collector, without `/v1/traces`.
    pub endpoint: String,
    /// Headers of every message to the collector, such as credentials.
    pub headers: Vec<(String, String)>,
    /// Name of this service in its traces.
    pub service: String,
    /// Percentage of the requests without a `traceparent` header that are traced.
    pub percent: u8,
}

/// Begins traces, and sends ended spans to the collector.
#[derive(Debug)]
pub struct Tracer {
    tracing: Tracing,
    queue: Arc<SpanQueue>,
    /// The ended spans to send. [`Tracer::send`] takes the receiver out.
    ended: Mutex<Option<Receiver<FinishedSpan>>>,
}

impl Tracer {
    /// Makes a tracer. It sends spans as soon as [`Tracer::send`] is polled.
    pub fn new(tracing: Tracing) -> Self {
        let (sender, ended) = channel(QUEUE_LENGTH);
        Self { tracing, queue: Arc::new(SpanQueue { sender }), ended: Mutex::new(Some(ended)) }
    }

    /// Begins the span of a request; `None` if the request is not traced.
    pub fn begin(&self, traceparent: Option<&str>) -> Option<OpenSpan> {
        let begin =
            |trace, parent| OpenSpan::begin(trace, parent, "request", SpanKind::Server, Arc::clone(&self.queue));
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

    /// Sends ended spans until the service stops, and then all spans that are still in the queue. If a message fails
    /// while the service stops, the rest of the queue is lost.
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
            // An error means that the sender was dropped together with the server, which is the same as closing.
            let closes = *closing.borrow() || closing.has_changed().is_err();
            while spans.len() < MOST_SPANS
                && let Ok(span) = ended.try_recv()
            {
                spans.push(span);
            }
            if !spans.is_empty() {
                let sent = self.post(&client, &spans, if closes { 1 } else { ATTEMPTS }).await;
                match &sent {
                    Err(reason) if !are_lost => tracing::warn!(reason, "traces lost, trace collector unavailable"),
                    Ok(()) if are_lost => tracing::info!("trace collector available again"),
                    _ => {}
                }
                are_lost = sent.is_err();
            }
            let is_full = spans.len() == MOST_SPANS;
            spans.clear();
            if closes && (!is_full || are_lost) {
                return;
            }
            if !is_full {
                // The result does not matter: the pause is over, or the service stops.
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
                // The error message leaves out the address of the collector, because the address may contain a
                // password.
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

/// Tells whether a message to the collector that failed with this status may succeed a moment later.
fn is_temporary(status: StatusCode) -> bool {
    [429, 502, 503, 504].contains(&status.as_u16())
}

#[cfg(test)]
mod tests {
    use pagade_tests::receiver::Receiver;

    use super::*;

    /// Makes a tracer with this number of ended spans in its queue.
    fn tracer(collector: &Receiver, spans: usize) -> Arc<Tracer> {
        let (endpoint, service) = (collector.url.clone(), "games".to_owned());
        let tracer = Tracer::new(Tracing { endpoint, headers: Vec::new(), service, percent: 100 });
        for _ in 0..spans {
            let span = FinishedSpan {
                trace: [1; 16],
                id: [2; 8],
                parent: None,
                name: "request".to_owned(),
                kind: SpanKind::Server,
                began: 1,
                ended: 2,
                attributes: Vec::new(),
                is_error: false,
            };
            tracer.queue.sender.try_send(span).unwrap();
        }
        Arc::new(tracer)
    }

    #[tokio::test]
    async fn a_stop_sends_the_whole_queue() {
        let collector = Receiver::start();
        let (_closing, closed) = watch::channel(true);
        tracer(&collector, 2 * MOST_SPANS + 1).send(closed).await;
        assert_eq!(collector.messages().len(), 3);
    }

    #[tokio::test]
    async fn a_stop_gives_up_when_the_collector_does_not_accept_a_message() {
        let collector = Receiver::start();
        collector.answers("503 Service Unavailable");
        let (_closing, closed) = watch::channel(true);
        tracer(&collector, 2 * MOST_SPANS + 1).send(closed).await;
        assert_eq!(collector.messages().len(), 1);
    }

    #[tokio::test]
    async fn the_end_of_the_server_is_a_stop() {
        let collector = Receiver::start();
        let (closing, closed) = watch::channel(false);
        drop(closing);
        let sent = tokio::time::timeout(Duration::from_secs(10), tracer(&collector, 1).send(closed)).await;
        assert_eq!((sent.is_ok(), collector.messages().len()), (true, 1));
    }
}
