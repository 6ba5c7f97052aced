//! Tests of masks, keypoints, captions and LVIS, and of choosing annotations.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Value as Json, json};

use super::Coco;
use crate::Unit;
use crate::testing::{CollectingSink, fixture, read_all, units};
use record::{Record, Rle, ShapeKind, Shapes};

/// Reads the records of a folder, by file name.
fn read_units(path: &Path) -> BTreeMap<String, CollectingSink> {
    use crate::{Context, Reader};
    let read = |unit: &Unit| {
        let mut sink = CollectingSink::default();
        Coco.read(unit, &Context::default(), &mut sink);
        let name = unit
            .path
            .file_name()
            .unwrap()
            .to_string_lossy()
            .into_owned();
        (name, sink)
    };
    units(&Coco, path).iter().map(read).collect()
}

fn write(folder: &Path, name: &str, value: &Json) {
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join(name), value.to_string()).unwrap();
}

fn counts(records: &[(Record, u64)]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for (record, _) in records {
        let key = format!("{} {} {}", record.benchmark, record.ability, record.model);
        *counts.entry(key).or_default() += 1;
    }
    counts
}

#[test]
fn every_file_is_read_for_its_tasks_with_its_annotations() {
    let read = read_all(&Coco, &fixture("coco_tasks"));
    assert_eq!(read.problems, [""; 0]);
    let expected = ["maskA", "maskB"].into_iter().flat_map(|model| {
        [
            // The files results.bbox.json and coco_instances_results.json.
            (format!("coco detection {model}"), 40),
            (format!("coco instance_segmentation {model}"), 40),
            (format!("coco keypoints {model}"), 14),
            (format!("coco captioning {model}"), 20),
            (format!("lvis detection {model}"), 20),
            (format!("lvis instance_segmentation {model}"), 20),
        ]
    });
    assert_eq!(counts(&read.records), expected.collect());
}

#[test]
fn the_first_row_decides_what_an_area_is() {
    let read = read_units(&fixture("coco_tasks/maskA"));
    let areas = |file: &str, kind| {
        let records = read[file].records.iter();
        let mut detections = records.filter_map(|(record, _)| record.detections.as_ref());
        let first = detections.find(|it| it.kind() == kind && !it.found.is_empty());
        let first = first.unwrap();
        (first.area(0), first.areas.is_empty())
    };
    let whole = 48.0 * 51.0;
    assert_eq!(areas("results.bbox.json", ShapeKind::Boxes), (whole, true));
    assert_eq!(
        areas("coco_instances_results.json", ShapeKind::Masks),
        (whole, false)
    );
    let (of_mask, _) = areas("results.segm.json", ShapeKind::Masks);
    assert!(of_mask < 0.6 * whole, "{of_mask}");
}

#[test]
fn lvis_files_are_judged_only_where_annotated() {
    let read = read_units(&fixture("coco_tasks/maskA"));
    let sink = &read["lvis_instances_results.json"];
    let found = |sink: &CollectingSink| -> usize {
        let records = sink.records.iter();
        let boxes = records.filter_map(|(record, _)| record.detections.as_ref());
        let boxes = boxes.filter(|it| it.kind() == ShapeKind::Boxes);
        boxes.map(|it| it.found.len()).sum()
    };
    assert!(found(sink) < found(&read["coco_instances_results.json"]));
    let (record, _) = &sink.records[1];
    let federation = record.detections.as_ref().unwrap().federation.as_ref();
    assert_eq!(federation.unwrap().not_exhaustive, [1]);
    let picture = record.content.images.first().unwrap();
    assert!(format!("{picture:?}").contains("/val2017/000000397137.png"));
}

#[test]
fn captions_take_the_scores_of_the_files_next_to_them() {
    let read = read_units(&fixture("coco_tasks/maskA"));
    let sink = &read["captions_results.json"];
    let cider = sink.records.iter().map(|(record, _)| {
        assert_eq!(record.metric.as_deref(), Some("CIDEr"));
        record.stored.unwrap()
    });
    let mean = cider.sum::<f64>() / 20.0;
    let figure = sink.figures.iter().find(|it| it.metric == "CIDEr").unwrap();
    assert!(
        (mean - figure.score).abs() < 1e-9,
        "{mean} {}",
        figure.score
    );
    let (record, line) = &sink.records[0];
    assert_eq!(record.response.as_deref(), Some("a photo of something"));
    assert_eq!(*line, 1);
    let target = record.content.target.as_ref().unwrap().to_string();
    assert!(
        target.starts_with("[\"2 shapes with a triangle on grey\""),
        "{target}"
    );

    let folder = tempfile::tempdir().unwrap();
    let rows = json!([{"image_id": 1, "caption": "a cat"}, {"image_id": 2, "caption": 3}]);
    write(folder.path(), "m_results.json", &rows);
    let read = read_all(&Coco, folder.path());
    assert_eq!((read.records.len(), read.records[0].0.stored), (1, None));
    assert_eq!(read.problems.len(), 2, "{:?}", read.problems);
}

