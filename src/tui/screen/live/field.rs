//! Fields of the live view's form, and their values.

use ask::{ExamSet, Temperature, TurnWords, local_models};

use super::state::{LiveStage, LiveView};
use super::ticked::words;
use crate::screen::part::next;

/// A field of the form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FormField {
    /// Server or encoder to ask.
    #[default]
    Endpoint,
    /// Name of the model.
    Model,
    /// Source of the questions: the log or an exam.
    Questions,
    /// Protocol of the rerun.
    Protocol,
    /// Wordings, for the protocol `prompt`.
    Words,
    /// Sampling temperature.
    Temperature,
    /// Maximum number of samples.
    Samples,
    /// Model in the log to compare with.
    Against,
    /// Whether direction words are changed to fit rotated pictures, for the protocol `rotational`.
    Turning,
    /// Whether to add samples that are right in the log, if the filter selects samples by their
    /// outcome.
    Controls,
    /// Whether two ticked combinations stop once it is clear which one is better.
    UntilClear,
    /// System prompt.
    System,
    /// Maximum number of tokens in an answer.
    Tokens,
    /// Sampling seed.
    Seed,
    /// Whether to reuse answers of earlier runs.
    Stored,
    /// Whether to repeat failed requests.
    Failed,
}

/// Protocols that the form cycles through.
pub const PROTOCOLS: [&str; 18] = [
    "vanilla",
    "rotational",
    "twin",
    "blind",
    "boxes",
    "no-boxes",
    "crop",
    "repeat:5",
    "effort:low,high",
    "self-check",
    "votes:5",
    "chain:classify",
    "chain:detect",
    "chain:segment",
    "chain:group",
    "chain:depth",
    "chain:normals",
    "prompt",
];
/// Name of the log's questions in the form.
const LOG: &str = "log";
/// Maximum number of questions per ability in an exam.
const MOST_EACH: usize = 10_000;
/// Temperatures that the form cycles through.
const TEMPERATURES: [Temperature; 5] = [
    Temperature::Usual,
    Temperature::At(0.0),
    Temperature::At(0.7),
    Temperature::At(1.0),
    Temperature::Unsent,
];

impl FormField {
    const FORM: [Self; 14] = [
        Self::Endpoint,
        Self::Model,
        Self::Questions,
        Self::Protocol,
        Self::Words,
        Self::Temperature,
        Self::Samples,
        Self::Controls,
        Self::UntilClear,
        Self::Against,
        Self::Turning,
        Self::System,
        Self::Tokens,
        Self::Seed,
    ];

    /// Returns the name on screen.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Endpoint => "endpoint",
            Self::Model => "model",
            Self::Questions => "questions",
            Self::Protocol => "protocol",
            Self::Words => "words",
            Self::Temperature => "temperature",
            Self::Samples => "samples",
            Self::Controls => "controls",
            Self::UntilClear => "until clear",
            Self::Against => "compare with",
            Self::Turning => "turned words",
            Self::System => "system",
            Self::Tokens => "tokens",
            Self::Seed => "seed",
            Self::Stored => "known answers",
            Self::Failed => "failed before",
        }
    }

    /// Returns the field with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::FORM.into_iter().find(|field| field.name() == name)
    }
}

impl LiveView {
    /// Returns the fields of the form. While the request count is shown, returns the fields to
    /// decide on before sending.
    pub fn fields(&self) -> Vec<FormField> {
        let has_words = self.protocol == "prompt";
        let mut ticked = self.ticked.protocols.iter();
        let turns = self.protocol == "rotational" || ticked.any(|name| name == "rotational");
        let form = FormField::FORM.into_iter().filter(|field| match field {
            FormField::Questions => !self.sets.is_empty() && self.row.is_none(),
            FormField::Endpoint
            | FormField::Model
            | FormField::Temperature
            | FormField::Samples
            | FormField::Tokens => true,
            // The set of an exam determines all other fields.
            _ if self.exam.is_some() => false,
            FormField::Words => has_words,
            FormField::Turning => turns,
            FormField::Controls => self.form_data.picked && self.row.is_none(),
            FormField::UntilClear => self.combinations().len() == 2 && self.row.is_none(),
            _ => true,
        });
        match &self.stage {
            LiveStage::Counted(counted) if counted.alone().is_some() => {
                let begun = counted.alone().and_then(|counted| counted.begun.as_ref());
                let form = form.filter(|_| begun.is_none());
                let stored = self.stage.has_stored().then_some(FormField::Stored);
                let has_failed = begun.is_some_and(|begun| begun.failed > 0);
                form.chain(stored)
                    .chain(has_failed.then_some(FormField::Failed))
                    .collect()
            }
            stage => form
                .chain(stage.has_stored().then_some(FormField::Stored))
                .collect(),
        }
    }

