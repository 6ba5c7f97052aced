//! Tests the samples view: list with preview, sheet, matrix, selections and judging.

use super::{draw, opened, press, read, screen, settle};
use crate::app::App;
use crate::effect::Effect;
use crate::keymap::ViewId;
use crate::screen::fields;
use crate::shared::{ListColumn, Look, key_of};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use record::Row;
use record::verdict::{SampleKey, Verdict};
use workspace::page::list_row;

const AVA: &str = "tests/fixtures/ava_bench";

/// Returns the screen after the data that a frame requested have arrived.
pub fn settled(app: &mut App, width: u16, height: u16) -> String {
    screen(app, width, height);
    screen(app, width, height)
}

/// Draws a frame, presses a key, and returns the effects.
fn effects_of(app: &mut App, key: char) -> Vec<Effect> {
    let mut terminal = Terminal::new(TestBackend::new(80, 24)).unwrap();
    draw(app, &mut terminal);
    app.on_key(KeyEvent::new(KeyCode::Char(key), KeyModifiers::NONE))
}

fn writes(effects: &[Effect]) -> bool {
    effects
        .iter()
        .any(|effect| matches!(effect, Effect::SaveVerdict(_)))
}

/// Returns the verdicts to save.
pub fn kept(effects: &[Effect]) -> Vec<(SampleKey, Verdict)> {
    let entry = |effect: &Effect| match effect {
        Effect::SaveVerdict(entry) => Some((entry.sample.clone(), entry.verdict)),
        _ => None,
    };
    effects.iter().filter_map(entry).collect()
}

/// Returns the sample under the cursor of the list.
pub fn here(app: &App) -> SampleKey {
    key_of(&app.shared.table, app.shared.list.here().unwrap())
}

/// Draws a frame, presses a key, and returns the verdicts to save.
pub fn judged(app: &mut App, key: char) -> Vec<(SampleKey, Verdict)> {
    kept(&effects_of(app, key))
}

/// Opens the samples of an ability with options, by one model.
pub fn with_options() -> App {
    let mut app = opened(AVA);
    let effects = app.set_filter("ability:scene_recognition".to_owned());
    settle(&mut app, effects);
    press(&mut app, "3");
    app
}

#[test]
fn the_sample_under_the_cursor_stands_beside_the_list_where_there_is_room() {
    let mut app = with_options();
    let row = Row(app.shared.list.here().unwrap());
    let question = app.shared.table.question(app.shared.table.item(row));
    let words: Vec<&str> = question.split_whitespace().take(3).collect();
    let words = words.join(" ");
    assert!(settled(&mut app, 140, 40).contains("all "));
    let wide = settled(&mut app, 140, 40);
    assert!(wide.contains(&words), "{words} in\n{wide}");
    let narrow = settled(&mut app, 80, 24);
    assert!(narrow.contains(&words), "below the list: {narrow}");
}

#[test]
fn answers_stand_beside_targets_with_the_text_of_their_options() {
    let mut app = with_options();
    // The worst answers come last here; they could not be parsed.
    press(&mut app, "G");
    let shown = settled(&mut app, 80, 24);
    let row = app.shared.list.here().unwrap();
    let brief = app
        .shared
        .fetched
        .briefs
        .peek(&row)
        .unwrap()
        .clone()
        .unwrap();
    let answer = brief.answer.unwrap();
    // Long answers are cut.
    let begin = |text: &str| text.chars().take(8).collect::<String>();
    assert!(
        answer.len() > 2 && shown.contains(&begin(&answer)),
        "{answer} in\n{shown}"
    );
    assert!(
        shown.contains(&begin(&brief.target)),
        "{} in\n{shown}",
        brief.target
    );
}

#[test]
fn what_is_the_same_in_every_row_has_no_column_until_it_is_wanted() {
    let mut app = with_options();
    assert!(!fields(&app.shared).contains(&ListColumn::Ability));
    assert!(fields(&app.shared).contains(&ListColumn::Model));
    press(&mut app, "m");
    assert!(!fields(&app.shared).contains(&ListColumn::Model));
    // Open the columns, move to the model's column, and make it always visible.
    press(&mut app, "C");
    for _ in 0..5 {
        press(&mut app, "down");
    }
    press(&mut app, "space esc");
    assert!(fields(&app.shared).contains(&ListColumn::Model));
}

