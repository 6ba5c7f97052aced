//! Opens the sample behind a row of a run.

use crate::change::{Change, SampleRows};
use crate::popup::Text;
use crate::screen::Flips;
use crate::shared::{AppState, ListSource, SecondModel};
use ask::asked::{rows_before, rows_of_run};
use ask::{Kind, Progress, Sample, StepResult};
use base::format::{visible, visible_lines};

use super::state::LiveView;

/// Opens the sample under the cursor as a flip: the log's picture and answer next to the new
/// pictures and answers. For a failed request, shows the reason. Until the run's log is read, opens
/// the log's answer.
pub fn open(live: &LiveView, shared: &AppState) -> Option<Change> {
    let progress = live.stage.alone()?;
    let label = &progress.plan.asking.label;
    let selected = live.table.selected;
    if let Some(flips) = flips(shared, label, listed(live, progress), selected) {
        return Some(Change::OpenFlips(Box::new(flips)));
    }
    let at = progress.list(live.listed).get(selected).copied();
    if let Some(at) = at.filter(|at| has_failed(progress, *at))
        && let Some(opening) = answer_page(progress, label, at)
    {
        return Some(Change::pop_up(opening));
    }
    // The run's log may have been read in the meantime, which changes row numbers.
    let rows = rows_before(&shared.table, listed(live, progress));
    let last = rows.len().checked_sub(1)?;
    Some(Change::OpenRows(Box::new(SampleRows {
        list: rows,
        of: ListSource::Flagged,
        at: live.table.selected.min(last),
        second: Some(SecondModel::Model(label.clone())),
    })))
}

/// Returns the samples of the current list.
fn listed<'a>(live: &LiveView, progress: &'a Progress) -> impl Iterator<Item = &'a Sample> {
    let samples = &progress.plan.samples;
    let listed = progress.list(live.listed).iter();
    listed.filter_map(|at| samples.get(*at).map(AsRef::as_ref))
}

/// Returns samples to open as flips, beginning with the selected sample on screen. Returns `None`
/// until the run's log is read, or if it contains no answer to that sample.
pub fn flips<'a>(
    shared: &AppState,
    label: &str,
    samples: impl Iterator<Item = &'a Sample>,
    selected: usize,
) -> Option<Flips> {
    let rows = rows_of_run(&shared.table, label, samples);
    rows.get(selected).filter(|rows| !rows.is_empty())?;
    let before = rows.iter().take(selected);
    let at = before.filter(|rows| !rows.is_empty()).count();
    let samples = rows.into_iter().filter(|rows| !rows.is_empty()).collect();
    Some(Flips {
        samples,
        run: label.to_owned(),
        at,
    })
}

/// Returns true if a request about the sample at this index of the plan failed.
fn has_failed(progress: &Progress, at: usize) -> bool {
    let answers = progress.answers.get(&at).into_iter().flatten();
    let mut answers = answers.flatten();
    answers.any(|one| matches!(one.judged.kind, Kind::Failed(_)))
}

/// Returns the run's answers to a sample so far as text; `None` without answers.
pub fn answer_page(progress: &Progress, name: &str, at: usize) -> Option<Text> {
    let sample = progress.plan.samples.get(at)?;
    let answers = progress.answers.get(&at)?;
    let steps = progress.plan.steps.iter();
    let parts = steps.zip(answers).filter_map(|(step, one)| {
        let one = one.as_ref()?;
        let name = step.name();
        let name = Some(name).filter(|name| !name.is_empty());
        let head = name.map_or_else(String::new, |name| format!("{name}: "));
        Some(format!("{head}{}", answered(one)))
    });
    let target = sample.record.content.target.as_ref();
    let target = target.map(|target| format!("target {target}"));
    let parts: Vec<String> = target.into_iter().chain(parts).collect();
    let title = format!("{}, {name}", sample.record.sample_id);
    Some(Text::titled(
        visible(&title).into_owned(),
        visible_lines(&parts.join("\n\n")).into_owned(),
    ))
}

/// Returns the verdict (`right, B`), followed by the response or the reason of a failure.
fn answered(one: &StepResult) -> String {
    let (judged, done) = (&one.judged, &one.done);
    let verdict = match (judged.right, judged.kind) {
        (Some(true), _) => "right".to_owned(),
        (Some(false), _) => "wrong".to_owned(),
        (None, Kind::Failed(_)) => "failed".to_owned(),
        (None, kind) => kind.to_string(),
    };
    let read = judged.read.as_ref().map(|read| format!(", {read}"));
    let message = done.message.as_ref().map(|why| format!("\n{why}"));
    let text = Some(&done.text).filter(|text| !text.is_empty());
    let text = text.map(|text| format!("\n{text}"));
    let parts = [Some(verdict), read, message, text];
    parts.into_iter().flatten().collect()
}
