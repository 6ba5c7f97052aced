//! Secrets of an endpoint, which must not appear in any output.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use reqwest::Url;
use reqwest::header::{HeaderValue, InvalidHeaderValue};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::Value as Json;

/// Replacement for secrets in texts.
const BLANK: &str = "<key>";
/// Minimum length of a secret. Replacing shorter texts would damage ordinary text.
const SHORTEST: usize = 6;

/// An API key, and other secrets such as a password in the address.
#[derive(Clone, Debug, Default)]
pub struct Secret {
    key: Option<SecretString>,
    /// All secrets in all their encodings, longest first.
    spellings: Vec<SecretString>,
}

impl Secret {
    /// Creates the secrets with an API key; `None` for servers without a key.
    pub fn new(key: Option<String>) -> Self {
        let key = key.map(|key| key.trim().to_owned());
        let key = key.filter(|key| !key.is_empty());
        let mut secret = Self::default();
        if let Some(key) = &key {
            secret.hide(key);
        }
        Self {
            key: key.map(SecretString::from),
            ..secret
        }
    }

    /// Adds another secret. A text that is too short is ignored.
    pub fn hide(&mut self, text: &str) {
        if text.len() < SHORTEST {
            return;
        }
        let escaped = Json::from(text).to_string();
        let escaped = escaped.trim_matches('"').to_owned();
        let slashes = escaped.replace('/', "\\/");
        let coded = STANDARD_NO_PAD.encode(text);
        let all = [text.to_owned(), escaped, slashes, coded].into_iter();
        let hex = |digit: u8| char::from_digit(u32::from(digit), 16).unwrap_or_default();
        let bytes = text
            .bytes()
            .flat_map(|byte| ['%', hex(byte >> 4), hex(byte & 15)]);
        let whole: String = bytes.collect();
        let all = all
            .chain(percent_encoded(text))
            .chain([whole.to_ascii_uppercase(), whole]);
        self.spellings.extend(all.map(SecretString::from));
        // Longest first, because a secret can contain another.
        let length = |secret: &SecretString| secret.expose_secret().len();
        self.spellings
            .sort_by_key(|secret| std::cmp::Reverse(length(secret)));
    }

    /// Returns true if there is an API key.
    pub const fn is_some(&self) -> bool {
        self.key.is_some()
    }

    /// Returns a header value made of `prefix` and the key. It is marked as sensitive.
    ///
    /// # Errors
    /// The key contains a character that is invalid in a header.
    pub fn header(&self, prefix: &str) -> Result<Option<HeaderValue>, InvalidHeaderValue> {
        let Some(key) = &self.key else {
            return Ok(None);
        };
        let mut value = HeaderValue::from_str(&format!("{prefix}{}", key.expose_secret()))?;
        value.set_sensitive(true);
        Ok(Some(value))
    }

    /// Replaces every secret in a text, in all encodings in which a server may repeat it.
    pub fn scrub(&self, text: &str) -> String {
        let mut clean = text.to_owned();
        for secret in &self.spellings {
            // Avoids a copy: most texts contain no secret.
            if clean.contains(secret.expose_secret()) {
                clean = clean.replace(secret.expose_secret(), BLANK);
            }
        }
        clean
    }

    /// Like [`Self::scrub`], without a copy if the text contains no secret.
    pub fn scrubbed(&self, text: String) -> String {
        let holds = |secret: &SecretString| text.contains(secret.expose_secret());
        if self.spellings.iter().any(holds) {
            return self.scrub(&text);
        }
        text
    }

    /// Like [`Self::scrub`], for a truncated text. If the text ends with the beginning of the key,
    /// that is replaced too.
    pub fn scrub_broken(&self, text: &str) -> String {
        let mut clean = self.scrub(text);
        let key = self.key.as_ref().map_or("", |key| key.expose_secret());
        let starts = (SHORTEST..key.len()).rev().filter_map(|end| key.get(..end));
        if let Some(start) = starts.into_iter().find(|start| clean.ends_with(start)) {
            clean.truncate(clean.len() - start.len());
            clean.push_str(BLANK);
        }
        clean
    }

