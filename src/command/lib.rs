//! Runs the subcommands, one file each: reads settings, does the work, returns an exit status. Only
//! this crate prints.

// Tests compare exact numbers and cast small numbers.
#![cfg_attr(test, allow(clippy::pedantic, clippy::complexity, clippy::perf))]

#[cfg(feature = "exam")]
mod adaptive;
mod agree;
mod cache;
mod check;
pub mod cli;
mod columns;
mod compare;
mod completions;
mod convert;
mod doctor;
#[cfg(feature = "exam")]
mod exam;
mod failure;
mod failures;
mod gate;
#[cfg(feature = "exam")]
mod generate;
mod health;
mod help;
mod input;
mod join;
mod judge;
mod live;
mod man_pages;
mod mcp;
mod misspelt;
mod named;
mod output;
mod publish;
mod queries;
mod remote_run;
mod report;
mod rerun;
mod reuse;
mod run_progress;
mod samples;
mod scorers;
mod secrets;
mod show;
mod side_by_side;
mod slices;
mod stderr;
mod studies;
mod verdicts;
mod verify;
mod view;
mod write_back;

use std::process::ExitCode;

use base::config::Settings;
use clap::Parser;

use crate::cli::{Cli, Command};

pub use failure::{Failure, Status};

/// Runs the program with the arguments of the command line and returns its exit code.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse_from(wild::args_os()) {
        Ok(cli) => cli,
        Err(error) => return secrets::refused(&error),
    };
    let outcome = match base::config::start_logging() {
        Err(error) => Err(Failure::new(format!("EYECHART_LOG: {error}"))),
        Ok(()) => run(cli),
    };
    match outcome {
        Ok(status) => status.in_all().into(),
        Err(failure) => failure.report(),
    }
}

fn run(cli: Cli) -> Result<Status, Failure> {
    // Read the settings here to set the limits before any data is read or requested. The commands
    // report errors in the settings. Skip pipes: they can be read only once, and the commands read
    // them.
    if Settings::file().is_some_and(|path| path.is_file()) {
        drop(Settings::read());
    }
    #[cfg(feature = "exam")]
    exam::register();
    match cli.command {
        None => view::run(&cli.view),
        Some(Command::Report(args)) => report::run(&args),
        Some(Command::Compare(args)) => compare::run(&args),
        Some(Command::Gate(args)) => gate::run(&args),
        Some(Command::Samples(args)) => samples::run(&args),
        Some(Command::Show(args)) => show::run(&args),
        Some(Command::Verdicts(args)) => verdicts::run(&args),
        Some(Command::Check(args)) => check::run(&args),
        Some(Command::Convert(args)) => convert::run(&args),
        Some(Command::Publish(args)) => publish::run(&args),
        Some(Command::Ranks(args)) => studies::ranks(&args),
        Some(Command::Matrix(args)) => studies::matrix(&args),
        Some(Command::Wins(args)) => studies::wins(&args),
        Some(Command::Items(args)) => studies::items(&args),
        Some(Command::Health(args)) => health::run(&args),
        Some(Command::Failures(args)) => failures::run(&args),
        Some(Command::Trend(args)) => studies::trend(&args),
        Some(Command::Spread(args)) => studies::spread(&args),
        Some(Command::Checkpoints(args)) => studies::checkpoints(&args),
        Some(Command::Models(args)) => studies::models(&args),
        Some(Command::Doctor(args)) => doctor::run(&args),
        Some(Command::Completions(args)) => completions::run(&args),
        Some(Command::Man(args)) => completions::run_man(&args),
        Some(Command::Help(args)) => help::run(&args),
        Some(Command::Slices(args)) => slices::run(&args),
        Some(Command::Scorers(args)) => scorers::run(&args),
        Some(Command::Agree(args)) => agree::run(&args),
        #[cfg(feature = "exam")]
        Some(Command::Generate(args)) => generate::run(&args),
        Some(Command::Rerun(args)) => rerun::run(&args),
        #[cfg(feature = "exam")]
        Some(Command::Exam(args)) => exam::run(&args),
        Some(Command::Judge(args)) => judge::run(&args),
        Some(Command::Join(args)) => join::run(&args),
        Some(Command::Mcp(args)) => mcp::run(&args),
        Some(Command::Cache(args)) => cache::run(&args),
    }
}
