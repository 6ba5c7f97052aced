//! Tests verdicts given by keys, and the audit screen at two sizes.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::Terminal;
use ratatui::backend::TestBackend;

use crate::app::App;
use crate::effect::Effect;
use crate::keymap::ViewId;
use crate::tests::{answered, replaced, whole};
use crate::view::View;
use crate::widget::theme::{ColorDepth, Theme};
use analysis::audit::verdict_sets;
use record::verdict::{Book, Entry, SampleKey, Verdict};
use record::{Row, RowMap};
use workspace::Lens;
use workspace::load::{Request, load};
use workspace::open::{Change, Event, WriterReport};

use crate::shared::{ListSource, key_of};

/// An app with ten abilities of 24 samples and three models, and the verdicts that it saved.
struct Desk {
    app: App,
    kept: Vec<Entry>,
}

impl Desk {
    fn new() -> Self {
        let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
            .join("tests/fixtures/ava_bench");
        let request = Request {
            paths: vec![path],
            ..Request::default()
        };
        let table = load(&request, &mut |_| ControlFlow::Continue(()));
        let theme = Theme::named("dark").unwrap();
        let mut app = App::new(&theme, ColorDepth::True, Lens::default());
        app.shared.verdicts.author = "ada".to_owned();
        let effects = app.receive(whole(table));
        let mut desk = Self {
            app,
            kept: Vec::new(),
        };
        desk.settle(effects);
        desk.hear(Book::default(), 0);
        desk
    }

    fn settle(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Ask(query) => {
                    let more = answered(&mut self.app, &query);
                    self.settle(more);
                }
                Effect::SaveVerdict(entry) => self.kept.push(*entry),
                _ => {}
            }
        }
    }

    /// Simulates a report of the verdict writer: `book` is the content of the files, and `saved` is
    /// the number of written verdicts.
    fn hear(&mut self, book: Book, saved: usize) {
        let sets = verdict_sets(&self.app.shared.table, &book);
        let judged = self.app.shared.table.clone().with_verdicts(sets);
        self.receive(replaced(judged, RowMap::Nowhere, Change::Judged));
        let news = WriterReport {
            book: Arc::new(book),
            place: PathBuf::from("logs/eyechart.verdicts.jsonl"),
            saved,
            ..WriterReport::default()
        };
        self.receive(Event::Verdicts(news));
    }

    fn receive(&mut self, event: Event) {
        let effects = self.app.receive(event);
        self.settle(effects);
    }

    fn press(&mut self, keys: &str) {
        for word in keys.split_whitespace() {
            let code = match word {
                "enter" => KeyCode::Enter,
                "esc" => KeyCode::Esc,
                "right" => KeyCode::Right,
                "down" => KeyCode::Down,
                "space" => KeyCode::Char(' '),
                other => KeyCode::Char(other.chars().next().unwrap()),
            };
            // A sample can be judged only after it is drawn on the screen.
            self.screen(80, 24);
            let effects = self.app.on_key(KeyEvent::new(code, KeyModifiers::NONE));
            self.settle(effects);
        }
    }

    fn screen(&mut self, width: u16, height: u16) -> String {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        crate::tests::draw(&mut self.app, &mut terminal);
        terminal.backend().to_string()
    }

    /// Returns the help's explanations of the audit's figures.
    fn explained(&self) -> String {
        let explained = self.app.views.audit.explain(&self.app.shared);
        let words: Vec<String> = explained.into_iter().map(|one| one.words).collect();
        words.join("\n")
    }

    fn here(&self) -> SampleKey {
        key_of(
            &self.app.shared.table,
            self.app.shared.list.rows[self.app.shared.list.table.selected],
        )
    }

    fn verdict_of(&self, key: &SampleKey) -> Option<Verdict> {
        self.app
            .shared
            .verdicts
            .book
            .of_author(key, "ada")
            .map(|word| word.verdict)
    }
}

/// Returns verdicts of two people on every third sample of the fixtures, without timestamps.
fn book(desk: &Desk) -> Book {
    let mut book = Book::default();
    let keys: BTreeSet<SampleKey> = (0..720)
        .map(|row| key_of(&desk.app.shared.table, row))
        .collect();
    for (at, key) in keys.iter().enumerate().filter(|(at, _)| at % 3 == 0) {
        let verdict = match at % 18 {
            3 => Verdict::WrongLabel,
            6 => Verdict::Ambiguous,
            9 => Verdict::BadImage,
            _ => Verdict::Ok,
        };
        let line = |author: &str, verdict: Verdict| {
            let (id, benchmark, ability) = (&key.sample_id, &key.benchmark, &key.ability);
            format!(
                r#"{{"sample_id":"{id}","benchmark":"{benchmark}","ability":"{ability}","verdict":"{verdict}","drawn":true,"note":"why {at}","author":"{author}","at":"2026-01-01T00:00:00Z"}}"#
            )
        };
        book.add(0, Entry::parse(line("ada", verdict).as_bytes()).unwrap());
        if at % 9 == 0 {
            let other = if at % 36 == 0 {
                Verdict::WrongLabel
            } else {
                verdict
            };
            book.add(0, Entry::parse(line("bob", other).as_bytes()).unwrap());
        }
    }
    book
}

