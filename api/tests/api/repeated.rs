//! Sends the requests of a story again after its end. A request with an idempotency key gets the same answer again,
//! whatever has changed since.

use std::collections::BTreeSet;

use reqwest::blocking::RequestBuilder;
use serde_json::Value;
use uuid::Uuid;

use crate::harness::{Answer, got, resolved};

/// A request with an idempotency key, and its first answer.
struct SentRequest {
    operation: String,
    request: RequestBuilder,
    status: u16,
    raw: String,
}

/// The requests of a story that can be repeated.
pub(crate) struct Repeated {
    /// The operations that take an idempotency key.
    operations: BTreeSet<String>,
    sent: Vec<SentRequest>,
}

impl Repeated {
    pub(crate) fn new() -> Self {
        let document: Value = serde_json::from_str(pagade::openapi::text()).unwrap();
        let is_key = |parameter: &Value| resolved(&document, parameter)["name"] == "Idempotency-Key";
        let items = document["paths"].as_object().unwrap().values();
        let all = items.flat_map(|item| item.as_object().unwrap().values());
        let keyed = all.filter(|operation| operation["parameters"].as_array().into_iter().flatten().any(is_key));
        let operations = keyed.map(|operation| operation["operationId"].as_str().unwrap().to_owned()).collect();
        Self { operations, sent: Vec::new() }
    }

    /// Sends a request, with a new idempotency key if its operation takes one.
    pub(crate) fn send(&mut self, operation: &str, request: RequestBuilder) -> Answer {
        if !self.operations.contains(operation) {
            return got(request.send().unwrap());
        }
        let request = request.header("Idempotency-Key", Uuid::now_v7().to_string());
        let again = request.try_clone().unwrap();
        let answer = got(request.send().unwrap());
        let (operation, status, raw) = (operation.to_owned(), answer.status, answer.raw.clone());
        self.sent.push(SentRequest { operation, request: again, status, raw });
        answer
    }

    /// Sends all requests with idempotency keys again, and expects their answers.
    pub(crate) fn all_are_answered_as_before(self) {
        let sent: BTreeSet<_> = self.sent.iter().map(|sent| sent.operation.clone()).collect();
        assert_eq!(sent, self.operations, "the story has every operation that takes a key");
        let mut wrong = Vec::new();
        for SentRequest { operation, request, status, raw } in self.sent {
            let again = got(request.send().unwrap());
            // A simulation has no stored answer: a repeated request finds the simulation as it is by now.
            let is_same = again.raw == raw || operation == "create_simulation";
            if again.status != status || !is_same || again.header("idempotency-replayed") != "true" {
                wrong.push(format!("{operation}: {} {} for {status}", again.status, again.raw));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
