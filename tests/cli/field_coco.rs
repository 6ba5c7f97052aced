//! Tests COCO files as written by other programs: unusual types, folders of annotations, masks
//! only.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::{arg, assert_near, eyechart, fixture, list, one, run, texts};

const EXACT: f64 = 1e-9;

fn parse(name: &str) -> Value {
    let text = fs::read_to_string(fixture("field/coco").join(name)).expect("a fixture");
    serde_json::from_str(&text).expect("JSON")
}

/// Annotations and results of the fixture.
fn plain() -> (Value, Value) {
    (parse("instances_val.json"), parse("m_bbox_results.json"))
}

fn write(path: &Path, value: &Value) {
    fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
    fs::write(path, value.to_string()).expect("a file");
}

/// Changes a field of every row of a list.
fn change(rows: &mut Value, field: &str, to: impl Fn(&Value) -> Value) {
    for row in rows.as_array_mut().expect("a list") {
        row[field] = to(&row[field]);
    }
}

fn text(value: &Value) -> Value {
    json!(value.to_string())
}

fn float(value: &Value) -> Value {
    json!(value.as_f64().expect("a number"))
}

fn stem(value: &Value) -> Value {
    json!(format!("cam_{:03}", value.as_u64().expect("a number")))
}

fn texts_of(list: &Value) -> Value {
    list.as_array().expect("a list").iter().map(text).collect()
}

/// Asserts that a report has pycocotools' figures for a model.
fn assert_figures(report: &Value, (set, model): (&str, &str), what: &str) {
    for (metric, value) in parse("expected.json")[set].as_object().expect("figures") {
        let score = one(
            list(report, "scores"),
            &[("model", model), ("metric", metric)],
        );
        let figure = value.as_f64().expect("a number");
        assert_near(&score["score"], figure, EXACT, &format!("{metric}: {what}"));
    }
}

fn problems(report: &Value) -> Vec<String> {
    let of_source = |source| texts(list(source, "problems"), "what");
    let sources = list(report, "sources").iter();
    let all = sources.flat_map(of_source).map(ToString::to_string);
    all.collect()
}

/// Report of annotations and results in one folder.
fn report(annotations: &Value, results: &Value) -> Value {
    let folder = tempfile::tempdir().expect("a folder");
    write(&folder.path().join("instances_val.json"), annotations);
    write(&folder.path().join("m_bbox_results.json"), results);
    eyechart(&["report", arg(folder.path())])
}

