//! Tests the fingerprint's explanations, and its content for a single model.

use super::{opened, press, screen, settle};
use crate::app::App;
use crate::keymap::ViewId;
use crate::screen::Cells;
use crate::view::View as _;

/// Rows of one model in two abilities. The metric of the second ability has values outside 0 to 1.
const ALONE: &str = r#"{"benchmark":"b","model":"m","ability":"counting","sample_id":"1","target":"3","response":"3","metric":"accuracy","score":1}
{"benchmark":"b","model":"m","ability":"counting","sample_id":"2","target":"3","response":"4","metric":"accuracy","score":0}
{"benchmark":"b","model":"m","ability":"counting","sample_id":"3","target":"3","response":"3","metric":"accuracy","score":1}
{"benchmark":"b","model":"m","ability":"color","sample_id":"4","target":"red","response":"blue","metric":"ciede2000","score":52.5}
"#;

#[test]
fn heads_name_the_metric_and_a_legend_explains_the_cells() {
    let mut app = opened("tests/fixtures/ava_bench");
    let lines = screen(&mut app, 120, 36);
    let line_with = |words: &str| {
        lines
            .lines()
            .find(|line| line.contains(words))
            .unwrap_or_default()
    };
    assert!(line_with("acc ↑").contains("↓"), "{lines}");
    let legend = line_with("= tied");
    for words in ["ranks", "best 1···", "worst"] {
        assert!(legend.contains(words), "{legend}");
    }
    press(&mut app, "v");
    assert_eq!(app.views.fingerprint.cells, Cells::Scores);
    let lines = screen(&mut app, 120, 36);
    let legend = lines.lines().find(|line| line.contains("best ·····"));
    assert!(
        legend.is_some_and(|line| line.contains("scores")),
        "{lines}"
    );
}

#[test]
fn one_model_has_scores_with_intervals_in_place_of_ranks() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("m.eyechart.jsonl"), ALONE).unwrap();
    let mut app = opened(folder.path().to_str().unwrap());
    let lines = screen(&mut app, 120, 36);
    for words in [
        "one model: no ranks",
        ".67",
        "0.667",
        "52.500",
        "accuracy ↑  n 3",
        "CIEDE2000 ↓  n 1",
    ] {
        assert!(lines.contains(words), "{words}: {lines}");
    }
    for words in ["avg", "rank 1", "worst ranks"] {
        assert!(!lines.contains(words), "{words}: {lines}");
    }
    // The axis shows only scores between 0 and 1.
    let dots = lines.lines().filter(|line| line.contains('●')).count();
    assert_eq!(dots, 1, "{lines}");
    press(&mut app, "v");
    assert!(
        app.shared
            .notice
            .as_deref()
            .is_some_and(|said| said.contains("one model"))
    );
}

#[test]
fn the_help_explains_the_screen_with_its_own_numbers_before_the_keys() {
    let mut app = opened("tests/fixtures/ava_bench");
    screen(&mut app, 120, 60);
    press(&mut app, "?");
    let lines = screen(&mut app, 120, 60);
    let at = |words: &str| {
        lines
            .find(words)
            .unwrap_or_else(|| panic!("{words}: {lines}"))
    };
    let model = "dinov2_qwen2_lora_epoch_10 has rank 1 in absolute_depth";
    assert!(
        at("On this screen") < at(model) && at(model) < at("Move"),
        "{lines}"
    );
    assert!(at("Move") < at("What is shown") && at("Program") < at("quit"));
    press(&mut app, "esc 3");
    screen(&mut app, 120, 60);
    screen(&mut app, 120, 60);
    press(&mut app, "?");
    let lines = screen(&mut app, 120, 60);
    assert!(
        lines.contains("the target: the annotated answer"),
        "{lines}"
    );
}

#[test]
fn the_help_scrolls_on_a_low_screen() {
    let mut app = opened("tests/fixtures/ava_bench");
    screen(&mut app, 80, 24);
    press(&mut app, "?");
    let top = screen(&mut app, 80, 24);
    assert!(
        top.contains('↓') && !top.contains("one-minute tour"),
        "{top}"
    );
    for _ in 0..80 {
        press(&mut app, "down");
    }
    let end = screen(&mut app, 80, 24);
    assert!(end.contains("one-minute tour"), "{end}");
    press(&mut app, "up");
    assert_ne!(screen(&mut app, 80, 24), end, "one step leads back at once");
}

