//! Tests of tables with other column names, read through column maps.

mod headlines;
mod layouts;

use std::path::Path;

use serde_json::Value as Json;

use super::guess::guess;
use super::{MappedTables, unmapped};
use crate::testing::CollectingSink;
use crate::{Context, Reader as _, find, plan};
use base::config::ColumnMap;
use record::{ImageRef, Record, Target, Value};

const CSV: &str = "qid,Model Name,category,prompt,gt,pred,is_correct,difficulty\n\
    q1,m,counting,\"how many, then?\",3,three,True,2\n\
    q2,m,counting,which?,\"[0.1,0.2,0.3,0.4]\",\"\",False,1\n\
    q3,m,counting,which?,red,blue,maybe,1\n";
const LINES: &str = "{\"id\": 7, \"meta\": {\"task\": \"ocr\", \"source\": \"web\"}, \"options\": [\"cat\", \"dog\"], \"answer\": \"A\", \"output\": null}\n\
    {\"id\": 8, \"meta\": {\"task\": \"ocr\"}, \"answer\": [\"x\", \"y\"], \"output\": \"B\"}\n{\"id\": 9, \"me";

/// Reads a file through a map; without a map, through the guessed one. Returns records and
/// problems.
fn through(name: &str, text: &str, map: Option<ColumnMap>) -> (Vec<(Record, u64)>, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    let map = map.unwrap_or_else(|| unmapped(&path).unwrap().guess);
    read(&path, map)
}

fn read(path: &Path, map: ColumnMap) -> (Vec<(Record, u64)>, Vec<String>) {
    let context = Context {
        columns: vec![map],
        ..Context::default()
    };
    let mut files = find(&[path.to_path_buf()]).0;
    let units = plan(&mut files, &context);
    assert_eq!(units.len(), 1, "{files:?}");
    let mut collected = CollectingSink::default();
    MappedTables.read(&units[0], &context, &mut collected);
    (collected.records, collected.problems)
}

#[test]
fn a_csv_file_is_read_by_the_names_of_its_columns() {
    let (records, problems) = through("run.csv", CSV, None);
    assert_eq!(records.len(), 2);
    let (first, line) = &records[0];
    assert_eq!(
        (first.sample_id.as_str(), first.model.as_str(), *line),
        ("q1", "m", 2)
    );
    assert_eq!(
        (first.ability.as_str(), first.stored),
        ("counting", Some(1.0))
    );
    assert_eq!(first.metric.as_deref(), Some("accuracy"));
    assert_eq!(first.content.question, "how many, then?");
    assert_eq!(first.content.target, Some(Target::Number(3.0)));
    assert_eq!(first.content.tags["difficulty"], Value::Number(2.0));
    let (second, _) = &records[1];
    assert_eq!(
        second.content.target,
        Some(Target::Box([0.1, 0.2, 0.3, 0.4]))
    );
    assert_eq!(second.response.as_deref(), Some(""));
    assert_eq!(problems, ["run.csv:4: the score is not a number: maybe"]);
}

