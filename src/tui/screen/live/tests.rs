//! Tests the form, the request count and a run: content and keys.

mod exam;
mod several;
mod told;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

use super::field::FormField;
use super::state::LiveStage;
use super::*;
use crate::app::App;
use crate::effect::Effect;
use crate::keymap::ViewId;
use crate::tests::{opened, screen, settle};
use ask::asked::asked;
use ask::client::{Class, Failure, RequestEvent};
use ask::worker::{
    FormData, ModelChoice, PreparedRun, PreparedRuns, RerunEvent, ResumeProgress, RunResults, Trial,
};
use ask::{
    AnswerGrade, Asking, Choice, Estimate, Event, Head, Journal, JournalEntry, Kind, LocalServer,
    ModelListError, Plan, PreviousRun, RerunError, RunResult, SessionError, StepResult, StopReason,
};

/// Presses a key and answers its queries. Returns the remaining effects.
fn press(app: &mut App, code: KeyCode) -> Vec<Effect> {
    let effects = app.on_key(KeyEvent::new(code, KeyModifiers::NONE));
    let (asked, others) = effects
        .into_iter()
        .partition(|effect| matches!(effect, Effect::Ask(_)));
    settle(app, asked);
    others
}

fn click(app: &mut App, column: u16, row: u16) {
    app.on_mouse(MouseEvent {
        kind: MouseEventKind::Down(MouseButton::Left),
        column,
        row,
        modifiers: KeyModifiers::NONE,
    });
}

fn app() -> App {
    let mut app = opened("tests/fixtures/ava_bench");
    press(&mut app, KeyCode::Char('6'));
    looked(&mut app, Vec::new());
    app
}

fn counted(app: &App, protocol: &str) -> Box<PreparedRun> {
    let protocol = ask::Protocol::parse(protocol).unwrap();
    let mask = vec![true; app.shared.table.len()];
    let (samples, _) = asked(
        app.shared.lens.selection(&app.shared.table, &mask),
        &[(&protocol, ask::TurnWords::On)],
        None,
        4,
    );
    let asking = Asking {
        model: "seer".to_owned(),
        label: "seer".to_owned(),
        ..Asking::default()
    };
    let plan = Plan::new(samples, protocol, asking);
    Box::new(PreparedRun {
        estimate: Estimate {
            samples: 4,
            requests: plan.len(),
            input_tokens: 1_200.0,
            output_tokens: 256.0,
            cost: Some(0.31),
            seconds: 3.0,
            ..Estimate::default()
        },
        changed: plan.changed_words(5),
        plan: Arc::new(plan),
        address: "http://gpu7:8000/v1".to_owned(),
        key: None,
        has_listed_models: false,
        address_in: None,
        price: None,
        stored: (0, 0),
        begun: None,
    })
}

/// Returns the count of a single run.
fn alone(run: Box<PreparedRun>) -> Box<PreparedRuns> {
    Box::new(PreparedRuns {
        columns: vec![(String::new(), *run)],
        ..PreparedRuns::default()
    })
}

/// Returns the event for the end of a single run.
fn ended(folder: &str, result: RunResult) -> RerunEvent {
    RerunEvent::Ended(Ok(RunResults {
        columns: vec![Ok((PathBuf::from(folder), Arc::new(result)))],
        comparisons: Vec::new(),
    }))
}

/// Returns the state of the only run.
fn progress(app: &mut App) -> &mut ask::Progress {
    match &mut app.views.live.stage {
        LiveStage::Asked(runs) => &mut runs.columns[0].1,
        other => panic!("{other:?}"),
    }
}

/// Returns a run in its own folder, with `done` answered questions of four samples.
fn begun(app: &App, folder: &Path, protocol: &str, done: usize) -> PreviousRun {
    let counted = counted(app, protocol);
    let head = Head {
        run: "20261118T090000-vanilla".to_owned(),
        started: "2026-11-18T09:00:00Z".to_owned(),
        ..Head::new(&counted.plan, &counted.address).at("lab")
    };
    let mut journal = Journal::create(folder, head).unwrap();
    for item in 0..done {
        let (sample, step) = counted.plan.at(item).unwrap();
        let answer = JournalEntry {
            key: item.to_string(),
            item: sample.key(),
            step: step.name(),
            outcome: "ok".to_owned(),
            ..JournalEntry::default()
        };
        journal.finish(Arc::new(answer)).unwrap();
    }
    drop(journal);
    PreviousRun::read(folder).unwrap()
}

