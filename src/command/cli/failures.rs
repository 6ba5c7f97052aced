//! Arguments of `failures`.

use clap::Args;

use super::Common;

/// Arguments of `failures`.
#[derive(Clone, Debug, Args)]
pub struct Failures {
    /// Number of groups; without it, the number from 2 to 8 that separates them best
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=50))]
    pub groups: Option<u8>,
    /// What to open, which predictions, and how to write the answer.
    #[command(flatten)]
    pub common: Common,
}
