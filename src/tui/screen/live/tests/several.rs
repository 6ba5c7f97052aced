//! Tests parallel runs, from ticks in the form to answers in one table.

use super::*;

#[test]
fn what_is_ticked_is_asked_side_by_side_and_its_answers_stand_in_one_table() {
    let mut app = app();
    press(&mut app, KeyCode::Char(' '));
    press(&mut app, KeyCode::Right);
    press(&mut app, KeyCode::Char(' '));
    assert_eq!(app.views.live.combinations().len(), 2);
    assert!(screen(&mut app, 100, 30).contains("✓ builtin:hog"));
    let effects = press(&mut app, KeyCode::Char('r'));
    let [Effect::Live(RerunCommand::Count(form))] = effects.as_slice() else {
        panic!("{effects:?}");
    };
    assert_ne!(form.columns[0].endpoint, form.columns[1].endpoint);
    assert!(!form.until_clear, "only if the user says so");
    // One of the runs has three stored answers.
    let mut seer = *counted(&app, "vanilla");
    seer.stored = (3, 1);
    let told = PreparedRuns {
        columns: vec![
            ("hog".to_owned(), *counted(&app, "vanilla")),
            ("seer".to_owned(), seer),
        ],
        dead: Vec::new(),
        excluded: vec![("no picture".to_owned(), 2)],
        notes: vec!["3 samples could no longer be read".to_owned()],
    };
    let ticket = app.views.live.ticket;
    app.receive_live(RerunEvent::Counted(ticket, Ok(Box::new(told))));
    let shown = screen(&mut app, 100, 30);
    let asks = |shown: &str, count| {
        let asks = format!("asks 2 columns side by side, {count} requests");
        assert!(shown.contains(&asks), "{shown}");
    };
    asks(&shown, 5);
    assert!(shown.contains("3 samples could no longer be read"));
    assert!(shown.contains("3 of 8 are already answered"), "{shown}");
    app.views.live.field = FormField::Stored;
    press(&mut app, KeyCode::Right);
    asks(&screen(&mut app, 100, 30), 8);
    press(&mut app, KeyCode::Right);
    let shown = screen(&mut app, 100, 30);
    assert!(shown.contains("excluded from every column, no picture: 2 samples"));
    let effects = press(&mut app, KeyCode::Char('r'));
    let [Effect::Live(RerunCommand::Start(_, choice))] = effects.as_slice() else {
        panic!("{effects:?}");
    };
    assert!(choice.reuse && choice.retry_failed);
    for (column, item, right) in [(0, 0, true), (1, 0, false), (1, 2, true)] {
        let one = finished(item, false, Kind::Ok, Some(right));
        app.receive_live(RerunEvent::Event(column, one));
    }
    press(&mut app, KeyCode::Right);
    insta::assert_snapshot!("side by side", screen(&mut app, 80, 24));
    let at = |app: &App| match &app.views.live.stage {
        LiveStage::Asked(several) => (several.table.selected, several.column),
        other => panic!("{other:?}"),
    };
    assert_eq!(at(&app), (0, 1));
    click(&mut app, 42, 14);
    assert_eq!(at(&app), (2, 0), "an answer of the first column");
    click(&mut app, 60, 15);
    assert_eq!(at(&app), (3, 1), "an answer of the second column");
    click(&mut app, 4, 12);
    assert_eq!(at(&app), (0, 1), "the name of a sample leaves the column");
    let effects = press(&mut app, KeyCode::Char('x'));
    assert!(matches!(
        effects.as_slice(),
        [Effect::Live(RerunCommand::Stop)]
    ));
    let ended = RunResults {
        columns: vec![
            Ok((PathBuf::from("x/reruns/1"), Arc::new(RunResult::default()))),
            Err(Arc::new(SessionError::Stale)),
        ],
        comparisons: vec!["hog is better than seer in counting.".to_owned()],
    };
    let effects = app.receive_live(RerunEvent::Ended(Ok(ended)));
    assert!(effects.is_empty(), "runs without an answer are not opened");
    let shown = screen(&mut app, 100, 30);
    assert!(shown.contains("hog is better than seer") && shown.contains("stopped; r asks again"));
    press(&mut app, KeyCode::Char('r'));
    assert!(matches!(app.views.live.stage, LiveStage::Form));
}

#[test]
fn two_ticked_values_may_stop_once_it_is_clear_which_is_better() {
    let mut app = app();
    assert!(!app.views.live.fields().contains(&FormField::UntilClear));
    for key in [' ', '>', ' '] {
        let code = match key {
            '>' => KeyCode::Right,
            key => KeyCode::Char(key),
        };
        press(&mut app, code);
    }
    app.views.live.field = FormField::UntilClear;
    assert!(screen(&mut app, 100, 30).contains("ask all"));
    press(&mut app, KeyCode::Right);
    assert!(screen(&mut app, 100, 30).contains("stop early"));
    let effects = press(&mut app, KeyCode::Char('r'));
    assert!(
        matches!(effects.as_slice(), [Effect::Live(RerunCommand::Count(form))] if form.until_clear)
    );
}

