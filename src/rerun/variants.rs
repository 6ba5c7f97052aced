//! What is asked side by side, as a file says it.

use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use thiserror::Error;

/// One way of asking: each key is the option of the command line that it is named after, and what is not said is as the
/// command line has it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Variant {
    /// What its column is called.
    pub name: Option<String>,
    /// An address, a name of the config file, or an encoder.
    pub endpoint: Option<String>,
    /// The model's name there.
    pub model: Option<String>,
    /// The protocol.
    pub protocol: Option<String>,
    /// The environment variable that holds the key.
    pub key_env: Option<String>,
    /// A system prompt.
    pub system: Option<String>,
    /// The temperature.
    pub temperature: Option<VariantTemperature>,
    /// Most tokens of an answer.
    pub max_tokens: Option<u32>,
    /// Seed of the server's draws.
    pub seed: Option<u64>,
    /// Whether options and targets that are a direction turn with the pictures: `on` or `off`.
    pub turn_words: Option<String>,
}

/// A temperature as a file says it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum VariantTemperature {
    /// This one.
    At(f64),
    /// A word.
    Word(String),
}

/// The file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Variants {
    variants: Vec<Variant>,
}

/// Why a file of variants cannot be used.
#[derive(Debug, Error)]
pub enum VariantsError {
    /// It cannot be read.
    #[error("{path}: {why}", path = path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        why: io::Error,
    },
    /// It says something else.
    #[error("{path}: {why}", path = path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// What and where.
        why: String,
    },
}

/// Reads a file of `[[variants]]`.
///
/// # Errors
/// It cannot be read, has a key that no variant has, or no variant.
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
