//! Tests how the top line reports store checks, including failed checks.

use std::time::Duration;

use crossterm::event::KeyCode;

use super::{opened, press, screen};
use crate::effect::Effect;
use workspace::follow::PollResult;
use workspace::open::Event;

#[test]
fn the_top_line_says_what_looks_cost_and_a_failure_is_told_once() {
    let mut app = opened("tests/fixtures/ava_bench");
    let mut looked = PollResult {
        requests: 12,
        bytes: 34_500,
        next: Some(Duration::from_secs(60)),
        ..PollResult::default()
    };
    app.receive(Event::Polled(looked.clone()));
    assert!(
        !screen(&mut app, 160, 24).contains("polled"),
        "files of this machine are not polled"
    );
    app.shared.request.paths = vec!["s3://team/evals".into()];
    let wide = screen(&mut app, 160, 24);
    assert!(
        wide.contains("s3://team/evals  polled every 60 s: 12 requests, 35 kB"),
        "{wide}"
    );
    let narrow = screen(&mut app, 60, 24);
    assert!(narrow.contains("s3://team/evals"), "{narrow}");
    looked.trouble = Some("s3://team/evals: the store refuses access (403)".to_owned());
    looked.is_news = true;
    app.receive(Event::Polled(looked.clone()));
    let failed = screen(&mut app, 160, 24);
    assert!(
        failed.contains("refuses access (403); the rows read so far stay"),
        "{failed}"
    );
    assert!(failed.contains("the last check failed"), "{failed}");
    press(&mut app, "down");
    looked.is_news = false;
    app.receive(Event::Polled(looked.clone()));
    assert!(!screen(&mut app, 160, 24).contains("refuses access"));
    (looked.trouble, looked.fetched) = (None, 1);
    let effects = app.receive(Event::Polled(looked));
    assert!(
        matches!(effects.as_slice(), [Effect::ReadVerdicts]),
        "verdicts of others may have come"
    );
}

#[test]
fn a_key_looks_now_where_there_is_a_store() {
    let mut app = opened("tests/fixtures/ava_bench");
    let key = |app: &mut crate::app::App| {
        app.on_key(crossterm::event::KeyEvent::new(
            KeyCode::F(5),
            crossterm::event::KeyModifiers::NONE,
        ))
    };
    assert!(key(&mut app).is_empty());
    assert!(
        app.shared
            .notice
            .take()
            .unwrap()
            .contains("no store is open")
    );
    app.shared.request.paths = vec!["s3://team/evals".into()];
    assert!(matches!(key(&mut app).as_slice(), [Effect::CheckAddresses]));
}
