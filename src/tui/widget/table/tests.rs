use std::cell::Cell;

use super::super::testing::{draws_anywhere, lines, screen, theme};
use super::*;

/// Rows that count how often they are read.
struct Squares {
    total: usize,
    asked: Cell<usize>,
}

impl Rows for Squares {
    fn total(&self) -> usize {
        self.total
    }

    fn cells(&self, row: usize) -> Vec<TableCell<'_>> {
        self.asked.set(self.asked.get() + 1);
        let texts = [
            format!("sample {row}"),
            "a question that is long".to_owned(),
            (row * row).to_string(),
        ];
        texts
            .map(|text| TableCell {
                text: text.into(),
                style: Style::new(),
            })
            .into()
    }
}

const COLUMNS: [Column<'static>; 3] = [
    Column::text("sample", ColumnWidth::Share(1)),
    Column::text("question", ColumnWidth::Share(1)).from(40),
    Column::number("GIoU ↑", 8),
];

fn draw(rows: &Squares, area: Rect, buffer: &mut Buffer, state: &mut TableState) {
    let sorted = Some(SortOrder {
        column: 2,
        descending: true,
    });
    Table {
        sorted,
        ..Table::new(&theme(), &COLUMNS, rows)
    }
    .render(area, buffer, state);
}

#[test]
fn only_rows_in_sight_are_made() {
    let rows = Squares {
        total: 5_700_000,
        asked: Cell::new(0),
    };
    let mut state = TableState {
        selected: 5_699_999,
        offset: 0,
    };
    let buffer = screen(44, 6, |area, buffer| draw(&rows, area, buffer, &mut state));
    assert_eq!((rows.asked.get(), state.offset), (4, 5_699_996));
    assert_eq!(
        lines(&buffer),
        [
            "sample           question          GIoU ↑ ▾",
            "───────────────────────────────────────────",
            "sample 5699996   a question that…  3248995…│",
            "sample 5699997   a question that…  3248996…│",
            "sample 5699998   a question that…  3248997…│",
            "sample 5699999   a question that…  3248998…┃",
        ]
    );
}

#[test]
fn a_narrow_table_loses_columns() {
    let rows = Squares {
        total: 2,
        asked: Cell::new(0),
    };
    let buffer = screen(24, 5, |area, buffer| {
        draw(&rows, area, buffer, &mut TableState::default());
    });
    assert_eq!(
        lines(&buffer),
        [
            "sample         GIoU ↑ ▾",
            "───────────────────────",
            "sample 0              0",
            "sample 1              1",
            "",
        ]
    );
}

#[test]
fn the_mouse_finds_rows_and_titles() {
    let (theme, rows) = (
        theme(),
        Squares {
            total: 9,
            asked: Cell::new(0),
        },
    );
    let table = Table::new(&theme, &COLUMNS, &rows);
    let (area, state) = (
        Rect::new(1, 1, 44, 6),
        TableState {
            selected: 7,
            offset: 6,
        },
    );
    let at = |x, y| table.spot_at(area, &state, x, y);
    assert_eq!(at(1, 3), Some(TableSpot::Row(6)));
    assert_eq!(at(1, 6), None);
    assert_eq!(at(36, 1), Some(TableSpot::Title(2)));
    assert_eq!((at(1, 2), at(0, 3)), (None, None));
    let tall = Table { lines: 2, ..table };
    let at = |y| tall.spot_at(area, &state, 1, y);
    assert_eq!(
        [3, 4, 5].map(at),
        [6, 6, 7].map(|row| Some(TableSpot::Row(row)))
    );
}

#[test]
fn texts_wrap_in_tall_rows_and_one_cell_is_the_cursor() {
    let (theme, rows) = (
        theme(),
        Squares {
            total: 2,
            asked: Cell::new(0),
        },
    );
    let mut state = TableState {
        selected: 1,
        offset: 0,
    };
    let buffer = screen(44, 7, |area, buffer| {
        let table = Table {
            lines: 2,
            column: Some(2),
            ..Table::new(&theme, &COLUMNS, &rows)
        };
        table.render(area, buffer, &mut state);
    });
    assert_eq!(
        lines(&buffer),
        [
            "sample           question            GIoU ↑",
            "───────────────────────────────────────────",
            "sample 0         a question that          0",
            "                 is long",
            "sample 1         a question that          1",
            "                 is long",
            "",
        ]
    );
    let style = |x, y| buffer[(x, y)].style();
    assert_eq!(style(0, 4), style(42, 4));
    assert_ne!(style(0, 4), style(0, 5));
    assert_ne!(style(0, 4), style(17, 4));
    assert_ne!(style(0, 4), style(0, 2));
}

#[test]
fn no_size_is_too_small() {
    for total in [0, 3, 5_700_000] {
        let rows = Squares {
            total,
            asked: Cell::new(0),
        };
        let state = TableState {
            selected: 4_000_000,
            offset: 12,
        };
        draws_anywhere(|area, buffer| draw(&rows, area, buffer, &mut state.clone()));
    }
}
