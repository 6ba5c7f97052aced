//! What a view is.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use engine::Query;
use format::visible;
use record::Moved;
use report::Grid;
use widget::line::Piece;
use widget::prose::ProseState;

use super::action::Action;
use super::change::{Change, Drill, Reply};
use super::drawn::{Drawn, Room, Scrolled};
use super::effect::Effect;
use super::shared::Shared;

/// What is to be known of a view before it is drawn.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// The key and the title of its tab, if it has one.
    pub tab: Option<(&'static str, &'static str)>,
    /// The action that opens it.
    pub opened_by: Option<Action>,
    /// True if it shows one ability, never all.
    pub needs_ability: bool,
    /// True if its samples may be those of two models.
    pub keeps_versus: bool,
    /// What it shows and what to do in it, for somebody who sees it for the first time.
    pub help: &'static str,
}

/// Something on the screen as it stands there, such as `2=`, and what it means there.
#[derive(Clone, Debug)]
pub struct Explained {
    /// The sign, the number or the colour.
    pub sign: Span<'static>,
    /// What it means.
    pub words: String,
}

impl Explained {
    /// A text in a style, and what it means.
    pub fn new(sign: impl Into<String>, style: Style, words: impl Into<String>) -> Self {
        Self {
            sign: Span::styled(visible(&sign.into()).into_owned(), style),
            words: visible(&words.into()).into_owned(),
        }
    }
}

/// A view: it owns its state, reads what all views share, and draws without changing anything.
pub trait View {
    /// What is to be known of it.
    fn about(&self) -> &'static About;

    /// Draws it; what was scrolled comes back by [`keep`](Self::keep).
    fn draw(&self, shared: &Shared, frame: &mut Frame<'_>, room: Room) -> Drawn;

    /// Takes back how far its drawing was scrolled.
    fn keep(&mut self, _: Scrolled) {}

    /// What an action does here.
    fn act(&mut self, shared: &Shared, action: Action) -> Reply;

    /// The word of a key on the key line, where it does something else than its usual just now.
    fn key_word<'a>(&self, word: &'a str) -> &'a str {
        word
    }

    /// What a click on its part of the screen does.
    fn click(&mut self, _: &Shared, _: Rect, _: (u16, u16)) -> Vec<Change> {
        Vec::new()
    }

    /// The mouse was moved over its part of the screen with the button held.
    fn drag(&mut self, _: &Shared, _: Rect, _: (u16, u16)) {}

    /// What it has to ask when the table or the lens is another one.
    fn ask(&self, _: &Shared) -> Vec<Effect> {
        Vec::new()
    }

    /// What it asks when it is opened, or when the user looks again.
    fn refresh(&mut self, shared: &Shared) -> Vec<Effect> {
        self.ask(shared)
    }

    /// What else is to be done when it is opened.
    fn enter(&self) -> Vec<Effect> {
        Vec::new()
    }

    /// Rows stand elsewhere, and logs may say something else than they did.
    fn renumber(&mut self, _: &Moved) {}

    /// The samples behind its cursor, which stand beside it on a wide screen.
    fn behind(&self, _: &Shared) -> Option<Drill> {
        None
    }

    /// The query whose answer it shows, which a command asks too.
    fn query(&self, shared: &Shared) -> Option<Query>;

    /// What the columns, signs and colours that it shows now mean, with its own numbers as examples.
    fn explain(&self, _: &Shared) -> Vec<Explained> {
        Vec::new()
    }

    /// Its table, to be copied: of lists that may be long what is in sight in its part of the screen.
    fn grid(&self, _: &Shared, _: Rect) -> Option<Grid> {
        None
    }

    /// Its part of the status line.
    fn status(&self, _: &Shared) -> Vec<Piece<'static>> {
        Vec::new()
    }

    /// What it does while another view is on screen, in words.
    fn background(&self) -> Option<String> {
        None
    }

    /// The text in which words can be looked for.
    fn text(&mut self, _: &Shared) -> Option<(String, &mut ProseState)> {
        None
    }
}
