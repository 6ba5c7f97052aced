//! Maps keys to actions, per view.
//!
//! The keys are data: an embedded `keymap.toml`, patched by the user's file. Each row contains its
//! help text, so the key line, the `?` help and the palette always match the keys. The keymap does
//! not depend on screens.

mod key;
mod parse;
mod purpose;

#[cfg(test)]
mod tests;

use crossterm::event::{KeyEvent, KeyEventKind};

pub use self::key::Key;
pub use self::parse::KeymapError;
pub use self::purpose::Purpose;

use super::action::Action;
pub use super::view_id::ViewId;

const DEFAULT: &str = include_str!("../keymap.toml");

/// One row of the keymap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bind {
    /// Keys, main key first.
    pub keys: Vec<Key>,
    /// Action that the keys perform.
    pub action: Action,
    /// Description for the `?` help and the palette.
    pub help: String,
    /// Label on the key line; `None` if the row is not shown there.
    pub line: Option<String>,
    /// Views in which the row works; empty means all views.
    pub views: Vec<ViewId>,
}

impl Bind {
    /// Returns true if the row works in a view.
    pub fn works_in(&self, view: ViewId) -> bool {
        self.views.is_empty() || self.views.contains(&view)
    }

    /// Returns all keys as shown on screen, separated by spaces.
    pub fn keys_text(&self) -> String {
        let keys: Vec<_> = self.keys.iter().map(ToString::to_string).collect();
        keys.join(" ")
    }
}

/// A key that a user's row replaces in an embedded row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyConflict {
    /// Key in conflict.
    pub key: Key,
    /// Description of the embedded row.
    pub before: String,
    /// Action of the user's row.
    pub now: Action,
    /// View of the conflict.
    pub view: ViewId,
}

/// All rows of the keymap.
#[derive(Clone, Debug)]
pub struct Keymap {
    binds: Vec<Bind>,
    conflicts: Vec<KeyConflict>,
}

impl Default for Keymap {
    /// Returns the embedded keymap. A test checks that it can be parsed; a parse error would make
    /// it empty.
    fn default() -> Self {
        Self {
            binds: parse::binds(DEFAULT, &[]).unwrap_or_default(),
            conflicts: Vec::new(),
        }
    }
}

impl Keymap {
    /// Patches the embedded keymap with a user's rows. Their keys are removed from embedded
    /// rows of the same view, so a user's keymap stays valid when actions are added.
    ///
    /// # Errors
    ///
    /// If the text cannot be parsed, contains an unknown name, or gives one key two meanings.
    pub fn with_user(text: &str) -> Result<Self, KeymapError> {
        let mut binds = Self::default().binds;
        let rows = parse::binds(text, &binds)?;
        for row in &rows {
            // The user's rows are inserted where the first embedded row of their action is.
            let place = binds
                .iter()
                .position(|bind| bind.action == row.action)
                .unwrap_or(binds.len());
            binds.retain(|bind| bind.action != row.action || rows.contains(bind));
            binds.insert(place.min(binds.len()), row.clone());
        }
        let mut conflicts = Vec::new();
        let binds: Vec<Bind> = binds
            .into_iter()
            .flat_map(|bind| {
                if rows.contains(&bind) {
                    vec![bind]
                } else {
                    left_of(bind, &rows, &mut conflicts)
                }
            })
            .collect();
        parse::check(&binds)?;
        Ok(Self { binds, conflicts })
    }

    /// Returns the keys in a view that a user's rows replaced in embedded rows.
    pub fn conflicts_in(&self, view: ViewId) -> impl Iterator<Item = &KeyConflict> {
        self.conflicts
            .iter()
            .filter(move |conflict| conflict.view == view)
    }

    /// Returns the action of a key press in a view.
    pub fn lookup(&self, view: ViewId, event: KeyEvent) -> Option<Action> {
        let key = Key::of_event(event);
        let pressed = event.kind != KeyEventKind::Release;
        let bind = self
            .keys_for(view)
            .find(|bind| pressed && bind.keys.contains(&key))?;
        Some(bind.action)
    }

    /// Returns the rows that work in a view, in the order of the keymap.
    pub fn keys_for(&self, view: ViewId) -> impl Iterator<Item = &Bind> {
        self.binds.iter().filter(move |bind| bind.works_in(view))
    }

    /// Iterates over the rows with this key in any view.
    pub fn elsewhere(&self, event: KeyEvent) -> impl Iterator<Item = &Bind> {
        let key = Key::of_event(event);
        let pressed = event.kind != KeyEventKind::Release;
        let binds = self.binds.iter().filter(move |_| pressed);
        binds.filter(move |bind| bind.keys.contains(&key))
    }

    /// Returns the keys and labels for the key line of a view. Rows with the same label share an
    /// entry.
    pub fn line(&self, view: ViewId) -> Vec<(String, &str)> {
        let mut places: Vec<(String, &str)> = Vec::new();
        for bind in self.keys_for(view) {
            let (Some(word), Some(key)) = (bind.line.as_deref(), bind.keys.first()) else {
                continue;
            };
            match places.iter_mut().find(|(_, known)| *known == word) {
                Some((keys, _)) => keys.push_str(&key.to_string()),
                None => places.push((key.to_string(), word)),
            }
        }
        places
    }

    /// Returns the action at a column of a key line entry: the action of the key there, otherwise
    /// the first action.
    pub fn action_at(&self, view: ViewId, word: &str, column: u16) -> Option<Action> {
        let rows = self
            .keys_for(view)
            .filter(|bind| bind.line.as_deref() == Some(word));
        let mut rows = rows.filter(|bind| !bind.keys.is_empty()).peekable();
        let first = rows.peek()?.action;
        let mut end = 0;
        let mut under = rows.skip_while(|bind| {
            end += bind
                .keys
                .first()
                .map_or(0, |key| crate::widget::width(&key.to_string()));
            end <= column
        });
        Some(under.next().map_or(first, |bind| bind.action))
    }

    /// Returns the row of an action in a view. If there is none, returns a row of the action in any
    /// view.
    pub fn row_of(&self, view: ViewId, action: Action) -> Option<&Bind> {
        let is = |bind: &&Bind| bind.action == action;
        self.keys_for(view)
            .find(is)
            .or_else(|| self.binds.iter().find(is))
    }
}

/// Removes keys of the user's rows from an embedded row. Splits the row if its views lose different
/// keys.
fn left_of(bind: Bind, rows: &[Bind], conflicts: &mut Vec<KeyConflict>) -> Vec<Bind> {
    let mut parts: Vec<Bind> = Vec::new();
    let before = conflicts.len();
    for view in ViewId::ALL.into_iter().filter(|view| bind.works_in(*view)) {
        let owner = |key: &Key| {
            rows.iter()
                .find(|row| row.works_in(view) && row.keys.contains(key))
        };
        let mut keys = Vec::new();
        for &key in &bind.keys {
            match owner(&key) {
                None => keys.push(key),
                Some(row) => conflicts.push(KeyConflict {
                    key,
                    before: bind.help.clone(),
                    now: row.action,
                    view,
                }),
            }
        }
        match parts.iter_mut().find(|part| part.keys == keys) {
            Some(part) => part.views.push(view),
            None => parts.push(Bind {
                keys,
                views: vec![view],
                ..bind.clone()
            }),
        }
    }
    if conflicts.len() == before {
        return vec![bind];
    }
    parts
}
