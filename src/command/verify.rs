//! `eyechart report --verify FILE`: checks a report's files and numbers against the current data.

use std::io::{Write, stdout};
use std::path::Path;

use clap::Parser;
use serde_json::Value as Json;

use super::{Failure, Status, input, report};
use crate::cli::{Cli, Command, Input};
use ::report::Document;
use base::format::{counted, visible};
use base::limits::Limit;
use workspace::hash::hash;
use workspace::load::shown;

/// Lists of a report that are compared.
const LISTS: [&str; 4] = ["scores", "average_rank", "subgroups", "reliability"];

/// Computes the report again; any difference is a problem. Reports can be hostile, so only
/// addresses that the user also names are contacted and get credentials.
pub fn run(file: &Path, named: &Input) -> Result<Status, Failure> {
    let failed =
        |error: &dyn std::fmt::Display| Failure::new(format!("{}: {error}", file.display()));
    let text = Limit::Document.read(file).map_err(|error| failed(&error))?;
    let old: Json = serde_json::from_slice(&text)
        .map_err(|error| failed(&format_args!("not a report in JSON: {error}")))?;
    let words: Option<Vec<String>> = serde_json::from_value(old["command"].clone()).ok();
    let words = words.ok_or_else(|| {
        failed(&"the report contains no command to make it again")
            .hint("eyechart report PATH --out FILE.json")
    })?;
    if let Some(address) = unnamed_address(&words, named) {
        let what = format!(
            "the report was made from {}, which is contacted only if you name it",
            shown(address)
        );
        return Err(failed(&what).hint("add the address after --verify FILE"));
    }
    let parsed = Cli::try_parse_from(words).ok().and_then(|cli| cli.command);
    let Some(Command::Report(mut args)) = parsed else {
        return Err(failed(&"this version cannot run the command in the report"));
    };
    for path in args.common.input.paths.iter().filter(|path| path.exists()) {
        base::platform::file::open(path)
            .map_err(|error| failed(&format_args!("{}: {error}", shown(path))))?;
    }
    args.common.input.fetch_images = named.fetch_images;
    let mut out = stdout().lock();
    let mut changes = sources(&old, &mut out)?;
    let opened = input::open_sums(&args.common.input)?;
    let new = report::summary(&args, &opened)?.json().to_string();
    // Convert the new report to JSON and back, so that both reports are rounded equally.
    let new: Json = serde_json::from_str(&new).map_err(|error| failed(&error))?;
    for list in LISTS {
        changes += numbers(list, &old, &new, &mut out)?;
    }
    Ok(if changes == 0 {
        Status::Done
    } else {
        Status::Problems
    })
}

/// Returns the first address in a report's command that the user has not given.
fn unnamed_address<'a>(words: &'a [String], named: &Input) -> Option<&'a Path> {
    let values = words.iter().flat_map(|word| {
        let value = word.split_once('=').map(|(_, value)| value);
        std::iter::once(word.as_str()).chain(value)
    });
    let is_named = |path: &Path| {
        let mut named = named.paths.iter().chain(&named.data);
        named.any(|known| known == path)
    };
    let mut paths = values.map(Path::new);
    paths.find(|path| store::is_address(path) && !is_named(path))
}

/// Prints each source file whose hash differs, and returns their number. The total length is
/// limited, because hostile reports can name huge sparse files, which take hours to read.
fn sources(old: &Json, out: &mut dyn Write) -> Result<u64, Failure> {
    let (mut same, mut changes, mut bytes) = (0, 0, 0_u64);
    for source in old["sources"].as_array().into_iter().flatten() {
        let path = source["path"].as_str().unwrap_or_default();
        bytes = bytes
            .saturating_add(reader::file_stamp(Path::new(path)).map_or(0, |(length, _)| length));
        if bytes > Limit::Hashed.get() {
            writeln!(out, "{}: {}", visible(path), Limit::Hashed.message())?;
            changes += 1;
            continue;
        }
        match (hash(Path::new(path)), source["blake3"].as_str()) {
            (Ok(now), Some(then)) if now == then => {
                same += 1;
                continue;
            }
            (Ok(_), _) => writeln!(out, "{} has changed", visible(path))?,
            (Err(error), _) => writeln!(out, "{}: {error}", visible(path))?,
        }
        changes += 1;
    }
    writeln!(out, "{} unchanged", counted(same, "source"))?;
    Ok(changes)
}

/// Prints how many rows of a list differ, and returns their number.
fn numbers(list: &str, old: &Json, new: &Json, out: &mut dyn Write) -> Result<u64, Failure> {
    let rows = |document: &Json| document[list].as_array().cloned().unwrap_or_default();
    let (old, new) = (rows(old), rows(new));
    let moved = old.iter().zip(&new).filter(|(old, new)| old != new).count();
    let moved = (moved + old.len().abs_diff(new.len())) as u64;
    let name = list.replace('_', " ");
    match moved {
        0 => writeln!(
            out,
            "{name}: {} unchanged",
            counted(old.len() as u64, "row")
        )?,
        moved => writeln!(
            out,
            "{name}: {} of {} differ",
            moved,
            counted(old.len().max(new.len()) as u64, "row")
        )?,
    }
    Ok(moved)
}
