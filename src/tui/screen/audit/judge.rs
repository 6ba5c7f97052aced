//! Verdicts by one key: said, taken back, said again, noted.

use std::sync::Arc;

use crate::action::Action;
use crate::app::{App, Effect};
use crate::keymap::View;
use crate::popup::Popup;
use crate::widget::line_edit::LineEdit;
use format::visible;
use record::Row;
use verdict::{SampleKey, Verdict, Word};
use workspace::open::News;

use super::state::key_of;

/// Unsaved words stand in no file yet.
const NO_FILE: usize = usize::MAX;

/// What an action says of the sample under the cursor; `None`: it says nothing.
pub fn judge(app: &mut App, action: Action) -> Option<Vec<Effect>> {
    let verdict = match action {
        Action::JudgeOk => Verdict::Ok,
        Action::JudgeWrongLabel => Verdict::WrongLabel,
        Action::JudgeAmbiguous => Verdict::Ambiguous,
        Action::JudgeBadImage => Verdict::BadImage,
        Action::JudgeNothing => Verdict::None,
        Action::Note => return Some(open_note(app)),
        Action::RightLabel => return Some(open_right_label(app)),
        Action::UndoVerdict => return Some(undo(app)),
        Action::RedoVerdict => return Some(redo(app)),
        Action::Reveal => return Some(reveal(app)),
        _ => return None,
    };
    let Some(key) = key_here(app) else {
        return Some(Vec::new());
    };
    let target = standing(app, &key).target;
    Some(judged(app, key, verdict, target))
}

/// Gives a verdict, and goes on in a spot check.
fn judged(
    app: &mut App,
    key: SampleKey,
    verdict: Verdict,
    target: Option<serde_json::Value>,
) -> Vec<Effect> {
    let note = match app.audit.draft.take() {
        Some((draft, note)) if draft == key => note,
        _ if verdict == Verdict::None => String::new(),
        _ => standing(app, &key).note,
    };
    let drawn = app.audit.is_checking() || standing(app, &key).drawn;
    let word = Word {
        verdict,
        note,
        target: target.filter(|_| verdict == Verdict::WrongLabel),
        drawn: drawn && verdict != Verdict::None,
    };
    let mut effects = say_newly(app, key, word);
    if app.audit.is_checking() && app.view == View::Sample {
        effects.extend(go_on(app));
    }
    effects
}

/// The row under the cursor, in the views that have samples.
fn row_here(app: &App) -> Option<u32> {
    let has_samples = matches!(app.view, View::Sample | View::Samples);
    let row = app.answers.samples.get(app.samples.table.selected);
    row.copied().filter(|_| has_samples)
}

fn key_here(app: &App) -> Option<SampleKey> {
    Some(key_of(app, row_here(app)?))
}

/// What the user says of a sample so far.
fn standing(app: &App, key: &SampleKey) -> Word {
    let word = app.audit.book.of_author(key, &app.audit.author);
    word.map(Word::from).unwrap_or_default()
}

/// Says a word, so that it can be taken back.
fn say_newly(app: &mut App, key: SampleKey, word: Word) -> Vec<Effect> {
    let before = standing(app, &key);
    if before == word {
        return Vec::new();
    }
    let effects = say(app, key.clone(), &word);
    app.audit.history.push(key, before, word);
    effects
}

fn say(app: &mut App, key: SampleKey, word: &Word) -> Vec<Effect> {
    let entry = word.on(key, &app.audit.author);
    app.audit.unsaved.push(entry.clone());
    Arc::make_mut(&mut app.audit.book).take(NO_FILE, entry.clone());
    app.notice = None;
    vec![Effect::Keep(Box::new(entry))]
}

/// The next sample of the spot check that has no verdict; when none is left, what it all says.
fn go_on(app: &mut App) -> Vec<Effect> {
    let rows = &app.answers.samples;
    let at = app.samples.table.selected;
    let order = (at + 1..rows.len()).chain(0..at);
    let open = |at: &usize| {
        let row = rows.get(*at);
        row.is_some_and(|row| !app.audit.has_judged(&key_of(app, *row)))
    };
    let Some(next) = order.into_iter().find(open) else {
        app.notice = Some("every sample of the spot check is judged".to_owned());
        return app.go(View::Audit);
    };
    app.samples.table.selected = next;
    app.sample.reset_view();
    app.refresh()
}

