//! Whole tournaments by `pagade tournament run`, on real processes with a real Redis, while processes are killed. Every
//! record is played again, and the standings are computed again by a program that shares no code with the service
//! (`tests/standings.py`).
//!
//! By default the tournaments are small, and their games short. `PAGADE_TOURNAMENT=full cargo test -p pagade-tests
//! --test processes tournaments:: -- --nocapture --test-threads 1` plays them in full and prints how long they take: 64
//! robots in seven rounds, 32 robots in groups and a knock-out of tables of four, 50 robots in an arena.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use pagade_tests::redis_server::{DURABLE, RedisServer};
use pagade_tests::service::{NO_VARIABLES, Service, program};
use pagade_tests::wait::{find_within, until_some};
use reqwest::blocking::Client;
use serde_json::{Value, json};

/// The longest time of a tournament.
const PATIENCE: Duration = Duration::from_secs(3_600);

/// Whether the tournaments are played in full.
fn is_full() -> bool {
    std::env::var("PAGADE_TOURNAMENT").is_ok_and(|size| size == "full")
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies in the workspace")
}

/// A tournament file in a folder of its own, which is removed with this value.
struct Cup {
    folder: PathBuf,
}

impl Cup {
    fn new(name: &str, file: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("pagade-cup-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder can be made");
        fs::write(folder.join("cup.yaml"), file).expect("a file can be written");
        Self { folder }
    }

    fn path(&self, name: &str) -> String {
        self.folder.join(name).display().to_string()
    }

    /// Starts `pagade tournament run` for the file, as a process.
    fn run(&self, servers: &[&Service]) -> Child {
        let servers = servers.iter().map(|service| service.address.as_str()).collect::<Vec<_>>().join(",");
        Command::new(program())
            .args(["tournament", "run", &self.path("cup.yaml"), "--server", &servers, "--json"])
            .args(["--records", &self.path("cup.ndjson")])
            .stdout(fs::File::create(self.path("export.json")).expect("a file can be written"))
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the program runs")
    }

    /// The state of the run; `None` while the tournament is not created.
    fn state(&self) -> Option<Value> {
        let state: Value = serde_json::from_str(&fs::read_to_string(self.path("cup.state.json")).ok()?).ok()?;
        state["tournament"].is_object().then_some(state)
    }

    /// Checks the end of a tournament: every record replays, and the standings follow from the records. Returns the
    /// tournament's export.
    fn check(&self) -> Value {
        let replayed = Command::new(program()).args(["replay", &self.path("cup.ndjson")]).output().expect("it runs");
        assert!(replayed.status.success(), "{}", String::from_utf8_lossy(&replayed.stdout));
        let again = Command::new("python3")
            .arg("-B")
            .arg(root().join("tests/standings.py"))
            .args([self.path("export.json"), self.path("cup.ndjson")])
            .output()
            .expect("Python is there");
        let told = String::from_utf8_lossy(&again.stdout);
        assert!(again.status.success(), "{told}{}", String::from_utf8_lossy(&again.stderr));
        println!("{}", told.trim_end());
        let export = fs::read_to_string(self.path("export.json")).expect("the export");
        serde_json::from_str(&export).expect("the export is JSON")
    }
}

impl Drop for Cup {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

/// Waits until a process has ended, and checks that it has succeeded.
fn ended(mut run: Child) {
    let status = find_within(PATIENCE, || run.try_wait().expect("a process of this test"));
    if status.is_none() {
        run.kill().expect("it runs");
    }
    assert!(status.is_some_and(|status| status.success()), "the run ended with {status:?}");
}

/// A client of the service, which sends a request again while replicas are killed.
struct Organiser<'s> {
    client: Client,
    service: &'s Service,
    path: String,
    token: String,
}

impl<'s> Organiser<'s> {
    /// Waits until the run has created its tournament, and reads the organiser's token from the state file of the run.
    fn of(cup: &Cup, service: &'s Service) -> Self {
        let state = until_some(PATIENCE, "the tournament is created", || cup.state());
        let text = |name: &str| state["tournament"][name].as_str().expect("a text").to_owned();
        let path = format!("/v1/tournaments/{}", text("id"));
        Self { client: Client::new(), service, path, token: text("token") }
    }

    fn get(&self, path: &str) -> Value {
        until_some(PATIENCE, path, || {
            let answer = self.client.get(format!("{}{}{path}", self.service.address, self.path)).send().ok()?;
            answer.status().is_success().then(|| answer.json().ok()).flatten()
        })
    }

