//! Arguments of `health`.

use std::path::PathBuf;

use clap::Args;

use super::input::on_this_machine;
use super::{Common, Switch};

/// Arguments of `health`.
#[derive(Clone, Debug, Args)]
pub struct Health {
    /// Whether pictures are read, where they are local, to find near-duplicates
    #[arg(long, value_name = "WHEN", value_enum, default_value_t)]
    pub pictures: Switch,
    /// Write the faulty samples with their reasons, one JSON object per line; the filter
    /// 'not ids:FILE' leaves them out
    #[arg(long, value_name = "FILE", value_parser = on_this_machine())]
    pub faults: Option<PathBuf>,
    /// Write the samples without a fault, one JSON object per line; the filter ids:FILE selects
    /// them
    #[arg(long, value_name = "FILE", value_parser = on_this_machine())]
    pub clean_out: Option<PathBuf>,
    /// Print every check of every ability and all flagged samples, not only one screen
    #[arg(long)]
    pub long: bool,
    /// What to open, which predictions, and how to write the answer.
    #[command(flatten)]
    pub common: Common,
}
