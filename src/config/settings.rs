//! The config file: `config.toml` and `keymap.toml` in the user's config folder.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy as _;
use serde::Deserialize;
use thiserror::Error;

use super::ColumnMap;
use super::endpoint::EndpointSettings;
use super::price::Prices;

/// The environment variable that names another config file.
const FILE: &str = "EYECHART_CONFIG";
/// The name of the user's keymap.
const KEYMAP: &str = "keymap.toml";

/// What the user has set once for all runs. Flags overrule it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Theme name.
    pub theme: Option<String>,
    /// How pictures are shown.
    pub images: Option<String>,
    /// How many bytes a picture may cost: `auto`, `low` or `full`.
    pub bandwidth: Option<String>,
    /// Folders with data sets and pictures, looked into after those of `--data`.
    pub data: Vec<PathBuf>,
    /// The file that verdicts go to, instead of one beside the logs.
    pub verdicts: Option<PathBuf>,
    /// The name under which verdicts are kept.
    pub author: Option<String>,
    /// The folder that is opened when no path is given and there is none near.
    pub sample_runs: Option<PathBuf>,
    /// Whether the session of the same logs is taken up again; it is, unless this says no.
    pub session: Option<bool>,
    /// Whether logs that grow are followed; they are, unless this says no.
    pub follow: Option<bool>,
    /// How tables with other column names are read.
    pub columns: Vec<ColumnMap>,
    /// What the tokens of models cost, by model name.
    pub prices: Prices,
    /// Model servers by the names that the user gave them.
    pub endpoints: BTreeMap<String, EndpointSettings>,
    /// The text of the user's keymap.
    #[serde(skip)]
    pub keymap: Option<String>,
}

/// Why the config file cannot be used.
#[derive(Debug, Error)]
pub enum SettingsError {
    /// It cannot be read.
    #[error("{path}: {why}", path = path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        why: io::Error,
    },
    /// It is not TOML, or has a key that there is not.
    #[error("{path}: line {line}: {why}{}", near.as_ref().map(|near| format!("; the nearest is `{near}`")).unwrap_or_default(), path = path.display())]
    Wrong {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong; not the line itself, which may hold what must not be seen.
        why: String,
        /// The setting that an unknown one is spelled most like.
        near: Option<String>,
    },
}

impl Settings {
    /// Reads the user's files; missing ones set nothing.
    ///
    /// # Errors
    /// A file is there and cannot be used.
    pub fn read() -> Result<Self, SettingsError> {
        let Some(path) = Self::file() else {
            return Ok(Self::default());
        };
        let mut settings = match text(&path)? {
            Some(text) => Self::parse(&path, &text)?,
            None => Self::default(),
        };
        settings.keymap = text(&path.with_file_name(KEYMAP))?;
        Ok(settings)
    }

    /// Where the config file is looked for; `None` where the system has no folder for it.
    #[must_use]
    pub fn file() -> Option<PathBuf> {
        let named = std::env::var_os(FILE).map(PathBuf::from);
        let usual = || {
            let base = etcetera::choose_base_strategy().ok()?;
            Some(base.config_dir().join("eyechart").join("config.toml"))
        };
        named.or_else(usual)
    }

    /// Where the user's keymap is looked for: beside the config file.
    #[must_use]
    pub fn keymap_file() -> Option<PathBuf> {
        Some(Self::file()?.with_file_name(KEYMAP))
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

/// The line of a text on which something is wrong.
fn line_of(text: &str, why: &toml::de::Error) -> usize {
    let start = why.span().map_or(0, |span| span.start);
    let before = text.as_bytes().get(..start).unwrap_or_default();
    memchr::memchr_iter(b'\n', before).count() + 1
}

/// The setting that is meant by one that there is not: the reader's message names it and all that there are.
fn nearest(why: &toml::de::Error) -> Option<String> {
    let named = why.message().strip_prefix("unknown field `")?;
    let (name, known) = named.split_once('`')?;
    let known = known.split('`').skip(1).step_by(2);
    known
        .min_by_key(|known| strsim::damerau_levenshtein(known, name))
        .map(str::to_owned)
}

/// A file's text; `None` when there is no such file.
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
