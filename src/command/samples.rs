//! `eyechart samples`: the sample list.

use super::output::Origin;
use super::{Failure, Status, input, output};
use cli::Samples;
use engine::Detail;
use record::Row;
use report::{Listed, SampleList};
use workspace::page::list_row;

/// Runs the command.
pub fn run(args: &Samples) -> Result<Status, Failure> {
    let query = engine::Samples::of(args)?;
    let opened = input::open(&args.input)?;
    let scoring = query.scope.scoring;
    let listed = |row: u32| {
        let row = Row(row);
        let detail = opened.ask(&Detail {
            row,
            scoring,
            with_maps: false,
        })?;
        Ok(match *detail {
            Ok(detail) => {
                let read = detail.reading.map(|reading| reading.answer.to_string());
                let told = detail
                    .record
                    .parsed
                    .clone()
                    .filter(|parsed| !parsed.is_empty());
                Listed {
                    parsed: read.or(told).filter(|_| !detail.list.invalid),
                    row: detail.list,
                    record: Some(detail.record),
                }
            }
            Err(_) => Listed {
                row: list_row(opened.table(), row, scoring),
                record: None,
                parsed: None,
            },
        })
    };
    let rows = opened.ask(&query)?.into_iter().map(listed);
    let list = SampleList {
        rows: rows.collect::<Result<_, Failure>>()?,
    };
    output::write(&list, &args.output, &Origin::of(&opened, &args.lens))?;
    Ok(Status::Done)
}
