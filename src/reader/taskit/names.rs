//! Parses file names and task names.

/// Prefixes of the harness's task names, each with its ability.
const TASKS: [(&str, &str); 6] = [
    ("classify", "classification"),
    ("detect", "detection"),
    ("segment", "segmentation"),
    ("group", "grouping"),
    ("depth", "depth"),
    ("normals", "normals"),
];

/// Returns the ability of a task such as `segment_naive` or `dense_depth`; `None` for an unknown
/// task.
pub fn ability(task: &str) -> Option<&'static str> {
    let bare = task.strip_prefix("dense_").unwrap_or(task);
    let known = TASKS.iter().find(|(prefix, _)| bare.starts_with(prefix));
    known.map(|(_, ability)| *ability)
}

/// Task names of the harness. A name that contains another name comes before it.
const TASK_NAMES: [&str; 15] = [
    "segment_sans_context",
    "group_sans_context",
    "segment_naive",
    "detect_naive",
    "classify_mult",
    "classify_crop",
    "dense_group",
    "dense_depth",
    "dense_normals",
    "classify",
    "detect",
    "segment",
    "group",
    "depth",
    "normals",
];

/// Model, task and time in the name of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogName {
    /// Model: the log's name without task and time.
    pub model: String,
    /// Task, if the name contains one.
    pub task: Option<&'static str>,
    /// Time, such as `20261121_001515`; empty if the name contains none.
    pub time: String,
}

/// Parses a log's name such as `gpt-4o_classify_20261121_001515`. Text between task and time is
/// added to the model.
pub fn log_name(stem: &str) -> LogName {
    let (name, time) = split_time(stem);
    let around = |task: &'static str| {
        let (before, after) = name.rsplit_once(&format!("_{task}"))?;
        let whole = !before.is_empty() && (after.is_empty() || after.starts_with('_'));
        whole.then(|| (task, format!("{before}{after}")))
    };
    let found = TASK_NAMES.into_iter().find_map(around);
    LogName {
        task: found.as_ref().map(|(task, _)| *task),
        model: found.map_or_else(|| name.to_owned(), |(_, model)| model),
        time: time.to_owned(),
    }
}

/// Splits `_YYYYmmdd_HHMMSS` off the end of a name. The time is empty if the name contains none.
fn split_time(stem: &str) -> (&str, &str) {
    let at = stem.len().checked_sub(16);
    let Some((name, time)) = at.and_then(|at| stem.split_at_checked(at)) else {
        return (stem, "");
    };
    let is_time = time.bytes().enumerate().all(|(at, byte)| match at {
        0 | 9 => byte == b'_',
        _ => byte.is_ascii_digit(),
    });
    if is_time {
        (name, time.trim_start_matches('_'))
    } else {
        (stem, "")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_is_what_is_left_of_the_log_name() {
        let model = |stem: &str| log_name(stem).model;
        assert_eq!(model("gpt-4o_classify_20261121_001515"), "gpt-4o");
        assert_eq!(model("qwen2_vl_group_20261121_001515"), "qwen2_vl");
        assert_eq!(
            model("gpt-4o_classify_b4_ignore_20261121_001937"),
            "gpt-4o_b4_ignore"
        );
        assert_eq!(model("o3_dense_depth_20261121_001937"), "o3");
        assert_eq!(model("o3_segment_sans_context_20261121_001937"), "o3");
        assert_eq!(model("mine"), "mine");
        assert_eq!(log_name("a_depth_20261121_001937").time, "20261121_001937");
    }

    #[test]
    fn tasks_have_abilities() {
        assert_eq!(ability("segment_sans_context"), Some("segmentation"));
        assert_eq!(ability("dense_normals"), Some("normals"));
        assert_eq!(ability("caption"), None);
    }
}
