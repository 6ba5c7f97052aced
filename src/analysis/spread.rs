//! Measures how much a model's score varies over the values of an attribute: prompts, noise,
//! splits, or settings in the model's name.

use std::collections::HashMap;

use super::{Origin, Score, Subgroup};
use crate::metric::Interval;
use record::Kind;
use record::benchmark::Direction;

/// Score under one value of the attribute.
#[derive(Clone, Debug, PartialEq)]
pub struct SpreadValue {
    /// Value of the attribute, as text.
    pub value: String,
    /// Score, in the metric's unit.
    pub score: f64,
    /// 95 % interval; `None` if it cannot be estimated, or for printed scores.
    pub ci: Option<Interval>,
    /// Number of samples; 0 for printed scores.
    pub n: u64,
}

/// Fields shared by the scores of one spread.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SpreadSubject {
    /// Benchmark of the scores.
    pub benchmark: String,
    /// Ability of the scores.
    pub ability: String,
    /// Split of the data set; `None` without splits, or if it is the attribute.
    pub split: Option<String>,
    /// Model name, without the setting if the setting is the attribute.
    pub model: String,
    /// Metric of the scores.
    pub metric: String,
    /// Whether higher or lower is better; `None` if unknown.
    pub direction: Option<Direction>,
    /// Name of the attribute.
    pub by: String,
    /// True if a paper printed the scores.
    pub is_printed: bool,
}

/// Scores of one model over at least two values of an attribute.
#[derive(Clone, Debug, PartialEq)]
pub struct Spread {
    /// Fields shared by the scores.
    pub of: SpreadSubject,
    /// Scores by value, in order of appearance.
    pub values: Vec<SpreadValue>,
    /// Value with the lowest score; on a tie, the first value.
    pub lowest: SpreadValue,
    /// Value with the highest score; on a tie, the first value.
    pub highest: SpreadValue,
    /// Mean score over the values, each with the same weight.
    pub mean: f64,
    /// Standard deviation of the scores over the values, with `n - 1`.
    pub deviation: f64,
}

impl Spread {
    /// Returns the highest minus the lowest score; above 0 even by chance.
    pub fn range(&self) -> f64 {
        self.highest.score - self.lowest.score
    }

    /// Returns the score under the second value minus the score under the first; `None` unless
    /// there are two values.
    pub fn change(&self) -> Option<f64> {
        match self.values.as_slice() {
            [first, second] => Some(second.score - first.score),
            _ => None,
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "few values")]
    fn new(of: SpreadSubject, values: Vec<SpreadValue>) -> Option<Self> {
        let [first, _, ..] = values.as_slice() else {
            return None;
        };
        let (mut lowest, mut highest) = (first, first);
        for value in &values {
            if value.score < lowest.score {
                lowest = value;
            }
            if value.score > highest.score {
                highest = value;
            }
        }
        let n = values.len() as f64;
        let mean = values.iter().map(|value| value.score).sum::<f64>() / n;
        let squares = values.iter().map(|value| (value.score - mean).powi(2));
        let deviation = (squares.sum::<f64>() / (n - 1.0)).sqrt();
        Some(Self {
            lowest: lowest.clone(),
            highest: highest.clone(),
            mean,
            deviation,
            of,
            values,
        })
    }
}

/// Returns the spread of each model over the bins of each split.
pub fn spread_of_bins(bins: &[Subgroup]) -> Vec<Spread> {
    let rows = bins.iter().filter_map(|bin| {
        let subject = SpreadSubject {
            benchmark: bin.benchmark.clone(),
            ability: bin.ability.clone(),
            split: None,
            model: bin.model.clone(),
            metric: bin.metric.clone(),
            direction: Some(bin.direction),
            by: bin.by.clone(),
            is_printed: false,
        };
        let value = SpreadValue {
            value: bin.bin.clone(),
            score: bin.score?,
            ci: bin.ci,
            n: bin.n,
        };
        Some((subject, value))
    });
    collect(rows)
}

/// Returns the spread of each model over the splits of its data sets.
pub fn spread_of_splits(scores: &[Score]) -> Vec<Spread> {
    let rows = own(scores).filter_map(|score| {
        let subject = SpreadSubject {
            split: None,
            ..subject(score, "split")
        };
        Some((subject, value(score, score.split.as_deref()?)?))
    });
    collect(rows)
}

/// Returns the spread over settings in the names of models. `part` divides a name into the model
/// and the value of its setting; names without both are left out.
///
/// # Errors
/// Fails if the names of two models are divided into the same parts; the error holds both names.
pub fn spread_of_names(
    scores: &[Score],
    part: impl Fn(&str) -> Option<[String; 2]>,
) -> Result<Vec<Spread>, [String; 2]> {
    let mut rows = Vec::new();
    let mut models: HashMap<(SpreadSubject, String), &str> = HashMap::new();
    for score in own(scores) {
        let Some([model, setting]) = part(&score.model) else {
            continue;
        };
        let subject = SpreadSubject {
            model,
            ..subject(score, "name")
        };
        let Some(value) = value(score, &setting) else {
            continue;
        };
        let of_value = models
            .entry((subject.clone(), setting))
            .or_insert(&score.model);
        if *of_value != score.model {
            return Err([(*of_value).to_owned(), score.model.clone()]);
        }
        rows.push((subject, value));
    }
    Ok(collect(rows.into_iter()))
}

