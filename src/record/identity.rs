//! Keys of items and predictions. Unlike row numbers, keys are valid across tables.

use std::hash::Hash;

use hashbrown::HashMap;

use super::{Ability, ItemId, Labels, Row, SPLIT, Table, TagColumn};

/// Key of an item: a sample under a condition.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ItemKey {
    /// Sample id from the harness.
    pub sample_id: String,
    /// Split of the data set; empty if there is none.
    pub split: String,
    /// Benchmark and ability of the sample.
    pub ability: Ability,
    /// Condition: labels that distinguish predictions for the same sample.
    pub condition: Labels,
}

/// Key of a prediction: an item and a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PredictionKey {
    /// The answered item.
    pub item: ItemKey,
    /// Name of the model that answered.
    pub model: String,
}

/// Ability code, condition code, split and sample id.
pub(super) type ItemCodes<'a> = (u16, u16, &'a str, &'a str);

impl Table {
    /// Returns the key of a prediction.
    pub fn key(&self, row: Row) -> PredictionKey {
        let ItemId(item) = self.item(row);
        let names = self.names();
        let ability = usize::from(self.ability_of()[item as usize]);
        let condition = usize::from(self.condition_of()[item as usize]);
        PredictionKey {
            item: ItemKey {
                sample_id: self.sample_id(ItemId(item)).to_owned(),
                split: self.split(ItemId(item)).to_owned(),
                ability: names.abilities.values()[ability].clone(),
                condition: names.conditions[condition].clone(),
            },
            model: names.model(self.model(row)).to_owned(),
        }
    }

    /// Returns the row of a prediction; `None` if the table does not contain it.
    pub fn find(&self, key: &PredictionKey) -> Option<Row> {
        self.find_all(std::slice::from_ref(key))[0]
    }

    /// Returns the row of each prediction; reads the table only once for all keys.
    pub fn find_all(&self, keys: &[PredictionKey]) -> Vec<Option<Row>> {
        let items: Vec<_> = keys.iter().map(|key| self.codes(&key.item)).collect();
        let models = keys.iter().map(|key| self.names().models.find(&key.model));
        let models = models.map(|code| code.and_then(|code| u16::try_from(code).ok()));
        let items = places(&items, self.item_codes());
        let rows: Vec<_> = items
            .into_iter()
            .zip(models)
            .map(|(item, model)| item.zip(model))
            .collect();
        let rows = places(&rows, self.row_codes());
        rows.into_iter().map(|row| row.map(Row)).collect()
    }

    fn codes<'a>(&self, key: &'a ItemKey) -> Option<ItemCodes<'a>> {
        let names = self.names();
        let ability = u16::try_from(names.abilities.find(&key.ability)?).ok()?;
        let mut conditions = names.conditions.iter();
        let condition = conditions.position(|known| *known == key.condition)?;
        let condition = u16::try_from(condition).ok()?;
        Some((ability, condition, &key.split, &key.sample_id))
    }

    /// Returns the codes of every item, in row order.
    pub(super) fn item_codes(&self) -> impl Iterator<Item = ItemCodes<'_>> {
        let codes = self.ability_of().iter().zip(self.condition_of());
        let names = (0..).map(|item| (self.split(ItemId(item)), self.sample_id(ItemId(item))));
        let codes = codes.zip(names);
        codes.map(|((ability, condition), (split, id))| (*ability, *condition, split, id))
    }

    /// Returns the split of an item; empty if it has none.
    pub fn split(&self, item: ItemId) -> &str {
        let Some(TagColumn::Text { names, codes }) = self.tag(SPLIT) else {
            return "";
        };
        let name = codes
            .get(item.0 as usize)
            .and_then(|code| names.get(code as usize));
        name.map_or("", String::as_str)
    }

    /// Returns the item and model code of each prediction, in row order.
    pub(super) fn row_codes(&self) -> impl Iterator<Item = (u32, u16)> {
        let codes = self.item_of().iter().zip(self.model_of());
        codes.map(|(item, model)| (*item, *model))
    }
}

/// Returns the index of each wanted value in a list of distinct values; reads the list only once.
pub(super) fn places<K: Copy + Eq + Hash>(
    wanted: &[Option<K>],
    list: impl Iterator<Item = K>,
) -> Vec<Option<u32>> {
    let keys = wanted.iter().flatten();
    let mut found: HashMap<K, Option<u32>> = keys.map(|key| (*key, None)).collect();
    for (value, place) in list.zip(0..) {
        if let Some(found) = found.get_mut(&value) {
            *found = Some(place);
        }
    }
    let place = |key: &Option<K>| key.and_then(|key| found[&key]);
    wanted.iter().map(place).collect()
}
