//! `eyechart completions` and `eyechart man`: shell completions and man pages from the definition
//! of the command line.

use std::io::{Write, stdout};
use std::path::Path;

use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::Man;

use super::{Failure, Status, man_pages};
use crate::cli::{self, Cli, Completions, ManPages};
use base::file::FileBatch;

const NAME: &str = "eyechart";

/// Prints the completion script of a shell.
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

/// Runs `eyechart man`: prints one page, or writes a page for every command and every page of the
/// manual to a folder.
pub fn run_man(args: &ManPages) -> Result<Status, Failure> {
    let Some(folder) = &args.out else {
        let mut out = stdout().lock();
        Man::new(Cli::command()).render(&mut out)?;
        man_pages::sections().to_writer(&mut out)?;
        return Ok(Status::Done);
    };
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    let together = FileBatch::default();
    write_pages(&command, folder, &together)?;
    for page in base::manual::PAGES {
        let text = man_pages::page(page).render();
        together.write(&folder.join(man_pages::file_name(page)), text.as_bytes())?;
    }
    together.settle()?;
    Ok(Status::Done)
}

/// Writes the man page of a command and of all its subcommands.
fn write_pages(
    command: &clap::Command,
    folder: &Path,
    together: &FileBatch,
) -> Result<(), Failure> {
    for below in command
        .get_subcommands()
        .filter(|below| !below.is_hide_set())
    {
        write_pages(below, folder, together)?;
    }
    let page = Man::new(command.clone());
    let mut text = Vec::new();
    page.render(&mut text)?;
    together.write(&folder.join(page.get_filename()), &text)?;
    Ok(())
}
