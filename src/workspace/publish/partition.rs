//! Divides the rows of a table into the runs of a data set.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use analysis::{Selection, counts_by_part, groups_by_split};
use reader::data_set::{Answers, FORMAT, Run};
use reader::flat_settings;
use reader::own::Metadata;
use record::{Scoring, Source, Table, TagColumn};
use store::is_address;

use crate::export::figure;

/// Number of hexadecimal digits of the hash of a log's path.
const DIGITS: usize = 32;

/// A run, with its content to publish.
#[derive(Debug, Default)]
pub struct Partition {
    /// Metadata of the run.
    pub run: Run,
    /// Rows, sorted by ability and then by position in the log.
    pub rows: Vec<u32>,
    /// Other records: run settings and published scores.
    pub metadata: Vec<Metadata>,
}

impl Partition {
    /// Splits the rows into chunks of at most `most`. The last chunk also contains the other
    /// records. There is always at least one chunk.
    pub fn chunks(&self, most: usize) -> impl Iterator<Item = (&[u32], &[Metadata])> {
        let mut chunks: Vec<&[u32]> = self.rows.chunks(most).collect();
        if chunks.is_empty() {
            chunks.push(&[]);
        }
        let last = chunks.len() - 1;
        let chunks = chunks.into_iter().enumerate();
        chunks.map(move |(at, rows)| {
            let metadata: &[Metadata] = if at == last { &self.metadata } else { &[] };
            (rows, metadata)
        })
    }
}

/// Returns the runs of a table, sorted by log. There is one run per log, benchmark and model, and
/// one per table of published scores.
pub fn partitions(table: &Table) -> Vec<Partition> {
    let mut found = runs(table);
    count_evidence(table, &mut found);
    tell(table, &mut found);
    found.extend(figures(table));
    let mut known: HashMap<(String, String, String), usize> = HashMap::new();
    for Partition { run, .. } in &mut found {
        let key = (run.benchmark.clone(), run.model.clone(), run.origin.clone());
        let count = known.entry(key).or_default();
        if *count > 0 {
            run.origin = hash(&format!("{} {count}", run.origin));
        }
        *count += 1;
    }
    found
}

/// Returns the index of each row's partition.
pub fn part_of(table: &Table, found: &[Partition]) -> Vec<u32> {
    let mut part_of = vec![u32::MAX; table.len()];
    for (place, partition) in (0..).zip(found) {
        for &row in &partition.rows {
            part_of[row as usize] = place;
        }
    }
    part_of
}

/// Returns the runs of the logs, without records of run settings.
fn runs(table: &Table) -> Vec<Partition> {
    let names = table.names();
    let abilities = names.abilities.values();
    let mut places: HashMap<(u32, &str, u16), usize> = HashMap::new();
    let mut found: Vec<Partition> = Vec::new();
    let labels = labels(table);
    let columns = table.item_of().iter().zip(table.model_of());
    for (row, ((&item, &model), &unit)) in (0..).zip(columns.zip(table.unit_of())) {
        let ability = usize::from(table.ability_of()[item as usize]);
        let benchmark = abilities[ability].benchmark.as_str();
        let place = *places.entry((unit, benchmark, model)).or_insert_with(|| {
            let (model, run) = names.plain(&names.models.values()[usize::from(model)]);
            found.push(Partition {
                run: Run {
                    run: run.map(str::to_owned),
                    ..of_log(&table.sources()[unit as usize], benchmark, model)
                },
                ..Partition::default()
            });
            found.len() - 1
        });
        let Partition { rows, run, .. } = &mut found[place];
        rows.push(row);
        let name = &abilities[ability].name;
        if let Some(answers) = run.abilities.get_mut(name) {
            answers.n += 1;
        } else {
            let labels = labels[ability].clone();
            let first = Answers {
                n: 1,
                labels,
                ..Answers::default()
            };
            run.abilities.insert(name.clone(), first);
        }
    }
    for Partition { rows, run, .. } in &mut found {
        rows.sort_by_key(|&row| table.ability_of()[table.item_of()[row as usize] as usize]);
        run.n = rows.len() as u64;
    }
    // Sort by log. The result must not depend on the order of rows.
    found.sort_by_key(|partition| {
        let first = partition
            .rows
            .first()
            .map(|&row| table.unit_of()[row as usize]);
        (first, partition.rows.first().copied())
    });
    found
}

/// Adds the counts behind its scores to each run.
fn count_evidence(table: &Table, found: &mut [Partition]) {
    let part_of = part_of(table, found);
    let selection = Selection::all(table, Scoring::Harness);
    for group in groups_by_split(selection) {
        for (part, counts) in counts_by_part(selection, &group, &part_of) {
            let run = found.get_mut(part as usize).map(|found| &mut found.run);
            let answers = run.and_then(|run| run.abilities.get_mut(&group.name.name));
            if let Some(answers) = answers {
                answers.evidence.push(counts);
            }
        }
    }
}

