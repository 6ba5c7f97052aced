//! Header of a log: task, model, status and aggregates.

use std::ops::ControlFlow;
use std::path::Path;

use serde_json::Value as Json;

use super::archive::Archive;
use super::{MARK, RUNS};
use crate::document::{self, Part};
use crate::own::{Line, parse_line};
use crate::{json, settings};
use record::Settings;

/// Members of a header that are kept.
const WANTED: [&str; 6] = ["status", "eval", "plan", "results", "error", "invalidated"];
/// Archive member with the header of a finished run.
const HEADER: &str = "header.json";
const START: &str = "_journal/start.json";

/// Parsed header of a log.
#[derive(Clone, Debug, Default)]
pub struct Header {
    members: serde_json::Map<String, Json>,
}

impl Header {
    /// Reads the header of an archive. For an unfinished run, reads the header that was written at
    /// the start.
    ///
    /// # Errors
    /// If neither header can be read.
    pub fn of_archive(archive: &mut Archive) -> Result<Self, String> {
        let member = archive.find(HEADER).or_else(|| archive.find(START));
        let member = member.ok_or("header.json and _journal/start.json are missing")?;
        let bytes = archive.read(&member)?;
        match json::parse(&bytes, 1) {
            Ok(Json::Object(members)) => {
                let mut header = Self { members };
                header.renew();
                Ok(header)
            }
            Ok(_) => Err(format!("{}: not a JSON object", member.name)),
            Err(what) => Err(format!("{}: {what}", member.name)),
        }
    }

    /// Reads the first members of a document: status, run and plan. They precede all large members.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn of_document(path: &Path) -> Result<Self, String> {
        let mut header = Self::default();
        let read = document::read(path, "samples", &WANTED, &mut |part| match part {
            Part::Member(key, json) => {
                // Errors are reported when the samples are read.
                let _ = header.set(key, json);
                if ["status", "eval", "plan"]
                    .iter()
                    .all(|key| header.members.contains_key(*key))
                {
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            }
            Part::Sample(..) => ControlFlow::Break(()),
            Part::Problem(..) | Part::Bytes(_) => ControlFlow::Continue(()),
        });
        read.map(|_| header).map_err(|error| error.to_string())
    }

    /// Sets a member.
    ///
    /// # Errors
    /// If it is not JSON.
    pub fn set(&mut self, key: &str, json: &[u8]) -> Result<(), String> {
        let value = json::parse(json, 1).map_err(|what| format!("`{key}`: {what}"))?;
        self.members.insert(key.to_owned(), value);
        self.renew();
        Ok(())
    }

    /// Converts the single scorer in logs of 2024 to the structure used in later logs.
    fn renew(&mut self) {
        let Some(Json::Object(results)) = self.members.get_mut("results") else {
            return;
        };
        if results.contains_key("scores") {
            return;
        }
        let scorer = results.get("scorer").and_then(|scorer| scorer.get("name"));
        if let (Some(name), Some(metrics)) = (scorer.cloned(), results.get("metrics").cloned()) {
            let listed = serde_json::json!([{"name": name, "scorer": name, "metrics": metrics}]);
            results.insert("scores".to_owned(), listed);
        }
    }

    /// Returns the data added by Eyechart; `None` for logs written by Inspect.
    fn added(&self) -> Option<&Json> {
        self.members.get("eval")?.get("metadata")?.get(MARK)
    }

    /// True if Eyechart wrote the log. The aggregates are then recomputed from the samples.
    pub fn is_converted(&self) -> bool {
        self.added().is_some()
    }

    /// Returns the settings of the original runs in a log written by Eyechart.
    pub fn runs(&self) -> impl Iterator<Item = Line> {
        let runs = self.added().and_then(|added| added.get(RUNS)?.as_array());
        let runs = runs.into_iter().flatten();
        let line = |run: &Json| parse_line(run.to_string().as_bytes(), "").ok();
        runs.filter_map(line)
            .filter(|line| matches!(line, Line::Metadata(_)))
    }

