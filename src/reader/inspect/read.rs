//! Reads one log: the aggregates in its header, and its samples.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::Path;

use record::{Problem, PublishedScore};
use serde_json::Value as Json;

use super::FORMAT;
use super::archive::Archive;
use super::chunked::{self, SampleMembers};
use super::header::Header;
use super::sample::{Run, Sample};
use super::scores::Names;
use super::select_runs::is_listed;
use crate::decompression_budget::DecompressionBudget;
use crate::document::{self, Part};
use crate::open::open;
use crate::run_folder::harness_figure;
use crate::{Context, Sink, Unit};

/// Name of the list of samples in a JSON document.
const SAMPLES: &str = "samples";
/// Reads a unit into `sink`; returns `Break` if the sink asked to stop.
pub fn read(unit: &Unit, context: &Context, sink: &mut dyn Sink) -> ControlFlow<()> {
    if is_listed(unit) {
        return sink.progress(unit.length);
    }
    let log = Log { unit, context };
    if is_archive(&unit.path) {
        log.archive(sink)
    } else {
        log.document(sink)
    }
}

/// Returns the JSON of a sample. In an archive, `line` is the number of the sample, from 1. In a
/// document, it is the line on which the sample starts.
///
/// # Errors
/// If the log cannot be read or has no such sample.
pub fn sample_text(path: &Path, line: u64) -> Result<Vec<u8>, String> {
    if is_archive(path) {
        let mut archive = Archive::open(path).map_err(|error| error.to_string())?;
        let number = usize::try_from(line)
            .ok()
            .and_then(|line| line.checked_sub(1));
        let mut samples = chunked::samples(&archive).into_iter();
        let sample = number.and_then(|number| samples.nth(number));
        return sample.ok_or(document::CHANGED)?.read(&mut archive);
    }
    document::sample(path, SAMPLES, line)
}

/// True if an archive is damaged, or if at least half of its bytes are read. `None` for other
/// files, and for an archive that cannot be opened.
pub fn is_mostly_read(unit: &Unit) -> Option<bool> {
    if unit.format != FORMAT || !is_archive(&unit.path) {
        return None;
    }
    let archive = Archive::open(&unit.path).ok()?;
    let samples = chunked::samples(&archive);
    let read: u64 = samples.iter().map(SampleMembers::packed).sum();
    Some(archive.damage.is_some() || read >= unit.length / 2)
}

fn is_archive(path: &Path) -> bool {
    let mut head = [0; 2];
    open(path)
        .and_then(|mut file| std::io::Read::read_exact(&mut file, &mut head))
        .is_ok_and(|()| head == *b"PK")
}

/// A log to read, and the user's options.
struct Log<'a> {
    unit: &'a Unit,
    context: &'a Context,
}

/// Header of a log, and the names of its scores.
struct LogHeader {
    header: Header,
    names: Names,
}

