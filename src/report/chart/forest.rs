//! A forest plot: differences between two models with their intervals around zero.

use super::canvas::{Ink, Shape};
use super::dot_plot::{ChartMark, DotPlot, DotPlotRow, dot_plot};
use crate::cells::ends_note;
use analysis::Conclusion;
use base::format::{compact, fixed, visible};
use record::benchmark::Direction;

/// Difference in one ability or one subgroup.
#[derive(Clone, Debug, PartialEq)]
pub struct ForestRow {
    /// Name of the ability or subgroup.
    pub label: String,
    /// Number of samples that both sides answered.
    pub n: u64,
    /// Score of A minus score of B; `None` if they have no sample in common.
    pub difference: Option<f64>,
    /// Lower end of the interval.
    pub low: Option<f64>,
    /// Upper end of the interval.
    pub high: Option<f64>,
    /// The better side, if the difference is significant.
    pub conclusion: Conclusion,
}

/// Draws the differences of A and B in one metric, in its own unit.
pub fn forest(
    [a, b]: [&str; 2],
    metric: &str,
    direction: Direction,
    forest: &[ForestRow],
) -> String {
    let (metric, side) = match direction {
        Direction::Higher => (format!("{metric} ↑"), "above"),
        Direction::Lower => (format!("{metric} ↓"), "below"),
    };
    let look = |conclusion| match conclusion {
        Conclusion::A => (Shape::Disc, Ink::Series(0)),
        Conclusion::B => (Shape::Square, Ink::Series(1)),
        Conclusion::NotSeparable => (Shape::Ring, Ink::Dim),
    };
    let row = |row: &ForestRow| {
        let (shape, ink) = look(row.conclusion);
        let interval = row.low.zip(row.high);
        let mark = |value| ChartMark {
            value,
            interval,
            shape,
            ink,
        };
        DotPlotRow {
            label: row.label.clone(),
            note: format!(
                "{}{} n {}",
                signed(row.difference),
                ends_note(3, interval),
                compact(row.n)
            ),
            marks: row.difference.map(mark).into_iter().collect(),
        }
    };
    let legend = [
        (Conclusion::A, "A is better"),
        (Conclusion::B, "B is better"),
        (Conclusion::NotSeparable, "no clear difference"),
    ];
    dot_plot(&DotPlot {
        title: format!("{metric}: A {} minus B {}", visible(a), visible(b)),
        axis: format!("{metric}: A minus B ({side} 0: A better), 95 % interval"),
        reference: Some(0.0),
        legend: legend
            .into_iter()
            .filter(|(conclusion, _)| forest.iter().any(|row| row.conclusion == *conclusion))
            .map(|(conclusion, words)| (look(conclusion).0, look(conclusion).1, words.to_owned()))
            .collect(),
        rows: forest.iter().map(row).collect(),
    })
}

/// A difference with explicit sign: `+0.012`.
fn signed(difference: Option<f64>) -> String {
    let text = fixed(difference, 3);
    if difference.is_some_and(|difference| difference > 0.0) {
        format!("+{text}")
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::{ForestRow, forest};
    use analysis::Conclusion;
    use record::benchmark::Direction;

    #[test]
    fn every_row_is_there_and_verdicts_differ_in_shape() {
        let row = |label: &str, difference: Option<f64>, conclusion| ForestRow {
            label: label.to_owned(),
            n: 40,
            difference,
            low: difference.map(|d| d - 0.02),
            high: difference.map(|d| d + 0.02),
            conclusion,
        };
        let svg = forest(
            ["a<script>\u{1b}", "b"],
            "accuracy",
            Direction::Higher,
            &[
                row("counting", Some(0.05), Conclusion::A),
                row("ocr", Some(-0.04), Conclusion::B),
                row("color", Some(0.01), Conclusion::NotSeparable),
                row("none in common", None, Conclusion::NotSeparable),
            ],
        );
        for part in [
            "counting",
            "+0.050 [0.030, 0.070] n 40",
            "-0.040",
            "<circle",
            "<rect",
            "–",
        ] {
            assert!(svg.contains(part), "{part} in {svg}");
        }
        assert!(svg.contains("a&lt;script&gt;␛"), "{svg}");
        assert!(!svg.contains("<script"));
    }
}
