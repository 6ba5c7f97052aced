//! Scores `MathVista` and `MathVision` as `VLMEvalKit` does: compares the answer that the judge
//! model extracted, depending on the kind of question.

use super::{Answer, Outcome, Reading, choice_matching};
use record::{Choice, Record};

/// Tag with the kind of answer: text, integer, float or list. `MathVision` has none.
const KIND: &str = "answer_type";

/// Largest difference between equal numbers in `MathVision`.
const EQUAL: f64 = 1e-6;

/// Scores 1 if the extracted answer is the target's option, whole number or number. Lists and texts
/// of `MathVista` are never right, as in the harness. Answers of `MathVision` are equal as texts or
/// numbers; the harness also compares formulas.
pub(super) fn judge(record: &Record) -> (Outcome, Option<Reading>) {
    let extracted = record.parsed.as_deref().unwrap_or_default();
    let Some(target) = &record.content.target else {
        return (Outcome::left_out(), None);
    };
    let target = target.to_string();
    let options: Vec<&Choice> = record.content.choices.iter().collect();
    let kind = record.content.tags.get(KIND).map(ToString::to_string);
    let right = if options.is_empty() {
        let numbers = (number(extracted), number(&target));
        match (kind.as_deref(), numbers) {
            (Some("integer"), (Some(own), Some(target))) => {
                is_whole(extracted) && is_same(own, target.trunc())
            }
            (Some("float"), (Some(own), Some(target))) => is_same(own, target),
            (None, (Some(own), Some(target))) => (own - target).abs() < EQUAL,
            (None, _) => extracted.trim().to_lowercase() == target.trim().to_lowercase(),
            _ => false,
        }
    } else {
        let letter = choice_matching::infer(extracted, &options);
        matches!(letter, Some(Reading { answer: Answer::Choice(letter), .. }) if letter == target.trim())
    };
    let reading =
        (!extracted.is_empty()).then(|| Reading::new(Answer::Text(extracted.to_owned()), None));
    let outcome = Outcome::judged(right).with_invalid(extracted.is_empty());
    (outcome, reading)
}

fn number(text: &str) -> Option<f64> {
    let number = text.trim().parse::<f64>().ok();
    number.filter(|number| number.is_finite())
}

fn is_whole(text: &str) -> bool {
    let digits = text.trim().trim_start_matches(['+', '-']);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_same(one: f64, other: f64) -> bool {
    (one - other).abs() == 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::{Labels, Target, Value};

    fn right(kind: &str, extracted: &str, target: &str) -> bool {
        let mut record = Record {
            parsed: Some(extracted.to_owned()),
            ..Record::default()
        };
        record.content.target = Some(Target::Text(target.to_owned()));
        record.content.tags = Labels::from([(KIND.to_owned(), Value::from(kind))]);
        if kind == "text" && target == "B" {
            let choice = |letter: &str, text: &str| Choice {
                letter: letter.to_owned(),
                text: text.to_owned(),
            };
            record.content.choices = vec![choice("A", "3/11"), choice("B", "8/11")];
        }
        judge(&record).0.score == Some(1.0)
    }

    #[test]
    fn numbers_are_compared_as_the_question_asks() {
        assert!(right("integer", "3", "3"));
        assert!(right("integer", " 3 ", "3.0"));
        assert!(!right("integer", "3.0", "3"));
        assert!(!right("integer", "4", "3"));
        assert!(right("float", "1.50", "1.5"));
        assert!(!right("float", "about 1.5", "1.5"));
        assert!(!right("list", "[1, 2]", "[1, 2]"));
    }

    #[test]
    fn without_a_kind_texts_and_numbers_are_compared() {
        let right = |extracted: &str, target: &str| {
            let mut record = Record {
                parsed: Some(extracted.to_owned()),
                ..Record::default()
            };
            record.content.target = Some(Target::Text(target.to_owned()));
            judge(&record).0.score == Some(1.0)
        };
        assert!(right("7.0", "7") && right(" Pi ", "pi"));
        assert!(!right("7.1", "7") && !right("", "7"));
    }

    #[test]
    fn options_are_read_by_letter_or_text() {
        for extracted in ["B", "(B)", "8/11", "(B) 8/11"] {
            assert!(right("text", extracted, "B"), "{extracted}");
        }
        assert!(!right("text", "A", "B"));
    }
}
