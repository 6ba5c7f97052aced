//! What is known of all predictions of which a table holds a part.

use std::collections::{BTreeMap, BTreeSet};

/// What is known of all predictions of which a table holds a part; nothing where a table holds all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Whole {
    /// The names of the tags and conditions of all samples.
    pub labels: BTreeSet<String>,
    /// By the key of a filter, all texts with which it compares, each once and sorted. A word stands for the text that it
    /// equals if there is one anywhere, and a key with texts is compared as one.
    pub texts: BTreeMap<String, Vec<String>>,
    /// The metrics under which some score is neither 0 nor 1.
    pub graded: BTreeSet<String>,
}
