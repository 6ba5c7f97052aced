//! Converts a row of the details to records.

use crate::tabular::Batch;
use serde_json::Value as Json;

use super::read::Details;
use crate::data_url::picture;
use crate::decompression_budget::DecompressionBudget;
use crate::json;
use crate::lm_eval::number;
use crate::taskit::python;
use record::{Choice, Content, Direction, ImageRef, Labels, REPEAT, Record, Rule, Target, Value};

/// Condition that distinguishes the answers to one sample if a task uses several sampling methods.
const SAMPLING: &str = "sampling";
/// Name that lighteval uses for sampling by likelihood.
const LOGPROBS: &str = "LOGPROBS";

/// Arrangement of the columns in details.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Nested columns `doc`, `metric` and `model_response`.
    Nested,
    /// One column per field, as in versions before 0.10.
    Flat,
}

impl Layout {
    /// Names of columns that can contain the scores of a row.
    pub const METRICS: [&str; 2] = ["metric", "metrics"];

    /// Returns the layout of a table with these columns; `None` if the table does not contain
    /// details.
    pub fn of(columns: &[String]) -> Option<Self> {
        let has = |name: &str| columns.iter().any(|column| column == name);
        if ["doc", "metric", "model_response"].into_iter().all(has) {
            return Some(Self::Nested);
        }
        let is_flat =
            has("metrics") && has("predictions") && (has("full_prompt") || has("example"));
        is_flat.then_some(Self::Flat)
    }

    /// True for a column that is read.
    pub fn is_read(name: &str) -> bool {
        let columns = [
            "doc",
            "metric",
            "model_response",
            "example",
            "full_prompt",
            "choices",
            "gold",
            "gold_index",
            "metrics",
            "predictions",
            "specifics",
        ];
        columns.contains(&name)
    }
}

/// One row of a part.
pub struct Row<'a> {
    pub batch: &'a Batch,
    pub row: usize,
}

/// The model's answers to one sample.
struct Answers {
    texts: Vec<String>,
    /// Answers without the reasoning, if they differ from `texts`.
    parsed: Vec<String>,
    /// Sampling method of the row, if the task uses several.
    sampling: Option<&'static str>,
}

