//! Identifies generator and seed of an item, to detect changes and to draw the item again.

use super::{ABILITIES, ItemAddress, LevelledExam, finish};
use crate::Benchmark as _;
use crate::dense::Style;

/// Version of the plain drawing; changes together with [`GENERATOR`].
const VERSION: u32 = 6;
/// Digest of sample items of each ability and their pictures, which a test compares.
pub const GENERATOR: &str = "ee624d0a4939a97c";
/// Version of the rich drawing; changes together with [`RICH`].
const RICH_VERSION: u32 = 2;
/// Digest of the same items in the rich drawing.
pub const RICH: &str = "5a09e9da4845121d";
/// Seed of the digest's items.
const PINNED_SEED: u64 = 17;
/// Levels of the digest's items.
const PINNED_LEVELS: [u8; 3] = [1, 5, 10];

/// Seed of an exam: public, or derived from a secret.
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
    /// Derives a seed from a secret text. Items contain only a digest of it, so that nobody else
    /// can draw them.
    pub fn private(secret: &str) -> Self {
        let digest = blake3::derive_key("eyechart exam private seed", secret.as_bytes());
        let mut number = [0; 8];
        number.copy_from_slice(&digest[..8]);
        Self {
            number: u64::from_le_bytes(number),
            is_private: true,
        }
    }

    /// The number from which everything is drawn.
    pub const fn number(self) -> u64 {
        self.number
    }

    /// Value of the tag `generator`: `eyechart-exam-6 1f3a9c2b seed 5`, or `eyechart-exam-6
    /// 1f3a9c2b rich-2 5e2d7a90 1024 px seed 5`. A private seed is replaced by a digest.
    pub fn words(self, style: Style, times: u32) -> String {
        let seed = if self.is_private {
            let digest = blake3::derive_key("eyechart exam seed name", &self.number.to_le_bytes());
            format!("private {}", &blake3::Hash::from(digest).to_hex()[..8])
        } else {
            self.number.to_string()
        };
        let rich = match style {
            Style::Rich => format!(" rich-{RICH_VERSION} {}", &RICH[..8]),
            Style::Plain => String::new(),
        };
        let size = if times == 1 {
            String::new()
        } else {
            format!(" {} px", finish::SIDE * f64::from(times))
        };
        format!(
            "eyechart-exam-{VERSION} {}{rich}{size} seed {seed}",
            &GENERATOR[..8]
        )
    }
}

/// Digest of the generator's current output in a style: lines and pixels of sample items, without
/// the tag that contains the digest itself.
pub fn pinned(style: Style) -> String {
    let places = (0..ABILITIES.len()).flat_map(|ability| {
        PINNED_LEVELS.map(|level| ItemAddress {
            ability,
            level,
            number: 3,
        })
    });
    let exam = LevelledExam::of_places(places.collect(), PINNED_SEED).in_style(style);
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

    /// A change of the drawing needs a new version and digest, so that old results are not compared
    /// with new ones unnoticed.
    #[test]
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    fn what_the_generator_makes_is_known() {
        assert_eq!(
            [pinned(Style::Plain), pinned(Style::Rich)],
            [GENERATOR, RICH],
            "a new VERSION or RICH_VERSION, and these digests"
        );
    }

    #[test]
    fn a_private_seed_is_not_told() {
        let (one, other) = (Seed::private("a long secret"), Seed::private("another"));
        assert_ne!(one.number(), other.number());
        assert_eq!(one, Seed::private("a long secret"));
        let words = |seed: Seed| seed.words(Style::Plain, 1);
        assert!(words(one).contains("private"));
        assert!(!words(one).contains(&one.number().to_string()));
        assert!(words(Seed::from(5)).ends_with("seed 5"));
    }

    #[test]
    fn a_generator_tells_its_style_and_size() {
        let words = |style, times| Seed::from(5).words(style, times);
        assert!(!words(Style::Plain, 1).contains("px"));
        let rich = words(Style::Rich, 2);
        assert!(
            rich.contains(&format!(
                "rich-{RICH_VERSION} {} 1024 px seed 5",
                &RICH[..8]
            )),
            "{rich}"
        );
    }
}