    /// Like [`Self::scrub`], for every text and field name in JSON.
    pub fn scrub_json(&self, json: Json) -> Json {
        match json {
            Json::String(text) => Json::String(self.scrub(&text)),
            Json::Array(items) => items
                .into_iter()
                .map(|item| self.scrub_json(item))
                .collect(),
            Json::Object(fields) => fields
                .into_iter()
                .map(|(name, value)| (self.scrub(&name), self.scrub_json(value)))
                .collect(),
            plain => plain,
        }
    }

    /// Like [`Self::scrub`], for log probabilities. If the tokens together contain a secret, all
    /// tokens and bytes are blanked.
    pub fn scrub_tokens(&self, logprobs: Json) -> Json {
        let tokens = || logprobs.as_array().into_iter().flatten();
        let words: String = tokens()
            .filter_map(|token| token.get("token")?.as_str())
            .collect();
        let bytes = tokens().filter_map(|token| token.get("bytes")?.as_array());
        let bytes: Vec<u8> = bytes
            .flatten()
            .filter_map(|byte| u8::try_from(byte.as_u64()?).ok())
            .collect();
        let spelled = String::from_utf8_lossy(&bytes);
        if self.scrub(&words) == words && self.scrub(&spelled) == spelled {
            return self.scrub_json(logprobs);
        }
        let kept = tokens().map(|token| {
            let logprob = token.get("logprob").cloned().unwrap_or_default();
            serde_json::json!({"token": BLANK, "logprob": logprob})
        });
        kept.collect()
    }
}

/// Returns the text as encoded in the query of a URL.
fn percent_encoded(text: &str) -> Option<String> {
    let address = Url::parse_with_params("http://h", [("k", text)]).ok()?;
    address.query()?.strip_prefix("k=").map(str::to_owned)
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

    #[test]
    fn a_key_is_found_in_each_spelling_and_at_a_broken_end() {
        let secret = Secret::new(Some("sk/CANARY+1\"=x".to_owned()));
        for echo in [
            r#"{"error": "sk/CANARY+1\"=x"}"#,
            r#"{"error": "sk\/CANARY+1\"=x"}"#,
            "/v1?key=sk%2FCANARY%2B1%22%3Dx&a=b",
            "c2svQ0FOQVJZKzEiPXg=",
        ] {
            let clean = secret.scrub(echo);
            assert!(clean.contains(BLANK), "{clean}");
            assert!(
                !clean.contains("CANARY") && !clean.contains("Q0FOQVJZ"),
                "{clean}"
            );
        }
        let broken = |text| secret.scrub_broken(text);
        assert_eq!(broken("the key is sk/CANARY+"), "the key is <key>");
        assert_eq!(
            broken("the key is sk/CA"),
            "the key is sk/CA",
            "too short to tell"
        );
        assert_eq!(broken("sk/CANARY is no key"), "sk/CANARY is no key");
    }

    #[test]
    fn log_probabilities_spell_no_key() {
        use serde_json::json;
        let secret = Secret::new(Some("sk-CANARY-1".to_owned()));
        let whole = json!([{"token": "sk-CANARY-1", "logprob": -0.5, "top_logprobs": [{"token": "x sk-CANARY-1"}]}]);
        let in_parts =
            json!([{"token": "sk-CAN", "logprob": -0.5}, {"token": "ARY-1", "logprob": null}]);
        let in_bytes = json!([{"token": "?", "logprob": -0.5, "bytes": b"sk-CANARY-1".to_vec()}]);
        for (logprobs, first) in [(whole, -0.5), (in_parts, -0.5), (in_bytes, -0.5)] {
            let clean = secret.scrub_tokens(logprobs);
            let text = clean.to_string();
            assert!(
                !text.contains("CAN") && !text.contains("ARY") && !text.contains("bytes"),
                "{text}"
            );
            assert_eq!(clean[0]["logprob"], first);
        }
        let other = json!([{"token": "A", "logprob": -0.1, "bytes": [65]}]);
        assert_eq!(secret.scrub_tokens(other.clone()), other);
    }
}
