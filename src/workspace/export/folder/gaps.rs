//! Counts content that a format cannot hold.

use std::collections::BTreeMap;

use base::format::counted;

/// Content that is missing or less exact in the written files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gap {
    /// Predictions that can no longer be read from their logs.
    Lost,
    /// Predictions without a score, in a format that requires one.
    Unscored,
    /// Predictions in a format that holds no predictions.
    Predictions,
    /// Repeated predictions with the same id and repeat in one log.
    Repeated,
    /// Predictions that are neither right nor wrong, in a format that requires right or wrong.
    Ungraded,
    /// Pictures that are inside data set files.
    Cells,
    /// Pictures given by their path, which are not copied.
    Pictures,
    /// Scores that were published by a harness or a paper.
    Published,
    /// Scores of metrics other than the headline, in a format that holds only headlines.
    Metrics,
    /// Scores that have no value.
    NoValue,
    /// Scores with an unknown direction, in a format that requires a direction.
    NoDirection,
    /// Benchmark names that are not names of data sets on the hub.
    Names,
    /// Facts about models and evaluators that logs do not contain.
    Facts,
}

/// Counts of content that a format cannot hold, and of written files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FolderGaps {
    counts: BTreeMap<Gap, u64>,
    /// Number of written files.
    pub files: u64,
}

impl FolderGaps {
    /// Counts one item.
    pub fn add(&mut self, gap: Gap) {
        self.add_many(gap, 1);
    }

    /// Counts `count` items.
    pub fn add_many(&mut self, gap: Gap, count: u64) {
        if count > 0 {
            *self.counts.entry(gap).or_default() += count;
        }
    }

    /// Returns the number of counted items.
    pub fn count(&self, gap: Gap) -> u64 {
        self.counts.get(&gap).copied().unwrap_or_default()
    }

    /// Returns a sentence for each kind of gap that occurred.
    pub fn messages(&self) -> impl Iterator<Item = String> {
        let counts = self.counts.iter();
        counts.map(|(gap, count)| gap.message(*count))
    }
}

impl Gap {
    fn message(self, count: u64) -> String {
        let predictions = counted(count, "prediction");
        match self {
            Self::Lost => format!("{predictions} can no longer be read from the logs"),
            Self::Unscored => {
                format!("{predictions} without a score left out: the format requires one")
            }
            Self::Predictions => {
                format!("{predictions} not written: the format holds scores only")
            }
            Self::Repeated => {
                format!("{predictions} left out: the same id and repeat is in the log already")
            }
            Self::Ungraded => format!(
                "{predictions} written with is_correct false: the format requires it, but no \
                 threshold of the metric is known"
            ),
            Self::Cells => format!(
                "{} inside data set files not copied: only their names are written",
                counted(count, "picture")
            ),
            Self::Pictures => format!(
                "{} named by path, not copied: open the files with --data FOLDER",
                counted(count, "picture")
            ),
            Self::Published => format!(
                "{} of harnesses or papers left out: the format holds scores of samples",
                counted(count, "score")
            ),
            Self::Metrics => format!(
                "{} of metrics besides the headline left out",
                counted(count, "score")
            ),
            Self::NoValue => format!("{} without a value left out", counted(count, "score")),
            Self::NoDirection => format!(
                "{} of a metric with unknown direction written as higher is better, marked as \
                 unknown",
                counted(count, "score")
            ),
            Self::Names => format!(
                "{} not named OWNER/NAME: set dataset.id to the benchmark's data set on the hub \
                 before uploading",
                counted(count, "benchmark")
            ),
            Self::Facts => format!(
                "{} with organisation, evaluator or deployment unknown: logs do not contain them",
                counted(count, "document")
            ),
        }
    }
}
