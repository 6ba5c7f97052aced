//! Tests the popups of subgroups and rank data: content and drill-downs.

use std::path::Path;

use crossterm::event::KeyCode;
use ratatui::Terminal;
use ratatui::backend::TestBackend;

use crate::action::Action;
use crate::app::App;
use crate::effect::Effect;
use crate::keymap::ViewId;
use crate::popup::SliceTable;
use crate::shared::Look;
use crate::tests::{draw, opened, press, read, replaced, screen, settle};
use analysis::slices::SearchedModels;
use engine::Query;
use record::{Row, RowMap};
use workspace::columns::{UnmappedTable, unmapped};
use workspace::open::Change;
use workspace::open::Event;
use workspace::page::Sort;

/// Opens the fixture that contains a subgroup with known errors, with its model in the chart.
fn planted() -> App {
    let mut app = opened("tests/fixtures/slices/runs.eyechart.jsonl");
    let models = app.shared.models();
    app.shared.cell.row = models.iter().position(|model| model == "planted").unwrap();
    app
}

#[test]
fn findings_look_like_this() {
    let mut app = planted();
    press(&mut app, "2 f down");
    insta::assert_snapshot!("slices_80x24", screen(&mut app, 80, 24));
    insta::assert_snapshot!("slices_160x50", screen(&mut app, 160, 50));
    press(&mut app, "esc 4 f");
    insta::assert_snapshot!("slices_of_two_160x50", screen(&mut app, 160, 50));
}

#[test]
fn nothing_found_looks_like_this() {
    let mut app = opened("tests/fixtures/ava_bench");
    press(&mut app, "2 f");
    insta::assert_snapshot!("slices_none_80x24", screen(&mut app, 80, 24));
    press(&mut app, "enter");
    assert!(app.popups.len() == 1, "there is nothing to open");
    press(&mut app, "esc");
    assert!(app.popups.is_empty());
}

#[test]
fn enter_opens_exactly_the_samples_of_a_slice_and_escape_leads_back() {
    let mut app = planted();
    press(&mut app, "2 f");
    let (query, found) = app.shared.answers.slices.clone().unwrap();
    let who = query.search.who;
    assert_eq!(who, SearchedModels::Model("planted".to_owned()));
    press(&mut app, "enter");
    assert_eq!(
        (
            app.shared.view,
            app.shared.lens.model.as_deref(),
            app.shared.lens.step.as_str()
        ),
        (ViewId::Samples, Some("planted"), "animal:bird light:dark")
    );
    assert_eq!(app.shared.list.rows.len() as u64, found.slices[0].n);
    press(&mut app, "esc");
    assert_eq!(
        (app.shared.view, app.shared.lens.step.as_str()),
        (ViewId::Subgroups, "")
    );
}

#[test]
fn v_opens_the_pictures_of_a_slice_and_the_worst_first() {
    let mut app = planted();
    press(&mut app, "2 f v");
    let list = &app.shared.list;
    assert_eq!(
        (app.shared.view, list.look, list.sort),
        (ViewId::Samples, Look::Sheet, Sort::Worst)
    );
    assert_eq!(app.shared.lens.step, "animal:bird light:dark");
    let found = app.shared.answers.slices.as_ref().unwrap();
    assert_eq!(list.rows.len() as u64, found.1.slices[0].n);
    let mut none = opened("tests/fixtures/ava_bench");
    press(&mut none, "2 f v");
    assert_eq!(none.popups.len(), 1, "there is nothing to open");
}