#[test]
fn a_spot_check_takes_one_key_a_sample_and_ends_at_what_it_found() {
    let mut desk = Desk::new();
    desk.press("7 - - - - d");
    assert_eq!(
        (desk.app.shared.view, desk.app.shared.list.rows.len()),
        (ViewId::Sample, 10)
    );
    let mut judged = BTreeSet::new();
    for key in [
        "space", "x", "d", "i", "space", "space", "space", "space", "space",
    ] {
        judged.insert(desk.here());
        desk.press(key);
        assert_eq!(desk.app.shared.view, ViewId::Sample);
    }
    assert_eq!(judged.len(), 9);
    assert!(desk.screen(100, 30).contains("spot check, 9 of 10 judged"));
    desk.press("space");
    assert_eq!((desk.app.shared.view, desk.kept.len()), (ViewId::Audit, 10));
    let found = desk.app.views.audit.findings.as_ref().unwrap();
    assert_eq!(found.audit.overall.counts, [7, 1, 1, 1]);
    assert_eq!(found.flagged.len(), 2, "ambiguous samples stay");
    desk.press("i");
    assert_eq!(
        desk.app
            .views
            .audit
            .findings
            .as_ref()
            .unwrap()
            .flagged
            .len(),
        3
    );
    let shown = desk.screen(100, 30);
    assert!(
        shown.contains("0.100") && shown.contains("1 wrong, 1 ambiguous of 10 judged"),
        "{shown}"
    );
    desk.press("d");
    assert_eq!(desk.app.shared.view, ViewId::Sample, "another ten");
    assert!(!judged.contains(&desk.here()));
}

#[test]
fn what_the_models_said_is_hidden_until_asked() {
    let mut desk = Desk::new();
    desk.press("7 a a a d");
    let row = desk.app.shared.list.rows[0];
    let detail = desk
        .app
        .shared
        .fetched
        .details
        .get(&row)
        .unwrap()
        .clone()
        .unwrap();
    let model = detail.list.model.clone();
    let said = detail.record.response.clone().unwrap();
    assert_ne!(said, detail.list.target, "the fixture tells the two apart");
    let hidden = desk.screen(100, 40);
    assert!(
        hidden.contains("R shows it") && !hidden.contains("parsed"),
        "{hidden}"
    );
    let body: String = hidden
        .lines()
        .filter(|line| !line.contains(".jsonl"))
        .collect();
    assert!(!body.contains(&model) && !body.contains("✗"), "{hidden}");
    desk.press("R");
    let shown = desk.screen(100, 40);
    assert!(
        shown.contains(&model) && shown.contains(said.lines().next().unwrap()),
        "{shown}"
    );
    desk.press("n");
    assert!(
        desk.screen(100, 40).contains("R shows it"),
        "the next one is hidden again"
    );
    desk.press("esc 3 enter");
    assert!(
        !desk.screen(100, 40).contains("R shows it"),
        "only in a spot check"
    );
}

#[test]
fn a_verdict_is_shown_as_saved_once_it_is() {
    let mut desk = Desk::new();
    desk.press("3 enter J x");
    let key = desk.here();
    assert_eq!(desk.verdict_of(&key), Some(Verdict::WrongLabel));
    assert!(desk.screen(100, 30).contains("(saving)"));
    let mut book = Book::default();
    book.add(0, desk.kept[0].clone());
    desk.hear(book, 1);
    let shown = desk.screen(100, 30);
    assert!(
        shown.contains("✗ wrong label ada") && !shown.contains("(saving)"),
        "{shown}"
    );
    assert!(
        desk.app
            .shared
            .table
            .verdicts()
            .contains(&Verdict::WrongLabel.bit()),
        "filters know it"
    );
    desk.press("esc");
    assert!(desk.screen(100, 30).contains("✗ wrong label"));
}

#[test]
fn words_that_are_not_saved_stay_and_are_told() {
    let mut desk = Desk::new();
    desk.press("3 J");
    let key = desk.here();
    desk.press("x");
    let news = WriterReport {
        trouble: Some("disk full".to_owned()),
        ..WriterReport::default()
    };
    desk.receive(Event::Verdicts(news));
    assert_eq!(desk.verdict_of(&key), Some(Verdict::WrongLabel));
    assert!(
        desk.screen(100, 30)
            .contains("not saved, will be retried: disk full")
    );
    desk.press("7");
    assert!(
        desk.screen(100, 30)
            .contains("1 verdict not saved: disk full")
    );
}