fn undo(app: &mut App) -> Vec<Effect> {
    match app.audit.history.undo() {
        Some((key, word)) => say_again(app, key, &word, "took back"),
        None => told(app, "nothing to take back in this session"),
    }
}

fn redo(app: &mut App) -> Vec<Effect> {
    match app.audit.history.redo() {
        Some((key, word)) => say_again(app, key, &word, "said again"),
        None => told(app, "nothing was taken back"),
    }
}

fn told(app: &mut App, what: &str) -> Vec<Effect> {
    app.notice = Some(what.to_owned());
    Vec::new()
}

/// Says a word of the history, and shows the sample if the list has it.
fn say_again(app: &mut App, key: SampleKey, word: &Word, how: &str) -> Vec<Effect> {
    let id = visible(&key.sample_id).into_owned();
    let at = app
        .answers
        .samples
        .iter()
        .position(|&row| key_of(app, row) == key);
    let mut effects = say(app, key, word);
    if let (Some(at), View::Sample) = (at, app.view) {
        app.samples.table.selected = at;
        app.sample.reset_view();
        effects.extend(app.refresh());
    }
    let now = match word.verdict {
        Verdict::None => "no verdict".to_owned(),
        verdict => verdict.words().to_owned(),
    };
    app.notice = Some(format!("{how}: {id} has {now}"));
    effects
}

fn reveal(app: &mut App) -> Vec<Effect> {
    let row = row_here(app);
    if app.audit.is_checking() {
        app.audit.revealed = row.filter(|_| app.audit.revealed != row);
    }
    Vec::new()
}

fn open_note(app: &mut App) -> Vec<Effect> {
    let Some(key) = key_here(app) else {
        return Vec::new();
    };
    let note = match &app.audit.draft {
        Some((draft, note)) if *draft == key => note.clone(),
        _ => standing(app, &key).note,
    };
    app.pop_up(Popup::note(&note))
}

/// A note was typed. One without a verdict waits for it.
pub fn take_note(app: &mut App, note: &str) -> Vec<Effect> {
    let Some(key) = key_here(app) else {
        return Vec::new();
    };
    let word = standing(app, &key);
    let note = note.trim().to_owned();
    if word.verdict == Verdict::None {
        app.audit.draft = Some((key, note));
        return told(app, "the note waits for a verdict on this sample");
    }
    say_newly(app, key, Word { note, ..word })
}

fn open_right_label(app: &mut App) -> Vec<Effect> {
    let Some(row) = row_here(app) else {
        return Vec::new();
    };
    let known = standing(app, &key_of(app, row)).target;
    let known = known.map_or_else(
        || app.table.target(app.table.item(Row(row))).to_owned(),
        |target| target.as_str().map_or(target.to_string(), str::to_owned),
    );
    app.pop_up(Popup::RightLabel(LineEdit::new(visible(&known))))
}

/// What a label should be was typed: it is wrong as it stands.
pub fn take_right_label(app: &mut App, text: &str) -> Vec<Effect> {
    let Some(key) = key_here(app) else {
        return Vec::new();
    };
    let text = text.trim();
    let target = (!text.is_empty()).then(|| text.into());
    judged(app, key, Verdict::WrongLabel, target)
}

/// Takes the news of the verdict writer.
pub fn receive_news(app: &mut App, news: News) -> Vec<Effect> {
    let audit = &mut app.audit;
    audit.unsaved.drain(..news.saved.min(audit.unsaved.len()));
    audit.place = news.place.display().to_string();
    audit.book = news.book;
    for entry in &audit.unsaved {
        Arc::make_mut(&mut audit.book).take(NO_FILE, entry.clone());
    }
    if let Some(trouble) = &news.trouble {
        app.notice = Some(format!("not saved, will be tried again: {trouble}"));
    }
    app.audit.trouble = news.trouble;
    if let Some(told) = news.told {
        app.notice = Some(told);
    }
    match app.view {
        View::Audit => app.ask_view(),
        _ => Vec::new(),
    }
}