#[test]
fn the_map_has_every_sample_and_opens_the_one_under_the_cursor() {
    let mut app = opened("sample_runs/exam");
    let effects = app.set_filter("ability:color model:hog".to_owned());
    settle(&mut app, effects);
    press(&mut app, "3 @");
    let (_, _, found) = app.shared.answers.map.clone().unwrap();
    assert_eq!(found.places.len(), app.shared.list.rows.len());
    assert!(!app.awaits_pictures());
    let shown = screen(&mut app, 120, 40);
    assert!(shown.contains(" % of the variance"), "{shown}");
    // Move from the first sample to a sample farther to the right or left.
    press(&mut app, "right left right enter");
    assert!(app.popups.is_empty());
    assert_eq!(app.shared.view, ViewId::Sample);
    let here = app.shared.list.here().unwrap();
    let item = app.shared.table.item(Row(here));
    assert!(found.places.iter().any(|place| place.item == item));
    // Without pictures, the map has no points to move between.
    let mut none = opened("tests/fixtures/ava_bench");
    let effects = none.set_filter("ability:fine_grained".to_owned());
    settle(&mut none, effects);
    press(&mut none, "3 @");
    let shown = screen(&mut none, 120, 40);
    assert!(
        shown.contains("no sample has a readable picture"),
        "{shown}"
    );
    press(&mut none, "right enter");
    assert_eq!((none.popups.len(), none.shared.view), (1, ViewId::Samples));
}

#[test]
fn a_map_stays_on_screen_while_logs_grow() {
    let mut app = opened("sample_runs/exam");
    let effects = app.set_filter("ability:color model:hog".to_owned());
    settle(&mut app, effects);
    press(&mut app, "3 @");
    let grown = replaced(
        read("sample_runs/exam"),
        RowMap::Nowhere,
        Change::Grown(1.0),
    );
    let effects = app.receive(grown);
    let is_map = |effect: &Effect| matches!(effect, Effect::Ask(query) if matches!(**query, Query::FailureGroups(_)));
    assert!(effects.iter().any(is_map));
    assert!(app.shared.answers.map.is_some());
    assert!(!app.awaits_pictures(), "the last map is shown");
}

#[test]
fn verdicts_refresh_an_open_search_and_clear_a_closed_one() {
    let mut app = planted();
    press(&mut app, "2 f");
    let judged = |app: &App| replaced(app.shared.table.clone(), RowMap::Nowhere, Change::Judged);
    let is_search = |effect: &Effect| matches!(effect, Effect::Ask(query) if matches!(**query, Query::Slices(_)));
    let event = judged(&app);
    let effects = app.receive(event);
    assert!(effects.iter().any(is_search));
    assert!(
        app.shared.answers.slices.is_some(),
        "shown until the next arrives"
    );
    press(&mut app, "esc");
    let event = judged(&app);
    app.receive(event);
    assert!(app.shared.answers.slices.is_none());
}

#[test]
fn tags_are_found_by_letters_in_order() {
    let names = ["box_area", "dataset", "difficulty"];
    let found = |text| super::part::fuzzy(text, names.iter(), |name| (**name).to_owned());
    assert_eq!(found(""), names.iter().collect::<Vec<_>>());
    assert_eq!(found("bxar"), [&"box_area"]);
    assert!(found("zz").is_empty());
}

#[test]
fn the_list_of_tags_has_pictures_read() {
    let mut app = opened("sample_runs/exam-topdown");
    press(&mut app, "2");
    let names = |app: &App| -> Vec<String> {
        let splits = app.shared.answers.splits.iter();
        splits.map(|split| split.name()).collect()
    };
    let before = names(&app);
    assert!(
        !before.contains(&"auto.brightness".to_owned()),
        "{before:?}"
    );
    press(&mut app, ";");
    let after = names(&app);
    assert!(after.contains(&"auto.brightness".to_owned()), "{after:?}");
    assert!(before.iter().all(|name| after.contains(name)));
    assert!(!screen(&mut app, 80, 24).contains("are being read"));
}

#[test]
fn a_slice_narrows_the_filter_that_there_is() {
    let mut app = planted();
    let effects = app.set_filter("count:..20 or count:21..".to_owned());
    crate::tests::settle(&mut app, effects);
    press(&mut app, "2 f enter");
    assert_eq!(
        (
            app.shared.lens.filter.as_str(),
            app.shared.lens.step.as_str()
        ),
        ("count:..20 or count:21..", "animal:bird light:dark")
    );
    assert_eq!(
        app.shared.list.rows.len() as u64,
        app.shared.answers.slices.as_ref().unwrap().1.slices[0].n
    );
}

