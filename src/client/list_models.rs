//! Lists the models of a server, and checks that it is up.

use std::time::Duration;

use reqwest::Url;
use reqwest::header::HeaderMap;
use serde_json::Value as Json;

use super::address::at;
use super::class::Class;
use super::classify::classify;
use super::endpoint::Endpoint;
use super::failure::Failure;
use super::json::text;

/// Timeout of a check.
const PROBE: Duration = Duration::from_secs(5);

impl Endpoint {
    /// Lists the server's models (empty if it does not tell). An address without a path becomes `/v1` if that is what
    /// answers.
    ///
    /// # Errors
    /// Nothing listens, or the key is rejected.
    pub async fn list_models(&mut self) -> Result<Vec<String>, Failure> {
        let mut bases = vec![self.base.clone()];
        if self.base.path() == "/" {
            let mut longer = self.base.clone();
            longer.set_path("/v1");
            // Every known server has it.
            bases.insert(0, longer);
        }
        let mut first = None;
        for base in bases {
            let (status, body) = match self.get(&at(&base, "models")).await {
                Err(failure) if matches!(failure.class, Class::Endpoint | Class::Config) => {
                    return Err(failure);
                }
                // The server is up and may still answer questions.
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
                    return Ok(models_of(&body));
                }
                _ => first = first.or(Some(base)),
            }
        }
        self.base = first.unwrap_or_else(|| self.base.clone());
        Ok(Vec::new())
    }

    /// Returns true if the server is up: it answers itself, even with an error, and not a gateway in front of a dead
    /// server.
    pub(super) async fn is_up(&self) -> bool {
        for path in ["models", "../health"] {
            if let Ok((status, _)) = self.get(&at(&self.base, path)).await
                && !matches!(status, 502..=504)
            {
                return true;
            }
        }
        false
    }

    async fn get(&self, url: &Url) -> Result<(u16, String), Failure> {
        let sent = self.client.get(url.clone()).timeout(PROBE).send().await;
        let answer = sent.map_err(|error| self.broken(&error))?;
        let status = answer.status().as_u16();
        let body = answer.text().await.unwrap_or_default();
        Ok((status, body))
    }
}

fn models_of(body: &str) -> Vec<String> {
    let json: Json = serde_json::from_str(body).unwrap_or_default();
    let list = json.get("data").and_then(Json::as_array);
    let names = list
        .into_iter()
        .flatten()
        .filter_map(|model| text(model, &["id"]));
    names.collect()
}
