//! Arguments of the terminal UI.

use clap::{Args, ValueEnum};

use super::{Input, Lens};

/// Arguments of the terminal UI.
#[derive(Clone, Debug, Args)]
pub struct View {
    /// What to open.
    #[command(flatten)]
    pub input: Input,
    /// The lens to begin with.
    #[command(flatten)]
    pub lens: Lens,
    /// How pictures are shown
    #[arg(long, value_name = "HOW", value_enum)]
    pub images: Option<Images>,
    /// The name under which verdicts are kept
    #[arg(long, value_name = "NAME")]
    pub author: Option<String>,
    /// How many bytes a picture may cost: 60 kB over SSH (auto), 20 kB (low), any number (full)
    #[arg(long, value_name = "HOW", value_enum)]
    pub bandwidth: Option<Bandwidth>,
    /// Colours: dark, light, deuteranopia, tritanopia, high-contrast or monochrome
    #[arg(long, value_name = "NAME")]
    pub theme: Option<String>,
    /// Begin anew, not where these logs were left
    #[arg(long)]
    pub fresh: bool,
    /// Show the logs as they are now, whatever is added to them
    #[arg(long)]
    pub no_follow: bool,
}

impl View {
    /// What opens where nothing else is said.
    #[must_use]
    pub fn of(input: Input) -> Self {
        Self {
            input,
            lens: Lens::default(),
            images: None,
            author: None,
            bandwidth: None,
            theme: None,
            fresh: false,
            no_follow: false,
        }
    }
}

/// How pictures are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Images {
    /// The best that the terminal answers for
    #[default]
    Auto,
    /// The kitty graphics protocol
    Kitty,
    /// Sixel
    Sixel,
    /// iTerm2's inline images
    Iterm2,
    /// Half blocks, which every terminal can show
    Blocks,
    /// No pictures
    Off,
}

/// How many bytes a picture may cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Bandwidth {
    /// Bounded over SSH
    #[default]
    Auto,
    /// As few as still show something
    Low,
    /// As many as the screen has pixels for
    Full,
}
