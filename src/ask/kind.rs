//! Kinds of answers, and judging an answer.

use std::fmt;

use crate::client::{Answer, Class, Ending};
use record::benchmark::Metric;
use record::{Record, Rule, Scoring};
use scorer::{Reading, judge_anew, refuses};

/// Outcome of one question: a kind of answer, or a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A readable answer, scored if there is a target.
    Ok,
    /// The model or a filter refused, by finish reason or in the text.
    Refused,
    /// A function call without text.
    ToolCall,
    /// Reasoning without any answer text.
    ReasoningOnly,
    /// Neither text, reasoning nor calls.
    Empty,
    /// Truncated by a length limit.
    Cut,
    /// Text without a readable answer.
    Unreadable,
    /// No answer; the request failed with this class.
    Failed(Class),
}

impl Kind {
    /// All kinds with an answer, in display order.
    pub const ANSWERS: [Self; 7] = [
        Self::Ok,
        Self::Refused,
        Self::ToolCall,
        Self::ReasoningOnly,
        Self::Empty,
        Self::Cut,
        Self::Unreadable,
    ];

    /// Returns true if the model answered, so the question is not asked again.
    pub const fn is_answer(self) -> bool {
        !matches!(self, Self::Failed(_))
    }

    /// Returns the kind with this name.
    pub fn named(name: &str) -> Option<Self> {
        if let Some(class) = name.strip_prefix("failed:") {
            return Class::from_name(class).map(Self::Failed);
        }
        Self::ANSWERS
            .into_iter()
            .find(|kind| kind.to_string() == name)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ok => "ok",
            Self::Refused => "refused",
            Self::ToolCall => "tool_call",
            Self::ReasoningOnly => "reasoning_only",
            Self::Empty => "empty",
            Self::Cut => "cut",
            Self::Unreadable => "unreadable",
            Self::Failed(class) => return write!(f, "failed:{class}"),
        })
    }
}

/// The judgement of an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct AnswerGrade {
    /// What kind of answer it is.
    pub kind: Kind,
    /// Whether it is right; `None` without a score.
    pub right: Option<bool>,
    /// The answer as parsed from the text; `None` if unreadable.
    pub read: Option<String>,
}

/// Judges an answer by the rule of the log's harness, and adds it to the record.
///
/// A refused, truncated or unreadable answer gets the score that the metric defines for it: 0 for a
/// share, none if the metric has no worst value. Its kind is reported separately. The record keeps
/// the scoring rule; for a rule of the log's harness, it also stores metric and score.
pub fn judge(record: &mut Record, answer: &Answer) -> AnswerGrade {
    let text = answer.refusal.as_ref().filter(|_| answer.text.is_empty());
    record.response = Some(text.unwrap_or(&answer.text).clone());
    let (judgement, reading) = judge_anew(record, Scoring::Harness);
    let kind = match answer.ending() {
        Ending::Refused => Kind::Refused,
        Ending::ToolCall => Kind::ToolCall,
        Ending::ReasoningOnly => Kind::ReasoningOnly,
        Ending::Empty => Kind::Empty,
        Ending::Cut => Kind::Cut,
        // For a rule that compares texts, a refusal is a readable text.
        Ending::Whole
            if (judgement.outcome.invalid || is_text(reading.as_ref()))
                && judgement.right != Some(true)
                && refuses(&answer.text) =>
        {
            Kind::Refused
        }
        Ending::Whole if judgement.outcome.invalid => Kind::Unreadable,
        Ending::Whole => Kind::Ok,
    };
    let (right, score) = (judgement.right, judgement.outcome.score);
    let metric = judgement.metric.into_owned();
    if kind != Kind::Ok {
        record.parsed = Some(String::new());
    }
    match record.rule {
        Rule::Unstated | Rule::Strict => {}
        // The log has only the scores of this rule, so Eyechart's own rule judged the answer.
        Rule::Stored => record.rule = Rule::Unstated,
        _ => {
            record.metric = Some(metric);
            record.stored = Some(score.unwrap_or(f64::NAN));
        }
    }
    AnswerGrade {
        kind,
        right,
        read: reading
            .filter(|_| kind == Kind::Ok)
            .map(|reading| reading.answer.to_string()),
    }
}

fn is_text(reading: Option<&Reading>) -> bool {
    reading.is_some_and(|reading| matches!(reading.answer, scorer::Answer::Text(_)))
}

