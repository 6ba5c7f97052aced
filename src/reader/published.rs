//! Reads published scores from papers: CSV files with one score per row.

use csv::StringRecord;

use super::csv_file::CsvFile;
use super::source::csv_columns;
use super::{Candidate, Sink, Unit};
use record::benchmark::{Direction, known_direction};
use record::{Problem, PublishedScore};

/// Name of the format in the list of sources.
pub const FORMAT: &str = "scores";

/// Columns in which every row must have a value.
const REQUIRED: [&str; 5] = ["benchmark", "model", "ability", "metric", "score"];

reader! {
    /// Reader of published scores (`*.scores.csv`).
    PublishedScores,
    FORMAT,
    |files, context| Unit::singles(files, FORMAT, context, is_scores),
    |unit, _, _, sink| read(unit, sink)
}

fn read(unit: &Unit, sink: &mut dyn Sink) {
    let file = match CsvFile::open(&unit.path, b',') {
        Ok(file) => file,
        Err(what) => return sink.problem(Problem::line(&unit.path, 1, what)),
    };
    let columns = Columns::new(file.header());
    file.each(&unit.path, sink, |row, line, sink| {
        match columns.published(row) {
            Ok(Some(published)) => sink.published(published, line),
            Ok(None) => {}
            Err(what) => sink.problem(Problem::line(&unit.path, line, what)),
        }
    });
    let _ = sink.progress(unit.length);
}

fn is_scores(file: &Candidate) -> bool {
    let names = csv_columns(file);
    let has = |name: &str| names.iter().any(|known| known == name);
    REQUIRED.into_iter().all(has) && !has("sample_id")
}

/// Column names of the table, used to look up cells by name.
struct Columns {
    header: Vec<String>,
}

impl Columns {
    fn new(header: &StringRecord) -> Self {
        let name = |name: &str| name.trim().to_owned();
        Self {
            header: header.iter().map(name).collect(),
        }
    }

    fn get<'a>(&self, row: &'a StringRecord, name: &str) -> &'a str {
        let index = self.header.iter().position(|known| known == name);
        index
            .and_then(|index| row.get(index))
            .unwrap_or_default()
            .trim()
    }

    /// Returns the score in a row; `None` if the cell contains a dash.
    fn published(&self, row: &StringRecord) -> Result<Option<PublishedScore>, String> {
        let get = |name| self.get(row, name);
        let printed = get("score");
        if matches!(printed, "" | "-" | "–") {
            return Ok(None);
        }
        let score: f64 = printed
            .parse()
            .map_err(|_| "`score` must be a number".to_owned())?;
        if !score.is_finite() {
            return Err("`score` must be a finite number".to_owned());
        }
        if let Some(missing) = REQUIRED.into_iter().find(|name| get(name).is_empty()) {
            return Err(format!("`{missing}` is empty"));
        }
        Ok(Some(PublishedScore {
            benchmark: get("benchmark").to_owned(),
            table: get("table").to_owned(),
            group: get("group").to_owned(),
            model: get("model").to_owned(),
            ability: get("ability").to_owned(),
            split: Some(get("split"))
                .filter(|split| !split.is_empty())
                .map(str::to_owned),
            metric: get("metric").to_owned(),
            higher_is_better: match get("direction") {
                "higher" => Some(true),
                "lower" => Some(false),
                _ => known_direction(get("metric")).map(|known| known == Direction::Higher),
            },
            score: if get("unit") == "percent" {
                score / 100.0
            } else {
                score
            },
            ..PublishedScore::default()
        }))
    }
}
