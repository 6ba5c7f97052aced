//! Errors of the terminal UI.

use std::io;

use thiserror::Error;

/// Why the terminal UI ended.
#[derive(Debug, Error)]
pub enum UiError {
    /// The terminal cannot be used.
    #[error("the terminal cannot be used: {0}")]
    Terminal(#[from] io::Error),
    /// The user's keymap is invalid.
    #[error("keymap.toml: {0}")]
    Keymap(#[from] super::keymap::KeymapError),
    /// No theme has this name.
    #[error("unknown theme `{0}`; use one of {names}", names = crate::widget::theme::Theme::NAMES.join(", "))]
    Theme(String),
    /// A signal ended the program.
    #[error("ended by {0}")]
    Signal(&'static str),
    /// Verdicts are lost because they could not be written: count and reason.
    #[error("{0} could not be saved: {1}")]
    Unsaved(String, String),
    /// Verdicts are saved locally but not uploaded to their store: reason.
    #[error("{0}")]
    Waiting(String),
}
