//! The `pagade` program: the service, and the tools of rule authors.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