#[test]
fn json_lines_are_read_with_nested_columns_and_defaults() {
    let (records, problems) = through("beta.jsonl", LINES, None);
    assert_eq!(records.len(), 2);
    let (first, _) = &records[0];
    assert_eq!(
        (first.sample_id.as_str(), first.model.as_str()),
        ("7", "beta")
    );
    assert_eq!(first.ability, "ocr");
    assert_eq!(first.content.choices.len(), 2);
    assert_eq!(first.content.tags["source"], Value::Text("web".to_owned()));
    assert_eq!(first.response.as_deref(), Some(""));
    assert_eq!(
        records[1].0.content.target,
        Some(Target::Text(r#"["x","y"]"#.to_owned()))
    );
    assert_eq!(problems.len(), 1);
}

#[test]
fn tabs_are_told_from_commas_and_what_is_fixed_is_fixed() {
    let mut map = ColumnMap::default();
    map.assign("response", "said".to_owned());
    for letter in ["A", "B"] {
        map.assign("choices", letter.to_owned());
    }
    map.fixed.insert("model".to_owned(), "mine".to_owned());
    map.fixed.insert("ability".to_owned(), "colour".to_owned());
    let (records, problems) = through("x.tsv", "said\tA\tB\nyes, no\tred\tblue\n", Some(map));
    assert_eq!(problems, [""; 0]);
    let (record, _) = &records[0];
    assert_eq!(
        (record.model.as_str(), record.ability.as_str()),
        ("mine", "colour")
    );
    assert_eq!(record.response.as_deref(), Some("yes, no"));
    assert_eq!(
        (record.sample_id.as_str(), record.content.choices.len()),
        ("2", 2)
    );
}

#[test]
fn parquet_that_eyechart_did_not_write_is_read_too() {
    let path = crate::testing::fixture("columns/other.parquet");
    let map = unmapped(&path).unwrap().guess;
    let (records, problems) = read(&path, map);
    assert_eq!((records.len(), problems.len()), (4, 0));
    assert_eq!(records[3].0.stored, Some(0.0));
    assert_eq!(records[0].0.content.choices.len(), 2);
}

/// Returns the same two rows as a list, an object of objects, and a grid. The second answer is
/// right.
fn documents() -> [(&'static str, String); 4] {
    let row = |answer: &str| {
        format!(
            "{{\"gold\": \"B\", \"index2ans\": {{\"A\": \"x\", \"B\": \"y\"}}, \"response\": \"({answer})\"}}"
        )
    };
    let [one, other] = ["A", "B"].map(row);
    let cells = |answer: &str| format!("[\"B\", {{\"A\": \"x\", \"B\": \"y\"}}, \"({answer})\"]");
    let columns = "\"columns\": [\"gold\", \"index2ans\", \"response\"]";
    let data = format!("\"data\": [{},\n{}]", cells("A"), cells("B"));
    [
        ("list.json", format!("[{one},\n{other}]")),
        ("keyed.json", format!("{{\"k0\": {one},\n\"k1\": {other}}}")),
        ("wandb.json", format!("{{{columns}, {data}, \"nrows\": 2}}")),
        (
            "pandas.json",
            format!("{{\"index\": [0, 1], {data}, {columns}}}"),
        ),
    ]
}

#[test]
fn documents_of_every_layout_are_read_through_the_guessed_map() {
    for (name, text) in documents() {
        let (records, problems) = through(name, &text, None);
        assert_eq!(problems, [""; 0], "{name}");
        assert_eq!(records.len(), 2, "{name}");
        let (record, line) = &records[1];
        assert_eq!(record.response.as_deref(), Some("(B)"));
        assert_eq!(record.content.target, Some(Target::Text("B".to_owned())));
        assert_eq!(record.content.choices[1].letter, "B");
        assert_eq!(*line, 2, "{name}");
        let id = if name == "keyed.json" { "k1" } else { "2" };
        assert_eq!(record.sample_id, id);
    }
}

#[test]
fn damaged_documents_keep_their_other_rows() {
    for (name, text) in documents() {
        let map = |path: &str| ColumnMap {
            response: Some(path.to_owned()),
            ..ColumnMap::default()
        };
        if name == "pandas.json" {
            continue; // The column names come last, so a truncated grid has no columns.
        }
        // The document is truncated in the second row.
        let at = text.rfind("(B)").unwrap();
        let (records, problems) = through(name, &text[..at], Some(map("response")));
        assert_eq!(
            (records.len(), problems.len()),
            (1, 1),
            "{name}: {problems:?}"
        );
    }
    let (records, problems) = through(
        "odd.json",
        "{\"columns\": [\"response\", \"b\"], \"data\": [[\"x\", 1],\n[\"y\"],\nnull,\n[\"z\", NaN]]}",
        Some(ColumnMap {
            response: Some("response".to_owned()),
            ..ColumnMap::default()
        }),
    );
    assert_eq!(records.len(), 2);
    let told = [
        "odd.json:2: 1 cells where `columns` has 2",
        "odd.json:3: this element of `data` is not a list",
    ];
    assert_eq!(problems, told);
}

#[test]
fn what_a_map_names_in_vain_is_reported() {
    let rows = "{\"q\": 1, \"answer\": \"B\", \"out\": {\"text\": [\"(B) y\"]}}\n".repeat(2);
    let map = ColumnMap {
        response: Some("out.text[0]".to_owned()),
        target: Some("answer".to_owned()),
        question: Some("q.text".to_owned()),
        ..ColumnMap::default()
    };
    let (records, problems) = through("a.jsonl", &rows, Some(map));
    assert_eq!(records[0].0.response.as_deref(), Some("(B) y"));
    assert_eq!(problems.len(), 2, "{problems:?}");
    assert_eq!(
        problems[0],
        "a.jsonl:0: no row has the column `q.text` of `[[columns]]`"
    );
    assert!(problems[1].starts_with("a.jsonl:1: ") && problems[1].contains("`choices`"));
}

#[test]
fn pictures_are_paths_addresses_or_bytes() {
    let png = format!("iVBORw0KGgo{}", "A".repeat(80));
    let cells = [
        "\"a/b.png\"".to_owned(),
        "{\"_type\": \"image-file\", \"path\": \"media/c.png\"}".to_owned(),
        format!("\"{png}\""),
        format!("{{\"bytes\": \"{png}\", \"path\": null}}"),
        "[\"a.png\", {\"url\": \"https://x/b.png\"}]".to_owned(),
    ];
    let rows = cells.map(|cell| format!("{{\"image\": {cell}, \"response\": \"x\"}}\n"));
    let (records, problems) = through("a.jsonl", &rows.concat(), None);
    assert_eq!(problems, [""; 0]);
    let images = records
        .iter()
        .map(|(record, _)| record.content.images.clone());
    let inline = ImageRef::Inline(format!("data:;base64,{png}"));
    let path = |path: &str| ImageRef::Path(path.to_owned());
    assert_eq!(
        images.collect::<Vec<_>>(),
        [
            vec![path("a/b.png")],
            vec![path("media/c.png")],
            vec![inline.clone()],
            vec![inline],
            vec![path("a.png"), ImageRef::Url("https://x/b.png".to_owned())],
        ]
    );
}

#[test]
fn repeated_names_are_numbered_and_semicolons_separate_decimal_commas() {
    let map = |score: &str| ColumnMap {
        score: Some(score.to_owned()),
        ..ColumnMap::default()
    };
    let text = "id;Score;Score\n1;0,5;0,25\n";
    for (score, expected, count) in [("Score", 0.5, 1), ("Score#2", 0.25, 0)] {
        let (records, problems) = through("a.csv", text, Some(map(score)));
        assert_eq!(records[0].0.stored, Some(expected));
        assert_eq!(problems.len(), count, "{problems:?}");
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    std::fs::write(&path, text).unwrap();
    let table = unmapped(&path).unwrap();
    let doubts = table.doubts(&table.guess);
    let is_told = |doubt: &String| doubt.contains("`Score#2` the second");
    assert!(doubts.iter().any(is_told), "{doubts:?}");
    let (records, _) = through("a.csv", text, None);
    assert_eq!(records[0].0.stored, Some(0.5));
}

#[test]
fn split_direction_and_condition_are_fields() {
    let text = "id,split,direction,seed,score,metric\n1,val,lower,3,0.5,error\n";
    let (records, problems) = through("a.csv", text, None);
    assert_eq!(problems, [""; 0]);
    let (record, _) = &records[0];
    assert_eq!(record.content.tags["split"], Value::Text("val".to_owned()));
    assert_eq!(record.condition["seed"], Value::Number(3.0));
    assert_eq!(record.direction, Some(record::Direction::Lower));
}

#[test]
fn folders_that_hold_the_same_table_name_the_model() {
    let folder = tempfile::tempdir().unwrap();
    let (_, list) = &documents()[0];
    let table = |path: &str| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, list).unwrap();
        path
    };
    let paths = [
        "m/art/output.json",
        "n/art/output.json",
        "m/math/output.json",
    ]
    .map(table);
    let found = unmapped(&paths[0]).unwrap();
    let of = |map: &ColumnMap| (map.model.clone().unwrap(), map.ability.clone().unwrap());
    let expected = ("@folder2".to_owned(), "@folder".to_owned());
    assert_eq!(of(&found.guess), expected);
    let (records, _) = read(&paths[1], found.guess);
    assert_eq!(
        (records[0].0.model.as_str(), records[0].0.ability.as_str()),
        ("n", "art")
    );
}

#[test]
fn a_map_counts_before_a_format_without_records() {
    // The reader of AVA-Bench accepts the file, but finds neither ability nor questions.
    let row =
        "{\"question_id\": 1, \"prompt\": \"Is it?\", \"text\": \"yes\", \"model_id\": \"m\"}\n";
    let (records, problems) = through("m.jsonl", &row.repeat(2), None);
    assert_eq!((records.len(), problems.len()), (2, 0), "{problems:?}");
    assert_eq!(records[0].0.response.as_deref(), Some("yes"));
}

#[test]
fn questions_without_answers_are_not_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    let row = "{\"question_id\": 1, \"image\": \"a.png\", \"text\": \"Is it?\"}\n";
    std::fs::write(folder.path().join("questions.jsonl"), row).unwrap();
    let mut files = find(&[folder.path().to_path_buf()]).0;
    assert!(plan(&mut files, &Context::default()).is_empty());
    assert_eq!(files.len(), 1);
}

#[test]
fn names_are_guessed_and_the_rest_splits() {
    let columns = ["idx", "split", "input", "answer", "model_output", "note"].map(str::to_owned);
    let long = "x".repeat(100);
    let cells = ["1", "val", "?", "a", "b", long.as_str()].map(Json::from);
    let row = Json::Object(columns.iter().cloned().zip(cells).collect());
    let map = guess(&columns, &[row]);
    assert_eq!(map.sample_id.as_deref(), Some("idx"));
    assert_eq!(map.question.as_deref(), Some("input"));
    assert_eq!(map.target.as_deref(), Some("answer"));
    assert_eq!(map.response.as_deref(), Some("model_output"));
    assert_eq!(map.split.as_deref(), Some("split"));
    assert_eq!(map.tags, [""; 0]);
}

#[test]
fn answers_are_guessed_by_texts_that_are_equal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    let guess = |text: &str| {
        std::fs::write(&path, text).unwrap();
        unmapped(&path).unwrap().guess
    };
    let map = guess("nr,area,wanted,said\n1,a,red,Red\n2,a,blue,red\n3,b,red,red\n4,b,red,blue\n");
    assert_eq!(map.target.as_deref(), Some("wanted"));
    assert_eq!(map.response.as_deref(), Some("said"));
    let map = guess("said,gt\nred,red\nblue,red\nred,blue\nred,red\n");
    assert_eq!(
        (map.target.as_deref(), map.response.as_deref()),
        (Some("gt"), Some("said"))
    );
    for others in ["a,b\n0,0\n1,1\n1,1\n0,1\n", "a,b\nx,u\ny,v\nz,w\nx,u\n"] {
        assert_eq!(guess(others).response, None, "{others}");
    }
}

