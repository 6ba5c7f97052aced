//! Which database of which server is asked, and as whom.

use std::fmt;

use store::{Address, Scheme};

use super::ClickHouseError;

/// The ports on which servers listen: plain, and encrypted.
const PORTS: [u16; 2] = [8123, 8443];

/// A database of a server. It holds no password, and is shown as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    address: Address,
    user: Option<String>,
    host: String,
    database: String,
    cluster: Option<String>,
    nodes: Vec<String>,
    is_secure: bool,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.address.fmt(f)
    }
}

impl Place {
    /// The database that an address names; `None` if it is that of another kind of store.
    #[must_use]
    pub fn of(address: &Address) -> Option<Self> {
        if address.scheme != Scheme::ClickHouse {
            return None;
        }
        let (user, host) = match address.place.split_once('@') {
            Some((user, host)) => (Some(user.to_owned()), host),
            None => (None, address.place.as_str()),
        };
        let (database, settings) = address.key.split_once('?').unwrap_or((&address.key, ""));
        let all = || settings.split('&').filter_map(|pair| pair.split_once('='));
        let values = |name: &'static str| all().filter(move |pair| pair.0 == name);
        Some(Self {
            user,
            host: host.to_owned(),
            database: database.to_owned(),
            cluster: values("cluster").next_back().map(|pair| pair.1.to_owned()),
            nodes: values("node").map(|pair| pair.1.to_owned()).collect(),
            is_secure: values("secure")
                .next_back()
                .is_some_and(|pair| pair.1 == "1"),
            address: address.clone(),
        })
    }

    /// The user that the address names.
    #[must_use]
    pub fn user(&self) -> Option<&str> {
        self.user.as_deref()
    }

    /// The name of the database.
    #[must_use]
    pub fn database(&self) -> &str {
        &self.database
    }

    /// The cluster over which tables are spread when they are made.
    #[must_use]
    pub fn cluster(&self) -> Option<&str> {
        self.cluster.as_deref()
    }

    /// The same database on the further nodes that the address names.
    #[must_use]
    pub fn nodes(&self) -> Vec<Self> {
        let node = |host: &String| Self {
            host: host.clone(),
            nodes: Vec::new(),
            ..self.clone()
        };
        self.nodes.iter().map(node).collect()
    }

    /// Where the server listens.
    ///
    /// # Errors
    /// Host and port are none.
    pub(crate) fn url(&self) -> Result<reqwest::Url, ClickHouseError> {
        const WRONG: ClickHouseError = ClickHouseError::Address("host and port are none");
        let scheme = if self.is_secure { "https" } else { "http" };
        let mut url =
            reqwest::Url::parse(&format!("{scheme}://{}/", self.host)).map_err(|_| WRONG)?;
        // The port that belongs to the scheme is not kept when it is named.
        let names_port = self
            .host
            .rsplit_once(':')
            .is_some_and(|(_, port)| !port.is_empty() && port.chars().all(|c| c.is_ascii_digit()));
        if !names_port {
            let port = PORTS[usize::from(self.is_secure)];
            url.set_port(Some(port)).map_err(|()| WRONG)?;
        }
        Ok(url)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(text: &str) -> Place {
        Place::of(&Address::parse(text).unwrap().unwrap()).unwrap()
    }

    #[test]
    fn an_address_names_user_host_database_and_cluster() {
        let full = place("clickhouse://writer@h:9/evals?cluster=two&node=h2:9&node=h3");
        assert_eq!(full.user(), Some("writer"));
        assert_eq!((full.database(), full.cluster()), ("evals", Some("two")));
        let nodes: Vec<String> = full
            .nodes()
            .iter()
            .map(|node| node.url().unwrap().to_string())
            .collect();
        assert_eq!(nodes, ["http://h2:9/", "http://h3:8123/"]);
        for (text, url) in [
            ("clickhouse://h/db", "http://h:8123/"),
            ("clickhouse://h:80/db", "http://h/"),
            ("clickhouse://[::1]/db", "http://[::1]:8123/"),
            ("clickhouse://[::1]:7/db", "http://[::1]:7/"),
            ("clickhouse://h/db?secure=1", "https://h:8443/"),
        ] {
            assert_eq!(place(text).url().unwrap().as_str(), url);
            assert_eq!(place(text).to_string(), text);
        }
        let other = Address::parse("s3://h/db").unwrap().unwrap();
        assert_eq!(Place::of(&other), None);
    }
}
