//! Tests with complete units of real runs, and with units built here.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::files_by_kind::plan;
use super::read::read;
use crate::{Candidate, Context, Sink, Unit};
use record::{ImageRef, Problem, PublishedScore, Record, Rule, Value};

#[derive(Default)]
struct StoppingSink {
    records: Vec<(Record, u64)>,
    problems: Vec<String>,
    figures: Vec<PublishedScore>,
    bytes: u64,
    patience: Option<usize>,
}

impl Sink for StoppingSink {
    fn record(&mut self, record: Record, line: u64) {
        self.records.push((record, line));
    }

    fn problem(&mut self, problem: Problem) {
        let name = problem.file.file_name().unwrap().to_str().unwrap();
        self.problems.push(format!(
            "{name}:{}: {}",
            problem.line.unwrap_or_default(),
            problem.what
        ));
    }

    fn published(&mut self, published: PublishedScore, _line: u64) {
        self.figures.push(published);
    }

    fn progress(&mut self, bytes: u64) -> ControlFlow<()> {
        self.bytes += bytes;
        match self.patience {
            Some(records) if self.records.len() >= records => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }
}

fn read_all(unit: &Unit) -> StoppingSink {
    let mut collected = StoppingSink::default();
    assert!(read(unit, &mut collected).is_continue());
    collected
}

fn fixture() -> Vec<Unit> {
    let root =
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("tests/fixtures/vlmevalkit");
    let files = walkdir::WalkDir::new(root)
        .into_iter()
        .flatten()
        .filter(|entry| entry.file_type().is_file());
    let mut files: Vec<Candidate> = files
        .map(|entry| {
            let path = entry.into_path();
            let whole = fs::read(&path).unwrap();
            let head = whole[..whole.len().min(Candidate::HEAD)].to_vec();
            Candidate {
                root: 0,
                real: path.clone(),
                path,
                head: Some(head.into()),
                length: whole.len() as u64,
                modified: 0,
                is_pipe: false,
            }
        })
        .collect();
    let units = plan(&mut files, &Context::default());
    let left: Vec<&str> = files.iter().map(Candidate::name).collect();
    assert_eq!(left, ["README.md", "expected.json"]);
    units
}

#[test]
fn stored_hits_add_up_to_the_harness_s_own_scores() {
    let mut checked = 0;
    for unit in fixture() {
        let collected = read_all(&unit);
        assert_eq!(collected.bytes, unit.length);
        let dataset = unit.dataset.as_deref().unwrap();
        let status = fs::read_to_string(unit.path.with_file_name("status.json")).unwrap();
        let status: serde_json::Value = serde_json::from_str(&status).unwrap();
        let metrics = &status["datasets"][dataset]["metrics"];
        let overall = metrics
            .get("split=none|Overall")
            .or(metrics.get("Average Centroid Containment"));
        if let Some(overall) = overall.and_then(serde_json::Value::as_f64) {
            let hits: f64 = collected
                .records
                .iter()
                .map(|(record, _)| record.stored.unwrap())
                .sum();
            let count = f64::from(u32::try_from(collected.records.len()).unwrap());
            assert!((hits / count - overall).abs() < 1e-12, "{dataset}");
            checked += 1;
        }
        assert!(
            collected
                .records
                .iter()
                .all(|(record, _)| !record.content.images.is_empty())
        );
    }
    assert_eq!(checked, 11);
}

#[test]
fn runs_that_the_harness_could_not_evaluate_still_have_predictions() {
    let units = fixture();
    let height = units
        .iter()
        .find(|unit| unit.dataset.as_deref() == Some("tdbench_cs_height"))
        .unwrap();
    let collected = read_all(height);
    assert_eq!(collected.records.len(), 8);
    assert!(
        collected.problems[0]
            .starts_with("status.json:0: the harness failed to evaluate tdbench_cs_height")
    );
    let (record, line) = &collected.records[1];
    assert_eq!(
        (record.stored, record.rule, *line),
        (None, Rule::ChoiceMatching, 13)
    );
    assert_eq!(record.content.tags["altitude_m"], Value::Number(20.0));
}

/// Creates the unit of a folder with these files. The first file is the unit's path.
fn unit(folder: &Path, dataset: &str, files: &[(&str, &str)]) -> Unit {
    let mut paths: Vec<PathBuf> = Vec::new();
    for (name, content) in files {
        fs::write(folder.join(name), content).unwrap();
        paths.push(folder.join(name));
    }
    let companions = paths.split_off(1);
    let path = paths.remove(0);
    let (model, dataset) = (Some("M".to_owned()), Some(dataset.to_owned()));
    Unit {
        path,
        companions,
        model,
        dataset,
        ..Unit::default()
    }
}

#[test]
fn a_column_of_models_counts_before_the_name_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let table = "index\tmodel\tanswer\tprediction\n1\tA\tx\tx\n1\tB\tx\ty\n1\tB\tx\ty\n";
    let found = read_all(&unit(folder.path(), "d", &[("M_d.tsv", table)]));
    let models = found.records.iter().map(|(record, _)| &*record.model);
    assert!(models.eq(["A", "B", "B"]));
    assert_eq!(found.problems, ["M_d.tsv:4: index 1 occurs twice"]);
}

