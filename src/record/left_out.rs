//! What a table does not keep because a bound is reached.

use limits::Limit;

/// How many values a table does not keep, by the bound that leaves them out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Values of tags beyond [`Limit::Tags`].
    pub tags: u64,
    /// Further scores beyond [`Limit::Metrics`].
    pub metrics: u64,
    /// Values of tags beyond [`Limit::TagTexts`].
    pub tag_texts: u64,
    /// Questions and targets beyond [`Limit::Texts`].
    pub texts: u64,
}

impl LeftOut {
    /// What was left out since another count, one sentence a bound.
    pub fn since(self, before: Self) -> impl Iterator<Item = String> {
        let told = [
            (
                self.tags - before.tags,
                Limit::Tags,
                "values of tags are left out",
            ),
            (
                self.metrics - before.metrics,
                Limit::Metrics,
                "further scores are left out",
            ),
            (
                self.tag_texts - before.tag_texts,
                Limit::TagTexts,
                "values of tags are left out",
            ),
            (
                self.texts - before.texts,
                Limit::Texts,
                "samples cannot be searched for their question or target",
            ),
        ];
        let told = told.into_iter().filter(|(count, ..)| *count > 0);
        told.map(|(count, limit, what)| format!("{count} {what}: {}", limit.message()))
    }
}
