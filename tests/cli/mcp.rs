//! Tests the MCP server for assistants with a scripted client: protocol, numbers, sizes, malicious
//! logs.

mod injections;
mod permissions;
mod protocol;
#[cfg(unix)]
mod questions;

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::support::program;

/// Maximum length of an answer's text in bytes.
const LONGEST: usize = 20_000;
/// Key under which texts from logs are returned.
const TEXT: &str = "text_from_log";

/// A client that sends messages and waits for the answer to each.
pub struct Client {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    last: u64,
    /// Bytes of all answers, without pictures.
    bytes: usize,
}

impl Client {
    /// Starts the server in the project's folder. Sends nothing yet.
    fn start(args: &[&str]) -> Self {
        Self::start_in(Path::new(env!("CARGO_MANIFEST_DIR")), args)
    }

    fn start_in(folder: &Path, args: &[&str]) -> Self {
        let mut child = program()
            .arg("mcp")
            .args(args)
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Self {
            child,
            input,
            output,
            last: 0,
            bytes: 0,
        }
    }

    /// Starts the server, and negotiates the newest version with `initialize`.
    fn begin(args: &[&str]) -> Self {
        let mut client = Self::start(args);
        client.initialize("2025-11-25");
        client
    }

    fn initialize(&mut self, version: &str) -> Value {
        let params = json!({
            "protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "test", "version": "0"},
        });
        let answer = self.request("initialize", &params);
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string());
        answer
    }

    fn send(&mut self, line: &str) {
        writeln!(self.input, "{line}").expect("the server reads");
    }

    /// The next line. Asserts that it is one JSON value without control characters.
    fn read(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("UTF-8");
        let text = line.strip_suffix('\n').expect("a whole line");
        assert!(
            !text.chars().any(eyechart::base::format::is_control),
            "{text:?}"
        );
        self.bytes += text.len();
        serde_json::from_str(text).expect("JSON")
    }

    /// Sends a request and returns its answer.
    fn request(&mut self, method: &str, params: &Value) -> Value {
        self.last += 1;
        let id = self.last;
        self.send(
            &json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string(),
        );
        let answer = self.read();
        assert_eq!(
            (&answer["id"], &answer["jsonrpc"]),
            (&json!(id), &json!("2.0")),
            "{answer}"
        );
        answer
    }

    /// Calls a tool and returns its result.
    fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        let answer = self.request("tools/call", &json!({"name": tool, "arguments": arguments}));
        let result = answer["result"].clone();
        let content = result["content"]
            .as_array()
            .unwrap_or_else(|| panic!("{tool}: {answer}"));
        for part in content {
            match part["type"].as_str() {
                Some("text") => {
                    assert!(text(part).len() <= LONGEST, "{tool}: {}", text(part).len());
                }
                Some("image") => self.bytes -= part["data"].as_str().expect("a picture").len(),
                other => panic!("{tool}: {other:?}"),
            }
        }
        result
    }

    /// Calls a tool, which must succeed. Returns the JSON in its text.
    fn ask(&mut self, tool: &str, arguments: &Value) -> Value {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], false, "{tool} {arguments}: {result}");
        serde_json::from_str(text(&result["content"][0])).expect("JSON in the text")
    }

    /// Calls a tool, which must fail. Returns the JSON in its text.
    fn refused(&mut self, tool: &str, arguments: &Value) -> Value {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], true, "{tool} {arguments}: {result}");
        let error: Value = serde_json::from_str(text(&result["content"][0])).expect("JSON");
        let reason = error[TEXT]["reason"].as_str().unwrap_or_default();
        assert!(
            !reason.is_empty() && error["what_to_do"].is_string(),
            "{error}"
        );
        error
    }

    /// All pages of a list.
    fn pages(&mut self, tool: &str, arguments: &Value) -> Vec<Value> {
        let mut arguments = arguments.clone();
        let mut pages = Vec::new();
        loop {
            let page = self.ask(tool, &arguments);
            let next = page["page"]["next"].clone();
            pages.push(page);
            if next.is_null() {
                return pages;
            }
            arguments["cursor"] = next;
        }
    }

    /// Closes the input. Returns the exit code.
    fn end(self) -> i32 {
        let Self {
            mut child,
            input,
            mut output,
            ..
        } = self;
        drop(input);
        let mut rest = String::new();
        output.read_line(&mut rest).expect("UTF-8");
        assert_eq!(rest, "", "an answer that was not read");
        child.wait().expect("an end").code().expect("no signal")
    }
}

/// Text of a content block.
fn text(part: &Value) -> &str {
    part["text"].as_str().expect("a text")
}
