//! `eyechart scorers`: lists answers that the harness and Eyechart's own rules score differently.

use super::{Failure, Status};
use crate::cli::Scorers;
use engine::{Detail, Disagreements};
use record::{Row, Scoring};
use report::{Disagreement, Example, RuleExample};

/// Writes the disagreements; fails if there are no predictions.
pub fn run(args: &Scorers) -> Result<Status, Failure> {
    let opened = args.common.open()?;
    if opened.table().is_empty() {
        return Err(Failure::new(
            "published scores have no samples to score again",
        ));
    }
    let Disagreements {
        found,
        examples,
        rules,
    } = opened.ask(&engine::Scorers::from(args))?;
    let detail = |row: Row| {
        opened.ask(&Detail {
            row,
            scoring: Scoring::Harness,
            with_maps: false,
        })
    };
    let example = |row: Row| Ok(detail(row)?.ok().and_then(Example::of));
    let mut under_rules = Vec::new();
    for ability in &rules {
        for rule in &ability.rules {
            for row in &rule.examples {
                let read = detail(*row)?.ok();
                under_rules.extend(read.and_then(|detail| RuleExample::of(detail, rule.rule)));
            }
        }
    }
    let examples: Result<Vec<Option<Example>>, Failure> =
        examples.into_iter().map(example).collect();
    let document = Disagreement {
        examples: examples?.into_iter().flatten().collect(),
        found,
        rules,
        under_rules,
    };
    args.common.write(&document, &opened)
}
