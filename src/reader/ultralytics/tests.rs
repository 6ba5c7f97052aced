use std::path::Path;

use super::*;
use crate::Context;
use crate::testing::{CollectingSink, fixture, read_all, units};
use analysis::metric::detection::{
    DetectionMetric, MatchedPicture, Pool, Size, match_boxes, thresholds,
};
use record::Record;

/// Computes a metric over the records of a model.
fn figure(found: &CollectingSink, model: &str, metric: &str) -> f64 {
    let records = found.records.iter().map(|(record, _)| record);
    let of_model = records.filter(|record| record.model == model);
    let matched = |record: &Record| {
        let detections = record.detections.as_ref().unwrap();
        match_boxes(detections, &thresholds(), Size::All)
    };
    let pictures: Vec<MatchedPicture> = of_model.map(matched).collect();
    let (_, metric) = DetectionMetric::COCO
        .into_iter()
        .find(|(name, _)| *name == metric)
        .unwrap();
    metric.value(&Pool::new(&pictures), None).unwrap()
}

/// Copies the fixture to a temporary folder. Paths that contain one of `without` are not copied.
fn copy(without: &[&str]) -> tempfile::TempDir {
    let (from, to) = (fixture(FORMAT), tempfile::tempdir().unwrap());
    for entry in walkdir::WalkDir::new(&from).into_iter().flatten() {
        let path = entry.path().strip_prefix(&from).unwrap();
        let name = path.to_string_lossy();
        if entry.file_type().is_file() && !without.iter().any(|part| name.contains(part)) {
            std::fs::create_dir_all(to.path().join(path).parent().unwrap()).unwrap();
            std::fs::copy(entry.path(), to.path().join(path)).unwrap();
        }
    }
    to
}

#[test]
fn boxes_and_truth_have_the_ap_of_pycocotools() {
    let found = read_all(&Ultralytics, &fixture(FORMAT));
    assert_eq!(found.problems, [] as [&str; 0]);
    assert_eq!(found.records.len(), 48);
    for model in ["yolo11n_last", "yolo11n_last_txt"] {
        let near = |metric, value: f64| (figure(&found, model, metric) - value).abs() < 5e-5;
        assert!(near("ap", 0.36067), "{}", figure(&found, model, "ap"));
        assert!(near("ap50", 0.59372), "{}", figure(&found, model, "ap50"));
    }
    let (record, _) = &found.records[0];
    assert_eq!(
        (record.benchmark.as_str(), record.sample_id.as_str()),
        ("shapes", "val_0000")
    );
    let picture = record::ImageRef::Path("images/val/val_0000.png".to_owned());
    assert_eq!(record.content.images, [picture]);
}

#[test]
fn the_last_epoch_holds_the_figures_of_a_training() {
    let found = read_all(&Ultralytics, &fixture("ultralytics/runs/train"));
    let figures: Vec<_> = found
        .figures
        .iter()
        .map(|it| (it.metric.as_str(), it.score))
        .collect();
    let expected = [
        ("metrics/precision(B)", 1.0),
        ("metrics/recall(B)", 0.13311),
        ("metrics/mAP50(B)", 0.5942),
        ("metrics/mAP50-95(B)", 0.36031),
    ];
    assert_eq!(figures, expected);
    let first = &found.figures[0];
    let names = [&first.benchmark, &first.model, &first.ability];
    assert_eq!(names, ["shapes", "train", "detection"]);
    assert!(first.by_harness && first.higher_is_better == Some(true));
}

fn figures(text: &str) -> (Vec<(String, String, f64)>, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("results.csv"), text).unwrap();
    let found = read_all(&Ultralytics, folder.path());
    let figures = found
        .figures
        .into_iter()
        .map(|it| (it.ability, it.metric, it.score));
    (figures.collect(), found.problems)
}

#[test]
fn padded_names_masks_poses_and_classes_are_read() {
    let (found, problems) = figures(
        "                  epoch,   metrics/mAP50(B),  metrics/mAP50(M), metrics/mAP50(P), metrics/accuracy_top1\n\
         0, 0.1, 0.1, 0.1, 0.1\n    1,   0.25,  0.5, 0.75, nan\n",
    );
    let abilities: Vec<_> = found
        .iter()
        .map(|(it, _, score)| (it.as_str(), *score))
        .collect();
    assert_eq!(
        abilities,
        [
            ("detection", 0.25),
            ("instance_segmentation", 0.5),
            ("keypoints", 0.75)
        ]
    );
    assert_eq!(
        problems,
        ["results.csv:3: `metrics/accuracy_top1` is not a finite number"]
    );
}