#[test]
fn a_search_is_made_once_and_again_for_another_lens() {
    let mut app = planted();
    let asks = |effects: &[Effect]| {
        let is_search = |effect: &Effect| matches!(effect, Effect::Ask(query) if matches!(**query, Query::Slices(_)));
        effects.iter().any(is_search)
    };
    press(&mut app, "2");
    let first = app.pop_up(SliceTable::default());
    assert!(asks(&first), "not known yet");
    assert!(screen(&mut app, 80, 24).contains("searching"));
    crate::tests::settle(&mut app, first);
    press(&mut app, "esc");
    let again = app.pop_up(SliceTable::default());
    assert!(!asks(&again), "known");
    press(&mut app, "esc a");
    let other = app.pop_up(SliceTable::default());
    assert!(asks(&other), "another ability");
}

#[test]
fn the_basis_of_ranks_looks_like_this() {
    let mut app = opened("tests/fixtures/ranks/runs.eyechart.jsonl");
    press(&mut app, "R");
    insta::assert_snapshot!("ranks_80x24", screen(&mut app, 80, 24));
    press(&mut app, "right");
    insta::assert_snapshot!("ranks_160x50", screen(&mut app, 160, 50));
    assert_eq!(
        (app.popups.len(), app.shared.cell.column),
        (1, 1),
        "the cursor moves below"
    );
    press(&mut app, "esc");
    assert!(app.popups.is_empty());
    let mut printed = opened("sample_runs/ava_bench.scores.csv");
    press(&mut printed, "R down");
    insta::assert_snapshot!("ranks_printed_80x24", screen(&mut printed, 80, 24));
}

#[test]
fn where_the_rules_disagree_looks_like_this() {
    let mut app = opened("tests/fixtures/ava_bench");
    press(&mut app, "D");
    insta::assert_snapshot!("scorers_80x24", screen(&mut app, 80, 24));
    press(&mut app, "down");
    insta::assert_snapshot!("scorers_160x50", screen(&mut app, 160, 50));
    let mut printed = opened("sample_runs");
    press(&mut printed, "1 D enter");
    insta::assert_snapshot!("scorers_printed_80x24", screen(&mut printed, 80, 24));
    assert_eq!(printed.popups.len(), 1, "there is nothing to open");
}

#[test]
fn enter_opens_exactly_the_samples_of_a_reason_and_escape_leads_back() {
    let mut app = opened("tests/fixtures/ava_bench");
    let effects = app.set_filter("model:clip or model:dinov2".to_owned());
    crate::tests::settle(&mut app, effects);
    press(&mut app, "D down down enter");
    let found = app.shared.answers.scorers.clone().unwrap().1;
    let ability = app.shared.lens.ability.clone().unwrap();
    let class = app.shared.lens.step.rsplit_once(':').unwrap().1.to_owned();
    let of_ability = found
        .found
        .abilities
        .iter()
        .find(|row| row.ability == ability)
        .unwrap();
    let reason = of_ability
        .reasons
        .iter()
        .find(|row| row.class.name() == class)
        .unwrap();
    assert_eq!(app.shared.view, ViewId::Samples);
    assert!(app.shared.lens.step.starts_with("scorers:"));
    assert_eq!(app.shared.list.rows.len() as u64, reason.share.count);
    press(&mut app, "enter");
    let shown = screen(&mut app, 120, 40);
    assert!(shown.contains("strict"), "{shown}");
    press(&mut app, "esc esc");
    assert_eq!(
        (app.shared.view, app.shared.lens.filter.as_str()),
        (ViewId::Fingerprint, "model:clip or model:dinov2")
    );
}

#[test]
fn enter_opens_the_samples_that_a_known_rule_changes_with_both_readings() {
    let mut app = opened("tests/fixtures/lmms_eval/logs");
    press(&mut app, "1");
    app.shared.lens.benchmark = "pope_mini".to_owned();
    press(&mut app, "D");
    let (asked, found) = app.shared.answers.scorers.clone().unwrap();
    assert!(!asked.quick, "the known rules follow the reasons");
    let own = found
        .rules
        .iter()
        .filter(|it| it.benchmark == app.shared.lens.benchmark);
    let rules = own.flat_map(|it| &it.rules);
    let rules = rules.filter(|rule| rule.differs > 0 && rule.rule != "strict");
    let changed: Vec<(&str, u64)> = rules.map(|rule| (rule.rule, rule.differs)).collect();
    let (last, differs) = *changed.last().expect("a rule that changes a score");
    for _ in 0..50 {
        press(&mut app, "down");
    }
    let shown = screen(&mut app, 120, 40);
    assert!(
        shown.contains(last) && shown.contains("score  rank"),
        "{shown}"
    );
    press(&mut app, "enter");
    assert_eq!(app.shared.lens.step, format!("scorers:{last}"));
    assert_eq!(app.shared.list.rows.len() as u64, differs);
    press(&mut app, "enter");
    let shown = screen(&mut app, 120, 40);
    let is_read = |line: &str| {
        line.contains(last) && (line.contains("read as") || line.contains("could not be read"))
    };
    assert!(shown.lines().any(is_read), "{shown}");
}

