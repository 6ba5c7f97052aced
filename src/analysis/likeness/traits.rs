//! Describes groups of samples by the tag values and words that set them apart.

use std::collections::BTreeMap;

use super::Trait;
use crate::slices::{PropertyKind, properties, question_words};
use record::{ItemId, Table};

/// Maximum number of traits of a group.
const MOST: usize = 3;
/// Minimum number of samples of the group that have a trait.
const MIN_SAMPLES: u64 = 3;
/// Minimum difference of the shares inside and outside, in standard errors.
const DISTINCT: f64 = 2.0;

/// Counts of how many samples of each group have each property.
pub struct Traits {
    /// Number of samples by property, one count per group.
    counts: BTreeMap<(PropertyKind, String), Vec<u64>>,
    /// Number of samples in each group.
    sizes: Vec<u64>,
}

impl Traits {
    /// Counts the tag values, automatic tags and words of the questions of all groups' items.
    pub fn new(table: &Table, groups: &[Vec<u32>]) -> Self {
        let mut counts: BTreeMap<(PropertyKind, String), Vec<u64>> = BTreeMap::new();
        let mut count = |kind: PropertyKind, what: String, group: usize| {
            let of_groups = counts.entry((kind, what));
            let of_groups = of_groups.or_insert_with(|| vec![0; groups.len()]);
            if let Some(count) = of_groups.get_mut(group) {
                *count += 1;
            }
        };
        let of_tags = properties(table);
        for (group, items) in groups.iter().enumerate() {
            for item in items {
                for words in question_words(table.question(ItemId(*item))) {
                    let what = format!("the question has \"{words}\"");
                    count(PropertyKind::Word, what, group);
                }
                for (kind, tag) in &of_tags {
                    if let Some(what) = tag(*item) {
                        count(*kind, what, group);
                    }
                }
            }
        }
        let sizes = groups.iter().map(|items| items.len() as u64).collect();
        Self { counts, sizes }
    }

    /// Returns the properties that at least half of a group's samples have, and a smaller share of
    /// all other samples. They are ordered by the difference of the shares in standard errors.
    ///
    /// Of several properties with equal counts, only the first is returned: tags of the logs come
    /// before words, and words before automatic tags. Of a phrase and its words, only the most
    /// distinct is returned.
    pub fn of_group(&self, group: usize) -> Vec<Trait> {
        let size = self.sizes.get(group).copied().unwrap_or_default();
        let others = self.sizes.iter().sum::<u64>() - size;
        let mut found: Vec<(f64, PropertyKind, Trait)> = Vec::new();
        for ((kind, what), counts) in &self.counts {
            let inside = counts.get(group).copied().unwrap_or_default();
            let outside = counts.iter().sum::<u64>() - inside;
            let distinct = distinctness([inside, size], [outside, others]);
            let is_known = |(_, _, one): &(f64, PropertyKind, Trait)| {
                (one.inside, one.outside) == (inside, outside)
            };
            if inside >= MIN_SAMPLES
                && 2 * inside >= size
                && distinct >= DISTINCT
                && !found.iter().any(is_known)
            {
                let what = what.clone();
                let known = Trait {
                    what,
                    inside,
                    outside,
                };
                found.push((distinct, *kind, known));
            }
        }
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut named: Vec<(PropertyKind, Trait)> = Vec::new();
        for (_, kind, one) in found {
            let is_said = |(known, other): &(PropertyKind, Trait)| {
                [*known, kind] == [PropertyKind::Word; 2]
                    && have_common_words(&other.what, &one.what)
            };
            if !named.iter().any(is_said) {
                named.push((kind, one));
            }
        }
        named.into_iter().take(MOST).map(|(_, one)| one).collect()
    }
}

/// Returns true if the texts of two properties quote a common word of the question.
fn have_common_words(one: &str, other: &str) -> bool {
    let words = |what: &str| {
        let quoted = what
            .split_once('"')
            .and_then(|(_, rest)| rest.strip_suffix('"'));
        quoted
            .unwrap_or_default()
            .split(' ')
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let known = words(one);
    words(other)
        .iter()
        .any(|word| !word.is_empty() && known.contains(word))
}

/// Returns the difference of two shares, each a count and its total, in standard errors of the
/// pooled share; 0 if a total is 0 or the pooled share is 0 or 1.
#[expect(clippy::cast_precision_loss, reason = "no log holds 2^53 samples")]
fn distinctness([inside, size]: [u64; 2], [outside, others]: [u64; 2]) -> f64 {
    if size == 0 || others == 0 {
        return 0.0;
    }
    let [inside, outside, size, others] = [inside, outside, size, others].map(|it| it as f64);
    let pooled = (inside + outside) / (size + others);
    let variance = pooled * (1.0 - pooled) * (1.0 / size + 1.0 / others);
    if variance > 0.0 {
        (inside / size - outside / others) / variance.sqrt()
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_is_named_by_what_is_common_inside_and_rare_outside() {
        let counts = [
            // The same share in every group.
            ("a", vec![10, 20]),
            // Three tags; the first two mark the same samples.
            ("dark", vec![9, 1]),
            ("night", vec![9, 1]),
            ("wet", vec![8, 6]),
            // Less than half of the group.
            ("rare", vec![4, 0]),
        ];
        let tag = |what: &str| (PropertyKind::Tag, what.to_owned());
        let automatic = (PropertyKind::Automatic, "a bright one".to_owned());
        let counts = counts.map(|(what, counts)| (tag(what), counts));
        let counts = counts.into_iter().chain([(automatic, vec![9, 1])]);
        let traits = Traits {
            counts: counts.collect(),
            sizes: vec![10, 20],
        };
        let names = |group: usize| -> Vec<String> {
            let found = traits.of_group(group).into_iter();
            found.map(|one| one.what).collect()
        };
        assert_eq!(names(0), ["dark", "wet"]);
        assert_eq!(names(1), [""; 0]);
        assert!(have_common_words(
            "the question has \"bounding box\"",
            "the question has \"box\""
        ));
        assert!(!have_common_words(
            "the question has \"red\"",
            "the question has \"red-hot\""
        ));
        assert!(!have_common_words("light is dark", "light is \"dark\" red"));
    }

    #[test]
    fn distinctness_is_the_statistic_of_two_shares() {
        // Shares .9 and .05, pooled 1/3: .85 / sqrt(2/9 * .15) = 4.6557.
        assert!((distinctness([9, 10], [1, 20]) - 4.6557).abs() < 1e-3);
        assert_eq!(distinctness([3, 3], [0, 0]), 0.0);
        assert_eq!(distinctness([3, 3], [4, 4]), 0.0);
    }
}
