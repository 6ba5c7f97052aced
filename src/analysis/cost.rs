//! Computes the cost of a run: tokens from its log, for the whole run or by answer, and dollars
//! where prices are known.

use std::collections::BTreeMap;

use base::config::{Price, Prices};
use record::{PublishedScore, Table, Usage};

/// Cost of one model in one ability.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cost {
    /// Benchmark that the ability belongs to.
    pub benchmark: String,
    /// Ability whose samples the model answered.
    pub ability: String,
    /// Name of the model that was paid for.
    pub model: String,
    /// Number of samples requested; 0 if a paper does not print it.
    pub n: u64,
    /// Number of requests sent, including failed requests; `None` if the log has no count.
    pub requests: Option<u64>,
    /// Number of answers without a token count from the server; their cost is estimated from the
    /// other answers.
    pub uncounted: u64,
    /// Prompt tokens of the whole run; `None` if unknown.
    pub prompt: Option<f64>,
    /// Completion tokens of the whole run; `None` if unknown.
    pub completion: Option<f64>,
    /// US dollars, by the prices or as printed in a paper.
    pub usd: Option<f64>,
}

/// Returns the cost of each model in each ability; filters are ignored. Most logs contain the
/// tokens of the whole run. For reruns and exams, the tokens of the answers are summed unless a
/// total of the whole run exists.
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
    for cost in found.values_mut() {
        cost.usd = cost.usd.or_else(|| cost.by(prices));
    }
    for (key, spent) in spent(table) {
        let [benchmark, ability, model] = key.map(str::to_owned);
        found.entry(key).or_insert_with(|| Cost {
            benchmark,
            ability,
            ..spent.cost(model, prices)
        });
    }
    found.into_values().collect()
}

/// Usage of all answers of a model in an ability.
#[derive(Debug, Default)]
struct UsageTotals {
    answers: u64,
    requests: u64,
    /// Requested answers with a token count.
    counted: u64,
    /// Answers that were requested but have no token count.
    uncounted: u64,
    /// Prompt and completion tokens, grouped by the price at the time of the request. Each run has
    /// one price.
    tokens: Vec<(Option<[f64; 2]>, [u64; 2])>,
}

impl UsageTotals {
    fn add(&mut self, usage: Usage) {
        self.answers += 1;
        self.requests += u64::from(usage.requests);
        let Some(tokens) = usage.tokens else {
            self.uncounted += u64::from(usage.requests > 0);
            return;
        };
        self.counted += u64::from(usage.requests > 0);
        let tokens = tokens.map(u64::from);
        let mut known = self.tokens.iter_mut();
        match known.find(|(price, _)| *price == usage.price) {
            Some((_, [read, written])) => {
                *read += tokens[0];
                *written += tokens[1];
            }
            None => self.tokens.push((usage.price, tokens)),
        }
    }

    /// Sums the usage. Tokens without a recorded price are charged at the model's current price.
    fn cost(self, model: String, prices: &Prices) -> Cost {
        let is_counted = self.counted > 0;
        let sum = |kind: usize| self.tokens.iter().map(|(_, tokens)| tokens[kind]).sum();
        let now = Price::of(prices, &model);
        let usd = self.tokens.iter().map(|(then, [read, written])| {
            let then = then.map(|[input, output]| Price { input, output });
            Some(then.or(now)?.cost(real(*read), real(*written)))
        });
        let usd: Option<f64> = usd.sum();
        let all = real(self.counted + self.uncounted) / real(self.counted.max(1));
        Cost {
            model,
            n: self.answers,
            requests: Some(self.requests),
            uncounted: self.uncounted,
            prompt: is_counted.then(|| real(sum(0))),
            completion: is_counted.then(|| real(sum(1))),
            usd: usd.filter(|_| is_counted).map(|usd| usd * all),
            ..Cost::default()
        }
    }
}

/// Collects the usage from logs of reruns and exams, by benchmark, ability and model.
fn spent(table: &Table) -> BTreeMap<[&str; 3], UsageTotals> {
    let mut by_code: BTreeMap<(u16, u16), (record::Row, UsageTotals)> = BTreeMap::new();
    for (row, usage) in table.usages() {
        let ability = table.ability_of().get(table.item(row).0 as usize);
        let codes = (ability.copied().unwrap_or_default(), table.model(row).0);
        let (_, spent) = by_code
            .entry(codes)
            .or_insert_with(|| (row, UsageTotals::default()));
        spent.add(usage);
    }
    let named = by_code.into_values().filter_map(|(row, spent)| {
        let ability = table.ability(table.item(row))?;
        let model = table.names().model(table.model(row));
        Some(([&*ability.benchmark, &*ability.name, model], spent))
    });
    named.collect()
}

