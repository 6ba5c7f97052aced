//! Tests the subgroups view: models, tags, and the order of rows.

use ratatui::layout::Rect;
use tempfile::TempDir;

use super::{opened, press, screen, type_text};
use crate::app::App;
use crate::keymap::ViewId;
use crate::view::View as _;

const CLIP: &str = "vision-encoder-of-clip-l14-336";
const SIGLIP: &str = "vision-encoder-of-siglip-so400m";

/// Opens the subgroups of 16 samples. One model is always right. The other model's share of right
/// answers depends on the tag `crowd`.
fn crowds() -> (TempDir, App) {
    let mut lines = String::new();
    let crowds = [
        ("crowd-0", 4),
        ("crowd-1", 2),
        ("crowd-2", 1),
        ("crowd-10", 3),
    ];
    let samples = crowds
        .into_iter()
        .flat_map(|crowd| (0..4).map(move |at| (crowd, at)));
    for (id, ((crowd, right), at)) in samples.enumerate() {
        for (model, score) in [(CLIP, u8::from(at < right)), (SIGLIP, 1)] {
            lines += &format!(
                r#"{{"benchmark":"b","model":"{model}","ability":"counting","sample_id":"{id}","target":"A","response":"A","metric":"accuracy","score":{score},"tags":{{"crowd":"{crowd}","dataset":"kitti","size":{id}}}}}"#
            );
            lines.push('\n');
        }
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("m.eyechart.jsonl"), lines).unwrap();
    let app = opened(folder.path().to_str().unwrap());
    (folder, app)
}

/// Chooses a tag by typing.
fn choose(app: &mut App, tag: &str) {
    press(app, ";");
    type_text(app, tag);
    press(app, "enter");
}

/// Returns the labels of the rows.
fn labels(app: &App) -> Vec<String> {
    let grid = app.views.subgroups.grid(&app.shared, Rect::default());
    let rows = grid.unwrap().rows.into_iter();
    rows.map(|row| row[0].clone()).collect()
}

#[test]
fn trail_and_chart_name_the_same_models() {
    let (_folder, mut app) = crowds();
    assert_eq!(app.shared.models(), [SIGLIP, CLIP]);
    press(&mut app, "space down space 2");
    let shown = screen(&mut app, 160, 30);
    assert!(shown.contains("2 of 2 models"), "{shown}");
    assert!(shown.contains(&format!("A {SIGLIP}   B {CLIP}")), "{shown}");
    press(&mut app, "m");
    assert!(app.shared.picked.is_empty());
    assert_eq!(app.shared.lens.model.as_deref(), Some(CLIP));
    let notice = app.shared.notice.clone().unwrap();
    assert_eq!(notice, "2 models deselected: m shows one model");
    let shown = screen(&mut app, 160, 30);
    let trail = shown.lines().nth(1).unwrap();
    assert!(trail.contains(CLIP) && !trail.contains("models"), "{shown}");
    assert!(shown.contains(&format!("A {CLIP}   by")), "{shown}");
    // The next model is the first model, because the chart always shows a model.
    press(&mut app, "m");
    assert_eq!(app.shared.lens.model.as_deref(), Some(SIGLIP));
}

#[test]
fn both_names_are_whole_before_anything_else_is() {
    let (_folder, mut app) = crowds();
    press(&mut app, "space down space 2");
    for width in [80, 100, 160] {
        let shown = screen(&mut app, width, 30);
        let names = format!("A {SIGLIP}   B {CLIP}");
        assert!(shown.contains(&names), "{width}: {shown}");
    }
    let shown = screen(&mut app, 140, 30);
    assert!(shown.contains("t next, ; list"), "{shown}");
    let narrow = screen(&mut app, 60, 30);
    assert!(narrow.contains("B vision-enc"), "{narrow}");
}

