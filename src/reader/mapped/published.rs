//! Converts a row to published scores through a column map: one score per row, or one per column.

use record::benchmark::{Direction, SCORE, known_direction};
use serde_json::Value as Json;

use super::json_shape::DEEPEST;
use super::names::is_aggregate;
use super::row::{GetCell, MappedTable, TableRow};
use crate::json::plain;
use crate::run_folder::file_name;
use record::{Problem, PublishedScore};

/// Texts of cells without a score.
const ABSENT: [&str; 9] = ["", "-", "–", "—", "nan", "null", "none", "n/a", "na"];
/// Metrics where lower is better, at the end of a column name: `NYUv2 RMSE`.
#[rustfmt::skip]
const ERRORS: [&str; 50] = [
    "rmse", "rmselog", "mse", "mae", "absrel", "sqrel", "silog", "log10", "fid", "kid", "fvd", "epe",
    "d1all", "wer", "cer", "lpips", "niqe", "brier", "ece", "nll", "fpr95", "error",
    "errorrate", "err", "top1err", "medianerror", "mederr", "loss", "perplexity", "ppl", "chairi", "chairs",
    "hallucinationrate", "halrate", "refusalrate", "latency", "missrate", "chamfer", "chamferdistance",
    "hausdorff", "hausdorffdistance", "hd95", "assd", "ade", "fde", "minade", "minfde", "mpjpe", "pampjpe", "nme",
];
/// Words that are metrics only if a unit follows; otherwise they can be the name of an ability.
const MEASURED: [&str; 2] = ["time", "cost"];
/// Units at the end of a column name: `Latency (s)`.
const UNITS: [&str; 9] = ["s", "ms", "sec", "seconds", "usd", "h", "mm", "cm", "px"];
/// Words in a column name that reverse the direction of the metric.
const TURNED: [&str; 6] = ["neg", "negative", "minus", "inverse", "no", "free"];
/// Marks of emphasis and footnotes in cells copied from a paper.
const MARKS: [char; 4] = ['*', '†', '‡', '§'];

/// Rules that complete the column map for a known format of published scores.
#[derive(Clone, Copy, Debug)]
pub struct ScoreRules {
    /// True if the column with this name contains scores.
    pub is_score: fn(&str) -> bool,
    /// Completes a score with other cells of its row.
    pub complete: fn(&mut PublishedScore, &GetCell<'_>),
}

/// Returns the scores of a row, and a problem for each cell that is not a number.
pub fn scores(table: MappedTable<'_>, row: &TableRow<'_>) -> Vec<Result<PublishedScore, Problem>> {
    let map = table.map;
    let model = map.model.as_ref().and_then(|column| (row.get)(column));
    if let Some(model) = model
        .map(|model| plain(&model))
        .filter(|it| is_aggregate(it))
    {
        let what = format!("`{model}` is an aggregate over models, not a model");
        let problem = Problem::line(&table.unit.path, row.number, what);
        return vec![Err(problem.leaving_out(1))];
    }
    let mut names = match map.scores.as_slice() {
        [] => Vec::new(),
        _ => (row.names)(),
    };
    for path in map.score_paths() {
        if !names.iter().any(|name| name == path) {
            names.push(path.to_owned());
        }
    }
    let is_score = |name: &&str| table.rules.is_none_or(|rules| (rules.is_score)(name));
    let wide = names.iter().filter_map(|column| {
        let name = map.score_name(column).filter(is_score)?;
        Some((column, Some(name)))
    });
    let columns = map.score.iter().map(|column| (column, None)).chain(wide);
    let found = columns.filter_map(|(column, name)| {
        let cell = ScoreCell {
            table,
            row,
            column,
            name,
        };
        let score = cell.score().transpose()?;
        let path = &table.unit.path;
        Some(score.map_err(|what| Problem::line(path, row.number, what).leaving_out(1)))
    });
    found.collect()
}

/// Metric and direction in the name of a score column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnMetric {
    /// Metric in lower case; `None` if the name contains only a direction.
    pub name: Option<String>,
    pub higher_is_better: bool,
}

impl ColumnMetric {
    /// Finds an error metric at the end of a column name, or a note on the direction: `NYUv2 RMSE`,
    /// `depth (↓)`, `Latency (s)`, `POPE (lower is better)`.
    pub fn of(column: &str) -> Option<Self> {
        let text = column.to_lowercase();
        let has = |words: &str, arrow: char| text.contains(words) || text.contains(arrow);
        let stated = if has("lower is better", '↓') {
            Some(false)
        } else {
            has("higher is better", '↑').then_some(true)
        };
        let text = text
            .replace("lower is better", "")
            .replace("higher is better", "");
        let words = text.split(|c: char| !c.is_alphanumeric());
        let mut words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        let ends = |words: &[&str]| -> Vec<String> {
            let ends = (1..=2).filter_map(|count| words.get(words.len().checked_sub(count)?..));
            ends.map(<[&str]>::concat).collect()
        };
        // The last word of `CHAIR_s` is no unit.
        let whole = ends(&words);
        let unit = words.pop_if(|word| UNITS.contains(word));
        let has_unit = unit.is_some() || text.contains('$');
        let mut ends = whole.into_iter().chain(ends(&words));
        let is_error = |name: &String| {
            let name = name.as_str();
            ERRORS.contains(&name) || has_unit && MEASURED.contains(&name)
        };
        // `1 - error` and `neg_mse` are not errors.
        let is_turned = words.first() == Some(&"1") || words.iter().any(|it| TURNED.contains(it));
        let name = ends.find(is_error).filter(|_| !is_turned);
        (name.is_some() || stated.is_some()).then_some(Self {
            name,
            higher_is_better: stated.unwrap_or(false),
        })
    }
}

