//! Reads tables of models in CSV.

use std::io::Read;

use crate::{Facts, ReleaseDate};
use csv::StringRecord;

/// File name of a table of models.
pub const FILE: &str = "models.csv";

/// Columns that a table can contain.
const COLUMNS: [&str; 11] = [
    "name",
    "aliases",
    "family",
    "parameters_b",
    "active_parameters_b",
    "released",
    "open",
    "thinking",
    "resolution",
    "step",
    "note",
];

/// Row of the table: the facts about a model, and its other names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// Other spellings of the model's name.
    pub aliases: Vec<String>,
    /// Facts from the remaining cells.
    pub facts: Facts,
}

/// Rows of a table and their problems.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows {
    /// Rows that have a name.
    pub rows: Vec<Row>,
    /// Line (counted from 1) and description of each invalid cell. The other cells of its row are
    /// used.
    pub problems: Vec<(u64, String)>,
}

/// True if `columns` are the columns of a table of models.
pub fn is_table(columns: &[String]) -> bool {
    let has = |name: &str| columns.iter().any(|column| column.trim() == name);
    // Tables of results can also have a column `step`.
    let mut telling = COLUMNS.iter().skip(1).filter(|column| **column != "step");
    has("name") && telling.any(|column| has(column))
}

/// Reads a table. Invalid cells become problems and do not end the read.
pub fn read(text: impl Read) -> Rows {
    let mut reader = csv::ReaderBuilder::new()
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(text);
    let mut found = Rows::default();
    let header = match reader.headers() {
        Ok(header) => header
            .iter()
            .map(|name| name.trim_start_matches('\u{feff}').to_owned())
            .collect::<Vec<_>>(),
        Err(error) => {
            found.problems.push((1, error.to_string()));
            return found;
        }
    };
    let unknown = header
        .iter()
        .filter(|name| !COLUMNS.contains(&name.as_str()));
    for name in unknown {
        let what = format!(
            "unknown column `{name}`; known columns: {}",
            COLUMNS.join(", ")
        );
        found.problems.push((1, what));
    }
    for row in reader.into_records() {
        match row {
            Ok(row) => {
                let line = row.position().map_or(0, csv::Position::line);
                let mut cells = Cells {
                    header: &header,
                    row: &row,
                    problems: Vec::new(),
                };
                let read = cells.read();
                let problems = std::mem::take(&mut cells.problems);
                found
                    .problems
                    .extend(problems.into_iter().map(|what| (line, what)));
                if !read.facts.name.is_empty() {
                    found.rows.push(read);
                }
            }
            Err(error) => {
                let line = error.position().map_or(0, csv::Position::line);
                found.problems.push((line, error.to_string()));
            }
        }
    }
    found
}

/// Cells of one row, accessed by column name.
struct Cells<'a> {
    header: &'a [String],
    row: &'a StringRecord,
    problems: Vec<String>,
}

impl Cells<'_> {
    fn read(&mut self) -> Row {
        if self.row.len() > self.header.len() {
            let what = format!(
                "{} fields where the header has {}",
                self.row.len(),
                self.header.len()
            );
            self.problems.push(what);
        }
        let name = self.text("name").unwrap_or_default();
        if name.is_empty() {
            self.problems.push("`name` is empty".to_owned());
        }
        let aliases = self.text("aliases").unwrap_or_default();
        let aliases = aliases.split(';').map(str::trim);
        let facts = Facts {
            name,
            family: self.text("family"),
            parameters: self.number("parameters_b"),
            active_parameters: self.number("active_parameters_b"),
            released: self.value(
                "released",
                "a date such as 2024-05 or 2024-05-13",
                ReleaseDate::parse,
            ),
            open: self.value("open", "true or false", flag),
            thinking: self.value("thinking", "true or false", flag),
            resolution: self.number("resolution"),
            step: self.value("step", "a number, 0 or more", |text| {
                let step = text.parse::<f64>().ok()?;
                (step.is_finite() && step >= 0.0).then_some(step)
            }),
            note: self.text("note").unwrap_or_default(),
        };
        Row {
            aliases: aliases
                .filter(|alias| !alias.is_empty())
                .map(str::to_owned)
                .collect(),
            facts,
        }
    }

    fn text(&self, name: &str) -> Option<String> {
        let at = self.header.iter().position(|column| column == name)?;
        let text = self.row.get(at)?.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }

    fn number(&mut self, name: &str) -> Option<f64> {
        let positive = |text: &str| {
            let number = text.parse::<f64>().ok()?;
            (number.is_finite() && number > 0.0).then_some(number)
        };
        self.value(name, "a number above zero", positive)
    }

    fn value<T>(
        &mut self,
        name: &str,
        wanted: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Option<T> {
        let text = self.text(name)?;
        let value = parse(&text);
        if value.is_none() {
            self.problems.push(format!("`{name}` must be {wanted}"));
        }
        value
    }
}

fn flag(text: &str) -> Option<bool> {
    match text.to_lowercase().as_str() {
        "true" | "yes" | "1" => Some(true),
        "false" | "no" | "0" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_cell_is_told_with_its_line_and_the_rest_of_its_row_counts() {
        let read = read(
            &b"name,family,parameters_b,released,open\nA,Alpha,seven,2024-05,maybe\n,,,,\nB,,3,May,yes\n"[..],
        );
        let names: Vec<&str> = read
            .rows
            .iter()
            .map(|row| row.facts.name.as_str())
            .collect();
        assert_eq!(names, ["A", "B"]);
        assert_eq!(read.rows[0].facts.released, ReleaseDate::parse("2024-05"));
        assert_eq!(read.rows[1].facts.parameters, Some(3.0));
        let lines: Vec<u64> = read.problems.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [2, 2, 3, 4], "{:?}", read.problems);
    }

    #[test]
    fn a_step_is_zero_or_more() {
        let read = read(&b"name,step\nA,0\nB,2000\nC,-1\n"[..]);
        let steps: Vec<Option<f64>> = read.rows.iter().map(|row| row.facts.step).collect();
        assert_eq!(steps, [Some(0.0), Some(2_000.0), None]);
        assert_eq!(read.problems.len(), 1, "{:?}", read.problems);
    }

    #[test]
    fn an_unknown_column_is_named() {
        let read = read(&b"name,size\nA,7\n"[..]);
        assert_eq!(read.rows.len(), 1);
        assert!(read.problems[0].1.contains("`size`"), "{:?}", read.problems);
    }

    #[test]
    fn other_tables_are_not_taken_for_tables_of_models() {
        let columns = |names: &[&str]| {
            names
                .iter()
                .map(|name| (*name).to_owned())
                .collect::<Vec<_>>()
        };
        assert!(is_table(&columns(&["name", "family"])));
        assert!(!is_table(&columns(&["name", "score"])));
        assert!(!is_table(&columns(&["name", "step", "score"])));
        assert!(!is_table(&columns(&["model", "family"])));
    }
}