impl Log<'_> {
    fn archive(&self, sink: &mut dyn Sink) -> ControlFlow<()> {
        let path = &self.unit.path;
        let mut archive = match Archive::open(path) {
            Ok(archive) => archive,
            Err(error) => {
                sink.problem(Problem::unreadable(path, error));
                return sink.progress(self.unit.length);
            }
        };
        if let Some(what) = archive.damage.take() {
            sink.problem(Problem::file(path, what));
        }
        let header = Header::of_archive(&mut archive).unwrap_or_else(|what| {
            sink.problem(Problem::file(path, what));
            Header::default()
        });
        let log_header = self.report(header, sink);
        let mut budget = DecompressionBudget::for_length(self.unit.length);
        let samples = chunked::samples(&archive);
        let wanted: HashSet<String> = (samples.iter().flat_map(SampleMembers::all))
            .map(|member| member.name.clone())
            .collect();
        let mut left: u64 = archive.members.iter().map(|member| member.packed).sum();
        let (mut line, mut brought) = (0, 0);
        for sample in samples {
            if sample.at >= brought {
                brought = archive.soon(sample.at, |member| wanted.contains(&member.name));
            }
            line += 1;
            let place = path.join(&sample.main.name);
            match sample.read(&mut archive) {
                Ok(bytes) => {
                    if let Err(what) = budget.charge(bytes.len()) {
                        sink.problem(Problem::file(place, what));
                        break;
                    }
                    self.sample(&bytes, line, &place, &log_header, sink);
                }
                Err(what) => sink.problem(Problem::file(place, what).leaving_out(1)),
            }
            left = left.saturating_sub(sample.packed());
            sink.progress(sample.packed())?;
        }
        self.finish(&log_header, line, sink);
        sink.progress(left)
    }

    /// Reads a document in two passes. The names of scores are known only from the whole header,
    /// and part of the header follows the samples. The first pass skips the samples.
    fn document(&self, sink: &mut dyn Sink) -> ControlFlow<()> {
        let path = &self.unit.path;
        let mut header = Header::default();
        let failed = |sink: &mut dyn Sink, error: std::io::Error| {
            sink.problem(Problem::unreadable(path, error));
        };
        let first = document::read(path, SAMPLES, Header::wanted(), &mut |part| {
            if let Part::Member(key, json) = part
                && let Err(what) = header.set(key, json)
            {
                sink.problem(Problem::file(path, what));
            }
            ControlFlow::Continue(())
        });
        if let Err(error) = first {
            failed(sink, error);
            return sink.progress(self.unit.length);
        }
        let log_header = self.report(header, sink);
        let mut samples = 0;
        let second = document::read(path, SAMPLES, &[SAMPLES], &mut |part| {
            match part {
                Part::Sample(line, json) => {
                    samples += 1;
                    self.sample(json, line, path, &log_header, sink);
                }
                Part::Problem(line, what) => sink.left_out(path, line, what),
                Part::Bytes(bytes) => return sink.progress(bytes),
                Part::Member(..) => {}
            }
            ControlFlow::Continue(())
        });
        match second {
            Ok(flow) => flow?,
            Err(error) => failed(sink, error),
        }
        self.finish(&log_header, samples, sink);
        ControlFlow::Continue(())
    }

    /// Passes the aggregates in the header to the sink. Reports a problem if the run is incomplete.
    fn report(&self, header: Header, sink: &mut dyn Sink) -> LogHeader {
        let names = Names::of(&header);
        let labels = FigureLabels {
            log: &self.unit.path,
            task: self.task(),
            model: self.model(),
            divided: self.context.picks_tag(),
        };
        sink.settings(header.settings());
        if header.is_converted() {
            header.runs().for_each(|run| sink.line(run, 1));
        } else {
            for figure in figures(&header, &names, &labels) {
                sink.published(figure, 1);
            }
        }
        if let Some(what) = unfinished(&header) {
            sink.problem(Problem::file(&self.unit.path, what));
        }
        LogHeader { header, names }
    }

    fn sample(
        &self,
        text: &[u8],
        line: u64,
        place: &Path,
        log_header: &LogHeader,
        sink: &mut dyn Sink,
    ) {
        let problem = |what: String| {
            if place == self.unit.path {
                Problem::line(place, line, what)
            } else {
                Problem::file(place, what)
            }
        };
        let run = Run {
            task: self.task(),
            model: self.model(),
            names: &log_header.names,
            context: self.context,
        };
        let is_complete = log_header.header.status() == "success";
        let wrong = |sample: &Sample| {
            let unscored = || sample.unscored(&run).filter(|_| is_complete);
            sample.error().or_else(unscored)
        };
        let read = Sample::new(text).and_then(|mut sample| {
            sample.name_score(&log_header.names);
            let record = sample.record(&run)?;
            let what = wrong(&sample).or_else(|| sample.infinite(&record));
            Ok((record, what))
        });
        match read {
            Ok((record, error)) => {
                if let Some(what) = error {
                    let is_scored = record.stored.is_some_and(|score| !score.is_nan());
                    sink.problem(problem(what).leaving_out(u64::from(!is_scored)));
                }
                sink.record(record, line);
            }
            Err(what) => sink.problem(problem(what).leaving_out(1)),
        }
    }

    /// Reports a problem if the log has fewer samples than the run planned.
    fn finish(&self, log_header: &LogHeader, samples: u64, sink: &mut dyn Sink) {
        let total = log_header.header.total().unwrap_or_default();
        if let Some(missing) = total.checked_sub(samples).filter(|missing| *missing > 0) {
            let what = format!("{samples} of the run's {total} samples are in the log");
            sink.problem(Problem::file(&self.unit.path, what).leaving_out(missing));
        }
        sink.entries(total.max(samples));
    }

    fn task(&self) -> &str {
        self.unit.dataset.as_deref().unwrap_or_default()
    }

    fn model(&self) -> &str {
        self.unit.model.as_deref().unwrap_or("unknown")
    }
}

/// Returns a message about an incomplete run; `None` if it is complete.
fn unfinished(header: &Header) -> Option<String> {
    let why = header
        .error()
        .map(|why| format!(": {why}"))
        .unwrap_or_default();
    match header.status() {
        "success" => None,
        "started" => Some(
            "the run is still going or was killed: its log has no scores yet (status started)"
                .to_owned(),
        ),
        status => Some(format!("the run did not finish (status {status}){why}")),
    }
}

/// Ability of aggregates that cover several abilities.
const ALL: &str = "all";

/// Names under which the aggregates of a log are published.
#[derive(Clone, Debug)]
pub struct FigureLabels<'a> {
    pub log: &'a Path,
    /// Task of the run; used as benchmark.
    pub task: &'a str,
    /// Model that was evaluated.
    pub model: &'a str,
    /// True if the user selected a tag as ability, so that a log can have several abilities.
    pub divided: bool,
}

/// Returns the aggregates in a header; a metric without a value is `NaN`.
fn figures(header: &Header, names: &Names, labels: &FigureLabels<'_>) -> Vec<PublishedScore> {
    let of_entry = |entry: &Json| -> Vec<PublishedScore> {
        let text = |key: &str| entry.get(key).and_then(Json::as_str);
        let name = text("name").unwrap_or_default();
        let label = names.label(text("scorer").unwrap_or(name), name);
        let metrics = entry.get("metrics").and_then(Json::as_object);
        let figure = |(metric, value): (&String, &Json)| {
            let score = score(value.get("value").unwrap_or(value))?;
            let metric = if names.is_sole() {
                metric.clone()
            } else {
                format!("{label}/{metric}")
            };
            Some(labels.figure(metric, text("reducer"), score))
        };
        metrics.into_iter().flatten().filter_map(figure).collect()
    };
    header.scores().iter().flat_map(of_entry).collect()
}

impl FigureLabels<'_> {
    fn figure(&self, metric: String, reducer: Option<&str>, score: f64) -> PublishedScore {
        let ability = if self.divided { ALL } else { self.task };
        let split = match reducer {
            Some(reducer) => format!("{}, {reducer}", PublishedScore::HARNESS),
            None => PublishedScore::HARNESS.to_owned(),
        };
        PublishedScore {
            benchmark: self.task.to_owned(),
            ability: ability.to_owned(),
            split: Some(split),
            metric,
            score,
            ..harness_figure(self.log, self.model)
        }
    }
}

/// Returns the value of a metric. Null replaces a bare `NaN`, and becomes `NaN`.
fn score(value: &Json) -> Option<f64> {
    match value {
        Json::Number(number) => number.as_f64(),
        Json::Null => Some(f64::NAN),
        _ => None,
    }
}
