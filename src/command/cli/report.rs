//! Arguments of the commands that print scores, comparisons and samples.

use std::path::PathBuf;

use analysis::MetricMargin;
use clap::{Args, ValueEnum};

use super::{Common, Format, Images, Input, Lens, Output, share};

/// Arguments of `report`.
#[derive(Clone, Debug, Args)]
pub struct Report {
    /// Minimum share of samples that all ranked models must have answered, among those that at
    /// least half of the models answered; until it is reached, models are left unranked, first the
    /// one whose removal adds most samples (default 0.8)
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub coverage: Option<f64>,
    /// Make the report in FILE (.json) again, and show what has changed; addresses in the report
    /// are contacted only if they are also given here
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["filter", "scoring", "coverage", "by", "metric", "compare", "samples", "format", "out"]
    )]
    pub verify: Option<PathBuf>,
    /// Tags or conditions to split by, 'a*b' crossed, with bins '`box_area:0,0.1,0.5`',
    /// '`depth_m:log:5`', ':quantile:4', ':width:6'
    #[arg(long, value_name = "SPEC")]
    pub by: Option<String>,
    /// Metrics to show for subgroups
    #[arg(long, value_enum, default_value_t)]
    pub metric: Metrics,
    /// Two models or two filters to compare, as in `compare`
    #[arg(long, num_args = 2, value_names = ["A", "B"])]
    pub compare: Vec<String>,
    /// Number of worst samples of each ability in an HTML page, with their pictures (default 4); 0:
    /// none, and no answers side by side
    #[arg(long, value_name = "N")]
    pub samples: Option<usize>,
    /// Print all tables, not only ranks and scores; implied by --by, --compare and --metric all
    #[arg(long)]
    pub long: bool,
    /// What to open, which predictions, and how to write the answer.
    #[command(flatten)]
    pub common: Common,
}

impl Report {
    /// Returns true if the options ask for more than ranks and scores.
    pub fn wants_all_tables(&self) -> bool {
        let has_more = self.by.is_some() || !self.compare.is_empty();
        self.long || has_more || self.metric == Metrics::All
    }

    /// Returns the arguments of a report over all predictions of an input.
    pub fn of(input: Input, format: Option<Format>) -> Self {
        Self {
            coverage: None,
            verify: None,
            by: None,
            metric: Metrics::default(),
            compare: Vec::new(),
            samples: None,
            long: false,
            common: Common {
                input,
                lens: Lens::default(),
                output: Output { format, out: None },
            },
        }
    }
}

/// Metrics to include.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Metrics {
    /// The metric that ranks
    #[default]
    Headline,
    /// All metrics
    All,
}

/// Score from which a graded answer counts as right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ThresholdArg {
    /// The usual threshold of the metric.
    Usual,
    /// This score.
    At(f64),
}

fn threshold(text: &str) -> Result<ThresholdArg, String> {
    match (text, text.parse::<f64>()) {
        ("usual", _) => Ok(ThresholdArg::Usual),
        (_, Ok(score)) if score.is_finite() => Ok(ThresholdArg::At(score)),
        _ => Err("expected a number, or `usual`".to_owned()),
    }
}

/// Arguments of `compare`.
#[derive(Clone, Debug, Args)]
pub struct Compare {
    /// A model, or a filter expression such as 'boxes:true'
    #[arg(value_name = "A")]
    pub a: String,
    /// The other model, or another filter expression
    #[arg(value_name = "B")]
    pub b: String,
    /// Tags or conditions to split by, as in `report`
    #[arg(long, value_name = "SPEC")]
    pub by: Option<String>,
    /// Split only this ability; p values are still adjusted over all abilities
    #[arg(long, value_name = "ABILITY")]
    pub within: Option<String>,
    /// Metrics to compare
    #[arg(long, value_enum, default_value_t)]
    pub metric: Metrics,
    /// Graded score from which an answer counts as right, in the metric's own unit; usual: the
    /// usual threshold of the metric
    #[arg(long, value_name = "SCORE|usual", allow_negative_numbers = true, value_parser = threshold)]
    pub threshold: Option<ThresholdArg>,
    /// Also decide, as `gate` does by ability, whether B is worse than A by more than this:
    /// 1pp, 2%, 0.01, or METRIC=LOSS (repeatable)
    #[arg(long, value_name = "[METRIC=]LOSS")]
    pub worse_by: Vec<MetricMargin>,
    /// Print all numbers, not only clear differences; implied by --by, --metric all and --threshold
    #[arg(long)]
    pub long: bool,
    /// What to open, which predictions, and how to write the answer.
    #[command(flatten)]
    pub common: Common,
}

impl Compare {
    /// Returns true if the options ask for more than clear differences.
    pub fn wants_all_tables(&self) -> bool {
        let has_more = self.by.is_some() || self.threshold.is_some();
        self.long || has_more || self.metric == Metrics::All
    }
}

/// Arguments of `samples`.
#[derive(Clone, Debug, Args)]
pub struct Samples {
    /// Order: log, score (worst first), sample, model, suspect (likely label errors first), hard
    /// (most models wrong first), discrimination (better models worse first), gap:MODEL (farthest
    /// from that model's score first), or family, parameters, released of the model; a leading '-'
    /// reverses it
    #[arg(
        long,
        value_name = "KEY",
        default_value = "log",
        allow_hyphen_values = true
    )]
    pub sort: String,
    /// Sort by similarity to this sample: by the look of the pictures, or by --embeddings
    #[arg(long, value_name = "SAMPLE", conflicts_with = "sort")]
    pub like: Option<String>,
    /// Maximum number of rows
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// What to open, which predictions, and how to write the answer.
    #[command(flatten)]
    pub common: Common,
}

/// Arguments of `show`.
#[derive(Clone, Debug, Args)]
pub struct Show {
    /// What to open.
    #[command(flatten)]
    pub input: Input,
    /// Which predictions.
    #[command(flatten)]
    pub lens: Lens,
    /// Id of the sample in the log
    #[arg(long, value_name = "ID")]
    pub sample: String,
    /// Only this model's answer
    #[arg(long, value_name = "NAME")]
    pub model: Option<String>,
    /// How pictures are shown
    #[arg(long, value_name = "HOW", default_value = "auto")]
    pub images: Images,
}
