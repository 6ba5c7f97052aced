//! Verdicts in words, on whatever screen shows a sample.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::action::Action;
use crate::keymap::ViewId;
use crate::shared::{Shared, key_of};
use format::visible;
use verdict::{Entry, SampleKey, Verdict};
use widget::table::TableCell;
use widget::theme::Theme;
use workspace::page::{Detail, ListRow};

/// The words of the keys that judge, as the key line has them.
const JUDGING: [&str; 6] = [
    "ok",
    "wrong label",
    "ambiguous",
    "bad image",
    "note",
    "undo",
];

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

/// `✗ wrong label`; until the word is on the disk, `… wrong label`, and `! wrong label` where the disk does not take it.
pub fn verdict_span(shared: &Shared, word: &Entry) -> Span<'static> {
    let theme = &shared.theme;
    let verdicts = &shared.verdicts;
    let (sign, style) = match (verdicts.unsaved.contains(word), &verdicts.trouble) {
        (false, _) => sign(theme, word.verdict),
        (true, None) => ("…", theme.dim()),
        (true, Some(_)) => ("!", theme.error()),
    };
    Span::styled(format!("{sign} {}", word.verdict.words()), style)
}

/// What people say of the label of the sample on screen, and in a spot check that nothing is said yet; `None`
/// when there is nothing to say.
pub fn verdict_line(shared: &Shared, detail: &Detail) -> Option<Line<'static>> {
    let theme = &shared.theme;
    let sample = key_of(&shared.table, detail.list.row.0);
    let mut spans = vec![Span::styled("label    ", theme.dim())];
    for word in shared.verdicts.book.of(&sample) {
        spans.push(verdict_span(shared, word));
        spans.push(Span::styled(said(shared, word), theme.dim()));
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

/// While keys judge labels they come first on the key line, since they are what one needs there; else they are not on
/// it. Returns true if they judge.
pub fn judging_first(shared: &Shared, rows: &mut Vec<(String, &str)>) -> bool {
    let running = shared.is_judging();
    if running {
        rows.sort_by_key(|(_, words)| !JUDGING.contains(words));
    } else {
        rows.retain(|(_, words)| !JUDGING.contains(words));
    }
    running
}

/// How far the spot check is, in words; `None` outside of one.
pub fn check_words(shared: &Shared) -> Option<String> {
    let running = shared.is_checking_here();
    let done = shared.verdicts.judged_of_check(&shared.table);
    let all = shared.verdicts.check.len();
    running.then(|| format!("spot check, {done} of {all} judged"))
}

/// ` two birds, ada  `: the note and the author; whether the word is on the disk.
fn said(shared: &Shared, word: &Entry) -> String {
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
    let verdicts = &shared.verdicts;
    let unsaved = match (verdicts.unsaved.contains(word), &verdicts.trouble) {
        (false, _) => "",
        (true, None) => " (saving)",
        (true, Some(_)) => " (not saved)",
    };
    format!("{right}{note} {}{unsaved}  ", visible(&word.author))
}

/// What stands where an answer is hidden.
pub fn hidden_line(shared: &Shared) -> Line<'static> {
    let keys = shared.key(ViewId::Sample, Action::Reveal);
    Line::styled(
        format!("what the model said is hidden; {keys} shows it"),
        shared.theme.dim(),
    )
}

/// The verdict in a list of samples: the user's own, else the one that counts.
pub fn label_cell(shared: &Shared, row: &ListRow) -> TableCell<'static> {
    let key = SampleKey {
        sample_id: row.sample_id.clone(),
        benchmark: row.benchmark.clone(),
        ability: row.ability.clone(),
    };
    let book = &shared.verdicts.book;
    let word = book
        .of_author(&key, &shared.verdicts.author)
        .or_else(|| book.counting(&key, None));
    let span = word
        .map(|word| verdict_span(shared, word))
        .unwrap_or_default();
    TableCell {
        text: span.content,
        style: span.style,
    }
}
