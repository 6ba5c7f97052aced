//! Applies rules for words, numbers and texts.

use std::sync::LazyLock;

use rapidfuzz::distance::levenshtein;
use regex::Regex;

use super::{Kind, KnownRule, Question, RuleOutcome};
use crate::ava::{self, normalised as plain};
use crate::judge::judge_anew;
use crate::python;
use crate::similarity::{collapsed, normalised, upper_length};
use base::format::pattern;
use record::benchmark::Metric;
use record::{Rule, Scoring};

/// Applies exact match: the answer equals the target, character by character.
pub(super) const EXACT_MATCH: KnownRule = KnownRule {
    name: "exact_match",
    words: "the answer equals the target (for options the letter), character by character",
    source: "lm-evaluation-harness, exact_match",
    kinds: &Kind::ALL,
    mark: exact_match,
};

fn exact_match(question: &Question<'_>) -> Option<RuleOutcome> {
    let response = question.response();
    // An answer in another form than the target counts as unread.
    let is_answer = match question.kind {
        Kind::Options => question.letters().any(|letter| letter == response),
        Kind::YesNo => matches!(response.to_lowercase().as_str(), "yes" | "no"),
        Kind::Number => response.parse::<f64>().is_ok(),
        Kind::Labelled | Kind::Text => !response.is_empty(),
    };
    let answer = is_answer.then(|| response.to_owned());
    let right = question.is_right(|right| right == response);
    Some(RuleOutcome::judged(answer, right))
}

/// Applies Eyechart's own strict rules as right or wrong, or as similarity for free text in OCR.
pub(super) const STRICT: KnownRule = KnownRule {
    name: "strict",
    words: "Eyechart's own: the one answer that a careful person would read",
    source: "Eyechart, --scoring strict",
    kinds: &Kind::ALL,
    mark: strict,
};

fn strict(question: &Question<'_>) -> Option<RuleOutcome> {
    // These rules need a single right answer, and cannot read precomputed scores.
    if question.right.len() > 1 || question.record.rule == Rule::Precomputed {
        return None;
    }
    let (judgement, reading) = judge_anew(&question.record, Scoring::Strict);
    let read = reading.filter(|_| !judgement.outcome.invalid);
    let answer = read.map(|reading| reading.answer.to_string());
    let score = match Metric::from_name(&judgement.metric) {
        Some(Metric::Anls | Metric::Accuracy) => judgement.outcome.score,
        _ => judgement.right.map(|right| f64::from(u8::from(right))),
    };
    Some(RuleOutcome {
        answer,
        score: score.unwrap_or_default(),
    })
}

/// Applies ANLS of `DocVQA` with its threshold of one half.
pub(super) const ANLS: KnownRule = KnownRule {
    name: "anls",
    words: "text similarity to the nearest target, 0 if it is below 0.5",
    source: "lmms-eval, anls of DocVQA",
    kinds: &[Kind::Number, Kind::Text],
    mark: anls,
};

/// Similarities below this limit score 0.
const THRESHOLD: f64 = 0.5;

fn anls(question: &Question<'_>) -> Option<RuleOutcome> {
    let response = question.response();
    let given = collapsed(response);
    let differing = question.right.iter().map(|right| {
        let distance = levenshtein::distance(collapsed(right).chars(), given.chars());
        // The lengths are the lengths of the raw texts, including white space.
        normalised(distance, upper_length(right).max(upper_length(response)))
    });
    let alike = 1.0 - differing.fold(f64::INFINITY, f64::min);
    Some(RuleOutcome {
        answer: (!given.is_empty()).then_some(given),
        score: if alike < THRESHOLD { 0.0 } else { alike },
    })
}

/// Applies VQA accuracy. Each annotator is left out in turn: the score is the number of other
/// annotators with this answer divided by three, at most 1. The result is the mean of these scores.
pub(super) const VQA: KnownRule = KnownRule {
    name: "vqa",
    words: "agreement with ten annotated answers, ignoring articles, punctuation and case",
    source: "lmms-eval, vqav2_process_results with EvalAIAnswerProcessor",
    kinds: &[Kind::YesNo, Kind::Number, Kind::Text],
    mark: vqa,
};

/// Number of annotated answers per question.
const ANSWERS: usize = 10;

/// Number of other annotators who must agree for a full score.
const ENOUGH: f64 = 3.0;

/// Matches commas between digits; the original accepts several in a row.
static COMMAS: LazyLock<Regex> = LazyLock::new(|| pattern(r"\d,+\d"));

fn vqa(question: &Question<'_>) -> Option<RuleOutcome> {
    if question.right.len() != ANSWERS {
        return None;
    }
    let normal = |text: &str| plain(text, &COMMAS);
    let given = normal(question.response());
    let right: Vec<bool> = (question.right.iter())
        .map(|right| normal(right) == given)
        .collect();
    let matching = right.iter().filter(|same| **same).count();
    // Each annotated answer is left out in turn.
    let scores = right.iter().map(|same| {
        let others = matching - usize::from(*same);
        (f64::from(u32::try_from(others).unwrap_or(u32::MAX)) / ENOUGH).min(1.0)
    });
    let score = scores.sum::<f64>() / f64::from(u8::try_from(ANSWERS).unwrap_or(u8::MAX));
    Some(RuleOutcome {
        answer: (!given.is_empty()).then_some(given),
        score,
    })
}

/// Applies `OCRBench`: the answer contains an annotated text.
///
/// The original compares handwritten formulas (`HME100k`) without spaces; this rule does not.
pub(super) const OCRBENCH: KnownRule = KnownRule {
    name: "ocrbench",
    words: "the target anywhere in the answer, ignoring case",
    source: "OCRBench, example.py",
    kinds: &[Kind::Number, Kind::Text],
    mark: ocrbench,
};

fn ocrbench(question: &Question<'_>) -> Option<RuleOutcome> {
    let line = |text: &str| python::strip(&text.to_lowercase()).replace('\n', " ");
    let response = line(question.response());
    let found = question.is_right(|right| response.contains(&line(right)));
    Some(RuleOutcome::judged(
        (!response.is_empty()).then_some(response),
        found,
    ))
}

/// Applies AVA-Bench's evaluators for abilities whose answers are words or numbers.
pub(super) const AVA_BENCH: KnownRule = KnownRule {
    name: "ava_bench",
    words: "the ability's evaluator: first words, shared tokens, numbers, similarity",
    source: "AVA-Bench, tinyllava/eval",
    kinds: &Kind::ALL,
    mark: ava_bench,
};

/// Abilities whose answers are words or numbers.
const ABILITIES: [&str; 7] = [
    "absolute_depth",
    "action_recognition",
    "counting",
    "fine_grained",
    "ocr",
    "relative_depth",
    "spatial",
];

fn ava_bench(question: &Question<'_>) -> Option<RuleOutcome> {
    let record = &*question.record;
    // In other benchmarks, targets of questions with options have another format.
    let is_own = record.rule == Rule::AvaBench;
    let has_options = matches!(question.kind, Kind::Options | Kind::Labelled);
    if !ABILITIES.contains(&record.ability.as_str()) || has_options && !is_own {
        return None;
    }
    let (outcome, reading) = ava::judge(record, Metric::Accuracy);
    let answer = reading.filter(|_| !outcome.invalid);
    Some(RuleOutcome {
        answer: answer.map(|reading| reading.answer.to_string()),
        score: outcome.score?,
    })
}
