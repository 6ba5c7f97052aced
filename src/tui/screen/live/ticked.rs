//! Values of the form that are ticked: all of them are asked side by side.

use rerun::{Protocol, Temperature};

use super::field::Field;
use super::state::LiveView;

/// What is ticked; of what is not, the form's own value counts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ticked {
    /// Endpoints, each with its model; an empty one: the endpoint's own.
    pub models: Vec<(String, String)>,
    /// Protocols.
    pub protocols: Vec<String>,
    /// Temperatures.
    pub temperatures: Vec<Temperature>,
}

/// One way of asking one model.
#[derive(Clone, Debug, PartialEq)]
pub struct Way {
    /// The endpoint.
    pub endpoint: String,
    /// The model; empty: the endpoint's own.
    pub model: String,
    /// The protocol's text.
    pub protocol: String,
    /// The temperature.
    pub temperature: Temperature,
}

/// Takes a value in, or out if it is in.
fn toggle<T: PartialEq>(list: &mut Vec<T>, value: T) {
    match list.iter().position(|known| *known == value) {
        Some(at) => drop(list.remove(at)),
        None => list.push(value),
    }
}

/// What is ticked, else the one value of the form.
fn or_own<T: Clone>(list: &[T], own: T) -> Vec<T> {
    match list {
        [] => vec![own],
        list => list.to_vec(),
    }
}

impl LiveView {
    /// Ticks the value of the row under the cursor, or takes the tick away; returns false where nothing can be ticked.
    pub fn tick(&mut self) -> bool {
        let ticked = &mut self.ticked;
        match self.field {
            Field::Endpoint | Field::Model => {
                toggle(
                    &mut ticked.models,
                    (self.endpoint.clone(), self.model.clone()),
                );
            }
            Field::Protocol | Field::Words => toggle(&mut ticked.protocols, self.protocol.clone()),
            Field::Temperature => toggle(&mut ticked.temperatures, self.temperature),
            Field::Samples
            | Field::Against
            | Field::Turning
            | Field::Controls
            | Field::Stored
            | Field::Failed => return false,
        }
        true
    }

    /// Everything that is asked: each ticked endpoint with each ticked protocol at each ticked temperature.
    pub fn ways(&self) -> Vec<Way> {
        let own = (self.endpoint.clone(), self.model.clone());
        let mut ways = Vec::new();
        for (endpoint, model) in or_own(&self.ticked.models, own) {
            for protocol in or_own(&self.ticked.protocols, self.protocol.clone()) {
                for temperature in or_own(&self.ticked.temperatures, self.temperature) {
                    ways.push(Way {
                        endpoint: endpoint.clone(),
                        model: model.clone(),
                        protocol: protocol.clone(),
                        temperature,
                    });
                }
            }
        }
        ways
    }

    /// The protocol of a text, which may stand for the words of the form.
    ///
    /// # Errors
    /// One sentence.
    pub fn protocol_of(&self, text: &str) -> Result<Protocol, String> {
        Self {
            protocol: text.to_owned(),
            words: self.words.clone(),
            ..Self::default()
        }
        .protocol()
    }

    /// What is ticked in a row, as it is shown; nothing where no value is.
    pub fn ticked_words(&self, field: Field) -> Option<String> {
        let names: Vec<String> = match field {
            Field::Endpoint => {
                let models = self.ticked.models.iter();
                models
                    .map(|(endpoint, model)| match model.as_str() {
                        "" => endpoint.clone(),
                        model => format!("{endpoint} {model}"),
                    })
                    .collect()
            }
            Field::Protocol => self.ticked.protocols.clone(),
            Field::Temperature => {
                let temperatures = self.ticked.temperatures.iter();
                temperatures.map(|known| words(*known)).collect()
            }
            _ => Vec::new(),
        };
        let is_ticked = match field {
            Field::Endpoint => {
                let own = (self.endpoint.clone(), self.model.clone());
                self.ticked.models.contains(&own)
            }
            Field::Protocol => self.ticked.protocols.contains(&self.protocol),
            _ => self.ticked.temperatures.contains(&self.temperature),
        };
        // What is in sight is asked only if it is ticked, where anything is.
        let own = if is_ticked { "" } else { "not this, but " };
        (!names.is_empty()).then(|| format!("{own}✓ {}", names.join(", ")))
    }
}

/// A temperature as it is shown.
pub fn words(temperature: Temperature) -> String {
    match temperature {
        Temperature::Usual => "default".to_owned(),
        Temperature::Unsent => "none".to_owned(),
        Temperature::At(temperature) => temperature.to_string(),
    }
}
