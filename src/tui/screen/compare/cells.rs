//! The table of right and wrong answers of two models, and the other facets. The cursor moves
//! between all facets.

use ratatui::Frame;
use ratatui::layout::{Alignment, Position, Rect};
use ratatui::text::Line;
use ratatui::widgets::Paragraph;

use super::facet::{Facet, facets};
use crate::action::Action;
use crate::frame_output::Pane;
use crate::shared::AppState;
use crate::widget::width;
use analysis::PairedDifference;
use base::format::compact;

/// Width of a row's title, in screen columns.
const TITLE: u16 = 8;
/// Width of a table cell, in screen columns.
const CELL: u16 = 10;
/// Total width of the table, in screen columns.
pub const WIDTH: u16 = TITLE + 2 * CELL;
/// Rows of the table: titles, A right, A wrong.
const TABLE: u16 = 3;

/// Height in which every facet fits, in rows.
const TALL: u16 = 16;

/// A facet and its position on screen.
#[derive(Clone, Copy, Debug)]
pub struct FacetPlace {
    /// Index among the row's facets.
    pub at: usize,
    facet: Facet,
    area: Rect,
}

/// Returns the facets of a row with their positions. The facets in the table come first, then the
/// facets below it.
pub fn places(row: &PairedDifference, area: Rect) -> Vec<FacetPlace> {
    let has_table = row.cells.is_some();
    let (mut x, mut y) = (0_u16, if has_table { TABLE } else { 0 });
    let place = |(at, facet): (usize, Facet)| {
        let place = |x: u16, y: u16, width: u16| FacetPlace {
            at,
            facet,
            area: Rect {
                x: area.x.saturating_add(x),
                y: area.y.saturating_add(y),
                width,
                height: 1,
            }
            .intersection(area),
        };
        let spot = match facet {
            Facet::Both => Some((TITLE, 1)),
            Facet::OnlyA => Some((TITLE + CELL, 1)),
            Facet::OnlyB => Some((TITLE, 2)),
            Facet::Neither => Some((TITLE + CELL, 2)),
            _ => None,
        };
        if let Some((x, y)) = spot {
            return place(x, y, CELL);
        }
        let words = width(&text(facet, row));
        if x > 0 && x.saturating_add(words) > area.width {
            (x, y) = (0, y.saturating_add(1));
        }
        let found = place(x, y, words);
        x = x.saturating_add(words + 2);
        found
    };
    facets(row).into_iter().enumerate().map(place).collect()
}

/// Returns the name of a facet outside the table, with its number of samples.
fn text(facet: Facet, row: &PairedDifference) -> String {
    format!("{} {}", facet.name(), compact(facet.count(row)))
}

/// Returns the nearest facet in the direction of an arrow key. If there is none, returns the same
/// facet.
pub fn neighbour(row: &PairedDifference, at: usize, action: Action) -> usize {
    let all = places(row, Rect::new(0, 0, WIDTH, TALL));
    let Some(here) = all.iter().find(|place| place.at == at).copied() else {
        return at;
    };
    let middle = |place: &FacetPlace| place.area.x + place.area.width / 2;
    let is_there = |place: &&FacetPlace| match action {
        Action::Left => place.area.y == here.area.y && place.area.x < here.area.x,
        Action::Right => place.area.y == here.area.y && place.area.x > here.area.x,
        Action::Up => place.area.y < here.area.y,
        _ => place.area.y > here.area.y,
    };
    let distance = |place: &&FacetPlace| {
        let lines = place.area.y.abs_diff(here.area.y);
        (lines, middle(place).abs_diff(middle(&here)))
    };
    let nearest = all.iter().filter(is_there).min_by_key(distance);
    nearest.map_or(at, |place| place.at)
}

/// Returns the facet at a screen position.
pub fn facet_at(row: &PairedDifference, area: Rect, (x, y): (u16, u16)) -> Option<usize> {
    let mut all = places(row, area).into_iter();
    let found = all.find(|place| place.area.contains(Position { x, y }))?;
    Some(found.at)
}

/// Draws the table and the other facets. The cursor is on one of the facets.
pub fn draw(
    shared: &AppState,
    row: &PairedDifference,
    chosen: usize,
    frame: &mut Frame<'_>,
    area: Rect,
) {
    let theme = &shared.theme;
    if row.cells.is_some() {
        let [first, second] = ["B right", "B wrong"];
        let (title, cell) = (usize::from(TITLE), usize::from(CELL));
        let head = format!("{:title$}{first:>cell$}{second:>cell$}", "");
        let titles = [head, "A right".to_owned(), "A wrong".to_owned()];
        let lines = titles.map(|title| Line::styled(title, theme.dim()));
        frame.render_widget(Paragraph::new(lines.to_vec()), area);
    }
    for place in places(row, area) {
        let in_table = row.cells.is_some() && place.area.y < area.y.saturating_add(TABLE);
        let (text, align) = if in_table {
            (compact(place.facet.count(row)), Alignment::Right)
        } else {
            (text(place.facet, row), Alignment::Left)
        };
        let style = if place.at != chosen {
            theme.text()
        } else if shared.pane == Pane::Cells {
            theme.cursor().patch(theme.accent())
        } else {
            theme.cursor()
        };
        let line = Line::styled(text, style).alignment(align);
        frame.render_widget(line, place.area);
    }
}

#[cfg(test)]
mod tests {
    use analysis::Cells;
    use record::benchmark::RightThreshold;

    use super::*;

    fn row() -> PairedDifference {
        PairedDifference {
            cells: Some(Cells {
                both: 15,
                only_a: 19,
                only_b: 0,
                neither: 6,
            }),
            right: Some(RightThreshold::from_score(
                record::benchmark::Direction::Higher,
                0.5,
            )),
            ..PairedDifference::default()
        }
    }

    #[test]
    fn arrows_walk_the_table_and_reach_every_facet() {
        let row = row();
        let names = facets(&row);
        let named = |name: Facet| names.iter().position(|facet| *facet == name).unwrap();
        let step = |from, action| names[neighbour(&row, named(from), action)];
        assert_eq!(step(Facet::Both, Action::Right), Facet::OnlyA);
        assert_eq!(step(Facet::OnlyA, Action::Down), Facet::Neither);
        assert_eq!(step(Facet::Neither, Action::Left), Facet::OnlyB);
        assert_eq!(step(Facet::OnlyB, Action::Up), Facet::Both);
        assert_eq!(step(Facet::Both, Action::Left), Facet::Both);
        let mut seen = vec![0];
        for _ in 0..names.len() {
            for at in seen.clone() {
                for action in [Action::Left, Action::Right, Action::Up, Action::Down] {
                    let next = neighbour(&row, at, action);
                    if !seen.contains(&next) {
                        seen.push(next);
                    }
                }
            }
        }
        assert_eq!(seen.len(), names.len());
    }

    #[test]
    fn places_lie_in_the_area_and_never_on_each_other() {
        let row = row();
        for (width, height) in [(0, 0), (5, 2), (28, 5), (40, 9), (200, 60)] {
            let area = Rect::new(3, 2, width, height);
            let all = places(&row, area);
            assert_eq!(all.len(), facets(&row).len());
            for (at, one) in all.iter().enumerate() {
                assert_eq!(one.area.intersection(area), one.area);
                assert_eq!(one.at, at);
                let meets = |other: &FacetPlace| other.at != at && other.area.intersects(one.area);
                assert!(!all.iter().any(meets));
            }
        }
    }
}
