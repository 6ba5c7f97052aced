//! Documents: query results as tables, JSON, CSV, Markdown and HTML pages.
//!
//! This crate does not depend on the terminal. It makes control characters in log texts visible.

// Tests compare exact numbers and cast small ones.
#![cfg_attr(test, allow(clippy::pedantic, clippy::complexity, clippy::perf))]

mod acuity;
mod agreement;
mod appendix;
mod arrow;
mod brief;
mod cache_contents;
pub mod card;
mod cells;
pub mod chart;
mod checkpoints;
mod column_flips;
mod columns;
mod comparison;
mod corrected_scores;
mod costs;
mod csv;
mod different_settings;
mod evidence;
mod exam_result;
mod failure_groups;
mod file_of;
mod findings;
mod gate;
mod grid;
mod health;
pub mod html;
mod items;
mod json;
mod judged;
mod list;
mod markdown;
mod matrix;
mod memory;
mod models;
mod page;
mod problems;
mod provenance;
mod ranks;
mod remarks;
mod repeats;
mod rerun;
mod rerun_columns;
mod scorers;
mod slices;
mod spot_check;
mod spread;
mod summary;
mod summary_document;
mod summary_grids;
mod table;
mod trend;
mod under_rules;
mod verdicts;
mod wins;

use std::io::{self, Write};

pub use acuity::AcuityChanges;
pub use agreement::{Agreements, Subsets, listed};
pub use cache_contents::{CacheContents, CachedStore};
pub use checkpoints::CheckpointCurves;
pub use comparison::SideBySide;
pub use evidence::{AbilityEvidence, Evidence, Failure, Failures};
pub use exam_result::{AbilityResult, ExamResult, examined};
pub use failure_groups::FailureList;
pub use file_of::{MakeError, ReportJob, make, says_origin, write_file};
pub use findings::{Finding, Findings};
pub use gate::{GateFormat, GatePolicy, GateReport, LostSample, ReadPictures, SampleSource};
pub use grid::{Align, Grid};
pub use health::HealthReport;
pub use items::ItemTable;
pub use json::write_json;
pub use judged::{JudgedAnswers, JudgedLabels};
pub use list::{ListedSample, SampleList};
pub use markdown::tables as markdown_tables;
pub use matrix::MatrixTable;
pub use models::ModelTable;
pub use problems::Problems;
pub use provenance::Provenance;
pub use ranks::Ranks;
pub use reader::annotations::why_unread;
pub use rerun::Rerun;
pub use rerun_columns::{RerunColumn, RerunColumns};
pub use scorers::{Disagreement, Example};
pub use slices::SliceList;
pub use spot_check::SpotCheck;
pub use spread::SpreadTable;
pub use summary::Summary;
pub use trend::TrendCharts;
pub use under_rules::RuleExample;
pub use verdicts::LabelAudit;
pub use wins::PairTables;

/// Output format of a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Text in aligned columns.
    #[default]
    Table,
    /// Text on one screen: conclusions and clear differences.
    Brief,
    /// A single JSON document.
    Json,
    /// One JSON object per line.
    Jsonl,
    /// Comma-separated values of the main table.
    Csv,
    /// Markdown tables with headings.
    Markdown,
    /// A self-contained HTML page.
    Html,
    /// An Arrow IPC stream of the main list.
    Arrow,
}

/// A document that can be written in every format.
pub trait Document {
    /// Sentences above the tables.
    fn preface(&self) -> Vec<String> {
        Vec::new()
    }

    /// The tables, the main table first.
    fn grids(&self) -> Vec<Grid>;

    /// Table for CSV output; by default the main table.
    fn csv_grid(&self) -> Option<Grid> {
        self.grids().into_iter().next()
    }

    /// Sentences and tables for one screen, the answer first; by default all of them.
    fn brief(&self) -> (Vec<String>, Vec<Grid>) {
        (self.preface(), self.grids())
    }

    /// The whole document as a JSON value.
    fn json(&self) -> serde_json::Value;

    /// Entries of the main list as JSON values, one per line of output.
    fn lines(&self) -> Vec<serde_json::Value>;

    /// The HTML page; by default sentences and tables.
    fn page(&self) -> html::Page {
        html::Page::of_grids("Eyechart", &self.preface(), &self.grids())
    }
}

/// Writes a document. CSV contains the main table only. Sentences are wrapped and tables folded to
/// a terminal width of `columns`.
///
/// # Errors
/// The writer fails.
pub fn write(
    document: &impl Document,
    format: Format,
    columns: Option<usize>,
    out: &mut dyn Write,
) -> io::Result<()> {
    match format {
        Format::Table => {
            table::preface(&document.preface(), columns, out)?;
            table::write(&document.grids(), columns, out)
        }
        Format::Brief => {
            let (preface, grids) = document.brief();
            table::preface(&preface, columns, out)?;
            table::write(&grids, columns, out)
        }
        Format::Markdown => {
            markdown::preface(&document.preface(), out)?;
            markdown::write(&document.grids(), out)
        }
        Format::Html => html::write(&document.page().fitted(), out),
        Format::Csv => csv::write(document.csv_grid().as_ref(), out),
        Format::Arrow => arrow::write(document.lines(), out),
        Format::Json => {
            write_json(&document.json(), out)?;
            writeln!(out)
        }
        Format::Jsonl => {
            for line in document.lines() {
                write_json(&line, out)?;
                writeln!(out)?;
            }
            Ok(())
        }
    }
}

/// Writes a document with its provenance, in formats that have a place for it.
///
/// # Errors
/// The writer fails.
pub fn write_with(
    provenance: &Provenance,
    document: &impl Document,
    format: Format,
    out: &mut dyn Write,
) -> io::Result<()> {
    match format {
        Format::Markdown => {
            markdown::preface(&document.preface(), out)?;
            markdown::write(&provenance.grids(document), out)
        }
        Format::Html => html::write(&provenance.page(document).fitted(), out),
        Format::Json => {
            write_json(&provenance.json(document), out)?;
            writeln!(out)
        }
        other => write(document, other, None, out),
    }
}
