//! Converts the requests of one sample to a record.

use serde_json::Value as Json;

use super::run_folders::Specification;
use super::stats::{Key, SampleScores, named};
use crate::inspect::first_line;
use crate::json;
use record::{Choice, Content, ImageRef, Labels, REPEAT, Record, Rule, Target, Value};

/// Tag that marks a correct reference.
const CORRECT: &str = "correct";
/// Condition that distinguishes perturbed samples from the original samples.
const PERTURBATION: &str = "perturbation";
/// Tags for the split of the data set.
const SPLITS: [&str; 2] = ["split", "sub_split"];

/// Requests for one sample. There are several if each reference was a separate request.
#[derive(Debug)]
pub struct Sample {
    /// Line of the first request.
    pub line: u64,
    pub key: Key,
    state: Json,
    /// Error message of the first failed request.
    pub failure: Option<String>,
}

/// An answer option or accepted answer.
struct Reference {
    text: String,
    is_correct: bool,
}

impl Sample {
    /// Parses a request as the first request of a sample.
    ///
    /// # Errors
    /// If it is not JSON, or has no instance with an id.
    pub fn new(text: &[u8], line: u64) -> Result<Self, String> {
        let state = json::parse(text, line)?;
        let instance = state.get("instance").ok_or("`instance` is missing")?;
        let key = Key::new(&state, instance, "id").ok_or("`instance.id` is missing")?;
        let failure = failure(&state);
        Ok(Self {
            line,
            key,
            state,
            failure,
        })
    }

    /// True if the two requests belong to one sample, and each is about a separate reference.
    pub fn is_same(&self, other: &Self) -> bool {
        self.key == other.key && self.is_of_reference() && other.is_of_reference()
    }

    /// True if the request is about a single reference.
    fn is_of_reference(&self) -> bool {
        let index = self.state.get("reference_index");
        index.is_some_and(Json::is_number)
    }

    fn instance(&self) -> &Json {
        self.state.get("instance").unwrap_or(&Json::Null)
    }

    fn references(&self) -> Vec<Reference> {
        let references = self.instance().get("references").and_then(Json::as_array);
        let reference = |reference: &Json| {
            let tags = reference.get("tags").and_then(Json::as_array);
            Reference {
                text: text(reference.get("output")),
                is_correct: tags.is_some_and(|tags| tags.iter().any(|tag| tag == CORRECT)),
            }
        };
        references.into_iter().flatten().map(reference).collect()
    }

    /// Returns the options with their letters. If each reference was a separate request, the
    /// references are the options; otherwise, the options come from the prompt.
    fn choices(&self, references: &[Reference]) -> Vec<Choice> {
        if let Some(mapping) = self.mapping() {
            let choice = |(letter, text): (&String, &Json)| Choice {
                letter: letter.clone(),
                text: json::plain(text),
            };
            return mapping.iter().map(choice).collect();
        }
        let are_requests = self.is_of_reference();
        let listed = references.iter().filter(|_| are_requests).enumerate();
        listed
            .map(|(at, reference)| Choice {
                letter: Choice::letters(at),
                text: reference.text.clone(),
            })
            .collect()
    }

    fn mapping(&self) -> Option<&serde_json::Map<String, Json>> {
        let mapping = self.state.get("output_mapping")?.as_object()?;
        (!mapping.is_empty()).then_some(mapping)
    }

    fn content(&self) -> Content {
        let instance = self.instance();
        let references = self.references();
        let mut choices = self.choices(&references);
        let golds: Vec<&str> = (references.iter())
            .filter(|reference| reference.is_correct)
            .map(|reference| reference.text.as_str())
            .collect();
        let option = |gold: &str| choices.iter().find(|choice| choice.text == gold);
        let target = match golds.as_slice() {
            [] => None,
            [gold] => Some(match option(gold) {
                Some(option) => Target::Text(option.letter.clone()),
                None => json::target(gold, &choices),
            }),
            golds => serde_json::to_string(golds).ok().map(Target::Text),
        };
        if golds.len() > 1 {
            choices.clear();
        }
        let input = instance.get("input");
        let media = input.and_then(|input| input.pointer("/multimedia_content/media_objects"));
        let media: Vec<&Json> = media
            .and_then(Json::as_array)
            .into_iter()
            .flatten()
            .collect();
        let texts = media
            .iter()
            .filter_map(|part| part.get("text")?.as_str().map(str::to_owned));
        let question: Vec<String> = std::iter::once(text(input)).chain(texts).collect();
        let question = question
            .iter()
            .map(String::as_str)
            .filter(|text| !text.trim().is_empty());
        let mut tags = json::tags(instance.get("extra_data").unwrap_or(&Json::Null));
        for name in SPLITS {
            if let Some(split) = instance.get(name).and_then(Json::as_str) {
                tags.insert(name.to_owned(), split.into());
            }
        }
        Content {
            question: question.collect::<Vec<_>>().join("\n"),
            target,
            choices,
            images: media.iter().filter_map(|part| image(part)).collect(),
            tags,
            ..Content::default()
        }
    }

