//! What a run cost: the tokens that its log counts, and the dollars where prices are known.

use std::collections::BTreeMap;

use config::{Price, Prices};
use record::{Published, Table};

/// What one model cost in one ability.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cost {
    /// Benchmark name.
    pub benchmark: String,
    /// Ability name.
    pub ability: String,
    /// Model name.
    pub model: String,
    /// Samples that were asked; 0 where a paper does not say.
    pub n: u64,
    /// Prompt tokens of the whole run.
    pub prompt: Option<f64>,
    /// Completion tokens of the whole run.
    pub completion: Option<f64>,
    /// US dollars, by the prices or as a paper prints them.
    pub usd: Option<f64>,
}

/// What each model cost in each ability, whatever a filter leaves out: logs count the tokens of whole runs.
#[must_use]
pub fn costs(table: &Table, prices: &Prices) -> Vec<Cost> {
    let mut found: BTreeMap<[&str; 3], Cost> = BTreeMap::new();
    for row in table.published() {
        let Some(amount) = amount(row) else { continue };
        let cost = found
            .entry([&row.benchmark, &row.ability, &row.model])
            .or_insert_with(|| Cost {
                benchmark: row.benchmark.clone(),
                ability: row.ability.clone(),
                model: row.model.clone(),
                n: row.n,
                ..Cost::default()
            });
        *amount(cost) = Some(row.score);
    }
    let mut costs: Vec<Cost> = found.into_values().collect();
    for cost in &mut costs {
        cost.usd = cost.usd.or_else(|| cost.by(prices));
    }
    costs
}

/// Which amount of a cost a printed number is; `None` for other metrics.
fn amount(row: &Published) -> Option<fn(&mut Cost) -> &mut Option<f64>> {
    Some(match row.metric.as_str() {
        "prompt_tokens" => |cost| &mut cost.prompt,
        "completion_tokens" => |cost| &mut cost.completion,
        "cost_usd" => |cost| &mut cost.usd,
        _ => return None,
    })
}

impl Cost {
    /// Dollars by the price of the model of the same name.
    fn by(&self, prices: &Prices) -> Option<f64> {
        Some(Price::of(prices, &self.model)?.cost(self.prompt?, self.completion?))
    }

    /// Dollars for a thousand samples.
    #[must_use]
    pub fn usd_per_thousand(&self) -> Option<f64> {
        let n = u32::try_from(self.n).ok().filter(|n| *n > 0)?;
        Some(self.usd? * 1000.0 / f64::from(n))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::TableBuilder;

    fn table(rows: &[(&str, &str, f64)]) -> Table {
        let mut builder = TableBuilder::default();
        for (model, metric, score) in rows {
            builder.publish(Published {
                model: (*model).to_owned(),
                metric: (*metric).to_owned(),
                score: *score,
                n: 20,
                ..Published::default()
            });
        }
        builder.finish()
    }

    #[test]
    fn tokens_cost_what_their_model_s_price_says() {
        let table = table(&[
            ("gpt-4o", "prompt_tokens", 2e6),
            ("gpt-4o", "completion_tokens", 1e5),
            ("gpt-4o-mini", "prompt_tokens", 2e6),
            ("gpt-4o-mini", "completion_tokens", 1e5),
            ("printed", "cost_usd", 7.5),
            ("printed", "accuracy", 0.5),
        ]);
        let price = Price {
            input: 2.5,
            output: 10.0,
        };
        let costs = costs(&table, &Prices::from([("GPT-4o".to_owned(), price)]));
        let told: Vec<_> = costs
            .iter()
            .map(|cost| (cost.model.as_str(), cost.usd))
            .collect();
        assert_eq!(
            told,
            [
                ("gpt-4o", Some(6.0)),
                ("gpt-4o-mini", None),
                ("printed", Some(7.5))
            ]
        );
        assert_eq!(costs[0].usd_per_thousand(), Some(300.0));
        assert_eq!(
            (costs[1].prompt, costs[1].completion),
            (Some(2e6), Some(1e5))
        );
    }

    #[test]
    fn half_of_the_tokens_has_no_price() {
        let table = table(&[("m", "prompt_tokens", 5.0)]);
        let price = Price {
            input: 1.0,
            output: 1.0,
        };
        let costs = costs(&table, &Prices::from([("m".to_owned(), price)]));
        assert_eq!((costs[0].usd, costs[0].usd_per_thousand()), (None, None));
    }
}
