//! `eyechart samples`: the sample list.

use super::output::Origin;
use super::{Failure, Status, input, named, output};
use cli::Samples;
use record::Row;
use report::SampleList;
use workspace::page::{Sort, detail, list_row, rows_by_gap, sorted_rows};

/// Runs the command.
pub fn run(args: &Samples) -> Result<Status, Failure> {
    let (key, reverse) = args
        .sort
        .strip_prefix('-')
        .map_or((args.sort.as_str(), false), |key| (key, true));
    let order = order(key)?;
    let table = input::read(&args.input)?;
    let mask = input::mask(&args.lens, &table)?;
    let selection = input::selection(&args.lens, &table, mask.as_ref());
    let mut rows = match order {
        (_, Some(other)) => rows_by_gap(selection, &input::model(&table, other)?),
        (sort, None) => sorted_rows(selection, sort, reverse),
    };
    rows.truncate(args.limit.unwrap_or(usize::MAX));
    let scoring = named::scoring(args.lens.scoring);
    let row = |&row: &u32| match detail(&table, Row(row), scoring) {
        Ok(detail) => (detail.list, detail.record.response),
        Err(_) => (list_row(&table, Row(row), scoring), None),
    };
    let list = SampleList {
        rows: rows.iter().map(row).collect(),
    };
    let origin = Origin::new(&args.input, Some(&args.lens), &table);
    output::write(&list, &args.output, &origin)?;
    Ok(Status::Done)
}

/// The order of a key, and the model from which it tells the distance.
fn order(key: &str) -> Result<(Sort, Option<&str>), Failure> {
    if let Some(other) = key.strip_prefix("gap:") {
        return Ok((Sort::Gap, Some(other)));
    }
    let sort = Sort::ALL.into_iter().find(|sort| sort.name() == key);
    sort.map(|sort| (sort, None)).ok_or_else(|| {
        let names: Vec<&str> = Sort::ALL.iter().map(|sort| sort.name()).collect();
        Failure::usage(format!(
            "cannot sort by `{key}`; one of {}, gap:MODEL",
            names.join(", ")
        ))
    })
}
