//! Compares score functions with the results of other implementations. The field `made_with` in
//! each file names the implementation.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test ends there"
)]

use std::fs;
use std::path::Path;

use eyechart::scorer::{boxes, color, similarity};
use serde_json::Value;

/// Error while reading a recorded value.
type Failure = Box<dyn std::error::Error>;

/// Cases of one recording.
fn cases(file: &str) -> Result<Vec<Value>, Failure> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/recorded");
    let recording: Value = serde_json::from_str(&fs::read_to_string(folder.join(file))?)?;
    let cases = recording["cases"].as_array().ok_or("no list of cases")?;
    assert_eq!(cases.len(), 60, "{file}");
    Ok(cases.clone())
}

/// Reads a field of `N` numbers.
fn numbers<const N: usize>(case: &Value, field: &str) -> Result<[f64; N], Failure> {
    let list = case[field].as_array().ok_or("not a list")?;
    let numbers: Option<Vec<f64>> = list.iter().map(Value::as_f64).collect();
    let numbers = numbers.ok_or("not numbers")?;
    numbers.try_into().map_err(|_| "another length".into())
}

/// Checks a computed value against a recorded one.
fn check(case: &Value, field: &str, computed: f64, tolerance: f64) {
    let recorded = case[field].as_f64();
    let near = recorded.is_some_and(|recorded| (recorded - computed).abs() <= tolerance);
    assert!(near, "{field} {computed} of {case}");
}

#[test]
fn color_differences_agree_with_colour_science() -> Result<(), Failure> {
    for case in cases("ciede2000.json")? {
        let computed = color::ciede2000(numbers(&case, "prediction")?, numbers(&case, "target")?);
        check(&case, "ciede2000", computed, 1e-3);
    }
    Ok(())
}

#[test]
fn box_overlaps_agree_with_exact_arithmetic() -> Result<(), Failure> {
    for case in cases("boxes.json")? {
        let (prediction, target) = (numbers(&case, "prediction")?, numbers(&case, "target")?);
        check(&case, "iou", boxes::iou(prediction, target), 1e-6);
        check(&case, "giou", boxes::giou(prediction, target), 1e-6);
    }
    Ok(())
}

#[test]
fn text_similarities_agree_with_rapidfuzz_and_anls() -> Result<(), Failure> {
    for case in cases("anls.json")? {
        let prediction = case["prediction"].as_str().ok_or("no prediction")?;
        let target = case["target"].as_str().ok_or("no target")?;
        check(
            &case,
            "strict",
            similarity::anls_strict(prediction, target),
            1e-6,
        );
        check(
            &case,
            "harness",
            similarity::anls_harness(prediction, target),
            1e-6,
        );
    }
    Ok(())
}
