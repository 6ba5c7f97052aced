//! Reads the config file: `config.toml` and `keymap.toml` in the user's config folder.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy as _;
use serde::Deserialize;
use thiserror::Error;

use super::endpoint::{EndpointSettings, KEY, variable};
use super::price::Prices;
use super::{ColumnMap, GroupSettings, MetricSettings};

/// Environment variable with the path of another config file.
const FILE: &str = "EYECHART_CONFIG";
/// File name of the user's keymap.
const KEYMAP: &str = "keymap.toml";

/// The user's settings for all runs. Flags override them.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Name of the colour theme.
    pub theme: Option<String>,
    /// Protocol for pictures in the terminal.
    pub images: Option<String>,
    /// Byte budget of a picture: `auto`, `low` or `full`.
    pub bandwidth: Option<String>,
    /// Folders with data sets and pictures, searched after those of `--data`.
    pub data: Vec<PathBuf>,
    /// File for verdicts; by default a file next to the logs.
    pub verdicts: Option<PathBuf>,
    /// Author of the user's verdicts.
    pub author: Option<String>,
    /// Folder to open when no path is given and no sample runs are found.
    pub sample_runs: Option<PathBuf>,
    /// Resume the last session of the same logs; default true.
    pub session: Option<bool>,
    /// Follow growing logs; default true.
    pub follow: Option<bool>,
    /// Seconds between checks of opened addresses for changes; 0 turns them off.
    pub poll: Option<u64>,
    /// Column maps for tables with their own column names.
    pub columns: Vec<ColumnMap>,
    /// Directions, ranges and units of metrics by name.
    pub metrics: BTreeMap<String, MetricSettings>,
    /// Groups of abilities. A group replaces the built-in group of the same benchmark and name.
    pub groups: Vec<GroupSettings>,
    /// Token prices by model name.
    pub prices: Prices,
    /// Limits on input sizes and times, by name.
    pub limits: BTreeMap<crate::limits::Limit, u64>,
    /// Model servers by name.
    pub endpoints: BTreeMap<String, EndpointSettings>,
    /// Names of the endpoints that come from environment variables, not from the config file.
    #[serde(skip)]
    pub from_environment: BTreeSet<String>,
    /// The text of the user's keymap.
    #[serde(skip)]
    pub keymap: Option<String>,
}

/// A model server that the user can configure with environment variables.
struct Server {
    /// Name of the endpoint.
    name: &'static str,
    /// Variable with the base address.
    address: &'static str,
    /// Variable with the key.
    key: &'static str,
    /// Default address, used if only the key is set.
    usual: Option<&'static str>,
    /// Path of the API. It is added to the variable's address if the address has no such path.
    path: &'static str,
    dialect: Option<&'static str>,
}

/// Servers that have environment variables of their own. `OPENAI_API_KEY` alone adds no server,
/// because it is the default key of every endpoint.
const SERVERS: [Server; 5] = [
    Server {
        name: "openai",
        address: "OPENAI_BASE_URL",
        key: KEY,
        usual: None,
        path: "",
        dialect: None,
    },
    Server {
        name: "anthropic",
        address: "ANTHROPIC_BASE_URL",
        key: "ANTHROPIC_API_KEY",
        usual: Some("https://api.anthropic.com/v1"),
        path: "",
        dialect: Some("anthropic"),
    },
    Server {
        name: "openrouter",
        address: "OPENROUTER_BASE_URL",
        key: "OPENROUTER_API_KEY",
        usual: Some("https://openrouter.ai/api/v1"),
        path: "",
        dialect: None,
    },
    Server {
        name: "azure",
        address: "AZURE_OPENAI_ENDPOINT",
        key: "AZURE_OPENAI_API_KEY",
        usual: None,
        path: "/openai/v1",
        dialect: None,
    },
    Server {
        name: "gemini",
        address: "GEMINI_BASE_URL",
        key: "GEMINI_API_KEY",
        usual: Some("https://generativelanguage.googleapis.com/v1beta/openai"),
        path: "",
        dialect: None,
    },
];

