//! Explains the columns of the list, with the row under the cursor as example.

use crate::screen::sample::sign;
use crate::shared::Shared;
use crate::view::Explanation;
use base::format::{counted, significant};
use record::Row;
use workspace::page::list_row;

use super::list::{answer_words, target};

/// Explains the row's symbol, score, target and answer.
pub fn explain(shared: &Shared) -> Vec<Explanation> {
    let Some(row) = shared.list.here() else {
        return Vec::new();
    };
    let theme = &shared.theme;
    if shared.is_blind(row) {
        let words = "answers are hidden until you give a verdict; R shows them";
        return vec![Explanation::new("hidden", theme.dim(), words)];
    }
    let list = list_row(&shared.table, Row(row), shared.lens.scoring);
    let (mark, style) = sign(theme, &list);
    let model = &list.model;
    let meaning = match (list.invalid, list.correct) {
        (true, _) => format!("the answer of {model} could not be read"),
        (_, Some(true)) => {
            format!("the answer of {model} counts as right (✗ wrong, ? not readable)")
        }
        (_, Some(false)) => {
            format!("the answer of {model} counts as wrong (✓ right, ? not readable)")
        }
        (_, None) => format!("the answer of {model} has no score"),
    };
    let mut explained = vec![Explanation::new(mark, style, meaning)];
    if let Some(score) = list.score {
        let metric = record::benchmark::metric_words(&list.metric);
        let words = format!("its {metric}");
        explained.push(Explanation::new(significant(score, 3), style, words));
    }
    let target = target(shared, &list);
    if !target.is_empty() {
        explained.push(Explanation::new(
            target,
            theme.text(),
            "the target: the right answer by the annotation",
        ));
    }
    let (answer, style) = answer_words(shared, &list, style);
    if !answer.is_empty() {
        let words = "the parsed answer, with the text of its option where it has one";
        explained.push(Explanation::new(answer, style, words));
    }
    if !shared.marked.is_empty() {
        let count = counted(shared.marked.len() as u64, "answer");
        let words = format!("selected with Space: {count}; K shows only these");
        explained.push(Explanation::new("●", theme.accent(), words));
    }
    explained
}
