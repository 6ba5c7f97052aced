//! Tests the panes of the samples view, and the contents of small screens.

use super::samples::settled;
use super::{opened, press, screen, settle};
use crate::app::App;
use crate::frame_output::Pane;
use crate::keymap::ViewId;
use base::format::fixed;
use record::Row;
use workspace::page::list_row;

const AVA: &str = "tests/fixtures/ava_bench";
/// Widths and heights of screens, from a phone to a large monitor.
const SIZES: [(u16, u16); 9] = [
    (40, 12),
    (60, 20),
    (80, 24),
    (99, 30),
    (100, 30),
    (120, 36),
    (159, 45),
    (160, 45),
    (200, 60),
];

/// Opens the samples of one ability with graded answers.
fn graded() -> App {
    let mut app = opened(AVA);
    let effects = app.set_filter("ability:localization".to_owned());
    settle(&mut app, effects);
    press(&mut app, "3");
    app
}

/// Returns the first words of the question and the score of the sample under the cursor.
fn told(app: &App) -> [String; 2] {
    let row = Row(app.shared.list.here().unwrap());
    let list = list_row(&app.shared.table, row, app.shared.lens.scoring);
    let words: Vec<&str> = list.question.split_whitespace().take(2).collect();
    [words.join(" "), fixed(Some(list.score.unwrap()), 3)]
}

#[test]
fn every_size_keeps_the_question_and_the_score() {
    let mut app = graded();
    for keys in ["", "enter"] {
        press(&mut app, keys);
        for (width, height) in SIZES {
            let shown = settled(&mut app, width, height);
            for words in told(&app) {
                assert!(
                    shown.contains(&words),
                    "{words} at {width} x {height}\n{shown}"
                );
            }
        }
    }
    assert_eq!(app.shared.view, ViewId::Sample);
}

#[test]
fn the_preview_scrolls_while_the_list_stays() {
    let mut app = graded();
    settled(&mut app, 80, 24);
    assert_eq!(app.drawn.panes, [Pane::Preview]);
    press(&mut app, "tab down down");
    let shown = settled(&mut app, 80, 24);
    assert_eq!(app.shared.preview.offset, 2, "{shown}");
    assert_eq!(app.shared.list.table.selected, 0);
    press(&mut app, "G");
    settled(&mut app, 80, 24);
    let end = app.shared.preview.offset;
    press(&mut app, "down");
    settled(&mut app, 80, 24);
    assert!(end > 2 && app.shared.preview.offset == end);
    // In the list, the preview of the next sample starts at the top.
    press(&mut app, "tab down");
    settled(&mut app, 80, 24);
    assert_eq!(app.shared.list.table.selected, 1);
    assert_eq!(app.shared.preview.offset, 0);
}

/// Each sample has one tile with all its answers, and the arrow keys reach each tile once.
#[test]
fn the_sheet_shows_each_sample_once() {
    let mut app = graded();
    press(&mut app, "v");
    settled(&mut app, 120, 36);
    let table = app.shared.table.clone();
    let item = |row: u32| table.item(Row(row)).0;
    let rows = app.shared.list.rows.clone();
    let mut seen = Vec::new();
    let mut answers = 0;
    loop {
        let tiles = app.shared.tiles();
        let at = app.shared.list.table.selected;
        let own = tiles.answers(tiles.tile_of(at)).to_vec();
        assert!(
            own.iter()
                .all(|position| item(rows[*position]) == item(rows[at]))
        );
        answers += own.len();
        seen.push(item(rows[at]));
        press(&mut app, "right");
        if app.shared.list.table.selected == at {
            break;
        }
    }
    assert_eq!(answers, rows.len());
    let mut distinct = seen.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), seen.len());
    let mut all: Vec<u32> = rows.iter().map(|row| item(*row)).collect();
    all.sort_unstable();
    all.dedup();
    assert_eq!(distinct, all);
    assert!(seen.len() < rows.len());
    // Space selects the sample and moves to the next one.
    press(&mut app, "g space");
    assert_eq!(app.shared.marked.len(), 1);
    assert_eq!(item(rows[app.shared.list.table.selected]), seen[1]);
}

