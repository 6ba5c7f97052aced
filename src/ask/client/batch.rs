//! Batch files in `OpenAI`'s format: one line per request, one line per answer, in any order.

use reqwest::header::HeaderMap;
use serde_json::{Value as Json, json};

use super::answer::Answer;
use super::class::Class;
use super::classify::classify;
use super::dialect::Dialect;
use super::endpoint::Endpoint;
use super::failure::{ErrorBody, Failure};
use super::intake::Intake;
use super::json::{at, count, lenient, text};
use super::policy::{Fallback, rule_of};
use super::quirks::RequestForm;
use super::request::Request;

/// Path of the chat endpoint, as batch servers expect it in each line.
const PATH: &str = "/v1/chat/completions";

/// The answer to one request of a batch.
#[derive(Debug)]
pub struct BatchAnswer {
    /// The `custom_id` of the request.
    pub id: String,
    /// The answer or the failure.
    pub outcome: Result<Answer, Failure>,
}

impl Endpoint {
    /// Builds a line of a batch file, without its line break; `id` names the request.
    ///
    /// # Errors
    /// The endpoint's dialect has no batch files, or the request cannot be written as JSON.
    pub fn batch_line(&self, id: &str, request: &Request) -> Result<Vec<u8>, Failure> {
        if self.dialect != Dialect::OpenAi {
            let what = "batch files need the dialect openai";
            return Err(Failure::new(Class::Config, what));
        }
        let form = RequestForm {
            stream: false,
            ..self.form(&request.model)
        };
        let body = self.dialect.spelled(&form.applied(request), &form)?;
        let head = format!(
            "{{\"custom_id\":{},\"method\":\"POST\",\"url\":\"{PATH}\",\"body\":",
            json!(id)
        );
        let body = body.bytes();
        let body = body.map_err(|error| Failure::new(Class::Request, error.to_string()))?;
        Ok([head.as_bytes(), &body, b"}"].concat())
    }

    /// Reads a line of a batch's output file or error file.
    ///
    /// # Errors
    /// The line is not JSON or has no `custom_id`.
    pub fn batch_answer(&self, line: &[u8]) -> Result<BatchAnswer, String> {
        let json: Json = lenient(line).map_err(|error| error.to_string())?;
        let id = text(&json, &["custom_id"]).ok_or("no custom_id")?;
        let outcome = self.batch_outcome(&json);
        let outcome = outcome.map_err(|failure| {
            self.learn_for_all(&failure);
            self.scrubbed(downgraded(failure))
        });
        Ok(BatchAnswer { id, outcome })
    }

    fn batch_outcome(&self, json: &Json) -> Result<Answer, Failure> {
        let response = at(json, &["response"]).filter(|response| response.is_object());
        let Some(response) = response else {
            let error = ErrorBody::of_json(json);
            let code = match error.code.as_str() {
                "" => String::new(),
                code => format!("{code}: "),
            };
            let what = format!("{code}{}", error.message);
            return Err(Failure::new(Class::Server, what));
        };
        let body = at(response, &["body"]).unwrap_or(&Json::Null);
        let status = count(response, &["status_code"]).unwrap_or(200);
        if status != 200 {
            let status = u16::try_from(status).unwrap_or(500);
            return Err(classify(status, &HeaderMap::new(), &body.to_string()));
        }
        let answer = self.dialect.read(body)?;
        Intake::default().fits(&answer)?;
        let id = text(response, &["request_id"]);
        Ok(self.cleaned(answer, id))
    }
}

/// Downgrades a failure that would stop a run: other requests of the batch may have answers.
fn downgraded(failure: Failure) -> Failure {
    let class = match failure.class {
        class if rule_of(class).after == Fallback::Stop => Class::Request,
        class => class,
    };
    Failure { class, ..failure }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::{Part, Sampling, Setup, Turn};

    fn endpoint(dialect: Dialect) -> Endpoint {
        Endpoint::new(Setup {
            address: "http://h/v1".to_owned(),
            dialect,
            ..Setup::default()
        })
        .unwrap()
    }

    #[test]
    fn a_request_is_a_line_of_its_own() {
        let request = Request {
            model: "m".to_owned(),
            system: None,
            turns: vec![Turn::user(vec![Part::Text("a\nb".to_owned())])],
            sampling: Sampling::default(),
            schema: None,
        };
        let line = endpoint(Dialect::OpenAi).batch_line("i", &request).unwrap();
        let text = String::from_utf8(line).unwrap();
        assert!(!text.contains('\n'));
        let json: Json = serde_json::from_str(&text).unwrap();
        assert_eq!(
            (&json["custom_id"], &json["method"], &json["url"]),
            (&json!("i"), &json!("POST"), &json!("/v1/chat/completions"))
        );
        assert!(json["body"]["model"] == "m" && json["body"].get("stream").is_none());
        let anthropic = endpoint(Dialect::Anthropic);
        assert!(anthropic.batch_line("i", &request).is_err());
    }

    #[test]
    fn answers_and_errors_are_read_and_no_error_ends_the_run() {
        let endpoint = endpoint(Dialect::OpenAi);
        let read = |json: Json| endpoint.batch_answer(json.to_string().as_bytes());
        let choice = json!({"message": {"content": "A"}, "finish_reason": "stop"});
        let good = json!({"id": "x", "custom_id": "i", "error": null, "response":
            {"status_code": 200, "request_id": "r", "body": {"choices": [choice], "usage": {"prompt_tokens": 9}}}});
        let good = read(good).unwrap();
        let answer = good.outcome.unwrap();
        assert_eq!((good.id.as_str(), answer.text.as_str()), ("i", "A"));
        assert_eq!(
            (answer.usage.prompt, answer.request_id.as_deref()),
            (Some(9), Some("r"))
        );
        let class = |json: Json| read(json).unwrap().outcome.unwrap_err().class;
        let failed = |status: u16, code: &str| {
            let body = json!({"error": {"message": "m", "code": code}});
            json!({"custom_id": "i", "response": {"status_code": status, "body": body}})
        };
        assert_eq!(
            class(failed(400, "context_length_exceeded")),
            Class::TooLong
        );
        for (status, code) in [(401, "x"), (404, "x"), (429, "insufficient_quota")] {
            assert_eq!(class(failed(status, code)), Class::Request, "{status}");
        }
        let late = json!({"custom_id": "i", "response": null, "error": {"code": "batch_expired", "message": "late"}});
        let failure = read(late).unwrap().outcome.unwrap_err();
        assert_eq!(failure.message, "batch_expired: late");
        assert!(
            read(json!({"response": {}}))
                .unwrap_err()
                .contains("custom_id")
        );
        assert!(endpoint.batch_answer(b"{").is_err());
    }
}
