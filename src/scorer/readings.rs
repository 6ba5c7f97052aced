//! Compares the answers that the two rules read.

use super::{Answer, Reading, boxes, strict};
use record::{Choice, ReadingComparison, Record, Rule};

/// Compares the answer read by the harness's rule with the answer read by Eyechart's own rule.
pub(super) fn compare(
    record: &Record,
    harness: Option<Reading>,
    strict: Option<Reading>,
) -> ReadingComparison {
    match (harness, strict) {
        (None, _) if record.rule == Rule::Stored && record.parsed.is_none() => {
            ReadingComparison::Untold
        }
        (Some(a), Some(b)) => answers(&a.answer, &b.answer, &strict::options_of(&record.content)),
        _ => ReadingComparison::Alike,
    }
}

fn answers(a: &Answer, b: &Answer, choices: &[Choice]) -> ReadingComparison {
    if a == b || a.to_string() == b.to_string() {
        return ReadingComparison::Alike;
    }
    let same = match (a, b) {
        (Answer::Box(a), Answer::Box(b)) => {
            Answer::Box(boxes::ordered(*a)) == Answer::Box(boxes::ordered(*b))
        }
        (Answer::Number(number), Answer::Text(text))
        | (Answer::Text(text), Answer::Number(number)) => {
            text.trim().parse::<f64>().ok() == Some(*number)
        }
        _ => {
            let (a, b) = (forms(a, choices), forms(b, choices));
            a.iter().any(|form| b.contains(form))
        }
    };
    if same {
        ReadingComparison::Form
    } else {
        ReadingComparison::Apart
    }
}

/// Returns the letters and digits of an answer in lower case; for an option its label, its text,
/// and both together.
fn forms(answer: &Answer, choices: &[Choice]) -> Vec<String> {
    let bare = |text: &str| -> String {
        let kept = text.chars().filter(|c| c.is_alphanumeric());
        kept.flat_map(char::to_lowercase).collect()
    };
    let mut forms = vec![bare(&answer.to_string())];
    if let Answer::Choice(letter) = answer {
        let named = choices.iter().filter(|choice| choice.letter == *letter);
        for choice in named {
            let text = bare(&choice.text);
            forms.extend([format!("{}{text}", bare(letter)), text]);
        }
    }
    forms.retain(|form| !form.is_empty());
    forms
}

#[cfg(test)]
mod tests {
    use crate::judge;
    use record::{Choice, Content, ReadingComparison, Record, Rule, Target};

    /// Record of a question with two options; `parsed` is the answer that the harness read.
    fn record(response: &str, parsed: Option<&str>) -> Record {
        let choice = |letter: &str, text: &str| Choice {
            letter: letter.to_owned(),
            text: text.to_owned(),
        };
        Record {
            content: Content {
                choices: vec![choice("A", "the left cup"), choice("B", "the right cup")],
                target: Some(Target::Text("B".to_owned())),
                ..Content::default()
            },
            response: Some(response.to_owned()),
            parsed: parsed.map(str::to_owned),
            rule: Rule::Stored,
            ..Record::default()
        }
    }

    #[test]
    fn an_option_is_the_same_in_every_form() {
        let compared = |response, parsed| judge(&record(response, parsed)).readings;
        for form in ["b", "B.", "The right cup.", "B. the right cup", "(B)"] {
            assert_eq!(
                compared("It is B.", Some(form)),
                ReadingComparison::Form,
                "{form}"
            );
        }
        assert_eq!(compared("A, no: B", Some("A")), ReadingComparison::Apart);
        assert_eq!(compared("It is B.", None), ReadingComparison::Untold);
        assert_eq!(
            compared("who knows", Some("who knows")),
            ReadingComparison::Alike
        );
    }

    #[test]
    fn numbers_and_corners_are_compared_by_what_they_mean() {
        let number = Record {
            content: Content {
                target: Some(Target::Number(12.0)),
                ..Content::default()
            },
            ..record("12.0 birds", Some("12.0"))
        };
        assert_eq!(judge(&number).readings, ReadingComparison::Form);
        let apart = Record {
            response: Some("40 cups, 12 of them red".to_owned()),
            parsed: Some("12".to_owned()),
            ..number
        };
        assert_eq!(judge(&apart).readings, ReadingComparison::Apart);
    }
}
