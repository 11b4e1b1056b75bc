//! The `pagade` program: the service, and the tools of rule authors.

mod cli;

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// A request takes many small pieces of memory for a short time.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    cli::run()
}
