//! From an endpoint's name or address to the model that answers there, by what the user's settings say of it.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value as Json};
use thiserror::Error;

use super::asking::MAX_TOKENS;
use super::batch::Batch;
use super::builtin::Builtin;
use super::informed::Informed;
use super::model::Model;
use super::runtime::blocking;
use client::{
    Dialect, Endpoint, EndpointError, Failure, Limits, Sampling, Secret, Setup, TokenField,
};
use config::{EndpointSettings, KeyError, KeySource, Price, Prices, Settings};

/// The share of the price that servers take for batches.
const BATCH: f64 = 0.5;

/// An endpoint, and what is known of it. Clones are one endpoint: what bounds its requests bounds those of all.
#[derive(Clone, Debug)]
pub struct Connection {
    /// What is asked.
    pub endpoint: Arc<dyn Model>,
    /// The model that is asked where none is named.
    pub model: Option<String>,
    /// The models that the server names; none before [`Connection::look`].
    pub models: Vec<String>,
    /// Where the key is that is sent with each request.
    pub key: Option<KeySource>,
    /// The server was asked for its models.
    pub looked: bool,
    /// What its tokens cost, whichever model it is.
    own_price: Option<Price>,
    /// The share of the price that is paid.
    discount: f64,
    /// What the tokens of each model cost.
    prices: Prices,
    /// Most tokens of an answer.
    max_tokens: Option<u32>,
    /// Further fields of a request.
    extra: Map<String, Json>,
}

impl Connection {
    /// Asks the server for its models, and nothing else. To be called before it is cloned: of clones only one would know.
    ///
    /// # Errors
    /// It does not answer, or refuses the key.
    pub fn look(&mut self) -> Result<(), LookError> {
        if let Some(endpoint) = Arc::get_mut(&mut self.endpoint) {
            self.looked = !endpoint.is_here();
            self.models = blocking(endpoint.list_models())??;
        }
        Ok(())
    }

    /// The model of a server that has one, where neither the user nor the config file names another.
    #[must_use]
    pub fn only_model(&self) -> Option<&str> {
        match (self.models.as_slice(), &self.model) {
            ([name], None) => Some(name),
            _ => None,
        }
    }

    /// The model that is asked: the named one, the endpoint's own, or the only one that the server has.
    #[must_use]
    pub fn model_for<'a>(&'a self, named: Option<&'a str>) -> Option<&'a str> {
        named
            .or(self.model.as_deref())
            .or_else(|| self.only_model())
    }

    /// How answers are drawn where the user says nothing for this run.
    #[must_use]
    pub fn sampling(&self) -> Sampling {
        Sampling {
            max_tokens: self.max_tokens.or(Some(MAX_TOKENS)),
            extra: self.extra.clone(),
            ..Sampling::default()
        }
    }

    /// What the tokens of a model cost here: the endpoint's own price, else the model's in the table of prices.
    #[must_use]
    pub fn price(&self, model: &str) -> Option<Price> {
        let price = self.own_price.or_else(|| Price::of(&self.prices, model));
        price.map(|price| Price {
            input: price.input * self.discount,
            output: price.output * self.discount,
        })
    }
}

/// The server that is asked for its models before a form with this endpoint is counted, and where the key is that goes with
/// it; `None` where there is no server.
#[must_use]
pub fn asks_first(endpoint: &str, settings: &Settings) -> Option<(String, Option<KeySource>)> {
    let known = settings.endpoints.get(endpoint);
    let address = known.map_or(endpoint, |known| known.url.as_str());
    let is_server = address.contains("://");
    is_server.then(|| (client::without_secrets(address), KeySource::of(None, known)))
}

/// What the user said for this run alone.
#[derive(Clone, Debug, Default)]
pub struct Wishes {
    /// The environment variable that holds the key.
    pub key_env: Option<String>,
    /// Requests on their way at once.
    pub at_once: Option<usize>,
    /// Most attempts that may have to be paid for.
    pub most_billed: Option<u64>,
    /// Take answers whole.
    pub whole_answers: bool,
    /// Tell the words of answers as they come.
    pub tells_words: bool,
    /// Ask by batch files in the folder of this run; true: what failed is written once more.
    pub batch: Option<(PathBuf, bool)>,
}

