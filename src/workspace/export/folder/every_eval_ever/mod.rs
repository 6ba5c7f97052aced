//! Writes the format Every Eval Ever: an aggregate document and its samples for each model and
//! benchmark.
//!
//! Source: `eval.schema.json` and `instance_level_eval.schema.json`, version 0.3.0, of
//! <https://github.com/evaleval/every_eval_ever>. The metadata of a sample contains the columns of
//! `eyechart convert` that the schema does not have, as texts: ability, rule, metric, pictures,
//! tags and conditions.

mod document;
mod instance;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;

use serde_json::Value as Json;

use self::document::{Header, SampleFile, document, figure, result, result_id};
use self::instance::instance;
use super::groups::{GroupKey, groups, note_pictures, path_part, uuid};
use super::{FolderContent, FolderGaps, FolderTarget, Gap};
use crate::export::{ExportError, Records};
use analysis::Correctness;
use base::file::WholeFile;
use reader::every_eval_ever::{SAMPLES, UNKNOWN};
use reader::own::{Metadata, write_value};
use record::{PublishedScore, Row};

pub fn write(
    content: FolderContent<'_>,
    target: &FolderTarget<'_>,
) -> Result<FolderGaps, ExportError> {
    let mut gaps = FolderGaps::default();
    for (key, rows) in groups(content.selection, GroupKey::of_model) {
        let header = Header::of_samples(&key, &rows, &content, target);
        let group = Group {
            place: Place::new(&key, header.model),
            header,
            rows,
        };
        group.write(&key, content, target, &mut gaps)?;
    }
    for (key, figures) in published(content.metadata) {
        let header = Header::of_figures(&key, target);
        let place = Place::new(&key, header.model);
        let mut results: Vec<Json> = Vec::new();
        for one in figures {
            if one.score.is_finite() {
                results.push(figure(one, &mut gaps));
            } else {
                gaps.add(Gap::NoValue);
            }
        }
        if !results.is_empty() {
            let document = document(&header, results, None);
            write_document(&document, &place, target, &mut gaps)?;
        }
    }
    Ok(gaps)
}

/// Folder and name of the files of one model and benchmark.
struct Place {
    /// `data/COLLECTION/DEVELOPER/MODEL`
    folder: String,
    uuid: String,
}

impl Place {
    /// Creates the names. The same model and benchmark always give the same names.
    fn new(key: &GroupKey, model: &str) -> Self {
        let (developer, name) = model.split_once('/').unwrap_or((UNKNOWN, model));
        let parts = [key.benchmark.as_str(), developer, name].map(path_part);
        Self {
            folder: format!("data/{}", parts.join("/")),
            uuid: uuid(key.hash()),
        }
    }

    fn document(&self) -> String {
        format!("{}/{}.json", self.folder, self.uuid)
    }

    fn samples(&self) -> String {
        format!("{}/{}{SAMPLES}", self.folder, self.uuid)
    }
}

/// Predictions of one model in one benchmark.
struct Group<'a> {
    place: Place,
    header: Header<'a>,
    rows: Vec<Row>,
}

impl Group<'_> {
    fn write(
        &self,
        key: &GroupKey,
        content: FolderContent<'_>,
        target: &FolderTarget<'_>,
        gaps: &mut FolderGaps,
    ) -> Result<(), ExportError> {
        let is_own =
            |score: &&analysis::Score| score.benchmark == key.benchmark && score.model == key.model;
        let scores: Vec<_> = content.scores_of_samples().filter(is_own).collect();
        let table = content.selection.table;
        let results = scores.iter().filter_map(|score| {
            let found = result(score, table, gaps);
            if found.is_none() {
                gaps.add(Gap::NoValue);
            }
            found
        });
        let results: Vec<Json> = results.collect();
        let ids = results.iter().filter_map(result_id);
        let ids: BTreeSet<String> = ids.map(str::to_owned).collect();
        let rows = self.samples(&ids, content, target, gaps)?;
        if rows == 0 && results.is_empty() {
            return Ok(());
        }
        let samples = (rows > 0).then(|| SampleFile {
            path: self.place.samples(),
            rows,
        });
        let document = document(&self.header, results, samples);
        write_document(&document, &self.place, target, gaps)
    }

    /// Writes the samples and returns their number.
    fn samples(
        &self,
        ids: &BTreeSet<String>,
        content: FolderContent<'_>,
        target: &FolderTarget<'_>,
        gaps: &mut FolderGaps,
    ) -> Result<u64, ExportError> {
        let selection = content.selection;
        let mut records = Records::new(selection.table, selection.scoring, target.folder);
        let correctness = Correctness::new(selection.table, selection.scoring);
        let mut out: Option<WholeFile> = None;
        let mut count = 0;
        for row in &self.rows {
            if !selection.ticket.is_wanted() {
                return Err(ExportError::Stopped);
            }
            let Ok(record) = records.record(*row) else {
                gaps.add(Gap::Lost);
                continue;
            };
            let Some(score) = record.stored.filter(|score| score.is_finite()) else {
                gaps.add(Gap::Unscored);
                continue;
            };
            note_pictures(&record, gaps);
            let correct = correctness.is_right(*row);
            if correct.is_none() {
                gaps.add(Gap::Ungraded);
            }
            let sample = instance::Sample {
                record: &record,
                score,
                correct,
            };
            let line = instance(&sample, &self.header, ids);
            if out.is_none() {
                let path = target.path(&self.place.samples())?;
                out = Some(WholeFile::create(&path, target.inputs)?);
            }
            if let Some(file) = &mut out {
                writeln!(file, "{}", write_value(&line))?;
            }
            count += 1;
        }
        if let Some(file) = out {
            file.commit()?;
            gaps.files += 1;
        }
        Ok(count)
    }
}

fn write_document(
    document: &Json,
    place: &Place,
    target: &FolderTarget<'_>,
    gaps: &mut FolderGaps,
) -> Result<(), ExportError> {
    let text = format!("{}\n", write_value(document));
    let path = target.path(&place.document())?;
    base::file::write(&path, text.as_bytes(), target.inputs)?;
    gaps.files += 1;
    gaps.add(Gap::Facts);
    Ok(())
}

/// Returns published scores by benchmark and model.
fn published(metadata: &[Metadata]) -> BTreeMap<GroupKey, Vec<&PublishedScore>> {
    let mut found: BTreeMap<GroupKey, Vec<&PublishedScore>> = BTreeMap::new();
    for one in metadata {
        if let Metadata::Figure(figure) = one {
            // The table in the key separates these documents from documents about samples.
            let key = GroupKey {
                benchmark: figure.benchmark.clone(),
                model: figure.model.clone(),
                task: Some(super::groups::TaskKey {
                    ability: figure.table.clone(),
                    condition: figure.run.clone().unwrap_or_default(),
                }),
            };
            found.entry(key).or_default().push(figure);
        }
    }
    found
}
