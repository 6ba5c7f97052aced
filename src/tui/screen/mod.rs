//! The views, and the lines around every view.

mod audit;
mod chrome;
mod compare;
mod fingerprint;
mod flip;
mod labels;
mod live;
mod names;
mod overview;
mod part;
mod place;
mod playground;
mod reliability;
mod sample;
mod samples;
mod start;
mod studies;
mod subgroups;

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;
use ratatui::widgets::{Block, Borders};

use super::action::Action;
use super::change::DrillDown;
use super::frame_output::{FrameOutput, Pane, ViewArea};
use super::keymap::ViewId;
use super::shared::{AppState, FrameNeeds};
use super::view::View;
use super::view_id::views;
use base::format::visible;
use workspace::page::Sort;

pub use audit::{AuditView, drawn_check};
pub use chrome::{action_at, dim_ground, draw_keys, step_at, view_at};
pub use compare::CompareView;
pub use fingerprint::{Cells, FingerprintView};
pub use flip::{FlipView, Flips};
pub use live::LiveView;
pub use overview::{OverviewView, first_view};
pub use part::{instead, interval, moved, records_read};
pub use playground::PlaygroundView;
pub use reliability::ReliabilityView;
pub use sample::{SampleTab, SampleView};
pub use samples::{ConfusionGrid, Matrix, SamplesView, Sheet, click_list, fields};
pub use subgroups::SubgroupsView;