fn truth() -> Json {
    json!({
        "images": [{"id": 1, "file_name": "a.png", "height": 10, "width": 10}],
        "categories": [{"id": 1, "name": "figure"}],
        "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [2, 2, 4, 4], "area": 16,
            "iscrowd": 0, "segmentation": [[2, 2, 6, 2, 6, 6, 2, 6]],
            "keypoints": [3, 3, 2, 5, 5, 0], "num_keypoints": 1}],
    })
}

#[test]
fn damaged_masks_are_left_out_with_their_lines() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "instances_x.json", &truth());
    let row = |segmentation: Json| {
        json!({"image_id": 1, "category_id": 1, "score": 0.5, "segmentation": segmentation})
            .to_string()
    };
    let rows = [
        row(json!({"size": [10, 10], "counts": [22, 4, 6, 4, 64]})),
        row(json!({"size": [10, 10], "counts": "F4\n"})),
        row(json!({"size": [10, 10], "counts": [90, 20]})),
        row(json!({"size": [0, 10], "counts": [0]})),
        row(json!([[1, 1, 2, 2]])),
        row(json!([[1, 1, 1e300, 2, 3, 3]])),
        row(json!([[2, 2, 6, 2, 6, 6, 2, 6], [2, 2, 6, 2, 6, 6, 2, 6]])),
        row(Json::Null),
    ];
    let text = format!("[{}]", rows.join(",\n"));
    fs::write(folder.path().join("m_segm_results.json"), text).unwrap();
    let read = read_all(&Coco, folder.path());
    let detections = read.records[0].0.detections.as_ref().unwrap();
    assert_eq!(detections.areas, [8.0, 16.0]);
    let whats = read.problems.join("\n");
    for what in [
        ":2: its packed run lengths are damaged",
        ":3: its run lengths cover 110 pixels, but its size is 100 pixels",
        ":4: its picture has no `height` and `width`",
        ":5: a polygon has fewer than three points",
        ":6: a coordinate of a polygon is too large",
        ":8: no `segmentation`",
    ] {
        assert!(whats.contains(what), "{what} in {whats}");
    }
    assert_eq!(read.problems.len(), 6, "{whats}");
}

#[test]
fn keypoints_need_sigmas() {
    let folder = tempfile::tempdir().unwrap();
    let rows = json!([{"image_id": 1, "category_id": 1, "score": 0.5, "keypoints": [3, 3, 1, 5, 6, 1]},
        {"image_id": 1, "category_id": 1, "score": 0.5, "keypoints": [3, 3, 1]}]);
    write(folder.path(), "m_keypoints_results.json", &rows);
    let mut truth = truth();
    write(folder.path(), "person_keypoints_x.json", &truth);
    let read = read_all(&Coco, folder.path());
    assert_eq!((read.records.len(), read.problems.len()), (0, 1));
    assert!(
        read.problems[0].contains("2 keypoints with unknown sigmas"),
        "{:?}",
        read.problems
    );

    truth["categories"][0]["sigmas"] = json!([0.1, 0.2]);
    write(folder.path(), "person_keypoints_x.json", &truth);
    let read = read_all(&Coco, folder.path());
    let detections = read.records[0].0.detections.as_ref().unwrap();
    assert_eq!(
        (&*detections.areas, detections.found[0].xywh),
        (&[6.0][..], [3.0, 3.0, 2.0, 3.0])
    );
    assert!(
        matches!(&detections.shapes, Shapes::Keypoints { sigmas, .. } if **sigmas == [0.1, 0.2])
    );
    assert_eq!(read.problems.len(), 1, "{:?}", read.problems);
    assert!(read.problems[0].contains("it has 1 keypoints, but the annotations have 2"));
}

