//! The program.

use std::net::SocketAddr;
use std::process::ExitCode;

use pagade::config::ServeConfig;
use pagade::serve;

fn main() -> ExitCode {
    tracing_subscriber::fmt().with_writer(std::io::stderr).init();
    match actix_web::rt::System::new().block_on(serve::serve(ServeConfig::default(), greet)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn greet(addresses: &[SocketAddr]) {
    for address in addresses {
        println!("{}", serve::greeting(*address));
    }
}