#[test]
fn models_with_scores_and_no_samples_are_published_scores() {
    let guess = |text: &str| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        std::fs::write(&path, text).unwrap();
        unmapped(&path).unwrap().guess
    };
    let wide =
        guess("Method,Params (B),Type,Reading,Charts\na,7,open,61.5,-\nb,-,closed,88 %,83\n");
    assert!(wide.is_published());
    assert_eq!(wide.model.as_deref(), Some("Method"));
    assert_eq!(wide.group.as_deref(), Some("Type"));
    assert_eq!(wide.scores, ["Reading", "Charts"]);
    assert_eq!(wide.score_names.as_deref(), Some("ability"));
    let metrics = guess("model,task,acc,f1\na,x,0.5,0.4\na,y,0.5,0.3\n");
    assert_eq!(metrics.scores, ["acc", "f1"]);
    assert_eq!(
        (metrics.ability.as_deref(), metrics.score_names),
        (Some("task"), None)
    );
    let long = guess("model,task,metric,score\na,x,acc,0.5\na,x,f1,0.5\n");
    assert_eq!(
        (long.score.as_deref(), long.scores.len()),
        (Some("score"), 0)
    );
    for samples in [
        "model,score\na,1\na,0\n",
        "model,id,score\na,1,1\nb,2,0\n",
        "model,target,score\na,red,1\nb,blue,0\n",
    ] {
        assert_eq!(guess(samples).kind, None, "{samples}");
    }
}

