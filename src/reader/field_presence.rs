//! Reports rows without a score or metric, if most other rows of the same model and ability have
//! it.

use std::path::Path;

use base::limits::Limit;
use hashbrown::HashMap;

use super::Sink;
use super::own::{Chunk, Line};
use record::{Problem, Record};

/// Minimum number of rows of a model and ability. Smaller groups are judged by the whole log.
const FEW: u64 = 3;

/// Presence of fields by benchmark, ability and model.
#[derive(Debug, Default)]
pub struct FieldPresence {
    groups: HashMap<[String; 3], GroupPresence>,
}

/// Presence of fields for one model and ability.
#[derive(Debug, Default)]
struct GroupPresence {
    score: Field,
    metric: Field,
}

/// Number of rows with and without a field, and the lines of rows without it.
#[derive(Debug, Default)]
struct Field {
    have: u64,
    lack: u64,
    lines: Vec<u64>,
}

impl Field {
    fn add(&mut self, has: bool, line: u64) {
        if has {
            self.have += 1;
            return;
        }
        self.lack += 1;
        if self.lines.len() < Limit::Problems.length() {
            self.lines.push(line);
        }
    }

    /// Returns the lines without the field, if most rows have the field. For a group with few rows,
    /// the rows of the whole log are counted.
    fn odd(&self, of_log: &Self) -> &[u64] {
        let of = if self.have + self.lack < FEW {
            of_log
        } else {
            self
        };
        if of.lack < of.have { &self.lines } else { &[] }
    }
}

impl FieldPresence {
    /// Adds a row of a table. `score` is `None` without a score, and `NaN` if the table marks it as
    /// missing.
    pub fn row(&mut self, record: &Record, score: Option<f64>, line: u64) {
        let names = [&record.benchmark, &record.ability, &record.model];
        let group = self.groups.entry(names.map(Clone::clone)).or_default();
        group.score.add(score.is_some(), line);
        group.metric.add(record.metric.is_some(), line);
    }

    /// Adds a row and passes it to the sink. If the row is unusable, reports its problem.
    pub fn pass(&mut self, row: Result<Line, String>, path: &Path, line: u64, sink: &mut dyn Sink) {
        match row {
            Ok(found) => {
                if let Line::Record(record) = &found {
                    self.row(record, record.stored, line);
                }
                sink.line(found, line);
            }
            Err(what) => sink.left_out(path, line, what),
        }
    }

    /// Adds lines of Eyechart's own format.
    pub fn chunk(&mut self, chunk: &Chunk) {
        let mut groups: Vec<GroupPresence> = Vec::new();
        groups.resize_with(chunk.contexts.len(), GroupPresence::default);
        for row in chunk.rows.iter().filter(|row| !row.is_of_run) {
            let at = row.context as usize;
            if let (Some(group), Some(shared)) = (groups.get_mut(at), chunk.contexts.get(at)) {
                let line = chunk.first_line + u64::from(row.line);
                group.score.add(row.has_score, line);
                group.metric.add(shared.metric.is_some(), line);
            }
        }
        for (found, shared) in groups.into_iter().zip(&chunk.contexts) {
            let benchmark = shared.benchmark.clone().unwrap_or_default();
            let names = [benchmark, shared.ability.clone(), shared.model.clone()];
            let group = self.groups.entry(names).or_default();
            group.score.join(found.score);
            group.metric.join(found.metric);
        }
    }

    /// Reports the rows without a field that most other rows have.
    pub fn report(&self, path: &Path, sink: &mut dyn Sink) {
        let [mut scores, mut metrics] = [Field::default(), Field::default()];
        for group in self.groups.values() {
            scores.count(&group.score);
            metrics.count(&group.metric);
        }
        for group in self.groups.values() {
            for (name, field, all) in [
                ("score", &group.score, &scores),
                ("metric", &group.metric, &metrics),
            ] {
                for line in field.odd(all) {
                    let what = format!("no `{name}`, but most other rows have one");
                    sink.problem(Problem::line(path, *line, what));
                }
            }
        }
    }
}

