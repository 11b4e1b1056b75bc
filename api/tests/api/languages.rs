//! Tests texts for people in the language that a client asks for: those of rule sets, legal actions and problems.

use serde_json::{Value, json};

use crate::harness::{Answer, Server, TestStore, got, on_both_stores};
use crate::players::TestPlayer;
use crate::tables::TestTable;

const VARIANT: &str = "rules: garden-pagade
version: 1.0.0
title: Garden Pagade
extends: pagade
texts:
  seats: {red: Rose}
";
const KANNADA: &str = "translation: kn
checked: a neighbour
texts:
  titles: {Garden Pagade: ತೋಟದ ಪಗಡೆ}
  seats: {Rose: ಗುಲಾಬಿ}
";

fn get_in(server: &Server, path: &str, languages: &str) -> Answer {
    got(server.request("GET", path).header("Accept-Language", languages).send().unwrap())
}

/// Returns the language of an answer (`Content-Language`), and whether its header `Vary` names `Accept-Language`.
fn said(answer: &Answer) -> (&str, bool) {
    let vary = answer.headers.get_all("vary").iter().filter_map(|value| value.to_str().ok());
    let varies = vary.flat_map(|value| value.split(", ")).any(|name| name.eq_ignore_ascii_case("accept-language"));
    (answer.header("content-language"), varies)
}

on_both_stores!(a_rule_set_is_read_in_the_language_that_the_client_prefers);
fn a_rule_set_is_read_in_the_language_that_the_client_prefers(data: TestStore) {
    let server = Server::start(&data);
    let english = server.get("/v1/rule-sets/pagade");
    assert_eq!(said(&english), ("en", true));
    assert_eq!((english.text("/title"), english.text("/language")), ("Pagade".into(), "en".into()));
    let texts = &english.body["texts"];
    assert_eq!(texts["seats.red"], "Red");
    assert_eq!(texts["options.mode.individual"], "Each for themselves");
    assert_eq!(texts["spend.die"], "A pawn takes one die");
    assert_eq!((&texts["counters.seat.cuts"], &texts["ranks.1"]), (&json!("Cuts"), &json!("winner")));
    for (asked, language, title) in [
        ("kn", "kn", "ಪಗಡೆ"),
        ("fr, kn-IN;q=0.5, hi;q=0.4", "kn", "ಪಗಡೆ"),
        ("kn;q=0, fr", "en", "Pagade"),
        ("fr, *", "en", "Pagade"),
        ("en-GB, kn;q=0.9", "en", "Pagade"),
        (";;,,q=", "en", "Pagade"),
    ] {
        let answer = get_in(&server, "/v1/rule-sets/pagade", asked);
        assert_eq!((answer.text("/language"), answer.text("/title")), (language.into(), title.into()), "{asked}");
        assert_eq!(said(&answer).0.split(", ").next(), Some(language), "{asked}");
    }
    let kannada = get_in(&server, "/v1/rule-sets/pagade", "kn");
    assert_eq!(kannada.body["texts"]["seats.red"], "ಕೆಂಪು");
    let option = kannada.body["options"].as_array().unwrap().iter().find(|option| option["name"] == "first_player");
    assert_eq!(option.unwrap()["text"], "ಯಾರು ಆರಂಭಿಸುತ್ತಾರೆ");
    let long = "kn-".repeat(2000);
    assert!(get_in(&server, "/v1/rule-sets/pagade", &long).status < 500);
}

on_both_stores!(the_options_of_a_table_are_in_the_language_that_the_client_prefers);
fn the_options_of_a_table_are_in_the_language_that_the_client_prefers(data: TestStore) {
    let server = Server::start(&data);
    let asha = TestPlayer::new(&server, "Asha");
    let path = format!("{}/options", TestTable::new(&asha, json!({"rule_set": "pagade"})).path);
    let text = |answer: &Answer, name: &str| {
        let options = answer.body["options"].as_array().unwrap();
        options.iter().find(|option| option["name"] == name).unwrap()["text"].as_str().unwrap().to_owned()
    };
    let english = server.get(&path);
    assert_eq!(said(&english), ("en", true));
    let kannada = get_in(&server, &path, "kn-IN, en;q=0.5");
    assert_eq!(said(&kannada).0.split(", ").next(), Some("kn"));
    assert_eq!(text(&kannada, "first_player"), "ಯಾರು ಆರಂಭಿಸುತ್ತಾರೆ");
    for language in ["es", "gu", "hi", "kn", "mr", "pt", "ta"] {
        let answer = get_in(&server, &path, language);
        for option in english.body["options"].as_array().unwrap().iter().filter(|option| option["group"] == "table") {
            let name = option["name"].as_str().unwrap();
            assert_ne!(text(&answer, name), text(&english, name), "{language} {name}");
        }
    }
    let request = server.request("PATCH", &path).bearer_auth(&asha.token).header("Accept-Language", "kn");
    let changed = got(request.json(&json!({"options": {"time_per_turn": 45}})).send().unwrap());
    assert_eq!((changed.status, said(&changed).0.split(", ").next()), (200, Some("kn")));
    assert_eq!(text(&changed, "bet"), text(&kannada, "bet"));
}

