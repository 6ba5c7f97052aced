//! Sentences about missing parts of a report, and about scores without a rank.

use std::collections::BTreeMap;

use super::Summary;
use base::limits::Limit;

/// Maximum number of models and abilities named in one sentence.
const MOST_NAMED: usize = 3;

impl Summary {
    /// Sentences about missing parts and scores without a rank.
    pub(super) fn remarks(&self) -> Vec<String> {
        let notes = self.notes.iter().cloned();
        notes
            .chain(self.not_ranked())
            .chain(self.untested())
            .collect()
    }

    /// Sentences about scores without a rank, one per reason, with models and abilities.
    fn not_ranked(&self) -> Vec<String> {
        let mut reasons: Vec<(String, Vec<String>)> = Vec::new();
        for score in self.scores.iter().filter(|score| score.headline) {
            let Some(why) = score.why_not_ranked() else {
                continue;
            };
            let who = format!("{} in {}", score.model, score.ability);
            match reasons.iter_mut().find(|(known, _)| *known == why) {
                Some((_, named)) => named.push(who),
                None => reasons.push((why, vec![who])),
            }
        }
        let sentence = |(why, named): (String, Vec<String>)| {
            let more = named.len().saturating_sub(MOST_NAMED);
            let mut words = named[..named.len() - more].join(", ");
            if more > 0 {
                words = format!("{words} and {more} more");
            }
            format!("Not ranked: {words}: {why}.")
        };
        reasons.into_iter().map(sentence).collect()
    }

    /// Sentence about ranks without tie groups because they have too many models.
    fn untested(&self) -> Option<String> {
        let mut ranked: BTreeMap<_, usize> = BTreeMap::new();
        for score in self.scores.iter().filter(|score| score.rank.is_some()) {
            let key = (
                &score.benchmark,
                &score.ability,
                &score.split,
                &score.metric,
            );
            *ranked.entry(key).or_default() += 1;
        }
        ranked.retain(|_, models| *models > Limit::TestedModels.length());
        let (benchmark, ability, ..) = ranked.keys().next()?;
        let rest = ranked.len() - 1;
        let others = if rest == 0 {
            String::new()
        } else {
            format!(" and {rest} more")
        };
        Some(format!(
            "{}: ranks in {ability} of {benchmark}{others} have no rank sets.",
            Limit::TestedModels.message()
        ))
    }
}
