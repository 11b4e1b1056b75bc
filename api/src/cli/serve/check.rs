//! `pagade serve --check`: what it would do, and whether it could.

use std::net::TcpListener;

use pagade::store::embedded::{Embedded, Found};
use pagade::store::redis::Redis;
use serde::Serialize;

use super::args::{Args, admin, filter, tracing};
use super::settings::{Origin, Setting};
use crate::cli::ending::{Ending, Unreadable, print, print_json};

/// What was found.
#[derive(Debug, Serialize)]
struct Findings<'s> {
    settings: &'s [Setting],
    /// What the store is like, where it would open.
    store: Option<String>,
    /// What would be warned of.
    warnings: Vec<String>,
    /// Why it would not start.
    errors: Vec<String>,
}

/// Tells what applies, and what would become of it.
pub fn run(args: &Args, applied: &[Setting]) -> Result<Ending, Unreadable> {
    let mut findings = Findings { settings: applied, store: None, warnings: Vec::new(), errors: Vec::new() };
    findings.look_at_store(args);
    findings.look_at_the_rest(args);
    if args.json {
        print_json(&findings)?
    } else {
        print(findings.text())?
    }
    match findings.errors.len() {
        0 => Ok(Ending::Fine),
        1 => Err(Unreadable("it would not start".to_owned())),
        errors => Err(Unreadable(format!("it would not start, for {errors} reasons"))),
    }
}

impl Findings<'_> {
    fn look_at_store(&mut self, args: &Args) {
        let found = match &args.store {
            None => Embedded::examine(&args.data).map(|found| {
                let shown = args.data.display();
                match found {
                    Found::Nothing => format!("`{shown}` has no games yet: the store is made at the start"),
                    Found::Entities(games) => format!("`{shown}` has {games} games"),
                    Found::NotClosed => {
                        format!("`{shown}` was not closed: it is put right at the start, which may take a while")
                    }
                }
            }),
            Some(address) => {
                let examined = pagade::serve::block_on(Redis::examine(address));
                examined.map(|warnings| {
                    self.warnings.extend(warnings);
                    "Redis answers".to_owned()
                })
            }
        };
        match found {
            Ok(found) => self.store = Some(found),
            Err(error) => self.errors.push(format!("the store does not open: {error}")),
        }
    }

    fn look_at_the_rest(&mut self, args: &Args) {
        if let Err(error) = TcpListener::bind(args.listen) {
            self.errors.push(format!("`{}` cannot be listened at: {error}", args.listen));
        }
        self.errors.extend(admin(args).err().map(|Unreadable(error)| error));
        self.errors.extend(tracing(args).err().map(|Unreadable(error)| error));
        self.errors.extend(filter(args).err().map(|Unreadable(error)| error));
        let is_flag =
            |name: &str| self.settings.iter().any(|setting| setting.name == name && setting.from == Origin::Flag);
        let has_password = args.store.as_ref().is_some_and(|address| address.contains('@'));
        if is_flag("admin-token") || has_password && is_flag("store") {
            self.warnings.push(
                "a secret is given as a flag: other users of the machine see it; give it by its variable".to_owned(),
            );
        }
        if args.unlimited && !args.listen.ip().is_loopback() {
            self.warnings.push("clients may ask as often as they like (`unlimited`)".to_owned());
        }
        if args.webhooks_private {
            self.warnings.push("whoever creates a game may have this network asked (`webhooks-private`)".to_owned());
        }
    }

    fn text(&self) -> String {
        let width = |of: fn(&Setting) -> &str| self.settings.iter().map(|setting| of(setting).len()).max().unwrap_or(0);
        let (names, values) = (width(|setting| &setting.name), width(|setting| &setting.value).min(40));
        let mut lines = vec![format!("{:names$}  {:values$}  from", "setting", "value")];
        lines.extend(self.settings.iter().map(|Setting { name, variable, value, from }| {
            let from = if *from == Origin::Variable { variable } else { from.word() };
            format!("{name:names$}  {value:values$}  {from}")
        }));
        lines.push(String::new());
        lines.extend(self.store.iter().map(|store| format!("store: {store}")));
        lines.extend(self.warnings.iter().map(|warning| format!("warning: {warning}")));
        lines.extend(self.errors.iter().map(|error| format!("error: {error}")));
        if self.errors.is_empty() {
            lines.push("it would start".to_owned());
        }
        lines.join("\n")
    }
}
