//! Draws widgets without a terminal, for the tests of this crate.

use proptest::prop_assert_eq;
use proptest::test_runner::{TestError, TestRunner};
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::{Position, Rect};

use crate::widget::theme::Theme;

/// Returns the theme of the tests.
pub fn theme() -> Theme {
    Theme::named("dark").expect("embedded")
}

/// Returns a screen of this size after drawing.
pub fn screen(width: u16, height: u16, draw: impl FnOnce(Rect, &mut Buffer)) -> Buffer {
    let area = Rect::new(0, 0, width, height);
    let mut buffer = Buffer::empty(area);
    draw(area, &mut buffer);
    buffer
}

/// Returns the text of a screen, without trailing spaces.
pub fn lines(buffer: &Buffer) -> Vec<String> {
    let row = |y| {
        (0..buffer.area.width)
            .map(|x| buffer[(x, y)].symbol())
            .collect::<String>()
    };
    (0..buffer.area.height)
        .map(|y| row(y).trim_end().to_owned())
        .collect()
}

/// Draws in areas of every size, including empty areas and areas that extend beyond the screen.
/// Checks that no cell outside the area changes.
pub fn draws_anywhere(draw: impl Fn(Rect, &mut Buffer)) {
    let areas = (0u16..90, 0u16..30, 0u16..90, 0u16..30);
    let outcome = TestRunner::default().run(&areas, |(x, y, width, height)| {
        let area = Rect::new(x, y, width, height);
        let outside = changed_outside(Rect::new(3, 2, 60, 20), area, &draw);
        prop_assert_eq!(outside, None);
        Ok(())
    });
    report(outcome);
    for (width, height) in [(0, 0), (0, 5), (5, 0), (1, 1), (2, 1), (20, 3), (80, 24)] {
        screen(width, height, &draw);
        let framed = Rect::new(0, 0, width + 2, height + 2);
        let area = Rect::new(1, 1, width, height);
        assert_eq!(changed_outside(framed, area, &draw), None);
    }
}

/// Draws in a part of a screen full of `~`. Returns the first changed cell outside that part.
fn changed_outside(screen: Rect, area: Rect, draw: impl Fn(Rect, &mut Buffer)) -> Option<Position> {
    let mut filled = Cell::default();
    filled.set_symbol("~");
    let mut buffer = Buffer::empty(screen);
    buffer.content.fill(filled.clone());
    draw(area, &mut buffer);
    let mut places = screen.positions();
    places.find(|place| !area.contains(*place) && buffer.cell(*place) != Some(&filled))
}

/// Panics if the test runner failed.
fn report<T: std::fmt::Debug>(outcome: Result<(), TestError<T>>) {
    if let Err(error) = outcome {
        panic!("{error}");
    }
}
