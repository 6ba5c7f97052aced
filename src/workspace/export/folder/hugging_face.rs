//! Writes `.eval_results/*.yaml` of model repositories on the Hugging Face hub.
//!
//! Source: <https://huggingface.co/docs/hub/eval-results>. A result is a data set, a task and a
//! value. Interval, number of samples and command are written to its notes. Source, date and
//! `verifyToken` are not written, because logs do not contain them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde_json::Value as Json;

use super::groups::PathParts;
use super::{FolderContent, FolderGaps, FolderTarget, Gap};
use crate::export::ExportError;
use analysis::{Evidence, Origin, Score};
use base::format::{counted, visible};
use reader::own::write_value;

pub fn write(
    content: FolderContent<'_>,
    target: &FolderTarget<'_>,
) -> Result<FolderGaps, ExportError> {
    let mut gaps = FolderGaps::default();
    gaps.add_many(Gap::Predictions, content.selection.rows().count() as u64);
    let printed = content.scores.iter();
    let printed = printed.filter(|score| score.origin != Origin::Samples);
    gaps.add_many(Gap::Published, printed.count() as u64);
    let scores = content.scores_of_samples();
    let (headlines, others): (Vec<&Score>, Vec<&Score>) = scores.partition(|score| score.headline);
    let others = others.into_iter().filter(|score| has_value(score));
    gaps.add_many(Gap::Metrics, others.count() as u64);
    let mut files: BTreeMap<(&str, &str), Vec<&Score>> = BTreeMap::new();
    for score in headlines {
        if has_value(score) {
            let key = (score.model.as_str(), score.benchmark.as_str());
            files.entry(key).or_default().push(score);
        } else {
            gaps.add(Gap::NoValue);
        }
    }
    let benchmarks = files.keys().map(|(_, benchmark)| *benchmark);
    let unknown: BTreeSet<&str> = benchmarks.filter(|name| !is_hub_name(name)).collect();
    gaps.add_many(Gap::Names, unknown.len() as u64);
    let mut models = PathParts::default();
    let mut benchmarks: BTreeMap<&str, PathParts> = BTreeMap::new();
    for ((model, benchmark), scores) in files {
        let benchmark = benchmarks.entry(model).or_default().part(benchmark);
        let model = models.part(model);
        let path = target.path(&format!("{model}/.eval_results/{benchmark}.yaml"))?;
        let text = results(&scores, target.command);
        base::file::write(&path, text.as_bytes(), target.inputs)?;
        gaps.files += 1;
    }
    Ok(gaps)
}

fn has_value(score: &Score) -> bool {
    score.score.is_some_and(f64::is_finite)
}

/// Returns true for names of the form `OWNER/NAME`.
fn is_hub_name(name: &str) -> bool {
    let mut parts = name.split('/');
    let is_part = |part: Option<&str>| part.is_some_and(|part| !part.is_empty());
    is_part(parts.next()) && is_part(parts.next()) && parts.next().is_none()
}

/// Returns scores as YAML. Texts are quoted as in JSON, which is a subset of YAML.
pub fn results(scores: &[&Score], command: &str) -> String {
    let mut text = format!("# Written by Eyechart: {}\n", visible(command));
    let quoted = |text: &str| write_value(&Json::from(text));
    for score in scores {
        let Some(value) = score.score else { continue };
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "- dataset:\n    id: {}\n    task_id: {}\n  value: {value}\n  notes: {}\n",
            quoted(&score.benchmark),
            quoted(&score.ability),
            quoted(&notes(score, command)),
        );
    }
    text
}

/// Returns metric, interval, number of samples and command of a score.
fn notes(score: &Score, command: &str) -> String {
    let mut parts = vec![score.metric.clone()];
    parts.extend(score.split.as_ref().map(|split| format!("split {split}")));
    let interval = score.ci.as_ref();
    let interval = interval.filter(|ci| ci.low.is_finite() && ci.high.is_finite());
    parts.extend(interval.map(|ci| format!("95 % interval {} to {}", ci.low, ci.high)));
    if score.n > 0 {
        parts.push(format!("n = {}", score.n));
    }
    let left_out = score.evidence.as_deref().map(Evidence::rows_left_out);
    if let Some(rows) = left_out.filter(|rows| *rows > 0) {
        parts.push(format!("{} of the log left out", counted(rows, "row")));
    }
    format!("{}; {command}", parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use analysis::metric::Interval;

    #[test]
    fn an_interval_without_ends_is_not_named() {
        let score = Score {
            metric: "accuracy".to_owned(),
            ci: Some(Interval {
                low: f64::NAN,
                high: f64::NAN,
            }),
            ..Score::default()
        };
        assert_eq!(
            notes(&score, "eyechart report x"),
            "accuracy; eyechart report x"
        );
    }
}
