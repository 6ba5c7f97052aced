//! Reads one unit: predictions with their results, results alone, or a summary.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::details::Results;
use super::figures;
use super::plan::is_keyed_by_number;
use super::prediction::Prediction;
use crate::json::{read_bounded, rows};
use crate::open::open;
use crate::source::first_bytes;
use crate::{Context, Sink, Unit};
use record::{Labels, Problem, REPEAT, Record, Rule, Value};

/// Name of the verdicts' metric if the results contain no aggregates.
const CORRECT: &str = "correct";

/// Reads a unit into `sink`; returns `Break` if the sink asked to stop.
pub fn read(unit: &Unit, context: &Context, sink: &mut dyn Sink) -> ControlFlow<()> {
    if unit.dataset.is_none() {
        return figures::of_summary(unit, sink);
    }
    let mut files: Vec<&PathBuf> = std::iter::once(&unit.path)
        .chain(&unit.companions)
        .collect();
    let found = results(files.last().map_or(unit.path.as_path(), |path| path), sink);
    if found.is_some() {
        files.pop();
    }
    let has_results = found.is_some();
    let results = found.unwrap_or_default();
    figures::of_results(&results, unit, sink);
    let metric = results.metric().map(str::to_owned);
    let log = Log {
        unit,
        context,
        metric: metric.or_else(|| results.figures.is_empty().then(|| CORRECT.to_owned())),
        results,
    };
    if !has_results {
        let what = "no results of these predictions: the answers have no scores";
        sink.problem(Problem::file(&unit.path, what));
    } else if log.metric.is_none() && !files.is_empty() {
        let what = "no metric in the results is the mean of its per-answer verdicts: the answers have no scores";
        sink.problem(Problem::file(&unit.path, what));
    }
    log.read(&files, sink)
}

/// Returns the results in a file. `None` if the file contains predictions, or cannot be read.
fn results(path: &Path, sink: &mut dyn Sink) -> Option<Results> {
    let head = first_bytes(open(path).ok()?).ok()?;
    if is_keyed_by_number(&head) {
        return None;
    }
    let text = document(path, sink)?;
    let results = Results::parse(&text).unwrap_or_else(|what| {
        sink.problem(Problem::file(path, what));
        Results::default()
    });
    if let Some(error) = &results.error {
        sink.problem(Problem::file(
            path,
            format!("the evaluation failed: {error}"),
        ));
    }
    Some(results)
}

/// Reads a whole file. If this fails, reports a problem.
fn document(path: &Path, sink: &mut dyn Sink) -> Option<Vec<u8>> {
    let read = read_bounded(path);
    let failed = |error| sink.problem(Problem::unreadable(path, error));
    read.map_err(failed).ok()
}

/// Answers of one model to one data set.
struct Log<'a> {
    unit: &'a Unit,
    context: &'a Context,
    results: Results,
    /// Metric of the verdicts; `None` if their mean equals no aggregate of the harness.
    metric: Option<String>,
}

