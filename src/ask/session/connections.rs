//! Connections of a session. Columns with the same endpoint share one, with its rate limits.

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
    /// The first of them.
    first: &'a Column,
    /// Their indices.
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
        let all: usize = groups.iter().map(|group| group.questions).sum();
        let mut found: Vec<Option<ConnectionResult>> = vec![None; self.columns.len()];
        for (at, group) in groups.iter().enumerate() {
            let mut wishes = ConnectOptions::for_questions(group.questions);
            wishes.at_once = self
                .traffic
                .at_once
                .map(|most| part_of(most, at, groups.len()));
            if let Some(most) = self.traffic.most_billed {
                wishes.most_billed = Some(part_of_attempts(most, group.questions, all));
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
            connection.look().map_err(RerunError::from)?;
        }
        Ok(connection)
    }

    /// Groups columns by endpoint and key. In a batch every column is alone.
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

/// Concurrent requests of the connection `at`, of `most` for `count` connections.
fn part_of(most: u16, at: usize, count: usize) -> usize {
    let (most, count) = (usize::from(most), count.max(1));
    let more = usize::from(at < most % count);
    (most / count + more).max(1)
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
        assert_eq!([0, 1, 2].map(|at| part_of(8, at, 3)), [3, 3, 2]);
        assert_eq!(part_of_attempts(90, 10, 30), 30);
        assert_eq!(part_of(1, 1, 2), 1, "one may always be sent");
    }
}
