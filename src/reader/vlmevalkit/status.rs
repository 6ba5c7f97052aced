//! Reads `status.json`: the judge used for each data set in a run, and the state of the evaluation.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use base::limits::Limit;
use serde_json::Value;

use crate::open::open;

/// Content of the file `status.json` of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// State of the evaluation of each data set.
    pub datasets: BTreeMap<String, State>,
}

/// State of the evaluation of one data set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// Judge configured for the data set, if any.
    pub judge: Option<String>,
    /// Error message, if the evaluation failed.
    pub error: Option<String>,
    /// True if the run contains all predictions and the evaluation is complete.
    pub finished: bool,
}

impl Status {
    /// Reads `status.json`.
    ///
    /// # Errors
    /// If the file cannot be read, or has another structure.
    pub fn read(path: &Path) -> Result<Self, String> {
        let mut text = Vec::new();
        open(path)
            .and_then(|file| file.take(Limit::Status.get()).read_to_end(&mut text))
            .map_err(|error| error.to_string())?;
        let root: Value =
            serde_json::from_slice(&text).map_err(|error| format!("not valid JSON: {error}"))?;
        let Some(datasets) = root.get("datasets").and_then(Value::as_object) else {
            return Err("no `datasets` in the run's state".to_owned());
        };
        let datasets = datasets
            .iter()
            .map(|(name, state)| (name.clone(), State::of(state)))
            .collect();
        Ok(Self { datasets })
    }
}

impl State {
    fn of(state: &Value) -> Self {
        let text = |name: &str| {
            let text = state.get(name).and_then(Value::as_str).map(str::trim);
            text.filter(|text| !text.is_empty()).map(str::to_owned)
        };
        let error = text("error_message");
        let under_way =
            text("status").is_some_and(|status| status == "pending" || status == "infer");
        Self {
            judge: text("judge_model"),
            finished: error.is_none() && text("skip_reason").is_none() && !under_way,
            error,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(json: &str) -> State {
        State::of(&serde_json::from_str(json).unwrap())
    }

    #[test]
    fn done_with_an_error_is_not_finished() {
        assert!(state(r#"{"status": "done", "judge_model": "exact_matching"}"#).finished);
        assert!(!state(r#"{"status": "done", "error_message": "boom"}"#).finished);
        assert!(!state(r#"{"status": "done", "skip_reason": "mode_infer"}"#).finished);
        assert!(!state(r#"{"status": "infer"}"#).finished);
        assert_eq!(
            state(r#"{"judge_model": "", "error_message": 3}"#),
            State {
                finished: true,
                ..State::default()
            }
        );
    }

    #[test]
    fn a_broken_file_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("status.json");
        assert!(Status::read(&path).is_err());
        std::fs::write(&path, r#"{"datasets": {"MME": {"status": "done"}}"#).unwrap();
        assert!(
            Status::read(&path)
                .unwrap_err()
                .starts_with("not valid JSON")
        );
        std::fs::write(&path, "[]").unwrap();
        assert!(Status::read(&path).is_err());
    }
}
