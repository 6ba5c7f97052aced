//! `eyechart samples`: lists samples with their answers and scores.

use super::{Failure, Status};
use crate::cli::Samples;
use base::job::FOR_GOOD;
use engine::{Ask as _, Detail, Engine, QueryError};
use record::{Row, Scoring};
use report::{ListedSample, SampleList};
use workspace::brief::parsed;
use workspace::page::list_row;

/// Writes the list with each sample's record and parsed answer.
pub fn run(args: &Samples) -> Result<Status, Failure> {
    let query = engine::Samples::try_from(args)?;
    let opened = args.common.open()?;
    let scoring = query.scope.scoring;
    let found = opened.ask(&query)?;
    let distances = found.distances.into_iter().map(Some);
    let distances = distances.chain(std::iter::repeat(None));
    let rows = found
        .rows
        .into_iter()
        .zip(distances)
        .map(|(row, distance)| {
            Ok(ListedSample {
                distance,
                ..listed(&*opened.engine, Row(row), scoring)?
            })
        });
    let list = SampleList {
        rows: rows.collect::<Result<_, QueryError>>()?,
    };
    args.common.write(&list, &opened)
}

/// Returns a prediction with its record and parsed answer. `row` is a row of the engine's table.
pub fn listed(engine: &dyn Engine, row: Row, scoring: Scoring) -> Result<ListedSample, QueryError> {
    let query = Detail {
        row,
        scoring,
        with_maps: false,
    };
    Ok(match *query.answer(engine, &FOR_GOOD)? {
        Ok(detail) => ListedSample {
            parsed: parsed(&detail.record, scoring).filter(|_| !detail.list.invalid),
            row: detail.list,
            record: Some(detail.record),
            distance: None,
        },
        Err(_) => ListedSample {
            row: list_row(engine.table(), row, scoring),
            record: None,
            parsed: None,
            distance: None,
        },
    })
}
