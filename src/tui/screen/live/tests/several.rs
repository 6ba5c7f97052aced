//! Runs side by side, from the ticks in the form to the answers in one table.

use super::*;

#[test]
fn what_is_ticked_is_asked_side_by_side_and_its_answers_stand_in_one_table() {
    let mut app = app();
    press(&mut app, KeyCode::Char(' '));
    press(&mut app, KeyCode::Right);
    press(&mut app, KeyCode::Char(' '));
    assert_eq!(app.views.live.ways().len(), 2);
    assert!(screen(&mut app, 100, 30).contains("✓ builtin:hog"));
    let effects = press(&mut app, KeyCode::Char('r'));
    let [Effect::Live(RerunCommand::CountAll(forms))] = effects.as_slice() else {
        panic!("{effects:?}");
    };
    assert_ne!(forms[0].endpoint, forms[1].endpoint);
    // An earlier run has answered three questions of one column.
    let mut seer = *counted(&app, "vanilla");
    seer.stored = (3, 1);
    let told = CountedAll {
        columns: vec![
            ("hog".to_owned(), *counted(&app, "vanilla")),
            ("seer".to_owned(), seer),
        ],
        excluded: vec![("no picture".to_owned(), 2)],
    };
    let ticket = app.views.live.ticket;
    app.receive_live(RerunEvent::CountedAll(ticket, Ok(told)));
    let shown = screen(&mut app, 100, 30);
    let asks = |shown: &str, count| {
        let asks = format!("asks 2 columns side by side, {count} requests");
        assert!(shown.contains(&asks), "{shown}");
    };
    asks(&shown, 5);
    assert!(shown.contains("3 of 8 are already answered"), "{shown}");
    app.views.live.field = Field::Stored;
    press(&mut app, KeyCode::Right);
    asks(&screen(&mut app, 100, 30), 8);
    press(&mut app, KeyCode::Right);
    let shown = screen(&mut app, 100, 30);
    assert!(shown.contains("excluded from every column, no picture: 2 samples"));
    let effects = press(&mut app, KeyCode::Char('r'));
    let [Effect::Live(RerunCommand::Go(_, _, choice))] = effects.as_slice() else {
        panic!("{effects:?}");
    };
    assert!(choice.reuse && choice.retry_failed);
    for (column, item, right) in [(0, 0, true), (1, 0, false), (1, 2, true)] {
        let one = finished(item, false, Kind::Ok, Some(right));
        app.receive_live(RerunEvent::EventOf(column, one));
    }
    press(&mut app, KeyCode::Right);
    insta::assert_snapshot!("side by side", screen(&mut app, 80, 24));
    let at = |app: &App| match &app.views.live.stage {
        Stage::Several(several) => (several.table.selected, several.column),
        other => panic!("{other:?}"),
    };
    assert_eq!(at(&app), (0, 1));
    click(&mut app, 42, 16);
    assert_eq!(at(&app), (2, 0), "an answer of the first column");
    click(&mut app, 60, 17);
    assert_eq!(at(&app), (3, 1), "an answer of the second column");
    click(&mut app, 4, 14);
    assert_eq!(at(&app), (0, 1), "the name of a sample leaves the column");
    let effects = press(&mut app, KeyCode::Char('x'));
    assert!(matches!(
        effects.as_slice(),
        [Effect::Live(RerunCommand::Stop)]
    ));
    let ended = EndedAll {
        columns: vec![
            Ok((PathBuf::from("x/reruns/1"), Arc::new(Ended::default()))),
            Err(WorkerError::Stale),
        ],
        told: vec!["hog is better than seer in counting.".to_owned()],
    };
    let effects = app.receive_live(RerunEvent::EndedAll(Ok(ended)));
    assert!(effects.is_empty(), "runs without an answer are not opened");
    let shown = screen(&mut app, 100, 30);
    assert!(shown.contains("hog is better than seer") && shown.contains("over; r asks anew"));
    press(&mut app, KeyCode::Char('r'));
    assert!(matches!(app.views.live.stage, Stage::Form));
}
