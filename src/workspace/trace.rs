//! Describes how an answer was obtained, as lines of text: conversation, cost and scoring.

use super::page::Detail;
use super::text;
use base::format::{counted, fixed};
use reader::own;
use reader::trace::{Trace, Turn, TurnKind, trace_of_line};
use record::benchmark::metric_symbol;
use record::{Row, Table};
use scorer::rules::{Question, RULES, RuleOutcome};

/// Titles of the sections that need only the record.
pub const OF_RECORD: [&str; 2] = ["Score", "Under other rules"];
/// Title of the section that contains the line in the log.
pub const LOG_LINE: &str = "Log line";

/// Reads the trace of a prediction from its log. `None` if logs of this format contain no traces.
///
/// # Errors
/// If the log is missing, has changed, or is still being read.
pub fn trace(table: &Table, row: Row) -> Result<Option<Trace>, String> {
    let place = table.place(row);
    let source = &table.sources()[place.unit as usize];
    let has_lines = source.store.has_lines();
    if !has_lines {
        let id = table.sample_id(table.item(row));
        let told = reader::trace::trace(source.format, &source.path, place.line.into(), id)?;
        if told.is_some() {
            return Ok(told);
        }
    }
    // This also checks that the line still belongs to the sample.
    let record = text::record(table, row).map_err(|error| error.to_string())?;
    if has_lines && source.format == own::FORMAT {
        let line = source.fetch(place).map_err(|error| error.to_string())?;
        return trace_of_line(&line).map(Some);
    }
    // A copied log may contain the messages that were sent.
    let sent = record.content.sent.as_ref();
    if record.origin.is_none() && sent.is_none_or(|sent| sent.messages.is_empty()) {
        return Ok(None);
    }
    trace_of_line(own::write_record(&record).as_bytes()).map(Some)
}

/// Returns the sections of the description: title and lines of each. Control characters in texts
/// from logs are not replaced.
pub fn parts(detail: &Detail, trace: Option<&Trace>) -> Vec<(&'static str, Vec<String>)> {
    let empty = Trace::default();
    let trace = trace.unwrap_or(&empty);
    let mut turns: Vec<String> = trace.turns.iter().flat_map(turn).collect();
    if trace.more_turns > 0 {
        turns.push(format!(
            "… and {} more",
            counted(trace.more_turns as u64, "turn")
        ));
    }
    let field = |(name, value): &(String, String)| named(name, value);
    let cost = trace.cost.iter().flat_map(field).collect();
    let mut scored = vec![scored_by(detail)];
    scored.extend(trace.scored.iter().flat_map(field));
    let parts = [
        ("Conversation", turns),
        ("Cost", cost),
        (OF_RECORD[0], scored),
        (OF_RECORD[1], under_other_rules(detail)),
    ];
    parts
        .into_iter()
        .filter(|(_, lines)| !lines.is_empty())
        .collect()
}

/// Formats the results of the public rules that apply, for example `pope: right, read as yes`.
fn under_other_rules(detail: &Detail) -> Vec<String> {
    let Some(question) = Question::of(&detail.record) else {
        return Vec::new();
    };
    let words = |mark: RuleOutcome| {
        let score = match mark.score {
            score if score >= 1.0 => "right".to_owned(),
            score if score <= 0.0 => "wrong".to_owned(),
            score => fixed(Some(score), 3),
        };
        match mark.answer {
            Some(answer) => format!("{score}, read as {answer}"),
            None => format!("{score}, the answer could not be read"),
        }
    };
    let marks = RULES
        .iter()
        .filter_map(|rule| Some((rule.name, rule.mark(&question)?)));
    marks
        .flat_map(|(name, mark)| named(name, &words(mark)))
        .collect()
}

/// Formats a turn of the conversation: the speaker, then the text.
fn turn(turn: &Turn) -> Vec<String> {
    let head = match &turn.kind {
        TurnKind::Words(0) => turn.role.clone(),
        TurnKind::Words(pictures) => {
            format!("{}, {}", turn.role, counted(*pictures as u64, "picture"))
        }
        TurnKind::Reasoning => format!("{}, reasoning", turn.role),
        TurnKind::Call(tool) => format!("{} calls {tool}", turn.role),
        TurnKind::Result(tool) if tool.is_empty() => turn.role.clone(),
        TurnKind::Result(tool) => format!("{} {tool}", turn.role),
    };
    let words = turn.text.lines().map(|line| format!("  {line}"));
    std::iter::once(format!("[{head}]")).chain(words).collect()
}

/// Formats a name and its value. A value of several lines is placed below the name.
fn named(name: &str, value: &str) -> Vec<String> {
    if value.lines().nth(1).is_none() {
        return vec![format!("{name}: {value}")];
    }
    let below = value.lines().map(|line| format!("  {line}"));
    std::iter::once(format!("{name}:")).chain(below).collect()
}

/// Formats the score, for example:
/// `accuracy 1.000, read as B by the rule of VLMEvalKit: thinking removed`.
fn scored_by(detail: &Detail) -> String {
    let list = &detail.list;
    let score = fixed(list.score, 3);
    let mut words = format!("{} {score}", metric_symbol(&list.metric));
    let Some(reading) = &detail.reading else {
        let why = detail.unread.map(|why| format!(": {}", why.words()));
        return format!(
            "{words}, the answer could not be read{}",
            why.unwrap_or_default()
        );
    };
    words = format!("{words}, read as {}", reading.answer);
    if let Some(by) = detail.read_by {
        words = format!("{words} by {by}");
    }
    if let Some(span) = &reading.span {
        words = format!(
            "{words}, from characters {} to {}",
            span.start + 1,
            span.end
        );
    }
    let steps = reading.trace();
    if !steps.is_empty() {
        words = format!("{words}: {steps}");
    }
    words
}
