use std::path::Path;

use super::*;
use crate::testing::{CollectingSink, fixture};
use record::verdict::{Entry, SampleKey, Verdict};
use record::{Record, Role, Target, Value};

/// Reads all logs below a path, except superseded ones.
fn read(path: &Path) -> CollectingSink {
    let mut collected = CollectingSink::default();
    let mut files = crate::find(&[path.to_path_buf()]).0;
    let context = Context::default();
    for unit in crate::plan(&mut files, &context) {
        if !unit.superseded {
            crate::read(&unit, &context, None, &mut collected);
        }
    }
    collected
}

fn read_fixture(name: &str) -> Vec<Record> {
    let found = read(&fixture("annotations").join(name));
    assert_eq!(found.problems, [] as [&str; 0]);
    found
        .records
        .into_iter()
        .map(|(record, _)| record)
        .collect()
}

/// Writes a text to a file in a new folder, and reads the folder.
fn read_text(name: &str, text: &str) -> CollectingSink {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
    read(folder.path())
}

fn boxes(record: &Record) -> Vec<(&str, [f64; 4])> {
    let boxes = record.content.boxes.iter();
    boxes.map(|it| (it.label.as_str(), it.xyxy)).collect()
}

fn tag(record: &Record, name: &str) -> f64 {
    match record.content.tags.get(name) {
        Some(Value::Number(number)) => *number,
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn annotations_have_no_answer_and_no_score() {
    for name in ["label_studio", "coco", "yolo", "voc", "kitti", "cvat"] {
        let records = read(&fixture("annotations").join(name)).records;
        assert!(!records.is_empty(), "{name}");
        for (record, _) in records {
            assert_eq!(record.model, MODEL);
            assert!(record.response.is_none() && record.detections.is_none());
            assert!(record.stored.is_some_and(f64::is_nan));
            assert!(
                record
                    .content
                    .boxes
                    .iter()
                    .all(|it| it.role == Role::Target)
            );
        }
    }
}

#[test]
fn label_studio_counts_percent_of_the_picture() {
    let records = read_fixture("label_studio");
    assert_eq!(records.len(), 6);
    let first = &records[0];
    assert_eq!(boxes(first), [("triangle", [36.0, 21.0, 72.0, 57.0])]);
    assert_eq!(
        first.content.images,
        [record::ImageRef::Path("color_000.png".to_owned())]
    );
    assert_eq!(
        first.content.target,
        Some(Target::Text("1 triangle".to_owned()))
    );
    assert_eq!(
        (tag(first, "count_triangle"), tag(first, "medium")),
        (1.0, 1.0)
    );
}

#[test]
fn the_small_export_of_label_studio_is_read() {
    let row = |person: u8, x: u8| {
        format!(
            r#"{{"image": "/data/upload/1/0a1b2c3d-x.png", "id": 7, "annotator": {person}, "annotation_id": {x}, "label": [{{"x": {x}, "y": 20, "width": 30, "height": 10, "rotation": 0, "rectanglelabels": ["cat"], "original_width": 200, "original_height": 100}}]}}"#
        )
    };
    let other = r#"{"image": "y.png", "id": 8, "annotator": 1, "annotation_id": 3, "kind": {"choices": ["dog"]}}"#;
    let text = format!("[{},\n{},\n{other}]", row(1, 10), row(2, 20));
    let found = read_text("project.json", &text);
    assert_eq!(found.problems, [] as [&str; 0]);
    let records: Vec<&Record> = found.records.iter().map(|(record, _)| record).collect();
    assert_eq!(records.len(), 3);
    assert_eq!(boxes(records[0]), [("cat", [20.0, 20.0, 80.0, 30.0])]);
    assert_eq!(boxes(records[1]), [("cat", [40.0, 20.0, 100.0, 30.0])]);
    assert_ne!(records[0].condition, records[1].condition, "two people");
    assert_eq!(
        records[2].content.target,
        Some(Target::Text("dog".to_owned()))
    );
}

#[test]
fn shapes_choices_and_people_of_label_studio_are_read() {
    let region = |kind: &str, value: &str| {
        format!(
            r#"{{"id": "r", "type": "{kind}", "original_width": 200, "original_height": 100, "value": {value}}}"#
        )
    };
    let ours = [
        region(
            "polygonlabels",
            r#"{"points": [[10, 10], [20, 10], [15, 50]], "polygonlabels": ["a"]}"#,
        ),
        region(
            "ellipselabels",
            r#"{"x": 50, "y": 50, "radiusX": 10, "radiusY": 20, "ellipselabels": ["b"]}"#,
        ),
        region(
            "rectanglelabels",
            r#"{"x": 50, "y": 10, "width": 10, "height": 20, "rotation": 90, "rectanglelabels": ["c"]}"#,
        ),
        region(
            "keypointlabels",
            r#"{"x": 50, "y": 10, "width": 1, "keypointlabels": ["d"]}"#,
        ),
    ];
    let task = |id: &str, annotations: &str| {
        format!(
            r#"{{"id": {id}, "data": {{"image": "s3://bucket/f/x.png"}}, "annotations": [{annotations}]}}"#
        )
    };
    let annotation =
        |person: u8, result: &str| format!(r#"{{"completed_by": {person}, "result": [{result}]}}"#);
    let choice = region("choices", r#"{"choices": ["cat"]}"#);
    let tasks = [
        task("1", &annotation(1, &ours.join(", "))),
        task(
            "2",
            &format!("{}, {}", annotation(1, &choice), annotation(2, &choice)),
        ),
        task("3", r#"{"was_cancelled": true, "result": []}"#),
        task(
            "4",
            &annotation(
                1,
                &region(
                    "rectanglelabels",
                    r#"{"x": "?", "height": 1, "y": 0, "width": 1}"#,
                ),
            ),
        ),
    ];
    let found = read_text("project.json", &format!("[{}]", tasks.join(",\n")));
    let records: Vec<&Record> = found.records.iter().map(|(record, _)| record).collect();
    assert_eq!(records.len(), 3);
    let near = |(label, xyxy): (&str, [f64; 4])| format!("{label} {:?}", xyxy.map(f64::round));
    let read: Vec<String> = boxes(records[0]).into_iter().map(near).collect();
    let expected = [
        "a [20.0, 10.0, 40.0, 50.0]",
        "b [80.0, 30.0, 120.0, 70.0]",
        "c [80.0, 10.0, 100.0, 30.0]",
    ];
    assert_eq!(read, expected);
    assert_eq!(records[1].ability, "classification");
    assert_eq!(
        records[1].content.target,
        Some(Target::Text("cat".to_owned()))
    );
    assert_ne!(records[1].condition, records[2].condition);
    let problems = found.problems.join("\n");
    for words in [
        "project.json:4: `x` of a region",
        "1 task without annotation",
    ] {
        assert!(problems.contains(words), "{problems}");
    }
}

#[test]
fn coco_keeps_the_names_of_results_and_marks_crowds() {
    let records = read_fixture("coco");
    let first = &records[0];
    let names = [&first.benchmark, &first.ability, &first.sample_id];
    assert_eq!(names, ["coco", "detection", "1"]);
    let expected = [
        ("dog", [1.0, 2.0, 21.0, 32.0]),
        ("dog, region", [0.0, 0.0, 200.0, 200.0]),
    ];
    assert_eq!(boxes(first), expected);
    assert_eq!((tag(first, "objects"), tag(first, "small")), (1.0, 1.0));
    assert_eq!(
        records[1].content.target,
        Some(Target::Text("nothing".to_owned()))
    );
}

#[test]
fn yolo_labels_are_pixels_only_with_their_pictures() {
    let records = read_fixture("yolo");
    let expected = [
        ("square", [0.375, 0.25, 0.625, 0.75]),
        ("circle", [0.94, 0.45, 1.0, 0.55]),
    ];
    assert_eq!(records.len(), 1);
    for ((label, read), (class, xyxy)) in boxes(&records[0]).into_iter().zip(expected) {
        assert_eq!(label, class);
        assert!(
            read.iter().zip(xyxy).all(|(a, b)| (a - b).abs() < 1e-9),
            "{read:?}"
        );
    }
    assert!(!records[0].content.tags.contains_key("small"));
    let folder = tempfile::tempdir().unwrap();
    for part in [
        "shapes.yaml",
        "labels/val/val_0001.txt",
        "images/val/val_0001.png",
    ] {
        let to = folder.path().join(part);
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::fs::copy(fixture("ultralytics").join(part), to).unwrap();
    }
    let found = read(folder.path());
    let [(record, _)] = found.records.as_slice() else {
        panic!("{:?}", found.problems);
    };
    assert_eq!(
        (record.benchmark.as_str(), record.sample_id.as_str()),
        ("shapes", "val_0001")
    );
    let [(label, [x0, ..])] = boxes(record)[..] else {
        panic!("{record:?}");
    };
    assert_eq!((label, x0.round()), ("circle", 30.0));
    assert_eq!(record.content.tags.get("split"), Some(&"val".into()));
}

#[test]
fn voc_kitti_and_cvat_are_read() {
    let voc = read_fixture("voc");
    let expected = [
        ("person", [8.0, 10.0, 40.0, 74.0]),
        ("dog", [50.0, 60.0, 60.5, 70.0]),
    ];
    assert_eq!(boxes(&voc[0]), expected);
    assert_eq!(
        voc[0].content.images,
        [record::ImageRef::Path("a & b.jpg".to_owned())]
    );
    assert_eq!(
        (
            voc.len(),
            voc[0].benchmark.as_str(),
            voc[1].sample_id.as_str()
        ),
        (2, "voc", "b")
    );
    let kitti = read_fixture("kitti");
    assert_eq!(
        (
            kitti.len(),
            boxes(&kitti[0]).len(),
            tag(&kitti[0], "objects")
        ),
        (2, 3, 2.0)
    );
    let cvat = read_fixture_with_problem();
    let expected = [
        ("circle", [10.0, 20.0, 30.0, 60.0]),
        ("triangle", [40.0, 10.0, 60.0, 30.5]),
        ("square", [0.0, 30.0, 40.0, 50.0]),
    ];
    for ((label, read), (class, xyxy)) in boxes(&cvat[0]).into_iter().zip(expected) {
        assert_eq!(label, class);
        assert!(
            read.iter().zip(xyxy).all(|(a, b)| (a - b).abs() < 1e-9),
            "{read:?}"
        );
    }
    assert_eq!(cvat[0].content.tags.get("split"), Some(&"Train".into()));
    assert_eq!(
        cvat[1].content.target,
        Some(Target::Text("empty".to_owned()))
    );
}

/// Reads the CVAT fixture, and checks the problem about its skipped point.
fn read_fixture_with_problem() -> Vec<Record> {
    let found = read(&fixture("annotations/cvat"));
    assert_eq!(found.problems.len(), 1, "{:?}", found.problems);
    assert!(found.problems[0].contains("1 shape without an area"));
    found
        .records
        .into_iter()
        .map(|(record, _)| record)
        .collect()
}

#[test]
fn damaged_files_cost_only_what_is_damaged() {
    let cvat = std::fs::read_to_string(fixture("annotations/cvat/annotations.xml")).unwrap();
    let end = cvat.find("<image id=\"1\"").unwrap();
    let cut = read_text("annotations.xml", &cvat[..end + 20]);
    assert_eq!(cut.records.len(), 1);
    assert!(
        cut.problems
            .iter()
            .any(|it| it.starts_with("annotations.xml:13:")),
        "{:?}",
        cut.problems
    );
    let odd = read_text(
        "annotations.xml",
        &cvat.replace("xtl=\"10.00\"", "xtl=\"?\""),
    );
    assert_eq!(odd.records.len(), 1);
    assert!(
        odd.problems
            .iter()
            .any(|it| it.contains(":5: `xtl` is not a number")),
        "{:?}",
        odd.problems
    );
    let voc = std::fs::read_to_string(fixture("annotations/voc/Annotations/a.xml")).unwrap();
    for text in [&voc[..voc.len() / 2], &voc.replace("<ymin>10", "<ymin>x")] {
        let found = read_text("set/Annotations/a.xml", text);
        assert_eq!(
            (found.records.len(), found.problems.len()),
            (0, 1),
            "{:?}",
            found.problems
        );
    }
    let kitti = std::fs::read_to_string(fixture("annotations/kitti/label_2/000000.txt")).unwrap();
    let found = read_text("set/label_2/0.txt", &kitti.replace(" 143.00", ""));
    assert_eq!(
        found.problems,
        ["0.txt:2: 14 values where an object has 15: the picture is left out"]
    );
    let first = kitti.lines().next().unwrap();
    for (name, text) in [
        ("set/data/0.txt", format!("{first} 0.9\n")),
        (
            "set/comp4_det_val_dog.txt",
            "0 0.9 48 24 195 371\n".to_owned(),
        ),
    ] {
        let found = read_text(name, &text);
        let what = "boxes with scores are not read in this layout: write them as COCO results";
        let file = name.rsplit('/').next().unwrap();
        assert_eq!(found.problems, [format!("{file}:0: {what}")], "{name}");
        assert!(found.records.is_empty(), "{name}");
    }
}

#[test]
fn annotations_of_lvis_have_the_benchmark_of_its_results() {
    let text = r#"{"images": [{"id": 1, "coco_url": "http://a/val2017/1.jpg", "height": 9, "width": 9,
        "neg_category_ids": [], "not_exhaustive_category_ids": []}],
        "categories": [{"id": 5, "name": "cup", "frequency": "r"}],
        "annotations": [{"id": 1, "image_id": 1, "category_id": 5, "bbox": [1, 2, 3, 4], "area": 12,
            "segmentation": [[1, 2, 4, 2, 4, 6]]}]}"#;
    let found = read_text("set/val.json", text);
    assert_eq!(found.problems, [] as [&str; 0]);
    let [(record, _)] = found.records.as_slice() else {
        panic!("{:?}", found.records.len());
    };
    assert_eq!(record.benchmark, "lvis");
    assert_eq!(boxes(record), [("cup", [1.0, 2.0, 4.0, 6.0])]);
}

#[test]
fn a_yolo_picture_with_the_name_of_another_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    for part in ["labels/a", "labels/b"] {
        let to = folder.path().join(part);
        std::fs::create_dir_all(&to).unwrap();
        std::fs::write(to.join("0.txt"), "0 0.5 0.5 0.5 0.5\n").unwrap();
    }
    let found = read(folder.path());
    assert_eq!(found.records.len(), 1);
    let [problem] = found.problems.as_slice() else {
        panic!("{:?}", found.problems);
    };
    assert!(
        problem.contains("another picture is called 0: left out"),
        "{problem}"
    );
}

#[test]
fn annotations_are_set_aside_next_to_logs_of_models() {
    let folder = tempfile::tempdir().unwrap();
    let copy = |name: &str| {
        let to = folder.path().join(Path::new(name).file_name().unwrap());
        std::fs::copy(fixture(name), to).unwrap();
    };
    copy("annotations/label_studio/project.json");
    assert_eq!(read(folder.path()).records.len(), 6);
    let line = r#"{"sample_id": "a", "ability": "x", "model": "m", "score": 1}"#;
    std::fs::write(folder.path().join("a.eyechart.jsonl"), line).unwrap();
    let mut files = crate::find(&[folder.path().to_path_buf()]).0;
    let units = crate::plan(&mut files, &Context::default());
    let set_aside: Vec<bool> = units.iter().map(|unit| unit.superseded).collect();
    assert_eq!(set_aside, [false, true]);
    let why = units.iter().map(|unit| {
        why_unread(&record::Source {
            format: unit.format,
            superseded: unit.superseded,
            ..record::Source::default()
        })
    });
    assert_eq!(why.collect::<Vec<_>>(), [None, Some(SET_ASIDE)]);
}

#[test]
fn endings_in_capitals_are_read_too() {
    let voc = "<annotation><filename>a.jpg</filename><size><width>9</width><height>9</height></size>\
        <object><name>cat</name><bndbox><xmin>1</xmin><ymin>1</ymin><xmax>4</xmax><ymax>4</ymax></bndbox></object>\
        </annotation>";
    for name in ["Annotations/a.xml", "Annotations/a.XML"] {
        assert_eq!(read_text(name, voc).records.len(), 1, "{name}");
    }
}

/// Writes verdicts into a file and returns the new content.
fn written(
    tool: Tool,
    original: &str,
    verdicts: &[(&str, Verdict)],
    dropped: &[Verdict],
) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("original.json");
    std::fs::write(&path, original).unwrap();
    let entry = |(id, verdict): &(&str, Verdict)| {
        let key = SampleKey {
            sample_id: (*id).to_owned(),
            benchmark: String::new(),
            ability: String::new(),
            ..SampleKey::default()
        };
        Entry::now(key, *verdict, "see b.png \u{1b}", "ada")
    };
    let entries: Vec<Entry> = verdicts.iter().map(entry).collect();
    let named = entries
        .iter()
        .map(|entry| (entry.sample.sample_id.clone(), entry));
    let back = WriteBack {
        tool,
        entries: named.collect(),
        dropped,
    };
    String::from_utf8(back.apply(&path).unwrap().text).unwrap()
}

