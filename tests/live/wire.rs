//! A server that sends arbitrary bytes, as a broken or malicious endpoint may.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Number of bytes after which an endless response ends. It is far above all limits in the tests.
pub const MOST: u64 = 64 << 20;

/// A part of a response.
pub enum Piece {
    /// Sends bytes once.
    Bytes(Vec<u8>),
    /// Repeats bytes until the client closes the connection.
    Endless(Vec<u8>),
    /// Repeats bytes, with a pause after each time.
    Trickle(Vec<u8>),
    /// Sends nothing until the client closes the connection.
    Still,
    /// Sends nothing for some time.
    #[allow(dead_code, reason = "not every test that shares this server pauses")]
    Pause(Duration),
}

/// Responses to a question and to the request for models. They may depend on the client's key.
#[derive(Clone, Copy)]
pub struct Script {
    pub chat: fn(&str) -> Vec<Piece>,
    pub models: fn(&str) -> Vec<Piece>,
}

/// Record of requests and sent bytes.
#[derive(Default)]
pub struct Traffic {
    /// Number of bytes that the operating system has accepted.
    pub sent: AtomicU64,
    /// Number of questions.
    pub questions: AtomicUsize,
    /// Keys in the requests.
    pub keys: Mutex<Vec<String>>,
    is_over: AtomicBool,
}

/// A server on a port of its own. It stops at the end of the test.
pub struct Wire {
    pub address: SocketAddr,
    pub seen: Arc<Traffic>,
}

impl Wire {
    pub fn new(script: Script) -> Self {
        Self::answering(move |head, body, seen| script.answer(head, body, seen))
    }

    /// Starts a server that sends what a function returns for the head and body of a request.
    pub fn answering(
        answer: impl Fn(&str, &[u8], &Traffic) -> Vec<Piece> + Send + Sync + 'static,
    ) -> Self {
        let answer = Arc::new(answer);
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Arc::new(Traffic::default());
        let here = Arc::clone(&seen);
        std::thread::spawn(move || {
            for line in listener.incoming().flatten() {
                if here.is_over.load(Ordering::Relaxed) {
                    return;
                }
                let (seen, answer) = (Arc::clone(&here), Arc::clone(&answer));
                std::thread::spawn(move || serve(line, &*answer, &seen));
            }
        });
        Self { address, seen }
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        self.seen.is_over.store(true, Ordering::Relaxed);
        // Wake the thread that waits for a connection.
        drop(TcpStream::connect(self.address));
    }
}

impl Script {
    fn answer(self, head: &str, body: &[u8], seen: &Traffic) -> Vec<Piece> {
        let key = head.lines().find_map(|line| {
            let (name, value) = line.split_once(": ")?;
            let is_key = name.eq_ignore_ascii_case("authorization");
            is_key.then(|| value.trim_start_matches("Bearer ").to_owned())
        });
        let (key, body) = (key.unwrap_or_default(), String::from_utf8_lossy(body));
        if head.starts_with("GET") {
            (self.models)(&key)
        } else if body.contains("\"max_tokens\":1,") || body.contains("\"max_tokens\":1}") {
            // The request tests picture support.
            vec![json(
                r#"{"choices":[{"message":{"content":"Red"},"finish_reason":"length"}]}"#,
            )]
        } else {
            seen.questions.fetch_add(1, Ordering::Relaxed);
            seen.keys.lock().unwrap().push(key.clone());
            (self.chat)(&key)
        }
    }
}

/// Responds to one request and closes the connection.
fn serve(mut line: TcpStream, answer: Responder<'_>, seen: &Traffic) {
    let Some((head, body)) = request(&mut line) else {
        return;
    };
    for piece in answer(&head, &body, seen) {
        if play(&mut line, &piece, seen).is_none() {
            return;
        }
    }
}

/// Response to a request, given its head and body.
type Responder<'a> = &'a dyn Fn(&str, &[u8], &Traffic) -> Vec<Piece>;

/// Sends a piece. `None` if the client has closed the connection.
fn play(line: &mut TcpStream, piece: &Piece, seen: &Traffic) -> Option<()> {
    let send = |line: &mut TcpStream, bytes: &[u8]| {
        line.write_all(bytes).ok()?;
        seen.sent.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        Some(())
    };
    match piece {
        Piece::Bytes(bytes) => send(line, bytes),
        Piece::Endless(bytes) => {
            let many = bytes.repeat((16 << 10) / bytes.len() + 1);
            let mut count = 0;
            while count < MOST {
                send(line, &many)?;
                count += many.len() as u64;
            }
            Some(())
        }
        Piece::Trickle(bytes) => {
            while !seen.is_over.load(Ordering::Relaxed) {
                send(line, bytes)?;
                std::thread::sleep(Duration::from_millis(20));
            }
            None
        }
        Piece::Pause(time) => {
            std::thread::sleep(*time);
            Some(())
        }
        Piece::Still => {
            line.set_read_timeout(Some(Duration::from_millis(50)))
                .ok()?;
            let mut rest = [0; 64];
            while !seen.is_over.load(Ordering::Relaxed) {
                match line.read(&mut rest) {
                    Ok(1..) => {}
                    Err(error)
                        if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
                    Ok(0) | Err(_) => return None,
                }
            }
            None
        }
    }
}

/// Reads the head and body of a request.
fn request(line: &mut TcpStream) -> Option<(String, Vec<u8>)> {
    let mut bytes = Vec::new();
    let mut part = [0; 16_384];
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break end;
        }
        match line.read(&mut part) {
            Ok(count @ 1..) => bytes.extend_from_slice(&part[..count]),
            _ => return None,
        }
    };
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        let is_length = name.eq_ignore_ascii_case("content-length");
        is_length.then(|| value.trim().parse::<usize>().ok())?
    });
    let whole = end + 4 + length.unwrap_or_default();
    while bytes.len() < whole {
        match line.read(&mut part) {
            Ok(count @ 1..) => bytes.extend_from_slice(&part[..count]),
            _ => return None,
        }
    }
    Some((head, bytes.split_off(end + 4)))
}

/// Head of a response.
pub fn head(status: &str, kind: &str, more: &str) -> Piece {
    let text =
        format!("HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nConnection: close\r\n{more}\r\n");
    Piece::Bytes(text.into_bytes())
}

/// A piece that sends bytes once.
pub fn bytes(bytes: impl AsRef<[u8]>) -> Piece {
    Piece::Bytes(bytes.as_ref().to_vec())
}

/// A complete JSON response.
pub fn json(body: &str) -> Piece {
    whole("200 OK", "application/json", "", body)
}

/// A complete response.
pub fn whole(status: &str, kind: &str, more: &str, body: &str) -> Piece {
    let more = format!("{more}Content-Length: {}\r\n", body.len());
    let Piece::Bytes(mut text) = head(status, kind, &more) else {
        unreachable!("a head is bytes")
    };
    text.extend(body.as_bytes());
    Piece::Bytes(text)
}

/// Head of an event stream without length, which ends when the connection closes.
pub fn events() -> Piece {
    head("200 OK", "text/event-stream", "")
}

/// A list with one model.
pub fn one_model(_: &str) -> Vec<Piece> {
    vec![json(r#"{"object":"list","data":[{"id":"seer"}]}"#)]
}

/// A good response.
pub fn good(_: &str) -> Vec<Piece> {
    let event = r#"{"choices":[{"delta":{"content":"A"},"finish_reason":"stop"}]}"#;
    vec![
        events(),
        bytes(format!("data: {event}\n\ndata: [DONE]\n\n")),
    ]
}
