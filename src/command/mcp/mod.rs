//! `eyechart mcp`: answers an assistant's questions about logs, as a server of the Model Context
//! Protocol on standard input and output.
//!
//! The assistant calls tools, which run the same queries as the commands. Only protocol messages
//! are written to stdout. Text from logs is marked as data (`marked`).

mod answer;
mod arguments;
mod data;
mod lists;
mod marked;
mod model;
mod roots;
mod rpc;
mod samples;
mod session;
mod toolbox;
mod tools;
mod verdict;

use std::io::{Write as _, stdin, stdout};

use serde_json::Value as Json;

use super::{Failure, Status};
use crate::cli::Mcp;
use session::Session;
use toolbox::Toolbox;

/// Answers messages until the input ends.
pub fn run(args: &Mcp) -> Result<Status, Failure> {
    let mut tools = Toolbox::new(args)?;
    let mut session = Session::default();
    let mut input = stdin().lock();
    let mut out = stdout().lock();
    while let Some(message) = rpc::next(&mut input)? {
        let answer = match message {
            Ok(message) => session.answer(message, &mut tools),
            Err(error) => Some(error.answer(&Json::Null)),
        };
        if let Some(answer) = answer {
            report::write_json(&answer, &mut out)?;
            writeln!(out)?;
            out.flush()?;
        }
    }
    Ok(Status::Done)
}
