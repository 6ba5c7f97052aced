//! Scores targets that are a list of answers in one text, for example `['STOP', 'stop sign']`, by
//! the rules of the harnesses that write such lists.
//!
//! `OCRBench` and the data sets of `VLMEvalKit`'s `image_vqa.py` store the answers of several
//! annotators this way. Under Eyechart's own rules the best-fitting answer counts.

use super::ava::normalise;
use super::{Answer, Outcome, Reading, choice_matching, python, stored, strict};
use rapidfuzz::distance::levenshtein;
use record::benchmark::{Direction, Metric};
use record::{Record, Rule, Target};

/// Category of `OCRBench` whose answers are formulas: they are compared with case and without
/// spaces.
const FORMULAS: &str = "Handwritten Mathematical Expression Recognition";
/// Relative tolerance for numbers (`ChartQA`).
const RELAXED: f64 = 0.05;
/// Similarities below this count as 0 (`DocVQA`).
const SIMILAR: f64 = 0.5;
/// Number of agreeing annotators for a full score.
const ENOUGH: f64 = 3.0;
/// Maximum number of answers parsed from a list; no real question has as many.
const MOST: usize = 256;

/// Judges an answer by one of the rules for lists of answers.
pub(super) fn judge(record: &Record, rule: Rule) -> (Outcome, Option<Reading>) {
    let Some(target) = &record.content.target else {
        return (Outcome::left_out(), None);
    };
    let target = target.to_string();
    let answers = answers(&target).unwrap_or_else(|| vec![target]);
    let response = record.response.as_deref().unwrap_or_default();
    let seen = choice_matching::seen(response);
    let score = match rule {
        Rule::Contained => share(contains(seen, &answers, record.ability == FORMULAS)),
        Rule::VqaAccuracy => vqa_accuracy(response, &answers),
        Rule::TableVqaAccuracy => vqa_accuracy(seen, &answers),
        Rule::Relaxed => share(answers.iter().any(|answer| relaxed(answer, seen))),
        Rule::Anls => {
            let best = answers.iter().map(|answer| similarity(answer, seen));
            let best = best.fold(0.0, f64::max);
            if best < SIMILAR { 0.0 } else { best }
        }
        _ => {
            let own = python::strip(seen).to_lowercase();
            let same = |answer: &String| python::strip(answer).to_lowercase() == own;
            share(answers.iter().any(same))
        }
    };
    let outcome = Outcome::scored(score).with_invalid(stored::is_silent(Some(response)));
    let text = python::strip(response);
    let reading = (!text.is_empty()).then(|| Reading::new(Answer::Text(text.to_owned()), None));
    (outcome, reading)
}

/// Judges an answer by Eyechart's own rules; for a list of answers, the best score counts.
pub(super) fn judge_strictly(record: &Record, metric: Metric) -> (Outcome, Option<Reading>) {
    let Some(answers) = list_of(record) else {
        return strict::judge(record, metric);
    };
    let mut alone = record.clone();
    let judged = answers.into_iter().map(|answer| {
        alone.content.target = Some(Target::Text(answer));
        strict::judge(&alone, metric)
    });
    let better = |a: f64, b: f64| match metric.direction() {
        Direction::Higher => a.total_cmp(&b),
        Direction::Lower => b.total_cmp(&a),
    };
    // The first of equal outcomes is chosen; readable answers come before unreadable answers.
    let best = judged.min_by(|(a, _), (b, _)| {
        let order = match (a.score, b.score) {
            (Some(a), Some(b)) => better(b, a),
            (a, b) => b.is_some().cmp(&a.is_some()),
        };
        order.then(a.invalid.cmp(&b.invalid))
    });
    best.unwrap_or_else(|| strict::judge(record, metric))
}

/// Returns the answers of a record whose target is a list of texts; `None` for a record with
/// options or another target.
fn list_of(record: &Record) -> Option<Vec<String>> {
    match &record.content.target {
        Some(Target::Text(text)) if record.content.choices.is_empty() => answers(text),
        _ => None,
    }
}

/// Parses a list or tuple of texts in Python or JSON notation; `None` for other texts, and for
/// lists without a quoted text.
pub(super) fn answers(text: &str) -> Option<Vec<String>> {
    let text = text.trim();
    let within = |open: char, close: char| text.strip_prefix(open)?.strip_suffix(close);
    let inside = within('[', ']').or_else(|| within('(', ')'))?;
    let (mut rest, mut found, mut quoted) = (inside.trim_start(), Vec::new(), false);
    while !rest.is_empty() && found.len() < MOST {
        let after;
        if let Some(mark) = rest
            .chars()
            .next()
            .filter(|mark| ['\'', '"'].contains(mark))
        {
            let (answer, behind) = unquoted(rest.get(1..)?, mark)?;
            found.push(answer);
            quoted = true;
            after = behind;
        } else {
            let end = rest.find(',').unwrap_or(rest.len());
            let (bare, behind) = rest.split_at_checked(end)?;
            if bare.contains(['[', ']', '{', '\'', '"']) {
                return None;
            }
            found.push(bare.trim().to_owned());
            after = behind;
        }
        let after = after.trim_start();
        rest = match after.strip_prefix(',') {
            Some(next) => next.trim_start(),
            None if after.is_empty() => after,
            None => return None,
        };
    }
    (quoted && rest.is_empty()).then_some(found)
}

