//! Ticked values of the form, whose combinations run in parallel.

use ask::{Protocol, Temperature};

use super::field::FormField;
use super::state::LiveView;

/// Ticked values. For a field without ticks, the form's value is used.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TickedValues {
    /// Endpoints, each with its model; an empty model means the endpoint's default.
    pub models: Vec<(String, String)>,
    /// Protocols as text.
    pub protocols: Vec<String>,
    /// Sampling temperatures.
    pub temperatures: Vec<Temperature>,
}

/// One combination of model, protocol and temperature.
#[derive(Clone, Debug, PartialEq)]
pub struct Combination {
    /// Name of the endpoint.
    pub endpoint: String,
    /// Model; empty for the endpoint's default.
    pub model: String,
    /// Protocol as text.
    pub protocol: String,
    /// Sampling temperature.
    pub temperature: Temperature,
}

/// Adds a value, or removes it if present.
fn toggle<T: PartialEq>(list: &mut Vec<T>, value: T) {
    match list.iter().position(|known| *known == value) {
        Some(at) => drop(list.remove(at)),
        None => list.push(value),
    }
}

/// Returns the ticked values. Without ticks, returns the form's value.
fn or_own<T: Clone>(list: &[T], own: T) -> Vec<T> {
    match list {
        [] => vec![own],
        list => list.to_vec(),
    }
}

impl LiveView {
    /// Toggles the tick on the value under the cursor. Returns false if the field has no ticks.
    pub fn tick(&mut self) -> bool {
        if self.exam.is_some() {
            return false;
        }
        let ticked = &mut self.ticked;
        match self.field {
            FormField::Endpoint | FormField::Model => {
                toggle(
                    &mut ticked.models,
                    (self.endpoint.clone(), self.model.clone()),
                );
            }
            FormField::Protocol | FormField::Words => {
                toggle(&mut ticked.protocols, self.protocol.clone());
            }
            FormField::Temperature => toggle(&mut ticked.temperatures, self.temperature),
            FormField::Questions
            | FormField::Samples
            | FormField::Against
            | FormField::Turning
            | FormField::Controls
            | FormField::UntilClear
            | FormField::System
            | FormField::Tokens
            | FormField::Seed
            | FormField::Stored
            | FormField::Failed => return false,
        }
        true
    }

    /// Returns true if two columns will stop once it is clear which one is better.
    pub fn stops_when_clear(&self) -> bool {
        self.until_clear && self.combinations().len() == 2
    }

    /// Returns all combinations of ticked endpoints, protocols and temperatures.
    pub fn combinations(&self) -> Vec<Combination> {
        let own = (self.endpoint.clone(), self.model.clone());
        let mut combinations = Vec::new();
        for (endpoint, model) in or_own(&self.ticked.models, own) {
            for protocol in or_own(&self.ticked.protocols, self.protocol.clone()) {
                for temperature in or_own(&self.ticked.temperatures, self.temperature) {
                    combinations.push(Combination {
                        endpoint: endpoint.clone(),
                        model: model.clone(),
                        protocol: protocol.clone(),
                        temperature,
                    });
                }
            }
        }
        combinations
    }

    /// Parses a protocol. The protocol `prompt` uses the form's wordings.
    ///
    /// # Errors
    /// The protocol or a wording is invalid; the text is a message for the user.
    pub fn protocol_of(&self, text: &str) -> Result<Protocol, String> {
        Self {
            protocol: text.to_owned(),
            words: self.words.clone(),
            ..Self::default()
        }
        .protocol()
    }

    /// Returns the ticked values of a field as text; `None` without ticks.
    pub fn ticked_words(&self, field: FormField) -> Option<String> {
        let names: Vec<String> = match field {
            FormField::Endpoint => {
                let models = self.ticked.models.iter();
                models
                    .map(|(endpoint, model)| match model.as_str() {
                        "" => endpoint.clone(),
                        model => format!("{endpoint} {model}"),
                    })
                    .collect()
            }
            FormField::Protocol => self.ticked.protocols.clone(),
            FormField::Temperature => {
                let temperatures = self.ticked.temperatures.iter();
                temperatures.map(|known| words(*known)).collect()
            }
            _ => Vec::new(),
        };
        let is_ticked = match field {
            FormField::Endpoint => {
                let own = (self.endpoint.clone(), self.model.clone());
                self.ticked.models.contains(&own)
            }
            FormField::Protocol => self.ticked.protocols.contains(&self.protocol),
            _ => self.ticked.temperatures.contains(&self.temperature),
        };
        // If the field has ticks, a value without a tick is not run.
        let own = if is_ticked { "" } else { "not asked; only " };
        (!names.is_empty()).then(|| format!("{own}✓ {}", names.join(", ")))
    }
}

/// Formats a temperature: `default`, `none` or a number.
pub fn words(temperature: Temperature) -> String {
    match temperature {
        Temperature::Usual => "default".to_owned(),
        Temperature::Unsent => "none".to_owned(),
        Temperature::At(temperature) => temperature.to_string(),
    }
}
