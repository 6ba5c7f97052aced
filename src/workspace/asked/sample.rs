//! A sample as its log has it.

use super::groups::{Base, rotation};
use crate::page::{Correctness, detail};
use crate::picture;
use analysis::Selection;
use record::Row;
use rerun::{Before, Sample, Turned};

/// The sample of some rows, of which the first is asked and the others are its turned versions. What another model than
/// `base` answered is no answer of before.
pub(super) fn sample(
    selection: Selection<'_>,
    rows: &[u32],
    base: Option<Base<'_>>,
    correct: &Correctness<'_>,
) -> Option<Sample> {
    let table = selection.table;
    let fetch = |row: u32| {
        let found = detail(table, Row(row), selection.scoring).ok()?;
        let pictures = picture::sources(table, &found);
        let mut record = found.record;
        record.benchmark = found.list.benchmark;
        Some((record, pictures))
    };
    let (first, rest) = rows.split_first()?;
    let (record, pictures) = fetch(*first)?;
    let others = rest.iter().filter_map(|&row| {
        let (record, pictures) = fetch(row)?;
        Some((rotation(table, row)?, Turned { record, pictures }))
    });
    let place = table.place(Row(*first));
    let source = table.sources().get(place.unit as usize)?;
    let harness = record.content.sent.as_ref();
    let harness = harness.and_then(|sent| sent.harness.clone());
    let model = table.names().model(table.model(Row(*first)));
    let is_base = base.is_none_or(|base| base.model == model);
    Some(Sample {
        before: is_base.then(|| Before {
            model: record.model.clone(),
            right: correct.of(Row(*first)),
            row: Row(*first),
        }),
        // A copy is asked as the log of which it is one.
        format: harness.unwrap_or_else(|| source.format.to_owned()),
        record,
        pictures,
        turned: others.collect(),
    })
}
