//! Protocol `crop`: shows the object at several sizes, to find out whether it is too small.

use super::finding;
use crate::step::{Change, Step};
use crate::summary::Summary;

/// Shares of the picture's area that the object takes.
const SHARES: [f64; 3] = [0.1, 0.25, 0.5];

/// The whole picture, then increasingly close crops.
pub fn steps() -> Vec<Step> {
    let whole = Step::labelled("crop", 0.0, Change::None);
    let closer = SHARES.map(|share| Step::labelled("crop", share, Change::Crop(share)));
    std::iter::once(whole).chain(closer).collect()
}

/// Compares the closest crop with the whole picture on the same samples.
pub fn finding(found: &Summary) -> Vec<String> {
    let closest = found.steps.len().saturating_sub(1);
    let closer = finding::between(found, 0, closest);
    closer.into_iter().chain(finding::spread(found)).collect()
}
