//! Which generator made an item, and from which seed: so that a drift is seen, and an item can be made again.

use super::{ABILITIES, LevelledExam, Place};
use crate::Benchmark as _;

/// The version of what is drawn. It changes with [`GENERATOR`].
const VERSION: u32 = 4;
/// Digest of some items of each ability and of their pictures: what the generator makes. A test compares it.
pub const GENERATOR: &str = "0d1714e67544ccff";
/// The seed of the pinned items.
const PINNED_SEED: u64 = 17;
/// The levels of the pinned items.
const PINNED_LEVELS: [u8; 3] = [1, 5, 10];

/// The seed of an exam: public, or private and known to who has it alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Seed {
    number: u64,
    is_private: bool,
}

impl From<u64> for Seed {
    fn from(number: u64) -> Self {
        Self {
            number,
            is_private: false,
        }
    }
}

impl Seed {
    /// The seed of a secret text. Items do not tell it, so that nobody else can make the same ones.
    #[must_use]
    pub fn private(secret: &str) -> Self {
        let digest = blake3::derive_key("eyechart exam private seed", secret.as_bytes());
        let mut number = [0; 8];
        number.copy_from_slice(&digest[..8]);
        Self {
            number: u64::from_le_bytes(number),
            is_private: true,
        }
    }

    /// The number that everything is drawn from.
    #[must_use]
    pub const fn number(self) -> u64 {
        self.number
    }

    /// The generator with this seed, as each item's tag `generator` has it: `eyechart-exam-4 1f3a9c2b seed 5`. A
    /// private seed is named by a digest.
    #[must_use]
    pub fn words(self) -> String {
        let seed = if self.is_private {
            let digest = blake3::derive_key("eyechart exam seed name", &self.number.to_le_bytes());
            format!("private {}", &blake3::Hash::from(digest).to_hex()[..8])
        } else {
            self.number.to_string()
        };
        format!("eyechart-exam-{VERSION} {} seed {seed}", &GENERATOR[..8])
    }
}

/// The digest of what the generator makes now: lines and pixels of some items of each ability, without the tag that holds
/// the digest itself.
#[must_use]
pub fn pinned() -> String {
    let places = (0..ABILITIES.len()).flat_map(|ability| {
        PINNED_LEVELS.map(|level| Place {
            ability,
            level,
            number: 3,
        })
    });
    let exam = LevelledExam::of_places(places.collect(), PINNED_SEED);
    let mut hasher = blake3::Hasher::new();
    for number in 0..exam.pages() {
        let page = exam.page(number);
        for mut item in page.items {
            item.content.tags.remove("generator");
            hasher.update(item.line().as_bytes());
        }
        for picture in page.pictures {
            hasher.update(picture.pixels.as_raw());
        }
    }
    hasher.finalize().to_hex()[..16].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Who changes what is drawn gives it a new version and digest, so that old results are not compared with new
    /// ones unseen.
    #[test]
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    fn what_the_generator_makes_is_known() {
        assert_eq!(pinned(), GENERATOR, "a new VERSION, and this GENERATOR");
    }

    #[test]
    fn a_private_seed_is_not_told() {
        let (one, other) = (Seed::private("a long secret"), Seed::private("another"));
        assert_ne!(one.number(), other.number());
        assert_eq!(one, Seed::private("a long secret"));
        assert!(one.words().contains("private"));
        assert!(!one.words().contains(&one.number().to_string()));
        assert!(Seed::from(5).words().ends_with("seed 5"));
    }
}