/// Simulates the rerun worker's reply about available samples.
fn looked(app: &mut App, previous: Vec<PreviousRun>) {
    let looked = FormData {
        samples: 24,
        picked: false,
        shown: counted(app, "vanilla")
            .plan
            .samples
            .iter()
            .map(|sample| sample.record.content.clone())
            .collect(),
        asks_first: None,
        previous,
    };
    app.receive_live(RerunEvent::FormLoaded(
        app.views.live.form_ticket,
        Box::new(looked),
    ));
}

fn finished(item: usize, before: bool, kind: Kind, right: Option<bool>) -> Event {
    Event::Finished(Arc::new(StepResult {
        item,
        judged: AnswerGrade {
            kind,
            right,
            read: right.map(|right| right.to_string()),
        },
        before: Some(before),
        kept: false,
        done: Arc::new(JournalEntry {
            sample_id: format!("sample_{item}"),
            text: "The answer is\u{1b}[31m 9 m".to_owned(),
            prompt_tokens: Some(120),
            completion_tokens: Some(4),
            attempts: 1,
            ..JournalEntry::default()
        }),
        record: None,
    }))
}

#[test]
fn the_form_is_filled_in_with_keys_and_counted_before_anything_is_sent() {
    let mut app = app();
    insta::assert_snapshot!("form", screen(&mut app, 80, 24));
    for key in [KeyCode::Down, KeyCode::Down, KeyCode::Right] {
        press(&mut app, key);
    }
    assert_eq!(
        (app.views.live.field, app.views.live.protocol.as_str()),
        (FormField::Protocol, "rotational")
    );
    press(&mut app, KeyCode::Down);
    press(&mut app, KeyCode::Down);
    press(&mut app, KeyCode::Enter);
    for key in [
        KeyCode::Backspace,
        KeyCode::Backspace,
        KeyCode::Char('4'),
        KeyCode::Enter,
    ] {
        press(&mut app, key);
    }
    assert_eq!(app.views.live.limit, 4);
    let effects = press(&mut app, KeyCode::Char('r'));
    assert!(
        matches!(effects.as_slice(), [Effect::Live(RerunCommand::Count(form))] if form.limit == 4)
    );
    let (told, ticket) = (counted(&app, "rotational"), app.views.live.ticket);
    app.receive_live(RerunEvent::Counted(ticket, Ok(alone(told))));
    insta::assert_snapshot!("counted", screen(&mut app, 80, 24));
    press(&mut app, KeyCode::Right);
    assert!(
        matches!(app.views.live.stage, LiveStage::Form),
        "a change is counted anew"
    );
}

#[test]
fn trouble_is_said_and_the_form_stays() {
    let mut app = app();
    app.views.live.protocol = "repeat:x".to_owned();
    assert!(press(&mut app, KeyCode::Char('r')).is_empty());
    assert!(screen(&mut app, 80, 24).contains("a whole number"));
    app.views.live.protocol = "vanilla".to_owned();
    press(&mut app, KeyCode::Char('r'));
    let ticket = app.views.live.ticket;
    let refused = Failure::new(Class::Endpoint, "nothing listens at http://gpu7");
    app.receive_live(RerunEvent::Counted(
        ticket,
        Err(RerunError::Look(ModelListError::Failed(refused)).into()),
    ));
    assert!(screen(&mut app, 80, 24).contains("nothing listens"));
}

#[test]
fn words_of_ones_own_become_prompts() {
    let mut app = app();
    app.views.live.protocol = "prompt".to_owned();
    assert!(app.views.live.fields().contains(&FormField::Words));
    app.views.live.words = vec!["{question}".to_owned(), "{question}\n{options}".to_owned()];
    assert_eq!(app.views.live.protocol().unwrap().steps().len(), 2);
    app.views.live.words = vec!["nothing".to_owned()];
    assert!(app.views.live.protocol().is_err());
}

