//! Counts the requests of clients that play the games of a tournament: at most 1.3 for each decision, and 2 for each
//! game. A decision is a throw or an action.

use std::io::{BufRead, BufReader};
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use crate::harness::{Answer, Server, TestStore, got, on_both_stores};
use crate::players::TestPlayer;
use crate::tournaments::TestTournament;

/// A client of one entrant. It knows no rules, and counts its requests.
struct Client<'s> {
    server: &'s Server,
    token: String,
    /// The name of the entrant, by which the client finds its seat.
    name: &'static str,
    requests: AtomicUsize,
    decisions: AtomicUsize,
    games: AtomicUsize,
}

impl<'s> Client<'s> {
    fn new(server: &'s Server, token: &str, name: &'static str) -> Self {
        let [requests, decisions, games] = [0; 3].map(AtomicUsize::new);
        Self { server, token: token.to_owned(), name, requests, decisions, games }
    }

    /// Opens a stream from its beginning, and returns its messages.
    fn follow(&self, path: &str) -> impl Iterator<Item = Value> + use<> {
        self.requests.fetch_add(1, Ordering::Relaxed);
        let request = self.server.request("GET", &format!("{path}/events")).bearer_auth(&self.token);
        let request = request.header("Accept", "text/event-stream").timeout(std::time::Duration::from_secs(120));
        let stream = request.send().unwrap();
        assert_eq!(stream.status(), 200, "{path}");
        let lines = BufReader::new(stream).lines().map_while(Result::ok);
        lines.filter_map(|line| line.strip_prefix("data: ").map(|data| serde_json::from_str(data).unwrap()))
    }

    fn command(&self, game: &Value, rest: &str, body: &Value) -> Answer {
        self.requests.fetch_add(1, Ordering::Relaxed);
        self.decisions.fetch_add(1, Ordering::Relaxed);
        let path = format!("/v1/games/{}{rest}", game["id"].as_str().unwrap());
        let request = self.server.request("POST", &path).bearer_auth(&self.token);
        let request = request.header("If-Match", format!("\"{}\"", game["version"]));
        got(request.header("Accept", "application/vnd.pagade.brief+json").json(body).send().unwrap())
    }

    /// Plays while it is the turn of this seat. Returns the newest version that the client has seen.
    fn play_turn(&self, game: &Value, seat: &str) -> u64 {
        let mut game = game.clone();
        while game["status"] == "playing" && game["turn"] == seat {
            let played = match game["legal"].get(0) {
                None => self.command(&game, "/throws", &json!({})),
                Some(action) => self.command(&game, "/actions", &json!({"actions": [action]})),
            };
            assert_eq!(played.status, 200, "{}", played.raw);
            game = played.body["game"].clone();
        }
        game["version"].as_u64().unwrap()
    }

    /// Plays a game to its end, from the stream of the game.
    fn play(&self, game: &str) {
        self.games.fetch_add(1, Ordering::Relaxed);
        let (mut seat, mut known) = (String::new(), 0);
        for message in self.follow(&format!("/v1/games/{game}")) {
            let state = if message["seats"].is_array() { &message } else { &message["game"] };
            if let Some(seats) = state["seats"].as_array() {
                let own = seats.iter().find(|seat| seat["name"] == self.name).unwrap();
                seat = own["seat"].as_str().unwrap().to_owned();
            }
            if state["version"].as_u64().is_some_and(|version| version > known) {
                known = self.play_turn(state, &seat);
            }
            if state["status"] == "finished" {
                return;
            }
        }
    }

    fn check(&self, streams: usize) {
        let [requests, decisions, games] =
            [&self.requests, &self.decisions, &self.games].map(|count| count.load(Ordering::Relaxed));
        println!("{}: {requests} requests, {decisions} decisions, {games} games", self.name);
        assert!(games == 3 && decisions > 3 * 20, "{}: {games} games, {decisions} decisions", self.name);
        let most = decisions * 13 / 10 + 2 * games;
        assert!(requests - streams <= most, "{}: {requests} requests for {decisions} decisions", self.name);
    }
}

const NAMES: [&str; 4] = ["Asha", "Bina", "Chitra", "Devi"];

fn cup(server: &Server) -> TestTournament<'_> {
    let more = json!({"rule_set": "royal-game-of-ur", "automatic": true});
    TestTournament::new(server, json!({"kind": "round_robin"}), more)
}

on_both_stores!(a_client_needs_one_stream_of_the_tournament_and_one_of_each_game);
fn a_client_needs_one_stream_of_the_tournament_and_one_of_each_game(data: TestStore) {
    let server = Server::start(&data);
    let mut cup = cup(&server);
    cup.enter(&NAMES);
    let numbered = (1..).zip(NAMES);
    let clients: Vec<(u64, Client<'_>)> =
        numbered.map(|(number, name)| (number, Client::new(&server, cup.entrant_token(number), name))).collect();
    let path = cup.path("");
    std::thread::scope(|scope| {
        for (number, client) in &clients {
            let path = &path;
            scope.spawn(move || {
                for event in client.follow(path) {
                    let entrants = event["entrants"].as_array().filter(|_| event["event"] == "table_game_created");
                    if entrants.is_some_and(|entrants| entrants.contains(&json!(number))) {
                        client.play(event["game_id"].as_str().unwrap());
                    }
                    if event["event"] == "tournament_over" {
                        return;
                    }
                }
            });
        }
        assert_eq!(cup.post("/start", json!({})).status, 200);
    });
    clients.iter().for_each(|(_, client)| client.check(1));
}

on_both_stores!(a_player_needs_one_stream_for_all_games);
fn a_player_needs_one_stream_for_all_games(data: TestStore) {
    let server = Server::start(&data);
    let cup = cup(&server);
    let players: Vec<TestPlayer<'_>> = NAMES.iter().map(|name| TestPlayer::new(&server, name)).collect();
    for player in &players {
        assert_eq!(cup.ask(&player.token, "POST", "/entrants", json!({"entrants": [{}]})).status, 201);
    }
    let clients: Vec<(String, Client<'_>)> = players
        .iter()
        .zip(NAMES)
        .map(|(player, name)| (format!("/v1/players/{}", player.id), Client::new(&server, &player.token, name)))
        .collect();
    std::thread::scope(|scope| {
        for (path, client) in &clients {
            scope.spawn(move || {
                let mut known = std::collections::BTreeMap::new();
                for event in client.follow(path) {
                    if event["event"] == "game_ended" && client.games.fetch_add(1, Ordering::Relaxed) == 2 {
                        return;
                    }
                    let (Some(seat), Some(game)) = (event["seat"].as_str(), event["game_id"].as_str()) else {
                        continue;
                    };
                    let newest = known.entry(game.to_owned()).or_insert(0);
                    if event["game"]["version"].as_u64().is_some_and(|version| version > *newest) {
                        *newest = client.play_turn(&event["game"], seat);
                    }
                }
            });
        }
        assert_eq!(cup.post("/start", json!({})).status, 200);
    });
    clients.iter().for_each(|(_, client)| client.check(1));
}