/// Returns the names of each ability's tags and conditions.
fn labels(table: &Table) -> Vec<BTreeSet<String>> {
    let names = table.names();
    let mut found = vec![BTreeSet::new(); names.abilities.values().len()];
    let mut conditions: BTreeSet<(u16, u16)> = BTreeSet::new();
    let items = table.ability_of().iter().zip(table.condition_of());
    conditions.extend(items.map(|(ability, condition)| (*ability, *condition)));
    for (ability, condition) in conditions {
        let labels = names.conditions.get(usize::from(condition));
        let labels = labels.into_iter().flat_map(|labels| labels.keys().cloned());
        found[usize::from(ability)].extend(labels);
    }
    for name in table.tag_names() {
        let has: Vec<bool> = match table.tag(name) {
            Some(TagColumn::Number(values)) => {
                values.dense().iter().map(|value| !value.is_nan()).collect()
            }
            Some(TagColumn::Text { names, codes }) => {
                let is_known = |code: &u32| (*code as usize) < names.len();
                codes.dense().iter().map(is_known).collect()
            }
            None => Vec::new(),
        };
        let items = table.ability_of().iter().zip(has);
        let abilities: BTreeSet<u16> = items
            .filter_map(|(ability, has)| has.then_some(*ability))
            .collect();
        for ability in abilities {
            found[usize::from(ability)].insert(name.to_owned());
        }
    }
    found
}

/// Creates the metadata of a model's answers in a log.
fn of_log(source: &Source, benchmark: &str, model: &str) -> Run {
    let told = source.run.model.is_some().then(|| {
        let own = source.run.dataset.as_deref().unwrap_or_default();
        if own.ends_with(benchmark) {
            own.to_owned()
        } else {
            format!("{own}/{benchmark}")
        }
    });
    Run {
        benchmark: benchmark.to_owned(),
        model: model.to_owned(),
        origin: origin(source),
        format: source.format.to_owned(),
        settings: if told.is_some() {
            flat_settings(&source.settings)
        } else {
            BTreeMap::new()
        },
        data_set: told,
        ..Run::default()
    }
}

/// Returns a hash of a log's path or address. The hash hides the path.
fn origin(source: &Source) -> String {
    let shown = base::format::path(&source.path);
    if is_address(Path::new(&shown)) {
        return hash(&of_data_set(source, &shown));
    }
    let real = source.path.canonicalize();
    let real = real.unwrap_or_else(|_| source.path.clone());
    hash(&of_data_set(source, &real.to_string_lossy()))
}

/// Returns the folder of the data set for a file of a data set, because such files are renamed when
/// their content changes. For other files, returns the path.
fn of_data_set(source: &Source, path: &str) -> String {
    let folder = Path::new(path).parent().and_then(Path::parent);
    match folder.filter(|_| source.format == FORMAT) {
        Some(folder) => folder.to_string_lossy().into_owned(),
        None => path.to_owned(),
    }
}

fn hash(text: &str) -> String {
    let hash = blake3::hash(text.as_bytes()).to_hex();
    hash.chars().take(DIGITS).collect()
}

/// Adds the settings in the log's header to each run.
fn tell(table: &Table, found: &mut [Partition]) {
    for (unit, source) in (0..).zip(table.sources()) {
        for run in source.runs() {
            let is_of = |partition: &&mut Partition| {
                let row = partition.rows.first();
                row.is_some_and(|&row| table.unit_of()[row as usize] == unit)
                    && (run.name.model.as_deref()).is_none_or(|model| model == partition.run.model)
            };
            if let Some(partition) = found.iter_mut().find(is_of) {
                partition.metadata.push(Metadata::Run(Box::new(run)));
            }
        }
    }
}

/// Returns the published scores by table, and the scores from harnesses by model.
fn figures(table: &Table) -> Vec<Partition> {
    let mut by_table: BTreeMap<[&str; 3], Vec<Metadata>> = BTreeMap::new();
    for row in table.published() {
        let model = if row.by_harness {
            table.names().plain(&row.model).0
        } else {
            ""
        };
        let told = by_table.entry([&row.table, &row.benchmark, model]);
        told.or_default().push(figure(table, row));
    }
    let partition = |([name, benchmark, model], metadata): ([&str; 3], Vec<Metadata>)| Partition {
        run: Run {
            benchmark: benchmark.to_owned(),
            model: model.to_owned(),
            origin: hash(name),
            format: "figures".to_owned(),
            ..Run::default()
        },
        rows: Vec::new(),
        metadata,
    };
    by_table.into_iter().map(partition).collect()
}
