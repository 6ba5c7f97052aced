//! Arguments of `judge`.

use std::path::PathBuf;

use clap::Args;

use super::input::on_this_machine;
use super::{Again, Format, Input, Lens, Live};

/// Arguments of `judge`.
#[derive(Clone, Debug, Args)]
pub struct Judge {
    /// What to open.
    #[command(flatten)]
    pub input: Input,
    /// Which answers.
    #[command(flatten)]
    pub lens: Lens,
    /// Maximum number of answers
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// Judge the annotations instead, with their pictures: are the targets in the logs right? The
    /// answers are written to a verdict file
    #[arg(long)]
    pub labels: bool,
    /// How the judge is reached.
    #[command(flatten)]
    pub live: Live,
    /// Folder for the judge's answers, with a log of the resulting scores
    #[arg(long, value_name = "DIR", value_parser = on_this_machine())]
    pub out: PathBuf,
    /// Options to resume the run, or to send nothing.
    #[command(flatten)]
    pub again: Again,
    /// Output format of the results
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}
