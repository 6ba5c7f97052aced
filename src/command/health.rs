//! `eyechart health`: checks whether benchmarks are sound, and lists samples with and without
//! faults.

use std::path::Path;

use serde_json::{Value, json};

use super::input::LoadedInput;
use super::{Failure, Status};
use crate::cli::Health;
use record::{SPLIT, TagColumn};
use report::{HealthReport, write_json};

/// Runs all checks and writes the results and lists.
pub fn run(args: &Health) -> Result<Status, Failure> {
    let opened = args.common.open()?;
    if opened.table().is_empty() {
        return Err(Failure::new("published scores have no samples to check"));
    }
    let found = opened.ask(&engine::Health::from(args))?;
    let splits = match opened.table().tag(SPLIT) {
        Some(TagColumn::Text { names, .. }) => names.to_vec(),
        _ => Vec::new(),
    };
    let document = HealthReport {
        splits,
        names: opened.table().names().clone(),
        found: *found,
    };
    if let Some(path) = &args.faults {
        write_lines(path, document.faults(), &opened)?;
    }
    if let Some(path) = &args.clean_out {
        let table = opened.table();
        let sound = document.found.sound.iter().map(|item| {
            let ability = table.ability(*item).cloned().unwrap_or_default();
            let split = Some(table.split(*item)).filter(|split| !split.is_empty());
            json!({
                "sample_id": table.sample_id(*item), "benchmark": ability.benchmark,
                "ability": ability.name, "split": split,
            })
        });
        write_lines(path, sound, &opened)?;
    }
    args.common.write_tables(args.long, &document, &opened)
}

/// Writes one JSON value per line.
fn write_lines(
    path: &Path,
    lines: impl IntoIterator<Item = Value>,
    opened: &LoadedInput,
) -> Result<(), Failure> {
    let mut text = Vec::new();
    for line in lines {
        write_json(&line, &mut text)?;
        text.push(b'\n');
    }
    base::file::write(path, &text, &opened.inputs())?;
    Ok(())
}