#[test]
fn undo_says_what_was_before_and_redo_says_it_again() {
    let mut desk = Desk::new();
    desk.press("3 enter J x");
    let first = desk.here();
    desk.press("d n i u");
    assert_eq!(desk.verdict_of(&first), Some(Verdict::Ambiguous));
    assert_ne!(desk.here(), first, "what was taken back is shown");
    desk.press("u");
    assert_eq!(
        (desk.verdict_of(&first), desk.here()),
        (Some(Verdict::WrongLabel), first.clone())
    );
    desk.press("u");
    assert_eq!(desk.verdict_of(&first), None);
    desk.press("u");
    assert!(desk.screen(100, 30).contains("nothing to undo"));
    desk.press("U U");
    assert_eq!(desk.verdict_of(&first), Some(Verdict::Ambiguous));
    let said: Vec<Verdict> = desk.kept.iter().map(|entry| entry.verdict).collect();
    let (wrong, ambiguous, bad, none) = (
        Verdict::WrongLabel,
        Verdict::Ambiguous,
        Verdict::BadImage,
        Verdict::None,
    );
    assert_eq!(
        said,
        [wrong, ambiguous, bad, none, wrong, none, wrong, ambiguous],
        "the file only grows"
    );
}

#[test]
fn a_note_goes_with_its_verdict() {
    let mut desk = Desk::new();
    desk.press("3 enter J N t w o enter");
    assert!(
        desk.kept.is_empty() && desk.screen(100, 30).contains("note is saved once"),
        "no verdict yet"
    );
    desk.press("x");
    assert_eq!(
        (desk.kept[0].note.as_str(), desk.kept[0].verdict),
        ("two", Verdict::WrongLabel)
    );
    desk.press("N s enter");
    assert_eq!(desk.kept[1].note, "twos");
    assert!(desk.screen(100, 30).contains("wrong label twos, ada"));
    desk.press("d");
    assert_eq!(
        (desk.kept[2].note.as_str(), desk.kept[2].verdict),
        ("twos", Verdict::Ambiguous)
    );
}

#[test]
fn verdict_keys_do_nothing_where_there_is_no_sample() {
    let mut desk = Desk::new();
    for view in ["1", "2", "5", "7"] {
        desk.press(view);
        for action in ["judge-ok", "note", "reveal", "judge-nothing"] {
            let action = crate::action::Action::named(action).unwrap();
            let effects = desk.app.act(action);
            desk.settle(effects);
        }
    }
    assert!(desk.kept.is_empty() && desk.app.popups.is_empty());
}

#[test]
fn enter_opens_a_flagged_sample() {
    let mut desk = Desk::new();
    let book = book(&desk);
    desk.hear(book, 0);
    desk.press("7 down enter");
    let found = desk.app.views.audit.findings.as_ref().unwrap();
    assert_eq!(
        (desk.app.shared.view, desk.here()),
        (ViewId::Sample, found.flagged[1].sample.clone())
    );
    assert!(desk.app.shared.list.of == ListSource::Flagged);
    desk.press("esc");
    assert_eq!(desk.app.shared.view, ViewId::Audit);
}

#[test]
fn the_audit_looks_like_this() {
    let mut desk = Desk::new();
    desk.press("7");
    insta::assert_snapshot!("audit_start_80x24", desk.screen(80, 24));
    desk.press("d");
    insta::assert_snapshot!("audit_check_80x24", desk.screen(80, 24));
    let book = book(&desk);
    desk.hear(book, 0);
    desk.press("7");
    insta::assert_snapshot!("audit_80x24", desk.screen(80, 24));
    insta::assert_snapshot!("audit_160x50", desk.screen(160, 50));
    desk.press("right");
    insta::assert_snapshot!("audit_abilities_80x24", desk.screen(80, 24));
    desk.press("right");
    insta::assert_snapshot!("audit_ranks_80x24", desk.screen(80, 24));
    desk.press("right");
    insta::assert_snapshot!("audit_authors_80x24", desk.screen(80, 24));
}

#[test]
fn the_right_label_is_typed_and_kept_until_it_is_taken_back() {
    let mut desk = Desk::new();
    desk.press("3 a enter J t");
    let shown = desk.screen(80, 24);
    assert!(shown.contains("right label"), "{shown}");
    let key = desk.here();
    let row = Row(desk.app.shared.list.here().unwrap());
    let target = desk
        .app
        .shared
        .table
        .target(desk.app.shared.table.item(row))
        .to_owned();
    desk.press("x y enter");
    let word = desk.kept.last().unwrap();
    assert_eq!(word.verdict, Verdict::WrongLabel);
    assert_eq!(word.target, Some(format!("{target}xy").into()));
    desk.press("x");
    assert_eq!(desk.kept.len(), 1, "still wrong, still known");
    assert!(desk.screen(80, 24).contains("should"));
    desk.press("u");
    assert_eq!(desk.verdict_of(&key), None);
    assert_eq!(desk.kept.last().unwrap().target, None);
}