#[test]
fn flips_arrive_a_run_is_held_and_its_log_is_opened() {
    let mut app = app();
    let told = counted(&app, "vanilla");
    app.views.live.stage = LiveStage::Counted(alone(told));
    let effects = press(&mut app, KeyCode::Char('r'));
    assert!(matches!(
        effects.as_slice(),
        [Effect::Live(RerunCommand::Start(..))]
    ));
    let failed = Kind::Failed(Class::Rate);
    for event in [
        finished(0, false, Kind::Ok, Some(true)),
        finished(1, true, Kind::Ok, Some(false)),
        finished(2, true, Kind::Refused, None),
        finished(3, true, failed, None),
        Event::News(RequestEvent::Paused(
            Failure::new(Class::Busy, "loading").to_string(),
        )),
    ] {
        app.receive_live(RerunEvent::Event(0, event));
    }
    let effects = press(&mut app, KeyCode::Char(' '));
    assert!(matches!(
        effects.as_slice(),
        [Effect::Live(RerunCommand::Pause(true))]
    ));
    progress(&mut app).took = Duration::from_secs(2);
    insta::assert_snapshot!("running", screen(&mut app, 80, 24));
    assert!(press(&mut app, KeyCode::Char('q')).is_empty());
    let warning = app.shared.notice.clone().unwrap();
    assert!(warning.contains("quit again to leave"), "{warning}");
    let effects = press(&mut app, KeyCode::Char('q'));
    assert!(matches!(effects.as_slice(), [Effect::Quit]));
    let effects = press(&mut app, KeyCode::Char('x'));
    assert!(matches!(
        effects.as_slice(),
        [Effect::Live(RerunCommand::Stop)]
    ));
    press(&mut app, KeyCode::Enter);
    assert_eq!(
        (app.shared.view, app.shared.list.rows.len()),
        (ViewId::Sample, 2),
        "the flips, one beside the other"
    );
    press(&mut app, KeyCode::Char('6'));
    let stopped = RunResult {
        stopped: Some(StopReason::ByUser),
        ..RunResult::default()
    };
    let effects = app.receive_live(ended("x/reruns/1", stopped));
    assert!(screen(&mut app, 120, 36).contains("stopped; r"));
    assert!(effects.is_empty(), "a run without an answer is not opened");
}

#[test]
fn samples_that_were_picked_by_their_outcome_have_controls() {
    let mut app = app();
    assert!(!app.views.live.fields().contains(&FormField::Controls));
    app.views.live.form_data.picked = true;
    app.views.live.field = FormField::Controls;
    assert_eq!(app.views.live.value(FormField::Controls), "none");
    press(&mut app, KeyCode::Right);
    assert!(screen(&mut app, 80, 24).contains("as many right"));
    app.views.live.form_data.picked = true;
    let effects = press(&mut app, KeyCode::Char('r'));
    assert!(
        matches!(effects.as_slice(), [Effect::Live(RerunCommand::Count(form))] if form.controls)
    );
}

#[test]
fn protocols_that_were_kept_stand_beside_the_others() {
    let mut app = app();
    let kept = "file:/x/variants/brief.toml";
    app.apply(vec![Change::LiveProtocol(kept.to_owned())]);
    app.views.live.field = FormField::Protocol;
    assert_eq!(app.views.live.protocol, kept);
    press(&mut app, KeyCode::Right);
    assert_eq!(app.views.live.protocol, "vanilla");
    press(&mut app, KeyCode::Left);
    assert_eq!(app.views.live.protocol, kept);
    assert!(screen(&mut app, 80, 24).contains("your saved edit"));
}

#[test]
fn a_sample_on_screen_is_asked_alone() {
    let mut app = opened("tests/fixtures/ava_bench");
    press(&mut app, KeyCode::Char('3'));
    press(&mut app, KeyCode::Enter);
    press(&mut app, KeyCode::Char('r'));
    assert_eq!(app.shared.view, ViewId::Live);
    let effects = press(&mut app, KeyCode::Char('r'));
    assert!(
        matches!(effects.as_slice(), [Effect::Live(RerunCommand::Count(form))] if form.rows.as_ref().is_some_and(|rows| rows.len() == 1))
    );
}

/// Returns the trial that an effect of a key starts.
fn trial(effects: &[Effect]) -> Option<&Trial> {
    effects.iter().find_map(|effect| match effect {
        Effect::Live(RerunCommand::Try(trial)) => Some(&**trial),
        _ => None,
    })
}

