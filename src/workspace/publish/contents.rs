//! Reads the content of rows from their logs, to publish it.

use std::path::Path;

use rayon::prelude::*;

use super::PublishError;
use super::cells::Clusters;
use super::pictures::Pictures;
use crate::export::{Cells, Records};
use record::{Row, Scoring, Table};

/// Content of a row, and the name of its cluster if the row is the cluster's first; or the reason
/// why it cannot be read.
type RowContent = Result<(Cells, Option<(u32, u64)>), String>;

/// Reads the records of a table to publish.
pub struct Contents<'a> {
    table: &'a Table,
    folder: &'a Path,
    pictures: Option<Pictures<'a>>,
    clusters: Clusters,
}

impl<'a> Contents<'a> {
    /// Creates a reader without cluster names. `folder` is the destination, if that is a local
    /// folder.
    pub fn new(table: &'a Table, folder: Option<&'a Path>, pictures: Option<Pictures<'a>>) -> Self {
        Self {
            table,
            folder: folder.unwrap_or(Path::new("")),
            pictures,
            clusters: Clusters::of(table),
        }
    }

    /// Returns the clusters, with the names found so far.
    pub const fn clusters(&self) -> &Clusters {
        &self.clusters
    }

    /// Returns the number of pictures that were not found at their path in the log.
    pub fn missing(&self) -> u64 {
        self.pictures.as_ref().map_or(0, Pictures::missing)
    }

    /// Reads the content of rows, with texts and pictures.
    ///
    /// # Errors
    /// A record can no longer be read, or a picture cannot be written.
    pub fn cells(&mut self, rows: &[u32]) -> Result<Vec<Cells>, PublishError> {
        let records = || Records::new(self.table, Scoring::Harness, self.folder);
        let one = |records: &mut Records<'_>, &row: &u32| -> Result<RowContent, PublishError> {
            let mut found = match records.record(Row(row)) {
                Ok(found) => found,
                Err(why) => return Ok(Err(why)),
            };
            if let Some(pictures) = &self.pictures {
                pictures.take(self.table, Row(row), &mut found)?;
            }
            let named = self.clusters.named(self.table, row, &found);
            Ok(Ok((Cells::new(found), named)))
        };
        let found = rows.par_iter().map_init(records, one);
        let found: Result<Vec<_>, PublishError> = found.collect();
        let (mut cells, mut lost) = (Vec::with_capacity(rows.len()), Vec::new());
        for one in found? {
            match one {
                Ok((one, named)) => {
                    cells.push(one);
                    self.clusters.keep(named);
                }
                Err(why) => lost.push(why),
            }
        }
        let count = lost.len() as u64;
        match lost.into_iter().next() {
            Some(why) => Err(PublishError::Lost { count, why }),
            None => Ok(cells),
        }
    }
}
