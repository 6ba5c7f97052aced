//! Computes scores and ranks from sums, or from predictions if sums are not sufficient.

use std::collections::BTreeSet;

use analysis::{
    Depth, FromSums, Score, Selection, cut_runs, ranked_with_printed, scores_of_samples,
    scores_of_sums, unranked_of_sums,
};
use base::job::Ticket;
use record::{Ability, AbilityId, ModelId, Scoring};
use workspace::filter::select_published;

use super::{Large, ScopeBounds};
use crate::warehouse::{Portion, Sums, SumsKind, SumsWithNote};
use crate::{Engine, QueryError, ResultsWithNotes, Scope};

/// Computes the scores of a scope. The results equal those of the in-memory engine.
pub fn scores(
    large: &Large,
    scope: &Scope,
    depth: Depth,
    ticket: &Ticket,
) -> Result<ResultsWithNotes<Score>, QueryError> {
    let ScopeBounds {
        portion, is_exact, ..
    } = large.reach(scope)?;
    if !is_exact {
        return large.load(&portion, ticket)?.scores(scope, depth, ticket);
    }
    let names = &large.outline().names;
    let published = select_published(&scope.filter, names, scope.scoring)?;
    let selection = Selection {
        published: published.as_deref(),
        coverage: scope.coverage.share(),
        ticket,
        ..Selection::all(names, Scoring::Harness)
    };
    let mut told = ResultsWithNotes::default();
    for part in large.batches(&portion) {
        if !ticket.is_wanted() {
            return Err(QueryError::Stopped);
        }
        let asked = ScoreRequest {
            scope,
            depth,
            ticket,
        };
        let (found, notes) = of_part(large, &part, selection, asked)?;
        told.found.extend(found);
        told.add_notes(notes);
    }
    let bare = told.found.iter().filter(|score| score.evidence.is_none());
    let bare = bare.count() as u64;
    if bare > 0 && depth == Depth::Intervals {
        told.add_notes([format!(
            "the sample counts behind {} are not in the data set: publish its logs again to add them",
            base::format::counted(bare, "score")
        )]);
    }
    let cut = cut(large, &portion);
    told.found = ranked_with_printed(told.found, selection, &cut);
    Ok(told)
}

/// Returns benchmark and model of each run that has abilities which the filter excludes.
fn cut<'a>(large: &'a Large, portion: &Portion) -> BTreeSet<(&'a str, &'a str)> {
    if portion.is_all() {
        return BTreeSet::new();
    }
    let outline = large.outline();
    let left_out = outline.counts.iter();
    let left_out = left_out.filter(|one| !portion.has(one.model, one.ability));
    cut_runs(
        outline.names.names(),
        left_out.map(|one| (one.ability, one.model)),
    )
}

/// Arguments for computing the scores of several groups of abilities.
#[derive(Clone, Copy)]
struct ScoreRequest<'a> {
    scope: &'a Scope,
    depth: Depth,
    ticket: &'a Ticket,
}

/// Scores before ranking, and notes on them.
type UnrankedScores = (Vec<Score>, Vec<String>);

fn of_part(
    large: &Large,
    portion: &Portion,
    selection: Selection<'_>,
    asked: ScoreRequest<'_>,
) -> Result<UnrankedScores, QueryError> {
    let ticket = asked.ticket;
    let has_intervals = asked.depth == Depth::Intervals;
    let mut rest = portion.clone();
    let (mut all, mut notes) = (Vec::new(), Vec::new());
    let kinds: &[SumsKind<'_>] = if has_intervals {
        &[SumsKind::Clusters]
    } else {
        &[SumsKind::Totals, SumsKind::Clusters]
    };
    for kind in kinds {
        let wanted = Sums {
            portion: &rest,
            kind: *kind,
        };
        let SumsWithNote { sums, note } =
            large.warehouse.sums(&wanted, ticket)?.unwrap_or_default();
        notes.extend(note.filter(|_| has_intervals));
        let metrics = sums.iter().map(|summed| &summed.metric);
        let table = large.with_graded(selection.table.clone(), metrics, ticket)?;
        let told = Selection {
            table: &table,
            ..selection
        };
        let FromSums { found, by_rows } = scores_of_sums(&sums, told, asked.depth);
        all.extend(found);
        let whole = sums.iter().filter(|summed| summed.bin.is_none());
        let summed: BTreeSet<&Ability> = whole.map(|summed| &summed.ability).collect();
        let names = selection.table.names();
        let is_left = |ability: AbilityId| {
            let name = names.ability(ability);
            name.is_some_and(|name| by_rows.contains(name) || !summed.contains(name))
        };
        rest = large.within(&rest, is_left);
        if rest.is_empty() {
            break;
        }
    }
    for ability in rest.abilities() {
        let part = large.within(&rest, |own| own == ability);
        match large.load(&part, ticket) {
            Ok(memory) => {
                let held = large.held(&memory, asked.scope, &part)?;
                all.extend(scores_of_samples(held.selection(ticket), asked.depth));
            }
            Err(why @ QueryError::TooMany { .. }) => {
                let wanted = Sums {
                    portion: &part,
                    kind: SumsKind::Clusters,
                };
                let added = large.warehouse.sums(&wanted, ticket)?;
                let SumsWithNote { sums, note } = added.unwrap_or_default();
                notes.extend(note.filter(|_| has_intervals));
                all.extend(unranked_of_sums(&sums, selection, asked.depth));
                notes.push(unranked(selection, ability, &part, &why));
            }
            Err(why) => return Err(why),
        }
    }
    Ok((all, notes))
}

/// Returns a note that explains why an ability has no ranks.
fn unranked(
    selection: Selection<'_>,
    ability: AbilityId,
    part: &Portion,
    why: &QueryError,
) -> String {
    let names = selection.table.names();
    let name = names.ability(ability).map_or("", |name| &name.name);
    let models: BTreeSet<ModelId> = part.models();
    format!(
        "no ranks for {name}: the {} did not all answer the same samples, or their scores are not means; {why}",
        base::format::counted(models.len() as u64, "model")
    )
}
