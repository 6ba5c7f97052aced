//! Parses and checks keymap files: rows of keys, action and help text.

use serde::Deserialize;
use toml::Spanned;

use super::{Bind, Key, ViewId};
use crate::action::Action;

/// Error in a keymap file.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum KeymapError {
    /// The file is not TOML, or a row has unknown fields.
    #[error("line {line}: {message}")]
    Toml {
        /// Line number, counted from one.
        line: usize,
        /// Message of the TOML parser.
        message: String,
    },
    /// A row names an unknown action.
    #[error("line {line}: there is no action `{action}`; the nearest is `{nearest}`")]
    UnknownAction {
        /// The line of the row, counted from one.
        line: usize,
        /// Action as written.
        action: String,
        /// The action with the most similar name.
        nearest: &'static str,
    },
    /// A row names an unknown view.
    #[error("line {line}: {action}: there is no view `{view}`; the nearest is `{nearest}`")]
    UnknownView {
        /// The line of the row, counted from one.
        line: usize,
        /// Action of the row.
        action: &'static str,
        /// View as written.
        view: String,
        /// The view with the most similar name.
        nearest: &'static str,
    },
    /// A key cannot be parsed.
    #[error("line {line}: {action}: there is no key `{key}`; the nearest is `{nearest}`")]
    UnknownKey {
        /// The line of the row, counted from one.
        line: usize,
        /// Action of the row.
        action: &'static str,
        /// Key as written.
        key: String,
        /// The key with the most similar name.
        nearest: String,
    },
    /// One key has two meanings in the same view.
    #[error("the key {key} is bound to both `{first}` and `{second}`")]
    Clash {
        /// Key in conflict.
        key: Key,
        /// Action and views of the first row.
        first: String,
        /// Action and views of the second row.
        second: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    bind: Vec<Spanned<Row>>,
}

/// A row of the file before checking.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    action: String,
    keys: Vec<String>,
    help: Option<String>,
    line: Option<String>,
    views: Option<Vec<String>>,
}

/// Parses the rows of a file. Missing fields are inherited from the action's row in `defaults`.
pub(super) fn binds(text: &str, defaults: &[Bind]) -> Result<Vec<Bind>, KeymapError> {
    let file: File = toml::from_str(text).map_err(|error| KeymapError::Toml {
        line: error.span().map_or(1, |span| line_of(text, span.start)),
        message: error.message().to_owned(),
    })?;
    let row = |row: Spanned<Row>| {
        let line = line_of(text, row.span().start);
        bind(row.into_inner(), line, defaults)
    };
    file.bind.into_iter().map(row).collect()
}

/// Returns the line number of a byte position, counted from one.
fn line_of(text: &str, byte: usize) -> usize {
    let before = text.as_bytes().iter().take(byte);
    before.filter(|byte| **byte == b'\n').count() + 1
}

/// Checks a row of the file and fills in its missing fields.
fn bind(row: Row, line: usize, defaults: &[Bind]) -> Result<Bind, KeymapError> {
    let action = Action::named(&row.action).ok_or_else(|| KeymapError::UnknownAction {
        line,
        nearest: Action::nearest(&row.action),
        action: row.action,
    })?;
    let name = action.name();
    let key = |key: String| {
        Key::parse(&key).ok_or_else(|| KeymapError::UnknownKey {
            line,
            action: name,
            nearest: Key::nearest(&key),
            key,
        })
    };
    let keys = row.keys.into_iter().map(key).collect::<Result<_, _>>()?;
    let views = match row.views {
        Some(views) => views
            .into_iter()
            .map(|view| find_view(name, line, view))
            .collect::<Result<_, _>>()?,
        None => defaults
            .iter()
            .filter(|bind| bind.action == action)
            .flat_map(|bind| bind.views.clone())
            .collect(),
    };
    let default = defaults.iter().find(|bind| bind.action == action);
    let help = row.help.or_else(|| default.map(|bind| bind.help.clone()));
    let word = row
        .line
        .or_else(|| default.and_then(|bind| bind.line.clone()));
    Ok(Bind {
        keys,
        action,
        help: help.unwrap_or_default(),
        line: word,
        views,
    })
}

/// Returns the view with this name.
fn find_view(action: &'static str, line: usize, view: String) -> Result<ViewId, KeymapError> {
    if let Some(known) = ViewId::named(&view) {
        return Ok(known);
    }
    let distance = |known: &ViewId| strsim::damerau_levenshtein(known.name(), &view);
    let nearest = ViewId::ALL.into_iter().min_by_key(distance);
    Err(KeymapError::UnknownView {
        line,
        action,
        nearest: nearest.map_or("", ViewId::name),
        view,
    })
}

/// Returns an error if one key has two actions in the same view.
pub(super) fn check(binds: &[Bind]) -> Result<(), KeymapError> {
    for (i, first) in binds.iter().enumerate() {
        for second in binds
            .iter()
            .skip(i + 1)
            .filter(|second| second.action != first.action)
        {
            let shared = first.keys.iter().find(|key| second.keys.contains(key));
            if let Some(key) = shared.filter(|_| overlap(first, second)) {
                return Err(KeymapError::Clash {
                    key: *key,
                    first: describe(first),
                    second: describe(second),
                });
            }
        }
    }
    Ok(())
}

/// Returns true if two rows have a view in common.
fn overlap(first: &Bind, second: &Bind) -> bool {
    ViewId::ALL
        .into_iter()
        .any(|view| first.works_in(view) && second.works_in(view))
}

/// Describes a row for an error message: its action and its views.
fn describe(bind: &Bind) -> String {
    if bind.views.is_empty() {
        return bind.action.name().to_owned();
    }
    let views: Vec<_> = bind.views.iter().map(|view| view.name()).collect();
    format!("{} ({})", bind.action.name(), views.join(", "))
}
