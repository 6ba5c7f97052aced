//! Which key means which action in which view.
//!
//! The keys are data: an embedded `keymap.toml` that a user's file patches. Each row carries its own
//! words, so that the key line, the `?` help and the palette cannot say anything else than what the
//! keys do. The keymap knows no screen.

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
    /// The keys, the usual one first.
    pub keys: Vec<Key>,
    /// What they do.
    pub action: Action,
    /// What they do, in words for `?` and the palette.
    pub help: String,
    /// The word on the key line, if the row is shown there.
    pub line: Option<String>,
    /// Where the row works; empty for everywhere.
    pub views: Vec<ViewId>,
}

impl Bind {
    /// Whether the row works in a view.
    #[must_use]
    pub fn works_in(&self, view: ViewId) -> bool {
        self.views.is_empty() || self.views.contains(&view)
    }

    /// All keys, as shown.
    #[must_use]
    pub fn keys_text(&self) -> String {
        let keys: Vec<_> = self.keys.iter().map(ToString::to_string).collect();
        keys.join(" ")
    }
}

/// A key that a user's row took from an embedded one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// The key.
    pub key: Key,
    /// What it would do, in words.
    pub before: String,
    /// What it does.
    pub now: Action,
    /// Where.
    pub view: ViewId,
}

/// All rows.
#[derive(Clone, Debug)]
pub struct Keymap {
    binds: Vec<Bind>,
    taken: Vec<Taken>,
}

impl Default for Keymap {
    /// The embedded keys. A test reads them, so that they are never empty.
    fn default() -> Self {
        Self {
            binds: parse::binds(DEFAULT, &[]).unwrap_or_default(),
            taken: Vec::new(),
        }
    }
}

impl Keymap {
    /// The embedded keys, patched by a user's rows. A key that a user's row has is taken from embedded rows that work in
    /// the same view: keymaps stay valid when actions are added.
    ///
    /// # Errors
    ///
    /// If the text cannot be read, names something unknown, or itself gives one key two meanings.
    pub fn with_user(text: &str) -> Result<Self, KeymapError> {
        let mut binds = Self::default().binds;
        let rows = parse::binds(text, &binds)?;
        for row in &rows {
            // The user's rows stand where the first row of their action stood.
            let place = binds
                .iter()
                .position(|bind| bind.action == row.action)
                .unwrap_or(binds.len());
            binds.retain(|bind| bind.action != row.action || rows.contains(bind));
            binds.insert(place.min(binds.len()), row.clone());
        }
        let mut taken = Vec::new();
        let binds: Vec<Bind> = binds
            .into_iter()
            .flat_map(|bind| {
                if rows.contains(&bind) {
                    vec![bind]
                } else {
                    left_of(bind, &rows, &mut taken)
                }
            })
            .collect();
        parse::check(&binds)?;
        Ok(Self { binds, taken })
    }

    /// The keys that a user's rows took from embedded ones in a view.
    pub fn taken_in(&self, view: ViewId) -> impl Iterator<Item = &Taken> {
        self.taken.iter().filter(move |taken| taken.view == view)
    }

    /// What a key press means in a view.
    #[must_use]
    pub fn lookup(&self, view: ViewId, event: KeyEvent) -> Option<Action> {
        let key = Key::of_event(event);
        let pressed = event.kind != KeyEventKind::Release;
        let bind = self
            .keys_for(view)
            .find(|bind| pressed && bind.keys.contains(&key))?;
        Some(bind.action)
    }

    /// The rows that work in a view, in the order of the keymap.
    pub fn keys_for(&self, view: ViewId) -> impl Iterator<Item = &Bind> {
        self.binds.iter().filter(move |bind| bind.works_in(view))
    }

    /// A row of other views that has a key.
    #[must_use]
    pub fn elsewhere(&self, event: KeyEvent) -> Option<&Bind> {
        let key = Key::of_event(event);
        let pressed = event.kind != KeyEventKind::Release;
        let mut binds = self.binds.iter().filter(|_| pressed);
        binds.find(|bind| bind.keys.contains(&key))
    }

    /// The key line of a view: keys and their word. Rows that share a word share a place.
    #[must_use]
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

    /// The action at a column of the key line's place with this word: that of the key there, or the first.
    #[must_use]
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
                .map_or(0, |key| widget::width(&key.to_string()));
            end <= column
        });
        Some(under.next().map_or(first, |bind| bind.action))
    }

    /// The row of an action in a view, or anywhere.
    #[must_use]
    pub fn row_of(&self, view: ViewId, action: Action) -> Option<&Bind> {
        let is = |bind: &&Bind| bind.action == action;
        self.keys_for(view)
            .find(is)
            .or_else(|| self.binds.iter().find(is))
    }
}

/// What is left of an embedded row beside a user's rows: one row for the views in which it loses the same keys.
fn left_of(bind: Bind, rows: &[Bind], taken: &mut Vec<Taken>) -> Vec<Bind> {
    let mut parts: Vec<Bind> = Vec::new();
    let before = taken.len();
    for view in ViewId::ALL.into_iter().filter(|view| bind.works_in(*view)) {
        let owner = |key: &Key| {
            rows.iter()
                .find(|row| row.works_in(view) && row.keys.contains(key))
        };
        let mut keys = Vec::new();
        for &key in &bind.keys {
            match owner(&key) {
                None => keys.push(key),
                Some(row) => taken.push(Taken {
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
    if taken.len() == before {
        return vec![bind];
    }
    parts
}
