//! Tests the popups across models, benchmarks and runs: content and drill-downs.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::app::App;
use crate::effect::Effect;
use crate::keymap::ViewId;
use crate::popup::{NameQuestion, NameQuestions, Popup};
use crate::tests::{opened, press, screen};
use base::config::Decision;

const LOGS: &str = "tests/fixtures/ava_bench";

/// Presses a key and returns the effects.
fn pressed(app: &mut App, code: KeyCode) -> Vec<Effect> {
    app.on_key(KeyEvent::new(code, KeyModifiers::NONE))
}

#[test]
fn a_pair_is_told_in_a_sentence_and_opens_as_a_comparison() {
    let mut app = opened(LOGS);
    press(&mut app, "down W");
    let shown = screen(&mut app, 100, 30);
    assert!(shown.contains("win matrix: absolute_depth"), "{shown}");
    assert!(!shown.contains("the same model twice"), "{shown}");
    assert!(shown.contains("no clear difference: "), "{shown}");
    let models = app.shared.models();
    let expected = [models[1].clone(), models[0].clone()];
    press(&mut app, "enter");
    assert_eq!(app.shared.view, ViewId::Compare);
    assert_eq!(app.shared.compared(), Some(expected));
}

#[test]
fn pairs_open_at_the_ability_and_the_models_of_the_comparison() {
    let mut app = opened(LOGS);
    press(&mut app, "4 m down down");
    let ability = app.views.compare.ability(&app.shared).unwrap();
    assert_ne!(ability, "absolute_depth");
    let pair = app.shared.compared();
    press(&mut app, "W");
    let shown = screen(&mut app, 100, 30);
    let title = format!("win matrix: {ability}");
    assert!(shown.contains(&title), "{title} in {shown}");
    press(&mut app, "enter");
    assert!(app.popups.is_empty(), "a model and itself open nothing");
    assert_eq!(app.shared.compared(), pair);
    assert_eq!(app.shared.lens.ability, None);
    // Moving the cursor away and back restores its cell, and `a` continues from the ability.
    press(&mut app, "W");
    screen(&mut app, 100, 30);
    press(&mut app, "up up up left left left");
    let shown = screen(&mut app, 100, 30);
    assert!(shown.contains("the same model twice"), "{shown}");
    let abilities = app.shared.abilities();
    let at = abilities.iter().position(|name| *name == ability).unwrap();
    press(&mut app, "a");
    let shown = screen(&mut app, 100, 30);
    let title = format!("win matrix: {}", abilities[at + 1]);
    assert!(shown.contains(&title), "{title} in {shown}");
}

#[test]
fn printed_scores_have_no_pairs() {
    let mut app = opened("sample_runs/ava_bench.scores.csv");
    press(&mut app, "W");
    let shown = screen(&mut app, 100, 30);
    assert!(shown.contains("these scores are published"), "{shown}");
}

#[test]
fn the_matrix_has_all_benchmarks_and_leads_to_one() {
    let mut app = opened("sample_runs");
    press(&mut app, "X");
    let shown = screen(&mut app, 140, 40);
    assert!(shown.contains("models × abilities"), "{shown}");
    press(&mut app, "b");
    let shown = screen(&mut app, 140, 40);
    assert!(shown.contains("models × benchmarks"), "{shown}");
    let benchmarks = app.shared.answers.benchmarks.len();
    press(&mut app, &"right ".repeat(benchmarks));
    press(&mut app, "enter");
    assert_eq!(
        (
            app.shared.view,
            app.shared.lens.benchmark.as_str(),
            app.popups.len()
        ),
        (ViewId::Fingerprint, "tdbench", 0)
    );
}

#[test]
fn the_matrix_shows_ties_and_switches_to_scores_from_the_overview() {
    let mut app = opened("sample_runs/exam");
    press(&mut app, "0 X");
    let ranks = screen(&mut app, 120, 30);
    assert!(ranks.contains("1="), "{ranks}");
    assert!(ranks.contains("= tied, no clear difference"), "{ranks}");
    press(&mut app, "v");
    let scores = screen(&mut app, 120, 30);
    assert!(!scores.contains("1="), "{scores}");
    assert_eq!(app.shared.view, ViewId::Overview);
}

#[test]
fn a_field_without_a_value_is_explained_where_it_finds_nothing() {
    let mut app = opened(LOGS);
    press(&mut app, "3 /");
    press(&mut app, "i n v a l i d enter");
    let shown = screen(&mut app, 100, 30);
    assert!(
        shown.contains("invalid:VALUE selects by this field"),
        "{shown}"
    );
}

#[test]
fn scores_stand_against_size_and_date() {
    let mut app = opened("sample_runs/tdbench.scores.csv");
    press(&mut app, "L");
    let shown = screen(&mut app, 120, 40);
    for words in [
        "mean over its abilities",
        "parameters, billions (log)",
        "Spearman's correlation",
        "a InternVL3",
    ] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    press(&mut app, "v right");
    let shown = screen(&mut app, 120, 40);
    assert!(shown.contains("released"), "{shown}");
    assert!(shown.contains("tdbench, scene_understanding"), "{shown}");
    let mut app = opened(LOGS);
    press(&mut app, "L");
    let shown = screen(&mut app, 80, 24);
    assert!(shown.contains("add sizes to models.csv"), "{shown}");
}

