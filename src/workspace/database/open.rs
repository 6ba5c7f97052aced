//! Queries a database without copying it. The server adds up sums, and rows are downloaded when
//! shown.

use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use analysis::MeasureSums;
use base::limits::Limit;
use reader::Unit;
use reader::data_set::{Manifest, Run};
use reader::tabular::Kind;
use store::{Address, Cache, Downloader, Progress};

use super::download::{DatabaseDownload, DownloadRequest, Extent, bring_runs, held};
use super::sums::SumsRequest;
use super::{Database, PublishedRun};
use crate::publish::{PublishError, SumsScope, SumsSource};

/// Subfolder for run settings and published scores.
const TOLD: &str = "told";
/// Subfolder for downloaded rows.
const ROWS: &str = "rows";

/// An opened database, and local copies of its rows.
#[derive(Debug)]
pub struct OpenDatabase {
    database: Database,
    address: Address,
    cache: Cache,
    folder: PathBuf,
    runs: Vec<PublishedRun>,
}

impl OpenDatabase {
    /// Opens the database of an address.
    ///
    /// # Errors
    /// The runs cannot be read.
    pub fn new(
        database: Database,
        address: &Address,
        bring: &Downloader,
    ) -> Result<Self, PublishError> {
        Ok(Self {
            runs: database.runs()?,
            database,
            folder: bring.place(address),
            cache: bring.cache.clone(),
            address: address.clone(),
        })
    }

    /// Returns the number of predictions in all runs.
    pub fn n(&self) -> u64 {
        self.runs.iter().map(|run| run.run.n).sum()
    }

    /// Downloads this part of all runs. Returns the download, and the folder of the runs.
    ///
    /// # Errors
    /// The runs cannot be downloaded.
    pub fn download(
        &self,
        extent: &Extent,
        on_progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<(PathBuf, DatabaseDownload), PublishError> {
        let place = match extent {
            Extent::Told => TOLD,
            Extent::Of(_) | Extent::Whole => ROWS,
        };
        let runs = self.runs.iter().map(|run| (run, extent.clone()));
        let wanted = DownloadRequest {
            runs: &runs.collect::<Vec<_>>(),
            most: Limit::DatabaseRows.get(),
            clears: true,
        };
        let place = self.folder.join(place);
        let brought = self.take(wanted, &place, on_progress)?;
        Ok((place, brought))
    }

    /// Downloads runs into a folder, and registers the files in the cache.
    fn take(
        &self,
        wanted: DownloadRequest<'_>,
        place: &Path,
        on_progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<DatabaseDownload, PublishError> {
        let brought = bring_runs(&self.database, wanted, place, on_progress)?;
        let most = Limit::Cache.get();
        let taken = self.cache.take_in(&brought.files, &self.address, most);
        taken.map_err(|error| PublishError::Place {
            place: self.database.shown(),
            why: error.to_string(),
        })?;
        Ok(brought)
    }

    /// Returns the run of a unit, which the folder of the unit identifies.
    fn of(&self, unit: &Unit) -> Option<&PublishedRun> {
        let folder = unit.path.parent()?.parent()?.file_name()?.to_str()?;
        let mut runs = self.runs.iter();
        runs.find(|run| Extent::Told.folder(run) == folder)
    }

    /// Replaces the metadata of downloaded units by the metadata of the complete runs. Keeps the
    /// list of local files.
    pub fn set_metadata(&self, units: &mut [Unit]) {
        for unit in units {
            let Some(parts) = unit.published.as_ref().map(|known| known.parts.clone()) else {
                continue;
            };
            if let Some(own) = self.of(unit) {
                unit.published = Some(Arc::new(Run {
                    parts,
                    cells: None,
                    totals: None,
                    ..own.run.clone()
                }));
            }
        }
    }

    /// Returns which part of a run a unit needs; `None` if it needs no predictions.
    fn wanted(&self, unit: &Unit, run: &PublishedRun) -> Option<Extent> {
        let Some(abilities) = unit.abilities.as_deref() else {
            return Some(Extent::Whole);
        };
        let mut known = run.run.abilities.keys();
        let is_all = known.all(|name| abilities.contains(name));
        let whole = self.folder.join(ROWS).join(Extent::Whole.folder(run));
        if abilities.is_empty() {
            None
        } else if is_all || held(&whole, run).is_some() {
            Some(Extent::Whole)
        } else {
            Some(Extent::Of(abilities.clone()))
        }
    }

    /// Downloads the rows that the units need. Returns the units with the paths of these rows.
    ///
    /// # Errors
    /// The rows cannot be downloaded.
    pub fn with_rows(
        &self,
        units: Vec<Unit>,
        on_progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Vec<Unit>, PublishError> {
        let mut runs = Vec::new();
        let mut places = HashMap::new();
        let place = self.folder.join(ROWS);
        for (at, unit) in units.iter().enumerate() {
            let run = self.of(unit);
            if let Some((run, extent)) = run.and_then(|run| Some((run, self.wanted(unit, run)?))) {
                places.insert(at, (place.join(extent.folder(run)), run));
                runs.push((run, extent));
            }
        }
        if runs.is_empty() {
            return Ok(units);
        }
        let wanted = DownloadRequest {
            runs: &runs,
            // The number of loaded predictions is limited elsewhere.
            most: u64::MAX,
            clears: false,
        };
        self.take(wanted, &place, on_progress)?;
        let here = |(at, unit): (usize, Unit)| {
            let found = places.get(&at).and_then(|(folder, run)| first(folder, run));
            match found {
                Some((path, run)) => Unit {
                    path,
                    published: Some(Arc::new(run)),
                    ..unit
                },
                None => unit,
            }
        };
        Ok(units.into_iter().enumerate().map(here).collect())
    }

    /// Returns the columns of tags and conditions, with the kind of their values over all rows.
    ///
    /// # Errors
    /// If the columns cannot be read.
    pub fn columns(
        &self,
        look: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<BTreeMap<String, Kind>, String> {
        let found = self.database.columns(&self.runs, look);
        found.map_err(|error| error.to_string())
    }

    /// Returns the sums of runs, in the same form as for a data set in files. Adds a note on
    /// intervals if needed.
    ///
    /// # Errors
    /// If the sums cannot be read.
    pub fn sums(
        &self,
        runs: &[SumsSource<'_>],
        which: SumsScope<'_>,
        look: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<(Vec<MeasureSums>, Option<String>), String> {
        let own = |of: &SumsSource<'_>| self.runs.iter().find(|run| run.run.is_same(of.run));
        // Cells refer to a run by its position in this list.
        let found: Option<Vec<_>> = runs.iter().map(|of| Some((own(of)?, *of))).collect();
        let found = found.ok_or("a run is no longer in the database")?;
        let wanted = SumsRequest {
            runs: &found,
            which,
            most: Limit::DatabaseGroups.get(),
        };
        let sums = self.database.sums(wanted, look);
        let sums = sums.map_err(|error| error.to_string())?;
        let note = sums.notice();
        Ok((sums.sums, note))
    }
}

/// Returns the first file with rows of a run in a folder, and the manifest's entry of the run.
fn first(folder: &Path, run: &PublishedRun) -> Option<(PathBuf, Run)> {
    let manifest = folder.join(Manifest::name(run.load));
    let bytes = Limit::StoreFile.read(&manifest).ok()?;
    let run = Manifest::parse(&bytes).ok()?.runs.into_iter().next()?;
    let first = run.parts.first()?.rows.below(folder);
    Some((first, run))
}
