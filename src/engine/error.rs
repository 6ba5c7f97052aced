//! Errors of queries.

use analysis::{SplitError, UnknownScore};
use base::limits::Limit;
use thiserror::Error;
use workspace::SideError;
use workspace::filter::FilterError;
use workspace::likeness::EmbeddingError;

/// Reason why a query could not be answered.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum QueryError {
    /// The filter expression is invalid.
    #[error(transparent)]
    Filter(#[from] FilterError),
    /// A split does not exist or is invalid.
    #[error(transparent)]
    Split(#[from] SplitError),
    /// The score for an axis does not exist.
    #[error(transparent)]
    Score(#[from] UnknownScore),
    /// A side of a comparison does not exist.
    #[error(transparent)]
    Side(#[from] SideError),
    /// A model's name is unknown or ambiguous.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// No ability has this name.
    #[error("no ability is called `{name}`")]
    Ability {
        /// Requested name.
        name: String,
        /// Names of the known abilities.
        known: Vec<String>,
    },
    /// The sort order is unknown.
    #[error("cannot sort by `{0}`; use one of {known}, gap:MODEL", known = super::Order::NAMES.join(", "))]
    Order(String),
    /// A file of embeddings cannot be used.
    #[error(transparent)]
    Embeddings(#[from] EmbeddingError),
    /// The sample to compare with has no code, so its similarity to other samples is unknown.
    #[error("sample `{sample}` cannot be compared: {why}")]
    NoCode {
        /// Id of the sample.
        sample: String,
        /// Reason: no readable picture, or no embedding.
        why: &'static str,
    },
    /// The pattern is not a valid regular expression.
    #[error("--name: {0}")]
    Pattern(#[from] regex::Error),
    /// The pattern for a spread does not have exactly two groups.
    #[error("--name needs two groups in parentheses: the model, and the value of its setting")]
    Groups,
    /// A set of runs is empty; contains the set as written by the user.
    #[error("`{0}` selects no sample")]
    NoSamples(String),
    /// The pattern of `--name` gives two models of one set the same name.
    #[error("--name matches the same text in {} and {}", models[0], models[1])]
    SameName {
        /// Names of the two models.
        models: [String; 2],
        /// Set as written by the user.
        set: String,
    },
    /// The pattern of `--name` splits the names of two models into the same model and value.
    #[error("--name reads the same model and value from {} and {}", models[0], models[1])]
    SameParts {
        /// Names of the two models.
        models: [String; 2],
    },
    /// No sample has this id.
    #[error("no sample `{name}`{}", model.as_ref().map(|model| format!(" of {model}")).unwrap_or_default())]
    Sample {
        /// Requested id.
        name: String,
        /// Model whose answer was requested; `None` for all models.
        model: Option<String>,
        /// Most similar known id; `None` if none is similar.
        near: Option<String>,
    },
    /// The query needs more predictions than can be loaded at once.
    #[error("{}", too_many(*n, names))]
    TooMany {
        /// Number of predictions.
        n: u64,
        /// Filter keys that would narrow the query.
        names: Vec<&'static str>,
    },
    /// The warehouse could not load the predictions; contains the reason as a sentence.
    #[error("{0}")]
    Warehouse(String),
    /// The query tests samples, but its filter selects them by outcome; holds the filter's terms.
    #[error("{} selects samples by their outcome, so no test is valid: remove it from the filter", .0)]
    Selected(String),
    /// Computing the answer panicked.
    #[error(transparent)]
    Failed(#[from] base::job::Failure),
    /// The query was cancelled.
    #[error("cancelled")]
    Stopped,
}

/// Returns the message for too many predictions.
fn too_many(n: u64, names: &[&str]) -> String {
    let narrow = if names.is_empty() {
        String::new()
    } else {
        format!("; narrow the filter with {}", names.join(" or "))
    };
    format!(
        "{} are {}{narrow}",
        base::format::counted(n, "prediction"),
        Limit::LensRows.message()
    )
}

/// Reason why a name does not identify a model.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ModelError {
    /// No model has this name.
    #[error("no model is called `{name}`")]
    Unknown {
        /// Requested name.
        name: String,
        /// Most similar model name.
        near: Option<String>,
    },
    /// Several model names contain the requested name.
    #[error("`{name}` is ambiguous: {} or {}", models[0], models[1])]
    Several {
        /// Requested name.
        name: String,
        /// Two of the matching model names.
        models: [String; 2],
    },
}