/// Returns the column map guessed for a table.
fn guessed(name: &str, text: &str) -> ColumnMap {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    unmapped(&path).unwrap().guess
}

#[test]
fn options_pictures_and_answers_are_guessed_in_tables_of_other_harnesses() {
    let text = "qid,where,prompt,opt_a,opt_b,gold,raw_output,hit\n\
                1,a/0.PNG,Which?,red,blue,A,(A) red,1\n2,a/1.PNG,Which?,red,grey,B,(A) red,0\n";
    let map = guessed("a.csv", text);
    assert_eq!(map.choices, ["opt_a", "opt_b"]);
    assert_eq!(map.image.as_deref(), Some("where"));
    assert_eq!(map.response.as_deref(), Some("raw_output"));
    assert_eq!(map.score.as_deref(), Some("hit"));
    assert_eq!(map.tags, [""; 0]);
    for columns in ["optionA,optionB", "choice A,choice B", "A,B"] {
        let map = guessed("a.csv", &format!("id,{columns},pred\n1,x,y,A\n"));
        assert_eq!(map.choices.join(","), columns);
    }
    // Other columns that end with letters, and options with a single letter.
    for columns in ["data,datb", "a,b", "opt_a,opt_c"] {
        let map = guessed("a.csv", &format!("id,{columns},pred\n1,x,y,A\n"));
        assert_eq!(map.choices, [""; 0], "{columns}");
    }
}

