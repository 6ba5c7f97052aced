//! What an endpoint's earlier responses revealed: refused fields and the name of the token limit.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::dialect::Dialect;
use super::endpoint::Endpoint;
use super::failure::Failure;
use super::openai::TokenField;
use super::request::Request;

/// A request field that a server refuses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedField {
    /// Name of the refused field.
    pub field: &'static str,
    /// New name of the field; `None` if it is left out.
    pub instead: Option<&'static str>,
    /// The server's error message.
    pub words: String,
}

impl std::fmt::Display for RefusedField {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { field, words, .. } = self;
        let how = match self.instead {
            Some(name) => format!("sent as {name}"),
            None => "left out".to_owned(),
        };
        write!(
            formatter,
            "the server refuses {field}; {how} from now on: {words}"
        )
    }
}

/// The form of the requests to one model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestForm {
    /// Name of the token limit field.
    pub field: TokenField,
    /// True to request a stream.
    pub stream: bool,
    /// Names of the fields to leave out.
    pub refused: BTreeSet<&'static str>,
}

/// What earlier responses revealed about each model: the fields it refuses, and whether the token
/// limit has its other name.
#[derive(Debug)]
pub struct Quirks {
    usual: TokenField,
    is_fixed: bool,
    models: Mutex<BTreeMap<String, ModelQuirks>>,
}

/// What is known about one model; `untold` holds changes that were not reported yet.
#[derive(Debug, Default)]
struct ModelQuirks {
    is_swapped: bool,
    refused: BTreeSet<&'static str>,
    untold: Vec<RefusedField>,
}

/// Key that stands for all models, for batch answers that do not name their model.
const ANY: &str = "";

impl RequestForm {
    /// Returns the initial form: no refused fields, no stream.
    pub const fn new(field: TokenField) -> Self {
        Self {
            field,
            stream: false,
            refused: BTreeSet::new(),
        }
    }

    /// Returns true if the field is left out.
    pub fn leaves_out(&self, field: &str) -> bool {
        self.refused.contains(field)
    }

    /// Returns the request without the refused fields.
    pub fn applied<'a>(&self, request: &'a Request) -> Cow<'a, Request> {
        if self.dropped(request).is_empty() {
            return Cow::Borrowed(request);
        }
        let mut request = request.clone();
        let sampling = &mut request.sampling;
        for field in &self.refused {
            sampling.extra.remove(*field);
            match *field {
                "temperature" => sampling.temperature = None,
                "top_p" => sampling.top_p = None,
                "seed" => sampling.seed = None,
                "response_format" => request.schema = None,
                _ => {}
            }
        }
        Cow::Owned(request)
    }

    /// Returns the fields that this request sets and the form leaves out.
    pub fn dropped(&self, request: &Request) -> Vec<&'static str> {
        let own = self.refused.iter().copied();
        own.filter(|field| has(request, field)).collect()
    }

    /// Returns true if a request in this form sends the field.
    fn sends(&self, field: &str, request: &Request, dialect: Dialect) -> bool {
        let is_openai = dialect == Dialect::OpenAi;
        !self.leaves_out(field)
            && match field {
                "stream" => self.stream,
                "stream_options" => self.stream && is_openai,
                _ => has(request, field),
            }
    }
}

/// Returns true if a request sets a field. Does not look at the token limit.
fn has(request: &Request, field: &str) -> bool {
    let sampling = &request.sampling;
    sampling.extra.contains_key(field)
        || match field {
            "temperature" => sampling.temperature.is_some(),
            "top_p" => sampling.top_p.is_some(),
            "seed" => sampling.seed.is_some(),
            "response_format" => request.schema.is_some(),
            _ => false,
        }
}

impl Quirks {
    /// Starts with the name of the token limit that the user chose, or the usual name.
    pub fn new(usual: TokenField, chosen: Option<TokenField>) -> Self {
        Self {
            usual: chosen.unwrap_or(usual),
            is_fixed: chosen.is_some(),
            models: Mutex::new(BTreeMap::new()),
        }
    }

    fn models(&self) -> MutexGuard<'_, BTreeMap<String, ModelQuirks>> {
        self.models.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the refused fields that were not reported yet, and marks them as reported.
    pub fn untold(&self, model: &str) -> Vec<RefusedField> {
        let mut models = self.models();
        let known = models.get_mut(model);
        known
            .map(|known| std::mem::take(&mut known.untold))
            .unwrap_or_default()
    }
}

impl Endpoint {
    /// Returns the current form of requests to a model.
    pub(super) fn form(&self, model: &str) -> RequestForm {
        let models = self.quirks.models();
        let known = || [ANY, model].into_iter().filter_map(|name| models.get(name));
        let refused: BTreeSet<&str> = known()
            .flat_map(|known| known.refused.iter().copied())
            .collect();
        let usual = self.quirks.usual;
        RequestForm {
            field: if known().any(|known| known.is_swapped) {
                usual.other()
            } else {
                usual
            },
            stream: self.stream && !refused.contains("stream"),
            refused,
        }
    }

    /// Learns from a failed request; returns true if the next request will have another form.
    pub(super) fn learn(&self, request: &Request, sent: &RequestForm, failure: &Failure) -> bool {
        let sends = |field: &str| sent.sends(field, request, self.dialect);
        self.learnt(&request.model, sent.field, &sends, failure)
    }

