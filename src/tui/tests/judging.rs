//! Tests verdicts given in lists: which sample gets the verdict, and how it is displayed.

use super::samples::{here, judged, settled, with_options};
use super::{opened, press, screen, settle};
use crate::app::App;
use crate::keymap::ViewId;
use crate::shared::{Look, key_of};
use record::Row;
use record::verdict::{SampleKey, Verdict};

const AVA: &str = "tests/fixtures/ava_bench";

/// Marks all verdicts as saved, so that their signs are shown.
fn save(app: &mut App) {
    app.shared.verdicts.unsaved.clear();
}

fn notice(app: &App) -> String {
    app.shared.notice.clone().unwrap_or_default()
}

#[test]
fn a_verdict_goes_to_the_sample_under_the_cursor_and_the_cursor_to_the_next_one() {
    let mut app = with_options();
    press(&mut app, "g J");
    let first = here(&app);
    assert_eq!(judged(&mut app, ' '), [(first.clone(), Verdict::Ok)]);
    assert_eq!(notice(&app), format!("{}: ok", first.sample_id));
    let second = here(&app);
    assert_ne!(second, first);
    assert_eq!(
        judged(&mut app, 'x'),
        [(second.clone(), Verdict::WrongLabel)]
    );
    assert_eq!(notice(&app), format!("{}: wrong label", second.sample_id));
    press(&mut app, "u");
    assert_eq!(here(&app), second, "the cursor goes back");
    press(&mut app, "G");
    let last = here(&app);
    assert_eq!(judged(&mut app, 'd'), [(last.clone(), Verdict::Ambiguous)]);
    assert_eq!(here(&app), last);
    assert!(notice(&app).ends_with("this is the last sample"));
}

#[test]
fn a_list_sorted_by_sample_goes_on_to_another_sample() {
    let mut app = with_options();
    press(&mut app, "C enter g J");
    let rows = app.shared.list.rows.clone();
    let key = |row: u32| key_of(&app.shared.table, row);
    assert_eq!(key(rows[0]), key(rows[1]), "another model's answer");
    let next = rows.iter().position(|row| key(*row) != key(rows[0]));
    judged(&mut app, 'x');
    assert_eq!(Some(app.shared.list.table.selected), next);
}

#[test]
fn the_matrix_judges_the_sample_of_the_row() {
    let mut app = with_options();
    press(&mut app, "v v");
    settled(&mut app, 160, 40);
    press(&mut app, "right J");
    let (_, _, matrix) = app.shared.answers.matrix.clone().unwrap();
    let samples = matrix.rows.iter();
    let first = samples.map(|sample| sample.answers().next().unwrap());
    let keys: Vec<SampleKey> = first
        .map(|Row(row)| key_of(&app.shared.table, row))
        .collect();
    for (key, row, verdict) in [
        ('x', 0, Verdict::WrongLabel),
        ('d', 1, Verdict::Ambiguous),
        (' ', 2, Verdict::Ok),
    ] {
        assert_eq!(judged(&mut app, key), [(keys[row].clone(), verdict)]);
    }
    assert!(app.shared.marked.is_empty(), "Space judges");
    save(&mut app);
    let shown = settled(&mut app, 160, 40);
    assert!(shown.contains("judging labels, J ends it"), "{shown}");
    let signs = shown.lines().filter_map(|line| {
        let first = line.trim_start_matches(['"', ' ']).chars().next()?;
        ['✗', '~', '✓'].contains(&first).then_some(first)
    });
    assert_eq!(signs.collect::<String>(), "✗~✓", "{shown}");
    press(&mut app, "u");
    assert!(!app.shared.verdicts.has_judged(&keys[2]));
    let row = app.views.samples.matrix.here(&app.shared).unwrap();
    assert_eq!(key_of(&app.shared.table, row), keys[2]);
    press(&mut app, "G");
    let last = keys.last().unwrap().clone();
    assert_eq!(judged(&mut app, 'i'), [(last, Verdict::BadImage)]);
    assert!(notice(&app).ends_with("this is the last sample"));
}

