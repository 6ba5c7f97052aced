//! Finds the models and abilities that may pass a filter, without reading predictions.

use super::evaluate::Evaluator;
use super::{Filter, FilterError, models, others, parse};
use record::{Scoring, Table};

/// Keys on names of models and abilities.
const NAMES: [&str; 4] = ["model", "ability", "benchmark", "run"];
/// Keys that depend on the results of all models. Keys whose value is a model's name are not listed
/// here.
const OF_ALL: [&str; 3] = ["hard", "discrimination", "disagreement"];

/// Result of a filter for each pair of model and ability.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrefilterResult {
    /// One flag per row of the table. False if no prediction of this model and ability can pass.
    pub rows: Vec<bool>,
    /// True if all predictions pass for which the flag is true.
    pub is_exact: bool,
    /// True if the result for a prediction depends on the results of other models.
    pub is_of_others: bool,
}

/// Applies a filter to a table with one row per model and ability. `has_label` returns true if the
/// samples have a tag or condition of that name.
///
/// # Errors
/// The filter is invalid, or has a comparison that its key does not support.
pub fn narrowed(
    text: &str,
    table: &Table,
    has_label: &dyn Fn(&str) -> bool,
) -> Result<PrefilterResult, FilterError> {
    let Some(filter) = parse(text)? else {
        return Ok(PrefilterResult {
            rows: vec![true; table.len()],
            is_exact: true,
            is_of_others: false,
        });
    };
    let kept = of_names(&filter, has_label);
    let rows = match &kept {
        Some(kept) => Evaluator::new(text, table, Scoring::Harness).mask(kept)?,
        None => vec![true; table.len()],
    };
    Ok(PrefilterResult {
        rows,
        is_exact: kept.as_ref() == Some(&filter),
        is_of_others: filter.has_key(|key| others::KEYS.contains(&key) || OF_ALL.contains(&key)),
    })
}

/// Reduces a filter to its terms on names. Everything that passes the filter also passes the
/// result.
fn of_names(filter: &Filter, has_label: &dyn Fn(&str) -> bool) -> Option<Filter> {
    let kept = |part: &Filter| of_names(part, has_label);
    match filter {
        Filter::And(left, right) => match (kept(left), kept(right)) {
            (Some(left), Some(right)) => Some(Filter::And(Box::new(left), Box::new(right))),
            (left, right) => left.or(right),
        },
        Filter::Or(left, right) => {
            let (left, right) = (kept(left)?, kept(right)?);
            Some(Filter::Or(Box::new(left), Box::new(right)))
        }
        // The reduced filter accepts more than the original. Its negation would accept less, so
        // drop it.
        Filter::Not(inner) => {
            let own = kept(inner).filter(|own| own == inner.as_ref())?;
            Some(Filter::Not(Box::new(own)))
        }
        Filter::Leaf(leaf) => {
            let key = leaf.key()?;
            let is_fact = models::KEYS.contains(&key) && !has_label(key);
            let is_name = NAMES.contains(&key) || is_fact;
            is_name.then(|| filter.clone())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{PrefilterResult, narrowed};
    use record::{Ability, Content, Labels, Prediction, RequestFingerprint, Table, TableBuilder};

    /// Returns a table with models a and b in abilities x and y.
    fn pairs() -> Table {
        let mut builder = TableBuilder::default();
        for (model, ability) in [("a", "x"), ("a", "y"), ("b", "x"), ("b", "y")] {
            let name = Ability {
                benchmark: "bench".to_owned(),
                name: ability.to_owned(),
            };
            let ability = builder.ability(&name).unwrap();
            let condition = builder.condition(&Labels::new()).unwrap();
            let item = builder.item(ability, condition, "", RequestFingerprint::default());
            if item.new {
                builder.describe(&Content::default(), None, f64::NAN);
            }
            let metric = builder.metric("accuracy").unwrap();
            let prediction = Prediction::scored(builder.model(model).unwrap(), metric, f64::NAN);
            builder.push(item.id, &prediction, &[]);
        }
        builder.finish()
    }

    fn of(text: &str) -> PrefilterResult {
        narrowed(text, &pairs(), &|_| false).unwrap()
    }

    #[test]
    fn names_are_told_and_the_rest_may_pass() {
        let cases = [
            ("", [true; 4], true),
            ("model:a", [true, true, false, false], true),
            ("model:a ability:y", [false, true, false, false], true),
            ("not model:a", [false, false, true, true], true),
            ("model:a correct:false", [true, true, false, false], false),
            ("not (model:a correct:false)", [true; 4], false),
            ("model:a or correct:false", [true; 4], false),
            ("model:a or ability:x", [true, true, true, false], true),
            ("word", [true; 4], false),
            (
                "benchmark:bench score<0.5 not ability:x",
                [false, true, false, true],
                false,
            ),
        ];
        for (text, rows, is_exact) in cases {
            let found = of(text);
            assert_eq!(
                (found.rows.as_slice(), found.is_exact),
                (&rows[..], is_exact),
                "{text}"
            );
        }
    }

    #[test]
    fn what_depends_on_other_models_is_told() {
        assert!(of("model:a hard>0.5").is_of_others);
        assert!(of("model:a (score<1 or disagree:b)").is_of_others);
        assert!(!of("model:a score<1").is_of_others);
    }

    #[test]
    fn a_tag_called_as_a_fact_is_no_name() {
        let table = pairs();
        let found = narrowed("family:x", &table, &|name| name == "family").unwrap();
        assert!(!found.is_exact && found.rows == [true; 4]);
        let found = narrowed("family:x", &table, &|_| false).unwrap();
        assert!(found.is_exact && found.rows == [false; 4]);
    }
}