    /// Sends a command, and sends it again with the same idempotency key as long as the service does not answer or
    /// answers with 503. If an earlier attempt was committed, the service sends the stored answer, so the command has
    /// one effect.
    fn command(&self, method: reqwest::Method, path: &str, body: &Value) -> Value {
        let key = format!("organises-{:x}", rand());
        until_some(PATIENCE, path, || {
            let request = self.client.request(method.clone(), format!("{}{}{path}", self.service.address, self.path));
            let request = request.bearer_auth(&self.token).header("Idempotency-Key", &key);
            let request = if body.is_null() { request } else { request.json(body) };
            let answer = request.send().ok().filter(|answer| answer.status() != 503)?;
            Some(answer.error_for_status().expect("the organiser may do this").json().expect("JSON"))
        })
    }

    /// Enters robots, and returns their numbers.
    fn enter(&self, names: &[String]) -> Vec<u64> {
        let entrants: Vec<Value> = names.iter().map(|name| json!({"name": name, "robot": "hunter"})).collect();
        let answer = self.command(reqwest::Method::POST, "/entrants", &json!({"entrants": entrants}));
        answer["entrants"].as_array().expect("a list").iter().filter_map(|entrant| entrant["number"].as_u64()).collect()
    }

    fn withdraw(&self, number: u64) {
        self.command(reqwest::Method::DELETE, &format!("/entrants/{number}"), &Value::Null);
    }
}

/// A random number, for idempotency keys that nobody guesses.
fn rand() -> u128 {
    let mut bytes = [0; 16];
    std::io::Read::read_exact(&mut fs::File::open("/dev/urandom").expect("it is there"), &mut bytes).expect("bytes");
    u128::from_le_bytes(bytes)
}

/// Returns the number of tables of a round that have results, and the number of all its tables.
fn results(tournament: &Value, round: usize) -> [u64; 2] {
    let summary = &tournament["rounds"][round - 1];
    [summary["results"].as_u64().unwrap_or(0), summary["tables"].as_u64().unwrap_or(u64::MAX)]
}

fn print_games(what: &str, began: Instant, export: &Value) {
    let games: usize = export["rounds"]
        .as_array()
        .into_iter()
        .flatten()
        .flat_map(|round| round["tables"].as_array().into_iter().flatten())
        .map(|table| table["games"].as_array().map_or(0, Vec::len))
        .sum();
    println!("{what}: {games} games, {:.1} minutes", began.elapsed().as_secs_f64() / 60.0);
}

#[test]
fn a_swiss_tournament_goes_on_although_a_replica_is_killed_in_the_middle_of_a_round() {
    let (robots, rounds, rules) = if is_full() { (16, 7, "pagade") } else { (4, 3, "twenty-squares") };
    let lines: Vec<String> = ["thinker", "hunter", "runner", "random"]
        .iter()
        .map(|robot| format!("  - {{robots: {robot}, count: {robots}}}\n"))
        .collect();
    let cup = Cup::new(
        "swiss",
        &format!(
            "title: Swiss\nrule_set: {rules}\nrobot_pause_milliseconds: 50\nformat: {{kind: swiss, rounds: \
             {rounds}}}\ntie_breaks: [buchholz, buchholz_cut1, sonneborn_berger, direct_meeting, wins, score_difference, lots]\nentrants:\n{}",
            lines.concat()
        ),
    );
    let redis = RedisServer::start(DURABLE);
    let store = redis.address();
    let start = || Service::start(&["--store", store.as_str()], NO_VARIABLES);
    let (first, second) = (start(), start());
    let began = Instant::now();
    let run = cup.run(&[&first, &second]);
    let organiser = Organiser::of(&cup, &second);
    // The run talks to the first replica, which is killed while some tables of the second round have results.
    until_some(PATIENCE, "the middle of the second round", || {
        let [with, all] = results(&organiser.get(""), 2);
        (with > 0 && with < all).then_some(())
    });
    first.kill();
    ended(run);
    let export = cup.check();
    print_games(&format!("Swiss, {} robots, {rounds} rounds, one of two replicas killed", 4 * robots), began, &export);
    assert_eq!(export["tournament"]["status"], "finished");
    assert_eq!(export["rounds"].as_array().map(Vec::len), Some(rounds));
}

