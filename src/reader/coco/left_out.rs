//! Rows of a result file that do not count, by reason.

use std::collections::BTreeMap;
use std::path::Path;

use super::value::Id;
use record::Problem;

/// Ids that a problem names, and lines that are kept for one.
const NAMED: usize = 5;
const KEPT: usize = 8;

/// Rows that are left out for one reason.
#[derive(Debug, Default)]
struct Rows {
    count: u64,
    /// The first lines.
    lines: Vec<u64>,
    /// The ids that are the reason, each once, in file order.
    ids: Vec<Id>,
    more_ids: bool,
}

/// Why rows with sound values are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// The annotations do not have its picture.
    Picture,
    /// They do not have its category.
    Category,
    /// It has a mask and no box.
    Mask,
}

/// Rows that are left out.
#[derive(Debug, Default)]
pub struct LeftOut(BTreeMap<Reason, Rows>);

impl LeftOut {
    /// Adds a row.
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

    /// Rows that are left out for a reason.
    pub fn count(&self, reason: Reason) -> u64 {
        self.0.get(&reason).map_or(0, |rows| rows.count)
    }

    /// One problem a reason. `hint` says what may be wrong with categories.
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
                Reason::Mask => "no `bbox`: masks alone are not read yet".to_owned(),
            };
            Problem::of_rows(path, &what, rows.count, &rows.lines).leaving_out(rows.count)
        })
    }
}
