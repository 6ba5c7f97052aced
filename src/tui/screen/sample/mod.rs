//! The sample view: a sample's picture with boxes and maps, its question, and the answers of
//! one or two models.

mod answer_groups;
mod answers;
mod difference;
mod draw;
mod legend;
mod picture;
mod preview_text;
mod scale;
mod status;
mod tabs;
mod text;
mod update;
mod viewpoint;

use ratatui::Frame;

use crate::action::Action;
use crate::change::Reply;
use crate::effect::{Effect, ask};
use crate::frame_output::{FrameOutput, ScrollSlot, ViewArea};
use crate::shared::AppState;
use crate::view::{Breadth, Explanation, View, ViewInfo};
use crate::widget::line::Piece;
use crate::widget::prose::ProseState;
use base::format::{visible, visible_lines};
use engine::{Query, Show};
use record::Row;
use workspace::page::list_row;
use workspace::picture::Layers;

use answers::{AnswerPair, second_row};

pub use answer_groups::sign;
pub use draw::preview;
pub use picture::show as show_picture;
pub use tabs::SampleTab;
pub use viewpoint::Viewpoint;

const ABOUT: ViewInfo = ViewInfo {
    tab: None,
    opened_by: None,
    breadth: Breadth::Samples,
    needs_ability: false,
    keeps_versus: true,
    help: "One sample: its picture with the target and the model's answer, the question, the \
           response as logged with the parsed answer marked, and its score. n and p go to the next \
           and the previous sample, ) and ( through the pictures of one that has several. I \
           switches between the tabs: answer; conversation, tokens and seconds; the result of each \
           scorer; the line in the log.",
};

/// State of the sample view. The sample on screen is the sample under the list's cursor.
#[derive(Default)]
pub struct SampleView {
    /// Tab of the text.
    pub tab: SampleTab,
    /// Scroll position of the response, or of the tab's text.
    pub response: ProseState,
    /// Layers drawn over the picture.
    pub layers: Layers,
    /// Visible part of the pictures, and their rotation.
    pub view: Viewpoint,
}

impl SampleView {
    /// Shows the whole picture upright, and scrolls the response to its beginning.
    pub fn reset_view(&mut self) {
        self.view = Viewpoint::default();
        self.response.restart();
    }
}

/// Returns the sample on screen and its neighbours, to load them in advance.
fn near(shared: &AppState) -> Vec<Row> {
    let rows = [0, 1, -1, 2].map(|step| shared.list.at(step));
    let with_second = |row| [Some(Row(row)), second_row(shared, row)];
    let rows = rows.into_iter().flatten().flat_map(with_second);
    rows.flatten().collect()
}

impl View for SampleView {
    fn about(&self) -> &'static ViewInfo {
        &ABOUT
    }

    fn explain(&self, shared: &AppState) -> Vec<Explanation> {
        let mut explained = super::samples::explain(shared);
        let Some(answers) = AnswerPair::here(shared) else {
            return explained;
        };
        let (theme, detail) = (&shared.theme, answers.first);
        if let Some(right) = &detail.right {
            let words = "the threshold for a right answer; < and > move it";
            explained.push(Explanation::new(right, theme.dim(), words));
        }
        if let Some(rule) = detail.read_by {
            let words = "the rule that read the underlined part of the response as the answer";
            explained.push(Explanation::new(rule, theme.dim(), words));
        }
        explained.extend(picture::explain(shared, &answers, self.layers));
        explained
    }

    fn draw(&self, shared: &AppState, frame: &mut Frame<'_>, room: ViewArea) -> FrameOutput {
        draw::draw(self, shared, frame, room)
    }

    fn scroll_slot(&mut self) -> ScrollSlot<'_> {
        ScrollSlot::Text(&mut self.response)
    }

    fn act(&mut self, shared: &AppState, action: Action) -> Reply {
        update::act(self, shared, action)
    }

    fn ask(&self, shared: &AppState) -> Vec<Effect> {
        let missing = near(shared).into_iter();
        let missing = missing.filter(|row| !shared.fetched.details.contains(&row.0));
        let query = |row| engine::Detail {
            row,
            scoring: shared.lens.scoring,
            with_maps: true,
        };
        missing.map(|row| ask(query(row))).collect()
    }

    fn query(&self, shared: &AppState) -> Option<Query> {
        let row = Row(shared.list.here()?);
        Some(Show::only(row, shared.lens.scoring, &shared.table).into())
    }

    fn status(&self, shared: &AppState) -> Vec<Piece<'static>> {
        let theme = &shared.theme;
        let mut pieces = Vec::from_iter(super::samples::position(shared));
        pieces.extend(status::pieces(self, shared));
        if let Some(row) = shared.list.here() {
            let place = list_row(&shared.table, Row(row), shared.lens.scoring).place;
            pieces.push(Piece::new(visible(&place).into_owned(), theme.dim()));
        }
        pieces
    }

    fn text(&mut self, shared: &AppState) -> Option<(String, &mut ProseState)> {
        let row = shared.list.here()?;
        // While answers are hidden, only the first tab is available.
        if self.tab != SampleTab::Answer && !shared.is_blind(row) {
            return Some((self.tab.text(shared)?, &mut self.response));
        }
        let Ok(detail) = shared.fetched.details.peek(&row)? else {
            return None;
        };
        let response = detail.record.response.as_deref().unwrap_or_default();
        Some((visible_lines(response).into_owned(), &mut self.response))
    }
}