/// Why the config file cannot be used.
#[derive(Debug, Error)]
pub enum SettingsError {
    /// The file cannot be read.
    #[error("{path}: {why}", path = path.display())]
    Unreadable {
        /// Path of the file.
        path: PathBuf,
        /// The cause.
        why: io::Error,
    },
    /// The file is not TOML or has an unknown key.
    #[error("{path}: line {line}: {why}{}", near.as_ref().map(|near| format!("; the nearest is `{near}`")).unwrap_or_default(), path = path.display())]
    Wrong {
        /// Path of the file.
        path: PathBuf,
        /// Line number, from 1.
        line: usize,
        /// What is wrong. The line itself is not repeated, because it may contain a secret.
        why: String,
        /// The most similar known setting; `None` if none is similar.
        near: Option<String>,
    },
}

impl Settings {
    /// Reads the user's files and sets the limits of this run. Missing files count as empty.
    ///
    /// # Errors
    /// A file exists and cannot be used.
    pub fn read() -> Result<Self, SettingsError> {
        let mut settings = Self::default();
        if let Some(path) = Self::file() {
            if let Some(text) = text(&path)? {
                settings = Self::parse(&path, &text)?;
            }
            settings.keymap = text(&path.with_file_name(KEYMAP))?;
            crate::limits::set(settings.limits.clone());
        }
        settings.add_endpoints(&variable);
        Ok(settings)
    }

    /// Adds the servers that are configured by environment variables. An endpoint of the same name
    /// in the config file takes precedence.
    fn add_endpoints(&mut self, variable: &dyn Fn(&str) -> Option<String>) {
        for server in SERVERS {
            let usual = server.usual.filter(|_| variable(server.key).is_some());
            let Some(url) = variable(server.address).or_else(|| usual.map(str::to_owned)) else {
                continue;
            };
            let bare = url.trim_end_matches('/');
            let url = match server.path {
                "" => url,
                path => format!("{}{path}", bare.strip_suffix(path).unwrap_or(bare)),
            };
            let own = EndpointSettings {
                url,
                dialect: server.dialect.map(str::to_owned),
                // A server at `OPENAI_BASE_URL` may need no key. Other servers must never get
                // `OpenAI`'s key.
                key_env: (server.key != KEY).then(|| server.key.to_owned()),
                ..EndpointSettings::default()
            };
            if let Entry::Vacant(vacant) = self.endpoints.entry(server.name.to_owned()) {
                vacant.insert(own);
                self.from_environment.insert(server.name.to_owned());
            }
        }
    }

    /// Returns the path of the config file; `None` if the system has no config folder.
    pub fn file() -> Option<PathBuf> {
        let named = std::env::var_os(FILE).map(PathBuf::from);
        let usual = || {
            let base = etcetera::choose_base_strategy().ok()?;
            Some(base.config_dir().join("eyechart").join("config.toml"))
        };
        named.or_else(usual)
    }

    /// Returns the path of the user's keymap, in the folder of the config file.
    pub fn keymap_file() -> Option<PathBuf> {
        Some(Self::file()?.with_file_name(KEYMAP))
    }

    /// Returns the path of the user's table of models, in the folder of the config file.
    pub fn models_file() -> Option<PathBuf> {
        Some(Self::file()?.with_file_name("models.csv"))
    }

    fn parse(path: &Path, text: &str) -> Result<Self, SettingsError> {
        toml::from_str(text).map_err(|why| SettingsError::Wrong {
            path: path.to_path_buf(),
            line: line_of(text, &why),
            near: nearest(&why),
            why: why.message().to_owned(),
        })
    }
}

/// Returns the line number of a TOML error, from 1.
fn line_of(text: &str, why: &toml::de::Error) -> usize {
    let start = why.span().map_or(0, |span| span.start);
    let before = text.as_bytes().get(..start).unwrap_or_default();
    memchr::memchr_iter(b'\n', before).count() + 1
}

/// Returns the known setting most similar to an unknown setting. Both names are taken from the
/// message of the parser.
fn nearest(why: &toml::de::Error) -> Option<String> {
    let named = why
        .message()
        .strip_prefix("unknown field `")
        .or_else(|| why.message().strip_prefix("unknown variant `"))?;
    let (name, known) = named.split_once('`')?;
    let known = known.split('`').skip(1).step_by(2);
    known
        .min_by_key(|known| strsim::damerau_levenshtein(known, name))
        .map(str::to_owned)
}