#[test]
fn the_last_model_is_asked_about_a_sample_at_once_as_logged() {
    let last = ModelChoice {
        endpoint: "lab".to_owned(),
        model: "small".to_owned(),
    };
    let mut app = opened("tests/fixtures/ava_bench");
    press(&mut app, KeyCode::Char('3'));
    press(&mut app, KeyCode::Enter);
    app.views.live.recent.add(last.clone());
    let effects = press(&mut app, KeyCode::Char('r'));
    assert_eq!(app.shared.view, ViewId::Playground);
    assert_eq!(trial(&effects).unwrap().models, [last]);
    // If the sample has edits, it is only opened, because the edits would be sent too.
    press(&mut app, KeyCode::Esc);
    app.views.playground.edited.seed = Some(1);
    let effects = press(&mut app, KeyCode::Char('r'));
    assert_eq!(app.shared.view, ViewId::Playground);
    assert!(trial(&effects).is_none() && app.shared.notice.is_some());
}

#[test]
fn a_counted_run_is_remembered_and_a_continued_one_is_not() {
    let mut app = app();
    let mut ready = counted(&app, "vanilla");
    ready.begun = Some(ResumeProgress::default());
    app.views.live.stage = LiveStage::Counted(alone(ready));
    press(&mut app, KeyCode::Char('r'));
    assert!(app.views.live.recent.all().is_empty());
    app.views.live.stage = LiveStage::Counted(alone(counted(&app, "vanilla")));
    press(&mut app, KeyCode::Char('r'));
    assert_eq!(app.views.live.recent.all()[0].endpoint, "builtin:hog");
}

#[test]
fn a_server_of_this_machine_is_selected_until_another_is() {
    let server = |port: u16| LocalServer {
        address: format!("http://127.0.0.1:{port}/v1"),
        usual: "vLLM",
        models: vec!["qwen".to_owned(), "gemma\u{1b}".to_owned()],
    };
    let mut app = opened("tests/fixtures/ava_bench");
    let effects = press(&mut app, KeyCode::Char('6'));
    let finds = |effect: &Effect| matches!(effect, Effect::Live(RerunCommand::FindServers));
    assert_eq!(effects.iter().filter(|effect| finds(effect)).count(), 1);
    let effects = app.receive_live(RerunEvent::Servers(vec![server(8000)]));
    assert!(
        matches!(effects.as_slice(), [Effect::Live(RerunCommand::Look(form))] if form.columns[0].endpoint == "http://127.0.0.1:8000/v1"),
        "the form says what it sends there"
    );
    let live = &app.views.live;
    assert_eq!(live.model, "qwen");
    app.views.live.field = FormField::Model;
    press(&mut app, KeyCode::Right);
    assert_eq!(app.views.live.model, "gemma\u{1b}");
    let shown = screen(&mut app, 100, 30);
    assert!(
        shown.contains("usually vLLM") && !shown.contains('\u{1b}'),
        "{shown}"
    );
    let effects = app.receive_live(RerunEvent::Servers(vec![server(8080)]));
    assert!(effects.is_empty());
    assert_eq!(app.views.live.endpoint, "http://127.0.0.1:8000/v1");
}

#[test]
fn system_prompt_tokens_and_seed_are_sent_with_the_form() {
    let mut app = app();
    let live = &mut app.views.live;
    for (name, text) in [("system", "Be brief."), ("tokens", "64"), ("seed", "7")] {
        live.set_field(&app.shared, name, text);
        assert!(live.trouble.is_none(), "{name}");
    }
    for (name, text) in [("tokens", "0"), ("seed", "-1")] {
        live.set_field(&app.shared, name, text);
        assert!(live.trouble.is_some(), "{name}");
    }
    let effects = press(&mut app, KeyCode::Char('r'));
    let [Effect::Live(RerunCommand::Count(form))] = effects.as_slice() else {
        panic!("{effects:?}");
    };
    let spec = &form.columns[0];
    let sent = (spec.system.as_deref(), spec.max_tokens, spec.seed);
    assert_eq!(sent, (Some("Be brief."), Some(64), Some(7)));
}

