//! Tests every figure of VLMEvalKit, computed from its run folders.

use std::fs;
use std::path::PathBuf;

use eyechart::engine::{Engine as _, Memory};
use eyechart::record::Scoring;
use eyechart::workspace::page::list_row;
use serde_json::Value;

use crate::opened::{open, selected};
use crate::support::{all, arg, assert_near, eyechart, fixture, list, one};

/// The harness writes all digits, except in the line `Average`.
const FULL: f64 = 1e-9;
const ROTATIONS: [&str; 4] = ["0", "90", "180", "270"];

/// Runs a check for every run folder, with the folder, its model and the harness's figures.
fn each(mut check: impl FnMut(PathBuf, &str, &Value)) {
    let text = fs::read_to_string(fixture("vlmevalkit/expected.json")).expect("the figures");
    let expected: Value = serde_json::from_str(&text).expect("JSON");
    let runs = expected.as_object().expect("an object of runs");
    assert_eq!(runs.len(), 5);
    for (run, figures) in runs {
        let (model, _) = run.split_once('/').expect("model and run");
        check(fixture("vlmevalkit/outputs").join(run), model, figures);
    }
}

/// Filter that selects one data set of a run.
fn of(dataset: &str) -> String {
    let case = dataset
        .strip_prefix("tdbench_cs_")
        .map(|case| format!("benchmark:tdbench ability:case_{case}"));
    let (name, rotation) = dataset.rsplit_once("_rot").unwrap_or((dataset, ""));
    case.unwrap_or_else(|| match name {
        "tdbench_grounding" => format!("ability:visual_grounding rotation:{rotation}"),
        "tdbench" => format!("benchmark:tdbench not ability:visual_grounding rotation:{rotation}"),
        other => format!("benchmark:{other}"),
    })
}

#[test]
fn hits_by_index() {
    each(|run, model, figures| {
        for (dataset, figures) in figures["datasets"].as_object().expect("data sets") {
            let Some(hits) = figures["hit_by_index"].as_object() else {
                continue;
            };
            let samples = eyechart(&["samples", arg(&run), "--filter", &of(dataset)]);
            let samples = list(&samples, "samples");
            assert_eq!(samples.len(), hits.len(), "{model}, {dataset}");
            for (index, hit) in hits {
                let sample = one(samples, &[("sample_id", index), ("model", model)]);
                assert_near(
                    &sample["score"],
                    hit.as_f64().expect("a hit"),
                    FULL,
                    &format!("{dataset} {index}"),
                );
            }
        }
    });
}

/// `_acc.csv`: means over all questions, each category and each group of categories.
#[test]
fn accuracy_figures() {
    each(|run, _, figures| {
        let opened = open(&run);
        for (dataset, figures) in figures["datasets"].as_object().expect("data sets") {
            for (name, expected) in figures["metrics"].as_object().into_iter().flatten() {
                let expected = expected.as_f64().expect("a figure");
                let what = format!("{name} of {dataset}");
                if name == "Total Samples" {
                    assert_near(&mean(&opened, &of(dataset)).0, expected, 0.0, &what);
                } else {
                    let filter = format!("{} {}", of(dataset), group(dataset, name));
                    assert_near(&mean(&opened, &filter).1, expected, FULL, &what);
                }
            }
        }
    });
}

/// Filter terms for the samples of a figure in `_acc.csv`.
fn group(dataset: &str, name: &str) -> String {
    let Some((split, group)) = name.split_once('|') else {
        return String::new();
    };
    let split = split
        .strip_prefix("split=")
        .filter(|split| *split != "none");
    let split = split
        .map(|split| format!("split={split}"))
        .unwrap_or_default();
    let group = match group {
        "Overall" => String::new(),
        group if dataset == "MiniMulti" || dataset == "tdbench_cs_depth" => {
            format!("(category=\"{group}\" or l2-category=\"{group}\")")
        }
        group if dataset.starts_with("tdbench_cs_") => format!("category=\"{group}\""),
        group => format!("ability=\"{group}\""),
    };
    format!("{split} {group}")
}

/// Number of samples and mean score under a filter.
fn mean(opened: &Memory, filter: &str) -> (Value, Value) {
    let score = |row| list_row(opened.table(), row, Scoring::default()).score;
    let scores: Vec<f64> = selected(opened, filter)
        .into_iter()
        .filter_map(score)
        .collect();
    let count = f64::from(u32::try_from(scores.len()).expect("a small number"));
    (count.into(), (scores.iter().sum::<f64>() / count).into())
}

