//! Tests that intervals and verdicts of small tables agree.

use super::tests::{Answer, of_models, of_models_on, only_row, table};
use super::*;

/// The difference in IoU is .02 with a spread of .02. The interval matches the test and is as
/// narrow as the differences.
#[test]
fn tight_differences_have_intervals_that_agree() {
    let ids: Vec<String> = (0..25).map(|id| id.to_string()).collect();
    let answers: Vec<Answer<'_>> = (0..)
        .zip(&ids)
        .flat_map(|(at, id)| {
            let (iou, apart) = (
                0.9 + 0.002 * f64::from(at % 7),
                f64::from(at * 11 % 25 - 12),
            );
            [
                ("a", id.as_str(), at as u64, -1, iou + 0.02 + 0.0028 * apart),
                ("b", id.as_str(), at as u64, -1, iou),
            ]
        })
        .collect();
    let comparison = of_models(&table("bench", "iou", &answers), &[], Threshold::None);
    let row = only_row(&comparison);
    assert_eq!(row.conclusion, Conclusion::A);
    let ci = row.ci.unwrap();
    assert!(ci.low > 0.0 && ci.high - ci.low < 0.02, "{ci:?}");
}

/// The score is the root of a mean of squares; test and interval use the same influences.
#[test]
fn roots_of_means_have_one_statistic() {
    let ids: Vec<String> = (0..30).map(|id| id.to_string()).collect();
    let answers: Vec<Answer<'_>> = (0..)
        .zip(&ids)
        .flat_map(|(at, id)| {
            let error = 0.2 + f64::from(at % 5) / 10.0;
            [
                ("a", id.as_str(), at as u64, -1, error),
                (
                    "b",
                    id.as_str(),
                    at as u64,
                    -1,
                    error + f64::from(at * 7 % 11 - 4) / 20.0,
                ),
            ]
        })
        .collect();
    let table = table("bench", "mae_over_gt", &answers);
    let options = ComparisonOptions {
        all: true,
        ..ComparisonOptions::default()
    };
    let comparison = of_models_on(&table, &[], options);
    for row in &comparison.abilities {
        let (ci, p) = (row.ci.unwrap(), row.p_value.unwrap());
        assert_eq!(ci.contains(0.0), p >= 0.05, "{row:?}");
        assert!(ci.contains(row.difference.unwrap()));
    }
}
