//! The conclusion of a fingerprint in sentences, and its evidence. A model is called first only if
//! no other rank is possible at 95 %.

use super::fingerprint::{Fingerprint, ability};
use crate::brief::range;
use analysis::{Evidence, Score};
use base::format::{counted, fixed};
use itertools::Itertools as _;

/// Maximum number of abilities named for a model.
const MOST: usize = 6;
/// Maximum number of scores whose evidence is named.
const MOST_EVIDENCE: usize = 3;

/// Names the models that are clearly first, and counts the abilities without a clear first model.
pub fn conclusion(fingerprint: &Fingerprint<'_>) -> String {
    if fingerprint.models.len() < 2 {
        return "One model: there is nothing to rank.".to_owned();
    }
    let tested = |at: &usize| {
        let scores = fingerprint.column(*at);
        scores.iter().any(|score| score.rank_ci.is_some())
    };
    let tested: Vec<usize> = (0..fingerprint.columns.len()).filter(tested).collect();
    if tested.is_empty() {
        let mut columns = 0..fingerprint.columns.len();
        let is_measured = |at| fingerprint.column(at).iter().any(|score| score.n > 0);
        let why = if columns.any(is_measured) {
            "no pair of models could be tested"
        } else {
            "the scores are published without samples"
        };
        return format!("No rank is certain: {why}.");
    }
    let first = tested
        .iter()
        .filter_map(|at| Some((*at, first(fingerprint, *at)?)));
    let first = first.into_group_map_by(|(_, score)| score.model.as_str());
    let models = fingerprint.models.iter().map(|rank| rank.model.as_str());
    let mut named = models.unique().filter_map(|model| {
        let columns = first.get(model)?;
        let columns = columns
            .iter()
            .filter_map(|(at, _)| fingerprint.columns.get(*at));
        let columns: Vec<&&Score> = columns.collect();
        Some(format!("{model} in {}", list(&columns)))
    });
    let named = named.join("; ");
    let sure: usize = first.values().map(Vec::len).sum();
    let all = fingerprint.columns.len();
    let mut words = match (sure, all) {
        (0, 1) => "No model is clearly first.".to_owned(),
        (0, _) => format!("No model is clearly first in any of {all} abilities."),
        (_, 1) => format!("Clearly first: {named}."),
        _ if sure == all => format!("Clearly first: {named}."),
        _ => format!(
            "Clearly first: {named}. No model is clearly first in the other {} of {all} abilities.",
            all - sure
        ),
    };
    if all > 1 {
        words.push(' ');
        words.push_str(&average(fingerprint));
    }
    words
}

/// The score that is clearly the best of a column.
fn first<'a>(fingerprint: &Fingerprint<'a>, column: usize) -> Option<&'a Score> {
    let scores = fingerprint.column(column).into_iter();
    let mut scores = scores.filter(|score| score.rank_ci == Some((1, 1)));
    scores.find(|score| !fingerprint.is_tied(column, score))
}

/// Sentence about the average ranks.
fn average(fingerprint: &Fingerprint<'_>) -> String {
    let mut ranks = fingerprint.models.iter();
    let best = ranks.find(|rank| rank.value.is_some());
    match best.and_then(|rank| Some((rank, rank.ci.filter(|_| !rank.tied)?))) {
        Some((rank, ci)) => format!(
            "{} clearly has the best average rank ({} [{:.2}, {:.2}]).",
            rank.model,
            fixed(rank.value, 2),
            ci.low,
            ci.high
        ),
        None => "No model clearly has the best average rank.".to_owned(),
    }
}

/// Joins the names of columns: `ocr and color`. Above the maximum, gives only their number.
fn list(columns: &[&&Score]) -> String {
    if columns.len() > MOST {
        return format!("{} abilities", columns.len());
    }
    let names: Vec<String> = columns.iter().map(|score| ability(score)).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

/// Number of models, abilities and samples, how ranks are tested, and what is left out.
pub fn evidence(fingerprint: &Fingerprint<'_>) -> String {
    let columns = 0..fingerprint.columns.len();
    let scores: Vec<&Score> = columns.flat_map(|at| fingerprint.column(at)).collect();
    let models = scores.iter().map(|score| &score.model).unique().count();
    let (models, columns) = (models as u64, fingerprint.columns.len() as u64);
    let abilities = if columns == 1 {
        "1 ability".to_owned()
    } else {
        format!("{columns} abilities")
    };
    let samples = match range(scores.iter().map(|score| score.n).filter(|n| *n > 0)).as_str() {
        "" => "published without samples".to_owned(),
        n => format!("{n} samples per model and ability"),
    };
    let mut words = format!("{}, {abilities}, {samples}.", counted(models, "model"));
    if scores.iter().any(|score| score.rank_ci.is_some()) {
        words.push_str(
            " All intervals are 95 % intervals. The possible ranks of all models of an ability hold \
             together with 95 %; at most 5 % of the claims over all abilities are expected to be \
             false.",
        );
    }
    let partial = scores.iter().filter_map(|score| {
        let evidence = score.evidence.as_deref().and_then(Evidence::words)?;
        Some(format!("{} in {}: {evidence}", score.model, ability(score)))
    });
    let partial: Vec<String> = partial.collect();
    if !partial.is_empty() {
        let shown = partial.iter().take(MOST_EVIDENCE).join("; ");
        let more = partial.len().saturating_sub(MOST_EVIDENCE);
        let more = if more > 0 {
            format!("; {more} more")
        } else {
            String::new()
        };
        words = format!("{words} Not every sample was answered and scored: {shown}{more}.");
    }
    words
}
