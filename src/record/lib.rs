//! The one schema that every log becomes: what a record is, and the table that holds them.
//!
//! Knows no harness, no metric, no file contents and no terminal. Readers produce [`Record`]s and
//! [`Problem`]s; everything above asks the [`Table`].

// Tests compare exact numbers and cast small ones.
#![cfg_attr(
    test,
    allow(
        clippy::pedantic,
        clippy::type_complexity,
        clippy::cloned_ref_to_slice_refs
    )
)]

mod asked;
mod boxes;
mod builder;
mod content;
mod direction;
mod facts;
mod flags;
mod generation;
mod group;
mod growing;
mod identity;
mod index;
mod left_out;
mod map;
mod mask;
mod moved;
mod names;
mod pause;
mod predictions;
mod problem;
mod published;
mod readings;
mod rename;
mod rule;
mod scoring;
mod source;
mod span;
mod table;
mod tag_values;
mod tags;
mod texts;
mod usage;
mod value;
mod whole;
mod window;

pub use asked::Asked;
pub use boxes::{Detections, FoundBox, TrueBox};
pub use builder::{Duplicate, Item, Prediction, TableBuilder};
pub use content::{
    Choice, Content, ImageRef, LabelledBox, Role, Sent, SentMessage, SentPart, Target,
};
pub use direction::{Basis, Direction};
pub use facts::{Facts, Released};
pub use flags::{
    BELOW_TARGET, INVALID, NAMED_METRIC, NO_TARGET, STRICT_INVALID, UNANSWERED, UNCOMPARED,
};
pub use generation::Generation;
pub use group::AbilityGroup;
pub use identity::{ItemKey, PredictionKey};
pub use index::Index;
pub use left_out::LeftOut;
pub use map::{MapKind, MapValues, PixelMap};
pub use mask::{Mask, Masks};
pub use moved::Moved;
pub use names::{
    Ability, AbilityId, ItemId, Key, ModelId, Names, REPEAT, RUN, Row, Run, UnitId, ZERO_ERRORS,
};
pub use problem::Problem;
pub use published::{Kind, Published};
pub use readings::Readings;
pub use rename::Share;
pub use rule::Rule;
pub use scoring::Scoring;
pub use source::{Lines, Place, RunName, RunTold, Settings, Source, Store};
pub use table::Table;
pub use tag_values::{TagValue, TagValues};
pub use tags::TagColumn;
pub use usage::{Origin, Usage};
pub use value::{Labels, Value};
pub use whole::Whole;

/// One prediction as a reader found it: which model said what about which sample.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    /// Benchmark name, such as `ava-bench`.
    pub benchmark: String,
    /// Ability that the sample tests, such as `counting`.
    pub ability: String,
    /// The harness's own id, unique within benchmark, ability and condition.
    pub sample_id: String,
    /// Model name.
    pub model: String,
    /// What differs between runs of the same sample: rotation, boxes, noise, prompt, repeat.
    pub condition: Labels,
    /// What was asked.
    pub content: Content,
    /// The raw response. `None`: the log has no response field; an empty string: the model said nothing.
    pub response: Option<String>,
    /// The answer that the harness read out of the response, when it says so.
    pub parsed: Option<String>,
    /// Name of the metric of `stored`.
    pub metric: Option<String>,
    /// Direction of `metric`, if the log states it.
    pub direction: Option<Direction>,
    /// The score of this one sample that the log carries.
    pub stored: Option<f64>,
    /// Further scores of this one sample that the log carries, by name of the metric.
    pub beside: Vec<(String, f64)>,
    /// How the harness that wrote the log scores this sample.
    pub rule: Rule,
    /// The boxes of a detection sample, from which figures of the whole set are computed.
    pub detections: Option<Detections>,
    /// The masks of a grouping sample, which are not kept once they are scored.
    pub masks: Option<Masks>,
    /// How the answer was got, where a rerun or an exam of this program got it.
    pub origin: Option<Box<Origin>>,
}