/// Starts a run for each protocol, bypassing the form.
fn asking(app: &mut App, protocols: &[&str]) {
    let columns = protocols.iter().enumerate();
    let columns = columns.map(|(at, name)| (format!("col{at} {name}"), *counted(app, name)));
    let told = PreparedRuns {
        columns: columns.collect(),
        dead: vec![("nobody".to_owned(), Arc::new(SessionError::Gone))],
        excluded: Vec::new(),
        notes: Vec::new(),
    };
    app.views.live.stage = LiveStage::Counted(Box::new(told));
    press(app, KeyCode::Char('r'));
    assert!(app.views.live.is_asking());
}

fn over(app: &mut App, comparisons: Vec<String>) {
    let count = match &app.views.live.stage {
        LiveStage::Asked(several) => several.columns.len(),
        other => panic!("{other:?}"),
    };
    let ended = RunResults {
        columns: (0..count)
            .map(|_| Err(Arc::new(SessionError::Stale)))
            .collect(),
        comparisons,
    };
    app.receive_live(RerunEvent::Ended(Ok(ended)));
}

/// Returns the screen's line that contains a text.
fn line_with(shown: &str, words: &str) -> String {
    let line = shown.lines().find(|line| line.contains(words));
    line.unwrap_or_else(|| panic!("no {words} in\n{shown}"))
        .to_owned()
}

#[test]
fn a_column_of_rotations_has_the_mean_of_all_and_not_the_last_one() {
    let mut app = app();
    asking(&mut app, &["vanilla", "rotational"]);
    // At each rotation, one of four answers is correct. At the last rotation, all are correct.
    for item in 0..16 {
        let right = item < 4 || item % 4 == 3;
        let one = finished(item, true, Kind::Ok, Some(right));
        app.receive_live(RerunEvent::Event(1, one));
    }
    let shown = screen(&mut app, 130, 30);
    let line = line_with(&shown, "2 col1");
    assert!(line.contains("0.438") && !line.contains("1.000"), "{line}");
    assert!(line.contains("mean of 4, RE 0.250"), "{line}");
    assert!(line_with(&shown, "– nobody").contains("cannot be read"));
}

#[test]
fn every_column_comes_into_sight_and_the_one_under_the_cursor_is_marked() {
    let mut app = app();
    asking(&mut app, &["vanilla"; 12]);
    let silent = Event::Silent(Duration::from_secs(20));
    app.receive_live(RerunEvent::Event(11, silent));
    assert!(!screen(&mut app, 80, 24).contains("col11"));
    for _ in 0..11 {
        press(&mut app, KeyCode::Right);
    }
    let shown = screen(&mut app, 80, 24);
    assert!(shown.contains("12 col11 vanilla: no reply from the server for 20 seconds"));
    assert!(shown.lines().filter(|line| line.contains("col11")).count() >= 2);
    assert!(shown.contains("– nobody"), "{shown}");
    let answers = shown.lines().filter(|line| line.contains("▸·"));
    assert_eq!(answers.count(), 1, "{shown}");
}

#[test]
fn all_that_is_told_between_columns_can_be_read() {
    let mut app = app();
    asking(&mut app, &["vanilla", "blind"]);
    let words = |at| {
        format!("Sentence {at} is long enough to take more than a single row of a narrow screen.")
    };
    over(&mut app, (0..9).map(words).collect());
    let mut seen = String::new();
    for _ in 0..9 {
        seen += &screen(&mut app, 80, 24);
        press(&mut app, KeyCode::Char(' '));
    }
    for at in 0..9 {
        assert!(seen.contains(&format!("Sentence {at} ")), "{at}");
    }
    assert!(seen.contains("page 1 of ") && seen.contains("Space page"));
}

#[test]
fn an_answer_is_shown_while_other_columns_are_asked() {
    let mut app = app();
    asking(&mut app, &["vanilla", "blind"]);
    let one = finished(0, false, Kind::Ok, Some(true));
    app.receive_live(RerunEvent::Event(1, one));
    press(&mut app, KeyCode::Right);
    press(&mut app, KeyCode::Enter);
    let shown = screen(&mut app, 100, 30);
    assert!(
        shown.contains("right, true") && shown.contains("9 m"),
        "{shown}"
    );
    assert_eq!(app.shared.view, ViewId::Live);
}

#[test]
fn words_that_change_are_shown_before_columns_are_asked() {
    let mut app = app();
    let mut told = PreparedRuns::default();
    for (at, name) in ["vanilla", "rotational"].into_iter().enumerate() {
        let mut counted = *counted(&app, name);
        if at == 1 {
            counted.changed = changed(40);
        }
        told.columns.push((name.to_owned(), counted));
    }
    app.views.live.stage = LiveStage::Counted(Box::new(told));
    let mut seen = String::new();
    for _ in 0..30 {
        seen += &screen(&mut app, 80, 24);
        press(&mut app, KeyCode::PageDown);
    }
    assert!(seen.contains("rotational: words changed to fit the turned pictures, 40 samples"));
    for at in 0..40 {
        assert!(
            seen.contains(&format!("s{at} rotation=90: target D → B")),
            "{at}"
        );
    }
    assert!(seen.contains("asks 2 columns") && seen.contains("in all 20 requests"));
}
