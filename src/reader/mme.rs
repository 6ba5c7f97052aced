//! MME: one text file per subtask. A line contains picture, question, truth and answer.
//!
//! Two consecutive lines contain questions about the same picture. `acc` is the share of right
//! answers, `acc_plus` the share of pictures with two right answers. The name of the subtask is the
//! file's stem, the name of the model is the folder's name.

use std::collections::HashMap;
use std::path::PathBuf;

use crate::answers::{number, picture_roots, score};
use crate::run_folder::{harness_figure, stem};
use crate::{Candidate, Context, Sink, Unit, has_ending, lines};
use record::{Content, ImageRef, Problem, PublishedScore, Record, Rule, Target};

/// Name of the format in the list of sources, and of the benchmark.
pub const FORMAT: &str = "mme";

/// Number of lines to examine to recognise a file of MME.
const LOOKED_AT: usize = 8;
/// Number of folders above a file that are searched for pictures.
const ABOVE: usize = 5;
/// Folder with the pictures of the benchmark, as published.
const RELEASE: &str = "MME_Benchmark_release_version";

reader! {
    /// Reader of MME's answers.
    Mme,
    FORMAT,
    |files, context| {
        let ours = files.extract_if(.., |file| is_answers(file));
        ours.map(|file| unit(file, context)).collect()
    },
    |unit, context, _, sink| read(unit, context, sink)
}

fn read(unit: &Unit, context: &Context, sink: &mut dyn Sink) {
    let mut pairs = Pairs::default();
    let read = lines::each(&unit.path, lines::START, &mut |line| {
        let text = line
            .text
            .and_then(|text| std::str::from_utf8(text).map_err(|_| "not valid UTF-8".to_owned()));
        if text.as_ref().is_ok_and(|text| text.is_empty()) {
            return sink.progress(line.length);
        }
        match text.and_then(|text| pairs.record(text, unit, context)) {
            Ok(record) => pairs.add(record, line.number, unit, sink),
            Err(what) => {
                pairs.answers += 1;
                sink.left_out(&unit.path, line.number, what);
            }
        }
        sink.progress(line.length)
    });
    pairs.end(unit, sink);
    if let Err(error) = read {
        let what = format!("reading stopped: {error}");
        sink.problem(Problem::file(&unit.path, what));
    }
}

/// True if most of the first lines have four columns with yes or no in the third column.
fn is_answers(file: &Candidate) -> bool {
    if !has_ending(&file.path, &["txt"]) {
        return false;
    }
    let head = file.head_text();
    let lines = head
        .lines()
        .filter(|line| !line.trim().is_empty())
        .take(LOOKED_AT);
    let (rows, others): (Vec<&str>, Vec<&str>) = lines.partition(|line| columns(line).is_some());
    rows.len() > others.len()
}

/// Returns the picture, question, truth and answer of a line. If the answer is empty, the tab
/// before it can be missing.
fn columns(line: &str) -> Option<[&str; 4]> {
    let mut columns = line.splitn(4, '\t');
    let [image, question, truth] = [columns.next()?, columns.next()?, columns.next()?];
    let is_truth = truth.eq_ignore_ascii_case("yes") || truth.eq_ignore_ascii_case("no");
    let row = [image, question, truth, columns.next().unwrap_or_default()];
    (is_truth && !image.is_empty()).then_some(row)
}

fn unit(file: Candidate, context: &Context) -> Unit {
    let task = stem(&file.path);
    let below = [
        "",
        "images",
        &task,
        &format!("{task}/images"),
        RELEASE,
        &format!("{RELEASE}/{task}"),
        &format!("{RELEASE}/{task}/images"),
    ];
    let above = file.real.ancestors().skip(1).take(ABOVE);
    let image_roots = picture_roots(
        above.chain(context.data.iter().map(PathBuf::as_path)),
        &below,
    );
    let folder = file.real.parent().and_then(|folder| folder.file_name());
    Unit {
        model: folder.map(|name| name.to_string_lossy().into_owned()),
        // All subtasks of a model belong to one run.
        dataset: Some(format!("{FORMAT} {task}")),
        length: file.length,
        path: file.path,
        format: FORMAT,
        image_roots,
        ..Unit::default()
    }
}

/// Joins the lines of a file to pairs about the same picture.
#[derive(Debug, Default)]
struct Pairs {
    /// First record of an incomplete pair, and its line number.
    first: Option<(Record, u64)>,
    seen: HashMap<String, u32>,
    /// Number of answers, including unreadable ones.
    answers: u64,
    right: u64,
    /// Number of complete pairs.
    whole: u64,
    /// Number of pairs with two right answers.
    right_twice: u64,
}

impl Pairs {
    fn record(&mut self, line: &str, unit: &Unit, context: &Context) -> Result<Record, String> {
        let line = line.trim_start_matches('\u{feff}');
        let what = "not a picture, question, yes or no, and answer, separated by tabs";
        let [image, question, truth, answer] = columns(line).ok_or(what)?;
        // Each picture has a question with the answer yes, and a question with the answer no.
        let id = format!("{image} {}", truth.to_lowercase());
        let count = self.seen.entry(id.clone()).or_default();
        *count += 1;
        let repeated = Some(*count).filter(|count| *count > 1);
        let task = stem(&unit.path);
        Ok(Record {
            benchmark: FORMAT.to_owned(),
            ability: context.named_ability().unwrap_or(&task).to_owned(),
            sample_id: repeated.map_or_else(|| id.clone(), |count| format!("{id} {count}")),
            model: unit.model.clone().unwrap_or_default(),
            content: Content {
                question: question.to_owned(),
                target: Some(Target::Text(truth.to_owned())),
                images: vec![ImageRef::Path(image.to_owned())],
                ..Content::default()
            },
            response: Some(answer.to_owned()),
            metric: Some("acc".to_owned()),
            rule: Rule::Mme,
            ..Record::default()
        })
    }

