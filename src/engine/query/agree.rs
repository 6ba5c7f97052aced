//! Compares the rankings of two sets of runs.

use std::collections::{BTreeMap, BTreeSet};

use analysis::{Agreement, Selection, agreements};
use base::job::Ticket;
use record::{Row, Scoring};
use regex::Regex;
use workspace::filter::all_of;
use workspace::load::Request;

use crate::{Ask, CommandLine, Engine, QueryError, Scope, ScopedTable};

/// Query: agreement of the rankings of two sets of runs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Agree {
    /// Predictions to use: filter, scoring and coverage.
    pub scope: Scope,
    /// Two sets of runs, given as filters, or two scoring rules for all runs.
    pub between: [String; 2],
    /// Regular expression for a part of model names. Equal parts identify a model in both sets.
    pub name: Option<String>,
}

impl Agree {
    /// Returns a scope for each set, which contains all predictions of the set, and possibly more.
    pub fn side_scopes(&self) -> [Scope; 2] {
        self.between.each_ref().map(|text| {
            let own = rule(text).map_or(text.as_str(), |_| "");
            let terms = Some(own.trim()).filter(|own| !own.is_empty());
            let terms = terms.map(|own| format!("({own})"));
            Scope {
                filter: all_of(terms.into_iter().collect(), &self.scope.filter),
                ..self.scope.clone()
            }
        })
    }

    /// Returns the predictions of the set described by a text.
    fn set(&self, text: &str, engine: &dyn Engine) -> Result<ScopedTable, QueryError> {
        let rule = rule(text);
        let scoring = rule.unwrap_or(self.scope.scoring);
        let own = if rule.is_some() { "" } else { text };
        let rows = |filter: &str| {
            engine.rows(&Scope {
                filter: filter.to_owned(),
                scoring,
                ..self.scope.clone()
            })
        };
        Ok(rows(&self.scope.filter)?.and(&rows(own)?))
    }
}

impl Ask for Agree {
    type Answer = Vec<Agreement>;

    fn answer(&self, engine: &dyn Engine, ticket: &Ticket) -> Result<Self::Answer, QueryError> {
        let part = self.name.as_deref().map(Regex::new).transpose()?;
        let name_of = |name: &str| match &part {
            Some(part) => matched(part, name).to_owned(),
            None => name.to_owned(),
        };
        let [first, second] = &self.between;
        let (one, other) = (self.set(first, engine)?, self.set(second, engine)?);
        let [one, other] = [&one, &other].map(|set| set.selection(ticket));
        distinct(one, first, &name_of)?;
        distinct(other, second, &name_of)?;
        Ok(agreements(one, other, &name_of))
    }

    fn command(&self, opened: &Request) -> Option<CommandLine> {
        let [first, second] = &self.between;
        let line = CommandLine::new("agree", &[], opened).scope(&self.scope);
        let line = line.pair("--between", [first, second]);
        Some(line.maybe("--name", self.name.as_ref()))
    }
}

/// Parses `scoring:NAME`; `None` for any other text.
fn rule(text: &str) -> Option<Scoring> {
    let mut rules = [Scoring::Harness, Scoring::Strict].into_iter();
    rules.find(|rule| text.trim().strip_prefix("scoring:") == Some(rule.name()))
}

/// Returns the text of the pattern's first group, or of the whole match if the pattern has no
/// groups. Returns the name if the pattern does not match.
fn matched<'a>(part: &Regex, name: &'a str) -> &'a str {
    let found = part.captures(name);
    let group = found.and_then(|found| found.get(1).or_else(|| found.get(0)));
    group.map_or(name, |group| group.as_str())
}

/// Checks that the set is not empty, and that no two of its models get the same name.
fn distinct(
    set: Selection<'_>,
    text: &str,
    name_of: &dyn Fn(&str) -> String,
) -> Result<(), QueryError> {
    let table = set.table;
    let present: BTreeSet<_> = set.rows().map(|row| table.model(Row(row))).collect();
    if present.is_empty() {
        return Err(QueryError::NoSamples(text.to_owned()));
    }
    let mut known: BTreeMap<String, &str> = BTreeMap::new();
    for model in present.into_iter().map(|model| table.names().model(model)) {
        if let Some(other) = known.insert(name_of(model), model) {
            return Err(QueryError::SameName {
                models: [other.to_owned(), model.to_owned()],
                set: text.to_owned(),
            });
        }
    }
    Ok(())
}
