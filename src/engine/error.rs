//! Why a query has no answer.

use analysis::SplitError;
use limits::Limit;
use thiserror::Error;
use workspace::SideError;
use workspace::filter::FilterError;

/// Why a query has no answer.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum QueryError {
    /// An expression is no filter.
    #[error(transparent)]
    Filter(#[from] FilterError),
    /// There is nothing of the kind to split by.
    #[error(transparent)]
    Split(#[from] SplitError),
    /// There is no such side of a comparison.
    #[error(transparent)]
    Side(#[from] SideError),
    /// There is no such model.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// There is no such ability.
    #[error("no ability is called `{name}`")]
    Ability {
        /// What was asked for.
        name: String,
        /// The abilities that there are.
        known: Vec<String>,
    },
    /// There is no such order of samples.
    #[error("cannot sort by `{0}`; one of {known}, gap:MODEL", known = super::Order::NAMES.join(", "))]
    Order(String),
    /// A pattern is no regular expression.
    #[error("--name: {0}")]
    Pattern(#[from] regex::Error),
    /// A set of runs holds nothing.
    #[error("`{0}` selects no sample")]
    NoSamples(String),
    /// Two models of one set are matched by one name.
    #[error("--name finds the same part in {} and {}", models[0], models[1])]
    SameName {
        /// The two models.
        models: [String; 2],
        /// The set.
        set: String,
    },
    /// There is no such sample.
    #[error("no sample `{name}`{}", model.as_ref().map(|model| format!(" of {model}")).unwrap_or_default())]
    Sample {
        /// Its id.
        name: String,
        /// The model that was to have answered it.
        model: Option<String>,
        /// The id that is spelled most like it.
        near: Option<String>,
    },
    /// More predictions would be looked at than are read at once.
    #[error("{}", too_many(*n, names))]
    TooMany {
        /// How many.
        n: u64,
        /// Keys of filters that would make them fewer.
        names: Vec<&'static str>,
    },
    /// What holds the predictions does not give them; one sentence.
    #[error("{0}")]
    Warehouse(String),
    /// The filter selects samples by their outcome, and the query tests them.
    #[error("{} selects samples by their outcome, so that nothing can be tested: leave it out", .0)]
    Selected(String),
    /// Computing the answer ended in a panic.
    #[error(transparent)]
    Failed(#[from] job::Failure),
    /// Nobody waits for the answer any more.
    #[error("nobody waits for the answer any more")]
    Stopped,
}

/// What to do about so many predictions.
fn too_many(n: u64, names: &[&str]) -> String {
    let narrow = if names.is_empty() {
        String::new()
    } else {
        format!("; narrow the filter with {}", names.join(" or "))
    };
    format!(
        "{} are {}{narrow}",
        format::counted(n, "prediction"),
        Limit::LensRows.message()
    )
}

/// Why a name means no model.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ModelError {
    /// No model has it.
    #[error("no model is called `{name}`")]
    Unknown {
        /// What was asked for.
        name: String,
        /// The model with the most similar name.
        near: Option<String>,
    },
    /// Several models have it in their names.
    #[error("`{name}` could be {} or {}", models[0], models[1])]
    Several {
        /// What was asked for.
        name: String,
        /// Two of them.
        models: [String; 2],
    },
}
