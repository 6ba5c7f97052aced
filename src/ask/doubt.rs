//! Counts answers that look valid but are suspicious, because servers do not report these problems.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::asking::Asking;
use super::item::StepResult;
use super::kind::Kind;
use base::format::counted;

/// Counts of suspicious answers, by reason.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SuspiciousCounts {
    model: String,
    most: Option<u32>,
    wants_logprobs: bool,
    /// Answers to questions with pictures whose prompt had fewer tokens than the text has words.
    pub blind: usize,
    /// Answers of a model that was not requested, by the name in the answer.
    pub others: BTreeMap<String, usize>,
    /// Answers cut before their token limit: the model's context was full.
    pub cut_early: usize,
    /// Answers cut while the model was still reasoning.
    pub only_thought: usize,
    /// Answers that call a function instead, by the function's name.
    pub tools: BTreeMap<String, usize>,
    /// Answers that ended after the reasoning, without text.
    pub only_reasoned: usize,
    /// Answers without the requested log probabilities.
    pub without_logprobs: usize,
    /// Answers to requests from which a refused field was left out, by field.
    pub dropped: BTreeMap<String, usize>,
}

impl SuspiciousCounts {
    /// Starts counting for a run with these settings.
    pub fn new(asking: &Asking) -> Self {
        let logprobs = asking.sampling.extra.get("logprobs");
        Self {
            model: asking.model.clone(),
            most: asking.sampling.max_tokens,
            wants_logprobs: logprobs.is_some_and(|value| {
                value.as_bool() == Some(true) || value.as_u64().is_some_and(|count| count > 0)
            }),
            ..Self::default()
        }
    }

    /// Counts a finished result if it is suspicious.
    pub(super) fn add(&mut self, one: &StepResult) {
        let done = &one.done;
        if !one.judged.kind.is_answer() {
            return;
        }
        self.blind += usize::from(pictures_were_not_counted(one));
        if let Some(model) = &done.model
            && !self.model.is_empty()
            && plain(model) != plain(&self.model)
        {
            *self.others.entry(model.clone()).or_default() += 1;
        }
        if one.judged.kind == Kind::Cut {
            let written = done.completion_tokens.zip(self.most);
            let is_early = written.is_some_and(|(written, most)| written < u64::from(most));
            self.cut_early += usize::from(is_early);
            let only_thought = done.text.trim().is_empty() && !done.reasoning.is_empty();
            self.only_thought += usize::from(only_thought);
        }
        if one.judged.kind == Kind::ToolCall {
            let names = done.tools.iter().map(String::as_str);
            let name = names
                .min()
                .unwrap_or("a function without a name")
                .to_owned();
            *self.tools.entry(name).or_default() += 1;
        }
        self.only_reasoned += usize::from(one.judged.kind == Kind::ReasoningOnly);
        let lacks = self.wants_logprobs && done.logprobs.as_ref().is_none_or(Json::is_null);
        self.without_logprobs += usize::from(lacks);
        for field in &done.dropped {
            *self.dropped.entry(field.clone()).or_default() += 1;
        }
    }

    /// Returns one sentence for each kind of doubt.
    pub fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        let mut say = |count: usize, what: &str| {
            if count > 0 {
                words.push(format!("{} {what}", counted(count as u64, "answer")));
            }
        };
        say(
            self.blind,
            "had fewer prompt tokens than a picture takes: the server may ignore it",
        );
        say(
            self.cut_early,
            "cut before the token limit: the model's context was full",
        );
        say(
            self.only_thought,
            "cut while the model was thinking: allow more tokens",
        );
        say(
            self.without_logprobs,
            "without the requested log probabilities: the server does not return them",
        );
        say(
            self.only_reasoned,
            "ended after the reasoning, without an answer: the server may have cut the answer off, or put it into the reasoning",
        );
        for (field, count) in &self.dropped {
            let what = format!("to questions without {field}, which the server refuses");
            say(*count, &what);
        }
        for (name, count) in &self.tools {
            say(*count, &format!("called {name} instead of answering"));
        }
        for (model, count) in &self.others {
            let what = format!("by {model}, not by the requested model {}", self.model);
            say(*count, &what);
        }
        words
    }
}

