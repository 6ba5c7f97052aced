//! The common schema of all logs: the record of a prediction, and the table of all predictions.
//!
//! Independent of harnesses, log formats and the terminal. Readers produce [`Record`]s and
//! [`Problem`]s; all other crates query the [`Table`]. Facts about benchmarks are in [`benchmark`],
//! facts about models in [`catalog`], verdicts on annotations in [`verdict`].

// Tests compare floats exactly and cast small numbers.
#![cfg_attr(test, allow(clippy::pedantic, clippy::complexity, clippy::perf))]

mod automatic;
pub mod benchmark;
mod boxes;
mod builder;
pub mod catalog;
mod content;
mod data_set_facts;
mod direction;
mod dropped_values;
mod facts;
mod flags;
mod generation;
mod group;
mod growing;
mod identity;
mod index;
mod map;
mod mask;
mod names;
mod pause;
mod predictions;
mod problem;
mod published;
mod readings;
mod rename;
mod request_fingerprint;
mod rle;
mod row_map;
mod rule;
mod sample_counts;
mod scoring;
mod shapes;
mod source;
mod span;
mod table;
mod tag_values;
mod tags;
mod texts;
mod usage;
mod value;
pub mod verdict;
mod window;

pub use automatic::{
    AUTOMATIC_TAGS, AnswerFacts, AutomaticTag, FinishReason, Subject, right_choice,
};
pub use boxes::{Detections, PredictedBox, TrueBox};
pub use builder::{Duplicate, Item, ItemCode, Prediction, TableBuilder};
pub use content::{
    Choice, Content, ImageRef, LabelledBox, Role, Sent, SentMessage, SentPart, Target,
    picture_sides,
};
pub use data_set_facts::DataSetFacts;
pub use direction::{Basis, Direction};
pub use dropped_values::DroppedValues;
pub use facts::{Facts, ReleaseDate};
pub use flags::{
    BELOW_TARGET, CUT, INVALID, NAMED_METRIC, NO_TARGET, STRICT_INVALID, UNANSWERED, UNCOMPARED,
    UNTIL_CLEAR,
};
pub use generation::Generation;
pub use group::AbilityGroup;
pub use identity::{ItemKey, PredictionKey};
pub use index::Index;
pub use map::{MapKind, MapValues, PixelMap};
pub use mask::{Mask, Masks};
pub use names::{
    Ability, AbilityId, ItemId, Key, ModelId, Names, REPEAT, REPEATS, ROTATION, RUN, Row, Run,
    SPLIT, STEPS, ZERO_ERRORS, is_repeated,
};
pub use problem::Problem;
pub use published::{Kind, PublishedScore};
pub use readings::ReadingComparison;
pub use rename::ModelSource;
pub use request_fingerprint::RequestFingerprint;
pub use rle::Rle;
pub use row_map::RowMap;
pub use rule::Rule;
pub use sample_counts::{EvidenceCounts, SampleCounts};
pub use scoring::Scoring;
pub use shapes::{Federation, Frequency, Keypoint, Overlap, ShapeKind, Shapes};
pub use source::{LogLines, OriginalRun, RecordPosition, RunName, Settings, Source, Store};
pub use table::Table;
pub use tag_values::{TagValue, TagValues};
pub use tags::TagColumn;
pub use usage::{Origin, Usage};
pub use value::{Labels, Value, label_words};

/// One prediction as read from a log: a model's answer to a sample.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    /// Benchmark name, for example `ava-bench`.
    pub benchmark: String,
    /// Ability that the sample tests, for example `counting`.
    pub ability: String,
    /// Sample id from the harness, unique within benchmark, ability and condition.
    pub sample_id: String,
    /// Model name, as written in the log.
    pub model: String,
    /// Condition: labels that distinguish predictions for the same sample, such as rotation or
    /// prompt.
    pub condition: Labels,
    /// Question, options, target and pictures.
    pub content: Content,
    /// Raw response. `None` if the log has no response field; empty if the model returned nothing.
    pub response: Option<String>,
    /// Why the model stopped, if the log contains it.
    pub finish_reason: Option<FinishReason>,
    /// Answer that the harness extracted from the response, if the log contains it.
    pub parsed: Option<String>,
    /// Name of the metric of `stored`, if the log contains it.
    pub metric: Option<String>,
    /// Direction of `metric`, if the log contains it.
    pub direction: Option<Direction>,
    /// Score of this sample from the log, if any.
    pub stored: Option<f64>,
    /// Additional scores of this sample from the log, as pairs of metric name and score.
    pub beside: Vec<(String, f64)>,
    /// Scoring rule that the harness applied to this sample.
    pub rule: Rule,
    /// Boxes of a detection sample, for metrics that are computed over the whole data set.
    pub detections: Option<Detections>,
    /// Masks of a grouping sample; removed after scoring.
    pub masks: Option<Masks>,
    /// Origin of the answer, if it comes from a rerun or an exam of Eyechart.
    pub origin: Option<Box<Origin>>,
}
