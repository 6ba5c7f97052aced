//! Lets the database add up sums by run, measure and cluster, and checks the result for
//! completeness.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;

use analysis::{Cell, MeasureSums};
use base::format::{compact, counted, visible};
use base::limits::Limit;
use store::clickhouse::{ClickHouseError, Rows, name};

use super::tables::{CELLS, Fold, MEASURES, SUMS, said_by_numbers};
use super::{Database, PublishedRun, of_loads};
use crate::publish::PublishError;
use crate::publish::cells::NUMBERS;
use crate::publish::sums::{SAID, SumsScope, SumsSource, Values, summed, together};

/// Number of groups into which clusters are merged if there are too many.
///
/// With `G` groups of equal size, the standard error of a mean has a relative standard deviation of
/// about `1 / sqrt(2 (G - 1))`, here 2.2 %.
const GROUPS: u32 = 1024;
/// Maximum number of cells per query. A query for a single run may exceed it.
const AT_ONCE: u64 = 1 << 20;

/// Which runs to sum, and which kind of sums.
#[derive(Clone, Copy, Debug)]
pub struct SumsRequest<'a> {
    /// The runs to sum.
    pub runs: &'a [(&'a PublishedRun, SumsSource<'a>)],
    /// The kind of sums.
    pub which: SumsScope<'a>,
    /// Maximum number of clusters. If there are more, they are merged; see
    /// [`Limit::DatabaseGroups`].
    pub most: u64,
}

/// Sums computed by the database.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DatabaseSums {
    /// Sums in the order of the requested runs, with the requested codes of models.
    pub sums: Vec<MeasureSums>,
    /// Number of groups into which clusters were merged by hash; `None` if they were not merged. If
    /// merged, intervals need a note.
    pub joined: Option<u32>,
}

impl DatabaseSums {
    /// Returns a note that clusters were merged; `None` if they were not.
    pub fn notice(&self) -> Option<String> {
        let groups = compact(u64::from(self.joined?));
        Some(format!(
            "intervals over {groups} groups of pictures: {}",
            Limit::DatabaseGroups.message()
        ))
    }
}

/// A run, and the sums requested for it.
type Run<'a> = (&'a PublishedRun, SumsSource<'a>);

/// A measure of one run, and the columns that describe its sums.
#[derive(Clone, Debug)]
struct Measure {
    load: u64,
    id: u64,
    place: u32,
    groups: u64,
    n: u64,
    /// Text columns that describe the measure.
    texts: Vec<Option<String>>,
    numbers: Vec<f64>,
}

/// A row of the query result.
struct Line {
    load: u64,
    measure: u64,
    cluster: u64,
    cell: Cell,
}

