//! `eyechart samples`: lists samples with their answers and scores.

use super::{Failure, Status};
use crate::cli::Samples;
use engine::Detail;
use record::Row;
use report::{ListedSample, SampleList};
use workspace::brief::parsed;
use workspace::page::list_row;

/// Writes the list with each sample's record and parsed answer.
pub fn run(args: &Samples) -> Result<Status, Failure> {
    let query = engine::Samples::try_from(args)?;
    let opened = args.common.open()?;
    let scoring = query.scope.scoring;
    let listed = |row: u32| {
        let row = Row(row);
        let detail = opened.ask(&Detail {
            row,
            scoring,
            with_maps: false,
        })?;
        Ok(match *detail {
            Ok(detail) => ListedSample {
                parsed: parsed(&detail.record, scoring).filter(|_| !detail.list.invalid),
                row: detail.list,
                record: Some(detail.record),
            },
            Err(_) => ListedSample {
                row: list_row(opened.table(), row, scoring),
                record: None,
                parsed: None,
            },
        })
    };
    let rows = opened.ask(&query)?.rows.into_iter().map(listed);
    let list = SampleList {
        rows: rows.collect::<Result<_, Failure>>()?,
    };
    args.common.write(&list, &opened)
}