impl Log<'_> {
    /// Reads all parts of the predictions. Without predictions, reads the details of the results.
    fn read(&self, parts: &[&PathBuf], sink: &mut dyn Sink) -> ControlFlow<()> {
        let (mut first, mut is_whole) = (0, !parts.is_empty());
        for (at, path) in (1..).zip(parts) {
            let count = match document(path, sink) {
                Some(text) => self.part(path, Document { text: &text, first }, sink)?,
                None => None,
            };
            is_whole &= count.is_some();
            match count {
                Some(count) => first += count,
                None if at < parts.len() => {
                    let what =
                        "part of it is unreadable, so the numbers of later predictions are unknown";
                    sink.problem(Problem::file(*path, format!("{what}: they are not read")));
                    break;
                }
                None => {}
            }
        }
        let scored = self.results.details.len() as u64;
        if is_whole && (1..scored).contains(&first) {
            let all = base::format::counted(scored, "prediction");
            let what = format!("{first} of {all} scored in the results are in the log");
            sink.problem(Problem::file(&self.unit.path, what));
        }
        if parts.is_empty() {
            for (index, detail) in &self.results.details {
                sink.record(self.record(*index, &detail.prediction), 1);
            }
        }
        sink.progress(self.unit.length)
    }

    /// Reads a part of the predictions. Returns the number of predictions; `None` if the part is
    /// damaged.
    fn part(
        &self,
        path: &Path,
        document: Document<'_>,
        sink: &mut dyn Sink,
    ) -> ControlFlow<(), Option<u64>> {
        let (mut count, mut end, mut is_whole) = (0, 0, true);
        for (line, row) in rows(document.text) {
            match row.and_then(|row| document.entry(row, line)) {
                Ok((key, prediction)) => {
                    count += 1;
                    end = end.max(key.saturating_add(1));
                    let index = document.first.saturating_add(key);
                    if self.is_of_other_response(index, &prediction) {
                        let what =
                            "the results score another response than this one; evaluate again";
                        sink.left_out(path, line, what.to_owned());
                    } else {
                        sink.record(self.record(index, &prediction), line);
                    }
                }
                Err(what) => {
                    is_whole = false;
                    sink.left_out(path, line, what);
                }
            }
            sink.progress(0)?;
        }
        if count < end && is_whole {
            let what = format!(
                "{} of {end} predictions are missing or not objects",
                end - count
            );
            sink.problem(Problem::file(path, what));
        }
        ControlFlow::Continue(is_whole.then_some(end))
    }

    /// True if the results contain another response than the given prediction.
    fn is_of_other_response(&self, index: u64, prediction: &Prediction) -> bool {
        let scored = self.results.details.get(&index);
        let scored = scored.and_then(|detail| detail.prediction.response.as_deref());
        let responses = scored.zip(prediction.response.as_deref());
        // If several answers are joined to one text, it starts with the first answer.
        responses.is_some_and(|(scored, own)| !own.trim().starts_with(scored.trim()))
    }

    fn record(&self, index: u64, prediction: &Prediction) -> Record {
        let dataset = self.unit.dataset.clone().unwrap_or_default();
        let detail = self.results.details.get(&index);
        let correct = detail.and_then(|detail| detail.correct);
        let (id, repeat) = self.results.sample(index);
        let is_scored = self.metric.is_some();
        let metric = self.metric.clone();
        let first = || self.results.figures.first().map(|(name, _)| name.clone());
        let content = prediction.content();
        let tagged = self.context.tagged_ability(&content.tags);
        Record {
            ability: tagged.unwrap_or_else(|| dataset.clone()),
            benchmark: dataset,
            sample_id: id.to_string(),
            model: self.unit.model.clone().unwrap_or_default(),
            condition: Labels::from([(REPEAT.to_owned(), Value::Number(repeat))]),
            content,
            response: prediction.response.clone(),
            parsed: detail.and_then(|detail| detail.parsed.clone()),
            metric: metric.or_else(first),
            stored: Some(correct.filter(|_| is_scored).unwrap_or(f64::NAN)),
            beside: correct
                .filter(|_| !is_scored)
                .map(|it| (CORRECT.to_owned(), it))
                .into_iter()
                .collect(),
            rule: Rule::Stored,
            ..Record::default()
        }
    }
}

/// A part of the predictions, as text.
#[derive(Clone, Copy)]
struct Document<'a> {
    text: &'a [u8],
    /// Number of predictions in the parts before this one.
    first: u64,
}

impl Document<'_> {
    /// Parses one prediction. Returns its numeric key, which precedes the object, and the prediction.
    fn entry(self, row: &[u8], line: u64) -> Result<(u64, Prediction), String> {
        let at = row
            .as_ptr()
            .addr()
            .saturating_sub(self.text.as_ptr().addr());
        let before = self.text.get(..at).unwrap_or_default().trim_ascii_end();
        let before = before
            .strip_suffix(b":")
            .unwrap_or_default()
            .trim_ascii_end();
        let key = before
            .strip_suffix(b"\"")
            .and_then(|before| before.rsplit(|&byte| byte == b'"').next());
        let key = key.and_then(|key| str::from_utf8(key).ok()?.parse().ok());
        let key = key.ok_or("the key of a prediction is not a number")?;
        Ok((key, Prediction::new(&crate::json::parse(row, line)?)))
    }
}
