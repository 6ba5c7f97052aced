//! The headline metric of each ability, and the order of abilities.

/// Benchmark whose headline is rotational evaluation (`TDBench`).
const ROTATIONAL: &str = "tdbench";

/// Metrics that tools for vision encoders print in addition to top-1 accuracy.
const BESIDE_TOP_1: [&str; 7] = [
    "acc5",
    "lp_acc5",
    "mean_per_class_recall",
    "lp_mean_per_class_recall",
    "top5",
    "Top 5",
    "top-5",
];

/// Abilities in the order of the papers' tables: AVA-Bench Table 5,
/// `TDBench` Table 2, `GePBench` Table 1.
const ORDER: [&str; 45] = [
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
    "instance_segmentation",
    "keypoints",
    "panoptic_segmentation",
    "segmentation",
    "grouping",
    "depth",
    "normals",
    "average",
];

/// Returns the position of an ability in the papers' tables; unknown abilities come last.
pub fn order_of(ability: &str) -> usize {
    ORDER
        .iter()
        .position(|known| *known == ability)
        .unwrap_or(ORDER.len())
}

/// True if a published metric is the headline metric, which ranks models in the ability.
pub fn is_headline(benchmark: &str, ability: &str, metric: &str) -> bool {
    match (benchmark, ability) {
        (ROTATIONAL, _) => metric == "re",
        ("datacomp", _) => metric == "main_metric",
        ("clip-benchmark" | "timm" | "dino-eval", _) => !BESIDE_TOP_1.contains(&metric),
        (_, "detection" | "instance_segmentation" | "keypoints") => {
            // The second name is used by Ultralytics.
            metric == "ap" || metric.starts_with("metrics/mAP50-95(")
        }
        (_, "panoptic_segmentation") => metric == "pq",
        (_, "segmentation" | "grouping") => metric == "miou",
        (_, "depth") => metric == "delta1",
        (_, "normals") => metric == "rho_mean",
        _ => !matches!(metric, "cost_usd" | "prompt_tokens" | "completion_tokens"),
    }
}

/// Separator of metric and filter in names printed by lm-evaluation-harness.
pub const FILTERED: char = ',';

/// True if a metric belongs to an additional filter, as in `exact_match,flexible-extract`. Such
/// metrics do not rank models.
pub fn has_filter(metric: &str) -> bool {
    metric.contains(FILTERED)
}

/// Returns the name of a metric without its filter, which follows [`FILTERED`].
pub fn unfiltered(metric: &str) -> &str {
    metric.split(FILTERED).next().unwrap_or(metric)
}
