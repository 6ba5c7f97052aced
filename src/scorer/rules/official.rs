//! Applies the evaluators of POPE, MME, `ScienceQA`, `GQA` and MMMU to their own logs: with the
//! record's target and options, for any kind of question.

use std::sync::LazyLock;

use regex::Regex;

use super::{RuleOutcome, captured, mmmu_choice, mmmu_open, yes_no};
use crate::{Answer, Outcome, Reading, answer_lists, stored};
use base::format::pattern;
use record::{Record, Rule};

/// Last option that `LLaVA`'s evaluator of `ScienceQA` accepts.
const LAST_OPTION: char = 'E';

static STATED: LazyLock<Regex> = LazyLock::new(|| pattern("The answer is ([A-Z])."));

/// Judges an answer by the rule of its benchmark; a record without target is left out.
pub(crate) fn judge(record: &Record, rule: Rule) -> (Outcome, Option<Reading>) {
    let Some(target) = &record.content.target else {
        return (Outcome::left_out(), None);
    };
    let target = target.to_string();
    let right = answer_lists::answers(&target).unwrap_or_else(|| vec![target]);
    let response = record.response.as_deref().unwrap_or_default();
    let mark = mark(record, rule, response, &right);
    let is_unread = mark.answer.is_none() || stored::is_silent(Some(response));
    let reading = mark
        .answer
        .map(|answer| Reading::new(Answer::Text(answer), None));
    let outcome = Outcome::judged(mark.score > 0.0).with_invalid(is_unread);
    (outcome, reading)
}

fn mark(record: &Record, rule: Rule, response: &str, right: &[String]) -> RuleOutcome {
    let choices = &record.content.choices;
    let answer = match rule {
        Rule::Pope => Some(yes_no::in_first_sentence(response).to_owned()),
        // MME's `calculation.py` does not strip white space.
        Rule::Mme => yes_no::at_start(&response.to_lowercase()).map(str::to_owned),
        Rule::ScienceQa => science_qa(response),
        Rule::Mmmu if choices.is_empty() => return mmmu_open::compare(response, right),
        Rule::Mmmu => mmmu_choice::read(response, choices).map(str::to_owned),
        _ => Some(response.trim_end_matches('.').to_lowercase()),
    };
    let is_yes_no = matches!(rule, Rule::Pope | Rule::Mme);
    let is_right = |answer: &String| {
        let mut right = right.iter();
        right.any(|right| right == answer || is_yes_no && right.to_lowercase() == *answer)
    };
    let is_right = answer.as_ref().is_some_and(is_right);
    RuleOutcome::judged(answer, is_right)
}

/// Reads a letter like `LLaVA`'s `eval_science_qa.py`: the whole answer, a letter before a full
/// stop at the start, or the letter in the only `The answer is X.`
fn science_qa(response: &str) -> Option<String> {
    let mut rest = response.chars();
    let letter = rest.next().filter(|c| ('A'..=LAST_OPTION).contains(c));
    let is_alone = rest.as_str().is_empty() || rest.as_str().starts_with(". ");
    if let Some(letter) = letter.filter(|_| is_alone) {
        return Some(letter.to_string());
    }
    let mut stated = captured(&STATED, response);
    let one = stated.next().filter(|_| stated.next().is_none());
    one.map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use record::{Choice, Content, Target};

    use super::*;

    /// Returns the score, and whether the answer could be read.
    fn score(rule: Rule, target: &str, response: &str) -> (Option<f64>, bool) {
        let choices = ["a red cup", "a blue cup"];
        let choices = (0..).map(Choice::letters).zip(choices);
        let choice = |(letter, text): (String, &str)| Choice {
            letter,
            text: text.to_owned(),
        };
        let has_choices = matches!(target, "A" | "B");
        let record = Record {
            content: Content {
                target: Some(Target::Text(target.to_owned())),
                choices: choices.map(choice).filter(|_| has_choices).collect(),
                ..Content::default()
            },
            response: Some(response.to_owned()),
            ..Record::default()
        };
        let (outcome, reading) = judge(&record, rule);
        assert_eq!(outcome.invalid, reading.is_none() || response.is_empty());
        (outcome.score, !outcome.invalid)
    }

    #[test]
    fn each_benchmark_reads_its_own_way() {
        let (right, wrong, unread) = ((Some(1.0), true), (Some(0.0), true), (Some(0.0), false));
        for (rule, target, response, expected) in [
            (Rule::Pope, "yes", "There is a dog. No doubt", right),
            (Rule::Pope, "no", "There is, no dog", right),
            (Rule::Pope, "no", "none", wrong),
            (Rule::Mme, "Yes", "YES, it is", right),
            (Rule::Mme, "No", "not at all", right),
            (Rule::Mme, "No", "I do not", unread),
            (Rule::Mme, "Yes", "y", unread),
            (Rule::ScienceQa, "B", "B", right),
            (Rule::ScienceQa, "B", "B. a blue cup", right),
            (Rule::ScienceQa, "B", "So. The answer is B.", right),
            (
                Rule::ScienceQa,
                "B",
                "The answer is B. The answer is B.",
                unread,
            ),
            (Rule::ScienceQa, "A", "B) a blue cup", unread),
            (Rule::Gqa, "no", "No.", right),
            (Rule::Gqa, "no", " no", wrong),
            (Rule::Mmmu, "B", "(A) or rather (B)", right),
            (Rule::Mmmu, "B", "neither", unread),
            (Rule::Mmmu, "3", "The answer is 3.0", right),
            (Rule::Mmmu, "['yes', 'y e s']", "yes", right),
            (Rule::Mmmu, "yes", "no", wrong),
        ] {
            let found = score(rule, target, response);
            assert_eq!(found, expected, "{rule:?} {target} {response}");
        }
    }

    #[test]
    fn without_a_target_there_is_no_score() {
        let (outcome, reading) = judge(&Record::default(), Rule::Pope);
        assert_eq!((outcome.score, reading), (None, None));
    }
}
