//! Reads responses that list the options one by one: with ticks and crosses, as 'A - wrong, B -
//! right', or without a verdict.

use std::ops::Range;
use std::sync::LazyLock;

use super::labels::{Labels, dressed};
use super::page::{Kind, Page};
use super::phrases::{PhraseSet, Phrases};
use super::texts::Texts;

static VERDICT: LazyLock<Phrases<bool>> = LazyLock::new(|| {
    Phrases::of(&[
        (
            "✓|✔|✅|☑|right|correct|true|yes|richtig|ja|oui|correcto|正确|正確|对|對|是|да|верно",
            true,
        ),
        (
            "✗|✘|❌|✕|✖|❎|☒|×|wrong|incorrect|false|no|not correct|not right|not true|untrue|falsch|nein|non|incorrecto|\
             错误|错|不对|不正确|否|нет|неверно|eliminated|excluded|ruled out|impossible|not possible|rejected",
            false,
        ),
    ])
});

/// Words that can follow a verdict, to give a reason.
static REASON: LazyLock<PhraseSet> =
    LazyLock::new(|| PhraseSet::list("because|since|as|due|for|weil|porque"));

static COPULA: LazyLock<PhraseSet> = LazyLock::new(|| PhraseSet::list("is|ist|est|es|are"));

/// Words that can stand between two options.
static FILLER: LazyLock<PhraseSet> = LazyLock::new(|| PhraseSet::list("option|choice|answer"));

/// One option in a list of options, with its verdict.
struct Entry {
    option: usize,
    pieces: Range<usize>,
    labelled: bool,
    verdict: Option<bool>,
}

/// Result of reading a list of options.
#[derive(Debug, PartialEq)]
pub(super) enum Ballot {
    /// Options marked as right, and the place of the first of them.
    Right(Vec<usize>, Range<usize>),
    /// All options are repeated up to this piece, without a verdict.
    Repeated(usize),
}

/// Labels and texts by which options are recognized.
#[derive(Clone, Copy)]
pub(super) struct OptionNames<'a> {
    pub labels: &'a Labels,
    pub texts: &'a Texts,
}

/// Reads the list of options in a part of a page; `None` if there is no clear list.
pub(super) fn find(
    page: &Page,
    range: Range<usize>,
    names: OptionNames<'_>,
    options: usize,
) -> Option<Ballot> {
    if let Some(ballot) = table(page, range.clone(), names.labels, options) {
        return Some(ballot);
    }
    let entries = entries(page, range, names);
    let end = entries.last()?.pieces.end;
    let count = |wanted: Option<bool>| {
        entries
            .iter()
            .filter(|entry| entry.verdict == wanted)
            .count()
    };
    let (right, wrong, open) = (count(Some(true)), count(Some(false)), count(None));
    if entries.len() < 2 {
        return None;
    }
    if right == 0 && wrong == 0 {
        let labelled = entries.iter().all(|entry| entry.labelled);
        let all = open == options && (labelled || options > 2);
        return all.then_some(Ballot::Repeated(end));
    }
    if right == 0 && wrong + 1 == options {
        let is_out = |option: usize| {
            let mut out = entries.iter().filter(|entry| entry.verdict == Some(false));
            out.any(|entry| entry.option == option)
        };
        let left = (0..options).find(|option| !is_out(*option))?;
        return Some(Ballot::Right(
            vec![left],
            entries.first()?.pieces.start..end,
        ));
    }
    let ticked = || entries.iter().filter(|entry| entry.verdict == Some(true));
    let clear = open == 0 || entries.len() == options;
    if right == 0 && entries.len() == options && options > 2 {
        return Some(Ballot::Repeated(end));
    }
    (right > 0 && clear).then_some(())?;
    let pieces = ticked().next()?.pieces.clone();
    Some(Ballot::Right(
        ticked().map(|entry| entry.option).collect(),
        pieces,
    ))
}

/// Reads a table with all labels in its first line and ticks below some of them in its last line.
fn table(page: &Page, range: Range<usize>, labels: &Labels, options: usize) -> Option<Ballot> {
    let is_line = |at: &usize| page.kind(*at) == Some(Kind::Line);
    let end = range.clone().rfind(|at| !is_line(at))? + 1;
    let head = range.start..range.clone().find(is_line)?;
    let last = (range.start..end).rfind(is_line)? + 1..end;
    let bars = |line: Range<usize>| -> Vec<usize> { line.filter(|at| page.is(*at, '|')).collect() };
    let cells = |line: Range<usize>| -> Vec<Range<usize>> {
        let bars = bars(line);
        let pairs = bars.iter().zip(bars.iter().skip(1));
        pairs.map(|(bar, next)| bar + 1..*next).collect()
    };
    let named: Option<Vec<usize>> = (cells(head).into_iter())
        .map(|cell| labels.named(page, cell.start).filter(|_| cell.len() == 1))
        .collect();
    let named = named.filter(|named| named.len() == options)?;
    let marks = cells(last.clone());
    let is_right = |cell: &Range<usize>| tick(page, cell.start).is_some_and(|(_, right)| right);
    // In a table with ticks, an x is a cross.
    let has_ticks = marks.iter().any(is_right);
    let is_tick =
        |cell: &Range<usize>| is_right(cell) || !has_ticks && page.lower(cell.start) == "x";
    let is_plain = |cell: &Range<usize>| cell.len() < 2;
    let found = named
        .into_iter()
        .zip(&marks)
        .filter(|(_, cell)| !cell.is_empty() && is_tick(cell));
    let ticked: Vec<usize> = found.map(|(option, _)| option).collect();
    (marks.len() == options && marks.iter().all(is_plain) && !ticked.is_empty())
        .then_some(Ballot::Right(ticked, last))
}

