//! Tests of writing, reading, damaged files and checksums.

use std::fs;
use std::path::{Path, PathBuf};

use polars_core::df;
use polars_core::prelude::*;
use polars_io::prelude::*;
use serde_json::{Value as Json, json};

use super::{Column as Values, ColumnStatistics, Damage, Error, Form, TableFile, Writer};

const MOST: u64 = 64 << 20;
const FORMS: [Form; 2] = [Form::Parquet, Form::Arrow];

/// Writes bytes to a file in a temporary folder.
fn file(bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    fs::write(&path, bytes).unwrap();
    (folder, path)
}

/// Returns a file with three parts of `rows` rows each. The columns are a text, a number, and a
/// text with nulls.
fn written(form: Form, rows: usize) -> Vec<u8> {
    let columns = ["id", "score", "tag.\u{1b}[31m"].map(|name| (name.to_owned(), name == "score"));
    let mut bytes = Vec::new();
    let mut writer = Writer::new(form, &mut bytes, &columns).unwrap();
    for part in 0..3 {
        let numbers = part * rows..(part + 1) * rows;
        let ids = numbers
            .clone()
            .map(|n| Some(format!("{:x}", n * 7_919).into()));
        let scores = numbers
            .clone()
            .map(|n| (n % 2 == 0).then_some(n as f64 / 4.0));
        let tags = numbers.map(|n| (n % 3 == 0).then(|| format!("\u{1b}]0;{n}\u{7}").into()));
        let columns = vec![
            Values::Text(ids.collect()),
            Values::Number(scores.collect()),
            Values::Text(tags.collect()),
        ];
        writer.write(columns).unwrap();
    }
    writer.finish().unwrap();
    bytes
}

#[test]
fn a_file_says_which_texts_a_column_of_a_part_holds_and_how_many_it_lacks() {
    let columns = ["one", "some", "none", "number"].map(|name| (name.to_owned(), name == "number"));
    let mut bytes = Vec::new();
    let mut writer = Writer::new(Form::Parquet, &mut bytes, &columns).unwrap();
    for texts in [["b", "b"], ["d", "c"]] {
        let one = texts.map(|text| Some(text.into())).to_vec();
        let some = vec![Some(texts[0].into()), None];
        let numbers = Values::Number(vec![Some(1.0), Some(f64::NAN)]);
        let none = Values::Text(vec![None, None]);
        writer
            .write(vec![Values::Text(one), Values::Text(some), none, numbers])
            .unwrap();
    }
    writer.finish().unwrap();
    let (_folder, path) = file(&bytes);
    let mut opened = TableFile::open(&path, MOST).unwrap();
    let known = |nulls, texts: Option<(&str, &str)>| ColumnStatistics {
        nulls: Some(nulls),
        texts: texts.map(|(first, last)| (first.to_owned(), last.to_owned())),
    };
    for (part, ends) in [("b", "b"), ("c", "d")].into_iter().enumerate() {
        assert_eq!(opened.rows(part).unwrap(), 2);
        let said = |column| opened.known(part, column).unwrap();
        assert_eq!(said("one"), known(0, Some(ends)));
        let own = ["b", "d"][part];
        assert_eq!(said("some"), known(1, Some((own, own))));
        assert_eq!(said("none"), known(2, None));
        assert_eq!(said("number"), known(0, None));
        assert_eq!(said("no such column"), ColumnStatistics::default());
    }
    let (_folder, path) = file(&written(Form::Arrow, 4));
    let opened = TableFile::open(&path, MOST).unwrap();
    assert_eq!(opened.known(0, "id").unwrap(), ColumnStatistics::default());
}

type Rows = Vec<(u64, Vec<Json>)>;

