//! Tests a store that answers in hundreds of wrong ways. A table of wrong answers is combined with
//! the operations of the program, for buckets, the hub and web servers. Checks the requirements in
//! `hostile`, and that no other host is contacted. To test all cases, or to repeat one:
//!
//! ```text
//! EYECHART_STORE_MODES=1000 cargo test --release --test stores modes -- --nocapture
//! EYECHART_STORE_MODES_FROM=42 EYECHART_STORE_MODES=1 cargo test --release --test stores modes
//! ```

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use super::SECRET;
use super::amount::amount;
use super::damage;
use super::dice::Dice;
use super::doors::{self, Door};
use super::hostile::{Ended, Machine, all, verdict};
use super::parts::table;
use super::polled::rows;
use super::server::decoded;
use super::wire::{Piece, Wire};

/// Default number of cases.
const USUAL: usize = 40;
/// Step between two cases in the table. It is a prime number, so a few cases cover all parts of the
/// table.
const STRIDE: usize = 7_919;

/// Kind of request whose answer is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    List,
    Head,
    Read,
    Range,
    Write,
}

use Operation::{Head, List, Range, Read, Write};

const ALL: [Operation; 5] = [List, Head, Read, Range, Write];

impl Operation {
    pub fn of(head: &str) -> Self {
        let line = head.lines().next().unwrap_or_default();
        let has_range = || head.to_ascii_lowercase().contains("\r\nrange:");
        match line.split(' ').next() {
            Some("PUT") => Write,
            Some("HEAD") => Head,
            _ if line.contains("list-type=2") || line.contains("comp=list") => List,
            _ if has_range() => Range,
            _ => Read,
        }
    }

    /// A command that makes such a request. `AT/` stands for the store.
    fn command(self, door: Door, dice: &mut Dice) -> Vec<String> {
        let set: &[&str] = &["report AT/set", "check AT/set", "samples AT/set"];
        let words = match self {
            _ if door != Door::Bucket => dice.pick(set),
            List => dice.pick(&[
                "report AT/set",
                "check AT/set",
                "publish a.eyechart.jsonl --to AT/out",
                "verdicts a.eyechart.jsonl --verdicts AT/words/verdicts/",
            ]),
            Head => dice.pick(&[
                "report AT/set/a.eyechart.jsonl",
                "samples AT/set/a.eyechart.jsonl",
            ]),
            Read | Range => dice.pick(set),
            Write => dice.pick(&[
                "publish a.eyechart.jsonl --to AT/out",
                "verdicts a.eyechart.jsonl --verdicts AT/words/verdicts/ --author ada --import import.jsonl",
            ]),
        };
        words.split(' ').map(str::to_owned).collect()
    }
}

/// A correct answer, which is then changed.
pub struct Answer {
    status: String,
    headers: BTreeMap<&'static str, String>,
    body: Vec<u8>,
    has_body: bool,
}

impl Answer {
    pub fn new(status: &str, body: Vec<u8>) -> Self {
        let length = body.len().to_string();
        Self {
            status: status.to_owned(),
            headers: BTreeMap::from([
                ("Connection", "close".to_owned()),
                ("Content-Length", length),
            ]),
            body,
            has_body: true,
        }
    }

    pub fn with(mut self, name: &'static str, value: &str) -> Self {
        self.headers.insert(name, value.to_owned());
        self
    }

    fn without(mut self, name: &str) -> Self {
        self.headers.remove(name);
        self
    }

    fn status(self, status: u16) -> Self {
        Self {
            status: format!("{status} Some Words"),
            ..self
        }
    }

    /// The same answer with another body and its length.
    pub fn body(self, body: impl Into<Vec<u8>>) -> Self {
        let body = body.into();
        let length = body.len().to_string();
        Self { body, ..self }.with("Content-Length", &length)
    }

    pub fn bytes(&self) -> &[u8] {
        &self.body
    }

    /// Status and headers.
    fn head(&self) -> Vec<u8> {
        let mut text = format!("HTTP/1.1 {}\r\n", self.status);
        for (name, value) in &self.headers {
            write!(text, "{name}: {value}\r\n").unwrap();
        }
        (text + "\r\n").into_bytes()
    }

    /// The head, followed by these pieces if there is a body.
    fn then(self, pieces: impl IntoIterator<Item = Piece>) -> Vec<Piece> {
        let head = Piece::Bytes(self.head());
        let pieces = pieces.into_iter().filter(|_| self.has_body);
        std::iter::once(head).chain(pieces).collect()
    }

    pub fn pieces(mut self) -> Vec<Piece> {
        let body = std::mem::take(&mut self.body);
        self.then([Piece::Bytes(body)])
    }
}

/// State on which a wrong answer may depend.
pub struct Scene {
    dice: Dice,
    /// Addresses without scheme: of a host that must not be contacted, and of the store.
    other: String,
    own: String,
    /// Path and query of the request.
    path: String,
    /// Number of wrong answers so far.
    count: usize,
}

pub type Change = Box<dyn Fn(Answer, &mut Scene) -> Vec<Piece> + Send + Sync>;

