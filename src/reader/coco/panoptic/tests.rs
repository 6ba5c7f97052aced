//! Tests of panoptic segmentation. The expected figures were computed by a reimplementation of
//! panopticapi's algorithm in numpy.

use std::fs;
use std::path::Path;

use serde_json::Value as Json;

use crate::coco::Coco;
use crate::own::{parse_record, write_record};
use crate::testing::{CollectingSink, fixture, read_all};
use analysis::metric::detection::{DetectionMetric, MatchedPicture, Pool};
use record::{Detections, ImageRef, MapValues, PixelMap};

fn detections<'a>(found: &'a CollectingSink, model: &str) -> Vec<&'a Detections> {
    let records = found.records.iter().map(|(record, _)| record);
    let of_model = records.filter(|record| record.model == model);
    let all = of_model.filter(|record| record.ability == "panoptic_segmentation");
    all.filter_map(|record| record.detections.as_ref())
        .collect()
}

fn value(pictures: &[&Detections], metric: DetectionMetric) -> Option<f64> {
    let matched = pictures.iter().map(|picture| metric.matched(picture));
    let matched: Vec<MatchedPicture> = matched.collect();
    metric.value(&Pool::new(&matched), None)
}

/// Copies the fixture to a temporary folder.
fn copy() -> tempfile::TempDir {
    let (from, to) = (fixture("coco_panoptic"), tempfile::tempdir().unwrap());
    for entry in walkdir::WalkDir::new(&from).into_iter().flatten() {
        let path = to.path().join(entry.path().strip_prefix(&from).unwrap());
        if entry.file_type().is_file() {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::copy(entry.path(), path).unwrap();
        }
    }
    to
}

fn document(path: &Path) -> Json {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn figures_are_those_of_panopticapi() {
    let folder = fixture("coco_panoptic");
    let read = read_all(&Coco, &folder);
    assert_eq!(read.problems, [""; 0]);
    assert_eq!(read.records.len(), 12);
    let expected = document(&folder.join("expected.json"));
    let mut compared = 0;
    for model in ["near", "far"] {
        let pictures = detections(&read, model);
        assert_eq!(pictures.len(), 6);
        let mut metrics: Vec<(String, DetectionMetric)> = DetectionMetric::PANOPTIC
            .map(|(name, metric)| (name.to_owned(), metric))
            .into();
        for (part, metric) in DetectionMetric::PANOPTIC_PARTS {
            for (code, class) in (0..).zip(pictures[0].classes.iter()) {
                metrics.push((format!("{part}_{class}"), metric.of_class(code)));
            }
        }
        for (name, metric) in metrics {
            let known = expected[model][&name].as_f64();
            let found = value(&pictures, metric);
            let is_near = known.zip(found).is_some_and(|(a, b)| (a - b).abs() < 1e-9);
            assert!(is_near, "{model} {name}: {found:?}, expected {known:?}");
            compared += 1;
        }
    }
    assert_eq!(compared, 2 * (9 + 15));
}

#[test]
fn segments_are_maps_of_classes_that_converted_logs_keep() {
    let read = read_all(&Coco, &fixture("coco_panoptic"));
    for (record, _) in &read.records {
        let [truth, found] = record.content.maps.as_slice() else {
            panic!("{}: {:?}", record.sample_id, record.content.maps);
        };
        let path = |map: &PixelMap| match &map.values {
            MapValues::Segments {
                picture: ImageRef::Path(path),
                classes,
            } if !classes.is_empty() => path.clone(),
            other => panic!("{other:?}"),
        };
        let number = record.sample_id.parse::<u32>().unwrap();
        assert_eq!(path(truth), format!("panoptic_val/{number:06}.png"));
        assert_eq!(
            path(found),
            format!("{}_panoptic/{number:06}.png", record.model)
        );
        let text = write_record(record);
        let again = parse_record(text.as_bytes(), "").unwrap();
        assert_eq!(again.content.maps, record.content.maps);
    }
}

/// The PNGs lie next to their JSON files, so their relative paths contain no folder.
#[test]
fn the_predicted_png_is_not_shown_as_the_annotated_one() {
    let folder = copy();
    fs::remove_file(folder.path().join("far_panoptic.json")).unwrap();
    for (from, to) in [
        ("annotations/panoptic_val", "annotations"),
        ("near_panoptic", ""),
    ] {
        for entry in fs::read_dir(folder.path().join(from)).unwrap().flatten() {
            let to = folder.path().join(to).join(entry.file_name());
            fs::rename(entry.path(), to).unwrap();
        }
    }
    let read = read_all(&Coco, folder.path());
    assert_eq!(read.records.len(), 6);
    for (record, _) in &read.records {
        let [truth, found] = [0, 1].map(|at| &record.content.maps[at].values);
        assert!(matches!(truth, MapValues::Nowhere(_)), "{truth:?}");
        assert!(matches!(found, MapValues::Segments { .. }), "{found:?}");
    }
}

#[test]
fn annotations_without_predictions_are_no_log() {
    let folder = copy();
    for name in ["near_panoptic.json", "far_panoptic.json"] {
        fs::remove_file(folder.path().join(name)).unwrap();
    }
    assert!(read_all(&Coco, folder.path()).records.is_empty());
}

#[test]
fn damaged_predictions_give_problems_and_no_wrong_number() {
    let folder = copy();
    fs::remove_file(folder.path().join("far_panoptic.json")).unwrap();
    let file = folder.path().join("near_panoptic.json");
    let mut found = document(&file);
    let entries = found["annotations"].as_array_mut().unwrap();
    // One picture has no prediction, and the PNG of another is missing. One picture has an unlisted
    // segment, another an unknown category.
    entries.remove(5);
    fs::remove_file(folder.path().join("near_panoptic/000004.png")).unwrap();
    entries[3]["segments_info"]
        .as_array_mut()
        .unwrap()
        .remove(0);
    entries[2]["segments_info"][0]["category_id"] = 1234.into();
    fs::write(&file, found.to_string()).unwrap();
    let read = read_all(&Coco, folder.path());
    let problems = read.problems.join("\n");
    for part in [
        "1 annotated picture without prediction",
        "picture 4: ",
        "of the PNG is not in `segments_info`",
        "category 1234 is not annotated",
    ] {
        assert!(problems.contains(part), "{part}: {problems}");
    }
    let pictures = detections(&read, "near");
    assert_eq!(pictures.len(), 3, "0, 1, and 5 without prediction");
    let (last, _) = &read.records[2];
    let last = last.detections.as_ref().unwrap();
    assert!(last.found.is_empty() && !last.truth.is_empty());
}
