//! Lists the models of a server, and checks that it is up.

use std::collections::BTreeMap;
use std::time::Duration;

use base::limits::Limit;
use reqwest::Url;
use reqwest::header::HeaderMap;
use serde_json::Value as Json;

use super::address::at;
use super::class::Class;
use super::classify::classify;
use super::endpoint::Endpoint;
use super::failure::Failure;
use super::intake::overlong;
use super::json::{count, text};
use store::Secret;

/// Timeout of each request.
const PROBE: Duration = Duration::from_secs(5);

/// Names of the context length in a server's list of models.
const CONTEXT: [&[&str]; 5] = [
    &["max_model_len"],
    &["context_length"],
    &["max_context_length"],
    &["context_window"],
    &["meta", "n_ctx"],
];

impl Endpoint {
    /// Lists the server's models; empty if the server does not list them. An address without a path
    /// is changed to `/v1` if the list is found there.
    ///
    /// # Errors
    /// Nothing listens, the key is rejected, or the list is too long.
    pub async fn list_models(&mut self) -> Result<Vec<String>, Failure> {
        let mut bases = vec![self.base.clone()];
        if self.base.path() == "/" {
            let mut longer = self.base.clone();
            longer.set_path("/v1");
            // All known servers have this path.
            bases.insert(0, longer);
        }
        let mut first = None;
        for base in bases {
            let (status, body) = match self.get(&at(&base, "models")).await {
                Err(failure) if is_final(failure.class) => return Err(failure),
                // The server may still answer chat requests.
                Err(_) => (0, String::new()),
                Ok(answer) => answer,
            };
            match status {
                401 | 403 => {
                    let failure = classify(status, &HeaderMap::new(), &body);
                    return Err(self.scrubbed(failure));
                }
                200 => {
                    self.base = base;
                    self.contexts = contexts_of(&body);
                    return Ok(models_of(&body, &self.secret));
                }
                _ => first = first.or(Some(base)),
            }
        }
        self.base = first.unwrap_or_else(|| self.base.clone());
        Ok(Vec::new())
    }

    /// Returns the context length of a model in tokens, if the list of models contained it.
    pub fn context_length(&self, model: &str) -> Option<u64> {
        self.contexts.get(model).copied()
    }

    /// Returns true if the server is up. An error counts as up, except a
    /// gateway error (502 to 504).
    pub(super) async fn is_up(&self) -> bool {
        for path in ["models", "../health"] {
            let sent = self.client.get(at(&self.base, path)).timeout(PROBE);
            if let Ok(answer) = sent.send().await
                && !matches!(answer.status().as_u16(), 502..=504)
            {
                return true;
            }
        }
        false
    }

    async fn get(&self, url: &Url) -> Result<(u16, String), Failure> {
        let sent = self.client.get(url.clone()).timeout(PROBE).send().await;
        let mut answer = sent.map_err(|error| self.broken(&error))?;
        let status = answer.status().as_u16();
        let mut body = Vec::new();
        // A list that breaks off is not JSON and is ignored.
        while let Ok(Some(part)) = answer.chunk().await {
            if body.len() + part.len() > Limit::Models.length() {
                return Err(overlong("the list of models", Limit::Models));
            }
            body.extend_from_slice(&part);
        }
        let text = self.secret.scrub(&String::from_utf8_lossy(&body));
        Ok((status, text))
    }
}

/// Returns true for failures after which further requests are useless.
const fn is_final(class: Class) -> bool {
    matches!(
        class,
        Class::Endpoint | Class::Config | Class::Trust | Class::Overlong
    )
}

fn contexts_of(body: &str) -> BTreeMap<String, u64> {
    let json: Json = serde_json::from_str(body).unwrap_or_default();
    let list = json.get("data").and_then(Json::as_array);
    let context = |model: &Json| {
        let length = CONTEXT.iter().find_map(|path| count(model, path))?;
        Some((text(model, &["id"])?, length))
    };
    list.into_iter().flatten().filter_map(context).collect()
}

fn models_of(body: &str, secret: &Secret) -> Vec<String> {
    let json: Json = serde_json::from_str(body).unwrap_or_default();
    let list = json.get("data").and_then(Json::as_array);
    let names = list
        .into_iter()
        .flatten()
        .filter_map(|model| text(model, &["id"]))
        .map(|name| secret.scrub(&name));
    names.collect()
}
