//! Tests the page as browsers get it: its files, and the headers that protect it.

use pagade::config::{Oidc, PublicClient};
use serde_json::json;

use crate::harness::{Server, TestStore};

/// The files that an HTML text names: values of `src` and `href` below `/assets/`.
fn files(html: &str) -> Vec<String> {
    html.split('"').filter(|part| part.starts_with("/assets/")).map(str::to_owned).collect()
}

#[test]
fn the_page_comes_with_its_files_and_loads_nothing_else() {
    let server = Server::start(&TestStore::new());
    let page = server.get("/");
    let tables = ["/tables", "/tables/no-table", "/tournaments", "/tournaments/01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e17"];
    let players = ["/leaderboards", "/leaderboards/pagade", "/players/01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11"];
    let games = ["/play/01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11", "/watch/no-game", "/rules/pagade", "/lab", "/signed-in"];
    for path in games.into_iter().chain(tables).chain(players) {
        assert_eq!(server.get(path).raw, page.raw, "{path}");
    }
    assert_eq!((page.status, page.header("content-type")), (200, "text/html; charset=utf-8"));
    assert_eq!(page.header("cache-control"), "no-cache");
    let policy = page.header("content-security-policy");
    assert!(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self';"), "{policy}");
    assert!(!policy.contains("unsafe") && !policy.contains('*'), "{policy}");
    let html = &page.raw;
    assert!(!html.contains("//") && !html.contains("<style") && !html.contains("style="), "{html}");

    let named = files(html);
    assert!(named.len() >= 3, "{named:?}");
    for file in named {
        let answer = server.get(&file);
        assert_eq!(
            (answer.status, answer.header("cache-control")),
            (200, "public, max-age=31536000, immutable"),
            "{file}"
        );
        let tag = answer.header("etag").to_owned();
        let again = server.request("GET", &file).header("If-None-Match", &tag).send().unwrap();
        assert_eq!((again.status().as_u16(), again.bytes().unwrap().len()), (304, 0), "{file}");
    }
    assert_eq!(server.get("/assets/no-such-file.js").status, 404);
    assert_eq!(server.get("/play").status, 404);
}

#[test]
fn the_page_may_ask_the_identity_provider_only_if_it_signs_people_in_there() {
    let provider = |client: Option<&str>| Oidc {
        client: client.map(|id| PublicClient { id: id.to_owned(), scope: "openid profile".to_owned() }),
        ..Oidc::new("https://accounts.example:8443/realms/games", "pagade")
    };
    let answers = |oidc: Option<Oidc>| {
        let server = Server::start_with(&TestStore::new(), |config| config.oidc = oidc);
        let page = server.get("/");
        let policy = page.header("content-security-policy").to_owned();
        let connect = policy.split("; ").find(|part| part.starts_with("connect-src")).unwrap().to_owned();
        (connect, page.header("etag").to_owned(), server.get("/v1/sign-in").body)
    };
    let without = answers(None);
    assert_eq!((without.0.as_str(), &without.2), ("connect-src 'self'", &json!({})));
    let of_apps_only = answers(Some(provider(None)));
    assert_eq!((of_apps_only.0.as_str(), &of_apps_only.2), ("connect-src 'self'", &json!({})));
    let (connect, tag, sign_in) = answers(Some(provider(Some("page"))));
    assert_eq!(connect, "connect-src 'self' https://accounts.example:8443");
    assert_ne!(tag, without.1, "a browser does not keep the page with the other policy");
    let expected = json!({"issuer": "https://accounts.example:8443/realms/games", "client_id": "page",
        "scope": "openid profile", "audience": "pagade"});
    assert_eq!(sign_in, json!({ "provider": expected }));
}
