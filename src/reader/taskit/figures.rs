//! Converts the names of the harness's aggregates to the names in the paper's tables.

use serde_json::Value as Json;

use super::BENCHMARK;
use crate::Unit;
use crate::run_folder::harness_figure;
use record::PublishedScore;
use record::benchmark::{Direction, known_direction};

/// Names of the harness, with our names. Accuracies and rank correlations are computed over pairs,
/// superpixels (local) and pixels.
const NAMES: [(&str, &str); 19] = [
    ("mIoU", "miou"),
    ("mAP@0.1", "ap10"),
    ("mAP@0.5", "ap50"),
    ("mAP@0.75", "ap75"),
    ("mAP@0.5:0.95:0.05", "ap"),
    ("avg_accuracy", "pairwise_accuracy"),
    ("avg_local_kendall_tau", "local_tau"),
    ("avg_local_spearman_rank", "local_rho"),
    ("avg_global_kendall_tau", "tau"),
    ("avg_global_spearman_rank", "rho"),
    ("avg_dense_kendall_tau", "dense_tau"),
    ("avg_dense_spearman_rank", "dense_rho"),
    // The harness calls these values errors. They are shares of pixels within a limit, so higher is
    // better.
    ("delta_errors", "delta"),
    ("dense_delta_errors", "dense_delta"),
    ("abs_rel_errors", "abs_rel"),
    ("dense_abs_rel_errors", "dense_abs_rel"),
    ("right", "x"),
    ("up", "y"),
    ("out", "z"),
];

/// Name of the list with one value per picture.
const PER_PICTURE: &str = "all_average_global_spearman_rank";

/// Returns the aggregates in the member `eval_metric` of a log, by name.
pub fn named(metrics: &Json) -> Vec<(String, f64)> {
    let mut found = Vec::new();
    for (key, value) in metrics.as_object().into_iter().flatten() {
        match value {
            _ if key == PER_PICTURE => {}
            Json::Number(number) => {
                let number = number.as_f64();
                found.extend(number.map(|number| (name(key).to_owned(), number)));
            }
            Json::Array(values) => {
                let values = (1..).zip(values.iter().map(Json::as_f64));
                let known =
                    values.filter_map(|(at, value)| Some((format!("{}{at}", name(key)), value?)));
                found.extend(known);
            }
            Json::Object(axes) => {
                let axes = axes.iter().filter_map(|(axis, value)| {
                    Some((format!("{}_{}", name(key), name(axis)), value.as_f64()?))
                });
                found.extend(axes);
            }
            _ => {}
        }
    }
    found
}

/// Returns the rank correlation of each picture in a log of surface normals, as mean over the three
/// axes.
pub fn per_picture(metrics: &Json) -> Vec<Option<f64>> {
    let values = metrics.get(PER_PICTURE).and_then(Json::as_array);
    values.into_iter().flatten().map(Json::as_f64).collect()
}

fn name(key: &str) -> &str {
    let known = NAMES.iter().find(|(theirs, _)| *theirs == key);
    known.map_or(key, |(_, ours)| ours)
}

/// Converts an aggregate to a published score.
pub fn published(unit: &Unit, metric: String, score: f64) -> PublishedScore {
    let neutral = metric.ends_with("_tokens");
    PublishedScore {
        benchmark: BENCHMARK.to_owned(),
        split: None,
        higher_is_better: (!neutral).then(|| known_direction(&metric) != Some(Direction::Lower)),
        metric,
        score,
        ..harness_figure(&unit.path, unit.model.as_deref().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn figures_go_by_the_names_of_the_papers() {
        let metrics = json!({"delta_errors": [0.5, 0.75], "avg_global_spearman_rank": {"right": 0.25, "up": null},
            "abs_rel_errors": 0.1, "other": 2.0, "all_average_global_spearman_rank": [0.5, null]});
        let named = named(&metrics);
        let names: Vec<&str> = named.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["delta1", "delta2", "rho_x", "abs_rel", "other"]);
        assert_eq!(per_picture(&metrics), [Some(0.5), None]);
    }

    #[test]
    fn directions_are_those_of_the_names() {
        let better =
            |metric: &str| published(&Unit::default(), metric.to_owned(), 0.5).higher_is_better;
        assert_eq!(better("abs_rel"), Some(false));
        assert_eq!(better("dense_abs_rel"), Some(false));
        assert_eq!(better("delta1"), Some(true));
        assert_eq!(better("prompt_tokens"), None);
    }
}
