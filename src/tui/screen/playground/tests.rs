//! Tests the playground: keys, mouse and content.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use base::config::Settings;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

use super::field::EditField;
use super::state::AnswerStage;
use crate::app::App;
use crate::effect::Effect;
use crate::keymap::ViewId;
use crate::tests::{opened, screen, settle};
use ask::client::RequestEvent;
use ask::worker::{RerunCommand, RerunEvent, RerunWorker, TrialEvent};
use ask::{AnswerGrade, Cost, Event, JournalEntry, Kind, RunResult, StepResult};
use record::Row;

/// Ids of samples whose pictures are in the fixtures.
const KEPT: [&str; 3] = ["counting_00000", "counting_00001", "counting_00003"];

/// The app, and a real rerun worker that computes previews.
struct Bench {
    app: App,
    worker: RerunWorker,
    events: Receiver<RerunEvent>,
}

impl Bench {
    /// Opens a sample of a log in the playground.
    fn new() -> Self {
        let (sender, events) = channel();
        let on_event = Box::new(move |event| drop(sender.send(event)));
        let mut bench = Self {
            app: opened("tests/fixtures/ava_bench"),
            worker: RerunWorker::start(Settings::default(), on_event).unwrap(),
            events,
        };
        bench.press("3");
        // Select a sample with a picture.
        let table = &bench.app.shared.table;
        let rows = (0_u32..).take(table.len());
        let is_kept = |row: &u32| {
            let id = table.sample_id(table.item(Row(*row)));
            KEPT.contains(&id)
        };
        let rows: Vec<u32> = rows.filter(is_kept).collect();
        assert!(rows.len() > 1);
        bench.app.shared.list.rows = rows;
        bench.app.shared.list.table.selected = 0;
        bench.press("T");
        assert_eq!(bench.app.shared.view, ViewId::Playground);
        bench
    }

    /// Presses keys, and answers the queries for the table and the worker. Returns the remaining
    /// effects.
    fn press(&mut self, keys: &str) -> Vec<Effect> {
        let keys = keys.chars().map(KeyCode::Char);
        keys.flat_map(|key| self.key(key)).collect()
    }

    fn key(&mut self, key: KeyCode) -> Vec<Effect> {
        let effects = self.app.on_key(KeyEvent::new(key, KeyModifiers::NONE));
        self.carry_out(effects)
    }

    fn carry_out(&mut self, effects: Vec<Effect>) -> Vec<Effect> {
        let mut others = Vec::new();
        for effect in effects {
            match effect {
                Effect::Ask(_) => settle(&mut self.app, vec![effect]),
                Effect::Live(command @ (RerunCommand::Preview(_) | RerunCommand::Keep(_))) => {
                    self.worker.command(command);
                    let event = self.events.recv_timeout(Duration::from_secs(60)).unwrap();
                    let effects = self.app.receive_live(event);
                    others.extend(self.carry_out(effects));
                }
                other => others.push(other),
            }
        }
        others
    }

    /// Types a text into a field.
    fn fill(&mut self, field: EditField, text: &str) {
        self.app.views.playground.field = field;
        self.key(KeyCode::Enter);
        let control = |key| KeyEvent::new(KeyCode::Char(key), KeyModifiers::CONTROL);
        self.app.on_key(control('u'));
        let effects = self.app.on_paste(text);
        self.carry_out(effects);
        let leave = if field.is_long() {
            KeyCode::Esc
        } else {
            KeyCode::Enter
        };
        self.key(leave);
    }

    fn edits(&self) -> String {
        self.app.views.playground.value(EditField::Picture)
    }

    fn tell(&mut self, model: usize, told: TrialEvent) {
        let ticket = self.app.views.playground.trial;
        self.app
            .receive_live(RerunEvent::Tried(ticket, model, told));
    }
}