/// Returns a table of the fixture under another name, with some columns renamed.
fn unknown(name: &str, rename: &[(usize, &str)]) -> UnmappedTable {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let path = path.join("tests/fixtures/columns/other.csv");
    let mut table = reader::mapped::unmapped(&path).unwrap();
    table.path = name.into();
    for (column, name) in rename {
        table.columns[*column].0 = (*name).to_owned();
    }
    table
}

/// Opens the form for a table of the fixture.
fn asked_about(name: &str) -> App {
    let mut app = opened("tests/fixtures/ava_bench");
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let path = path.join("tests/fixtures/columns").join(name);
    let effects = app.ask_for_columns(vec![reader::mapped::unmapped(&path).unwrap()]);
    settle(&mut app, effects);
    app
}

#[test]
fn scores_follow_each_change_of_a_meaning() {
    let mut app = asked_about("reply.csv");
    assert!(screen(&mut app, 80, 24).contains("Missing: the column of the response"));
    // Before this key press, the last column is a tag.
    press(&mut app, &format!("G {}", "left ".repeat(8)));
    let shown = screen(&mut app, 80, 24);
    assert!(
        shown.contains("8 predictions · 2 models · 2 columns · accuracy ↑ · n 2"),
        "{shown}"
    );
    for row in ["small   0.500  1.000", "large   1.000  1.000"] {
        assert!(shown.contains(row), "{shown}");
    }
    press(&mut app, "left");
    let shown = screen(&mut app, 80, 24);
    assert!(shown.contains("No scores yet"), "{shown}");
}

#[test]
fn the_last_choice_of_a_meaning_counts() {
    let mut app = asked_about("reply.csv");
    // The column of the question also gets the field `target`.
    press(&mut app, "down down down right");
    let shown = screen(&mut app, 80, 24);
    assert_eq!(shown.matches("target").count(), 2, "{shown}");
    press(&mut app, "down");
    let shown = screen(&mut app, 80, 24);
    assert_eq!(shown.matches("target").count(), 1, "{shown}");
}

#[test]
fn rows_can_be_published_scores() {
    let mut app = asked_about("leaderboard.csv");
    assert!(screen(&mut app, 80, 24).contains("88.100"));
    press(&mut app, "up right");
    assert!(screen(&mut app, 80, 24).contains("Missing: the column of the response"));
    press(&mut app, "right G right right");
    let effects = app.on_key(KeyCode::Enter.into());
    let [Effect::MapColumns(map)] = effects.as_slice() else {
        panic!("{effects:?}");
    };
    assert_eq!(map.scores, ["Reading", "Counting", "Charts"]);
    assert_eq!(map.score_names.as_deref(), Some("ability"));
    assert_eq!(map.fixed["direction"], "lower");
}

#[test]
fn what_columns_are_is_asked_like_this() {
    let mut app = asked_about("other.csv");
    insta::assert_snapshot!("columns_80x24", screen(&mut app, 80, 24));
    press(&mut app, "space");
    insta::assert_snapshot!("columns_meanings_80x24", screen(&mut app, 80, 24));
    let mut app = asked_about("leaderboard.csv");
    insta::assert_snapshot!("columns_published_120x30", screen(&mut app, 120, 30));
}