impl Database {
    /// Returns the sums of some runs.
    ///
    /// # Errors
    /// The sums cannot be read, or are incomplete.
    pub fn sums(
        &self,
        wanted: SumsRequest<'_>,
        look: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<DatabaseSums, PublishError> {
        let SumsRequest { runs, which, most } = wanted;
        let mut measures = self.measures(runs, look)?;
        let by_load: HashMap<u64, &SumsSource<'_>> =
            runs.iter().map(|(run, of)| (run.load, of)).collect();
        measures.retain(|measure| {
            let ability = measure.text("ability").unwrap_or_default();
            let run = by_load.get(&measure.load);
            let is_own = match which {
                SumsScope::Totals | SumsScope::Whole => measure.axis().is_none(),
                SumsScope::Bins(by) => measure.axis() == Some(by),
            };
            is_own && run.is_some_and(|run| run.abilities.contains(ability))
        });
        let groups: u64 = measures.iter().map(|measure| measure.groups).sum();
        let key = match which {
            SumsScope::Totals => Key::Nothing,
            _ if groups > most => Key::Group,
            _ => Key::Cluster,
        };
        let mut lines = Vec::new();
        for batch in batches(runs, &measures) {
            lines.extend(self.cells(&batch, &measures, key, look)?);
        }
        self.check(&measures, &lines, key)?;
        Ok(DatabaseSums {
            sums: assemble(runs, &measures, lines, which),
            joined: (key == Key::Group).then_some(GROUPS),
        })
    }

    /// Reads the measures of some runs.
    fn measures(
        &self,
        runs: &[Run<'_>],
        look: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<Vec<Measure>, PublishError> {
        if runs.is_empty() {
            return Ok(Vec::new());
        }
        let of = of_loads(runs.iter().map(|(run, _)| *run));
        let table = self.table(&MEASURES);
        let sql = format!("SELECT {} FROM {table} WHERE {of}", MEASURES.names());
        let found = self.server.rows(&sql, look, read_measure);
        let mut found = found.map_err(|why| self.failed(why))?;
        found.sort_by_key(|measure| (measure.place, measure.id, measure.load));
        for (run, _) in runs {
            let own = found.iter().filter(|measure| measure.load == run.load);
            let cells: u64 = own.clone().map(|measure| measure.groups).sum();
            // A cluster that was written in several parts is counted once, so `cells` may be
            // smaller.
            if own.count() as u64 != run.measures || cells > run.cells {
                let what = format!("sums of {} are missing", run.name());
                return Err(self.short(&what));
            }
        }
        Ok(found)
    }

    /// Runs the query for cells.
    fn cells(
        &self,
        runs: &[&PublishedRun],
        measures: &[Measure],
        key: Key,
        look: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<Vec<Line>, PublishError> {
        let loads: BTreeSet<u64> = runs.iter().map(|run| run.load).collect();
        let own = measures
            .iter()
            .filter(|measure| loads.contains(&measure.load));
        let ids: BTreeSet<String> = own.map(|measure| measure.id.to_string()).collect();
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let ids: Vec<String> = ids.into_iter().collect();
        let sums: Vec<String> = SUMS.iter().map(|(name, fold)| fold.of(name)).collect();
        let sql = format!(
            "SELECT load, measure, {} AS sums_of, {} FROM {} WHERE {} AND measure IN ({}) GROUP BY load, measure, sums_of",
            key.sql(),
            sums.join(", "),
            self.table(&CELLS),
            of_loads(runs.iter().copied()),
            ids.join(", ")
        );
        let found = self.server.rows(&sql, look, read_line);
        found.map_err(|why| self.failed(why))
    }

    /// Checks that the sums cover exactly the values and clusters that were published.
    fn check(&self, measures: &[Measure], lines: &[Line], key: Key) -> Result<(), PublishError> {
        let mut found: HashMap<(u64, u64), (u64, u64)> = HashMap::new();
        for line in lines {
            let (groups, n) = found.entry((line.load, line.measure)).or_default();
            *groups += 1;
            *n += line.cell.n;
        }
        for measure in measures {
            let known = found.remove(&(measure.load, measure.id));
            let (groups, n) = known.unwrap_or_default();
            if n != measure.n || (key == Key::Cluster && groups != measure.groups) {
                let what = format!(
                    "{} of {} are in the sums of {} for {}",
                    counted(n, "value"),
                    compact(measure.n),
                    measure.text("metric").unwrap_or_default(),
                    measure.text("ability").unwrap_or_default()
                );
                return Err(self.short(&what));
            }
        }
        Ok(())
    }

    /// Returns the error for incomplete sums.
    pub(super) fn short(&self, what: &str) -> PublishError {
        let why = format!("{what}; incomplete numbers are not shown");
        let place = self.shown();
        PublishError::Place { place, why }
    }
}

/// Column by which the database groups sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Key {
    Cluster,
    /// Groups of clusters, formed by hash.
    Group,
    Nothing,
}

impl Key {
    fn sql(self) -> String {
        match self {
            Self::Cluster => name("cluster"),
            // The numbers of clusters are already hashes.
            Self::Group => format!("toUInt64({} % {GROUPS})", name("cluster")),
            Self::Nothing => "toUInt64(0)".to_owned(),
        }
    }
}

impl Measure {
    fn text(&self, name: &str) -> Option<&str> {
        let at = SAID.iter().position(|known| *known == name)?;
        self.texts.get(at)?.as_deref()
    }

    fn number(&self, name: &str) -> Option<f64> {
        let at = said_by_numbers().position(|known| known == name)?;
        self.numbers.get(at).copied().filter(|it| !it.is_nan())
    }

    /// Returns the measure as a sum without cells.
    fn summed(&self, part: u32) -> MeasureSums {
        let texts = std::array::from_fn(|at| self.texts.get(at).and_then(Option::as_deref));
        let values: Values = std::array::from_fn(|at| self.number(NUMBERS[at]).unwrap_or(f64::NAN));
        summed(&texts, part, &values)
    }

    fn axis(&self) -> Option<&str> {
        self.text("axis")
    }
}

impl PublishedRun {
    /// Formats `model in benchmark` for messages.
    pub(super) fn name(&self) -> String {
        let name = format!("{} in {}", self.run.model, self.run.benchmark);
        visible(&name).into_owned()
    }
}

fn read_measure(row: &mut Rows<'_>) -> Result<Measure, ClickHouseError> {
    let [load, id] = [row.u64()?, row.u64()?];
    let place = row.u32()?;
    let [groups, n] = [row.u64()?, row.u64()?];
    let texts: Result<Vec<_>, _> = SAID.iter().map(|_| row.option()).collect();
    let numbers: Result<Vec<_>, _> = said_by_numbers().map(|_| row.f64()).collect();
    Ok(Measure {
        load,
        id,
        place,
        groups,
        n,
        texts: texts?,
        numbers: numbers?,
    })
}

fn read_line(row: &mut Rows<'_>) -> Result<Line, ClickHouseError> {
    let [load, measure, cluster] = [row.u64()?, row.u64()?, row.u64()?];
    let mut cell = Cell::default();
    for (name, fold) in SUMS {
        let (whole, number) = match fold {
            Fold::Count | Fold::Rest => (row.u64()?, 0.0),
            Fold::Total | Fold::Low | Fold::High => (0, row.f64()?),
        };
        match name {
            "n" => cell.n = whole,
            "samples" => cell.samples = whole,
            "items" => cell.items = whole,
            "ones" => cell.right = whole,
            "others" => cell.others = whole,
            "invalid" => cell.invalid = whole,
            "total" => cell.sum = number,
            "low" => cell.low = number,
            _ => cell.high = number,
        }
    }
    Ok(Line {
        load,
        measure,
        cluster,
        cell,
    })
}

/// Groups runs into queries of limited size.
fn batches<'a>(runs: &[Run<'a>], measures: &[Measure]) -> Vec<Vec<&'a PublishedRun>> {
    let mut groups: HashMap<u64, u64> = HashMap::new();
    for measure in measures {
        *groups.entry(measure.load).or_default() += measure.groups;
    }
    let (mut batches, mut held) = (vec![Vec::new()], 0);
    for (run, _) in runs {
        let own = groups.get(&run.load).copied().unwrap_or_default();
        if held > 0 && held + own > AT_ONCE {
            batches.push(Vec::new());
            held = 0;
        }
        held += own;
        if let Some(last) = batches.last_mut().filter(|_| own > 0) {
            last.push(*run);
        }
    }
    batches.retain(|batch| !batch.is_empty());
    batches
}

