//! Endpoint: address, key, limits, and the state learned from earlier responses.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock};
use std::time::Duration;

use reqwest::{Client, Url};

use super::address::{at, base_of, hide_proxy};
use super::answer::Answer;
use super::attempt::why;
use super::budget::Budget;
use super::circuit::Circuit;
use super::class::Class;
use super::dialect::Dialect;
use super::failure::Failure;
use super::gate::Gate;
use super::openai::TokenField;
use super::quirks::Quirks;
use super::setup::{EndpointError, Limits, Setup};
use store::Secret;
use store::{RedirectPolicy, is_local};

/// Default number of concurrent requests: local server, hosted server.
const AT_ONCE: [usize; 2] = [4, 8];

/// Idle time after which a connection to a local server is closed.
const IDLE: Duration = Duration::from_secs(1);

/// Maximum bytes stored of the partial text of an answer that exceeds a size limit.
const PARTIAL: usize = 64 << 10;

/// A model server: sends requests and remembers what its responses revealed.
#[derive(Debug)]
pub struct Endpoint {
    pub(super) client: Client,
    pub(super) base: Url,
    /// The address of the chat endpoint.
    pub(super) questions: Url,
    pub(super) dialect: Dialect,
    pub(super) secret: Secret,
    pub(super) limits: Limits,
    pub(super) stream: bool,
    pub(super) tells_words: bool,
    pub(super) gate: Gate,
    pub(super) circuit: Circuit,
    pub(super) quirks: Quirks,
    pub(super) budget: Budget,
    /// Context lengths in the server's list of models, in tokens.
    pub(super) contexts: BTreeMap<String, u64>,
    /// Names of the models that have answered.
    answered: RwLock<BTreeSet<String>>,
    billed: AtomicU64,
    most_billed: Option<u64>,
}

impl Endpoint {
    /// Prepares an endpoint without sending anything.
    ///
    /// # Errors
    /// The address is invalid, or the key cannot be a header.
    pub fn new(setup: Setup) -> Result<Self, EndpointError> {
        let mut secret = setup.secret;
        let base = base_of(&setup.address, &mut secret)?;
        for proxy in &setup.proxies {
            hide_proxy(proxy, &mut secret);
        }
        let is_local = is_local(&base);
        let limits = setup.limits.unwrap_or(if is_local {
            Limits::local()
        } else {
            Limits::hosted()
        });
        let client = client(&base, setup.dialect, &secret, &limits)?;
        let usual = if base
            .host_str()
            .is_some_and(|host| host.ends_with("openai.com"))
        {
            TokenField::MaxCompletionTokens
        } else {
            TokenField::MaxTokens
        };
        let [local, hosted] = AT_ONCE;
        Ok(Self {
            client,
            questions: at(&base, setup.dialect.path()),
            base,
            dialect: setup.dialect,
            secret,
            limits,
            stream: !setup.whole_answers,
            tells_words: setup.tells_words,
            gate: Gate::new(
                setup
                    .at_once
                    .unwrap_or(if is_local { local } else { hosted }),
            ),
            circuit: Circuit::default(),
            quirks: Quirks::new(usual, setup.token_field),
            budget: Budget::default(),
            contexts: BTreeMap::new(),
            answered: RwLock::default(),
            billed: AtomicU64::new(0),
            most_billed: setup.most_billed,
        })
    }

    /// Time and size limits of one attempt.
    pub const fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Returns the endpoint with other limits.
    ///
    /// # Errors
    /// The HTTP client cannot be built.
    pub fn with_limits(self, limits: Limits) -> Result<Self, EndpointError> {
        Ok(Self {
            client: client(&self.base, self.dialect, &self.secret, &limits)?,
            limits,
            ..self
        })
    }

    /// Returns the base address without secrets.
    pub fn address(&self) -> String {
        let mut shown = self.base.clone();
        shown.set_query(None);
        // An address with a host accepts an empty user.
        let _ = shown.set_username("");
        let _ = shown.set_password(None);
        shown.as_str().trim_end_matches('/').to_owned()
    }

    /// The API dialect of its requests.
    pub const fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Secrets, for removing them from texts.
    pub const fn secret(&self) -> &Secret {
        &self.secret
    }

    /// Number of concurrent requests allowed now.
    pub fn width(&self) -> usize {
        self.gate.width()
    }

    /// Records that a model answered.
    pub(super) fn answered(&self, model: &str) {
        if !self.has_answered(model) {
            let mut answered = self
                .answered
                .write()
                .unwrap_or_else(PoisonError::into_inner);
            answered.insert(model.to_owned());
        }
    }

    fn has_answered(&self, model: &str) -> bool {
        let answered = self.answered.read().unwrap_or_else(PoisonError::into_inner);
        answered.contains(model)
    }

    /// Corrects a failure's class: a model that has answered before exists and accepts pictures.
    /// Answers of other models on this server do not matter.
    pub(super) fn known(&self, model: &str, failure: Failure) -> Failure {
        let class = match failure.class {
            Class::Model | Class::Vision if self.has_answered(model) => Class::Request,
            class => class,
        };
        Failure { class, ..failure }
    }

