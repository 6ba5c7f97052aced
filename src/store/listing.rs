//! Listings of buckets: everything that has a name which can be asked for, and the names that cannot.

use object_store::list::PaginatedListOptions;
use object_store::path::Path;

use limits::Limit;

use super::StoreError;
use super::objects::{Objects, entry};
use super::source::Entry;

/// Objects of a page, as many as stores give.
const PAGE: usize = 1000;

/// Pages without a name that follow each other.
const MOST_EMPTY: usize = 1000;

/// What a store lists.
#[derive(Debug, Default)]
pub(crate) struct Listed {
    /// What can be asked for.
    pub entries: Vec<Entry>,
    /// Names that cannot be asked for: with an empty part, `.`, `..` or a control character.
    pub odd: Vec<String>,
    /// Names beyond [`Limit::Files`], as far as they were counted.
    pub beyond: u64,
    /// Where the next page begins, as the store says; `None`: at the beginning.
    next: Option<String>,
    /// Pages without a name since the last one with some.
    empty: usize,
}

impl Listed {
    /// All of it can be asked for.
    pub fn of(entries: Vec<Entry>) -> Self {
        Self {
            entries,
            ..Self::default()
        }
    }

    /// Adds names while there is room, and counts the others.
    pub fn add(&mut self, entries: impl IntoIterator<Item = Entry>) {
        let mut entries = entries.into_iter();
        let room = Limit::Files.length().saturating_sub(self.len());
        self.entries.extend(entries.by_ref().take(room));
        self.beyond += entries.count() as u64;
    }

    /// The same of names that cannot be asked for.
    pub fn add_odd(&mut self, names: Vec<String>) {
        let room = Limit::Files.length().saturating_sub(self.len());
        self.beyond += names.len().saturating_sub(room) as u64;
        self.odd.extend(names.into_iter().take(room));
    }

    /// Returns true if no further page is wanted.
    pub const fn is_full(&self) -> bool {
        self.beyond > 0
    }

    /// Takes where the next page begins; gives whether there is one.
    ///
    /// # Errors
    /// It is the page that was just read, or one of very many without a name.
    pub fn turn(&mut self, next: Option<String>, names: usize) -> Result<bool, StoreError> {
        self.empty = if names > 0 { 0 } else { self.empty + 1 };
        let wrong = |what: &str| Err(StoreError::Listing(what.to_owned()));
        if next.is_some() && next == self.next {
            return wrong("its next page is the page before");
        }
        if self.empty > MOST_EMPTY {
            return wrong("its pages have no names");
        }
        self.next = next;
        Ok(self.next.is_some() && !self.is_full())
    }

    /// How many names there are.
    pub const fn len(&self) -> usize {
        self.entries.len() + self.odd.len()
    }
}

impl Objects {
    /// Lists on behind what is there, in pages.
    pub(super) async fn list_on(
        &self,
        prefix: &Path,
        listed: &mut Listed,
        found: &(dyn Fn(u64) + Sync),
    ) -> Result<(), StoreError> {
        let below = (!prefix.as_ref().is_empty()).then(|| format!("{prefix}/"));
        loop {
            let options = PaginatedListOptions {
                max_keys: Some(PAGE),
                page_token: listed.next.clone(),
                ..PaginatedListOptions::default()
            };
            let pages = self.pages();
            let page = pages.list_paginated(below.as_deref(), options);
            let page = tokio::time::timeout(self.silence(), page).await;
            let page = page.map_err(|_| StoreError::Silent(0))?;
            let page = page.map_err(|error| StoreError::of_store(&error))?;
            let names = page.result.objects.len();
            listed.add(page.result.objects.into_iter().map(entry));
            found(listed.len() as u64);
            if !listed.turn(page.page_token, names)? {
                return Ok(());
            }
        }
    }
}

/// What is said of a listing with names that cannot be asked for, where they are not known.
pub(super) fn odd_name() -> StoreError {
    StoreError::Listing("a name in it has an empty part, `.` or `..`".to_owned())
}
