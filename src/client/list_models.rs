//! Whether anybody is there, and who.

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

/// How long a question whether a server lives may take.
const PROBE: Duration = Duration::from_secs(5);

impl Endpoint {
    /// Looks whether somebody is there: the names of its models, where it tells. An address without a path gets
    /// `/v1`, where that is what answers.
    ///
    /// # Errors
    /// Nothing listens, or the key is refused.
    pub async fn look(&mut self) -> Result<Vec<String>, Failure> {
        let mut bases = vec![self.base.clone()];
        if self.base.path() == "/" {
            let mut longer = self.base.clone();
            longer.set_path("/v1");
            // Every server that is known has it.
            bases.insert(0, longer);
        }
        let mut first = None;
        for base in bases {
            let (status, body) = match self.get(&at(&base, "models")).await {
                Err(failure) if matches!(failure.class, Class::Endpoint | Class::Config) => {
                    return Err(failure);
                }
                // Somebody is there, and may still answer questions.
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

    /// Whether the server lives: it answers for itself, be it an error, and no gateway does because nobody is behind it.
    pub(super) async fn lives(&self) -> bool {
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
