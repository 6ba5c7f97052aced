//! Reads scores without samples from evaluations of vision encoders: `CLIP_benchmark`, `DataComp`,
//! timm, DINO (2 and 3), and tables over the data sets of VTAB.

mod dino;
mod last_scores;
mod layouts;

#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::path::Path;

use super::mapped::map_of;
use super::mapped::read::read;
use super::mapped::row::MappedTable;
use super::mapped::seen::SeenColumns;
use super::mapped::shape::of_path;
use super::open::open;
use super::source::first_bytes;
use super::{Candidate, Context, Sink, Unit};
use last_scores::LastScores;
use layouts::Layout;
use record::Problem;

/// Name of the format in the list of sources.
pub const FORMAT: &str = "encoder scores";

/// Keys that occur in JSON tables of encoder scores. JSON files without these keys are not parsed.
const KEYS: [&[u8]; 3] = [b"\"pretrained\"", b"\"main_metric\"", b"\"top1_err\""];

reader! {
    /// Reader of encoder scores.
    EncoderScores, FORMAT, plan, |unit, context, _, sink| read_scores(unit, context, sink)
}

fn plan(files: &mut Vec<Candidate>, context: &Context) -> Vec<Unit> {
    let mut units = Vec::new();
    files.retain(|file| {
        let Some(place) = place(file, context) else {
            return true;
        };
        units.push(Unit {
            model: place.model,
            dataset: Some(place.dataset),
            settings: place
                .checkpoint
                .map(|it| ("checkpoint".to_owned(), it))
                .into_iter()
                .collect(),
            ..Unit::single(file.clone(), FORMAT, context)
        });
        false
    });
    units
}

fn read_scores(unit: &Unit, context: &Context, sink: &mut dyn Sink) {
    let mut last = LastScores::new(sink);
    let head = open(&unit.path).and_then(first_bytes);
    let is_dino = head.is_ok_and(|head| dino::kind(&head).is_some());
    let shape = of_path(&unit.path).filter(|_| !is_dino);
    let layout = shape.as_ref().and_then(|shape| Layout::of(&shape.columns));
    match (shape, layout) {
        (Some(shape), Some(layout)) => {
            let map = layout.map(&shape.columns);
            let seen = RefCell::new(SeenColumns::new(&map));
            let table = MappedTable {
                unit,
                context,
                map: &map,
                maps: &[],
                place: &unit.path,
                rules: Some(layout.rules),
                seen: &seen,
            };
            if let Some(what) = layout.skipped(&shape.columns) {
                last.problem(Problem::line(&unit.path, 1, what));
            }
            read(table, shape.kind, None, &mut last);
        }
        _ => dino::read(unit, &mut last),
    }
    let may_be_percent = layout.is_some_and(|layout| layout.may_be_percent);
    last.finish(unit, may_be_percent);
}

/// Fields taken from the path of a file.
#[derive(Debug, Default)]
pub struct Place {
    model: Option<String>,
    checkpoint: Option<String>,
    /// Data set or kind of evaluation; used for scores without an ability.
    dataset: String,
}

/// Returns the fields in the path of a file if its content is a table of encoder scores. `None` for
/// other files, and for files that fit the user's column maps.
fn place(file: &Candidate, context: &Context) -> Option<Place> {
    let head = file.head();
    if let Some(kind) = dino::kind(&head) {
        return Some(dino::place(&file.real, kind));
    }
    // The first bytes are enough to reject most files.
    let text = head.trim_ascii_start();
    let has = |key: &&[u8]| memchr::memmem::find(text, key).is_some();
    let can_be = if let Some(b'{' | b'[') = text.first() {
        KEYS.iter().any(has)
    } else {
        // A text with a single column is not a table.
        let names = header(text);
        names.len() > 1 && Layout::of(&names).is_some()
    };
    if !can_be {
        return None;
    }
    let shape = of_path(&file.real)?;
    let layout = Layout::of(&shape.columns)?;
    if map_of(&shape.columns, context).is_some() {
        return None;
    }
    Some((layout.place)(&file.real))
}

/// Splits the first line of a text file at commas and tabs.
fn header(text: &[u8]) -> Vec<String> {
    let line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let line = String::from_utf8_lossy(line);
    let names = line.trim().split([',', '\t']);
    names
        .map(|name| name.trim_matches('"').to_owned())
        .collect()
}

/// Returns the name of a file's folder.
fn folder(path: &Path) -> Option<String> {
    let name = path.parent()?.file_name()?;
    Some(name.to_string_lossy().into_owned())
}