fn rows(path: &Path, wanted: impl Fn(&str) -> bool) -> Result<(Rows, Vec<Damage>), Error> {
    let (mut rows, mut damages) = (Vec::new(), Vec::new());
    for batch in TableFile::open(path, MOST)?.batches(wanted) {
        match batch {
            Ok(batch) => {
                let numbered = |row| Ok((batch.number(row), batch.row(row)?));
                let part: Result<Rows, Error> = (0..batch.rows()).map(numbered).collect();
                rows.extend(part?);
            }
            Err(damage) => damages.push(damage),
        }
    }
    Ok((rows, damages))
}

/// Returns a data frame as a file.
fn frame(form: Form, frame: &mut DataFrame) -> Vec<u8> {
    let mut bytes = Vec::new();
    match form {
        Form::Parquet => drop(ParquetWriter::new(&mut bytes).finish(frame).unwrap()),
        Form::Arrow => IpcWriter::new(&mut bytes).finish(frame).unwrap(),
    }
    bytes
}

#[test]
fn what_is_written_is_read_with_its_rows_in_their_places() {
    for form in FORMS {
        let (_folder, path) = file(&written(form, 5));
        let table = TableFile::open(&path, MOST).unwrap();
        assert_eq!(table.columns(), ["id", "score", "tag.\u{1b}[31m"]);
        assert_eq!(table.parts(), 3);
        assert_eq!(
            table.first_rows(1).unwrap(),
            [[json!("0"), json!(0.0), json!("\u{1b}]0;0\u{7}")]]
        );
        let (rows, damages) = rows(&path, |name| name != "score").unwrap();
        assert!(damages.is_empty());
        assert_eq!(rows.len(), 15);
        assert_eq!(rows[6], (7, vec![json!("b99a"), json!("\u{1b}]0;6\u{7}")]));
        assert_eq!(rows[14], (15, vec![json!("1b112"), Json::Null]));
        let (none, _) = self::rows(&path, |_| false).unwrap();
        assert_eq!(none.len(), 15);
    }
}

#[test]
fn cells_of_every_type_become_json() {
    let list = |numbers: &[f64]| Series::new("".into(), numbers);
    let person = df!("name" => ["a", "b"], "picture" => [b"png".as_slice(), b"jpg"]).unwrap();
    let (small, day) = (
        Series::new("u8".into(), [7_u8, 8]),
        Series::new("day".into(), [0_i32, 1]),
    );
    let columns = vec![
        small.into(),
        Series::new("i64".into(), [Some(i64::MAX), None]).into(),
        Series::new("f32".into(), [0.5_f32, f32::NAN]).into(),
        Series::new("flag".into(), [Some(true), None]).into(),
        Series::new("box".into(), [list(&[0.0, 0.5]), list(&[])]).into(),
        person.into_struct("person".into()).into_series().into(),
        Series::new("bytes".into(), [b"png".as_slice(), b"jpg"]).into(),
        day.cast(&DataType::Date).unwrap().into(),
        Series::new("class".into(), ["x", "y"])
            .cast(&DataType::from_categories(Categories::global()))
            .unwrap()
            .into(),
    ];
    let mut of_all = DataFrame::new_infer_height(columns).unwrap();
    for form in FORMS {
        let (_folder, path) = file(&frame(form, &mut of_all));
        let (rows, damages) = rows(&path, |_| true).unwrap();
        assert!(damages.is_empty(), "{damages:?}");
        // Only the Arrow reader keeps binary fields, as null.
        let person = match form {
            Form::Parquet => json!({"name": "a"}),
            Form::Arrow => json!({"name": "a", "picture": null}),
        };
        let first = json!([
            7,
            i64::MAX,
            0.5,
            true,
            [0.0, 0.5],
            person,
            null,
            "1970-01-01",
            "x"
        ]);
        assert_eq!(Json::Array(rows[0].1.clone()), first, "{form:?}");
        let second = &rows[1].1;
        assert_eq!(
            second[1..5],
            [Json::Null, Json::Null, Json::Null, json!([])]
        );
        assert_eq!(second[8], json!("y"));
        for (column, value) in [
            ("person", json!({"name": "a", "picture": "cG5n"})),
            ("bytes", json!("cG5n")),
        ] {
            let table = TableFile::open(&path, MOST).unwrap().with_bytes(column);
            let mut batches = table.batches(|name| name == column);
            let batch = batches.next().unwrap().unwrap();
            assert_eq!(batch.row(0).unwrap(), [value], "{form:?}");
        }
        let table = TableFile::open(&path, MOST).unwrap();
        // A struct with a picture and its name is one value.
        assert_eq!(table.paths(), table.columns());
    }
}

