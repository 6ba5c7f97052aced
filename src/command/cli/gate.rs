//! Arguments of `gate`.

use std::path::PathBuf;

use analysis::MetricMargin;
use clap::{Args, ValueEnum};

use super::input::on_this_machine;
use super::{Input, Lens};

/// Arguments of `gate`.
#[derive(Clone, Debug, Args)]
pub struct Gate {
    /// The current model, or a filter expression such as 'prompt:old'
    #[arg(value_name = "BASE")]
    pub base: String,
    /// The model that may replace it, or another filter expression
    #[arg(value_name = "CANDIDATE")]
    pub candidate: String,
    /// Tolerated loss: 1pp (percentage points of a metric that is a fraction), 2% (of the base's
    /// score), 0.01 (in the metric's unit); METRIC=LOSS for one metric (repeatable)
    #[arg(long, value_name = "[METRIC=]LOSS", required = true)]
    pub worse_by: Vec<MetricMargin>,
    /// What must pass in addition to the mean over all samples
    #[arg(long, value_enum)]
    pub by: Option<GateBy>,
    /// Results that exit with 5. With worse, a tested result without a decision passes with 0; with
    /// unsure, every "cannot tell" fails too. Without this option, "cannot tell" exits with 6
    #[arg(long, value_enum, value_name = "WHAT")]
    pub fail_on: Option<FailOn>,
    /// Print all rows and numbers, not only one screen
    #[arg(long)]
    pub long: bool,
    /// What to open.
    #[command(flatten)]
    pub input: Input,
    /// Which predictions.
    #[command(flatten)]
    pub lens: Lens,
    /// Output format; without it, by the ending of `--out`, else a table
    #[arg(long, value_enum)]
    pub format: Option<GateFormat>,
    /// The file to write: .md, .xml (`JUnit`), .json, .jsonl, .csv or .html
    #[arg(long, value_name = "FILE", value_parser = on_this_machine())]
    pub out: Option<PathBuf>,
    /// Write the pictures of a Markdown comment as files into this folder, instead of into the
    /// comment
    #[arg(long, value_name = "DIR", value_parser = on_this_machine())]
    pub pictures: Option<PathBuf>,
    /// Address of that folder in the comment, where you publish it; without it, DIR
    #[arg(long, value_name = "URL", requires = "pictures")]
    pub pictures_at: Option<String>,
}

/// Scopes that must pass a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GateBy {
    /// Each ability
    Ability,
}

/// Results of a gate that fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// Worse only
    Worse,
    /// Worse, and cannot tell
    Unsure,
}

/// Output format of a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GateFormat {
    /// Aligned columns
    Table,
    /// One JSON document
    Json,
    /// One JSON object per line
    Jsonl,
    /// Comma-separated values
    Csv,
    /// One comment on a pull request, with small pictures of what got worse
    Markdown,
    /// One self-contained page
    Html,
    /// `JUnit` XML, a test case per row
    Junit,
    /// Annotations of GitHub Actions
    Github,
}
