//! Why the terminal UI could not run.

use std::io;

use thiserror::Error;

/// Why the terminal UI could not run.
#[derive(Debug, Error)]
pub enum UiError {
    /// The terminal could not be used.
    #[error("the terminal cannot be used: {0}")]
    Terminal(#[from] io::Error),
    /// The user's keymap cannot be used.
    #[error("keymap.toml: {0}")]
    Keymap(#[from] super::keymap::KeymapError),
    /// No theme of this name.
    #[error("no theme is called `{0}`; there are {names}", names = widget::theme::Theme::NAMES.join(", "))]
    Theme(String),
    /// A signal ended it.
    #[error("ended by {0}")]
    Signal(&'static str),
    /// Verdicts are lost that could not be written.
    #[error("{0} could not be saved: {1}")]
    Unsaved(String, String),
    /// Verdicts are saved, and not in their store yet.
    #[error("{0}")]
    Waiting(String),
}
