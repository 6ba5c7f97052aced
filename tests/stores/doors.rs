//! Data sets on the hub and folders on web servers, for the table of wrong answers in `modes`.

use serde_json::{Value, json};

use super::modes::{Answer, Change, Objects, Operation, Scene, answer};

/// Commit of the data set on the hub.
const COMMIT: &str = "c0ffee";

/// Kinds of stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Door {
    /// A bucket of S3, Google Cloud Storage or Azure.
    Bucket,
    /// A data set on the hub. The operation `Head` is the request for its commit.
    Hub,
    /// A folder of a web server with a `listing.json`.
    Web,
}

impl Door {
    /// The address of the store at a host. `scheme` is the scheme of a bucket.
    pub fn address(self, scheme: &str, host: &str) -> String {
        match self {
            Self::Bucket => format!("{scheme}://team"),
            Self::Hub => "hf://datasets/o/n".to_owned(),
            Self::Web => format!("http://{host}"),
        }
    }

    /// Operation to which a request belongs, and the correct answer.
    pub fn answer(self, objects: &mut Objects, head: &str, body: &[u8]) -> (Operation, Answer) {
        let target = head.split(' ').nth(1).unwrap_or_default();
        let page = match self {
            Self::Hub if target.contains("/revision/") => {
                Some((Operation::Head, json!({"sha": COMMIT})))
            }
            Self::Hub if target.contains("/tree/") => Some((Operation::List, self.list(objects))),
            Self::Web if target.ends_with("listing.json") => {
                Some((Operation::List, self.list(objects)))
            }
            _ => None,
        };
        if let Some((operation, page)) = page {
            let page = Answer::new("200 OK", page.to_string().into_bytes());
            return (operation, page.with("Content-Type", "application/json"));
        }
        let folder = match self {
            Self::Bucket => return (Operation::of(head), answer(objects, head, body)),
            Self::Hub => format!("/datasets/o/n/resolve/{COMMIT}/"),
            Self::Web => "/".to_owned(),
        };
        let head = head.replacen(&folder, "/team/", 1);
        (Operation::of(&head), answer(objects, &head, body))
    }

    fn list(self, objects: &Objects) -> Value {
        let item = |(path, bytes): (&String, &Vec<u8>)| {
            let name = path.strip_prefix("team/set/")?;
            Some(self.item(name, bytes.len()))
        };
        objects.iter().filter_map(item).collect()
    }

    /// Entry of a listing.
    fn item(self, name: &str, size: usize) -> Value {
        if self == Self::Web {
            return json!(name);
        }
        json!({"type": "file", "path": format!("set/{name}"), "size": size, "oid": "e"})
    }
}

/// Names that are added to a listing.
const NAMES: [&str; 21] = [
    "../../../up.eyechart.jsonl",
    "..",
    "/etc/up.eyechart.jsonl",
    "%2e%2e/up.eyechart.jsonl",
    r"..\..\up.eyechart.jsonl",
    "C:up.eyechart.jsonl",
    "NUL.eyechart.jsonl",
    "",
    "folder/",
    "a.eyechart.jsonl",
    "A.eyechart.jsonl",
    "a.eyechart.jsonl/b.eyechart.jsonl",
    "\u{1b}]0;x\u{7}.eyechart.jsonl",
    "\u{202e}lnosj.eyechart.jsonl",
    "a\0b.eyechart.jsonl",
    "a\nb.eyechart.jsonl",
    "a?b#c.eyechart.jsonl",
    "http://OTHER/a.eyechart.jsonl",
    "//OTHER/a.eyechart.jsonl",
    "eyechart-data-set.18446744073709551615.json",
    "LONG.eyechart.jsonl",
];

/// Pages that are sent instead of the correct page.
const PAGES: [&str; 22] = [
    "null",
    "3",
    "\"set\"",
    "{}",
    "[]",
    "[null]",
    "[[]]",
    "[{}]",
    "[{\"name\": 3}]",
    "{\"a.eyechart.jsonl\": {\"\u{1b}\": 1}}",
    "{\"sha\": null}",
    "{\"sha\": \"\"}",
    "{\"sha\": \"../../x\"}",
    "{\"sha\": \"\\u001b]0;x\\u0007\"}",
    "{\"sha\": \"LONG\"}",
    "{\"sha\": \"http://OTHER/\"}",
    "[{\"type\": \"file\", \"path\": \"set/c.eyechart.jsonl\", \"size\": -1}]",
    "[{\"type\": \"file\", \"path\": \"set/c.eyechart.jsonl\", \"size\": 18446744073709551615}]",
    "[{\"type\": \"file\", \"path\": \"set/c.eyechart.jsonl\", \"size\": 1e999}]",
    "[{\"type\": \"file\", \"path\": \"set/c.eyechart.jsonl\", \"lfs\": {\"oid\": \"../x\", \"size\": 0}}]",
    "[{\"type\": \"directory\", \"path\": \"set\"}, {\"type\": \"link\", \"path\": \"set/x\"}]",
    "[{\"type\": \"file\", \"path\": \"other/c.eyechart.jsonl\", \"size\": 5}]",
];

/// Links to the next page of a listing on the hub.
const NEXT: [&str; 6] = [
    "<http://OWN/PATH>; rel=\"next\"",
    "<http://OWN/PATH&page=COUNT>; rel=\"next\"",
    "<http://OTHER/PATH>; rel=\"next\"",
    "<file:///etc/passwd>; rel=\"next\"",
    "<::>; rel=\"next\"",
    "<http://OWN/PATH&page=LONG>; rel=\"next\"",
];

/// Adds wrong pages.
pub fn pages(door: Door, add: &mut dyn FnMut(String, Change)) {
    for name in NAMES {
        let change = move |answer: Answer, scene: &mut Scene| {
            let name = scene.spell(name);
            edited(answer, &|items| items.push(door.item(&name, 5))).pieces()
        };
        add(format!("name {name:?}"), Box::new(change));
    }
    for page in PAGES {
        let change =
            move |answer: Answer, scene: &mut Scene| answer.body(scene.spell(page)).pieces();
        add(format!("page {page:?}"), Box::new(change));
    }
    for link in NEXT {
        let change = move |answer: Answer, scene: &mut Scene| {
            answer.with("Link", &scene.spell(link)).pieces()
        };
        add(format!("link {link:?}"), Box::new(change));
    }
    let many = move |answer: Answer, _: &mut Scene| {
        let more = |items: &mut Vec<Value>| {
            items.extend((0..5_000).map(|at| door.item(&format!("{at}.txt"), 5)));
        };
        edited(answer, &more).pieces()
    };
    add("many names".to_owned(), Box::new(many));
    let deep = |answer: Answer, _: &mut Scene| answer.body("[".repeat(100_000)).pieces();
    add("deep lists".to_owned(), Box::new(deep));
}

/// The answer with changed items, if it is a list.
fn edited(answer: Answer, edit: &dyn Fn(&mut Vec<Value>)) -> Answer {
    let mut page: Value = serde_json::from_slice(answer.bytes()).unwrap();
    if let Some(items) = page.as_array_mut() {
        edit(items);
    }
    answer.body(page.to_string())
}