#[test]
fn groups_of_four_lead_to_a_knock_out_of_tables_of_four() {
    // Each group of four plays three rounds. In full, 8 of 32 entrants go on and play two rounds; otherwise 4 of 8 go
    // on and play one round.
    let (groups, advance, rounds, rules) =
        if is_full() { (8, 1, 5, "pagade") } else { (2, 2, 4, "snakes-and-ladders") };
    let cup = Cup::new(
        "groups",
        &format!(
            "title: Groups\nrule_set: {rules}\nrobot_pause_milliseconds: 0\nformat: {{kind: groups, table: 4, groups: {groups}, \
             advance: {advance}, knock_out_table: 4}}\nentrants:\n  - {{robots: hunter, count: {groups}}}\n  - {{robots: \
             thinker, count: {groups}}}\n  - {{robots: runner, count: {}}}\n",
            2 * groups
        ),
    );
    let redis = RedisServer::start(DURABLE);
    let store = redis.address();
    let services: Vec<Service> = (0..2).map(|_| Service::start(&["--store", store.as_str()], NO_VARIABLES)).collect();
    let began = Instant::now();
    ended(cup.run(&services.iter().collect::<Vec<_>>()));
    let export = cup.check();
    print_games(&format!("{} robots in groups, then knock-out, tables of four", 4 * groups), began, &export);
    assert_eq!(export["rounds"].as_array().map(Vec::len), Some(rounds));
    let last = &export["rounds"][rounds - 1]["tables"];
    assert_eq!(last.as_array().map(Vec::len), Some(1), "the final");
    let winner = &last[0]["result"]["seats"].as_array().expect("a list").iter().find(|seat| seat["place"] == 1);
    assert_eq!(winner.expect("a winner")["entrant"], export["standings"][0]["entrant"]);
}

#[test]
fn partnerships_win_when_all_pawns_of_both_partners_are_home() {
    let teams = if is_full() { 8 } else { 4 };
    let cup = Cup::new(
        "partnerships",
        &format!(
            "title: Partnerships\nrule_set: pagade\noptions: {{mode: partnership}}\nteam_size: 2\n\
             robot_pause_milliseconds: 0\nformat: {{kind: round_robin, cycles: 2}}\nentrants:\n  - {{robots: random, \
             count: {teams}}}\n"
        ),
    );
    let data = cup.path("data");
    let service = Service::start(&["--data", data.as_str()], NO_VARIABLES);
    let began = Instant::now();
    ended(cup.run(&[&service]));
    let export = cup.check();
    print_games(&format!("Round robin of {teams} partnerships"), began, &export);
    assert_eq!(export["rounds"].as_array().map(Vec::len), Some(2 * (teams - 1)));
}

#[test]
fn robots_come_to_an_arena_and_leave_it() {
    // People take ten times as long for a turn as robots, so three minutes of robots are like half an hour of people.
    let (robots, seconds, rules) = if is_full() { (50, 180, "twenty-squares") } else { (12, 45, "snakes-and-ladders") };
    let here = robots / 2;
    let cup = Cup::new(
        "arena",
        &format!(
            "title: Arena\nrule_set: {rules}\nlate_entries: yes\nformat: {{kind: arena, seconds: {seconds}}}\n\
             entrants:\n  - {{robots: runner, count: {here}}}\n"
        ),
    );
    let redis = RedisServer::start(DURABLE);
    let store = redis.address();
    let services: Vec<Service> = (0..2).map(|_| Service::start(&["--store", store.as_str()], NO_VARIABLES)).collect();
    let began = Instant::now();
    let run = cup.run(&services.iter().collect::<Vec<_>>());
    let organiser = Organiser::of(&cup, &services[1]);
    until_some(PATIENCE, "the arena is open", || (organiser.get("")["status"] == "running").then_some(()));
    // During two thirds of the time, robots enter one after another. After every second entry, a robot that entered
    // earlier leaves.
    let come = robots - here;
    let step = Duration::from_secs(seconds * 2 / 3) / u32::try_from(come).expect("a small number");
    let mut left = BTreeSet::new();
    for number in 0..come {
        std::thread::sleep(step);
        organiser.enter(&[format!("Guest {}", number + 1)]);
        if number % 2 == 1 {
            let leaves = number / 2 + 1;
            organiser.withdraw(leaves as u64);
            left.insert(leaves as u64);
        }
    }
    ended(run);
    let export = cup.check();
    print_games(&format!("Arena of {seconds} seconds, {robots} robots, {} of them left", left.len()), began, &export);
    let entrants = export["tournament"]["entrants"].as_array().expect("a list");
    assert_eq!(entrants.len(), robots);
    let seated = |round: &Value| -> Vec<u64> {
        let tables = round["tables"].as_array().into_iter().flatten();
        tables.flat_map(|table| table["entrants"].as_array().into_iter().flatten()).filter_map(Value::as_u64).collect()
    };
    let mut played = BTreeSet::new();
    for round in export["rounds"].as_array().expect("a list") {
        let (number, here) = (round["round"].as_u64(), seated(round));
        assert_eq!(here.iter().collect::<BTreeSet<_>>().len(), here.len(), "nobody sits at two tables of a round");
        for entrant in entrants.iter().filter(|entrant| here.contains(&entrant["number"].as_u64().expect("a number"))) {
            assert!(entrant["from_round"].is_null() || entrant["from_round"].as_u64() <= number, "{entrant}");
            assert!(
                entrant["left_before_round"].is_null() || entrant["left_before_round"].as_u64() > number,
                "{entrant}"
            );
        }
        played.extend(here);
    }
    let came_late = entrants.iter().filter(|entrant| !entrant["from_round"].is_null());
    let late: Vec<u64> = came_late.filter_map(|entrant| entrant["number"].as_u64()).collect();
    assert_eq!(late.len(), come);
    assert!(late.iter().filter(|number| played.contains(number)).count() * 2 > come, "who comes late plays, too");
}

