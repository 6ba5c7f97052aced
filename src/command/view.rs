//! `eyechart [PATH...]`: the terminal UI.

use std::io::{IsTerminal, stdin, stdout};

use super::{Failure, Status, input, show};
use crate::cli::View;
use crate::tui::{self, Options};
use crate::workspace::Lens;

/// Runs the command.
pub fn run(args: &View) -> Result<Status, Failure> {
    let request = input::request(&args.input)?;
    if !stdin().is_terminal() || !stdout().is_terminal() {
        return Err(Failure::usage("the terminal UI needs a terminal")
            .hint("eyechart report writes the same into a pipe"));
    }
    let lens = Lens {
        filter: args.lens.filter.clone(),
        scoring: args.lens.scoring.into(),
        ..Lens::default()
    };
    crate::workspace::filter::parse(&lens.filter).map_err(Failure::usage)?;
    let options = Options {
        request,
        lens,
        theme: args.theme.clone(),
        images: show::images(args.images),
    };
    tui::run(&options).map_err(Failure::new)?;
    Ok(Status::Done)
}