/// Removes inserted parts from a text, so that the rest can be compared with the original.
fn without(text: &str, inserted: &[&str]) -> String {
    inserted.iter().fold(text.to_owned(), |text, part| {
        assert!(text.contains(part), "{part} in {text}");
        text.replace(part, "")
    })
}

#[test]
fn verdicts_of_every_tool_are_read_back_with_the_same_boxes() {
    let flagged = [Verdict::WrongLabel];
    for (tool, name, judged, kept) in [
        (
            Tool::LabelStudio,
            "annotations/label_studio/project.json",
            "2",
            "3",
        ),
        (Tool::Coco, "annotations/coco/instances_val.json", "1", "2"),
        (
            Tool::FiftyOne,
            "fiftyone/samples.json",
            "data/counting_001.png",
            "data/color_000.png",
        ),
    ] {
        let original = std::fs::read_to_string(fixture(name)).unwrap();
        let file = Path::new(name).file_name().unwrap().to_str().unwrap();
        let verdicts = [(judged, Verdict::WrongLabel), (kept, Verdict::Ok)];
        let marked = written(tool, &original, &verdicts, &[]);
        let [before, after] = [&original, &marked].map(|text| read_text(file, text).records);
        assert_eq!(before.len(), after.len(), "{name}");
        for ((before, _), (after, _)) in before.iter().zip(&after) {
            let id = after.sample_id.as_str();
            let verdict = verdicts.iter().find(|(judged, _)| *judged == id);
            assert_eq!(before.content.boxes, after.content.boxes, "{name}");
            assert_eq!(before.detections, after.detections, "{name}");
            assert_eq!(before.content.images, after.content.images, "{name}");
            let tags = &after.content.tags;
            if tool == Tool::FiftyOne {
                let is_wrong = Value::Flag(id == judged);
                assert_eq!(tags.get("eyechart_wrong_label"), Some(&is_wrong), "{name}");
            } else {
                let expected = verdict.map(|(_, verdict)| verdict.name().into());
                assert_eq!(tags.get("eyechart_verdict"), expected.as_ref(), "{name}");
            }
        }
        assert_eq!(
            written(tool, &marked, &verdicts, &[]),
            marked,
            "{name}: written twice"
        );
        let rest = read_text(file, &written(tool, &original, &verdicts, &flagged)).records;
        let ids = |records: &[(Record, u64)]| {
            let ids = records.iter().map(|(record, _)| record.sample_id.clone());
            ids.collect::<Vec<_>>()
        };
        let expected: Vec<String> = ids(&before).into_iter().filter(|id| id != judged).collect();
        assert_eq!(ids(&rest), expected, "{name}");
        assert!(expected.len() < before.len(), "{name}");
    }
}

