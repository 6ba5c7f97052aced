//! Known metrics by name, with direction, range and unit.

use std::borrow::Cow;
use std::fmt;

use super::Direction::{self, Higher, Lower};
use super::unfiltered;

/// Properties of a known metric.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownMetric {
    /// Name of the metric, or a word that identifies it in longer names.
    pub name: &'static str,
    /// Whether higher or lower is better.
    pub direction: Direction,
    /// Possible values and their unit.
    pub range: MetricRange,
}

/// Range of a metric's scores, in its unit.
#[derive(Clone, Debug, PartialEq)]
pub struct MetricRange {
    /// Smallest possible score.
    pub low: f64,
    /// Largest possible score.
    pub high: f64,
    /// Unit; empty for fractions and unitless numbers.
    pub unit: Cow<'static, str>,
}

impl Default for MetricRange {
    /// Returns the unlimited range, without a unit.
    fn default() -> Self {
        Self {
            low: -MANY,
            high: MANY,
            unit: Cow::Borrowed(""),
        }
    }
}

impl MetricRange {
    /// True if a score is outside the range. False for `NaN`, which stands for a missing score.
    pub fn excludes(&self, score: f64) -> bool {
        /// Tolerance for rounding at the limits of the range.
        const SLACK: f64 = 1e-9;
        !score.is_nan() && !(self.low - SLACK..=self.high + SLACK).contains(&score)
    }

    /// True if the range has a finite limit.
    pub const fn is_limited(&self) -> bool {
        self.low.is_finite() || self.high.is_finite()
    }
}

impl fmt::Display for MetricRange {
    /// Formats the range: `0 to 100 ms`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { low, high, unit } = self;
        let space = if unit.is_empty() { "" } else { " " };
        write!(f, "{low} to {high}{space}{unit}")
    }
}

/// Name of the metric of a score that has no metric name.
pub const SCORE: &str = "score";

const MANY: f64 = f64::INFINITY;

/// Fractions from 0 to 1; higher is better.
const SHARES: [&str; 60] = [
    SCORE,
    "accuracy",
    "acc",
    "average",
    "exact",
    "em",
    "match",
    "includes",
    "choice",
    "correct",
    "correctness",
    "anls",
    "f1",
    "precision",
    "recall",
    "iou",
    "miou",
    "dice",
    "centroid",
    "pixel_accuracy",
    "ap",
    "ar",
    "map",
    "mrr",
    "ndcg",
    "auc",
    "auroc",
    "auprc",
    "delta",
    "ssim",
    "msssim",
    "rouge",
    "rougel",
    "meteor",
    "spice",
    "bleu",
    "chrf",
    "chairs_recall",
    "clipscore",
    "hit",
    "hits",
    "top",
    "pass",
    "success",
    "re",
    "ve",
    "theta",
    "r",
    "a_adj",
    "adj",
    "pq",
    "sq",
    "rq",
    "oks",
    "pck",
    "vqa",
    "win_rate",
    "fmeasure",
    "equivalent",
    "jaccard",
];

/// Correlations and similar values from -1 to 1; higher is better.
const CORRELATIONS: [&str; 9] = [
    "giou", "diou", "ciou", "rho", "tau", "spearman", "kendall", "pearson", "kappa",
];

/// Errors and costs from 0, without upper limit or unit; lower is better.
const ERRORS: [&str; 42] = [
    "mae",
    "mse",
    "rmse",
    "rmsle",
    "mape",
    "l1",
    "l2",
    "err",
    "error",
    "errors",
    "loss",
    "nll",
    "absrel",
    "abs_rel",
    "sqrel",
    "sq_rel",
    "silog",
    "log10",
    "deltae",
    "delta_e",
    "ciede",
    "ciede2000",
    "fid",
    "kid",
    "lpips",
    "niqe",
    "brisque",
    "cer",
    "wer",
    "ter",
    "ece",
    "brier",
    "perplexity",
    "ppl",
    "distance",
    "levenshtein",
    "chamfer",
    "hausdorff",
    "cost",
    "price",
    "rank",
    "chair",
];