#[test]
fn a_run_that_is_killed_again_and_again_does_nothing_twice() {
    let cup = Cup::new(
        "killed",
        "title: Killed\nrule_set: snakes-and-ladders\nformat: {kind: swiss, rounds: 3}\nturn_timer: {seconds: 1, then: \
         first, forfeit_after: 1}\nentrants:\n  - {names: [Asha, \"Ravi, the second\"]}\n  - {robots: hunter, count: \
         5}\n",
    );
    let data = cup.path("data");
    let service = Service::start(&["--data", data.as_str()], NO_VARIABLES);
    let mut kills = 0;
    loop {
        let mut run = cup.run(&[&service]);
        // Each run lives a little longer, so that the kill hits another step.
        std::thread::sleep(Duration::from_millis(15 + 25 * kills));
        if kills == 24 || run.try_wait().expect("a process of this test").is_some() {
            ended(run);
            break;
        }
        run.kill().expect("it runs");
        run.wait().expect("it ends");
        kills += 1;
    }
    assert!(kills > 3, "the run was killed {kills} times only");
    // A further run finds the tournament finished, and has the same standings.
    ended(cup.run(&[&service]));
    let export = cup.check();
    println!("{kills} kills");
    let client = Client::new();
    let list = client.get(format!("{}/v1/tournaments", service.address)).send().and_then(|list| list.json::<Value>());
    assert_eq!(list.expect("a list")["tournaments"].as_array().map(Vec::len), Some(1), "one tournament");
    assert_eq!(export["tournament"]["entrants"].as_array().map(Vec::len), Some(7));
    assert_eq!(export["rounds"].as_array().map(Vec::len), Some(3));
    // The tokens of both people were written, although the run that received them may have been killed.
    let tokens = fs::read_to_string(cup.path("cup.tokens.csv")).expect("the tokens");
    let tokens: Vec<&str> = tokens.lines().skip(1).filter_map(|line| line.rsplit(',').next()).collect();
    assert_eq!(tokens.len(), 2);
    for token in tokens {
        let me = client.get(format!("{}/v1/me", service.address)).bearer_auth(token).send();
        assert_eq!(me.and_then(|me| me.json::<Value>()).expect("JSON")["role"], "entrant");
    }
    let mode = Command::new("stat").args(["-c", "%a", &cup.path("cup.tokens.csv")]).output().expect("it runs").stdout;
    assert_eq!(String::from_utf8_lossy(&mode).trim(), "600");
    // A changed file with the state of the same tournament is refused, because the terms of a tournament do not change
    // once it has begun.
    let changed = fs::read_to_string(cup.path("cup.yaml")).expect("the file").replace("rounds: 3", "rounds: 4");
    fs::write(cup.path("cup.yaml"), changed).expect("it can be written");
    let refused = Command::new(program()).args(["tournament", "run", &cup.path("cup.yaml")]).output().expect("it runs");
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("begun with other terms or entrants"));
}