fn finished(right: Option<bool>, text: &str) -> Event {
    Event::Finished(Arc::new(StepResult {
        item: 0,
        judged: AnswerGrade {
            kind: Kind::Ok,
            right,
            read: Some("4".to_owned()),
        },
        before: Some(false),
        kept: false,
        done: Arc::new(JournalEntry {
            text: text.to_owned(),
            reasoning: "Two and two.".to_owned(),
            prompt_tokens: Some(812),
            completion_tokens: Some(5),
            logprobs: Some(serde_json::json!([{"token": "4", "logprob": -0.105_360_5}])),
            ..JournalEntry::default()
        }),
        record: None,
    }))
}

#[test]
fn keys_edit_the_picture_and_the_question_moves_with_it() {
    let mut bench = Bench::new();
    let size = |bench: &Bench| {
        let preview = bench.app.views.playground.preview.as_ref().unwrap();
        preview.question.as_ref().unwrap().pictures[0].1
    };
    let (width, height) = size(&bench);
    bench.press("-");
    assert_eq!(bench.edits(), "downscale 0.5");
    assert_eq!(size(&bench), (width.div_ceil(2), height.div_ceil(2)));
    bench.press("u]]fNN");
    assert_eq!(bench.edits(), "turn 180; flip; noise 50 seed 0");
    bench.press("uuuz");
    assert_eq!(bench.edits(), "blank");
    bench.press("u");
    assert_eq!(bench.edits(), "");
}

#[test]
fn a_box_is_drawn_with_keys_and_cropped_or_masked() {
    let mut bench = Bench::new();
    bench.press("c");
    assert_eq!(bench.edits(), "", "no box is drawn");
    bench.press("dllj");
    bench.key(KeyCode::Tab);
    bench.press("kv");
    assert_eq!(bench.edits(), "mask 0.35 0.325 0.75 0.7");
    assert!(bench.app.views.playground.pencil.is_none());
    bench.press("d");
    bench.key(KeyCode::Esc);
    assert_eq!(
        bench.app.shared.view,
        ViewId::Playground,
        "Esc leaves the box alone"
    );
    bench.press("ud");
    bench.key(KeyCode::Enter);
    assert_eq!(bench.edits(), "crop 0.3 0.3 0.7 0.7");
}

#[test]
fn a_row_of_the_form_is_clicked_and_what_lies_elsewhere_does_nothing() {
    let mut bench = Bench::new();
    screen(&mut bench.app, 120, 36);
    let click = |bench: &mut Bench, x: u16, y: u16| {
        let mouse = MouseEvent {
            kind: MouseEventKind::Down(MouseButton::Left),
            column: x,
            row: y,
            modifiers: KeyModifiers::NONE,
        };
        let effects = bench.app.on_mouse(mouse);
        bench.carry_out(effects);
    };
    let body = bench.app.drawn.body;
    click(&mut bench, 3, body.y + 2 + 3);
    assert_eq!(bench.app.views.playground.field, EditField::Temperature);
    click(&mut bench, body.right() - 2, body.y + 4);
    assert!(bench.app.views.playground.pencil.is_none());
}

#[test]
fn words_are_typed_as_they_are_sent_and_kept_with_the_place_of_the_question() {
    let mut bench = Bench::new();
    let asked = bench.app.views.playground.value(EditField::Words);
    assert!(!asked.is_empty());
    bench.fill(EditField::Words, &format!("Look twice.\n{asked}"));
    let view = &bench.app.views.playground;
    let words = view.edited.words.as_ref().unwrap();
    assert_eq!(words.text(), "Look twice.\n{question}");
    assert_eq!(
        view.value(EditField::Words),
        format!("Look twice.\n{asked}")
    );
    bench.fill(EditField::Words, "");
    assert_eq!(bench.app.views.playground.value(EditField::Words), asked);
    bench.fill(EditField::System, "Be brief.");
    assert_eq!(
        bench.app.views.playground.edited.system.as_deref(),
        Some("Be brief.")
    );
    bench.fill(EditField::Temperature, "hot");
    assert!(
        bench
            .app
            .views
            .playground
            .trouble
            .as_ref()
            .unwrap()
            .contains("0 to 2")
    );
}

