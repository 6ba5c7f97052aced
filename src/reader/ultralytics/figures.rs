//! Metrics of a training run. The table has one row per epoch; the last row is published.

use csv::StringRecord;

use crate::csv_file::{CsvFile, NextRow};
use crate::run_folder::harness_figure;
use crate::source::csv_columns;
use crate::{Candidate, Sink, Unit, yaml};
use record::{Problem, PublishedScore};

/// Prefix of the names of validation metrics.
const METRICS: &str = "metrics/";

/// True for a table with one row per epoch.
pub fn is_figures(file: &Candidate) -> bool {
    let names = csv_columns(file);
    let has = |wanted: &dyn Fn(&str) -> bool| names.iter().any(|name| wanted(name.trim()));
    has(&|name| name == "epoch") && has(&|name| name.starts_with(METRICS))
}

/// Returns the name of the data set used in a training run; `None` if it is unknown.
pub fn trained_on(unit: &Unit) -> Option<String> {
    let arguments = yaml::read(&unit.path.with_file_name("args.yaml")).ok()?;
    let data = yaml::text(&arguments, "data").replace('\\', "/");
    let name = super::data_set::set_name(data.as_ref());
    (!name.is_empty()).then_some(name)
}

pub fn read(unit: &Unit, sink: &mut dyn Sink) {
    let last = match last_row(unit) {
        Ok(Some(last)) => last,
        Ok(None) => {
            let what = "no epoch, so there are no metrics";
            return sink.problem(Problem::file(&unit.path, what));
        }
        Err((line, what)) => {
            let what = format!("{what}: no metrics, because they are those of the last epoch");
            return sink.left_out(&unit.path, line, what);
        }
    };
    for (name, text) in last.cells {
        match text.parse::<f64>() {
            Ok(score) if score.is_finite() => {
                sink.published(published(unit, name, score), last.line);
            }
            _ => {
                let what = format!("`{name}` is not a finite number");
                sink.problem(Problem::line(&unit.path, last.line, what));
            }
        }
    }
    let _ = sink.progress(unit.length);
}

/// The last row of a table of epochs.
struct LastRow {
    line: u64,
    /// Pairs of column name and text.
    cells: Vec<(String, String)>,
}

/// Reads the last row of the table. An error contains the line number.
fn last_row(unit: &Unit) -> Result<Option<LastRow>, (u64, String)> {
    let mut file = CsvFile::open(&unit.path, b',').map_err(|what| (1, what))?;
    let names: Vec<String> = file
        .header()
        .iter()
        .map(|name| name.trim().to_owned())
        .collect();
    let mut row = StringRecord::new();
    let mut last = Ok(None);
    loop {
        match file.next(&mut row) {
            Ok(NextRow::Row(at)) => {
                let cells = names.iter().zip(row.iter());
                let cells = cells.filter(|(name, _)| name.starts_with(METRICS));
                let cells = cells.map(|(name, text)| (name.clone(), text.trim().to_owned()));
                last = Ok(Some(LastRow {
                    line: at.line(),
                    cells: cells.collect(),
                }));
            }
            Ok(NextRow::Bad(at, what)) => last = Err((at.line(), what)),
            Ok(NextRow::End) => return last,
            Err(what) => return Err((1, what)),
        }
    }
}

fn published(unit: &Unit, metric: String, score: f64) -> PublishedScore {
    let ability = if metric.ends_with("(M)") {
        "instance_segmentation"
    } else if metric.ends_with("(P)") {
        "keypoints"
    } else if metric.contains("accuracy") {
        "classification"
    } else {
        "detection"
    };
    PublishedScore {
        benchmark: unit.dataset.clone().unwrap_or_default(),
        ability: ability.to_owned(),
        split: None,
        metric,
        higher_is_better: Some(true),
        score,
        ..harness_figure(&unit.path, unit.model.as_deref().unwrap_or_default())
    }
}
