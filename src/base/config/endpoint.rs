//! Settings of model servers, and their API keys, which are never in the config file.

use std::fmt;
use std::io::{self, Read as _};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use crate::limits::Limit;
use serde::Deserialize;
use thiserror::Error;

use super::price::Price;

/// Default environment variable of the API key.
pub(super) const KEY: &str = "OPENAI_API_KEY";

/// Interval between checks whether the command has ended, after it has closed its output.
const STEP: Duration = Duration::from_millis(5);

/// A model server: section `[endpoints.NAME]`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EndpointSettings {
    /// Base address, for example `http://127.0.0.1:8000/v1`.
    pub url: String,
    /// Model to ask by default.
    pub model: Option<String>,
    /// API dialect: `openai` (the default) or `anthropic`.
    pub dialect: Option<String>,
    /// Environment variable that holds the API key.
    pub key_env: Option<String>,
    /// Shell command that prints the API key, within the time limit `limits.key_command`.
    pub key_command: Option<String>,
    /// Maximum concurrent requests; default 4 for local servers, 8 for others.
    pub concurrency: Option<usize>,
    /// Request field for the token limit: `auto`, `max_tokens` or `max_completion_tokens`.
    pub token_limit_field: Option<String>,
    /// Maximum tokens of an answer.
    pub max_tokens: Option<u32>,
    /// Price per million prompt and completion tokens; by default from the price table.
    pub prices: Option<Price>,
    /// True to stream answers; default true.
    pub stream: Option<bool>,
    /// Connection timeout in seconds; default 5.
    pub connect: Option<f64>,
    /// First-token timeout in seconds; default 120 for local servers, 60 for others.
    pub first_token: Option<f64>,
    /// Timeout between two tokens, in seconds; default 60.
    pub between_tokens: Option<f64>,
    /// Timeout of a whole attempt, in seconds; default 600.
    pub whole: Option<f64>,
    /// Factor on the delays between attempts; default 1.
    pub wait_factor: Option<f64>,
    /// Maximum size of a request in megabytes; default 20.
    pub max_body_mb: Option<f64>,
    /// Maximum length of a picture's longer side in pixels; larger pictures are downscaled.
    pub max_side: Option<u32>,
    /// Maximum number of pixels of a picture.
    pub max_pixels: Option<u64>,
    /// Maximum size of a picture file in bytes, before base64.
    pub max_bytes: Option<u64>,
    /// JPEG quality for re-encoded pictures, 1 to 100; default 95.
    pub quality: Option<u8>,
    /// Extra fields of the request body, passed to the server unchanged.
    pub extra_body: toml::Table,
}

/// Why an API key could not be read.
#[derive(Debug, Error)]
pub enum KeyError {
    /// The named variable is not set.
    #[error("the environment variable {0}, which should hold the key, is not set")]
    Unset(String),
    /// The command failed; holds the cause.
    #[error("the key command failed: {0}")]
    Command(String),
}

/// Environment variables that contain proxy addresses.
const PROXIES: [&str; 6] = [
    "http_proxy",
    "HTTP_PROXY",
    "https_proxy",
    "HTTPS_PROXY",
    "all_proxy",
    "ALL_PROXY",
];

/// Returns the proxy addresses from the environment, including their passwords.
pub fn proxies() -> Vec<String> {
    let proxies = PROXIES.iter().filter_map(|name| std::env::var(name).ok());
    proxies.filter(|address| !address.is_empty()).collect()
}

/// Source of an endpoint's API key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeySource {
    /// Name of an environment variable.
    Variable(String),
    /// Shell command that prints the key.
    Command(String),
}

impl KeySource {
    /// Finds the source of a key without reading it. Tries the named variable, then the key
    /// command, then `OPENAI_API_KEY`.
    pub fn of(named: Option<&str>, settings: Option<&EndpointSettings>) -> Option<Self> {
        let named = named.or_else(|| settings?.key_env.as_deref());
        let command = || Some(Self::Command(settings?.key_command.clone()?));
        let usual = || variable(KEY).map(|_| Self::Variable(KEY.to_owned()));
        let named = named.map(|name| Self::Variable(name.to_owned()));
        named.or_else(command).or_else(usual)
    }

    /// Reads the key from its variable, or runs the command that prints it.
    ///
    /// # Errors
    /// The variable is not set, or the command fails.
    pub fn key(&self) -> Result<String, KeyError> {
        match self {
            Self::Variable(name) => variable(name).ok_or_else(|| KeyError::Unset(name.clone())),
            Self::Command(command) => printed(command),
        }
    }
}