#[test]
fn the_rows_of_the_matrix_have_pictures_on_request() {
    let mut app = graded();
    press(&mut app, "v v");
    let title = |shown: &str| {
        let mut lines = shown.lines();
        let title = lines.find(|line| line.contains("target"));
        title.unwrap_or_default().to_owned()
    };
    let shown = settled(&mut app, 120, 36);
    assert!(!title(&shown).contains("picture"), "{shown}");
    assert!(app.shared.pictures.areas.is_empty());
    press(&mut app, "+");
    let shown = settled(&mut app, 120, 36);
    assert!(title(&shown).contains("picture"), "{shown}");
    let (_, _, matrix) = app.shared.answers.matrix.clone().unwrap();
    // Each row takes seven lines for its picture of half blocks, so four rows fit.
    let areas = app.shared.pictures.areas.clone();
    assert_eq!(areas.len(), matrix.rows.len().min(4));
    let tops: Vec<u16> = areas.iter().map(|area| area.y).collect();
    let expected: Vec<u16> = (0..4).map(|row| 4 + 7 * row).collect();
    assert_eq!(tops, expected[..areas.len()]);
    assert!(areas.iter().all(|area| area.height == 7));
    // A narrow screen has no space for pictures.
    let shown = settled(&mut app, 60, 20);
    assert!(!title(&shown).contains("picture"), "{shown}");
    press(&mut app, "-");
    let shown = settled(&mut app, 120, 36);
    assert!(!title(&shown).contains("picture"), "{shown}");
}

#[test]
fn the_focus_returns_to_the_view_when_its_pane_is_gone() {
    let mut app = graded();
    settled(&mut app, 120, 36);
    press(&mut app, "tab");
    assert_eq!(app.shared.pane, Pane::Preview);
    press(&mut app, "v");
    screen(&mut app, 120, 36);
    assert_eq!(app.shared.pane, Pane::View);
    press(&mut app, "tab");
    let notice = app.shared.notice.clone().unwrap_or_default();
    assert!(notice.contains("one pane"), "{notice}");
    press(&mut app, "v v v");
    settled(&mut app, 120, 36);
    press(&mut app, "tab 1");
    assert_eq!(app.shared.pane, Pane::View);
}

#[test]
fn grid_and_subgroups_have_the_samples_and_their_preview_beside_them_from_160_columns() {
    let mut app = opened(AVA);
    for view in ["1", "2"] {
        press(&mut app, view);
        settled(&mut app, 160, 45);
        let shown = settled(&mut app, 160, 45);
        let panes = [Pane::Samples, Pane::Preview];
        assert_eq!(app.drawn.panes, panes, "{view}\n{shown}");
        let (list, _) = app.drawn.beside.clone().unwrap();
        assert!(app.drawn.body.right() < list.x, "{view}\n{shown}");
        // The preview is below the list.
        assert!(shown.lines().any(|line| line.contains("samples of ")));
        settled(&mut app, 159, 45);
        assert!(app.drawn.beside.is_none(), "{view}");
    }
}

#[test]
fn a_tall_screen_has_the_radar_below_the_chart() {
    let mut app = opened(AVA);
    let ends = "edge: best";
    for (width, height, is_shown) in [(120, 36, true), (100, 60, true), (100, 30, false)] {
        let shown = screen(&mut app, width, height);
        assert_eq!(
            shown.contains(ends),
            is_shown,
            "{width} x {height}\n{shown}"
        );
    }
    press(&mut app, "o");
    assert!(!screen(&mut app, 100, 60).contains(ends));
}

#[test]
fn subgroups_have_a_table_of_all_models() {
    let mut app = opened(AVA);
    press(&mut app, "2");
    let shown = settled(&mut app, 120, 36);
    assert!(shown.contains("all 3 models"), "{shown}");
    let by = app.shared.split().unwrap().text;
    let ability = app.shared.lens.ability.clone().unwrap();
    for model in app.shared.answered() {
        let mut lines = shown.lines().rev();
        let name = model.split('_').next().unwrap();
        let line = lines.find(|line| line.contains(name)).unwrap();
        let own = app.shared.answers.subgroups.iter().filter(|group| {
            let same = group.model == model && group.ability == ability && group.by == by;
            same && group.headline
        });
        let scores: Vec<String> = own.map(|group| fixed(group.score, 3)).collect();
        assert!(!scores.is_empty());
        for score in scores {
            assert!(line.contains(&score), "{score} in {line}\n{shown}");
        }
    }
}

#[test]
fn reliability_has_the_samples_of_a_row_below_its_details() {
    let mut app = opened("tests/fixtures/vlmevalkit");
    press(&mut app, "5");
    settled(&mut app, 100, 90);
    let shown = settled(&mut app, 100, 90);
    assert_eq!(app.drawn.panes[0], Pane::Samples, "{shown}");
    let (list, _) = app.drawn.beside.clone().unwrap();
    assert_eq!(list.x, app.drawn.body.x);
    let lines: Vec<&str> = shown.lines().collect();
    let at = |words: &str| lines.iter().position(|line| line.contains(words)).unwrap();
    // Above the details are two lines of titles, the rows and a rule.
    let rows = app.shared.answers.reliability.len();
    assert_eq!(at("intervals"), 2 + 2 + rows + 1, "{shown}");
    assert!(at("samples of ") > at("intervals"));
}
