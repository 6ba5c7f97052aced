//! Orders samples by their visual similarity to one sample.

use std::path::PathBuf;

use base::job::Ticket;
use record::{ItemId, Row, Scoring, Table};
use workspace::likeness::{by_likeness, codes};

use super::Show;
use crate::{Ask as _, Engine, QueryError, Scope, ScopedTable};

/// Order of samples by similarity to a given sample.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Likeness {
    /// Id of the sample to compare with.
    pub sample: String,
    /// Filter that excludes other samples with the same id. If empty, the first sample in the scope
    /// with the id is used.
    pub apart: String,
    /// Files of embeddings. If empty, the similarity of pictures is used.
    pub embeddings: Vec<PathBuf>,
}

impl Likeness {
    /// Creates the order by similarity to the sample of a prediction.
    pub fn to(row: Row, table: &Table, embeddings: &[PathBuf]) -> Self {
        let Show { sample, scope, .. } = Show::only(row, Scoring::default(), table);
        Self {
            sample,
            apart: scope.filter,
            embeddings: embeddings.to_vec(),
        }
    }

    /// Orders the predictions of a scope, most similar first. Returns all rows, and the distances
    /// of the first rows: 1 minus the cosine of the codes. The remaining rows have no code, and so
    /// no distance.
    ///
    /// # Errors
    /// If the sample does not exist or has no code, or a file of embeddings cannot be used.
    pub(super) fn rows(
        &self,
        held: &ScopedTable,
        engine: &dyn Engine,
        ticket: &Ticket,
    ) -> Result<(Vec<u32>, Vec<f32>), QueryError> {
        let table = &held.table;
        let rows: Vec<u32> = held.selection(ticket).rows().collect();
        let target = self.target(table, &rows, engine)?;
        let all = rows.iter().copied().chain([target.0]);
        let codes = codes(table, all, &self.embeddings, ticket)?;
        if !ticket.is_wanted() {
            return Err(QueryError::Stopped);
        }
        let found = by_likeness(table, rows, table.item(target), &codes);
        found.ok_or_else(|| QueryError::NoCode {
            sample: self.sample.clone(),
            why: if self.embeddings.is_empty() {
                "it has no readable picture on this machine"
            } else {
                "its embedding is missing or all zeros"
            },
        })
    }

    /// Returns a prediction on the given sample, preferably a prediction of the scope.
    fn target(&self, table: &Table, rows: &[u32], engine: &dyn Engine) -> Result<Row, QueryError> {
        let is_it = |item: ItemId| table.sample_id(item) == self.sample;
        if self.apart.is_empty()
            && let Some(row) = rows.iter().find(|row| is_it(table.item(Row(**row))))
        {
            return Ok(Row(*row));
        }
        let show = Show {
            scope: Scope {
                filter: self.apart.clone(),
                ..Scope::default()
            },
            sample: self.sample.clone(),
            model: None,
        };
        let rows = show.answer(engine, &base::job::FOR_GOOD)?;
        // The answer always contains at least one row.
        Ok(rows[0])
    }
}
