//! Address of a database on a server, with the name of the user.

use std::fmt;

use crate::{Address, Scheme};

use super::ClickHouseError;

/// Default ports of HTTP and HTTPS.
const PORTS: [u16; 2] = [8123, 8443];

/// Address of a database. It never contains a password, so it can be displayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatabaseAddress {
    address: Address,
    user: Option<String>,
    host: String,
    database: String,
    cluster: Option<String>,
    nodes: Vec<String>,
    is_secure: bool,
}

impl fmt::Display for DatabaseAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.address.fmt(f)
    }
}

impl DatabaseAddress {
    /// Parses an address; `None` for other kinds of store.
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

    /// Returns the user's name; `None` if the address has none.
    pub fn user(&self) -> Option<&str> {
        self.user.as_deref()
    }

    /// Returns the name of the database.
    pub fn database(&self) -> &str {
        &self.database
    }

    /// Returns the cluster on which tables are created; `None` for a single server.
    pub fn cluster(&self) -> Option<&str> {
        self.cluster.as_deref()
    }

    /// Returns the address of the same database on each further node that the address lists.
    pub fn nodes(&self) -> Vec<Self> {
        let node = |host: &String| Self {
            host: host.clone(),
            nodes: Vec::new(),
            ..self.clone()
        };
        self.nodes.iter().map(node).collect()
    }

    /// Returns the URL of the server, with the default port if the address has none.
    ///
    /// # Errors
    /// Host or port is malformed.
    pub(crate) fn url(&self) -> Result<reqwest::Url, ClickHouseError> {
        const WRONG: ClickHouseError = ClickHouseError::Address("host and port are not valid");
        let scheme = if self.is_secure { "https" } else { "http" };
        let mut url =
            reqwest::Url::parse(&format!("{scheme}://{}/", self.host)).map_err(|_| WRONG)?;
        // `Url` drops an explicit port that is the default of its scheme. So search the text.
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

    fn place(text: &str) -> DatabaseAddress {
        DatabaseAddress::of(&Address::parse(text).unwrap().unwrap()).unwrap()
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
        assert_eq!(DatabaseAddress::of(&other), None);
    }
}
