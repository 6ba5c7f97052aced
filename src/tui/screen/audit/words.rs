//! Verdicts in words, on whatever screen shows a sample.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::action::Action;
use crate::app::App;
use crate::keymap::View;
use crate::theme::Theme;
use crate::widget::table::TableCell;
use format::visible;
use verdict::{Entry, SampleKey, Verdict};
use workspace::page::{Detail, ListRow};

use super::start::key;
use super::state::{judged_of_check, key_of};

/// The words of the keys that judge, as the key line has them.
const JUDGING: [&str; 5] = ["ok", "wrong label", "ambiguous", "bad image", "note"];

/// The sign and the style of a verdict.
pub fn sign(theme: &Theme, verdict: Verdict) -> (&'static str, Style) {
    match verdict {
        Verdict::Ok => ("✓", theme.verdict(true).1),
        Verdict::WrongLabel => ("✗", theme.verdict(false).1),
        Verdict::Ambiguous => ("~", theme.warning()),
        Verdict::BadImage => ("▨", theme.warning()),
        Verdict::None => (" ", theme.dim()),
    }
}

/// `✗ wrong label`.
pub fn verdict_span(theme: &Theme, verdict: Verdict) -> Span<'static> {
    let (sign, style) = sign(theme, verdict);
    Span::styled(format!("{sign} {}", verdict.words()), style)
}

/// What people say of the label of the sample on screen, and in a spot check that nothing is said yet; `None`
/// when there is nothing to say.
pub fn verdict_line(app: &App, detail: &Detail) -> Option<Line<'static>> {
    let theme = &app.theme;
    let sample = key_of(app, detail.list.row.0);
    let mut spans = vec![Span::styled("label    ", theme.dim())];
    for word in app.audit.book.of(&sample) {
        spans.push(verdict_span(theme, word.verdict));
        spans.push(Span::styled(said(app, word), theme.dim()));
    }
    if let Some((_, draft)) = app
        .audit
        .draft
        .as_ref()
        .filter(|(draft, _)| *draft == sample)
    {
        spans.push(Span::styled(
            format!("note {}  ", visible(draft)),
            theme.dim(),
        ));
    }
    if app.audit.is_checking() && !app.audit.has_judged(&sample) {
        spans.push(Span::styled("not judged", theme.accent()));
    }
    (spans.len() > 1).then(|| Line::from(spans))
}

/// In a spot check the keys that judge come first on the key line, since they are what one needs there; whether it is
/// one.
pub fn judging_first(app: &App, rows: &mut [(String, &str)]) -> bool {
    let running = app.audit.is_checking() && app.view == View::Sample;
    if running {
        rows.sort_by_key(|(_, words)| !JUDGING.contains(words));
    }
    running
}

/// How far the spot check is, in words; `None` outside of one.
pub fn check_words(app: &App) -> Option<String> {
    let running = app.audit.is_checking() && app.view == View::Sample;
    let (done, all) = (judged_of_check(app), app.audit.check.len());
    running.then(|| format!("spot check, {done} of {all} judged"))
}

/// ` two birds, ada  `: the note and the author; whether the word is on the disk.
fn said(app: &App, word: &Entry) -> String {
    let note = match word.note.as_str() {
        "" => String::new(),
        note => format!(" {},", visible(note)),
    };
    let right = match &word.target {
        Some(target) => format!(
            " rather {},",
            visible(&target.as_str().map_or(target.to_string(), str::to_owned))
        ),
        None => String::new(),
    };
    let unsaved = if app.audit.unsaved.contains(word) {
        " (saving)"
    } else {
        ""
    };
    format!("{right}{note} {}{unsaved}  ", visible(&word.author))
}

/// What stands where an answer is hidden.
pub fn hidden_line(app: &App) -> Line<'static> {
    let keys = key(app, View::Sample, Action::Reveal);
    Line::styled(
        format!("what the model said is hidden; {keys} shows it"),
        app.theme.dim(),
    )
}

/// The verdict in a list of samples: the user's own, else the one that counts.
pub fn label_cell(app: &App, row: &ListRow) -> TableCell<'static> {
    let key = SampleKey {
        sample_id: row.sample_id.clone(),
        benchmark: row.benchmark.clone(),
        ability: row.ability.clone(),
    };
    let book = &app.audit.book;
    let word = book
        .of_author(&key, &app.audit.author)
        .or_else(|| book.counting(&key, None));
    let span = word
        .map(|word| verdict_span(&app.theme, word.verdict))
        .unwrap_or_default();
    TableCell {
        text: span.content,
        style: span.style,
    }
}
