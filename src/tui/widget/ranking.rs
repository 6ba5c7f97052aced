//! Draws a critical difference diagram with one line per model. The line shows the average rank,
//! and the ranks that do not differ significantly from it.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::scale::{cells, number};
use super::text::{fit, widest, width};
use crate::widget::theme::Theme;

/// Width of a rank, for example ` 12.36`.
const VALUE: u16 = 6;

/// A diagram of average ranks, best first.
#[derive(Clone, Copy, Debug)]
pub struct Ranking<'a> {
    /// Styles and colours of all parts.
    pub theme: &'a Theme,
    /// Names and average ranks.
    pub rows: &'a [(String, f64)],
    /// Critical difference: ranks closer than this do not differ significantly.
    pub difference: Option<f64>,
}

impl Ranking<'_> {
    /// Returns the diagram at a width: an axis, then one line per model. Each line shows the
    /// model's rank, and the critical difference towards worse ranks.
    pub fn lines(&self, columns: u16) -> Vec<Line<'static>> {
        let names = widest(self.rows.iter().map(|(name, _)| name.as_str())).min(columns / 3);
        let room = columns.saturating_sub(names + VALUE + 2);
        if room < 8 || self.rows.len() < 2 {
            return self.plain(names);
        }
        let mut lines = vec![self.axis(names, room)];
        let line = |(name, rank): &(String, f64)| self.row(name, *rank, names, room);
        lines.extend(self.rows.iter().map(line));
        lines
    }

    fn plain(&self, names: u16) -> Vec<Line<'static>> {
        let line = |(name, rank): &(String, f64)| Line::from(self.label(name, *rank, names));
        self.rows.iter().map(line).collect()
    }

    /// Returns the column of a rank: 1 is at the left edge, the last rank at the right.
    fn place(&self, rank: f64, room: u16) -> usize {
        let last = number(self.rows.len());
        let share = ((rank - 1.0) / (last - 1.0)).clamp(0.0, 1.0);
        usize::from(cells(share * f64::from(room - 1)))
    }

    fn axis(&self, names: u16, room: u16) -> Line<'static> {
        let mut cells = vec![' '; usize::from(room)];
        let mut free = 0;
        for rank in 1..=self.rows.len() {
            let place = self.place(number(rank), room);
            let text = rank.to_string();
            let start = place.min(cells.len().saturating_sub(text.len()));
            if start < free {
                continue;
            }
            for (cell, digit) in cells.iter_mut().skip(start).zip(text.chars()) {
                *cell = digit;
            }
            free = start + text.len() + 1;
        }
        let indent = " ".repeat(usize::from(names + VALUE + 2));
        let text: String = cells.into_iter().collect();
        Line::styled(format!("{indent}{text}"), self.theme.dim())
    }

    fn label(&self, name: &str, rank: f64, names: u16) -> Vec<Span<'static>> {
        let name = fit(name, names).into_owned();
        let fill = " ".repeat(usize::from(names.saturating_sub(width(&name))));
        vec![
            Span::styled(format!("{name}{fill}"), self.theme.text()),
            Span::styled(format!("{rank:>6.2}  "), self.theme.accent()),
        ]
    }

    fn row(&self, name: &str, rank: f64, names: u16, room: u16) -> Line<'static> {
        let at = self.place(rank, room);
        let end = self.place(rank + self.difference.unwrap_or_default(), room);
        let part = |text: &str, count: usize, style: Style| Span::styled(text.repeat(count), style);
        let mut spans = self.label(name, rank, names);
        spans.push(part("·", at, self.theme.border()));
        spans.push(part("●", 1, self.theme.accent()));
        spans.push(part("━", end.saturating_sub(at), self.theme.dim()));
        Line::from(spans)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::theme;
    use super::*;

    fn texts(columns: u16) -> Vec<String> {
        let rows =
            [("a", 1.0), ("bcd", 2.5), ("e", 3.0)].map(|(name, rank)| (name.to_owned(), rank));
        let ranking = Ranking {
            theme: &theme(),
            rows: &rows,
            difference: Some(1.0),
        };
        let lines = ranking.lines(columns);
        lines
            .iter()
            .map(|line| line.to_string().trim_end().to_owned())
            .collect()
    }

    #[test]
    fn the_reach_is_a_line_to_the_right() {
        assert_eq!(
            texts(22),
            [
                "           1    2    3",
                "a    1.00  ●━━━━━",
                "bcd  2.50  ········●━━",
                "e    3.00  ··········●",
            ]
        );
    }

    #[test]
    fn without_room_the_numbers_stay() {
        assert_eq!(texts(12), ["a    1.00", "bcd  2.50", "e    3.00"]);
        assert_eq!(texts(0).len(), 3);
    }
}