#[test]
fn ranks_with_corrected_labels_stand_beside_those_without() {
    let mut desk = Desk::new();
    desk.press("3 a enter J t 1 enter 7 right right");
    let shown = desk.screen(80, 24);
    assert!(shown.contains("corrected"), "{shown}");
    assert!(shown.contains("with 1 label corrected"), "{shown}");
}

/// Each ability of the fixture has 24 samples, so neither the text nor the draw exceeds 24.
#[test]
fn a_spot_check_offers_no_more_samples_than_there_are() {
    let mut desk = Desk::new();
    desk.press("7 a");
    assert!(desk.app.shared.lens.ability.is_some());
    assert!(desk.screen(80, 24).contains("draw 24 samples of"));
    desk.press("-");
    assert!(desk.screen(80, 24).contains("draw 14 samples of"));
    desk.press("+ + +");
    assert!(desk.screen(80, 24).contains("draw 24 samples of"));
    desk.press("d");
    assert_eq!(desk.app.shared.verdicts.check.len(), 24);
}

#[test]
fn no_sentence_of_the_audit_is_cut() {
    let mut desk = Desk::new();
    desk.press("7 d");
    let SampleKey {
        sample_id,
        benchmark,
        ability,
        ..
    } = desk.here();
    let line = format!(
        r#"{{"sample_id":"{sample_id}","benchmark":"{benchmark}","ability":"{ability}","verdict":"ok","author":"ada","at":"2026-01-01T00:00:00Z"}}"#
    );
    let mut book = Book::default();
    book.add(0, Entry::parse(line.as_bytes()).unwrap());
    desk.hear(book, 0);
    desk.press("7");
    let shown = desk.screen(120, 36);
    let words: String = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    for end in ["is excluded.", "you agree."] {
        assert!(words.contains(end), "{end}: {shown}");
    }
}

/// The rate covers all drawn samples, whatever the ability of the last sample.
#[test]
fn a_spot_check_ends_on_the_rate_over_what_was_drawn() {
    let mut desk = Desk::new();
    desk.press("7 d x x x x x x x x");
    while desk.app.shared.view == ViewId::Sample {
        desk.press("space");
    }
    assert_eq!(desk.kept.len(), 50);
    assert!(desk.app.shared.lens.ability.is_none());
    let shown = desk.screen(80, 24);
    assert!(
        shown.contains("label errors  0.160") && shown.contains("8 wrong of 50 judged"),
        "{shown}"
    );
}

/// Wilson's interval of 0 of 1 ends at z² / (1 + z²) = 3.8415 / 4.8415.
#[test]
fn samples_selected_by_hand_have_an_interval_and_no_second_bound() {
    let mut desk = Desk::new();
    desk.press("3 J space 7");
    let shown = desk.screen(80, 24);
    let line = "label errors  0.000  [0.000, 0.793]  selected by hand   0 wrong of 1 judged";
    assert!(shown.contains(line), "{shown}");
    assert!(
        !shown.contains('≤') && !shown.contains("weighted"),
        "{shown}"
    );
    let explained = desk.explained();
    assert!(explained.contains("selected by hand"), "{explained}");
    assert!(!explained.contains("the judged ones were drawn"));
    // For ten drawn samples without an error, the bound is 3 / 10. Earlier verdicts do not change
    // it.
    desk.press("- - - - d");
    while desk.app.shared.view == ViewId::Sample {
        desk.press("space");
    }
    let shown = desk.screen(80, 24);
    let line = "label errors  0.000  ≤ 0.300  drawn at random, others left out";
    assert!(shown.contains(line), "{shown}");
    assert!(shown.contains("0 wrong of 10 judged"), "{shown}");
    assert!(
        !shown.contains("[0.000") && !shown.contains("weighted"),
        "{shown}"
    );
    let explained = desk.explained();
    assert!(explained.contains("samples drawn at random"), "{explained}");
    assert!(!explained.contains("selected by hand"), "{explained}");
}

#[test]
fn verdicts_are_undone_from_the_audit() {
    let mut desk = Desk::new();
    desk.press("3 J");
    let key = desk.here();
    desk.press("x 7 u");
    assert_eq!(desk.verdict_of(&key), None);
    assert_eq!(desk.app.shared.view, ViewId::Audit);
}
