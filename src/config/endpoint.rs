//! Model servers as the config file names them, and their keys, which it never holds.

use std::process::{Command, Stdio};

use serde::Deserialize;
use thiserror::Error;

use super::price::Price;

/// The environment variable of a key where no other one is named.
const KEY: &str = "OPENAI_API_KEY";

/// A model server: `[endpoints.NAME]`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EndpointSettings {
    /// Base address, such as `http://127.0.0.1:8000/v1`.
    pub url: String,
    /// The model that is asked where none is named.
    pub model: Option<String>,
    /// `openai` (the usual one) or `anthropic`.
    pub dialect: Option<String>,
    /// The environment variable that holds the key.
    pub key_env: Option<String>,
    /// A command that prints the key.
    pub key_command: Option<String>,
    /// Requests that are on their way at once: 4 nearby, 8 elsewhere.
    pub concurrency: Option<usize>,
    /// `auto`, `max_tokens` or `max_completion_tokens`.
    pub token_limit_field: Option<String>,
    /// Most tokens of an answer.
    pub max_tokens: Option<u32>,
    /// Price of a million tokens, read and written; without it, that of the model in the table of prices.
    pub prices: Option<Price>,
    /// Whether answers come word by word; they do, unless this says no.
    pub stream: Option<bool>,
    /// Seconds until the connection stands: 5.
    pub connect: Option<f64>,
    /// Seconds until the first token: 120 nearby, 60 elsewhere.
    pub first_token: Option<f64>,
    /// Seconds between two tokens: 60.
    pub between_tokens: Option<f64>,
    /// Seconds of a whole attempt: 600.
    pub whole: Option<f64>,
    /// Stretches or shortens the waits between attempts: 1.
    pub wait_factor: Option<f64>,
    /// Most megabytes of a request: 20.
    pub max_body_mb: Option<f64>,
    /// Further fields of a request, as the server knows them.
    pub extra_body: toml::Table,
}

/// Why there is no key.
#[derive(Debug, Error)]
pub enum KeyError {
    /// The variable that was named is not set.
    #[error("the environment variable {0}, which should hold the key, is not set")]
    Unset(String),
    /// The command failed.
    #[error("the key command failed: {0}")]
    Command(String),
}

/// Environment variables that name proxies.
const PROXIES: [&str; 6] = [
    "http_proxy",
    "HTTP_PROXY",
    "https_proxy",
    "HTTPS_PROXY",
    "all_proxy",
    "ALL_PROXY",
];

/// The proxies that the environment names, passwords and all.
#[must_use]
pub fn proxies() -> Vec<String> {
    let proxies = PROXIES.iter().filter_map(|name| std::env::var(name).ok());
    proxies.filter(|address| !address.is_empty()).collect()
}

/// The key of an endpoint: of the variable that is named, of the command, else of `OPENAI_API_KEY` if it is set.
///
/// # Errors
/// The variable that is named is not set, or the command fails.
pub fn key(
    named: Option<&str>,
    settings: Option<&EndpointSettings>,
) -> Result<Option<String>, KeyError> {
    let variable = |name: &str| {
        std::env::var(name)
            .ok()
            .filter(|key| !key.trim().is_empty())
    };
    if let Some(name) = named.or_else(|| settings?.key_env.as_deref()) {
        let key = variable(name).ok_or_else(|| KeyError::Unset(name.to_owned()))?;
        return Ok(Some(key));
    }
    match settings.and_then(|settings| settings.key_command.as_deref()) {
        Some(command) => printed(command).map(Some),
        None => Ok(variable(KEY)),
    }
}

/// The first line that a command prints.
fn printed(command: &str) -> Result<String, KeyError> {
    let failed = |why: &dyn std::fmt::Display| KeyError::Command(why.to_string());
    let run = Command::new("sh")
        .args(["-c", command])
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output();
    let output = run.map_err(|error| failed(&error))?;
    if !output.status.success() {
        return Err(failed(&output.status));
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let key = text
        .lines()
        .next()
        .map(str::trim)
        .filter(|key| !key.is_empty());
    key.map(str::to_owned)
        .ok_or_else(|| failed(&"it printed nothing"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_prints_the_key_and_its_failure_does_not() {
        let settings = |command: &str| EndpointSettings {
            key_command: Some(command.to_owned()),
            ..EndpointSettings::default()
        };
        let printed = key(None, Some(&settings("printf ' sk-1\\nmore'"))).unwrap();
        assert_eq!(printed.as_deref(), Some("sk-1"));
        for command in ["echo sk-CANARY; exit 3", "true"] {
            let error = key(None, Some(&settings(command))).unwrap_err();
            assert!(!error.to_string().contains("CANARY"), "{error}");
        }
    }

    #[test]
    fn a_variable_that_is_named_must_be_set() {
        let error = key(Some("EYECHART_NO_SUCH_KEY"), None).unwrap_err();
        assert!(error.to_string().contains("EYECHART_NO_SUCH_KEY"));
    }
}
