//! Tests an exam, from the form to its start.

use super::*;
use ask::ExamSet;

const SETS: [ExamSet; 2] = [
    ExamSet {
        name: "exam",
        about: "generated; ten levels of difficulty",
        abilities: 14,
        each: 40,
    },
    ExamSet {
        name: "scenes",
        about: "generated rooms",
        abilities: 6,
        each: 5,
    },
];

fn with_sets() -> App {
    let mut app = app();
    app.views.live.sets = SETS.to_vec();
    app
}

#[test]
fn an_exam_is_chosen_counted_with_its_precision_and_started() {
    let mut app = with_sets();
    press(&mut app, KeyCode::Down);
    press(&mut app, KeyCode::Down);
    assert_eq!(app.views.live.field, FormField::Questions);
    press(&mut app, KeyCode::Right);
    let fields = [
        FormField::Endpoint,
        FormField::Model,
        FormField::Questions,
        FormField::Temperature,
        FormField::Samples,
        FormField::Tokens,
    ];
    assert_eq!(app.views.live.fields(), fields);
    press(&mut app, KeyCode::Down);
    press(&mut app, KeyCode::Down);
    press(&mut app, KeyCode::Left);
    insta::assert_snapshot!("exam", screen(&mut app, 80, 24));
    let effects = press(&mut app, KeyCode::Char('r'));
    let [Effect::Live(RerunCommand::Exam(form))] = effects.as_slice() else {
        panic!("{effects:?}");
    };
    assert_eq!((form.order.set.as_str(), form.order.each), ("exam", 20));
    assert_eq!(form.column.endpoint, app.views.live.endpoint);
    let told = PreparedRuns {
        notes: vec!["expected precision: within 0.15".to_owned()],
        ..*alone(counted(&app, "vanilla"))
    };
    let ticket = app.views.live.ticket;
    app.receive_live(RerunEvent::Counted(ticket, Ok(Box::new(told))));
    assert!(screen(&mut app, 80, 24).contains("expected precision: within 0.15"));
    let effects = press(&mut app, KeyCode::Char('r'));
    let [Effect::Live(RerunCommand::Start(counted, _))] = effects.as_slice() else {
        panic!("{effects:?}");
    };
    assert_eq!(*counted, ticket);
}

#[test]
fn an_exam_asks_one_model_and_the_samples_of_a_log_come_back() {
    let mut app = with_sets();
    press(&mut app, KeyCode::Char(' '));
    assert_eq!(app.views.live.ticked.models.len(), 1);
    app.views.live.set(FormField::Questions, "scenes");
    assert!(app.views.live.ticked.models.is_empty() && !app.views.live.tick());
    assert_eq!(app.views.live.exam_set(), Some((SETS[1], 30)));
    app.views.live.set(FormField::Samples, "0");
    assert_eq!(app.views.live.exam_set(), Some((SETS[1], 30)));
    assert!(app.views.live.trouble.is_some());
    app.views.live.set(FormField::Samples, "7");
    assert_eq!(app.views.live.exam_set(), Some((SETS[1], 42)));
    app.views.live.set(FormField::Questions, "taste");
    let trouble = app.views.live.trouble.clone().unwrap();
    assert_eq!(trouble, "questions: log, exam, scenes");
    app.views.live.field = FormField::Questions;
    app.views.live.begin_with(Some(0));
    assert_eq!(app.views.live.field, FormField::default());
    assert_eq!(app.views.live.exam, None);
    assert!(!app.views.live.fields().contains(&FormField::Questions));
}

#[test]
fn the_command_of_an_exam_is_copied() {
    let mut app = with_sets();
    app.views
        .live
        .set(FormField::Endpoint, "http://gpu7:8000/v1");
    app.views.live.set(FormField::Model, "seer");
    app.views.live.set(FormField::Questions, "exam");
    app.views.live.set(FormField::Tokens, "64");
    let changes = command::copy(&app.views.live, &app.shared);
    let copied = format!("{changes:?}");
    let command = "eyechart exam --set exam --endpoint http://gpu7:8000/v1 --model seer --count 560 --max-tokens 64 --no-encoders --out exam";
    assert!(copied.contains(command), "{copied}");
}
