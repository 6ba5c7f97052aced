//! Tests the key line, clicks, and messages about failures and missing replies.

use super::*;

#[test]
fn what_can_be_pressed_is_what_the_key_line_says() {
    let mut app = app();
    let keys = |app: &mut App| {
        let shown = screen(app, 120, 30);
        let line = shown.lines().last().unwrap_or_default();
        line.replace("↑↓←→ move", "").trim().to_owned()
    };
    let line = keys(&mut app);
    assert!(
        line.contains("r rerun  Space tick  Enter change  "),
        "{line}"
    );
    app.views.live.stage = LiveStage::Counting;
    let line = keys(&mut app);
    assert!(
        line.contains("x cancel") && !line.contains("rerun"),
        "{line}"
    );
    app.views.live.stage = LiveStage::Counted(alone(counted(&app, "vanilla")));
    assert!(keys(&mut app).contains("x back"));
    press(&mut app, KeyCode::Char('r'));
    let line = keys(&mut app);
    assert!(line.contains("Space pause  x stop  Enter open"), "{line}");
    assert!(!line.contains("r rerun"), "{line}");
    press(&mut app, KeyCode::Char(' '));
    assert!(keys(&mut app).contains("Space continue"));
    app.receive_live(ended("x", RunResult::default()));
    let line = keys(&mut app);
    assert!(line.contains("r rerun") && !line.contains("stop"), "{line}");
    assert!(!line.contains("pause"), "{line}");
}

#[test]
fn what_is_typed_has_its_own_keys_on_the_key_line() {
    let mut app = app();
    press(&mut app, KeyCode::Enter);
    let shown = screen(&mut app, 100, 30);
    let line = shown.lines().last().unwrap_or_default();
    assert!(line.contains("Enter done  Esc cancel"), "{line}");
    assert!(!line.contains("rerun"), "{line}");
}

#[test]
fn rows_of_the_form_take_clicks() {
    let mut app = app();
    let shown = screen(&mut app, 80, 24);
    let row = |words: &str| {
        let at = shown.lines().position(|line| line.contains(words));
        u16::try_from(at.unwrap()).unwrap()
    };
    click(&mut app, 6, row("temperature"));
    assert_eq!(app.views.live.field, FormField::Temperature);
    assert!(app.popups.is_empty());
    click(&mut app, 6, row("temperature"));
    assert!(!app.popups.is_empty(), "the row that it was on is changed");
}

#[test]
fn a_failure_says_why_and_is_no_answer_that_could_not_be_read() {
    let mut app = app();
    app.views.live.stage = LiveStage::Counted(alone(counted(&app, "vanilla")));
    press(&mut app, KeyCode::Char('r'));
    let Event::Finished(one) = finished(0, true, Kind::Failed(Class::Server), None) else {
        panic!("it is a result");
    };
    let mut one = (*one).clone();
    let done = JournalEntry {
        message: Some("server: HTTP 500: out of order".to_owned()),
        ..(*one.done).clone()
    };
    one.done = Arc::new(done);
    app.receive_live(RerunEvent::Event(0, Event::Finished(Arc::new(one))));
    let shown = screen(&mut app, 80, 24);
    assert!(
        shown.contains("1 failed: server: HTTP 500: out of order"),
        "{shown}"
    );
    assert!(
        shown.contains("failed") && shown.contains("no score 1"),
        "{shown}"
    );
    press(&mut app, KeyCode::Left);
    press(&mut app, KeyCode::Left);
    press(&mut app, KeyCode::Enter);
    let shown = screen(&mut app, 80, 24);
    assert!(
        shown.contains("out of order") && shown.contains("target"),
        "{shown}"
    );
}

#[test]
fn silence_while_pictures_are_tried_is_told() {
    let mut app = app();
    app.views.live.stage = LiveStage::Counted(alone(counted(&app, "vanilla")));
    press(&mut app, KeyCode::Char('r'));
    app.receive_live(RerunEvent::Event(0, Event::Probing));
    assert!(screen(&mut app, 80, 24).contains("does the server use them?"));
    let short = Event::Silent(Duration::from_secs(2));
    app.receive_live(RerunEvent::Event(0, short));
    assert!(!screen(&mut app, 80, 24).contains("no reply"));
    let silent = Event::Silent(Duration::from_secs(7));
    app.receive_live(RerunEvent::Event(0, silent));
    assert!(
        screen(&mut app, 100, 24)
            .contains("no reply from the server for 7 seconds; sending test pictures")
    );
    app.receive_live(RerunEvent::Event(0, Event::News(RequestEvent::Heard)));
    assert!(!screen(&mut app, 100, 24).contains("no reply"));
}

#[test]
fn a_request_field_that_the_server_refuses_is_shown_once() {
    let mut app = app();
    app.views.live.stage = LiveStage::Counted(alone(counted(&app, "vanilla")));
    press(&mut app, KeyCode::Char('r'));
    for _ in 0..2 {
        let dropped = ask::client::RefusedField {
            field: "temperature",
            instead: None,
            words: "only 1 is supported".to_owned(),
        };
        app.receive_live(RerunEvent::Event(
            0,
            Event::News(RequestEvent::Dropped(dropped)),
        ));
    }
    let shown = screen(&mut app, 120, 30);
    let told = "the server refuses temperature; left out from now on: only 1 is supported";
    assert_eq!(shown.matches(told).count(), 1, "{shown}");
}

#[test]
fn a_wide_form_lists_the_protocols() {
    let mut app = app();
    let title = "protocols, with what each asks";
    assert!(!screen(&mut app, 120, 36).contains(title));
    let shown = screen(&mut app, 160, 45);
    assert!(shown.contains(title), "{shown}");
    for name in super::super::field::PROTOCOLS {
        assert!(shown.contains(name), "{name} in\n{shown}");
    }
    assert!(shown.contains("▸ vanilla"), "{shown}");
    app.views.live.protocol = "votes:7".to_owned();
    let shown = screen(&mut app, 160, 45);
    assert!(shown.contains("▸ votes:5"), "{shown}");
    assert!(!shown.contains("▸ vanilla"), "{shown}");
}