    /// Returns the fields that batch answers refused and that were not reported yet.
    pub fn dropped_for_all(&self) -> Vec<RefusedField> {
        self.quirks.untold(ANY)
    }

    /// Learns from a failure in a batch, where the request is unknown.
    pub(super) fn learn_for_all(&self, failure: &Failure) {
        let usual = self.quirks.usual;
        self.learnt(ANY, usual, &|field| field != "stream", failure);
    }

    fn learnt(
        &self,
        model: &str,
        sent: TokenField,
        sends: &dyn Fn(&str) -> bool,
        failure: &Failure,
    ) -> bool {
        let mut models = self.quirks.models();
        let known = models.entry(model.to_owned()).or_default();
        let can_swap = self.dialect == Dialect::OpenAi && !self.quirks.is_fixed;
        for &field in &failure.refused {
            let is_limit = field == sent.name();
            let is_new = match field {
                // Another request has already renamed the field.
                _ if is_limit && known.is_swapped => {
                    if sent != self.quirks.usual {
                        continue;
                    }
                    false
                }
                _ if is_limit && can_swap => {
                    known.is_swapped = true;
                    true
                }
                "max_tokens" | "max_completion_tokens" => continue,
                field if sends(field) => known.refused.insert(field),
                _ => continue,
            };
            if is_new {
                known.untold.push(RefusedField {
                    field,
                    instead: is_limit.then(|| sent.other().name()),
                    words: failure.message.clone(),
                });
            }
            return true;
        }
        false
    }

    /// Returns true if the failed request would be sent in another form now, because the server
    /// refused one of its fields.
    pub fn is_otherwise(&self, request: &Request, failure: &Failure) -> bool {
        let first = RequestForm::new(self.quirks.usual);
        let has_limit = request.sampling.max_tokens.is_some() && !self.quirks.is_fixed;
        failure.refused.iter().any(|field| {
            let is_limit = has_limit && *field == first.field.name();
            is_limit || first.sends(field, request, self.dialect)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::{Class, Sampling, Setup};

    fn endpoint() -> Endpoint {
        Endpoint::new(Setup {
            address: "http://h/v1".to_owned(),
            ..Setup::default()
        })
        .unwrap()
    }

    fn request() -> Request {
        Request {
            model: "m".to_owned(),
            system: None,
            turns: Vec::new(),
            sampling: Sampling {
                temperature: Some(0.0),
                max_tokens: Some(9),
                ..Sampling::default()
            },
            schema: None,
        }
    }

    fn refusing(refused: &[&'static str]) -> Failure {
        Failure {
            refused: refused.to_vec(),
            ..Failure::new(Class::Request, "w")
        }
    }

    #[test]
    fn what_a_batch_teaches_is_told_once() {
        let endpoint = endpoint();
        endpoint.learn_for_all(&refusing(&["temperature"]));
        let told = endpoint.dropped_for_all();
        assert_eq!(
            told[0].to_string(),
            "the server refuses temperature; left out from now on: w"
        );
        assert_eq!(endpoint.dropped_for_all(), []);
        let form = endpoint.form("m");
        assert_eq!(form.applied(&request()).sampling.temperature, None);
    }

    #[test]
    fn a_field_is_left_out_for_the_model_that_refused_it_and_told_once() {
        let (endpoint, request) = (endpoint(), request());
        let sent = endpoint.form("m");
        assert!(endpoint.learn(&request, &sent, &refusing(&["seed", "temperature"])));
        // Another request in flight reports the same field.
        assert!(endpoint.learn(&request, &sent, &refusing(&["temperature"])));
        let form = endpoint.form("m");
        assert_eq!(form.applied(&request).sampling.temperature, None);
        assert_eq!(form.dropped(&request), ["temperature"]);
        assert_eq!(endpoint.quirks.untold("m").len(), 1);
        assert_eq!(endpoint.quirks.untold("m").len(), 0);
        assert!(
            !endpoint.learn(&request, &form, &refusing(&["temperature"])),
            "it was not sent"
        );
        let other = endpoint.form("other");
        assert_eq!(other.applied(&request).sampling.temperature, Some(0.0));
    }

    #[test]
    fn the_token_limit_changes_its_name_once_and_is_never_left_out() {
        let (endpoint, request) = (endpoint(), request());
        let old = endpoint.form("m");
        assert!(endpoint.learn(&request, &old, &refusing(&["max_tokens"])));
        assert!(endpoint.learn(&request, &old, &refusing(&["max_tokens"])));
        let new = endpoint.form("m");
        assert_eq!(new.field, TokenField::MaxCompletionTokens);
        let told = endpoint.quirks.untold("m");
        assert_eq!(
            (told.len(), told[0].instead),
            (1, Some("max_completion_tokens"))
        );
        assert!(!endpoint.learn(&request, &new, &refusing(&["max_completion_tokens"])));
        assert_eq!(endpoint.form("m"), new);
    }

    #[test]
    fn a_stream_that_is_refused_becomes_a_whole_answer() {
        let (endpoint, request) = (endpoint(), request());
        let sent = endpoint.form("m");
        assert!(sent.stream);
        assert!(endpoint.learn(&request, &sent, &refusing(&["stream"])));
        let form = endpoint.form("m");
        assert!(!form.stream && form.dropped(&request).is_empty());
        assert!(!endpoint.learn(&request, &form, &refusing(&["stream_options"])));
    }
}