/// Cell that contains a score.
struct ScoreCell<'a, 'r> {
    table: MappedTable<'a>,
    row: &'a TableRow<'r>,
    column: &'a str,
    /// Name of the score column in a table with several of them; `None` for a single score column.
    name: Option<&'a str>,
}

impl ScoreCell<'_, '_> {
    /// Returns the published score; `None` for an empty cell.
    fn score(&self) -> Result<Option<PublishedScore>, String> {
        let MappedTable { unit, map, .. } = self.table;
        let Some((value, is_percent)) = self.number(self.column)? else {
            return Ok(None);
        };
        let value = match (&map.total, self.name) {
            (Some(total), None) => match self.number(total)? {
                Some((total, _)) if total > 0.0 => value / total,
                _ => return Ok(None),
            },
            _ => value,
        };
        let of_name = self.name.and_then(ColumnMetric::of);
        let mut metric = self.required("metric")?;
        if let Some(name) = of_name.as_ref().and_then(|it| it.name.as_deref())
            && metric == SCORE
        {
            name.clone_into(&mut metric);
        }
        let higher = match self.field("direction").as_deref() {
            Some("higher") => Some(true),
            Some("lower") => Some(false),
            _ => match of_name {
                Some(named) => Some(named.higher_is_better),
                None => known_direction(&metric).map(|it| it == Direction::Higher),
            },
        };
        let unit_name = self.field("unit");
        let is_percent = is_percent || matches!(unit_name.as_deref(), Some("percent" | "%"));
        let conditions = map.condition.iter().filter_map(|column| self.text(column));
        let run = Some(conditions.collect::<Vec<_>>().join(", "));
        let mut score = PublishedScore {
            benchmark: self.required("benchmark")?,
            table: file_name(&unit.path),
            group: self.field("group").unwrap_or_default(),
            model: plain_name(self.required("model")?),
            run: run
                .filter(|run| !run.is_empty())
                .or_else(|| self.field("run")),
            ability: match self.table.rules {
                // These formats have benchmarks of aggregates.
                Some(_) => self.required("ability")?,
                None if self.is_accuracy_of_classes() => "average".to_owned(),
                None => aggregated(self.required("ability")?),
            },
            split: self.field("split"),
            higher_is_better: higher,
            score: if is_percent { value / 100.0 } else { value },
            metric,
            ..PublishedScore::default()
        };
        if let Some(rules) = self.table.rules {
            score.run.clone_from(&unit.run);
            (rules.complete)(&mut score, self.row.get);
        }
        Ok(Some(score))
    }

    /// Returns the number in a cell, and whether a percent sign follows it.
    fn number(&self, column: &str) -> Result<Option<(f64, bool)>, String> {
        let cell = (self.row.get)(column);
        let cell = match cell.as_deref() {
            None | Some(Json::Null) => return Ok(None),
            // Some formats store settings in the same object as the scores.
            Some(Json::Bool(_) | Json::Array(_) | Json::Object(_)) if self.name.is_some() => {
                return Ok(None);
            }
            Some(cell) => plain(cell),
        };
        let text = cell.trim();
        if is_absent(text) {
            return Ok(None);
        }
        match printed_number(text) {
            Some((number, is_percent)) if number.is_finite() => Ok(Some((number, is_percent))),
            _ => Err(format!("`{column}` is not a number: {text}")),
        }
    }

    /// Returns the value of a field: the name of the score column, a cell of the row, or a fixed
    /// value of the map.
    fn field(&self, field: &str) -> Option<String> {
        let map = self.table.map;
        let named = map.score_names.as_deref().unwrap_or("metric");
        let of_column = self.name.filter(|_| field == named).map(str::to_owned);
        let cell = || self.text(map.column(field)?);
        let fixed = || map.fixed.get(field).cloned();
        of_column.or_else(cell).or_else(fixed)
    }