/// Reads a file; `None` if it does not exist.
fn text(path: &Path) -> Result<Option<String>, SettingsError> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(why) => Err(SettingsError::Unreadable {
            path: path.to_path_buf(),
            why,
        }),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::Settings;

    #[test]
    fn environment_variables_name_servers() {
        let mut settings = Settings::parse(
            Path::new("c.toml"),
            "[endpoints.openrouter]\nurl = 'http://own/v1'",
        )
        .unwrap();
        let set = [
            ("OPENAI_BASE_URL", "http://localhost:8000"),
            ("OPENAI_API_KEY", "sk-1"),
            ("ANTHROPIC_API_KEY", "sk-2"),
            ("OPENROUTER_API_KEY", "sk-3"),
            ("GEMINI_API_KEY", "sk-4"),
            ("AZURE_OPENAI_ENDPOINT", "https://me.openai.azure.com/"),
        ];
        settings.add_endpoints(&|name| {
            let found = set.iter().find(|(set, _)| *set == name);
            found.map(|(_, value)| (*value).to_owned())
        });
        let own = |name: &str| settings.endpoints[name].clone();
        assert_eq!(
            (own("openai").url.as_str(), own("openai").key_env),
            ("http://localhost:8000", None)
        );
        let anthropic = own("anthropic");
        assert_eq!(anthropic.url, "https://api.anthropic.com/v1");
        assert_eq!(anthropic.dialect.as_deref(), Some("anthropic"));
        assert_eq!(anthropic.key_env.as_deref(), Some("ANTHROPIC_API_KEY"));
        assert_eq!(
            own("openrouter").url,
            "http://own/v1",
            "the config file counts"
        );
        let azure = own("azure");
        assert_eq!(azure.url, "https://me.openai.azure.com/openai/v1");
        assert_eq!(azure.key_env.as_deref(), Some("AZURE_OPENAI_API_KEY"));
        assert_eq!(own("gemini").key_env.as_deref(), Some("GEMINI_API_KEY"));
        let named = settings.from_environment.iter();
        assert!(named.eq(["anthropic", "azure", "gemini", "openai"]));
        let mut none = Settings::default();
        none.add_endpoints(&|name| (name == "OPENAI_API_KEY").then(|| "sk-1".to_owned()));
        assert!(none.endpoints.is_empty());
    }

    #[test]
    fn a_config_file_sets_what_it_names() {
        let settings =
            Settings::parse(Path::new("c.toml"), "theme = 'light'\ndata = ['/data']").unwrap();
        assert_eq!(
            (settings.theme.as_deref(), settings.data.len()),
            (Some("light"), 1)
        );
    }

    #[test]
    fn prices_are_for_a_million_tokens() {
        let text = "[prices.'gpt-4o']\ninput = 2.5\noutput = 10.0";
        let settings = Settings::parse(Path::new("c.toml"), text).unwrap();
        let price = settings.prices["gpt-4o"];
        assert_eq!((price.input, price.output), (2.5, 10.0));
    }

    #[test]
    fn an_endpoint_has_its_own_table() {
        let text = "[endpoints.lab]\nurl = 'http://gpu7:8000/v1'\nkey_env = 'LAB_KEY'\nprices = [0.1, 0.4]\nconcurrency = 32\nextra_body = {top_k = 1}";
        let settings = Settings::parse(Path::new("c.toml"), text).unwrap();
        let lab = settings.endpoints.get("lab").unwrap();
        let price = lab.prices.unwrap();
        assert_eq!((price.input, price.output), (0.1, 0.4));
        assert_eq!(lab.concurrency, Some(32));
        let error =
            Settings::parse(Path::new("c.toml"), "[endpoints.lab]\nkey = 'sk-1'").unwrap_err();
        assert!(error.to_string().contains("unknown field `key`"), "{error}");
        assert!(
            !error.to_string().contains("sk-1"),
            "a key in the file is not repeated: {error}"
        );
    }

    #[test]
    fn an_unknown_key_is_named_with_its_line() {
        let error = Settings::parse(Path::new("c.toml"), "\nteme = 'light'")
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("c.toml") && error.contains("teme") && error.contains("line 2"),
            "{error}"
        );
        assert!(error.ends_with("the nearest is `theme`"), "{error}");
    }
}
