//! Listings of buckets: everything that has a name which can be asked for, and the names that cannot.

use object_store::list::{PaginatedListOptions, PaginatedListResult};
use object_store::path::{Error as PathError, Path};

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
    /// Where the next page begins; `None`: at the beginning.
    next: Option<Next>,
}

/// Where a page of a listing begins.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Next {
    /// Behind a name.
    After(String),
    /// Where the store says. A name would not do: the client drops the slash at the end of that of a folder.
    Token(String),
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
    /// Lists on behind what is there, in pages. The client takes no page with a name that cannot be asked for: pages
    /// become so small that it is alone, and go on behind it.
    pub(super) async fn list_on(
        &self,
        prefix: &Path,
        listed: &mut Listed,
        found: &(dyn Fn(u64) + Sync),
    ) -> Result<(), StoreError> {
        let mut most = PAGE;
        loop {
            let page = self.page(prefix, listed.next.as_ref(), most);
            let page = tokio::time::timeout(self.silence(), page).await;
            match page.map_err(|_| StoreError::Silent(0))? {
                Ok(page) => {
                    let objects = page.result.objects.into_iter();
                    listed.entries.extend(objects.map(entry));
                    found(listed.len() as u64);
                    let Some(token) = page.page_token else {
                        return Ok(());
                    };
                    listed.next = Some(Next::Token(token));
                    most = (most * 2).min(PAGE);
                }
                Err(object_store::Error::InvalidPath { source }) if most == 1 => {
                    let name = name_in(source).filter(|name| !listed.odd.contains(name));
                    let name = name.ok_or_else(odd_name)?;
                    listed.odd.push(name.clone());
                    listed.next = Some(Next::After(name));
                    most = PAGE;
                }
                Err(object_store::Error::InvalidPath { .. }) => most /= 2,
                Err(error) => return Err(StoreError::of_store(&error)),
            }
        }
    }

    async fn page(
        &self,
        prefix: &Path,
        next: Option<&Next>,
        most: usize,
    ) -> Result<PaginatedListResult, object_store::Error> {
        let below = (!prefix.as_ref().is_empty()).then(|| format!("{prefix}/"));
        let mut options = PaginatedListOptions {
            max_keys: Some(most),
            ..PaginatedListOptions::default()
        };
        match next {
            None => {}
            Some(Next::After(name)) => options.offset = Some(name.clone()),
            Some(Next::Token(token)) => options.page_token = Some(token.clone()),
        }
        self.pages().list_paginated(below.as_deref(), options).await
    }
}

/// What is said of a listing with names that cannot be asked for, where they are not known.
pub(super) fn odd_name() -> StoreError {
    StoreError::Listing("a name in it has an empty part, `.` or `..`".to_owned())
}

/// The name that the client does not take.
fn name_in(error: PathError) -> Option<String> {
    match error {
        PathError::EmptySegment { path } | PathError::BadSegment { path, .. } => Some(path),
        _ => None,
    }
}
