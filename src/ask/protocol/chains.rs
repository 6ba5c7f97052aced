//! Protocol `chain`: solves a dense task by a chain of questions.

use std::collections::BTreeMap;

use super::finding;
use crate::step::Step;
use crate::summary::Summary;
use base::format::fixed;

/// One step, whose result combines many answers.
pub fn steps() -> Vec<Step> {
    vec![Step {
        is_of_parts: true,
        ..Step::default()
    }]
}

/// Reports the share of right answers and, by ability, the mean of each
/// metric compared with the log.
pub fn finding(found: &Summary) -> Vec<String> {
    let step = found.steps.first();
    let right = step.filter(|step| step.all.scored > 0);
    let mut words: Vec<String> = right.map(finding::right).into_iter().collect();
    words.extend(right.and_then(|step| finding::against_log(step, "now")));
    if !found.parts_unread.is_empty() {
        let kinds = found.parts_unread.iter();
        let kinds: Vec<String> = kinds
            .map(|(kind, count)| format!("{count} {kind}"))
            .collect();
        let (kinds, all) = (kinds.join(", "), found.parts);
        words.push(format!("of {all} answers in the chains: {kinds}"));
    }
    let is_tested = step.is_none_or(|step| step.picked_by.is_none());
    let mut beside: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (ability, name, figure) in found.figures.iter().filter(|it| !it.2.is_score()) {
        let figures = beside.entry(ability).or_default();
        figures.push(format!("{name} {}", fixed(figure.mean(), 3)));
    }
    for (ability, name, figure) in found.figures.iter().filter(|it| it.2.is_score()) {
        let mean = fixed(figure.mean(), 3);
        let mut line = format!("{ability}: mean {name} {mean} of {}", figure.count());
        let against = is_tested.then(|| finding::figure_against_log(name, figure));
        let beside = beside
            .get(ability)
            .map(|all| format!("also {}", all.join(", ")));
        for more in against.flatten().into_iter().chain(beside) {
            line.extend(["; ", &more]);
        }
        words.push(line);
    }
    words
}
