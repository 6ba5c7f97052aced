//! Explains the grid and the chart, using the cell under the cursor as example.

use super::cells::Cells;
use super::data::Fingerprint;
use crate::shared::AppState;
use crate::view::Explanation;
use analysis::Score;
use base::format::{compact, counted, fixed};
use record::benchmark::Direction;

/// Explains the numbers and symbols in the cell, in its row and below the grid.
pub fn explain(shared: &AppState, fingerprint: &Fingerprint<'_>, cells: Cells) -> Vec<Explanation> {
    let (row, column) = (shared.cell.row, shared.cell.column);
    let Some(score) = fingerprint.score(column, row) else {
        return Vec::new();
    };
    let mut explained = Vec::new();
    if !fingerprint.is_alone || !fingerprint.acuity.is_empty() {
        let cell = fingerprint.cell(column, row, cells);
        let style = shared.theme.heat(cell.heat);
        let words = meaning(fingerprint, (column, row), score, cells);
        explained.push(Explanation::new(cell.text, style, words));
        explained.extend(ranks(shared, score));
        explained.extend(average(shared, score));
    }
    explained.extend(measured(shared, score));
    explained
}

/// Explains the content of the cell.
fn meaning(
    fingerprint: &Fingerprint<'_>,
    (column, row): (usize, usize),
    score: &Score,
    cells: Cells,
) -> String {
    let Score { model, ability, .. } = score;
    let best = fingerprint.extremes(column).map(|(best, _)| best);
    match (fingerprint.supported(cells), score.rank) {
        (Cells::Acuity, _) => format!(
            "acuity of {model} in {ability}: the level of difficulty, 1 easy to 10 hard, at which \
             its accuracy is half-way between chance and its best"
        ),
        (_, None) => format!("the score of {model} in {ability}; it has no rank there"),
        (Cells::Ranks, Some(rank)) => {
            let ranked = fingerprint.ranked(column, row) as u64;
            let of = counted(ranked, "model");
            let others = fingerprint.group(column, row).saturating_sub(1) as u64;
            let tie = match (others, fingerprint.is_tied(column, row)) {
                (0, false) => String::new(),
                (0, true) => "; = tied: other samples may change it".to_owned(),
                (others, _) => format!(
                    "; = tied: no clear difference from {}",
                    counted(others, "other")
                ),
            };
            format!("{model} has rank {rank} in {ability}, of {of}{tie}")
        }
        (Cells::Intervals, Some(_)) => {
            format!("the ranks that {model} may have in {ability}, given these samples")
        }
        (Cells::Scores, Some(_)) => format!("the score of {model} in {ability}"),
        (Cells::Gaps, Some(_)) => format!(
            "how far {model} is from the best score in {ability}, {}",
            fixed(best, 3)
        ),
    }
}

fn ranks(shared: &AppState, score: &Score) -> Option<Explanation> {
    let (low, high) = score.rank_ci.filter(|(low, high)| low < high)?;
    let words = format!(
        "95 % interval of that rank: with {}, any rank from {low} to {high} is possible",
        counted(score.rank_n, "sample")
    );
    let sign = format!("[{low}-{high}]");
    Some(Explanation::new(sign, shared.theme.dim(), words))
}

fn average(shared: &AppState, score: &Score) -> Option<Explanation> {
    let mut averages = shared.answers.average_ranks.iter();
    let average = averages.find(|rank| {
        rank.benchmark == score.benchmark
            && rank.model == score.model
            && rank.is_printed() == score.is_printed()
    })?;
    let words = format!(
        "avg: the model's mean rank over {} columns; rows are sorted by it",
        average.abilities
    );
    let sign = fixed(Some(average.value?), 2);
    Some(Explanation::new(sign, shared.theme.text(), words))
}

/// Explains the score, its interval and n.
fn measured(shared: &AppState, score: &Score) -> Vec<Explanation> {
    let theme = &shared.theme;
    let direction = match score.direction {
        Some(Direction::Higher) => "; ↑ more is better",
        Some(Direction::Lower) => "; ↓ less is better",
        None => "",
    };
    let words = format!(
        "{} in {}{direction}",
        record::benchmark::metric_words(&score.metric),
        score.ability
    );
    let mut explained = vec![Explanation::new(fixed(score.score, 3), theme.text(), words)];
    if let Some(ci) = score.ci {
        let sign = format!(
            "├─●─┤ [{}, {}]",
            fixed(Some(ci.low), 3),
            fixed(Some(ci.high), 3)
        );
        let words =
            "95 % interval of the score: where it would lie with other samples of this kind";
        explained.push(Explanation::new(sign, theme.series(0), words));
    }
    if score.n > 0 {
        let sign = format!("n {}", compact(score.n));
        let invalid = match score.invalid {
            0 => String::new(),
            // Count answers, because a sample that was asked several times has several.
            1 => "; 1 answer could not be read".to_owned(),
            invalid => format!("; {} answers could not be read", compact(invalid)),
        };
        let ranked = if score.rank.is_some() && score.rank_n != score.n {
            let common = compact(score.rank_n);
            format!("; the rank uses only the {common} that all models answered")
        } else {
            String::new()
        };
        let words = format!("samples behind the score{invalid}{ranked}; Enter opens them");
        explained.push(Explanation::new(sign, theme.dim(), words));
    }
    explained
}
