//! Arguments of `mcp`.

use clap::Args;

use super::Input;

/// Arguments of `mcp`.
#[derive(Clone, Debug, Args)]
pub struct Mcp {
    /// What the assistant may read. It opens nothing outside these paths; without a path, nothing
    /// outside the working directory and `sample_runs`.
    #[command(flatten)]
    pub input: Input,
    /// Let the assistant open any address of a store, with your credentials
    #[arg(long)]
    pub allow_addresses: bool,
    /// Let the assistant store verdicts on labels
    #[arg(long)]
    pub allow_verdicts: bool,
    /// Author of these verdicts
    #[arg(
        long,
        value_name = "NAME",
        default_value = "assistant",
        requires = "allow_verdicts"
    )]
    pub author: String,
}