    /// Returns the value of a field as text that `set` can parse.
    pub fn value(&self, field: FormField) -> String {
        fn number(value: Option<impl ToString>) -> String {
            value.map_or_else(String::new, |value| value.to_string())
        }
        let yes = |is: bool, yes: &str, no: &str| if is { yes } else { no }.to_owned();
        match field {
            FormField::Endpoint => self.endpoint.clone(),
            FormField::Model => self.model.clone(),
            FormField::Protocol => self.protocol.clone(),
            FormField::Words => base::format::counted(self.words.len() as u64, "wording"),
            FormField::Temperature => words(self.temperature),
            FormField::Questions => self
                .exam
                .as_ref()
                .map_or_else(|| LOG.to_owned(), |exam| exam.set.clone()),
            FormField::Samples if let Some(exam) = &self.exam => exam.each.to_string(),
            FormField::Samples if self.row.is_some() => "1".to_owned(),
            FormField::Samples => self.limit.to_string(),
            FormField::Against => self.against.clone().unwrap_or_default(),
            FormField::Turning => yes(self.turn_words == TurnWords::On, "turn", "keep"),
            FormField::Controls => yes(self.controls, "as many right", "none"),
            FormField::UntilClear => yes(self.until_clear, "stop early", "ask all"),
            FormField::System => self.system.clone(),
            FormField::Tokens => number(self.max_tokens),
            FormField::Seed => number(self.seed),
            FormField::Stored => yes(self.choice.reuse, "use them", "ask again"),
            FormField::Failed => yes(self.choice.retry_failed, "ask again", "leave"),
        }
    }

    /// Parses a text and sets the value of a field. If the text is invalid, sets the error message.
    pub fn set(&mut self, field: FormField, text: &str) {
        let text = text.trim();
        match field {
            FormField::Endpoint => {
                text.clone_into(&mut self.endpoint);
                self.is_endpoint_chosen = true;
                self.model = self.model_of(text).unwrap_or_default();
            }
            FormField::Model => text.clone_into(&mut self.model),
            FormField::Protocol if text.is_empty() => {}
            FormField::Protocol => text.clone_into(&mut self.protocol),
            FormField::Temperature => match (text, text.parse()) {
                ("" | "default" | "usual", _) => self.temperature = Temperature::Usual,
                ("none", _) => self.temperature = Temperature::Unsent,
                (_, Ok(number)) if (0.0..=2.0).contains(&number) => {
                    self.temperature = Temperature::At(number);
                }
                _ => {
                    let what = "temperature: a number from 0 to 2, `default`, or `none` to leave it to the server";
                    self.trouble = Some(what.to_owned());
                }
            },
            FormField::Questions => {
                let set = self.sets.iter().find(|set| set.name == text).copied();
                if set.is_some() || text.is_empty() || text == LOG {
                    self.choose_exam(set);
                } else {
                    let sets = self.sets.iter().map(|set| set.name);
                    let sets: Vec<&str> = std::iter::once(LOG).chain(sets).collect();
                    self.trouble = Some(format!("questions: {}", sets.join(", ")));
                }
            }
            FormField::Samples => match (text.parse(), &mut self.exam) {
                (Ok(each @ 1..=MOST_EACH), Some(exam)) => exam.each = each,
                (Ok(limit @ 1..), None) => self.limit = limit,
                (_, Some(_)) => {
                    self.trouble = Some(format!("samples: enter a whole number, 1 to {MOST_EACH}"));
                }
                _ => self.trouble = Some("samples: enter a whole number above 0".to_owned()),
            },
            FormField::Against => {
                self.against = Some(text)
                    .filter(|text| !text.is_empty())
                    .map(str::to_owned);
            }
            FormField::System => text.clone_into(&mut self.system),
            FormField::Tokens => match text.parse() {
                Ok(most) if most > 0 => self.max_tokens = Some(most),
                _ if text.is_empty() => self.max_tokens = None,
                _ => self.trouble = Some("tokens: enter a whole number above 0".to_owned()),
            },
            FormField::Seed => match text.parse() {
                Ok(seed) => self.seed = Some(seed),
                Err(_) if text.is_empty() => self.seed = None,
                Err(_) => self.trouble = Some("seed: enter a whole number".to_owned()),
            },
            FormField::Words
            | FormField::Turning
            | FormField::Controls
            | FormField::UntilClear
            | FormField::Stored
            | FormField::Failed => {}
        }
    }