#[test]
fn a_log_is_taken_out_and_everything_is_read_anew() {
    let mut app = opened(LOGS);
    press(&mut app, "S");
    let shown = screen(&mut app, 120, 30);
    assert!(shown.contains("[x]"), "{shown}");
    assert!(
        pressed(&mut app, KeyCode::Enter).is_empty(),
        "nothing is changed"
    );
    press(&mut app, "S space");
    let shown = screen(&mut app, 120, 30);
    assert!(
        shown.contains("[ ]") && shown.contains("excluded by you"),
        "{shown}"
    );
    let effects = pressed(&mut app, KeyCode::Enter);
    let [Effect::ChooseRuns(chosen)] = effects.as_slice() else {
        panic!("{effects:?}")
    };
    let first = &app.shared.table.sources()[0].path;
    assert_eq!(chosen.get(first), Some(&false));
}

#[test]
fn names_that_look_alike_are_asked_for_one_by_one() {
    let mut app = opened(LOGS);
    let pair = |a: &str, b: &str| [a.to_owned(), b.to_owned()];
    let pairs = vec![pair("Opus 4", "4 Opus"), pair("a 1", "1 a")];
    let unclear = pairs.into_iter().map(NameQuestion::Names).collect();
    app.popups
        .extend(NameQuestions::new(unclear).map(Popup::from));
    let shown = screen(&mut app, 80, 24);
    assert!(
        shown.contains("Opus 4") && shown.contains("1 more to answer"),
        "{shown}"
    );
    let effects = pressed(&mut app, KeyCode::Char('y'));
    assert!(
        matches!(
            effects.as_slice(),
            [Effect::SaveDecision(Decision::Join(_, true))]
        ),
        "{effects:?}"
    );
    let effects = pressed(&mut app, KeyCode::Char('n'));
    assert!(
        matches!(
            effects.as_slice(),
            [Effect::SaveDecision(Decision::Join(_, false))]
        ),
        "{effects:?}"
    );
    assert!(app.popups.is_empty());
    assert_eq!(app.shared.request.joins.same, [pair("Opus 4", "4 Opus")]);
    assert_eq!(app.shared.request.joins.apart, [pair("a 1", "1 a")]);
}

#[test]
fn a_metric_whose_direction_nobody_states_is_asked_for_and_then_ranked() {
    let folder = tempfile::tempdir().unwrap();
    let rows = (0..40)
        .flat_map(|sample| [("A", 1), ("B", 2)].map(|(model, score)| (sample, model, score)));
    let lines: Vec<String> = rows
        .map(|(sample, model, score)| {
            format!(
                "{{\"sample_id\": \"s{sample}\", \"benchmark\": \"b\", \"ability\": \"x\", \"model\": \"{model}\", \
                 \"metric\": \"drift\", \"score\": {}}}\n",
                score * 10 + sample % 3
            )
        })
        .collect();
    std::fs::write(folder.path().join("a.eyechart.jsonl"), lines.concat()).unwrap();
    let mut app = opened(folder.path().to_str().unwrap());
    let shown = screen(&mut app, 80, 24);
    assert!(
        shown.contains("which scores are better?") && shown.contains("drift"),
        "{shown}"
    );
    let effects = pressed(&mut app, KeyCode::Char('l'));
    let said = Decision::Direction("drift".to_owned(), "lower");
    assert!(
        matches!(effects.as_slice(), [Effect::SaveDecision(one)] if *one == said),
        "{effects:?}"
    );
    assert!(app.popups.is_empty());
    assert_eq!(app.shared.request.directions["drift"].name(), "lower");
    assert_eq!(app.shared.request.joins.metrics["drift"], "lower");
}

#[test]
fn a_threshold_holds_in_every_view_and_stays_when_logs_are_read_anew() {
    let mut app = opened(LOGS);
    let abilities: Vec<String> = app
        .shared
        .answers
        .columns("ava-bench")
        .iter()
        .map(|score| score.ability.clone())
        .collect();
    let at = abilities
        .iter()
        .position(|ability| ability == "localization")
        .unwrap();
    press(&mut app, &"right ".repeat(at));
    press(&mut app, "enter");
    assert_eq!(app.shared.right().as_deref(), Some("right if GIoU ≥ 0.5"));
    press(&mut app, "> > >");
    assert_eq!(app.shared.right().as_deref(), Some("right if GIoU ≥ 0.65"));
    let table = crate::tests::read(LOGS);
    let effects = app.receive(crate::tests::whole(table));
    crate::tests::settle(&mut app, effects);
    assert_eq!(app.shared.right().as_deref(), Some("right if GIoU ≥ 0.65"));
    press(&mut app, "esc 4 Y");
    let command = app.shared.request.right.get("giou");
    assert_eq!(command, Some(&0.65));
}