impl fmt::Display for KeySource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variable(name) => write!(f, "the key in {name}"),
            Self::Command(_) => f.write_str("the key that its key_command prints"),
        }
    }
}

/// Returns a variable's value unless it is blank.
pub(super) fn variable(name: &str) -> Option<String> {
    let value = std::env::var(name).ok();
    value.filter(|value| !value.trim().is_empty())
}

/// Returns the first line of a command's output; waits at most [`Limit::KeyCommand`] seconds.
fn printed(command: &str) -> Result<String, KeyError> {
    let patience = Duration::from_secs(Limit::KeyCommand.get());
    printed_within(command, patience)
}

fn printed_within(command: &str, patience: Duration) -> Result<String, KeyError> {
    let failed = |why: &dyn std::fmt::Display| KeyError::Command(why.to_string());
    let started = Instant::now();
    let mut child = Command::new("sh")
        .args(["-c", command])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| failed(&error))?;
    let (send, read) = mpsc::channel();
    let output = child.stdout.take();
    let most = Limit::KeyOutput.get();
    // Not joined: processes that the command started may keep its output open after it ends.
    thread::Builder::new()
        .name("key command".to_owned())
        .spawn(move || {
            let mut text = Vec::new();
            let output = output.map(|output| output.take(most.saturating_add(1)));
            let done = output.map(|mut output| output.read_to_end(&mut text));
            // The receiver may be gone after a timeout.
            drop(send.send(done.unwrap_or(Ok(0)).map(|_| text)));
        })
        .map_err(|error| failed(&error))?;
    let ended = until_end(&mut child, &read, started + patience);
    if !matches!(ended, Ok((Some(_), _))) {
        // Fails if the command has just ended on its own.
        drop(child.kill());
        drop(child.wait());
    }
    let (status, text) = ended.map_err(|error| failed(&error))?;
    if text.len() as u64 > most {
        return Err(failed(&Limit::KeyOutput.message()));
    }
    match status {
        None => Err(failed(&Limit::KeyCommand.message())),
        Some(status) if !status.success() => Err(failed(&status)),
        Some(_) => {
            let text = String::from_utf8_lossy(&text);
            let key = text.lines().next().map(str::trim);
            let key = key.filter(|key| !key.is_empty());
            key.map(str::to_owned)
                .ok_or_else(|| failed(&"it printed nothing"))
        }
    }
}

/// Returns the exit status and the output of a command. The status is `None` if the command has not
/// ended by `end`, or prints too much.
fn until_end(
    child: &mut Child,
    read: &mpsc::Receiver<io::Result<Vec<u8>>>,
    end: Instant,
) -> io::Result<(Option<ExitStatus>, Vec<u8>)> {
    let left = end.saturating_duration_since(Instant::now());
    let Ok(text) = read.recv_timeout(left) else {
        return Ok((None, Vec::new()));
    };
    let text = text?;
    if text.len() as u64 > Limit::KeyOutput.get() {
        return Ok((None, text));
    }
    loop {
        let status = child.try_wait()?;
        if status.is_some() || Instant::now() >= end {
            return Ok((status, text));
        }
        thread::sleep(STEP);
    }
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
        let key = |command: &str| KeySource::of(None, Some(&settings(command))).unwrap().key();
        let source = KeySource::of(None, Some(&settings("true"))).unwrap();
        assert_eq!(source.to_string(), "the key that its key_command prints");
        assert_eq!(key("printf ' sk-1\\nmore'").unwrap(), "sk-1");
        for command in ["echo sk-CANARY; exit 3", "true"] {
            let error = key(command).unwrap_err();
            assert!(!error.to_string().contains("CANARY"), "{error}");
        }
    }

    #[test]
    fn a_command_that_does_not_end_is_not_waited_for() {
        let short = Duration::from_millis(50);
        for command in ["sleep 30", "sleep 30 & sleep 30", "exec >&-; sleep 30"] {
            let error = printed_within(command, short).unwrap_err().to_string();
            assert!(error.contains("limits.key_command"), "{command}: {error}");
        }
    }

    #[test]
    fn a_command_that_prints_without_end_is_stopped() {
        let error = printed("yes sk-CANARY").unwrap_err().to_string();
        assert!(error.contains("limits.key_output"), "{error}");
        assert!(!error.contains("CANARY"), "{error}");
    }

    #[test]
    fn a_variable_that_is_named_must_be_set() {
        let error = KeySource::Variable("EYECHART_NO_SUCH_KEY".to_owned())
            .key()
            .unwrap_err();
        assert!(error.to_string().contains("EYECHART_NO_SUCH_KEY"));
    }
}