/// Fractions from 0 to 1; lower is better.
const BAD_SHARES: [&str; 5] = ["ma", "miss", "refusal", "toxicity", "hallucination"];

/// Known names by direction, range and unit. Each name occurs only once.
const KNOWN: [(Direction, [f64; 2], &str, &[&str]); 9] = [
    (Higher, [0.0, 1.0], "", &SHARES),
    (Higher, [-1.0, 1.0], "", &CORRELATIONS),
    (Lower, [0.0, 1.0], "", &BAD_SHARES),
    (Lower, [0.0, MANY], "", &ERRORS),
    (Lower, [0.0, MANY], "px", &["epe"]),
    (Lower, [0.0, MANY], "s", &["latency", "seconds", "duration"]),
    (Lower, [0.0, MANY], "tokens", &["tokens"]),
    (Higher, [-MANY, MANY], "dB", &["psnr"]),
    (
        Higher,
        [-MANY, MANY],
        "",
        &["cider", "fps", "throughput", "reward", "elo"],
    ),
];

/// Words that make the direction unclear. Some describe answers or the spread of scores instead of
/// quality (`yes_ratio`, `acc_stderr`). Others can reverse the direction (`neg_mse`,
/// `attack_success_rate`, `wer_reduction`).
const UNCLEAR: [&str; 31] = [
    "stderr",
    "std",
    "sd",
    "se",
    "var",
    "variance",
    "ratio",
    "count",
    "n",
    "neg",
    "negative",
    "minus",
    "inv",
    "inverse",
    "inverted",
    "no",
    "non",
    "not",
    "without",
    "false",
    "attack",
    "jailbreak",
    "gap",
    "diff",
    "difference",
    "decrease",
    "degradation",
    "reduction",
    "improvement",
    "savings",
    "efficiency",
];

/// Pairs of consecutive words; the second word reverses the direction of the first.
const TURNED: [[&str; 2]; 3] = [["tokens", "per"], ["tokens", "s"], ["error", "free"]];

/// Returns the metric with exactly this name.
fn exactly(name: &str) -> Option<KnownMetric> {
    KNOWN
        .iter()
        .find_map(|(direction, [low, high], unit, names)| {
            Some(KnownMetric {
                name: names.iter().copied().find(|known| *known == name)?,
                direction: *direction,
                range: MetricRange {
                    low: *low,
                    high: *high,
                    unit: Cow::Borrowed(unit),
                },
            })
        })
}

/// Maximum length in bytes of a name to look up. Longer names come from damaged files and would
/// slow down the frequent lookups.
const LONGEST: usize = 200;

/// Looks up a metric by its name, then by the words in the name (`pope_f1_score`, `ap_small`,
/// `recall@5`, `rouge-L`). `None` if the metric is unknown, or if the words disagree on the
/// direction.
pub fn known_metric(name: &str) -> Option<KnownMetric> {
    if name.len() > LONGEST {
        return None;
    }
    let name = unfiltered(name).to_lowercase().replace(['-', ' '], "_");
    if let Some(known) = exactly(&name) {
        return Some(known);
    }
    // Mean and majority of several answers, as `lighteval` names them: `avg@n:n=4`.
    if ["avg@", "maj@"].iter().any(|start| name.starts_with(start)) {
        return exactly("accuracy");
    }
    let words: Vec<&str> = name
        .split(['_', '/', '@', '.', ':', '(', ')'])
        .filter(|word| !word.is_empty())
        .collect();
    // `1 - accuracy` reverses the direction; `1-shot accuracy` does not.
    let is_complement = words.first() == Some(&"1") && words.get(1) != Some(&"shot");
    // `acc_drop` is a loss of accuracy; at the start of a name, DROP is a benchmark.
    let is_drop = words.last() == Some(&"drop");
    let is_rank_at = words.iter().any(|word| word.starts_with("rank"))
        && name.contains(|c: char| c.is_ascii_digit());
    let is_rate = words
        .windows(2)
        .any(|pair| TURNED.iter().any(|turned| turned.as_slice() == pair));
    let is_unclear = words.iter().any(|word| UNCLEAR.contains(word));
    if is_complement || is_drop || is_rank_at || is_rate || is_unclear {
        return None;
    }
    // A compound metric name can be part of a longer name. The longer name then has the properties
    // of the compound metric.
    let is_part = |part: &str| {
        let after = || name.split_once(part).map(|(_, after)| after);
        part.contains('_') && after().is_some_and(|after| !after.starts_with(char::is_alphabetic))
    };
    let compound = ERRORS.into_iter().find(|it| is_part(it));
    if let Some(known) = compound {
        return exactly(known);
    }
    let by_word = words.iter().filter_map(|word| {
        let stem = word.trim_end_matches(|c: char| c.is_ascii_digit());
        // A single letter within a longer name is too ambiguous.
        let known = exactly(word).or_else(|| exactly(stem))?;
        (known.name.len() > 1 && ![SCORE, "average"].contains(&known.name)).then_some(known)
    });
    // All words must agree on the direction. The range is used only if it is the same for all
    // words.
    let found = by_word.map(Some).reduce(|first, other| {
        let (mut first, other) = (first?, other?);
        let ends = |known: &KnownMetric| (known.range.low, known.range.high);
        if ends(&first) != ends(&other) {
            first.range = MetricRange::default();
        }
        (first.direction == other.direction).then_some(first)
    });
    found.flatten()
}

