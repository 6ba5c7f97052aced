//! `eyechart completions` and `eyechart man`: what a shell and `man` want to know, out of the command line itself.

use std::io::{Write, stdout};

use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::Man;

use super::{Failure, Status};
use cli::{self, Cli, Completions, ManPages};

const NAME: &str = "eyechart";

/// Runs `eyechart completions`.
pub fn run(args: &Completions) -> Result<Status, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell(args.shell), &mut Cli::command(), NAME, &mut script);
    stdout().write_all(&script)?;
    Ok(Status::Done)
}

const fn shell(shell: cli::Shell) -> Shell {
    match shell {
        cli::Shell::Bash => Shell::Bash,
        cli::Shell::Zsh => Shell::Zsh,
        cli::Shell::Fish => Shell::Fish,
        cli::Shell::Elvish => Shell::Elvish,
        cli::Shell::Powershell => Shell::PowerShell,
    }
}

/// Runs `eyechart man`: one page to standard output, or a page for every command into a folder.
pub fn run_man(args: &ManPages) -> Result<Status, Failure> {
    let Some(folder) = &args.out else {
        Man::new(Cli::command()).render(&mut stdout().lock())?;
        return Ok(Status::Done);
    };
    let unwritable = |error| Failure::new(format!("{}: {error}", folder.display()));
    std::fs::create_dir_all(folder).map_err(unwritable)?;
    clap_mangen::generate_to(Cli::command(), folder).map_err(unwritable)?;
    Ok(Status::Done)
}
