//! What is opened, which predictions count, and how answers are written.

use std::path::PathBuf;

use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::{Args, ValueEnum};

/// What to open.
#[derive(Clone, Debug, Default, Args)]
pub struct Input {
    /// Files, folders, globs or addresses of logs (`eyechart help stores`); without one, `sample_runs` is opened
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// A folder or an address with data sets and pictures (repeatable)
    #[arg(long, value_name = "DIR")]
    pub data: Vec<PathBuf>,
    /// The ability of AVA-Bench logs whose folder and wording tell none; `tag:KEY` takes that of Inspect, lmms-eval
    /// and lm-eval samples from a tag, such as a key of their metadata
    #[arg(long, value_name = "NAME")]
    pub ability: Option<String>,
    /// Which runs are read: 'latest' of each model and data set, 'all', or those with ID in their name or path; else
    /// all but repetitions of the same experiment
    #[arg(
        long,
        value_name = "latest|all|ID",
        default_value = "",
        hide_default_value = true
    )]
    pub runs: String,
    /// From which score on an answer counts as right, such as 'giou=0.7' (repeatable); without it, what is usual for
    /// the metric
    #[arg(long, value_name = "METRIC=SCORE", value_parser = right_from)]
    pub right: Vec<(String, f64)>,
    /// A metric of which higher values are better, such as 'quality' (repeatable); needed for names that Eyechart does
    /// not know
    #[arg(long, value_name = "METRIC")]
    pub higher: Vec<String>,
    /// A metric of which lower values are better, such as 'drift' (repeatable)
    #[arg(long, value_name = "METRIC")]
    pub lower: Vec<String>,
    /// The file that verdicts on labels go to, or a place in a store; without it, a file beside the logs
    #[arg(long, value_name = "FILE|ADDRESS")]
    pub verdicts: Option<PathBuf>,
    /// Fetch pictures that logs name by their web address, when they are shown or sent
    #[arg(long)]
    pub fetch_images: bool,
    /// Follow links that lead out of the folders that are opened
    #[arg(long)]
    pub follow_links: bool,
}

/// Which predictions, and by whose rules.
#[derive(Clone, Debug, Default, Args)]
pub struct Lens {
    /// Only predictions that pass, such as 'ability:counting score<0.5'; published scores by benchmark, ability, model,
    /// metric, split, group and table, such as 'group:open'
    #[arg(
        long,
        value_name = "EXPR",
        default_value = "",
        hide_default_value = true
    )]
    pub filter: String,
    /// Whose rules score: the harness's own, or Eyechart's
    #[arg(long, value_enum, default_value_t)]
    pub scoring: Rules,
}

/// Whose rules score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Rules {
    /// The rules of the harness that wrote the log
    #[default]
    Harness,
    /// Eyechart's own
    Strict,
}

/// On or off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    /// On
    #[default]
    On,
    /// Off
    Off,
}

/// How answers are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Aligned columns
    #[default]
    Table,
    /// One JSON document
    Json,
    /// One JSON object a line
    Jsonl,
    /// Comma-separated values
    Csv,
    /// Markdown tables
    Markdown,
    /// One page with tables and charts that needs nothing else
    Html,
}

/// How and where an answer is written.
#[derive(Clone, Debug, Default, Args)]
pub struct Output {
    /// How to write it; told by the ending of `--out`, else a table
    #[arg(long, value_enum)]
    pub format: Option<Format>,
    /// The file to write: .html, .md, .csv, .json or .jsonl
    #[arg(long, value_name = "FILE", value_parser = on_this_machine())]
    pub out: Option<PathBuf>,
}

/// A metric, and the score from which on its answers are right: `giou=0.7`.
fn right_from(text: &str) -> Result<(String, f64), String> {
    let parts = text
        .split_once('=')
        .map(|(metric, score)| (metric, score.parse::<f64>()));
    match parts {
        Some((metric, Ok(score))) if !metric.is_empty() && score.is_finite() => {
            Ok((metric.to_owned(), score))
        }
        _ => Err("a metric and a score, such as giou=0.7".to_owned()),
    }
}

/// A path of this machine: nothing is written into a store.
pub(super) fn on_this_machine() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| {
        if path.to_string_lossy().contains("://") {
            Err("what is written goes to a file or folder of this machine, not to an address")
        } else {
            Ok(path)
        }
    })
}
