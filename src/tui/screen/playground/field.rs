//! Fields of the playground's form, and their values.

use serde_json::{Map, Value as Json};

use ask::worker::ModelChoice;
use ask::{PictureEdit, TurnWords, registered_models};

use super::state::{AnswerStage, PlaygroundModel, PlaygroundView};
use crate::screen::part::next;

base::named_enum! {
    /// A field of the form.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum EditField {
        /// Text of the question.
        #[default]
        Words = "words",
        /// System prompt.
        System = "system",
        /// Edits of the picture.
        Picture = "picture",
        /// Sampling temperature.
        Temperature = "temperature",
        /// Maximum number of tokens in an answer.
        Tokens = "tokens",
        /// Sampling seed.
        Seed = "seed",
        /// Stop sequences.
        Stop = "stop",
        /// Additional fields of the request.
        Extra = "extra body",
        /// Whether to request log probabilities.
        Logprobs = "log probs",
        /// Whether direction words are changed to fit the rotated picture.
        Turning = "turned words",
        /// Models to ask.
        Models = "asks",
    }
}

/// Temperatures that the form cycles through; `None` means the default.
const TEMPERATURES: [Option<f64>; 4] = [None, Some(0.0), Some(0.7), Some(1.0)];
/// Maximum number of models that are asked at the same time.
const MOST_MODELS: usize = 8;

impl EditField {
    /// Returns the field with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.name() == name)
    }

    /// Returns true if the field's text can have several lines.
    pub const fn is_long(self) -> bool {
        matches!(self, Self::Words | Self::System)
    }
}

impl PlaygroundView {
    /// Returns the value of a field as text. For the question, returns the text to send.
    pub fn value(&self, field: EditField) -> String {
        let edited = &self.edited;
        let number = |value: Option<String>| value.unwrap_or_default();
        let preview = self.preview.as_ref();
        let question = preview.and_then(|preview| preview.question.as_ref().ok());
        match field {
            EditField::Words => question.map_or_else(String::new, |asked| asked.words.clone()),
            EditField::System => {
                let sent = question.and_then(|asked| asked.system.clone());
                edited.system.clone().or(sent).unwrap_or_default()
            }
            EditField::Picture => {
                let edits: Vec<String> = edited.edits.iter().map(ToString::to_string).collect();
                edits.join("; ")
            }
            EditField::Temperature => number(edited.temperature.map(|value| value.to_string())),
            EditField::Tokens => number(edited.max_tokens.map(|value| value.to_string())),
            EditField::Seed => number(edited.seed.map(|value| value.to_string())),
            EditField::Stop => {
                // Format the texts as JSON, because a stop sequence can be a line break.
                let texts = edited
                    .stop
                    .iter()
                    .map(|text| Json::from(text.as_str()).to_string());
                texts.collect::<Vec<_>>().join(", ")
            }
            EditField::Extra if edited.extra.is_empty() => String::new(),
            EditField::Extra => Json::Object(edited.extra.clone()).to_string(),
            EditField::Logprobs => if edited.logprobs { "yes" } else { "no" }.to_owned(),
            EditField::Turning => match self.turn_words {
                TurnWords::On => "turn",
                TurnWords::Off => "keep",
            }
            .to_owned(),
            EditField::Models => {
                let models = self.models.iter().map(|model| match &model.asked {
                    ModelChoice { endpoint, model } if model.is_empty() => endpoint.clone(),
                    ModelChoice { endpoint, model } => format!("{endpoint} {model}"),
                });
                models.collect::<Vec<_>>().join(", ")
            }
        }
    }

    /// Returns true if a field differs from the log.
    pub fn is_edited(&self, field: EditField) -> bool {
        let edited = &self.edited;
        match field {
            EditField::Words => edited.words.is_some(),
            EditField::System => edited.system.is_some(),
            EditField::Picture => !edited.edits.is_empty(),
            EditField::Temperature => edited.temperature.is_some(),
            EditField::Tokens => edited.max_tokens.is_some(),
            EditField::Seed => edited.seed.is_some(),
            EditField::Stop => !edited.stop.is_empty(),
            EditField::Extra => !edited.extra.is_empty(),
            EditField::Logprobs => edited.logprobs,
            EditField::Turning => self.turn_words == TurnWords::Off,
            EditField::Models => false,
        }
    }