#[expect(clippy::cast_precision_loss, reason = "tokens of a run")]
const fn real(count: u64) -> f64 {
    count as f64
}

/// Returns the field of a cost that a printed metric fills; `None` for other metrics.
fn amount(row: &PublishedScore) -> Option<fn(&mut Cost) -> &mut Option<f64>> {
    Some(match row.metric.as_str() {
        "prompt_tokens" => |cost| &mut cost.prompt,
        "completion_tokens" => |cost| &mut cost.completion,
        "cost_usd" => |cost| &mut cost.usd,
        _ => return None,
    })
}

impl Cost {
    /// Computes the dollars at the model's current price; `None` without a price or token counts.
    fn by(&self, prices: &Prices) -> Option<f64> {
        Some(Price::of(prices, &self.model)?.cost(self.prompt?, self.completion?))
    }

    /// Returns the dollars per thousand samples; `None` without a cost or samples.
    pub fn usd_per_thousand(&self) -> Option<f64> {
        let n = u32::try_from(self.n).ok().filter(|n| *n > 0)?;
        Some(self.usd? * 1000.0 / f64::from(n))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::{Ability, Content, Labels, Prediction, RequestFingerprint, TableBuilder};

    /// Builds a table of exam answers from the model and the usage of each answer.
    fn asked(rows: &[(&str, Option<Usage>)]) -> Table {
        let mut builder = TableBuilder::default();
        let ability = Ability {
            benchmark: "exam".to_owned(),
            name: "texture".to_owned(),
        };
        let ability = builder.ability(&ability).unwrap();
        let condition = builder.condition(&Labels::new()).unwrap();
        let metric = builder.metric("accuracy").unwrap();
        for (at, (model, usage)) in rows.iter().enumerate() {
            let id = at.to_string();
            let item = builder.item(ability, condition, &id, RequestFingerprint::default());
            builder.describe(&Content::default(), None, f64::NAN);
            let model = builder.model(model).unwrap();
            builder.push(item.id, &Prediction::scored(model, metric, 1.0), &[]);
            builder.set_usage(item.id, model, *usage);
        }
        builder.finish()
    }

    fn usage(tokens: Option<[u32; 2]>, price: Option<[f64; 2]>) -> Option<Usage> {
        Some(Usage {
            requests: 2,
            tokens,
            price,
        })
    }

    #[test]
    fn answers_cost_what_a_token_cost_when_they_were_asked_for() {
        let then = Some([1e6, 2e6]);
        let table = asked(&[
            ("gpt", usage(Some([10, 1]), then)),
            ("hog", None),
            ("gpt", usage(Some([20, 2]), then)),
            ("gpt", usage(None, then)),
        ]);
        let now = Price {
            input: 7.0,
            output: 7.0,
        };
        let [cost] = costs(&table, &Prices::from([("gpt".to_owned(), now)]))
            .try_into()
            .unwrap();
        let expected = Cost {
            benchmark: "exam".to_owned(),
            ability: "texture".to_owned(),
            model: "gpt".to_owned(),
            n: 3,
            requests: Some(6),
            uncounted: 1,
            prompt: Some(30.0),
            completion: Some(3.0),
            usd: Some(54.0),
        };
        assert_eq!(
            cost, expected,
            "36 for two, and as much again for the third"
        );
    }

    #[test]
    fn answers_without_a_price_of_their_own_cost_what_the_prices_say() {
        let table = asked(&[
            ("gpt", usage(Some([10, 1]), None)),
            ("other", usage(Some([10, 1]), None)),
            ("silent", usage(None, Some([1.0, 1.0]))),
        ]);
        let price = Price {
            input: 1e6,
            output: 1e6,
        };
        let costs = costs(&table, &Prices::from([("GPT".to_owned(), price)]));
        let told: Vec<_> = costs
            .iter()
            .map(|cost| (cost.prompt, cost.usd, cost.requests))
            .collect();
        let expected = [
            (Some(10.0), Some(11.0), Some(2)),
            (Some(10.0), None, Some(2)),
            (None, None, Some(2)),
        ];
        assert_eq!(told, expected);
    }

    fn table(rows: &[(&str, &str, f64)]) -> Table {
        let mut builder = TableBuilder::default();
        for (model, metric, score) in rows {
            builder.publish(PublishedScore {
                model: (*model).to_owned(),
                metric: (*metric).to_owned(),
                score: *score,
                n: 20,
                ..PublishedScore::default()
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
