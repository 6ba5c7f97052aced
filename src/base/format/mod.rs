//! Formats numbers, counts, paths and untrusted text for output, and compiles patterns.
//! Independent of the domain types.

mod json;
mod number;
mod path;
mod pattern;
mod shell;
#[cfg(test)]
#[path = "../../../tests/support/skipped.rs"]
mod skipped;
mod spreadsheet;
mod text;
mod wrap;

pub use json::{repaired_json, whole_characters};
pub use number::{compact, counted, fixed, money, probability, significant, whole, within};
pub use path::{name_folder, path};
pub use pattern::pattern;
pub use shell::shell_word;
pub use spreadsheet::{harmless_cell, plain_cell};
pub use text::{EscapeControls, first_words, is_control, visible, visible_lines};
pub use wrap::wrap;
