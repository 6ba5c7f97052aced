//! Listings of buckets: everything that has a name which can be asked for, and the names that cannot.

use object_store::list::PaginatedListOptions;
use object_store::path::Path;

use super::StoreError;
use super::objects::{Objects, entry};
use super::source::Entry;

/// Objects of a page, as many as stores give.
const PAGE: usize = 1000;

/// What a store lists.
#[derive(Debug, Default)]
pub(crate) struct Listed {
    /// What can be asked for.
    pub entries: Vec<Entry>,
    /// Names that cannot be asked for: with an empty part, `.`, `..` or a control character.
    pub odd: Vec<String>,
    /// Where the next page begins, as the store says; `None`: at the beginning.
    next: Option<String>,
}

impl Listed {
    /// All of it can be asked for.
    pub const fn of(entries: Vec<Entry>) -> Self {
        Self {
            entries,
            odd: Vec::new(),
            next: None,
        }
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
            listed
                .entries
                .extend(page.result.objects.into_iter().map(entry));
            found(listed.len() as u64);
            listed.next = page.page_token;
            if listed.next.is_none() {
                return Ok(());
            }
        }
    }
}

/// What is said of a listing with names that cannot be asked for, where they are not known.
pub(super) fn odd_name() -> StoreError {
    StoreError::Listing("a name in it has an empty part, `.` or `..`".to_owned())
}
