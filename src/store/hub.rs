//! Reads data sets from the Hugging Face hub.

use crate::RedirectPolicy;
use reqwest::Url;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue, LINK};
use serde::Deserialize;
use serde_json::from_slice;

use super::entry::{Body, Entry, RetryPolicy};
use super::environment::Environment;
use super::listing::Listing;
use super::web::{Http, text};
use super::{Address, StoreError};

/// Default address of the hub. `HF_ENDPOINT` overrides it.
const HUB: &str = "https://huggingface.co";
/// Revision for addresses without one.
const USUAL: &str = "main";

/// A data set at a fixed commit, so that listing and files are consistent.
#[derive(Debug)]
pub(crate) struct Hub {
    base: Url,
    /// `OWNER/NAME`.
    name: String,
    commit: String,
    http: Http,
}

#[derive(Deserialize)]
struct Revision {
    sha: String,
}

#[derive(Deserialize)]
struct Item {
    #[serde(rename = "type")]
    kind: String,
    path: String,
    size: Option<u64>,
    oid: Option<String>,
    lfs: Option<LargeFile>,
}

#[derive(Deserialize)]
struct LargeFile {
    oid: String,
    size: u64,
}

impl Hub {
    pub async fn new(
        address: &Address,
        environment: &Environment,
        patience: RetryPolicy,
    ) -> Result<Self, StoreError> {
        let base = environment.get("HF_ENDPOINT").unwrap_or(HUB);
        let base =
            Url::parse(base).map_err(|_| StoreError::Address("HF_ENDPOINT is not a valid URL"))?;
        let mut headers = HeaderMap::new();
        if let Some(token) = environment.get("HF_TOKEN") {
            let value = HeaderValue::from_str(&format!("Bearer {}", token.trim()));
            let mut value = value.map_err(|_| {
                StoreError::Address("HF_TOKEN holds a character that cannot be sent")
            })?;
            value.set_sensitive(true);
            headers.insert(AUTHORIZATION, value);
        }
        let named = address
            .place
            .strip_prefix("datasets/")
            .unwrap_or(&address.place);
        let (name, revision) = named.split_once('@').unwrap_or((named, USUAL));
        let mut hub = Self {
            base,
            name: name.to_owned(),
            commit: revision.replace("%2F", "/"),
            http: Http::new(headers, patience, RedirectPolicy::Hub)?,
        };
        let url = hub.url(&["api", "datasets"], &["revision"], "");
        let (_, body) = hub.http.whole(&url).await?;
        let revision: Revision = from_slice(&body).map_err(unreadable)?;
        hub.commit = revision.sha;
        Ok(hub)
    }

    /// Builds `BASE/START/OWNER/NAME/VERB/COMMIT/REST`. A slash in a revision is percent-encoded.
    fn url(&self, start: &[&str], verb: &[&str], rest: &str) -> Url {
        let mut url = self.base.clone();
        if let Ok(mut parts) = url.path_segments_mut() {
            parts
                .pop_if_empty()
                .extend(start)
                .extend(self.name.split('/'))
                .extend(verb)
                .push(&self.commit);
            if !rest.is_empty() {
                parts.extend(rest.split('/'));
            }
        }
        url
    }

    /// Lists everything below an address, page by page, or only the file at that address.
    pub async fn list(
        &self,
        address: &Address,
        found: &(dyn Fn(u64) + Sync),
    ) -> Result<Listing, StoreError> {
        match self.tree(&address.key, found).await {
            Err(StoreError::Absent) if !address.key.is_empty() => {
                let folder = address
                    .key
                    .rsplit_once('/')
                    .map_or("", |(folder, _)| folder);
                let mut beside = self.tree(folder, found).await?;
                beside.entries.retain(|entry| entry.key == address.key);
                Ok(Listing::of(beside.entries))
            }
            listed => listed,
        }
    }

    async fn tree(
        &self,
        folder: &str,
        found: &(dyn Fn(u64) + Sync),
    ) -> Result<Listing, StoreError> {
        let mut listed = Listing::default();
        let mut next = Some(self.url(&["api", "datasets"], &["tree"], folder));
        if let Some(url) = &mut next {
            url.set_query(Some("recursive=true"));
        }
        while let Some(url) = next {
            let (headers, body) = self.http.whole(&url).await?;
            let items: Vec<Item> = from_slice(&body).map_err(unreadable)?;
            let names = items.len();
            let files = items.into_iter().filter(|item| item.kind == "file");
            listed.add(files.map(entry));
            found(listed.len() as u64);
            let link = text(&headers, LINK).and_then(next_page);
            next = link.and_then(|link| url.join(link).ok());
            if !listed.turn(next.as_ref().map(Url::to_string), names)? {
                break;
            }
            if next
                .as_ref()
                .is_some_and(|next| next.origin() != self.base.origin())
            {
                return Err(StoreError::Listing(
                    "its next page is on another server".to_owned(),
                ));
            }
        }
        Ok(listed)
    }

    pub async fn read(
        &self,
        entry: &Entry,
        from: u64,
        to: Option<u64>,
    ) -> Result<Body, StoreError> {
        let url = self.url(&["datasets"], &["resolve"], &entry.key);
        // Keep the etag of the listing. The response has another etag, and the commit fixes the
        // content.
        let wanted = Entry {
            etag: None,
            ..entry.clone()
        };
        let mut body = self.http.read(url, &wanted, from, to).await?;
        body.entry.etag.clone_from(&entry.etag);
        Ok(body)
    }
}

fn entry(item: Item) -> Entry {
    let (etag, length) = match item.lfs {
        Some(large) => (Some(large.oid), Some(large.size)),
        None => (item.oid, item.size),
    };
    Entry {
        key: item.path,
        length,
        etag,
        modified: None,
        known: None,
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it maps an error")]
fn unreadable(error: serde_json::Error) -> StoreError {
    StoreError::Listing(error.to_string())
}

/// Returns the address of the next page, `rel="next"` in a `Link` header.
fn next_page(header: &str) -> Option<&str> {
    let mut links = header.split(',').map(str::trim);
    let next = links.find(|link| link.contains("rel=\"next\""))?;
    next.strip_prefix('<')?.split('>').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_page_is_the_one_that_is_called_so() {
        assert_eq!(
            next_page("<https://h/a?cursor=x>; rel=\"next\""),
            Some("https://h/a?cursor=x")
        );
        assert_eq!(next_page("<a>; rel=\"prev\", <b>; rel=\"next\""), Some("b"));
        assert_eq!(next_page("<a>; rel=\"prev\""), None);
    }
}
