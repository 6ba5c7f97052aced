//! Arguments of the commands that ask how far scores, ranks and labels can be trusted.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::Common;

/// Arguments of `agree`.
#[derive(Clone, Debug, Args)]
pub struct Agree {
    /// The two sets of runs, each a filter such as 'prompt:short', or scoring:harness, scoring:strict
    #[arg(
        long,
        num_args = 2,
        value_names = ["EXPR", "EXPR"],
        allow_hyphen_values = true,
        required_unless_present = "subset",
        conflicts_with = "subset"
    )]
    pub between: Vec<String>,
    /// Pair the models of both sets by the part of their names that matches, such as '^[^_]+'
    #[arg(long, value_name = "REGEX", conflicts_with = "subset")]
    pub name: Option<String>,
    /// Instead of two sets: find the smallest random subset of samples that keeps the ranking
    #[arg(long)]
    pub subset: bool,
    /// The tau-b that 19 of 20 random subsets must reach
    #[arg(long, value_name = "TAU", default_value_t = 0.9, requires = "subset")]
    pub threshold: f64,
    /// Random draws at each size
    #[arg(long, value_name = "N", default_value_t = 200, requires = "subset")]
    pub draws: u16,
    /// Seed of the draws
    #[arg(
        long,
        value_name = "S",
        default_value_t = 20_261_121,
        requires = "subset"
    )]
    pub seed: u64,
    /// Write the subset's samples: .jsonl, else one id per line; the filter ids:FILE selects them
    #[arg(long, value_name = "FILE", requires = "subset")]
    pub ids: Option<PathBuf>,
    /// What to open, which predictions, and how to write the answer.
    #[command(flatten)]
    pub common: Common,
}

/// Arguments of `slices`.
#[derive(Clone, Debug, Args)]
pub struct Slices {
    /// Only this model; without it, every model
    #[arg(long, value_name = "NAME", conflicts_with = "compare")]
    pub model: Option<String>,
    /// Search the score difference of two models on the same samples
    #[arg(long, num_args = 2, value_names = ["A", "B"], allow_hyphen_values = true)]
    pub compare: Vec<String>,
    /// What to compare
    #[arg(long, value_enum, value_name = "WHAT", default_value_t)]
    pub outcome: SearchedOutcome,
    /// Accepted share of false findings before confirmation
    #[arg(long, value_name = "Q", default_value_t = 0.05)]
    pub q: f64,
    /// Seed of the split into two halves, one to find and one to confirm
    #[arg(long, value_name = "S", default_value_t = 20_261_121)]
    pub seed: u64,
    /// Print all subgroups with all columns, not only one screen
    #[arg(long)]
    pub long: bool,
    /// What to open, which predictions, and how to write the answer.
    #[command(flatten)]
    pub common: Common,
}

/// Outcome that a search for subgroups compares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum SearchedOutcome {
    /// Scores
    #[default]
    Score,
    /// Shares of answers that could not be read
    Unreadable,
    /// Shares of wrong labels among the samples judged in a spot check
    #[value(name = "wrong_label")]
    WrongLabel,
}

/// Arguments of `verdicts`.
#[derive(Clone, Debug, Args)]
pub struct Verdicts {
    /// Count only this author's verdicts, and draw spot checks for this author
    #[arg(long, value_name = "NAME")]
    pub author: Option<String>,
    /// Leave out ambiguous samples too, not only wrong labels and bad images
    #[arg(long)]
    pub drop_ambiguous: bool,
    /// Import the new entries of another verdict file ('-': standard input); each entry is printed
    /// once it is on the disk
    #[arg(long, value_name = "FILE", conflicts_with = "spot_check")]
    pub import: Option<PathBuf>,
    /// Write the opened annotations to the file of --out, with the verdicts in them, for import
    /// into this tool; everything else in the file stays as it is
    #[arg(long, value_enum, value_name = "TOOL", requires = "out",
        conflicts_with_all = ["import", "spot_check", "format"])]
    pub to: Option<Tool>,
    /// Leave samples with a wrong label or bad image out of the written file; with
    /// --drop-ambiguous also ambiguous ones
    #[arg(long, requires = "to")]
    pub drop_flagged: bool,
    /// Draw N samples that the author has not judged, from the abilities and data sets where
    /// they narrow the interval of the error rate most
    #[arg(long, value_name = "N")]
    pub spot_check: Option<usize>,
    /// Seed of the draw
    #[arg(long, value_name = "S", default_value_t = 1, requires = "spot_check")]
    pub seed: u64,
    /// Print all tables: abilities, authors, agreement, flagged samples, ranks
    #[arg(long)]
    pub long: bool,
    /// What to open, which predictions, and how to write the answer.
    #[command(flatten)]
    pub common: Common,
}

/// An annotation tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Tool {
    /// Tasks with the verdict as a column of the data manager
    LabelStudio,
    /// COCO annotations with the verdict as an attribute, for CVAT
    Coco,
    /// `samples.json` with the verdict as a tag
    #[value(name = "fiftyone")]
    FiftyOne,
}

/// Arguments of `ranks` and `wins`.
#[derive(Clone, Debug, Args)]
pub struct Ranks {
    /// Minimum share of samples that all ranked models must have answered, among those that at
    /// least half of the models answered; until it is reached, models are left unranked, first the
    /// one whose removal adds most samples (default 0.8)
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub coverage: Option<f64>,
    /// What to open, which predictions, and how to write the answer.
    #[command(flatten)]
    pub common: Common,
}

/// Parses a number from 0 to 1.
pub(super) fn share(text: &str) -> Result<f64, String> {
    let share: f64 = text
        .parse()
        .map_err(|_| format!("'{text}' is not a number"))?;
    if (0.0..=1.0).contains(&share) {
        Ok(share)
    } else {
        Err(format!("{text} is not between 0 and 1"))
    }
}

/// Arguments of `scorers`.
#[derive(Clone, Debug, Args)]
pub struct Scorers {
    /// Number of samples shown for each reason
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub examples: usize,
    /// What to open, which predictions, and how to write the answer.
    #[command(flatten)]
    pub common: Common,
}
