//! Tests of published scores read through column maps.

use std::fs;

use super::published::ColumnMetric;
use super::{MappedTables, unmapped};
use crate::testing::{CollectingSink, fixture};
use crate::{Context, Reader as _, find, plan};
use base::config::{ColumnMap, RowKind};
use record::PublishedScore;

fn map(fields: &[(&str, &str)], scores: &[&str], fixed: &[(&str, &str)]) -> ColumnMap {
    let owned = |(field, value): &(&str, &str)| ((*field).to_owned(), (*value).to_owned());
    let mut map = ColumnMap {
        kind: Some(RowKind::Published),
        scores: scores.iter().map(|&name| name.to_owned()).collect(),
        fixed: fixed.iter().map(owned).collect(),
        ..ColumnMap::default()
    };
    for (field, column) in fields {
        map.assign(field, (*column).to_owned());
    }
    map
}

fn read(name: &str, bytes: &[u8], map: ColumnMap) -> CollectingSink {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("leaderboard/may").join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, bytes).unwrap();
    let context = Context {
        columns: vec![map],
        ..Context::default()
    };
    let units = plan(&mut find(&[path]).0, &context);
    assert_eq!(units.len(), 1);
    let mut collected = CollectingSink::default();
    MappedTables.read(&units[0], &context, &mut collected);
    assert_eq!(collected.records.len(), 0, "there are no samples");
    collected
}

fn words(score: &PublishedScore) -> String {
    let direction = score
        .higher_is_better
        .map_or("?", |is| if is { "+" } else { "-" });
    let parts = [
        &score.benchmark,
        &score.model,
        &score.ability,
        &score.metric,
    ]
    .map(String::as_str);
    let split = score.split.as_deref().unwrap_or("-");
    format!("{} {split} {direction} {}", parts.join(" "), score.score)
}

fn all(found: &CollectingSink) -> Vec<String> {
    found.figures.iter().map(words).collect()
}

#[test]
fn a_long_table_has_one_score_per_row() {
    let table = "Model,Task,Subset,Measure,Value,Scale,Better\n\
        m,ocr,val,anls,81.25,percent,higher\nm,depth,,odd,0.5,share,lower\n\
        m,ocr,test,acc,75 %,,\nm,ocr,dev,acc,–,percent,\nm,ocr,x,acc,nought,,\n,ocr,x,acc,1,,\n";
    let fields = [
        ("model", "Model"),
        ("ability", "Task"),
        ("split", "Subset"),
        ("metric", "Measure"),
        ("score", "Value"),
        ("unit", "Scale"),
        ("direction", "Better"),
        ("benchmark", "@folder2"),
    ];
    let found = read("long.csv", table.as_bytes(), map(&fields, &[], &[]));
    assert_eq!(
        all(&found),
        [
            "leaderboard m ocr anls val + 0.8125",
            "leaderboard m depth odd - - 0.5",
            "leaderboard m ocr acc test + 0.75",
            "leaderboard long ocr acc x + 1",
        ]
    );
    assert_eq!(found.figures[0].table, "long.csv");
    assert_eq!(
        found.problems,
        ["long.csv:6: `Value` is not a number: nought"]
    );
}

#[test]
fn a_wide_table_has_one_score_per_column() {
    let rows = "{\"name\": \"m\", \"size\": 7, \"scores\": {\"ocr\": 50, \"vqa\": {\"hard\": 25}, \"ok\": true}}\n\
        {\"name\": \"n\", \"size\": 8, \"scores\": {\"ocr\": \"bad\", \"late\": 75, \"vqa\": null}}\n{\"name\": \"o\"";
    let map = ColumnMap {
        score_names: Some("ability".to_owned()),
        condition: vec!["size".to_owned()],
        ..map(
            &[("model", "name")],
            &["scores.*", "!scores.ok"],
            &[
                ("metric", "accuracy"),
                ("unit", "percent"),
                ("benchmark", "b"),
            ],
        )
    };
    let found = read("wide.jsonl", rows.as_bytes(), map);
    assert_eq!(
        all(&found),
        [
            "b m ocr accuracy - + 0.5",
            "b m vqa.hard accuracy - + 0.25",
            "b n late accuracy - + 0.75",
        ]
    );
    assert_eq!(found.figures[2].run.as_deref(), Some("8"));
    assert_eq!(found.problems.len(), 2, "{:?}", found.problems);
    assert_eq!(
        found.problems[0],
        "wide.jsonl:2: `scores.ocr` is not a number: bad"
    );
}

