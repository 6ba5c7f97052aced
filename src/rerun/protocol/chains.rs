//! A dense task by a chain of questions: how well is it solved?

use super::finding;
use crate::step::Step;
use crate::summary::Summary;
use format::fixed;

/// One way, whose result is put together from many answers.
pub fn steps() -> Vec<Step> {
    vec![Step {
        is_of_parts: true,
        ..Step::default()
    }]
}

/// The mean of each figure over the samples.
pub fn finding(found: &Summary) -> Vec<String> {
    let figures = found.figures.iter().map(|(name, (sum, count))| {
        let mean = sum / f64::from(*count);
        format!("{name} {} of {count}", fixed(Some(mean), 3))
    });
    let figures: Vec<String> = figures.collect();
    let means = (!figures.is_empty()).then(|| format!("means: {}", figures.join(", ")));
    let right = found.steps.first().filter(|step| step.all.scored > 0);
    right.map(finding::right).into_iter().chain(means).collect()
}