/// Returns the text up to the closing quote, and the text after it.
fn unquoted(text: &str, mark: char) -> Option<(String, &str)> {
    let mut answer = String::new();
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        if character == mark {
            return Some((answer, text.get(at + 1..)?));
        }
        if character != '\\' {
            answer.push(character);
            continue;
        }
        match characters.next()?.1 {
            'n' => answer.push('\n'),
            't' => answer.push('\t'),
            'r' => answer.push('\r'),
            'u' => answer.push(code(&mut characters, 4)?),
            'x' => answer.push(code(&mut characters, 2)?),
            other if ['\\', '\'', '"', '/'].contains(&other) => answer.push(other),
            other => answer.extend(['\\', other]),
        }
    }
    None
}

/// Reads the character with a code of `digits` hexadecimal digits; half of a surrogate pair
/// becomes the replacement character.
fn code(characters: &mut std::str::CharIndices<'_>, digits: usize) -> Option<char> {
    let mut number = 0;
    for _ in 0..digits {
        number = number * 16 + characters.next()?.1.to_digit(16)?;
    }
    Some(char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER))
}

/// Applies the rule of `OCRBench`: the response contains one of the answers. Formulas ignore
/// spaces, other answers ignore case.
fn contains(response: &str, answers: &[String], are_formulas: bool) -> bool {
    let plain = |text: &str| {
        let text = if are_formulas {
            text.to_owned()
        } else {
            text.to_lowercase()
        };
        let text = python::strip(&text).replace('\n', " ");
        if are_formulas {
            text.replace(' ', "")
        } else {
            text
        }
    };
    let response = plain(response);
    answers
        .iter()
        .any(|answer| response.contains(&plain(answer)))
}

/// Computes VQA accuracy. Each annotator is left out in turn: the score is the number of other
/// annotators with this answer divided by three, at most 1. Returns the mean of these scores.
fn vqa_accuracy(response: &str, answers: &[String]) -> f64 {
    let own = normalise::vqa(response);
    let same: Vec<bool> = (answers.iter())
        .map(|answer| normalise::vqa(answer) == own)
        .collect();
    let count = |flags: &[bool]| flags.iter().map(|&flag| share(flag)).sum::<f64>();
    let all = count(&same);
    let left_out = same
        .iter()
        .map(|&flag| ((all - share(flag)) / ENOUGH).min(1.0));
    left_out.sum::<f64>() / count(&vec![true; same.len()]).max(1.0)
}

/// Applies the rule of `ChartQA`: within 5 % of a number other than 0, else the same text
/// ignoring case.
fn relaxed(answer: &str, response: &str) -> bool {
    let number = |text: &str| match text.strip_suffix('%') {
        Some(_) => Some(text.trim_end_matches('%').trim().parse::<f64>().ok()? / 100.0),
        None => text.trim().parse::<f64>().ok(),
    };
    let response = python::strip(response);
    match (
        number(response),
        number(answer).filter(|number| *number != 0.0),
    ) {
        (Some(own), Some(target)) => ((own - target) / target).abs() <= RELAXED,
        _ => response.to_lowercase() == answer.to_lowercase(),
    }
}

/// Returns 1 minus the share of differing characters; white space is collapsed and case ignored.
#[expect(
    clippy::cast_precision_loss,
    reason = "a text of 2^53 characters does not fit in memory"
)]
fn similarity(answer: &str, response: &str) -> f64 {
    let plain = |text: &str| {
        let text = text.to_lowercase();
        python::split(&text).collect::<Vec<_>>().join(" ")
    };
    let (answer, response) = (plain(answer), plain(response));
    let longest = answer.chars().count().max(response.chars().count());
    let distance = levenshtein::distance(answer.chars(), response.chars());
    if longest == 0 {
        return 1.0;
    }
    1.0 - distance as f64 / longest as f64
}

