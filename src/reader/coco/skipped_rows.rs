//! Counts skipped rows of a result file, by reason.

use std::collections::BTreeMap;
use std::path::Path;

use super::value::Id;
use record::Problem;

/// Maximum number of ids listed in a problem, and of lines stored for a reason.
const NAMED: usize = 5;
const KEPT: usize = 8;

#[derive(Debug, Default)]
struct RowsOfReason {
    count: u64,
    /// Line numbers of the first skipped rows.
    lines: Vec<u64>,
    /// Distinct ids that caused rows to be skipped, in file order.
    ids: Vec<Id>,
    more_ids: bool,
}

/// Reason for skipping a well-formed row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// The row's picture is not annotated.
    Picture,
    /// The row's category is not annotated.
    Category,
    /// The row has no box.
    Box,
    /// The row has no mask.
    Mask,
    /// The row has no keypoints.
    Keypoints,
}

/// Skipped rows by reason.
#[derive(Debug, Default)]
pub struct SkippedRows(BTreeMap<Reason, RowsOfReason>);

impl SkippedRows {
    pub fn add(&mut self, reason: Reason, id: &Id, line: u64) {
        let rows = self.0.entry(reason).or_default();
        rows.count += 1;
        if rows.lines.len() < KEPT {
            rows.lines.push(line);
        }
        if !rows.ids.contains(id) {
            if rows.ids.len() < NAMED {
                rows.ids.push(id.clone());
            } else {
                rows.more_ids = true;
            }
        }
    }

    /// Returns the number of rows skipped for a reason.
    pub fn count(&self, reason: Reason) -> u64 {
        self.0.get(&reason).map_or(0, |rows| rows.count)
    }

    /// Returns one problem per reason. `hint` explains the likely cause of unknown categories.
    pub fn problems(&self, path: &Path, hint: Option<&str>) -> impl Iterator<Item = Problem> {
        self.0.iter().map(move |(reason, rows)| {
            let mut ids: Vec<String> = rows.ids.iter().map(Id::to_string).collect();
            ids.extend(rows.more_ids.then(|| "…".to_owned()));
            let ids = ids.join(", ");
            let what = match reason {
                Reason::Picture => format!("no annotated picture {ids}"),
                Reason::Category => {
                    let hint = hint.map(|hint| format!(": {hint}")).unwrap_or_default();
                    format!("no category {ids} in the annotations{hint}")
                }
                Reason::Box => "no `bbox`".to_owned(),
                Reason::Mask => "no `segmentation`".to_owned(),
                Reason::Keypoints => "no `keypoints`".to_owned(),
            };
            Problem::of_rows(path, &what, rows.count, &rows.lines).leaving_out(rows.count)
        })
    }
}
