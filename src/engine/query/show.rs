//! Finds the predictions on one sample.

use std::ops::Bound;

use base::job::Ticket;
use record::{ItemId, Row, Scoring, Table, Value};
use workspace::Lens;
use workspace::filter::{is, is_within, tag_key};
use workspace::load::Request;

use crate::model::nearest;
use crate::{Ask, CommandLine, Engine, QueryError, Scope};

/// Query: all predictions on one sample.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Show {
    /// The predictions to use: filter, scoring and coverage.
    pub scope: Scope,
    /// Id of the sample.
    pub sample: String,
    /// Model to restrict the answer to; `None` for all models.
    pub model: Option<String>,
}

impl Show {
    /// Creates the query for one prediction. Its filter excludes other samples with the same id.
    pub fn only(row: Row, scoring: Scoring, table: &Table) -> Self {
        let item = table.item(row);
        let id = table.sample_id(item);
        let twins = items(table).filter(|item| table.sample_id(*item) == id);
        let filter = if twins.count() > 1 {
            item_filter(item, table)
        } else {
            String::new()
        };
        Self {
            scope: Scope {
                filter,
                scoring,
                ..Scope::default()
            },
            sample: id.to_owned(),
            model: Some(table.names().model(table.model(row)).to_owned()),
        }
    }
}

impl Ask for Show {
    type Answer = Vec<Row>;

    fn scope_of_rows(&self) -> Option<&Scope> {
        Some(&self.scope)
    }

    fn answer(&self, engine: &dyn Engine, ticket: &Ticket) -> Result<Vec<Row>, QueryError> {
        let held = engine.rows(&self.scope)?;
        let table = &held.table;
        let is_wanted = |row: &Row| {
            let model = table.names().model(table.model(*row));
            table.sample_id(table.item(*row)) == self.sample
                && self.model.as_ref().is_none_or(|wanted| wanted == model)
        };
        let rows = held.selection(ticket).rows().map(Row);
        let rows: Vec<Row> = rows.filter(is_wanted).collect();
        if rows.is_empty() {
            let ids = items(table).map(|item| table.sample_id(item));
            return Err(QueryError::Sample {
                name: self.sample.clone(),
                model: self.model.clone(),
                near: nearest(ids, &self.sample).filter(|near| *near != self.sample),
            });
        }
        Ok(rows)
    }

    fn command(&self, opened: &Request) -> Option<CommandLine> {
        let line = CommandLine::new("show", &[], opened).option("--sample", &self.sample);
        let line = line.maybe("--model", self.model.as_ref());
        Some(line.scope(&self.scope))
    }
}

fn items(table: &Table) -> impl Iterator<Item = ItemId> {
    (0..).map(ItemId).take(table.ability_of().len())
}

/// Returns filter terms that distinguish a sample from other samples with the same id.
fn item_filter(item: ItemId, table: &Table) -> String {
    let lens = table.ability(item).map(|ability| Lens {
        benchmark: ability.benchmark.clone(),
        ability: Some(ability.name.clone()),
        ..Lens::default()
    });
    let mut terms: Vec<String> = lens.map(|l| l.expression(table)).into_iter().collect();
    for (name, value) in table.condition(item).into_iter().flatten() {
        let known = table
            .names()
            .conditions
            .iter()
            .map(|labels| labels.get(name));
        let known: Vec<&Value> = known.flatten().collect();
        let numbers = known.iter().all(|value| value.number().is_some());
        terms.push(if let Some(number) = value.number().filter(|_| numbers) {
            let bound = Bound::Included(number);
            is_within(&tag_key(name), (bound, bound))
        } else {
            let known: Vec<String> = known.iter().map(ToString::to_string).collect();
            is(&tag_key(name), &value.to_string(), &known)
        });
    }
    terms.retain(|term| !term.is_empty());
    terms.join(" ")
}