#[test]
fn a_wide_screen_shows_the_samples_beside_the_fingerprint() {
    let mut app = opened("tests/fixtures/ava_bench");
    for _ in 0..3 {
        screen(&mut app, 200, 60);
    }
    let here = |app: &App| {
        let row = app.row_under_cursor().expect("a list");
        let table = &app.shared.table;
        let ability = table.ability(table.item(row)).map(|of| of.name.clone());
        (
            ability.unwrap_or_default(),
            table.names().model(table.model(row)).to_owned(),
        )
    };
    let models = app.shared.models();
    assert_eq!(here(&app), ("absolute_depth".to_owned(), models[0].clone()));
    press(&mut app, "right down");
    let behind = app.shared.list.rows.len();
    for _ in 0..3 {
        screen(&mut app, 200, 60);
    }
    assert_eq!(app.shared.view, ViewId::Fingerprint);
    assert_eq!(here(&app), ("relative_depth".to_owned(), models[1].clone()));
    assert_eq!(app.shared.list.rows.len(), behind, "as many samples");
    let wide = screen(&mut app, 200, 60);
    assert!(wide.contains("ranks") && wide.contains("target"), "{wide}");
    let narrow = screen(&mut app, 120, 60);
    assert!(!narrow.contains("target"), "{narrow}");
    // The list is queried once, not in every frame. The samples view lists all samples of the lens.
    screen(&mut app, 200, 60);
    assert!(app.ask_wanted().is_empty());
    press(&mut app, "3");
    assert!(app.shared.list.rows.len() > behind);
}

/// Returns answers of models that are correct up to a level and guess above it.
fn levelled(models: &[(&str, u8)]) -> String {
    let mut lines = String::new();
    for (model, last) in models {
        for (level, number) in
            (1..=10_u8).flat_map(|level| (0..8).map(move |number| (level, number)))
        {
            let score = u8::from(level <= *last || number < 2);
            lines += &format!(
                r#"{{"benchmark":"e","model":"{model}","ability":"texture","sample_id":"{level}-{number}","target":"A","response":"A","metric":"accuracy","score":{score},"tags":{{"level":{level},"chance":0.25}}}}"#
            );
            lines.push('\n');
        }
    }
    lines
}

#[test]
fn the_fingerprint_of_an_exam_is_acuity() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("m.eyechart.jsonl");
    std::fs::write(&log, levelled(&[("near", 3), ("far", 7)])).unwrap();
    let mut app = opened(folder.path().to_str().unwrap());
    let lines = screen(&mut app, 120, 36);
    for words in [
        "acuity   10 hard",
        "level ↑",
        "level 1 easy to 10 hard",
        "best of the others",
    ] {
        assert!(lines.contains(words), "{words}: {lines}");
    }
    let row = |lines: &str, model: &str| {
        let mut rows = lines.lines();
        rows.find(|line| line.contains(model)).unwrap().to_owned()
    };
    assert!(row(&lines, "far").contains(" 7."), "{lines}");
    assert!(row(&lines, "near").contains(" 3."), "{lines}");
    press(&mut app, "v");
    assert_eq!(app.views.fingerprint.cells, Cells::Ranks);
    let lines = screen(&mut app, 120, 36);
    assert!(!lines.contains("10 hard ·"), "{lines}");

    // With a single model, the view shows acuity and scores.
    std::fs::write(&log, levelled(&[("near", 3)])).unwrap();
    let mut app = opened(folder.path().to_str().unwrap());
    assert!(screen(&mut app, 120, 36).contains("acuity   10 hard"));
    press(&mut app, "v");
    assert_eq!(app.views.fingerprint.cells, Cells::Scores);
    press(&mut app, "v");
    assert_eq!(app.views.fingerprint.cells, Cells::Acuity);
}

/// The examined model comes first; all other models follow in rank order.
#[test]
fn the_examined_model_stands_first() {
    let folder = tempfile::tempdir().unwrap();
    let beside = folder.path().join("m.eyechart.jsonl");
    std::fs::write(&beside, levelled(&[("middling", 5), ("far", 7)])).unwrap();
    let own = folder.path().join(ask::FILE);
    std::fs::write(&own, levelled(&[("near", 3)])).unwrap();
    let mut app = opened(folder.path().to_str().unwrap());
    let lines = screen(&mut app, 120, 36);
    let at = |model: &str| {
        lines
            .find(model)
            .unwrap_or_else(|| panic!("{model}: {lines}"))
    };
    assert!(
        at("near") < at("far") && at("far") < at("middling"),
        "{lines}"
    );
}

