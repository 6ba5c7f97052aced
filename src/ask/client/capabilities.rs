//! Finds out what a server supports, by asking it small questions.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::answer::Answer;
use super::class::Class;
use super::endpoint::Endpoint;
use super::failure::Failure;
use super::news::RequestEvent;
use super::picture::Picture;
use super::quirks::RefusedField;
use super::request::{Part, Request, Sampling, Schema, Turn};

/// Token limit of an answer; enough for a model that reasons first.
const ROOM: u32 = 1_000;
/// Token limit of a question of which only the prompt tokens are used. Some servers refuse less.
const SHORT: u32 = 16;
/// Question without a picture that every model can answer.
const PLAIN: &str = "Is fire hot? Answer yes or no.";
/// Maximum time for a question, with all attempts.
const PATIENCE: Duration = Duration::from_mins(1);
/// Shortest wait for a rate limit that is reported.
const LONG: Duration = Duration::from_secs(1);
/// Number of alternatives to each token.
const ALTERNATIVES: u32 = 5;

/// Features that a server supports, judged by its answers to small questions.
#[derive(Debug)]
pub struct Capabilities {
    /// Answer to a plain question, with temperature 0 and a seed.
    pub plain: Answer,
    /// Duration of the plain question.
    pub took: Duration,
    /// Answer to the question for the colour of the first picture.
    pub color: Result<Answer, Failure>,
    /// Size in pixels and prompt tokens of each picture; `None` without an answer or a count. Empty
    /// if the server refuses pictures.
    pub pictures: Vec<((u32, u32), Option<u64>)>,
    /// Answer to a question with a JSON schema.
    pub schema: Result<Answer, Failure>,
    /// Answer to a question with log probabilities.
    pub logprobs: Result<Answer, Failure>,
    /// Answer to a question with low reasoning effort.
    pub effort: Result<Answer, Failure>,
    /// Names of the questions that were not answered in time.
    pub unanswered: Vec<&'static str>,
    /// Request fields that the server refuses.
    pub refused: Vec<RefusedField>,
    /// Number of requests sent, including failed ones.
    pub requests: u64,
    /// Prompt and completion tokens of the answers, as far as the server reports them.
    pub tokens: [u64; 2],
}

impl Capabilities {
    /// Returns true if the answer to the question with a schema fits the schema.
    pub fn keeps_schema(&self) -> bool {
        let answer = self.schema.as_ref().ok();
        let json = answer.and_then(|answer| serde_json::from_str::<Json>(&answer.text).ok());
        json.is_some_and(|json| json == json!({"answer": "yes"}) || json == json!({"answer": "no"}))
    }

    /// Returns true if an answer came with its reasoning.
    pub fn returns_reasoning(&self) -> bool {
        let others = [&self.color, &self.schema, &self.logprobs, &self.effort];
        let others = others
            .into_iter()
            .filter_map(|outcome| outcome.as_ref().ok());
        let mut answers = others.chain([&self.plain]);
        answers.any(|answer| !answer.reasoning.trim().is_empty())
    }
}

/// A series of small questions, with their cost.
struct Interview<'a> {
    endpoint: &'a Endpoint,
    model: &'a str,
    refused: Mutex<Vec<RefusedField>>,
    unanswered: Vec<&'static str>,
    requests: u64,
    tokens: [u64; 2],
}