#[test]
fn all_other_bytes_of_a_file_stay() {
    let tasks = "[ {\"id\": 1, \"x\": 1e400,\n \"data\": {}}, {\"id\": 2, \"data\": {\"image\":\"a.png\"}} ,{\"id\":3}]";
    let all = [
        ("1", Verdict::Ok),
        ("2", Verdict::BadImage),
        ("3", Verdict::Ok),
        ("4", Verdict::Ok),
    ];
    let note = r#""eyechart_note": "see b.png \u001b""#;
    let marked = written(Tool::LabelStudio, tasks, &all, &[]);
    let first = format!(r#""eyechart_verdict": "ok", {note}"#);
    let second = format!(r#", "eyechart_verdict": "bad_image", {note}"#);
    assert_eq!(without(&marked, &[&first, &second]), tasks);
    let two = written(Tool::LabelStudio, tasks, &all, &[Verdict::BadImage]);
    assert_eq!(two.matches("\"id\"").count(), 2);
    assert!(two.ends_with("} ,{\"id\":3}]"), "{two}");

    let coco = r#"{"info": NaN, "images": [{"id": "1"}, {"id": 2.0}, {"id": 3}], "annotations": [
        {"image_id": 1, "attributes": {"occluded": true}}, {"image_id": 2, "score": 1.10}, {"image_id": 3}]}"#;
    let marked = written(
        Tool::Coco,
        coco,
        &[("1", Verdict::Ok), ("2", Verdict::WrongLabel)],
        &[],
    );
    let one = format!(r#", "eyechart_verdict": "ok", {note}"#);
    let two = format!(r#", "attributes": {{"eyechart_verdict": "wrong_label", {note}}}"#);
    let of_picture = format!(r#", "eyechart_verdict": "wrong_label", {note}"#);
    assert_eq!(marked.matches(&one).count(), 2, "{marked}");
    assert_eq!(without(&marked, &[&one, &two, &of_picture]), coco);
    let rest = written(
        Tool::Coco,
        coco,
        &[("1", Verdict::Ok), ("3", Verdict::Ok)],
        &[Verdict::Ok],
    );
    assert_eq!(
        rest,
        "{\"info\": NaN, \"images\": [{\"id\": 2.0}], \"annotations\": [\n        {\"image_id\": 2, \"score\": 1.10}]}"
    );

    let samples = r#"{"samples": [{"filepath": "a", "tags": ["x", "eyechart_ok"], "u": -Infinity}, {"filepath": "b", "tags": null}]}"#;
    let marked = written(
        Tool::FiftyOne,
        samples,
        &[("a", Verdict::WrongLabel), ("b", Verdict::Ok)],
        &[],
    );
    assert_eq!(
        marked,
        r#"{"samples": [{"filepath": "a", "tags": ["x", "eyechart_wrong_label"], "u": -Infinity}, {"filepath": "b", "tags": ["eyechart_ok"]}]}"#
    );
}

#[test]
fn files_of_other_tools_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.json");
    for (tool, text, what) in [
        (
            Tool::LabelStudio,
            "{}",
            "invalid type: map, expected a sequence",
        ),
        (Tool::Coco, "{\"images\": []}", "no list `annotations`"),
        (
            Tool::Coco,
            "{\"images\": [{\"id\": 1}",
            "the file is cut short in this entry",
        ),
        (Tool::FiftyOne, "[]", "no list `samples`"),
    ] {
        std::fs::write(&path, text).unwrap();
        let back = WriteBack {
            tool,
            entries: std::collections::BTreeMap::new(),
            dropped: &[],
        };
        assert_eq!(back.apply(&path).unwrap_err(), what, "{text}");
    }
}
