//! The view trait, and static facts about views.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use crate::widget::line::Piece;
use crate::widget::prose::ProseState;
use base::format::visible;
use engine::Query;
use record::RowMap;
use report::Grid;
use workspace::Lens;

use super::action::Action;
use super::change::{Change, DrillDown, Reply};
use super::effect::Effect;
use super::frame_output::{FrameOutput, ScrollSlot, ScrollState, ViewArea};
use super::screen::SIDE_BY_SIDE;
use super::shared::AppState;

/// Part of the lens that a view shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breadth {
    /// All abilities and models of the benchmark.
    Benchmark,
    /// All bins of the lens's ability and model.
    Ability,
    /// Exactly the samples of the lens.
    Samples,
}

impl Breadth {
    /// Widens the lens to the part that the view shows.
    pub fn widen(self, lens: &mut Lens) {
        match self {
            Self::Benchmark => *lens = lens.whole(),
            Self::Ability => {
                lens.bin = None;
                lens.step.clear();
            }
            Self::Samples => {}
        }
    }
}

/// Static facts about a view.
#[derive(Clone, Copy, Debug)]
pub struct ViewInfo {
    /// Key, title and short title of the view's tab; `None` if it has no tab.
    pub tab: Option<[&'static str; 3]>,
    /// Action that opens it.
    pub opened_by: Option<Action>,
    /// Part of the lens that the view shows. Opening the view removes the remaining parts of the
    /// lens.
    pub breadth: Breadth,
    /// True if the view always shows exactly one ability.
    pub needs_ability: bool,
    /// True if the view can show samples of a comparison of two models.
    pub keeps_versus: bool,
    /// Introduction for first-time users.
    pub help: &'static str,
}

/// A figure on screen, for example `2=`, and its meaning here.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The symbol, number or colour.
    pub sign: Span<'static>,
    /// Explanation of what the figure means.
    pub words: String,
}

impl Explanation {
    /// Creates an explanation of a styled text.
    pub fn new(sign: impl Into<String>, style: Style, words: impl Into<String>) -> Self {
        Self {
            sign: Span::styled(visible(&sign.into()).into_owned(), style),
            words: visible(&words.into()).into_owned(),
        }
    }
}

/// A view. It owns its state and reads the shared state. Drawing does not change the state.
pub trait View {
    /// Returns static facts about the view.
    fn about(&self) -> &'static ViewInfo;

    /// Draws the view. Scroll positions are passed to [`keep`](Self::keep).
    fn draw(&self, shared: &AppState, frame: &mut Frame<'_>, room: ViewArea) -> FrameOutput;

    /// Returns the view's own scroll position or cursor.
    fn scroll_slot(&mut self) -> ScrollSlot<'_> {
        ScrollSlot::Nothing
    }

    /// Stores the scroll position after drawing.
    fn keep(&mut self, scrolled: ScrollState) {
        self.scroll_slot().store(scrolled);
    }

    /// Performs an action in this view.
    fn act(&mut self, shared: &AppState, action: Action) -> Reply;

    /// Returns the label of a key for the key line, or an empty text to hide the key. The label can
    /// depend on the view's state.
    fn key_word<'a>(&self, word: &'a str) -> &'a str {
        word
    }

    /// Handles a click in the view's area.
    fn click(&mut self, _: &AppState, _: Rect, _: (u16, u16)) -> Vec<Change> {
        Vec::new()
    }

    /// Handles mouse movement in the view's area while the button is held.
    fn drag(&mut self, _: &AppState, _: Rect, _: (u16, u16)) {}

    /// Returns the queries to send after a change of the table or the lens.
    fn ask(&self, _: &AppState) -> Vec<Effect> {
        Vec::new()
    }

    /// Returns the queries to send when the view opens or refreshes.
    fn refresh(&mut self, shared: &AppState) -> Vec<Effect> {
        self.ask(shared)
    }

    /// Returns additional effects for opening the view.
    fn enter(&self) -> Vec<Effect> {
        Vec::new()
    }

    /// Updates the row numbers after the table changed. The content of the logs can also have
    /// changed.
    fn renumber(&mut self, _: &RowMap) {}

    /// Returns the area that the view leaves free for the samples behind its cursor. It is used on
    /// screens that are too narrow for a side pane.
    fn free_area(&self, _: &AppState, _: Rect) -> Rect {
        Rect::default()
    }

    /// Returns the minimum screen width at which the samples behind the cursor are shown in a side
    /// pane.
    fn samples_from(&self, _: &AppState) -> u16 {
        SIDE_BY_SIDE
    }

    /// Returns the samples behind the cursor, to show in the side pane.
    fn drill_down(&self, _: &AppState) -> Option<DrillDown> {
        None
    }

    /// Returns the query for the view's data, which the copied command also uses.
    fn query(&self, shared: &AppState) -> Option<Query>;

    /// Explains the columns, symbols and colours on screen, with the current figures as
    /// examples.
    fn explain(&self, _: &AppState) -> Vec<Explanation> {
        Vec::new()
    }

    /// Returns the table for the clipboard. Long lists contain only the visible rows.
    fn grid(&self, _: &AppState, _: Rect) -> Option<Grid> {
        None
    }

    /// Returns the view's part of the status line.
    fn status(&self, _: &AppState) -> Vec<Piece<'static>> {
        Vec::new()
    }

    /// Returns a status text while the view's work continues in the background.
    fn background(&self) -> Option<String> {
        None
    }

    /// Returns the searchable text and its scroll state.
    fn text(&mut self, _: &AppState) -> Option<(String, &mut ProseState)> {
        None
    }
}
