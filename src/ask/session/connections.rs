//! Connections of a session. Columns with the same endpoint share a connection, with its rate
//! limits.

use std::sync::Arc;

use super::samples::ColumnSamples;
use super::{Column, SessionError, SessionSpec};
use crate::connect::{ConnectOptions, Connection, connect};
use crate::driver::{RerunError, RunLocation};
use base::config::Settings;

/// A connection, or why there is none.
pub(super) type ConnectionResult = Result<Connection, Arc<SessionError>>;

/// Columns that use one connection.
struct SharedConnection<'a> {
    /// The first of these columns.
    first: &'a Column,
    /// Indices of the columns in the session.
    columns: Vec<usize>,
    /// Maximum number of questions of all these columns.
    questions: usize,
}

impl SessionSpec<'_> {
    /// Connects each column and contacts its server, unless the session is silent.
    pub(super) fn connections(
        &self,
        samples: &ColumnSamples,
        settings: &Settings,
    ) -> Vec<ConnectionResult> {
        let groups = self.shared(samples);
        let questions: Vec<usize> = groups.iter().map(|group| group.questions).collect();
        let most_billed = self.traffic.most_billed;
        let attempts = most_billed.map(|most| parts_of_attempts(most, &questions));
        let mut found: Vec<Option<ConnectionResult>> = vec![None; self.columns.len()];
        for (at, group) in groups.iter().enumerate() {
            let mut wishes = ConnectOptions::for_questions(group.questions);
            wishes.at_once = self
                .traffic
                .at_once
                .map(|most| part_of(most, at, groups.len()));
            if let Some(attempts) = &attempts {
                wishes.most_billed = attempts.get(at).copied();
            }
            let connection = self
                .connection(group.first, &wishes, settings)
                .map_err(Arc::new);
            for column in &group.columns {
                if let Some(place) = found.get_mut(*column) {
                    *place = Some(connection.clone());
                }
            }
        }
        found.into_iter().flatten().collect()
    }

    fn connection(
        &self,
        column: &Column,
        wishes: &ConnectOptions,
        settings: &Settings,
    ) -> Result<Connection, SessionError> {
        let batch = match &column.location {
            RunLocation::In { folder, .. } if self.traffic.is_batch => {
                Some((folder.clone(), self.traffic.failures))
            }
            _ => None,
        };
        let wishes = ConnectOptions {
            key_env: column.key_env.clone(),
            whole_answers: self.traffic.whole_answers,
            batch,
            ..wishes.clone()
        };
        let connection = connect(&column.spec.endpoint, settings, &wishes);
        let mut connection = connection.map_err(RerunError::from)?;
        if !self.traffic.is_silent && !self.traffic.is_batch {
            connection.list_models().map_err(RerunError::from)?;
        }
        Ok(connection)
    }

    /// Returns a remark if there are more endpoints than allowed concurrent requests, because each
    /// endpoint gets at least one.
    pub(super) fn crowded(&self, samples: &ColumnSamples) -> Option<String> {
        let most = self.traffic.at_once.filter(|_| !self.traffic.is_batch)?;
        let endpoints = self.shared(samples).len();
        (endpoints > usize::from(most)).then(|| {
            format!(
                "concurrency {most} for {endpoints} endpoints: each endpoint gets one request at a time, so up to {endpoints} run at once"
            )
        })
    }

    /// Groups columns by endpoint and key. For batch files, each column has its own connection.
    fn shared(&self, samples: &ColumnSamples) -> Vec<SharedConnection<'_>> {
        let mut groups: Vec<SharedConnection<'_>> = Vec::new();
        for (at, column) in self.columns.iter().enumerate() {
            let questions = column.spec.protocol.requests(samples.of(at)).high;
            let is_same = |group: &&mut SharedConnection<'_>| {
                group.first.spec.endpoint == column.spec.endpoint
                    && group.first.key_env == column.key_env
            };
            match groups.iter_mut().find(is_same) {
                Some(group) if !self.traffic.is_batch => {
                    group.columns.push(at);
                    group.questions += questions;
                }
                _ => groups.push(SharedConnection {
                    first: column,
                    columns: vec![at],
                    questions,
                }),
            }
        }
        groups
    }
}

