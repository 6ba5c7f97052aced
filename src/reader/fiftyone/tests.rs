use std::path::Path;

use record::{ImageRef, Target, Value};
use serde_json::{Value as Json, json};

use super::FiftyOne;
use crate::testing::{CollectingSink, fixture, read_all};

fn sample(name: &str, more: Json) -> Json {
    let mut sample = json!({
        "_id": {"$oid": "1"}, "_media_type": "image", "filepath": format!("data/{name}.png"),
        "tags": ["hard", "val"], "metadata": {"_cls": "ImageMetadata", "width": 200, "height": 100},
        "ground_truth": boxes(&[json!({"label": "cat", "bounding_box": [0.1, 0.2, 0.3, 0.4]})]),
        "yolo": boxes(&[json!({"label": "cat", "bounding_box": [0.1, 0.2, 0.3, 0.4], "confidence": 0.5})]),
    });
    for (key, value) in more.as_object().unwrap() {
        sample[key] = value.clone();
    }
    sample
}

fn boxes(detections: &[Json]) -> Json {
    json!({"_cls": "Detections", "detections": detections})
}

fn class(label: &str, confidence: Option<f64>) -> Json {
    json!({"_cls": "Classification", "label": label, "confidence": confidence})
}

fn read(samples: &[Json], metadata: &Json) -> CollectingSink {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: String| std::fs::write(folder.path().join(name), text).unwrap();
    write("samples.json", json!({"samples": samples}).to_string());
    write("metadata.json", metadata.to_string());
    read_all(&FiftyOne, folder.path())
}

fn plain(samples: &[Json]) -> CollectingSink {
    read(samples, &json!({"name": "set", "sample_fields": []}))
}

#[test]
fn the_figures_are_those_of_fiftyone() {
    let found = read_all(&FiftyOne, &fixture("fiftyone"));
    assert_eq!(found.problems, Vec::<String>::new());
    let figures: Vec<_> = (found.figures.iter())
        .map(|it| (it.model.as_str(), it.metric.as_str(), it.score))
        .collect();
    assert!(
        figures.contains(&("predictions", "tp", 33.0)),
        "{figures:?}"
    );
    assert!(figures.contains(&("predictions", "fp", 0.0)));
    assert!(figures.contains(&("predictions", "fn", 4.0)));
    assert!(figures.contains(&("predictions", "recall", 33.0 / 37.0)));
    let of = |ability: &str| {
        let records = found.records.iter().map(|(record, _)| record);
        records
            .filter(|it| it.ability == ability)
            .cloned()
            .collect::<Vec<_>>()
    };
    let classes = of("classification");
    assert!(
        classes
            .iter()
            .all(|it| it.model == "pred_class" && it.benchmark == "shapes")
    );
    let right: f64 = classes.iter().filter_map(|it| it.stored).sum();
    assert_eq!((right, classes.len()), (16.0, 24));
    let pictures = of("detection");
    let objects = |of: fn(&record::Detections) -> usize| -> usize {
        pictures
            .iter()
            .filter_map(|it| it.detections.as_ref())
            .map(of)
            .sum()
    };
    assert_eq!(
        (objects(|it| it.truth.len()), objects(|it| it.found.len())),
        (37, 33)
    );
    let first = pictures[0].detections.as_ref().unwrap();
    assert_eq!(first.truth[0].xywh, [36.0, 21.0, 36.0, 36.0]);
    assert_eq!(first.found[0].score, 0.9);
    let content = &pictures[0].content;
    assert_eq!(
        content.images,
        [ImageRef::Path("data/color_000.png".to_owned())]
    );
    assert_eq!(content.tags["split"], "validation".into());
    assert_eq!(content.tags["easy"], Value::Flag(true));
    assert_eq!(content.tags["uniqueness"], Value::Number(0.4));
    assert!(!content.tags.contains_key("eval_tp"));
}