impl Field {
    /// Adds the counts of another field.
    const fn count(&mut self, other: &Self) {
        self.have += other.have;
        self.lack += other.lack;
    }

    fn join(&mut self, mut other: Self) {
        self.count(&other);
        let room = Limit::Problems.length().saturating_sub(self.lines.len());
        other.lines.truncate(room);
        self.lines.append(&mut other.lines);
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use crate::csv_rows::CsvRows;
    use crate::own::EyechartLogs;
    use crate::testing::read_all;

    fn own(rows: &[&str]) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let line = |(at, more): (usize, &&str)| {
            let model = if more.contains("model") {
                ""
            } else {
                ",\"model\":\"m\""
            };
            format!("{{\"sample_id\":\"s{at}\",\"ability\":\"a\",\"response\":\"r\"{model}{more}}}")
        };
        let lines: Vec<String> = rows.iter().enumerate().map(line).collect();
        fs::write(folder.path().join("a.eyechart.jsonl"), lines.join("\n")).unwrap();
        let mut problems = read_all(&EyechartLogs, folder.path()).problems;
        problems.sort();
        problems
    }

    #[test]
    fn lines_without_what_most_others_have_are_told() {
        const WHOLE: &str = ",\"metric\":\"f1\",\"score\":0.5";
        let told = own(&[WHOLE, WHOLE, ",\"metric\":\"f1\"", ",\"score\":1", WHOLE]);
        assert_eq!(
            told,
            [
                "a.eyechart.jsonl:3: no `score`, but most other rows have one",
                "a.eyechart.jsonl:4: no `metric`, but most other rows have one",
            ]
        );
        // An explicit null means that the harness skipped the sample.
        assert!(own(&[WHOLE, WHOLE, ",\"metric\":\"f1\",\"score\":null"]).is_empty());
        // The group consists of a single row.
        let single = WHOLE.replace("\"score\":0.5", "\"model\":\"n\"");
        assert_eq!(own(&[WHOLE, WHOLE, WHOLE, &single]).len(), 1);
        // Reruns store a score of unreadable answers, but not of readable ones.
        let unread = ",\"metric\":\"accuracy\",\"score\":0,\"rerun\":{\"outcome\":\"empty\"}";
        let read = ",\"rerun\":{\"outcome\":\"ok\"}";
        assert!(own(&[unread, unread, unread, read]).is_empty());
        // Most responses have no score; a few have one.
        assert!(own(&["", "", WHOLE]).is_empty());
    }

    #[test]
    fn rows_of_a_table_with_an_empty_cell_are_told() {
        let read = |header: &str, rows: &str| {
            let folder = tempfile::tempdir().unwrap();
            fs::write(folder.path().join("a.csv"), format!("{header}\n{rows}\n")).unwrap();
            let found = read_all(&CsvRows, folder.path());
            (found.records.len(), found.problems)
        };
        let header = "sample_id,ability,model,response,metric,score";
        let rows = "s1,a,m,r,f1,0.5\ns2,a,m,r,f1,\ns3,a,m,r,f1,0.25\ns4,a,m,r,,1";
        let (count, mut problems) = read(header, rows);
        problems.sort();
        let told = ["a.csv:3: no `score`", "a.csv:5: no `metric`"];
        assert_eq!((count, problems.len()), (4, 2));
        assert!(
            problems
                .iter()
                .zip(told)
                .all(|(it, told)| it.starts_with(told))
        );
        // In a converted log, an empty cell means that the harness skipped the sample.
        let rows = "s1,a,m,r,f1,0.5,false\ns2,a,m,r,f1,,false\ns3,a,m,r,f1,0.25,false";
        assert_eq!(read(&format!("{header},invalid"), rows), (3, Vec::new()));
    }
}
