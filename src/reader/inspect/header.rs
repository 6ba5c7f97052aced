//! The header of a log: task, model, status and aggregates.

use std::ops::ControlFlow;
use std::path::Path;

use serde_json::Value as Json;

use super::archive::Archive;
use crate::document::{self, Part};
use crate::{json, settings};
use record::Settings;

/// The members of a header that are needed.
const WANTED: [&str; 6] = ["status", "eval", "plan", "results", "error", "invalidated"];
/// Members of an archive with its header, and with the header of a run in progress.
const HEADER: &str = "header.json";
const START: &str = "_journal/start.json";

/// The header of a log.
#[derive(Clone, Debug, Default)]
pub struct Header {
    members: serde_json::Map<String, Json>,
}

impl Header {
    /// The header of an archive, or the one written at the start of an unfinished run.
    ///
    /// # Errors
    /// Neither can be read; one sentence.
    pub fn of_archive(archive: &mut Archive) -> Result<Self, String> {
        let member = archive.find(HEADER).or_else(|| archive.find(START));
        let member = member.ok_or("neither header.json nor _journal/start.json is there")?;
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

    /// The first members of a document: status, run and plan, which come before everything large.
    ///
    /// # Errors
    /// The file cannot be read; one sentence.
    pub fn of_document(path: &Path) -> Result<Self, String> {
        let mut header = Self::default();
        let read = document::read(path, "samples", &WANTED, &mut |part| match part {
            Part::Member(key, json) => {
                // Errors are reported when the log is read.
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
    /// It is not JSON; one sentence.
    pub fn set(&mut self, key: &str, json: &[u8]) -> Result<(), String> {
        let value = json::parse(json, 1).map_err(|what| format!("`{key}`: {what}"))?;
        self.members.insert(key.to_owned(), value);
        self.renew();
        Ok(())
    }

    /// Puts the only scorer and the metrics of a log of 2024 where later logs have them.
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

    /// The members of a header.
    pub const fn wanted() -> &'static [&'static str] {
        &WANTED
    }

    fn text(&self, key: &str) -> Option<&str> {
        self.members.get("eval")?.get(key)?.as_str()
    }

    /// The settings of the run that affect the meaning of its scores.
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
        if let Some(arguments) = of_run("model_args") {
            told.insert("resolution", settings::resolution(arguments));
        }
        told
    }

    /// The task's name.
    pub fn task(&self) -> Option<&str> {
        self.text("task")
    }

    /// The model's name.
    pub fn model(&self) -> Option<&str> {
        self.text("model")
    }

    /// The start of the run, in ISO 8601.
    pub fn created(&self) -> &str {
        self.text("created").unwrap_or_default()
    }

    /// `success`, `error`, `cancelled`, or `started` for a run in progress or killed.
    pub fn status(&self) -> &str {
        let status = self.members.get("status").and_then(Json::as_str);
        status.unwrap_or("started")
    }

    /// Returns true if the run finished and was not invalidated.
    pub fn is_complete(&self) -> bool {
        let invalidated = self.members.get("invalidated").and_then(Json::as_bool);
        self.status() == "success" && invalidated != Some(true)
    }

    /// Returns true if the run used only a part of its data set.
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

    /// The run's error message.
    pub fn error(&self) -> Option<&str> {
        self.members.get("error")?.get("message")?.as_str()
    }

    /// The intended number of samples times repeats.
    pub fn total(&self) -> Option<u64> {
        self.members.get("results")?.get("total_samples")?.as_u64()
    }

    /// The scores, one entry per scorer and reducer.
    pub fn scores(&self) -> &[Json] {
        let scores = self
            .members
            .get("results")
            .and_then(|results| results.get("scores"));
        scores.and_then(Json::as_array).map_or(&[], Vec::as_slice)
    }

    /// The configured scorers with their metrics.
    pub fn scorers(&self) -> &[Json] {
        let scorers = self
            .members
            .get("eval")
            .and_then(|eval| eval.get("scorers"));
        scorers.and_then(Json::as_array).map_or(&[], Vec::as_slice)
    }

    /// The task's first score: scorer and name.
    pub fn headline(&self) -> Option<(&str, &str)> {
        let headline = self.members.get("results")?.get("headline")?;
        let scorer = headline.get("scorer")?.as_str()?;
        let score = headline.get("score").and_then(Json::as_str);
        Some((scorer, score.unwrap_or(scorer)))
    }
}