#[test]
fn the_truth_is_found_by_evaluation_name_or_confidence() {
    let samples = [sample("a", json!({}))];
    assert_eq!(plain(&samples).records[0].0.model, "yolo");
    let evaluation = json!({"name": "set", "sample_fields": [], "evaluations": {
        "e": {"config": {"gt_field": "human", "pred_field": "yolo"}},
    }});
    let human = boxes(&[json!({"label": "cat", "bounding_box": [0, 0, 1, 1], "confidence": 1})]);
    let found = read(&[sample("a", json!({"human": human}))], &evaluation);
    let truth = &found.records[0].0.detections.as_ref().unwrap().truth;
    assert_eq!(truth[0].xywh, [0.0, 0.0, 200.0, 100.0]);
    let classes =
        json!({"a": class("x", None), "b": class("x", Some(0.5)), "c": class("y", Some(0.5))});
    let both = [
        sample("a", classes.clone()),
        sample(
            "b",
            json!({"a": class("y", None), "b": class("x", Some(0.1)), "c": class("y", Some(0.1))}),
        ),
    ];
    let found = plain(&both);
    let told: Vec<_> = (found
        .records
        .iter()
        .filter(|it| it.0.ability == "classification"))
    .map(|(it, _)| (it.model.as_str(), it.stored.unwrap()))
    .collect();
    assert_eq!(told, [("b", 1.0), ("c", 0.0), ("b", 0.0), ("c", 1.0)]);
    assert_eq!(
        found.records[1].0.content.target,
        Some(Target::Text("x".to_owned()))
    );
}

#[test]
fn fields_that_are_no_predictions_give_no_score() {
    let weather = json!({"gt": class("cat", None), "guess": class("cat", None), "weather": class("rain", None)});
    let bare = boxes(&[json!({"label": "cat", "bounding_box": [0.1, 0.2, 0.3, 0.4]})]);
    for (more, expected) in [
        (
            weather,
            "`weather` has no class of `gt`: it is not read as a prediction",
        ),
        (
            json!({"yolo": bare}),
            "`yolo` has no `confidence`: no average precision, only the metrics of FiftyOne",
        ),
        (
            json!({"ground_truth": null, "other": boxes(&[json!({"label": "dog", "bounding_box": [0, 0, 1, 1], "confidence": 1})])}),
            "cannot tell which field holds the ground truth; skipped: `other`, `yolo`",
        ),
        (
            json!({"shape": {"_cls": "Polylines"}}),
            "`shape`: Polylines is not supported yet; left out",
        ),
    ] {
        let found = plain(&[sample("a", more)]);
        let expected = format!("samples.json:0: {expected}");
        assert!(found.problems.contains(&expected), "{:?}", found.problems);
        assert!(found.records.iter().all(|it| it.0.model != "weather"));
    }
    let masked = json!({"label": "cat", "bounding_box": [0, 0, 1, 1], "mask": {"$binary": {}}});
    let found = plain(&[sample("a", json!({"ground_truth": boxes(&[masked])}))]);
    assert_eq!(
        found.problems,
        [
            "samples.json:0: `ground_truth`: masks are not supported yet; 1 object with a mask scored by its box"
        ]
    );
}

#[test]
fn a_truth_without_predictions_is_opened_for_an_audit() {
    let found = plain(&[sample(
        "a",
        json!({"yolo": null, "kind": class("day", None)}),
    )]);
    assert_eq!(found.problems, [] as [&str; 0]);
    let [(boxes, _), (class, _)] = found.records.as_slice() else {
        panic!("{:?}", found.records);
    };
    for record in [boxes, class] {
        assert_eq!(
            (record.model.as_str(), record.benchmark.as_str()),
            ("annotations", "set")
        );
        assert_eq!(record.sample_id, "data/a.png");
    }
    assert_eq!(
        boxes.content.boxes[0].xyxy.map(f64::round),
        [20.0, 20.0, 80.0, 60.0]
    );
    assert_eq!(class.content.target, Some(Target::Text("day".to_owned())));
}

#[test]
fn missing_fields_are_empty_only_where_they_were_evaluated() {
    let mut misspelt = sample("f", json!({"eval_tp": 0}));
    misspelt.as_object_mut().unwrap().remove("yolo");
    let evaluated = boxes(&[
        json!({"label": "cat", "bounding_box": [0, 0, 1, 1], "confidence": 1, "eval": "tp"}),
    ]);
    let found = plain(&[
        sample("a", json!({"yolo": evaluated, "eval_tp": 1})),
        sample("b", json!({"yolo": null, "eval_tp": 0})),
        sample("c", json!({"yolo": null})),
        sample("d", json!({"ground_truth": null})),
        sample("e", json!({"yolo": boxes(&[])})),
        misspelt,
    ]);
    let ids: Vec<&str> = found
        .records
        .iter()
        .map(|it| it.0.sample_id.as_str())
        .collect();
    assert_eq!(ids, ["data/a.png", "data/b.png", "data/e.png"]);
    assert_eq!(
        found.problems,
        [
            "samples.json:1: predictions without ground truth: no score",
            "samples.json:1: ground truth without a prediction, and not evaluated: not counted (2 rows)",
        ]
    );
}

