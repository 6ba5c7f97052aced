//! Parts of a plan, so that several machines can run it without overlap.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use super::sample::Sample;

/// One of several parts of a plan, written `3/16`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Number of the part, from 1.
    number: u64,
    /// Number of parts in all.
    of: u64,
}

impl Shard {
    /// Returns true if a sample belongs to this part. Depends only on the sample's key.
    pub fn holds(self, sample: &Sample) -> bool {
        let hash = blake3::hash(sample.key().as_bytes());
        let (first, _) = hash
            .as_bytes()
            .split_first_chunk()
            .unwrap_or((&[0; 8], &[]));
        u64::from_le_bytes(*first) % self.of == self.number - 1
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl Serialize for Shard {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl FromStr for Shard {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts = text.split_once('/');
        let numbers = parts.and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((number, of)) if number >= 1 && number <= of => Ok(Self { number, of }),
            _ => Err("expected a part and the number of parts, such as 3/16"),
        }
    }
}

impl Shard {
    /// Returns the missing parts of a plan, given some of them.
    pub fn missing(shards: &[Self]) -> Vec<Self> {
        let Some(of) = shards.first().map(|shard| shard.of) else {
            return Vec::new();
        };
        let all = (1..=of).map(|number| Self { number, of });
        all.filter(|shard| !shards.contains(shard)).collect()
    }

    /// Returns true if both plans have the same number of parts.
    pub const fn fits(self, other: Self) -> bool {
        self.of == other.of
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use record::Record;

    use super::*;

    fn sample(at: usize) -> Sample {
        Sample {
            record: Record {
                sample_id: at.to_string(),
                ..Record::default()
            },
            pictures: Vec::new(),
            format: String::new(),
            before: None,
            turned: BTreeMap::new(),
        }
    }

    #[test]
    fn each_sample_is_in_one_part_and_the_parts_are_about_alike() {
        let shards: Vec<Shard> = (1..=7)
            .map(|number| format!("{number}/7").parse().unwrap())
            .collect();
        let mut counts = [0; 7];
        for at in 0..700 {
            let sample = sample(at);
            let holding: Vec<usize> = (0..7)
                .filter(|shard| shards[*shard].holds(&sample))
                .collect();
            assert_eq!(holding.len(), 1, "{at}");
            counts[holding[0]] += 1;
        }
        assert!(
            counts.iter().all(|count| (60..150).contains(count)),
            "{counts:?}"
        );
    }

    #[test]
    fn a_part_is_one_of_as_many_as_there_are() {
        assert_eq!("3/16".parse::<Shard>().unwrap().to_string(), "3/16");
        for bad in ["", "3", "0/4", "5/4", "a/b", "1/0", "-1/3"] {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
        let [one, three]: [Shard; 2] = ["1/3", "3/3"].map(|text| text.parse().unwrap());
        assert_eq!(Shard::missing(&[one, three]), ["2/3".parse().unwrap()]);
        assert!(Shard::missing(&[]).is_empty() && one.fits(three));
    }
}