#[test]
fn columns_can_be_models_and_documents_lists() {
    let rows = "[{\"dataset\": \"mme\", \"version\": \"a1\", \"mode\": \"gen\", \"qwen\": 50.5, \"llava\": \"-\"},\n\
        {\"dataset\": \"pope\", \"version\": \"b2\", \"mode\": \"gen\", \"qwen\": 75, \"llava\": 25}]";
    let map = ColumnMap {
        score_names: Some("model".to_owned()),
        ..map(
            &[("ability", "dataset")],
            &["*", "!version", "!mode"],
            &[("metric", "accuracy"), ("unit", "percent")],
        )
    };
    let found = read("summary.json", rows.as_bytes(), map);
    let mut found = all(&found);
    found.sort();
    assert_eq!(
        found,
        [
            "may llava pope accuracy - + 0.25",
            "may qwen mme accuracy - + 0.505",
            "may qwen pope accuracy - + 0.75",
        ]
    );
}

#[test]
fn workbooks_and_parquet_have_scores_too() {
    for (name, column, count) in [
        ("field/tables/mapped.xlsx", "question id", 6),
        ("columns/other.parquet", "level", 4),
    ] {
        let (_, ending) = name.split_once('.').unwrap();
        let map = map(&[], &[column], &[("model", "m"), ("metric", "x")]);
        let bytes = fs::read(fixture(name)).unwrap();
        let found = read(&format!("t.{ending}"), &bytes, map);
        assert_eq!(
            (found.figures.len(), found.problems.len()),
            (count, 0),
            "{name}"
        );
        assert_eq!(found.figures[0].metric, column);
    }
}

#[test]
fn keyed_objects_grids_and_nested_paths_have_scores_too() {
    let keyed = r#"{"m": {"r": {"ocr": 50}, "list": [{"v": 7}], "date": "may"},
        "n": {"r": {"ocr": "75 %", "vqa": 25}, "list": [], "date": "may"}, "o": {"r": 3}}"#;
    let fixed = [
        ("metric", "accuracy"),
        ("unit", "percent"),
        ("benchmark", "b"),
    ];
    let scores = ["r.*", "list[0].v"];
    let of_key = ColumnMap {
        score_names: Some("ability".to_owned()),
        ..map(&[("model", "@key")], &scores, &fixed)
    };
    let mut found = all(&read("keyed.json", keyed.as_bytes(), of_key.clone()));
    found.sort();
    let expected = [
        "b m list[0].v accuracy - + 0.07",
        "b m ocr accuracy - + 0.5",
        "b n ocr accuracy - + 0.75",
        "b n vqa accuracy - + 0.25",
    ];
    assert_eq!(found, expected);
    let list = r#"[{"@key": "m", "r": {"ocr": 50}, "list": [{"v": 7}]},
        {"@key": "n", "r": {"ocr": "75 %", "vqa": 25}}]"#;
    let mut found = all(&read("list.json", list.as_bytes(), of_key));
    found.sort();
    assert_eq!(found, expected);
    let grid = r#"{"columns": ["name", "r"], "data": [["m", {"ocr": 50}], ["n", {"ocr": 75}], [1]],
        "more": 1}"#;
    let map = map(&[("model", "name"), ("score", "r.ocr")], &[], &fixed);
    let found = read("grid.json", grid.as_bytes(), map);
    assert_eq!(
        all(&found),
        ["b m may accuracy - + 0.5", "b n may accuracy - + 0.75"]
    );
    assert_eq!(
        found.problems,
        ["grid.json:1: 1 cells where `columns` has 2"]
    );
}

#[test]
fn fields_of_parquet_structs_have_scores_too() {
    let path = "lighteval/run/details/alpha-vl-7b/2026-11-25T22-49-03.824043/\
        details_shapes_color-mcq_0_2026-11-25T22-49-03.824043.parquet";
    let bytes = fs::read(fixture(path)).unwrap();
    let fields = [
        ("model", "@folder2"),
        ("ability", "doc.task_name"),
        ("split", "doc.specific.difficulty"),
    ];
    let found = read("rows.parquet", &bytes, map(&fields, &["metric.*"], &[]));
    assert_eq!(found.problems, [""; 0]);
    let first = found.figures.first().unwrap();
    assert_eq!(
        (first.model.as_str(), first.metric.as_str()),
        ("leaderboard", "em")
    );
    assert!(first.ability.contains("color-mcq") && first.split.is_some());
}

#[test]
fn decimal_commas_and_missing_paths_are_told_apart() {
    let table = "name;info;ocr;vqa\nm;{\"a\": 1};81,25;0,5\n";
    let fields = [("model", "name"), ("split", "info.b")];
    let map = map(&fields, &["*", "!info"], &[("benchmark", "b")]);
    let found = read("wide.csv", table.as_bytes(), map);
    let scores: Vec<f64> = found.figures.iter().map(|score| score.score).collect();
    assert_eq!(scores, [81.25, 0.5]);
    assert_eq!(
        found.problems,
        ["wide.csv:0: no row has the column `info.b` of `[[columns]]`"]
    );
}

