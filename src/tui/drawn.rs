//! What a drawing leaves behind: where things lie, how far they are scrolled, and the pictures that it wants.

use ratatui::layout::Rect;

use widget::dot_plot::DotPlotState;
use widget::heat_grid::HeatGridState;
use widget::prose::ProseState;
use widget::table::TableState;

use super::picture::Shown;
use super::screen::{ConfusionGrid, Matrix, Sheet};
use super::shared::Wanted;

/// How far something is scrolled, and its cursor within what there is.
#[derive(Clone, Debug, Default)]
pub enum Scrolled {
    /// Nothing scrolls.
    #[default]
    Nothing,
    /// The list of samples.
    Samples(TableState),
    /// The fingerprint.
    Cell(HeatGridState),
    /// The sheet of pictures.
    Sheet(Sheet),
    /// The matrix of answers.
    Matrix(Matrix),
    /// Targets against answers.
    Confusion(ConfusionGrid),
    /// A table.
    Table(TableState),
    /// A dot plot.
    DotPlot(DotPlotState),
    /// A text.
    Text(ProseState),
    /// A list of lines, or the first line in sight.
    At(usize),
}

/// What a drawing leaves behind.
#[derive(Clone, Debug, Default)]
pub struct Drawn {
    /// The whole screen.
    pub screen: Rect,
    /// The view's own part of it.
    pub body: Rect,
    /// How far the view is scrolled.
    pub view: Scrolled,
    /// The place of the samples that stand beside it on a wide screen, and how far they are scrolled.
    pub beside: Option<(Rect, Scrolled)>,
    /// The contents of the popups that were drawn, the topmost last, and how far they are scrolled.
    pub popups: Vec<(Rect, Scrolled)>,
    /// Pictures on the screen, and those that it waits for.
    pub pictures: Shown,
    /// Records on the screen.
    pub wanted: Wanted,
}

impl From<Scrolled> for Drawn {
    fn from(view: Scrolled) -> Self {
        Self {
            view,
            ..Self::default()
        }
    }
}

/// Where a view is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// Its part of the screen.
    pub area: Rect,
    /// What popups lie over.
    pub covered: Option<Rect>,
}

/// Returns the larger part of an area beside what lies over it, above or below.
pub fn beside(area: Rect, covered: Rect) -> Rect {
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
    // A picture is as wide as it is high, and a cell twice as high as it is wide.
    let side = |part: &Rect| part.width.min(2 * part.height);
    parts.into_iter().max_by_key(side).unwrap_or(area)
}