#[test]
fn a_sheet_of_samples_like_one_begins_with_it_and_another_order_ends_it() {
    let mut app = opened("sample_runs/exam");
    let effects = app.set_filter("ability:color model:hog".to_owned());
    settle(&mut app, effects);
    press(&mut app, "3 v down");
    let row = app.shared.list.here().unwrap();
    let table = app.shared.table.clone();
    let item = table.item(Row(row));
    press(&mut app, "~");
    let list = &app.shared.list;
    assert_eq!((app.shared.view, list.look), (ViewId::Samples, Look::Sheet));
    assert!(!app.shared.is_comparing());
    assert_eq!(
        (table.item(Row(list.rows[0])), list.table.selected),
        (item, 0)
    );
    let shown = screen(&mut app, 160, 50);
    assert!(
        shown.contains(&format!("most like {} first", table.sample_id(item))),
        "{shown}"
    );
    press(&mut app, ",");
    assert_eq!(app.shared.list.other, None);
    assert!(!screen(&mut app, 160, 50).contains("most like"));
    let before = app.shared.list.rows.clone();
    press(&mut app, "~ esc");
    assert_eq!(app.shared.list.other, None, "Esc goes back to the order");
    assert_eq!(app.shared.list.rows, before);
}

#[test]
fn a_sample_without_a_picture_cannot_be_compared() {
    let mut app = with_options();
    let before = app.shared.list.rows.clone();
    press(&mut app, "~");
    let notice = app.shared.notice.clone().unwrap();
    assert!(
        notice.ends_with("it has no readable picture on this machine"),
        "{notice}"
    );
    assert_eq!(
        (&app.shared.list.other, app.shared.list.rows.len()),
        (&None, before.len())
    );
}

#[test]
fn a_title_sorts_and_once_more_turns_the_order() {
    let mut app = with_options();
    press(&mut app, "C enter");
    let ids = |app: &App| -> Vec<String> {
        let table = &app.shared.table;
        let id = |row: &u32| table.sample_id(table.item(Row(*row))).to_owned();
        app.shared.list.rows.iter().map(id).collect()
    };
    let up = ids(&app);
    assert!(up.is_sorted());
    press(&mut app, "C enter");
    let down = ids(&app);
    assert!(down.iter().rev().is_sorted() && down != up);
}

#[test]
fn a_sheet_moves_in_two_directions_and_opens_the_sample_under_the_cursor() {
    let mut app = with_options();
    press(&mut app, "v g");
    let shown = settled(&mut app, 120, 40);
    assert!(shown.contains('┏'), "{shown}");
    press(&mut app, "right down");
    let at = app.shared.list.table.selected;
    assert!(at > 2, "a line of frames is more than one: {at}");
    press(&mut app, "up left");
    assert_eq!(app.shared.list.table.selected, 0);
    press(&mut app, "+ down");
    settled(&mut app, 120, 40);
    press(&mut app, "g down");
    assert!(
        app.shared.list.table.selected < at,
        "larger frames, fewer in a line"
    );
    press(&mut app, "enter");
    assert_eq!(app.shared.view, ViewId::Sample);
}

#[test]
fn the_matrix_begins_with_what_the_models_differ_on_and_opens_an_answer() {
    let mut app = with_options();
    press(&mut app, "v v");
    let shown = settled(&mut app, 160, 40);
    let (_, _, matrix) = app.shared.answers.matrix.clone().unwrap();
    let disagreement = |right: f64| right * (1.0 - right);
    let order: Vec<f64> = matrix
        .rows
        .iter()
        .map(|row| disagreement(row.right))
        .collect();
    assert!(
        order.is_sorted_by(|a, b| a >= b) && order[0] > 0.0,
        "{order:?}"
    );
    for model in &matrix.columns {
        // The suffix shared by all names is shown in the status line only.
        let name = model.split('_').next().unwrap();
        assert!(shown.contains(name), "{name} in\n{shown}");
    }
    press(&mut app, "right down enter");
    assert_eq!(app.shared.view, ViewId::Sample);
    let expected = matrix.rows[1].cell(1).unwrap();
    assert_eq!(app.shared.list.here(), Some(expected.0));
    press(&mut app, "esc");
    assert_eq!(app.shared.view, ViewId::Samples);
}

