//! Parses addresses of files and databases in stores.

use std::fmt;
use std::path::Path;

use super::StoreError;

base::named_enum! {
    /// The kinds of stores. Their names are the text before `://`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Scheme {
        /// Amazon S3 and compatible stores.
        S3 = "s3",
        /// Google Cloud Storage.
        Gs = "gs",
        /// Azure Blob Storage.
        Az = "az",
        /// A data set on the Hugging Face hub.
        Hub = "hf",
        /// Files on a web server, over TLS.
        Https = "https",
        /// Files on a web server, unencrypted.
        Http = "http",
        /// Database on a `ClickHouse` server.
        ClickHouse = "clickhouse",
    }
}

impl Scheme {
    /// Returns true for web servers, which cannot be listed.
    pub const fn is_web(self) -> bool {
        matches!(self, Self::Http | Self::Https)
    }
}

/// An address in a store. Holds no credentials, so it is safe to display.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Address {
    /// The kind of store.
    pub scheme: Scheme,
    /// Bucket, container, `datasets/OWNER/NAME[@REV]`, or `HOST[:PORT]`. For a database,
    /// `[USER@]HOST[:PORT]`.
    pub place: String,
    /// Path within the store, without leading or trailing slash; empty for the whole store. For a
    /// database: its name, with connection options after `?`.
    pub key: String,
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme.name(), self.place)?;
        if self.key.is_empty() {
            Ok(())
        } else {
            write!(f, "/{}", self.key)
        }
    }
}

/// Returns true if a command-line path is an address in a store.
pub fn is_address(path: &Path) -> bool {
    path.to_str().is_some_and(|text| split(text).is_some())
}

/// Splits an address into scheme and rest.
fn split(text: &str) -> Option<(Scheme, &str)> {
    let (name, rest) = text.split_once("://")?;
    let mut all = Scheme::ALL.into_iter();
    let scheme = all.find(|scheme| name.eq_ignore_ascii_case(scheme.name()))?;
    Some((scheme, rest))
}

impl Address {
    /// Parses a command-line path as an address; `None` if it is a local path.
    pub fn of(path: &Path) -> Option<Result<Self, StoreError>> {
        Self::parse(path.to_str()?)
    }

    /// Parses an address; `None` if it has no known scheme. The error does not repeat the text,
    /// which may contain a secret.
    pub fn parse(text: &str) -> Option<Result<Self, StoreError>> {
        let (scheme, rest) = split(text)?;
        Some(Self::checked(scheme, rest).map_err(StoreError::Address))
    }

    fn checked(scheme: Scheme, rest: &str) -> Result<Self, &'static str> {
        let is_query = |c: char| c == '?' || c == '#' && scheme.is_web();
        if scheme != Scheme::ClickHouse && rest.contains(is_query) {
            return Err(
                "an address must not contain `?` or `#`, because a key after them would be shown; credentials come from the environment",
            );
        }
        let rest = rest.trim_end_matches('/');
        let (place, key) = match scheme {
            Scheme::Hub => data_set(rest)?,
            _ => rest.split_once('/').unwrap_or((rest, "")),
        };
        let key = key.trim_start_matches('/');
        let is_named = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
        if scheme == Scheme::ClickHouse {
            return database(place, key);
        }
        let is_host = |c: char| is_named(c) || matches!(c, ':' | '[' | ']');
        let is_right = match scheme {
            Scheme::Hub => place
                .chars()
                .all(|c| is_named(c) || matches!(c, '/' | '@' | '%')),
            _ if scheme.is_web() => place.chars().all(is_host),
            _ => place.chars().all(is_named),
        };
        if place.is_empty() || !is_right {
            return Err(match scheme {
                Scheme::Hub => "write a data set as hf://datasets/OWNER/NAME[@REVISION][/PATH]",
                _ if scheme.is_web() => {
                    "expected a host and port; an address must not contain a password"
                }
                _ => {
                    "a bucket name consists of letters, digits, `.`, `-` and `_`; credentials come from the environment"
                }
            });
        }
        if !key.is_empty() && key.split('/').any(|part| matches!(part, "" | "." | "..")) {
            return Err("an address must not have an empty part, `.` or `..`");
        }
        Ok(Self {
            scheme,
            place: place.to_owned(),
            key: key.to_owned(),
        })
    }

    /// Returns the address with another key in the same store.
    #[must_use]
    pub fn at(&self, key: &str) -> Self {
        Self {
            key: key.to_owned(),
            ..self.clone()
        }
    }

    /// Returns the address of the whole store.
    #[must_use]
    pub fn whole(&self) -> Self {
        self.at("")
    }

    /// Returns the last part of the key, which may be empty.
    pub fn name(&self) -> &str {
        self.key.rsplit('/').next().unwrap_or_default()
    }

    /// Returns `key` relative to this address; `None` if the key is not below the address.
    pub fn below<'a>(&self, key: &'a str) -> Option<&'a str> {
        if self.key.is_empty() {
            return Some(key);
        }
        let rest = key.strip_prefix(&self.key)?;
        rest.strip_prefix('/')
            .or_else(|| rest.is_empty().then_some(rest))
    }
}

