//! Facts about a whole data set of which a table holds only a part.

use std::collections::{BTreeMap, BTreeSet};

/// Facts about all predictions of a data set of which a table holds a part; empty if it holds all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Whole {
    /// Names of the tags and conditions of all samples.
    pub labels: BTreeSet<String>,
    /// By filter key: all distinct texts of that key, sorted. Filters match a word against these
    /// texts first, and treat a key with texts as text.
    pub texts: BTreeMap<String, Vec<String>>,
    /// Metrics with at least one score that is neither 0 nor 1.
    pub graded: BTreeSet<String>,
}