#[test]
fn the_matrix_selects_its_own_answers_while_judging_is_off() {
    let mut app = with_options();
    press(&mut app, "v v");
    settled(&mut app, 160, 40);
    press(&mut app, "right down");
    for key in ['x', 'd', 'i', 't', 'N', 'u'] {
        assert!(!writes(&effects_of(&mut app, key)), "{key}");
        assert!(app.popups.is_empty(), "{key}");
        let notice = app.shared.notice.clone().unwrap_or_default();
        assert_eq!(notice, "press J first to judge labels", "{key}");
    }
    press(&mut app, "space");
    let (_, _, matrix) = app.shared.answers.matrix.clone().unwrap();
    let Row(expected) = matrix.rows[1].cell(1).unwrap();
    assert_eq!(app.shared.marked.iter().collect::<Vec<_>>(), [&expected]);
    press(&mut app, "down");
    assert!(settled(&mut app, 160, 40).contains("1 selected"));
}

#[test]
fn another_lens_has_another_matrix() {
    let mut app = with_options();
    press(&mut app, "v v");
    settled(&mut app, 160, 40);
    let effects = app.set_filter("ability:ocr".to_owned());
    settle(&mut app, effects);
    let shown = settled(&mut app, 160, 40);
    let (asked, of, matrix) = app.shared.answers.matrix.clone().unwrap();
    assert!(asked.scope.filter.contains("ocr") && of == app.shared.table.generation());
    let item = matrix.rows[0].item;
    let id = app.shared.table.sample_id(item);
    let end: String = id.chars().skip(id.len() - 4).collect();
    assert!(shown.contains(&end), "{end} in\n{shown}");
}

#[test]
fn all_models_answers_stand_on_the_page_of_a_sample() {
    let mut app = with_options();
    press(&mut app, "enter");
    let shown = settled(&mut app, 240, 44);
    let row = Row(app.shared.list.here().unwrap());
    let others = workspace::page::answers_to(&app.shared.table, row);
    assert!(others.len() > 1);
    assert!(
        shown.contains(&format!("all {} answers", others.len())),
        "{shown}"
    );
    for row in others {
        let table = &app.shared.table;
        let model = table.names().model(table.model(row));
        assert!(shown.contains(model), "{model} in\n{shown}");
    }
}

#[test]
fn outside_of_judging_no_key_writes() {
    let mut app = with_options();
    for key in [' ', 'x', 'd', 'i', 'u', 'U', 'N', 't'] {
        let effects = effects_of(&mut app, key);
        assert!(!writes(&effects), "{key} in the list");
        app.popups.clear();
    }
    assert_eq!(app.shared.marked.len(), 1, "the space bar selects");
    press(&mut app, "enter");
    for key in ['x', 'd', 'i', 't'] {
        let effects = effects_of(&mut app, key);
        assert!(!writes(&effects), "{key} on a sample");
    }
    assert!(
        app.shared
            .notice
            .as_deref()
            .unwrap()
            .contains("judge labels")
    );
    app.shared.marked.clear();
    press(&mut app, "J");
    assert!(writes(&effects_of(&mut app, 'x')));
}

#[test]
fn selected_samples_are_listed_alone_and_get_no_verdict() {
    let mut app = with_options();
    press(&mut app, "g space space");
    let marked: Vec<u32> = app.shared.marked.iter().copied().collect();
    assert_eq!(marked.len(), 2);
    let table = app.shared.table.clone();
    let mut items: Vec<_> = marked.iter().map(|row| table.item(Row(*row))).collect();
    items.dedup();
    press(&mut app, "K");
    assert!(
        app.shared
            .list
            .rows
            .iter()
            .all(|row| items.contains(&table.item(Row(*row))))
    );
    press(&mut app, "esc");
    app.shared.marked = marked.into_iter().collect();
    press(&mut app, "J");
    let here = here(&app);
    let kept = judged(&mut app, 'd');
    assert_eq!(kept, [(here, Verdict::Ambiguous)]);
    assert_eq!(app.shared.marked.len(), 2);
    assert!(settled(&mut app, 120, 36).contains("2 selected"));
}

