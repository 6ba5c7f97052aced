//! The user's choice of picture protocol.
//!
//! Detection can fail for some terminals, so this setting overrides it.

use std::fmt;
use std::str::FromStr;

base::named_enum! {
    /// The picture protocol to use.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum Images {
        /// Detect the best protocol.
        #[default]
        Auto = "auto",
        /// Kitty's graphics protocol. The full-screen program uses its Unicode placeholders.
        Kitty = "kitty",
        /// The sixel protocol.
        Sixel = "sixel",
        /// iTerm2's inline images.
        Iterm2 = "iterm2",
        /// Coloured half blocks, which need no protocol.
        Blocks = "blocks",
        /// No pictures.
        Off = "off",
    }
}

impl fmt::Display for Images {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Error: the name is not in [`Images::ALL`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown way to show pictures; use auto, kitty, sixel, iterm2, blocks or off")]
pub struct UnknownImages;

impl FromStr for Images {
    type Err = UnknownImages;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        let same = |choice: &Self| choice.name().eq_ignore_ascii_case(word.trim());
        Self::ALL.into_iter().find(same).ok_or(UnknownImages)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_reads_back_from_its_word() {
        for choice in Images::ALL {
            assert_eq!(choice.to_string().parse(), Ok(choice));
        }
        assert_eq!(" Kitty ".parse(), Ok(Images::Kitty));
        assert_eq!("".parse::<Images>(), Err(UnknownImages));
    }

    #[test]
    fn the_error_names_every_choice() {
        let sentence = UnknownImages.to_string();
        assert!(
            Images::ALL
                .iter()
                .all(|choice| sentence.contains(choice.name()))
        );
    }
}