    /// Returns the model's answer. `None` if a request failed, or if each reference was a separate
    /// request and the preferred one, with the index `predicted`, is unknown.
    fn response(&self, predicted: Option<usize>) -> Option<String> {
        if self.failure.is_some() {
            return None;
        }
        if self.is_of_reference() {
            let reference = predicted.and_then(|at| self.references().into_iter().nth(at));
            return reference.map(|reference| reference.text);
        }
        let completion = self.state.pointer("/result/completions/0/text");
        Some(
            completion
                .and_then(Json::as_str)
                .unwrap_or_default()
                .to_owned(),
        )
    }

    /// Returns the record of the sample; `usual` is the metric of a sample without scores.
    pub fn record(
        &self,
        specification: &Specification,
        scores: Option<&SampleScores>,
        usual: Option<&str>,
    ) -> Record {
        let response = self.response(scores.and_then(|scores| scores.predicted));
        let change = self.key.change();
        let known = scores.iter().flat_map(|scores| &scores.metrics);
        let mut known = known.map(|(metric, score)| (named(metric, change), *score));
        let (metric, stored) = known.next().unzip();
        let lacks_scores = metric.is_none() && usual.is_some();
        let has_no_score = self.failure.is_some() || lacks_scores;
        let has_mapping = self.mapping().is_some();
        let parsed = response.as_deref().filter(|_| has_mapping);
        Record {
            benchmark: specification.benchmark().to_owned(),
            ability: specification.ability(),
            sample_id: self.key.id.clone(),
            model: specification.model().to_owned(),
            condition: self.condition(specification),
            content: self.content(),
            parsed: parsed.map(|text| text.trim().to_owned()),
            response,
            finish_reason: json::finish_reason(
                self.state
                    .pointer("/result/completions/0/finish_reason/reason"),
            ),
            metric: metric.or_else(|| Some(named(usual?, change))),
            // HELM scores failed requests as wrong answers.
            stored: if has_no_score { Some(f64::NAN) } else { stored },
            beside: if has_no_score {
                Vec::new()
            } else {
                known.collect()
            },
            rule: Rule::Stored,
            ..Record::default()
        }
    }

    fn condition(&self, specification: &Specification) -> Labels {
        let mut condition = Labels::new();
        if !self.key.perturbation.is_empty() {
            let change = self.key.perturbation.as_str();
            condition.insert(PERTURBATION.to_owned(), change.into());
        }
        if specification.has_trials() || self.key.trial > 0 {
            #[expect(clippy::cast_precision_loss, reason = "no run has 2^53 trials")]
            let trial = Value::Number((self.key.trial.saturating_add(1)) as f64);
            condition.insert(REPEAT.to_owned(), trial);
        }
        condition
    }
}

/// Returns the error message of a failed request.
fn failure(state: &Json) -> Option<String> {
    let Some(result) = state.get("result").filter(|result| result.is_object()) else {
        return Some("the request has no result".to_owned());
    };
    let is_failed = result.get("success").and_then(Json::as_bool) == Some(false);
    // HELM scores an answer that a filter blocked as an empty answer.
    let is_fatal = result
        .pointer("/error_flags/is_fatal")
        .and_then(Json::as_bool);
    let is_failed = is_failed && is_fatal != Some(false);
    let why = result
        .get("error")
        .and_then(Json::as_str)
        .unwrap_or("no reason given");
    is_failed.then(|| format!("the request failed: {}", first_line(why)))
}

/// Returns the text of an input or output. In old versions, the part itself is a string.
fn text(part: Option<&Json>) -> String {
    let text = part.map(|part| part.get("text").unwrap_or(part));
    text.and_then(Json::as_str).unwrap_or_default().to_owned()
}

/// Returns the picture of a media object.
fn image(part: &Json) -> Option<ImageRef> {
    let kind = part.get("content_type")?.as_str()?;
    let place = part.get("location").and_then(Json::as_str);
    kind.starts_with("image").then(|| place.map(json::image))?
}