    /// Changes a field to its next or previous value. `models` are the models in the log.
    pub fn turn(&mut self, field: FormField, step: isize, models: &[String]) {
        match field {
            FormField::Endpoint => {
                let own = self.endpoints.keys().cloned();
                let offered = self.offered().into_iter().map(|model| model.endpoint);
                let mut names: Vec<String> = own.chain(offered).collect();
                let local = local_models().filter(|name| !names.contains(name));
                let local: Vec<String> = local.collect();
                names.extend(local);
                if let Some(next) = next(&names, |name| *name == self.endpoint, step) {
                    self.set(FormField::Endpoint, &next);
                }
            }
            FormField::Protocol => {
                // Each task of a chain counts as its own kind of protocol.
                let kind = |name: &str| {
                    let name = name.split(',').next().unwrap_or_default();
                    let is_chain = name.starts_with("chain:");
                    let kind = name.split(':').next().filter(|_| !is_chain);
                    Some(kind.unwrap_or(name).to_owned())
                };
                let own = kind(&self.protocol);
                let kept = self.kept.iter().map(String::as_str);
                let names: Vec<&str> = PROTOCOLS.into_iter().chain(kept).collect();
                let is_own = |name: &&str| {
                    *name == self.protocol || !name.starts_with("file:") && kind(name) == own
                };
                let next = next(&names, is_own, step);
                self.protocol = next.unwrap_or_default().to_owned();
            }
            FormField::Temperature => {
                let next = next(&TEMPERATURES, |known| *known == self.temperature, step);
                self.temperature = next.unwrap_or_default();
            }
            FormField::Questions => {
                let sets = self.sets.iter().copied().map(Some);
                let sets: Vec<Option<ExamSet>> = std::iter::once(None).chain(sets).collect();
                let own = self.exam_set().map(|(set, _)| set);
                self.choose_exam(next(&sets, |set| *set == own, step).flatten());
            }
            FormField::Samples if let Some(exam) = &mut self.exam => {
                let each = if step > 0 {
                    exam.each * 2
                } else {
                    exam.each / 2
                };
                exam.each = each.clamp(1, MOST_EACH);
            }
            FormField::Samples => self.limit = self.next_limit(step > 0),
            FormField::Against => {
                let names: Vec<Option<String>> = std::iter::once(None)
                    .chain(models.iter().cloned().map(Some))
                    .collect();
                self.against = next(&names, |name| *name == self.against, step).flatten();
            }
            FormField::Turning => {
                self.turn_words = match self.turn_words {
                    TurnWords::On => TurnWords::Off,
                    TurnWords::Off => TurnWords::On,
                };
            }
            FormField::Controls => self.controls = !self.controls,
            FormField::UntilClear => self.until_clear = !self.until_clear,
            FormField::Stored => self.choice.reuse = !self.choice.reuse,
            FormField::Failed => self.choice.retry_failed = !self.choice.retry_failed,
            FormField::Model => {
                let mut servers = self.servers.iter().flatten();
                let server = servers.find(|server| server.address == self.endpoint);
                let is_own = |name: &String| *name == self.model;
                if let Some(model) = server.and_then(|server| next(&server.models, is_own, step)) {
                    self.model = model;
                }
            }
            FormField::Words | FormField::System | FormField::Tokens | FormField::Seed => {}
        }
    }

    /// Doubles or halves the number of samples. The maximum is the number of available samples.
    fn next_limit(&self, more: bool) -> usize {
        let all = self.form_data.samples.max(1);
        match more {
            true if self.limit >= all => self.limit,
            true => (self.limit * 2).min(all),
            false => (self.limit.min(all) / 2).max(1),
        }
    }
}
