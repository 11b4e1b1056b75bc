//! Tests a full disk: commands are refused, acknowledged games stay, and commands succeed again when there is room.

use std::fs;
use std::thread::sleep;
use std::time::Duration;

use pagade_tests::service::{NO_VARIABLES, Service};
use pagade_tests::wait::until_some;
use reqwest::blocking::{Client, Response};
use serde_json::{Value, json};

/// Maximum number of games that the test creates. The file of the store has to grow before that.
const MOST: u32 = 5_000;

/// Creates the game with this number. Its idempotency key has the number, so repeated calls create the game only once.
fn create(client: &Client, service: &Service, number: u32) -> Response {
    let wish = json!({"rule_set": pagade_rules::bundled::SETS[0].0, "hot_seat": true});
    let request = client.post(format!("{}/v1/games", service.address)).json(&wish);
    request.header("Idempotency-Key", format!("create-game-number-{number:08}")).send().expect("it answers")
}

fn status(client: &Client, service: &Service, path: &str) -> u16 {
    client.get(format!("{}{path}", service.address)).send().expect("it answers").status().as_u16()
}

#[test]
fn a_full_disk_costs_nothing_that_was_acknowledged() {
    let folder = std::env::temp_dir().join(format!("pagade-full-{}", std::process::id()));
    let data = folder.display().to_string();
    let service = Service::start(&["--data", &data, "--log", "off"], NO_VARIABLES);
    let client = Client::new();
    let mut made = Vec::new();
    let mut keep = |answer: Response| {
        assert_eq!(answer.status(), 201);
        let created: Value = answer.json().expect("JSON");
        made.push(created["game"]["id"].as_str().expect("an id").to_owned());
    };
    let first: Value = create(&client, &service, 0).json().expect("JSON");
    let made_first = first["game"]["id"].as_str().expect("an id").to_owned();
    let size = fs::metadata(folder.join("games.redb")).expect("it is there").len();
    service.bound_files(Some(size));
    let refused = (1..MOST).find(|number| {
        let answer = create(&client, &service, *number);
        let is_refused = answer.status() == 503;
        if is_refused {
            assert!(answer.headers().contains_key("retry-after"));
        } else {
            keep(answer);
        }
        is_refused
    });
    let refused = refused.expect("the file has to grow");
    assert_eq!((status(&client, &service, "/readyz"), status(&client, &service, "/livez")), (503, 200));
    // From here on no file may grow at all, so the store cannot grow even after the service opens it again.
    service.bound_files(Some(1));
    // The service opens the store again within this time. Nothing shows when it has done so, so the test waits.
    sleep(Duration::from_millis(1500));
    assert_eq!(create(&client, &service, refused).status(), 503, "there is no room yet");
    assert_eq!(status(&client, &service, &format!("/v1/games/{made_first}")), 200, "what is there can be read");
    service.bound_files(None);
    let what = "a game is created when there is room again";
    keep(until_some(Duration::from_secs(20), what, || {
        Some(create(&client, &service, refused)).filter(|answer| answer.status() != 503)
    }));
    assert_eq!(status(&client, &service, "/readyz"), 200);
    for id in &made {
        assert_eq!(status(&client, &service, &format!("/v1/games/{id}")), 200, "{id}");
    }
    service.stop();
    fs::remove_dir_all(&folder).expect("it is there");
}
