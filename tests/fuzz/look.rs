//! Loads a folder of logs and uses the result.

use std::ops::ControlFlow;
use std::path::Path;

use eyechart::analysis::{Depth, Selection, scores};
use eyechart::media;
use eyechart::record::{Row, Scoring, Table};
use eyechart::workspace::load::{Request, load};
use eyechart::workspace::{filter, page, picture};

use super::target::Case;

/// Number of samples opened one by one.
const OPENED: u32 = 25;

/// Loads everything below a folder.
pub fn table(folder: &Path) -> Table {
    let request = Request {
        paths: vec![folder.to_path_buf()],
        data: vec![folder.to_path_buf()],
        ..Request::default()
    };
    load(&request, &mut |_| ControlFlow::Continue(()))
}

/// Loads a folder, scores it by both rules, filters it, and opens samples and their pictures.
pub fn at_logs(_case: &Case, folder: &Path) -> Result<(), String> {
    let table = table(folder);
    for problem in table.sources().iter().flat_map(|source| &source.problems) {
        if !problem.file.starts_with(folder) || problem.what.is_empty() {
            return Err(format!(
                "a problem without its file: {}: {}",
                problem.place(),
                problem.what
            ));
        }
    }
    for scoring in [Scoring::Harness, Scoring::Strict] {
        let selection = Selection::all(&table, scoring);
        for score in scores(selection, Depth::Scores) {
            if score.score.is_some_and(f64::is_nan) {
                return Err(format!(
                    "a score that is no number: {} {}",
                    score.model, score.ability
                ));
            }
        }
    }
    for text in ["zebra", "scorers:disagree", "score<0.5 or invalid:true"] {
        filter::select(text, &table, Scoring::Harness).map_err(|error| error.to_string())?;
    }
    let rows = u32::try_from(table.len()).unwrap();
    for row in (0..rows).take(OPENED as usize) {
        open(&table, Row(row))?;
    }
    Ok(())
}

fn open(table: &Table, row: Row) -> Result<(), String> {
    for scoring in [Scoring::Harness, Scoring::Strict] {
        let detail = page::detail(table, row, scoring)?;
        let span = detail.reading.and_then(|reading| reading.span);
        let response = detail.record.response.as_deref().unwrap_or_default();
        if span.is_some_and(|span| response.get(span).is_none()) {
            return Err(format!("an answer outside of its response: {response:?}"));
        }
    }
    let detail = page::detail(table, row, Scoring::Harness)?;
    for source in picture::sources(table, &detail) {
        drop(media::load(&source));
    }
    Ok(())
}
