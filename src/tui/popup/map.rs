//! Popup with a map of the samples of the lens along the two principal axes of their embeddings.
//! Dots are right, crosses wrong; the arrow keys move from sample to sample.

use crossterm::event::KeyEvent;
use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use crate::action::Action;
use crate::change::{Change, Reply};
use crate::frame_output::ScrollState;
use crate::screen::records_read;
use crate::shared::AppState;
use crate::widget::point_map::{Direction, MapPoint, PointMap, neighbour};
use analysis::likeness::{FailureMap, MapPlace};
use base::format::{compact, fixed, visible};
use engine::{FailureGroups, Query};
use record::Row;

use super::part::{CLOSE, KeyLabel, Overlay, open as open_frame, screen_less};

fn query(shared: &AppState) -> FailureGroups {
    FailureGroups {
        scope: shared.scope(&shared.lens),
        groups: None,
        embeddings: shared.request.embeddings.clone(),
    }
}

/// Returns the map of the lens, if it has arrived. While logs grow, the last map is returned until
/// row numbers change.
fn known(shared: &AppState) -> Option<&FailureMap> {
    let (asked, _, found) = shared.answers.map.as_ref()?;
    (*asked == query(shared)).then_some(&**found)
}

/// Returns the points of the chart, in the order of the samples.
fn points(found: &FailureMap) -> Vec<MapPoint> {
    let point = |place: &MapPlace| MapPoint {
        at: place.at,
        is_wrong: place.is_wrong,
    };
    found.places.iter().map(point).collect()
}

/// Position of the cursor on the map.
#[derive(Clone, Copy, Debug, Default)]
pub struct PictureMap {
    /// Index into the map's places of the sample under the cursor.
    at: usize,
}

impl PictureMap {
    /// Describes the sample under the cursor, and the map.
    fn foot(self, shared: &AppState, found: &FailureMap) -> Vec<Line<'static>> {
        let theme = &shared.theme;
        let mut lines = Vec::new();
        if let Some(place) = found.places.get(self.at) {
            let id = shared.table.sample_id(place.item);
            let group = place.group.and_then(|at| Some((at, found.groups.get(at)?)));
            // The group's traits are frequent in the group, but this sample may lack them.
            let group = group.map_or_else(String::new, |(at, group)| {
                let traits: Vec<&str> = group.traits.iter().map(|one| one.what.as_str()).collect();
                let mostly = if traits.is_empty() { "" } else { ", mostly: " };
                let (number, all) = (at + 1, found.groups.len());
                format!(", in group {number} of {all}{mostly}{}", traits.join("; "))
            });
            let words = visible(&format!("{id}{group}")).into_owned();
            lines.push(Line::styled(words, theme.text()));
        }
        let (_, wrong) = theme.verdict(false);
        let [first, second] = found.shares.map(|share| fixed(Some(100.0 * share), 0));
        lines.push(Line::from(vec![
            Span::styled("dots right, ", theme.dim()),
            Span::styled("× wrong", wrong),
            Span::styled(
                format!(
                    "; {} of {} wrong, {} without a feature vector; the axes explain \
                     {first} % and {second} % of the variance",
                    compact(found.wrong() as u64),
                    compact(found.places.len() as u64),
                    compact(found.without_code)
                ),
                theme.dim(),
            ),
        ]));
        lines
    }

    /// Opens the sample under the cursor.
    fn open(self, shared: &AppState) -> Reply {
        let Some(place) = known(shared).and_then(|found| found.places.get(self.at)) else {
            return Reply::DONE;
        };
        let is_it = |row: &u32| shared.table.item(Row(*row)) == place.item;
        match shared.list.rows.iter().position(is_it) {
            Some(at) => vec![Change::Close, Change::Select(at), Change::OpenSample].into(),
            None => Reply::say("this sample is not in the list"),
        }
    }
}

impl Overlay for PictureMap {
    fn draw(&self, shared: &AppState, frame: &mut Frame<'_>) -> (Rect, ScrollState) {
        let size = screen_less(frame, [4, 4]);
        let inner = open_frame(shared, frame, "map of the samples by similarity", size);
        let style = shared.theme.dim();
        let message = match (known(shared), records_read()) {
            (Some(found), _) if !found.places.is_empty() => {
                let [chart, foot] = Layout::vertical([Fill(1), Length(3)]).areas(inner);
                let points = points(found);
                let map = PointMap {
                    theme: &shared.theme,
                    points: &points,
                    selected: self.at,
                };
                frame.render_widget(map, chart);
                let lines = Paragraph::new(self.foot(shared, found)).wrap(Wrap { trim: true });
                frame.render_widget(lines, foot);
                return (inner, ScrollState::Nothing);
            }
            (Some(_), _) => "no sample has a readable picture or an embedding".to_owned(),
            (None, Some(counts)) => format!("comparing pictures: {counts}"),
            (None, None) => "comparing the samples …".to_owned(),
        };
        frame.render_widget(Paragraph::new(Line::styled(message, style)), inner);
        (inner, ScrollState::Nothing)
    }

    fn keys(&self, _: &AppState) -> Vec<KeyLabel> {
        vec![("↑↓←→", "move"), ("Enter", "sample"), CLOSE]
    }

    fn key(&mut self, shared: &AppState, key: KeyEvent) -> Reply {
        let direction = match shared.keymap.lookup(shared.view, key) {
            Some(Action::Right) => Direction::Right,
            Some(Action::Left) => Direction::Left,
            Some(Action::Up) => Direction::Up,
            Some(Action::Down) => Direction::Down,
            _ => return Reply::PassOn,
        };
        if let Some(found) = known(shared) {
            self.at = self.at.min(found.places.len().saturating_sub(1));
            self.at = neighbour(&points(found), self.at, direction).unwrap_or(self.at);
        }
        Reply::DONE
    }

    fn act(&mut self, shared: &AppState, action: Action) -> Reply {
        match action {
            Action::Open => self.open(shared),
            Action::CopyCommand => Reply::PassOn,
            _ => Reply::with(Change::Close),
        }
    }

    fn query(&self, shared: &AppState) -> Option<Query> {
        Some(query(shared).into())
    }

    fn is_known(&self, shared: &AppState) -> bool {
        known(shared).is_some()
    }
}
