//! Tests with complete logs of Inspect, with logs built here, and with damaged logs.

use std::fs;
use std::io::{Cursor, Write};

use proptest::prelude::*;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::InspectAi;
use crate::testing::{CollectingSink, damaged, fixture, read_all};
use record::{ImageRef, Target};

/// Returns the path of a fixture log.
fn log(part: &str) -> std::path::PathBuf {
    let folders = ["logs", "logs_killed", "logs_v0.3.112"];
    let files = folders.iter().flat_map(|folder| {
        let folder = fixture("inspect_ai").join(folder);
        fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
    });
    let mut found: Vec<_> = files
        .filter(|path| path.to_str().unwrap().contains(part))
        .collect();
    assert_eq!(found.len(), 1, "{part}: {found:?}");
    found.remove(0)
}

/// Builds an archive with these members.
fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let packed = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    for (name, content) in members {
        writer.start_file(*name, packed).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// Reads a log with these bytes.
fn read(bytes: &[u8], ending: &str) -> CollectingSink {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(format!("log.{ending}"));
    fs::write(&path, bytes).unwrap();
    read_all(&InspectAi, &path)
}

const HEADER: &[u8] = br#"{"status": "success", "eval": {"task": "t", "model": "m"}}"#;

#[test]
fn moved_texts_and_pictures_are_put_back() {
    let found = read_all(&InspectAi, &log("logs/2026-11-21T00-26-03"));
    assert_eq!((found.records.len(), found.problems.len()), (18, 0));
    let (record, line) = &found.records[4];
    assert_eq!((record.sample_id.as_str(), *line), ("color-4", 5));
    assert_eq!(record.content.question, "What color are the triangles?");
    let choices: Vec<&str> = record
        .content
        .choices
        .iter()
        .map(|choice| choice.text.as_str())
        .collect();
    assert_eq!(choices, ["red", "blue", "green", "yellow"]);
    assert_eq!(record.content.target, Some(Target::Text("A".to_owned())));
    assert_eq!(record.response.as_deref(), Some("I am not sure."));
    assert_eq!(
        record.parsed.as_deref(),
        Some(""),
        "the scorer could read no letter"
    );
    let is_picture = |image: &ImageRef| matches!(image, ImageRef::Inline(text) if text.starts_with("data:image/png"));
    assert!(record.content.images.iter().all(is_picture) && record.content.images.len() == 1);
    let length = fs::metadata(log("logs/2026-11-21T00-26-03")).unwrap().len();
    assert!(found.bytes <= length, "progress beyond the end");
}

#[test]
fn old_versions_keep_pictures_in_messages_and_answers_in_choices() {
    let found = read_all(&InspectAi, &log("logs_v0.3.112/2026-11-21T00-26-57"));
    let (record, _) = &found.records[0];
    assert!(record.content.question.starts_with("Rate it 0-1."));
    assert!(!record.content.question.contains("(Image)"));
    assert!(matches!(&record.content.images[..], [ImageRef::Inline(_)]));
    assert!(
        record
            .response
            .as_deref()
            .is_some_and(|text| text.ends_with("ok"))
    );
    assert_eq!(record.content.target, Some(Target::Number(0.5)));
}

#[test]
fn a_killed_run_keeps_its_samples() {
    let found = read_all(&InspectAi, &log("logs_killed/"));
    assert_eq!(found.records.len(), 9);
    assert!(found.figures.is_empty());
    assert_eq!(found.records[0].0.metric.as_deref(), Some("accuracy"));
    assert!(
        matches!(&found.problems[..], [what] if what.contains("started")),
        "{:?}",
        found.problems
    );
}

#[test]
fn an_archive_without_its_directory_is_read_up_to_where_it_breaks_off() {
    let whole = fs::read(log("logs_v0.3.112/2026-11-21T00-26-41")).unwrap();
    let found = read(&whole[..whole.len() / 2], "eval");
    assert!(
        (10..54).contains(&found.records.len()),
        "{}",
        found.records.len()
    );
    assert!(
        found.problems[0].contains("damaged"),
        "{:?}",
        found.problems
    );
    let packed = fs::read(log("logs/2026-11-21T00-26-10")).unwrap();
    let found = read(&packed[..packed.len() / 2], "eval");
    assert!(
        (10..54).contains(&found.records.len()),
        "{}",
        found.records.len()
    );
}

#[test]
fn a_bad_sample_is_a_problem_with_its_name() {
    let members: [(&str, &[u8]); 4] = [
        (
            "samples/1_epoch_1.json",
            br#"{"id": 1, "scores": {"s": {"value": NaN}}, "output": {"completion": "x"}}"#,
        ),
        ("samples/2_epoch_1.json", br#"{"id": 2, "#),
        ("samples/3_epoch_1.json", br#"{"epoch": 1}"#),
        ("header.json", HEADER),
    ];
    let found = read(&archive(&members), "eval");
    assert_eq!(found.records.len(), 1);
    assert!(found.records[0].0.stored.is_some_and(f64::is_nan));
    let starts = |place: &str| found.problems.iter().any(|what| what.starts_with(place));
    assert!(
        starts("2_epoch_1.json:0:") && starts("3_epoch_1.json:0:"),
        "{:?}",
        found.problems
    );
}

#[test]
fn a_sample_in_pieces_has_the_messages_that_it_names_and_no_others() {
    let shell =
        br#"{"id": 1, "epoch": 1, "target": "x", "message_refs": [[0, 18446744073709551615]]}"#;
    let members: [(&str, &[u8]); 3] = [
        ("header.json", HEADER),
        ("samples/1_epoch_1/sample.json", shell),
        (
            "samples/1_epoch_1/messages/0.json",
            br#"[{"role": "user", "content": "What?"}, {"role": "assistant", "content": "x"}]"#,
        ),
    ];
    let found = read(&archive(&members), "eval");
    assert_eq!(found.records.len(), 1, "{:?}", found.problems);
    let (record, _) = &found.records[0];
    let sent = record.content.sent.as_ref().unwrap();
    assert_eq!(sent.messages.len(), 1, "up to the answer");
}

#[test]
fn a_member_that_unpacks_without_end_is_refused() {
    let large = vec![b' '; (base::limits::Limit::Member.get() + 2) as usize];
    let members: [(&str, &[u8]); 3] = [
        ("header.json", HEADER),
        ("samples/1_epoch_1.json", &large),
        ("samples/2_epoch_1.json", br#"{"id": 2, "target": "x"}"#),
    ];
    let found = read(&archive(&members), "eval");
    assert_eq!(found.records.len(), 1);
    assert!(
        matches!(&found.problems[..], [what] if what.contains("more than 64 MiB")),
        "{:?}",
        found.problems
    );
}

#[test]
fn several_scores_of_one_sample_stand_beside_each_other() {
    let found = read_all(&InspectAi, &log("logs/2026-11-21T00-26-10"));
    let (record, _) = &found.records[0];
    assert_eq!(
        (record.metric.as_deref(), record.stored),
        (Some("count_exact"), Some(0.0))
    );
    let beside = [("abs_err", 1.0), ("exact", 0.0), ("includes", 0.0)];
    assert_eq!(
        record.beside,
        beside.map(|(name, score)| (name.to_owned(), score))
    );
}

/// Returns logs of every kind, for the damage tests.
fn logs() -> Vec<(Vec<u8>, &'static str)> {
    let files = [
        "logs/2026-11-21T00-26-21",
        "logs/2026-11-21T00-26-22",
        "logs_v0.3.112/2026-11-21T00-26-56",
    ];
    let ending = |path: &std::path::Path| match path.extension().unwrap().to_str().unwrap() {
        "json" => "json",
        _ => "eval",
    };
    files
        .map(|part| (fs::read(log(part)).unwrap(), ending(&log(part))))
        .to_vec()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Reading a damaged log must end.
    #[test]
    fn damage_never_panics(
        which in 0_usize..3,
        hits in proptest::collection::vec(any::<(prop::sample::Index, u8, u8)>(), 1..8),
    ) {
        let (bytes, ending) = logs().swap_remove(which);
        let found = read(&damaged(&bytes, &hits), ending);
        // An additional or missing bracket can turn a part of a sample into another sample. This
        // can happen only once per part.
        prop_assert!(found.records.len() <= 50);
    }

    /// Damages the JSON of a sample in an otherwise valid archive.
    #[test]
    fn damaged_samples_never_panic(hits in proptest::collection::vec(any::<(prop::sample::Index, u8, u8)>(), 1..8)) {
        let sample = br#"{"id": "a", "epoch": 1, "input": [{"role": "user", "content": [{"type": "text", "text": "q"}, {"type": "image",
            "image": "attachment://0"}]}], "choices": ["x", "y"], "target": ["A"], "messages": [], "output": {"choices": [{"message":
            {"content": "attachment://1"}}]}, "scores": {"s": {"value": {"k": 1, "l": "C"}, "answer": null}, "t": {"value": [1, NaN]}},
            "metadata": {"n": 3, "deep": {"x": 1}}, "attachments": {"0": "data:image/png;base64,AA", "1": "text"}}"#;
        let members: [(&str, &[u8]); 2] = [("header.json", HEADER), ("samples/a_epoch_1.json", &damaged(sample, &hits))];
        let found = read(&archive(&members), "eval");
        prop_assert_eq!(found.records.len() + found.problems.len(), 1);
    }
}