    /// Returns the names of the members that are kept.
    pub const fn wanted() -> &'static [&'static str] {
        &WANTED
    }

    fn text(&self, key: &str) -> Option<&str> {
        self.members.get("eval")?.get(key)?.as_str()
    }

    /// Returns the settings of the run that affect its scores.
    pub fn settings(&self) -> Settings {
        let of_run = |key: &str| self.members.get("eval")?.get(key);
        let planned = |key: &str| self.members.get("plan")?.get(key);
        let mut told = Settings::new();
        settings::keep(&mut told, "task version", of_run("task_version"));
        settings::keep(&mut told, "task arguments", of_run("task_args"));
        settings::keep(&mut told, "scorer", of_run("scorers"));
        settings::keep(&mut told, "generation", of_run("model_generate_config"));
        settings::keep(&mut told, "judge", of_run("model_roles"));
        let configured = |key: &str| of_run("config")?.get(key);
        settings::keep(&mut told, "limit", configured("limit"));
        settings::keep(&mut told, "epochs", configured("epochs"));
        settings::keep(&mut told, "system prompt", configured("system_message"));
        settings::keep(&mut told, "prompt", planned("steps"));
        let version = of_run("packages").and_then(|packages| packages.get("inspect_ai"));
        settings::keep(&mut told, "harness version", version);
        settings::keep(&mut told, "solver", of_run("solver"));
        settings::keep(&mut told, "solver arguments", of_run("solver_args"));
        // Settings in the task's plan.
        let planned =
            planned("config").filter(|config| config.as_object().is_some_and(|it| !it.is_empty()));
        settings::keep(&mut told, "generation of the plan", planned);
        if let Some(arguments) = of_run("model_args") {
            told.insert("resolution", settings::resolution(arguments));
            let arguments = settings::model_arguments(arguments);
            settings::keep(&mut told, "model arguments", arguments.as_ref());
        }
        told
    }

    /// Returns the task's name, if the header contains it.
    pub fn task(&self) -> Option<&str> {
        self.text("task")
    }

    /// Returns the model's name, if the header contains it.
    pub fn model(&self) -> Option<&str> {
        self.text("model")
    }

    /// Returns the start time of the run in ISO 8601; empty if missing.
    pub fn created(&self) -> &str {
        self.text("created").unwrap_or_default()
    }

    /// Returns `success`, `error`, `cancelled` or `started`. `started` stands for a run that is in
    /// progress or was killed.
    pub fn status(&self) -> &str {
        let status = self.members.get("status").and_then(Json::as_str);
        status.unwrap_or("started")
    }

    /// True if the run finished and was not invalidated.
    pub fn is_complete(&self) -> bool {
        let invalidated = self.members.get("invalidated").and_then(Json::as_bool);
        self.status() == "success" && invalidated != Some(true)
    }

    /// True if the run used only a part of its data set.
    pub fn is_partial(&self) -> bool {
        let Some(eval) = self.members.get("eval") else {
            return false;
        };
        let all = eval.pointer("/dataset/samples").and_then(Json::as_u64);
        let asked = eval.pointer("/dataset/sample_ids").and_then(Json::as_array);
        match (all, asked) {
            (Some(all), Some(asked)) => (asked.len() as u64) < all,
            _ => eval
                .pointer("/config/limit")
                .is_some_and(|limit| !limit.is_null()),
        }
    }

    /// Returns the run's error message, if it failed.
    pub fn error(&self) -> Option<&str> {
        self.members.get("error")?.get("message")?.as_str()
    }

    /// Returns the planned number of samples, with each epoch counted separately.
    pub fn total(&self) -> Option<u64> {
        self.members.get("results")?.get("total_samples")?.as_u64()
    }

    /// Returns the scores, one entry per scorer and reducer.
    pub fn scores(&self) -> &[Json] {
        let scores = self
            .members
            .get("results")
            .and_then(|results| results.get("scores"));
        scores.and_then(Json::as_array).map_or(&[], Vec::as_slice)
    }

    /// Returns the configured scorers, including their metrics.
    pub fn scorers(&self) -> &[Json] {
        let scorers = self
            .members
            .get("eval")
            .and_then(|eval| eval.get("scorers"));
        scorers.and_then(Json::as_array).map_or(&[], Vec::as_slice)
    }

    /// Returns the scorer and the name of the headline score.
    pub fn headline(&self) -> Option<(&str, &str)> {
        let headline = self.members.get("results")?.get("headline")?;
        let scorer = headline.get("scorer")?.as_str()?;
        let score = headline.get("score").and_then(Json::as_str);
        Some((scorer, score.unwrap_or(scorer)))
    }

    /// Returns the members of a section of the header, for editing.
    #[cfg(test)]
    pub fn members_mut(&mut self, part: &str) -> Option<&mut serde_json::Map<String, Json>> {
        self.members.get_mut(part)?.as_object_mut()
    }
}
