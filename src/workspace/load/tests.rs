//! Tests that rows with different rules keep their rules, and that logs read in parallel stay in
//! order.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use serde_json::json;

use super::{Request, Stamp, load, open};
use crate::corrected::audited;
use crate::export;
use crate::page::{detail, list_row};
use analysis::Selection;
use analysis::audit::{AuditOptions, sample_key};
use reader::own::write_record;
use record::verdict::{Book, Verdict, VerdictContent};
use record::{Detections, Record, Row, Rule, Scoring, Table, TrueBox};

/// A question whose answer the harness's rule cannot read, and a question without options.
const MIXED: &str = "index\tquestion\tA\tB\tanswer\tprediction\tcategory\n\
    1\tWhich?\tcat\tdog\tB\tAnswer: A, because it looks just so.\tchoice\n\
    2\tWhat is it?\t\t\tdog\tdog\topen\n";

fn read(folder: &Path) -> Table {
    let request = Request {
        paths: vec![folder.to_path_buf()],
        ..Request::default()
    };
    load(&request, &mut |_| ControlFlow::Continue(()))
}

fn mixed() -> (tempfile::TempDir, Table) {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("m");
    fs::create_dir(&model).unwrap();
    fs::write(model.join("m_Mixed.tsv"), MIXED).unwrap();
    let table = read(folder.path());
    (folder, table)
}

#[test]
fn the_sample_page_reads_each_row_by_its_own_rule() {
    let (_folder, table) = mixed();
    let rules = [Row(0), Row(1)].map(|row| table.rule(row));
    assert_eq!(rules, [Rule::ChoiceMatching, Rule::Unstated]);
    let page = |row, scoring| detail(&table, Row(row), scoring).unwrap();
    let of_harness = page(0, Scoring::Harness);
    assert_eq!(
        (of_harness.record.rule, of_harness.reading),
        (rules[0], None)
    );
    assert_eq!(of_harness.read_by, Some("letter and option text"));
    let strictly = page(0, Scoring::Strict).reading.unwrap();
    assert_eq!(strictly.answer.to_string(), "A");
    assert_eq!(
        page(1, Scoring::Harness)
            .reading
            .unwrap()
            .answer
            .to_string(),
        "dog"
    );
    let told = table.sources()[0].settings["scores"].as_str();
    assert_eq!(
        told,
        "responses read by Eyechart's rules or letter and option text"
    );
}

#[test]
fn a_corrected_label_is_judged_by_the_rule_of_its_row() {
    let (_folder, table) = mixed();
    for (scoring, right) in [(Scoring::Harness, 0.0), (Scoring::Strict, 1.0)] {
        let word = VerdictContent {
            verdict: Verdict::WrongLabel,
            target: Some(json!("A")),
            ..VerdictContent::default()
        };
        let mut book = Book::default();
        book.add(0, word.on(sample_key(&table, table.item(Row(0))), "ann"));
        let found = audited(
            Selection::all(&table, scoring),
            &book,
            &AuditOptions::default(),
        );
        let scores = found.corrected.unwrap().scores;
        let of_choice = scores
            .iter()
            .find(|score| score.ability == "choice")
            .unwrap();
        assert_eq!(of_choice.score, Some(right), "{scoring:?}");
    }
}

#[test]
fn a_converted_log_is_judged_as_the_log_was() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures");
    let (mixed_folder, _) = mixed();
    let folders = ["ava_bench", "vlmevalkit", "inspect_ai", "lm_eval", "coco"];
    let folders = folders.map(|name| fixtures.join(name));
    for folder in folders
        .iter()
        .map(std::path::PathBuf::as_path)
        .chain([mixed_folder.path()])
    {
        let before = read(folder);
        let out = tempfile::tempdir().unwrap();
        let rows = 0..u32::try_from(before.len()).unwrap();
        let line = |row| {
            let record = export::record(&before, Row(row), Scoring::Harness, out.path()).unwrap();
            write_record(&record) + "\n"
        };
        let lines: String = rows.clone().map(line).collect();
        fs::write(out.path().join("all.eyechart.jsonl"), lines).unwrap();
        let after = read(out.path());
        assert_eq!(after.len(), before.len(), "{}", folder.display());
        for row in rows.map(Row) {
            for scoring in [Scoring::Harness, Scoring::Strict] {
                let trace = |table: &Table| {
                    let found = detail(table, row, scoring).unwrap();
                    let list = found.list;
                    let judged = (list.metric, list.score, list.invalid, list.correct);
                    (judged, found.reading, found.read_by, found.other)
                };
                assert_eq!(
                    trace(&after),
                    trace(&before),
                    "{} {row:?}",
                    folder.display()
                );
            }
        }
    }
}

