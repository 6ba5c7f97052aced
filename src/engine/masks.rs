//! Caches which predictions a scope selects, for each content of a table.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use analysis::PrintedMatch;
use record::{Generation, Table};
use workspace::filter::{FilterError, reads_files, select, select_published};

use super::Scope;

/// Maximum number of flags in the cache of an engine.
const MOST_FLAGS: usize = 64 << 20;

/// Flags of the predictions and published scores; a flag is set for what a scope selects.
#[derive(Debug)]
pub struct Flags {
    /// One flag per prediction.
    pub rows: Vec<bool>,
    /// The filter's result for each published score.
    pub published: Vec<PrintedMatch>,
}

impl Flags {
    /// Returns the flags of the predictions and scores that both scopes select.
    pub fn and(&self, other: &Self) -> Self {
        let both = |(a, b): (&PrintedMatch, &PrintedMatch)| match (a, b) {
            (PrintedMatch::Out, _) | (_, PrintedMatch::Out) => PrintedMatch::Out,
            (a, b) => *a.max(b),
        };
        let rows = self.rows.iter().zip(&other.rows);
        let published = self.published.iter().zip(&other.published);
        Self {
            rows: rows.map(|(a, b)| *a && *b).collect(),
            published: published.map(both).collect(),
        }
    }
}

/// Cache of the flags of recently used scopes.
#[derive(Debug)]
pub struct Masks {
    kept: Mutex<VecDeque<CachedFlags>>,
    /// Maximum number of flags. The latest scope is cached even if it has more.
    most: usize,
}

#[derive(Debug)]
struct CachedFlags {
    generation: Generation,
    scope: Scope,
    flags: Arc<Flags>,
}

impl Default for Masks {
    fn default() -> Self {
        Self::with_room(MOST_FLAGS)
    }
}

impl Masks {
    /// Creates an empty cache for at most `most` flags.
    pub const fn with_room(most: usize) -> Self {
        Self {
            kept: Mutex::new(VecDeque::new()),
            most,
        }
    }

    /// Returns the flags of a scope; `None` if it selects everything.
    ///
    /// # Errors
    /// The scope's filter is invalid.
    pub fn of(&self, table: &Table, scope: &Scope) -> Result<Option<Arc<Flags>>, FilterError> {
        let generation = table.generation();
        if let Some(known) = self.known(generation, scope) {
            return Ok(Some(known));
        }
        let Some(rows) = select(&scope.filter, table, scope.scoring)? else {
            return Ok(None);
        };
        let published = select_published(&scope.filter, table, scope.scoring)?;
        let flags = Arc::new(Flags {
            rows,
            published: published.unwrap_or_default(),
        });
        // A file named in the filter may change, so the flags are not cached.
        if !reads_files(&scope.filter) {
            self.keep(generation, scope, &flags);
        }
        Ok(Some(flags))
    }

    /// Returns cached flags and marks them as most recently used.
    fn known(&self, generation: Generation, scope: &Scope) -> Option<Arc<Flags>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let is_wanted =
            |known: &CachedFlags| known.generation == generation && known.scope == *scope;
        let at = kept.iter().position(is_wanted)?;
        let known = kept.remove(at)?;
        let flags = Arc::clone(&known.flags);
        kept.push_back(known);
        Some(flags)
    }

    fn keep(&self, generation: Generation, scope: &Scope, flags: &Arc<Flags>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        // Drop the flags of older table contents.
        kept.retain(|known| known.generation >= generation);
        kept.push_back(CachedFlags {
            generation,
            scope: scope.clone(),
            flags: Arc::clone(flags),
        });
        let count = |kept: &VecDeque<CachedFlags>| -> usize {
            kept.iter().map(|known| known.flags.rows.len()).sum()
        };
        while kept.len() > 1 && count(&kept) > self.most {
            kept.pop_front();
        }
    }
}
