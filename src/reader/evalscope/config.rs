//! Settings of a run from `configs/task_config*.yaml`.
//!
//! Only top-level members and the members of `generation_config` are needed, and `PyYAML` writes
//! each on a line of its own.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value as Json};

use crate::json::read_bounded;
use crate::open::paths_in;
use record::Settings;

/// End of the file's name.
const ENDING: &str = ".yaml";
/// Members of `generation_config` that do not affect answers.
const NO_GENERATION: [&str; 3] = ["batch_size", "retries", "retry_interval"];
/// Members of the configuration, with the names of their settings.
const KEPT: [(&str, &str); 3] = [
    ("evalscope_version", "harness version"),
    ("limit", "limit"),
    ("repeats", "repeats"),
];

/// Configuration of a run; empty if its file is missing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TaskConfig {
    /// Benchmarks of the run.
    pub benchmarks: Vec<String>,
    /// Number of answers per sample.
    pub repeats: Option<f64>,
    /// Settings that affect scores.
    pub settings: Settings,
}

impl TaskConfig {
    /// Returns the last configuration in a run's folder.
    #[must_use]
    pub fn find(run: &Path) -> Option<PathBuf> {
        let is_config = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with("task_config") && name.ends_with(ENDING)
        };
        paths_in(&run.join("configs")).into_iter().rfind(is_config)
    }

    /// Reads the configuration among the files of a unit; empty if there is none.
    #[must_use]
    pub fn read(paths: &[PathBuf]) -> Self {
        let is_config = |path: &&PathBuf| path.to_string_lossy().ends_with(ENDING);
        let bytes = paths.iter().find(is_config).map(|path| read_bounded(path));
        let bytes = bytes.and_then(Result::ok).unwrap_or_default();
        Self::parse(&String::from_utf8_lossy(&bytes))
    }

    fn parse(text: &str) -> Self {
        let mut settings = Settings::new();
        for (key, name) in KEPT {
            if let Some(value) = member(text, key) {
                settings.insert(name, value.to_owned());
            }
        }
        let generation = block(text, "generation_config").filter_map(|line| {
            let (key, value) = line.strip_prefix("  ")?.split_once(": ")?;
            let is_kept = !key.starts_with(' ') && !NO_GENERATION.contains(&key);
            is_kept.then(|| (key.to_owned(), Json::from(value.trim())))
        });
        let generation: Map<String, Json> = generation.collect();
        if !generation.is_empty() {
            settings.insert("generation", Json::Object(generation).to_string());
        }
        let benchmarks = block(text, "datasets").filter_map(|line| line.strip_prefix("- "));
        Self {
            benchmarks: benchmarks.map(|name| plain(name).to_owned()).collect(),
            repeats: member(text, "repeats").and_then(|text| text.parse().ok()),
            settings,
        }
    }
}

/// Returns the value of a top-level member; `None` for null.
fn member<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let value = |line: &'a str| line.strip_prefix(key)?.strip_prefix(": ");
    let value = plain(text.lines().find_map(value)?);
    (!["", "null", "~"].contains(&value)).then_some(value)
}

/// Returns the lines of a top-level list or mapping.
fn block<'a>(text: &'a str, key: &str) -> impl Iterator<Item = &'a str> {
    let is_start = |line: &&str| line.strip_prefix(key) == Some(":");
    let mut lines = text.lines();
    let _ = lines.find(is_start);
    lines.take_while(|line| line.starts_with([' ', '-']))
}

/// Returns a value without its quotes.
fn plain(value: &str) -> &str {
    value.trim().trim_matches(['\'', '"'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_members_that_affect_scores_are_settings() {
        let text = "datasets:\n- general_vqa\n- 'mm_star'\ngeneration_config:\n  batch_size: 4\n  \
                    extra_body:\n    top_k: 1\n  temperature: 0.0\nlimit: null\nrepeats: 3\n";
        let config = TaskConfig::parse(text);
        assert_eq!(config.benchmarks, ["general_vqa", "mm_star"]);
        assert_eq!(config.repeats, Some(3.0));
        let expected = Settings::from([
            ("generation", r#"{"temperature":"0.0"}"#.to_owned()),
            ("repeats", "3".to_owned()),
        ]);
        assert_eq!(config.settings, expected);
        assert_eq!(TaskConfig::parse("\u{0}- x"), TaskConfig::default());
    }
}
