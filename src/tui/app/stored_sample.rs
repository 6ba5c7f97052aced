//! A prediction as stored in a session: by identity, because row numbers may change.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use record::{Ability, ItemKey, PredictionKey, Value};

/// Identity of a prediction in the session file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StoredSample {
    id: String,
    benchmark: String,
    ability: String,
    model: String,
    #[serde(default)]
    split: String,
    #[serde(default)]
    condition: BTreeMap<String, StoredValue>,
}

/// Value of a condition in the session file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum StoredValue {
    Flag(bool),
    Number(f64),
    Text(String),
}

impl From<PredictionKey> for StoredSample {
    fn from(PredictionKey { item, model }: PredictionKey) -> Self {
        let condition = item.condition.into_iter();
        let condition = condition.map(|(name, value)| match value {
            Value::Flag(flag) => (name, StoredValue::Flag(flag)),
            Value::Number(number) => (name, StoredValue::Number(number)),
            Value::Text(text) => (name, StoredValue::Text(text)),
        });
        Self {
            id: item.sample_id,
            benchmark: item.ability.benchmark,
            ability: item.ability.name,
            model,
            split: item.split,
            condition: condition.collect(),
        }
    }
}

impl From<StoredSample> for PredictionKey {
    fn from(kept: StoredSample) -> Self {
        let condition = kept.condition.into_iter();
        let condition = condition.map(|(name, value)| match value {
            StoredValue::Flag(flag) => (name, Value::Flag(flag)),
            StoredValue::Number(number) => (name, Value::Number(number)),
            StoredValue::Text(text) => (name, Value::Text(text)),
        });
        Self {
            item: ItemKey {
                sample_id: kept.id,
                split: kept.split,
                ability: Ability {
                    benchmark: kept.benchmark,
                    name: kept.ability,
                },
                condition: condition.collect(),
            },
            model: kept.model,
        }
    }
}
