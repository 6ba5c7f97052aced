//! The wide table. The first columns are the variables of the test. Columns with the output and its
//! result follow for each provider and prompt; their names are repeated.

use csv::StringRecord;
use serde_json::{Map, Value as Json, json};

use super::read::Log;
use crate::csv_file::{CsvFile, NextRow};
use crate::json;

/// Name of the column with the test's description.
const DESCRIPTION: &str = "Description";
const STATUS: &str = "Status";
const SCORE: &str = "Score";
const REASON: &str = "Grader Reason";
/// Names of columns that can follow an output column.
const NEXT: [&str; 3] = [STATUS, "Reasoning", REASON];
/// Name of the column with all named metrics as JSON. Also the prefix of the names of columns with
/// a single metric.
const NAMED: &str = "Named Scores";
const METRIC: &str = "Metric: ";
/// Marks of results in tables that have no status column.
const MARKS: [&str; 3] = ["[PASS]", "[FAIL]", "[ERROR]"];

/// The columns of one provider and one prompt.
struct Output {
    provider: String,
    prompt: String,
    /// Index of the column with the output.
    at: usize,
    /// Index after the last column of this provider and prompt.
    end: usize,
}

/// True if a text starts like a header of a wide table.
pub fn is_table(head: &[u8]) -> bool {
    let mut rows = csv::ReaderBuilder::new();
    let rows = rows.has_headers(false).flexible(true).from_reader(head);
    let Some(Ok(header)) = rows.into_records().next() else {
        return false;
    };
    let has = |wanted: &str| header.iter().any(|name| name == wanted);
    // A line such as `[time] text` can also start a log in plain text.
    let is_marked = || {
        let mut marks = MARKS.iter();
        header.len() > 1 && marks.any(|mark| memchr::memmem::find(head, mark.as_bytes()).is_some())
    };
    !outputs(&header).is_empty() && (has(REASON) || has(STATUS) && has(SCORE) || is_marked())
}

/// Splits the name of an output column, `[provider] prompt`.
fn split_name(name: &str) -> Option<(&str, &str)> {
    let (provider, prompt) = name.strip_prefix('[')?.split_once("] ")?;
    (!provider.is_empty()).then_some((provider, prompt))
}

fn outputs(header: &StringRecord) -> Vec<Output> {
    let mut found: Vec<Output> = Vec::new();
    for (at, name) in header.iter().enumerate() {
        let next = header.get(at + 1).unwrap_or_default();
        let is_result =
            NEXT.contains(&name) || [SCORE, NAMED].contains(&name) || name.starts_with(METRIC);
        let is_followed = NEXT.contains(&next) && !is_result;
        let split = split_name(name).or_else(|| is_followed.then_some((name, "")));
        let Some((provider, prompt)) = split else {
            continue;
        };
        if let Some(last) = found.last_mut() {
            last.end = at;
        }
        found.push(Output {
            provider: provider.to_owned(),
            prompt: prompt.to_owned(),
            at,
            end: header.len(),
        });
    }
    found
}

impl Output {
    /// Returns the answer in a row, with the same structure as in the other layouts. `None` if the
    /// row contains no answer of this provider.
    fn answer(&self, header: &StringRecord, row: &StringRecord, test: &Json) -> Option<Json> {
        let columns = || {
            let columns = header.iter().zip(row).take(self.end);
            columns.skip(self.at + 1)
        };
        let cell = |wanted: &str| columns().find(|(name, _)| *name == wanted);
        let shown = row.get(self.at).unwrap_or_default();
        let (status, output) = match cell(STATUS) {
            Some((_, status)) => (status, shown),
            None => marked(shown),
        };
        if status.is_empty() && output.is_empty() {
            return None;
        }
        let number = |text: &str| text.trim().parse::<f64>().ok();
        let score = cell(SCORE).and_then(|(_, text)| number(text));
        let listed = cell(NAMED).and_then(|(_, text)| json::parse(text.as_bytes(), 1).ok());
        let named = listed.filter(Json::is_object).unwrap_or_else(|| {
            let named = columns().filter_map(|(name, text)| {
                let name = name.strip_prefix(METRIC)?;
                Some((name.to_owned(), number(text)?.into()))
            });
            Json::Object(named.collect())
        });
        let is_error = status == "ERROR";
        let is_known = is_error || ["PASS", "FAIL"].contains(&status);
        let success = is_known.then_some(status == "PASS");
        Some(json!({
            "provider": {"id": self.provider},
            "prompt": {"label": self.prompt},
            "vars": test.get("vars"),
            "testCase": test,
            "success": success,
            "failureReason": is_error.then_some(2),
            "score": score,
            "namedScores": named,
            "response": {(if is_error { "error" } else { "output" }): output},
            // An empty grading result means a failed assertion, not an error.
            "gradingResult": {},
        }))
    }
}

/// Splits a cell of an older table into status and output: `[PASS] (1.00) text`.
fn marked(cell: &str) -> (&str, &str) {
    let split = |mark: &&'static str| Some((*mark, cell.strip_prefix(*mark)?.trim_start()));
    let Some((mark, rest)) = MARKS.iter().find_map(split) else {
        return ("", cell);
    };
    let scored = rest.strip_prefix('(').and_then(|it| it.split_once(')'));
    let rest = match scored {
        Some((score, rest)) if score.parse::<f64>().is_ok() => rest.trim_start(),
        _ => rest,
    };
    let output = rest
        .split_once("\n---\n")
        .map_or(rest, |(_, output)| output);
    (mark.trim_matches(['[', ']']), output)
}

/// Returns the description and variables of a row's test.
fn test(header: &StringRecord, row: &StringRecord, columns: usize) -> Json {
    let mut description = "";
    let mut vars = Map::new();
    for (at, (name, cell)) in header.iter().zip(row).take(columns).enumerate() {
        if at == 0 && name == DESCRIPTION {
            description = cell;
        } else if !cell.is_empty() {
            vars.insert(name.to_owned(), cell.into());
        }
    }
    json!({"description": description, "vars": vars})
}

/// Reads a wide table.
///
/// # Errors
/// If the table cannot be read.
pub fn read(log: &mut Log<'_>) -> Result<(), String> {
    let mut file = CsvFile::open(&log.unit.path, b',')?;
    let header = file.header().clone();
    let outputs = outputs(&header);
    let columns = outputs.first().map_or(0, |output| output.at);
    let (mut row, mut count, mut done) = (StringRecord::new(), 0, 0);
    loop {
        let at = match file.next(&mut row)? {
            NextRow::End => break,
            NextRow::Bad(at, what) => {
                log.answer(Err(what), at.line());
                at
            }
            NextRow::Row(at) => {
                let test = test(&header, &row, columns);
                let answers = outputs.iter();
                for answer in answers.filter_map(|it| it.answer(&header, &row, &test)) {
                    log.answer(Ok(answer), at.line());
                }
                at
            }
        };
        count += 1;
        if log.sink.progress(at.byte().saturating_sub(done)).is_break() {
            return Ok(());
        }
        done = at.byte();
    }
    log.sink.entries(count);
    // Reading has ended, so `Break` has no effect.
    let _ = log.sink.progress(log.unit.length.saturating_sub(done));
    Ok(())
}