#[test]
fn the_data_set_decides_what_counts() {
    let folder = tempfile::tempdir().unwrap();
    let unit = unit(
        folder.path(),
        "d",
        &[
            (
                "M_d.tsv",
                "index\tA\tanswer\tprediction\n1\tx\tB\t\n2\tx\tA\tA\n3\tx\tA\tA\n\tx\tA\tA\n1\tx\tA\tA\n",
            ),
            (
                "M_d_j_result.tsv",
                "index\tA\tanswer\tprediction\thit\n1\tx\tA\tnan\t0\n4\tx\tA\tA\t1\n",
            ),
            ("d.tsv", "index\tanswer\n1\tA\n3\tA\n4\tA\n"),
        ],
    );
    let collected = read_all(&unit);
    let told: Vec<_> = collected
        .records
        .iter()
        .map(|(record, line)| (&*record.sample_id, record.stored, *line))
        .collect();
    assert_eq!(
        told,
        [
            ("1", Some(0.0), 2),
            ("1", Some(0.0), 6),
            ("4", Some(1.0), 3)
        ]
    );
    assert_eq!(collected.records[0].0.response.as_deref(), Some(""));
    assert_eq!(
        collected.problems,
        [
            "M_d.tsv:2: the target is B here but A in the data set; the latter counts",
            "M_d.tsv:3: index 2 is not in the data set and is left out",
            "M_d.tsv:4: index 3 is not among the harness's results and is left out",
            "M_d.tsv:5: a row without an index",
            "M_d.tsv:6: index 1 occurs twice",
            "M_d_j_result.tsv:3: index 4 has a result but no prediction; the result's row is used",
        ]
    );
}

#[test]
fn circular_data_sets_count_each_question_once() {
    let folder = tempfile::tempdir().unwrap();
    let files = [
        (
            "M_MMBench.tsv",
            "index\tanswer\tprediction\n1\tA\tA\n1000001\tB\tB\n",
        ),
        (
            "M_MMBench_j_result.tsv",
            "index\tprediction\thit\n1\tA\t1\n",
        ),
    ];
    let collected = read_all(&unit(folder.path(), "MMBench", &files));
    assert_eq!((collected.records.len(), collected.problems.len()), (1, 0));
    let collected = read_all(&unit(folder.path(), "MMBench", &files[..1]));
    assert_eq!(collected.records.len(), 2);
    assert!(
        collected.problems[0].contains("1 row") && collected.problems[0].contains("every order"),
        "{:?}",
        collected.problems
    );
}

