//! Protocol `prompt`: compares several wordings of the user, to see how much the prompt matters.

use std::sync::Arc;

use super::finding;
use crate::step::{Change, Step};
use crate::summary::Summary;
use crate::template::Template;

/// One step per wording, in the given order.
pub fn steps(templates: &[Arc<Template>]) -> Vec<Step> {
    let step = |template: &Arc<Template>| Step {
        wording: Some(Arc::clone(template)),
        ..Step::labelled("prompt", template.name.as_str(), Change::None)
    };
    templates.iter().map(step).collect()
}

/// Reports the spread between wordings, the best compared with the first, and flips between them.
pub fn finding(found: &Summary) -> Vec<String> {
    let mut words: Vec<String> = finding::spread(found).into_iter().collect();
    let shares = found.steps.iter().enumerate();
    let best = shares.max_by(|a, b| {
        a.1.share()
            .partial_cmp(&b.1.share())
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    if let Some((best @ 1.., _)) = best {
        words.extend(finding::between(found, 0, best));
    }
    words.extend(finding::flips(found, "wording"));
    words
}
