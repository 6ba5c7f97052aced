//! Shows verdicts on every screen with a sample.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::action::Action;
use crate::keymap::ViewId;
use crate::shared::{AppState, key_of};
use crate::widget::table::TableCell;
use crate::widget::theme::Theme;
use base::format::visible;
use record::verdict::{Entry, Verdict};
use workspace::page::{Detail, ListRow};

/// Labels of the judging keys on the key line.
const JUDGING: [&str; 6] = [
    "ok",
    "wrong label",
    "ambiguous",
    "bad image",
    "note",
    "undo",
];

/// Returns the symbol and the style of a verdict.
pub fn sign(theme: &Theme, verdict: Verdict) -> (&'static str, Style) {
    match verdict {
        Verdict::Ok => ("✓", theme.verdict(true).1),
        Verdict::WrongLabel => ("✗", theme.verdict(false).1),
        Verdict::Ambiguous => ("~", theme.warning()),
        Verdict::BadImage => ("▨", theme.warning()),
        Verdict::None => (" ", theme.dim()),
    }
}

/// Returns `✗ wrong label`. The text is `… wrong label` until the verdict is saved, and `! wrong
/// label` after a failed write.
pub fn verdict_span(shared: &AppState, word: &Entry) -> Span<'static> {
    let theme = &shared.theme;
    let verdicts = &shared.verdicts;
    let (sign, style) = match (verdicts.unsaved.contains(word), &verdicts.trouble) {
        (false, _) => sign(theme, word.verdict),
        (true, None) => ("…", theme.dim()),
        (true, Some(_)) => ("!", theme.error()),
    };
    Span::styled(format!("{sign} {}", word.verdict.words()), style)
}

/// Returns the verdicts on the sample on screen. Without verdicts, returns a hint in a spot check,
/// and `None` otherwise.
pub fn verdict_line(shared: &AppState, detail: &Detail) -> Option<Line<'static>> {
    let theme = &shared.theme;
    let sample = key_of(&shared.table, detail.list.row.0);
    let mut spans = vec![Span::styled("label    ", theme.dim())];
    for word in shared.verdicts.book.of(&sample) {
        spans.push(verdict_span(shared, word));
        spans.push(Span::styled(note_and_author(shared, word), theme.dim()));
    }
    if let Some((_, draft)) = shared
        .verdicts
        .draft
        .as_ref()
        .filter(|(draft, _)| *draft == sample)
    {
        spans.push(Span::styled(
            format!("note {}  ", visible(draft)),
            theme.dim(),
        ));
    }
    if shared.list.is_check() && !shared.verdicts.has_judged(&sample) {
        spans.push(Span::styled("not judged", theme.accent()));
    }
    (spans.len() > 1).then(|| Line::from(spans))
}

/// While judging is on, moves the judging keys to the start of the key line. Otherwise removes
/// them. Returns true if judging is on.
pub fn judging_first(shared: &AppState, rows: &mut Vec<(String, &str)>) -> bool {
    let running = shared.is_judging();
    if running {
        rows.sort_by_key(|(_, words)| !JUDGING.contains(words));
    } else {
        rows.retain(|(_, words)| !JUDGING.contains(words));
    }
    running
}

/// Returns the progress of the spot check, or `None` outside a spot check.
pub fn check_progress(shared: &AppState) -> Option<String> {
    let running = shared.is_checking_here();
    let done = shared.verdicts.judged_of_check(&shared.table);
    let all = shared.verdicts.check.len();
    running.then(|| format!("spot check, {done} of {all} judged"))
}

/// Returns correct label, note and author of a verdict, and whether it is saved: ` two birds, ada
/// `.
fn note_and_author(shared: &AppState, word: &Entry) -> String {
    let note = match word.note.as_str() {
        "" => String::new(),
        note => format!(" {},", visible(note)),
    };
    let right = match &word.target {
        Some(target) => format!(
            " should be {},",
            visible(&target.as_str().map_or(target.to_string(), str::to_owned))
        ),
        None => String::new(),
    };
    let verdicts = &shared.verdicts;
    let unsaved = match (verdicts.unsaved.contains(word), &verdicts.trouble) {
        (false, _) => "",
        (true, None) => " (saving)",
        (true, Some(_)) => " (not saved)",
    };
    format!("{right}{note} {}{unsaved}  ", visible(&word.author))
}

/// Returns the line shown in place of a hidden answer.
pub fn hidden_line(shared: &AppState) -> Line<'static> {
    let keys = shared.key(ViewId::Sample, Action::Reveal);
    Line::styled(
        format!("the model's answer is hidden; {keys} shows it"),
        shared.theme.dim(),
    )
}

/// Returns the cell with the verdict, for a list of samples.
pub fn label_cell(shared: &AppState, row: &ListRow) -> TableCell<'static> {
    let span = label_span(shared, row.row.0);
    TableCell::new(span.content, span.style)
}

/// Returns the sign of the verdict on a prediction's sample; empty without a verdict.
pub fn label_sign(shared: &AppState, row: u32) -> Span<'static> {
    let span = label_span(shared, row);
    let sign: String = span.content.chars().take(1).collect();
    Span::styled(sign, span.style)
}

/// Returns the verdict on a prediction's sample: the user's own verdict, otherwise the effective
/// one. Empty without a verdict.
pub fn label_span(shared: &AppState, row: u32) -> Span<'static> {
    let key = key_of(&shared.table, row);
    let book = &shared.verdicts.book;
    let word = book
        .of_author(&key, &shared.verdicts.author)
        .or_else(|| book.counting(&key, None));
    word.map(|word| verdict_span(shared, word))
        .unwrap_or_default()
}
