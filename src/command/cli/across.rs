//! Arguments of the commands that look across models, benchmarks and samples.

use clap::{Args, ValueEnum};

use super::{Common, Input, Output, share};

/// Arguments of `matrix`.
#[derive(Clone, Debug, Args)]
pub struct Matrix {
    /// Columns of the matrix
    #[arg(long, value_enum, default_value_t)]
    pub over: Columns,
    /// Minimum share of samples that all ranked models must have answered, of those that most
    /// models answered (default 0.8)
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub coverage: Option<f64>,
    /// What to open, which predictions, and how to write the answer.
    #[command(flatten)]
    pub common: Common,
}

/// What the columns of a matrix are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Columns {
    /// Abilities of all benchmarks
    #[default]
    Abilities,
    /// Whole benchmarks
    Benchmarks,
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
    /// What scores are plotted against
    #[arg(long, value_enum, default_value_t)]
    pub against: Against,
    /// What to open, which predictions, and how to write the answer.
    #[command(flatten)]
    pub common: Common,
}

/// What scores stand against.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Against {
    /// Parameters, in billions
    #[default]
    Parameters,
    /// The date of release
    Released,
    /// The training step of a checkpoint, as `checkpoints` finds it
    Step,
}

/// Arguments of `items`.
#[derive(Clone, Debug, Args)]
pub struct Items {
    /// Order of the samples
    #[arg(long, value_enum, default_value_t)]
    pub sort: ItemOrder,
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
