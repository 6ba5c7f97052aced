//! Connections of the columns of `rerun`. Columns with the same endpoint share one, with its rate
//! limits.

use std::path::Path;

use super::live::RunStart;
use super::side_by_side::ColumnSamples;
use super::{Failure, live};
use crate::cli::Live;
use ask::Connection;

/// A connection and the columns that use it.
struct SharedConnection<'a> {
    /// Options of the first of these columns.
    live: &'a Live,
    /// That column's folder, which holds the state of a batch.
    folder: &'a Path,
    /// Indices of the columns.
    columns: Vec<usize>,
    /// Maximum number of questions of all these columns.
    questions: usize,
}

/// The connection of each column, with the server contacted. An unreachable server gives an error
/// for its columns only.
pub fn connections(wanted: &ColumnSamples<'_>) -> Result<Vec<Result<Connection, String>>, Failure> {
    let all = shared(wanted);
    let questions: usize = all.iter().map(|one| one.questions).sum();
    let mut found: Vec<Result<Connection, String>> = Vec::new();
    found.resize_with(wanted.columns.len(), || Err(String::new()));
    for (at, one) in all.iter().enumerate() {
        let mut live = one.live.clone();
        let how = &mut live.how;
        how.concurrency = how
            .concurrency
            .map(|most| part_of_concurrency(most, at, all.len()));
        how.max_attempts = how
            .max_attempts
            .map(|most| part_of_attempts(most, one.questions, questions));
        let again = wanted.args.again;
        let settings = &wanted.opened.named.settings;
        let start = RunStart::new(one.folder, again);
        let mut connection = live::connection(&live, settings, one.questions, start)?;
        let looked = live::look(&live, &mut connection, again);
        let connection = match looked {
            Ok(()) => Ok(connection),
            Err(failure) => Err(failure.to_string()),
        };
        for column in &one.columns {
            if let Some(place) = found.get_mut(*column) {
                place.clone_from(&connection);
            }
        }
    }
    Ok(found)
}

/// Groups columns by endpoint and key. In a batch every column is alone.
fn shared<'a>(wanted: &'a ColumnSamples<'_>) -> Vec<SharedConnection<'a>> {
    let mut all: Vec<SharedConnection<'a>> = Vec::new();
    for (at, (column, place)) in wanted.columns.iter().enumerate() {
        let (live, samples) = (&column.live, wanted.samples_of(at));
        let questions = column.protocol.requests(samples).high;
        let is_same = |one: &&mut SharedConnection<'_>| {
            one.live.endpoint == live.endpoint && one.live.how.key_env == live.how.key_env
        };
        match all.iter_mut().find(is_same) {
            Some(one) if !wanted.args.again.batch => {
                one.columns.push(at);
                one.questions += questions;
            }
            _ => all.push(SharedConnection {
                live,
                folder: &place.folder,
                columns: vec![at],
                questions,
            }),
        }
    }
    all
}

/// Parallel requests of the connection `at`, of `most` for `count` connections.
fn part_of_concurrency(most: u16, at: usize, count: usize) -> u16 {
    let (most, count) = (usize::from(most), count.max(1));
    let more = usize::from(at < most % count);
    u16::try_from((most / count + more).max(1)).unwrap_or(u16::MAX)
}

/// Attempts of a connection with `own` of all questions, of `most` for all.
fn part_of_attempts(most: u64, own: usize, all: usize) -> u64 {
    most.saturating_mul(own as u64) / (all as u64).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_share_what_bounds_all_of_them() {
        let parts = [0, 1, 2].map(|at| part_of_concurrency(8, at, 3));
        assert_eq!(parts, [3, 3, 2]);
        assert_eq!(part_of_attempts(90, 10, 30), 30);
        assert_eq!(part_of_concurrency(1, 1, 2), 1, "one may always be sent");
    }
}