#[test]
fn a_table_of_a_converted_log_keeps_the_rules() {
    let (_folder, before) = mixed();
    let out = tempfile::tempdir().unwrap();
    let columns = export::Columns::new(Selection::all(&before, Scoring::Harness));
    let file = fs::File::create(out.path().join("all.csv")).unwrap();
    let mut writer = export::CsvWriter::new(file, columns).unwrap();
    for row in [Row(0), Row(1)] {
        let record = export::record(&before, row, Scoring::Harness, out.path()).unwrap();
        writer.push(record).unwrap();
    }
    writer.finish().unwrap();
    let after = read(out.path());
    assert_eq!(after.rule(Row(0)), Rule::ChoiceMatching);
    for scoring in [Scoring::Harness, Scoring::Strict] {
        assert_eq!(after.scores(scoring), before.scores(scoring), "{scoring:?}");
    }
    assert_ne!(after.scores(Scoring::Harness), [1.0, 1.0]);
}

#[test]
fn logs_that_are_read_at_once_give_the_same_table_as_one_after_another() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures");
    let shown = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let folders = ["ava_bench", "vlmevalkit", "lm_eval"].map(|name| fixtures.join(name));
        let request = Request {
            paths: folders.to_vec(),
            ..Request::default()
        };
        let read = || load(&request, &mut |_| ControlFlow::Continue(()));
        let table = pool.build().unwrap().install(read);
        let rows = 0..u32::try_from(table.len()).unwrap();
        let one = |row| {
            let row = Row(row);
            (
                list_row(&table, row, Scoring::Harness),
                detail(&table, row, Scoring::Harness).unwrap().record,
            )
        };
        let sources = table.sources().iter();
        let sources = sources.map(|it| {
            (
                it.path.clone(),
                it.rows,
                it.problems.clone(),
                it.settings.clone(),
            )
        });
        (
            rows.map(one).collect::<Vec<_>>(),
            sources.collect::<Vec<_>>(),
        )
    };
    let (alone, at_once) = (shown(1), shown(3));
    assert!(alone.0.len() > 100 && alone.1.len() > 10);
    assert_eq!(alone, at_once);
}

/// Reads a log, changes its text, and continues reading.
fn grown(name: &str, before: &str, after: &str) -> Table {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, before).unwrap();
    let request = Request {
        paths: vec![path.clone()],
        ..Request::default()
    };
    let (table, mut reading) = open(&request, &mut |_| ControlFlow::Continue(()));
    fs::write(&path, format!("{before}{after}")).unwrap();
    let table = reading.read_on(&table, &[0]).unwrap();
    let responses = [Row(0), Row(1)].map(|row| {
        let record = detail(&table, row, Scoring::Harness).unwrap().record;
        record.response.unwrap()
    });
    assert_eq!(responses, ["yes", "no"]);
    table
}

#[test]
fn a_log_that_has_grown_keeps_the_text_of_its_records() {
    let before = "sample_id,ability,model,response,score\ns1,x,m,yes,1\n";
    grown("a.csv", before, "s2,x,m,no,\n");
}

#[test]
fn a_log_that_has_grown_tells_where_all_its_scores_come_from() {
    let line = |id: &str, rest: &str| {
        format!("{{\"sample_id\": \"{id}\", \"ability\": \"x\", \"model\": \"m\", {rest}}}\n")
    };
    let before = line("s1", "\"target\": \"yes\", \"response\": \"yes\"");
    let after = line(
        "s2",
        "\"metric\": \"accuracy\", \"score\": 0, \"response\": \"no\"",
    );
    let table = grown("a.eyechart.jsonl", &before, &after);
    let words = "the log's own, else responses read by Eyechart's rules";
    assert_eq!(table.sources()[0].settings["scores"], words);
}