/// `_REresult.csv`: shares of questions right at all rotations and wrong at all, and the accuracy
/// at each rotation.
#[test]
fn rotational_figures() {
    each(|run, model, figures| {
        for rows in figures["re_result"].as_object().expect("results").values() {
            let report = eyechart(&["report", arg(&run)]);
            let rows = rows.as_object().expect("rows");
            for (ability, row) in rows.iter().filter(|(ability, _)| *ability != "Average") {
                let fields = [("ability", ability.as_str()), ("model", model)];
                let found = one(list(&report, "reliability"), &fields);
                assert_eq!(found["n"], row["total_questions"], "{ability}");
                let asked: Vec<bool> = ROTATIONS
                    .iter()
                    .map(|at| row[format!("rot{at}")].is_number())
                    .collect();
                for at in ROTATIONS {
                    match row[format!("rot{at}")].as_f64() {
                        Some(accuracy) => assert_near(&found["ve"][at], accuracy, FULL, ability),
                        None => assert!(found["ve"][at].is_null(), "No Data: {found}"),
                    }
                }
                if asked.contains(&false) {
                    assert!(
                        found["re"].is_null() && found["status"] == "incomplete",
                        "{found}"
                    );
                    check_patterns(found, row);
                } else {
                    assert_near(
                        &found["re"],
                        row["hit_all"].as_f64().expect("a share"),
                        FULL,
                        ability,
                    );
                    assert_near(
                        &found["ma"],
                        row["miss_all"].as_f64().expect("a share"),
                        FULL,
                        ability,
                    );
                }
            }
            check_average(list(&report, "reliability"), model, &rows["Average"]);
        }
    });
}

/// If a rotation is missing, the harness uses the others. The patterns must do the same.
fn check_patterns(found: &Value, row: &Value) {
    let n = found["n"].as_f64().expect("n");
    let share = |unwanted: char| {
        let patterns = found["patterns"].as_object().expect("patterns").iter();
        let whole = patterns.filter(|(pattern, _)| !pattern.contains(unwanted));
        whole.filter_map(|(_, count)| count.as_f64()).sum::<f64>() / n
    };
    assert_near(&row["hit_all"], share('0'), FULL, "right at every rotation");
    assert_near(
        &row["miss_all"],
        share('1'),
        FULL,
        "wrong at every rotation",
    );
}

/// The line `Average`: the mean over categories, with three decimals.
fn check_average(found: &[Value], model: &str, row: &Value) {
    let rows: Vec<&Value> = all(found, &[("model", model)]);
    let mean = |value: &dyn Fn(&Value) -> Option<f64>| {
        let values: Vec<f64> = rows.iter().filter_map(|row| value(row)).collect();
        values.iter().sum::<f64>() / f64::from(u32::try_from(values.len()).expect("a small number"))
    };
    for at in ROTATIONS
        .iter()
        .filter(|at| row[format!("rot{at}")].is_number())
    {
        assert_near(
            &row[format!("rot{at}")],
            mean(&|row| row["ve"][at].as_f64()),
            0.000_500_1,
            at,
        );
    }
    if rows.iter().all(|row| row["re"].is_number()) {
        assert_near(
            &row["hit_all"],
            mean(&|row| row["re"].as_f64()),
            0.000_500_1,
            "hit_all",
        );
        assert_near(
            &row["miss_all"],
            mean(&|row| row["ma"].as_f64()),
            0.000_500_1,
            "miss_all",
        );
    }
}

/// `Overall` of each data set and split, and `Average` of each rotational evaluation, appear
/// exactly once and as printed.
#[test]
fn overall_and_average_are_shown_and_never_ranked() {
    let mut checked = 0;
    each(|run, model, figures| {
        let report = eyechart(&["report", arg(&run)]);
        let scores = list(&report, "scores");
        let mut check = |fields: &[(&str, &str)], figure: &Value| {
            let row = one(scores, fields);
            let figure = figure.as_f64().expect("a figure");
            assert_eq!(
                (row["score"].as_f64(), &row["model"]),
                (Some(figure), &model.into()),
                "{row}"
            );
            if row["ability"] == "all" || row["ability"] == "average" {
                assert_eq!(row["origin"], "harness", "{row}");
                assert!(row["rank"].is_null() && row["headline"] == false, "{row}");
            }
            checked += 1;
        };
        for (dataset, figures) in figures["datasets"].as_object().expect("data sets") {
            let rotation = dataset
                .rsplit_once("_rot")
                .map_or("", |(_, rotation)| rotation);
            let metric = format!("ve_rot{rotation}");
            for (name, figure) in figures["metrics"].as_object().into_iter().flatten() {
                let (split, name) = name.split_once('|').unwrap_or(("", name));
                let split = split.strip_prefix("split=").unwrap_or_default();
                let at = |split| [("ability", "all"), ("split", split)];
                match (dataset.as_str(), name) {
                    ("MiniMulti", "Overall") => {
                        check(
                            &[at(split).as_slice(), &[("metric", "accuracy")]].concat(),
                            figure,
                        );
                    }
                    ("MiniMulti", "high-level" | "low-level") => {
                        check(
                            &[at(split).as_slice(), &[("metric", name)]].concat(),
                            figure,
                        );
                    }
                    ("tdbench_cs_zoom", "Overall") => {
                        check(&[("ability", "case_zoom"), ("metric", "accuracy")], figure);
                    }
                    (_, "Overall") => {
                        check(
                            &[at("harness").as_slice(), &[("metric", &metric)]].concat(),
                            figure,
                        );
                    }
                    (_, "Average Centroid Containment") => {
                        check(
                            &[("ability", "visual_grounding"), ("metric", &metric)],
                            figure,
                        );
                    }
                    _ => {}
                }
            }
        }
        for (series, rows) in figures["re_result"].as_object().expect("results") {
            let row = &rows["Average"];
            let whole = ROTATIONS
                .iter()
                .all(|at| row[format!("rot{at}")].is_number());
            let split = if series.contains("grounding") {
                "harness, grounding"
            } else {
                "harness"
            };
            let mut names = vec![
                (
                    "hit_all".to_owned(),
                    if whole { "re" } else { "hit_all" }.to_owned(),
                ),
                (
                    "miss_all".to_owned(),
                    if whole { "ma" } else { "miss_all" }.to_owned(),
                ),
            ];
            names.extend(ROTATIONS.map(|at| (format!("rot{at}"), format!("ve_rot{at}"))));
            for (column, metric) in names.iter().filter(|(column, _)| row[column].is_number()) {
                let fields = [("ability", "average"), ("split", split), ("metric", metric)];
                check(&fields, &row[column]);
            }
        }
    });
    assert_eq!(checked, 33);
}

