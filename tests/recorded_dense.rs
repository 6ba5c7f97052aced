//! Compares figures of masks, depth and normals with recorded results of numpy and scipy.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test ends there"
)]

use eyechart::analysis::metric::dense::{
    DepthErrors, Segmentation, mask_iou, scale_and_shift, spearman,
};
use serde::de::DeserializeOwned;
use serde_json::Value;

const RECORDED: &str = include_str!("fixtures/recorded/dense.json");

fn cases(kind: &str) -> Vec<Value> {
    let recorded: Value = serde_json::from_str(RECORDED).unwrap();
    recorded[kind].as_array().unwrap().clone()
}

fn part<T: DeserializeOwned>(case: &Value, key: &str) -> T {
    serde_json::from_value(case[key].clone()).unwrap()
}

fn assert_near(found: Option<f64>, expected: &Value, what: &str) {
    let same = match (found, expected.as_f64()) {
        (Some(found), Some(expected)) => (found - expected).abs() < 1e-9,
        (None, None) => true,
        _ => false,
    };
    assert!(same, "{what}: {found:?}, recorded {expected}");
}

#[test]
fn segmentation_agrees_with_numpy() {
    for case in cases("segmentation") {
        let mut set = Segmentation::default();
        for picture in part::<Vec<Value>>(&case, "pictures") {
            set.add(
                &part::<Vec<u16>>(&picture, "found"),
                &part::<Vec<u16>>(&picture, "truth"),
            );
        }
        assert_near(
            set.pixel_accuracy(),
            &case["pixel_accuracy"],
            "pixel accuracy",
        );
        assert_near(set.mean_iou(), &case["miou"], "mIoU");
    }
    assert_eq!(Segmentation::default().mean_iou(), None);
}

#[test]
fn depth_agrees_with_numpy_and_scipy() {
    for case in cases("depth") {
        let (order, truth): (Vec<f64>, Vec<f64>) = (part(&case, "order"), part(&case, "truth"));
        let (scale, shift) = scale_and_shift(&order, &truth);
        assert_near(Some(scale), &case["scale"], "scale");
        assert_near(Some(shift), &case["shift"], "shift");
        let fitted: Vec<f64> = order.iter().map(|order| scale * order + shift).collect();
        let mut errors = DepthErrors::default();
        errors.add(&fitted, &truth);
        for (found, expected) in errors
            .deltas()
            .unwrap()
            .iter()
            .zip(case["deltas"].as_array().unwrap())
        {
            assert_near(Some(*found), expected, "delta");
        }
        assert_near(errors.abs_rel(), &case["abs_rel"], "AbsRel");
        assert_near(spearman(&order, &truth), &case["rho"], "Spearman");
    }
    assert_eq!(DepthErrors::default().deltas(), None);
}

#[test]
fn masks_agree_with_numpy() {
    for case in cases("masks") {
        let (found, truth): (Vec<bool>, Vec<bool>) = (part(&case, "found"), part(&case, "truth"));
        assert_near(mask_iou(&found, &truth), &case["iou"], "IoU");
    }
    assert_eq!(mask_iou(&[true], &[true, false]), None);
}

#[test]
fn ranks_need_two_finite_values() {
    assert_eq!(spearman(&[1.0], &[1.0]), None);
    assert_eq!(spearman(&[1.0, f64::NAN], &[1.0, 2.0]), None);
    assert_eq!(spearman(&[1.0, 1.0], &[1.0, 2.0]), None);
}