#[test]
fn fields_of_structs_have_paths() {
    let inner = df!("id" => [1, 2], "text" => ["a", "b"]).unwrap();
    let inner = inner.into_struct("doc".into()).into_series();
    let outer =
        DataFrame::new_infer_height(vec![inner.into(), Series::new("n".into(), [3, 4]).into()]);
    let outer = outer.unwrap().into_struct("row".into()).into_series();
    let mut all = DataFrame::new_infer_height(vec![outer.into()]).unwrap();
    for form in FORMS {
        let (_folder, path) = file(&frame(form, &mut all));
        let table = TableFile::open(&path, MOST).unwrap();
        assert_eq!(table.paths(), ["row.doc.id", "row.doc.text", "row.n"]);
    }
}

#[test]
fn damage_stays_in_its_part() {
    for form in FORMS {
        let mut bytes = written(form, 4_000);
        let middle = bytes.len() / 2;
        bytes[middle - 2_000..middle + 2_000].fill(0);
        let (_folder, path) = file(&bytes);
        let (rows, damages) = rows(&path, |_| true).unwrap();
        assert_eq!(damages.len(), 1, "{form:?}");
        assert_eq!((damages[0].row, damages[0].rows), (4_001, Some(4_000)));
        assert_eq!(rows.len(), 8_000);
        assert_eq!(rows[4_000].0, 8_001);
    }
}

#[test]
fn a_file_cut_in_half_an_empty_one_and_another_one_are_errors() {
    for form in FORMS {
        let bytes = written(form, 50);
        let (_folder, path) = file(&bytes[..bytes.len() / 2]);
        assert!(TableFile::open(&path, MOST).is_err(), "{form:?}");
    }
    for bytes in [b"".as_slice(), b"sample_id,model\n", b"PAR", b"ARROW"] {
        let (_folder, path) = file(bytes);
        let opened = TableFile::open(&path, MOST);
        assert!(matches!(opened, Err(Error::Form)), "{bytes:?}");
    }
}

#[test]
fn a_table_without_rows_has_columns() {
    for form in FORMS {
        let mut none = df!("a" => Vec::<String>::new(), "b" => Vec::<f64>::new()).unwrap();
        let (_folder, path) = file(&frame(form, &mut none));
        let table = TableFile::open(&path, MOST).unwrap();
        assert_eq!(table.columns(), ["a", "b"]);
        assert!(table.first_rows(1).unwrap().is_empty());
        assert!(rows(&path, |_| true).unwrap().0.is_empty());
    }
}

#[test]
fn a_part_that_claims_too_much_memory_is_not_read() {
    for form in FORMS {
        let mut same = df!("a" => vec!["x".repeat(400_000); 1_500]).unwrap();
        let (_folder, path) = file(&frame(form, &mut same));
        let batch = TableFile::open(&path, 1 << 10)
            .unwrap()
            .batches(|_| true)
            .next();
        let damage = batch.unwrap().err().unwrap();
        assert!(matches!(damage.error, Error::Huge), "{form:?}: {damage:?}");
    }
}

#[test]
fn no_damaged_byte_makes_it_panic() {
    for form in FORMS {
        let whole = written(form, 20);
        for place in (0..whole.len()).step_by(3) {
            for with in [0, 0x7f, 0xff] {
                let mut bytes = whole.clone();
                bytes[place] ^= with;
                let (_folder, path) = file(&bytes);
                let _ = rows(&path, |_| true).map(|(rows, _)| assert!(rows.len() < 1_000));
            }
        }
    }
}