    /// Parses and sets the value of a field.
    ///
    /// # Errors
    /// The value is invalid; the text is a message for the user.
    pub fn set(&mut self, field: EditField, text: &str) -> Result<(), String> {
        let trimmed = text.trim();
        match field {
            EditField::Words => self.set_words(text)?,
            EditField::System => self.edited.system = Some(text.to_owned()),
            EditField::Picture => {
                self.edited.edits = PictureEdit::list(text).map_err(|error| error.to_string())?;
            }
            EditField::Temperature => {
                let in_range = |value: &f64| (0.0..=2.0).contains(value);
                self.edited.temperature =
                    number(trimmed, "temperature", "a number from 0 to 2", in_range)?;
            }
            EditField::Tokens => {
                self.edited.max_tokens =
                    number(trimmed, "tokens", "a whole number above 0", |most| {
                        *most > 0
                    })?;
            }
            EditField::Seed => {
                self.edited.seed = number(trimmed, "seed", "a whole number", |_| true)?;
            }
            EditField::Stop => self.edited.stop = stops(trimmed)?,
            EditField::Extra => self.edited.extra = extra(trimmed)?,
            EditField::Models => self.set_models(trimmed)?,
            EditField::Logprobs | EditField::Turning => {}
        }
        Ok(())
    }

    /// Restores a field to the log's value. For the picture, removes only the last edit. Returns
    /// true if the field was edited.
    pub fn restore(&mut self, field: EditField) -> bool {
        let is_edited = self.is_edited(field);
        let edited = &mut self.edited;
        match field {
            EditField::Words => edited.words = None,
            EditField::System => edited.system = None,
            EditField::Temperature => edited.temperature = None,
            EditField::Tokens => edited.max_tokens = None,
            EditField::Seed => edited.seed = None,
            EditField::Stop => edited.stop.clear(),
            EditField::Extra => edited.extra.clear(),
            EditField::Logprobs => edited.logprobs = false,
            EditField::Turning => self.turn_words = TurnWords::On,
            EditField::Picture | EditField::Models => return false,
        }
        is_edited
    }

    /// Sets the question's text. An empty or unchanged text restores the question of the log.
    fn set_words(&mut self, text: &str) -> Result<(), String> {
        let preview = self.preview.as_ref();
        let asked = preview.and_then(|preview| preview.question.as_ref().ok());
        if text.trim().is_empty() {
            self.edited.words = None;
            return Ok(());
        }
        let Some(asked) = asked else {
            return Err("the question cannot be asked, so its words cannot be changed".to_owned());
        };
        if asked.words == text {
            return Ok(());
        }
        let content = asked.content.clone();
        let taken = self.edited.set_prompt(text, &content);
        taken.map_err(|error| error.to_string())
    }

    fn set_models(&mut self, text: &str) -> Result<(), String> {
        let parts = text
            .split(',')
            .map(str::trim)
            .filter(|part| !part.is_empty());
        let asked = parts.map(|part| {
            let (endpoint, model) = part.split_once(char::is_whitespace).unwrap_or((part, ""));
            ModelChoice {
                endpoint: endpoint.to_owned(),
                model: model.trim().to_owned(),
            }
        });
        let asked: Vec<ModelChoice> = asked.collect();
        if asked.is_empty() || asked.len() > MOST_MODELS {
            return Err(
                "asks: enter one to eight endpoints, such as `lab, lab other-model, builtin:hog`"
                    .to_owned(),
            );
        }
        self.ask_of(asked);
        Ok(())
    }

    /// Selects the models to ask. Existing answers become earlier answers.
    pub(super) fn ask_of(&mut self, asked: Vec<ModelChoice>) {
        self.keep_answers();
        let new = |asked| PlaygroundModel {
            asked,
            stage: AnswerStage::Idle,
        };
        self.models = asked.into_iter().map(new).collect();
    }

    /// Changes a field to its next or previous value. Returns true if this changes the question.
    pub fn turn(&mut self, field: EditField, step: isize) -> bool {
        match field {
            EditField::Temperature => {
                let own = self.edited.temperature;
                self.edited.temperature =
                    next(&TEMPERATURES, |known| *known == own, step).flatten();
            }
            EditField::Tokens => {
                let most = self.edited.max_tokens.unwrap_or(ask::MAX_TOKENS);
                let more = most.saturating_mul(2).min(1 << 20);
                self.edited.max_tokens = Some(if step > 0 { more } else { (most / 2).max(1) });
            }
            EditField::Seed => {
                let seed = self.edited.seed;
                self.edited.seed = match (seed, step > 0) {
                    (None, _) => Some(0),
                    (Some(0), false) => None,
                    (Some(seed), true) => Some(seed.saturating_add(1)),
                    (Some(seed), false) => Some(seed - 1),
                };
            }
            EditField::Logprobs => self.edited.logprobs = !self.edited.logprobs,
            EditField::Turning => {
                self.turn_words = match self.turn_words {
                    TurnWords::On => TurnWords::Off,
                    TurnWords::Off => TurnWords::On,
                };
            }
            EditField::Models => return self.turn_endpoint(step),
            EditField::Words
            | EditField::System
            | EditField::Picture
            | EditField::Stop
            | EditField::Extra => {
                return false;
            }
        }
        true
    }