impl Wishes {
    /// With the usual bound on what so many questions may cost.
    #[must_use]
    pub fn for_questions(questions: usize) -> Self {
        Self {
            most_billed: Some(Self::usual_bound(questions)),
            ..Self::default()
        }
    }

    /// Attempts that so many questions may cost where the user says nothing: two each, and some for a bad start.
    #[must_use]
    pub const fn usual_bound(questions: usize) -> u64 {
        2 * questions as u64 + 20
    }
}

/// Why a server does not say which models it has.
#[derive(Debug, Error)]
pub enum LookError {
    /// It does not answer, or refuses the key.
    #[error("{0}")]
    Failed(Failure),
    /// No threads can be had.
    #[error(transparent)]
    Threads(#[from] io::Error),
}

impl From<Failure> for LookError {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

/// Why there is no connection.
#[derive(Debug, Error)]
pub enum ConnectError {
    /// Neither an address nor a name of the config file, nor an encoder.
    #[error("there is no endpoint `{name}`{}", list(known))]
    Unknown {
        /// What was named.
        name: String,
        /// The names that there are.
        known: Vec<String>,
    },
    /// A setting of the endpoint has no meaning.
    #[error("endpoint `{name}`: {what}")]
    Setting {
        /// The endpoint.
        name: String,
        /// What is wrong.
        what: String,
    },
    /// There is no key.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// The address or the key is none.
    #[error(transparent)]
    Endpoint(#[from] EndpointError),
    /// A model of this program, or a dialect without batch files, cannot be asked by them.
    #[error("{0} cannot be asked by batch files")]
    NoBatch(String),
    /// The files of a batch cannot be read.
    #[error(transparent)]
    Batch(io::Error),
}

fn list(known: &[String]) -> String {
    let named = if known.is_empty() {
        "none".to_owned()
    } else {
        known.join(", ")
    };
    let here: Vec<String> = Builtin::names().chain(Informed::names()).collect();
    format!(
        "; the config file names {named}, the program has {}, an address begins with http:// or https://",
        here.join(", ")
    )
}

/// The model that an endpoint will be asked for, as far as it is known before the server names its models: the named
/// one, the encoder, or the one of the config file.
#[must_use]
pub fn model_named(endpoint: &str, model: Option<&str>, settings: &Settings) -> Option<String> {
    let encoder = || Builtin::named(endpoint).map(|encoder| encoder.name().to_owned());
    let informed = || Informed::named(endpoint).map(|informed| informed.name().to_owned());
    let own = || settings.endpoints.get(endpoint)?.model.clone();
    let here = || encoder().or_else(informed);
    model.map(str::to_owned).or_else(here).or_else(own)
}

/// The connection to a model of this program: nothing is sent, and nothing has a price.
fn here(name: &str, endpoint: Arc<dyn Model>) -> Connection {
    Connection {
        model: Some(name.to_owned()),
        models: Vec::new(),
        key: None,
        looked: false,
        own_price: Some(Price::default()),
        discount: 1.0,
        prices: Prices::default(),
        max_tokens: None,
        extra: Map::new(),
        endpoint,
    }
}

/// Prepares an endpoint: an address, a name of the config file, or an encoder such as `builtin:hog`. Reads the key,
/// sends nothing.
///
/// # Errors
/// There is none, or no key.
pub fn connect(
    named: &str,
    settings: &Settings,
    wishes: &Wishes,
) -> Result<Connection, ConnectError> {
    let is_here = Builtin::named(named).is_some() || Informed::named(named).is_some();
    if is_here && wishes.batch.is_some() {
        return Err(ConnectError::NoBatch(named.to_owned()));
    }
    if let Some(encoder) = Builtin::named(named) {
        let name = encoder.name();
        return Ok(here(name, Arc::new(encoder.at_once(wishes.at_once))));
    }
    if let Some(informed) = Informed::named(named) {
        let name = informed.name();
        return Ok(here(name, Arc::new(informed.at_once(wishes.at_once))));
    }
    let known = settings.endpoints.get(named);
    if known.is_none() && !named.contains("://") {
        return Err(ConnectError::Unknown {
            name: client::without_secrets(named),
            known: settings.endpoints.keys().cloned().collect(),
        });
    }
    let fallback = EndpointSettings::default();
    let own = known.unwrap_or(&fallback);
    let wrong = |what: String| ConnectError::Setting {
        name: client::without_secrets(named),
        what,
    };
    let key = KeySource::of(wishes.key_env.as_deref(), known);
    let setup = Setup {
        address: known.map_or(named, |own| own.url.as_str()).to_owned(),
        dialect: match own.dialect.as_deref() {
            None => Dialect::default(),
            Some(name) => Dialect::named(name).ok_or_else(|| {
                wrong(format!("dialect `{name}` is neither openai nor anthropic"))
            })?,
        },
        secret: Secret::new(key.as_ref().map(KeySource::key).transpose()?),
        limits: None,
        at_once: wishes.at_once.or(own.concurrency),
        token_field: match own.token_limit_field.as_deref() {
            None | Some("auto") => None,
            Some("max_tokens") => Some(TokenField::MaxTokens),
            Some("max_completion_tokens") => Some(TokenField::MaxCompletionTokens),
            Some(name) => return Err(wrong(format!("there is no token_limit_field `{name}`"))),
        },
        whole_answers: wishes.whole_answers || own.stream == Some(false),
        tells_words: wishes.tells_words,
        most_billed: wishes.most_billed,
        proxies: config::proxies(),
    };
    let endpoint = Endpoint::new(setup)?;
    let limits = limits(own, *endpoint.limits()).map_err(wrong)?;
    let endpoint = endpoint.with_limits(limits)?;
    let discount = if wishes.batch.is_some() { BATCH } else { 1.0 };
    let endpoint: Arc<dyn Model> = match &wishes.batch {
        None => Arc::new(endpoint),
        Some(_) if endpoint.dialect() != Dialect::OpenAi => {
            return Err(ConnectError::NoBatch(client::without_secrets(named)));
        }
        Some((run, retry_failed)) => {
            let batch = Batch::open(endpoint, run, *retry_failed);
            Arc::new(batch.map_err(ConnectError::Batch)?)
        }
    };
    Ok(Connection {
        endpoint,
        model: own.model.clone(),
        models: Vec::new(),
        key,
        looked: false,
        own_price: own.prices,
        discount,
        prices: settings.prices.clone(),
        max_tokens: own.max_tokens,
        extra: match serde_json::to_value(&own.extra_body) {
            Ok(Json::Object(fields)) => fields,
            _ => Map::new(),
        },
    })
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
        connect(named, &settings, &Wishes::default()).map_err(|error| error.to_string())
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
        let here = connected("builtin:hog", EndpointSettings::default()).unwrap();
        assert_eq!(here.endpoint.address(), "builtin:hog");
        assert!(here.endpoint.is_here() && !plain.endpoint.is_here());
        assert_eq!(here.model.as_deref(), Some("hog"));
    }

    #[test]
    fn models_of_the_program_have_no_batch() {
        for name in Builtin::names().chain(Informed::names()) {
            let wishes = Wishes {
                batch: Some((PathBuf::from("run"), false)),
                ..Wishes::default()
            };
            let refused = connect(&name, &Settings::default(), &wishes);
            assert!(matches!(refused, Err(ConnectError::NoBatch(_))), "{name}");
        }
    }

    #[test]
    fn limits_are_those_of_the_config_file() {
        let mut own = lab();
        own.first_token = Some(7.5);
        let usual = Limits::usual(true);
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
        let unknown = connected("builtin:hogg", lab()).unwrap_err();
        assert!(
            unknown.contains("names lab") && unknown.contains("builtin:hog,"),
            "{unknown}"
        );
        assert!(wrong(&|own| own.dialect = Some("x".to_owned())).contains("dialect `x`"));
        assert!(wrong(&|own| own.token_limit_field = Some("x".to_owned())).contains("`x`"));
        assert!(wrong(&|own| own.connect = Some(0.0)).contains("connect"));
        assert!(wrong(&|own| own.wait_factor = Some(-1.0)).contains("wait_factor"));
    }
}