fn share(right: bool) -> f64 {
    f64::from(u8::from(right))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(response: &str, target: &str) -> Record {
        let mut record = Record {
            response: Some(response.to_owned()),
            ..Record::default()
        };
        record.content.target = Some(Target::Text(target.to_owned()));
        record
    }

    fn score(rule: Rule, response: &str, target: &str) -> f64 {
        let score = judge(&record(response, target), rule).0.score;
        score.unwrap_or(f64::NAN)
    }

    #[test]
    fn lists_of_python_and_json_are_answers() {
        for (text, found) in [
            (r#"["STOP"]"#, Some(vec!["STOP"])),
            (
                "['a', \"it's\", 'x\\'y', 'caf\\u00e9']",
                Some(vec!["a", "it's", "x'y", "café"]),
            ),
            (" ['14', 14] ", Some(vec!["14", "14"])),
            ("['a',]", Some(vec!["a"])),
            ("[0.1, 0.2, 0.5, 0.6]", None),
            ("[]", None),
            ("[STOP]", None),
            ("['a' 'b']", None),
            ("['a', ['b']]", None),
            ("['a", None),
            ("STOP", None),
        ] {
            let found = found.map(|texts| texts.into_iter().map(str::to_owned).collect::<Vec<_>>());
            assert_eq!(answers(text), found, "{text}");
        }
    }

    #[test]
    fn the_best_of_the_answers_counts_under_eyecharts_own_rules() {
        let judged =
            |response, metric| judge_strictly(&record(response, "['STOP', 'stop sign']"), metric).0;
        for (response, right) in [("stop", 1.0), ("Stop sign.", 1.0), ("GO", 0.0)] {
            assert_eq!(
                judged(response, Metric::Accuracy).score,
                Some(right),
                "{response}"
            );
        }
        assert_eq!(judged("stop sign", Metric::Anls).score, Some(1.0));
        assert!(judged("", Metric::Accuracy).invalid);
        // One of the answers could be read, so the sample counts as readable.
        let asked = record("GO", "['14', 'fourteen apples']");
        let (outcome, reading) = judge_strictly(&asked, Metric::Accuracy);
        assert_eq!(outcome.invalid, reading.is_none());
        assert_eq!((outcome.score, outcome.invalid), (Some(0.0), false));
    }

    #[test]
    fn ocrbench_looks_for_an_answer_in_the_response() {
        for (response, right) in [("STOP", 1.0), ("The sign says Stop.", 1.0), ("GO", 0.0)] {
            assert_eq!(score(Rule::Contained, response, "['STOP']"), right);
        }
        let formula = |response: &str| Record {
            ability: FORMULAS.to_owned(),
            ..record(response, "['x + Y']")
        };
        let right = |response| judge(&formula(response), Rule::Contained).0.score;
        assert_eq!((right("so x+Y"), right("x+y")), (Some(1.0), Some(0.0)));
    }

    #[test]
    fn vqa_accuracy_is_a_mean_over_annotators() {
        let ten = "['cup', 'cup', 'a cup', 'mug', 'mug', 'x', 'x', 'x', 'x', 'y']";
        // Leaving out one of the three matching annotators leaves two; leaving out one of the other
        // seven leaves three.
        let three = (3.0 * (2.0 / 3.0) + 7.0) / 10.0;
        assert!((score(Rule::VqaAccuracy, "The cup.", ten) - three).abs() < 1e-12);
        assert_eq!(score(Rule::VqaAccuracy, "x", ten), 1.0);
        assert_eq!(score(Rule::VqaAccuracy, "z", ten), 0.0);
        // pandas takes this answer to be missing.
        assert_eq!(
            score(Rule::VqaAccuracy, "None", "['none', 'none']"),
            1.0 / 3.0
        );
        assert_eq!(
            score(Rule::TableVqaAccuracy, "None", "['none', 'none']"),
            0.0
        );
    }

    #[test]
    fn charts_and_documents_have_their_tolerance() {
        for (response, right) in [("14.0", 1.0), ("14.7", 1.0), ("14.71", 0.0), ("20", 0.0)] {
            assert_eq!(
                score(Rule::Relaxed, response, "['14']"),
                right,
                "{response}"
            );
        }
        assert_eq!(score(Rule::Relaxed, "0.5", "50%"), 1.0);
        assert_eq!(score(Rule::Relaxed, "Red", "red"), 1.0);
        assert_eq!(score(Rule::Relaxed, "0.01", "0"), 0.0);
        // A similarity of exactly one half counts.
        assert_eq!(score(Rule::Anls, "ST", "['STOP', 'x']"), 0.5);
        assert_eq!(score(Rule::Anls, "S", "['STOP', 'x']"), 0.0);
        assert_eq!(score(Rule::SameText, " RED ", "['red', 'dark red']"), 1.0);
        assert_eq!(score(Rule::SameText, "red.", "['red']"), 0.0);
    }
}