#[test]
fn what_is_kept_is_a_protocol_of_the_rerun_view() {
    let mut bench = Bench::new();
    let folder = tempfile::tempdir().unwrap();
    bench.app.shared.request.paths = vec![folder.path().join("logs")];
    std::fs::create_dir(folder.path().join("logs")).unwrap();
    bench.press("z");
    bench.press("K");
    bench.app.on_paste("no eyes");
    bench.key(KeyCode::Enter);
    let path = folder
        .path()
        .canonicalize()
        .unwrap()
        .join("variants/no eyes.toml");
    assert_eq!(
        std::fs::read_to_string(&path).unwrap(),
        "picture = [\"blank\"]\n"
    );
    let protocol = format!("file:{}", path.display());
    assert_eq!(bench.app.views.live.protocol, protocol);
    assert_eq!(
        bench.app.views.live.protocol().unwrap().name(),
        "file:no eyes"
    );
    bench.press("]");
    assert!(
        bench.app.views.playground.kept.is_none(),
        "it is another one now"
    );
}

#[test]
fn answers_stream_side_by_side_and_control_characters_do_not() {
    let mut bench = Bench::new();
    bench.fill(EditField::Models, "lab small, lab big");
    let effects = bench.press("r");
    assert!(
        matches!(effects.as_slice(), [Effect::Live(RerunCommand::Try(trial))] if trial.models.len() == 2)
    );
    let said = RequestEvent::Said {
        text: "\u{1b}[31mIt is".to_owned(),
        reasoning: String::new(),
    };
    bench.tell(0, TrialEvent::Event(Event::News(said)));
    let shown = screen(&mut bench.app, 120, 36);
    assert!(
        shown.contains("It is") && !shown.contains('\u{1b}'),
        "{shown}"
    );
    bench.tell(1, TrialEvent::Event(finished(Some(true), "It is 4.")));
    let ended = RunResult {
        cost: Cost {
            tokens: [812, 5],
            counted: 1,
            uncounted: 0,
        },
        ..RunResult::default()
    };
    bench.tell(
        1,
        TrialEvent::Ended(Ok((PathBuf::from("run"), Arc::new(ended)))),
    );
    let shown = screen(&mut bench.app, 120, 36);
    for part in [
        "right: 4",
        "812 tokens read",
        "Two and two.",
        "90.0 %",
        "asking …",
    ] {
        assert!(shown.contains(part), "{part}\n{shown}");
    }
    assert!(bench.press("r").is_empty(), "one is still asked");
    bench.tell(0, TrialEvent::Event(finished(Some(false), "5")));
    bench.tell(
        0,
        TrialEvent::Ended(Ok((PathBuf::from("run"), Arc::new(RunResult::default())))),
    );
    assert_eq!(bench.press("r").len(), 1);
    let view = &bench.app.views.playground;
    assert_eq!(view.earlier.len(), 2);
    assert!(screen(&mut bench.app, 120, 36).contains("earlier"));
}

#[test]
fn the_logged_answer_stands_beside_that_of_a_single_model() {
    let mut bench = Bench::new();
    bench.fill(EditField::Models, "lab small");
    assert!(!screen(&mut bench.app, 120, 36).contains("in the log"));
    bench.press("r");
    bench.tell(0, TrialEvent::Event(finished(Some(true), "It is 4.")));
    let shown = screen(&mut bench.app, 120, 36);
    let head = shown.lines().find(|line| line.contains("in the log"));
    assert!(head.unwrap().contains("small"), "{shown}");
    assert_eq!(bench.app.views.live.recent.all()[0].model, "small");
}

#[test]
fn another_sample_is_asked_in_the_same_way() {
    let mut bench = Bench::new();
    let before = bench.app.views.playground.row;
    bench.press("zn");
    let view = &bench.app.views.playground;
    assert_ne!(view.row, before);
    assert_eq!(bench.edits(), "blank");
    assert!(
        view.models
            .iter()
            .all(|model| matches!(model.stage, AnswerStage::Idle))
    );
    bench.key(KeyCode::Esc);
    assert_eq!(bench.app.shared.view, ViewId::Samples);
}

