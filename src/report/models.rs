//! The document of `eyechart models`: facts about the open models.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use super::{Document, Grid};
use base::format::counted;
use record::{AbilityId, Facts, Kind, ModelId, Names, Table};

/// Models with their facts and benchmarks.
#[derive(Clone, Debug, Default)]
pub struct ModelTable {
    /// Names and facts of the models.
    names: Names,
    /// Benchmarks by the plain name of a model.
    models: BTreeMap<String, Vec<String>>,
    /// Names that may be two spellings of one model.
    alike: Vec<[String; 2]>,
}

impl ModelTable {
    /// Builds the table from all models with answers or published scores. `alike` has pairs of
    /// similar names.
    #[must_use]
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
            "thinking": facts.thinking, "resolution": facts.resolution, "note": facts.note,
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
            "{}; the size of {} and the date of {} are known. A models.csv next to the logs or in \
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
        let columns = [
            "model",
            "also spelled",
            "family",
            "size, B>",
            "active>",
            "released",
            "open",
            "thinking",
            "pixels>",
            "in",
            "source",
        ];
        let mut grid = Grid::new("Models", &columns);
        let unknown = Facts::default();
        let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
        let flag = |value: Option<bool>| value.map_or("", |is| if is { "yes" } else { "no" });
        for (model, benchmarks) in &self.models {
            let facts = self.names.facts(model).unwrap_or(&unknown);
            grid.push([
                model.as_str(),
                &self.spelled(model).join("; "),
                facts.family.as_deref().unwrap_or_default(),
                &number(facts.parameters),
                &number(facts.active_parameters),
                &facts
                    .released
                    .map(|day| day.to_string())
                    .unwrap_or_default(),
                flag(facts.open),
                flag(facts.thinking),
                &number(facts.resolution),
                &benchmarks.join(", "),
                &facts.note,
            ]);
        }
        vec![grid]
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