#[test]
fn a_spot_check_takes_one_verdict_for_each_sample_that_was_drawn() {
    let mut app = opened(AVA);
    press(&mut app, "7 d");
    let first = effects_of(&mut app, ' ');
    assert!(writes(&first));
    // The next sample is selected but not drawn yet.
    let again = app.on_key(KeyEvent::new(KeyCode::Char(' '), KeyModifiers::NONE));
    assert!(!writes(&again));
    assert!(writes(&effects_of(&mut app, ' ')));
}

#[test]
fn a_notice_of_what_was_copied_takes_no_key() {
    let mut app = with_options();
    press(&mut app, "g Y");
    assert_eq!(app.popups.len(), 1);
    press(&mut app, "down");
    assert!(app.popups.is_empty());
    assert_eq!(
        app.shared.list.table.selected, 1,
        "the key did what it does"
    );
}

#[test]
fn what_a_step_selected_goes_when_another_view_is_opened() {
    let mut app = opened(AVA);
    press(&mut app, "4 enter");
    assert_eq!(app.shared.view, ViewId::Samples);
    assert!(!app.shared.lens.step.is_empty() && app.shared.lens.filter.is_empty());
    let held = app.shared.list.rows.len();
    press(&mut app, "1");
    assert!(app.shared.lens.step.is_empty());
    assert!(held > 0);
}

#[test]
fn views_open_on_what_the_cursor_was_on() {
    let mut app = opened(AVA);
    press(&mut app, "right right down");
    let ability = app.shared.ability_under_cursor().unwrap();
    press(&mut app, "4");
    assert_eq!(
        app.views.compare.ability(&app.shared).as_deref(),
        Some(ability.as_str())
    );
    press(&mut app, "1 2");
    assert_eq!(app.shared.lens.ability.as_deref(), Some(ability.as_str()));
    press(&mut app, "esc 7");
    assert_eq!(app.shared.lens.ability, None, "a cursor narrows nothing");
    press(&mut app, "3 down 1");
    let row = Row(app.shared.list.here().unwrap());
    let table = &app.shared.table;
    let ability = app.shared.ability_under_cursor().unwrap();
    assert_eq!(table.ability(table.item(row)).unwrap().name, ability);
    let model = &app.shared.models()[app.shared.cell.row];
    assert_eq!(table.names().model(table.model(row)), model);
}

#[test]
fn a_key_leads_to_the_worst_ability_of_a_model() {
    let mut app = opened(AVA);
    press(&mut app, "down w");
    let model = app.shared.models()[app.shared.cell.row].clone();
    let ability = app.shared.ability_under_cursor().unwrap();
    let ranks = app.shared.answers.scores.iter();
    let all = ranks.filter(|score| score.counts() && score.ability == ability);
    let last = all.clone().filter_map(|score| score.rank).max().unwrap();
    let here = all.clone().find(|score| score.model == model).unwrap();
    assert!(last > 1);
    assert_eq!(here.rank, Some(last), "no model is worse there");
}

#[test]
fn several_benchmarks_open_as_a_list_and_one_as_its_ranks() {
    let mut app = opened("sample_runs");
    assert_eq!(app.shared.view, ViewId::Overview);
    let shown = screen(&mut app, 120, 36);
    for opened in &app.shared.answers.opened {
        assert!(
            shown.contains(&opened.benchmark),
            "{} in\n{shown}",
            opened.benchmark
        );
    }
    press(&mut app, "down enter");
    assert_eq!(
        (app.shared.view, app.shared.list.look),
        (ViewId::Fingerprint, Look::List)
    );
    assert_eq!(
        app.shared.lens.benchmark,
        app.shared.answers.opened[1].benchmark
    );
    press(&mut app, "esc");
    assert_eq!(app.shared.view, ViewId::Overview);
    assert_eq!(opened(AVA).shared.view, ViewId::Fingerprint);
    assert!(!read(AVA).is_empty());
}

