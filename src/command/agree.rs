//! `eyechart agree`: two sets of runs and their rankings, or a subset of samples and all.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::Path;

use regex::Regex;

use super::output::Origin;
use super::{Failure, Status, input, named, output};
use analysis::{Keeping, Selection, Subset, agreements, subsets};
use cli::{Agree, Lens};
use record::{ItemId, ModelId, Row, Scoring, Table};
use report::{Agreements, Subsets, write_json};
use workspace::filter;

/// Runs the command.
pub fn run(args: &Agree) -> Result<Status, Failure> {
    let table = input::read(&args.input)?;
    if table.is_empty() {
        return Err(Failure::new(
            "printed scores have no samples to draw sets from",
        ));
    }
    if args.subset {
        return subset(args, &table);
    }
    let [first, second] = args.between.as_slice() else {
        return Err(Failure::usage("--between takes two expressions"));
    };
    let part = args.name.as_deref().map(Regex::new).transpose();
    let part = part.map_err(|error| Failure::usage(format!("--name: {error}")))?;
    let name_of = |name: &str| match &part {
        Some(part) => matched(part, name).to_owned(),
        None => name.to_owned(),
    };
    let sets = [first, second].map(|text| set(text, &args.lens, &table));
    let [one, other] = sets;
    let (one, other) = (one?, other?);
    let sides = [one.selection(&table), other.selection(&table)];
    for (side, text) in sides.iter().zip([first, second]) {
        distinct(*side, text, &name_of)?;
    }
    let [one, other] = sides;
    let document = Agreements {
        between: [first.clone(), second.clone()],
        abilities: agreements(one, other, &name_of),
    };
    let origin = Origin::new(&args.input, Some(&args.lens), &table);
    output::write(&document, &args.output, &origin)?;
    Ok(Status::Done)
}

/// The part of a name that a pattern finds: its first group, else all of it; the name where it finds none.
fn matched<'a>(part: &Regex, name: &'a str) -> &'a str {
    let found = part.captures(name);
    let group = found.and_then(|found| found.get(1).or_else(|| found.get(0)));
    group.map_or(name, |group| group.as_str())
}

/// One set of runs.
struct Set {
    mask: Option<Vec<bool>>,
    scoring: Scoring,
}

impl Set {
    fn selection<'a>(&'a self, table: &'a Table) -> Selection<'a> {
        Selection {
            table,
            scoring: self.scoring,
            mask: self.mask.as_deref(),
        }
    }
}

/// The set that an expression names: a filter, or all runs by one of the two rules.
fn set(text: &str, lens: &Lens, table: &Table) -> Result<Set, Failure> {
    let rule = [Scoring::Harness, Scoring::Strict]
        .into_iter()
        .find(|rule| text.trim().strip_prefix("scoring:") == Some(rule.name()));
    let scoring = rule.unwrap_or_else(|| named::scoring(lens.scoring));
    let own = if rule.is_some() { "" } else { text };
    let select = |text| filter::select(text, table, scoring).map_err(Failure::usage);
    let mask = match (select(&lens.filter)?, select(own)?) {
        (Some(all), Some(own)) => Some(all.iter().zip(own).map(|(a, b)| *a && b).collect()),
        (all, own) => all.or(own),
    };
    Ok(Set { mask, scoring })
}

/// Two models of one set must not be matched by one name.
fn distinct(
    set: Selection<'_>,
    text: &str,
    name_of: &dyn Fn(&str) -> String,
) -> Result<(), Failure> {
    let names = set.table.names();
    let mut present = vec![false; names.models.values().len()];
    for row in set.rows() {
        let ModelId(model) = set.table.model(Row(row));
        if let Some(present) = present.get_mut(usize::from(model)) {
            *present = true;
        }
    }
    if !present.contains(&true) {
        return Err(Failure::new(format!("`{text}` selects no sample")));
    }
    let mut known: BTreeMap<String, &str> = BTreeMap::new();
    let models = names.models.values().iter().zip(present);
    for (model, _) in models.filter(|(_, present)| *present) {
        if let Some(other) = known.insert(name_of(model), model) {
            let what = format!("--name finds the same part in {other} and {model}");
            return Err(Failure::usage(what).hint(format!("both are in `{text}`")));
        }
    }
    Ok(())
}

fn subset(args: &Agree, table: &Table) -> Result<Status, Failure> {
    if !(-1.0..=1.0).contains(&args.threshold) {
        return Err(Failure::usage("--threshold: tau-b lies between -1 and 1"));
    }
    let mask = input::mask(&args.lens, table)?;
    let keeping = Keeping {
        threshold: args.threshold,
        draws: usize::from(args.draws.max(1)),
        seed: args.seed,
    };
    let found = subsets(input::selection(&args.lens, table, mask.as_ref()), keeping);
    if let Some(path) = &args.ids {
        if !is_jsonl(path) && has_namesakes(&found, table) {
            let what = format!(
                "{}: an id alone means samples of several abilities",
                path.display()
            );
            return Err(Failure::usage(what).hint("a file named *.jsonl tells them apart"));
        }
        let text = ids(&found, table, is_jsonl(path))?;
        fs::write(path, text)
            .map_err(|error| Failure::new(format!("{}: {error}", path.display())))?;
    }
    let document = Subsets {
        keeping,
        abilities: found,
    };
    let origin = Origin::new(&args.input, Some(&args.lens), table);
    output::write(&document, &args.output, &origin)?;
    Ok(Status::Done)
}

fn is_jsonl(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "jsonl")
}

/// Whether the ids of the subsets, without their abilities, are those of other samples too.
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

/// The samples of all subsets, one a line: as objects, or by their ids alone.
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