/// Name of a variant, and its change to annotations and results.
type Variant = (&'static str, fn(&mut Value, &mut Value));

const VARIANTS: [Variant; 18] = [
    ("as it is", |_, _| {}),
    // YOLOX and SAHI write an empty list of masks with every box.
    ("lists of masks and keypoints are empty", |_, results| {
        for field in ["segmentation", "keypoints"] {
            change(results, field, |_| json!([]));
        }
    }),
    ("ids are file stems", |truth, results| {
        change(&mut truth["images"], "id", stem);
        change(&mut truth["annotations"], "image_id", stem);
        change(results, "image_id", stem);
    }),
    ("ids of results are floats", |_, results| {
        change(results, "image_id", float);
        change(results, "category_id", float);
    }),
    ("ids of annotations are floats", |truth, _| {
        change(&mut truth["images"], "id", float);
        change(&mut truth["annotations"], "id", float);
        change(&mut truth["annotations"], "image_id", float);
        change(&mut truth["categories"], "id", float);
    }),
    ("ids of annotations are texts", |truth, _| {
        change(&mut truth["annotations"], "id", |id| {
            json!(format!("a{id}"))
        });
    }),
    ("category ids are texts", |truth, results| {
        change(&mut truth["annotations"], "category_id", text);
        change(&mut truth["categories"], "id", text);
        change(results, "category_id", text);
    }),
    ("category names are numbers", |truth, _| {
        for category in truth["categories"].as_array_mut().expect("a list") {
            category["name"] = category["id"].clone();
        }
    }),
    ("categories share one name", |truth, _| {
        change(&mut truth["categories"], "name", |_| json!(7));
    }),
    ("categories have no names", |truth, _| {
        for category in truth["categories"].as_array_mut().expect("a list") {
            category.as_object_mut().expect("an object").remove("name");
        }
    }),
    ("iscrowd is false", |truth, _| {
        change(&mut truth["annotations"], "iscrowd", |_| json!(false));
    }),
    ("iscrowd is null", |truth, _| {
        change(&mut truth["annotations"], "iscrowd", |_| Value::Null);
    }),
    ("iscrowd is a text", |truth, _| {
        change(&mut truth["annotations"], "iscrowd", |_| json!("0"));
    }),
    ("there is no iscrowd", |truth, _| {
        for row in truth["annotations"].as_array_mut().expect("a list") {
            row.as_object_mut().expect("an object").remove("iscrowd");
        }
    }),
    ("file names are null", |truth, _| {
        change(&mut truth["images"], "file_name", |_| Value::Null);
    }),
    ("areas are texts", |truth, _| {
        change(&mut truth["annotations"], "area", text);
    }),
    ("scores are texts", |_, results| {
        change(results, "score", text);
    }),
    ("boxes are texts", |truth, results| {
        change(&mut truth["annotations"], "bbox", texts_of);
        change(results, "bbox", texts_of);
    }),
];

#[test]
fn figures_are_those_of_pycocotools_whatever_the_types() {
    for (what, alter) in VARIANTS {
        let (mut truth, mut results) = plain();
        alter(&mut truth, &mut results);
        let report = report(&truth, &results);
        assert_figures(&report, ("plain", "m"), what);
        assert_eq!(problems(&report), [""; 0], "{what}");
    }
}

#[test]
fn crowds_are_crowds_whatever_the_type() {
    for (yes, no) in [
        (json!(1), json!(0)),
        (json!(true), json!(false)),
        (json!("1"), json!("0")),
        (json!(1.0), Value::Null),
    ] {
        let (mut truth, results) = plain();
        let rows = truth["annotations"].as_array_mut().expect("a list");
        for (at, row) in rows.iter_mut().enumerate() {
            row["iscrowd"] = if at % 5 == 0 { yes.clone() } else { no.clone() };
        }
        let what = yes.to_string();
        assert_figures(
            &report(&truth, &results),
            ("every_fifth_a_crowd", "m"),
            &what,
        );
    }
}

#[test]
fn digits_as_text_match_numbers_and_that_is_said() {
    let of_results: Variant = ("in the results", |_, results| {
        change(results, "image_id", text);
        change(results, "category_id", text);
    });
    let of_truth: Variant = ("in the annotations", |truth, _| {
        change(&mut truth["images"], "id", text);
        change(&mut truth["categories"], "id", text);
    });
    for (what, alter) in [of_results, of_truth] {
        let (mut truth, mut results) = plain();
        alter(&mut truth, &mut results);
        let report = report(&truth, &results);
        assert_near(
            &one(list(&report, "scores"), &[("metric", "ap50")])["score"],
            parse("expected.json")["plain"]["ap50"]
                .as_f64()
                .expect("a number"),
            // Pictures are ordered by id, which breaks ties between equal scores.
            1e-3,
            what,
        );
        let problems = problems(&report);
        assert_eq!(problems.len(), 2, "{problems:?}");
        for field in ["`image_id` of 45 rows", "`category_id` of 45 rows"] {
            assert!(problems.iter().any(|it| it.contains(field)), "{problems:?}");
        }
    }
}

/// Annotations of the same pictures without boxes or with other classes, and of other pictures.
fn others(truth: &Value) -> [(&'static str, Value); 4] {
    let mut keypoints = truth.clone();
    let first = truth["categories"][0]["id"].clone();
    for (list, field) in [("categories", "id"), ("annotations", "category_id")] {
        let rows = keypoints[list].as_array_mut().expect("a list");
        rows.retain(|row| row[field] == first);
    }
    let mut train = truth.clone();
    let beyond = |id: &Value| json!(id.as_u64().expect("a number") + 1000);
    change(&mut train["images"], "id", beyond);
    change(&mut train["annotations"], "image_id", beyond);
    let images = truth["images"].as_array().expect("a list").iter();
    let images: Vec<&Value> = images.map(|image| &image["id"]).collect();
    let captions: Vec<Value> = images
        .iter()
        .map(|id| json!({"image_id": id, "id": id, "caption": "a table"}))
        .collect();
    let segments: Vec<Value> = images
        .iter()
        .map(|id| {
            let segment = json!({"id": 1, "category_id": first, "area": 5, "bbox": [1, 2, 3, 4], "iscrowd": 0});
            json!({"image_id": id, "file_name": "1.png", "segments_info": [segment]})
        })
        .collect();
    [
        ("person_keypoints_val2017.json", keypoints),
        ("instances_train2017.json", train),
        (
            "captions_val2017.json",
            json!({"images": truth["images"], "annotations": captions}),
        ),
        (
            "panoptic_val2017.json",
            json!({"images": truth["images"], "annotations": segments, "categories": truth["categories"]}),
        ),
    ]
}

#[test]
fn annotations_are_chosen_by_fit() {
    let (truth, results) = plain();
    let others = others(&truth);
    // Test each alone and all together, with names that are sorted before and after.
    let mut sets: Vec<Vec<&(&str, Value)>> = others.iter().map(|other| vec![other]).collect();
    sets.push(others.iter().collect());
    for name in ["instances_val2017.json", "a.json", "zzz.json"] {
        for set in &sets {
            let folder = tempfile::tempdir().expect("a folder");
            let annotations = folder.path().join("annotations");
            write(&annotations.join(name), &truth);
            for (other, value) in set {
                write(&annotations.join(other), value);
            }
            write(&folder.path().join("m_bbox_results.json"), &results);
            let report = eyechart(&["report", arg(folder.path())]);
            let what = format!("{name} beside {}", set[0].0);
            assert_figures(&report, ("plain", "m"), &what);
            assert_eq!(problems(&report), [""; 0], "{what}");
            assert_eq!(report["runs"][0]["settings"]["annotations"], name);
        }
    }
}

#[test]
fn annotations_that_fit_alike_are_named() {
    let (truth, mut results) = plain();
    let keypoints = &others(&truth)[0];
    let first = truth["categories"][0]["id"].clone();
    let rows = results.as_array_mut().expect("a list");
    rows.retain(|row| row["category_id"] == first);
    let folder = tempfile::tempdir().expect("a folder");
    write(&folder.path().join("instances_val2017.json"), &truth);
    write(&folder.path().join(keypoints.0), &keypoints.1);
    write(&folder.path().join("m_bbox_results.json"), &results);
    let report = eyechart(&["report", arg(folder.path())]);
    let annotations = &report["runs"][0]["settings"]["annotations"];
    assert_eq!(annotations, "instances_val2017.json");
    assert_eq!(
        problems(&report),
        [
            "instances_val2017.json and person_keypoints_val2017.json fit its rows equally: the first is used, because it has more boxes"
        ]
    );
}

#[test]
fn annotations_that_share_no_row_give_no_score() {
    let (truth, results) = plain();
    let [_, train, captions, _] = others(&truth);
    for set in [vec![&train], vec![&train, &captions]] {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, value) in &set {
            write(&folder.path().join(name), value);
        }
        write(&folder.path().join("m_bbox_results.json"), &results);
        let report = run(&["report", arg(folder.path()), "--format", "json"]);
        assert_eq!(report.code, 1, "{}", report.stdout);
        for part in [": no score;", "--data", "instances_train2017.json"] {
            assert!(report.stderr.contains(part), "{part}: {}", report.stderr);
        }
    }
    // The results have other categories.
    let (truth, mut results) = plain();
    change(&mut results, "category_id", |_| json!("cup"));
    let folder = tempfile::tempdir().expect("a folder");
    write(&folder.path().join("instances_val.json"), &truth);
    write(&folder.path().join("m_bbox_results.json"), &results);
    let report = run(&["report", arg(folder.path())]);
    let what = "no row has a category of instances_val.json (\"cup\" here, 1 there)";
    assert!(report.stderr.contains(what), "{}", report.stderr);
}

#[test]
fn results_that_cannot_be_read_give_no_score() {
    let (truth, mut results) = plain();
    change(&mut results, "score", |_| json!("high"));
    let folder = tempfile::tempdir().expect("a folder");
    write(&folder.path().join("instances_val.json"), &truth);
    write(&folder.path().join("m_bbox_results.json"), &results);
    let check = eyechart(&["check", arg(folder.path())]);
    assert_eq!(list(&check, "sources")[0]["rows"], 0);
    let problems = problems(&check);
    assert_eq!(problems.len(), 2, "{problems:?}");
    assert!(
        problems
            .iter()
            .any(|it| it.contains("none of its 45 rows can be read"))
    );
    assert!(
        problems.iter().any(|it| it.ends_with("(45 rows)")),
        "{problems:?}"
    );
}

#[test]
fn two_runs_with_the_same_file_name_are_told_apart_by_folder() {
    let (truth, results) = plain();
    let mut worse = results.clone();
    change(&mut worse, "bbox", |of| json!([0.0, 0.0, of[2], of[3]]));
    let folder = tempfile::tempdir().expect("a folder");
    write(&folder.path().join("instances_val.json"), &truth);
    for (name, rows) in [("val", &results), ("val2", &worse)] {
        let path = format!("runs/detect/{name}/predictions.json");
        write(&folder.path().join(path), rows);
    }
    let report = eyechart(&["report", arg(folder.path())]);
    let ap = |model: &str| {
        let of_model = [("metric", "ap"), ("model", model)];
        one(list(&report, "scores"), &of_model)["score"].clone()
    };
    let expected = parse("expected.json")["plain"]["ap"].as_f64();
    assert_near(&ap("val"), expected.expect("a number"), EXACT, "val");
    assert!(ap("val2").as_f64() < ap("val").as_f64());
    assert_eq!(problems(&report), [""; 0]);
}

#[test]
fn masks_without_annotated_masks_have_no_score() {
    let (truth, mut results) = plain();
    for row in results.as_array_mut().expect("a list") {
        let row = row.as_object_mut().expect("an object");
        row.remove("bbox");
        row.insert(
            "segmentation".to_owned(),
            json!({"size": [240, 320], "counts": "abc"}),
        );
    }
    let folder = tempfile::tempdir().expect("a folder");
    write(&folder.path().join("instances_val.json"), &truth);
    write(&folder.path().join("m_segm_results.json"), &results);
    let check = eyechart(&["check", arg(folder.path())]);
    assert_eq!(
        problems(&check),
        ["instances_val.json has no `segmentation`: no score for instance_segmentation"]
    );
    assert_eq!(list(&check, "sources")[0]["rows"], 0);
}

#[test]
fn shifted_categories_and_foreign_pictures_are_one_problem_each() {
    let (truth, mut results) = plain();
    change(&mut results, "category_id", |id| {
        json!(id.as_u64().expect("a number") - 1)
    });
    let told = problems(&report(&truth, &results));
    assert_eq!(told.len(), 1, "{told:?}");
    for part in [
        "no category 0 in the annotations",
        "category ids 0 to 2 here, 1 to 3 there",
        "1 too low",
    ] {
        assert!(told[0].contains(part), "{told:?}");
    }
    let (truth, mut results) = plain();
    let rows = results.as_array_mut().expect("a list");
    for id in [901, 902, 901] {
        let mut foreign = rows[0].clone();
        foreign["image_id"] = json!(id);
        rows.push(foreign);
    }
    let report = report(&truth, &results);
    assert_eq!(
        problems(&report),
        ["no annotated picture 901, 902 (3 rows)"]
    );
    assert_figures(&report, ("plain", "m"), "foreign pictures");
}

#[test]
fn repeated_annotation_ids_are_named() {
    let (mut truth, results) = plain();
    change(&mut truth["annotations"], "id", |id| {
        json!(id.as_u64().expect("a number") % 20 + 1)
    });
    let report = report(&truth, &results);
    let told = problems(&report);
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(
        told[0].starts_with("14 annotations have the id of an earlier one"),
        "{told:?}"
    );
    assert_figures(&report, ("plain", "m"), "ids made unique");
}

/// Writes the annotations, the results of `m`, and one more file; returns the folder.
fn folder_with(name: &str, text: &str) -> tempfile::TempDir {
    let (truth, results) = plain();
    let folder = tempfile::tempdir().expect("a folder");
    write(&folder.path().join("instances_val.json"), &truth);
    write(&folder.path().join("m_bbox_results.json"), &results);
    fs::write(folder.path().join(name), text).expect("a file");
    folder
}

#[test]
fn results_of_another_shape_are_named_beside_a_model_that_is_read() {
    let (_, results) = plain();
    for (name, text) in [
        (
            "k_bbox_results.json",
            json!({"predictions": results}).to_string(),
        ),
        (
            "k_bbox_results.json",
            json!({"annotations": results}).to_string(),
        ),
        (
            "k.segm.json",
            json!([{"image_id": 1, "boxes": [[1, 2, 3, 4]], "scores": [0.5]}]).to_string(),
        ),
    ] {
        let folder = folder_with(name, &text);
        let report = eyechart(&["report", arg(folder.path())]);
        assert_figures(&report, ("plain", "m"), name);
        let problems = problems(&report);
        assert_eq!(problems.len(), 1, "{name}: {problems:?}");
        assert!(
            problems[0].starts_with("no known log format"),
            "{name}: {problems:?}"
        );
    }
}

#[test]
fn predictions_in_a_document_and_in_lines_are_results() {
    let (truth, results) = plain();
    let mut document = truth.clone();
    document["annotations"] = results;
    let folder = tempfile::tempdir().expect("a folder");
    write(&folder.path().join("instances_val.json"), &truth);
    write(&folder.path().join("m.json"), &document);
    let report = eyechart(&["report", arg(folder.path())]);
    assert_figures(&report, ("plain", "m"), "a document");
    assert_eq!(problems(&report), [""; 0]);
    let rows = document["annotations"].as_array().expect("a list").iter();
    let lines: String = rows.map(|row| format!("{row}\n")).collect();
    fs::remove_file(folder.path().join("m.json")).expect("the document");
    fs::write(folder.path().join("m.jsonl"), lines).expect("a file");
    let report = eyechart(&["report", arg(folder.path())]);
    assert_figures(&report, ("plain", "m"), "JSON lines");
}

#[test]
fn boxes_in_other_units_give_no_score() {
    /// Changes each box to `[x0 * across, y0 * down, x1 * across, y1 * down]`, with width and height
    /// in place of `x1` and `y1` if `is_size`.
    fn rewrite(results: &mut Value, [across, down]: [f64; 2], is_size: bool) {
        change(results, "bbox", |of| {
            let value = |at: usize| of[at].as_f64().expect("a number");
            let [x, y] = if is_size {
                [0.0; 2]
            } else {
                [value(0), value(1)]
            };
            json!([
                value(0) * across,
                value(1) * down,
                (value(2) + x) * across,
                (value(3) + y) * down
            ])
        });
    }
    // All pictures have 320 x 240 pixels.
    let fractions: Variant = (
        "as [x, y, width, height] in fractions of the picture",
        |_, results| {
            rewrite(results, [1.0 / 320.0, 1.0 / 240.0], true);
        },
    );
    let corners: Variant = ("as [x0, y0, x1, y1] in pixels", |_, results| {
        rewrite(results, [1.0; 2], false);
    });
    let scale: Variant = ("as [x0, y0, x1, y1] from 0 to 1000", |_, results| {
        rewrite(results, [1_000.0 / 320.0, 1_000.0 / 240.0], false);
    });
    for (what, alter) in [fractions, corners, scale] {
        let (mut truth, mut results) = plain();
        alter(&mut truth, &mut results);
        let folder = tempfile::tempdir().expect("a folder");
        write(&folder.path().join("instances_val.json"), &truth);
        write(&folder.path().join("m_bbox_results.json"), &results);
        let report = run(&["report", arg(folder.path())]);
        assert_eq!(report.code, 1, "{what}: {}", report.stdout);
        assert!(report.stderr.contains(what), "{what}: {}", report.stderr);
    }
}

#[test]
fn results_that_are_written_twice_are_told() {
    let (truth, mut results) = plain();
    let rows = results.as_array_mut().expect("a list");
    let again = rows.clone();
    rows.extend(again);
    let report = report(&truth, &results);
    let ap = &one(list(&report, "scores"), &[("metric", "ap")])["score"];
    // Figure of pycocotools, which counts each row twice.
    assert_near(ap, 0.233_003_225_118_665, EXACT, "ap");
    let told = problems(&report);
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].contains("45 rows counted twice"), "{told:?}");
}

