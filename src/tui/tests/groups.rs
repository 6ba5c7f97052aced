//! Tests groups of samples, the confusion matrix, and selections in them.

use std::collections::BTreeSet;

use super::samples::{settled, with_options};
use super::{opened, press, settle};
use crate::action::Action;
use crate::effect::Effect;
use crate::keymap::ViewId;
use crate::shared::Look;
use record::Row;
use workspace::Lens;
use workspace::answered::GroupName;

#[test]
fn samples_are_grouped_by_their_look_and_not_without_pictures() {
    let mut app = opened("sample_runs/exam");
    let effects = app.set_filter("ability:color model:hog".to_owned());
    settle(&mut app, effects);
    // In the list of groupings, look comes after `none`, `answer` and `target`.
    press(&mut app, "3 H down down down enter");
    let list = &app.shared.list;
    let sizes: Vec<usize> = list.groups.iter().map(|group| group.count).collect();
    assert!(sizes.len() > 1, "{sizes:?}");
    assert!(sizes.is_sorted_by(|a, b| a >= b), "{sizes:?}");
    assert_eq!(sizes.iter().sum::<usize>(), list.rows.len());
    assert!(!app.shared.is_comparing());
    let shown = settled(&mut app, 160, 40);
    assert!(shown.contains("look 1"), "{shown}");

    // Without pictures, all samples are in one group without a name.
    let mut app = with_options();
    press(&mut app, "H down down down enter");
    let groups = &app.shared.list.groups;
    assert_eq!(groups.len(), 1);
    assert_eq!(groups[0].name, GroupName::Nothing);
}

#[test]
fn a_sheet_in_groups_has_headings_and_walks_on_in_their_order() {
    let mut app = with_options();
    let before = app.shared.list.rows.clone();
    // In the list of groupings, answer comes after `none`.
    press(&mut app, "H down enter");
    let shown = settled(&mut app, 120, 40);
    let first = app.shared.list.groups[0].clone();
    let GroupName::Value(name) = &first.name else {
        panic!("{first:?}");
    };
    assert!(
        shown.contains(&format!("answer {name}")),
        "{name} in\n{shown}"
    );
    let share = first.right * 100 / first.judged;
    let said = format!("{} answers, {share} % right", first.count);
    assert!(shown.contains(&said), "{said} in\n{shown}");
    let list = &app.shared.list;
    assert!(list.groups.len() > 2 && list.rows != before);
    let term = workspace::filter::is("answer", name, &[name.clone()]);
    let lens = Lens {
        step: term,
        ..app.shared.lens.clone()
    };
    let held = lens.mask(&app.shared.table).unwrap();
    for (at, row) in list.rows.iter().enumerate() {
        assert_eq!(held[*row as usize], at < first.count, "{at}");
    }
    // Go to the first sample of the next group, and back. Each sample has one tile.
    let table = &app.shared.table;
    let own = app.shared.list.rows.iter().take(first.count);
    let own: BTreeSet<u32> = own.map(|row| table.item(Row(*row)).0).collect();
    for _ in 0..own.len() {
        press(&mut app, "right");
    }
    assert_eq!(app.shared.list.table.selected, first.count);
    press(&mut app, "up");
    assert!(app.shared.list.table.selected < first.count);
    press(&mut app, "G");
    assert!(settled(&mut app, 80, 24).contains("answer "));
    press(&mut app, "H up enter");
    assert!(app.shared.list.groups.is_empty());
    assert_eq!(app.shared.list.rows, before);
}

#[test]
fn a_whole_group_is_selected_and_a_range() {
    let mut app = with_options();
    press(&mut app, "H down down enter");
    settled(&mut app, 120, 40);
    let count = app.shared.list.groups[0].count;
    press(&mut app, "*");
    let expected: BTreeSet<u32> = app.shared.list.rows[..count].iter().copied().collect();
    assert_eq!(app.shared.marked, expected);
    assert_eq!(app.shared.chosen(), app.shared.list.rows[..count]);
    let copied = app.act(Action::Copy);
    let Some(Effect::Copy(ids)) = copied.into_iter().next() else {
        panic!("nothing copied");
    };
    let table = &app.shared.table;
    let own: BTreeSet<&str> = expected
        .iter()
        .map(|row| table.sample_id(table.item(Row(*row))))
        .collect();
    assert_eq!(ids.lines().collect::<BTreeSet<_>>(), own);
    assert_eq!(ids.lines().count(), own.len());
    press(&mut app, "*");
    assert!(app.shared.marked.is_empty());
    assert_eq!(app.shared.chosen(), app.shared.list.rows);
    // Space also moves to the next sample. In total, four samples are selected.
    press(&mut app, "V");
    assert!(app.shared.marked.is_empty(), "no range begins anywhere yet");
    press(&mut app, "space right right V");
    let here = app.shared.list.table.selected;
    assert_eq!(app.shared.chosen(), app.shared.list.rows[..=here]);
}

