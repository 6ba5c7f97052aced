//! Findings of each protocol.

use std::collections::BTreeMap;

use super::{Protocol, finding};
use crate::chain::{AGREEMENT, FIRST_VOTE};
use crate::summary::Summary;
use crate::tally::{StepScore, share};
use analysis::BenchmarkMemory;
use base::format::fixed;

impl Protocol {
    /// Reports the findings in a few sentences, the answer to the protocol's question first. Empty
    /// without scored answers.
    pub fn finding(&self, found: &Summary) -> Vec<String> {
        let is_scored = found.steps.iter().any(|step| step.all.scored > 0);
        let first = found.steps.first();
        let Some(first) = first.filter(|_| is_scored || self.is_chain()) else {
            return Vec::new();
        };
        let last = found.steps.len().saturating_sub(1);
        let between = || finding::between(found, 0, last);
        let mut words = Vec::new();
        match self {
            Self::Vanilla => words = with_log(first, "now", ""),
            Self::Boxes => words = with_log(first, "with boxes", "with boxes "),
            Self::NoBoxes => words = with_log(first, "without boxes", "without boxes "),
            Self::Edited(_) => words = with_log(first, "as edited", ""),
            Self::Rotational => words = rotational(found),
            Self::Twin => {
                words.extend(found.memory().iter().map(BenchmarkMemory::sentence));
                let cut = found.steps.iter().filter_map(StepScore::cut);
                words.extend(cut.map(|cut| format!("samples left out: {cut}")));
            }
            Self::Blind => words = blind(first),
            Self::Crop => {
                words.extend(between());
                words.extend(finding::spread(found));
            }
            Self::Prompts(_) => words = prompts(found),
            Self::Repeat(_) => words = repeats(found),
            Self::Effort(_) => {
                words.extend(unsupported_effort(found));
                words.extend((last > 0).then(between).flatten());
                words.extend(finding::spread(found));
            }
            Self::Follow(_) => {
                words.extend(between());
                words.extend(finding::flips(found, "turn"));
            }
            Self::SelfCheck => words = self_check(found),
            Self::Votes(count) => words = votes(found, first, *count),
            Self::Chain(_) | Self::EachTask(_) => words = chain(found, first),
        }
        words
    }
}

/// Compares a step with the log; `prefix` is put before the step's share of right answers.
fn with_log(step: &StepScore, how: &str, prefix: &str) -> Vec<String> {
    let right = format!("{prefix}{}", finding::right(step));
    let against = finding::against_log(step, how).into_iter();
    against.chain([right]).collect()
}

/// Reports RE, VE and MA as defined by `TDBench`, over the samples with a
/// score at all four rotations.
fn rotational(found: &Summary) -> Vec<String> {
    if found.always_right().1 == 0 {
        return vec!["no sample has a score at all four rotations yet".to_owned()];
    }
    let ve = fixed(found.mean_of_steps(), 3);
    // Patterns of right and wrong, most frequent first.
    let mut counts: Vec<(&String, &usize)> = found.patterns.iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let patterns = counts.iter();
    let patterns = patterns.map(|(pattern, count)| format!("{pattern} {count}"));
    vec![
        format!(
            "right at all four (RE): {}; mean of four (VE): {ve}; wrong at all four (MA): {}",
            found.always_right_share(),
            found.always_wrong_share()
        ),
        format!("patterns: {}", patterns.collect::<Vec<_>>().join("  ")),
    ]
}

/// Reports the share of right answers without the picture, compared with guessing among the
/// options.
fn blind(step: &StepScore) -> Vec<String> {
    if step.unscored > 0 {
        return vec![finding::right(step)];
    }
    let right = &step.all.answers;
    let beside = match (step.chance(), step.interval()) {
        _ if step.cut().is_some() => {
            "; not compared with chance, because answers were cut".to_owned()
        }
        (Some(chance), Some(range)) => {
            let how = match () {
                () if range.low > chance => "above",
                () if range.high < chance => "below",
                () => "not clearly different from",
            };
            format!("; {how} chance, {chance:.3}")
        }
        _ => "; chance is unknown: not every question has options".to_owned(),
    };
    let against = finding::against_log(step, "without the picture");
    std::iter::once(format!("accuracy without the picture: {right}{beside}"))
        .chain(against)
        .collect()
}

