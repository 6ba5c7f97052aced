//! Reads one log: its samples, the list of failed files, and the harness's aggregates.

use std::path::Path;

use serde::Deserialize;
use serde_json::Value as Json;

use super::names::ability;
use super::samples::{Samples, ValueIndex};
use super::truth::{Shape, Truth};
use super::{figures, python};
use crate::{Sink, Unit, json};
use record::{Problem, PublishedScore};

/// Content of a log other than its samples.
#[derive(Default, Deserialize)]
#[serde(default)]
struct LogMetadata {
    completion_tokens: Option<f64>,
    prompt_tokens: Option<f64>,
    eval_metric: Option<Json>,
    data: serde::de::IgnoredAny,
}

pub fn read(unit: &Unit, sink: &mut dyn Sink) {
    let ability = unit
        .dataset
        .as_deref()
        .and_then(ability)
        .unwrap_or_default();
    let bytes = match json::read_bounded(&unit.path) {
        Ok(bytes) => bytes,
        Err(error) => {
            return sink.problem(Problem::unreadable(&unit.path, error));
        }
    };
    let is_backup = is_named(&unit.path, "backup_");
    if is_backup {
        let what = "the run has no output file: this is the backup of an interrupted run";
        sink.problem(Problem::file(&unit.path, what));
    }
    let truth = truth(unit, ability, sink);
    let metrics = if is_backup {
        None
    } else {
        around(unit, &bytes, sink)
    };
    let evaluated = metrics
        .as_ref()
        .and_then(|around| around.eval_metric.as_ref());
    let per_picture = evaluated.map(figures::per_picture).unwrap_or_default();
    let mut places = ValueIndex::default();
    if !per_picture.is_empty() {
        let records = elements(&bytes, is_backup).count();
        places.is_exact = records == per_picture.len();
        if !places.is_exact {
            let values = per_picture.len();
            let what = format!("{records} pictures, but the harness has values for {values}");
            sink.problem(Problem::file(&unit.path, what));
        }
    }
    let mut samples = Samples {
        unit,
        ability,
        truth: &truth,
        per_picture,
        places,
        count: 0,
    };
    for (line, element) in elements(&bytes, is_backup) {
        samples.places.begin();
        let taken = element.and_then(|element| {
            let text = json::without_nan(element);
            let record =
                serde_json::from_slice(&text).map_err(|error| json::describe(&error, line));
            samples.take(&record?, line, sink)
        });
        if let Err(what) = taken {
            sink.left_out(&unit.path, line, what);
        }
    }
    let count = samples.count;
    if let Some(around) = metrics {
        publish(unit, ability, &around, count, sink);
    }
    failed(unit, sink);
    let _ = sink.progress(unit.length);
}

/// Returns the records as raw JSON. They are in the list `data`, or are the lines of a backup.
fn elements<'a>(
    bytes: &'a [u8],
    is_backup: bool,
) -> Box<dyn Iterator<Item = json::Element<'a>> + 'a> {
    if is_backup {
        return Box::new(json::lines(bytes));
    }
    let list = memchr::memmem::find(bytes, b"\"data\"").and_then(|key| {
        let open = memchr::memchr(b'[', bytes.get(key..)?)?;
        bytes.split_at_checked(key + open)
    });
    let Some((before, list)) = list else {
        let what = "the list `data` is missing: no answer can be read";
        return Box::new(std::iter::once((1, Err(what.to_owned()))));
    };
    let lines = memchr::memchr_iter(b'\n', before).count() as u64;
    let shift = move |(line, element)| (line + lines, element);
    Box::new(json::elements(list).map(shift))
}

/// Parses token counts and aggregates. The aggregates are Python text.
fn around(unit: &Unit, bytes: &[u8], sink: &mut dyn Sink) -> Option<LogMetadata> {
    let text = json::without_nan(bytes);
    let mut around = match serde_json::from_slice::<LogMetadata>(&text) {
        Ok(around) => around,
        Err(error) => {
            let what = format!("the file is incomplete: {}", json::describe(&error, 1));
            sink.problem(Problem::line(&unit.path, error.line() as u64, what));
            return None;
        }
    };
    if let Some(Json::String(python)) = &around.eval_metric {
        match python::parse(python) {
            Ok(metrics) => around.eval_metric = Some(metrics),
            Err(what) => {
                sink.problem(Problem::file(&unit.path, format!("`eval_metric`: {what}")));
                around.eval_metric = None;
            }
        }
    }
    Some(around)
}

fn truth(unit: &Unit, ability: &str, sink: &mut dyn Sink) -> Truth {
    let mut truth = Truth::default();
    let Some(shape) = Shape::of_ability(ability) else {
        return truth;
    };
    let files = unit
        .companions
        .iter()
        .filter(|path| !is_named(path, "error_"));
    // Read the nearest file last, because later entries replace earlier ones.
    for path in files.rev() {
        let added = truth.add(path, shape, &mut |problem| sink.problem(problem));
        if let Err(what) = added {
            sink.problem(Problem::file(path, what));
        }
    }
    truth
}

fn publish(unit: &Unit, ability: &str, around: &LogMetadata, n: u64, sink: &mut dyn Sink) {
    let tokens = [
        ("prompt_tokens", around.prompt_tokens),
        ("completion_tokens", around.completion_tokens),
    ];
    let tokens = tokens.map(|(name, count)| Some((name.to_owned(), count?)));
    let figures = around
        .eval_metric
        .as_ref()
        .map(figures::named)
        .unwrap_or_default();
    for (metric, score) in figures.into_iter().chain(tokens.into_iter().flatten()) {
        let figure = PublishedScore {
            ability: ability.to_owned(),
            n,
            ..figures::published(unit, metric, score)
        };
        sink.published(figure, 1);
    }
}

/// Reports the files on which the harness failed. They are listed in a separate file, one per line.
fn failed(unit: &Unit, sink: &mut dyn Sink) {
    let Some(path) = unit.companions.iter().find(|path| is_named(path, "error_")) else {
        return;
    };
    match json::read_bounded(path) {
        Ok(bytes) => {
            let text = String::from_utf8_lossy(&bytes);
            for (line, file) in (1..)
                .zip(text.lines())
                .filter(|(_, file)| !file.trim().is_empty())
            {
                let what = format!(
                    "no answer to {}: the harness does not score this picture",
                    file.trim()
                );
                sink.problem(Problem::line(path, line, what));
            }
        }
        Err(error) => sink.problem(Problem::unreadable(path, error)),
    }
}

fn is_named(path: &Path, prefix: &str) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| name.starts_with(prefix))
}