/// A wrong answer to an operation.
struct Mode {
    name: String,
    door: Door,
    on: Operation,
    change: Change,
}

const STATUSES: [u16; 48] = [
    100, 101, 102, 199, 201, 202, 203, 204, 205, 206, 226, 300, 304, 305, 306, 400, 401, 402, 403,
    404, 405, 406, 407, 408, 409, 410, 411, 412, 413, 414, 416, 418, 421, 425, 429, 431, 451, 500,
    501, 502, 503, 504, 507, 511, 520, 599, 600, 999,
];

/// Statuses with error codes of the stores.
const CODES: [(u16, &str); 10] = [
    (400, "ExpiredToken"),
    (403, "InvalidAccessKeyId"),
    (403, "AccessDenied\u{1b}]0;x\u{7}"),
    (403, "\u{202e}denied"),
    (404, "NoSuchBucket"),
    (409, "ConditionalRequestConflict"),
    (412, "PreconditionFailed"),
    (503, "SlowDown"),
    (200, "InternalError"),
    (500, "</Code><Code>"),
];

/// Targets of redirects.
const PLACES: [&str; 8] = [
    "http://OTHER/PATH",
    "//OTHER/PATH",
    "http://user:word@OTHER/",
    "http://OWN/PATH",
    "",
    "::",
    "file:///etc/passwd",
    "http://\u{1b}]0;x/",
];

/// Headers with wrong values. An empty value removes the header.
const HEADERS: [(&str, &str); 33] = [
    ("Content-Length", ""),
    ("Content-Length", "0"),
    ("Content-Length", "1"),
    ("Content-Length", "-1"),
    ("Content-Length", "x"),
    ("Content-Length", "5, 7"),
    ("Content-Length", "1099511627776"),
    ("Content-Length", "18446744073709551615"),
    ("Content-Length", "99999999999999999999999"),
    ("Transfer-Encoding", "chunked"),
    ("Transfer-Encoding", "gzip, chunked"),
    ("Content-Encoding", "gzip"),
    ("Content-Encoding", "br"),
    ("Content-Type", "text/html"),
    ("Content-Type", ""),
    ("Content-Type", "\u{202e}"),
    ("ETag", ""),
    ("ETag", "\"other\""),
    ("ETag", "W/\"weak\""),
    ("ETag", "\"\""),
    ("ETag", "\"a\" , \"b\""),
    ("ETag", "\"\u{1b}]0;x\u{7}\""),
    ("ETag", "../../x"),
    ("Last-Modified", ""),
    ("Last-Modified", "yesterday"),
    ("Last-Modified", "Fri, 31 Dec 9999 23:59:59 GMT"),
    ("Last-Modified", "Thu, 01 Jan 1970 00:00:00 GMT"),
    ("Retry-After", "99999999999"),
    ("Location", "http://OTHER/PATH"),
    ("Set-Cookie", "a=b"),
    ("Connection", "upgrade"),
    ("Connection", "keep-alive"),
    ("X-Long", "LONG"),
];

/// Wrong values of the header that gives the byte range of a part.
const PARTS: [&str; 12] = [
    "",
    "bytes 0-0/1",
    "bytes 1-65536/LENGTH",
    "bytes 0-65535/70000",
    "bytes 0-65535/*",
    "bytes */LENGTH",
    "bytes 65535-0/LENGTH",
    "bytes 0-18446744073709551615/18446744073709551615",
    "bytes 0-99999999999999999999/99999999999999999999",
    "lines 0-9/10",
    "\u{1b}]0;x",
    "bytes -5-5/LENGTH",
];

