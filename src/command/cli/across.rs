//! Arguments of the commands that look across models, benchmarks and samples.

use clap::{Args, ValueEnum};

use super::{Common, Input, Metrics, Output, share};

/// Arguments of `matrix`.
#[derive(Clone, Debug, Args)]
pub struct Matrix {
    /// Columns of the matrix
    #[arg(long, value_enum, default_value_t)]
    pub over: Columns,
    /// Minimum share of samples that all ranked models must have answered, among those that at
    /// least half of the models answered; until it is reached, models are left unranked, first the
    /// one whose removal adds most samples (default 0.8)
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub coverage: Option<f64>,
    /// What to open, which predictions, and how to write the answer.
    #[command(flatten)]
    pub common: Common,
}

/// Kind of a matrix's columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Columns {
    /// Abilities of all benchmarks
    #[default]
    Abilities,
    /// Whole benchmarks
    Benchmarks,
    /// All metrics of each benchmark: means over the abilities that have the metric
    Metrics,
}

/// Arguments of `checkpoints`.
#[derive(Clone, Debug, Args)]
pub struct Checkpoints {
    /// What to open, which predictions, and how to write the answer.
    #[command(flatten)]
    pub common: Common,
}

/// Arguments of `trend`.
#[derive(Clone, Debug, Args)]
pub struct Trend {
    /// What scores are plotted against: parameters (in billions), released, step, or another
    /// score: BENCHMARK or BENCHMARK/ABILITY, with @METRIC if it is not the one that ranks
    #[arg(long, value_name = "AXIS", default_value = "parameters")]
    pub against: String,
    /// Metrics to plot instead of those that rank, such as theta,r,g
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub metric: Vec<String>,
    /// What to open, which predictions, and how to write the answer.
    #[command(flatten)]
    pub common: Common,
}

/// Arguments of `spread`.
#[derive(Clone, Debug, Args)]
pub struct Spread {
    /// Tags or conditions whose values are compared, such as 'prompt,noise', with bins as for
    /// report; or split, for the splits of data sets
    #[arg(
        long,
        value_name = "SPEC",
        required_unless_present = "name",
        conflicts_with = "name"
    )]
    pub by: Option<String>,
    /// Two groups in the names of models, the model and the value of its setting, such as
    /// '^(.+)_lora_(\d+)'
    #[arg(long, value_name = "REGEX")]
    pub name: Option<String>,
    /// Metrics to compare: the one that ranks, or all
    #[arg(long, value_enum, default_value_t)]
    pub metric: Metrics,
    /// What to open, which predictions, and how to write the answer.
    #[command(flatten)]
    pub common: Common,
}

/// Arguments of `items`.
#[derive(Clone, Debug, Args)]
pub struct Items {
    /// Order of the samples
    #[arg(long, value_enum, default_value_t)]
    pub sort: ItemOrder,
    /// Count the samples by tags, with bins as for report, such as 'shapes,count'
    #[arg(long, value_name = "SPEC")]
    pub by: Option<String>,
    /// Maximum number of rows
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// What to open, which predictions, and how to write the answer.
    #[command(flatten)]
    pub common: Common,
}

/// Orders of samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ItemOrder {
    /// Samples on which better models do worse first
    #[default]
    Discrimination,
    /// The hardest first
    Difficulty,
    /// As in the logs
    Log,
}

/// Arguments of `models`.
#[derive(Clone, Debug, Args)]
pub struct Models {
    /// What to open.
    #[command(flatten)]
    pub input: Input,
    /// How and where to write it.
    #[command(flatten)]
    pub output: Output,
}
