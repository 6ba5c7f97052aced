//! The document of `eyechart models`: facts about the open models.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use super::columns::{Columns, written};
use super::{Document, Grid};
use base::format::counted;
use record::{AbilityId, Facts, Kind, ModelId, Names, Table};

/// Models with their facts and benchmarks.
#[derive(Clone, Debug, Default)]
pub struct ModelTable {
    /// Names and facts of the models.
    names: Names,
    /// Benchmarks of each model, by its plain name.
    models: BTreeMap<String, Vec<String>>,
    /// Pairs of names that are possibly two spellings of one model.
    alike: Vec<[String; 2]>,
}

impl ModelTable {
    /// Builds the table from all models with answers or published scores. `alike` has pairs of
    /// similar names.
    pub fn of(table: &Table, answered: &[(ModelId, AbilityId)], alike: Vec<[String; 2]>) -> Self {
        let names = table.names();
        let mut models: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut add = |model: &str, benchmark: &str| {
            let known = models.entry(names.plain(model).0.to_owned()).or_default();
            if !known.iter().any(|known| known == benchmark) {
                known.push(benchmark.to_owned());
            }
        };
        let printed = table.published().iter();
        for row in printed.filter(|row| row.kind() == Kind::Model) {
            add(&row.model, &row.benchmark);
        }
        for (model, ability) in answered {
            if let Some(ability) = names.ability(*ability) {
                add(names.model(*model), &ability.benchmark);
            }
        }
        Self {
            names: names.clone(),
            models,
            alike,
        }
    }

    fn spelled(&self, model: &str) -> Vec<&str> {
        self.names.spellings(model).collect()
    }

    fn model(&self, model: &str, benchmarks: &[String]) -> Json {
        let unknown = Facts::default();
        let facts = self.names.facts(model).unwrap_or(&unknown);
        json!({
            "model": model, "spelled": self.spelled(model), "benchmarks": benchmarks,
            "family": facts.family, "parameters_b": facts.parameters,
            "active_parameters_b": facts.active_parameters,
            "released": facts.released.map(|day| day.to_string()), "open": facts.open,
            "thinking": facts.thinking, "resolution": facts.resolution, "step": facts.step, "note": facts.note,
        })
    }
}

impl Document for ModelTable {
    fn preface(&self) -> Vec<String> {
        let known = |has: fn(&Facts) -> bool| {
            let facts = self
                .models
                .keys()
                .filter_map(|model| self.names.facts(model));
            facts.filter(|facts| has(facts)).count()
        };
        let mut said = vec![format!(
            "{}; the size of {} and the release date of {} are known. A models.csv next to the logs or in \
             the config folder adds or replaces single facts.",
            counted(self.models.len() as u64, "model"),
            known(|facts| facts.parameters.is_some()),
            known(|facts| facts.released.is_some())
        )];
        let pairs = self.alike.iter();
        said.extend(pairs.map(|[one, other]| {
            format!("'{one}' and '{other}' may be one model: an alias in models.csv joins them.")
        }));
        said
    }

    fn grids(&self) -> Vec<Grid> {
        let unknown = Facts::default();
        let facts = |it: &(&String, &Vec<String>)| self.names.facts(it.0).unwrap_or(&unknown);
        let flag = |value: Option<bool>| value.map_or("", |is| if is { "yes" } else { "no" });
        let table = Columns::<(&String, &Vec<String>)>::new()
            .text("model", |it| it.0)
            .words("also spelled", |it| self.spelled(it.0).join("; "))
            .words("family", |it| written(facts(it).family.as_ref()))
            .words("size, B>", |it| written(facts(it).parameters))
            .words("active>", |it| written(facts(it).active_parameters))
            .words("released", |it| written(facts(it).released))
            .text("open", |it| flag(facts(it).open))
            .text("thinking", |it| flag(facts(it).thinking))
            .words("pixels>", |it| written(facts(it).resolution))
            .words("in", |it| it.1.join(", "))
            .words("source", |it| facts(it).note.clone())
            .grid("Models", &self.models);
        vec![table]
    }

    fn json(&self) -> Json {
        json!({"schema": "eyechart.models/1", "models": self.lines(), "alike": self.alike})
    }

    fn lines(&self) -> Vec<Json> {
        let models = self.models.iter();
        models
            .map(|(model, benchmarks)| self.model(model, benchmarks))
            .collect()
    }
}
