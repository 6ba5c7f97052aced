//! Token prices by model or by endpoint.

use std::collections::BTreeMap;

use serde::Deserialize;

/// Number of tokens that a price refers to.
const MILLION: f64 = 1e6;

/// The price of a model's tokens: `{input, output}` or `[input, output]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(from = "PriceFormat")]
pub struct Price {
    /// Price per million prompt tokens, in US dollars or the user's currency.
    pub input: f64,
    /// Price per million completion tokens, in the same currency.
    pub output: f64,
}

/// Prices by model name.
pub type Prices = BTreeMap<String, Price>;

/// Notations of a price in the config file.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "a price is { input, output } or [input, output]"
)]
enum PriceFormat {
    Pair([f64; 2]),
    Named(NamedPrice),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NamedPrice {
    input: f64,
    output: f64,
}

impl From<PriceFormat> for Price {
    fn from(spelled: PriceFormat) -> Self {
        let (PriceFormat::Pair([input, output]) | PriceFormat::Named(NamedPrice { input, output })) =
            spelled;
        Self { input, output }
    }
}

impl Price {
    /// Looks up the price of a model, ignoring case.
    pub fn of(prices: &Prices, model: &str) -> Option<Self> {
        let is_named = |(name, _): &(&String, _)| name.eq_ignore_ascii_case(model);
        prices.iter().find(is_named).map(|(_, price)| *price)
    }

    /// Returns the cost of the given numbers of prompt and completion tokens.
    pub fn cost(self, prompt: f64, completion: f64) -> f64 {
        (prompt * self.input + completion * self.output) / MILLION
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_price_is_found_in_either_spelling() {
        let text = "'GPT-4o' = {input = 2.5, output = 10.0}\nlab = [0.1, 0.4]";
        let prices: Prices = toml::from_str(text).unwrap();
        let cost = |model| Some(Price::of(&prices, model)?.cost(2e6, 1e6));
        assert_eq!(cost("gpt-4o"), Some(15.0));
        assert_eq!(cost("lab"), Some(0.6));
        assert_eq!(cost("other"), None);
    }

    #[test]
    fn what_is_no_price_is_said_in_words() {
        let error = toml::from_str::<Prices>("lab = {in = 1.0}").unwrap_err();
        assert!(error.to_string().contains("a price is"), "{error}");
    }
}
