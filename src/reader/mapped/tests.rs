//! Tests of tables with other column names, read through column maps.

use std::path::Path;

use super::{MappedTables, guess, unmapped};
use crate::testing::CollectingSink;
use crate::{Context, Reader as _, find, plan};
use base::config::ColumnMap;
use record::{Record, Target, Value};

const CSV: &str = "qid,Model Name,category,prompt,gt,pred,is_correct,difficulty\n\
    q1,m,counting,\"how many, then?\",3,three,True,2\n\
    q2,m,counting,which?,\"[0.1,0.2,0.3,0.4]\",\"\",False,1\n\
    q3,m,counting,which?,red,blue,maybe,1\n";
const LINES: &str = "{\"id\": 7, \"meta\": {\"task\": \"ocr\", \"source\": \"web\"}, \"options\": [\"cat\", \"dog\"], \"answer\": \"A\", \"output\": null}\n\
    {\"id\": 8, \"meta\": {\"task\": \"ocr\"}, \"answer\": [\"x\", \"y\"], \"output\": \"B\"}\n{\"id\": 9, \"me";

/// Reads a file through a map; by default, the guessed one.
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
        Some(Target::Text("x, y".to_owned()))
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

#[test]
fn names_are_guessed_and_the_rest_splits() {
    let columns = ["idx", "split", "input", "answer", "model_output", "note"].map(str::to_owned);
    let long = "x".repeat(100);
    let examples = ["1", "val", "?", "a", "b", long.as_str()].map(str::to_owned);
    let map = guess(&columns, &examples);
    assert_eq!(map.sample_id.as_deref(), Some("idx"));
    assert_eq!(map.question.as_deref(), Some("input"));
    assert_eq!(map.target.as_deref(), Some("answer"));
    assert_eq!(map.response.as_deref(), Some("model_output"));
    assert_eq!(map.tags, ["split"]);
}
