//! Runs of `pagade tournament run` against services that are slow, refuse, or are missing: pauses that the server asks
//! for, dead replicas, tournaments that exist already, and rule files of the organiser.

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use pagade_tests::service::{NO_VARIABLES, Service, program};
use reqwest::blocking::Client;
use serde_json::{Value, json};

/// A small tournament of robots without a pause.
const CUP: &str = "title: Small\nrule_set: snakes-and-ladders\nrobot_pause_milliseconds: 0\nformat: {kind: swiss, \
                   rounds: 2}\nentrants:\n  - {robots: hunter, count: 3}\n";

/// A service and a folder for the files of a run. Both are removed with this value.
struct Place {
    service: Service,
    folder: PathBuf,
}

impl Place {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("pagade-run-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder can be made");
        let data = folder.join("data").display().to_string();
        let place = Self { service: Service::start(&["--data", data.as_str()], NO_VARIABLES), folder };
        place.write("cup.yaml", CUP);
        place
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.folder.join(name), text).expect("a file can be written");
    }

    /// The command `pagade tournament run` for the file of the tournament.
    fn command(&self, server: &str, more: &[&str]) -> Command {
        let mut command = Command::new(program());
        command.args(["tournament", "run", "cup.yaml", "--json", "--server", server]).args(more);
        command.current_dir(&self.folder);
        command
    }

    fn run(&self, server: &str, more: &[&str]) -> Output {
        self.command(server, more).output().expect("the program runs")
    }

    /// Runs the tournament to its end, and returns its export.
    fn succeeds(&self, server: &str, more: &[&str]) -> Value {
        let output = self.run(server, more);
        assert!(output.status.success(), "{}", error(&output));
        serde_json::from_slice(&output.stdout).expect("the export is JSON")
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        let answer = Client::new().post(format!("{}{path}", self.service.address)).json(body).send();
        let answer = answer.and_then(reqwest::blocking::Response::error_for_status).expect("an answer");
        answer.json().expect("JSON")
    }

    fn get(&self, path: &str) -> Value {
        let answer = Client::new().get(format!("{}{path}", self.service.address)).send();
        answer.and_then(|answer| answer.json()).expect("JSON")
    }

    fn tournaments(&self) -> usize {
        self.get("/v1/tournaments")["tournaments"].as_array().map_or(0, Vec::len)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

fn error(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn state_of(export: &Value) -> (&Value, usize, usize) {
    let tournament = &export["tournament"];
    let entrants = tournament["entrants"].as_array().map_or(0, Vec::len);
    (&tournament["status"], entrants, export["rounds"].as_array().map_or(0, Vec::len))
}

/// Starts a proxy in front of a service. Connections are numbered from 1. If `is_refused` is true for its number, a
/// connection gets `answer`; otherwise it is forwarded to the service. Returns the address of the proxy, and the number
/// of refused connections so far.
fn gate(service: &Service, answer: &'static str, is_refused: fn(usize) -> bool) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = format!("http://{}", listener.local_addr().expect("it is bound"));
    let target = service.address.trim_start_matches("http://").to_owned();
    let refused = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&refused);
    std::thread::spawn(move || {
        for (number, client) in (1..).zip(listener.incoming().flatten()) {
            let (target, count) = (target.clone(), Arc::clone(&count));
            std::thread::spawn(move || {
                if is_refused(number) {
                    count.fetch_add(1, Ordering::Relaxed);
                    refuse(client, answer)
                } else {
                    pass_on(client, &target)
                }
            });
        }
    });
    (address, refused)
}

/// Reads the head of a request, and answers it.
fn refuse(mut client: TcpStream, answer: &str) -> std::io::Result<()> {
    let mut head = Vec::new();
    let mut part = [0; 4096];
    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
        match client.read(&mut part)? {
            0 => return Ok(()),
            read => head.extend_from_slice(&part[..read]),
        }
    }
    client.write_all(answer.as_bytes())
}