    /// Switches to the next endpoint, if only one model is asked.
    fn turn_endpoint(&mut self, step: isize) -> bool {
        let [only] = self.models.as_slice() else {
            return false;
        };
        let names: Vec<String> = self
            .endpoints
            .keys()
            .cloned()
            .chain(self.offered.iter().map(|model| model.endpoint.clone()))
            .chain(registered_models())
            .collect();
        let own = &only.asked.endpoint;
        let Some(endpoint) = next(&names, |name| name == own, step) else {
            return false;
        };
        let known = self.endpoints.get(&endpoint);
        let offered = || {
            let mut offered = self.offered.iter();
            Some(
                offered
                    .find(|model| model.endpoint == endpoint)?
                    .model
                    .clone(),
            )
        };
        let model = known.map_or_else(offered, |known| known.model.clone());
        let model = model.unwrap_or_default();
        self.ask_of(vec![ModelChoice { endpoint, model }]);
        true
    }
}

/// Parses a number. Returns `None` for an empty text.
fn number<T: std::str::FromStr>(
    text: &str,
    name: &str,
    what: &str,
    is_right: impl Fn(&T) -> bool,
) -> Result<Option<T>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    let value = text.parse().ok().filter(is_right);
    value
        .map(Some)
        .ok_or_else(|| format!("{name}: enter {what}"))
}

/// Parses stop sequences: JSON strings, or one plain text.
fn stops(text: &str) -> Result<Vec<String>, String> {
    if text.is_empty() {
        return Ok(Vec::new());
    }
    if !text.starts_with('"') && !text.starts_with('[') {
        return Ok(vec![text.to_owned()]);
    }
    let list = text.trim_start_matches('[').trim_end_matches(']');
    serde_json::from_str(&format!("[{list}]"))
        .map_err(|_| r#"stop: enter texts such as "\n", "Answer:""#.to_owned())
}

fn extra(text: &str) -> Result<Map<String, Json>, String> {
    if text.is_empty() {
        return Ok(Map::new());
    }
    serde_json::from_str(text)
        .map_err(|error| format!(r#"extra body: enter JSON such as {{"top_k": 1}}: {error}"#))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_is_taken_and_shown_again() {
        let mut view = PlaygroundView::default();
        for (field, text) in [
            (EditField::Picture, "turn 90; mask 0 0 0.5 0.5"),
            (EditField::Temperature, "0.7"),
            (EditField::Tokens, "64"),
            (EditField::Seed, "3"),
            (EditField::Stop, r#""\n", "Answer:""#),
            (EditField::Extra, r#"{"top_k":1}"#),
            (
                EditField::Models,
                "lab, lab big, http://127.0.0.1:1/v1 small",
            ),
        ] {
            view.set(field, text).unwrap();
            assert_eq!(view.value(field), text, "{field:?}");
        }
        assert_eq!(view.edited.stop, ["\n", "Answer:"]);
        assert_eq!(
            (view.models.len(), view.models[1].asked.model.as_str()),
            (3, "big")
        );
        for field in [
            EditField::Temperature,
            EditField::Tokens,
            EditField::Seed,
            EditField::Stop,
            EditField::Extra,
        ] {
            view.set(field, "").unwrap();
            assert!(!view.is_edited(field), "{field:?}");
        }
    }

    #[test]
    fn what_is_wrong_is_said_and_changes_nothing() {
        let mut view = PlaygroundView::default();
        for (field, text) in [
            (EditField::Picture, "swirl"),
            (EditField::Temperature, "hot"),
            (EditField::Temperature, "3"),
            (EditField::Tokens, "0"),
            (EditField::Seed, "-1"),
            (EditField::Stop, r#""a" "b""#),
            (EditField::Extra, "top_k=1"),
            (EditField::Extra, "[1]"),
            (EditField::Models, " , "),
        ] {
            assert!(view.set(field, text).is_err(), "{field:?} {text}");
            assert!(!view.is_edited(field), "{field:?}");
        }
    }

    #[test]
    fn a_row_goes_back_to_what_the_log_has() {
        let mut view = PlaygroundView::default();
        view.set(EditField::System, "Be brief.").unwrap();
        view.set(EditField::Picture, "blank").unwrap();
        assert!(view.restore(EditField::System) && !view.is_edited(EditField::System));
        assert!(!view.restore(EditField::System) && !view.restore(EditField::Picture));
        assert!(view.is_edited(EditField::Picture));
    }

    #[test]
    fn names_lead_back() {
        for field in EditField::ALL {
            assert_eq!(EditField::named(field.name()), Some(field));
        }
    }
}