impl Row<'_> {
    /// Returns the value at a path; null if it is missing. lighteval stores values that it cannot
    /// nest as texts in Python's notation; they are parsed.
    fn get(&self, path: &[&str]) -> Result<Json, String> {
        let read = |path: &[&str]| {
            self.batch
                .value(self.row, path)
                .map_err(|error| error.to_string())
        };
        let mut found = read(path)?;
        let mut rest: &[&str] = &[];
        if found.is_none() {
            (found, rest) = (read(&path[..1])?, &path[1..]);
        }
        let mut found = found.unwrap_or_default();
        if let Some(text) = found
            .as_str()
            .filter(|text| text.starts_with(['{', '[', '(']))
        {
            found = python::parse(text).unwrap_or(found);
        }
        let found = rest.iter().try_fold(&found, |value, name| value.get(name));
        Ok(found.cloned().unwrap_or_default())
    }

    fn layout(&self) -> Layout {
        Layout::of(self.batch.names()).unwrap_or(Layout::Flat)
    }

    /// Returns the scores of the row by metric; `None` if they are missing or unreadable.
    pub fn metrics(&self) -> Option<Json> {
        let values = Layout::METRICS.iter().map(|name| self.get(&[name]).ok());
        values.flatten().find(|value| !value.is_null())
    }

    /// Returns the records of the row, one per answer. Only the first record has the score, which
    /// belongs to the whole sample.
    ///
    /// # Errors
    /// If a column cannot be read, or the row contains no sample.
    pub fn records(
        &self,
        details: &Details<'_>,
        budget: &mut DecompressionBudget,
        line: u64,
    ) -> Result<Vec<Record>, String> {
        let metrics = self.metrics().unwrap_or_default();
        let (mut content, choices) = self.content()?;
        let answers = self.answers(&choices)?;
        if content.question.is_empty() && metrics.is_null() && answers.texts.is_empty() {
            return Err("no question, answer or score: not a sample".to_owned());
        }
        content.images = self.images()?;
        let size = content.images.iter().map(size).sum::<usize>() + content.question.len();
        budget.charge(size + answers.texts.iter().map(String::len).sum::<usize>())?;
        let found = scores(&metrics);
        let known = details.metrics.iter();
        let known = known.filter_map(|name| found.iter().find(|(found, _)| found == name).cloned());
        let mut known: Vec<(String, f64)> = known.collect();
        let first = (!known.is_empty()).then(|| known.remove(0));
        let metric = first
            .as_ref()
            .map(|(name, _)| name)
            .or(details.metrics.first());
        let [benchmark, ability] = details.task.name.labels();
        let higher = metric.and_then(|name| details.task.higher(name));
        let record = Record {
            benchmark: benchmark.to_owned(),
            ability: ability.to_owned(),
            sample_id: self.id(line)?,
            model: details.model().to_owned(),
            condition: (answers.sampling.iter())
                .map(|method| (SAMPLING.to_owned(), Value::from(*method)))
                .collect::<Labels>(),
            content,
            metric: metric.cloned(),
            direction: higher.map(Direction::from_higher),
            stored: first.map(|(_, score)| score),
            beside: known,
            rule: Rule::Stored,
            ..Record::default()
        };
        Ok(repeated(&record, &answers))
    }

    /// Returns the number of the sample in the split, or else the number of the row, counted from
    /// 0.
    fn id(&self, line: u64) -> Result<String, String> {
        let id = json::plain(&self.get(&["doc", "id"])?);
        let is_known = !matches!(id.as_str(), "" | "null");
        Ok(if is_known { id } else { (line - 1).to_string() })
    }

    /// Returns the content of the sample without pictures, and the texts of its options.
    fn content(&self) -> Result<(Content, Vec<String>), String> {
        let of = |nested: &'static str, flat: &'static str| match self.layout() {
            Layout::Nested => self.get(&["doc", nested]),
            Layout::Flat => self.get(&[flat]),
        };
        let mut question = of("query", "example")?;
        if question.as_str().is_none_or(str::is_empty) {
            question = of("query", "full_prompt")?;
        }
        let choices = texts(&of("choices", "choices")?);
        let places = of("gold_index", "gold_index")?;
        let places: Vec<Json> = match places {
            Json::Array(places) => places,
            place => vec![place],
        };
        let places: Vec<usize> = (places.iter())
            .filter_map(place)
            .filter(|place| *place < choices.len())
            .collect();
        let mut golds: Vec<String> = places.iter().map(|&place| choices[place].clone()).collect();
        if golds.is_empty() {
            golds = texts(&of("gold", "gold")?);
        }
        let is_choice = choices.len() > 1 && places.len() == 1;
        let options = choices.iter().filter(|_| is_choice).enumerate();
        let options: Vec<Choice> = options.map(|(at, text)| option(at, text)).collect();
        let target = match (golds.as_slice(), places.first()) {
            ([], _) => None,
            (_, Some(&place)) if is_choice => Some(Target::Text(Choice::letters(place))),
            ([gold], _) => Some(json::target(gold.trim(), &[])),
            (golds, _) => serde_json::to_string(golds).ok().map(Target::Text),
        };
        let content = Content {
            question: question.as_str().unwrap_or_default().to_owned(),
            choices: options,
            target,
            tags: json::tags(&of("specific", "specifics")?),
            ..Content::default()
        };
        Ok((content, choices))
    }

    fn images(&self) -> Result<Vec<ImageRef>, String> {
        let bytes = self.batch.bytes(self.row, &["doc", "images", "bytes"]);
        let bytes = bytes.map_err(|error| error.to_string())?;
        if !bytes.is_empty() {
            return Ok(bytes.iter().map(|bytes| picture(bytes)).collect());
        }
        let images = self.get(&["doc", "images"])?;
        let images = images.as_array().into_iter().flatten();
        let paths = images.filter_map(|image| image.get("path").unwrap_or(image).as_str());
        Ok(paths.map(json::image).collect())
    }

    fn answers(&self, choices: &[String]) -> Result<Answers, String> {
        if self.layout() == Layout::Flat {
            let predictions = self.get(&["predictions"])?;
            let likely = likely(&numbers(&predictions), choices);
            return Ok(Answers {
                texts: likely.map_or_else(|| texts(&predictions), |text| vec![text]),
                parsed: Vec::new(),
                sampling: None,
            });
        }
        let response = |name: &str| self.get(&["model_response", name]);
        let methods = texts(&self.get(&["doc", "sampling_methods"])?);
        let all = texts(&response("text")?);
        let numbers = numbers(&response("logprobs")?);
        let is_likely = methods.is_empty() || methods.iter().any(|method| method == LOGPROBS);
        let is_single = !numbers.is_empty() && numbers.len() == choices.len();
        let likely = (is_likely && is_single)
            .then(|| likely(&numbers, choices))
            .flatten();
        let sampling = if likely.is_some() {
            LOGPROBS
        } else {
            "GENERATIVE"
        };
        let (texts, parsed) = match likely {
            Some(text) => (vec![text], Vec::new()),
            None => (all, texts(&response("text_post_processed")?)),
        };
        Ok(Answers {
            parsed: if parsed == texts { Vec::new() } else { parsed },
            texts,
            sampling: (methods.len() > 1).then_some(sampling),
        })
    }
}

