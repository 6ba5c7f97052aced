//! Tests that compare encoder scores with the figures of the tools.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use proptest::prelude::*;

use serde_json::Value as Json;

use super::EncoderScores;
use crate::testing::{CollectingSink, damaged, fixture, read_all};
use crate::{Context, Reader as _, find, plan};
use base::config::{ColumnMap, RowKind};
use record::PublishedScore;

/// Plans and reads a folder, and assigns names to runs.
fn read(path: &Path) -> CollectingSink {
    let context = Context::default();
    let mut files = find(&[path.to_path_buf()]).0;
    let mut collected = CollectingSink::default();
    for unit in plan(&mut files, &context) {
        assert_eq!(unit.format, super::FORMAT, "{unit:?}");
        EncoderScores.read(&unit, &context, &mut collected);
    }
    assert_eq!(collected.records.len(), 0);
    collected
}

/// Writes a text to a file in the folder `some-model` and reads it.
fn read_text(name: &str, text: &str) -> CollectingSink {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("some-model").join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, text).unwrap();
    read(folder.path())
}

fn words(score: &PublishedScore) -> String {
    let split = score.split.as_deref().unwrap_or("-");
    format!(
        "{} {} {split} {} {}",
        score.model, score.ability, score.metric, score.score
    )
}

fn all(found: &CollectingSink) -> Vec<String> {
    found.figures.iter().map(words).collect()
}

/// Returns the expected figures of a model or tool.
fn expected(name: &str) -> BTreeMap<String, Json> {
    let text = fs::read(fixture("encoders/expected.json")).unwrap();
    let text = crate::json::without_nan(&text).into_owned();
    let mut all: BTreeMap<String, BTreeMap<String, Json>> = serde_json::from_slice(&text).unwrap();
    all.remove(name).unwrap()
}

#[test]
fn clip_benchmark_has_its_metrics_and_no_settings() {
    let files = expected("clip_benchmark");
    assert_eq!(files.len(), 3);
    let of_files = |file: &str| -> Vec<(String, f64)> {
        let found = read(&fixture("encoders/clip_benchmark/results").join(file));
        let scores = found.figures.into_iter().map(|score| {
            assert_eq!(
                (score.model.as_str(), score.higher_is_better),
                ("RN50", Some(true))
            );
            assert!(["shapes", "colors"].contains(&score.ability.as_str()));
            assert_eq!((score.split, found.problems.len()), (None, 0));
            (score.metric, score.score)
        });
        scores.collect()
    };
    for (file, metrics) in &files {
        let is_score = |(name, value): &(&String, &Json)| {
            value.is_number() && (name.contains("acc") || name.contains("recall"))
        };
        let metrics = metrics.as_object().unwrap().iter().filter(is_score);
        let metrics: BTreeMap<String, f64> = metrics
            .map(|(name, value)| (name.clone(), value.as_f64().unwrap()))
            .collect();
        assert_eq!(
            of_files(file).into_iter().collect::<BTreeMap<_, _>>(),
            metrics,
            "{file}"
        );
    }
}

#[test]
fn the_built_table_has_the_scores_of_the_files() {
    let sorted = |path: &str| {
        let mut found = all(&read(&fixture(path)));
        found.sort();
        found
    };
    let built = sorted("encoders/clip_benchmark/benchmark.csv");
    assert_eq!(built, sorted("encoders/clip_benchmark/results"));
    assert_eq!(built.len(), 7);
}

#[test]
fn pretrained_language_and_shots_tell_scores_apart() {
    let text = r#"[{"dataset": "flickr8k", "model": "ViT-L-14", "pretrained": "openai", "task": "zeroshot_retrieval",
        "metrics": {"image_retrieval_recall@5": 0.25, "text_retrieval_recall@5": 0.5}, "language": "fr"},
        {"dataset": "wds/vtab/dtd", "model": "ViT-L-14", "pretrained": "/data/epoch_3.pt", "task": "linear_probe",
        "metrics": {"lp_acc1": 0.75, "fewshot_k": 8, "lr": 0.1, "note": "x"}, "language": "en"}]"#;
    let found = read_text("result.json", text);
    assert_eq!(
        all(&found),
        [
            "ViT-L-14 openai flickr8k fr image_retrieval_recall@5 0.25",
            "ViT-L-14 openai flickr8k fr text_retrieval_recall@5 0.5",
            "ViT-L-14 /data/epoch_3.pt vtab/dtd 8-shot lp_acc1 0.75",
        ]
    );
    assert_eq!(found.problems, [""; 0]);
}

#[test]
fn datacomp_names_models_by_their_folders() {
    let found = read(&fixture("encoders/datacomp"));
    assert_eq!(found.problems, [""; 0]);
    for model in ["datacomp_small_a", "datacomp_small_b"] {
        let main = found.figures.iter();
        let main = main.filter(|score| score.model == model && score.metric == "main_metric");
        let main: BTreeMap<String, Json> = main
            .map(|score| (score.ability.clone(), score.score.into()))
            .collect();
        assert_eq!(main, expected(model));
    }
    assert!(
        found
            .figures
            .iter()
            .all(|score| score.higher_is_better == Some(true))
    );
}

