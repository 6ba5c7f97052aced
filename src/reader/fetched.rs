//! Decides which files of a remote store are downloaded before reading.

use std::collections::HashMap;
use std::path::Path;

use store::InitialPart;

use super::data_set::{Manifest, is_part};
use super::file_name::{can_be_log, holds_verdicts};
use super::open::open;
use super::source::first_bytes;
use super::tables::{self, Tables};
use super::tabular::Form;
use super::walk::can_hold_logs;
use super::{Context, Reader as _, Unit, inspect, mapped};

/// Extensions of file formats whose index is at the end of the file.
const FROM_END: [&str; 3] = ["eval", "parquet", "xlsx"];

/// Returns, for each path in a store, the part to download first. Verdicts and the newest manifest
/// of a data set are downloaded completely. Of possible logs, enough is downloaded to detect their
/// format. Other files and picture folders are skipped.
pub fn fetched_first(paths: &[&Path]) -> Vec<InitialPart> {
    let mut newest: HashMap<&Path, u64> = HashMap::new();
    for (folder, number) in paths.iter().filter_map(|path| manifest(path)) {
        let known = newest.entry(folder).or_default();
        *known = number.max(*known);
    }
    let is_passed_over = |path: &Path| {
        if let Some((folder, number)) = manifest(path) {
            return newest.get(folder) != Some(&number);
        }
        let folder = path.parent().and_then(Path::parent);
        folder.is_some_and(|folder| newest.contains_key(folder) && is_part(path, folder))
    };
    let paths = paths.iter();
    let first = |path: &Path| {
        if !is_fetched(path) || is_passed_over(path) {
            return InitialPart::Nothing;
        }
        if holds_verdicts(path) || manifest(path).is_some() {
            return InitialPart::Whole;
        }
        let ending = path.extension().unwrap_or_default();
        let is_read_from_end = FROM_END
            .iter()
            .any(|known| ending.eq_ignore_ascii_case(known));
        if is_read_from_end {
            InitialPart::Ends
        } else {
            InitialPart::Start
        }
    };
    paths.map(|path| first(path)).collect()
}

/// Like [`fetched_first`], but possible logs are downloaded completely. Used for folders with data
/// sets and pictures.
pub fn fetched_whole(paths: &[&Path]) -> Vec<InitialPart> {
    let whole = |first| match first {
        InitialPart::Nothing => InitialPart::Nothing,
        _ => InitialPart::Whole,
    };
    fetched_first(paths).into_iter().map(whole).collect()
}

/// Returns the folder and number of a manifest; `None` for other paths.
fn manifest(path: &Path) -> Option<(&Path, u64)> {
    let number = Manifest::number(path.file_name()?.to_str()?)?;
    Some((path.parent()?, number))
}

/// True for logs, parts of logs and verdict files outside picture folders.
fn is_fetched(path: &Path) -> bool {
    let folders = path.parent().into_iter().flat_map(Path::ancestors);
    let in_skipped = folders
        .filter(|folder| folder.file_name().is_some())
        .any(|folder| !can_hold_logs(folder));
    !in_skipped && (can_be_log(path) || holds_verdicts(path))
}

/// True if less than half of a log's bytes will be read. Such a log is not downloaded completely.
pub fn is_read_in_parts(unit: &Unit, context: &Context) -> bool {
    match inspect::is_mostly_read(unit) {
        Some(is_mostly_read) => !is_mostly_read,
        None => packed(unit, context).is_some_and(|packed| packed < unit.length / 2),
    }
}

/// Returns the compressed size in bytes of the Parquet columns to read; `None` for other formats,
/// or if it is unknown.
fn packed(unit: &Unit, context: &Context) -> Option<u64> {
    let is_table = unit.format == Tables::Parquet.format();
    if !is_table && unit.format != mapped::FORMAT {
        return None;
    }
    let head = first_bytes(open(&unit.path).ok()?).ok()?;
    Form::of(&head).filter(|form| *form == Form::Parquet)?;
    let table = tables::open(&unit.path, unit.length).ok()?;
    let packed = if is_table {
        table.packed(tables::is_of_record)
    } else {
        let map = mapped::map_of(&table.paths(), context)?;
        let table = mapped::with_pictures(table, map);
        let wanted = mapped::wanted(&table, map);
        table.packed(wanted)
    };
    packed.ok()?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logs_and_verdicts_are_fetched_and_neither_pictures_nor_files_of_data_sets() {
        use InitialPart::{Ends, Nothing, Start, Whole};
        let all = [
            ("a/b.jsonl", Start),
            ("b.eval", Ends),
            ("b.XLSX", Ends),
            ("models.csv", Start),
            ("x/eyechart.verdicts.jsonl", Whole),
            ("images/b.json", Nothing),
            ("a/b.png", Nothing),
            ("images", Nothing),
            ("set/eyechart-data-set.000006.json", Nothing),
            ("set/eyechart-data-set.000007.json", Whole),
            ("set/rows/m-bench-0123456789abcdef.parquet", Nothing),
            ("set/texts/m-bench-0123456789abcdef.parquet", Nothing),
            ("set/cells/m-bench-0123456789abcdef.parquet", Nothing),
            ("set/other/m-bench-0123456789abcdef.parquet", Ends),
            ("rows/mine.parquet", Ends),
            ("cells/mine.parquet", Ends),
        ];
        let paths: Vec<&Path> = all.iter().map(|(path, _)| Path::new(path)).collect();
        for ((path, is), found) in all.iter().zip(fetched_first(&paths)) {
            assert_eq!(found, *is, "{path}");
        }
        for ((path, is), found) in all.iter().zip(fetched_whole(&paths)) {
            let whole = if *is == Nothing { Nothing } else { Whole };
            assert_eq!(found, whole, "{path}");
        }
    }
}