/// Reports the spread between wordings, the best compared with the first, and flips between them.
fn prompts(found: &Summary) -> Vec<String> {
    let mut words: Vec<String> = finding::spread(found).into_iter().collect();
    let shares = found.steps.iter().enumerate();
    let best = shares.max_by(|a, b| {
        a.1.share()
            .partial_cmp(&b.1.share())
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    if let Some((best @ 1.., _)) = best {
        words.extend(finding::between(found, 0, best));
    }
    words.extend(finding::flips(found, "wording"));
    words
}

/// Reports how often samples flip, and the resulting spread of the score.
fn repeats(found: &Summary) -> Vec<String> {
    if found.always_right().1 == 0 {
        return vec!["no sample has a score at every repeat yet".to_owned()];
    }
    let mut words = vec![format!("samples that flip: {}", found.mixed_share())];
    words.extend(finding::differing(found));
    words.extend(finding::spread(found));
    words
}

/// Reports a server that seems not to support levels of reasoning effort.
fn unsupported_effort(found: &Summary) -> Option<String> {
    let alike = if found.steps.len() > 1 && found.answered > 0 && found.changed == 0 {
        " and all parsed answers are equal"
    } else {
        ""
    };
    (found.reasoned == 0).then(|| {
        format!("no answer contains reasoning{alike}: this server may not support effort levels")
    })
}

/// Reports changes from right to wrong and back, and tests the difference.
fn self_check(found: &Summary) -> Vec<String> {
    let mut words = Vec::new();
    if found.always_right().1 > 0 {
        words.push(format!(
            "when asked whether it is sure: right to wrong {}, wrong to right {}",
            found.share(|rights| rights == [true, false]),
            found.share(|rights| rights == [false, true])
        ));
    }
    words.extend(finding::between(found, 0, 1));
    if found.answered > 0 {
        words.push(format!(
            "samples whose answer changed: {}",
            found.changed_share()
        ));
    }
    words
}

/// Reports the share of right answers by vote and by the first vote alone, and the number of votes.
fn votes(found: &Summary, step: &StepScore, count: u32) -> Vec<String> {
    let mut words = vec![format!("by majority vote: {}", finding::right(step))];
    if let Some(first) = found.figures.mean(FIRST_VOTE) {
        words.push(format!("first vote only: accuracy {first:.3}"));
    }
    let votes = share(found.parts, found.total()).unwrap_or_default();
    let agreement = found
        .figures
        .mean(AGREEMENT)
        .map(|share| format!("; {share:.3} of the readable votes agree with the majority"));
    words.push(format!(
        "{votes:.1} votes per sample, at most {count}{}",
        agreement.unwrap_or_default()
    ));
    words.extend(finding::against_log(step, "by majority vote"));
    words
}

/// Reports the share of right answers and, by ability, the mean of each
/// metric compared with the log.
fn chain(found: &Summary, step: &StepScore) -> Vec<String> {
    let right = Some(step).filter(|step| step.all.scored > 0);
    let mut words: Vec<String> = right.map(finding::right).into_iter().collect();
    words.extend(right.and_then(|step| finding::against_log(step, "now")));
    if !found.parts_unread.is_empty() {
        let kinds = found.parts_unread.iter();
        let kinds: Vec<String> = kinds
            .map(|(kind, count)| format!("{count} {kind}"))
            .collect();
        let (kinds, all) = (kinds.join(", "), found.parts);
        words.push(format!("of {all} answers in the chains: {kinds}"));
    }
    let mut beside: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (ability, name, figure) in found.figures.iter().filter(|it| !it.2.is_score()) {
        let figures = beside.entry(ability).or_default();
        figures.push(format!("{name} {}", fixed(figure.mean(), 3)));
    }
    for (ability, name, figure) in found.figures.iter().filter(|it| it.2.is_score()) {
        let mean = fixed(figure.mean(), 3);
        let mut line = format!("{ability}: mean {name} {mean} of {}", figure.count());
        let against = step
            .is_tested()
            .then(|| finding::figure_against_log(name, figure));
        let beside = beside
            .get(ability)
            .map(|all| format!("also {}", all.join(", ")));
        for more in against.flatten().into_iter().chain(beside) {
            line.extend(["; ", &more]);
        }
        words.push(line);
    }
    words
}
