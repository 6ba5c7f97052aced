//! Settings of a run from `configs/task_config*.yaml`.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value as Json};

use crate::has_ending;
use crate::open::paths_in;
use crate::yaml::{self, Members};
use record::Settings;

/// End of the file's name.
const ENDING: &str = "yaml";
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
    pub fn find(run: &Path) -> Option<PathBuf> {
        let is_config = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with("task_config") && has_ending(path, &[ENDING])
        };
        paths_in(&run.join("configs")).into_iter().rfind(is_config)
    }

    /// Reads the configuration among the files of a unit; empty if there is none.
    pub fn read(paths: &[PathBuf]) -> Self {
        let is_config = |path: &&PathBuf| has_ending(path, &[ENDING]);
        let members = paths.iter().find(is_config).map(|path| yaml::read(path));
        Self::new(&members.and_then(Result::ok).unwrap_or_default())
    }

    fn new(members: &Members) -> Self {
        let text = |key: &str| {
            let value = yaml::text(members, key);
            Some(value).filter(|value| !["", "null", "~"].contains(value))
        };
        let list = |key: &str| members.get(key).into_iter().flatten().map(|(_, text)| text);
        let mut settings = Settings::new();
        for (key, name) in KEPT {
            if let Some(value) = text(key) {
                settings.insert(name, value.to_owned());
            }
        }
        let generation = list("generation_config").filter_map(|line| {
            let (key, value) = line.split_once(": ")?;
            let is_kept = !NO_GENERATION.contains(&key);
            is_kept.then(|| (key.to_owned(), Json::from(value.trim())))
        });
        let generation: Map<String, Json> = generation.collect();
        if !generation.is_empty() {
            settings.insert("generation", Json::Object(generation).to_string());
        }
        Self {
            benchmarks: list("datasets").cloned().collect(),
            repeats: text("repeats").and_then(|text| text.parse().ok()),
            settings,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_members_that_affect_scores_are_settings() {
        let text = "datasets:\n- general_vqa\n- 'mm_star'\ngeneration_config:\n  batch_size: 4\n  \
                    extra_body:\n    top_k: 1\n  temperature: 0.0\nlimit: null\nrepeats: 3\n";
        let config = TaskConfig::new(&yaml::members(text));
        assert_eq!(config.benchmarks, ["general_vqa", "mm_star"]);
        assert_eq!(config.repeats, Some(3.0));
        let expected = Settings::from([
            ("generation", r#"{"temperature":"0.0"}"#.to_owned()),
            ("repeats", "3".to_owned()),
        ]);
        assert_eq!(config.settings, expected);
        assert_eq!(
            TaskConfig::new(&yaml::members("\u{0}- x")),
            TaskConfig::default()
        );
    }
}
