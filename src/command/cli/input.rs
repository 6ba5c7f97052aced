//! What is opened, which predictions count, and how answers are written.

use std::path::{Path, PathBuf};

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
    /// Embeddings by sample id (repeatable): NAME.npy with its ids in NAME.ids.txt, or a Parquet or
    /// Arrow file (`eyechart help likeness`)
    #[arg(long, value_name = "FILE")]
    pub embeddings: Vec<PathBuf>,
    /// Ability of AVA-Bench logs if neither folder nor question shows it; `tag:KEY` takes the
    /// ability of Inspect, lmms-eval and lm-eval samples from a tag, such as a metadata key
    #[arg(long, value_name = "NAME")]
    pub ability: Option<String>,
    /// Runs to read: 'latest' of each model and data set, 'all', or those with ID in their name or
    /// path; by default all except repetitions of the same experiment
    #[arg(
        long,
        value_name = "latest|all|ID",
        default_value = "",
        hide_default_value = true
    )]
    pub runs: String,
    /// Score from which an answer counts as right, such as 'giou=0.7' (repeatable); without it, the
    /// usual threshold of the metric
    #[arg(long, value_name = "METRIC=SCORE", value_parser = right_from)]
    pub right: Vec<(String, f64)>,
    /// A metric whose higher values are better, such as 'quality' (repeatable); needed for metrics
    /// that Eyechart does not know
    #[arg(long, value_name = "METRIC")]
    pub higher: Vec<String>,
    /// A metric whose lower values are better, such as 'drift' (repeatable)
    #[arg(long, value_name = "METRIC")]
    pub lower: Vec<String>,
    /// File or address in a store for verdicts on labels; without it, a file next to the logs
    #[arg(long, value_name = "FILE|ADDRESS")]
    pub verdicts: Option<PathBuf>,
    /// Download pictures that have a web address in the logs, when they are shown or sent
    #[arg(long)]
    pub fetch_images: bool,
    /// Follow links that lead out of the opened folders
    #[arg(long)]
    pub follow_links: bool,
}

/// What to open, which predictions, and how the answer is written.
#[derive(Clone, Debug, Args)]
pub struct Common {
    /// What to open.
    #[command(flatten)]
    pub input: Input,
    /// Which predictions.
    #[command(flatten)]
    pub lens: Lens,
    /// How and where to write it.
    #[command(flatten)]
    pub output: Output,
}

/// Which predictions, and by whose rules.
#[derive(Clone, Debug, Default, Args)]
pub struct Lens {
    /// Only matching predictions, such as 'ability:counting score<0.5'; published scores match by
    /// benchmark, ability, model, metric, split, group and table, such as 'group:open'
    #[arg(
        long,
        value_name = "EXPR",
        default_value = "",
        hide_default_value = true
    )]
    pub filter: String,
    /// Scoring rules: the harness's own, or Eyechart's
    #[arg(long, value_enum, default_value_t)]
    pub scoring: Rules,
}

/// Rules that score answers.
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

/// Output format of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Aligned columns
    #[default]
    Table,
    /// One JSON document
    Json,
    /// One JSON object per line
    Jsonl,
    /// Comma-separated values
    Csv,
    /// Markdown tables
    Markdown,
    /// One self-contained page with tables and charts
    Html,
    /// An Arrow IPC stream for pandas, polars and others
    Arrow,
}

/// How and where an answer is written.
#[derive(Clone, Debug, Default, Args)]
pub struct Output {
    /// Output format; without it, by the ending of `--out`, else a table
    #[arg(long, value_enum)]
    pub format: Option<Format>,
    /// The file to write: .html, .md, .csv, .json, .jsonl or .arrows; `-` for stdout
    #[arg(long, value_name = "FILE", value_parser = on_this_machine())]
    pub out: Option<PathBuf>,
}

impl Output {
    /// Returns the file to write; `None` for stdout.
    pub fn file(&self) -> Option<&Path> {
        self.out.as_deref().filter(|out| *out != Path::new("-"))
    }
}

/// Parses a metric and the minimum score of a right answer: `giou=0.7`.
fn right_from(text: &str) -> Result<(String, f64), String> {
    let parts = text
        .split_once('=')
        .map(|(metric, score)| (metric, score.parse::<f64>()));
    match parts {
        Some((metric, Ok(score))) if !metric.is_empty() && score.is_finite() => {
            Ok((metric.to_owned(), score))
        }
        _ => Err("expected a metric and a score, such as giou=0.7".to_owned()),
    }
}

/// Returns a parser for local paths, for outputs that cannot be written to a store.
pub(super) fn on_this_machine() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| {
        if path.to_string_lossy().contains("://") {
            Err("must be a local file or folder, not an address")
        } else {
            Ok(path)
        }
    })
}