#[test]
fn what_is_selected_is_what_a_rerun_asks() {
    let mut app = with_options();
    press(&mut app, "space space");
    let table = app.shared.table.clone();
    let ids = |rows: &[u32]| -> BTreeSet<String> {
        let id = |row: &u32| table.sample_id(table.item(Row(*row))).to_owned();
        rows.iter().map(id).collect()
    };
    let chosen = ids(&app.shared.chosen());
    press(&mut app, "r");
    assert_eq!(app.shared.view, ViewId::Live);
    let held = app.shared.lens.mask(&app.shared.table).unwrap();
    let rows: Vec<u32> = (0..)
        .zip(held)
        .filter(|(_, held)| *held)
        .map(|(row, _)| row)
        .collect();
    assert_eq!(ids(&rows), chosen);
    assert!(app.shared.marked.is_empty());
    // Go back to the previous list.
    press(&mut app, "esc esc");
    assert_eq!(app.shared.lens.step, "");
}

#[test]
fn targets_stand_against_answers_and_a_cell_opens_its_samples() {
    let mut app = with_options();
    press(&mut app, "v v v");
    let shown = settled(&mut app, 140, 40);
    let (_, _, found) = app.shared.answers.confusion.clone().unwrap();
    assert!(shown.contains("models together"), "{shown}");
    let diagonal = (0..found.targets.len()).find(|row| found.is_diagonal(*row, *row));
    let right = found.cell(diagonal.unwrap(), diagonal.unwrap()).count;
    assert!(shown.contains(&format!("[{right}]")), "{shown}");
    // The last column contains the unparsed answers.
    for _ in 0..found.answers.len() {
        press(&mut app, "right");
    }
    let end = settled(&mut app, 140, 40);
    assert!(end.contains("unparsed"), "{end}");
    for _ in 0..found.answers.len() {
        press(&mut app, "left");
    }
    let cells = (0..found.targets.len())
        .flat_map(|row| (0..found.answers.len()).map(move |column| (row, column)));
    let filled = cells.filter(|(row, column)| !found.is_diagonal(*row, *column));
    let (row, column) = filled
        .max_by_key(|(row, column)| found.cell(*row, *column).count)
        .unwrap();
    let expected = found.cell(row, column);
    assert!(expected.count > 0);
    for _ in 0..row {
        press(&mut app, "down");
    }
    for _ in 0..column {
        press(&mut app, "right");
    }
    let shown = settled(&mut app, 140, 40);
    let said = format!("{} of {} (", expected.count, found.targets[row].count);
    assert!(shown.contains(&said), "{said} in\n{shown}");
    press(&mut app, "enter");
    assert_eq!(app.shared.list.rows.len() as u64, expected.count);
    assert_eq!(app.shared.list.look, Look::Sheet);
    assert!(
        app.shared.lens.step.contains("answer="),
        "{}",
        app.shared.lens.step
    );
    settled(&mut app, 140, 40);
    // Go one step further, and back to the cell.
    press(&mut app, "enter esc esc");
    assert_eq!(app.shared.list.look, Look::Confusion);
    assert!(app.shared.lens.step.is_empty());
    let back = settled(&mut app, 140, 40);
    assert!(back.contains(&said), "{said} in\n{back}");
}

#[test]
fn the_matrix_is_that_of_the_model_of_the_lens() {
    let mut app = with_options();
    press(&mut app, "m O");
    let shown = settled(&mut app, 100, 30);
    let model = app.shared.lens.model.clone().unwrap();
    assert!(shown.contains(&format!("model {model}")), "{shown}");
    let (_, _, found) = app.shared.answers.confusion.clone().unwrap();
    assert_eq!(found.total() as usize, app.shared.list.rows.len());
}

#[test]
fn boxes_have_no_matrix() {
    let mut app = opened("tests/fixtures/ava_bench");
    let effects = app.set_filter("ability:localization".to_owned());
    settle(&mut app, effects);
    press(&mut app, "O");
    let shown = settled(&mut app, 100, 30);
    assert!(shown.contains("no matrix for boxes and colours"), "{shown}");
}

#[test]
fn measured_numbers_have_no_matrix_and_whole_ones_have_one() {
    let rows = |targets: [&str; 3]| {
        let row = |(at, target): (usize, &str)| {
            format!(
                r#"{{"benchmark":"b","ability":"a","sample_id":"{at}","model":"m","target":"{target}","response":"2","metric":"mae","score":1}}"#
            )
        };
        let rows: Vec<String> = targets.into_iter().enumerate().map(row).collect();
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(
            folder.path().join("m.eyechart.jsonl"),
            rows.join("\n") + "\n",
        )
        .unwrap();
        let mut app = opened(folder.path().to_str().unwrap());
        press(&mut app, "3 O");
        settled(&mut app, 100, 30)
    };
    let shown = rows(["2", "2.4", "10"]);
    assert!(shown.contains("no matrix for measured numbers"), "{shown}");
    let shown = rows(["2", "3", "10"]);
    assert!(!shown.contains("no matrix"), "{shown}");
}

#[test]
fn the_matrix_of_all_abilities_is_that_of_one() {
    let mut app = opened("tests/fixtures/ava_bench");
    press(&mut app, "1 O");
    let shown = settled(&mut app, 100, 30);
    let ability = app.shared.lens.ability.clone().unwrap();
    assert!(
        shown.contains(&format!("shows one ability: {ability}")),
        "{shown}"
    );
    let (_, _, found) = app.shared.answers.confusion.clone().unwrap();
    assert!(found.total() > 0 && shown.contains('['), "{shown}");
}