    /// Adds a record. If it completes a pair, passes both records to the sink; otherwise stores it.
    fn add(&mut self, record: Record, line: u64, unit: &Unit, sink: &mut dyn Sink) {
        let Some((mut first, first_line)) = self.first.take() else {
            self.first = Some((record, line));
            return;
        };
        if first.content.images != record.content.images {
            self.pass_alone(first, first_line, unit, sink);
            self.first = Some((record, line));
            return;
        }
        let mut second = record;
        let right = u64::from(is_right(&first)) + u64::from(is_right(&second));
        self.answers += 2;
        self.right += right;
        self.whole += 1;
        self.right_twice += u64::from(right == 2);
        let score = f64::from(u8::from(right == 2));
        for (record, line) in [(&mut first, first_line), (&mut second, line)] {
            record.beside.push(("acc_plus".to_owned(), score));
            sink.record(std::mem::take(record), line);
        }
    }

    fn pass_alone(&mut self, record: Record, line: u64, unit: &Unit, sink: &mut dyn Sink) {
        let what = "no second question about its picture follows: no acc_plus";
        sink.problem(Problem::line(&unit.path, line, what));
        self.answers += 1;
        sink.record(record, line);
    }

    /// Passes a last line without a partner to the sink. If all lines have a partner, publishes the
    /// score of the file: 100 (acc + `acc_plus`).
    fn end(mut self, unit: &Unit, sink: &mut dyn Sink) {
        if let Some((record, line)) = self.first.take() {
            self.pass_alone(record, line, unit, sink);
        }
        if self.whole == 0 || self.answers != 2 * self.whole {
            return;
        }
        let share = |part: u64, whole: u64| number(part) / number(whole);
        let acc = share(self.right, self.answers);
        let figure = PublishedScore {
            benchmark: FORMAT.to_owned(),
            ability: stem(&unit.path),
            metric: "mme_score".to_owned(),
            higher_is_better: Some(true),
            score: 100.0 * (acc + share(self.right_twice, self.whole)),
            n: self.answers,
            ..harness_figure(&unit.path, unit.model.as_deref().unwrap_or_default())
        };
        sink.published(figure, 1);
    }
}

fn is_right(record: &Record) -> bool {
    score(record) == Some(1.0)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::testing::{CollectingSink, fixture, read_all};

    fn read(text: &str) -> CollectingSink {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("m")).unwrap();
        fs::write(folder.path().join("m/color.txt"), text).unwrap();
        read_all(&Mme, folder.path())
    }

    fn mean(scores: impl Iterator<Item = f64>) -> f64 {
        let all: Vec<f64> = scores.collect();
        all.iter().sum::<f64>() / all.len() as f64
    }

    #[test]
    fn subtasks_of_a_model_are_parts_of_one_run() {
        let mut units = crate::testing::units(&Mme, &fixture("llava/mme"));
        crate::Runs::All.name(&mut units);
        assert_eq!(units.len(), 4);
        assert!(units.iter().all(|unit| unit.run.is_none()), "{units:?}");
    }

    #[test]
    fn subtasks_have_the_figures_of_their_evaluator() {
        let found = read_all(&Mme, &fixture("llava/mme"));
        assert_eq!((found.records.len(), found.problems.len()), (48, 0));
        let text = fs::read_to_string(fixture("llava/expected.json")).unwrap();
        let expected: serde_json::Value = serde_json::from_str(&text).unwrap();
        for model in ["alpha-vl-7b", "beta-vl-2b"] {
            for task in ["color", "count"] {
                let figures = &expected[model][format!("mme/{task}")];
                let is_of = |record: &&Record| record.model == model && record.ability == task;
                let records = || found.records.iter().map(|(record, _)| record).filter(is_of);
                let acc = mean(records().map(|record| f64::from(u8::from(is_right(record)))));
                let plus = mean(records().map(|record| record.beside[0].1));
                let of_task =
                    |figure: &&PublishedScore| figure.model == model && figure.ability == task;
                let score = found.figures.iter().find(of_task).unwrap().score;
                for (own, name) in [(acc, "acc"), (plus, "acc_plus"), (score, "score")] {
                    let expected = figures[name].as_f64().unwrap();
                    assert!((own - expected).abs() < 1e-9, "{model} {task} {name} {own}");
                }
            }
        }
    }

    #[test]
    fn a_lost_line_costs_the_pair_and_the_total() {
        let rows = [
            "a.png\tIs it?\tYes\tYes",
            "a.png\tIs it not?\tNo\t",
            "b.png\tIs it?\tYes\tyes",
        ];
        let whole = read(&rows[..2].join("\n"));
        let ids: Vec<_> = whole
            .records
            .iter()
            .map(|(record, _)| record.sample_id.as_str())
            .collect();
        assert_eq!(ids, ["a.png yes", "a.png no"]);
        assert_eq!((whole.figures[0].score, whole.problems.len()), (50.0, 0));
        let found = read(&[rows[0], "odd", rows[2], "b.png\tIs it not?\tNo\tno"].join("\n"));
        assert_eq!((found.records.len(), found.figures.len()), (3, 0));
        let with_pair = found
            .records
            .iter()
            .filter(|(record, _)| !record.beside.is_empty());
        assert_eq!(with_pair.count(), 2);
        assert!(found.problems[0].starts_with("color.txt:2: not a picture"));
        assert!(found.problems[1].starts_with("color.txt:1: no second question"));
        assert!(read("a\tb\nc\n").records.is_empty());
    }
}
