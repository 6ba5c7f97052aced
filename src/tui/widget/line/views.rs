//! Draws the line of views: the program's name, the views with their keys, and the loaded data.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Modifier;
use ratatui::widgets::Widget;

use super::super::canvas::Canvas;
use super::super::text::width;
use crate::widget::theme::Theme;

/// The tab of a view: key and title.
#[derive(Clone, Copy, Debug)]
pub struct ViewTab<'a> {
    /// Key that opens the view.
    pub key: &'a str,
    /// Title of the view.
    pub title: &'a str,
    /// Title for a narrow screen.
    pub short: &'a str,
    /// False for a view without content, which is drawn dim.
    pub is_enabled: bool,
}

/// The line of views at the top of the screen.
#[derive(Clone, Copy, Debug)]
pub struct ViewLine<'a> {
    /// Styles and colours of all parts.
    pub theme: &'a Theme,
    /// Name of the program.
    pub name: &'a str,
    /// Views, from left to right.
    pub tabs: &'a [ViewTab<'a>],
    /// Index of the view on screen.
    pub current: usize,
    /// Text at the right end.
    pub right: &'a str,
}

/// Parts of the line that fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fit {
    /// The program's name and all titles.
    Whole,
    /// All titles, without the program's name.
    Titles,
    /// All short titles.
    Short,
    /// The keys, and the title of the current view.
    Keys,
}

fn title<'a>(tab: &ViewTab<'a>, fit: Fit) -> &'a str {
    match fit {
        Fit::Short => tab.short,
        _ => tab.title,
    }
}

impl ViewLine<'_> {
    fn fit(&self, room: u16) -> Fit {
        let fits = |fit: &Fit| {
            let tabs = self.tabs.iter();
            let tabs = tabs.map(|tab| width(tab.key) + width(title(tab, *fit)) + 3);
            self.start(*fit) + tabs.sum::<u16>() <= room + 2
        };
        let all = [Fit::Whole, Fit::Titles, Fit::Short];
        all.into_iter().find(fits).unwrap_or(Fit::Keys)
    }

    /// Returns the first column of the first tab.
    fn start(&self, fit: Fit) -> u16 {
        match fit {
            Fit::Whole | Fit::Keys => width(self.name) + 3,
            Fit::Titles | Fit::Short => 0,
        }
    }

    /// Returns the first column and the end of each tab.
    fn places(&self, room: u16) -> Vec<(u16, u16)> {
        let fit = self.fit(room);
        let mut x = self.start(fit);
        let place = |(i, tab): (usize, &ViewTab<'_>)| {
            let title = if fit != Fit::Keys || i == self.current {
                width(title(tab, fit)) + 1
            } else {
                0
            };
            let start = x;
            x = x.saturating_add(width(tab.key) + title + 2);
            (start, x - 2)
        };
        self.tabs.iter().enumerate().map(place).collect()
    }

    /// Returns the index of the view whose tab is at a screen position, as last drawn in `area`.
    pub fn view_at(&self, area: Rect, x: u16, y: u16) -> Option<usize> {
        let along = x
            .checked_sub(area.x)
            .filter(|_| area.contains(Position { x, y }))?;
        self.places(area.width)
            .iter()
            .position(|(start, end)| (*start..*end).contains(&along))
    }
}

impl Widget for ViewLine<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let mut canvas = Canvas::new(area, buffer);
        let fit = self.fit(area.width);
        let mut end = 0;
        if self.start(fit) > 0 {
            let name = self.theme.accent().add_modifier(Modifier::BOLD);
            end = canvas.text(1, 0, self.name, name);
        }
        for (i, ((x, _), tab)) in self
            .places(area.width)
            .into_iter()
            .zip(self.tabs)
            .enumerate()
        {
            let here = i == self.current;
            let style = if here {
                self.theme
                    .text()
                    .add_modifier(Modifier::BOLD | Modifier::UNDERLINED)
            } else {
                self.theme.dim()
            };
            let key = if here || !tab.is_enabled {
                style
            } else {
                self.theme.text()
            };
            end = canvas.text(x, 0, tab.key, key);
            if fit != Fit::Keys || here {
                end = canvas.text(end, 0, " ", style);
                end = canvas.text(end, 0, title(tab, fit), style);
            }
        }
        if width(self.right) + end + 3 <= canvas.width() {
            canvas.text_before(canvas.width() - 1, 0, self.right, self.theme.dim());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{draws_anywhere, lines, screen, theme};
    use super::*;

    const TABS: [ViewTab<'static>; 3] = [
        ViewTab {
            key: "1",
            title: "Fingerprint",
            short: "Finger",
            is_enabled: true,
        },
        ViewTab {
            key: "2",
            title: "Subgroups",
            short: "Groups",
            is_enabled: true,
        },
        ViewTab {
            key: "3",
            title: "Samples",
            short: "Samples",
            is_enabled: true,
        },
    ];

    fn draw(area: Rect, buffer: &mut Buffer) {
        ViewLine {
            theme: &theme(),
            name: "eyechart",
            tabs: &TABS,
            current: 1,
            right: "44.5K samples",
        }
        .render(area, buffer);
    }

    #[test]
    fn a_narrow_line_keeps_the_keys() {
        let line = |columns| lines(&screen(columns, 1, draw)).concat();
        assert_eq!(
            line(66),
            " eyechart  1 Fingerprint  2 Subgroups  3 Samples    44.5K samples"
        );
        assert_eq!(line(40), "1 Fingerprint  2 Subgroups  3 Samples");
        assert_eq!(line(36), "1 Finger  2 Groups  3 Samples");
        assert_eq!(line(28), " eyechart  1  2 Subgroups  3");
    }

    #[test]
    fn the_mouse_finds_the_view() {
        let theme = theme();
        let line = ViewLine {
            theme: &theme,
            name: "eyechart",
            tabs: &TABS,
            current: 1,
            right: "",
        };
        let at = |x| line.view_at(Rect::new(0, 0, 66, 1), x, 0);
        assert_eq!(
            [at(11), at(23), at(24), at(26), at(45), at(60)],
            [Some(0), Some(0), None, Some(1), Some(2), None]
        );
    }

    #[test]
    fn no_size_is_too_small() {
        draws_anywhere(draw);
    }
}