/// Returns the listed options in order, with only their texts and verdicts between them.
fn entries(page: &Page, range: Range<usize>, names: OptionNames<'_>) -> Vec<Entry> {
    let labels = names.labels;
    let mut found: Vec<Entry> = Vec::new();
    // Marks can precede the options: '✅ B', '[x] B'.
    let mut leading: Option<bool> = None;
    let mut leads = false;
    let mut at = range.start;
    while at < range.end {
        if let Some((option, end, labelled)) = option_at(page, at, range.end, names) {
            // In 'A. ✅ left', the text after the tick belongs to the same option.
            if let Some(last) = found.last_mut().filter(|last| last.option == option)
                && !labelled
            {
                last.pieces.end = end;
                at = end;
                continue;
            }
            if found.iter().any(|entry| entry.option == option) {
                break;
            }
            leads |= leading.is_some();
            let (verdict, mut end) = match leading.take() {
                None if !leads => verdict(page, end, range.end),
                verdict => (verdict, end),
            };
            // The rest of an option's line or sentence belongs to the option: 'A: No, it is not. B:
            // Yes.'
            let line = (end..range.end).find(|at| page.kind(*at) == Some(Kind::Line));
            let line = line.unwrap_or(range.end);
            let alone = labelled && (end..line).all(|at| labels.at(page, at).is_none());
            let next = (end..range.end).find(|at| page.is_alphanumeric(*at));
            let goes_on = next.is_some_and(|at| labels.leading(page, at).is_none());
            let verdict = verdict.or_else(|| {
                let own_line = alone && starts_line(page, at);
                own_line.then(|| final_verdict(page, end, line)).flatten()
            });
            if alone && (verdict.is_some() && line < range.end || starts_line(page, at)) {
                end = line;
            } else if labelled && verdict.is_some() && page.is(end, ',') && goes_on {
                end = page.sentence_end_before(end, range.end);
            }
            found.push(Entry {
                option,
                pieces: at..end,
                labelled,
                verdict,
            });
            at = end;
        } else if let Some((length, verdict)) = tick(page, at).filter(|_| leads || found.is_empty())
        {
            leading = Some(verdict);
            at += length;
        } else if matches!(page.kind(at), Some(Kind::Mark(_) | Kind::Line))
            || FILLER.has(page, at)
            || page.kind(at) == Some(Kind::Number) && page.is_any(at + 1, ".)")
        {
            at += 1;
        } else if found.len() > 1 {
            break;
        } else {
            found.clear();
            leading = None;
            at += 1;
        }
    }
    found
}

/// Returns true if a piece is preceded only by marks in its line.
fn starts_line(page: &Page, at: usize) -> bool {
    let before = (0..at)
        .rev()
        .find(|at| !matches!(page.kind(*at), Some(Kind::Mark(_))));
    before.is_none_or(|at| page.kind(at) == Some(Kind::Line))
}

/// Finds an option by its label, its text, or both. Returns the option, its end, and whether it has
/// a label.
fn option_at(
    page: &Page,
    at: usize,
    limit: usize,
    OptionNames { labels, texts }: OptionNames<'_>,
) -> Option<(usize, usize, bool)> {
    let label = if at == 0 || !page.is_word(at - 1) {
        labels.leading(page, at)
    } else {
        labels.at(page, at)
    };
    if let Some(option) = label {
        let mut end = dressed(page, at).end;
        let text = (end..limit).find(|at| page.is_alphanumeric(*at));
        if let Some(own) = text.and_then(|at| texts.at(page, at, limit))
            && own.option == option
            && (end..own.pieces.start).all(|at| page.is_any(at, ".:)]-–—,(\"'|"))
        {
            end = own.pieces.end;
        }
        return Some((option, end, true));
    }
    let own = texts.at(page, at, limit)?;
    Some((own.option, own.pieces.end, false))
}

/// Returns the verdict after an option in its line, and the end of the verdict.
fn verdict(page: &Page, start: usize, limit: usize) -> (Option<bool>, usize) {
    let mut at = start;
    while at < limit && (page.is_any(at, ":-–—.,|()?=→\"'") || COPULA.has(page, at)) {
        at += 1;
    }
    match VERDICT.at(page, at) {
        Some((length, verdict))
            if at + length <= limit
                && !(page.is_word(at)
                    && page.is_word(at + length)
                    && !REASON.has(page, at + length)) =>
        {
            (Some(verdict), at + length)
        }
        _ => (None, start),
    }
}

/// Returns the verdict at the end of an option's line: 'A. crow: the bill is smaller - no.'
fn final_verdict(page: &Page, start: usize, line: usize) -> Option<bool> {
    let says = |at: &usize| page.is_alphanumeric(*at) || VERDICT.at(page, *at).is_some();
    let end = (start..line).rfind(says)? + 1;
    (start + 1..end).rev().take(3).find_map(|at| {
        let (length, verdict) = VERDICT.at(page, at)?;
        let apart = !page.is_word(at) || page.is_any(at - 1, "-–—:→=,;(");
        (at + length == end && apart).then_some(verdict)
    })
}

/// Finds a tick, a cross or a checkbox before an option; returns its length and verdict.
fn tick(page: &Page, at: usize) -> Option<(usize, bool)> {
    if page.is(at, '[') {
        return match (page.lower(at + 1), page.is(at + 2, ']')) {
            ("x", true) => Some((3, true)),
            ("]", _) => Some((2, false)),
            _ => None,
        };
    }
    let mark = matches!(page.kind(at), Some(Kind::Mark(_)));
    VERDICT.at(page, at).filter(|_| mark)
}