#[test]
fn the_answer_to_a_single_sample_is_shown_at_once() {
    let mut app = app();
    let mut ready = counted(&app, "vanilla");
    let mut plan = Plan::clone(&ready.plan);
    plan.samples.truncate(1);
    ready.plan = Arc::new(plan);
    app.views.live.stage = LiveStage::Counted(alone(ready));
    press(&mut app, KeyCode::Char('r'));
    let answer = finished(0, false, Kind::Ok, Some(false));
    app.receive_live(RerunEvent::Event(0, answer));
    assert!(
        screen(&mut app, 80, 24).contains("The answer is"),
        "no flip"
    );
    app.receive_live(ended("x/reruns/1", RunResult::default()));
    let shown = screen(&mut app, 80, 24);
    assert!(
        shown.contains("target") && shown.contains("wrong, false"),
        "{shown}"
    );
}

#[test]
fn an_unknown_model_to_compare_with_is_refused() {
    let mut app = app();
    let take = |app: &mut App, name: &str, text: &str| {
        app.views.live.set_field(&app.shared, name, text);
        app.views.live.trouble.clone()
    };
    let refused = take(&mut app, "compare with", "20");
    assert!(refused.is_some_and(|why| why.contains("no model `20`")));
    assert_eq!(app.views.live.against, None);
    let model = app.shared.models()[0].clone();
    assert_eq!(take(&mut app, "compare with", &model), None);
    assert_eq!(app.views.live.against, Some(model));
    assert_eq!(take(&mut app, "compare with", ""), None);
    assert!(take(&mut app, "samples", "x").is_some(), "other fields too");
}

#[test]
fn an_interrupted_run_is_listed_counted_and_goes_on() {
    let mut app = app();
    let folder = tempfile::tempdir().unwrap();
    let earlier = begun(&app, folder.path(), "rotational", 5);
    assert_eq!((earlier.answered, earlier.pending()), (5, 11));
    looked(&mut app, vec![earlier]);
    insta::assert_snapshot!("earlier", screen(&mut app, 80, 24));
    for _ in 0..9 {
        press(&mut app, KeyCode::Down);
    }
    assert_eq!(app.views.live.run.as_deref(), Some(folder.path()));
    let effects = press(&mut app, KeyCode::Enter);
    let [Effect::Live(RerunCommand::Again(again))] = effects.as_slice() else {
        panic!("{effects:?}");
    };
    assert_eq!(again.previous.folder, folder.path());
    let ticket = app.views.live.ticket;
    let mut told = counted(&app, "rotational");
    told.begun = Some(ResumeProgress {
        run: "20261118T090000-vanilla".to_owned(),
        answered: 5,
        failed: 2,
        ..ResumeProgress::default()
    });
    app.receive_live(RerunEvent::Counted(ticket, Ok(alone(told.clone()))));
    let shown = screen(&mut app, 100, 30);
    assert!(shown.contains("5 of 16 answered, 2 failed") && shown.contains("sends 11 requests"));
    press(&mut app, KeyCode::Right);
    assert!(
        screen(&mut app, 100, 30).contains("sends 9 requests"),
        "what failed is left"
    );
    let effects = press(&mut app, KeyCode::Char('r'));
    let choice = Choice::default();
    assert!(
        matches!(effects.as_slice(), [Effect::Live(RerunCommand::Start(counted, chosen))] if (*counted, *chosen) == (ticket, choice))
    );
    // A run without remaining questions starts without confirmation, because it sends nothing.
    app.views.live.stage = LiveStage::Counting;
    told.begun = Some(ResumeProgress {
        answered: 16,
        ..ResumeProgress::default()
    });
    let effects = app.receive_live(RerunEvent::Counted(ticket, Ok(alone(told))));
    assert!(matches!(
        effects.as_slice(),
        [Effect::Live(RerunCommand::Start(..))]
    ));
}

#[test]
fn known_answers_are_offered_and_never_taken_silently_where_chance_was_in_them() {
    let mut app = app();
    let ago = std::time::SystemTime::now() - Duration::from_secs(3 * 86_400 + 60);
    let ago = ago.duration_since(std::time::UNIX_EPOCH).unwrap();
    for (protocol, requests, value) in [("vanilla", 1, "use them"), ("repeat:2", 8, "ask again")] {
        app.views.live.stage = LiveStage::Counting;
        let mut told = counted(&app, protocol);
        told.stored = (3, u64::try_from(ago.as_millis()).unwrap());
        let (ticket, all) = (app.views.live.ticket, told.plan.len());
        app.receive_live(RerunEvent::Counted(ticket, Ok(alone(told))));
        let shown = screen(&mut app, 100, 30);
        let offer = format!("3 of {all} are already answered, 3 days old");
        assert!(shown.contains(&offer) && shown.contains(value), "{shown}");
        let sends = format!("sends {}", base::format::counted(requests, "request"));
        assert!(shown.contains(&sends), "{shown}");
    }
    app.views.live.field = FormField::Stored;
    press(&mut app, KeyCode::Right);
    assert!(screen(&mut app, 100, 30).contains("sends 5 requests"));
    let effects = press(&mut app, KeyCode::Char('r'));
    assert!(
        matches!(effects.as_slice(), [Effect::Live(RerunCommand::Start(_, choice))] if choice.reuse)
    );
}