#[test]
fn an_evaluated_sample_without_a_class_is_wrong() {
    let metadata = json!({"name": "set", "sample_fields": [], "evaluations": {
        "e": {"config": {"gt_field": "gt", "pred_field": "clip"}},
    }});
    let row = |name, clip: Json, verdict: Json| {
        sample(
            name,
            json!({"gt": class("cat", None), "clip": clip, "e": verdict}),
        )
    };
    let found = read(
        &[
            row("a", class("cat", Some(0.5)), json!(true)),
            row("b", Json::Null, json!(false)),
            row("c", Json::Null, Json::Null),
        ],
        &metadata,
    );
    let stored = found.records.iter().filter_map(|it| it.0.stored);
    assert_eq!(stored.collect::<Vec<_>>(), [1.0, 0.0]);
}

#[test]
fn odd_samples_cost_themselves_alone() {
    for (odd, records, what) in [
        (json!({"filepath": null}), 2, "`filepath` is missing"),
        (
            json!({"ground_truth": "cat"}),
            2,
            "`ground_truth` is not of the kind Detections",
        ),
        (
            json!({"yolo": {"_cls": "Detections", "detections": 3}}),
            2,
            "`yolo` has no list of detections",
        ),
        (
            json!({"ground_truth": boxes(&[json!({"label": "cat", "bounding_box": [0.1]})])}),
            2,
            "`bounding_box` is not x, y, width and height",
        ),
        (
            json!({"yolo": boxes(&[json!({"label": "cat", "bounding_box": [0, 0, 1, -1], "confidence": 1})])}),
            3,
            "`yolo`: `bounding_box` is not x, y, width and height",
        ),
        (
            json!({"yolo": boxes(&[json!({"label": "cat", "bounding_box": [0, 0, 1, 1]})])}),
            3,
            "`yolo`: a prediction without `confidence`",
        ),
        (
            json!({"metadata": null}),
            3,
            "no `width` and `height` in the metadata of the sample: boxes stay fractions of the picture, so metrics by size are meaningless",
        ),
    ] {
        let found = plain(&[
            sample("a", json!({})),
            sample("b", odd),
            sample("c", json!({})),
        ]);
        assert_eq!(found.records.len(), records, "{what}");
        assert_eq!(found.problems, [format!("samples.json:1: {what}")]);
    }
    let found = plain(&[json!(3), sample("a", json!({}))]);
    assert_eq!(found.records.len(), 1);
    assert_eq!(
        found.problems,
        ["samples.json:1: this element of the list is not an object"]
    );
}

#[test]
fn a_cut_file_and_missing_metadata_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(fixture("fiftyone/samples.json")).unwrap();
    std::fs::write(folder.path().join("export.json"), &text[..text.len() / 2]).unwrap();
    let found = read_all(&FiftyOne, folder.path());
    assert!(found.problems[0].starts_with("export.json:0: no metadata.json next to it"));
    assert!(
        found.problems[1].contains("cut short"),
        "{:?}",
        found.problems
    );
    let pictures = found
        .records
        .iter()
        .filter(|it| it.0.ability == "detection")
        .count();
    assert!((5..20).contains(&pictures));
    std::fs::write(folder.path().join("metadata.json"), "{\"sample_fields\": [").unwrap();
    let found = read_all(&FiftyOne, folder.path());
    assert!(
        found.problems[0].starts_with("metadata.json:"),
        "{:?}",
        found.problems
    );
    assert!(read_all(&FiftyOne, Path::new("nowhere")).records.is_empty());
}

proptest::proptest! {
    #[test]
    fn damaged_exports_are_never_fatal(
        hits in proptest::collection::vec(proptest::prelude::any::<(proptest::sample::Index, u8, u8)>(), 1..6),
    ) {
        let bytes = std::fs::read(fixture("fiftyone/samples.json")).unwrap();
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("samples.json"), crate::testing::damaged(&bytes, &hits)).unwrap();
        let found = read_all(&FiftyOne, folder.path());
        proptest::prop_assert!(found.records.len() <= 48);
    }
}
