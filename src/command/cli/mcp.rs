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
    /// Let the assistant ask the model at this endpoint the questions of the logs again: an
    /// address, or a name from the config file. It can ask no other model
    #[arg(long, value_name = "ENDPOINT")]
    pub allow_ask: Option<String>,
    /// Name of this model; not needed if the endpoint has only one
    #[arg(long, value_name = "NAME", requires = "allow_ask")]
    pub ask_model: Option<String>,
    /// Maximum number of questions sent to this model before the server ends
    #[arg(long, value_name = "N", default_value_t = 20, requires = "allow_ask")]
    pub ask_limit: u32,
}
