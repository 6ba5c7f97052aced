//! Facts about a whole data set, for tables with only a part of it.

use std::collections::{BTreeMap, BTreeSet};

use super::{AbilityId, EvidenceCounts, ModelId};

/// Facts about all predictions of a data set, for tables with only a part of them. Empty if the
/// table holds all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DataSetFacts {
    /// Names of all tags and conditions.
    pub labels: BTreeSet<String>,
    /// All distinct texts of each filter key, sorted. Filters match words against these texts
    /// first, and treat the key as text.
    pub texts: BTreeMap<String, Vec<String>>,
    /// Metrics with at least one score that is neither 0 nor 1.
    pub graded: BTreeSet<String>,
    /// Counts behind the scores, by model and ability. Missing if an older version published a run
    /// without them.
    pub evidence: BTreeMap<(ModelId, AbilityId), Vec<EvidenceCounts>>,
}