#[test]
fn annotations_without_masks_score_boxes_alone() {
    let folder = tempfile::tempdir().unwrap();
    let mut truth = truth();
    truth["annotations"][0]["segmentation"] = json!([]);
    write(folder.path(), "instances_x.json", &truth);
    let mask = json!({"size": [10, 10], "counts": [22, 4, 74]});
    let row = |bbox: Json| json!([{"image_id": 1, "category_id": 1, "score": 0.5, "bbox": bbox, "segmentation": mask}]);
    write(folder.path(), "m_results.json", &row(json!([2, 2, 4, 4])));
    let read = read_all(&Coco, folder.path());
    assert_eq!(
        counts(&read.records),
        [("coco detection m".to_owned(), 1)].into()
    );
    let what = "m_results.json:0: instances_x.json has no `segmentation`: no score for instance_segmentation";
    assert_eq!(read.problems, [what]);
    write(folder.path(), "m_results.json", &row(json!([])));
    let read = read_all(&Coco, folder.path());
    assert_eq!((read.records.len(), read.problems.len()), (0, 1));
}

#[test]
fn polygons_are_drawn_as_by_pycocotools() {
    let mut reader = super::mask::MaskReader::default();
    let size = super::mask::PictureSize {
        height: 9,
        width: 8,
    };
    let mut draw = |polygons: Json| -> Rle { reader.read(&polygons.to_string(), size).unwrap() };
    // Run lengths computed with frPyObjects and merge of pycocotools 2.0.11.
    for (polygons, runs) in RECORDED {
        let polygons: Json = serde_json::from_str(polygons).unwrap();
        assert_eq!(draw(polygons.clone()).runs, *runs, "{polygons}");
    }
}

/// Polygons in a picture with 8 x 9 pixels, and their run lengths.
const RECORDED: &[(&str, &[u32])] = &[
    ("[[2, 2, 6, 2, 6, 6, 2, 6]]", &[20, 4, 5, 4, 5, 4, 5, 4, 21]),
    (
        "[[1.5, 0.5, 7.2, 3.3, 2.4, 8.8]]",
        &[19, 8, 2, 5, 4, 4, 6, 2, 7, 1, 14],
    ),
    (
        "[[-3, -3, 12, 4, 4, 12]]",
        &[0, 4, 5, 6, 3, 18, 1, 8, 1, 8, 1, 8, 2, 6, 1],
    ),
    (
        "[[0, 0, 8, 9, 8, 0, 0, 9]]",
        &[0, 8, 3, 5, 5, 3, 7, 1, 8, 1, 7, 3, 5, 5, 2, 8, 1],
    ),
    (
        "[[1, 1, 4, 1, 4, 4, 1, 4], [3, 3, 7, 3, 7, 8, 3, 8]]",
        &[10, 3, 6, 3, 6, 7, 4, 5, 4, 5, 4, 5, 10],
    ),
    (
        "[[2, 2, 2, 2, 6, 2, 6, 6, 2, 6, 2, 2]]",
        &[20, 4, 5, 4, 5, 4, 5, 4, 21],
    ),
    (
        "[[2, 2, 6, 2, 6, 6, 2, 6, 9]]",
        &[20, 4, 5, 4, 5, 4, 5, 4, 21],
    ),
    (
        "[[2.94, 6.59, 8.26, 6.17, 4.83, 8.24, 7.54, 1.74, -0.43, 0.73], [4.16, 1.71, 4.98, 5.31, -0.86, 1.38, 2.07, 9.08]]",
        &[
            1, 4, 5, 6, 3, 6, 3, 6, 3, 5, 5, 4, 1, 1, 3, 2, 2, 1, 8, 1, 2,
        ],
    ),
    (
        "[[7.38, -0.21, 5.8, 3.89, 0.45, 9.7], [1.3, 1.37, 9.81, 8.6, 2.18, 9.58]]",
        &[10, 1, 9, 7, 3, 6, 4, 5, 3, 1, 1, 4, 1, 1, 4, 3, 7, 2],
    ),
    (
        "[[9.35, 6.6, 9.63, 8.83, 2.29, 2.97]]",
        &[40, 1, 9, 1, 8, 1, 9, 1, 2],
    ),
    (
        "[[1.9, 2.65, 7.99, 5.45, 5.56, 6.78]]",
        &[30, 1, 9, 1, 8, 3, 7, 1, 8, 1, 3],
    ),
];