on_both_stores!(lists_say_in_which_language_each_title_is);
fn lists_say_in_which_language_each_title_is(data: TestStore) {
    let server = Server::start(&data);
    let published = server.post("/v1/rule-sets", json!({"text": VARIANT}));
    assert_eq!(published.status, 201, "{}", published.raw);
    let list = get_in(&server, "/v1/rule-sets", "hi");
    assert_eq!(said(&list), ("hi, en", true));
    let title = |id: &str| {
        let listed = list.body["rule_sets"].as_array().unwrap().iter().find(|set| set["id"] == id).unwrap();
        (listed["title"].as_str().unwrap().to_owned(), listed["language"].as_str().unwrap().to_owned())
    };
    assert_eq!(title("chaupar").1, "hi");
    assert_eq!(title("garden-pagade"), ("Garden Pagade".into(), "en".into()), "nobody has translated it");
    assert_eq!(said(&get_in(&server, "/v1/rule-sets/pagade/versions", "hi")), ("hi", true));
}

on_both_stores!(a_published_rule_set_brings_its_translations);
fn a_published_rule_set_brings_its_translations(data: TestStore) {
    let mut server = Server::start(&data);
    let wish = json!({"text": VARIANT, "translations": [KANNADA]});
    let checked = server.post("/v1/rule-checks", wish.clone()).body;
    assert_eq!((&checked["playable"], &checked["missing_texts"]), (&json!(true), &json!([])), "{checked}");
    let found = &checked["translations"][0];
    assert_eq!(
        (&found["language"], &found["checked"], &found["problems"]),
        (&json!("kn"), &json!("a neighbour"), &json!([]))
    );
    let missing = found["missing"].as_array().unwrap();
    assert!(missing.contains(&json!("seats.black")) && !missing.contains(&json!("seats.red")), "{missing:?}");
    assert_eq!(server.post("/v1/rule-sets", wish).status, 201);

    server.stop();
    let server = Server::start(&data);
    let read = get_in(&server, "/v1/rule-sets/garden-pagade", "kn");
    assert_eq!(read.text("/title"), "ತೋಟದ ಪಗಡೆ");
    let texts = &read.body["texts"];
    assert_eq!(
        (&texts["seats.red"], &texts["seats.black"]),
        (&json!("ಗುಲಾಬಿ"), &json!("ಕಪ್ಪು")),
        "the base is translated"
    );
    // A rule set that extends this variant has the variant's translations, too.
    let grandchild = "rules: lawn-pagade\nversion: 1.0.0\ntitle: Lawn Pagade\nextends: garden-pagade\n";
    assert_eq!(server.post("/v1/rule-sets", json!({"text": grandchild})).status, 201);
    let read = get_in(&server, "/v1/rule-sets/lawn-pagade", "kn");
    assert_eq!((read.text("/title"), &read.body["texts"]["seats.red"]), ("Lawn Pagade".into(), &json!("ಗುಲಾಬಿ")));
}

