//! Explains the columns of the comparison, with the row under the cursor as example.

use crate::shared::Shared;
use crate::view::Explanation;
use analysis::{Conclusion, PairedDifference};
use base::format::{compact, counted, fixed};
use record::benchmark::Direction;

/// Explains the row's numbers in the order of the columns.
pub fn explain(shared: &Shared, row: &PairedDifference, [a, b]: [&String; 2]) -> Vec<Explanation> {
    let theme = &shared.theme;
    let metric = record::benchmark::metric_words(&row.metric);
    let better = match row.direction {
        Direction::Higher => "more is better",
        Direction::Lower => "less is better",
    };
    let score = |score, letter: &str, model: &String, style| {
        let words =
            format!("{metric} of {letter}, {model}, over the samples that both answered; {better}");
        Explanation::new(fixed(score, 3), style, words)
    };
    let pairs = if row.by_question {
        "questions, each at all its rotations, that both answered"
    } else {
        "samples that both answered"
    };
    let mut explained = vec![
        Explanation::new(format!("n {}", compact(row.n)), theme.dim(), pairs),
        score(row.a_score, "A", a, theme.model_a()),
        score(row.b_score, "B", b, theme.model_b()),
    ];
    if let Some(difference) = row.difference {
        let sign = format!("──●── {}", fixed(Some(difference), 3));
        let ci = row.ci.map_or_else(String::new, |ci| {
            let (low, high) = (fixed(Some(ci.low), 3), fixed(Some(ci.high), 3));
            format!(" and its 95 % interval [{low}, {high}]")
        });
        let words = format!("A minus B{ci}; right of │ A is better, left of it B");
        explained.push(Explanation::new(sign, theme.text(), words));
    }
    if let Some(p) = row.p_adjusted {
        let words = format!(
            "p adj: the p value of the paired test, adjusted for {}",
            counted(row.family, "test")
        );
        explained.push(Explanation::new(fixed(Some(p), 3), theme.text(), words));
    }
    let (style, why) = match row.conclusion {
        Conclusion::A => (theme.model_a(), "A is better by the adjusted test"),
        Conclusion::B => (theme.model_b(), "B is better by the adjusted test"),
        Conclusion::NotSeparable if row.is_tested() => {
            (theme.dim(), "these samples show no clear difference")
        }
        Conclusion::NotSeparable => (theme.dim(), "too few samples or images for a test"),
    };
    explained.push(Explanation::new(row.words(), style, why));
    if let Some(cells) = row.cells {
        let words = "only A: samples that only A gets right; Enter opens them";
        explained.push(Explanation::new(
            compact(cells.only_a),
            theme.model_a(),
            words,
        ));
        let words = "only B: samples that only B gets right";
        explained.push(Explanation::new(
            compact(cells.only_b),
            theme.model_b(),
            words,
        ));
    }
    explained
}
