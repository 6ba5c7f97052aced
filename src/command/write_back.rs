//! `eyechart verdicts --to`: adds verdicts to the annotation file of a tool.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::io::Write as _;
use std::path::Path;

use super::input::LoadedInput;
use super::stderr::stderr;
use super::{Failure, Status};
use crate::cli::Verdicts;
use analysis::audit::{AuditOptions, sample_key};
use base::format::{counted, visible_lines};
use base::job::FOR_GOOD;
use reader::annotations::{Tool, WriteBack};
use record::Row;
use record::verdict::{Book, Entry, Verdict};

/// Maximum number of samples that a message lists.
const LISTED: usize = 5;

/// Writes a copy of a tool's file with the verdicts added, and prints their number.
pub fn run(
    args: &Verdicts,
    tool: Tool,
    opened: &LoadedInput,
    book: &Book,
) -> Result<Status, Failure> {
    let original = original(tool, opened)?;
    let name = original.display();
    let entries = entries(args, tool, opened, book)?;
    if entries.is_empty() {
        return Err(Failure::new(format!("no verdict on a sample of {name}")));
    }
    let options = AuditOptions {
        drop_ambiguous: args.drop_ambiguous,
        ..AuditOptions::default()
    };
    let dropped = args.drop_flagged.then(|| options.left_out());
    let write_back = WriteBack {
        tool,
        dropped: &dropped.unwrap_or_default(),
        entries,
    };
    let entries = &write_back.entries;
    let file = write_back
        .apply(original)
        .map_err(|what| Failure::new(format!("{name}: {what}")))?;
    let Some(out) = &args.common.output.out else {
        return Err(Failure::usage("--to needs --out"));
    };
    base::file::write(out, &file.text, &opened.inputs())?;

    let count = |ids: &BTreeSet<String>, noun: &str| counted(ids.len() as u64, noun);
    let mut message = format!(
        "{} written to {}",
        count(&file.marked, "verdict"),
        out.display()
    );
    if !file.dropped.is_empty() {
        message.extend([", ", &count(&file.dropped, "sample"), " left out"]);
    }
    let is_lost = |id: &&String| !file.marked.contains(*id) && !file.dropped.contains(*id);
    let lost: BTreeSet<&str> = entries.keys().filter(is_lost).map(String::as_str).collect();
    let others = book.words().map(|(key, _)| key.sample_id.as_str());
    let others: BTreeSet<&str> = others.filter(|id| !entries.contains_key(*id)).collect();
    let bare = file.bare.iter().map(String::as_str).collect();
    for (ids, what) in [
        (
            &lost,
            "not written: the file has no entry for the sample that can hold a verdict",
        ),
        (
            &others,
            "not written: the sample is not in the file, or not selected",
        ),
        (
            &bare,
            "only on the picture: CVAT does not import it, as no object is annotated",
        ),
    ] {
        if !ids.is_empty() {
            let verdicts = counted(ids.len() as u64, "verdict");
            message.extend(["\n", &verdicts, " ", what, ": ", &listed(ids)]);
        }
    }
    writeln!(stderr(), "{}", visible_lines(&message))?;
    Ok(if lost.is_empty() {
        Status::Done
    } else {
        Status::Partial
    })
}

/// Returns the opened file in a tool's format; fails unless there is exactly one.
fn original(tool: Tool, opened: &LoadedInput) -> Result<&Path, Failure> {
    let sources = opened.table().sources().iter();
    let sources = sources.filter(|source| !source.superseded);
    let files: BTreeSet<&Path> = sources.filter_map(|source| tool.file(source)).collect();
    let files: Vec<&Path> = files.into_iter().collect();
    let name = tool.name();
    match files.as_slice() {
        [file] => Ok(*file),
        [] => Err(Failure::new(format!("no annotations of {name} are open"))
            .hint("open the annotation file too: --out gets a copy of it with the verdicts")),
        [first, second, ..] => Err(Failure::new(format!(
            "{} files of {name} are open, such as {} and {}",
            files.len(),
            first.display(),
            second.display()
        ))
        .hint("open one of them at a time: each is written to its own file")),
    }
}

/// Returns the effective verdict on each selected sample in the tool's file, by sample id. If an id
/// has several verdicts, flagged verdicts take precedence, then later ones.
fn entries<'b>(
    args: &Verdicts,
    tool: Tool,
    opened: &LoadedInput,
    book: &'b Book,
) -> Result<BTreeMap<String, &'b Entry>, Failure> {
    let rows = opened.rows(&args.common.lens)?;
    let table = &rows.table;
    let is_of_tool: Vec<bool> = table
        .sources()
        .iter()
        .map(|source| tool.file(source).is_some())
        .collect();
    let weight = |entry: &Entry| (entry.verdict != Verdict::Ok, entry.at);
    let (mut seen, mut found) = (HashSet::new(), BTreeMap::<String, &Entry>::new());
    for row in rows.selection(&FOR_GOOD).rows().map(Row) {
        let unit = table.place(row).unit as usize;
        let item = table.item(row);
        if is_of_tool.get(unit) != Some(&true) || !seen.insert(item) {
            continue;
        }
        let key = sample_key(table, item);
        if let Some(entry) = book.counting(&key, args.author.as_deref()) {
            let known = found.entry(key.sample_id).or_insert(entry);
            if weight(entry) > weight(known) {
                *known = entry;
            }
        }
    }
    Ok(found)
}

/// Lists the first ids of a set.
fn listed(ids: &BTreeSet<&str>) -> String {
    let first: Vec<&str> = ids.iter().copied().take(LISTED).collect();
    let more = if ids.len() > LISTED { ", ..." } else { "" };
    first.join(", ") + more
}