#[test]
fn ranks_of_answers_that_were_chosen_by_outcome_carry_a_warning() {
    let mut app = opened("tests/fixtures/ava_bench");
    let warning = "not ranked: the filter selects answers by outcome (correct:false)";
    assert!(!screen(&mut app, 120, 36).contains(warning));
    let effects = app.set_filter("correct:false".to_owned());
    settle(&mut app, effects);
    let shown = screen(&mut app, 120, 36);
    assert!(shown.contains(warning), "{shown}");
}

/// Returns answers of two models in three abilities. `weak` has none right in `ocr`, 1 of 10 in
/// `color`, and all in `counting`, where `strong` has none right.
fn weak_twice() -> String {
    let mut lines = String::new();
    for (ability, weak, strong) in [("color", 1, 10), ("ocr", 0, 10), ("counting", 10, 0)] {
        for (model, right) in [("weak", weak), ("strong", strong)] {
            for at in 0..10 {
                let score = u8::from(at < right);
                lines += &format!(
                    r#"{{"benchmark":"b","model":"{model}","ability":"{ability}","sample_id":"{ability}{at}","target":"A","response":"A","metric":"accuracy","score":{score}}}"#
                );
                lines.push('\n');
            }
        }
    }
    lines
}

#[test]
fn equally_bad_abilities_are_named_and_visited_one_after_the_other() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("m.eyechart.jsonl"), weak_twice()).unwrap();
    let mut app = opened(folder.path().to_str().unwrap());
    let mut models = app.shared.models().into_iter();
    app.shared.cell.row = models.position(|model| model == "weak").unwrap();
    app.shared.point_at_ability("counting");
    press(&mut app, "w");
    let here = |app: &App| app.shared.ability_under_cursor().unwrap();
    assert_eq!(here(&app), "ocr", "the lower score is first");
    let notice = app.shared.notice.clone().unwrap();
    assert_eq!(notice, "rank 2, also in color; w: the next");
    press(&mut app, "w");
    assert_eq!(here(&app), "color");
    press(&mut app, "w");
    assert_eq!(here(&app), "ocr", "and again from the first");
    // The other model is worst in one ability only, so no note is shown.
    app.shared.cell.row = 1 - app.shared.cell.row;
    press(&mut app, "w");
    assert_eq!(here(&app), "counting");
    assert_eq!(app.shared.notice, None);
}

#[test]
fn a_comparison_begins_with_the_model_under_the_cursor() {
    let mut app = opened("tests/fixtures/ava_bench");
    let models = app.shared.models();
    let pair = |at: [usize; 2]| Some(at.map(|at| models[at].clone()));
    press(&mut app, "down down 4");
    assert_eq!(app.shared.compared(), pair([2, 0]));
    press(&mut app, "1 up 4");
    assert_eq!(app.shared.compared(), pair([1, 0]));
    // The second model stays selected, because the model under the cursor is already in the
    // comparison.
    press(&mut app, "1 up 4");
    assert_eq!(app.shared.compared(), pair([0, 1]));
}

/// The fingerprint and the comparison use the same letters A and B for the same models.
#[test]
fn selected_models_are_those_of_the_comparison() {
    let mut app = opened("tests/fixtures/ava_bench");
    let models = app.shared.models();
    press(&mut app, "space down space 4");
    assert_eq!(app.shared.picked, models[..2]);
    press(&mut app, "m");
    let compared = app.shared.compared().unwrap();
    assert_eq!(compared, [models[0].clone(), models[2].clone()]);
    assert_eq!(app.shared.picked, compared);
    press(&mut app, "| 1 4");
    let compared = app.shared.compared().unwrap();
    assert_eq!(compared, [models[2].clone(), models[0].clone()]);
    assert_eq!(app.shared.picked, compared);
}

#[test]
fn a_narrow_line_tells_the_samples_of_the_rank_from_those_of_the_score() {
    let mut app = opened("tests/fixtures/ava_bench");
    let shown = screen(&mut app, 80, 24);
    assert!(shown.contains("n 24, 22 ranked"), "{shown}");
    let explained = app.views.fingerprint.explain(&app.shared);
    let words = "the rank uses only the 22 that all models answered";
    assert!(explained.iter().any(|it| it.words.contains(words)));
}
