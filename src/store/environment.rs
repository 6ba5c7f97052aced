//! Environment variables that configure access to stores. Connection strings and emulator hosts are
//! converted to simple variables.

use std::collections::BTreeMap;

/// Environment variables that configure access to stores.
#[derive(Clone, Default)]
pub struct Environment(BTreeMap<String, String>);

impl Environment {
    /// Reads the variables of this process.
    pub fn of_process() -> Self {
        const STARTS: [&str; 4] = ["AWS_", "GOOGLE_", "AZURE_", "HF_"];
        const OTHERS: [&str; 2] = ["AZURITE_BLOB_STORAGE_URL", "STORAGE_EMULATOR_HOST"];
        let known = |name: &str| {
            STARTS.iter().any(|start| name.starts_with(start)) || OTHERS.contains(&name)
        };
        let all = std::env::vars_os().filter_map(|(name, value)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        });
        let mut environment = Self(
            all.filter(|(name, value)| known(name) && !value.is_empty())
                .collect(),
        );
        spell_out(&mut environment);
        environment
    }

    /// Returns a variable's value, if set and not empty.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// Sets a variable unless it is already set.
    pub(crate) fn or_set(&mut self, name: &str, value: &str) {
        self.0
            .entry(name.to_owned())
            .or_insert_with(|| value.to_owned());
    }

    /// Returns the variables whose names start with a prefix.
    pub(crate) fn starting(&self, start: &str) -> impl Iterator<Item = (&str, &str)> {
        let all = self
            .0
            .iter()
            .filter(move |(name, _)| name.starts_with(start));
        all.map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

impl<const N: usize> From<[(&str, &str); N]> for Environment {
    fn from(pairs: [(&str, &str); N]) -> Self {
        Self(
            pairs
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into(),
        )
    }
}

/// Sets simple variables from connection strings and emulator hosts. Variables that are already set
/// take precedence.
fn spell_out(environment: &mut Environment) {
    let connection = environment.get("AZURE_STORAGE_CONNECTION_STRING");
    if let Some(connection) = connection.map(str::to_owned) {
        azure(&connection, environment);
    }
    if environment.get("AZURITE_BLOB_STORAGE_URL").is_some() {
        environment.or_set("AZURE_STORAGE_USE_EMULATOR", "true");
    }
    if let Some(host) = environment.get("STORAGE_EMULATOR_HOST") {
        let has_scheme = host.contains("://");
        let base = if has_scheme {
            host.to_owned()
        } else {
            format!("http://{host}")
        };
        environment.or_set("GOOGLE_BASE_URL", base.trim_end_matches('/'));
        environment.or_set("GOOGLE_ALLOW_HTTP", "true");
        environment.or_set("GOOGLE_SKIP_SIGNATURE", "true");
    }
}

/// Parses `AccountName=…;AccountKey=…;BlobEndpoint=…`, as shown in the Azure portal.
fn azure(connection: &str, environment: &mut Environment) {
    let pairs = connection
        .split(';')
        .filter_map(|pair| pair.split_once('='));
    let pairs: Vec<(&str, &str)> = pairs
        .map(|(name, value)| (name.trim(), value.trim()))
        .collect();
    let value = |wanted: &str| {
        let mut pairs = pairs.iter();
        let pair = pairs.find(|(name, _)| name.eq_ignore_ascii_case(wanted));
        pair.map(|(_, value)| *value)
    };
    if value("UseDevelopmentStorage").is_some_and(|value| value.eq_ignore_ascii_case("true")) {
        environment.or_set("AZURE_STORAGE_USE_EMULATOR", "true");
        return;
    }
    let names = [
        ("AccountName", "AZURE_STORAGE_ACCOUNT_NAME"),
        ("AccountKey", "AZURE_STORAGE_ACCOUNT_KEY"),
        ("SharedAccessSignature", "AZURE_STORAGE_SAS_TOKEN"),
    ];
    for (name, variable) in names {
        if let Some(value) = value(name) {
            environment.or_set(variable, value);
        }
    }
    let protocol = value("DefaultEndpointsProtocol").unwrap_or("https");
    let usual = || {
        let (account, suffix) = (value("AccountName")?, value("EndpointSuffix")?);
        Some(format!("{protocol}://{account}.blob.{suffix}"))
    };
    let endpoint = value("BlobEndpoint").map(str::to_owned).or_else(usual);
    if let Some(endpoint) = endpoint {
        if endpoint.starts_with("http://") {
            environment.or_set("AZURE_ALLOW_HTTP", "true");
        }
        environment.or_set("AZURE_STORAGE_ENDPOINT", endpoint.trim_end_matches('/'));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelt<const N: usize>(pairs: [(&str, &str); N]) -> Environment {
        let mut environment = Environment::from(pairs);
        spell_out(&mut environment);
        environment
    }

    #[test]
    fn a_connection_string_is_taken_apart() {
        let found = spelt([(
            "AZURE_STORAGE_CONNECTION_STRING",
            "DefaultEndpointsProtocol=https;AccountName=team;AccountKey=a+b/c==;EndpointSuffix=core.windows.net",
        )]);
        assert_eq!(found.get("AZURE_STORAGE_ACCOUNT_NAME"), Some("team"));
        assert_eq!(found.get("AZURE_STORAGE_ACCOUNT_KEY"), Some("a+b/c=="));
        assert_eq!(
            found.get("AZURE_STORAGE_ENDPOINT"),
            Some("https://team.blob.core.windows.net")
        );
        assert_eq!(found.get("AZURE_ALLOW_HTTP"), None);
        let local = spelt([
            (
                "AZURE_STORAGE_CONNECTION_STRING",
                "AccountName=a;BlobEndpoint=http://127.0.0.1:10000/a/",
            ),
            ("AZURE_STORAGE_ACCOUNT_NAME", "b"),
        ]);
        assert_eq!(local.get("AZURE_STORAGE_ACCOUNT_NAME"), Some("b"));
        assert_eq!(
            local.get("AZURE_STORAGE_ENDPOINT"),
            Some("http://127.0.0.1:10000/a")
        );
        let emulated = spelt([(
            "AZURE_STORAGE_CONNECTION_STRING",
            "UseDevelopmentStorage=true",
        )]);
        assert_eq!(emulated.get("AZURE_STORAGE_USE_EMULATOR"), Some("true"));
    }

    #[test]
    fn a_host_of_an_emulator_needs_no_scheme() {
        for host in ["localhost:4443", "http://localhost:4443/"] {
            let found = spelt([("STORAGE_EMULATOR_HOST", host)]);
            assert_eq!(found.get("GOOGLE_BASE_URL"), Some("http://localhost:4443"));
        }
        let azurite = spelt([("AZURITE_BLOB_STORAGE_URL", "http://127.0.0.1:1")]);
        assert_eq!(azurite.get("AZURE_STORAGE_USE_EMULATOR"), Some("true"));
    }
}
