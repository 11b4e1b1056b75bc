//! Tests leaderboards: over HTTP, and the boards of both stores.

use std::collections::BTreeMap;
use std::env;
use std::sync::Arc;
use std::time::Instant;

use pagade::EVENT_PHRASES;
use pagade::store::embedded::Embedded;
use pagade::store::redis::Redis;
use pagade::store::{BoardCursor, BoardLine, BoardPageQuery, Change, Commit, EntityChange, EntityId, Kind, Store};
use pagade_tests::wait::until;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::chips::Club;
use crate::harness::{TestStore, got, on_both_stores};
use crate::store::{change, new, run};

const LAMP: Kind = Kind::named("lamp");

on_both_stores!(a_leaderboard_lists_registered_players_by_experience);
fn a_leaderboard_lists_registered_players_by_experience(data: TestStore) {
    let club = Club::with(&data, |config| config.scoring.season = Some("autumn".to_owned()));
    let all = club.members(["Asha", "Ravi", "Meera"]);
    let [asha, ravi, meera] = &all;
    assert_eq!(club.server.get("/v1/leaderboards/parcheesi").body["lines"], json!([]));
    assert_eq!(club.server.get("/v1/leaderboards/no-such-set").problem(), (404, "rule_set_not_found"));
    let table = club.table(&[asha, ravi, meera], json!({"time_per_turn": 0}));
    // A guest finds no seat at a competitive table.
    let guest = club.server.post("/v1/players", json!({"name": "Guest"}));
    let sit = |body: Value| {
        let path = format!("{table}/seats/green");
        got(club.server.request("POST", &path).bearer_auth(guest.text("/token")).json(&body).send().unwrap())
    };
    assert_eq!(sit(json!({})).problem(), (403, "not_allowed"));
    let wish = |competitive: Value| json!({"rule_set": "parcheesi", "options": competitive});
    let create = |wish: &Value| {
        got(club.server.request("POST", "/v1/tables").bearer_auth(guest.text("/token")).json(wish).send().unwrap())
    };
    assert_eq!(create(&wish(json!({"competitive": true}))).problem(), (403, "not_allowed"));
    let practice = create(&wish(json!({})));
    assert_eq!((practice.status, practice.text("/icon").as_str()), (201, "practice"), "{}", practice.raw);
    club.play(&[asha, ravi, meera], &table);
    let read = |query: &str| club.server.get(&format!("/v1/leaderboards/parcheesi{query}"));
    let lines = |query: &str| {
        let read = read(query);
        let lines = read.body["lines"].as_array().unwrap_or_else(|| panic!("{}", read.raw)).clone().into_iter();
        let line = |line: Value| {
            let name = line["name"].as_str().unwrap_or_default().to_owned();
            (line["rank"].as_u64().unwrap(), name, line["experience"].as_u64().unwrap())
        };
        lines.map(line).collect::<Vec<_>>()
    };
    until("all are listed", || lines("").len() == 3);
    assert_eq!(lines("")[0], (1, "Asha".to_owned(), 30));
    assert_eq!(
        lines("").iter().map(|(rank, _, experience)| (*rank, *experience)).collect::<Vec<_>>(),
        [(1, 30), (2, 5), (2, 5)]
    );
    assert_eq!(lines("?season=autumn"), lines(""));
    assert_eq!(lines("?season=winter"), []);
    let mine = club.send(ravi, "GET", "/v1/leaderboards/parcheesi?limit=1", Value::Null);
    assert_eq!((&mine.body["mine"]["rank"], &mine.body["mine"]["name"]), (&json!(2), &json!("Ravi")));
    assert_eq!((&mine.body["players"], mine.body["lines"].as_array().unwrap().len()), (&json!(3), 1));
    // Pages follow one another by the cursor.
    let (mut names, mut query) = (Vec::new(), "?limit=1".to_owned());
    loop {
        let page = read(&query);
        names.extend(page.body["lines"].as_array().unwrap().iter().map(|line| line["name"].clone()));
        let Some(cursor) = page.body["next_cursor"].as_str() else { break };
        assert!(page.header("link").contains(cursor));
        query = format!("?limit=1&cursor={cursor}");
    }
    names.sort_by_key(Value::to_string);
    assert_eq!(names, ["Asha", "Meera", "Ravi"]);
    for wrong in ["?cursor=7", "?season=Aut%20umn", "?limit=0", "?cursor=zzzzzzzz0199bf2e8c5a7d52b3c96f1f0a6f2e15"] {
        assert_eq!(read(wrong).status, 400, "{wrong}");
    }
    // The list shows the new name of a player, and no longer shows a deleted player.
    club.send(asha, "PATCH", &format!("/v1/players/{}", asha.id), json!({"name": "Champion"}));
    until("the new name is listed", || lines("")[0].1 == "Champion");
    club.send(asha, "DELETE", &format!("/v1/players/{}", asha.id), Value::Null);
    until("the player is no longer listed", || lines("").len() == 2);
    assert_eq!((lines("")[0].0, lines("?season=autumn").len()), (1, 2));
}

