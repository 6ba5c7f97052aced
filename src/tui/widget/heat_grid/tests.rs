use super::super::testing::{draws_anywhere, lines, screen, theme};
use super::*;

const COLUMNS: [HeatColumn<'static>; 5] = [
    HeatColumn {
        short: "dep",
        long: "depth",
        under: &[],
    },
    HeatColumn {
        short: "ocr",
        long: "text",
        under: &[],
    },
    HeatColumn {
        short: "cnt",
        long: "counting",
        under: &[],
    },
    HeatColumn {
        short: "loc",
        long: "localization",
        under: &[],
    },
    HeatColumn {
        short: "col",
        long: "color",
        under: &[],
    },
];

/// Rows with their cells, and a count of the cells read.
#[derive(Default)]
struct Rows {
    rows: Vec<(HeatRow<'static>, Vec<HeatCell<'static>>)>,
    asked: std::cell::Cell<usize>,
}

impl HeatCells for Rows {
    fn total(&self) -> usize {
        self.rows.len()
    }

    fn row(&self, row: usize) -> HeatRow<'_> {
        self.rows[row].0.clone()
    }

    fn cell(&self, row: usize, column: usize) -> HeatCell<'_> {
        self.asked.set(self.asked.get() + 1);
        self.rows[row].1[column].clone()
    }
}

fn rows() -> Rows {
    let names = ["SigLIP-2", "RADIOv2.1", "DINOv2", "CLIP"];
    let texts = [
        ["1", "3=", "2", "1", "–"],
        ["2", "3=", "1", "4", "1"],
        ["3", "1", "10=", "2", "2"],
        ["4", "2", "4", "3", "3"],
    ];
    let cell = |text: &&'static str| HeatCell {
        text: (*text).into(),
        heat: text
            .parse::<f64>()
            .map_or(f64::NAN, |rank| (rank - 1.0) / 9.0),
        best: *text == "1",
    };
    let row = |(name, texts): (&&'static str, &[&'static str; 5])| {
        let row = HeatRow {
            name: (*name).into(),
            series: (*name == "DINOv2").then_some(1),
            lead: vec!["2.3".into()],
            apart: *name == "MiDaS",
        };
        (row, texts.iter().map(cell).collect())
    };
    Rows {
        rows: names.iter().zip(&texts).map(row).collect(),
        ..Rows::default()
    }
}

fn draw(area: Rect, buffer: &mut Buffer, state: &mut HeatGridState) {
    let (theme, rows) = (theme(), rows());
    HeatGrid {
        theme: &theme,
        lead: &["avg"],
        columns: &COLUMNS,
        rows: &rows,
        widths: &HeatWidths::of(&rows, COLUMNS.len()),
    }
    .render(area, buffer, state);
}

#[test]
fn digits_line_up_under_short_labels() {
    let mut state = HeatGridState {
        row: 1,
        column: 2,
        ..HeatGridState::default()
    };
    let buffer = screen(40, 6, |area, buffer| draw(area, buffer, &mut state));
    assert_eq!(
        lines(&buffer),
        [
            "             avg   dep ocr cnt loc col",
            "──────────────────────────────────────",
            "  SigLIP-2   2.3    1   3=  2   1   –",
            "  RADIOv2.1  2.3    2   3=▸ 1   4   1",
            "B DINOv2     2.3    3   1  10=  2   2",
            "  CLIP       2.3    4   2   4   3   3",
        ]
    );
}

#[test]
fn long_labels_come_with_room() {
    let buffer = screen(90, 3, |area, buffer| {
        draw(area, buffer, &mut HeatGridState::default());
    });
    assert_eq!(
        lines(&buffer)[0],
        "             avg          depth         text     counting localization        color"
    );
}

#[test]
fn columns_scroll_and_say_so() {
    let mut state = HeatGridState {
        row: 3,
        column: 3,
        ..HeatGridState::default()
    };
    let buffer = screen(30, 5, |area, buffer| draw(area, buffer, &mut state));
    assert_eq!((state.column_offset, state.row_offset), (1, 1));
    let lines = lines(&buffer);
    assert!(
        lines[0].contains("‹") && lines[0].ends_with('›'),
        "{lines:#?}"
    );
    assert!(lines[4].contains("CLIP"), "{lines:#?}");
}

#[test]
fn the_cursor_is_found_without_colour() {
    let mut state = HeatGridState {
        row: 1,
        column: 2,
        ..HeatGridState::default()
    };
    let buffer = screen(50, 6, |area, buffer| draw(area, buffer, &mut state));
    let reversed: String = buffer
        .content
        .iter()
        .filter(|cell| cell.modifier.contains(Modifier::REVERSED))
        .map(ratatui::buffer::Cell::symbol)
        .collect();
    assert!(
        reversed.starts_with("RADIOv2.1▸") && reversed.contains('1'),
        "{reversed}"
    );
}

#[test]
fn the_mouse_finds_what_was_drawn() {
    let (theme, rows) = (theme(), rows());
    let widths = HeatWidths::of(&rows, COLUMNS.len());
    let grid = || HeatGrid {
        theme: &theme,
        lead: &["avg"],
        columns: &COLUMNS,
        rows: &rows,
        widths: &widths,
    };
    let area = Rect::new(5, 3, 40, 6);
    let mut state = HeatGridState::default();
    grid().render(
        area,
        &mut Buffer::empty(Rect::new(0, 0, 60, 20)),
        &mut state,
    );
    let spot = |x, y| grid().cell_at(area, &state, x, y);
    assert_eq!(
        spot(5 + 18, 5),
        Some(HeatSpot {
            row: Some(0),
            column: Some(0)
        })
    );
    assert_eq!(
        spot(5 + 37, 8),
        Some(HeatSpot {
            row: Some(3),
            column: Some(4)
        })
    );
    assert_eq!(
        spot(5 + 22, 3),
        Some(HeatSpot {
            row: None,
            column: Some(1)
        })
    );
    assert_eq!(
        spot(8, 6),
        Some(HeatSpot {
            row: Some(1),
            column: None
        })
    );
    assert_eq!((spot(4, 5), spot(8, 4), spot(8, 3)), (None, None, None));
}

#[test]
fn no_size_is_too_small() {
    for state in [
        HeatGridState::default(),
        HeatGridState {
            row: 99,
            column: 99,
            row_offset: 50,
            column_offset: 50,
        },
    ] {
        draws_anywhere(|area, buffer| draw(area, buffer, &mut state.clone()));
    }
    draws_anywhere(|area, buffer| {
        let grid = HeatGrid {
            theme: &theme(),
            lead: &[],
            columns: &[],
            rows: &Rows::default(),
            widths: &HeatWidths::default(),
        };
        grid.render(area, buffer, &mut HeatGridState::default());
    });
}

#[test]
fn only_the_cells_in_sight_are_asked_for() {
    let (theme, mut rows) = (theme(), rows());
    let one = rows.rows[0].clone();
    rows.rows = vec![one; 5000];
    let widths = HeatWidths::of(&rows, COLUMNS.len());
    rows.asked.set(0);
    let mut state = HeatGridState {
        row: 4000,
        column: 4,
        ..HeatGridState::default()
    };
    screen(30, 12, |area, buffer| {
        let grid = HeatGrid {
            theme: &theme,
            lead: &["avg"],
            columns: &COLUMNS,
            rows: &rows,
            widths: &widths,
        };
        grid.render(area, buffer, &mut state);
    });
    // Ten rows are visible, and three columns fit.
    assert!((10..=50).contains(&rows.asked.get()), "{:?}", rows.asked);
}