#[test]
fn errors_and_arrows_in_names_of_columns_give_the_direction() {
    let of = |column: &str| {
        let found = ColumnMetric::of(column);
        found.map(|it| (it.name.unwrap_or_default(), it.higher_is_better))
    };
    for (column, name) in [
        ("NYUv2 RMSE", "rmse"),
        ("NYUv2 (RMSE \u{2193})", "rmse"),
        ("depth/AbsRel", "absrel"),
        ("Abs Rel", "absrel"),
        ("RMSE log", "rmselog"),
        ("Top-1 err (%)", "err"),
        ("Latency (s)", "latency"),
        ("Time (s)", "time"),
        ("Cost ($)", "cost"),
        ("Hallucination rate (%)", "hallucinationrate"),
        ("HalRate (lower is better)", "halrate"),
        ("depth \u{2193}", ""),
        ("CLIP (lower is better)", ""),
        ("CHAIR_s", "chairs"),
        ("Chamfer Distance", "chamferdistance"),
        ("HD95 (mm)", "hd95"),
    ] {
        assert_eq!(of(column), Some((name.to_owned(), false)), "{column}");
    }
    assert_eq!(of("depth (\u{2191})"), Some((String::new(), true)));
    let text = "Model,Flowers,NYUv2 RMSE\na,40.5,0.36\nb,49.5,0.45\n";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    fs::write(&path, text).unwrap();
    let table = unmapped(&path).unwrap();
    let doubts = table.doubts(&table.guess).join(" ");
    assert!(
        doubts.ends_with("but lower ones in NYUv2 RMSE."),
        "{doubts}"
    );
    let scores = read("a.csv", text.as_bytes(), table.guess).figures;
    let metrics = scores
        .iter()
        .take(2)
        .map(|it| (it.ability.as_str(), it.metric.as_str(), it.higher_is_better));
    assert!(metrics.eq([
        ("Flowers", "score", Some(true)),
        ("NYUv2 RMSE", "rmse", Some(false))
    ]));
    // Names of abilities, and of errors converted to scores.
    for other in [
        "Relative distance",
        "Hallucination",
        "Time",
        "1 - error",
        "neg_mse",
        "Error finding",
        "",
    ] {
        assert_eq!(of(other), None, "{other}");
    }
}

#[test]
fn cells_of_papers_have_numbers_and_names_without_marks() {
    let text = "#,Model,GFLOPs,POPE,MMMU,MMMU std,Avg.\n\
                1,**A-7B** [12],4,**88.1**\u{2020},61.5 \u{b1} 0.3,0.3,74\n\
                2,B,4,80.0,60 % (2),0.2,70\n";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    fs::write(&path, text).unwrap();
    let map = unmapped(&path).unwrap().guess;
    assert_eq!(map.scores, ["POPE", "MMMU"]);
    fs::write(&path, "Model,Avg\na,74\nb,70\n").unwrap();
    assert_eq!(unmapped(&path).unwrap().guess.scores, ["Avg"]);
    let read = read("a.csv", text.as_bytes(), map);
    let found = read.figures.iter().map(|it| (it.model.as_str(), it.score));
    assert!(
        found.eq([("A-7B", 88.1), ("A-7B", 61.5), ("B", 80.0), ("B", 0.6)]),
        "{:?}",
        read.figures
    );
    assert_eq!(read.problems, [""; 0]);
}

/// Writes a text to a file and reads it through the guessed map.
fn guessed(name: &str, text: &str) -> CollectingSink {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    read(name, text.as_bytes(), unmapped(&path).unwrap().guess)
}

#[test]
fn scores_may_be_nested_by_model_and_ability() {
    let text = r#"{"m1": {"mmmu": {"acc": 0.5}, "pope": {"acc": 0.75}}, "m2": {"mmmu": {"acc": 0.25}, "pope": {"acc": 1}}}"#;
    let sink = guessed("x.json", text);
    let found = sink.figures.iter();
    let found = found.map(|it| (it.model.as_str(), it.ability.as_str(), it.score));
    let expected = [
        ("m1", "mmmu", 0.5),
        ("m1", "pope", 0.75),
        ("m2", "mmmu", 0.25),
        ("m2", "pope", 1.0),
    ];
    assert_eq!(found.collect::<Vec<_>>(), expected);
}

#[test]
fn a_score_per_row_may_be_called_value() {
    let sink = guessed("x.csv", "model,dataset,value\na,coco,0.5\nb,coco,0.25\n");
    let found = sink
        .figures
        .iter()
        .map(|score| (score.model.as_str(), score.score));
    assert_eq!(found.collect::<Vec<_>>(), [("a", 0.5), ("b", 0.25)]);
    assert!(sink.figures.iter().all(|score| score.ability == "coco"));
}

