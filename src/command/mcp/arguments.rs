//! Arguments of the tools, as the assistant writes them.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value as Json};

use crate::Failure;
use engine::Scope;
use record::Scoring;
use record::verdict::Verdict;
use workspace::filter::reads_files;

/// Maximum length of all arguments of a call together, in bytes.
const LONGEST: usize = 4_000;
/// Maximum number of rows of a page.
pub const MOST_ROWS: usize = 200;
/// Default number of rows of a page.
pub const USUAL_ROWS: usize = 20;

/// Requested part of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageRequest {
    /// Number of rows before the page.
    pub from: usize,
    /// Maximum number of rows.
    pub limit: usize,
}

impl PageRequest {
    /// Removes `cursor` and `limit` from the arguments and parses them.
    pub fn from_arguments(arguments: &mut Map<String, Json>) -> Result<Self, Failure> {
        let from = match arguments.shift_remove("cursor") {
            None => Some(0),
            Some(cursor) => cursor.as_str().and_then(|text| text.parse().ok()),
        };
        let limit = match arguments.shift_remove("limit") {
            None => Some(USUAL_ROWS),
            Some(limit) => limit.as_u64().and_then(|limit| usize::try_from(limit).ok()),
        };
        let from = from.ok_or_else(|| Failure::usage("`cursor` must be the `next` of a page"))?;
        let limit = limit.filter(|limit| (1..=MOST_ROWS).contains(limit));
        let limit = limit.ok_or_else(|| {
            Failure::usage(format!(
                "`limit` must be a whole number from 1 to {MOST_ROWS}"
            ))
        })?;
        Ok(Self { from, limit })
    }
}

/// Reads the arguments of a tool.
pub fn parse<T: DeserializeOwned>(arguments: Map<String, Json>) -> Result<T, Failure> {
    let arguments = Json::Object(arguments);
    serde_json::from_value(arguments).map_err(|error| Failure::usage(format!("arguments: {error}")))
}

/// Removes arguments without a value, and refuses arguments that are too long.
pub fn checked(mut arguments: Map<String, Json>) -> Result<Map<String, Json>, Failure> {
    arguments.retain(|_, value| !value.is_null());
    let length = Json::Object(arguments.clone()).to_string().len();
    if length > LONGEST {
        let what = format!("the arguments have {length} bytes; at most {LONGEST} are allowed");
        return Err(Failure::usage(what));
    }
    Ok(arguments)
}

/// Refuses a filter that would read a file.
pub fn filter_without_files(filter: &str) -> Result<(), Failure> {
    if reads_files(filter) {
        return Err(Failure::usage(
            "the filter `ids:` reads a file, which this server does not allow",
        )
        .hint("filter by sample, ability, model, tag or score instead"));
    }
    Ok(())
}

/// Returns the scope of a filter and scoring rules.
pub fn scope(filter: &str, scoring: Scoring) -> Result<Scope, Failure> {
    filter_without_files(filter)?;
    Ok(Scope {
        filter: filter.to_owned(),
        scoring,
        ..Scope::default()
    })
}

/// Metrics of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Metrics {
    #[default]
    Headline,
    All,
}

/// Arguments of `open`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Open {
    pub path: Option<String>,
}

/// Arguments of `summary`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Summary {
    pub filter: String,
    pub scoring: Scoring,
}

base::named_enum! {
    /// Table of `scores`, named as in the JSON of `report`.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum ReportTable {
        #[default]
        Scores = "scores",
        AverageRank = "average_rank",
        Subgroups = "subgroups",
        Reliability = "reliability",
        Repeats = "repeats",
        Exams = "exams",
        Acuity = "acuity",
        Costs = "costs",
        Runs = "runs",
        Sources = "sources",
    }
}

/// Arguments of `scores`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Scores {
    pub table: ReportTable,
    pub by: Option<String>,
    pub metric: Metrics,
    pub filter: String,
    pub scoring: Scoring,
}

base::named_enum! {
    /// Table of `compare`, named as in the JSON of the command.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum ComparisonTable {
        #[default]
        Abilities = "abilities",
        Subgroups = "subgroups",
    }
}

/// Arguments of `compare`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Compare {
    pub a: String,
    pub b: String,
    #[serde(default)]
    pub table: ComparisonTable,
    pub by: Option<String>,
    pub within: Option<String>,
    pub threshold: Option<f64>,
    #[serde(default)]
    pub metric: Metrics,
    #[serde(default)]
    pub filter: String,
    #[serde(default)]
    pub scoring: Scoring,
}

/// Arguments of `gate`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gate {
    pub base: String,
    pub candidate: String,
    pub worse_by: String,
    pub by: Option<String>,
    #[serde(default)]
    pub filter: String,
    #[serde(default)]
    pub scoring: Scoring,
}

/// Arguments of `slices`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Slices {
    pub model: Option<String>,
    pub compare: Option<[String; 2]>,
    pub outcome: Option<String>,
    pub q: Option<f64>,
    pub filter: String,
    pub scoring: Scoring,
}

/// Arguments of `samples`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Samples {
    pub filter: String,
    pub sort: Option<String>,
    pub scoring: Scoring,
}

/// Arguments of `sample`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OneSample {
    pub sample: String,
    pub model: Option<String>,
    #[serde(default)]
    pub filter: String,
    #[serde(default)]
    pub scoring: Scoring,
    pub picture: Option<bool>,
}

base::named_enum! {
    /// Table that the tool `verdicts` returns. Names match the JSON of `eyechart verdicts`.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum VerdictTable {
        #[default]
        Abilities = "abilities",
        Authors = "authors",
        Agreement = "agreement",
        Flagged = "flagged",
        Scores = "scores",
        AverageRank = "average_rank",
        RankChanges = "rank_changes",
    }
}

/// Arguments of `verdicts`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Verdicts {
    pub table: VerdictTable,
    pub author: Option<String>,
    pub drop_ambiguous: bool,
    pub filter: String,
    pub scoring: Scoring,
}

/// Arguments of `manual`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Manual {
    pub topic: Option<String>,
}

/// Arguments of `record_verdict`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordVerdict {
    pub sample: String,
    pub verdict: Verdict,
    #[serde(default)]
    pub note: String,
    #[serde(default)]
    pub filter: String,
}

/// Arguments of `ask`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskModel {
    pub sample: String,
    #[serde(default)]
    pub filter: String,
}