/// Combines result rows into sums by measure, in the order in which the measures were written.
fn assemble(
    runs: &[Run<'_>],
    measures: &[Measure],
    lines: Vec<Line>,
    which: SumsScope<'_>,
) -> Vec<MeasureSums> {
    let parts: HashMap<u64, (u32, u16)> = (0..)
        .zip(runs)
        .map(|(part, (run, of))| (run.load, (part, of.model.0)))
        .collect();
    let part_of = |load: u64| parts.get(&load).copied().unwrap_or_default();
    let mut places: HashMap<(u64, u64), usize> = HashMap::new();
    let mut found: Vec<MeasureSums> = Vec::with_capacity(measures.len());
    for measure in measures {
        places.insert((measure.load, measure.id), found.len());
        found.push(measure.summed(part_of(measure.load).0));
    }
    for line in lines {
        // The query may return measures that were requested only for other runs.
        let Some(&at) = places.get(&(line.load, line.measure)) else {
            continue;
        };
        let (part, model) = part_of(line.load);
        found[at].cells.push(Cell {
            part,
            model,
            cluster: line.cluster,
            ..line.cell
        });
    }
    for summed in &mut found {
        summed.cells.sort_unstable_by_key(|cell| cell.cluster);
    }
    let runs: Vec<SumsSource<'_>> = runs.iter().map(|(_, of)| *of).collect();
    together(vec![found], &runs, which)
}