#[test]
fn it_fits_a_small_screen_and_opens_from_a_sample_alone() {
    let mut bench = Bench::new();
    for (width, height) in [(80, 24), (40, 10), (10, 4)] {
        screen(&mut bench.app, width, height);
    }
    let mut app = opened("tests/fixtures/ava_bench");
    app.act(crate::action::Action::Playground);
    assert_ne!(app.shared.view, ViewId::Playground);
    assert!(app.shared.notice.is_some());
}

#[test]
fn a_long_answer_is_scrolled_under_the_name_of_its_model_and_no_farther() {
    let mut bench = Bench::new();
    bench.fill(EditField::Models, "lab small, lab big");
    bench.press("r");
    let long: Vec<String> = (0..60).map(|at| format!("line {at}")).collect();
    bench.tell(0, TrialEvent::Event(finished(Some(true), &long.join("\n"))));
    bench.tell(1, TrialEvent::Event(finished(Some(false), "short words")));
    for _ in 0..40 {
        bench.key(KeyCode::PageDown);
        screen(&mut bench.app, 120, 30);
    }
    let shown = screen(&mut bench.app, 120, 30);
    for part in ["small", "right: 4", "wrong: 4", "short words"] {
        assert!(shown.contains(part), "{part}\n{shown}");
    }
    assert!(!shown.contains("line 3 "), "{shown}");
    let drawn = screen(&mut bench.app, 120, 120);
    assert!(drawn.contains("line 0"), "all of it has room: {drawn}");
}

#[test]
fn five_answers_have_words_on_a_small_screen() {
    let mut bench = Bench::new();
    bench.fill(EditField::Models, "lab a, lab b, lab c, lab d, lab e");
    bench.press("r");
    for model in 0..5 {
        let said = format!("word{model}");
        bench.tell(model, TrialEvent::Event(finished(Some(true), &said)));
    }
    let shown = screen(&mut bench.app, 80, 24);
    for model in 0..5 {
        assert!(shown.contains(&format!("word{model}")), "{shown}");
    }
}

#[test]
fn the_first_word_is_when_it_was_seen() {
    let mut bench = Bench::new();
    bench.fill(EditField::Models, "lab small");
    bench.press("r");
    if let AnswerStage::Asked(spoken) = &mut bench.app.views.playground.models[0].stage {
        spoken.first = Some(Duration::from_millis(2_500));
    }
    let tried = |failure| {
        TrialEvent::Event(Event::News(RequestEvent::Tried(
            ask::client::AttemptRecord {
                number: 1,
                started: std::time::SystemTime::now(),
                status: None,
                failure,
                took: [None, Some(Duration::ZERO), Some(Duration::from_secs(3))],
                request_id: None,
            },
        )))
    };
    bench.tell(0, tried(None));
    assert!(screen(&mut bench.app, 120, 30).contains("first word 2.5 s"));
    bench.tell(0, tried(Some((ask::client::Class::Server, String::new()))));
    assert!(!screen(&mut bench.app, 120, 30).contains("first word"));
}

#[test]
fn what_was_typed_wrongly_is_put_right_and_not_typed_again() {
    let mut bench = Bench::new();
    bench.fill(EditField::Temperature, "hot");
    let shown = screen(&mut bench.app, 100, 30);
    assert!(
        !bench.app.popups.is_empty() && shown.contains("hot"),
        "{shown}"
    );
    assert!(bench.app.views.playground.edited.temperature.is_none());
    bench.key(KeyCode::Esc);
    assert!(bench.app.popups.is_empty());
}

#[test]
fn an_edit_of_the_picture_moves_no_row_and_tells_the_target_of_the_log() {
    let mut bench = Bench::new();
    let row = |app: &mut App| {
        let shown = screen(app, 120, 30);
        shown.lines().position(|line| line.contains(" asks "))
    };
    let before = row(&mut bench.app);
    bench.press("]");
    assert_eq!(row(&mut bench.app), before);
    let preview = bench.app.views.playground.preview.as_mut().unwrap();
    let asked = preview.question.as_mut().unwrap();
    asked.content.target = Some(record::Target::Text("another".to_owned()));
    let shown = screen(&mut bench.app, 120, 30);
    assert!(
        shown.contains("target another") && shown.contains("(target "),
        "{shown}"
    );
}
