//! Arguments of the terminal UI.

use clap::{Args, ValueEnum};

use super::{Input, Lens};

/// Arguments of the terminal UI.
#[derive(Clone, Debug, Args)]
pub struct View {
    /// What to open.
    #[command(flatten)]
    pub input: Input,
    /// Filter and scoring rules at the start.
    #[command(flatten)]
    pub lens: Lens,
    /// How pictures are shown
    #[arg(long, value_name = "HOW", value_enum)]
    pub images: Option<Images>,
    /// Author name for your verdicts
    #[arg(long, value_name = "NAME")]
    pub author: Option<String>,
    /// Maximum size of a picture: 60 kB over SSH (auto), 20 kB (low), no limit (full)
    #[arg(long, value_name = "HOW", value_enum)]
    pub bandwidth: Option<Bandwidth>,
    /// Colours: dark, light, deuteranopia, tritanopia, high-contrast or monochrome
    #[arg(long, value_name = "NAME")]
    pub theme: Option<String>,
    /// Start fresh instead of where the last session with these logs ended
    #[arg(long)]
    pub fresh: bool,
    /// Do not follow the logs: later changes are not shown
    #[arg(long)]
    pub no_follow: bool,
}

impl View {
    /// Returns the default arguments for an input.
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
    /// The best protocol that the terminal reports
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

/// Byte budget of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Bandwidth {
    /// Limited over SSH
    #[default]
    Auto,
    /// As few bytes as possible
    Low,
    /// As many bytes as the screen resolution needs
    Full,
}
