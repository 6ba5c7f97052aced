//! Reads files from a web server: a single file, or the files in its `listing.json`.

use std::time::SystemTime;

use crate::RedirectPolicy;
use base::limits::Limit;
use chrono::DateTime;
use futures_util::StreamExt as _;
use reqwest::header::{
    ETAG, HeaderMap, HeaderName, IF_MATCH, IF_NONE_MATCH, LAST_MODIFIED, LOCATION, RANGE,
};
use reqwest::{Client, RequestBuilder, Response, StatusCode, Url};
use serde_json::Value as Json;

use super::entry::{Body, Entry, RetryPolicy};
use super::listing::Listing;
use super::meter::{count_bytes, count_request};
use super::{Address, StoreError};

/// Name of the file that lists the other files.
pub(crate) const LISTING: &str = "listing.json";
/// Connection timeout.
const CONNECT: std::time::Duration = std::time::Duration::from_secs(10);

/// HTTP client with retries.
#[derive(Clone, Debug)]
pub(crate) struct Http {
    client: Client,
    patience: RetryPolicy,
}

impl Http {
    /// Creates a client that adds these headers to every request.
    ///
    /// # Errors
    /// If the system's proxy or certificate settings are invalid.
    pub fn new(
        headers: HeaderMap,
        patience: RetryPolicy,
        follow: RedirectPolicy,
    ) -> Result<Self, StoreError> {
        let client = crate::http(follow)
            .default_headers(headers)
            .connect_timeout(CONNECT)
            .read_timeout(patience.silence)
            .build();
        let client = client.map_err(|error| StoreError::of_http(&error))?;
        Ok(Self { client, patience })
    }

    pub fn get(&self, url: Url) -> RequestBuilder {
        self.client.get(url)
    }

    /// Sends a request once and returns a successful response.
    pub async fn once(&self, request: RequestBuilder) -> Result<Response, StoreError> {
        count_request();
        let answer = request.send().await;
        let answer = answer.map_err(|error| StoreError::of_http(&error))?;
        if answer.status().is_success() {
            return Ok(answer);
        }
        if let Some(host) = led_to(answer.status(), answer.headers(), answer.url()) {
            return Err(StoreError::Redirected(host));
        }
        Err(StoreError::answered(answer.status().as_u16(), ""))
    }

    /// Returns the headers and the body of a response. Retries after errors.
    pub async fn whole(&self, url: &Url) -> Result<(HeaderMap, Vec<u8>), StoreError> {
        let mut tries = 0;
        loop {
            match self.whole_once(url).await {
                Err(error) if error.may_pass() && tries < self.patience.tries => {
                    tries += 1;
                    tokio::time::sleep(self.patience.before(tries)).await;
                }
                done => return done.map_err(|error| self.patience.with_timeout(error)),
            }
        }
    }

    async fn whole_once(&self, url: &Url) -> Result<(HeaderMap, Vec<u8>), StoreError> {
        let answer = self.once(self.get(url.clone())).await?;
        let headers = answer.headers().clone();
        let mut body = Vec::new();
        let mut parts = answer.bytes_stream();
        while let Some(part) = parts.next().await {
            let part = part.map_err(|error| StoreError::of_http(&error))?;
            count_bytes(part.len());
            if body.len() + part.len() > Limit::Listing.length() {
                return Err(StoreError::Listing(Limit::Listing.message()));
            }
            body.extend_from_slice(&part);
        }
        Ok((headers, body))
    }

    /// Reads a file from offset `from`, up to `to` if given.
    pub async fn read(
        &self,
        url: Url,
        wanted: &Entry,
        from: u64,
        to: Option<u64>,
    ) -> Result<Body, StoreError> {
        let mut request = self.get(url);
        if let Some(to) = to {
            let last = to.saturating_sub(1);
            request = request.header(RANGE, format!("bytes={from}-{last}"));
        } else if from > 0 {
            request = request.header(RANGE, format!("bytes={from}-"));
        }
        if let Some(etag) = wanted.etag.as_ref().filter(|etag| !etag.starts_with("W/")) {
            request = request.header(IF_MATCH, etag);
        }
        if let Some(known) = &wanted.known {
            request = request.header(IF_NONE_MATCH, known);
        }
        let answer = self.once(request).await?;
        let is_part = answer.status() == StatusCode::PARTIAL_CONTENT;
        if to.is_some() && !is_part {
            return Err(StoreError::NoParts);
        }
        let from = if is_part { from } else { 0 };
        let entry = Entry {
            key: wanted.key.clone(),
            // The header of a partial response does not contain the length of the file.
            length: answer
                .content_length()
                .filter(|_| to.is_none())
                .map(|rest| rest + from),
            etag: text(answer.headers(), ETAG).map(str::to_owned),
            modified: text(answer.headers(), LAST_MODIFIED).and_then(time),
            known: None,
        };
        let parts = answer.bytes_stream();
        let bytes = parts.map(|part| {
            let part = part.map_err(|error| StoreError::of_http(&error))?;
            count_bytes(part.len());
            Ok(part)
        });
        Ok(Body {
            entry,
            from,
            bytes: bytes.boxed(),
        })
    }
}

/// Returns the host to which a response redirects; `None` for other responses.
pub(crate) fn led_to(status: StatusCode, headers: &HeaderMap, asked: &Url) -> Option<String> {
    let sends_on = status.is_redirection() && status != StatusCode::NOT_MODIFIED;
    let place = sends_on.then(|| asked.join(text(headers, LOCATION)?).ok());
    let host = place?.as_ref().and_then(Url::host_str).map(str::to_owned);
    Some(host.unwrap_or_else(|| "another address".to_owned()))
}