#[test]
fn boxes_are_scored_as_the_result_or_the_aggregate_says() {
    let folder = tempfile::tempdir().unwrap();
    let table = "index\tquestion\tanswer\tprediction\thit\n1\tcar\t[0, 0, 1, 1]\t[0,0,1,1]\t0.5\n";
    for (second, content, rule) in [
        ("M_g_iou_result.tsv", table, Rule::BoxIou),
        ("M_g_centroid_result.tsv", table, Rule::BoxCentroid),
        (
            "M_g_acc.csv",
            "\"Metric\",\"Score\"\n\"Average IoU\",\"0.5\"\n",
            Rule::BoxIou,
        ),
    ] {
        let collected = read_all(&unit(
            folder.path(),
            "tdbench_grounding_rot0",
            &[("M_g.tsv", table), (second, content)],
        ));
        let record = &collected.records[0].0;
        assert_eq!((record.rule, record.stored), (rule, Some(0.5)), "{second}");
        assert_eq!(
            record.metric.as_deref(),
            Some(if rule == Rule::BoxIou {
                "iou"
            } else {
                "centroid"
            })
        );
    }
}

#[test]
fn pictures_without_a_data_set_have_the_harness_s_names() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["1.png", "2_0.png", "2_1.png"] {
        fs::write(folder.path().join(name), "").unwrap();
    }
    let mut unit = unit(
        folder.path(),
        "d",
        &[(
            "M_d.tsv",
            "index\tanswer\tprediction\n1\tA\tA\n2\tA\tA\n../2\tA\tA\n",
        )],
    );
    unit.image_roots = vec![folder.path().to_owned()];
    let images: Vec<_> = read_all(&unit)
        .records
        .into_iter()
        .map(|(record, _)| record.content.images)
        .collect();
    let path = |name: &str| ImageRef::Path(name.to_owned());
    assert_eq!(
        images,
        [
            vec![path("1.png")],
            vec![path("2_0.png"), path("2_1.png")],
            vec![]
        ]
    );
}

#[test]
fn pickles_are_told_and_reading_can_be_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let pickle = read_all(&unit(folder.path(), "d", &[("M_d.pkl", "")]));
    assert_eq!(
        pickle.problems,
        ["M_d.pkl:0: a Python pickle: set PRED_FORMAT=xlsx, tsv or json"]
    );
    let unit = unit(
        folder.path(),
        "d",
        &[("M_d.tsv", "index\tanswer\tprediction\n1\tA\tA\n2\tA\tA\n")],
    );
    let mut impatient = StoppingSink {
        patience: Some(1),
        ..StoppingSink::default()
    };
    assert!(read(&unit, &mut impatient).is_break());
    assert_eq!(impatient.records.len(), 1);
}

/// Returns the ability, split, metric and score of each aggregate.
fn figures(collected: &StoppingSink) -> Vec<(&str, Option<&str>, &str, f64)> {
    let figures = collected.figures.iter();
    let told = figures.map(|it| (&*it.ability, it.split.as_deref(), &*it.metric, it.score));
    told.collect()
}

const ASKED: &str = "index\tcategory\tl2-category\tA\tanswer\tprediction\thit\n\
                     1\tshape\tlow\tx\tA\tA\t1\n2\ttexture\thigh\tx\tA\tA\t1\n";

#[test]
fn overall_and_groups_of_categories_are_kept_and_categories_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let read = |aggregate: &str| {
        let files = [("M_d.tsv", ASKED), ("M_d_acc.csv", aggregate)];
        read_all(&unit(folder.path(), "d", &files))
    };
    let header = "\"split\",\"Overall\",\"high\",\"low\",\"shape\",\"texture\"\n";
    let two = read(&format!(
        "{header}\"val\",\"0.5\",\"0.25\",\"\",\"1\",\"1\"\n\"dev\",\"1.0\",\"1\",\"1\",\"1\",\"1\"\n"
    ));
    assert_eq!(
        figures(&two),
        [
            ("all", Some("val"), "accuracy", 0.5),
            ("all", Some("val"), "high", 0.25),
            ("all", Some("dev"), "accuracy", 1.0),
            ("all", Some("dev"), "high", 1.0),
            ("all", Some("dev"), "low", 1.0),
        ]
    );
    assert!(
        two.figures
            .iter()
            .all(|it| it.by_harness && it.is_aggregate())
    );
    let one = read(&format!(
        "{header}\"none\",\"0.5\",\"x\",\"nan\",\"1\",\"1\"\n\"none\"\n"
    ));
    assert_eq!(figures(&one), [("all", Some("harness"), "accuracy", 0.5)]);
    assert_eq!(
        one.problems,
        [
            "M_d_acc.csv:3: 1 cells in a table of 6 columns",
            "M_d_acc.csv:2: `high` is not a number: x",
        ]
    );
    assert!(read("").figures.is_empty() && read("\u{0}\"").figures.is_empty());
}