/// Returns the direction of a metric; `None` if the metric is unknown.
pub fn known_direction(name: &str) -> Option<Direction> {
    known_metric(name).map(|known| known.direction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_of_known_names() {
        let direction = |name: &str| known_direction(name).map(Direction::name);
        for name in [
            "mse",
            "mae",
            "rmse",
            "l1",
            "L1",
            "l2",
            "absrel",
            "abs_rel",
            "AbsRel",
            "fid",
            "lpips",
            "cer",
            "wer",
            "perplexity",
            "latency",
            "latency_s",
            "total_tokens",
            "cost_usd",
            "mae_over_gt",
            "ciede2000",
            "median_ciede2000",
            "errors_missed",
            "miss_all",
            "error_rate",
            "delta_e",
            "ma",
            "average_rank",
            "edit_distance",
            "val/loss",
        ] {
            assert_eq!(direction(name), Some("lower"), "{name}");
        }
        for name in [
            "accuracy",
            "acc",
            "acc_norm",
            "exact_match",
            "exact_match,strict-match",
            "delta1",
            "psnr",
            "ssim",
            "bleu",
            "bleu4",
            "BLEU-4",
            "cider",
            "pope_f1_score",
            "ap_small",
            "ap50",
            "ar100",
            "recall@5",
            "rouge-L",
            "pairwise_accuracy_x",
            "local_tau_y",
            "ve_rot90",
            "rho_mean",
            "score",
            "hit_all",
            "giou",
        ] {
            assert_eq!(direction(name), Some("higher"), "{name}");
        }
        for name in [
            "my_metric",
            "g",
            "pope_yes_ratio",
            "acc_stderr",
            "accuracy_loss",
            "odd",
            "",
            "quality",
            "1-accuracy",
            "1 - WER",
            "neg_mean_squared_error",
            "attack_success_rate",
            "false_match_rate",
            "error_free_rate",
            "wer_reduction",
            "acc_drop",
            "accuracy_variance",
            "tokens_per_second",
            "tokens/s",
            "Rank-1",
            "rank@5",
            "delta_error",
            "x_r",
            &"acc_".repeat(100),
        ] {
            assert_eq!(direction(name), None, "{name}");
        }
    }

    #[test]
    fn ranges_of_known_names() {
        let known = |name: &str| known_metric(name).expect("a known metric");
        let excludes = |name: &str, score: f64| known(name).range.excludes(score);
        assert!(!excludes("acc", 1.0) && excludes("acc", 57.0));
        assert!(!excludes("giou", -0.4) && excludes("giou", -1.1));
        assert!(!excludes("mae", 57.0) && excludes("mae", -0.1));
        assert!(!excludes("acc", f64::NAN));
        assert_eq!(known("latency_s").range.to_string(), "0 to inf s");
        assert_eq!(known("psnr").range.unit, "dB");
    }
}
