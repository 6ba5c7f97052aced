//! Converts one answer to a record.

use hashbrown::HashMap;
use serde_json::{Map, Value as Json};

use super::content::Test;
use crate::lm_eval::category;
use crate::{Context, Unit, json};
use record::{Direction, Labels, REPEAT, Record, Rule, Value};

/// Condition that contains the label of the prompt.
const PROMPT: &str = "prompt";
/// Headline metric: 1 if all assertions are met, else 0.
const PASS: &str = "pass";
/// Metric of the weighted mean of the assertions.
const SCORE: &str = "score";
/// Metadata key, and tag, with the ability of a sample.
const ABILITY: &str = "ability";
/// Value of `failureReason` that stands for an error. The value 0 stands for no failure, 1 for a
/// failed assertion.
const ERROR: u64 = 2;
/// Maximum length of a prompt's label, in characters.
const LONGEST_LABEL: usize = 60;
const LONGEST_ERROR: usize = 300;
/// Number of hexadecimal digits in a hash.
const HASH: usize = 12;

/// Assigns sample ids and repeat numbers in a log. Results do not contain test ids, and positions
/// change with `--filter-*` and `--repeat`. Tests are therefore identified by their description and
/// variables.
#[derive(Debug, Default)]
pub struct Samples {
    /// For each description, a hash of the variables with which it first occurred.
    described: HashMap<String, String>,
    /// Number of answers so far, by sample, model and prompt.
    answers: HashMap<[String; 3], u64>,
    /// Numbers of the evaluation's columns, by model and prompt.
    columns: HashMap<[String; 2], Vec<u64>>,
}

impl Samples {
    fn id(&mut self, row: &Row, vars: &Map<String, Json>) -> String {
        let hash = hash(vars);
        let description = row.text("/testCase/description").trim();
        if description.is_empty() {
            let place = row.get("/testIdx").as_u64().filter(|_| vars.is_empty());
            return place.map_or(hash, |place| place.to_string());
        }
        let known = self.described.entry(description.to_owned());
        if *known.or_insert_with(|| hash.clone()) == hash {
            description.to_owned()
        } else {
            format!("{description} #{hash}")
        }
    }

    /// Returns the name of a model. If several columns have the same model and prompt, a number is
    /// added from the second column on. The same provider can be configured in several ways.
    pub fn model(&mut self, model: &str, prompt: &str, column: Option<u64>) -> String {
        let Some(column) = column else {
            return model.to_owned();
        };
        let known = self.columns.entry([model.to_owned(), prompt.to_owned()]);
        let known = known.or_default();
        let at = known.iter().position(|known| *known == column);
        let at = at.unwrap_or_else(|| {
            known.push(column);
            known.len() - 1
        });
        match at {
            0 => model.to_owned(),
            at => format!("{model} #{}", at + 1),
        }
    }

    /// Returns the number of an answer among all answers with the same key, counted from 1.
    fn repeat(&mut self, key: [String; 3]) -> u64 {
        let count = self.answers.entry(key).or_default();
        *count += 1;
        *count
    }
}

/// Returns a hash of the variables. Their order and empty variables do not change it.
fn hash(vars: &Map<String, Json>) -> String {
    let mut members: Vec<(&String, String)> = vars
        .iter()
        .filter(|(name, value)| !name.starts_with('_') && !value.is_null())
        .map(|(name, value)| (name, json::plain(value)))
        .filter(|(_, text)| !text.is_empty())
        .collect();
    members.sort();
    let mut hasher = blake3::Hasher::new();
    for text in members.iter().flat_map(|(name, text)| [*name, text]) {
        hasher.update(text.as_bytes()).update(&[0]);
    }
    let mut hash = hasher.finalize().to_hex().to_string();
    hash.truncate(HASH);
    hash
}

/// Returns the label of a prompt on one line. A long label is shortened; a hash is added to keep it
/// unique.
pub fn label(text: &str) -> String {
    let short = base::format::first_words(text, LONGEST_LABEL);
    if !short.ends_with('…') || text.ends_with('…') {
        return short;
    }
    let mut hash = blake3::hash(text.as_bytes()).to_hex().to_string();
    hash.truncate(HASH / 2);
    format!("{short} #{hash}")
}

/// One answer, as JSON.
#[derive(Debug)]
pub struct Row(pub Json);

impl Row {
    fn get(&self, pointer: &str) -> &Json {
        self.0.pointer(pointer).unwrap_or(&Json::Null)
    }

    fn text(&self, pointer: &str) -> &str {
        self.get(pointer).as_str().unwrap_or_default()
    }

    /// Returns the first text that is not empty at one of these JSON pointers.
    fn first(&self, pointers: &[&str]) -> Option<&str> {
        let mut texts = pointers.iter().map(|pointer| self.text(pointer));
        texts.find(|text| !text.is_empty())
    }