/// Judges the log's answer by the rule for new answers. `None` if that rule has no score for it, or
/// if the log has no text.
pub fn judged_again(record: &Record) -> Option<bool> {
    let answer = Answer {
        text: record.response.clone()?,
        ..Answer::default()
    };
    judge(&mut unanswered(record), &answer).right
}

/// Returns the record of a sample without its answer.
pub fn unanswered(record: &Record) -> Record {
    // The log's result was computed by a chain. A new answer is parsed and scored by its target.
    let was_computed = record.rule == Rule::Precomputed && record.content.target.is_some();
    Record {
        rule: if was_computed {
            Rule::Unstated
        } else {
            record.rule
        },
        response: None,
        parsed: None,
        // A custom metric of the log's harness cannot be computed here.
        metric: record
            .metric
            .clone()
            .filter(|name| Metric::from_name(name).is_some() && !was_computed),
        stored: None,
        beside: Vec::new(),
        origin: None,
        ..record.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::{Choice, Content, Target};

    fn record(rule: Rule) -> Record {
        let choice = |letter: &str, text: &str| Choice {
            letter: letter.to_owned(),
            text: text.to_owned(),
        };
        Record {
            ability: "x".to_owned(),
            content: Content {
                question: "What?".to_owned(),
                choices: vec![choice("A", "cat"), choice("B", "dog")],
                target: Some(Target::Text("B".to_owned())),
                ..Content::default()
            },
            rule,
            ..Record::default()
        }
    }

    #[test]
    fn what_a_chain_had_answered_is_scored_by_its_target() {
        let chained = Record {
            response: Some("dog\n\nsteps:\n".to_owned()),
            metric: Some("accuracy".to_owned()),
            stored: Some(1.0),
            ..record(Rule::Precomputed)
        };
        for (text, right) in [("B", true), ("A. cat", false)] {
            let mut anew = unanswered(&chained);
            let answer = Answer {
                text: text.to_owned(),
                finish_reason: Some("stop".to_owned()),
                ..Answer::default()
            };
            assert_eq!(judge(&mut anew, &answer).right, Some(right), "{text}");
            let scored = scorer::judge(&anew).harness.outcome.score;
            assert_eq!(scored, Some(f64::from(u8::from(right))), "{text}");
        }
        let map = Record {
            content: Content::default(),
            ..record(Rule::Precomputed)
        };
        assert_eq!(unanswered(&map).rule, Rule::Precomputed, "nothing to read");
    }

    fn judged(rule: Rule, text: &str, reason: &str) -> (AnswerGrade, Record) {
        let mut record = record(rule);
        let answer = Answer {
            text: text.to_owned(),
            finish_reason: Some(reason.to_owned()),
            ..Answer::default()
        };
        (judge(&mut record, &answer), record)
    }

    #[test]
    fn right_and_wrong_are_told_under_the_logs_own_rule() {
        for rule in [Rule::Strict, Rule::ChoiceMatching] {
            let (right, record) = judged(rule, "B", "stop");
            assert_eq!(
                (right.kind, right.right),
                (Kind::Ok, Some(true)),
                "{rule:?}"
            );
            assert_eq!(record.stored, (rule != Rule::Strict).then_some(1.0));
            assert_eq!(judged(rule, "A", "stop").0.right, Some(false));
        }
    }

    #[test]
    fn what_is_no_answer_has_the_score_that_the_rule_gives_it_and_its_kind() {
        for (text, reason, kind, right) in [
            ("", "stop", Kind::Empty, false),
            ("", "tool_calls", Kind::ToolCall, false),
            ("B", "length", Kind::Cut, true),
            ("", "content_filter", Kind::Refused, false),
            ("a grey building", "stop", Kind::Unreadable, false),
            (
                "I'm sorry, but I can't help with that.",
                "stop",
                Kind::Refused,
                false,
            ),
            ("I cannot assist with this.", "stop", Kind::Refused, false),
        ] {
            let (judged, record) = judged(Rule::ChoiceMatching, text, reason);
            assert_eq!((judged.kind, judged.right), (kind, Some(right)), "{text}");
            let score = f64::from(u8::from(right));
            assert_eq!(record.stored, Some(score), "{text}");
            assert_eq!(record.parsed.as_deref(), Some(""));
        }
    }

    #[test]
    fn refusals_in_words_count_as_refused_whatever_is_asked_for() {
        for (ability, target) in [
            ("counting", Target::Number(3.0)),
            ("localization", Target::Box([0.0, 0.0, 9.0, 9.0])),
            ("color", Target::Color([1.0, 2.0, 3.0])),
            ("ocr", Target::Text("STOP".to_owned())),
            ("emotion", Target::Text("yes".to_owned())),
        ] {
            let asked = |text: &str| {
                let mut record = Record {
                    ability: ability.to_owned(),
                    content: Content {
                        target: Some(target.clone()),
                        ..Content::default()
                    },
                    rule: Rule::Strict,
                    ..Record::default()
                };
                let answer = Answer {
                    text: text.to_owned(),
                    ..Answer::default()
                };
                judge(&mut record, &answer).kind
            };
            for words in [
                "I'm sorry, I can't help with that",
                "I cannot assist with identifying this.",
                "<think>Hm</think>I'm unable to view images.",
            ] {
                assert_eq!(asked(words), Kind::Refused, "{ability}: {words}");
            }
            assert_ne!(asked("I see nothing of that kind"), Kind::Refused);
        }
    }

    #[test]
    fn what_is_no_answer_is_wrong_and_has_no_error_to_average() {
        let mut record = Record {
            ability: "counting".to_owned(),
            content: Content {
                question: "How many?".to_owned(),
                target: Some(Target::Number(3.0)),
                ..Content::default()
            },
            rule: Rule::Strict,
            ..Record::default()
        };
        let judged = judge(&mut record, &Answer::default());
        assert_eq!((judged.kind, judged.right), (Kind::Empty, Some(false)));
        assert_eq!(scorer::judge(&record).harness.outcome.score, None);
    }

    #[test]
    fn an_opened_log_scores_an_unreadable_answer_as_the_run_did() {
        let rules = [
            Rule::Unstated,
            Rule::Strict,
            Rule::AvaBench,
            Rule::Stored,
            Rule::ChoiceMatching,
        ];
        let asked = [
            ("counting", Target::Number(3.0)),
            ("absolute_depth", Target::Number(3.0)),
            ("visual_grounding", Target::Box([0.1, 0.1, 0.9, 0.9])),
            ("color", Target::Color([1.0, 2.0, 3.0])),
            ("ocr", Target::Text("STOP".to_owned())),
            ("emotion", Target::Text("yes".to_owned())),
        ];
        for (ability, target) in asked {
            for rule in rules {
                for (text, reason) in [
                    ("I cannot tell.", "stop"),
                    ("", "stop"),
                    ("3", "length"),
                    ("I'm sorry, I can't help with that", "stop"),
                ] {
                    let mut record = Record {
                        sample_id: "s".to_owned(),
                        model: "m".to_owned(),
                        ability: ability.to_owned(),
                        content: Content {
                            target: Some(target.clone()),
                            ..Content::default()
                        },
                        rule,
                        ..Record::default()
                    };
                    let answer = Answer {
                        text: text.to_owned(),
                        finish_reason: Some(reason.to_owned()),
                        ..Answer::default()
                    };
                    let judged = judge(&mut record, &answer);
                    let mut same = unanswered(&record);
                    same.response.clone_from(&record.response);
                    let then = judge_anew(&same, Scoring::Harness).0;
                    let line = reader::own::write_record(&record);
                    let line = line.strip_suffix('}').unwrap();
                    let line = format!("{line},\"rerun\":{{\"as_logged\":true}}}}");
                    let opened = reader::own::parse_record(line.as_bytes(), "").unwrap();
                    let opened = scorer::judge(&opened).harness;
                    let found = (opened.right, opened.outcome.score, opened.outcome.second);
                    let expected = (judged.right, then.outcome.score, then.outcome.second);
                    assert_eq!(found, expected, "{ability} {rule:?} {text:?}");
                    assert_eq!(opened.metric, then.metric, "{ability} {rule:?} {text:?}");
                    assert_eq!(
                        opened.outcome.invalid,
                        judged.kind != Kind::Ok,
                        "{ability} {rule:?} {text:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn names_lead_back() {
        let failed = Class::ALL.map(Kind::Failed);
        for kind in Kind::ANSWERS.into_iter().chain(failed) {
            assert_eq!(Kind::named(&kind.to_string()), Some(kind));
        }
        assert_eq!(Kind::named("wrong"), None);
    }
}
