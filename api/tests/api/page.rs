//! Tests the page as browsers get it: its files, and the headers that protect it.

use std::time::{Duration, Instant};

use pagade::config::{Oidc, PublicClient};
use pagade_tests::issuer::TestIssuer;
use pagade_tests::wait::until;
use serde_json::json;

use crate::harness::{Server, TestStore, got};

/// The settings of an identity provider at which the page signs people in.
fn with_sign_in(issuer: &str) -> Oidc {
    let client = PublicClient { id: "page".to_owned(), scope: "openid profile".to_owned() };
    Oidc { client: Some(client), pause: Duration::from_millis(300), ..Oidc::new(issuer, "pagade") }
}

/// The servers to which the Content-Security-Policy lets the page at this path send requests.
fn servers_of(server: &Server, path: &str) -> String {
    let page = server.get(path);
    let policy = page.header("content-security-policy").to_owned();
    policy.split("; ").find(|part| part.starts_with("connect-src")).unwrap().to_owned()
}

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
    let issuer = "https://accounts.example:8443/realms/games";
    let answers = |oidc: Option<Oidc>| {
        let server = Server::start_with(&TestStore::new(), |config| config.oidc = oidc);
        let tag = server.get("/").header("etag").to_owned();
        (servers_of(&server, "/"), tag, server.get("/v1/sign-in").body)
    };
    let without = answers(None);
    assert_eq!((without.0.as_str(), &without.2), ("connect-src 'self'", &json!({})));
    let of_apps_only = answers(Some(Oidc::new(issuer, "pagade")));
    assert_eq!((of_apps_only.0.as_str(), &of_apps_only.2), ("connect-src 'self'", &json!({})));
    let (connect, tag, sign_in) = answers(Some(with_sign_in(issuer)));
    assert_eq!(connect, "connect-src 'self' https://accounts.example:8443");
    assert_ne!(tag, without.1, "a browser does not keep the page with the other policy");
    let expected = json!({"issuer": "https://accounts.example:8443/realms/games", "client_id": "page",
        "scope": "openid profile", "audience": "pagade"});
    assert_eq!(sign_in, json!({ "provider": expected }));
}

#[test]
fn the_page_may_ask_the_token_endpoint_that_the_provider_has_at_another_origin() {
    let issuer = TestIssuer::start();
    let elsewhere = "http://sign-in.example:8444/oauth2/token";
    issuer.exchanges_at(&issuer.url, elsewhere);
    let server = Server::start_with(&TestStore::new(), |config| config.oidc = Some(with_sign_in(&issuer.url)));
    let both = format!("connect-src 'self' {} http://sign-in.example:8444", issuer.url);
    assert_eq!(server.get("/v1/sign-in").text("/provider/token_endpoint"), elsewhere);
    assert_eq!(servers_of(&server, "/"), both);
    assert_eq!(servers_of(&server, "/signed-in"), both);
    // The description that was read stays in use while the provider is down.
    issuer.is_down(true);
    assert_eq!(servers_of(&server, "/signed-in"), both);
}

#[test]
fn the_page_may_ask_no_token_endpoint_that_is_not_the_providers_or_not_as_safe() {
    let issuer = TestIssuer::start();
    let server_at = |url: &str| {
        let oidc = Some(with_sign_in(url));
        Server::start_with(&TestStore::new(), |config| config.oidc = oidc)
    };
    let refused = |issuer_name: &str, endpoint: &str| {
        issuer.exchanges_at(issuer_name, endpoint);
        let server = server_at(&issuer.url);
        assert_eq!(server.get("/v1/sign-in").body["provider"]["token_endpoint"], json!(null), "{endpoint}");
        assert_eq!(servers_of(&server, "/"), format!("connect-src 'self' {}", issuer.url), "{endpoint}");
    };
    refused("https://accounts.example", "http://elsewhere.example/token");
    for endpoint in ["data:text/plain,token", "token", "ftp://elsewhere.example/token", "http://", ""] {
        refused(&issuer.url, endpoint);
    }
    // The address of an endpoint cannot add a directive to the Content-Security-Policy.
    issuer.exchanges_at(&issuer.url, "http://elsewhere.example/;script-src * 'unsafe-inline'");
    assert_eq!(
        servers_of(&server_at(&issuer.url), "/"),
        format!("connect-src 'self' {} http://elsewhere.example", issuer.url)
    );
}

#[test]
fn a_provider_that_is_down_does_not_keep_the_page_waiting() {
    // The provider accepts connections and never answers.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", silent.local_addr().unwrap());
    let server = Server::start_with(&TestStore::new(), |config| config.oidc = Some(with_sign_in(&url)));
    let began = Instant::now();
    assert_eq!(servers_of(&server, "/"), format!("connect-src 'self' {url}"));
    assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());

    let issuer = TestIssuer::start();
    issuer.exchanges_at(&issuer.url, "http://sign-in.example/token");
    issuer.is_down(true);
    let server = Server::start_with(&TestStore::new(), |config| config.oidc = Some(with_sign_in(&issuer.url)));
    assert_eq!(server.get("/v1/sign-in").body["provider"]["token_endpoint"], json!(null));
    issuer.is_down(false);
    until("the description is read again after a pause", || servers_of(&server, "/").ends_with("sign-in.example"));
}

#[test]
fn a_browser_at_an_unknown_address_gets_the_page_and_a_client_a_problem() {
    let data = TestStore::new();
    let server = Server::start(&data);
    let open = |path: &str, accept: &str| got(server.request("GET", path).header("Accept", accept).send().unwrap());
    let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    let page = open("/nowhere", browser);
    assert_eq!((page.status, page.header("content-type")), (404, "text/html; charset=utf-8"));
    assert!(page.raw.contains("<title>Pagade</title>") && !page.header("content-security-policy").is_empty());
    assert_eq!(open("/nowhere", "*/*").problem(), (404, "route_not_found"));
    assert_eq!(open("/v1/nowhere", browser).problem(), (404, "route_not_found"));
}
