//! Counts of values dropped because a limit was reached.

use base::limits::Limit;

/// Number of values that a table dropped, by limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DroppedValues {
    /// Tag values dropped because of [`Limit::Tags`].
    pub tags: u64,
    /// Additional scores dropped because of [`Limit::Metrics`].
    pub metrics: u64,
    /// Tag values dropped because of [`Limit::TagTexts`].
    pub tag_texts: u64,
    /// Questions and targets dropped because of [`Limit::Texts`].
    pub texts: u64,
}

impl DroppedValues {
    /// Returns one message for each limit that dropped more values than in `before`.
    pub fn since(self, before: Self) -> impl Iterator<Item = String> {
        let tags = "tag values are left out";
        let metrics = "further scores are left out";
        let texts = "samples cannot be searched by question or target";
        let told = |count: u64, limit: Limit, what: &str| {
            (count > 0).then(|| format!("{count} {what}: {}", limit.message()))
        };
        [
            told(self.tags - before.tags, Limit::Tags, tags),
            told(self.metrics - before.metrics, Limit::Metrics, metrics),
            told(self.tag_texts - before.tag_texts, Limit::TagTexts, tags),
            told(self.texts - before.texts, Limit::Texts, texts),
        ]
        .into_iter()
        .flatten()
    }
}