#[test]
fn masks_without_annotated_masks_are_told_and_boxes_still_count() {
    let folder = copy(&["_txt"]);
    let path = folder.path().join("runs/yolo11n_last/predictions.json");
    let rows = std::fs::read_to_string(&path).unwrap();
    let runs = r#""segmentation": {"size": [96, 96], "counts": "PQ2"}, "bbox""#;
    std::fs::write(&path, rows.replace("\"bbox\"", runs)).unwrap();
    let found = read_all(&Ultralytics, folder.path());
    let what = "shapes.yaml has no `segmentation`: no score for instance_segmentation";
    assert_eq!(found.problems, [format!("predictions.json:0: {what}")]);
    assert_eq!(found.records.len(), 24);
    assert!((figure(&found, "yolo11n_last", "ap") - 0.36067).abs() < 5e-5);
}

#[test]
fn a_last_epoch_cut_short_gives_no_figure() {
    let (found, problems) = figures("epoch,metrics/mAP50(B),lr\n1,0.5,1\n2,0.6");
    assert!(found.is_empty());
    assert_eq!(problems.len(), 1, "{problems:?}");
    let (found, problems) = figures("epoch,metrics/mAP50(B),lr\n");
    assert_eq!((found.len(), problems.len()), (0, 1));
}

#[test]
fn coco_annotations_with_other_ids_fit_by_file_name() {
    let folder = copy(&["labels", "yaml"]);
    let images: Vec<String> = (0..24)
        .map(|at| {
            format!(
                r#"{{"id": {}, "file_name": "val_{at:04}.png", "width": 96, "height": 96}}"#,
                at + 7
            )
        })
        .collect();
    let truth = format!(
        r#"{{"images": [{}], "categories": [{{"id": 1, "name": "circle"}}, {{"id": 2, "name": "square"}}, {{"id": 3, "name": "triangle"}}],
            "annotations": [{{"id": 1, "image_id": 7, "category_id": 3, "bbox": [49, 43, 33, 35], "area": 1155}}]}}"#,
        images.join(", ")
    );
    std::fs::write(folder.path().join("instances_val.json"), truth).unwrap();
    let found = read_all(&Ultralytics, folder.path());
    assert_eq!(found.problems, [] as [&str; 0]);
    assert_eq!(found.records.len(), 24);
    assert!((figure(&found, "yolo11n_last", "ap50") - 1.0).abs() < 1e-9);
}

#[test]
fn classes_are_also_counted_from_zero_and_as_in_coco() {
    let folder = copy(&["_txt"]);
    let path = folder.path().join("runs/yolo11n_last/predictions.json");
    let mut text = std::fs::read_to_string(&path).unwrap();
    for class in 1..=3 {
        let old = format!("\"category_id\": {class},");
        text = text.replace(&old, &format!("\"category_id\": {},", class - 1));
    }
    std::fs::write(&path, text).unwrap();
    let found = read_all(&Ultralytics, folder.path());
    assert!((figure(&found, "yolo11n_last", "ap") - 0.36067).abs() < 5e-5);
    let names: String = (0..80).map(|at| format!("  {at}: c{at}\n")).collect();
    let yaml = folder.path().join("coco.yaml");
    std::fs::write(&yaml, format!("val: val2017.txt\nnames:\n{names}")).unwrap();
    let set = data_set::DataSet::read(&yaml).unwrap();
    let code = read::codes(&set, &mut std::iter::empty());
    assert_eq!([0, 10, 11, 79].map(code), [1, 11, 13, 90]);
}