on_both_stores!(a_translation_with_mistakes_is_refused_with_every_place);
fn a_translation_with_mistakes_is_refused_with_every_place(data: TestStore) {
    let server = Server::start(&data);
    let publish = |translations: serde_json::Value| {
        server.post("/v1/rule-sets", json!({"text": VARIANT, "translations": translations}))
    };
    let bad = "translation: kn\nchecked: nobody yet\ntexts:\n  chairs: {Rose: x}\n  seats: {\"{seat}\": x}\n";
    let refused = publish(json!([KANNADA, bad.replace("kn", "hi")]));
    assert_eq!(refused.problem(), (422, "rule_text_invalid"));
    let places = refused.body["problems"].as_array().unwrap().iter();
    let places: Vec<_> = places.map(|told| json!([told["pointer"], told["line"], told["column"]])).collect();
    assert_eq!(places, [json!(["/translations/1", 4, 3]), json!(["/translations/1", 5, 21])], "{}", refused.raw);
    let twice = publish(json!([KANNADA, KANNADA]));
    assert_eq!((twice.problem(), twice.text("/problems/0/args/language")), ((422, "rule_text_invalid"), "kn".into()));
    assert_eq!(publish(json!(vec![KANNADA; 17])).problem(), (422, "body_invalid"));
    assert_eq!(publish(json!(["x".repeat(300_000)])).problem(), (422, "rule_text_invalid"));
    let stale = KANNADA.replace("Rose", "Roze");
    let checked = server.post("/v1/rule-checks", json!({"text": VARIANT, "translations": [stale]})).body;
    let problem = &checked["translations"][0]["problems"][0];
    assert_eq!(
        (&problem["code"], &problem["severity"], &problem["line"]),
        (&json!("text-unused"), &json!("warning"), &json!(5))
    );
    let unnamed =
        "rules: bare\nversion: 1.0.0\ntitle: Bare\nextends: pagade\ncounters: {seat: {laps: {from: 0, to: 9}}}\n";
    let checked = server.post("/v1/rule-checks", json!({"text": unnamed})).body;
    assert_eq!(checked["missing_texts"], json!(["counters.seat.laps"]), "{checked}");
}

on_both_stores!(legal_actions_have_texts_and_their_etag_follows_the_language);
fn legal_actions_have_texts_and_their_etag_follows_the_language(data: TestStore) {
    let server = Server::start(&data);
    let mut game = server.hot_seat(json!({"dice": "players"}));
    game.throw("3+4");
    let path = game.path("/legal");
    let english = server.get(&path);
    assert_eq!(said(&english), ("en", true));
    let action = &english.body["legal"][0];
    assert!(action["text"].as_str().unwrap().starts_with("A pawn takes"), "{action}");
    let kannada = get_in(&server, &path, "kn");
    let (plain, tagged) = (english.header("etag").to_owned(), kannada.header("etag").to_owned());
    assert_eq!(tagged, format!("\"{}-kn\"", plain.trim_matches('"')));
    let seen = |tag: &str, languages: &str| {
        let request = server.request("GET", &path).header("If-None-Match", tag).header("Accept-Language", languages);
        got(request.send().unwrap()).status
    };
    assert_eq!((seen(&plain, "en"), seen(&tagged, "kn")), (304, 304));
    assert_eq!((seen(&plain, "kn"), seen(&tagged, "en"), seen(&tagged, "hi")), (200, 200, 200));
    // The `ETag` of the answer in any language contains the version of the game.
    let text = action["action"].as_str().unwrap();
    let command = server.request("POST", &game.path("/actions")).bearer_auth(&game.token);
    assert_eq!(got(command.header("If-Match", &tagged).json(&json!({"actions": [text]})).send().unwrap()).status, 200);
}

on_both_stores!(a_problem_carries_its_values_and_is_said_in_the_language_of_the_client);
fn a_problem_carries_its_values_and_is_said_in_the_language_of_the_client(data: TestStore) {
    let server = Server::start(&data);
    let english = server.get("/v1/rule-sets/chess?version=9");
    assert_eq!(said(&english), ("en", true));
    assert_eq!(english.text("/title"), "There is no such rule set");
    assert_eq!(english.body["args"], json!({"id": "chess", "version": "9"}));
    let kannada = get_in(&server, "/v1/rule-sets/chess?version=9", "kn-IN");
    assert_eq!(said(&kannada), ("kn", true));
    assert_eq!(kannada.text("/title"), "ಅಂಥ ನಿಯಮಗುಚ್ಛ ಇಲ್ಲ");
    assert_eq!(kannada.text("/detail"), "`chess` ನಿಯಮಗುಚ್ಛದ `9` ಆವೃತ್ತಿ ಇಲ್ಲ");
    assert_eq!((&kannada.body["code"], &kannada.body["args"]), (&english.body["code"], &english.body["args"]));

    // In the field `args`, numbers stay numbers and lists stay lists. Each mistake has its own values.
    let wrong = |languages: &str| {
        let body = json!({"rule_set": "pagade", "turn_timer": {"seconds": 0}, "dice": "mine"});
        got(server.request("POST", "/v1/games").header("Accept-Language", languages).json(&body).send().unwrap())
    };
    let (english, spanish) = (wrong("en"), wrong("es-CO, en;q=0.1"));
    let parts = english.body["problems"].as_array().unwrap();
    let part = |pointer: &str| parts.iter().find(|part| part["pointer"] == pointer).unwrap();
    assert_eq!(part("/turn_timer/seconds")["args"], json!({"value": "`0`", "least": 1, "most": 1_209_600}));
    assert_eq!(part("/dice")["args"], json!({"value": "`mine`", "words": ["server", "players"]}));
    assert_eq!((said(&spanish).0, english.body["args"]["count"].as_u64()), ("es", Some(1)));
    for (one, other) in parts.iter().zip(spanish.body["problems"].as_array().unwrap()) {
        assert_ne!(one["detail"], other["detail"]);
        assert_eq!((&one["args"], &one["pointer"]), (&other["args"], &other["pointer"]));
    }
    assert!(spanish.text("/detail").contains(spanish.body["problems"][0]["detail"].as_str().unwrap()));
    // The problem of a request without a handler is translated, too.
    let nowhere = get_in(&server, "/v1/nowhere", "hi");
    assert_eq!((nowhere.problem(), said(&nowhere).0), ((404, "route_not_found"), "hi"));
    assert_eq!(nowhere.body["args"], json!({"path": "/v1/nowhere"}));
    // Braces in a value from the request are not filled in.
    let odd = get_in(&server, "/v1/problems/%7Bcode%7D", "hi");
    assert_eq!(odd.body["args"], json!({"code": "{code}"}));
}

