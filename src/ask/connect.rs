//! Connects to a model by endpoint name or address, using the user's settings.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value as Json};
use thiserror::Error;

use super::asking::MAX_TOKENS;
use super::batch::Batch;
use super::item::Failures;
use super::local::{self, local_model, local_models};
use super::model::Model;
use super::picture_rules::PictureRules;
use super::runtime::blocking;
use crate::client::{
    Dialect, Endpoint, EndpointError, Failure, Limits, Sampling, Setup, TokenField, completed,
    without_secrets,
};
use base::config::{EndpointSettings, KeyError, KeySource, Price, Prices, Settings};
use media::PictureLimits;
use store::Secret;

/// Share of the price that servers charge for batches.
const BATCH: f64 = 0.5;

/// An endpoint with its settings. Clones share the endpoint, including its request limits.
#[derive(Clone, Debug)]
pub struct Connection {
    /// The model behind the endpoint.
    pub endpoint: Arc<dyn Model>,
    /// Model name from the settings, if there is one.
    pub model: Option<String>,
    /// Models that the server lists; empty before [`Connection::list_models`].
    pub models: Vec<String>,
    /// Source of the API key.
    pub key: Option<KeySource>,
    /// True if the server was asked for its models.
    pub has_listed_models: bool,
    /// True if the endpoint is an address, false if it is a name of the settings or built in.
    pub is_address: bool,
    /// The endpoint's own price of tokens, for all models.
    own_price: Option<Price>,
    /// Factor on the price: below 1 for batches.
    discount: f64,
    /// Prices by model name, used without an own price.
    prices: Prices,
    /// Token limit of an answer.
    max_tokens: Option<u32>,
    /// Extra request fields from the settings.
    extra: Map<String, Json>,
    /// Limits of pictures from the settings.
    limits: PictureLimits,
}

impl Connection {
    /// Asks the server for its list of models. Call this before cloning: on a
    /// clone it does nothing.
    ///
    /// # Errors
    /// The server does not answer or rejects the key.
    pub fn list_models(&mut self) -> Result<(), ModelListError> {
        if let Some(endpoint) = Arc::get_mut(&mut self.endpoint) {
            self.has_listed_models = !endpoint.is_here();
            self.models = blocking(endpoint.list_models())??;
        }
        Ok(())
    }

    /// Returns the server's only model, if it lists exactly one and no default is set.
    pub fn only_model(&self) -> Option<&str> {
        match (self.models.as_slice(), &self.model) {
            ([name], None) => Some(name),
            _ => None,
        }
    }

    /// Returns the model to ask: the named model, the default, or the server's only model.
    pub fn model_for<'a>(&'a self, named: Option<&'a str>) -> Option<&'a str> {
        named
            .or(self.model.as_deref())
            .or_else(|| self.only_model())
    }

    /// Returns the sampling parameters from the endpoint's settings.
    pub fn sampling(&self) -> Sampling {
        Sampling {
            max_tokens: self.max_tokens.or(Some(MAX_TOKENS)),
            extra: self.extra.clone(),
            ..Sampling::default()
        }
    }

    /// Returns the limits of pictures: `own` limits of the user, then those of settings and server.
    pub fn picture_rules(&self, own: PictureLimits) -> PictureRules {
        PictureRules::new(own.or(self.limits), &self.endpoint.address())
    }

    /// Returns the price of a model: the endpoint's own, otherwise from the price table. The
    /// discount is applied.
    pub fn price(&self, model: &str) -> Option<Price> {
        let price = self.own_price.or_else(|| Price::of(&self.prices, model));
        price.map(|price| Price {
            input: price.input * self.discount,
            output: price.output * self.discount,
        })
    }
}

/// Returns the server that a form asks for its list of models before it counts the questions. The
/// second value is the source of the server's key. `None` for a built-in model.
pub fn asks_first(endpoint: &str, settings: &Settings) -> Option<(String, Option<KeySource>)> {
    let known = settings.endpoints.get(endpoint);
    let address = completed(known.map_or(endpoint, |known| known.url.as_str()))?;
    Some((without_secrets(&address), KeySource::of(None, known)))
}