#[test]
fn two_versions_of_annotations_are_named() {
    let (truth, results) = plain();
    let mut moved = truth.clone();
    change(&mut moved["annotations"], "bbox", |of| {
        json!([
            of[0].as_f64().expect("a number") + 40.0,
            of[1],
            of[2],
            of[3]
        ])
    });
    let folder = tempfile::tempdir().expect("a folder");
    write(&folder.path().join("instances_v1.json"), &truth);
    write(&folder.path().join("instances_v2.json"), &moved);
    write(&folder.path().join("m_bbox_results.json"), &results);
    let report = eyechart(&["report", arg(folder.path())]);
    assert_figures(&report, ("plain", "m"), "the first by name");
    assert_eq!(
        problems(&report),
        [
            "instances_v1.json and instances_v2.json fit its rows equally: the first is used, because its name comes first"
        ]
    );
    // A copy does not count as another version.
    write(&folder.path().join("instances_v2.json"), &truth);
    let report = eyechart(&["report", arg(folder.path())]);
    assert_eq!(problems(&report), [""; 0]);
}

#[test]
fn annotations_of_a_part_of_the_pictures_give_no_rank() {
    let (truth, results) = plain();
    let folder = tempfile::tempdir().expect("a folder");
    for (name, ids) in [("val_a.json", 1..9), ("val_b.json", 9..13)] {
        let mut part = truth.clone();
        for (list, field) in [("images", "id"), ("annotations", "image_id")] {
            let rows = part[list].as_array_mut().expect("a list");
            rows.retain(|row| ids.contains(&row[field].as_u64().expect("a number")));
        }
        write(&folder.path().join(name), &part);
    }
    write(&folder.path().join("m_bbox_results.json"), &results);
    let report = eyechart(&["report", arg(folder.path())]);
    let ap = one(list(&report, "scores"), &[("metric", "ap")]);
    assert_eq!((&ap["n"], &ap["rank"]), (&json!(8), &Value::Null));
    let why = ap["why_not"].as_str().expect("a reason");
    assert!(why.starts_with("21 of 45 rows"), "{why}");
}

#[test]
fn ids_with_leading_zeros_are_the_same_numbers() {
    let (truth, mut results) = plain();
    change(&mut results, "image_id", |id| {
        json!(format!("{:012}", id.as_u64().expect("a number")))
    });
    let report = report(&truth, &results);
    assert_figures(&report, ("plain", "m"), "padded");
    let told = problems(&report);
    assert!(
        told.len() == 1 && told[0].contains("`image_id` of 45 rows"),
        "{told:?}"
    );
}