impl Interview<'_> {
    /// Returns a question with at most one picture, at a token limit.
    fn request(&self, words: &str, picture: Option<&Arc<Picture>>, most: u32) -> Request {
        let picture = picture.map(|picture| Part::Picture(Arc::clone(picture)));
        let parts = picture.into_iter().chain([Part::Text(words.to_owned())]);
        Request {
            model: self.model.to_owned(),
            system: None,
            turns: vec![Turn::user(parts.collect())],
            sampling: Sampling {
                max_tokens: Some(most),
                ..Sampling::default()
            },
            schema: None,
        }
    }

    /// Asks a question; its name is remembered if there is no answer in time.
    async fn ask(&mut self, name: &'static str, request: Request) -> Result<Answer, Failure> {
        let last = Mutex::new(String::new());
        let on_news = |news: RequestEvent| match news {
            RequestEvent::Dropped(field) => locked(&self.refused).push(field),
            RequestEvent::Tried(attempt) => {
                let words = attempt
                    .failure
                    .map(|(_, words)| format!("; last attempt: {words}"));
                *locked(&last) = words.unwrap_or_default();
            }
            RequestEvent::Waits(wait, Class::Rate) if wait >= LONG => {
                let seconds = wait.as_secs();
                *locked(&last) = format!("; rate limit: the next attempt in {seconds} s");
            }
            _ => {}
        };
        let cancel = CancellationToken::new();
        let patience = PATIENCE.min(self.endpoint.limits().whole);
        let asked = timeout(patience, self.endpoint.ask(&request, &cancel, &on_news)).await;
        let in_time = asked.map(|asked| (asked.outcome, asked.attempts));
        let (outcome, attempts) = in_time.unwrap_or_else(|_| {
            let words = format!("no answer in time{}", locked(&last));
            (Err(Failure::new(Class::Time, words)), 1)
        });
        self.requests += u64::from(attempts);
        match &outcome {
            Ok(answer) => {
                self.tokens[0] += answer.usage.prompt.unwrap_or_default();
                self.tokens[1] += answer.usage.completion.unwrap_or_default();
            }
            Err(failure) if failure.class == Class::Time && !self.unanswered.contains(&name) => {
                self.unanswered.push(name);
            }
            Err(_) => {}
        }
        outcome
    }

    /// Returns size and prompt tokens of each picture, without the tokens of the text.
    async fn costs(&mut self, pictures: &[Arc<Picture>]) -> Vec<((u32, u32), Option<u64>)> {
        let words = self.prompt_tokens(None).await;
        let mut costs = Vec::new();
        for picture in pictures {
            let all = self.prompt_tokens(Some(picture)).await;
            let own = all.zip(words).map(|(all, words)| all.saturating_sub(words));
            costs.push((picture.size, own));
        }
        costs
    }

    async fn prompt_tokens(&mut self, picture: Option<&Arc<Picture>>) -> Option<u64> {
        let request = self.request("Yes?", picture, SHORT);
        self.ask("picture cost", request).await.ok()?.usage.prompt
    }

    async fn with_logprobs(&mut self) -> Result<Answer, Failure> {
        let mut request = self.request(PLAIN, None, ROOM);
        let extra = &mut request.sampling.extra;
        extra.insert("logprobs".to_owned(), json!(true));
        extra.insert("top_logprobs".to_owned(), json!(ALTERNATIVES));
        self.ask("log probs", request).await
    }
}

impl Endpoint {
    /// Asks small questions to find out what the server supports. The first of the pictures, all
    /// of one colour, is also asked for its colour.
    ///
    /// # Errors
    /// The server does not answer the first, plain question.
    pub async fn capabilities(
        &self,
        model: &str,
        pictures: &[Arc<Picture>],
    ) -> Result<Capabilities, Failure> {
        let mut interview = Interview {
            endpoint: self,
            model,
            refused: Mutex::default(),
            unanswered: Vec::new(),
            requests: 0,
            tokens: [0, 0],
        };
        let begun = Instant::now();
        let mut request = interview.request(PLAIN, None, ROOM);
        (request.sampling.temperature, request.sampling.seed) = (Some(0.0), Some(1));
        let plain = interview.ask("answer", request).await?;
        let took = begun.elapsed();
        let words = "Which colour is this picture? Answer with one word.";
        let request = interview.request(words, pictures.first(), ROOM);
        let color = interview.ask("pictures", request).await;
        // A server that refuses one picture would refuse all.
        let costs = match &color {
            Ok(_) => interview.costs(pictures).await,
            Err(_) => Vec::new(),
        };
        let mut request = interview.request("Is fire hot?", None, ROOM);
        request.schema = Some(yes_or_no());
        let schema = interview.ask("schema", request).await;
        let logprobs = interview.with_logprobs().await;
        let mut request = interview.request(PLAIN, None, ROOM);
        request.sampling.effort = Some("low".to_owned());
        let effort = interview.ask("reasoning", request).await;
        let refused = interview.refused.into_inner();
        Ok(Capabilities {
            plain,
            took,
            color,
            pictures: costs,
            schema,
            logprobs,
            effort,
            unanswered: interview.unanswered,
            refused: refused.unwrap_or_else(PoisonError::into_inner),
            requests: interview.requests,
            tokens: interview.tokens,
        })
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns a schema that the answer to a plain question does not fit by chance.
fn yes_or_no() -> Schema {
    Schema {
        name: "answer",
        schema: json!({
            "type": "object",
            "properties": {"answer": {"type": "string", "enum": ["yes", "no"]}},
            "required": ["answer"],
            "additionalProperties": false,
        }),
    }
}
