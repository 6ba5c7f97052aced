//! A fake server for tests: it sends prepared replies and records requests.

use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use store::Address;

use super::{DatabaseAddress, RowBuffer, Server, TimeLimits};

/// A prepared reply to one query.
#[derive(Clone, Debug)]
pub enum Reply {
    /// Status, headers and body.
    Status(u16, Vec<(&'static str, &'static str)>, Vec<u8>),
    /// Complete headers, but only these bytes of the body; then the connection is closed.
    Cut(Vec<u8>),
    /// No reply: the connection is closed.
    Close,
    /// No reply: the connection stays open.
    Hang,
}

/// A recorded request.
#[derive(Clone, Debug, Default)]
pub struct RecordedRequest {
    /// Path and query string.
    pub url: String,
    /// All headers as one text.
    pub headers: String,
    /// The request body.
    pub body: String,
}

#[derive(Debug, Default)]
struct FakeState {
    replies: VecDeque<Reply>,
    asked: Vec<RecordedRequest>,
    /// Queries for the user's settings.
    for_settings: Vec<RecordedRequest>,
    /// Reply to the query for the user's settings.
    settings: Vec<(&'static str, &'static str)>,
}

/// A fake server; it runs until the process ends.
#[derive(Clone, Debug)]
pub struct FakeServer {
    host: String,
    state: Arc<Mutex<FakeState>>,
}

impl FakeServer {
    /// Starts a server whose user can read and change settings.
    pub fn start() -> Self {
        let state = Arc::new(Mutex::new(FakeState {
            settings: vec![("readonly", "2"), ("skip_unavailable_shards", "0")],
            ..FakeState::default()
        }));
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let host = listener.local_addr().unwrap().to_string();
        let shared = Arc::clone(&state);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let state = Arc::clone(&shared);
                // A client that disconnects is not an error.
                thread::spawn(move || drop(answer(stream, &state)));
            }
        });
        Self { host, state }
    }

    /// Queues a reply for the next query.
    pub fn reply(&self, reply: Reply) {
        self.state.lock().unwrap().replies.push_back(reply);
    }

    /// Queues rows as the reply to the next query.
    pub fn rows(&self, rows: &[u8]) {
        self.reply(Reply::Status(200, Vec::new(), rows.to_vec()));
    }

    /// Sets the reply to the query for the user's settings.
    pub fn settings(&self, settings: [(&'static str, &'static str); 2]) {
        self.state.lock().unwrap().settings = settings.to_vec();
    }

    /// Returns the recorded requests, except those for settings.
    pub fn asked(&self) -> Vec<RecordedRequest> {
        self.state.lock().unwrap().asked.clone()
    }

    /// Returns the recorded requests for settings.
    pub fn asked_for_settings(&self) -> Vec<RecordedRequest> {
        self.state.lock().unwrap().for_settings.clone()
    }

    /// Returns a client of this server, with `whole` as the time limit.
    pub fn server(&self, password: &str, whole: Duration) -> Server {
        self.at(self.host.parse().unwrap(), password, whole)
    }

    /// Returns a client of a server at another host.
    pub fn at(&self, host: SocketAddr, password: &str, whole: Duration) -> Server {
        let address = Address::parse(&format!("clickhouse://reader@{host}/db"));
        let place = DatabaseAddress::of(&address.unwrap().unwrap()).unwrap();
        let patience = TimeLimits {
            whole,
            pause: Duration::from_millis(1),
            ..TimeLimits::usual()
        };
        Server::reach(&place, place.user(), Some(password.to_owned()), patience).unwrap()
    }
}

/// Encodes rows that have two text columns.
pub fn pairs(pairs: &[(&str, &str)]) -> Vec<u8> {
    let mut line = RowBuffer::default();
    for (first, second) in pairs {
        line.text(first).text(second);
    }
    line.take()
}

/// Reads the single request of a connection and replies.
fn answer(mut stream: TcpStream, state: &Mutex<FakeState>) -> std::io::Result<()> {
    let asked = read(&mut stream)?;
    let reply = {
        let mut state = state.lock().unwrap();
        if asked.body.contains("FROM system.settings") {
            state.for_settings.push(asked);
            Reply::Status(200, Vec::new(), pairs(&state.settings))
        } else {
            state.asked.push(asked);
            let ok = Reply::Status(200, Vec::new(), Vec::new());
            state.replies.pop_front().unwrap_or(ok)
        }
    };
    let head = |status: u16, headers: &[(&str, &str)], length: usize| {
        let headers = headers
            .iter()
            .map(|(name, value)| format!("{name}: {value}\r\n"));
        let headers: String = headers.collect();
        format!(
            "HTTP/1.1 {status} X\r\n{headers}content-length: {length}\r\nconnection: close\r\n\r\n"
        )
    };
    match reply {
        Reply::Status(status, headers, body) => {
            stream.write_all(head(status, &headers, body.len()).as_bytes())?;
            stream.write_all(&body)
        }
        Reply::Cut(body) => {
            stream.write_all(head(200, &[], body.len() + 1000).as_bytes())?;
            stream.write_all(&body)
        }
        Reply::Close => Ok(()),
        Reply::Hang => {
            thread::sleep(Duration::from_secs(600));
            Ok(())
        }
    }
}

/// Reads one request.
fn read(stream: &mut TcpStream) -> std::io::Result<RecordedRequest> {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while reader.read_line(&mut head)? > 2 {}
    let (first, headers) = head.split_once("\r\n").unwrap_or((&head, ""));
    let headers = headers.to_lowercase();
    let length = headers
        .split_once("content-length: ")
        .map_or("0", |(_, rest)| rest);
    let length = length
        .lines()
        .next()
        .unwrap_or_default()
        .trim()
        .parse()
        .unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    Ok(RecordedRequest {
        url: first.split(' ').nth(1).unwrap_or_default().to_owned(),
        body: String::from_utf8_lossy(&body).into_owned(),
        headers,
    })
}