fn line(board: &str, score: u32) -> String {
    BoardLine { board: board.to_owned(), score, label: format!("of {score}") }.to_tag()
}

fn player(id: EntityId, expected: u64, tags: Vec<String>) -> Commit {
    Commit::from(Change::Entity(EntityChange { tags: Some(tags), events: Vec::new(), ..change(id, expected) }))
}

fn page(board: &str, after: Option<BoardCursor>, limit: usize, own: Option<Uuid>) -> BoardPageQuery {
    BoardPageQuery { kind: LAMP, board: board.to_owned(), after, limit, own }
}

/// Reads a board page by page, and checks that it has these entities in the order of their scores, with their ranks.
async fn compare(store: &dyn Store, board: &str, scores: &BTreeMap<EntityId, u32>, limit: usize) {
    let mut expected: Vec<_> = scores.iter().map(|(id, score)| (*score, id.id)).collect();
    expected.sort_unstable_by(|one, other| other.cmp(one));
    let (mut found, mut after) = (Vec::new(), None);
    loop {
        let read = store.board(page(board, after, limit, None)).await.unwrap();
        assert_eq!(read.count, expected.len() as u64);
        let Some(last) = read.lines.last() else { break };
        after = Some(BoardCursor { score: last.score, id: last.id });
        found.extend(read.lines);
    }
    assert_eq!(found.iter().map(|line| (line.score, line.id)).collect::<Vec<_>>(), expected);
    for line in found {
        let higher = expected.iter().filter(|(score, _)| *score > line.score).count() as u64;
        assert_eq!((line.rank, line.label.as_str()), (higher + 1, format!("of {}", line.score).as_str()));
        assert_eq!(store.board(page(board, None, 0, Some(line.id))).await.unwrap().own, Some(line));
    }
}

/// Checks that boards have the lines of their entities: entered, changed, removed and imported. Part of the contract of
/// stores.
pub(crate) async fn boards_follow_their_entities(store: &Arc<dyn Store>) {
    let board = format!("{}/", Uuid::now_v7());
    let board = board.as_str();
    let line = |score| line(board, score);
    let mut scores = BTreeMap::new();
    let all = [7, 0, 255, 256, 257, 70_000, 7, 7, u32::MAX, 256, 16_777_216, 3];
    for score in all {
        let id = new(LAMP);
        store.commit(player(id, 0, vec!["any".to_owned(), line(score)])).await.unwrap();
        scores.insert(id, score);
    }
    compare(&**store, board, &scores, 5).await;
    let ids: Vec<_> = scores.keys().copied().collect();
    for (index, id) in ids.iter().enumerate() {
        match index % 3 {
            0 => {
                store.commit(player(*id, 1, vec![line(300)])).await.unwrap();
                scores.insert(*id, 300);
            }
            1 => {
                let remove = Change::Remove { id: *id, expected: 1, delivered: 0 };
                store.commit(Commit::from(remove)).await.unwrap();
                scores.remove(id);
            }
            _ => {}
        }
    }
    compare(&**store, board, &scores, 3).await;
    let copy = store.copy(*scores.keys().next().unwrap(), Vec::new()).await.unwrap().unwrap();
    store.commit(Commit::from(Change::Remove { id: copy.id, expected: copy.version, delivered: 0 })).await.unwrap();
    let score = scores.remove(&copy.id).unwrap();
    compare(&**store, board, &scores, 100).await;
    scores.insert(copy.id, score);
    store.commit(Commit::from(Change::Import(Box::new(copy)))).await.unwrap();
    compare(&**store, board, &scores, 100).await;
    let after = Some(BoardCursor { score: 300, id: Uuid::from_u128(1) });
    let lower = store.board(page(board, after, 100, None)).await.unwrap().lines;
    assert!(lower.iter().all(|line| line.score < 300), "the line of the cursor need not exist");
    assert_eq!(store.board(page(board, None, 9, Some(Uuid::nil()))).await.unwrap().own, None);
}

