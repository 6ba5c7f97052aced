//! Connections of the columns of `rerun`. Columns with the same endpoint share one, with its rate
//! limits.

use std::path::Path;

use super::side_by_side::ColumnSamples;
use super::{Failure, live};
use cli::{How, Live};
use rerun::Connection;

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
        let live = Live {
            how: part(&one.live.how, (at, all.len()), (one.questions, questions)),
            ..one.live.clone()
        };
        let again = wanted.args.again;
        let settings = &wanted.opened.named.settings;
        let mut connection = live::connection(&live, settings, one.questions, (one.folder, again))?;
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

/// Share of one connection in the limits for all: parallel requests and attempts.
fn part(how: &How, (at, count): (usize, usize), (own, all): (usize, usize)) -> How {
    let at_once = how.concurrency.map(|all| {
        let (all, count) = (usize::from(all), count.max(1));
        let more = usize::from(at < all % count);
        u16::try_from((all / count + more).max(1)).unwrap_or(u16::MAX)
    });
    let attempts = how.max_attempts.map(|most| {
        let (own, all) = (own as u64, (all as u64).max(1));
        most.saturating_mul(own) / all
    });
    How {
        concurrency: at_once,
        max_attempts: attempts,
        ..how.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_share_what_bounds_all_of_them() {
        let how = How {
            key_env: None,
            concurrency: Some(8),
            temperature: None,
            max_tokens: None,
            max_attempts: Some(90),
            max_cost: None,
            no_stream: false,
            shard: None,
        };
        let parts = [0, 1, 2].map(|at| part(&how, (at, 3), (10, 30)));
        let at_once = parts.each_ref().map(|how| how.concurrency);
        assert_eq!(at_once, [Some(3), Some(3), Some(2)]);
        assert_eq!(parts[2].max_attempts, Some(30));
        let few = How {
            concurrency: Some(1),
            ..how
        };
        assert_eq!(
            part(&few, (1, 2), (1, 2)).concurrency,
            Some(1),
            "one may always be sent"
        );
    }
}
