//! Reads the settings of a run from `configs/task_config*.yaml`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value as Json};

use crate::has_ending;
use crate::open::paths_in;
use crate::yaml;
use record::Settings;

/// Extension of configuration files.
const ENDING: &str = "yaml";
/// Members of `generation_config` that do not affect answers.
const NO_GENERATION: [&str; 3] = ["batch_size", "retries", "retry_interval"];
/// Members of the configuration that become settings, with the names of the settings.
const KEPT: [(&str, &str); 3] = [
    ("evalscope_version", "harness version"),
    ("limit", "limit"),
    ("repeats", "repeats"),
];

/// Members that contain settings by benchmark; the later member takes precedence.
const BENCHMARKS: [&str; 2] = ["resolved_benchmarks", "dataset_args"];
/// Members of a benchmark's settings, with the names of the settings.
const OF_BENCHMARK: [(&str, &str); 8] = [
    ("few_shot_num", "shots"),
    ("few_shot_random", "random shots"),
    ("few_shot_prompt_template", "prompt of the shots"),
    ("prompt_template", "prompt"),
    ("query_template", "query"),
    ("system_prompt", "system prompt"),
    ("shuffle_choices", "shuffled options"),
    ("extra_params", "parameters"),
];

/// Configuration of a run; empty if its file is missing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TaskConfig {
    /// Names of the run's benchmarks.
    pub benchmarks: Vec<String>,
    /// Number of answers per sample.
    pub repeats: Option<f64>,
    /// Settings of the run that affect the scores of all benchmarks.
    pub settings: Settings,
    /// Settings of single benchmarks, by benchmark.
    of_benchmark: BTreeMap<String, Settings>,
}

impl TaskConfig {
    /// Returns the last configuration file in the folder of a run.
    pub fn find(run: &Path) -> Option<PathBuf> {
        let is_config = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with("task_config") && has_ending(path, &[ENDING])
        };
        paths_in(&run.join("configs")).into_iter().rfind(is_config)
    }

    /// Reads the configuration from one of a unit's files; empty if none is a configuration.
    pub fn read(paths: &[PathBuf]) -> Self {
        let is_config = |path: &&PathBuf| has_ending(path, &[ENDING]);
        let text = paths.iter().find(is_config).map(|path| yaml::text_of(path));
        Self::new(&text.and_then(Result::ok).unwrap_or_default())
    }

    /// Returns the settings for a data set, named `BENCHMARK` or `BENCHMARK/SUBSET`. Includes the
    /// settings of the run.
    pub fn settings_of(&self, dataset: &str) -> Settings {
        let benchmark = dataset.split_once('/').map_or(dataset, |(name, _)| name);
        let mut settings = self.settings.clone();
        settings.extend(
            self.of_benchmark
                .get(benchmark)
                .cloned()
                .unwrap_or_default(),
        );
        settings
    }

    fn new(document: &str) -> Self {
        let members = &yaml::members(document);
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
            of_benchmark: of_benchmarks(document),
        }
    }
}

/// Returns the settings by benchmark, from both maps in [`BENCHMARKS`].
fn of_benchmarks(document: &str) -> BTreeMap<String, Settings> {
    let mut found: BTreeMap<String, Settings> = BTreeMap::new();
    let members = BENCHMARKS
        .iter()
        .flat_map(|member| yaml::block(document, member));
    for (benchmark, block) in members {
        let fields = yaml::nested(&block).into_iter();
        let kept = fields.filter_map(|(key, value)| {
            let (_, name) = OF_BENCHMARK.iter().find(|(known, _)| *known == key)?;
            let is_set = !["", "null", "~", "{}", "[]", "false"].contains(&value.as_str());
            is_set.then_some((*name, value))
        });
        found.entry(benchmark).or_default().extend(kept);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_members_that_affect_scores_are_settings() {
        let text = "datasets:\n- general_vqa\n- 'mm_star'\ngeneration_config:\n  batch_size: 4\n  \
                    extra_body:\n    top_k: 1\n  temperature: 0.0\nlimit: null\nrepeats: 3\n";
        let config = TaskConfig::new(text);
        assert_eq!(config.benchmarks, ["general_vqa", "mm_star"]);
        assert_eq!(config.repeats, Some(3.0));
        let expected = Settings::from([
            ("generation", r#"{"temperature":"0.0"}"#.to_owned()),
            ("repeats", "3".to_owned()),
        ]);
        assert_eq!(config.settings, expected);
        assert_eq!(TaskConfig::new("\u{0}- x"), TaskConfig::default());
    }

    #[test]
    fn each_benchmark_has_its_shots_and_prompt() {
        let text = "dataset_args:\n  arc:\n    few_shot_num: 5\n    local_path: /data\n    prompt_template: \
                    'Which?\n\n      {question}'\n    subset_list:\n    - easy\n  pope:\n    few_shot_num: 0\n\
                    limit: 3\n";
        let config = TaskConfig::new(text);
        let settings = config.settings_of("arc/easy");
        assert_eq!(settings["shots"], "5");
        assert_eq!(settings["prompt"], "'Which? {question}'");
        assert_eq!(settings["limit"], "3");
        assert_eq!(settings.len(), 3);
        assert_eq!(config.settings_of("pope")["shots"], "0");
        let both = format!("{text}resolved_benchmarks:\n  arc:\n    system_prompt: Look.\n");
        let both = TaskConfig::new(&both).settings_of("arc");
        assert_eq!(
            (both["shots"].as_str(), both["system prompt"].as_str()),
            ("5", "Look.")
        );
    }
}