/// Returns model, ability and value of each score in a table.
fn guessed_scores(name: &str, text: &str) -> Vec<String> {
    let sink = guessed(name, text);
    let parts = |it: &PublishedScore| format!("{} {} {}", it.model, it.ability, it.score);
    sink.figures.iter().map(parts).collect()
}

#[test]
fn columns_may_be_models_or_metrics_of_the_file_s_model() {
    let models = "Benchmark,GPT-4o,Qwen2-VL-7B\nMMMU,69.1,54.1\nDocVQA,92.8,94.5\n";
    let expected = [
        "GPT-4o MMMU 69.1",
        "Qwen2-VL-7B MMMU 54.1",
        "GPT-4o DocVQA 92.8",
        "Qwen2-VL-7B DocVQA 94.5",
    ];
    assert_eq!(guessed_scores("x.csv", models), expected);
    let metrics = "task,accuracy,f1\nocr,0.7,0.5\ncount,0.5,0.25\n";
    let sink = guessed("m.csv", metrics);
    let found = sink.figures.iter();
    let found = found.map(|it| format!("{} {} {} {}", it.model, it.ability, it.metric, it.score));
    let expected = [
        "m ocr accuracy 0.7",
        "m ocr f1 0.5",
        "m count accuracy 0.5",
        "m count f1 0.25",
    ];
    assert_eq!(found.collect::<Vec<_>>(), expected);
    // Right or wrong samples, each with another task.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.csv");
    fs::write(&path, "task,correct\nocr,1\ncount,0\n").unwrap();
    assert!(!unmapped(&path).unwrap().guess.is_published());
}

#[test]
fn counts_of_right_answers_are_divided_by_those_of_samples() {
    let text = "model,task,correct,total\na,ocr,3,4\nb,ocr,1,4\nc,ocr,,4\n";
    assert_eq!(guessed_scores("x.csv", text), ["a ocr 0.75", "b ocr 0.25"]);
    // Counts of right answers that exceed the number of samples are not such counts.
    let other = guessed_scores("x.csv", &text.replace("c,ocr,,4", "c,ocr,5,4"));
    assert_eq!(other.len(), 6, "{other:?}");
}

#[test]
fn commas_can_be_decimal_in_cells_of_any_table() {
    let text = "model;OCR;Lage\na;61,5;33,1\nb;41,5;13,1\n";
    let expected = ["a OCR 61.5", "a Lage 33.1", "b OCR 41.5", "b Lage 13.1"];
    assert_eq!(guessed_scores("x.csv", text), expected);
    let quoted = "model,OCR\na,\"61,5\"\nb,\"0,415\"\n";
    assert_eq!(
        guessed_scores("x.csv", quoted),
        ["a OCR 61.5", "b OCR 0.415"]
    );
}

#[test]
fn lines_of_comments_may_come_before_a_table() {
    let text = "# eval.py, 2026-11-02, 3 seeds\n# \"best\" weights\nmodel,OCR\na,61.5\nb,41.5\n";
    assert_eq!(guessed_scores("x.csv", text), ["a OCR 61.5", "b OCR 41.5"]);
    // A name may begin with the sign of comments.
    let header = "#,model,OCR\n1,a,61.5\n2,b,41.5\n";
    assert_eq!(guessed_scores("x.csv", header).len(), 2);
}

#[test]
fn a_row_of_means_is_an_aggregate() {
    let table = "Model,Dataset,Accuracy\na,CIFAR,90\na,Cars,70\na,Average,80\na,Overall score,79\n";
    let fields = [
        ("model", "Model"),
        ("ability", "Dataset"),
        ("score", "Accuracy"),
    ];
    let found = read("a.csv", table.as_bytes(), map(&fields, &[], &[]));
    let names = found
        .figures
        .iter()
        .map(|it| (&*it.ability, it.is_aggregate()));
    let expected = [
        ("CIFAR", false),
        ("Cars", false),
        ("average", true),
        ("all", true),
    ];
    assert!(names.eq(expected));
}

#[test]
fn accuracy_is_an_aggregate_only_in_a_classification_report() {
    let report = "class,precision,recall\ncat,.95,.9\naccuracy,.9,.9\nmacro avg,.7,.7\n";
    let classes = map(&[("ability", "class")], &["precision", "recall"], &[]);
    let mut table = map(&[("model", "model")], &["accuracy", "robustness"], &[]);
    table.score_names = Some("ability".to_owned());
    let models = "model,accuracy,robustness\na,.5,.75\nb,.25,.5\n";
    for (text, map, aggregates) in [(report, classes, 4), (models, table, 0)] {
        let found = read("a.csv", text.as_bytes(), map);
        let count = found.figures.iter().filter(|it| it.is_aggregate()).count();
        assert_eq!(count, aggregates, "{text}");
    }
}
