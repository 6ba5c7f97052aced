//! Secrets of an endpoint, kept out of all output.

use reqwest::header::{HeaderValue, InvalidHeaderValue};
use secrecy::{ExposeSecret as _, SecretString};

/// Replaces a secret in texts.
const BLANK: &str = "<key>";
/// Shorter secrets would blank ordinary words.
const SHORTEST: usize = 6;

/// An API key and other secrets, such as a password in the address.
#[derive(Clone, Debug, Default)]
pub struct Secret {
    key: Option<SecretString>,
    others: Vec<SecretString>,
}

impl Secret {
    /// A secret with an API key; `None` for servers without one.
    #[must_use]
    pub fn new(key: Option<String>) -> Self {
        let key = key.map(|key| key.trim().to_owned());
        Self {
            key: key.filter(|key| !key.is_empty()).map(SecretString::from),
            others: Vec::new(),
        }
    }

    /// Adds another secret text.
    pub(super) fn hide(&mut self, text: &str) {
        self.others.push(SecretString::from(text.to_owned()));
    }

    /// Returns true if there is an API key.
    #[must_use]
    pub const fn is_some(&self) -> bool {
        self.key.is_some()
    }

    /// A header value of `prefix` and the key, marked as sensitive.
    ///
    /// # Errors
    /// The key holds a character that a header cannot.
    pub(super) fn header(&self, prefix: &str) -> Result<Option<HeaderValue>, InvalidHeaderValue> {
        let Some(key) = &self.key else {
            return Ok(None);
        };
        let mut value = HeaderValue::from_str(&format!("{prefix}{}", key.expose_secret()))?;
        value.set_sensitive(true);
        Ok(Some(value))
    }

    /// The text with every secret blanked; some servers echo the key in their errors.
    #[must_use]
    pub fn scrub(&self, text: &str) -> String {
        let secrets = self.key.iter().chain(&self.others);
        let long = secrets.filter(|secret| secret.expose_secret().len() >= SHORTEST);
        long.fold(text.to_owned(), |text, secret| {
            text.replace(secret.expose_secret(), BLANK)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_seen_in_no_text_and_no_debug_output() {
        let mut secret = Secret::new(Some(" sk-CANARY-1\n".to_owned()));
        secret.hide("pass-word");
        assert_eq!(
            secret.scrub("bad key sk-CANARY-1 of pass-word"),
            "bad key <key> of <key>"
        );
        let header = secret.header("Bearer ").unwrap().unwrap();
        assert!(header.is_sensitive() && header.to_str().unwrap() == "Bearer sk-CANARY-1");
        assert!(!format!("{secret:?} {header:?}").contains("CANARY"));
    }

    #[test]
    fn no_key_is_no_header_and_a_tiny_one_blanks_no_words() {
        assert!(
            Secret::new(Some(" ".to_owned()))
                .header("")
                .unwrap()
                .is_none()
        );
        assert_eq!(Secret::new(Some("a".to_owned())).scrub("a cat"), "a cat");
        assert!(Secret::new(Some("a\nb".to_owned())).header("").is_err());
    }
}