#[test]
fn the_encoder_is_the_model_unless_every_row_has_another() {
    let row = |id: usize, encoder: &str| format!("{id},{encoder},yes,yes\n");
    let two = format!("{}{}", row(1, "dino"), row(1, "clip"));
    let rows = |encoders: [&str; 3]| {
        let rows = encoders.into_iter().enumerate();
        rows.map(|(id, encoder)| row(id, encoder))
            .collect::<String>()
    };
    let guess = |rows: &str| guessed("a.csv", &format!("id,encoder,label,pred\n{rows}")).model;
    assert_eq!(
        guess(&rows(["dino", "dino", "clip"])).as_deref(),
        Some("encoder")
    );
    assert_eq!(guess(&rows(["a", "b", "c"])), None);
    assert_eq!(guess(&row(1, "dino")).as_deref(), Some("encoder"));
    assert_eq!(
        guess(&two).as_deref(),
        Some("encoder"),
        "one sample, two encoders"
    );
}

#[test]
fn an_empty_column_of_scores_is_none() {
    let map = guessed("a.csv", "id,label,pred,correct\n1,yes,yes,\n2,no,no,\n");
    assert_eq!(map.score, None);
    let map = guessed("a.csv", "id,pred,correct\n1,yes,\n2,no,\n");
    assert_eq!(
        map.score.as_deref(),
        Some("correct"),
        "it may have values later"
    );
    let map = guessed("a.csv", "id,label,pred,correct\n1,yes,yes,\n2,no,no,1\n");
    assert_eq!(map.score.as_deref(), Some("correct"));
}

#[test]
fn boxes_are_answers_and_scores_have_the_metric_of_their_column() {
    let row = r#"{"id": 1, "expression": "the hat", "gt_box": [0, 0, 10, 10], "pred_box": [0, 0, 10, 20]}"#;
    let map = guessed("a.jsonl", &format!("{row}\n{row}\n"));
    assert_eq!(map.response.as_deref(), Some("pred_box"));
    assert_eq!(map.question.as_deref(), Some("expression"));
    let (records, problems) = through("a.jsonl", row, Some(map));
    assert_eq!(problems.len(), 0, "{problems:?}");
    assert_eq!(records[0].0.response.as_deref(), Some("[0,0,10,20]"));
    let map = ColumnMap {
        sample_id: Some("id".to_owned()),
        score: Some("result.mIoU".to_owned()),
        ..ColumnMap::default()
    };
    let (records, _) = through(
        "a.jsonl",
        r#"{"id": 1, "result": {"mIoU": 0.5}}"#,
        Some(map),
    );
    assert_eq!(records[0].0.metric.as_deref(), Some("miou"));
}

