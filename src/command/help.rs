//! `eyechart help [TOPIC]`: prints a page of the manual, or the help of a command.

use std::io::{Write, stdout};

use clap::CommandFactory;
use clap::builder::StyledStr;

use super::{Failure, Status};
use crate::cli::{Cli, Help};
use base::manual::Page;

/// Prints the topic; without one, the list of topics.
pub fn run(args: &Help) -> Result<Status, Failure> {
    let mut out = stdout().lock();
    let Some(topic) = &args.topic else {
        write!(out, "{}", index())?;
        return Ok(Status::Done);
    };
    match Page::named(topic) {
        Ok(page) => write!(out, "{}", page.text)?,
        Err(unknown) => match of_command(topic) {
            Some(help) => write!(out, "{help}")?,
            None => return Err(no_page(topic, unknown.nearest)),
        },
    }
    Ok(Status::Done)
}

fn index() -> String {
    format!(
        "Pages of the manual; `eyechart help TOPIC` opens one:\n\n{}\n`eyechart COMMAND --help` shows the options of a command.\n",
        base::manual::index()
    )
}

/// Returns the help text of a command; `None` for an unknown name.
fn of_command(name: &str) -> Option<StyledStr> {
    let mut eyechart = Cli::command();
    eyechart.build();
    let command = eyechart.find_subcommand_mut(name)?;
    Some(command.render_long_help())
}

fn no_page(topic: &str, nearest: Option<&str>) -> Failure {
    let failure = Failure::usage(format!("the manual has no page `{topic}`"));
    match nearest {
        Some(nearest) => failure.hint(format!("did you mean `eyechart help {nearest}`?")),
        None => failure.hint("`eyechart help` lists the pages"),
    }
}
