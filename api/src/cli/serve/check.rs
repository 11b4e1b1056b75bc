//! `pagade serve --check`: shows the settings, and tests whether the service would start.

use std::net::TcpListener;

use pagade::store::embedded::{Embedded, StoreState};
use pagade::store::redis::Redis;
use serde::Serialize;

use super::args::{Args, admin, filter, oidc, scoring, tracing};
use super::settings::{ServeSetting, SettingOrigin};
use crate::cli::ending::{CommandEnding, CommandError, print, print_json};

/// The result of `serve --check`. The JSON output has these field names.
#[derive(Debug, Serialize)]
struct CheckReport<'s> {
    settings: &'s [ServeSetting],
    /// State of the store; `None` if it cannot be opened.
    store: Option<String>,
    /// Settings that work but are risky.
    warnings: Vec<String>,
    /// Reasons why the service would not start.
    errors: Vec<String>,
}

/// Checks the store, the address, the admin token, the identity provider, the season, the awards, the traces and the
/// log filter as the service does at its start, and prints the report.
pub(super) fn run(args: &Args, applied: &[ServeSetting]) -> Result<CommandEnding, CommandError> {
    let mut report = CheckReport { settings: applied, store: None, warnings: Vec::new(), errors: Vec::new() };
    report.check_store(args);
    report.check_settings(args);
    if args.json {
        print_json(&report)?
    } else {
        print(report.text())?
    }
    match report.errors.len() {
        0 => Ok(CommandEnding::Fine),
        1 => Err(CommandError("the service would not start".to_owned())),
        errors => Err(CommandError(format!("the service would not start, for {errors} reasons"))),
    }
}

impl CheckReport<'_> {
    fn check_store(&mut self, args: &Args) {
        let state = match &args.store {
            None => Embedded::examine(&args.data).map(|found| {
                let directory = args.data.display();
                match found {
                    StoreState::Nothing => format!("`{directory}` has no store yet: the service creates it when it starts"),
                    StoreState::Entities(count) => {
                        format!("`{directory}` has games, groups, players and others: {count} entities")
                    }
                    StoreState::NotClosed => {
                        format!("`{directory}` was not closed: the service repairs it when it starts, which may take a while")
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
        match state {
            Ok(state) => self.store = Some(state),
            Err(error) => self.errors.push(format!("cannot open the store: {error}")),
        }
    }

    fn check_settings(&mut self, args: &Args) {
        if let Err(error) = TcpListener::bind(args.listen) {
            self.errors.push(format!("cannot listen on `{}`: {error}", args.listen));
        }
        self.errors.extend(admin(args).err().map(|CommandError(error)| error));
        self.errors.extend(oidc(args).err().map(|CommandError(error)| error));
        self.errors.extend(scoring(args).err().map(|CommandError(error)| error));
        self.errors.extend(tracing(args).err().map(|CommandError(error)| error));
        self.errors.extend(filter(args).err().map(|CommandError(error)| error));
        let is_flag = |name: &str| {
            self.settings.iter().any(|setting| setting.name == name && setting.from == SettingOrigin::Flag)
        };
        let has_password = args.store.as_ref().is_some_and(|address| address.contains('@'));
        if is_flag("admin-token") || has_password && is_flag("store") {
            self.warnings.push(
                "a secret is given as a flag: other users of the machine can read it; set its variable instead"
                    .to_owned(),
            );
        }
        if args.unlimited && !args.listen.ip().is_loopback() {
            self.warnings.push("rate limits are off although other machines can connect (`unlimited`)".to_owned());
        }
        if args.webhooks_private {
            self.warnings.push(
                "clients can make the service send requests to private addresses of this network (`webhooks-private`)"
                    .to_owned(),
            );
        }
    }

    fn text(&self) -> String {
        let width =
            |of: fn(&ServeSetting) -> &str| self.settings.iter().map(|setting| of(setting).len()).max().unwrap_or(0);
        let (names, values) = (width(|setting| &setting.name), width(|setting| &setting.value).min(40));
        let mut lines = vec![format!("{:names$}  {:values$}  from", "setting", "value")];
        lines.extend(self.settings.iter().map(|ServeSetting { name, variable, value, from }| {
            let from = if *from == SettingOrigin::Variable { variable } else { from.word() };
            format!("{name:names$}  {value:values$}  {from}")
        }));
        lines.push(String::new());
        lines.extend(self.store.iter().map(|store| format!("store: {store}")));
        lines.extend(self.warnings.iter().map(|warning| format!("warning: {warning}")));
        lines.extend(self.errors.iter().map(|error| format!("error: {error}")));
        if self.errors.is_empty() {
            lines.push("the service would start".to_owned());
        }
        lines.join("\n")
    }
}
