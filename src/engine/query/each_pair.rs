//! Each pair of some models on the samples that both answered, whatever the conditions under which they were asked.

use analysis::{Terms, Threshold, adjust_together, compare};
use job::Ticket;
use workspace::NamedSides;
use workspace::filter::is;

use super::Compared;
use crate::{Ask, Engine, Needs, QueryError, Scope};

/// Each pair of some models. Where a condition tells two of them apart, such as one that was asked with a blank picture,
/// it pairs nothing: samples do. p values are adjusted over all pairs and abilities.
#[derive(Clone, Debug, PartialEq)]
pub struct EachPair {
    /// The models by their whole names; those that the table does not have are left out.
    pub models: Vec<String>,
    /// Which predictions.
    pub scope: Scope,
}

impl Ask for EachPair {
    /// The pairs in the order of the models.
    type Answer = Vec<Compared>;

    fn needs(&self) -> Needs {
        Needs::Rows
    }

    fn answer(&self, engine: &dyn Engine, ticket: &Ticket) -> Result<Vec<Compared>, QueryError> {
        let held = engine.rows(&self.scope)?;
        let (table, scoring) = (&held.table, self.scope.scoring);
        let known = table.names().models.values();
        let models: Vec<&String> = (self.models.iter())
            .filter(|name| known.contains(name))
            .collect();
        let mut pairs = Vec::new();
        for (at, a) in models.iter().enumerate() {
            for b in models.iter().skip(at + 1) {
                let [one, other] = [a, b].map(|name| is("model", name, known));
                let sides = NamedSides::find([&one, &other], table, scoring, held.mask())?;
                let terms = Terms::of(Threshold::None, false);
                let comparison = compare(sides.sides(table, scoring, ticket), &[], terms);
                pairs.push(Compared {
                    names: [(*a).clone(), (*b).clone()],
                    comparison,
                });
            }
        }
        let mut shown: Vec<_> = pairs.iter_mut().map(|pair| &mut pair.comparison).collect();
        adjust_together(&mut shown);
        Ok(pairs)
    }
}
