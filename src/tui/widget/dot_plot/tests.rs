use super::super::testing::{draws_anywhere, lines, screen, theme};
use super::*;

fn dot(value: f64, half: f64, text: &'static str, note: &'static str) -> Dot<'static> {
    Dot {
        value: Some(value),
        interval: Some((value - half, value + half)),
        text: text.into(),
        note: note.into(),
    }
}

fn rows() -> Vec<DotRow<'static>> {
    vec![
        DotRow {
            label: "0–1 %".into(),
            dots: vec![dot(-0.25, 0.02, "−0.250 ±.02", "n 61")],
        },
        DotRow {
            label: "1–4 %".into(),
            dots: vec![dot(0.5, 0.125, "0.500 ±.13", "n 690")],
        },
        DotRow {
            label: "4–100 %".into(),
            dots: vec![dot(0.71, 0.01, "0.710 ±.01", "n 6.9K")],
        },
        DotRow {
            label: "none".into(),
            dots: vec![Dot {
                text: "no samples".into(),
                ..Dot::default()
            }],
        },
    ]
}

fn draw(rows: &[DotRow<'_>], area: Rect, buffer: &mut Buffer, state: &mut DotPlotState) {
    let reference = Some(Reference {
        value: 0.25,
        label: "overall 0.25",
    });
    DotPlot {
        theme: &theme(),
        label: "box size",
        heading: "GIoU ↑",
        rows,
        range: Some((-0.5, 1.0)),
        reference,
    }
    .render(area, buffer, state);
}

#[test]
fn dots_lie_on_their_intervals() {
    let buffer = screen(64, 8, |area, buffer| {
        draw(&rows(), area, buffer, &mut DotPlotState::default());
    });
    assert_eq!(
        lines(&buffer),
        [
            "box size  GIoU ↑          ┊ overall 0.25",
            "───────────────────────────────────────────────────────────────",
            "   0–1 %       ●          ┊                 −0.250 ±.02    n 61",
            "   1–4 %                  ┊ ├──●──┤          0.500 ±.13   n 690",
            " 4–100 %                  ┊        ●         0.710 ±.01  n 6.9K",
            "    none                  ┊                  no samples",
            "          ┬─────────┬──────────┬─────────┬",
            "          −0.5     0.0        0.5       1.0",
        ]
    );
}

#[test]
fn several_models_stand_under_one_label() {
    let mut rows = rows();
    for row in &mut rows {
        row.dots.push(dot(0.4, 0.1, "0.400 ±.10", "n 3"));
    }
    let buffer = screen(50, 16, |area, buffer| {
        draw(&rows, area, buffer, &mut DotPlotState::default());
    });
    assert_eq!(
        lines(&buffer),
        [
            "box size    GIoU ↑",
            "─────────────────────────────────────────────────",
            "   0–1 %  A   ●     ┊         −0.250 ±.02    n 61",
            "          B         ├●┤        0.400 ±.10     n 3",
            "",
            "   1–4 %  A         ┊├●─┤      0.500 ±.13   n 690",
            "          B         ├●┤        0.400 ±.10     n 3",
            "",
            " 4–100 %  A         ┊   ●      0.710 ±.01  n 6.9K",
            "          B         ├●┤        0.400 ±.10     n 3",
            "",
            "    none  A         ┊          no samples",
            "          B         ├●┤        0.400 ±.10     n 3",
            "",
            "            ─────┬─────────┬",
            "                 0         1",
        ]
    );
}

#[test]
fn numbers_go_before_the_dots_do() {
    let buffer = screen(24, 6, |area, buffer| {
        draw(&rows(), area, buffer, &mut DotPlotState::default());
    });
    assert_eq!(
        lines(&buffer),
        [
            "box size  GIoU ↑",
            "───────────────────────",
            "   0–1 %    ●   ┊",
            "   1–4 %        ┊├●┤",
            " 4–100 %        ┊   ●",
            "    none        ┊",
        ]
    );
}

#[test]
fn the_mouse_finds_the_bin() {
    let (theme, rows) = (theme(), rows());
    let plot = DotPlot {
        theme: &theme,
        label: "",
        heading: "",
        rows: &rows,
        range: None,
        reference: None,
    };
    let area = Rect::new(2, 1, 40, 8);
    let at = |y| {
        plot.row_at(
            area,
            &DotPlotState {
                selected: 1,
                offset: 1,
            },
            4,
            y,
        )
    };
    assert_eq!(
        [at(1), at(3), at(5), at(6), at(20)],
        [None, Some(1), Some(3), None, None]
    );
}

#[test]
fn no_size_is_too_small() {
    draws_anywhere(|area, buffer| {
        draw(
            &rows(),
            area,
            buffer,
            &mut DotPlotState {
                selected: 9,
                offset: 9,
            },
        );
    });
    draws_anywhere(|area, buffer| draw(&[], area, buffer, &mut DotPlotState::default()));
}
