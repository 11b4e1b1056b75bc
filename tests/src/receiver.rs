//! A receiver of webhook messages.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

use serde_json::Value;

/// A delivered message.
#[derive(Debug, Clone)]
pub struct Message {
    /// The first line of the request: method, path and protocol.
    pub target: String,
    /// The headers of the request, by their names in lower case.
    pub headers: BTreeMap<String, String>,
    /// The body of the request.
    pub body: String,
}

impl Message {
    /// Parses the body as JSON.
    ///
    /// # Panics
    /// The body is not JSON.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).expect("the body is JSON")
    }

    /// The numbers of the events in the message.
    ///
    /// # Panics
    /// The message is not about events.
    #[must_use]
    pub fn events(&self) -> Vec<u64> {
        let body = self.json();
        let events = body["data"]["events"].as_array().expect("a list of events");
        events.iter().map(|event| event["id"].as_u64().expect("a number")).collect()
    }
}

/// A receiver of webhooks. It stores the messages that come, and answers them with the status that the test sets.
pub struct Receiver {
    /// The URL under which a test registers the receiver as a webhook.
    pub url: String,
    answer: Arc<Mutex<String>>,
    messages: Arc<Mutex<Vec<Message>>>,
}

impl Receiver {
    /// Listens on a free port, and accepts every message.
    ///
    /// # Panics
    /// No port is free.
    #[must_use]
    pub fn start() -> Self {
        Self::listen(TcpListener::bind("127.0.0.1:0").expect("a port is free"))
    }

    /// Accepts every message that comes to an open listener.
    ///
    /// # Panics
    /// The listener has no address.
    #[must_use]
    pub fn listen(listener: TcpListener) -> Self {
        let url = format!("http://{}/hook", listener.local_addr().expect("it listens"));
        let answer = Arc::new(Mutex::new("204 No Content\r\n".to_owned()));
        let messages = Arc::new(Mutex::new(Vec::new()));
        let receiver = Self { url, answer: Arc::clone(&answer), messages: Arc::clone(&messages) };
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let mut reader = BufReader::new(stream);
                let (mut target, mut headers) = (String::new(), BTreeMap::new());
                let _ = reader.read_line(&mut target);
                for line in reader.by_ref().lines().map_while(Result::ok).take_while(|line| !line.is_empty()) {
                    if let Some((name, value)) = line.split_once(": ") {
                        headers.insert(name.to_ascii_lowercase(), value.to_owned());
                    }
                }
                let length = headers.get("content-length").map_or(0, |length| length.parse().expect("a number"));
                let mut body = vec![0; length];
                if reader.read_exact(&mut body).is_err() || length == 0 {
                    continue;
                }
                let body = String::from_utf8(body).expect("the body is UTF-8");
                messages.lock().expect("nobody has panicked").push(Message { target, headers, body });
                let status = answer.lock().expect("nobody has panicked").clone();
                let answer = format!("HTTP/1.1 {status}Content-Length: 0\r\nConnection: close\r\n\r\n");
                let _ = reader.into_inner().write_all(answer.as_bytes());
            }
        });
        receiver
    }

    /// Answers every later message with `answer`: a status such as `204 No Content`, with header lines after it if the
    /// test needs them.
    ///
    /// # Panics
    /// The receiver has panicked.
    pub fn answers(&self, answer: &str) {
        *self.answer.lock().expect("nobody has panicked") = format!("{answer}\r\n");
    }

    /// The messages that were received so far.
    ///
    /// # Panics
    /// The receiver has panicked.
    #[must_use]
    pub fn messages(&self) -> Vec<Message> {
        self.messages.lock().expect("nobody has panicked").clone()
    }

    /// The numbers of all events that were received so far, in the order of their arrival.
    #[must_use]
    pub fn events(&self) -> Vec<u64> {
        self.messages().iter().flat_map(Message::events).collect()
    }
}
