//! The audit view: a spot check of labels by people, its result, and the ranking without samples
//! that have bad labels.

mod found;
mod panels;
mod start;

use std::mem::take;

use ratatui::Frame;
use ratatui::layout::Rect;

use crate::action::Action;
use crate::change::{Change, DrillDown, Reply, SampleRows};
use crate::effect::{Effect, ask};
use crate::frame_output::{FrameOutput, ScrollSlot, ViewArea};
use crate::keymap::ViewId;
use crate::shared::{AppState, ListSource, key_of};
use crate::view::{Breadth, Explanation, View, ViewInfo};
use crate::widget::table::TableState;
use analysis::audit::Findings;
use base::format::fixed;
use engine::{Audit, Query, SpotCheck};
use record::verdict::Verdict;
use record::{Row, RowMap};
use report::Grid;
use workspace::page::Sort;

use super::part::{click_again, interval, move_cursor};

/// Default size of a spot check, in samples.
const SIZE: usize = 50;
/// Step for changing the size of a spot check.
const STEP: usize = 10;
/// Maximum size of a spot check.
const MOST: usize = 1_000;
/// Seed of the draw. It is fixed, so that two people with the same logs judge the same samples.
/// Their agreement can then be measured.
const SEED: u64 = 1;

const ABOUT: ViewInfo = ViewInfo {
    tab: Some(["7", "Audit", "Audit"]),
    opened_by: Some(Action::ViewAudit),
    breadth: Breadth::Samples,
    needs_ability: false,
    keeps_versus: false,
    help: "Are the labels right? Draw random samples, judge each label with one key, and read the \
           label error rate with its interval, and the ranks without the samples that you flagged.",
};

/// State of the audit view.
#[derive(Clone, Debug)]
pub struct AuditView {
    /// Size of the next spot check, in samples.
    pub size: usize,
    /// True to exclude ambiguous samples from the ranking too.
    pub drop_ambiguous: bool,
    /// Result computed from the verdicts; `None` until it arrives.
    pub findings: Option<Box<Findings>>,
    /// Cursor in the list of flagged samples.
    pub table: TableState,
    /// Index of the panel on a narrow screen.
    pub panel: usize,
}

impl Default for AuditView {
    fn default() -> Self {
        Self {
            size: SIZE,
            drop_ambiguous: false,
            findings: None,
            table: TableState::default(),
            panel: 0,
        }
    }
}

impl AuditView {
    /// Returns true if neither flagged samples nor another panel need the space below.
    fn has_room(&self) -> bool {
        let found = self.findings.as_ref();
        let is_short = found.is_none_or(|found| found.flagged.is_empty() && self.panel == 0);
        self.is_at_start() || is_short
    }

    /// Returns true until a sample is judged.
    fn is_at_start(&self) -> bool {
        let found = self.findings.as_ref();
        found.is_none_or(|found| found.audit.overall.audited == 0)
    }

    /// Returns the size of the next spot check, limited to the available samples.
    fn offered(&self, shared: &AppState) -> usize {
        let Some(found) = &self.findings else {
            return self.size;
        };
        let lens = &shared.lens;
        let is_of = |benchmark: &String, ability: &String| {
            *benchmark == lens.benchmark && lens.ability.as_ref().is_none_or(|own| own == ability)
        };
        let sizes = found.audit.sizes.iter();
        let sizes = sizes.filter(|(name, _)| is_of(&name.benchmark, &name.name));
        let samples: u64 = sizes.map(|(_, size)| size).sum();
        // Ignore verdicts on samples outside the filter.
        let author = shared.verdicts.author.as_str();
        let words = shared.verdicts.book.words().filter(|(sample, words)| {
            lens.filter.is_empty()
                && is_of(&sample.benchmark, &sample.ability)
                && words.iter().any(|word| word.author == author)
        });
        let left = usize::try_from(samples).unwrap_or(usize::MAX);
        self.size.min(left.saturating_sub(words.count()))
    }

    /// Continues the current spot check, or draws a new one.
    fn start_or_continue(&self, shared: &AppState) -> Change {
        let verdicts = &shared.verdicts;
        let is_open = |&row: &u32| !verdicts.has_judged(&key_of(&shared.table, row));
        match verdicts.check.iter().position(is_open) {
            Some(at) => show_check(verdicts.check.clone(), at),
            None => ask(SpotCheck {
                scope: shared.scope(&shared.lens),
                author: verdicts.author.clone(),
                size: self.size,
                seed: SEED,
            })
            .into(),
        }
    }

    /// Opens the flagged sample under the cursor in a list of all flagged samples.
    fn open_flagged(&self, shared: &AppState) -> Change {
        let found = self.findings.as_ref();
        let Some(found) = found.filter(|found| !found.flagged_rows.is_empty()) else {
            return self.start_or_continue(shared);
        };
        Change::OpenRows(Box::new(SampleRows {
            list: found.flagged_rows.iter().map(|Row(row)| *row).collect(),
            of: ListSource::Flagged,
            at: self.table.selected,
            second: None,
        }))
    }
}

