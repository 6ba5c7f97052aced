//! Result of drawing a frame: areas, scroll positions, and requests.

use ratatui::layout::Rect;

use crate::widget::dot_plot::DotPlotState;
use crate::widget::heat_grid::HeatGridState;
use crate::widget::prose::ProseState;
use crate::widget::table::TableState;

use super::picture::FramePictures;
use super::screen::{ConfusionGrid, Matrix, Sheet};
use super::shared::FrameNeeds;

/// Scroll position and cursor of a widget.
#[derive(Clone, Debug, Default)]
pub enum ScrollState {
    /// Nothing to scroll.
    #[default]
    Nothing,
    /// List of samples.
    Samples(TableState),
    /// The fingerprint's grid.
    Cell(HeatGridState),
    /// Sheet of pictures.
    Sheet(Sheet),
    /// Matrix of all models' answers.
    Matrix(Matrix),
    /// Confusion matrix.
    Confusion(ConfusionGrid),
    /// Any table.
    Table(TableState),
    /// Any dot plot.
    DotPlot(DotPlotState),
    /// Any text.
    Text(ProseState),
    /// Cursor of a list of lines, or index of the first visible line.
    At(usize),
}

/// Scroll position or cursor that a view or popup keeps between frames.
#[derive(Debug)]
pub enum ScrollSlot<'a> {
    /// Nothing to scroll.
    Nothing,
    /// Scroll position and cursor of a table.
    Table(&'a mut TableState),
    /// Cursor of the fingerprint's grid.
    Cell(&'a mut HeatGridState),
    /// Cursor of a dot plot.
    DotPlot(&'a mut DotPlotState),
    /// Scroll position of a text.
    Text(&'a mut ProseState),
    /// Cursor of a list of lines, or index of the first visible line.
    At(&'a mut usize),
}

impl ScrollSlot<'_> {
    /// Stores the position after drawing.
    pub fn store(self, scrolled: ScrollState) {
        match (self, scrolled) {
            (Self::Table(slot), ScrollState::Table(table)) => *slot = table,
            (Self::Cell(slot), ScrollState::Cell(cell)) => *slot = cell,
            (Self::DotPlot(slot), ScrollState::DotPlot(dots)) => *slot = dots,
            (Self::Text(slot), ScrollState::Text(text)) => *slot = text,
            (Self::At(slot), ScrollState::At(at)) => *slot = at,
            _ => {}
        }
    }

    /// Moves the cursor down by `step`, or scrolls the text.
    pub fn move_by(self, step: isize) {
        let at = match self {
            Self::Nothing => return,
            Self::Table(table) => &mut table.selected,
            Self::Cell(cell) => &mut cell.row,
            Self::DotPlot(dots) => &mut dots.selected,
            Self::Text(text) => &mut text.offset,
            Self::At(at) => at,
        };
        *at = at.saturating_add_signed(step);
    }
}

/// A part of the screen that can receive the arrow keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pane {
    /// The view.
    #[default]
    View,
    /// The table of right and wrong answers of two models, which is part of a view.
    Cells,
    /// The samples in the pane next to the view or below it.
    Samples,
    /// The text of the sample under the list's cursor.
    Preview,
}

/// Scroll position of a preview.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PreviewPosition {
    /// Prediction in the preview. If it changes, the preview starts at the top.
    pub row: u32,
    /// Index of the first visible line.
    pub offset: usize,
}

/// Result of drawing a frame.
#[derive(Clone, Debug, Default)]
pub struct FrameOutput {
    /// Area of the whole screen, in cells.
    pub screen: Rect,
    /// Area of the view.
    pub body: Rect,
    /// Scroll position of the view.
    pub view: ScrollState,
    /// Area and scroll position of the samples next to the view, on a wide screen.
    pub beside: Option<(Rect, ScrollState)>,
    /// Visible panes except the view, in focus order.
    pub panes: Vec<Pane>,
    /// Scroll position of the preview.
    pub preview: Option<PreviewPosition>,
    /// Content areas and scroll positions of the visible popups, topmost last.
    pub popups: Vec<(Rect, ScrollState)>,
    /// Visible and pending pictures.
    pub pictures: FramePictures,
    /// Records that the frame needs.
    pub wanted: FrameNeeds,
}

impl From<ScrollState> for FrameOutput {
    fn from(view: ScrollState) -> Self {
        Self {
            view,
            ..Self::default()
        }
    }
}

/// Area for drawing a view.
#[derive(Clone, Copy, Debug)]
pub struct ViewArea {
    /// Area of the view.
    pub area: Rect,
    /// Area covered by popups.
    pub covered: Option<Rect>,
}

/// Returns the largest part of an area that is not covered. Candidates are the parts to the left,
/// right, above and below.
pub fn uncovered_part(area: Rect, covered: Rect) -> Rect {
    let covered = area.intersection(covered);
    if covered.is_empty() {
        return area;
    }
    let parts = [
        Rect {
            width: covered.x - area.x,
            ..area
        },
        Rect {
            x: covered.right(),
            width: area.right() - covered.right(),
            ..area
        },
        Rect {
            height: covered.y - area.y,
            ..area
        },
        Rect {
            y: covered.bottom(),
            height: area.bottom() - covered.bottom(),
            ..area
        },
    ];
    // A cell is twice as high as wide, and pictures are assumed to be square.
    let side = |part: &Rect| part.width.min(2 * part.height);
    parts.into_iter().max_by_key(side).unwrap_or(area)
}