macro_rules! register {
    ($($(#[$what:meta])* $id:ident $name:ident $view:ident,)*) => {
        /// State of all views.
        #[derive(Default)]
        pub struct Views { $($(#[$what])* pub $name: $view,)* }

        impl Views {
            /// Returns the state of a view.
            pub fn get(&self, id: ViewId) -> &dyn View {
                match id { $(ViewId::$id => &self.$name,)* }
            }

            /// Returns the state of a view, mutably.
            pub fn get_mut(&mut self, id: ViewId) -> &mut dyn View {
                match id { $(ViewId::$id => &mut self.$name,)* }
            }
        }
    };
}

views!(register);

impl Views {
    /// Returns the views with a tab, with key, title and short title, in order.
    pub fn tabs(&self) -> impl Iterator<Item = (ViewId, [&'static str; 3])> {
        let tab = |id| Some((id, self.get(id).about().tab?));
        ViewId::ALL.into_iter().filter_map(tab)
    }

    /// Returns false if a view needs samples and the current benchmark has none.
    pub fn can_open(&self, shared: &AppState, view: ViewId) -> bool {
        let benchmark = match shared.view {
            ViewId::Overview => self.overview.benchmark(shared),
            _ => Some(shared.lens.benchmark.clone()),
        };
        let is_published = benchmark.is_some_and(|it| shared.is_published_only(&it));
        !(is_published && view.needs_samples())
    }

    /// Returns the view that an action opens.
    pub fn opened_by(&self, action: Action) -> Option<ViewId> {
        let opens = |id: &ViewId| self.get(*id).about().opened_by == Some(action);
        ViewId::ALL.into_iter().find(opens)
    }
}

/// Minimum screen width for two views side by side.
pub const SIDE_BY_SIDE: u16 = 200;
/// Minimum screen width to show the samples next to narrow views. The samples are then above their
/// preview.
const THREE_PANES: u16 = 160;
/// Width of a narrow view, including the gap on its right.
const NARROW: u16 = 84;
/// Minimum width for a second chart to the right of the first, in cells.
const TWO_CHARTS: u16 = 110;
/// Minimum height for the samples below a view, in rows.
pub const MIN_HEIGHT_BELOW: u16 = 6;
/// Minimum width of a list to show a sample next to it, in cells.
pub const PREVIEW: u16 = 100;

/// Draws the view, the side pane with samples on a wide screen, and the lines around them.
pub fn draw(
    shared: &AppState,
    views: &Views,
    covered: Option<Rect>,
    frame: &mut Frame<'_>,
) -> FrameOutput {
    let screen = frame.area();
    frame.buffer_mut().set_style(screen, shared.theme.screen());
    let body = chrome::draw(shared, views, frame);
    if shared.is_empty() {
        let drawn = start::draw(shared, frame, body);
        return FrameOutput {
            screen,
            body,
            ..drawn
        };
    }
    let view = views.get(shared.view);
    let [body, right] = match view.drill_down(shared) {
        Some(_) if screen.width >= view.samples_from(shared) => halves(body),
        Some(_) => [body, view.free_area(shared, body)],
        None => [body, Rect::default()],
    };
    let behind = view
        .drill_down(shared)
        .filter(|_| right.height >= MIN_HEIGHT_BELOW);
    let room = |area| ViewArea { area, covered };
    let mut drawn = view.draw(shared, frame, room(body));
    if let Some(drill) = behind {
        let lacking = shared.lacks_samples(&drill);
        if right.x > body.x {
            draw_rule(shared, frame, right);
        }
        let area = draw_head(shared, &drill, lacking.is_some(), frame, right);
        let second = samples::draw_list(shared, frame, room(area));
        drawn.beside = Some((area, second.view));
        let mut needs = FrameNeeds {
            gate: drawn.wanted.gate,
            ..second.wanted
        };
        needs.thumbnails.extend(drawn.wanted.thumbnails);
        drawn.wanted = needs;
        drawn.wanted.samples = lacking;
        drawn.pictures.extend(second.pictures);
        drawn.panes.push(Pane::Samples);
        drawn.panes.extend(second.panes);
        drawn.preview = second.preview;
    }
    FrameOutput {
        screen,
        body,
        ..drawn
    }
}

/// Draws a vertical rule on the left of the side pane.
fn draw_rule(shared: &AppState, frame: &mut Frame<'_>, area: Rect) {
    let rule = Rect {
        x: area.x.saturating_sub(2),
        width: 1,
        ..area
    };
    let style = if shared.pane == Pane::Samples {
        shared.theme.accent()
    } else {
        shared.theme.border()
    };
    let border = Block::new().borders(Borders::LEFT);
    frame.render_widget(border.border_style(style), rule);
}

/// Draws the description of the samples above them. Returns the remaining area.
fn draw_head(
    shared: &AppState,
    drill: &DrillDown,
    is_lacking: bool,
    frame: &mut Frame<'_>,
    area: Rect,
) -> Rect {
    let text = if shared.pane == Pane::Samples {
        shared.theme.accent()
    } else {
        shared.theme.dim()
    };
    let lens = &drill.lens;
    let bin = lens
        .bin
        .as_ref()
        .map(|(split, bin)| format!("{} {bin}", split.name()));
    let models = match (&lens.model, &lens.versus) {
        (Some(a), Some(b)) => Some(format!("{a} and {b}")),
        (one, _) => one.clone(),
    };
    let names = [models, lens.ability.clone(), bin];
    let mut names: Vec<String> = names.into_iter().flatten().collect();
    if names.is_empty() {
        names.push(lens.benchmark.clone());
    }
    let waiting = if is_lacking { " …" } else { "" };
    let order = match drill.sort {
        Some(Sort::Suspect) => ", likely label errors first",
        _ => "",
    };
    let names = visible(&names.join(", ")).into_owned();
    let words = format!("samples of {names}{order}{waiting}");
    let [head, below] = Layout::vertical([Constraint::Length(1), Constraint::Fill(1)]).areas(area);
    frame.render_widget(Line::styled(words, text), head);
    below
}

/// Splits the area for two views. On a wide screen, the right part is wide enough for a list with
/// its preview.
fn halves(area: Rect) -> [Rect; 2] {
    // Add the margins of the screen.
    let right = if area.width.saturating_add(2) >= SIDE_BY_SIDE {
        (area.width / 2).max(PREVIEW.min(area.width))
    } else {
        area.width.saturating_sub(NARROW)
    };
    let sides = [Constraint::Fill(1), Constraint::Length(right)];
    Layout::horizontal(sides).spacing(3).areas(area)
}
