//! Tests the page as browsers get it: its files, and the headers that protect it.

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
    let games = ["/play/01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11", "/watch/no-game", "/rules/pagade", "/lab"];
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
