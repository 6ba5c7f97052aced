//! Computes which columns and lines of a dot plot fit.

use super::super::scale::Scale;
use super::super::text::{widest, width};
use super::DotPlot;

/// Columns between label, chart, text and note.
const GAP: u16 = 2;
/// Minimum width of the chart in columns.
const NARROW: u16 = 10;

/// Layout of a dot plot, in screen columns and lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    /// Width of the labels.
    pub label: u16,
    /// First column of the chart.
    pub start: u16,
    /// Width of the chart.
    pub chart: u16,
    /// The x axis.
    pub scale: Scale,
    /// Width of the scores as text; 0 if they do not fit.
    pub text: u16,
    /// Width of the notes; 0 if they do not fit.
    pub note: u16,
    /// True if a bin has several scores.
    pub several: bool,
    /// Height of the header.
    pub header: u16,
    /// Height of the bins.
    pub body: u16,
    /// Height of the axis.
    pub axis: u16,
    /// Lines from one bin to the next.
    pub pitch: u16,
}

impl Layout {
    pub(super) fn new(plot: &DotPlot<'_>, columns: u16, lines: u16) -> Self {
        let each = || plot.rows.iter().flat_map(|row| &row.dots);
        let series = plot
            .rows
            .iter()
            .map(|row| row.dots.len())
            .max()
            .unwrap_or(1)
            .max(1);
        let several = series > 1;
        let label = widest(plot.rows.iter().map(|row| row.label.as_ref()))
            .max(width(plot.label))
            .min(columns / 3);
        let start = label + if several { GAP + 2 } else { GAP };
        let (text, note) = (
            widest(each().map(|dot| dot.text.as_ref())),
            widest(each().map(|dot| dot.note.as_ref())),
        );
        // One column is reserved for the scroll bar.
        let room = columns.saturating_sub(start + 1);
        let (text, note) = match room {
            room if room >= NARROW + text + note + 2 * GAP => (text, note),
            room if room >= NARROW + text + GAP => (text, 0),
            _ => (0, 0),
        };
        let side = [text, note]
            .into_iter()
            .filter(|side| *side > 0)
            .map(|side| side + GAP)
            .sum();
        let header = if lines > 3 { 2 } else { 0 };
        let axis = if lines > 6 { 2 } else { 0 };
        let body = lines - header - axis;
        Self {
            label,
            start,
            chart: room.saturating_sub(side),
            scale: plot.scale(),
            text,
            note,
            several,
            header,
            body,
            axis,
            pitch: pitch(plot.rows.len(), series, body),
        }
    }

    /// Returns the first column of the scores as text.
    pub(super) const fn text_x(&self) -> u16 {
        self.start + self.chart + GAP
    }

    /// Returns the first column of the notes.
    pub(super) const fn note_x(&self) -> u16 {
        self.text_x() + self.text + GAP
    }

    /// Returns the number of bins that are visible at once, at least 1.
    pub(super) fn rows(&self) -> usize {
        usize::from(self.body / self.pitch).max(1)
    }
}

/// Returns the number of lines from one bin to the next. Bins are separated by an empty line if all
/// still fit.
fn pitch(rows: usize, series: usize, body: u16) -> u16 {
    let apart = rows * (series + 1) <= usize::from(body);
    u16::try_from(series + usize::from(apart)).unwrap_or(u16::MAX)
}
