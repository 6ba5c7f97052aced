//! `eyechart agree`: compares two rankings, from two sets of runs or from a subset of samples and
//! all samples.

use std::collections::HashSet;
use std::path::Path;

use super::input::{LoadedInput, RequiredData, ResolvedInput};
use super::queries;
use super::{Failure, Status};
use crate::cli::Agree;
use analysis::Subset;
use engine::Scope;
use record::{ItemId, Table};
use report::{Agreements, Subsets, write_json};

/// Writes how well the rankings agree, or with `--ids` the samples of the subset.
pub fn run(args: &Agree) -> Result<Status, Failure> {
    let query = queries::agree(args);
    let scopes = match &query {
        Some(query) if !args.subset => query.side_scopes().to_vec(),
        _ => vec![Scope::from(&args.common.lens)],
    };
    let opened = ResolvedInput::of(&args.common.input)?.open_to(&RequiredData::At(&scopes))?;
    if opened.table().is_empty() {
        return Err(Failure::new(
            "published scores have no samples to compare rankings on",
        ));
    }
    if args.subset {
        return subset(args, &opened);
    }
    let query = query.ok_or_else(|| Failure::usage("--between takes two expressions"))?;
    let document = Agreements {
        abilities: opened.ask(&query)?,
        between: query.between,
    };
    args.common.write(&document, &opened)
}

fn subset(args: &Agree, opened: &LoadedInput) -> Result<Status, Failure> {
    if !(-1.0..=1.0).contains(&args.threshold) {
        return Err(Failure::usage(
            "--threshold: tau-b must be between -1 and 1",
        ));
    }
    let query = engine::Subset::from(args);
    let (found, table) = (opened.ask(&query)?, opened.table());
    if let Some(path) = &args.ids {
        if !is_jsonl(path) && has_namesakes(&found, table) {
            let what = format!("{}: some ids occur in several abilities", path.display());
            return Err(Failure::usage(what)
                .hint("name the file *.jsonl to write the ability with each id"));
        }
        let text = ids(&found, table, is_jsonl(path))?;
        base::file::write(path, &text, &opened.inputs())?;
    }
    let document = Subsets {
        keeping: query.keeping,
        abilities: found,
    };
    args.common.write(&document, opened)
}

fn is_jsonl(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "jsonl")
}

/// Returns true if a filter by the subsets' ids and abilities also selects other samples.
fn has_namesakes(subsets: &[Subset], table: &Table) -> bool {
    let chosen = subsets.iter().flat_map(|subset| &subset.chosen);
    let key = |item: ItemId| (table.sample_id(item), table.ability(item));
    let samples: HashSet<_> = chosen.map(|item| key(*item)).collect();
    let ids: HashSet<&str> = samples.iter().map(|(id, _)| *id).collect();
    let abilities: HashSet<_> = samples.iter().map(|(_, ability)| *ability).collect();
    let items = u32::try_from(table.ability_of().len()).unwrap_or(u32::MAX);
    let mut others = (0..items).map(|item| key(ItemId(item)));
    others.any(|(id, ability)| {
        ids.contains(id) && abilities.contains(&ability) && !samples.contains(&(id, ability))
    })
}

/// Formats the samples of all subsets, one per line: as JSON objects, or as bare ids.
fn ids(subsets: &[Subset], table: &Table, objects: bool) -> Result<Vec<u8>, Failure> {
    let mut text = Vec::new();
    for subset in subsets {
        for item in &subset.chosen {
            let id = table.sample_id(*item);
            if objects {
                let line = serde_json::json!({
                    "sample_id": id, "benchmark": subset.benchmark, "ability": subset.ability,
                });
                write_json(&line, &mut text)?;
            } else {
                text.extend_from_slice(id.as_bytes());
            }
            text.push(b'\n');
        }
    }
    Ok(text)
}
