//! The app: what all views see, the views, the popups over them, and where the user has been.
//!
//! Views and popups say what is to be changed; here it is changed.

mod answers;
mod change;
mod find;
mod history;
mod input;
mod judging;
mod kept_sample;
mod mouse;
mod play;
mod receive;
mod session;
mod turn;
mod write;

use ratatui::Frame;
use ratatui::layout::Rect;

use crate::drawn::{Drawn, Scrolled};
use crate::effect::Effect;
use crate::keymap::ViewId;
use crate::popup::{Popup, Tour, outer};
use crate::screen::{self, Views};
use crate::shared::Shared;
use crate::view::View;
use widget::ascii;
use widget::theme::{ColorDepth, Theme};
use workspace::Lens;

use history::{Cursors, History};
pub use session::{Keep, Session};

/// The app.
pub struct App {
    /// What all views see.
    pub shared: Shared,
    /// The views.
    pub views: Views,
    /// The popups over the view, the topmost last.
    pub popups: Vec<Popup>,
    /// What the last drawing left.
    pub drawn: Drawn,
    /// True if something changed since the last drawing.
    pub dirty: bool,
    /// What is taken up again when everything is read, unless the user is faster.
    pub session: Option<Session>,
    /// True until the user does anything: until then the program chooses the view.
    untouched: bool,
    /// Where the user has been.
    pub(crate) history: History,
    /// Cursors that are put back when the view's answer comes.
    awaited: Option<Cursors>,
}

impl App {
    /// An app that has read nothing.
    pub fn new(theme: &Theme, depth: ColorDepth, lens: Lens) -> Self {
        let lens_is_whole = lens == Lens::default();
        Self {
            shared: Shared::new(theme, depth, lens),
            views: Views::default(),
            popups: Vec::new(),
            drawn: Drawn::default(),
            dirty: true,
            session: None,
            untouched: lens_is_whole,
            history: History::default(),
            awaited: None,
        }
    }

    /// The view on screen.
    fn view(&self) -> &dyn View {
        self.views.get(self.shared.view)
    }

    /// Draws everything. What it leaves is given back by [`keep`](Self::keep).
    pub fn draw(&self, frame: &mut Frame<'_>) -> Drawn {
        // Pictures make room for popups, so that these are drawn once before to learn their places.
        let popups = self.draw_popups(frame);
        let outer = popups.iter().map(|(inner, _)| outer(*inner));
        let covered = outer.reduce(Rect::union);
        if covered.is_some() {
            frame.buffer_mut().reset();
        }
        let mut drawn = screen::draw(&self.shared, &self.views, covered, frame);
        drawn.popups = self.draw_popups(frame);
        if let Some(keys) = self.popups.last().and_then(|popup| popup.overlay().keys()) {
            screen::draw_keys(&self.shared, keys, covered, frame);
        }
        drawn
    }

    /// Draws the popups that are visible; gives the places of their contents, and how far they are scrolled.
    fn draw_popups(&self, frame: &mut Frame<'_>) -> Vec<(Rect, Scrolled)> {
        // The line for words to find lies over the text that they are looked for in.
        let from = self.popups.iter().rposition(|popup| !popup.is_line_over());
        let visible = self.popups.iter().skip(from.unwrap_or(0));
        let draw = |popup: &Popup| popup.overlay().draw(&self.shared, frame);
        visible.map(draw).collect()
    }

    /// Draws everything, with the signs that the terminal has.
    pub fn draw_in_signs(&self, is_ascii: bool, frame: &mut Frame<'_>) -> Drawn {
        let drawn = self.draw(frame);
        if is_ascii {
            ascii::replace(frame.buffer_mut());
        }
        drawn
    }

    /// Takes back how far things were scrolled when they were drawn.
    pub fn keep(&mut self, mut drawn: Drawn) {
        self.shared.fetched.see(std::mem::take(&mut drawn.wanted));
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
            popup.overlay_mut().keep(scrolled.clone());
        }
        self.drawn = drawn;
    }

    /// Asks for the records that the last frame lacked.
    pub fn ask_wanted(&mut self) -> Vec<Effect> {
        self.shared.fetched.ask(self.shared.lens.scoring)
    }

    /// Goes to a stop of the tour; past its end the tour is over.
    fn tour(&mut self, at: usize) -> Vec<Effect> {
        self.popups.retain(|popup| !matches!(popup, Popup::Tour(_)));
        let Some(stop) = crate::popup::TOUR.get(at) else {
            return Vec::new();
        };
        self.popups.push(Tour(at).into());
        self.show(stop.view)
    }

    /// Shows the view with which a look at these logs begins, as long as the user has done nothing.
    fn open_first_view(&mut self) {
        if self.untouched {
            self.shared.view = screen::first_view(&self.shared);
        }
    }

    /// Returns true if the view on screen is this one.
    fn shows(&self, view: ViewId) -> bool {
        self.shared.view == view
    }
}
