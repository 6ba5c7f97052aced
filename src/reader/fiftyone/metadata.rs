//! Metadata of a data set: its name and evaluations.

use std::path::Path;

use serde_json::Value as Json;

use crate::json;

/// Name and evaluations of a data set.
#[derive(Clone, Debug, Default)]
pub struct Metadata {
    /// Name of the data set.
    pub name: Option<String>,
    /// Keys of all evaluations, including evaluations whose fields are unknown.
    pub keys: Vec<String>,
    /// Evaluations with the names of their two fields.
    pub evaluations: Vec<Evaluation>,
}

/// An evaluation that compares a field of predictions with a field of ground truth.
#[derive(Clone, Debug, Default)]
pub struct Evaluation {
    /// Key of the evaluation, which is the name of its results in samples and labels.
    pub key: String,
    /// Name of the field with the predictions.
    pub predictions: String,
    /// Name of the field with the ground truth.
    pub truth: String,
}

impl Metadata {
    /// Reads `metadata.json`.
    ///
    /// # Errors
    /// If it cannot be read or is not JSON.
    pub fn read(path: &Path) -> Result<Self, String> {
        let bytes = json::read_bounded(path).map_err(|error| format!("cannot be read: {error}"))?;
        let document = json::parse(json::without_mark(&bytes), 1)?;
        let name = document.get("name").and_then(Json::as_str);
        let evaluations = document.get("evaluations").and_then(Json::as_object);
        let evaluation = |(key, value): (&String, &Json)| {
            let field = |name: &str| Some(value.get("config")?.get(name)?.as_str()?.to_owned());
            Some(Evaluation {
                key: key.clone(),
                predictions: field("pred_field")?,
                truth: field("gt_field")?,
            })
        };
        Ok(Self {
            keys: (evaluations.into_iter().flatten())
                .map(|(key, _)| key.clone())
                .collect(),
            name: name.filter(|name| !name.is_empty()).map(str::to_owned),
            evaluations: evaluations
                .into_iter()
                .flatten()
                .filter_map(evaluation)
                .collect(),
        })
    }
}