on_both_stores!(the_codes_are_listed_in_every_language);
fn the_codes_are_listed_in_every_language(data: TestStore) {
    let server = Server::start(&data);
    let english = server.get("/v1/problems");
    for language in ["es", "gu", "hi", "kn", "mr", "pt", "ta"] {
        let listed = get_in(&server, "/v1/problems", language);
        assert_eq!(said(&listed), (language, true));
        let codes =
            english.body["problems"].as_array().unwrap().iter().zip(listed.body["problems"].as_array().unwrap());
        for (english, other) in codes {
            assert_eq!(english["code"], other["code"]);
            assert_ne!(english["title"], other["title"], "{language}");
            assert_ne!(english["help"], other["help"], "{language}");
        }
        let one = get_in(&server, "/v1/problems/seat_taken", language);
        assert_eq!(said(&one).0, language);
    }
}

on_both_stores!(advice_and_reasons_of_the_rules_are_translated);
fn advice_and_reasons_of_the_rules_are_translated(data: TestStore) {
    let server = Server::start(&data);
    let in_spanish = |path: &str| server.request("POST", path).header("Accept-Language", "es");
    let part = |body: Value| {
        let refused = got(in_spanish("/v1/games").json(&body).send().unwrap());
        assert_eq!((refused.problem(), said(&refused).0), ((422, "body_invalid"), "es"));
        let part = &refused.body["problems"][0];
        ["detail", "help"].map(|field| part[field].as_str().unwrap_or_default().to_owned())
    };
    let wrong_option = |options: Value| part(json!({"rule_set": "pagade", "options": options}));
    assert_eq!(
        wrong_option(json!({"dice_uze": "most"})),
        ["No existe la opción `dice_uze`", "¿Querías decir `dice_use`?"]
    );
    let [detail, help] = wrong_option(json!({"dice_use": "zzz"}));
    assert_eq!(detail, "`dice_use` no puede ser `zzz`");
    assert!(help.starts_with("Una de: `"), "{help}");
    let players = part(json!({"rule_set": "pagade", "players": ["rad", "yellow"]}));
    assert_eq!(players, ["Ningún asiento se llama `rad`", "¿Querías decir `red`?"]);
    let [detail, help] = part(json!({"rule_set": "pagade", "players": ["red", "black", "yellow"]}));
    assert!(detail.starts_with("`red`, `black`, `yellow` no forman una mesa"), "{detail}");
    assert!(help.starts_with("Una de: `"), "{help}");

    // The reason why a record is refused is translated, too, and names the line.
    let imported = |record: &str| {
        let refused =
            got(in_spanish("/v1/records").header("Content-Type", "text/plain").body(record.to_owned()).send().unwrap());
        assert_eq!(refused.problem(), (422, "record_invalid"));
        let part = &refused.body["problems"][0];
        (part["line"].as_u64().unwrap(), part["detail"].as_str().unwrap().to_owned())
    };
    let head = "# rule set: pagade\n# players: red yellow\n";
    assert_eq!(imported("# colour: red\n"), (1, "`colour` no es una clave de la cabecera".to_owned()));
    assert_eq!(imported(head), (1, "El registro no tiene ningún turno".to_owned()));
    let (line, detail) = imported(&format!("{head}1. red: throw 3+9\n"));
    assert_eq!((line, detail.split(':').next()), (3, Some("`3+9` no puede salir")), "{detail}");
}
