//! Lists buckets, and separates names that cannot be requested.

use object_store::list::PaginatedListOptions;
use object_store::path::Path;

use base::limits::Limit;

use super::StoreError;
use super::entry::Entry;
use super::objects::{Objects, entry};

/// Number of objects per page, the maximum that the stores allow.
const PAGE: usize = 1000;

/// Maximum number of pages, in addition to one page per [`FEW`] names.
const MOST_PAGES: usize = 1000;
/// Number of names that justify one more page.
const FEW: usize = 100;

/// Maximum length in bytes of a page token. The token is sent in the address.
const LONGEST_TOKEN: usize = 16 << 10;

/// Result of a listing.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    /// Objects that can be requested.
    pub entries: Vec<Entry>,
    /// Names that cannot be requested: they have an empty part, `.`, `..` or a control character.
    pub odd: Vec<String>,
    /// Number of names beyond [`Limit::Files`] that were counted.
    pub beyond: u64,
    /// The store's token for the next page; `None` for the first page.
    next: Option<String>,
    /// Number of pages so far.
    pages: usize,
    /// Number of names on the pages so far.
    names: usize,
}

impl Listing {
    /// Creates a listing of requestable objects.
    pub fn of(entries: Vec<Entry>) -> Self {
        Self {
            entries,
            ..Self::default()
        }
    }

    /// Adds objects up to the limit, and counts the rest.
    pub fn add(&mut self, entries: impl IntoIterator<Item = Entry>) {
        let mut entries = entries.into_iter();
        let room = Limit::Files.length().saturating_sub(self.len());
        self.entries.extend(entries.by_ref().take(room));
        self.beyond += entries.count() as u64;
    }

    /// Adds names that cannot be requested, up to the limit. Counts the rest.
    pub fn add_odd(&mut self, names: Vec<String>) {
        let room = Limit::Files.length().saturating_sub(self.len());
        self.beyond += names.len().saturating_sub(room) as u64;
        self.odd.extend(names.into_iter().take(room));
    }

    /// Returns true if the limit is exceeded and no further page is needed.
    pub const fn is_full(&self) -> bool {
        self.beyond > 0
    }

    /// Stores the token of the next page, after a page with `names` names. Returns true if there is
    /// a next page.
    ///
    /// # Errors
    /// The token is too long or repeated, or too many pages have almost no names.
    pub fn turn(&mut self, next: Option<String>, names: usize) -> Result<bool, StoreError> {
        self.pages += 1;
        self.names += names;
        let wrong = |what: &str| Err(StoreError::Listing(what.to_owned()));
        if next.as_ref().is_some_and(|next| next.len() > LONGEST_TOKEN) {
            return wrong("the token of its next page is too long");
        }
        if next.is_some() && next == self.next {
            return wrong("its next page is the same page again");
        }
        if self.pages > MOST_PAGES + self.names / FEW {
            return wrong("too many of its pages are almost empty");
        }
        self.next = next;
        Ok(self.next.is_some() && !self.is_full())
    }

    /// Returns the number of names.
    pub const fn len(&self) -> usize {
        self.entries.len() + self.odd.len()
    }
}

impl Objects {
    /// Continues a listing that has several pages.
    pub(super) async fn list_on(
        &self,
        prefix: &Path,
        listed: &mut Listing,
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