/// Returns a header as text.
pub(crate) fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

fn time(text: &str) -> Option<SystemTime> {
    DateTime::parse_from_rfc2822(text)
        .ok()
        .map(SystemTime::from)
}

/// Files on a web server.
#[derive(Clone, Debug)]
pub(crate) struct Web {
    base: Url,
    http: Http,
}

impl Web {
    pub fn new(address: &Address, patience: RetryPolicy) -> Result<Self, StoreError> {
        let base = format!("{}://{}/", address.scheme.name(), address.place);
        let base = Url::parse(&base).map_err(|_| StoreError::Address("this is not an address"))?;
        let http = Http::new(HeaderMap::new(), patience, RedirectPolicy::SameHost)?;
        Ok(Self { base, http })
    }

    fn url(&self, key: &str) -> Url {
        let mut url = self.base.clone();
        if let Ok(mut parts) = url.path_segments_mut() {
            parts.clear().extend(key.split('/'));
        }
        url
    }

    /// Lists the names in a `listing.json`, or only the file itself.
    pub async fn list(&self, address: &Address) -> Result<Listing, StoreError> {
        let one = Entry::named;
        let name = address.name();
        if name != LISTING && name.contains('.') {
            return Ok(Listing::of(vec![one(&address.key)]));
        }
        let (folder, (names, odd)) = self.listing(address).await?;
        let whole = |name: &String| one(folder.trim_start_matches('/')).below(name);
        let mut listed = Listing::default();
        listed.add(names.iter().map(whole));
        listed.add_odd(odd);
        Ok(listed)
    }

    /// Finds the listing of an address at the default places. Returns its folder and its names.
    async fn listing(&self, address: &Address) -> Result<(String, Names), StoreError> {
        let places: Vec<String> = if address.name() == LISTING {
            vec![address.key.clone()]
        } else {
            let below = |rest: &str| {
                format!("{}/{rest}", address.key)
                    .trim_start_matches('/')
                    .to_owned()
            };
            vec![below(LISTING), below("logs/listing.json")]
        };
        for place in places {
            match self.http.whole(&self.url(&place)).await {
                Ok((_, body)) => {
                    let folder = place.rsplit_once('/').map_or("", |(folder, _)| folder);
                    return Ok((folder.to_owned(), names(&body)?));
                }
                Err(StoreError::Absent) => {}
                Err(error) => return Err(error),
            }
        }
        Err(StoreError::Listing(
            "the server has no listing.json there; without it a web server cannot be listed"
                .to_owned(),
        ))
    }

    pub async fn read(
        &self,
        entry: &Entry,
        from: u64,
        to: Option<u64>,
    ) -> Result<Body, StoreError> {
        self.http.read(self.url(&entry.key), entry, from, to).await
    }
}

impl Entry {
    /// Creates an entry with only a key.
    pub(super) fn named(key: &str) -> Self {
        Self {
            key: key.to_owned(),
            ..Self::default()
        }
    }

    /// Returns the entry of a name below a folder.
    fn below(self, name: &str) -> Self {
        let key = match self.key.as_str() {
            "" => name.to_owned(),
            folder => format!("{folder}/{name}"),
        };
        Self { key, ..self }
    }
}

/// Names of files below the folder, and names that are invalid.
type Names = (Vec<String>, Vec<String>);

/// Parses the names in a listing. It is an object whose keys are names, or a list of strings or of
/// objects with `name` or `path`. Names outside the folder are separated.
fn names(body: &[u8]) -> Result<Names, StoreError> {
    let wrong = |why: String| StoreError::Listing(why);
    let json: Json = serde_json::from_slice(body).map_err(|error| wrong(error.to_string()))?;
    let names: Vec<String> = match json {
        Json::Object(fields) => fields.into_iter().map(|(name, _)| name).collect(),
        Json::Array(items) => {
            let name = |item: &Json| {
                let name = item
                    .get("name")
                    .or_else(|| item.get("path"))
                    .unwrap_or(item);
                name.as_str().map(str::to_owned)
            };
            let all: Option<Vec<String>> = items.iter().map(name).collect();
            all.ok_or_else(|| wrong("one of its items has no name".to_owned()))?
        }
        _ => return Err(wrong("it is neither an object nor a list".to_owned())),
    };
    let is_inside = |name: &String| {
        !name.contains(['\\', '?', '#', ':'])
            && name.split('/').all(|part| !matches!(part, "" | "." | ".."))
    };
    Ok(names.into_iter().partition(is_inside))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listing_names_files_below_it_and_no_others() {
        let read = |text: &str| names(text.as_bytes());
        assert_eq!(
            read(r#"{"a.eval": {}, "b/c.json": {}}"#).unwrap().0,
            ["a.eval", "b/c.json"]
        );
        assert_eq!(
            read(r#"["a", {"name": "b"}, {"path": "c"}]"#).unwrap().0,
            ["a", "b", "c"]
        );
        let (names, odd) = read(r#"["../a", "b", "/etc/passwd", "http://h/x"]"#).unwrap();
        assert_eq!(names, ["b"], "the others are read");
        assert_eq!(odd, ["../a", "/etc/passwd", "http://h/x"]);
        for bad in ["[", "3", "[1]"] {
            assert!(matches!(read(bad), Err(StoreError::Listing(_))), "{bad}");
        }
    }

    #[test]
    fn names_are_encoded_in_the_address_that_is_asked() {
        let address = Address::parse("https://h/x").unwrap().unwrap();
        crate::prepare_tls();
        let web = Web::new(&address, RetryPolicy::default()).unwrap();
        assert_eq!(
            web.url("a b/ü?.json").as_str(),
            "https://h/a%20b/%C3%BC%3F.json"
        );
    }
}