#[test]
fn without_samples_the_categories_are_abilities() {
    let folder = tempfile::tempdir().unwrap();
    let aggregate = "\"split\",\"Overall\",\"math\",\"logic\"\n\"none\",\"0.75\",\"0.5\",\"0.9\"\n";
    let read = read_all(&unit(folder.path(), "d", &[("M_d_acc.csv", aggregate)]));
    let expected = [("all", 0.75), ("math", 0.5), ("logic", 0.9)];
    let expected = expected.map(|(ability, score)| (ability, Some("harness"), "accuracy", score));
    assert_eq!(figures(&read), expected);
}

#[test]
fn a_data_set_of_one_ability_has_its_overall_as_that() {
    let folder = tempfile::tempdir().unwrap();
    let table = "index\tA\tanswer\tprediction\thit\n1\tx\tA\tA\t1\n";
    let aggregate = "\"split\",\"Overall\",\"a\"\n\"none\",\"1.0\",\"1\"\n";
    for (dataset, ability) in [("d", "d"), ("tdbench_cs_zoom", "case_zoom")] {
        let files = [("M.tsv", table), ("M_acc.csv", aggregate)];
        let collected = read_all(&unit(folder.path(), dataset, &files));
        assert_eq!(figures(&collected), [(ability, None, "accuracy", 1.0)]);
    }
}

#[test]
fn right_everywhere_is_re_only_with_all_rotations() {
    let folder = tempfile::tempdir().unwrap();
    let average = |hundred_eighty: &str| {
        let text = format!(
            "category,total_questions,hit_all,miss_all,rot0,rot90,rot180,rot270\n\
             object_counting,3,0.5,0,0.5,0.5,0.5,0.5\nAverage,3,0.074,0.0,0.519,0.5,{hundred_eighty},0.25\n"
        );
        let files = [
            ("M_tdbench_rot0.tsv", ASKED),
            ("M_tdbench_REresult.csv", &text),
        ];
        let collected = read_all(&unit(folder.path(), "tdbench_rot0", &files));
        let told = collected.figures.iter();
        assert!(
            told.clone()
                .all(|it| it.ability == "average" && it.benchmark == "tdbench")
        );
        let told = told.map(|it| (it.metric.clone(), it.score, it.higher_is_better));
        told.collect::<Vec<_>>()
    };
    let named = |name: &str, score, higher| (name.to_owned(), score, Some(higher));
    assert_eq!(
        average("0.593"),
        [
            named("re", 0.074, true),
            named("ma", 0.0, false),
            named("ve_rot0", 0.519, true),
            named("ve_rot90", 0.5, true),
            named("ve_rot180", 0.593, true),
            named("ve_rot270", 0.25, true),
        ]
    );
    let names: Vec<String> = average("No Data").into_iter().map(|it| it.0).collect();
    assert_eq!(
        names,
        ["hit_all", "miss_all", "ve_rot0", "ve_rot90", "ve_rot270"]
    );
}

#[test]
fn figures_in_json_are_read_as_well() {
    let folder = tempfile::tempdir().unwrap();
    let table = "index\tquestion\tanswer\tprediction\n1\tcar\t[0, 0, 1, 1]\t[0,0,1,1]\n";
    let json =
        r#"[{"Metric": "Average IoU", "Score": 0.25}, {"Metric": "Total Samples", "Score": 10}]"#;
    let files = [("M_g.tsv", table), ("M_g_acc.json", json)];
    let collected = read_all(&unit(folder.path(), "tdbench_grounding_rot90", &files));
    assert_eq!(
        figures(&collected),
        [("visual_grounding", None, "iou_rot90", 0.25)]
    );
    assert_eq!(collected.figures[0].n, 10);
}
