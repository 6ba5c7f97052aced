//! Part of the document of `eyechart verdicts`: scores corrected by the verdicts of a spot check.

use std::collections::HashSet;

use serde_json::{Value as Json, json};

use super::Grid;
use super::cells::{cut_title, interval, pair};
use super::columns::{Columns, with_split, written};
use analysis::audit::{CorrectedScore, Correction};
use base::format::{compact, counted};

/// Maximum number of models on one screen.
const MOST: usize = 20;

fn correction(it: &CorrectedScore) -> Option<&Correction> {
    it.correction.as_ref().ok()
}

/// Returns a row's score corrected with sensitivity and specificity, if it has one.
fn by_error_rates(it: &CorrectedScore) -> Option<analysis::metric::ByErrorRates> {
    correction(it)?.by_error_rates
}

fn columns<'a>() -> Columns<'a, CorrectedScore> {
    Columns::<CorrectedScore>::new()
        .text("benchmark", |it| &it.benchmark)
        .words("ability", |it| {
            let ability = it.ability.as_deref().unwrap_or("all");
            with_split(ability, it.split.as_deref())
        })
        .text("model", |it| &it.model)
        .metric(|it| &it.metric, |it| it.direction)
        .count("n", |it| it.n)
        .count("verified", |it| it.verified)
        .number("logged", |it| it.score)
        .number("corrected", |it| correction(it).map(|own| own.score))
        .interval(4, |it| correction(it).map(|own| own.ci))
        .number("by error rates", |it| {
            by_error_rates(it).map(|own| own.mean)
        })
        .words("95 % by error rates", |it| {
            interval(by_error_rates(it).map(|own| own.interval))
        })
        .words("more for ±5 %>", |it| {
            written(correction(it).map(|own| own.more.map_or_else(|| "never".to_owned(), compact)))
        })
        .words("remark", |it| match &it.correction {
            Err(reason) => reason.to_string(),
            Ok(own) if own.is_disputed() => "the two corrections differ".to_owned(),
            Ok(_) => String::new(),
        })
}

/// Returns the table of all corrected scores.
pub fn grid(found: &[CorrectedScore]) -> Grid {
    columns().grid("Scores corrected by the spot check", found)
}

/// Returns a sentence about the corrected scores, and a table of the scores over all abilities. If
/// no score is corrected, the sentence contains the reason, and there is no table.
pub fn brief(found: &[CorrectedScore]) -> (Option<String>, Option<Grid>) {
    let corrected: Vec<&CorrectedScore> = found.iter().filter(|it| it.correction.is_ok()).collect();
    let refused = found.iter().find_map(|it| it.correction.as_ref().err());
    if corrected.is_empty() {
        let sentence = refused.map(|reason| format!("No score is corrected: {reason}."));
        return (sentence, None);
    }
    // A benchmark with one ability has no row over all abilities.
    let key = |it: &CorrectedScore| (it.benchmark.clone(), it.metric.clone(), it.model.clone());
    let over_all = corrected.iter().filter(|it| it.ability.is_none());
    let over_all: HashSet<_> = over_all.map(|it| key(it)).collect();
    let is_part = |it: &CorrectedScore| it.ability.is_some() && over_all.contains(&key(it));
    let wholes: Vec<&CorrectedScore> = corrected
        .iter()
        .copied()
        .filter(|it| !is_part(it))
        .collect();
    let disputed = wholes
        .iter()
        .filter(|it| correction(it).is_some_and(Correction::is_disputed));
    let disputed = disputed.count() as u64;
    let mut sentence = format!(
        "{} corrected by verdicts on samples drawn at random.",
        counted(corrected.len() as u64, "score")
    );
    if disputed > 0 {
        sentence = format!(
            "{sentence} For {} the correction by sensitivity and specificity disagrees; the table has both.",
            counted(disputed, "score")
        );
    }
    let mut without = vec!["remark", "n", "verified"];
    if disputed == 0 {
        without.extend(["by error rates", "95 % by error rates"]);
    }
    let title = cut_title("Corrected scores", MOST, wholes.len(), "");
    let grid = columns()
        .without(&without)
        .grid(&title, wholes.into_iter().take(MOST));
    (Some(sentence), Some(grid))
}

/// Returns a corrected score as JSON.
pub fn json(it: &CorrectedScore) -> Json {
    let own = correction(it);
    let other = by_error_rates(it).map(|own| {
        json!({
            "score": own.mean, "ci": pair(Some(own.interval)), "sensitivity": own.sensitivity,
            "specificity": own.specificity,
        })
    });
    json!({
        "benchmark": it.benchmark, "ability": it.ability, "split": it.split, "model": it.model,
        "metric": it.metric, "direction": it.direction.name(), "n": it.n, "verified": it.verified, "predicted": it.predicted,
        "logged": it.score, "corrected": own.map(|own| own.score),
        "corrected_ci": pair(own.map(|own| own.ci)), "tuning": own.map(|own| own.tuning),
        "by_error_rates": other, "disputed": own.map(Correction::is_disputed),
        "more_for_0.05": own.and_then(|own| own.more),
        "why_not": it.correction.as_ref().err().map(ToString::to_string),
    })
}
