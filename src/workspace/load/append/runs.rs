//! Assigns codes to models and their runs.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::super::large::SetRun;
use super::figures::joined;
use super::{Appender, ModelId, Unit};
use reader::data_set;
use record::{Ability, AbilityId};

impl Appender<'_> {
    /// Returns the code of a model, or of its run in a benchmark. `None` if there are too many
    /// models.
    pub(super) fn run_code(
        &mut self,
        model: &str,
        benchmark: &str,
        run: Option<&String>,
    ) -> Option<ModelId> {
        let meant = self.memory.spellings.of_samples(model, benchmark);
        let (model, spelled) = self.named(model, meant);
        let run = joined(spelled, run);
        self.builder.run_of(&model, run.as_deref())
    }

    /// Assigns codes to the runs of a data set in order. So the codes do not depend on which parts
    /// are read.
    pub fn name_runs(&mut self, units: &[Unit]) -> Vec<SetRun> {
        let units = units.iter().enumerate();
        // A run that gets no code is left out and reported.
        let named = units
            .filter(|(_, unit)| !unit.superseded)
            .filter_map(|(number, unit)| {
                let run = unit.published.as_ref()?;
                self.name_run(number, unit, run)
            });
        named.collect()
    }

    fn name_run(&mut self, number: usize, unit: &Unit, run: &Arc<data_set::Run>) -> Option<SetRun> {
        let told = run.run.as_ref().or(unit.run.as_ref());
        let mut abilities: BTreeMap<String, AbilityId> = BTreeMap::new();
        let mut model = ModelId(0);
        for name in run.abilities.keys() {
            let ability = Ability {
                benchmark: run.benchmark.clone(),
                name: name.clone(),
            };
            model = self.run_code(&run.model, &run.benchmark, told)?;
            abilities.insert(name.clone(), self.builder.ability(&ability)?);
        }
        Some(SetRun {
            number,
            run: Arc::clone(run),
            model,
            abilities,
        })
    }
}
