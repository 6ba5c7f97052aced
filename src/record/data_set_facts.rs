//! Facts about a complete data set, for tables that contain only a part of it.

use std::collections::{BTreeMap, BTreeSet};

use super::{AbilityId, EvidenceCounts, ModelId};

/// Facts about all predictions of a data set, for tables that contain only some of them. Empty if
/// the table contains all predictions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DataSetFacts {
    /// Names of all tags and conditions.
    pub labels: BTreeSet<String>,
    /// All distinct texts of each filter key, sorted. A filter first matches its word against these
    /// texts; keys listed here are treated as text.
    pub texts: BTreeMap<String, Vec<String>>,
    /// Metrics with at least one score other than 0 and 1.
    pub graded: BTreeSet<String>,
    /// Sample counts behind the scores, by model and ability. Missing for runs that an older
    /// version published without counts.
    pub evidence: BTreeMap<(ModelId, AbilityId), Vec<EvidenceCounts>>,
}
