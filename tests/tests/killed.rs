//! A process killed in the middle of play: what was acknowledged is there when it starts again.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use reqwest::blocking::Client;
use serde_json::{Value, json};

/// The program, built beside this test.
fn program() -> PathBuf {
    let mut path = std::env::current_exe().expect("a test has a file");
    path.pop();
    path.pop();
    path.join("pagade")
}

struct Server {
    process: Child,
    address: String,
}

impl Server {
    fn start(data: &PathBuf) -> Server {
        let mut process = Command::new(program())
            .args(["serve", "--listen", "127.0.0.1:0", "--data"])
            .arg(data)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program is built with the workspace's tests");
        let lines = BufReader::new(process.stdout.take().expect("it is piped")).lines();
        let greeting = lines.map_while(Result::ok).find(|line| line.contains("listens at")).expect("it greets");
        let address = greeting.rsplit(' ').next().expect("the last word").to_owned();
        Server { process, address }
    }

    fn kill(mut self) {
        self.process.kill().expect("it runs");
        self.process.wait().expect("it ends");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn post(client: &Client, server: &Server, path: &str, token: &str, body: &Value) -> Value {
    let request = client.post(format!("{}{path}", server.address)).bearer_auth(token).header("If-Match", "*");
    let answer = request.json(body).send().expect("it answers");
    assert!(answer.status().is_success(), "{path}: {}", answer.status());
    answer.json().expect("JSON")
}

#[test]
fn what_was_acknowledged_survives_a_kill() {
    let data = std::env::temp_dir().join(format!("pagade-killed-{}", std::process::id()));
    let client = Client::new();
    let mut server = Server::start(&data);
    let create = json!({"rule_set": pagade_rules::bundled::SETS[0].0, "hot_seat": true, "seed": "41"});
    let created: Value = client
        .post(format!("{}/v1/games", server.address))
        .json(&create)
        .send()
        .and_then(|answer| answer.json())
        .expect("a game is created");
    let token = created["token"].as_str().expect("a token").to_owned();
    let mut game = created["game"].clone();
    let path = format!("/v1/games/{}", game["id"].as_str().expect("an id"));
    for round in 0..5 {
        for _ in 0..20 {
            let (step, body) = match game["awaits"].as_str() {
                Some("throw") => ("throws", json!({})),
                _ => ("actions", json!({"actions": [game["legal"][0]]})),
            };
            game = post(&client, &server, &format!("{path}/{step}"), &token, &body)["game"].clone();
        }
        server.kill();
        server = Server::start(&data);
        let again: Value = client
            .get(format!("{}{path}", server.address))
            .send()
            .and_then(|answer| answer.json())
            .expect("the game is there");
        for part in ["version", "position", "turn", "hand", "legal", "counters", "steps"] {
            assert_eq!(again[part], game[part], "{part} after kill {round}");
        }
    }
    drop(server);
    std::fs::remove_dir_all(&data).expect("the data can be removed");
}
