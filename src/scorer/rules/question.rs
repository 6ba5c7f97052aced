//! Prepares a question for the rules: its kind, options, right answers, and the response.

use std::borrow::Cow;

use super::RuleOutcome;
use crate::judge::looked_at;
use crate::strict::options_of;
use record::benchmark::{Metric, metric_of};
use record::{Choice, Content, Record, Target};

/// Kind of answer that a question requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One of the options A, B, C, and so on.
    Options,
    /// One of the options with other labels, for example `45. juggling balls`.
    Labelled,
    /// Yes or no, without options.
    YesNo,
    /// Number, as an integer or decimal.
    Number,
    /// Free text: a word or a phrase.
    Text,
}

impl Kind {
    /// All kinds, in the order of their declaration.
    pub(super) const ALL: [Self; 5] = [
        Self::Options,
        Self::Labelled,
        Self::YesNo,
        Self::Number,
        Self::Text,
    ];
}

/// Question with its response, as passed to the rules.
pub struct Question<'a> {
    /// Kind of answer that the question requires.
    pub kind: Kind,
    /// Record, with its response cut to the length that rules read.
    pub(super) record: Cow<'a, Record>,
    /// Options with the letters A, B, C, and so on; empty for other kinds of questions.
    pub(super) options: Vec<Choice>,
    /// Right answers: the letter of an option, or else one or more texts.
    pub(super) right: Vec<String>,
}

impl<'a> Question<'a> {
    /// Prepares the question of a record. `None` without a response, for boxes, masks and colours,
    /// which are measured, or if the target matches no option.
    pub fn of(record: &'a Record) -> Option<Self> {
        record.response.as_ref()?;
        let is_measured = matches!(
            metric_of(&record.ability, &record.content),
            Metric::Giou | Metric::Iou | Metric::Centroid | Metric::Ciede2000
        );
        if is_measured || record.detections.is_some() || record.masks.is_some() {
            return None;
        }
        let (kind, options, right) = requested_answer(&record.content)?;
        Some(Self {
            kind,
            record: looked_at(record),
            options,
            right,
        })
    }

    /// Returns the response, cut to the length that rules read; empty if there is none.
    pub(super) fn response(&self) -> &str {
        self.record.response.as_deref().unwrap_or_default()
    }

    /// Returns the first right answer; empty without one.
    pub(super) fn first(&self) -> &str {
        self.right.first().map_or("", String::as_str)
    }

    /// Returns true if `accepts` accepts one of the right answers.
    pub(super) fn is_right(&self, accepts: impl FnMut(&String) -> bool) -> bool {
        self.right.iter().any(accepts)
    }

    /// Creates the outcome of an answer that must equal the first right answer.
    pub(super) fn mark(&self, answer: Option<impl ToString>) -> Option<RuleOutcome> {
        let answer = answer.map(|answer| answer.to_string());
        let right = answer.as_deref() == Some(self.first());
        Some(RuleOutcome::judged(answer, right))
    }

    /// Returns the letters of the options.
    pub(super) fn letters(&self) -> impl Iterator<Item = &str> {
        self.options.iter().map(|option| option.letter.as_str())
    }
}

/// Returns kind, options and right answers of a question; `None` if the target is missing or
/// matches no option.
fn requested_answer(content: &Content) -> Option<(Kind, Vec<Choice>, Vec<String>)> {
    let target = content.target.as_ref()?;
    let options = options_of(content);
    if !options.is_empty() {
        if !are_lettered(&options) {
            return Some((Kind::Labelled, Vec::new(), vec![target.to_string()]));
        }
        let letter = letter_of(target, &options)?;
        return Some((Kind::Options, options.into_owned(), vec![letter]));
    }
    // The target matches none of the options.
    if !content.choices.is_empty() {
        return None;
    }
    match target {
        Target::Number(number) => Some((Kind::Number, Vec::new(), vec![number.to_string()])),
        Target::Text(text) => {
            let right = listed(text).unwrap_or_else(|| vec![text.clone()]);
            Some((kind_of(&right), Vec::new(), right))
        }
        _ => None,
    }
}

fn kind_of(right: &[String]) -> Kind {
    let bare = |text: &String| text.trim().trim_end_matches('.').to_lowercase();
    let every = |is: &dyn Fn(&str) -> bool| right.iter().all(|text| is(&bare(text)));
    if right.len() == 1 && every(&|text| matches!(text, "yes" | "no")) {
        Kind::YesNo
    } else if every(&|text| text.parse::<f64>().is_ok_and(f64::is_finite)) {
        Kind::Number
    } else {
        Kind::Text
    }
}

/// Returns true if the labels of the options are A, B, C, and so on.
fn are_lettered(options: &[Choice]) -> bool {
    let mut lettered = (0..).map(Choice::letters).zip(options);
    options.len() <= 26 && lettered.all(|(letter, option)| option.letter == letter)
}