/// The scores of each split equal those of the harness in all digits. No score covers both splits.
#[test]
fn splits_of_a_data_set_are_told_apart() {
    let run = fixture("vlmevalkit/outputs/Qwen-Mini-VL-3B/T20261121-001510");
    let report = eyechart(&["report", arg(&run)]);
    let all_splits = all(
        list(&report, "scores"),
        &[("benchmark", "MiniMulti"), ("origin", "samples")],
    );
    let told = |row: &Value| {
        let text = |key: &str| row[key].as_str().map(str::to_owned);
        (
            text("ability"),
            text("split"),
            row["score"].as_f64(),
            row["n"].as_u64(),
        )
    };
    let row = |ability: &str, split: &str, score, n| {
        let text = |text: &str| Some(text.to_owned());
        (text(ability), text(split), Some(score), Some(n))
    };
    let found: Vec<_> = all_splits.iter().map(|row| told(row)).collect();
    let expected = [
        row("texture", "dev", 1.0, 1),
        row("texture", "val", 0.666_666_666_666_666_6, 6),
        row("shape", "dev", 0.5, 4),
        row("shape", "val", 1.0, 1),
    ];
    assert_eq!(found, expected);
    assert!(
        all_splits
            .iter()
            .all(|row| row["headline"] == true && row["rank"] == 1)
    );
    let average = one(list(&report, "average_rank"), &[("benchmark", "MiniMulti")]);
    assert_eq!(
        (&average["abilities"], &average["value"]),
        (&4.into(), &1.0.into())
    );
    // A filter removes scores, and does not rename any.
    let report = eyechart(&["report", arg(&run), "--filter", "split=val"]);
    let val: Vec<_> = list(&report, "scores").iter().map(told).collect();
    assert_eq!(val, [expected[1].clone(), expected[3].clone()]);
}

#[test]
fn a_data_set_of_one_split_has_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = |splits: [&str; 2]| {
        let [first, second] = splits;
        let text = format!(
            "index\tcategory\tsplit\tA\tanswer\tprediction\thit\n\
             1\tshape\t{first}\tx\tA\tA\t1\n2\tshape\t{second}\tx\tA\tB\t0\n"
        );
        fs::write(folder.path().join("M_d_result.tsv"), text).expect("a log");
        let report = eyechart(&["report", arg(folder.path())]);
        let scores = list(&report, "scores").iter();
        scores
            .map(|row| (row["split"].clone(), row["score"].as_f64()))
            .collect::<Vec<_>>()
    };
    assert_eq!(log(["dev", "dev"]), [(Value::Null, Some(0.5))]);
    assert_eq!(
        log(["val", "dev"]),
        [("dev".into(), Some(0.0)), ("val".into(), Some(1.0))]
    );
}

#[test]
fn what_the_harness_could_not_evaluate_is_scored_and_said() {
    let logs = fixture("vlmevalkit");
    let report = eyechart(&["report", arg(&logs), "--filter", "ability:case_height"]);
    assert_eq!(
        one(list(&report, "scores"), &[("ability", "case_height")])["n"],
        8
    );
    let problems: Vec<&Value> = list(&report, "sources")
        .iter()
        .flat_map(|source| list(source, "problems"))
        .collect();
    let said = |what: &str| {
        problems.iter().any(|problem| {
            problem["what"]
                .as_str()
                .is_some_and(|text| text.contains(what))
        })
    };
    assert!(
        said("failed to evaluate tdbench_cs_height") && said("32,767"),
        "{problems:?}"
    );
}