/// Shows a newly drawn spot check, unless the user went to another view.
pub fn drawn_check(shared: &AppState) -> Vec<Change> {
    match shared.view {
        ViewId::Audit => vec![show_check(shared.verdicts.check.clone(), 0)],
        _ => Vec::new(),
    }
}

fn show_check(rows: Vec<u32>, at: usize) -> Change {
    Change::OpenRows(Box::new(SampleRows {
        list: rows,
        of: ListSource::Check,
        at,
        second: None,
    }))
}

impl View for AuditView {
    fn about(&self) -> &'static ViewInfo {
        &ABOUT
    }

    fn explain(&self, shared: &AppState) -> Vec<Explanation> {
        let found = self.findings.as_ref();
        found.map_or_else(Vec::new, |found| found::explain(shared, found))
    }

    fn draw(&self, shared: &AppState, frame: &mut Frame<'_>, room: ViewArea) -> FrameOutput {
        match &self.findings {
            Some(found) if !self.is_at_start() => {
                found::draw(self, shared, found, frame, room.area)
            }
            _ => start::draw(self, shared, frame, room.area),
        }
    }

    fn scroll_slot(&mut self) -> ScrollSlot<'_> {
        ScrollSlot::Table(&mut self.table)
    }

    fn act(&mut self, shared: &AppState, action: Action) -> Reply {
        match action {
            Action::SpotCheck => return Reply::with(self.start_or_continue(shared)),
            Action::Open => return Reply::with(self.open_flagged(shared)),
            Action::ToggleAmbiguous => {
                self.drop_ambiguous = !self.drop_ambiguous;
                return Reply::with(Change::Refresh);
            }
            Action::LargerCheck => self.size = (self.offered(shared) + STEP).min(MOST),
            Action::SmallerCheck => {
                self.size = self.offered(shared).saturating_sub(STEP).max(STEP);
            }
            Action::Left => self.panel = self.panel.saturating_sub(1),
            Action::Right => self.panel = (self.panel + 1).min(panels::COUNT - 1),
            other => {
                let count = self
                    .findings
                    .as_ref()
                    .map_or(0, |found| found.flagged.len());
                return move_cursor(&mut self.table.selected, count, 10, other);
            }
        }
        Reply::DONE
    }

    fn click(&mut self, shared: &AppState, area: Rect, (x, y): (u16, u16)) -> Vec<Change> {
        let row = found::row_at(self, shared, area, (x, y));
        if click_again(&mut self.table.selected, row) {
            return vec![self.open_flagged(shared)];
        }
        Vec::new()
    }

    fn ask(&self, shared: &AppState) -> Vec<Effect> {
        self.query(shared).map(ask).into_iter().collect()
    }

    /// Returns the samples with likely label errors, until a sample is flagged.
    fn drill_down(&self, shared: &AppState) -> Option<DrillDown> {
        let samples = shared.lens_samples().filter(|_| self.has_room());
        samples.map(|samples| DrillDown {
            sort: Some(Sort::Suspect),
            ..samples
        })
    }

    fn samples_from(&self, _: &AppState) -> u16 {
        u16::MAX
    }

    fn free_area(&self, shared: &AppState, area: Rect) -> Rect {
        match &self.findings {
            Some(found) if !self.is_at_start() => found::below(found, area),
            _ => start::below(self, shared, area),
        }
    }

    /// Reads the verdict files again, because other people could have written verdicts.
    fn enter(&self) -> Vec<Effect> {
        vec![Effect::ReadVerdicts]
    }

    /// Updates the row numbers of the flagged samples.
    fn renumber(&mut self, moved: &RowMap) {
        if let Some(found) = &mut self.findings {
            let words = take(&mut found.flagged).into_iter();
            let flagged = words.zip(take(&mut found.flagged_rows));
            let kept = flagged.filter_map(|(word, row)| Some((word, moved.row(row)?)));
            (found.flagged, found.flagged_rows) = kept.unzip();
        }
    }

    /// Returns the label error rate with its interval or bound, per ability and overall.
    fn grid(&self, _: &AppState, _: Rect) -> Option<Grid> {
        let (audit, _) = found::telling(self.findings.as_ref()?);
        let columns = [
            "ability",
            "wrong label>",
            "judged>",
            "samples>",
            "error rate>",
            "95 %",
        ];
        let mut grid = Grid::new("", &columns);
        let rates = audit.abilities.iter();
        let rates = rates.map(|(name, rate)| (name.name.as_str(), rate));
        for (name, rate) in rates.chain([("all", &audit.overall)]) {
            grid.push([
                name,
                &rate.count(Verdict::WrongLabel).to_string(),
                &rate.audited.to_string(),
                &rate.samples.to_string(),
                &fixed(rate.error_rate, 3),
                &interval(rate.ci),
            ]);
        }
        Some(grid)
    }

    /// Returns the query for the benchmark's verdicts under the lens's filter.
    fn query(&self, shared: &AppState) -> Option<Query> {
        let query = Audit {
            scope: shared.scope(&shared.lens.whole()),
            author: None,
            drop_ambiguous: self.drop_ambiguous,
            quick: true,
        };
        Some(query.into())
    }
}

#[cfg(test)]
mod tests;
