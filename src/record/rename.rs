//! Assigns predictions to runs after a model turns out to have several runs.

use std::collections::BTreeSet;

use hashbrown::{HashMap, HashSet};

use super::names::Key;
use super::{AbilityId, ModelId, Run, TableBuilder};

/// Model and log (index of the source); identifies the predictions of one model in one log.
pub type ModelSource = (ModelId, u32);

impl TableBuilder {
    /// Returns the pairs of model and log that have predictions.
    pub fn shares(&self) -> HashSet<ModelSource> {
        self.all_shares().collect()
    }

    fn all_shares(&self) -> impl Iterator<Item = ModelSource> {
        let models = self.predictions.model.iter().copied().map(ModelId);
        models.zip(self.predictions.unit.iter().copied())
    }

    /// Assigns the predictions of the given models and logs to runs. Returns the log, run and
    /// benchmark of each renamed group of predictions.
    ///
    /// Model codes change, so no more rows can be added to the table.
    pub fn name_runs(&mut self, runs: &HashMap<ModelSource, Run>) -> BTreeSet<(u32, Run, String)> {
        let mut models: Key<String> = Key::default();
        let mut known: HashMap<ModelSource, u32> = HashMap::new();
        let code = |share: ModelSource| {
            *known.entry(share).or_insert_with(|| {
                let own = || self.names.model(share.0).to_owned();
                let name = runs.get(&share).map_or_else(own, Run::name);
                models.code(name.as_str())
            })
        };
        let codes: Option<Vec<u16>> = (self.all_shares().map(code))
            .map(|code| u16::try_from(code).ok())
            .collect();
        // If there are more names than codes, all predictions keep their names.
        let Some(codes) = codes else {
            return BTreeSet::new();
        };
        let abilities = self.predictions.item.iter().map(|item| {
            let ability = self.items.ability[*item as usize];
            AbilityId(ability)
        });
        let named: HashSet<(ModelSource, AbilityId)> = self.all_shares().zip(abilities).collect();
        let told = named.iter().filter_map(|(share, ability)| {
            let benchmark = self.names.ability(*ability)?.benchmark.clone();
            Some((share.1, runs.get(share)?.clone(), benchmark))
        });
        let told = told.collect();
        for run in runs.values() {
            self.names.runs.insert(run.name(), run.clone());
        }
        self.predictions.model = codes;
        self.names.models = models;
        told
    }
}