/// Returns the letter of the option that the target names by letter, by text, or by both.
fn letter_of(target: &Target, options: &[Choice]) -> Option<String> {
    let text = target.to_string();
    let text = text.trim();
    let same = |a: &str, b: &str| a.trim().to_lowercase() == b.trim().to_lowercase();
    let both = |option: &Choice| {
        let text = text.trim_start_matches('(');
        let rest = text.strip_prefix(option.letter.as_str());
        let rest = rest.and_then(|rest| rest.strip_prefix(['.', ')', ':']));
        rest.is_some_and(|rest| rest.trim().is_empty() || same(rest, &option.text))
    };
    let find = |names: &dyn Fn(&Choice) -> bool| options.iter().find(|option| names(option));
    find(&|option| option.letter == text)
        .or_else(|| find(&|option| same(&option.text, text)))
        .or_else(|| find(&both))
        .map(|option| option.letter.clone())
}

/// Parses a list of texts stored as text, in JSON or Python notation: `["net", "a net"]`.
fn listed(text: &str) -> Option<Vec<String>> {
    let inner = text.trim().strip_prefix('[')?.strip_suffix(']')?;
    let mut found = Vec::new();
    let mut characters = inner.chars().peekable();
    loop {
        while characters.next_if(|c| c.is_whitespace()).is_some() {}
        let Some(quote) = characters.next() else {
            break;
        };
        if quote != '"' && quote != '\'' {
            return None;
        }
        let mut item = String::new();
        loop {
            match characters.next()? {
                '\\' => item.push(match characters.next()? {
                    'n' => '\n',
                    't' => '\t',
                    other => other,
                }),
                end if end == quote => break,
                other => item.push(other),
            }
        }
        found.push(item);
        while characters.next_if(|c| c.is_whitespace()).is_some() {}
        match characters.next() {
            Some(',') => {}
            None => break,
            Some(_) => return None,
        }
    }
    (!found.is_empty()).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::{Kind, Question, listed};
    use record::{Choice, Content, Record, Target};

    fn kind(target: Target, choices: &[&str]) -> Option<(Kind, Vec<String>)> {
        let letters = (0..).map(Choice::letters);
        let choices = letters.zip(choices).map(|(letter, text)| Choice {
            letter,
            text: (*text).to_owned(),
        });
        let record = Record {
            content: Content {
                choices: choices.collect(),
                target: Some(target),
                ..Content::default()
            },
            response: Some(String::new()),
            ..Record::default()
        };
        Question::of(&record).map(|question| (question.kind, question.right))
    }

    fn text(text: &str) -> Target {
        Target::Text(text.to_owned())
    }

    #[test]
    fn the_target_tells_the_kind() {
        let one = |kind, right: &str| Some((kind, vec![right.to_owned()]));
        let cups = ["left cup", "right cup"];
        for target in ["B", "right cup", "B. right cup", "(B) Right Cup", "B)"] {
            assert_eq!(
                kind(text(target), &cups),
                one(Kind::Options, "B"),
                "{target}"
            );
        }
        assert_eq!(kind(text("the third cup"), &cups), None);
        let boxes = Record {
            content: Content {
                target: Some(text("2 person, 1 dog")),
                ..Content::default()
            },
            detections: Some(record::Detections::default()),
            response: Some("#1 dog 0.97 [1, 2, 3, 4] right".to_owned()),
            ..Record::default()
        };
        assert!(Question::of(&boxes).is_none(), "boxes are measured");
        let numbered = Record {
            content: Content {
                question: "Which?\n1. mowing\n2. juggling balls".to_owned(),
                target: Some(text("2. juggling balls")),
                ..Content::default()
            },
            response: Some("2".to_owned()),
            ..Record::default()
        };
        let numbered = Question::of(&numbered).map(|question| question.kind);
        assert_eq!(numbered, Some(Kind::Labelled));
        assert_eq!(kind(text("Yes."), &[]), one(Kind::YesNo, "Yes."));
        assert_eq!(kind(text("1,200"), &[]), one(Kind::Text, "1,200"));
        assert_eq!(kind(text("12"), &[]), one(Kind::Number, "12"));
        assert_eq!(kind(Target::Number(2.5), &[]), one(Kind::Number, "2.5"));
        assert_eq!(kind(Target::Box([0.0; 4]), &[]), None);
        let both = vec!["net".to_owned(), "it's".to_owned()];
        assert_eq!(
            kind(text(r#"['net', "it's"]"#), &[]),
            Some((Kind::Text, both))
        );
    }

    #[test]
    fn lists_are_read_as_they_are_printed() {
        let read = |text| listed(text).map(|texts| texts.join("|"));
        assert_eq!(read(r#"["a", "b\"c"]"#).as_deref(), Some("a|b\"c"));
        assert_eq!(read("['a' , 'b',]").as_deref(), Some("a|b"));
        assert_eq!(read("[1, 2]"), None);
        assert_eq!(read("[sign]"), None);
        assert_eq!(read("['a' 'b']"), None);
        assert_eq!(read("[]"), None);
    }
}