/// Returns the scores of models, without aggregates and reference systems.
fn own(scores: &[Score]) -> impl Iterator<Item = &Score> {
    let models = scores.iter().filter(|score| score.kind == Kind::Model);
    models.filter(|score| !score.is_aggregate())
}

fn subject(score: &Score, by: &str) -> SpreadSubject {
    SpreadSubject {
        benchmark: score.benchmark.clone(),
        ability: score.ability.clone(),
        split: score.split.clone(),
        model: score.model.clone(),
        metric: score.metric.clone(),
        direction: score.direction,
        by: by.to_owned(),
        is_printed: score.origin == Origin::Published,
    }
}

fn value(score: &Score, value: &str) -> Option<SpreadValue> {
    Some(SpreadValue {
        value: value.to_owned(),
        score: score.score?,
        ci: score.ci,
        n: score.n,
    })
}

/// Groups values by subject, in the order of appearance. If a value has several scores, the first
/// counts.
fn collect(rows: impl Iterator<Item = (SpreadSubject, SpreadValue)>) -> Vec<Spread> {
    let mut found: Vec<(SpreadSubject, Vec<SpreadValue>)> = Vec::new();
    let mut places: HashMap<SpreadSubject, usize> = HashMap::new();
    for (subject, value) in rows {
        let place = *places.entry(subject.clone()).or_insert(found.len());
        match found.get_mut(place) {
            None => found.push((subject, vec![value])),
            Some((_, values)) if values.iter().all(|known| known.value != value.value) => {
                values.push(value);
            }
            Some(_) => {}
        }
    }
    let spreads = found
        .into_iter()
        .filter_map(|(of, values)| Spread::new(of, values));
    spreads.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(model: &str, metric: &str, score: f64) -> Score {
        Score {
            benchmark: "ava-bench".to_owned(),
            ability: "ocr".to_owned(),
            model: model.to_owned(),
            metric: metric.to_owned(),
            score: Some(score),
            origin: Origin::Published,
            ..Score::default()
        }
    }

    /// Row `DINOv2` of AVA-Bench, Table 3: OCR at three dimensions of `LoRA`. Mean and deviation
    /// were computed independently of this code.
    #[test]
    fn settings_in_names_are_values_of_one_model() {
        let scores = [
            printed("dinov2_lora_64", "anls", 0.1085),
            printed("dinov2_lora_128", "anls", 0.0997),
            printed("dinov2_lora_256", "anls", 0.1098),
            printed("clip", "anls", 0.6),
        ];
        let part = |name: &str| {
            let (model, setting) = name.split_once("_lora_")?;
            Some([model.to_owned(), setting.to_owned()])
        };
        let found = spread_of_names(&scores, part).unwrap();
        let [spread] = found.as_slice() else {
            panic!("one model with settings: {found:?}")
        };
        assert_eq!(spread.of.model, "dinov2");
        let values: Vec<&str> = spread.values.iter().map(|it| it.value.as_str()).collect();
        assert_eq!(values, ["64", "128", "256"]);
        assert_eq!(
            (spread.lowest.value.as_str(), spread.highest.value.as_str()),
            ("128", "256")
        );
        assert!((spread.range() - 0.0101).abs() < 1e-12);
        assert!((spread.mean - 0.106).abs() < 1e-12);
        assert!((spread.deviation - 0.005_494_542_747_126).abs() < 1e-12);
        assert_eq!(spread.change(), None);
    }

    #[test]
    fn two_models_with_the_same_model_and_value_are_an_error() {
        let part = |name: &str| {
            let (model, rest) = name.split_once("_lora_")?;
            Some([model.to_owned(), rest.get(..2)?.to_owned()])
        };
        let scores = ["dinov2_lora_64_a", "dinov2_lora_32", "dinov2_lora_64_b"]
            .map(|name| printed(name, "anls", 0.1));
        let error = spread_of_names(&scores, part).unwrap_err();
        assert_eq!(error, ["dinov2_lora_64_a", "dinov2_lora_64_b"]);
        // A paper can print a number in two tables, and a model can have several metrics.
        let twice = [
            printed("dinov2_lora_64", "anls", 0.1),
            printed("dinov2_lora_64", "anls", 0.1),
            printed("dinov2_lora_32", "anls", 0.2),
            printed("dinov2_lora_32", "accuracy", 0.2),
        ];
        assert_eq!(spread_of_names(&twice, part).unwrap().len(), 1);
    }

    #[test]
    fn one_value_has_no_spread_and_two_have_a_change() {
        let split = |name: &str, score: f64| Score {
            split: Some(name.to_owned()),
            ..printed("m", "anls", score)
        };
        assert!(spread_of_splits(&[split("easy", 0.5)]).is_empty());
        // A paper can print a number in two tables.
        let twice = [split("easy", 0.5), split("easy", 0.5), split("hard", 0.25)];
        let found = spread_of_splits(&twice);
        assert_eq!(found[0].values.len(), 2);
        assert_eq!(found[0].change(), Some(-0.25));
    }
}