/// Number of players on a large board.
fn many() -> u32 {
    env::var("PAGADE_PLAYERS").map_or(5_000, |text| text.parse().expect("a number"))
}

/// Fills a board with many players. Measures the time to read a page in the middle of the board, with the rank of a
/// player.
async fn measure(store: Arc<dyn Store>, fill: impl AsyncFnOnce(&[(Uuid, u32)])) {
    let players: Vec<_> =
        (0..many()).map(|number| (Uuid::now_v7(), number.wrapping_mul(2_654_435_761) % 20_000)).collect();
    fill(&players).await;
    let own = players[players.len() / 2];
    let after = Some(BoardCursor { score: own.1, id: own.0 });
    let query = || page("many", after, 100, Some(own.0));
    let began = Instant::now();
    for _ in 0..20 {
        store.board(query()).await.unwrap();
    }
    let took = began.elapsed() / 20;
    let read = store.board(query()).await.unwrap();
    let higher = players.iter().filter(|(_, score)| *score > own.1).count() as u64;
    let mine = read.own.unwrap();
    assert_eq!((mine.rank, mine.score, read.count), (higher + 1, own.1, players.len() as u64));
    println!("{} players: a page of 100 with the own rank in {took:?}", players.len());
    assert!(took.as_millis() < 200, "{took:?}");
}

#[test]
fn a_page_of_a_large_board_is_quick_in_the_embedded_store() {
    let directory = TestStore::new();
    run(async || {
        let store: Arc<dyn Store> = Arc::new(Embedded::open(directory.path(), &EVENT_PHRASES).unwrap());
        measure(Arc::clone(&store), async |players| {
            for batch in players.chunks(1_000) {
                let commits = batch
                    .iter()
                    .map(|(id, score)| store.commit(player(EntityId::new(LAMP, *id), 0, vec![line("many", *score)])));
                futures_util::future::try_join_all(commits.collect::<Vec<_>>()).await.unwrap();
            }
        })
        .await;
    });
}

#[test]
fn a_page_of_a_large_board_is_quick_on_redis_and_one_round_trip() {
    let data = TestStore::on_redis();
    let wire = crate::wire::RedisWire::to(data.redis().port);
    run(async || {
        let store: Arc<dyn Store> = Arc::new(Redis::open(&wire.address(), &EVENT_PHRASES).await.unwrap());
        let direct: Arc<dyn Store> = Arc::new(Redis::open(&data.store().unwrap(), &EVENT_PHRASES).await.unwrap());
        measure(Arc::clone(&store), async |players| {
            for batch in players.chunks(1_000) {
                let commits = batch
                    .iter()
                    .map(|(id, score)| direct.commit(player(EntityId::new(LAMP, *id), 0, vec![line("many", *score)])));
                futures_util::future::try_join_all(commits.collect::<Vec<_>>()).await.unwrap();
            }
        })
        .await;
        let before = wire.trips();
        store.board(page("many", None, 100, Some(Uuid::nil()))).await.unwrap();
        assert_eq!(wire.trips() - before, 1, "one round trip for a page with the own rank");
    });
}
