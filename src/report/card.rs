//! One sample as a text card: question, target, and each model's answer.

use std::io::{self, Write};

use base::format::{fixed, significant, visible, visible_lines};
use workspace::page::Detail;
use workspace::surface::{Key, MapRole, PaintedMap, Part};
use workspace::trace::{LOG_LINE, OF_RECORD};

/// Maximum number of characters of a response on a card; the rest is counted.
const LONGEST: usize = 4_000;

/// Writes the top of a card: ability, question, options, target, tags.
///
/// # Errors
/// The writer fails.
pub fn write_question(detail: &Detail, out: &mut dyn Write) -> io::Result<()> {
    let list = &detail.list;
    let condition = if list.condition.is_empty() {
        String::new()
    } else {
        format!("  {}", list.condition)
    };
    writeln!(
        out,
        "{}  {} › {}{}",
        visible(&list.sample_id),
        visible(&list.benchmark),
        visible(&list.ability),
        visible(&condition)
    )?;
    writeln!(out, "{}", visible_lines(&list.question))?;
    for choice in &detail.record.content.choices {
        let mark = if choice.letter == list.target {
            "*"
        } else {
            " "
        };
        writeln!(
            out,
            " {mark} {}. {}",
            visible(&choice.letter),
            visible(&choice.text)
        )?;
    }
    writeln!(out, "target    {}", visible(&list.target))?;
    let tags = detail
        .record
        .content
        .tags
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect::<Vec<_>>();
    if !tags.is_empty() {
        writeln!(out, "tags      {}", visible(&tags.join("  ")))?;
    }
    Ok(())
}

/// Writes the legend of a sample's pixel maps, and why some are not drawn.
///
/// # Errors
/// The writer fails.
pub fn write_maps(detail: &Detail, out: &mut dyn Write) -> io::Result<()> {
    for surface in &detail.surfaces {
        let name = match surface.what {
            MapRole::Target => "target",
            MapRole::Prediction => "answer",
            MapRole::Error => "error",
        };
        let words = match &surface.shown {
            Ok(shown) => meaning(shown),
            Err(why) => format!("not drawn: {why}"),
        };
        let kind = surface.kind.name();
        writeln!(out, "{name:<9} {kind}: {}", visible(&words))?;
    }
    Ok(())
}

/// A legend such as `depth in the file's unit, 1500 (dark) to 9500 (bright)  delta1=0.8300`.
fn meaning(shown: &PaintedMap) -> String {
    let words = match &shown.key {
        Key::Pixels(pixels) => format!("{pixels} pixels"),
        Key::Parts(parts) => {
            let part = |part: &Part| format!("{} {:.1} %", part.name, 100.0 * part.share);
            parts.iter().map(part).collect::<Vec<_>>().join(", ")
        }
        Key::Scale {
            what, low, high, ..
        } => {
            let value = |value: f64| significant(value, 4);
            format!(
                "{what}, {} (dark) to {} (bright)",
                value(*low),
                value(*high)
            )
        }
        Key::Fitted => "fitted to the target's scale".to_owned(),
        Key::Axes => "red right, green up, blue out".to_owned(),
    };
    let figures = shown.figures.iter();
    let figures = figures.map(|(name, value)| format!("  {name}={}", fixed(*value, 4)));
    words + &figures.collect::<String>()
}

/// Writes the steps that led to an answer, each as title and lines. Writes nothing if the steps add
/// nothing to the answer.
///
/// # Errors
/// The writer fails.
pub fn write_trace(parts: &[(&str, Vec<String>)], out: &mut dyn Write) -> io::Result<()> {
    let steps = || parts.iter().filter(|(title, _)| *title != LOG_LINE);
    let told = steps().filter(|(title, _)| *title != OF_RECORD[1]);
    let lines: usize = told.map(|(_, lines)| lines.len()).sum();
    if lines < 2 {
        return Ok(());
    }
    for (title, lines) in steps() {
        writeln!(out, "{title}")?;
        for line in lines {
            writeln!(out, "  {}", visible(line))?;
        }
    }
    Ok(())
}

/// Writes one model's answer with its score.
///
/// # Errors
/// The writer fails.
pub fn write_answer(detail: &Detail, out: &mut dyn Write) -> io::Result<()> {
    let list = &detail.list;
    let verdict = match (list.invalid, list.correct) {
        (true, _) => "invalid",
        (_, Some(true)) => "right",
        (_, Some(false)) => "wrong",
        (_, None) => list.without_verdict(),
    };
    writeln!(out)?;
    let (model, metric) = (visible(&list.model), visible(&list.metric));
    writeln!(
        out,
        "{model}  {metric} {}  {verdict}  ({})",
        fixed(list.score, 4),
        visible(&list.place)
    )?;
    let beside = detail.record.beside.iter();
    let beside: Vec<String> = beside
        .map(|(metric, score)| format!("{metric}={}", fixed(Some(*score), 4)))
        .collect();
    if !beside.is_empty() {
        writeln!(out, "also      {}", visible(&beside.join("  ")))?;
    }
    if let Some(reading) = &detail.reading {
        let by = detail
            .read_by
            .map_or_else(String::new, |by| format!("  by {by}"));
        let trace = reading.trace();
        let by = if trace.is_empty() {
            by
        } else {
            format!("{by}  ({trace})")
        };
        writeln!(
            out,
            "parsed    {}{by}",
            visible(&reading.answer.to_string())
        )?;
    } else if let Some(why) = detail.unread {
        writeln!(out, "unread    {why}")?;
    }
    if let Some(other) = &detail.other {
        let name = other.scoring.name();
        writeln!(out, "{name:<9} {}", visible(&other.words()))?;
    }
    let response = detail
        .record
        .response
        .as_deref()
        .unwrap_or("(no response in the log)");
    let shown: String = response.chars().take(LONGEST).collect();
    for line in visible_lines(&shown).lines() {
        writeln!(out, "  {line}")?;
    }
    let more = response.chars().count().saturating_sub(LONGEST);
    if more > 0 {
        writeln!(out, "  … {more} more characters")?;
    }
    Ok(())
}