/// Returns the share of connection `at` if `most` concurrent requests are divided among `count`
/// connections; at least 1.
fn part_of(most: u16, at: usize, count: usize) -> usize {
    let (most, count) = (usize::from(most), count.max(1));
    let more = usize::from(at < most % count);
    (most / count + more).max(1)
}

/// Divides `most` attempts among connections in proportion to their questions.
///
/// Each connection with questions gets at least one, if `most` allows it.
fn parts_of_attempts(most: u64, questions: &[usize]) -> Vec<u64> {
    let count = questions.iter().filter(|own| **own > 0).count() as u64;
    if most < count {
        let mut left = most;
        let one = |own: &usize| {
            let part = left.min(u64::from(*own > 0));
            left -= part;
            part
        };
        return questions.iter().map(one).collect();
    }
    let all: u128 = questions.iter().map(|own| *own as u128).sum();
    let rest = u128::from(most - count);
    // Rounds cumulative sums, so that the parts add up to `most`.
    let rest_of = |sum: u128| u64::try_from(rest * sum / all.max(1)).unwrap_or(u64::MAX);
    let mut before = 0;
    let part = |own: &usize| {
        let sum = before + *own as u128;
        let part = u64::from(*own > 0) + rest_of(sum) - rest_of(before);
        before = sum;
        part
    };
    questions.iter().map(part).collect()
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::driver::RunSpec;
    use crate::protocol::Protocol;
    use crate::session::Traffic;
    use analysis::Selection;
    use record::Scoring;
    use workspace::load::{Request, load};

    #[test]
    fn fewer_requests_than_endpoints_are_remarked() {
        let request = Request::default();
        let table = load(&request, &mut |_| ControlFlow::Continue(()));
        let remark = |endpoints: &[&str], at_once| {
            let column = |endpoint: &&str| {
                let spec = RunSpec::new((*endpoint).to_owned(), Protocol::Vanilla, Vec::new());
                Column::alone(spec, Vec::new())
            };
            let columns = endpoints.iter().map(column).collect();
            let selection = Selection::all(&table, Scoring::Harness);
            let spec = SessionSpec {
                traffic: Traffic {
                    at_once,
                    ..Traffic::default()
                },
                ..SessionSpec::new(columns, selection, &request)
            };
            spec.crowded(&ColumnSamples::default())
        };
        let three = remark(&["a", "b", "c", "a"], Some(1)).unwrap();
        assert!(three.contains("1 for 3 endpoints"), "{three}");
        assert_eq!(remark(&["a", "b", "c"], Some(3)), None);
        assert_eq!(remark(&["a", "a"], Some(1)), None, "they share one slot");
        assert_eq!(remark(&["a", "b"], None), None);
    }

    #[test]
    fn connections_share_what_bounds_all_of_them() {
        assert_eq!([0, 1, 2].map(|at| part_of(8, at, 3)), [3, 3, 2]);
        assert_eq!(part_of(1, 1, 2), 1, "one may always be sent");
        // One each, and the other 87 in the ratio 10 to 20.
        assert_eq!(parts_of_attempts(89, &[10, 20]), [30, 59]);
        assert_eq!(parts_of_attempts(10, &[1, 99]), [1, 9]);
        assert_eq!(parts_of_attempts(10, &[99, 1]), [8, 2]);
        assert_eq!(parts_of_attempts(7, &[1, 1, 1]), [2, 2, 3]);
        assert_eq!(parts_of_attempts(2, &[5, 5, 5]), [1, 1, 0]);
        assert_eq!(parts_of_attempts(1, &[0, 5, 5]), [0, 1, 0]);
        assert_eq!(parts_of_attempts(10, &[0, 5]), [0, 10]);
        assert_eq!(parts_of_attempts(u64::MAX, &[3]), [u64::MAX]);
    }
}
