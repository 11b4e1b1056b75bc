use pagade_rules::{bundled, scenario, perft};
#[test]
fn run() {
    for f in ["pagade", "pagade-partnership"] {
        let text = std::fs::read_to_string(format!("/work/shared/scenarios/{f}.yaml")).unwrap();
        let r = scenario::run(f, &text, &|id| bundled::ruleset(id).map(std::sync::Arc::new).ok_or("none".to_string()));
        match r { Ok(r) => { println!("{f}: {} passed {} failed", r.passed(), r.failed()); for x in r.failures() { println!("{x}"); } } Err(e) => println!("{e:?}") }
    }
    let rs = bundled::ruleset("pagade").unwrap();
    for two in [false, true] {
        let names = vec!["red".to_string(), "yellow".to_string()];
        let rules = rs.table(&Default::default(), two.then_some(&names[..])).unwrap();
        for d in 1..=3 { println!("{} {}", d, perft::perft(&rules, &rules.opening(rules.players[0]), d)); }
    }
}
