//! Decides which field of a kind is the ground truth, and which fields are predictions.

use super::metadata::Metadata;
use super::survey::{Kind, Survey};

/// Name of the ground truth field in data sets provided by `FiftyOne`.
const GROUND_TRUTH: &str = "ground_truth";
/// Words that indicate a ground truth field.
const TRUTH: [&str; 10] = [
    "gt",
    "truth",
    "true",
    "ground",
    "label",
    "labels",
    "target",
    "annotation",
    "annotations",
    "human",
];

/// A ground truth field and its prediction fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Kind of the labels.
    pub kind: Kind,
    /// Name of the ground truth field.
    pub truth: String,
    /// Names of the prediction fields; each is a model.
    pub models: Vec<String>,
}

impl Task {
    /// Returns the task for a kind of labels, and problems with fields that are not read.
    pub fn of(kind: Kind, survey: &Survey, metadata: &Metadata) -> (Option<Self>, Vec<String>) {
        let names: Vec<&str> = survey
            .of_kind(kind)
            .map(|(name, _)| name.as_str())
            .collect();
        if names.is_empty() {
            return (None, Vec::new());
        }
        let listed = names.join("`, `");
        let Some(truth) = truth(&names, survey, metadata) else {
            let what =
                format!("cannot tell which field holds the ground truth; skipped: `{listed}`");
            return (None, vec![what]);
        };
        let (mut models, mut problems) = (Vec::new(), Vec::new());
        for name in names.iter().filter(|name| **name != truth) {
            match unfit(name, truth, survey) {
                Some(what) => problems.push(what),
                None => models.push((*name).to_owned()),
            }
        }
        let truth = truth.to_owned();
        let task = Self {
            kind,
            truth,
            models,
        };
        (Some(task), problems)
    }
}

/// Returns a message if a field cannot contain predictions for the ground truth.
fn unfit(name: &str, truth: &str, survey: &Survey) -> Option<String> {
    let field = survey.fields.get(name)?;
    let classes = &survey.fields.get(truth)?.classes;
    let is_apart = !classes.is_empty() && field.labels > 0 && field.classes.is_disjoint(classes);
    if is_apart {
        return Some(format!(
            "`{name}` has no class of `{truth}`: it is not read as a prediction"
        ));
    }
    let is_ordered = field.kind != Some(Kind::Detections) || field.confident > 0;
    (!is_ordered && field.labels > 0).then(|| {
        format!("`{name}` has no `confidence`: no average precision, only the metrics of FiftyOne")
    })
}

/// Returns the ground truth field; `None` if the choice is unclear.
///
/// Returns the field that an evaluation names as ground truth, or else the field `ground_truth`.
/// Otherwise, returns the only field with objects that an evaluation missed, the only field without
/// confidences, or the only field with a name that suggests annotations.
fn truth<'a>(names: &[&'a str], survey: &Survey, metadata: &Metadata) -> Option<&'a str> {
    let only = |fits: &dyn Fn(&str) -> bool| {
        let mut found = names.iter().copied().filter(|name| fits(name));
        found.next().filter(|_| found.next().is_none())
    };
    let field = |name: &str| survey.fields.get(name);
    let is_evaluated = |name: &str| metadata.evaluations.iter().any(|it| it.truth == name);
    let is_missed = |name: &str| {
        let mut matches = field(name)
            .into_iter()
            .flat_map(|field| field.matches.values());
        matches.any(|matches| matches.missed > 0)
    };
    let is_sure = |name: &str| field(name).is_some_and(|it| it.confident == 0 && it.labels > 0);
    let is_named = |name: &str| {
        let name = name.to_lowercase();
        let mut words = name.split(|c: char| !c.is_alphanumeric());
        words.any(|word| TRUTH.contains(&word))
    };
    names
        .iter()
        .copied()
        .find(|name| is_evaluated(name))
        .or_else(|| only(&|name| name == GROUND_TRUTH))
        .or_else(|| only(&is_missed))
        .or_else(|| only(&is_sure))
        .or_else(|| only(&|name| is_named(name) && is_sure(name)))
        .or_else(|| only(&is_named))
}