/// Lines of a log with boxes in pictures of 640 x 480 pixels, each with an id and an answer.
fn boxes(rows: impl Iterator<Item = (usize, [u32; 4])>) -> String {
    let line = |(id, answer): (usize, [u32; 4])| {
        format!(
            "{{\"sample_id\": \"s{id}\", \"ability\": \"localization\", \"model\": \"m\", \"target\": [64, 96, 320, 288], \
             \"response\": \"{answer:?}\", \"tags\": {{\"image_width\": 640, \"image_height\": 480}}}}\n"
        )
    };
    rows.map(line).collect()
}

#[test]
fn boxes_that_are_appended_have_the_scale_of_the_log_or_change_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.eyechart.jsonl");
    let (beyond, fitting) = ([100, 200, 500, 600], [100, 200, 200, 300]);
    let request = Request {
        paths: vec![path.clone()],
        ..Request::default()
    };
    let load = |before: &str, after: &str| {
        fs::write(&path, before).unwrap();
        let (table, mut reading) = open(&request, &mut |_| ControlFlow::Continue(()));
        fs::write(&path, format!("{before}{after}")).unwrap();
        let grown = reading.read_on(&table, &[0]);
        grown.map(|table| (table.sources()[0].clone(), table))
    };
    let decided = boxes((0..12).map(|at| (at, if at < 9 { beyond } else { fitting })));
    let (source, table) = load(&decided, &boxes([(12, fitting)].into_iter())).unwrap();
    assert_eq!(source.box_scales["m"], "1000");
    assert_eq!((source.rows, source.problems.len()), (13, 1));
    let scores = table.scores(Scoring::Harness);
    assert_eq!(scores[12], scores[11]);
    // Nine boxes are too few to determine the scale; ten are sufficient.
    let few = boxes((0..9).map(|at| (at, if at < 4 { beyond } else { fitting })));
    assert!(load(&few, &boxes([(9, beyond)].into_iter())).is_none());
}

#[test]
fn a_log_that_begins_to_repeat_another_path_has_everything_read_anew() {
    let folder = tempfile::tempdir().unwrap();
    let line = |id: &str| format!("{id},x,m,yes,1\n");
    let header = "sample_id,ability,model,response,score\n";
    let paths = ["a.csv", "b.csv"].map(|name| folder.path().join(name));
    for (path, id) in paths.iter().zip(["s1", "s2"]) {
        fs::write(path, format!("{header}{}", line(id))).unwrap();
    }
    let request = Request {
        paths: paths.to_vec(),
        ..Request::default()
    };
    let read = || open(&request, &mut |_| ControlFlow::Continue(()));
    let (table, mut reading) = read();
    assert_eq!(table.names().models.values(), ["m"]);
    fs::write(&paths[1], format!("{header}{}{}", line("s2"), line("s1"))).unwrap();
    assert!(reading.read_on(&table, &[1]).is_none());
    let (table, reading) = read();
    assert_eq!(table.names().models.values(), ["m · a", "m · b"]);
    let models: Vec<u16> = table.model_of().to_vec();
    assert_eq!((models, table.len()), (vec![0, 1, 1], 3));
    // Further lines may repeat the answers of another log.
    let now = Stamp::now(&paths[1]).unwrap();
    assert_eq!(reading.grown(&now), None);
}

#[test]
fn items_with_boxes_have_no_scores_until_a_model_answers_them() {
    let folder = tempfile::tempdir().unwrap();
    let thing = TrueBox {
        class: 0,
        xywh: [1.0, 1.0, 9.0, 9.0],
        area: 81.0,
        crowd: false,
        id: 1,
    };
    let item = Record {
        sample_id: "detection-0001".to_owned(),
        benchmark: "exam-scenes".to_owned(),
        ability: "detection".to_owned(),
        detections: Some(Detections {
            classes: ["ball".to_owned()].into(),
            truth: vec![thing],
            ..Detections::default()
        }),
        ..Record::default()
    };
    let line = reader::own::write_item(&item);
    fs::write(folder.path().join("items.jsonl"), line + "\n").unwrap();
    let table = read(folder.path());
    assert!(table.scores(Scoring::Harness)[0].is_nan());
    let shown = detail(&table, Row(0), Scoring::Harness).unwrap().record;
    assert_eq!((shown.response, shown.content.boxes.len()), (None, 1));
    let selection = Selection::all(&table, Scoring::Harness);
    for score in analysis::scores(selection, analysis::Depth::Scores) {
        assert_eq!(
            (score.score, score.rank, score.n),
            (None, None, 0),
            "{}",
            score.metric
        );
    }
}
