//! Builds a sample to ask from its log.

use super::groups::{Base, rotation};
use crate::{LoggedAnswer, RotatedVersion, Sample, judged_again};
use analysis::Selection;
use record::benchmark::{Direction, Metric, known_direction, metric_of};
use record::{Record, Row, Rule, Table};
use workspace::page::{Correctness, detail};
use workspace::picture;

/// Builds a sample from its rows. The first row is asked; the others are rotated versions of its
/// picture. If `base` is given, only its answers count as earlier answers.
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
    let (mut record, pictures) = fetch(*first)?;
    if is_right_or_wrong(table, &record) {
        record.metric = Some(Metric::Accuracy.name().to_owned());
    }
    let others = rest.iter().filter_map(|&row| {
        let (record, pictures) = fetch(row)?;
        Some((rotation(table, row)?, RotatedVersion { record, pictures }))
    });
    let place = table.place(Row(*first));
    let source = table.sources().get(place.unit as usize)?;
    let harness = record.content.sent.as_ref();
    let harness = harness.and_then(|sent| sent.harness.clone());
    let model = table.names().model(table.model(Row(*first)));
    let in_log = correct.is_right(Row(*first));
    let is_base = base.is_none_or(|base| base.model == model);
    Some(Sample {
        before: is_base.then(|| LoggedAnswer {
            model: record.model.clone(),
            right: match &record.response {
                Some(_) => judged_again(&record),
                // A score by an unknown rule cannot be compared with the new scores.
                None => in_log.filter(|_| has_known_metric(&record)),
            },
            in_log,
            row: Row(*first),
        }),
        // A copy is asked in the format of its original log.
        format: harness.unwrap_or_else(|| source.format.to_owned()),
        record,
        pictures,
        turned: others.collect(),
    })
}

/// Returns true if the task's own code scores numbers as right or wrong. New answers are then
/// scored the same way, not by their error.
fn is_right_or_wrong(table: &Table, record: &Record) -> bool {
    let metric = record.metric.as_deref().unwrap_or_default();
    record.rule == Rule::Stored
        && metric_of(&record.ability, &record.content) == Metric::MaeOverGt
        && Metric::from_name(metric).is_none()
        && known_direction(metric) != Some(Direction::Lower)
        && !table.is_graded(metric)
}

/// Returns true unless the log's scores have a metric that Eyechart cannot compute.
fn has_known_metric(record: &Record) -> bool {
    let metric = record.metric.as_ref();
    metric.is_none_or(|name| Metric::from_name(name).is_some())
}
