//! Collects the label fields of a data set in a first pass over the samples.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

/// Maximum number of distinct sample tags that become tags of Eyechart; the others are ignored.
const MOST_TAGS: usize = 30;

/// Kind of a field's labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Boxes with classes.
    Detections,
    /// One class per picture.
    Classification,
    /// Another kind, which is not read; contains its name.
    Other(&'static str),
}

impl Kind {
    /// Returns `FiftyOne`'s name of the kind.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Detections => "Detections",
            Self::Classification => "Classification",
            Self::Other(name) => name,
        }
    }

    /// `FiftyOne`'s names of the kinds that are not read.
    const OTHERS: [&'static str; 9] = [
        "Classifications",
        "Polyline",
        "Polylines",
        "Keypoint",
        "Keypoints",
        "Segmentation",
        "Heatmap",
        "Regression",
        "TemporalDetections",
    ];

    /// Returns the kind of a label; `None` for a value that is not a label.
    pub fn of(label: &Json) -> Option<Self> {
        match label.get("_cls")?.as_str()? {
            "Detections" | "Detection" => Some(Self::Detections),
            "Classification" => Some(Self::Classification),
            other => {
                let mut others = Self::OTHERS.into_iter();
                others.find(|known| *known == other).map(Self::Other)
            }
        }
    }
}

/// Match counts of an evaluation of detections.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Matches {
    /// Number of correct predictions.
    pub right: u64,
    /// Number of wrong predictions.
    pub wrong: u64,
    /// Number of missed objects.
    pub missed: u64,
}

/// A label field.
#[derive(Clone, Debug, Default)]
pub struct Field {
    /// Kind of the first label; `None` before the first label.
    pub kind: Option<Kind>,
    /// Names of all classes in the field.
    pub classes: BTreeSet<String>,
    /// Number of labels.
    pub labels: u64,
    /// Number of labels with a confidence.
    pub confident: u64,
    /// Number of labels with a mask.
    pub masks: u64,
    /// Matches by evaluation key.
    pub matches: BTreeMap<String, Matches>,
}

/// All label fields and sample tags of a data set.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    /// Label fields by field name.
    pub fields: BTreeMap<String, Field>,
    /// Distinct tags of all samples.
    pub tags: BTreeSet<String>,
}

impl Survey {
    /// Adds the labels and tags of a sample.
    pub fn add(&mut self, sample: &Json) {
        for (name, label) in sample.as_object().into_iter().flatten() {
            if let Some(kind) = Kind::of(label) {
                let field = self.fields.entry(name.clone()).or_default();
                field.kind.get_or_insert(kind);
                for label in labels(label) {
                    field.add(label);
                }
            }
        }
        for tag in sample_tags(sample) {
            if self.tags.len() < MOST_TAGS {
                self.tags.insert(tag.to_owned());
            }
        }
    }

    /// Returns the fields of a kind.
    pub fn of_kind(&self, kind: Kind) -> impl Iterator<Item = (&String, &Field)> {
        self.fields
            .iter()
            .filter(move |(_, field)| field.kind == Some(kind))
    }

    /// Returns the evaluation keys that occur in labels.
    pub fn keys(&self) -> impl Iterator<Item = &String> {
        self.fields.values().flat_map(|field| field.matches.keys())
    }
}

impl Field {
    fn add(&mut self, label: &Json) {
        let Some(class) = label.get("label").and_then(Json::as_str) else {
            return;
        };
        self.labels += 1;
        if !self.classes.contains(class) {
            self.classes.insert(class.to_owned());
        }
        let has = |key: &str| label.get(key).is_some_and(|value| !value.is_null());
        self.confident += u64::from(has("confidence"));
        self.masks += u64::from(has("mask") || has("mask_path"));
        for (key, value) in label.as_object().into_iter().flatten() {
            // A class can also be called `tp`.
            let Some(match_kind @ ("tp" | "fp" | "fn")) = value.as_str().filter(|_| key != "label")
            else {
                continue;
            };
            let matches = self.matches.entry(key.clone()).or_default();
            match match_kind {
                "tp" => matches.right += 1,
                "fp" => matches.wrong += 1,
                _ => matches.missed += 1,
            }
        }
    }
}

/// Returns the single labels in a field.
pub fn labels(field: &Json) -> &[Json] {
    match field.get("detections").and_then(Json::as_array) {
        Some(list) => list,
        None if field.get("_cls").and_then(Json::as_str) == Some("Detections") => &[],
        None => std::slice::from_ref(field),
    }
}

/// Returns the tags of a sample.
pub fn sample_tags(sample: &Json) -> impl Iterator<Item = &str> {
    let tags = sample.get("tags").and_then(Json::as_array);
    tags.into_iter().flatten().filter_map(Json::as_str)
}
