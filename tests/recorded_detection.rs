//! Compares average precision and recall with recorded results of pycocotools.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::float_cmp,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a test ends there"
)]

use eyechart::analysis::metric::detection::{
    DetectionMetric, MatchedPicture, Pool, Size, match_boxes, thresholds,
};
use eyechart::record::{Detections, PredictedBox, TrueBox};
use serde_json::Value;

const RECORDED: &str = include_str!("fixtures/recorded/detection.json");

fn numbers(row: &Value) -> Vec<f64> {
    let cells = row.as_array().unwrap().iter();
    cells.map(|cell| cell.as_f64().unwrap()).collect()
}

fn truth(row: &Value) -> TrueBox {
    let [class, x, y, width, height, area, crowd, id] = numbers(row).try_into().unwrap();
    TrueBox {
        class: class as u32,
        xywh: [x, y, width, height],
        area,
        crowd: crowd > 0.0,
        id: id as i64,
    }
}

fn found(row: &Value) -> PredictedBox {
    let [class, x, y, width, height, score] = numbers(row).try_into().unwrap();
    PredictedBox {
        class: class as u32,
        xywh: [x, y, width, height],
        score,
    }
}

fn pool(case: &Value, size: Size) -> Pool {
    let judged = |image: &Value| {
        let truth: Vec<_> = image["truth"]
            .as_array()
            .unwrap()
            .iter()
            .map(truth)
            .collect();
        let found: Vec<_> = image["found"]
            .as_array()
            .unwrap()
            .iter()
            .map(found)
            .collect();
        let detections = Detections {
            truth,
            found,
            ..Detections::default()
        };
        match_boxes(&detections, &thresholds(), size)
    };
    let judged: Vec<MatchedPicture> = case["images"]
        .as_array()
        .unwrap()
        .iter()
        .map(judged)
        .collect();
    Pool::new(&judged)
}

fn assert_near(value: Option<f64>, expected: &Value, what: &str) {
    let same = match (value, expected.as_f64()) {
        (Some(value), Some(expected)) => (value - expected).abs() < 1e-9,
        (None, None) => true,
        _ => false,
    };
    assert!(same, "{what}: {value:?}, pycocotools says {expected}");
}

#[test]
fn precision_and_recall_agree_with_pycocotools() {
    let recorded: Value = serde_json::from_str(RECORDED).unwrap();
    let cases = recorded["cases"].as_array().unwrap();
    assert!(cases.len() > 30);
    for (at, case) in cases.iter().enumerate() {
        let pools = Size::EACH.map(|size| pool(case, size));
        for (name, figure) in DetectionMetric::COCO {
            let place = Size::EACH
                .iter()
                .position(|size| *size == figure.size)
                .unwrap();
            let what = format!("{name} of case {at}, {}", case["kind"]);
            assert_near(
                figure.value(&pools[place], None),
                &case["expected"][name],
                &what,
            );
        }
        for (class, expected) in case["expected"]["per_class"].as_object().unwrap() {
            let figure = DetectionMetric::AP.of_class(class.parse().unwrap());
            let what = format!("class {class} of case {at}, {}", case["kind"]);
            assert_near(figure.value(&pools[0], None), expected, &what);
        }
    }
}

/// A picture with weight two counts like two copies of the picture.
#[test]
fn weights_are_repetitions() {
    let recorded: Value = serde_json::from_str(RECORDED).unwrap();
    let mut compared = 0;
    for case in recorded["cases"].as_array().unwrap() {
        // Copies change the order of detections with equal scores.
        if has_equal_scores(case) {
            continue;
        }
        let weights = [1, 3, 1, 0, 2];
        let mut repeated = case.clone();
        let images = case["images"].as_array().unwrap().iter().zip(weights);
        let repeats = images.flat_map(|(image, times)| std::iter::repeat_n(image.clone(), times));
        repeated["images"] = repeats.collect();
        let weighted = DetectionMetric::AP.value(
            &pool(case, Size::All),
            Some(&weights.map(|times| times as u32)),
        );
        let plain = DetectionMetric::AP.value(&pool(&repeated, Size::All), None);
        let same = match (weighted, plain) {
            (Some(a), Some(b)) => (a - b).abs() < 1e-12,
            (a, b) => a == b,
        };
        assert!(same, "{weighted:?} {plain:?}");
        compared += 1;
    }
    assert!(compared > 10);
}

fn has_equal_scores(case: &Value) -> bool {
    let images = case["images"].as_array().unwrap().iter();
    let found = images.flat_map(|image| image["found"].as_array().unwrap());
    let mut scores: Vec<f64> = found.map(|row| numbers(row)[5]).collect();
    scores.sort_by(f64::total_cmp);
    scores.windows(2).any(|pair| pair[0] == pair[1])
}