/// Other readers, such as those of polars, read the same values.
#[test]
fn other_readers_read_what_was_written() {
    for form in FORMS {
        let (_folder, path) = file(&written(form, 100));
        let file = fs::File::open(path).unwrap();
        let frame = match form {
            Form::Parquet => ParquetReader::new(file).finish(),
            Form::Arrow => IpcReader::new(file).finish(),
        };
        let frame = frame.unwrap();
        assert_eq!(frame.height(), 300);
        let scores = frame.column("score").unwrap().f64().unwrap().clone();
        let total = (0..300).step_by(2).map(f64::from).sum::<f64>() / 4.0;
        assert_eq!(scores.iter().flatten().sum::<f64>(), total);
        assert_eq!(scores.null_count(), 150);
        let tags = frame.column("tag.\u{1b}[31m").unwrap().clone();
        assert_eq!(tags.null_count(), 200);
    }
}

#[test]
fn a_flipped_bit_in_the_data_of_a_written_file_is_found() {
    let bytes = written(Form::Parquet, 40);
    let is_intact = |bytes: &[u8]| {
        let (_folder, path) = file(bytes);
        TableFile::open(&path, MOST).unwrap().is_intact().unwrap()
    };
    assert!(is_intact(&bytes));
    let end = u32::from_le_bytes(*bytes[..bytes.len() - 4].last_chunk().unwrap()) as usize;
    for at in (4..bytes.len() - 8 - end).step_by(37) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 4;
        assert!(!is_intact(&damaged), "byte {at}");
    }
    // Files written by other programs have no checksum.
    let mut other = Vec::new();
    let mut frame = df!("id" => ["a"]).unwrap();
    ParquetWriter::new(&mut other).finish(&mut frame).unwrap();
    assert!(is_intact(&other));
    assert!(is_intact(&written(Form::Arrow, 4)));
}

#[test]
fn values_and_bytes_are_read_below_a_path() {
    let mut bytes = Vec::new();
    let picture = |bytes: &[u8]| Series::new("bytes".into(), [Some(bytes), None]);
    let lists = [picture(b"one"), picture(b"two")].map(|series| {
        let rows = df!("bytes" => series, "path" => [None, Some("a.png")]).unwrap();
        rows.into_struct("image".into()).into_series()
    });
    let images = Series::new("images".into(), lists);
    let doc = df!("images" => images, "query" => ["Which?", "What?"]).unwrap();
    let doc = doc.into_struct("doc".into()).into_series();
    let mut frame = df!("doc" => doc, "score" => [1, 2]).unwrap();
    ParquetWriter::new(&mut bytes).finish(&mut frame).unwrap();
    let (_folder, path) = file(&bytes);
    let mut table = TableFile::open(&path, MOST).unwrap();
    let batch = table.part(0, |name| name == "doc").unwrap();
    assert_eq!(
        batch.value(1, &["doc", "query"]).unwrap(),
        Some(json!("What?"))
    );
    let paths = json!([{"bytes": null, "path": null}, {"bytes": null, "path": "a.png"}]);
    assert_eq!(batch.value(0, &["doc", "images"]).unwrap(), Some(paths));
    for absent in [
        &["doc", "answer"][..],
        &["doc", "query", "x"],
        &["score"],
        &[],
    ] {
        assert_eq!(batch.value(0, absent).unwrap(), None, "{absent:?}");
    }
    let path = ["doc", "images", "bytes"];
    assert_eq!(batch.bytes(1, &path).unwrap(), [b"two".to_vec()]);
    assert!(batch.bytes(0, &["doc", "images"]).unwrap().is_empty());
    assert!(batch.bytes(2, &path).unwrap().is_empty());
}
