//! The app: shared state, views, popups and history.
//!
//! Views and popups request changes; the app applies them.

mod answers;
mod change;
mod find;
mod history;
mod input;
mod judging;
mod likeness;
mod mouse;
mod panes;
mod play;
mod receive;
mod session;
mod stored_view;
mod subgroups;
mod turn;
mod write;

use crossterm::event::KeyEvent;
use ratatui::Frame;
use ratatui::layout::Rect;

use crate::effect::Effect;
use crate::frame_output::{FrameOutput, Pane, ScrollState};
use crate::keymap::ViewId;
use crate::popup::{Popup, Tour, outer};
use crate::screen::{self, Views};
use crate::shared::AppState;
use crate::view::View;
use crate::widget::theme::{ColorDepth, Theme};
use workspace::Lens;

use history::{Cursors, History};
pub use session::{Session, SessionOptions};
pub use stored_view::StoredView;

/// State of the terminal UI, which the event loop updates and draws.
pub struct App {
    /// State shared by all views.
    pub shared: AppState,
    /// State of each view.
    pub views: Views,
    /// Open popups, topmost last.
    pub popups: Vec<Popup>,
    /// Positions, and requests for data, of the last frame.
    pub drawn: FrameOutput,
    /// True if something changed since the last frame.
    pub dirty: bool,
    /// Session to restore when reading is done, unless the user acts first.
    pub session: Option<Session>,
    /// True once the user was warned that quitting interrupts a rerun.
    leaving: bool,
    /// True until the first input. Until then the program chooses the view.
    untouched: bool,
    /// Visited places.
    pub(crate) history: History,
    /// Models that were selected when the user last left the samples view.
    listed_for: Vec<String>,
    /// Cursors to restore when the view's answer arrives.
    awaited: Option<Cursors>,
    typed: TypedAhead,
}

/// Keys pressed before the list of samples has arrived. They act on that list.
#[derive(Debug, Default)]
struct TypedAhead {
    keys: Vec<KeyEvent>,
    /// True if the last query for the list failed. Then keys no longer wait for the list.
    is_vain: bool,
}

impl App {
    /// Creates an app without data.
    pub fn new(theme: &Theme, depth: ColorDepth, lens: Lens) -> Self {
        let lens_is_whole = lens == Lens::default();
        Self {
            shared: AppState::new(theme, depth, lens),
            views: Views::default(),
            popups: Vec::new(),
            drawn: FrameOutput::default(),
            dirty: true,
            session: None,
            leaving: false,
            untouched: lens_is_whole,
            history: History::default(),
            listed_for: Vec::new(),
            awaited: None,
            typed: TypedAhead::default(),
        }
    }

    fn view(&self) -> &dyn View {
        self.views.get(self.shared.view)
    }

    /// Draws a frame. Pass the result to [`keep`](Self::keep).
    pub fn draw(&self, frame: &mut Frame<'_>) -> FrameOutput {
        // Pictures leave space for popups, so draw the popups once first to get their positions.
        let popups = self.draw_popups(frame);
        let outer = popups.iter().map(|(inner, _)| outer(*inner));
        let covered = outer.reduce(Rect::union);
        if covered.is_some() {
            frame.buffer_mut().reset();
        }
        let mut drawn = screen::draw(&self.shared, &self.views, covered, frame);
        if self.has_quiet_ground() {
            screen::dim_ground(&self.shared, frame);
        }
        drawn.popups = self.draw_popups(frame);
        if let Some(popup) = self.popups.last() {
            screen::draw_keys(&self.shared, &popup.overlay().keys(&self.shared), frame);
        }
        drawn
    }

    /// Returns true if the topmost popup takes the keys, except for the tour, which describes the
    /// screen behind it.
    fn has_quiet_ground(&self) -> bool {
        let popup = self.popups.iter().rfind(|popup| !popup.is_line_over());
        let takes_keys = |popup: &Popup| !popup.overlay().keys(&self.shared).is_empty();
        popup.is_some_and(|popup| takes_keys(popup) && !matches!(popup, Popup::Tour(_)))
    }

    /// Draws the visible popups. Returns the areas of their contents, and their scroll
    /// positions.
    fn draw_popups(&self, frame: &mut Frame<'_>) -> Vec<(Rect, ScrollState)> {
        // The search line appears together with the text that it searches.
        let from = self.popups.iter().rposition(|popup| !popup.is_line_over());
        let visible = self.popups.iter().skip(from.unwrap_or(0));
        let draw = |popup: &Popup| popup.overlay().draw(&self.shared, frame);
        visible.map(draw).collect()
    }

    /// Stores the scroll positions and requests of a frame.
    pub fn keep(&mut self, mut drawn: FrameOutput) {
        self.shared.fetched.see(std::mem::take(&mut drawn.wanted));
        if !drawn.panes.contains(&self.shared.pane) {
            self.shared.pane = Pane::View;
        }
        self.shared.preview = drawn.preview.unwrap_or_default();
        if self.shows(ViewId::Sample) {
            self.shared.verdicts.seen = self.shared.list.here();
        }
        let view = self.shared.view;
        self.shared.keep(&drawn.view);
        self.views.get_mut(view).keep(drawn.view.clone());
        if let Some((_, scrolled)) = &drawn.beside {
            self.shared.keep(scrolled);
            self.views.samples.keep(scrolled.clone());
        }
        let first = self.popups.len().saturating_sub(drawn.popups.len());
        let popups = self.popups.iter_mut().skip(first);
        for (popup, (_, scrolled)) in popups.zip(&drawn.popups) {
            popup.overlay_mut().scroll_slot().store(scrolled.clone());
        }
        self.drawn = drawn;
    }

    /// Requests the records that the last frame lacked.
    pub fn ask_wanted(&mut self) -> Vec<Effect> {
        self.shared.fetched.ask(self.shared.lens.scoring)
    }

    /// Goes to a stop of the tour; after the last stop, ends the tour.
    fn tour(&mut self, at: usize) -> Vec<Effect> {
        self.popups.retain(|popup| !matches!(popup, Popup::Tour(_)));
        let Some(stop) = crate::popup::TOUR.get(at) else {
            return Vec::new();
        };
        self.popups.push(Tour(at).into());
        self.show(stop.view)
    }

    /// Shows the most suitable first view for these logs, unless the user already did something.
    fn open_first_view(&mut self) {
        if self.untouched {
            self.shared.view = screen::first_view(&self.shared);
        }
    }

    /// Returns true if this view is on screen.
    fn shows(&self, view: ViewId) -> bool {
        self.shared.view == view
    }
}