#[test]
fn of_a_data_set_evaluated_again_the_last_scores_count() {
    let row = |key: &str, acc: &str| {
        format!(
            "{{\"key\": \"{key}\", \"dataset\": \"{key}\", \"metrics\": {{\"acc1\": {acc}, \
             \"count_race:0\": 7, \"toxicity_crime_avg\": 0.125, \"main_metric\": {acc}}}}}\n"
        )
    };
    let text = [
        row("a", "0.5"),
        row("b", "null"),
        row("a", "0.25"),
        "{\"key\"".to_owned(),
    ];
    let found = read_text("eval_results.jsonl", &text.concat());
    assert_eq!(
        all(&found),
        [
            "some-model a - acc1 0.25",
            "some-model a - toxicity_crime_avg 0.125",
            "some-model a - main_metric 0.25",
            "some-model b - toxicity_crime_avg 0.125",
        ]
    );
    assert_eq!(found.figures[1].higher_is_better, Some(false));
    assert_eq!(found.problems.len(), 2, "{:?}", found.problems);
    assert!(
        found.problems[0].starts_with("eval_results.jsonl:4: "),
        "{:?}",
        found.problems
    );
    assert_eq!(
        found.problems[1],
        "eval_results.jsonl:1: 2 scores from here on are repeated further down: the last ones count"
    );
}

#[test]
fn timm_is_in_percent_and_names_data_sets_by_files() {
    let found = read(&fixture("encoders/timm"));
    assert_eq!((found.figures.len(), found.problems.len()), (24, 0));
    assert_eq!(
        all(&found)[..2],
        [
            "eva02_tiny_patch14_336.mine imagenet-a-clean - top1 0.50568",
            "eva02_tiny_patch14_336.mine imagenet-a-clean - top5 0.62568",
        ]
    );
    let rows = r#"[{"model": "m", "top1": 80.5, "top1_err": 19.5, "top5": 90, "top5_err": 10, "param_count": 5.5}]"#;
    let found = read_text("validation.json", rows);
    assert_eq!(
        all(&found),
        ["m validation - top1 0.805", "m validation - top5 0.9"]
    );
}

#[test]
fn dino_has_a_run_for_each_checkpoint() {
    let found = read(&fixture("encoders/dinov2"));
    assert_eq!(found.problems, [""; 0]);
    for model in ["dinov2_vits14", "mae_vitb16"] {
        let own = found.figures.iter().filter(|score| score.model == model);
        let own = own.map(|score| {
            let run = score.run.as_deref().unwrap();
            let name = match (&score.split, score.metric.as_str()) {
                (None, "accuracy") => format!("eval/{run} linear, last"),
                (Some(split), metric) => format!("eval/{run} {split} {metric}"),
                other => panic!("{other:?}"),
            };
            (name, score.score * 100.0)
        });
        let own: BTreeMap<String, f64> = own.collect();
        let expected = expected(model);
        assert_eq!((own.len(), expected.len()), (18, 18));
        for (name, percent) in expected {
            assert!(
                (own[&name] - percent.as_f64().unwrap()).abs() < 1e-9,
                "{name}"
            );
        }
    }
}

const KNN: &str = "{\"('full', 10) Top 1\": 75.0}\n{\"10 Top 5\": NaN}\n";
const LINEAR: &str = "iter: 10\n{\"best_classifier\": {\"name\": \"a\", \"accuracy\": 0.5}}\n\n\
    iter: 20\n{\"best_classifier\": {\"name\": \"b\", \"accuracy\": 0.25}}\n\n";

#[test]
fn of_appended_runs_of_dino_the_last_counts() {
    let found = read_text("results_eval_linear.json", LINEAR);
    assert_eq!(all(&found), ["some-model linear - accuracy 0.25"]);
    assert_eq!(found.problems, [""; 0], "iterations of one run");
    let again = LINEAR.replace("0.25", "0.75");
    let found = read_text("results_eval_linear.json", &format!("{LINEAR}{again}"));
    assert_eq!(all(&found), ["some-model linear - accuracy 0.75"]);
    let found = read_text(
        "knn/results_eval_knn.json",
        &format!("{KNN}{}", KNN.replace("75", "50")),
    );
    assert_eq!(all(&found), ["some-model knn ('full', 10) Top 1 0.5"]);
    assert_eq!(
        found.problems,
        [
            "results_eval_knn.json:1: 1 scores from here on are repeated further down: the last ones count"
        ]
    );
}

#[test]
fn damaged_lines_of_dino_are_no_scores() {
    let cut = LINEAR.rsplit_once("0.25").unwrap().0;
    let found = read_text("results_eval_linear.json", cut);
    assert_eq!(all(&found), [""; 0], "the last iteration is damaged");
    assert_eq!(found.problems.len(), 1, "{:?}", found.problems);
    let text = format!("{KNN}words\n{{\"20 Top 1\": \"x\"}}\n{{\"20 Top 5\": 90}}\n[]\n");
    let found = read_text("results_eval_knn.json", &text);
    assert_eq!(
        all(&found),
        [
            "some-model knn ('full', 10) Top 1 0.75",
            "some-model knn 20 Top 5 0.9"
        ]
    );
    let lines = found
        .problems
        .iter()
        .map(|it| it.split(':').nth(1).unwrap());
    assert_eq!(lines.collect::<Vec<_>>(), ["3", "4", "6"]);
}

