//! The views, and the lines around them.

mod audit;
mod chrome;
mod compare;
mod fingerprint;
mod labels;
mod live;
mod overview;
mod part;
mod reliability;
mod sample;
mod samples;
mod start;
mod subgroups;

use ratatui::Frame;
use ratatui::layout::Rect;

use super::action::Action;
use super::drawn::{Drawn, Room};
use super::keymap::ViewId;
use super::shared::Shared;
use super::view::View;
use super::view_id::views;

pub use audit::{AuditView, drawn_check};
pub use chrome::{action_at, step_at, view_at};
pub use compare::CompareView;
pub use fingerprint::{Cells, FingerprintView};
pub use live::LiveView;
pub use overview::{OverviewView, first_view};
pub use reliability::ReliabilityView;
pub use sample::SampleView;
pub use samples::{Matrix, SamplesView, Sheet, fields};
pub use subgroups::SubgroupsView;

macro_rules! register {
    ($($(#[$what:meta])* $id:ident $name:ident $view:ident,)*) => {
        /// All views.
        #[derive(Default)]
        pub struct Views { $($(#[$what])* pub $name: $view,)* }

        impl Views {
            /// A view.
            pub fn get(&self, id: ViewId) -> &dyn View {
                match id { $(ViewId::$id => &self.$name,)* }
            }

            /// A view, to change it.
            pub fn get_mut(&mut self, id: ViewId) -> &mut dyn View {
                match id { $(ViewId::$id => &mut self.$name,)* }
            }
        }
    };
}

views!(register);

impl Views {
    /// The views that have a tab, with its key and title, in their order.
    pub fn tabs(&self) -> impl Iterator<Item = (ViewId, (&'static str, &'static str))> {
        let tab = |id| Some((id, self.get(id).about().tab?));
        ViewId::ALL.into_iter().filter_map(tab)
    }

    /// The view that an action opens.
    pub fn opened_by(&self, action: Action) -> Option<ViewId> {
        let opens = |id: &ViewId| self.get(*id).about().opened_by == Some(action);
        ViewId::ALL.into_iter().find(opens)
    }
}

/// Draws the view on screen and the lines around it.
pub fn draw(shared: &Shared, views: &Views, covered: Option<Rect>, frame: &mut Frame<'_>) -> Drawn {
    let screen = frame.area();
    frame.buffer_mut().set_style(screen, shared.theme.screen());
    let body = chrome::draw(shared, views, frame);
    let room = Room {
        area: body,
        covered,
    };
    let drawn = if shared.is_empty() {
        start::draw(shared, frame, body)
    } else {
        views.get(shared.view).draw(shared, frame, room)
    };
    Drawn {
        screen,
        body,
        ..drawn
    }
}
