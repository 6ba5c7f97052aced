//! Finds annotations whose id equals the id of an earlier annotation.

use std::collections::HashSet;

use serde_json::value::RawValue;

use super::value::Id;

/// Maximum number of repeated ids listed in a problem.
const NAMED: usize = 5;

/// Annotation ids found so far, and repeated ids.
#[derive(Default)]
pub struct Ids<'a> {
    seen: HashSet<Id>,
    repeated: HashSet<Id>,
    named: Vec<String>,
    rows: u64,
    first: Option<&'a RawValue>,
}

impl<'a> Ids<'a> {
    /// Adds the id of the annotation in `row`.
    pub fn add(&mut self, id: Option<&Id>, row: &'a RawValue) {
        let Some(id) = id else { return };
        if self.seen.insert(id.clone()) {
            return;
        }
        self.rows += 1;
        self.first.get_or_insert(row);
        if self.repeated.insert(id.clone()) && self.named.len() < NAMED {
            self.named.push(id.to_string());
        }
    }

    /// Returns a problem about repeated ids, with the first repeated row; `None` if all ids are
    /// distinct.
    pub fn repeated(&self) -> Option<(&'a RawValue, String)> {
        let more = self.repeated.len() > self.named.len();
        let what = format!(
            "{} {} the id of an earlier one (id {}{}): each counts here; pycocotools counts the last one repeatedly",
            base::format::counted(self.rows, "annotation"),
            if self.rows == 1 { "has" } else { "have" },
            self.named.join(", "),
            if more { ", …" } else { "" },
        );
        self.first.map(|row| (row, what))
    }
}