#[test]
fn a_confidence_is_no_score_and_numbers_of_classes_are_equal_or_not() {
    let rows: String = (1..9)
        .map(|at| format!("{at},{},{},0.{at}7\n", at % 3, at % 2))
        .collect();
    let map = guessed("a.csv", &format!("id,label,prediction,score\n{rows}"));
    assert_eq!(
        (map.score.as_deref(), map.tags.as_slice()),
        (None, ["score".to_owned()].as_slice())
    );
    assert_eq!(map.fixed["metric"], "accuracy");
    let (records, problems) = through("a.csv", "id,label,prediction\n1,0,0\n2,3,4\n3,3,3\n", None);
    assert_eq!(problems.len(), 0, "{problems:?}");
    assert!(
        records
            .iter()
            .all(|(record, _)| record.metric.as_deref() == Some("accuracy"))
    );
    // Counts, distances, and right or wrong scores.
    assert!(
        guessed("a.csv", "id,question,label,pred\n1,How many?,3,4\n")
            .fixed
            .is_empty()
    );
    assert!(
        guessed("a.csv", "id,label,pred\n1,3.5,4\n")
            .fixed
            .is_empty()
    );
    // Graded scores for responses that differ from the targets.
    let graded: String = (1..9)
        .map(|at| format!("{at},a cat {at},the cat,0.{at}7\n"))
        .collect();
    let map = guessed("a.csv", &format!("id,reference,prediction,score\n{graded}"));
    assert_eq!(map.score.as_deref(), Some("score"));
    let marked: String = (1..9).map(|at| format!("{at},a,b,{}\n", at % 2)).collect();
    let map = guessed("a.csv", &format!("id,label,prediction,score\n{marked}"));
    assert_eq!(map.score.as_deref(), Some("score"));
}

#[test]
fn a_column_that_tells_repeated_rows_apart_is_no_tag() {
    let rows = |column: &str, values: [&str; 2], same: bool| {
        let rows = (0..40).flat_map(|id| values.map(|value| (id, value)));
        let rows = rows.map(|(id, value)| {
            let value = if same { values[0] } else { value };
            format!(
                "{id},yes,{},{value},{}\n",
                if id % 3 == 0 { "yes" } else { "no" },
                id % 4
            )
        });
        format!("id,label,pred,{column},level\n{}", rows.collect::<String>())
    };
    let map = guessed("a.csv", &rows("style", ["short", "long"], false));
    assert_eq!(
        (map.condition, map.tags),
        (vec!["style".to_owned()], vec!["level".to_owned()])
    );
    let map = guessed("a.csv", &rows("engine", ["a", "b"], false));
    assert_eq!(
        (map.model.as_deref(), map.condition.len()),
        (Some("engine"), 0)
    );
    let map = guessed("a.csv", &rows("subset", ["easy", "hard"], false));
    assert_eq!(map.ability.as_deref(), Some("subset"));
    // None of the columns distinguishes the rows.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    std::fs::write(&path, rows("style", ["short", "long"], true)).unwrap();
    let table = unmapped(&path).unwrap();
    assert_eq!(table.guess.tags, ["style", "level"]);
    let doubts = table.doubts(&table.guess).join(" ");
    assert!(
        doubts.contains("40 of 80 rows have the sample, model and condition"),
        "{doubts}"
    );
}

#[test]
fn pictures_as_keys_are_no_models() {
    let row = |at: usize| {
        format!(
            "\"val_{at}.JPEG\": {{\"true_class\": {}, \"pred_class\": 1, \"confidence\": 0.{at}1}}",
            at % 2
        )
    };
    let rows: Vec<String> = (1..6).map(row).collect();
    let map = guessed("a.json", &format!("{{{}}}", rows.join(", ")));
    assert_eq!(map.kind, None);
    assert_eq!(map.target.as_deref(), Some("true_class"));
    assert_eq!(map.response.as_deref(), Some("pred_class"));
}

#[test]
fn a_summary_with_keys_does_not_look_like_results() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("expected.json");
    let likeness = |text: &str| {
        std::fs::write(&path, text).unwrap();
        unmapped(&path).map_or(0, |table| table.likeness())
    };
    let row = |name: &str, rest: &str| format!("\"{name}\": {{\"score\": 0.5, \"n\": 4{rest}}}");
    let object = |rest: &str| {
        let rows = ["a", "b", "c", "d"].map(|name| row(name, rest));
        format!("{{{}}}", rows.join(", "))
    };
    assert_eq!(likeness(&object("")), 0);
    assert!(likeness(&object(", \"question\": \"Which?\"")) > 0);
}
