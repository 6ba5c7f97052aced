//! Facts about a whole data set, for tables that hold only a part of it.

use std::collections::{BTreeMap, BTreeSet};

use super::{AbilityId, EvidenceCounts, ModelId};

/// Facts about all predictions of a data set, for tables that hold only a part
/// of them. Empty if a table holds all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DataSetFacts {
    /// Names of the tags and conditions of all samples.
    pub labels: BTreeSet<String>,
    /// By filter key: all distinct texts of that key, sorted. Filters match a word against these
    /// texts first, and treat a key with texts as text.
    pub texts: BTreeMap<String, Vec<String>>,
    /// Metrics with at least one score that is neither 0 nor 1.
    pub graded: BTreeSet<String>,
    /// Counts behind the scores of a model in an ability. None for answers that some run of a data
    /// set does not count, because an older version published it.
    pub evidence: BTreeMap<(ModelId, AbilityId), Vec<EvidenceCounts>>,
}