#[test]
fn a_part_of_the_trail_is_clicked() {
    let mut app = opened(AVA);
    press(&mut app, "enter");
    assert!(app.shared.lens.model.is_some());
    screen(&mut app, 120, 36);
    let mouse = MouseEvent {
        kind: MouseEventKind::Down(MouseButton::Left),
        column: 2,
        row: 1,
        modifiers: KeyModifiers::NONE,
    };
    let effects = app.on_mouse(mouse);
    settle(&mut app, effects);
    assert_eq!(
        (&app.shared.lens.ability, &app.shared.lens.model),
        (&None, &None)
    );
    assert_eq!(app.shared.list.rows.len(), app.shared.table.len());
}

/// Two filters of one task give two scores per response. The filter is visible both in a narrow
/// list and in one of 80 columns.
#[test]
fn filters_of_one_task_are_told_apart() {
    let mut app = opened("tests/fixtures/lm_eval");
    app.shared.lens.benchmark = "mini_gen".to_owned();
    press(&mut app, "3");
    assert_eq!(app.shared.list.outline.conditions, ["filter"]);
    for (width, height) in [(80, 24), (120, 36), (200, 60)] {
        let shown = screen(&mut app, width, height);
        for words in [" filter", "strict", "flexib"] {
            assert!(shown.contains(words), "{words}: {shown}");
        }
    }
}

/// The overview also shows abilities whose scores are not between 0 and 1, with their metric.
#[test]
fn the_overview_leaves_out_no_ability() {
    let mut app = opened(AVA);
    press(&mut app, "0");
    assert_eq!(app.shared.view, ViewId::Overview);
    let shown = screen(&mut app, 120, 40);
    for words in [
        "in other units",
        "absolute_depth",
        "MAE/GT ↓",
        "CIEDE2000 ↓",
        "localization",
    ] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
}

/// Even with little space below a sample, every line below the heading is an answer.
#[test]
fn all_answers_are_never_a_heading_alone() {
    let mut app = opened(AVA);
    press(&mut app, "3 enter");
    let mut seen = 0;
    for height in 14..40 {
        let shown = settled(&mut app, 80, height);
        let mut lines = shown.lines().skip_while(|line| !line.contains(" answers"));
        let heading = lines.find(|line| line.contains("all ") && line.contains(" answers"));
        if heading.is_some() {
            seen += 1;
            let next = lines.next().unwrap_or_default();
            assert!(
                ["✓", "✗", "?"].iter().any(|sign| next.contains(sign)),
                "{shown}"
            );
            assert!(!next.contains("more"), "{shown}");
        }
    }
    assert!(seen > 0, "the heading is on screen at some height");
}

#[test]
fn a_key_lists_wrong_answers_then_different_ones_then_all() {
    let mut app = opened(AVA);
    press(&mut app, "3");
    let all = app.shared.list.rows.len();
    press(&mut app, "!");
    assert_eq!(app.shared.lens.step, "correct:false");
    let (table, scoring) = (&app.shared.table, app.shared.lens.scoring);
    let wrong = app.shared.list.rows.iter();
    let wrong = wrong.map(|row| list_row(table, Row(*row), scoring).correct);
    let wrong: Vec<Option<bool>> = wrong.collect();
    assert!(!wrong.is_empty() && wrong.len() < all);
    assert!(wrong.iter().all(|right| *right != Some(true)));
    press(&mut app, "!");
    assert_eq!(app.shared.lens.step, "disagreement>0");
    assert!((1..all).contains(&app.shared.list.rows.len()));
    press(&mut app, "!");
    assert_eq!(
        (app.shared.lens.step.as_str(), app.shared.list.rows.len()),
        ("", all)
    );
    press(&mut app, "! esc");
    assert_eq!(app.shared.list.rows.len(), all, "Esc takes it back");
}