#[test]
fn a_tag_is_chosen_by_typing_and_those_of_one_value_are_named() {
    let (_folder, mut app) = crowds();
    press(&mut app, "2 ;");
    let shown = screen(&mut app, 100, 30);
    assert!(
        shown.contains("the same in all samples: dataset kitti"),
        "{shown}"
    );
    assert!(shown.contains("crowd") && shown.contains("size"), "{shown}");
    type_text(&mut app, "ROW");
    let shown = screen(&mut app, 100, 30);
    assert!(shown.contains("crowd"), "{shown}");
    press(&mut app, "enter");
    assert!(app.popups.is_empty());
    assert_eq!(app.shared.split().unwrap().text, "crowd");
    press(&mut app, ";");
    type_text(&mut app, "none of these");
    assert!(screen(&mut app, 100, 30).contains("no such tag"));
    press(&mut app, "enter");
    assert_eq!(app.shared.split().unwrap().text, "crowd", "nothing changed");
    assert_eq!(app.shared.view, ViewId::Subgroups);
}

#[test]
fn names_are_in_natural_order_or_worst_first() {
    let (_folder, mut app) = crowds();
    press(&mut app, "2 m");
    assert_eq!(app.shared.lens.model.as_deref(), Some(CLIP));
    choose(&mut app, "crowd");
    let natural = ["crowd-0", "crowd-1", "crowd-2", "crowd-10"];
    assert_eq!(labels(&app), natural);
    press(&mut app, ",");
    let worst = ["crowd-2", "crowd-1", "crowd-10", "crowd-0"];
    assert_eq!(labels(&app), worst);
    assert!(screen(&mut app, 120, 30).contains("by crowd, worst first"));
    press(&mut app, "down enter");
    let (_, label) = app.shared.lens.bin.clone().unwrap();
    assert_eq!(label, "crowd-1", "Enter opens the row that is shown");
    press(&mut app, "esc ,");
    assert_eq!(labels(&app), natural);
}

#[test]
fn names_have_no_bins() {
    let (_folder, mut app) = crowds();
    press(&mut app, "2");
    choose(&mut app, "size");
    press(&mut app, "#");
    assert_eq!(app.shared.split().unwrap().text, "size:quantile:4");
    let shown = screen(&mut app, 140, 30);
    assert!(shown.contains("by size, quantile:4"), "{shown}");
    choose(&mut app, "crowd");
    assert_eq!(app.shared.split().unwrap().text, "crowd");
    press(&mut app, "#");
    let notice = app.shared.notice.clone().unwrap();
    assert!(notice.contains("has names, not numbers"), "{notice}");
    let shown = screen(&mut app, 140, 30);
    assert!(shown.contains("by crowd  (tag"), "{shown}");
    assert!(!shown.contains("list, # bins"), "{shown}");
}

#[test]
fn answers_are_split_after_a_search_but_not_in_a_comparison() {
    let mut lines = String::new();
    for id in 0..24 {
        for (model, turn) in [(CLIP, 2), (SIGLIP, 3)] {
            let response = if id % turn == 0 {
                "maybe a dog"
            } else {
                "a dog"
            };
            lines += &format!(
                r#"{{"benchmark":"b","model":"{model}","ability":"naming","sample_id":"{id}","question":"What is it?","target":"a dog","response":"{response}","metric":"accuracy","score":1,"tags":{{"size":{}}}}}"#,
                id % 2
            );
            lines.push('\n');
        }
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("m.eyechart.jsonl"), lines).unwrap();
    let mut app = opened(folder.path().to_str().unwrap());
    press(&mut app, "2 m f esc");
    choose(&mut app, "auto.hedging");
    assert_eq!(labels(&app), ["false", "true"]);
    let shown = screen(&mut app, 120, 30);
    assert!(shown.contains("by auto.hedging"), "{shown}");
    press(&mut app, "down enter");
    assert_eq!(app.shared.lens.model.as_deref(), Some(SIGLIP));
    // Every third answer of this model hedges.
    assert_eq!(app.shared.list.rows.len(), 8);
    press(&mut app, "4");
    for _ in 0..8 {
        let shown = screen(&mut app, 120, 30);
        assert!(!shown.contains("describes answers"), "{shown}");
        press(&mut app, "t");
        let tag = app.shared.cut.tag.clone().unwrap();
        assert!(!tag.contains("hedging") && !tag.contains("answer"), "{tag}");
    }
}