    /// Returns the error message of a failed request or grading. The member `error` is not enough,
    /// because it is also set if an assertion fails.
    pub fn failure(&self) -> Option<String> {
        let error = [self.get("/response/error"), self.get("/error")];
        let error = error.into_iter().find(|error| !error.is_null());
        let has_failed = match self.get("/failureReason").as_u64() {
            _ if self.get("/success").as_bool() == Some(true) => false,
            Some(ERROR) => true,
            _ if !self.get("/response/error").is_null() => true,
            Some(_) => false,
            // Versions without `failureReason`.
            None => {
                let is_ungraded = self.get("/gradingResult").is_null();
                error.is_some() && is_ungraded && self.get("/response/output").is_null()
            }
        };
        let first = error.map(json::plain).unwrap_or_default();
        let first = first.lines().next().unwrap_or_default();
        let first = if first.is_empty() {
            "no reason given"
        } else {
            first
        };
        has_failed.then(|| base::format::first_words(first, LONGEST_ERROR))
    }

    /// Returns the record of the answer.
    ///
    /// # Errors
    /// If the answer has no provider, variables or result.
    pub fn record(
        &self,
        unit: &Unit,
        context: &Context,
        samples: &mut Samples,
    ) -> Result<Record, String> {
        let model = self.first(&["/provider/label", "/provider/id", "/provider"]);
        let model = model.ok_or("`provider` is missing")?;
        let empty = Map::new();
        let vars = match self.get("/vars") {
            Json::Object(vars) => vars,
            Json::Null => self.get("/testCase/vars").as_object().unwrap_or(&empty),
            _ => return Err("`vars` is not an object".to_owned()),
        };
        let pass = self.get("/success").as_bool();
        let pass = pass.ok_or("no result: `success` is neither true nor false")?;
        let has_failed = self.failure().is_some();
        let prompt = self.first(&["/prompt/label", "/prompt/display", "/promptId"]);
        let prompt = label(prompt.unwrap_or_default());
        let model = samples.model(model, &prompt, self.get("/promptIdx").as_u64());
        let sample_id = samples.id(self, vars);
        let counted = samples.repeat([sample_id.clone(), model.clone(), prompt.clone()]);
        let metadata = match self.get("/testCase/metadata") {
            Json::Null => self.get("/metadata"),
            metadata => metadata,
        };
        let asked = Test {
            vars,
            metadata,
            assertions: self.get("/testCase/assert"),
            prompt: self.text("/prompt/raw"),
        }
        .content();
        let dataset = unit.dataset.as_deref().unwrap_or_default();
        let tagged = context.tagged_ability(&asked.tags);
        let own = asked.tags.get(ABILITY).map(ToString::to_string);
        let ability = tagged
            .or(own)
            .or_else(|| category::of(metadata))
            .or_else(|| category::of(self.get("/vars")))
            .unwrap_or_else(|| context.named_ability().unwrap_or(dataset).to_owned());
        Ok(Record {
            benchmark: dataset.to_owned(),
            ability,
            sample_id,
            model,
            condition: self.condition(prompt, counted),
            content: asked,
            response: self.response(has_failed),
            finish_reason: json::finish_reason(Some(self.get("/response/finishReason"))),
            metric: Some(PASS.to_owned()),
            direction: Some(Direction::Higher),
            stored: Some(if has_failed {
                f64::NAN
            } else {
                f64::from(u8::from(pass))
            }),
            beside: if has_failed {
                Vec::new()
            } else {
                self.other_scores()
            },
            rule: Rule::Stored,
            ..Record::default()
        })
    }

    fn condition(&self, prompt: String, counted: u64) -> Labels {
        let stated = [self.get("/repeatIndex"), self.get("/vars/__repeatIndex")];
        let stated = stated.into_iter().find_map(Json::as_u64);
        let repeat = stated.map_or(counted, |index| index.saturating_add(1));
        let repeat = u32::try_from(repeat).unwrap_or(u32::MAX);
        let mut condition = Labels::from([(REPEAT.to_owned(), f64::from(repeat).into())]);
        if !prompt.is_empty() {
            condition.insert(PROMPT.to_owned(), Value::Text(prompt));
        }
        condition
    }

    fn response(&self, has_failed: bool) -> Option<String> {
        match self.get("/response/output") {
            Json::Null if has_failed || self.get("/response").is_null() => None,
            Json::Null => Some(String::new()),
            output => Some(json::plain(output)),
        }
    }

    /// Returns the additional scores: the weighted mean of the assertions, and the named metrics.
    fn other_scores(&self) -> Vec<(String, f64)> {
        let score = self.get("/score").as_f64();
        let mut found: Vec<(String, f64)> = Vec::new();
        found.extend(score.map(|score| (SCORE.to_owned(), score)));
        let named = self.get("/namedScores").as_object();
        for (name, value) in named.into_iter().flatten() {
            if let Some(value) = value.as_f64().filter(|_| name != PASS && name != SCORE) {
                found.push((name.clone(), value));
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::label;

    #[test]
    fn long_labels_of_prompts_stay_apart() {
        let long = "Look at the picture and answer the question with a single letter, ".repeat(3);
        let [one, other] = ["A.", "B."].map(|end| label(&format!("{long}{end}")));
        assert_ne!(one, other);
        assert!(one.chars().count() < 80 && !one.contains('\n'));
        assert_eq!(label("short\nlabel"), "short label");
    }
}