fn pass_on(client: TcpStream, target: &str) -> std::io::Result<()> {
    let server = TcpStream::connect(target)?;
    let (mut from, mut to) = (client.try_clone()?, server.try_clone()?);
    std::thread::spawn(move || {
        let _ = std::io::copy(&mut from, &mut to);
        to.shutdown(std::net::Shutdown::Write)
    });
    let (mut from, mut to) = (server, client);
    std::io::copy(&mut from, &mut to)?;
    to.shutdown(std::net::Shutdown::Both)
}

#[test]
fn a_run_waits_as_long_as_the_server_asks() {
    let place = Place::new("asked");
    let answer = "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 3\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    let (address, refused) = gate(&place.service, answer, |number| number <= 2);
    let began = Instant::now();
    let export = place.succeeds(&address, &[]);
    assert_eq!(refused.load(Ordering::Relaxed), 2);
    assert!(began.elapsed() >= Duration::from_secs(6), "{:?}", began.elapsed());
    assert_eq!((state_of(&export), place.tournaments()), ((&json!("finished"), 3, 2), 1));
}

#[test]
fn a_run_gives_up_a_server_that_only_refuses_and_the_next_one_goes_on() {
    let place = Place::new("patience");
    let answer = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    let (address, refused) = gate(&place.service, answer, |_| true);
    let output = place.run(&address, &["--patience", "2"]);
    assert_eq!(output.status.code(), Some(2), "{}", error(&output));
    assert!(error(&output).contains("503") && error(&output).contains("start the command again"), "{}", error(&output));
    assert!((2..=5).contains(&refused.load(Ordering::Relaxed)), "the pauses grow: {refused:?}");
    assert_eq!(state_of(&place.succeeds(&place.service.address, &[])), (&json!("finished"), 3, 2));
}

#[test]
fn an_address_that_is_none_is_named() {
    let place = Place::new("address");
    for wrong in ["nonsense", "localhost:8080", "ftp://pagade.example", "http://"] {
        for server in [wrong.to_owned(), format!("{},{wrong}", place.service.address)] {
            let output = place.run(&server, &[]);
            assert_eq!(output.status.code(), Some(2), "{}", error(&output));
            let told = format!(
                "`{}` is no address of a server\n  help: it begins with `http://`",
                wrong.trim_end_matches('/')
            );
            assert!(error(&output).contains(&told), "{}", error(&output));
        }
    }
    assert_eq!(place.tournaments(), 0);
}

#[test]
fn a_dead_replica_does_not_keep_a_run_from_its_end() {
    let place = Place::new("replicas");
    // A port on which nobody listens: that of a listener that is gone.
    let gone = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a free port");
    let address = &place.service.address;
    for (servers, times) in [(format!("http://{gone},{address}"), 1), (format!("{address}/, http://{gone}/"), 2)] {
        let export = place.succeeds(&servers, &["--state", &format!("{times}.json")]);
        assert_eq!((state_of(&export), place.tournaments()), ((&json!("finished"), 3, 2), times));
    }
}

