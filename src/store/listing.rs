//! Listings of buckets: everything that has a name which can be asked for, and the names that cannot.

use futures_util::StreamExt as _;
use object_store::list::{PaginatedListOptions, PaginatedListResult};
use object_store::path::{Error as PathError, Path};

use super::StoreError;
use super::objects::{Objects, entry};
use super::source::Entry;

/// Objects of a page where names are looked at page by page.
const PAGE: usize = 512;

/// What a store lists.
#[derive(Debug, Default)]
pub(crate) struct Listed {
    /// What can be asked for.
    pub entries: Vec<Entry>,
    /// Names that cannot be asked for: with an empty part, `.`, `..` or a control character.
    pub odd: Vec<String>,
    /// Where the next page begins, where pages are listed.
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
    /// Lists on behind what is there: stores list by name.
    pub(super) async fn list_on(
        &self,
        prefix: &Path,
        listed: &mut Listed,
        found: &(dyn Fn(u64) + Sync),
    ) -> Result<(), StoreError> {
        if listed.next.is_some() {
            return self.list_pages(prefix, listed, found).await;
        }
        let store = self.store();
        let below = (!prefix.as_ref().is_empty()).then_some(prefix);
        let mut next = match listed.entries.last() {
            Some(last) => store.list_with_offset(below, &super::objects::path(&last.key)?),
            None => store.list(below),
        };
        loop {
            let one = tokio::time::timeout(self.silence(), next.next()).await;
            match one.map_err(|_| StoreError::Silent(0))? {
                None => return Ok(()),
                Some(Ok(meta)) => listed.entries.push(entry(meta)),
                // The client takes no page with such a name.
                Some(Err(object_store::Error::InvalidPath { .. })) => break,
                Some(Err(error)) => return Err(StoreError::of_store(&error)),
            }
            found(listed.len() as u64);
        }
        let last = listed.entries.last();
        let last = last.map_or_else(String::new, |last| last.key.clone());
        listed.next = Some(Next::After(last));
        self.list_pages(prefix, listed, found).await
    }

    /// Lists on in pages that become so small that a name which cannot be asked for is alone, and goes on behind it.
    async fn list_pages(
        &self,
        prefix: &Path,
        listed: &mut Listed,
        found: &(dyn Fn(u64) + Sync),
    ) -> Result<(), StoreError> {
        let mut most = PAGE;
        loop {
            match self.page(prefix, listed.next.as_ref(), most).await {
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
            Some(Next::After(name)) if !name.is_empty() => options.offset = Some(name.clone()),
            Some(Next::Token(token)) => options.page_token = Some(token.clone()),
            _ => {}
        }
        let pages = self.pages();
        let asked = pages.list_paginated(below.as_deref(), options);
        match tokio::time::timeout(self.silence(), asked).await {
            Ok(page) => page,
            Err(late) => Err(object_store::Error::Generic {
                store: "bucket",
                source: Box::new(late),
            }),
        }
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