#[test]
fn a_selection_ends_where_it_is_not_visible() {
    let mut app = with_options();
    press(&mut app, "g space v");
    assert_eq!(app.shared.marked.len(), 1, "the sheet shows it");
    press(&mut app, "v");
    assert!(app.shared.marked.is_empty());
    assert_eq!(notice(&app), "1 answer deselected");
    settled(&mut app, 160, 40);
    press(&mut app, "space");
    assert_eq!(app.shared.marked.len(), 1);
    press(&mut app, "J v v");
    assert_eq!(app.shared.list.look, Look::List);
    assert!(app.shared.marked.is_empty());
    press(&mut app, "down");
    let here = here(&app);
    assert_eq!(judged(&mut app, ' '), [(here, Verdict::Ok)]);
}

#[test]
fn rows_and_pictures_have_the_sign_of_their_verdict() {
    let mut app = with_options();
    press(&mut app, "g J");
    judged(&mut app, 'd');
    save(&mut app);
    // The list is too narrow for verdicts in words.
    let shown = settled(&mut app, 100, 30);
    let left = shown.lines().filter_map(|line| line.split('│').next());
    let signs: Vec<&str> = left.filter(|line| line.contains('~')).collect();
    assert!(!signs.is_empty(), "{shown}");
    assert!(
        signs.iter().all(|line| !line.contains("ambiguous")),
        "{shown}"
    );
    press(&mut app, "g v");
    let shown = settled(&mut app, 120, 40);
    assert!(shown.contains("~ "), "{shown}");
    press(&mut app, "u");
    save(&mut app);
    assert!(!settled(&mut app, 120, 40).contains("~ "));
}

#[test]
fn samples_open_as_they_were_left() {
    let mut app = opened(AVA);
    screen(&mut app, 120, 36);
    press(&mut app, "space down space 3");
    assert_eq!(app.shared.list.look, Look::Matrix);
    press(&mut app, "v v 7 3");
    assert_eq!(
        (app.shared.view, app.shared.list.look),
        (ViewId::Samples, Look::List)
    );
    // Change the order of the selected models.
    app.shared.picked.swap(0, 1);
    press(&mut app, "1 3");
    assert_eq!(
        app.shared.list.look,
        Look::List,
        "selected before the view was left"
    );
    press(&mut app, "1");
    app.shared.picked.swap(0, 1);
    press(&mut app, "3");
    assert_eq!(app.shared.list.look, Look::Matrix);
}

#[test]
fn samples_of_one_model_open_as_a_list() {
    let mut app = opened(AVA);
    screen(&mut app, 120, 36);
    press(&mut app, "space down space enter");
    assert!(app.shared.lens.model.is_some());
    press(&mut app, "7");
    // Change the selected models while another view is shown.
    app.shared.picked.swap(0, 1);
    press(&mut app, "3");
    assert!(app.shared.lens.model.is_some());
    assert_eq!(app.shared.list.look, Look::List);
}

#[test]
fn models_have_no_letters_beside_options_with_letters() {
    // Returns the number of model names that follow one of these signs.
    let heads = |app: &mut App, signs: &[&str]| -> usize {
        let shown = settled(app, 120, 40);
        let models = app.shared.models().into_iter();
        let heads = models.flat_map(|model| {
            let head = |sign: &&str| format!("{sign} {model}");
            signs.iter().map(head).collect::<Vec<_>>()
        });
        heads.filter(|head| shown.contains(head)).count()
    };
    let mut app = opened("sample_runs/exam");
    let effects = app.set_filter("ability:fine_grained".to_owned());
    settle(&mut app, effects);
    press(&mut app, "3 G enter c");
    assert!(notice(&app).starts_with("second model: "));
    assert_eq!(heads(&mut app, &["A", "B"]), 0);
    assert_eq!(heads(&mut app, &["✓", "✗"]), 2);
    let mut app = opened(AVA);
    press(&mut app, "3 a a a a G enter c");
    assert_eq!(heads(&mut app, &["A", "B"]), 2);
}
