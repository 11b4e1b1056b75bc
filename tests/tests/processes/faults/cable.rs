//! A proxy between clients and a server. It can slow or cut the connections, and lose answers.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// A proxy that forwards all connections from its port to another port.
pub(crate) struct Cable {
    /// The address to which clients connect.
    pub address: SocketAddr,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    /// The address to which connections are forwarded. `None` until it is known.
    target: Mutex<Option<SocketAddr>>,
    open: Mutex<Vec<TcpStream>>,
    /// The delay of each chunk of bytes, in milliseconds.
    delay: AtomicU64,
    /// Whether answers are lost. The connection of a lost answer is cut.
    loses_answers: AtomicBool,
}

impl Cable {
    /// Makes a cable to an address. With `None`, [`Cable::lead_to`] sets the address later.
    pub(crate) fn to(target: Option<SocketAddr>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("it has an address");
        let state = Arc::new(State { target: Mutex::new(target), ..State::default() });
        let shared = Arc::clone(&state);
        // The thread runs until the process ends. That is harmless, because a test has few cables.
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let target = *shared.target.lock().unwrap_or_else(PoisonError::into_inner);
                let Some(server) = target.and_then(|target| TcpStream::connect(target).ok()) else { continue };
                shared.connect(&client, &server);
            }
        });
        Self { address, state }
    }

    /// Forwards new connections to another address.
    pub(crate) fn lead_to(&self, target: SocketAddr) {
        *self.state.target.lock().unwrap_or_else(PoisonError::into_inner) = Some(target);
    }

    /// Cuts all open connections, even in the middle of a message.
    pub(crate) fn cut(&self) {
        for stream in self.state.open.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    /// Delays each chunk of bytes by this time.
    pub(crate) fn slow(&self, delay: Duration) {
        self.state.delay.store(delay.as_millis() as u64, Ordering::Relaxed);
    }

    /// Sets whether answers are lost. Requests still arrive at the server.
    pub(crate) fn lose_answers(&self, lost: bool) {
        self.state.loses_answers.store(lost, Ordering::Relaxed);
    }
}

impl State {
    fn connect(self: &Arc<Self>, client: &TcpStream, server: &TcpStream) {
        let copy = |stream: &TcpStream| {
            let _ = stream.set_nodelay(true);
            stream.try_clone()
        };
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        // Closed connections are removed from the list only when it has grown long.
        if open.len() > 500 {
            open.retain(|stream| stream.peer_addr().is_ok());
        }
        let ways = [(copy(client), copy(server), false), (copy(server), copy(client), true)];
        for (from, to, answers) in ways {
            let (Ok(from), Ok(to), Ok(kept)) = (from, to, copy(client)) else { return };
            open.push(kept);
            let shared = Arc::clone(self);
            thread::spawn(move || shared.carry(from, to, answers));
        }
    }

    fn carry(&self, mut from: TcpStream, mut to: TcpStream, answers: bool) {
        let mut buffer = [0; 16 * 1024];
        while let Ok(read @ 1..) = from.read(&mut buffer) {
            let delay = self.delay.load(Ordering::Relaxed);
            if delay > 0 {
                thread::sleep(Duration::from_millis(delay));
            }
            let is_lost = answers && self.loses_answers.load(Ordering::Relaxed);
            if is_lost || to.write_all(&buffer[..read]).is_err() {
                break;
            }
        }
        let _ = from.shutdown(Shutdown::Both);
        let _ = to.shutdown(Shutdown::Both);
    }
}