#[test]
fn what_was_counted_under_another_ticket_is_not_taken() {
    let mut app = app();
    press(&mut app, KeyCode::Char('r'));
    let told = counted(&app, "vanilla");
    let old = app.views.live.ticket - 1;
    app.receive_live(RerunEvent::Counted(old, Ok(alone(told))));
    assert!(matches!(app.views.live.stage, LiveStage::Counting));
    press(&mut app, KeyCode::Char('x'));
    assert!(
        matches!(app.views.live.stage, LiveStage::Form),
        "the user gave up"
    );
}

#[test]
fn wordings_are_edited_on_a_real_question_and_what_is_wrong_is_said_while_typing() {
    let mut app = app();
    app.views.live.protocol = "prompt".to_owned();
    app.views.live.field = FormField::Words;
    press(&mut app, KeyCode::Enter);
    insta::assert_snapshot!("words", screen(&mut app, 80, 24));
    for key in "{anwser}".chars() {
        press(&mut app, KeyCode::Char(key));
    }
    assert!(screen(&mut app, 80, 24).contains("unknown placeholder {anwser}"));
    for _ in 0.."{anwser}".len() {
        press(&mut app, KeyCode::Backspace);
    }
    let control = |c| KeyEvent::new(KeyCode::Char(c), KeyModifiers::CONTROL);
    app.on_key(control('n'));
    app.on_paste("\nLook\ntwice.");
    press(&mut app, KeyCode::Esc);
    assert_eq!(app.views.live.words.len(), 2);
    assert!(app.views.live.words[1].ends_with("only.\nLook\ntwice."));
    assert_eq!(app.views.live.protocol().unwrap().steps().len(), 2);
    press(&mut app, KeyCode::Enter);
    app.on_key(control('x'));
    press(&mut app, KeyCode::Esc);
    assert_eq!(app.views.live.words.len(), 1);
}

#[test]
fn a_step_has_a_row_and_a_sample_its_pattern() {
    let mut app = app();
    let told = counted(&app, "rotational");
    app.views.live.stage = LiveStage::Counted(alone(told));
    press(&mut app, KeyCode::Char('r'));
    let rights = [true, true, false, true, false, false, false, false];
    for (item, right) in rights.into_iter().enumerate() {
        let one = finished(item, item < 4, Kind::Ok, Some(right));
        app.receive_live(RerunEvent::Event(0, one));
    }
    app.receive_live(RerunEvent::Event(0, finished(8, true, Kind::Cut, None)));
    progress(&mut app).took = Duration::from_secs(2);
    let shown = screen(&mut app, 120, 36);
    assert!(shown.contains("patterns: ") && shown.contains("1101 1") && shown.contains("0000 1"));
    insta::assert_snapshot!("rotational", shown);
}

/// Returns changed words in `count` samples.
fn changed(count: usize) -> ask::ChangedWords {
    let example = |at| ask::ChangedExample {
        sample_id: format!("s{at}"),
        step: "rotation=90".to_owned(),
        marked: "What is it?".to_owned(),
        target: Some(("D".to_owned(), "B".to_owned())),
    };
    ask::ChangedWords {
        samples: count,
        examples: (0..count).map(example).collect(),
    }
}

#[test]
fn the_model_of_the_lens_is_asked_unless_another_was_chosen() {
    let mut live = LiveView::default();
    live.propose("a model of a log");
    assert_eq!(live.endpoint, "builtin:hog");
    live.propose("oracle");
    assert_eq!(live.endpoint, "builtin:oracle");
    live.propose("specialist");
    assert_eq!(live.endpoint, "builtin:specialist");
    live.set(FormField::Endpoint, "lab");
    live.propose("oracle");
    assert_eq!(live.endpoint, "lab");
}
