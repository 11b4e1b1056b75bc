//! The `pagade` program: the service, and the tools for rule authors.

mod cli;

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// Every request allocates many small, short-lived blocks; mimalloc does this faster than the system allocator.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    cli::run()
}