    /// Counts an attempt that may be billed. Called before sending, so
    /// requests in flight count too.
    ///
    /// # Errors
    /// The limit of billed attempts is reached.
    pub(super) fn bill(&self) -> Result<(), Failure> {
        let most = self.most_billed.unwrap_or(u64::MAX);
        let one_more = |billed: u64| (billed < most).then_some(billed + 1);
        let billed = self
            .billed
            .try_update(Ordering::Relaxed, Ordering::Relaxed, one_more);
        billed.map(drop).map_err(|_| {
            let what = format!("the run reached its limit of {most} attempts that may be billed");
            Failure::new(Class::Attempts, what)
        })
    }

    /// Removes an attempt from the count if it was certainly not billed.
    pub(super) fn unless_billed(&self, outcome: &Result<Answer, Failure>) {
        if outcome
            .as_ref()
            .is_err_and(|failure| !failure.may_be_billed())
        {
            self.billed.fetch_sub(1, Ordering::Relaxed);
        }
    }

    pub(super) fn scrubbed(&self, mut failure: Failure) -> Failure {
        failure.message = self.secret.scrub(&failure.message);
        failure.partial = self.secret.scrub_broken(&failure.partial);
        if failure.class == Class::Overlong {
            // Drop the rest of an endless answer.
            let end = failure.partial.floor_char_boundary(PARTIAL);
            failure.partial.truncate(end);
        }
        failure
    }

    pub(super) fn broken(&self, error: &reqwest::Error) -> Failure {
        let words = why(error);
        let is_trust = ["certificate", "UnknownIssuer", "NotValidForName"]
            .iter()
            .any(|word| words.contains(word));
        let class = match () {
            () if error.is_builder() => Class::Config,
            () if error.is_connect() && is_trust => Class::Trust,
            () if error.is_connect() => Class::Endpoint,
            () if error.is_timeout() => Class::Time,
            () => Class::Transport,
        };
        let message = match class {
            Class::Endpoint => format!("nothing listens at {}: {words}", self.address()),
            _ => words,
        };
        self.scrubbed(Failure::new(class, message))
    }
}

fn client(
    base: &Url,
    dialect: Dialect,
    secret: &Secret,
    limits: &Limits,
) -> Result<Client, EndpointError> {
    let mut client = store::http(RedirectPolicy::Nothing)
        .connect_timeout(limits.connect)
        .default_headers(dialect.headers(secret)?);
    if is_local(base) {
        // Small servers silently close idle connections just as the next request leaves. So only a
        // recently used connection is reused; a new one costs little here.
        client = client.no_proxy().pool_idle_timeout(IDLE);
    }
    let made = client.build();
    made.map_err(|error| EndpointError::Client(secret.scrub(&why(&error))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endpoint(address: &str) -> Result<Endpoint, EndpointError> {
        Endpoint::new(Setup {
            address: address.to_owned(),
            ..Setup::default()
        })
    }

    #[test]
    fn what_must_not_be_seen_is_stripped_from_the_address() {
        let endpoint = endpoint("https://me:pass-word@host.example/v1/?key=sk-CANARY").unwrap();
        assert_eq!(endpoint.address(), "https://host.example/v1");
        assert_eq!(endpoint.questions.path(), "/v1/chat/completions");
        assert_eq!(
            endpoint.secret().scrub("pass-word sk-CANARY"),
            "<key> <key>"
        );
        assert_eq!(at(&endpoint.base, "../health").path(), "/health");
    }

    #[test]
    fn a_model_is_known_by_its_own_answers_alone() {
        let endpoint = endpoint("http://127.0.0.1:1/v1").unwrap();
        endpoint.answered("good");
        let class = |model| endpoint.known(model, Failure::new(Class::Model, "")).class;
        assert_eq!(class("good"), Class::Request);
        assert_eq!(class("nosuch"), Class::Model, "it stops its run");
    }

    #[test]
    fn what_is_no_address_is_said_without_its_password() {
        for address in [
            "localhost:8000",
            "ftp://h/?api_key=pass-word",
            "h:1/v1?api_key=pass-word",
            "http://h:port/?api_key=pass-word",
            "me:pass-word@host",
            "",
        ] {
            let error = endpoint(address).unwrap_err().to_string();
            assert!(!error.contains("pass-word"), "{error}");
        }
    }

    #[test]
    fn servers_nearby_may_take_longer_and_get_fewer_requests() {
        for (address, local) in [
            ("http://127.0.0.1:1/v1", true),
            ("http://10.0.0.3/v1", true),
            ("http://gpu7:8000/v1", true),
            ("http://[::1]:8000/v1", true),
            ("https://api.openai.com/v1", false),
        ] {
            let endpoint = endpoint(address).unwrap();
            assert_eq!(endpoint.width() == 4, local, "{address}");
            assert_eq!(
                endpoint.limits.first_byte.as_secs() == 120,
                local,
                "{address}"
            );
        }
    }
}