/// Returns true if an endpoint is an address and not a name of the settings.
pub fn is_address(endpoint: &str, settings: &Settings) -> bool {
    !settings.endpoints.contains_key(endpoint) && completed(endpoint).is_some()
}

/// Options for this run only.
#[derive(Clone, Debug, Default)]
pub struct ConnectOptions {
    /// The environment variable with the key.
    pub key_env: Option<String>,
    /// Maximum concurrent requests; `None` for the endpoint's setting.
    pub at_once: Option<usize>,
    /// Maximum number of billed attempts.
    pub most_billed: Option<u64>,
    /// True to request complete answers instead of streams.
    pub whole_answers: bool,
    /// True to report the text of answers as it arrives.
    pub tells_words: bool,
    /// The run's folder for batch files, and whether failed requests are written once more.
    pub batch: Option<(PathBuf, Failures)>,
}

impl ConnectOptions {
    /// Returns the options with the default limit of billed attempts for this many questions.
    pub fn for_questions(questions: usize) -> Self {
        Self {
            most_billed: Some(Self::usual_bound(questions)),
            ..Self::default()
        }
    }

    /// Returns the default limit of billed attempts: two per question, plus 20.
    pub const fn usual_bound(questions: usize) -> u64 {
        2 * questions as u64 + 20
    }
}

