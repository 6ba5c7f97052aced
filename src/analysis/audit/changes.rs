//! Lists how a ranking changes when samples are left out.

use std::fmt;

use crate::{AverageRank, Score, average_ranks};
use record::AbilityGroup;

/// Change of a ranking caused by leaving samples out.
#[derive(Clone, Debug, PartialEq)]
pub enum RankChange {
    /// Two models changed their order.
    Swap {
        /// Benchmark of the ranking.
        benchmark: String,
        /// Ability, with its split if it has one; `None` for the average rank.
        ability: Option<String>,
        /// Model that is ahead now and was behind before.
        ahead: String,
        /// Model that is behind now and was ahead before.
        behind: String,
    },
    /// The first place changed hands.
    First {
        /// Benchmark of the ranking.
        benchmark: String,
        /// Ability, with its split if it has one; `None` for the average rank.
        ability: Option<String>,
        /// Models in first place before; several if they tie.
        before: Vec<String>,
        /// Models in first place now.
        after: Vec<String>,
    },
}

impl RankChange {
    /// Returns the benchmark whose ranking changed.
    pub fn benchmark(&self) -> &str {
        match self {
            Self::Swap { benchmark, .. } | Self::First { benchmark, .. } => benchmark,
        }
    }

    fn ability(&self) -> &str {
        match self {
            Self::Swap { ability, .. } | Self::First { ability, .. } => {
                ability.as_deref().unwrap_or("average rank")
            }
        }
    }
}

impl fmt::Display for RankChange {
    /// Writes the change as a sentence, without the benchmark.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.ability())?;
        match self {
            Self::Swap { ahead, behind, .. } => write!(f, "{ahead} is now ahead of {behind}"),
            Self::First { before, after, .. } => {
                write!(
                    f,
                    "first is now {}, no longer {}",
                    after.join(" = "),
                    before.join(" = ")
                )
            }
        }
    }
}

/// One ranking: each model with a value; lower is better.
struct Ranking<'a> {
    benchmark: &'a str,
    ability: Option<String>,
    models: Vec<(&'a str, f64)>,
}

/// Lists the swaps and changes of the first place from `before` to `after`: first by ability, then
/// for the average rank. Only headline scores count. Ties that form or break are ignored.
pub fn changed_ranks(
    before: &[Score],
    after: &[Score],
    groups: &[AbilityGroup],
) -> Vec<RankChange> {
    let (ranks_before, ranks_after) = (average_ranks(before, groups), average_ranks(after, groups));
    let old = rankings(before).into_iter().chain(averages(&ranks_before));
    let new: Vec<Ranking<'_>> = rankings(after)
        .into_iter()
        .chain(averages(&ranks_after))
        .collect();
    let mut found = Vec::new();
    for old in old {
        let same =
            |new: &&Ranking<'_>| new.benchmark == old.benchmark && new.ability == old.ability;
        if let Some(new) = new.iter().find(same) {
            found.extend(first(&old, new));
            found.extend(swaps(&old, new));
        }
    }
    found
}

fn rankings(scores: &[Score]) -> Vec<Ranking<'_>> {
    let counting = scores.iter().filter(|score| score.counts());
    let entries = counting.filter_map(|score| {
        let value = score.score?;
        let split = score.split.as_ref();
        let split = split.map_or_else(String::new, |split| format!(" ({split})"));
        let value = if score.higher_is_better() {
            -value
        } else {
            value
        };
        Some(Ranking {
            benchmark: &score.benchmark,
            ability: Some(format!("{}{split}", score.ability)),
            models: vec![(&score.model, value)],
        })
    });
    joined(entries)
}

fn averages(ranks: &[AverageRank]) -> Vec<Ranking<'_>> {
    let entries = ranks.iter().filter_map(|rank| {
        Some(Ranking {
            benchmark: &rank.benchmark,
            ability: None,
            models: vec![(&rank.model, rank.value?)],
        })
    });
    joined(entries)
}

/// Joins neighbouring rankings of the same benchmark and ability.
fn joined<'a>(entries: impl Iterator<Item = Ranking<'a>>) -> Vec<Ranking<'a>> {
    let mut found: Vec<Ranking<'a>> = Vec::new();
    for entry in entries {
        match found.last_mut() {
            Some(last) if last.benchmark == entry.benchmark && last.ability == entry.ability => {
                last.models.extend(entry.models);
            }
            _ => found.push(entry),
        }
    }
    found
}

impl Ranking<'_> {
    fn of(&self, model: &str) -> Option<f64> {
        let found = self.models.iter().find(|(name, _)| *name == model);
        found.map(|(_, value)| *value)
    }

    #[expect(clippy::float_cmp, reason = "the best is one of them")]
    fn first(&self) -> Vec<String> {
        let best = self
            .models
            .iter()
            .map(|(_, value)| *value)
            .fold(f64::INFINITY, f64::min);
        let first = self.models.iter().filter(|(_, value)| *value == best);
        let mut names: Vec<String> = first.map(|(name, _)| (*name).to_owned()).collect();
        names.sort();
        names
    }
}

fn first(old: &Ranking<'_>, new: &Ranking<'_>) -> Option<RankChange> {
    let (before, after) = (old.first(), new.first());
    (before != after).then(|| RankChange::First {
        benchmark: old.benchmark.to_owned(),
        ability: old.ability.clone(),
        before,
        after,
    })
}

fn swaps(old: &Ranking<'_>, new: &Ranking<'_>) -> Vec<RankChange> {
    let mut found = Vec::new();
    for (at, (a, a_before)) in old.models.iter().enumerate() {
        for (b, b_before) in old.models.iter().skip(at + 1) {
            let (Some(a_after), Some(b_after)) = (new.of(a), new.of(b)) else {
                continue;
            };
            let (ahead, behind) = match (a_before < b_before, a_after < b_after) {
                (true, false) if a_after > b_after => (b, a),
                (false, true) if a_before > b_before => (a, b),
                _ => continue,
            };
            found.push(RankChange::Swap {
                benchmark: old.benchmark.to_owned(),
                ability: old.ability.clone(),
                ahead: (*ahead).to_owned(),
                behind: (*behind).to_owned(),
            });
        }
    }
    found
}
