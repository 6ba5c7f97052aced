//! Messages of JSON-RPC 2.0, one per line.

use std::io::{self, BufRead, Read as _};

use serde_json::{Map, Value as Json, json};

/// Maximum length of a message in bytes.
const LONGEST: u64 = 4 << 20;

/// Error codes of JSON-RPC and of MCP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorCode {
    /// The line is not JSON.
    Parse = -32_700,
    /// The JSON is not a message, or the message is not expected now.
    Request = -32_600,
    /// No method has this name.
    Method = -32_601,
    /// The parameters do not fit the method.
    Params = -32_602,
    /// Another version of the protocol is needed.
    Version = -32_022,
}

/// Error in the answer to a message.
#[derive(Clone, Debug, PartialEq)]
pub struct RpcError {
    code: ErrorCode,
    message: String,
    data: Option<Json>,
}

impl RpcError {
    /// Creates an error; the message is one sentence without a full stop.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            data: None,
        }
    }

    /// Adds data for the client.
    pub fn with_data(self, data: Json) -> Self {
        Self {
            data: Some(data),
            ..self
        }
    }

    /// Builds the answer to the message with this id; `null` if it has none.
    pub fn answer(self, id: &Json) -> Json {
        let mut error = json!({"code": self.code as i32, "message": self.message});
        if let Some(data) = self.data {
            error["data"] = data;
        }
        json!({"jsonrpc": "2.0", "id": id, "error": error})
    }
}

/// Request from a client.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// Id to repeat in the answer: a text or a whole number.
    pub id: Json,
    /// Method, for example `tools/call`.
    pub method: String,
    /// Parameters; empty if there are none.
    pub params: Map<String, Json>,
}

/// Message from a client.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// Request, which needs an answer.
    Request(Request),
    /// Notification or response, which needs no answer.
    Silent,
    /// Message that violates JSON-RPC: the id and the error of the answer.
    Bad(Json, RpcError),
}

impl Message {
    /// Checks the form of a message and converts it.
    pub fn parse(message: Json) -> Self {
        let bad = |id: Json, what: &str| Self::Bad(id, RpcError::new(ErrorCode::Request, what));
        let Json::Object(mut fields) = message else {
            return bad(Json::Null, "a message must be an object");
        };
        let id = fields.remove("id");
        let is_id = |id: &Json| id.is_string() || id.is_i64() || id.is_u64();
        let known = id.clone().filter(is_id).unwrap_or_default();
        if fields.get("jsonrpc") != Some(&json!("2.0")) {
            return bad(known, "`jsonrpc` must be \"2.0\"");
        }
        let method = match fields.remove("method") {
            Some(Json::String(method)) => method,
            None if fields.contains_key("result") || fields.contains_key("error") => {
                return Self::Silent;
            }
            _ => return bad(known, "`method` must be a text"),
        };
        match (id, fields.remove("params")) {
            (None, _) => Self::Silent,
            (Some(id), _) if !is_id(&id) => {
                bad(Json::Null, "`id` must be a text or a whole number")
            }
            (Some(id), None) => Self::Request(Request {
                id,
                method,
                params: Map::new(),
            }),
            (Some(id), Some(Json::Object(params))) => Self::Request(Request { id, method, params }),
            (Some(id), Some(_)) => {
                let what = "`params` must be an object";
                Self::Bad(id, RpcError::new(ErrorCode::Params, what))
            }
        }
    }
}

/// Reads the next line with content as JSON; `None` at the end of the input.
///
/// # Errors
/// The input cannot be read.
pub fn next(input: &mut impl BufRead) -> io::Result<Option<Result<Json, RpcError>>> {
    loop {
        let mut line = Vec::new();
        if input.by_ref().take(LONGEST).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        if line.len() as u64 == LONGEST && !line.ends_with(b"\n") {
            input.skip_until(b'\n')?;
            let what = format!("a message may have at most {LONGEST} bytes");
            return Ok(Some(Err(RpcError::new(ErrorCode::Parse, what))));
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        let read = serde_json::from_slice(&line);
        let parsed =
            read.map_err(|_| RpcError::new(ErrorCode::Parse, "a line must be one JSON message"));
        return Ok(Some(parsed));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(message: &Json) -> Option<ErrorCode> {
        match Message::parse(message.clone()) {
            Message::Bad(_, error) => Some(error.code),
            Message::Request(_) | Message::Silent => None,
        }
    }

    #[test]
    fn messages_of_a_wrong_form_are_named() {
        for bad in [
            json!(3),
            json!({}),
            json!({"jsonrpc": "1.0", "id": 1, "method": "ping"}),
            json!({"jsonrpc": "2.0", "id": 1}),
            json!({"jsonrpc": "2.0", "id": 1, "method": 3}),
            json!({"jsonrpc": "2.0", "id": null, "method": "ping"}),
            json!({"jsonrpc": "2.0", "id": 1.5, "method": "ping"}),
            json!({"jsonrpc": "2.0", "id": [1], "method": "ping"}),
        ] {
            assert_eq!(code(&bad), Some(ErrorCode::Request), "{bad}");
        }
        let list = json!({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": [1]});
        assert_eq!(code(&list), Some(ErrorCode::Params));
    }

    #[test]
    fn notifications_and_answers_need_no_answer() {
        for silent in [
            json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}),
            json!({"jsonrpc": "2.0", "method": "x", "params": 1}),
            json!({"jsonrpc": "2.0", "id": 7, "result": {}}),
            json!({"jsonrpc": "2.0", "id": 7, "error": {"code": 1, "message": ""}}),
        ] {
            assert_eq!(Message::parse(silent), Message::Silent);
        }
    }

    #[test]
    fn a_line_that_is_too_long_is_left_out_and_the_next_one_is_read() {
        let mut text = vec![b' '; usize::try_from(LONGEST).unwrap()];
        text.extend(b" 1\n\n\r\n2\nnot JSON\n3");
        let mut input = text.as_slice();
        let mut read = || next(&mut input).unwrap();
        assert!(matches!(read(), Some(Err(error)) if error.code == ErrorCode::Parse));
        assert_eq!(read(), Some(Ok(json!(2))));
        assert!(matches!(read(), Some(Err(error)) if error.code == ErrorCode::Parse));
        assert_eq!(read(), Some(Ok(json!(3))));
        assert_eq!(read(), None);
    }
}