#[test]
fn without_truth_or_pictures_there_is_no_score() {
    for (without, words) in [
        (["yaml", "-"], "name their folder with --data"),
        (["images/", "-"], "24 pictures not found"),
    ] {
        let folder = copy(&without);
        let found = read_all(&Ultralytics, folder.path());
        assert!(found.records.is_empty(), "{without:?}");
        let problems = found.problems.join("\n");
        let of_plan = units(&Ultralytics, folder.path());
        let of_plan = of_plan.into_iter().filter_map(|unit| unit.problem);
        let problems = problems + &of_plan.collect::<String>();
        assert!(problems.contains(words), "{problems}");
    }
}

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).unwrap();
}

#[test]
fn odd_rows_are_reported_and_cost_no_other() {
    let folder = copy(&["_last/"]);
    write(
        folder.path(),
        "runs/yolo11n_last_txt/labels/val_0001.txt",
        "0 0.5 0.5 1 1 0.5\n0 x\n",
    );
    write(folder.path(), "labels/val/val_0002.txt", "9 0.5 0.5 1 1\n");
    let found = read_all(&Ultralytics, folder.path());
    assert_eq!(
        found.records.len(),
        23,
        "the picture with a bad label is left out"
    );
    let problems = found.problems.join("\n");
    for words in [
        "val_0001.txt:2: `x` is not a number",
        "val_0002.txt:1: no class 9",
    ] {
        assert!(problems.contains(words), "{problems}");
    }
    assert_eq!(
        found.records[1].0.detections.as_ref().unwrap().found.len(),
        1
    );
}

#[test]
fn a_list_of_pictures_leads_nowhere_else() {
    let folder = copy(&["runs/yolo11n_last_txt", "runs/train"]);
    let list: String = (0..24)
        .map(|at| format!("./images/val/val_{at:04}.png\n"))
        .collect();
    let outside = folder.path().join("outside.png");
    std::fs::copy(folder.path().join("images/val/val_0000.png"), &outside).unwrap();
    let inner = folder.path().join("set");
    std::fs::create_dir(&inner).unwrap();
    for part in ["images", "labels", "shapes.yaml"] {
        std::fs::rename(folder.path().join(part), inner.join(part)).unwrap();
    }
    write(&inner, "val.txt", &format!("{list}{}\n", outside.display()));
    write(
        &inner,
        "shapes.yaml",
        "val: val.txt\nnames: [circle, square, triangle]\n",
    );
    let set = data_set::DataSet::read(&inner.join("shapes.yaml")).unwrap();
    let samples = set.samples("val");
    let found = samples.iter().filter(|sample| sample.picture.is_some());
    assert_eq!((samples.len(), found.count()), (25, 24));
}

#[test]
fn labels_of_unrelated_data_sets_are_listed_and_set_aside() {
    let folder = copy(&["train"]);
    let other = folder.path().join("other");
    std::fs::create_dir_all(other.join("labels")).unwrap();
    std::fs::write(other.join("labels/street.txt"), "0 0.5 0.5 0.5 0.5\n").unwrap();
    let mut files = crate::find(&[folder.path().to_path_buf()]).0;
    let units = crate::plan(&mut files, &Context::default());
    let truths = units.iter().filter(|unit| unit.format == "yolo labels");
    let truths: Vec<_> = truths
        .map(|unit| (unit.path.strip_prefix(&other).ok(), unit.superseded))
        .collect();
    assert_eq!(truths, [(Some(Path::new("labels/street.txt")), true)]);
    assert_eq!(units.len(), 3, "two runs and the other data set");
}

#[test]
fn predictions_without_confidence_are_no_annotations() {
    let folder = copy(&["runs/yolo11n_last/", "runs/train", "runs/yolo11n_last_txt"]);
    std::fs::create_dir_all(folder.path().join("runs/detect/predict2/labels")).unwrap();
    write(
        folder.path(),
        "runs/detect/predict2/labels/val_0000.txt",
        "0 0.5 0.5 0.5 0.5\n",
    );
    let mut files = crate::find(&[folder.path().to_path_buf()]).0;
    let units = crate::plan(&mut files, &Context::default());
    let runs = units.iter().filter(|unit| unit.format == FORMAT);
    let runs: Vec<_> = runs
        .map(|unit| (unit.model.as_deref(), unit.problem.as_deref()))
        .collect();
    let reason = "the predicted boxes have no confidence, so no score can be computed; predict again with save_conf=True";
    assert_eq!(runs, [(Some("predict2"), Some(reason))]);
}