#[test]
fn logistic_regression_and_the_tables_of_dinov3_are_read() {
    let text = "{\"top-1\": 80.0}\n{\"top-5\": 95.0}\n{\"best_C\": 0.125}\n";
    let found = read_text("training_7/logreg/results_eval_logreg.json", text);
    assert_eq!(
        all(&found),
        [
            "some-model logreg - top-1 0.8",
            "some-model logreg - top-5 0.95"
        ]
    );
    assert_eq!(found.figures[0].run, None, "there is one checkpoint");
    let found = read_text("results-knn.csv", "10 Top 1,10 Top 5\n75.0,90.0\n");
    assert_eq!(
        all(&found),
        [
            "some-model knn 10 Top 1 0.75",
            "some-model knn 10 Top 5 0.9"
        ]
    );
    let table = "ImageNet:split=VAL_accuracy,best_classifier\n50.0,lr_0_1\n";
    let found = read_text("linear/results-linear.csv", table);
    assert_eq!(
        all(&found),
        ["some-model ImageNet:split=VAL linear accuracy 0.5"]
    );
}

#[test]
fn tables_over_the_data_sets_of_vtab_are_in_percent_or_in_shares() {
    let table = "Method,params,Caltech101,CIFAR-100,DTD,SVHN,SVHN_std,Natural,Mean\n\
        ViT-B/16,86,90.0,50.0,0.5,-,0.3,75.0,80.0\nMAE,86,80.0,x,60.0,70.0,0.1,70.0,70.0\n";
    let found = read_text("table.csv", table);
    assert_eq!(
        all(&found)[..5],
        [
            "ViT-B/16 Caltech101 - accuracy 0.9",
            "ViT-B/16 CIFAR-100 - accuracy 0.5",
            "ViT-B/16 DTD - accuracy 0.005",
            "ViT-B/16 average Natural accuracy 0.75",
            "ViT-B/16 average Mean accuracy 0.8",
        ]
    );
    assert_eq!(found.figures.len(), 10);
    assert_eq!(
        found.problems,
        [
            "table.csv:1: not read, because no data sets with these names are known: `params`, `SVHN_std`",
            "table.csv:3: `CIFAR-100` is not a number: x",
        ]
    );
    let shares = "model\tcifar100\tdtd\tpets\tsvhn\nm\t0.5\t1\t0.25\t0\n";
    let found = read_text("table.tsv", shares);
    assert_eq!(all(&found)[1], "m dtd - accuracy 1");
    assert_eq!(all(&found)[3], "m svhn - accuracy 0");
}

#[test]
fn other_files_and_those_with_a_map_of_the_user_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let files = [
        ("a.csv", "model,cifar100,dtd,accuracy\nm,1,2,3\n"),
        (
            "b.json",
            "{\"model\": \"m\", \"pretrained\": \"p\", \"metrics\": {\"acc1\": 1}}",
        ),
        ("c.json", "iter: 3\n{\"loss\": 2}\n"),
        ("d.json", "{\"10 Top 1\": 75, \"id\": 3}"),
        ("e.csv", "model,top1,top5\nm,1,2\n"),
        ("f.json", ""),
    ];
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    assert_eq!(all(&read_all(&EncoderScores, folder.path())), [""; 0]);
    let context = Context {
        columns: vec![ColumnMap {
            kind: Some(RowKind::Published),
            scores: vec!["top1".to_owned()],
            ..ColumnMap::default()
        }],
        ..Context::default()
    };
    let mut files = find(&[fixture("encoders/timm")]).0;
    let units = plan(&mut files, &context);
    assert!(
        units
            .iter()
            .all(|unit| unit.format == crate::mapped::FORMAT)
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Reading a damaged file must end, and must not add scores.
    #[test]
    fn damage_never_panics(
        which in 0_usize..5,
        hits in proptest::collection::vec(any::<(prop::sample::Index, u8, u8)>(), 1..8),
    ) {
        let files = [
            "clip_benchmark/results/shapes__RN50_en_linear_probe.json",
            "clip_benchmark/benchmark.csv",
            "datacomp/datacomp_small_a/eval_results.jsonl",
            "timm/results-imagenet.csv",
            "dinov2/mae_vitb16/eval/training_12499/linear/results_eval_linear.json",
        ];
        let bytes = fs::read(fixture("encoders").join(files[which])).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(Path::new(files[which]).file_name().unwrap());
        fs::write(path, damaged(&bytes, &hits)).unwrap();
        let found = read_all(&EncoderScores, folder.path());
        // The largest file, of DataComp, contains 15 scores.
        prop_assert!(found.figures.len() <= 15);
        prop_assert!(found.figures.iter().all(|score| score.score.is_finite()));
    }
}