#[test]
fn a_step_into_the_samples_stays_beside_wrong_only() {
    let mut app = opened(AVA);
    press(&mut app, "4 enter");
    let step = app.shared.lens.step.clone();
    assert!(!step.is_empty());
    press(&mut app, "!");
    let narrowed = app.shared.lens.step.clone();
    assert!(narrowed.starts_with("correct:false "), "{narrowed}");
    press(&mut app, "! !");
    assert!(app.shared.lens.step.contains(step.trim_matches(['(', ')'])));
    assert!(!app.shared.lens.step.contains("correct:false"));
}

#[test]
fn the_key_knows_its_terms_after_other_models_were_selected() {
    let mut app = opened(AVA);
    screen(&mut app, 120, 36);
    press(&mut app, "space down space 3 !");
    let [first, second] = [app.shared.picked[0].clone(), app.shared.picked[1].clone()];
    let of_former = app.shared.lens.step.clone();
    assert!(of_former.contains(&first) && of_former.contains(&second));
    let mut models = app.shared.answered().into_iter();
    let third = models.find(|model| *model != first && *model != second);
    app.shared.picked = vec![first, third.unwrap()];
    press(&mut app, "!");
    let different = app.shared.lens.step.clone();
    assert!(different.starts_with("(right:"), "{different}");
    assert!(!different.contains(&second), "{different}");
    app.shared.picked.reverse();
    press(&mut app, "!");
    assert_eq!(app.shared.lens.step, "");
}

#[test]
fn several_selected_models_open_their_samples_side_by_side() {
    let mut app = opened(AVA);
    screen(&mut app, 120, 36);
    press(&mut app, "space down space 3");
    assert_eq!(app.shared.list.look, Look::Matrix);
    // Counts include the models on screen only.
    let counted = |app: &App| -> Vec<[usize; 2]> {
        let (_, _, matrix) = app.shared.answers.matrix.clone().unwrap();
        assert_eq!(matrix.columns.len(), 2);
        let correct = analysis::Correctness::new(&app.shared.table, app.shared.lens.scoring);
        // Count right and wrong answers. Some answers have no score.
        let count = |sample: &analysis::AnsweredSample| {
            let are = |wanted| {
                let rows = sample.answers();
                rows.filter(|row| correct.is_right(*row) == Some(wanted))
                    .count()
            };
            [true, false].map(are)
        };
        matrix.rows.iter().map(count).collect()
    };
    settled(&mut app, 120, 36);
    let all = counted(&app);
    press(&mut app, "!");
    settled(&mut app, 120, 36);
    let some = counted(&app);
    let has_wrong = |[_, wrong]: &&[usize; 2]| *wrong > 0;
    assert!(some.iter().all(|count| has_wrong(&count)));
    assert_eq!(some.len(), all.iter().filter(has_wrong).count());
    press(&mut app, "!");
    settled(&mut app, 120, 36);
    let different = counted(&app);
    assert!(different.iter().all(|count| *count == [1, 1]));
    let expected = all.iter().filter(|count| **count == [1, 1]).count();
    assert_eq!(different.len(), expected);
    press(&mut app, "!");
    assert_eq!(app.shared.lens.step, "");
    press(&mut app, "1");
    app.shared.list.look = Look::List;
    screen(&mut app, 80, 24);
    press(&mut app, "3");
    assert_eq!(app.shared.list.look, Look::List, "too narrow");
}

#[test]
fn bins_of_few_samples_are_cut_anew_unless_asked_for() {
    let mut app = opened("sample_runs/exam");
    press(&mut app, "2");
    assert_eq!(app.shared.split().unwrap().name(), "box_area");
    let fewest = |app: &App| {
        let split = app.shared.split().unwrap();
        let groups = app.shared.answers.subgroups.iter();
        let own = groups.filter(|group| group.by == split.text && group.headline);
        own.map(|group| group.n).min().unwrap()
    };
    assert!(fewest(&app) >= 10);
    press(&mut app, "#");
    assert_eq!(app.shared.split().unwrap().text, "box_area");
    assert!(fewest(&app) < 10);
    press(&mut app, "# # # #");
    assert!(fewest(&app) >= 10);
}

