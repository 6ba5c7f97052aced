//! Decides whether B is worse than A by more than a margin, like `gate`.

use ratatui::text::Line;

use super::CompareView;
use crate::action::Action;
use crate::keymap::ViewId;
use crate::screen::part::{known, unknown};
use crate::shared::AppState;
use analysis::{
    GateRow, GateSplit, Margin, MetricMargin, PairedDifference, gate_sentence, gate_sentences,
};
use base::format::visible;
use engine::Gate;

/// Margins in percentage points, in the order in which the key selects them.
const MARGINS: [f64; 3] = [1.0, 2.0, 5.0];

/// Returns the next larger margin; `None` after the last.
pub fn next(margin: Option<f64>) -> Option<f64> {
    let is_larger = |known: &f64| margin.is_none_or(|margin| *known > margin);
    MARGINS.into_iter().find(is_larger)
}

/// Returns the query of `compare A B --worse-by`, in which A is the base. Returns `None` without a
/// margin.
fn question(view: &CompareView, shared: &AppState) -> Option<Gate> {
    let margin = Margin::Points(view.margin?);
    Some(Gate {
        sides: shared.compared()?,
        scope: shared.scope(&shared.lens.whole()),
        margins: vec![MetricMargin {
            metric: None,
            margin,
        }],
        by: GateSplit::Ability,
    })
}

/// Returns the query unless its answer has arrived.
pub fn missing_query(view: &CompareView, shared: &AppState) -> Option<Gate> {
    unknown(shared, &shared.answers.gate, question(view, shared)?)
}

/// Returns the decision on the ability of `row` in a sentence, or that on all rows if the ability
/// is not decided alone. Without a margin, returns the key that sets a margin.
pub fn words(view: &CompareView, shared: &AppState, row: &PairedDifference) -> Line<'static> {
    let theme = &shared.theme;
    let Some(question) = question(view, shared) else {
        let key = shared.key(ViewId::Compare, Action::NextMargin);
        let words = format!("{key}: is B worse by more than …?");
        return Line::styled(words, theme.dim());
    };
    let [a, b] = &question.sides;
    match known(&shared.answers.gate, &question) {
        None => match shared.answers.failure(question) {
            Some(reason) => {
                let words = format!("not decided: {reason}");
                Line::styled(visible(&words).into_owned(), theme.warning())
            }
            None => Line::styled("deciding …", theme.dim()),
        },
        Some(found) => {
            let rows = &found.gate.rows;
            let own = rows.iter().find(|it| is_of(it, row));
            let sentences = own.map_or_else(
                || gate_sentences(&found.gate, a, b).join(" "),
                |own| format!("{}: {}", own.verdict.title(), gate_sentence(own, "A", "B")),
            );
            Line::styled(visible(&sentences).into_owned(), theme.text())
        }
    }
}

/// True if a decision is about the ability of a row alone, by the row's metric.
fn is_of(decision: &GateRow, row: &PairedDifference) -> bool {
    decision.benchmark == row.ability.benchmark
        && decision.abilities == [row.ability.name.as_str()]
        && decision.metric == row.metric
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_walks_the_margins_and_back_to_none() {
        let mut margin = None;
        let walk: Vec<Option<f64>> = std::iter::repeat_with(|| {
            margin = next(margin);
            margin
        })
        .take(4)
        .collect();
        assert_eq!(walk, [Some(1.0), Some(2.0), Some(5.0), None]);
    }
}
