//! Computes subgroups from sums, or from predictions if sums are not sufficient.

use std::collections::BTreeSet;

use analysis::{FromSums, Metrics, Selection, Split, Subgroup, subgroups_of_sums};
use base::job::Ticket;
use record::{Ability, AbilityId, Scoring};

use super::{Large, ScopeBounds};
use crate::warehouse::{Sums, SumsKind, SumsWithNote};
use crate::{Engine, QueryError, ResultsWithNotes, Scope};

impl Large {
    /// Computes the subgroups of a scope. Without `by`, uses all splits that have sums.
    pub(super) fn subgroups_from_sums(
        &self,
        scope: &Scope,
        by: Option<&str>,
        metrics: Metrics,
        ticket: &Ticket,
    ) -> Result<ResultsWithNotes<Subgroup>, QueryError> {
        let ScopeBounds {
            portion, is_exact, ..
        } = self.reach(scope)?;
        let splits = splits(self, by).filter(|_| is_exact && metrics == Metrics::Headline);
        let Some(splits) = splits else {
            let memory = self.load(&portion, ticket)?;
            return memory.subgroups(scope, by, metrics, ticket);
        };
        let outline = self.outline();
        let selection = Selection {
            coverage: scope.coverage.share(),
            ticket,
            ..Selection::all(&outline.names, Scoring::Harness)
        };
        let mut told = ResultsWithNotes::default();
        for split in &splits {
            if !ticket.is_wanted() {
                return Err(QueryError::Stopped);
            }
            let has = |ability| {
                let labels = outline.labels.get(&ability);
                labels.is_some_and(|labels| labels.contains(&split.text))
            };
            let portion = self.within(&portion, has);
            let names = outline.names.names();
            let mut left: BTreeSet<AbilityId> = BTreeSet::new();
            for batch in self.batches(&portion) {
                let wanted = Sums {
                    portion: &batch,
                    kind: SumsKind::Bins(split),
                };
                let sums = self.warehouse.sums(&wanted, ticket)?;
                let has_sums = sums.is_some();
                let SumsWithNote { sums, note } = sums.unwrap_or_default();
                told.add_notes(note);
                let FromSums { found, by_rows } = subgroups_of_sums(&sums, selection);
                told.found.extend(found);
                let is_left = |ability: &AbilityId| {
                    let name: Option<&Ability> = names.ability(*ability);
                    !has_sums || name.is_some_and(|name| by_rows.contains(name))
                };
                left.extend(batch.abilities().into_iter().filter(is_left));
            }
            let rest = self.within(&portion, |ability| left.contains(&ability));
            if rest.is_empty() {
                continue;
            }
            match self.load(&rest, ticket) {
                Ok(memory) => {
                    let held = self.held(&memory, scope, &rest)?;
                    let split = std::slice::from_ref(split);
                    told.found.extend(analysis::subgroups(
                        held.selection(ticket),
                        split,
                        Metrics::Headline,
                    ));
                }
                Err(why @ QueryError::TooMany { .. }) => told.notes.push(format!(
                    "not all subgroups by {} are shown: their scores are not means; {why}",
                    split.text
                )),
                Err(why) => return Err(why),
            }
        }
        Ok(told)
    }
}

/// Returns the requested splits; `None` if one of them has no sums.
fn splits(large: &Large, by: Option<&str>) -> Option<Vec<Split>> {
    let known = &large.outline().splits;
    let Some(by) = by else {
        return Some(known.clone());
    };
    let one = |name: &str| {
        known
            .iter()
            .find(|split| split.text == name.trim())
            .cloned()
    };
    by.split(',').map(one).collect()
}