#[test]
fn a_run_takes_over_a_tournament_by_the_token_of_its_organiser() {
    let place = Place::new("token");
    let wish = json!({"rule_set": "snakes-and-ladders", "robot_pause_milliseconds": 0,
        "format": {"kind": "swiss", "rounds": 2}});
    let create = || place.post("/v1/tournaments", &wish);
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let address = &place.service.address;

    let created = create();
    place.write("organiser.token", &format!("{}\n", text(&created["token"])));
    let export = place.succeeds(address, &["--token-file", "organiser.token"]);
    assert_eq!(export["tournament"]["id"], created["tournament"]["id"]);
    assert_eq!((state_of(&export), place.tournaments()), ((&json!("finished"), 3, 2), 1));
    // The next run needs no token on the command line, because its state file has the token.
    assert_eq!(place.succeeds(address, &[])["tournament"]["id"], created["tournament"]["id"]);

    let other = create();
    let output = place.run(address, &["--token", &text(&other["token"])]);
    assert_eq!(output.status.code(), Some(2));
    assert!(error(&output).contains("this run is that of tournament"), "{}", error(&output));
    let mut by_variable = place.command(address, &["--state", "other.json"]);
    let output = by_variable.env("PAGADE_TOURNAMENT_TOKEN", text(&other["token"])).output().expect("it runs");
    assert!(output.status.success(), "{}", error(&output));
    let export: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(export["tournament"]["id"], other["tournament"]["id"]);
    assert_eq!(place.tournaments(), 2, "the run creates none");

    let wrong = create();
    for (token, code, told) in [
        (text(&wrong["arbiter_token"]), 2, "that of a `arbiter`, not that of the organiser"),
        (format!("{}0", text(&wrong["token"])), 1, "error:"),
        ("nonsense".to_owned(), 1, "error:"),
        ("a\nb".to_owned(), 1, "error:"),
    ] {
        let output = place.run(address, &["--state", "wrong.json", "--token", &token]);
        assert_eq!(output.status.code(), Some(code), "{token}: {}", error(&output));
        assert!(error(&output).contains(told), "{token}: {}", error(&output));
    }
    let output = place.run(address, &["--state", "missing.json", "--token-file", "nowhere"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(error(&output).contains("nowhere"), "{}", error(&output));
    assert_eq!(place.tournaments(), 3);
}

#[test]
fn an_own_rule_file_is_published_once_however_often_the_run_is_killed() {
    let place = Place::new("rules");
    let rules = "rules: one-die\nversion: 1.0.0\ntitle: With one die\nextends: snakes-and-ladders\nsources: [A test]\n";
    place.write("one-die.yaml", rules);
    let cup = CUP.replace("rule_set: snakes-and-ladders", "rule_set: one-die.yaml");
    place.write("cup.yaml", &cup);
    let address = &place.service.address;
    let mut kills = 0;
    loop {
        let mut run = place.command(address, &[]).stdout(std::process::Stdio::null()).spawn().expect("it runs");
        // Each run lives a little longer, so that the kill hits another step.
        std::thread::sleep(Duration::from_millis(10 + 15 * kills));
        if run.try_wait().expect("a process of this test").is_some() || kills == 40 {
            run.wait().expect("it ends");
            break;
        }
        run.kill().expect("it runs");
        run.wait().expect("it ends");
        kills += 1;
    }
    assert!(kills > 2, "the run was killed {kills} times only");
    let export = place.succeeds(address, &[]);
    assert_eq!((state_of(&export), place.tournaments()), ((&json!("finished"), 3, 2), 1));
    assert_eq!(export["tournament"]["rule_set"]["id"], "one-die");
    let versions = place.get("/v1/rule-sets/one-die");
    assert_eq!(versions["version"], "1.0.0", "{versions}");

    // Another tournament by the same rules needs no publication.
    let again = place.succeeds(address, &["--state", "again.json"]);
    assert_eq!(again["tournament"]["rule_set"], export["tournament"]["rule_set"]);
    // Other rules under a known version are refused, and nothing is created.
    place.write("one-die.yaml", &rules.replace("With one die", "With another die"));
    let output = place.run(address, &["--state", "changed.json"]);
    assert_eq!(output.status.code(), Some(2), "{}", error(&output));
    assert!(error(&output).contains("another text of the rule set `one-die` 1.0.0"), "{}", error(&output));
    assert_eq!(place.tournaments(), 2);
    // The new version is published, while the tournament by the old one keeps its rules.
    place.write("one-die.yaml", &rules.replace("1.0.0", "1.1.0").replace("With one die", "With another die"));
    let newer = place.succeeds(address, &["--state", "newer.json"]);
    assert_eq!(newer["tournament"]["rule_set"]["version"], "1.1.0");
    assert_eq!(place.get("/v1/rule-sets/one-die")["version"], "1.1.0");
}