    /// Returns a field that every score must have. By default, it comes from the unit or the name
    /// of the column.
    fn required(&self, field: &str) -> Result<String, String> {
        let MappedTable { unit, context, .. } = self.table;
        let folder = unit.dataset.as_deref();
        let usual = match field {
            "model" => unit.model.as_deref(),
            "ability" => context.named_ability().or(folder),
            "benchmark" => folder,
            _ => Some(self.column),
        };
        let found = self.field(field).or_else(|| usual.map(str::to_owned));
        found.ok_or_else(|| format!("`{field}` is missing"))
    }

    /// True for the row `accuracy` of a classification report, next to the rows of the classes.
    fn is_accuracy_of_classes(&self) -> bool {
        let scores = &self.table.map.scores;
        ["precision", "recall"]
            .iter()
            .all(|name| scores.iter().any(|it| it == name))
            && self.field("ability").as_deref() == Some("accuracy")
    }

    /// Returns the text in a column of the row; `None` for an empty cell.
    fn text(&self, column: &str) -> Option<String> {
        let cell = (self.row.get)(column).filter(|cell| !cell.is_null())?;
        let text = plain(&cell).trim().to_owned();
        (!text.is_empty()).then_some(text)
    }
}

/// Parses a number, and returns whether a percent sign follows it. Accepts numbers copied from a
/// paper: `**61.5**`, `61.5 ± 0.3`, `61.5 (2)`.
pub fn printed_number(text: &str) -> Option<(f64, bool)> {
    let text = text.split('±').next()?;
    // Marks of emphasis in LaTeX.
    let text = text
        .trim()
        .trim_start_matches("\\textbf{")
        .trim_start_matches("\\underline{");
    let text = text.trim_end_matches('}');
    let text = text.split_once("+/-").map_or(text, |(before, _)| before);
    let text = text.split_once(" (").map_or(text, |(before, _)| before);
    let is_around = |c: char| MARKS.contains(&c) || c.is_whitespace();
    let text = text.trim_matches(is_around);
    let digits = text.strip_suffix('%');
    let number = digits.unwrap_or(text).trim_end();
    // The comma is a decimal separator unless it separates thousands, which no 0 precedes.
    let is_decimal = |whole: &str, rest: &str| {
        (rest.len() != 3 || matches!(whole, "0" | "-0")) && !rest.contains([',', '.'])
    };
    let decimal = number
        .split_once(',')
        .filter(|(whole, rest)| is_decimal(whole, rest));
    let number = match decimal {
        Some((whole, rest)) => format!("{whole}.{rest}").parse(),
        None if has_thousands(number) => number.replace(',', "").parse(),
        None => number.parse(),
    };
    Some((number.ok()?, digits.is_some()))
}

/// Renames an aggregate over abilities, which is not ranked, as
/// [`PublishedScore::names_aggregate`] expects it: `Overall` becomes `all`.
fn aggregated(ability: String) -> String {
    if !is_aggregate(&ability) {
        return ability;
    }
    let name = ability.to_lowercase();
    let is_whole = name.starts_with("overall") || name.starts_with("total");
    if is_whole { "all" } else { "average" }.to_owned()
}

/// True if every comma precedes three digits, as in `1,510.7`.
fn has_thousands(number: &str) -> bool {
    let whole = number.split_once('.').map_or(number, |(whole, _)| whole);
    let mut groups = whole.split(',');
    let first = groups.next().unwrap_or_default();
    let digits = first.trim_start_matches('-');
    (1..=3).contains(&digits.len())
        && groups.all(|group| group.len() == 3 && group.bytes().all(|it| it.is_ascii_digit()))
}

/// Returns a model name without emphasis and citation number: `A-7B` for `**A-7B** [12]`.
fn plain_name(text: String) -> String {
    let is_around = |c: char| MARKS.contains(&c) || c.is_whitespace();
    let name = text.trim_matches(is_around);
    let number = name
        .strip_suffix(']')
        .and_then(|name| name.rsplit_once('['));
    let cited = number.filter(|(_, number)| number.bytes().all(|b| b.is_ascii_digit()));
    let name = cited.map_or(name, |(name, _)| name.trim_matches(is_around));
    if name.is_empty() {
        text
    } else {
        name.to_owned()
    }
}

/// True for the text of a cell without a score.
pub fn is_absent(text: &str) -> bool {
    ABSENT.contains(&text.trim().to_lowercase().as_str())
}

/// Returns the names of a row's columns; `a.b` is the member `b` of an object `a`.
pub fn names(row: &Json) -> Vec<String> {
    let mut found = Vec::new();
    for (name, value) in row.as_object().into_iter().flatten() {
        add_names(name.clone(), value, &mut found);
    }
    found
}

/// Adds the name of a column. If its value is an object, adds the names of the members instead.
pub fn add_names(name: String, value: &Json, found: &mut Vec<String>) {
    add(name, value, DEEPEST, found);
}

fn add(name: String, value: &Json, depth: usize, found: &mut Vec<String>) {
    match value {
        Json::Object(members) if depth > 1 => {
            for (member, value) in members {
                add(format!("{name}.{member}"), value, depth - 1, found);
            }
        }
        _ => found.push(name),
    }
}
