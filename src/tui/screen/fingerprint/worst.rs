//! The abilities in which a model is worst.

use std::cmp::Ordering;

use super::data::Fingerprint;
use analysis::Score;
use base::format::visible;
use record::benchmark::Direction;

/// Maximum number of equally bad abilities that a note lists.
const NAMED: usize = 3;

/// Measures how bad a model is in a column, for sorting.
struct Badness<'a> {
    column: usize,
    score: &'a Score,
    /// Number of ranked models in the column; 0 if the score has no rank.
    ranked: usize,
    /// Share of the other ranked models that are better. Without a rank, 1 minus the score.
    part: f64,
}

impl Badness<'_> {
    /// Compares by rank, for sorting with the worst first. Ranked scores come before unranked
    /// scores.
    fn by_rank(&self, other: &Self) -> Ordering {
        let is_ranked = |it: &Self| it.ranked > 0;
        let by_part = || other.part.total_cmp(&self.part);
        is_ranked(other).cmp(&is_ranked(self)).then_with(by_part)
    }

    /// Compares columns with equally bad ranks. The worse best possible rank comes first. Then the
    /// lower score comes first, if both have the same metric. Then the column with more models
    /// comes first.
    fn by_detail(&self, other: &Self) -> Ordering {
        let surely = |it: &Self| it.score.rank_ci.map(|(low, _)| low).or(it.score.rank);
        let by_score = || match (self.score.score, other.score.score) {
            (Some(own), Some(others)) if self.score.metric == other.score.metric => {
                match self.score.direction {
                    Some(Direction::Lower) => others.total_cmp(&own),
                    _ => own.total_cmp(&others),
                }
            }
            _ => Ordering::Equal,
        };
        let by_surely = surely(other).cmp(&surely(self));
        by_surely
            .then_with(by_score)
            .then(other.ranked.cmp(&self.ranked))
            .then(self.column.cmp(&other.column))
    }
}

/// Returns the columns in which a model is worst; several if they are equally bad. Columns are
/// compared by relative rank. Without ranks, scores between 0 and 1 are compared.
pub fn worst_columns(fingerprint: &Fingerprint<'_>, row: usize) -> Vec<usize> {
    let columns = 0..fingerprint.columns.len();
    let mut all: Vec<Badness<'_>> = columns
        .filter_map(|column| badness(fingerprint, column, row))
        .collect();
    all.sort_by(Badness::by_rank);
    let tied = all.iter().take_while(|it| it.by_rank(&all[0]).is_eq());
    let count = tied.count();
    all.truncate(count);
    // Sort separately, because scores of different metrics cannot be compared.
    all.sort_by(Badness::by_detail);
    all.into_iter().map(|it| it.column).collect()
}

fn badness<'a>(fingerprint: &Fingerprint<'a>, column: usize, row: usize) -> Option<Badness<'a>> {
    let score = fingerprint.score(column, row)?;
    let ranked = fingerprint.ranked(column, row);
    let by_rank = score.rank.filter(|_| ranked > 1);
    #[expect(clippy::cast_precision_loss, reason = "a number of models")]
    let part = match by_rank {
        Some(rank) => (f64::from(rank) - 1.0) / (ranked as f64 - 1.0),
        None if score.direction == Some(Direction::Higher) => 1.0 - score.score?,
        None => return None,
    };
    Some(Badness {
        column,
        score,
        ranked: by_rank.map_or(0, |_| ranked),
        part,
    })
}

/// Returns `rank 6, also in orientation; w: the next` if a model is equally bad in other columns.
pub fn also(
    fingerprint: &Fingerprint<'_>,
    (row, column): (usize, usize),
    worst: &[usize],
    key: &str,
) -> Option<String> {
    let others: Vec<usize> = worst.iter().copied().filter(|it| *it != column).collect();
    let rank = fingerprint.score(column, row)?.rank;
    let first = rank.map_or_else(|| "worst".to_owned(), |rank| format!("rank {rank}"));
    let names = others.iter().take(NAMED);
    let names = names.filter_map(|at| fingerprint.columns.get(*at));
    let names: Vec<_> = names.map(|column| visible(&column.ability)).collect();
    let more = match others.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let names = names.join(", ");
    (!others.is_empty()).then(|| format!("{first}, also in {names}{more}; {key}: the next"))
}