/// Why a server's models cannot be listed.
#[derive(Debug, Error)]
pub enum ModelListError {
    /// The server does not answer or rejects the key.
    #[error("{0}")]
    Failed(Failure),
    /// No runtime can be started.
    #[error(transparent)]
    Threads(#[from] io::Error),
}

impl From<Failure> for ModelListError {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

/// Reason why a connection cannot be prepared.
#[derive(Debug, Error)]
pub enum ConnectError {
    /// The name is neither an address, nor in the config file, nor a built-in model.
    #[error("there is no endpoint `{name}`{}", list(known))]
    Unknown {
        /// The name as the user gave it, without secrets.
        name: String,
        /// The names in the config file.
        known: Vec<String>,
    },
    /// A setting of the endpoint is invalid.
    #[error("endpoint `{name}`: {what}")]
    Setting {
        /// Name of the endpoint in the config file.
        name: String,
        /// Name of the setting and what is wrong with it.
        what: String,
    },
    /// The API key cannot be read.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// The address or the key is invalid.
    #[error(transparent)]
    Endpoint(#[from] EndpointError),
    /// Batch files are not possible: a built-in model, or a dialect without batch files.
    #[error("{0} does not support batch files")]
    NoBatch(String),
    /// The batch files cannot be read.
    #[error(transparent)]
    Batch(io::Error),
}

fn list(known: &[String]) -> String {
    let named = if known.is_empty() {
        "none".to_owned()
    } else {
        known.join(", ")
    };
    let here: Vec<String> = local_models().collect();
    format!(
        "; configured: {named}; built in: {}; or an address such as localhost:8000",
        here.join(", ")
    )
}

/// Returns the model to ask, before the server lists its models: the named model, the encoder, or
/// the model in the config file.
pub fn model_named(endpoint: &str, model: Option<&str>, settings: &Settings) -> Option<String> {
    let own = || settings.endpoints.get(endpoint)?.model.clone();
    let here = || local_model(endpoint);
    model.map(str::to_owned).or_else(here).or_else(own)
}

/// Returns the connection to a built-in model: nothing is sent and nothing costs anything.
fn here(name: String, endpoint: Arc<dyn Model>) -> Connection {
    Connection {
        model: Some(name),
        models: Vec::new(),
        key: None,
        has_listed_models: false,
        is_address: false,
        own_price: Some(Price::default()),
        discount: 1.0,
        prices: Prices::default(),
        max_tokens: None,
        extra: Map::new(),
        limits: PictureLimits::default(),
        endpoint,
    }
}

/// Prepares an endpoint: an address, a name in the config file, or an encoder like `builtin:hog`.
/// Reads the key; sends nothing.
///
/// # Errors
/// The endpoint is unknown or misconfigured, the key is missing, or batch files cannot be used.
pub fn connect(
    named: &str,
    settings: &Settings,
    wishes: &ConnectOptions,
) -> Result<Connection, ConnectError> {
    if let Some(name) = local_model(named) {
        if wishes.batch.is_some() {
            return Err(ConnectError::NoBatch(named.to_owned()));
        }
        if let Some(model) = local::open(named, wishes.at_once) {
            return Ok(here(name, model));
        }
    }
    let endpoint = endpoint(named, settings, wishes)?;
    let known = settings.endpoints.get(named);
    let own = known.cloned().unwrap_or_default();
    let discount = if wishes.batch.is_some() { BATCH } else { 1.0 };
    let endpoint: Arc<dyn Model> = match &wishes.batch {
        None => Arc::new(endpoint),
        Some(_) if endpoint.dialect() != Dialect::OpenAi => {
            return Err(ConnectError::NoBatch(without_secrets(named)));
        }
        Some((run, failures)) => {
            let batch = Batch::open(endpoint, run, *failures);
            Arc::new(batch.map_err(ConnectError::Batch)?)
        }
    };
    Ok(Connection {
        endpoint,
        model: own.model,
        models: Vec::new(),
        key: KeySource::of(wishes.key_env.as_deref(), known),
        has_listed_models: false,
        is_address: known.is_none(),
        own_price: own.prices,
        discount,
        prices: settings.prices.clone(),
        max_tokens: own.max_tokens,
        limits: PictureLimits {
            max_side: own.max_side,
            max_pixels: own.max_pixels,
            max_bytes: own.max_bytes,
            quality: own.quality,
        },
        extra: match serde_json::to_value(&own.extra_body) {
            Ok(Json::Object(fields)) => fields,
            _ => Map::new(),
        },
    })
}

/// Prepares a server: an address, or a name in the config file. Reads the key; sends nothing.
///
/// # Errors
/// The endpoint is unknown or misconfigured, or the key is missing.
fn endpoint(
    named: &str,
    settings: &Settings,
    wishes: &ConnectOptions,
) -> Result<Endpoint, ConnectError> {
    let known = settings.endpoints.get(named);
    let address = known.map_or(named, |own| own.url.as_str());
    let Some(address) = completed(address) else {
        return Err(ConnectError::Unknown {
            name: without_secrets(named),
            known: settings.endpoints.keys().cloned().collect(),
        });
    };
    let fallback = EndpointSettings::default();
    let own = known.unwrap_or(&fallback);
    let wrong = |what: String| ConnectError::Setting {
        name: without_secrets(named),
        what,
    };
    let key = KeySource::of(wishes.key_env.as_deref(), known);
    let setup = Setup {
        address,
        dialect: match own.dialect.as_deref() {
            None => Dialect::default(),
            Some(name) => Dialect::from_name(name).ok_or_else(|| {
                wrong(format!(
                    "dialect `{name}` is unknown; use openai or anthropic"
                ))
            })?,
        },
        secret: Secret::new(key.as_ref().map(KeySource::key).transpose()?),
        limits: None,
        at_once: wishes.at_once.or(own.concurrency),
        token_field: match own.token_limit_field.as_deref() {
            None | Some("auto") => None,
            Some("max_tokens") => Some(TokenField::MaxTokens),
            Some("max_completion_tokens") => Some(TokenField::MaxCompletionTokens),
            Some(name) => {
                return Err(wrong(format!(
                    "token_limit_field `{name}` is unknown; use auto, max_tokens or \
                     max_completion_tokens"
                )));
            }
        },
        whole_answers: wishes.whole_answers || own.stream == Some(false),
        tells_words: wishes.tells_words,
        most_billed: wishes.most_billed,
        proxies: base::config::proxies(),
    };
    let endpoint = Endpoint::new(setup)?;
    let limits = limits(own, *endpoint.limits()).map_err(wrong)?;
    Ok(endpoint.with_limits(limits)?)
}

fn limits(own: &EndpointSettings, usual: Limits) -> Result<Limits, String> {
    let seconds = |name: &str, set: Option<f64>, usual: Duration| match set {
        None => Ok(usual),
        Some(seconds) if seconds > 0.0 => {
            Duration::try_from_secs_f64(seconds).map_err(|error| format!("{name}: {error}"))
        }
        Some(_) => Err(format!("{name} must be more than 0 seconds")),
    };
    let factor = own.wait_factor.unwrap_or(usual.wait_factor);
    if !(factor.is_finite() && factor >= 0.0) {
        return Err("wait_factor must not be negative".to_owned());
    }
    let megabytes = own
        .max_body_mb
        .filter(|size| size.is_finite() && *size > 0.0);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "positive, and saturates"
    )]
    let body = megabytes.map_or(usual.body, |size| (size * 1e6) as usize);
    Ok(Limits {
        connect: seconds("connect", own.connect, usual.connect)?,
        first_byte: seconds("first_token", own.first_token, usual.first_byte)?,
        between_tokens: seconds("between_tokens", own.between_tokens, usual.between_tokens)?,
        whole: seconds("whole", own.whole, usual.whole)?,
        body,
        wait_factor: factor,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn connected(named: &str, own: EndpointSettings) -> Result<Connection, String> {
        let settings = Settings {
            endpoints: [("lab".to_owned(), own)].into(),
            ..Settings::default()
        };
        connect(named, &settings, &ConnectOptions::default()).map_err(|error| error.to_string())
    }

    fn lab() -> EndpointSettings {
        EndpointSettings {
            url: "http://127.0.0.1:1/v1".to_owned(),
            ..EndpointSettings::default()
        }
    }

    #[test]
    fn a_name_or_an_address_leads_to_an_endpoint() {
        let mut own = lab();
        (own.model, own.concurrency) = (Some("m".to_owned()), Some(3));
        own.extra_body
            .insert("top_k".to_owned(), toml::Value::Integer(1));
        let lab = connected("lab", own).unwrap();
        assert_eq!((lab.model.as_deref(), lab.endpoint.width()), (Some("m"), 3));
        assert_eq!(lab.extra["top_k"], 1);
        let plain = connected("http://h:1/v1", EndpointSettings::default()).unwrap();
        assert_eq!(plain.endpoint.address(), "http://h:1/v1");
        let typed = connected("127.0.0.1:1", EndpointSettings::default()).unwrap();
        assert_eq!(typed.endpoint.address(), "http://127.0.0.1:1/v1");
        assert!(typed.is_address && plain.is_address && !lab.is_address);
        let here = connected("builtin:oracle", EndpointSettings::default()).unwrap();
        assert_eq!(here.endpoint.address(), "builtin:oracle");
        assert!(here.endpoint.is_here() && !plain.endpoint.is_here());
        assert_eq!(here.model.as_deref(), Some("oracle"));
    }

    #[test]
    fn models_of_the_program_have_no_batch() {
        for name in local_models() {
            let wishes = ConnectOptions {
                batch: Some((PathBuf::from("run"), Failures::Keep)),
                ..ConnectOptions::default()
            };
            let refused = connect(&name, &Settings::default(), &wishes);
            assert!(matches!(refused, Err(ConnectError::NoBatch(_))), "{name}");
        }
    }

    #[test]
    fn limits_are_those_of_the_config_file() {
        let mut own = lab();
        own.first_token = Some(7.5);
        let usual = Limits::local();
        let limits = limits(&own, usual).unwrap();
        assert_eq!(limits.first_byte.as_secs_f64(), 7.5);
        assert_eq!(limits.whole, usual.whole);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let wrong = |change: &dyn Fn(&mut EndpointSettings)| {
            let mut own = lab();
            change(&mut own);
            connected("lab", own).unwrap_err()
        };
        let unknown = connected("builtin:oracles", lab()).unwrap_err();
        assert!(
            unknown.contains("configured: lab;") && unknown.contains("builtin:oracle,"),
            "{unknown}"
        );
        assert!(wrong(&|own| own.dialect = Some("x".to_owned())).contains("dialect `x`"));
        assert!(wrong(&|own| own.token_limit_field = Some("x".to_owned())).contains("`x`"));
        assert!(wrong(&|own| own.connect = Some(0.0)).contains("connect"));
        assert!(wrong(&|own| own.wait_factor = Some(-1.0)).contains("wait_factor"));
    }
}