#[test]
fn judging_is_visible_as_long_as_keys_write_verdicts() {
    let mut app = opened(AVA);
    press(&mut app, "3");
    let shown = screen(&mut app, 120, 24);
    assert!(!shown.contains("judging labels") && !shown.contains("wrong label"));
    press(&mut app, "J space 1 3");
    let shown = screen(&mut app, 120, 24);
    assert!(
        shown.contains("judging labels, J ends it") && shown.contains("wrong label"),
        "{shown}"
    );
    press(&mut app, "J down");
    assert!(!screen(&mut app, 120, 24).contains("judging labels"));
}

#[test]
fn a_rerun_asks_the_samples_that_are_listed() {
    let mut app = opened(AVA);
    let effects = app.set_filter("correct:false".to_owned());
    settle(&mut app, effects);
    press(&mut app, "3 down r");
    assert_eq!(app.shared.view, ViewId::Live);
    let held = app.shared.lens.mask(&app.shared.table).unwrap();
    let count = held.iter().filter(|held| **held).count();
    assert_eq!(count, app.shared.list.rows.len());
    let shown = screen(&mut app, 120, 36);
    assert!(shown.contains("all abilities, / correct:false"), "{shown}");
}

#[test]
fn what_is_not_listed_is_not_selected() {
    let mut app = opened(AVA);
    press(&mut app, "3 G space");
    let effects = app.set_filter("correct:false".to_owned());
    settle(&mut app, effects);
    assert!(app.shared.marked.is_empty());
    let notice = app.shared.notice.as_deref();
    assert_eq!(notice, Some("1 answer not listed here: deselected"));
}

#[test]
fn no_best_model_is_named_where_the_models_are_tied() {
    let mut app = opened("sample_runs/exam-gepbench");
    press(&mut app, "0");
    let shown = screen(&mut app, 120, 24);
    assert!(shown.contains(" tied "), "{shown}");
}

#[test]
fn the_trail_counts_the_models_that_the_matrix_shows() {
    let mut app = opened(AVA);
    press(&mut app, "space down space 3 v v");
    let shown = settled(&mut app, 160, 40);
    let (_, _, matrix) = app.shared.answers.matrix.clone().unwrap();
    assert_eq!(matrix.columns, app.shared.picked);
    assert!(shown.contains("2 of 3 models"), "{shown}");
    // The list contains the answers of all models.
    app.shared.list.look = Look::List;
    let shown = settled(&mut app, 160, 40);
    assert!(
        shown.contains("3 models") && !shown.contains("of 3 models"),
        "{shown}"
    );
}

#[test]
fn keys_wait_for_the_list_on_which_they_act() {
    let key = |code| KeyEvent::new(code, KeyModifiers::NONE);
    let mut app = opened("tests/fixtures/ava_bench");
    let listing = app.on_key(key(KeyCode::Char('3')));
    for code in [KeyCode::Down, KeyCode::Enter] {
        assert!(app.on_key(key(code)).is_empty());
    }
    assert_eq!(app.shared.view, ViewId::Samples);
    settle(&mut app, listing);
    assert_eq!(app.shared.view, ViewId::Sample);
    assert_eq!(app.shared.list.table.selected, 1);
    // If the user leaves the list before it arrives, the queued keys are dropped.
    let mut app = opened("tests/fixtures/ava_bench");
    let listing = app.on_key(key(KeyCode::Char('3')));
    app.on_key(key(KeyCode::Enter));
    app.on_key(key(KeyCode::Char('1')));
    settle(&mut app, listing);
    assert_eq!(app.shared.view, ViewId::Fingerprint);
    press(&mut app, "3");
    assert_eq!(app.shared.view, ViewId::Samples);
}

#[test]
fn a_filter_that_is_typed_before_the_list_arrives_is_taken_whole() {
    let key = |code| KeyEvent::new(code, KeyModifiers::NONE);
    let mut app = opened("tests/fixtures/ava_bench");
    let listing = app.on_key(key(KeyCode::Char('3')));
    for letter in "/correct:false q1".chars() {
        assert!(app.on_key(key(KeyCode::Char(letter))).is_empty());
    }
    settle(&mut app, listing);
    let shown = screen(&mut app, 80, 24);
    assert!(shown.contains("/ correct:false q1"), "{shown}");
}