/// Returns one record per answer, or one record if there are no answers.
fn repeated(record: &Record, answers: &Answers) -> Vec<Record> {
    let count = answers.texts.len().max(1);
    let repeat = |at: usize| {
        let mut own = record.clone();
        own.response = Some(answers.texts.get(at).cloned().unwrap_or_default());
        own.parsed = answers.parsed.get(at).cloned();
        if count > 1 {
            #[expect(clippy::cast_precision_loss, reason = "no sample has 2^53 answers")]
            let number = Value::Number((at + 1) as f64);
            own.condition.insert(REPEAT.to_owned(), number);
        }
        if at > 0 {
            own.stored = None;
            own.beside.clear();
        }
        own
    };
    (0..count).map(repeat).collect()
}

/// Converts an index, which can be written as a float.
fn place(value: &Json) -> Option<usize> {
    format!("{}", value.as_f64()?).parse().ok()
}

/// Returns the length of a picture's text in bytes; 0 if the text is in a cell of a file.
fn size(image: &ImageRef) -> usize {
    match image {
        ImageRef::Inline(text) | ImageRef::Path(text) | ImageRef::Url(text) => text.len(),
        ImageRef::Cell { .. } => 0,
    }
}

fn option(at: usize, text: &str) -> Choice {
    Choice {
        letter: Choice::letters(at),
        text: text.trim().to_owned(),
    }
}

/// Returns the option with the highest likelihood; of several, the first one (like `argmax`).
/// `None` if the numbers of likelihoods and options differ.
fn likely(numbers: &[f64], choices: &[String]) -> Option<String> {
    let pairs = numbers.iter().zip(choices).rev();
    let best = pairs
        .max_by(|a, b| a.0.total_cmp(b.0))
        .map(|(_, text)| text.trim());
    best.filter(|_| numbers.len() == choices.len())
        .map(str::to_owned)
}

/// Returns the likelihoods in a list. Its elements are numbers, or pairs of a likelihood and a flag
/// `is_greedy`.
fn numbers(list: &Json) -> Vec<f64> {
    let list = list.as_array().into_iter().flatten();
    let number = |value: &Json| value.get(0).unwrap_or(value).as_f64();
    let numbers: Option<Vec<f64>> = list.map(number).collect();
    numbers.unwrap_or_default()
}

/// Collects all texts and numbers in nested lists.
fn texts(value: &Json) -> Vec<String> {
    match value {
        Json::String(text) => vec![text.clone()],
        Json::Array(values) => values.iter().flat_map(texts).collect(),
        Json::Number(number) => vec![number.to_string()],
        _ => Vec::new(),
    }
}

/// Returns the numeric metrics of a row; booleans become 0 or 1. Other values are used only in
/// aggregates over all rows.
pub fn scores(metrics: &Json) -> Vec<(String, f64)> {
    let members = metrics.as_object().into_iter().flatten();
    let score = |(name, value): (&String, &Json)| Some((name.clone(), number(value)?));
    members.filter_map(score).collect()
}