type Body = (&'static str, fn(Answer, &mut Scene) -> Vec<Piece>);

fn endless(bytes: &[u8]) -> Piece {
    Piece::Endless(bytes.to_vec())
}

/// An answer whose body comes in chunks.
fn chunked(answer: Answer) -> Answer {
    let answer = answer.without("Content-Length");
    answer.with("Transfer-Encoding", "chunked")
}

/// 64 KiB of zeros, as a member of a compressed stream.
fn packed_zeros() -> Vec<u8> {
    let start = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff\xed\xc1\x01\x01\x00\x00\x00\x80\x90\xfe\xaf\xee\x08\x0a";
    let end = b"\x6a\xeb\x8e\x97\xd7\x00\x00\x01\x00";
    [&start[..], &[0; 63], end].concat()
}

/// Wrong bodies, and answers that are wrong as a whole.
const BODIES: [Body; 43] = [
    ("empty body", |answer, _| answer.body("").pieces()),
    ("half a body", |answer, _| {
        let half = answer.body[..answer.body.len() / 2].to_vec();
        answer.then([Piece::Bytes(half)])
    }),
    ("half a body with its length", |answer, _| {
        let half = answer.body[..answer.body.len() / 2].to_vec();
        answer.body(half).pieces()
    }),
    ("one byte less", |mut answer, _| {
        answer.body.pop();
        let body = std::mem::take(&mut answer.body);
        answer.body(body).pieces()
    }),
    ("one byte more", |answer, _| {
        let body = [&answer.body[..], b"\n"].concat();
        answer.body(body).pieces()
    }),
    ("twice the body", |answer, _| {
        let body = answer.body.repeat(2);
        answer.body(body).pieces()
    }),
    ("more than announced", |answer, _| {
        let body = answer.body.clone();
        answer.then([Piece::Bytes(body.clone()), Piece::Bytes(body)])
    }),
    ("nothing but zeros", |answer, _| {
        let body = vec![0; answer.body.len()];
        answer.body(body).pieces()
    }),
    ("damaged body", |answer, scene| {
        let body = damage::text(&mut scene.dice, answer.body.clone());
        answer.body(body).pieces()
    }),
    ("another damaged body", |answer, scene| {
        let body = damage::bytes(&mut scene.dice, answer.body.clone());
        answer.body(body).pieces()
    }),
    ("damaged head", |answer, scene| {
        let head = damage::text(&mut scene.dice, answer.head());
        vec![Piece::Bytes(head), Piece::Bytes(answer.body)]
    }),
    ("another damaged head", |answer, scene| {
        let head = damage::bytes(&mut scene.dice, answer.head());
        vec![Piece::Bytes(head), Piece::Bytes(answer.body)]
    }),
    ("packed bytes", |answer, _| {
        let body = [&b"\x1f\x8b\x08\0\0\0\0\0\0\x03\x4b\x04\0"[..], &answer.body].concat();
        answer.body(body).with("Content-Encoding", "gzip").pieces()
    }),
    ("endless packed zeros", |answer, _| {
        let answer = answer.without("Content-Length");
        let answer = answer.with("Content-Encoding", "gzip");
        answer.then([endless(&packed_zeros())])
    }),
    ("a page of a portal", |answer, _| {
        let page = "<!DOCTYPE html><html><body>Please log in</body></html>";
        answer.body(page).with("Content-Type", "text/html").pieces()
    }),
    ("control characters", |answer, _| {
        answer.body("\u{1b}]0;x\u{7}\u{9b}2J\u{202e}\0").pieces()
    }),
    ("half a letter", |answer, _| {
        answer.body(*b"\xff\xfe\xc3").pieces()
    }),
    ("endless body", |answer, _| {
        let body = answer.body.clone();
        let answer = answer.without("Content-Length");
        answer.then([Piece::Bytes(body), endless(b" ")])
    }),
    ("endless body of lines", |answer, _| {
        answer.without("Content-Length").then([endless(b"{}\n")])
    }),
    ("endless body of letters", |answer, _| {
        answer.without("Content-Length").then([endless(b"x")])
    }),
    ("endless body with an announced length", |answer, _| {
        answer
            .with("Content-Length", "1099511627776")
            .then([endless(b"x")])
    }),
    ("endless chunks", |answer, _| {
        chunked(answer).then([endless(b"5\r\nhello\r\n")])
    }),
    ("endless empty body of an error", |answer, _| {
        answer
            .status(500)
            .without("Content-Length")
            .then([endless(b"<Error>")])
    }),
    ("good chunks", |answer, _| {
        let size = format!("{:x}\r\n", answer.body.len()).into_bytes();
        let body = [&size[..], &answer.body, b"\r\n0\r\n\r\n"].concat();
        chunked(answer).then([Piece::Bytes(body)])
    }),
    ("a chunk of no size", |answer, _| {
        chunked(answer).then([endless(b"zz\r\n")])
    }),
    ("a chunk of a huge size", |answer, _| {
        chunked(answer).then([endless(b"FFFFFFFFFFFFFFFF\r\n")])
    }),
    ("a chunk that does not end", |answer, _| {
        chunked(answer).then([Piece::Bytes(b"ff\r\nabc".to_vec())])
    }),
    ("an endless size of a chunk", |answer, _| {
        chunked(answer).then([endless(b"0")])
    }),
    ("nothing", |_, _| Vec::new()),
    ("half a head", |answer, _| {
        let head = answer.head();
        vec![Piece::Bytes(head[..head.len() / 2].to_vec())]
    }),
    ("no HTTP", |_, _| {
        vec![Piece::Bytes(b"SSH-2.0-OpenSSH_9.6\r\n".to_vec())]
    }),
    ("another version", |answer, _| {
        let head = String::from_utf8(answer.head()).unwrap();
        let head = head.replace("HTTP/1.1", "HTTP/7.0");
        vec![Piece::Bytes(head.into_bytes()), Piece::Bytes(answer.body)]
    }),
    ("endless head", |_, _| {
        let start = Piece::Bytes(b"HTTP/1.1 200 OK\r\n".to_vec());
        vec![start, endless(b"A: b\r\n")]
    }),
    ("endless header", |_, _| {
        let start = Piece::Bytes(b"HTTP/1.1 200 OK\r\nA: ".to_vec());
        vec![start, endless(b"b")]
    }),
    ("endless line of the status", |_, _| {
        vec![Piece::Bytes(b"HTTP/1.1 200 ".to_vec()), endless(b"OK")]
    }),
    ("endless promises to go on", |_, _| {
        vec![endless(b"HTTP/1.1 100 Continue\r\n\r\n")]
    }),
    ("a zero in a header", |answer, _| {
        answer.with("X-Zero", "a\0b").pieces()
    }),
    ("no answer", |_, _| vec![Piece::Still]),
    ("no body", |answer, _| answer.then([Piece::Still])),
    ("half a body and no more", |answer, _| {
        let half = answer.body[..answer.body.len() / 2].to_vec();
        answer.then([Piece::Bytes(half), Piece::Still])
    }),
    ("a late answer", |answer, _| {
        let late = Piece::Pause(Duration::from_millis(700));
        std::iter::once(late).chain(answer.pieces()).collect()
    }),
    ("a late body", |mut answer, _| {
        let late = Piece::Pause(Duration::from_millis(700));
        let body = std::mem::take(&mut answer.body);
        answer.then([late, Piece::Bytes(body)])
    }),
    ("every second answer breaks off", |answer, scene| {
        if scene.count % 2 == 1 {
            let half = answer.body[..answer.body.len() / 2].to_vec();
            return answer.then([Piece::Bytes(half)]);
        }
        answer.pieces()
    }),
];

/// Changes to the text of a listing.
type Page = (&'static str, fn(&str, &mut Scene) -> String);

/// An object in a listing.
fn object(key: &str, size: &str) -> String {
    format!(
        "<Contents><Key>{key}</Key><LastModified>2015-10-21T07:28:00.000Z</LastModified><ETag>&quot;e&quot;</ETag><Size>{size}</Size></Contents>"
    )
}

/// The page with additional objects.
fn with(page: &str, objects: &str) -> String {
    page.replace(
        "</ListBucketResult>",
        &format!("{objects}</ListBucketResult>"),
    )
}

/// The page with a link to a next page.
fn on(page: &str, token: &str) -> String {
    let next = format!("<NextContinuationToken>{token}</NextContinuationToken>");
    page.replace("<IsTruncated>false", "<IsTruncated>true")
        .replace("</ListBucketResult>", &format!("{next}</ListBucketResult>"))
}

const PAGES: [Page; 47] = [
    ("key with ..", |page, _| {
        with(page, &object("set/../../../up.eyechart.jsonl", "5"))
    }),
    ("key of only ..", |page, _| with(page, &object("..", "5"))),
    ("absolute key", |page, _| {
        with(page, &object("/etc/up.eyechart.jsonl", "5"))
    }),
    ("key with an encoded ..", |page, _| {
        with(page, &object("set/%2e%2e/up.eyechart.jsonl", "5"))
    }),
    ("key with backslashes", |page, _| {
        with(page, &object(r"set\..\..\up.eyechart.jsonl", "5"))
    }),
    ("key with a drive", |page, _| {
        with(page, &object("set/C:up.eyechart.jsonl", "5"))
    }),
    ("key of a device", |page, _| {
        with(page, &object("set/NUL.eyechart.jsonl", "5"))
    }),
    ("empty key", |page, _| with(page, &object("", "5"))),
    ("key of the folder", |page, _| {
        with(page, &object("set/", "0"))
    }),
    ("key of the folder as an object", |page, _| {
        with(page, &object("set", "5"))
    }),
    ("key outside of the folder", |page, _| {
        with(page, &object("other/up.eyechart.jsonl", "5"))
    }),
    ("key below an object", |page, _| {
        with(page, &object("set/a.eyechart.jsonl/b.eyechart.jsonl", "5"))
    }),
    ("key with an escape", |page, _| {
        with(page, &object("set/&#x1b;]0;x&#7;.eyechart.jsonl", "5"))
    }),
    ("key that turns the text", |page, _| {
        with(page, &object("set/\u{202e}lnosj.eyechart.jsonl", "5"))
    }),
    ("key with a zero", |page, _| {
        with(page, &object("set/a&#0;b.eyechart.jsonl", "5"))
    }),
    ("key with lines", |page, _| {
        with(page, &object("set/a&#10;b.eyechart.jsonl", "5"))
    }),
    ("key of many letters", |page, _| {
        with(
            page,
            &object(&format!("set/{}.eyechart.jsonl", "x".repeat(5_000)), "5"),
        )
    }),
    ("key of a megabyte", |page, _| {
        with(page, &object(&format!("set/{}", "x/".repeat(400_000)), "5"))
    }),
    ("key of many folders", |page, _| {
        with(
            page,
            &object(&format!("set/{}b.eyechart.jsonl", "d/".repeat(1_500)), "5"),
        )
    }),
    ("the same key again", |page, _| {
        with(page, &object("set/a.eyechart.jsonl", "5"))
    }),
    ("the same key in capitals", |page, _| {
        with(page, &object("set/A.eyechart.jsonl", "5"))
    }),
    ("many keys", |page, _| {
        let keys = (0..5_000).map(|at| object(&format!("set/{at}.txt"), "5"));
        with(page, &keys.collect::<String>())
    }),
    ("many keys of logs", |page, _| {
        let keys = (0..60).map(|at| object(&format!("set/{at}.eyechart.jsonl"), "5"));
        with(page, &keys.collect::<String>())
    }),
    ("no keys", |page, _| {
        let (before, _) = page.split_once("<Contents>").unwrap_or((page, ""));
        with(before, "</ListBucketResult>")
    }),
    ("manifest of a high number", |page, _| {
        with(
            page,
            &object("set/eyechart-data-set.18446744073709551615.json", "5"),
        )
    }),
    ("negative size", |page, _| page.replace("<Size>", "<Size>-")),
    ("size 0", |page, _| {
        with(page, &object("set/c.eyechart.jsonl", "0"))
    }),
    ("size at the end of its range", |page, _| {
        with(
            page,
            &object("set/c.eyechart.jsonl", "18446744073709551615"),
        )
    }),
    ("size beyond its range", |page, _| {
        with(
            page,
            &object("set/c.eyechart.jsonl", "18446744073709551616"),
        )
    }),
    ("size of a word", |page, _| {
        with(page, &object("set/c.eyechart.jsonl", "large"))
    }),
    ("many large sizes", |page, _| {
        let keys =
            (0..9).map(|at| object(&format!("set/{at}.eyechart.jsonl"), "9223372036854775807"));
        with(page, &keys.collect::<String>())
    }),
    ("other sizes", |page, _| page.replace("<Size>", "<Size>1")),
    ("no sizes", |page, _| page.replace("Size>", "Length>")),
    ("no times", |page, _| page.replace("LastModified>", "Seen>")),
    ("times that are none", |page, _| {
        page.replace("2015-10-21T", "9999999-99-99T")
    }),
    ("other versions", |page, _| {
        page.replace("<ETag>", "<ETag>x")
    }),
    ("versions with controls", |page, _| {
        page.replace("<ETag>", "<ETag>&#x1b;]0;x&#10;")
    }),
    ("the same page again", |page, _| on(page, "T")),
    ("endless pages with names", |page, scene| {
        let key = format!("set/p{}.txt", scene.count);
        on(&with(page, &object(&key, "5")), &scene.count.to_string())
    }),
    ("endless pages without names", |_, scene| {
        let page = "<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>";
        on(page, &scene.count.to_string())
    }),
    ("a next page without a token", |page, _| {
        page.replace("<IsTruncated>false", "<IsTruncated>true")
    }),
    ("a token with controls", |page, _| {
        on(page, "&#x1b;]0;x&#13;&#10;A: b")
    }),
    ("a long token", |page, _| on(page, &"t".repeat(70_000))),
    ("a cut page", |page, _| page[..page.len() / 2].to_owned()),
    ("deep elements", |page, _| {
        with(page, &"<a>".repeat(100_000))
    }),
    ("entities of entities", |page, _| {
        let mut head = "<!DOCTYPE a [<!ENTITY e0 \"ha\">".to_owned();
        for at in 1..30 {
            let before = format!("&e{};", at - 1).repeat(10);
            write!(head, "<!ENTITY e{at} \"{before}\">").unwrap();
        }
        format!(
            "{head}]>{}",
            with(page, &object("set/&e29;.eyechart.jsonl", "5"))
        )
    }),
    ("an entity of a file", |page, _| {
        let head = "<!DOCTYPE a [<!ENTITY f SYSTEM \"file:///etc/passwd\">]>";
        format!(
            "{head}{}",
            with(page, &object("set/&f;.eyechart.jsonl", "5"))
        )
    }),
];

/// The complete table of wrong answers.
fn modes() -> Vec<Mode> {
    let mut modes = Vec::new();
    for on in ALL {
        let mut add = |name: String, change: Change| {
            modes.push(Mode {
                name,
                door: Door::Bucket,
                on,
                change,
            });
        };
        for status in STATUSES {
            let name = format!("status {status}");
            add(
                name,
                Box::new(move |answer, _| answer.status(status).pieces()),
            );
        }
        for (status, code) in CODES {
            let body = format!("<Error><Code>{code}</Code><Message>m</Message></Error>");
            let change = move |answer: Answer, _: &mut Scene| {
                answer.status(status).body(body.clone()).pieces()
            };
            add(format!("status {status} {code:?}"), Box::new(change));
        }
        redirects(&[301, 302, 303, 307, 308], &mut add);
        for (header, value) in HEADERS {
            let change = move |answer: Answer, scene: &mut Scene| match value {
                "" => answer.without(header).pieces(),
                value => answer.with(header, &scene.spell(value)).pieces(),
            };
            add(format!("{header}: {value:?}"), Box::new(change));
        }
        for (name, change) in BODIES {
            add(name.to_owned(), Box::new(change));
        }
        if on == List {
            for (name, change) in PAGES {
                let change = move |answer: Answer, scene: &mut Scene| {
                    let page = String::from_utf8(answer.body.clone()).unwrap();
                    answer.body(change(&page, scene)).pieces()
                };
                add(name.to_owned(), Box::new(change));
            }
        }
        if on == Range {
            for value in PARTS {
                let change = move |answer: Answer, _: &mut Scene| {
                    let length = parquet().len().to_string();
                    let value = value.replace("LENGTH", &length);
                    answer.with("Content-Range", &value).pieces()
                };
                add(format!("Content-Range: {value:?}"), Box::new(change));
            }
            let whole = |answer: Answer, _: &mut Scene| answer.body(parquet().to_vec());
            add(
                "the whole object as a part".to_owned(),
                Box::new(move |answer, scene| whole(answer, scene).pieces()),
            );
            add(
                "the whole object".to_owned(),
                Box::new(move |answer, scene| {
                    whole(answer, scene)
                        .without("Content-Range")
                        .status(200)
                        .pieces()
                }),
            );
        }
    }
    for (door, on) in [
        (Door::Hub, Head),
        (Door::Hub, List),
        (Door::Hub, Read),
        (Door::Web, List),
        (Door::Web, Read),
    ] {
        let mut add = |name: String, change: Change| {
            modes.push(Mode {
                name,
                door,
                on,
                change,
            });
        };
        redirects(&[302, 307], &mut add);
        for (name, change) in BODIES {
            add(name.to_owned(), Box::new(change));
        }
        if on != Read {
            doors::pages(door, &mut add);
        }
    }
    modes
}

fn redirects(statuses: &[u16], add: &mut dyn FnMut(String, Change)) {
    for &status in statuses {
        for place in PLACES {
            let change = move |answer: Answer, scene: &mut Scene| {
                answer
                    .status(status)
                    .with("Location", &scene.spell(place))
                    .body("")
                    .pieces()
            };
            add(format!("status {status} to {place:?}"), Box::new(change));
        }
    }
}

impl Scene {
    /// Replaces placeholders for addresses and long values.
    pub fn spell(&self, text: &str) -> String {
        let path = self.path.trim_start_matches('/');
        text.replace("OTHER", &self.other)
            .replace("OWN", &self.own)
            .replace("PATH", path)
            .replace("COUNT", &self.count.to_string())
            .replace("LONG", &"x".repeat(300_000))
    }
}

/// A log that is read in parts.
fn parquet() -> &'static [u8] {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    BYTES.get_or_init(|| table(2_500, 500))
}

pub type Objects = BTreeMap<String, Vec<u8>>;

/// Objects of the store, by path.
fn objects() -> Objects {
    let verdicts = "team/words/verdicts/bob-1.verdicts.jsonl";
    Objects::from([
        (
            "team/set/a.eyechart.jsonl".to_owned(),
            rows("alpha", 5).into_bytes(),
        ),
        ("team/set/b.parquet".to_owned(), parquet().to_vec()),
        (verdicts.to_owned(), verdict("bob").into_bytes()),
    ])
}

fn etag(bytes: &[u8]) -> String {
    format!("\"{}\"", &blake3::hash(bytes).to_hex()[..16])
}

/// The correct answer of S3, Google Cloud Storage and Azure.
pub fn answer(objects: &mut Objects, head: &str, body: &[u8]) -> Answer {
    let target = head.split(' ').nth(1).unwrap_or_default();
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let path = decoded(path.trim_matches('/'));
    let lower = head.to_ascii_lowercase();
    let header = |name: &str| {
        let mut lines = lower.lines().filter_map(|line| line.split_once(": "));
        lines.find_map(|(known, value)| (known == name).then(|| value.to_owned()))
    };
    let described = |answer: Answer, bytes: &[u8]| {
        let answer = answer.with("ETag", &etag(bytes));
        answer.with("Last-Modified", "Wed, 21 Oct 2015 07:28:00 GMT")
    };
    let operation = Operation::of(head);
    if operation == List {
        return Answer::new("200 OK", list(objects, query).into_bytes());
    }
    if operation == Write {
        if objects.contains_key(&path) {
            return Answer::new("412 Precondition Failed", Vec::new());
        }
        objects.insert(path, body.to_vec());
        return described(Answer::new("201 Created", Vec::new()), body);
    }
    let Some(bytes) = objects.get(&path) else {
        let mut absent = Answer::new("404 Not Found", Vec::new());
        absent.has_body = operation != Head;
        return absent;
    };
    let range = header("range").or_else(|| header("x-ms-range"));
    let range = range.and_then(|range| {
        let (from, last) = range.strip_prefix("bytes=")?.split_once('-')?;
        let end = last.parse().map_or(bytes.len(), |last: usize| last + 1);
        Some((from.parse::<usize>().ok()?, end.min(bytes.len())))
    });
    let mut answer = match range {
        Some((from, end)) if from < end => {
            let part = format!("bytes {from}-{}/{}", end - 1, bytes.len());
            Answer::new("206 Partial Content", bytes[from..end].to_vec())
                .with("Content-Range", &part)
        }
        Some(_) => Answer::new("416 Range Not Satisfiable", Vec::new()),
        None => Answer::new("200 OK", bytes.clone()),
    };
    answer.has_body = operation != Head;
    described(answer, bytes)
}

/// A page with all objects below the prefix.
fn list(objects: &Objects, query: &str) -> String {
    let prefix = query
        .split('&')
        .find_map(|pair| pair.strip_prefix("prefix="));
    let prefix = format!("team/{}", decoded(prefix.unwrap_or_default()));
    let found = objects.iter().filter(|(path, _)| path.starts_with(&prefix));
    let is_azure = query.contains("comp=list");
    let entries = found.map(|(path, bytes)| {
        let (key, length) = (path.trim_start_matches("team/"), bytes.len());
        let tag = etag(bytes).replace('"', if is_azure { "" } else { "&quot;" });
        if is_azure {
            return format!(
                "<Blob><Name>{key}</Name><Properties><Last-Modified>Wed, 21 Oct 2015 07:28:00 GMT</Last-Modified><Etag>{tag}</Etag><Content-Length>{length}</Content-Length><Content-Type>a/b</Content-Type></Properties></Blob>"
            );
        }
        object(key, &length.to_string()).replace("&quot;e&quot;", &tag)
    });
    let entries: String = entries.collect();
    if is_azure {
        return format!(
            "<EnumerationResults><Blobs>{entries}</Blobs><NextMarker/></EnumerationResults>"
        );
    }
    format!(
        "<ListBucketResult><Name>b</Name><IsTruncated>false</IsTruncated>{entries}</ListBucketResult>"
    )
}

/// Environment variables with credentials for the three kinds of buckets, at one address.
pub fn variables(address: &str) -> Vec<(&'static str, String)> {
    let base = format!("http://{address}");
    let all = [
        ("AWS_ENDPOINT_URL", base.as_str()),
        ("AWS_ALLOW_HTTP", "true"),
        ("AWS_REGION", "us-east-1"),
        ("AWS_ACCESS_KEY_ID", "KEY"),
        ("AWS_SECRET_ACCESS_KEY", SECRET),
        ("AWS_SESSION_TOKEN", SECRET),
        ("GOOGLE_BASE_URL", &base),
        ("GOOGLE_ALLOW_HTTP", "true"),
        ("GOOGLE_BEARER_TOKEN", SECRET),
        ("AZURE_STORAGE_ENDPOINT", &base),
        ("AZURE_STORAGE_ACCOUNT_NAME", "account"),
        ("AZURE_ALLOW_HTTP", "true"),
        ("AZURE_STORAGE_TOKEN", SECRET),
        ("HF_ENDPOINT", &base),
        ("HF_TOKEN", SECRET),
    ];
    all.map(|(name, value)| (name, value.to_owned())).into()
}

/// A host that must not be contacted, and the number of requests to it.
fn forbidden() -> (Wire, Arc<AtomicUsize>) {
    let count = Arc::new(AtomicUsize::new(0));
    let asked = Arc::clone(&count);
    let wire = Wire::answering(move |_, _, _| {
        asked.fetch_add(1, Ordering::Relaxed);
        Vec::new()
    });
    (wire, count)
}

/// Runs a command against a store whose answers to one operation are wrong.
fn case(modes: &Arc<Vec<Mode>>, number: usize) -> Result<(), String> {
    let place = number * STRIDE % modes.len();
    let mode = &modes[place];
    let mut dice = Dice::new("store modes", number as u64);
    let is_page = mode.on == List && PAGES.iter().any(|(name, _)| *name == mode.name);
    let scheme = dice.pick(if is_page {
        &["s3", "gs"][..]
    } else {
        &["s3", "gs", "az"]
    });
    let args: Vec<String> = mode.on.command(mode.door, &mut dice);
    let machine = Machine::new();
    let (other, asked) = forbidden();
    let port = other.address.port();
    let scene = Mutex::new(Scene {
        other: dice.pick(&["127.0.0.1", "localhost"]).to_owned() + &format!(":{port}"),
        dice,
        own: String::new(),
        path: String::new(),
        count: 0,
    });
    let (scene, objects) = (Arc::new(scene), Mutex::new(objects()));
    let (shared, all) = (Arc::clone(&scene), Arc::clone(modes));
    let store = Wire::answering(move |head, body, _| {
        let mode = &all[place];
        let (operation, good) = mode.door.answer(&mut objects.lock().unwrap(), head, body);
        if operation != mode.on {
            return good.pieces();
        }
        let mut scene = shared.lock().unwrap();
        scene.count += 1;
        head.split(' ')
            .nth(1)
            .unwrap_or_default()
            .clone_into(&mut scene.path);
        (mode.change)(good, &mut scene)
    });
    let own = store.address.to_string();
    let at = mode.door.address(scheme, &own);
    let args: Vec<String> = args.iter().map(|word| word.replace("AT", &at)).collect();
    scene.lock().unwrap().own = own;
    let ended = machine.run(&args, &variables(&store.address.to_string()));
    let told = |why: &str| {
        let Mode { name, door, on, .. } = mode;
        format!("{name} of {on:?} of {door:?}, {}: {why}", args.join(" "))
    };
    ended.map_err(|why| told(&why))?;
    if asked.load(Ordering::Relaxed) > 0 {
        return Err(told("another host is asked"));
    }
    if scene.lock().unwrap().count == 0 {
        return Err(told("the store is not asked for it"));
    }
    Ok(())
}

#[test]
fn a_store_that_answers_wrongly_does_no_harm() {
    let modes = Arc::new(modes());
    let from = amount("EYECHART_STORE_MODES_FROM", 0);
    let count = amount("EYECHART_STORE_MODES", USUAL);
    eprintln!("{count} of {} modes", modes.len());
    let wrong = all(from..from + count, |number| case(&modes, number));
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

/// If no answer is wrong, every command of the table succeeds in all kinds of buckets.
#[test]
fn a_store_that_answers_rightly_is_read_and_written() {
    for (door, scheme) in [
        (Door::Bucket, "s3"),
        (Door::Bucket, "gs"),
        (Door::Bucket, "az"),
        (Door::Hub, "hf"),
        (Door::Web, "http"),
    ] {
        for operation in ALL {
            let mut dice = Dice::new(scheme, 0);
            let objects = Mutex::new(objects());
            let store = Wire::answering(move |head, body, _| {
                let (_, good) = door.answer(&mut objects.lock().unwrap(), head, body);
                good.pieces()
            });
            let at = door.address(scheme, &store.address.to_string());
            let args = operation.command(door, &mut dice);
            let args: Vec<String> = args.iter().map(|word| word.replace("AT", &at)).collect();
            let ended = Machine::new().run(&args, &variables(&store.address.to_string()));
            let ended = ended.unwrap();
            assert_eq!(ended.code, 0, "{args:?}: {}", ended.output);
        }
    }
}

/// Resumes a rerun in the store.
const RESUME: &str = "rerun a.eyechart.jsonl --endpoint http://127.0.0.1:1/v1 --model m --protocol vanilla --out AT/again --resume";

/// One tebibyte, as a length.
const HUGE: &str = "1099511627776";

/// Objects that never end. The listing and the headers give a huge length, a small length, or no
/// length.
#[test]
fn an_endless_object_is_not_read_whole() {
    let commands = [
        (
            "old/eyechart-data-set.000001.json",
            "publish a.eyechart.jsonl --to AT/old",
        ),
        ("old/eyechart-data-set.000001.json", "report AT/old"),
        ("again/run.jsonl", RESUME),
        ("again/run.jsonl.02", RESUME),
        (
            "words/verdicts/bob-2.verdicts.jsonl",
            "verdicts a.eyechart.jsonl --verdicts AT/words/verdicts/",
        ),
        ("more/b.eyechart.jsonl", "report AT/more"),
        ("more/rerun.part02.eyechart.jsonl", "report AT/more"),
    ];
    let lengths = [(HUGE, Some(HUGE)), ("500", Some(HUGE)), ("500", None)];
    let wrong = all(0..commands.len() * lengths.len(), |number| {
        let ((key, words), (size, length)) = (commands[number / 3], lengths[number % 3]);
        let listed = format!("team/{key}");
        let store = Wire::answering(move |head, body, _| {
            let mut objects = Objects::from([
                ("team/again/run.jsonl".to_owned(), vec![b'{'; 500]),
                (listed.clone(), vec![b'{'; 500]),
            ]);
            let good = answer(&mut objects, head, body);
            let is_it = head
                .split(' ')
                .nth(1)
                .unwrap_or_default()
                .ends_with(&listed);
            match Operation::of(head) {
                List => {
                    let page = String::from_utf8(good.body.clone()).unwrap();
                    let size = format!("<Size>{size}</Size>");
                    good.body(page.replace("<Size>500</Size>", &size)).pieces()
                }
                Write => good.pieces(),
                _ if !is_it => good.pieces(),
                _ => match length {
                    Some(length) => good.with("Content-Length", length),
                    None => good.without("Content-Length"),
                }
                .then([
                    // Send some bytes before the length turns out to be wrong.
                    Piece::Bytes(vec![b' '; 400]),
                    Piece::Pause(Duration::from_millis(50)),
                    endless(b"{\"a\": 1}\n"),
                ]),
            }
        });
        let args = words.replace("AT", "s3://team");
        let args: Vec<String> = args.split(' ').map(str::to_owned).collect();
        let ended = Machine::new().run(&args, &variables(&store.address.to_string()));
        let told = |why: &str| format!("{key} of {size} and {length:?}: {why}");
        let ended = ended.map_err(|why| told(&why))?;
        if ended.code == 0 && !words.starts_with("verdicts") {
            return Err(told(&ended.output));
        }
        let sent = store.seen.sent.load(Ordering::Relaxed);
        if sent > HELD {
            return Err(told(&format!("{} MiB are read", sent >> 20)));
        }
        Ok(())
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Parts that are within the limit one by one are not joined if the result exceeds the limit.
#[test]
fn a_run_of_many_parts_is_not_joined_beyond_the_limit() {
    let store = Wire::answering(|head, body, _| {
        let part = |name: &str| (format!("team/again/{name}"), vec![b' '; 600_000]);
        let mut objects = Objects::from([part("run.jsonl"), part("run.jsonl.02")]);
        answer(&mut objects, head, body).pieces()
    });
    let args = RESUME.replace("AT", "s3://team");
    let args: Vec<String> = args.split(' ').map(str::to_owned).collect();
    let ended = Machine::new().run(&args, &variables(&store.address.to_string()));
    let Ended { code, output } = ended.unwrap();
    assert_eq!(code, 1, "{output}");
    assert!(output.contains("again/run.jsonl.02: more than"), "{output}");
    assert!(output.contains("limits.store_file"), "{output}");
}

/// Maximum number of bytes sent: the limits, plus the operating system's buffers on both sides for
/// several requests.
const HELD: u64 = 48 << 20;
