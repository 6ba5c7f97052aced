//! Corrects scores for wrong labels by the verdicts of a spot check.

mod part;
mod strata;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;

use rayon::prelude::*;

use crate::metric::{ByErrorRates, Interval, MIN_CLUSTERS};
use crate::{OmissionReason, Selection, groups_by_split};
use base::format::{counted, fixed};
use record::Table;
use record::benchmark::Direction;
use record::verdict::{Book, Entry};

use part::{MeanKey, Part, Source};
use strata::Strata;
pub use strata::spot_check_words;

/// Score of one model, corrected by verdicts.
#[derive(Clone, Debug, PartialEq)]
pub struct CorrectedScore {
    /// Benchmark that the ability belongs to.
    pub benchmark: String,
    /// Ability; `None` for all abilities of the benchmark with this metric.
    pub ability: Option<String>,
    /// Split of the data set; `None` without splits, and for all abilities.
    pub split: Option<String>,
    /// Model that is scored.
    pub model: String,
    /// Metric of the scores.
    pub metric: String,
    /// Whether higher or lower is better.
    pub direction: Direction,
    /// Number of scored samples.
    pub n: u64,
    /// Number of scored samples with a verdict that counts. A verdict counts if its sample was
    /// drawn at random, or if it was given before the first draw.
    pub verified: u64,
    /// Number of scored samples with a verdict by an author who drew no samples, for example a
    /// judge model. These verdicts predict the scores of samples without a verdict that counts.
    pub predicted: u64,
    /// Score in the log, in the metric's unit.
    pub score: f64,
    /// Correction, or why there is none.
    pub correction: Result<Correction, CorrectionRefusal>,
}

/// Corrected score, in the metric's unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Correction {
    /// Prediction-powered score ([`powered_mean`](crate::metric::powered_mean)).
    pub score: f64,
    /// 95 % interval of that score.
    pub ci: Interval,
    /// Weight of the logged or predicted scores, from 0 (uninformative) to 1.
    pub tuning: f64,
    /// Score corrected by sensitivity and specificity
    /// ([`mean_by_error_rates`](crate::metric::mean_by_error_rates)). `None` for graded scores, and
    /// unless some verified answers are truly right and some truly wrong.
    pub by_error_rates: Option<ByErrorRates>,
    /// Number of further verdicts needed for an interval of ±5 % of the metric's range; `None` if
    /// verdicts on all samples would not be enough.
    pub more: Option<u64>,
}

impl Correction {
    /// Returns true if the two corrections contradict each other: one lies outside the other's
    /// interval.
    pub fn is_disputed(&self) -> bool {
        self.by_error_rates.is_some_and(|other| {
            !self.ci.contains(other.mean) || !other.interval.contains(self.score)
        })
    }
}

/// Reason why a score is not corrected.
#[derive(Clone, Debug, PartialEq)]
pub enum CorrectionRefusal {
    /// The samples with a verdict were not drawn at random.
    NotDrawn,
    /// Too few pictures have a verdict for an interval; holds the number of verified samples.
    Few(u64),
    /// The drawn verdicts cover only this share of the samples, by ability and data set.
    Covered(f64),
    /// Some wrong labels have no corrected label, so the true scores are unknown; holds their
    /// number.
    WithoutTarget(u64),
    /// The range of this metric is unknown.
    NoRange(String),
    /// The score is not a mean over samples.
    NoMean,
    /// The scores allow no interval, for this reason.
    Evidence(OmissionReason),
}

impl fmt::Display for CorrectionRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotDrawn => f.write_str(
                "no sample drawn at random has a verdict: --spot-check N draws samples to judge",
            ),
            Self::Few(verified) => write!(
                f,
                "{} on samples drawn at random; at least {MIN_CLUSTERS} pictures are needed",
                counted(*verified, "verdict")
            ),
            Self::Covered(share) => write!(
                f,
                "the drawn verdicts cover only abilities and data sets with {} of the samples",
                fixed(Some(*share), 2)
            ),
            Self::WithoutTarget(count) => write!(
                f,
                "{} without the right label: set it (key t), so that answers can be scored again",
                counted(*count, "wrong label")
            ),
            Self::NoRange(metric) => write!(f, "{metric} has no known range"),
            Self::NoMean => f.write_str("not a mean over samples"),
            Self::Evidence(reason) => write!(f, "{reason}"),
        }
    }
}

/// Verdicts on the labels of a table, and the scores under the right labels.
#[derive(Clone, Copy, Debug)]
pub struct LabelVerdicts<'a> {
    /// Verdicts of all authors.
    pub book: &'a Book,
    /// Verdict by sample code, from [`spot_check_words`].
    pub words: &'a BTreeMap<u32, &'a Entry>,
    /// The table with corrected labels.
    pub corrected: &'a Table,
    /// Codes of the samples that are scored against a corrected label.
    pub rescored: &'a BTreeSet<u32>,
    /// Whether ambiguous samples are left out of the scores.
    pub drop_ambiguous: bool,
}

/// Corrects the ranking score of each model, over all abilities and by ability. Empty without a
/// verdict on a selected sample.
pub fn corrected_scores(
    selection: Selection<'_>,
    verdicts: &LabelVerdicts<'_>,
) -> Vec<CorrectedScore> {
    let strata = Strata::new(selection, verdicts);
    if !strata.has_verdict {
        return Vec::new();
    }
    let source = Source {
        selection,
        verdicts,
        strata: &strata,
    };
    let groups = groups_by_split(selection);
    let groups = groups.par_iter().enumerate();
    let parts: Vec<Part> = groups
        .filter(|(_, group)| !group.is_further_filter && selection.ticket.is_wanted())
        .filter_map(|(at, group)| source.part(u32::try_from(at).ok()?, group))
        .flatten_iter()
        .collect();
    let mut wholes: Vec<Part> = Vec::new();
    let mut places: HashMap<MeanKey, usize> = HashMap::new();
    for part in parts.iter().filter(|part| part.is_mean()) {
        let place = *places.entry(part.mean_key()).or_insert(wholes.len());
        match wholes.get_mut(place) {
            Some(whole) => whole.join(part),
            None => wholes.push(part.clone()),
        }
    }
    let several = wholes.into_iter().filter(|whole| whole.parts > 1);
    let names = selection.table.names().models.values();
    let jobs: Vec<Part> = several.chain(parts).collect();
    let rows = jobs.par_iter().filter_map(|part| {
        let model = names.get(usize::from(part.model))?;
        Some(part.row(model, strata.is_drawn))
    });
    rows.collect()
}
