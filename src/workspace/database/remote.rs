//! A database whose rows stay where they are: sums are asked of it, and rows are brought when they are looked at.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use analysis::Summed;
use limits::Limit;
use reader::Unit;
use reader::data_set::{Manifest, Run};

use super::bring::{Extent, Wanted, bring_runs, folder_of};
use super::sums::WantedSums;
use super::{Database, Published};
use crate::publish::{PublishError, RunOfSums, Which};

/// The folders below that of an address: what runs tell beside predictions, and whole runs.
const TOLD: &str = "told";
const WHOLE: &str = "whole";

/// A database that was opened, whose rows are not here.
#[derive(Debug)]
pub struct Remote {
    database: Database,
    folder: PathBuf,
    runs: Vec<Published>,
}

impl Remote {
    /// A database of which rows and what runs tell are kept in a folder.
    ///
    /// # Errors
    /// Its runs cannot be had.
    pub fn open(database: Database, folder: &Path) -> Result<Self, PublishError> {
        Ok(Self {
            runs: database.runs()?,
            database,
            folder: folder.to_path_buf(),
        })
    }

    /// Its predictions.
    #[must_use]
    pub fn n(&self) -> u64 {
        self.runs.iter().map(|run| run.run.n).sum()
    }

    /// Where what runs tell beside predictions is, or whole runs.
    #[must_use]
    pub fn place(&self, extent: Extent) -> PathBuf {
        self.folder.join(match extent {
            Extent::Told => TOLD,
            Extent::Whole => WHOLE,
        })
    }

    /// Brings all runs, whole or what they tell beside predictions.
    ///
    /// # Errors
    /// They cannot be had.
    pub fn bring(
        &self,
        extent: Extent,
        told: &mut dyn FnMut(store::Progress) -> ControlFlow<()>,
    ) -> Result<super::bring::Brought, PublishError> {
        let runs: Vec<&Published> = self.runs.iter().collect();
        let wanted = Wanted {
            runs: &runs,
            extent,
            most: Limit::DatabaseRows.get(),
            clears: true,
        };
        bring_runs(&self.database, wanted, &self.place(extent), told)
    }

    /// The run of a unit, whose folder is called after it.
    fn of(&self, unit: &Unit) -> Option<&Published> {
        let folder = unit.path.parent()?.parent()?.file_name()?.to_str()?;
        self.runs.iter().find(|run| folder_of(run) == folder)
    }

    /// Says of units of what runs tell what the whole runs hold.
    pub fn tell(&self, units: &mut [Unit]) {
        for unit in units {
            let Some(parts) = unit.published.as_ref().map(|known| known.parts.clone()) else {
                continue;
            };
            if let Some(own) = self.of(unit) {
                unit.published = Some(Arc::new(Run {
                    parts,
                    cells: None,
                    ..own.run.clone()
                }));
            }
        }
    }

    /// Units with their rows here, as far as any are wanted of them.
    ///
    /// # Errors
    /// They cannot be had.
    pub fn with_rows(
        &self,
        units: Vec<Unit>,
        told: &mut dyn FnMut(store::Progress) -> ControlFlow<()>,
    ) -> Result<Vec<Unit>, PublishError> {
        let is_wanted = |unit: &&Unit| unit.abilities.as_ref().is_none_or(|all| !all.is_empty());
        let wanted = units.iter().filter(is_wanted);
        let runs: Vec<&Published> = wanted.filter_map(|unit| self.of(unit)).collect();
        let wanted = Wanted {
            runs: &runs,
            extent: Extent::Whole,
            // The lens has a limit of its own.
            most: u64::MAX,
            clears: false,
        };
        let place = self.place(Extent::Whole);
        if !runs.is_empty() {
            bring_runs(&self.database, wanted, &place, told)?;
        }
        let here = |unit: Unit| {
            let found = self.of(&unit).filter(|_| is_wanted(&&unit));
            let found = found.and_then(|run| whole(&place.join(folder_of(run)), run));
            match found {
                Some((path, run)) => Unit {
                    path,
                    published: Some(Arc::new(run)),
                    ..unit
                },
                None => unit,
            }
        };
        Ok(units.into_iter().map(here).collect())
    }

    /// The sums of runs, as those of a data set in files, and what is to be said of intervals that come from them.
    ///
    /// # Errors
    /// They cannot be had; one sentence.
    pub fn sums(
        &self,
        runs: &[RunOfSums<'_>],
        which: Which<'_>,
        look: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<(Vec<Summed>, Option<String>), String> {
        let own = |of: &RunOfSums<'_>| self.runs.iter().find(|run| run.run.is_same(of.run));
        // The place of a run among these is the part that its cells are in.
        let found: Option<Vec<_>> = runs.iter().map(|of| Some((own(of)?, *of))).collect();
        let found = found.ok_or("a run is not in the database any more")?;
        let wanted = WantedSums {
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

/// The first file of a whole run in a folder, and what its manifest says.
fn whole(folder: &Path, run: &Published) -> Option<(PathBuf, Run)> {
    let bytes = fs::read(folder.join(Manifest::name(run.load))).ok()?;
    let run = Manifest::parse(&bytes).ok()?.runs.into_iter().next()?;
    let first = run.parts.first()?.rows.below(folder);
    Some((first, run))
}
