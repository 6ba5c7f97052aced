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
    /// At most so many answers
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// Judge the annotations instead, with their pictures: is what the logs call right in fact right? Its words go into a
    /// verdict file
    #[arg(long)]
    pub labels: bool,
    /// How the judge is reached.
    #[command(flatten)]
    pub live: Live,
    /// The folder of its words, with a log of the scores that follow from them
    #[arg(long, value_name = "DIR", value_parser = on_this_machine())]
    pub out: PathBuf,
    /// Whether it goes on, and whether anything is sent.
    #[command(flatten)]
    pub again: Again,
    /// How to write what was found
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}
