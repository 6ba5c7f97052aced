//! The headline metric of each ability, and the order of abilities.

/// Benchmarks with `TDBench`'s rotational evaluation as headline.
const ROTATIONAL: &str = "tdbench";

/// Abilities in the order of the papers' tables: AVA-Bench Table 5, `TDBench` Table 2, `GePBench` Table 1.
const ORDER: [&str; 42] = [
    "absolute_depth",
    "relative_depth",
    "ocr",
    "counting",
    "localization",
    "object_recognition",
    "fine_grained",
    "scene_recognition",
    "action_recognition",
    "spatial",
    "emotion",
    "orientation",
    "texture",
    "color",
    "scene_understanding",
    "hallucination_detection",
    "object_presence",
    "object_recognition",
    "object_localization",
    "attribute_recognition",
    "object_counting",
    "attribute_comparison",
    "dynamic_temporal",
    "object_spatial_relationship",
    "spatial_relationship",
    "visual_grounding",
    "case_zoom",
    "case_height",
    "case_integrity",
    "case_depth",
    "existence",
    "location",
    "size",
    "reference",
    "relationship",
    "classification",
    "detection",
    "segmentation",
    "grouping",
    "depth",
    "normals",
    "average",
];

/// Position of an ability in that order; unknown ones come last.
#[must_use]
pub fn order_of(ability: &str) -> usize {
    ORDER
        .iter()
        .position(|known| *known == ability)
        .unwrap_or(ORDER.len())
}

/// Returns true if a published metric is the one that ranks models in its ability.
#[must_use]
pub fn is_headline(benchmark: &str, ability: &str, metric: &str) -> bool {
    match (benchmark, ability) {
        (ROTATIONAL, _) => metric == "re",
        (_, "detection") => metric == "ap",
        (_, "segmentation" | "grouping") => metric == "miou",
        (_, "depth") => metric == "delta1",
        (_, "normals") => metric == "rho_mean",
        _ => !matches!(metric, "cost_usd" | "prompt_tokens" | "completion_tokens"),
    }
}

/// Between the name of a metric and that of a filter, as lm-evaluation-harness prints them.
pub const FILTERED: char = ',';

/// Returns true if a per-sample metric does not rank: it is that of a further filter, such as
/// `exact_match,flexible-extract` beside `exact_match`.
#[must_use]
pub fn is_beside(metric: &str) -> bool {
    metric.contains(FILTERED)
}

/// The name of a metric without that of a filter.
#[must_use]
pub fn unfiltered(metric: &str) -> &str {
    metric.split(FILTERED).next().unwrap_or(metric)
}
