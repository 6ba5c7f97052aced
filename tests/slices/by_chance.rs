//! Tests that a subgroup search rarely finds something in data without differences, as documented.

use std::fmt::Write as _;

use crate::{Dice, opened};
use eyechart::analysis::Selection;
use eyechart::analysis::slices::{Search, Slices, slices};
use eyechart::record::verdict::Book;
use eyechart::record::{Scoring, Table};

/// Number of random logs of each kind.
const LOGS: u64 = 60;

/// Distribution of the scores of a random log; they never depend on tags or questions.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Rarely wrong, with one picture per sample.
    Shares,
    /// Mostly small errors, a few large ones.
    Skewed,
    /// Four similar samples per picture.
    Clustered,
}

fn table(kind: Kind, seed: u64) -> Table {
    let mut dice = Dice::new(seed);
    let mut asking = Dice::new(!seed);
    let mut text = String::new();
    let mut shared = 0.0;
    for sample in 0..480 {
        let image = match kind {
            Kind::Clustered => sample / 4,
            Kind::Shares | Kind::Skewed => sample,
        };
        if sample % 4 == 0 {
            shared = dice.share();
        }
        let (metric, score) = match kind {
            Kind::Shares => ("accuracy", f64::from(u8::from(dice.share() < 0.93))),
            Kind::Skewed if dice.share() < 0.85 => ("mae_over_gt", 0.0),
            Kind::Skewed => ("mae_over_gt", dice.share().powi(3) * 4.0),
            Kind::Clustered => ("iou", 0.8 * shared + 0.2 * dice.share()),
        };
        writeln!(
            text,
            r#"{{"sample_id": "{sample}", "ability": "any", "model": "m", "image": "{image}.png", "metric": "{metric}",
             "question": "{} {} {}?",
             "score": {score}, "tags": {{"dataset": "d{}", "scene": "s{}", "count": {}, "box_area": {}}}}}"#,
            ["How many", "Where", "Is there"][asking.below(3) as usize],
            ["left", "not", "2", "big"][asking.below(4) as usize],
            "dogs ".repeat(asking.below(9) as usize),
            dice.below(4),
            image % 5,
            dice.below(30),
            dice.share(),
        )
        .unwrap();
    }
    let lines = text.replace(",\n             ", ", ");
    opened(&lines)
}

fn search(kind: Kind, seed: u64) -> Slices {
    let table = table(kind, seed);
    let found = slices(
        Selection::all(&table, Scoring::Harness),
        &Search {
            seed,
            ..Search::default()
        },
        &Book::default(),
    );
    assert!(found.family > 30, "{kind:?}: {} tried", found.family);
    found
}

/// At q = 0.05, a log in twenty has a finding on one half by chance, and one in twenty of these is
/// confirmed. So of 60 logs, 3 and 0.15 are expected. The probabilities of more than 8 and more
/// than 2 are 0.4 % and 0.05 %.
#[test]
fn chance_is_not_taken_for_a_finding() {
    for (kind, first) in [
        (Kind::Shares, 1_000),
        (Kind::Skewed, 2_000),
        (Kind::Clustered, 3_000),
    ] {
        let found: Vec<Slices> = (first..first + LOGS)
            .map(|seed| search(kind, seed))
            .collect();
        let half = found.iter().filter(|found| found.found > 0).count();
        let listed = found
            .iter()
            .filter(|found| !found.slices.is_empty())
            .count();
        assert!(half <= 8, "{kind:?}: {half} of {LOGS} logs on one half");
        assert!(listed <= 2, "{kind:?}: {listed} of {LOGS} logs confirmed");
    }
}