/// Parses `[USER@]HOST[:PORT]` and `DATABASE[?cluster=NAME&node=HOST:PORT&secure=1]`.
fn database(place: &str, key: &str) -> Result<Address, &'static str> {
    const WRONG: &str = "write a database as clickhouse://[USER@]HOST[:PORT]/DATABASE[?cluster=NAME]; the password comes from CLICKHOUSE_PASSWORD";
    let is_name = |text: &str| {
        let is_named = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
        !text.is_empty() && text.chars().all(is_named)
    };
    let is_host = |text: &str| {
        let is_host = |c: char| c.is_ascii_alphanumeric() || ".-_:[]".contains(c);
        !text.is_empty() && text.chars().all(is_host)
    };
    let (user, host) = match place.split_once('@') {
        Some((user, host)) => (Some(user), host),
        None => (None, place),
    };
    let (name, settings) = key.split_once('?').unwrap_or((key, ""));
    let settings = settings.split('&').filter(|setting| !setting.is_empty());
    let mut settings = settings.map(|setting| setting.split_once('='));
    let is_right = settings.all(|setting| match setting {
        Some(("cluster", name)) => is_name(name),
        Some(("node", host_of)) => is_host(host_of),
        Some(("secure", is_on)) => matches!(is_on, "0" | "1"),
        _ => false,
    });
    if !user.is_none_or(is_name) || !is_host(host) || !is_name(name) || !is_right {
        return Err(WRONG);
    }
    Ok(Address {
        scheme: Scheme::ClickHouse,
        place: place.to_owned(),
        key: key.to_owned(),
    })
}

/// Splits `datasets/OWNER/NAME[@REV]` from the path within the data set.
fn data_set(rest: &str) -> Result<(&str, &str), &'static str> {
    const WRONG: &str = "write a data set as hf://datasets/OWNER/NAME[@REVISION][/PATH]";
    let below = rest.strip_prefix("datasets/").ok_or(WRONG)?;
    let (owner, rest_of) = below.split_once('/').ok_or(WRONG)?;
    let name = rest_of.split('/').next().unwrap_or_default();
    if owner.is_empty() || name.is_empty() || name.starts_with('@') {
        return Err(WRONG);
    }
    let length = "datasets/".len() + owner.len() + 1 + name.len();
    let (place, path) = rest.split_at_checked(length).ok_or(WRONG)?;
    Ok((place, path.trim_start_matches('/')))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> (String, String, String) {
        let address = Address::parse(text).unwrap().unwrap();
        (
            address.place.clone(),
            address.key.clone(),
            address.to_string(),
        )
    }

    #[test]
    fn every_kind_of_store_has_its_place_and_its_key() {
        for (text, place, key) in [
            ("s3://team/evals/may/", "team", "evals/may"),
            ("s3://team", "team", ""),
            ("gs://team/a.jsonl", "team", "a.jsonl"),
            ("az://box/a b/ü.csv", "box", "a b/ü.csv"),
            ("hf://datasets/o/n@main/x/y", "datasets/o/n@main", "x/y"),
            ("hf://datasets/o/n", "datasets/o/n", ""),
            ("https://h:8443/a/listing.json", "h:8443", "a/listing.json"),
            ("http://[::1]:80/a", "[::1]:80", "a"),
            ("clickhouse://me@h:8123/db/", "me@h:8123", "db"),
            (
                "clickhouse://h/db?cluster=two&node=[::1]:81&secure=1",
                "h",
                "db?cluster=two&node=[::1]:81&secure=1",
            ),
        ] {
            let (found_place, found_key, shown) = parts(text);
            assert_eq!((found_place.as_str(), found_key.as_str()), (place, key));
            assert_eq!(shown, text.trim_end_matches('/'));
        }
        for path in ["runs", "/s3/x", "file:///x", "s3:/x"] {
            assert!(
                Address::parse(path).is_none() && !is_address(Path::new(path)),
                "{path}"
            );
        }
    }

    #[test]
    fn a_wrong_address_is_refused_without_being_repeated() {
        for text in [
            "s3://KEY:SECRET@team/x",
            "s3:///x",
            "https://me:SECRET@host/x",
            "https://host/x?sig=SECRET",
            "s3://team/x?X-Amz-Signature=SECRET",
            "gs://team/x?X-Goog-Signature=SECRET",
            "az://box/x?sv=2024&sig=SECRET",
            "hf://datasets/o/n/x?token=SECRET",
            "s3://team/a/../SECRET",
            "s3://team/a//SECRET",
            "hf://models/SECRET/x",
            "hf://datasets/SECRET",
            "clickhouse://me:SECRET@h/db",
            "clickhouse://h/db?password=SECRET",
            "clickhouse://h/db?cluster=SECRET'x",
            "clickhouse://SECRET",
            "clickhouse://h/SECRET/x",
        ] {
            let error = Address::parse(text).unwrap().unwrap_err().to_string();
            assert!(!error.contains("SECRET") && !error.is_empty(), "{error}");
        }
    }

    #[test]
    fn what_lies_below_is_told_by_whole_names() {
        let address = Address::parse("s3://b/runs").unwrap().unwrap();
        assert_eq!(address.below("runs/a.jsonl"), Some("a.jsonl"));
        assert_eq!(address.below("runs"), Some(""));
        assert_eq!(address.below("runs2/a.jsonl"), None);
        assert_eq!(address.whole().below("x/y"), Some("x/y"));
    }
}
