//! Reads a file of variants to ask side by side.

use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use thiserror::Error;

/// One variant. Each key has the name of a command line option and defaults to the command line.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Variant {
    /// Title of the variant's column; `None` for a generated one.
    pub name: Option<String>,
    /// An address, a name in the config file, or an encoder.
    pub endpoint: Option<String>,
    /// The model's name at the endpoint.
    pub model: Option<String>,
    /// The protocol, as in `--protocol`.
    pub protocol: Option<String>,
    /// The environment variable with the key.
    pub key_env: Option<String>,
    /// The user's system prompt.
    pub system: Option<String>,
    /// Sampling temperature, or `none` to send no temperature.
    pub temperature: Option<VariantTemperature>,
    /// Token limit of an answer.
    pub max_tokens: Option<u32>,
    /// Random seed of the server.
    pub seed: Option<u64>,
    /// Whether direction words change with rotated pictures: `on` or `off`.
    pub turn_words: Option<String>,
}

/// A temperature in a file of variants.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum VariantTemperature {
    /// The temperature as a number.
    At(f64),
    /// A word; only `none` is valid.
    Word(String),
}

/// The TOML fields of the file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Variants {
    variants: Vec<Variant>,
}

/// Why a file of variants is invalid.
#[derive(Debug, Error)]
pub enum VariantsError {
    /// The file cannot be read.
    #[error("{path}: {why}", path = path.display())]
    Unreadable {
        /// Path of the file that cannot be read.
        path: PathBuf,
        /// The error of the file system.
        why: io::Error,
    },
    /// The file is not TOML, or a key or value is invalid.
    #[error("{path}: {why}", path = path.display())]
    Invalid {
        /// Path of the invalid file.
        path: PathBuf,
        /// The fault and its position.
        why: String,
    },
}

/// Reads a file of `[[variants]]` tables.
///
/// # Errors
/// The file cannot be read, has an unknown key or an invalid value, or has no variant.
pub fn read_variants(path: &Path) -> Result<Vec<Variant>, VariantsError> {
    let text = std::fs::read_to_string(path).map_err(|why| VariantsError::Unreadable {
        path: path.to_path_buf(),
        why,
    })?;
    let invalid = |why: String| VariantsError::Invalid {
        path: path.to_path_buf(),
        why,
    };
    let file: Variants = toml::from_str(&text).map_err(|error| invalid(error.to_string()))?;
    if file.variants.is_empty() {
        return Err(invalid("no [[variants]]".to_owned()));
    }
    for variant in &file.variants {
        if let Some(VariantTemperature::Word(word)) = &variant.temperature
            && word != "none"
        {
            return Err(invalid(format!(
                "temperature `{word}` is neither a number nor \"none\""
            )));
        }
        if let Some(word) = &variant.turn_words
            && !["on", "off"].contains(&word.as_str())
        {
            return Err(invalid(format!(
                "turn-words `{word}` is neither on nor off"
            )));
        }
    }
    Ok(file.variants)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<Variant>, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("v.toml");
        std::fs::write(&path, text).unwrap();
        read_variants(&path).map_err(|error| error.to_string())
    }

    #[test]
    fn keys_are_those_of_the_command_line() {
        let text = "[[variants]]\nname = 'cold'\nendpoint = 'lab'\nmax-tokens = 8\ntemperature = 0\n\n\
                    [[variants]]\ntemperature = 'none'\nkey-env = 'K'\nturn-words = 'off'";
        let [cold, other] = read(text).unwrap().try_into().unwrap();
        assert_eq!(cold.name.as_deref(), Some("cold"));
        assert_eq!(cold.max_tokens, Some(8));
        assert_eq!(cold.temperature, Some(VariantTemperature::At(0.0)));
        assert_eq!(other.key_env.as_deref(), Some("K"));
        assert_eq!(other.endpoint, None);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        for (text, part) in [
            ("[[variants]]\nmax_tokens = 8", "max-tokens"),
            ("[[variants]]\nseed = 'x'", "line 2"),
            ("variants = []", "no [[variants]]"),
            ("[[variants]]\ntemperature = 'hot'", "`hot`"),
            ("[[variants]]\nturn-words = 'maybe'", "`maybe`"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }
}