/// Returns true if the prompt had fewer tokens than the question has words: the server may have
/// dropped the picture.
fn pictures_were_not_counted(one: &StepResult) -> bool {
    let Some(record) = &one.record else {
        return false;
    };
    let words = record.content.question.split_whitespace().count() as u64;
    let tokens = one.done.prompt_tokens.filter(|tokens| *tokens > 0);
    !record.content.images.is_empty() && tokens.is_some_and(|tokens| tokens < words)
}

/// Normalizes a model name: removes folders, `@revision`, `:latest`, `.gguf` and a date.
fn plain(name: &str) -> String {
    let name = name.to_lowercase();
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let name = name.split('@').next().unwrap_or_default();
    let name = name.strip_suffix(":latest").unwrap_or(name);
    let name = name.strip_suffix(".gguf").unwrap_or(name);
    let mut parts: Vec<&str> = name.split('-').collect();
    let is_number = |part: &&str, digits: usize| {
        part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    match parts.as_slice() {
        [.., year, month, day]
            if is_number(year, 4) && is_number(month, 2) && is_number(day, 2) =>
        {
            parts.truncate(parts.len() - 3);
        }
        [.., date] if is_number(date, 8) => parts.truncate(parts.len() - 1),
        _ => {}
    }
    parts.join("-")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use super::*;
    use crate::{AnswerGrade, JournalEntry};

    fn asking() -> Asking {
        let mut asking = Asking {
            model: "qwen2-vl".to_owned(),
            ..Asking::default()
        };
        asking.sampling.max_tokens = Some(20);
        asking
            .sampling
            .extra
            .insert("logprobs".to_owned(), json!(true));
        asking
    }

    fn words(kind: Kind, done: JournalEntry) -> Vec<String> {
        let mut doubts = SuspiciousCounts::new(&asking());
        doubts.add(&StepResult {
            item: 0,
            judged: AnswerGrade {
                kind,
                right: None,
                read: None,
            },
            before: None,
            kept: false,
            done: Arc::new(done),
            record: None,
        });
        doubts.words()
    }

    fn good() -> JournalEntry {
        JournalEntry {
            model: Some("Qwen/Qwen2-VL@main".to_owned()),
            completion_tokens: Some(20),
            logprobs: Some(json!([])),
            text: "A".to_owned(),
            ..JournalEntry::default()
        }
    }

    #[test]
    fn an_answer_that_is_what_it_seems_raises_none() {
        assert_eq!(words(Kind::Ok, good()), Vec::<String>::new());
        assert_eq!(words(Kind::Cut, good()), Vec::<String>::new());
    }

    #[test]
    fn every_trap_is_named() {
        let early = JournalEntry {
            completion_tokens: Some(7),
            ..good()
        };
        assert!(words(Kind::Cut, early)[0].contains("context was full"));
        let thought = JournalEntry {
            text: String::new(),
            reasoning: "Hm".to_owned(),
            ..good()
        };
        assert!(words(Kind::Cut, thought)[0].contains("allow more tokens"));
        let silent = JournalEntry {
            text: String::new(),
            tools: vec!["zoom".to_owned()],
            reasoning: "Hm".to_owned(),
            ..good()
        };
        assert_eq!(
            words(Kind::ToolCall, silent.clone()),
            ["1 answer called zoom instead of answering"]
        );
        assert!(words(Kind::ReasoningOnly, silent)[0].contains("without an answer"));
        let bare = JournalEntry {
            logprobs: None,
            ..good()
        };
        assert!(words(Kind::Ok, bare)[0].contains("probabilities"));
        let other = JournalEntry {
            model: Some("llama-3".to_owned()),
            ..good()
        };
        assert_eq!(
            words(Kind::Ok, other),
            ["1 answer by llama-3, not by the requested model qwen2-vl"]
        );
    }

    #[test]
    fn names_differ_in_what_servers_add() {
        for (asked, answered) in [
            ("gpt-4o", "gpt-4o-2024-08-06"),
            ("claude-sonnet-4-5", "claude-sonnet-4-5-20250929"),
            ("llava", "llava:latest"),
            ("tiny", "/models/Tiny.gguf"),
        ] {
            assert_eq!(plain(asked), plain(answered));
        }
        assert_ne!(plain("gpt-4o"), plain("gpt-4o-mini"));
    }
}