#[test]
fn each_kind_of_unknown_table_is_asked_for_once() {
    let mut app = opened("tests/fixtures/ava_bench");
    app.ask_for_columns(vec![
        unknown("a.csv", &[]),
        unknown("b.csv", &[]),
        unknown("c.csv", &[(0, "index")]),
    ]);
    assert!(screen(&mut app, 80, 24).contains("the columns of a.csv"));
    press(&mut app, "esc");
    assert!(screen(&mut app, 80, 24).contains("the columns of c.csv"));
    press(&mut app, "esc");
    assert!(app.popups.is_empty());
}

#[test]
fn a_form_that_was_put_off_opens_again() {
    let mut app = opened("tests/fixtures/columns/other.csv");
    app.act(Action::NameColumns);
    assert!(app.popups.is_empty(), "nothing was found yet");
    let table = unmapped(&app.shared.table).remove(0);
    let effects = app.receive(Event::Unmapped(vec![table]));
    settle(&mut app, effects);
    press(&mut app, "esc");
    let shown = screen(&mut app, 80, 24);
    assert!(
        shown.contains("F4                      opens the form for the columns"),
        "{shown}"
    );
    assert!(
        shown.contains("F4 opens the form for the columns"),
        "{shown}"
    );
    app.act(Action::NameColumns);
    assert!(screen(&mut app, 80, 24).contains("the columns of other.csv"));
}

#[test]
fn columns_that_are_known_open_the_file_and_are_remembered() {
    let mut app = opened("tests/fixtures/ava_bench");
    app.ask_for_columns(vec![
        unknown("a.csv", &[(5, "said"), (6, "fine")]),
        unknown("b.csv", &[(0, "index")]),
    ]);
    press(&mut app, "enter");
    assert_eq!(
        app.popups.len(),
        2,
        "neither a response nor a score is known"
    );
    // The sixth column has no field yet. The seventh field in the list is the response.
    press(&mut app, "down down down down down");
    press(&mut app, &"right ".repeat(7));
    let effects = app.on_key(KeyCode::Enter.into());
    let [Effect::MapColumns(map)] = effects.as_slice() else {
        panic!("{effects:?}");
    };
    assert_eq!(map.response.as_deref(), Some("said"));
    assert_eq!(map.target.as_deref(), Some("answer"));
    assert!(
        app.popups.is_empty(),
        "the rest is asked for when all was read again"
    );
}

#[test]
fn help_stands_in_two_columns_at_80() {
    let mut app = opened("tests/fixtures/ava_bench");
    for view in ViewId::ALL {
        app.shared.view = view;
        press(&mut app, "?");
        screen(&mut app, 80, 24);
        assert!(
            app.drawn.popups[0].0.width > 60,
            "{view:?}: {:?}",
            app.drawn.popups[0].0
        );
        press(&mut app, "esc");
    }
}

#[test]
fn the_key_line_shows_the_keys_of_the_popup() {
    let mut app = planted();
    press(&mut app, "1");
    for (key, expected) in [
        ("W", "Enter compare"),
        ("R", "←→ ability"),
        ("S", "Enter read the included logs"),
        ("/", "Tab complete"),
        (":", "Enter run"),
        ("?", "Esc close"),
    ] {
        press(&mut app, key);
        let shown = screen(&mut app, 80, 24);
        let last = shown.lines().last().unwrap();
        assert!(last.contains(expected), "{key}: {last}");
        assert!(!last.contains("samples"), "{key}: {last}");
        press(&mut app, "esc");
    }
    let shown = screen(&mut app, 80, 24);
    assert!(shown.lines().last().unwrap().contains("Enter samples"));
}

#[test]
fn the_screen_behind_a_popup_is_dim_but_that_of_the_tour_is_not() {
    let mut app = planted();
    let bright_cells = |app: &mut App| {
        let mut terminal = Terminal::new(TestBackend::new(80, 24)).unwrap();
        draw(app, &mut terminal);
        let dim = app.shared.theme.dim().fg;
        let tabs = terminal.backend().buffer().content()[..80].iter();
        let shown = tabs.filter(|cell| cell.symbol() != " ");
        shown.filter(|cell| Some(cell.fg) != dim).count()
    };
    press(&mut app, "1");
    assert!(bright_cells(&mut app) > 0);
    press(&mut app, "W");
    assert_eq!(bright_cells(&mut app), 0);
    press(&mut app, "esc");
    app.act(Action::Tour);
    assert!(bright_cells(&mut app) > 0);
}
