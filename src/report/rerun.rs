//! The document of `eyechart rerun`: the plan, and the result after the run.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value as Json, json};

use super::columns::{Columns, written};
use super::{Document, Grid};
use ask::{
    ChangedExample, ChangedWords, Cost, Estimate, Figure, Kind, Plan, ProbeUsage, RequestUsage,
    SPECIALIST, Sample, StepScore, Summary, is_logged,
};
use base::config::Price;
use base::format::{compact, counted, probability, significant};

/// A planned or finished run.
#[derive(Clone, Debug)]
pub struct Rerun<'a> {
    /// The plan: protocol, model and samples.
    pub plan: &'a Plan,
    /// The estimated requests, tokens and cost.
    pub estimate: Estimate,
    /// The result; `None` if nothing was sent.
    pub summary: Option<Summary>,
    /// Tokens and requests of all starts of the run so far.
    pub cost: Cost,
    /// Probe requests, which check whether the server uses pictures.
    pub probed: ProbeUsage,
    /// Requests sent by this start.
    pub sent: RequestUsage,
    /// Price per token; `None` if unknown.
    pub price: Option<Price>,
    /// Number of questions that could not be asked for a reason other than a damaged picture.
    pub unasked: usize,
    /// Reasons why questions could not be asked, with counts, except for damaged pictures.
    pub doubts: Vec<(String, usize)>,
    /// Direction words that change with the pictures; filled before anything is sent.
    pub changed: ChangedWords,
    /// Number of unasked questions whose picture is damaged.
    pub damaged: usize,
    /// Path of the new log; `None` if nothing was sent.
    pub log: Option<String>,
}

impl Rerun<'_> {
    fn counts(summary: &Summary) -> Vec<String> {
        let kinds = summary.kinds.iter();
        kinds
            .map(|(kind, count)| format!("{count} {kind}"))
            .collect()
    }

    /// Cost of the run so far; `None` if the price or all token counts are unknown.
    pub(super) fn money(&self) -> Option<f64> {
        self.price.and_then(|price| self.cost.money(price))
    }

    /// Sentences about the cost of the run and of its probes.
    fn paid(&self) -> Vec<String> {
        let mut words = Vec::new();
        if self.probed.requests > 0 {
            words.push(format!(
                "{} to check whether the server uses pictures: {} tokens read, {} written",
                counted(self.probed.requests, "request"),
                compact(self.probed.prompt_tokens),
                compact(self.probed.completion_tokens)
            ));
        }
        if let Some(cost) = self.money() {
            let cost = significant(cost, 4);
            let taken = match self.cost.uncounted {
                0 => String::new(),
                count => format!(
                    "; estimated from the others for {} without token counts",
                    counted(count, "request")
                ),
            };
            words.push(format!("total cost of the run: {cost}{taken}"));
        } else if self.price.is_some() {
            words.push("cost unknown: the server reports no token counts".to_owned());
        }
        words
    }

    /// Cost of the run as JSON.
    fn paid_json(&self) -> Json {
        json!({
            "cost": self.money(),
            "tokens": {"input": self.cost.tokens[0], "output": self.cost.tokens[1]},
            "without_token_counts": self.cost.uncounted,
            "probes": {
                "requests": self.probed.requests,
                "tokens": {"input": self.probed.prompt_tokens, "output": self.probed.completion_tokens},
            },
        })
    }

    fn found(&self, summary: &Summary) -> Vec<String> {
        let mut done = format!(
            "{} of {} done",
            summary.total(),
            counted(self.plan.len() as u64, "question"),
        );
        let counts = Self::counts(summary);
        if !counts.is_empty() {
            done = format!("{done}: {}", counts.join(", "));
        }
        let mut words = vec![done];
        if summary.kept > 0 {
            words.push(format!(
                "{} already known and not asked again",
                counted(summary.kept as u64, "answer")
            ));
        }
        if self.unasked > 0 {
            let asked = counted(self.unasked as u64, "question");
            words.push(format!("{asked} could not be asked"));
        }
        words.extend(
            self.doubts.iter().map(|(why, count)| {
                format!("of these {}: {why}", counted(*count as u64, "question"))
            }),
        );
        words.extend(damaged_words(self.damaged));
        if !self.estimate.is_here {
            words.push(format!(
                "{}, {} tokens read, {} written",
                counted(self.sent.requests, "request"),
                compact(self.sent.tokens[0]),
                compact(self.sent.tokens[1])
            ));
            words.extend(self.paid());
        }
        if self.sent.linked_pictures > 0 {
            words.push(format!(
                "{} sent unchanged and kept as links to the log's files, not as copies",
                counted(self.sent.linked_pictures, "picture")
            ));
        }
        if summary.reused > 0 {
            words.push(format!(
                "{} taken from earlier runs",
                counted(summary.reused as u64, "answer")
            ));
        }
        words.extend(self.plan.protocol.finding(summary));
        if summary.compared > 0 {
            words.push(format!(
                "of {} with a scored answer in the log: {} changed from wrong to right, {} from right to wrong",
                counted(summary.compared as u64, "answer"),
                summary.now_right,
                summary.now_wrong
            ));
            words.extend(self.plan.compared_words());
        }
        if self.plan.asking.model == SPECIALIST {
            let of = |sample: &Sample| sample.before.as_ref().map(|before| before.model.clone());
            let whose: BTreeSet<String> =
                self.plan.samples.iter().filter_map(|it| of(it)).collect();
            let whose: Vec<String> = whose.into_iter().collect();
            words.push(format!(
                "built from the answers of {} in the logs",
                whose.join(", ")
            ));
        }
        words.extend(self.wordings(summary));
        for (kind, message) in &summary.messages {
            let count = summary.kinds.get(kind).copied().unwrap_or_default();
            words.push(format!("{count} {kind}, for example: {message}"));
        }
        words.extend(summary.doubts.words());
        words.extend(self.log.iter().map(|log| format!("new run: {log}")));
        words
    }
}

impl Rerun<'_> {
    /// Sentences about the prompt wording that was used: the log's or Eyechart's own.
    fn wordings(&self, summary: &Summary) -> Vec<String> {
        if self.plan.protocol.is_chain() {
            return Vec::new();
        }
        let (mut words, mut of_log) = (Vec::new(), 0);
        for (version, count) in &summary.wordings {
            let asked = counted(*count as u64, "question");
            // A question without options is its own prompt, so it counts as the log's wording.
            if is_logged(version) || version.ends_with("/question-1") {
                of_log += count;
            } else if version.starts_with("eyechart/") {
                words.push(format!(
                    "{asked} with Eyechart's own prompt ({version}): the original prompt is not in the log"
                ));
            } else {
                words.push(format!(
                    "{asked} with the prompt of {version}: the original prompt is not in the log"
                ));
            }
        }
        if of_log > 0 && !words.is_empty() {
            let asked = counted(of_log as u64, "question");
            words.insert(0, format!("{asked} with the exact prompt of the log"));
        }
        words
    }

    /// Sentences about how pictures are turned, and how many samples have words that change with
    /// them.
    fn turning(&self, changed: usize) -> Vec<String> {
        if !self.plan.protocol.moves_every_picture() {
            return Vec::new();
        }
        let mut words = self.plan.asking.spins.words();
        words.push(if self.plan.keeps_words() {
            "direction words are not changed: --turn-words off".to_owned()
        } else {
            format!(
                "words, numbers or letters of {} change with the pictures",
                counted(changed as u64, "sample")
            )
        });
        words
    }
}

impl Document for Rerun<'_> {
    fn preface(&self) -> Vec<String> {
        let mut words = match &self.summary {
            None => {
                let mut words = vec![self.estimate.to_string()];
                words.extend(damaged_words(self.estimate.damaged_questions()));
                words.extend(self.turning(self.changed.samples));
                words
            }
            Some(summary) => self.found(summary),
        };
        let unfit = self.plan.unfit.iter();
        words.extend(
            unfit.map(|(why, count)| {
                format!("excluded, {why}: {}", counted(*count as u64, "sample"))
            }),
        );
        words
    }

    fn grids(&self) -> Vec<Grid> {
        let Some(summary) = &self.summary else {
            let requests = self.plan.requests().likely / self.plan.steps.len().max(1);
            let names = self
                .plan
                .steps
                .iter()
                .map(|step| step_name(&step.name(), self.plan));
            let steps = Columns::<String>::new()
                .text("step", |name| name)
                .words("questions>", |_| requests.to_string())
                .grid("", names);
            return vec![steps, changed_grid(&self.changed)];
        };
        let patterns = Columns::<(&String, &usize)>::new()
            .text("pattern", |(pattern, _)| pattern)
            .words("samples>", |(_, count)| count.to_string())
            .grid("right (1) and wrong (0) at each step", &summary.patterns);
        vec![step_grid(&summary.steps, self.plan), patterns]
    }

    fn json(&self) -> Json {
        let estimate = &self.estimate;
        json!({
            "schema": "eyechart.rerun/1",
            "protocol": self.plan.protocol.name(),
            "model": self.plan.asking.model,
            "label": self.plan.asking.label,
            "against": self.plan.compared_with(),
            "dry_run": self.summary.is_none(),
            "samples": estimate.samples,
            "requests": estimate.requests,
            "answered": estimate.answered,
            "requests_between": estimate.between,
            "tokens": {"input": estimate.input_tokens, "output": estimate.output_tokens},
            "cost": estimate.cost,
            "seconds": estimate.seconds,
            "unfit": self.plan.unfit.iter().map(|(why, count)| json!({"why": why, "samples": count})).collect::<Vec<_>>(),
            "turn_words": if self.plan.keeps_words() { "off" } else { "on" },
            "changed": self.summary.is_none().then(|| changed_json(&self.changed)),
            "unasked": self.unasked,
            "linked_pictures": self.sent.linked_pictures,
            "doubts": self.doubts.iter().map(|(why, count)| json!({"why": why, "questions": count})).collect::<Vec<_>>(),
            "damaged": self.summary.as_ref().map_or(estimate.damaged_questions(), |_| self.damaged),
            "found": self.summary.as_ref().map(|summary| found_json(self.plan, summary)),
            "paid": self.summary.as_ref().map(|_| self.paid_json()),
            "log": self.log,
        })
    }

    fn lines(&self) -> Vec<Json> {
        let steps = self
            .summary
            .as_ref()
            .map(|summary| summary.steps.iter().map(step_json).collect());
        steps.unwrap_or_else(|| vec![self.json()])
    }
}

/// Table of changed words, one row per change.
fn changed_grid(changed: &ChangedWords) -> Grid {
    let question = |it: &ChangedExample| {
        let target = it.target.iter();
        let target = target.map(|(before, after)| format!("target ‹{before} → {after}›"));
        let lines = it.marked.lines().map(str::to_owned).chain(target);
        lines.collect::<Vec<_>>().join("  ")
    };
    Columns::<ChangedExample>::new()
        .text("sample", |it| &it.sample_id)
        .text("step", |it| &it.step)
        .words("question", question)
        .grid("words that change with the pictures", &changed.examples)
}

fn changed_json(changed: &ChangedWords) -> Json {
    let examples = changed.examples.iter().map(|example| {
        json!({
            "sample_id": example.sample_id,
            "step": example.step,
            "words": example.marked,
            "target": example.target.as_ref().map(|(before, after)| [before, after]),
        })
    });
    json!({"samples": changed.samples, "examples": examples.collect::<Vec<_>>()})
}

/// Sentence about questions with damaged pictures; `None` without any.
fn damaged_words(questions: usize) -> Option<String> {
    (questions > 0).then(|| {
        let questions = counted(questions as u64, "question");
        format!("{questions} with a damaged picture, not sent; --send-damaged sends them")
    })
}

/// Name of a step. A chain asks Eyechart's own questions, not the log's.
fn step_name(name: &str, plan: &Plan) -> String {
    match name {
        "" if plan.protocol.is_chain() => plan.protocol.name(),
        "" => match plan.asking.own().join(", ") {
            own if own.is_empty() => "as in the log".to_owned(),
            own => format!("as in the log, except {own}"),
        },
        name => name.to_owned(),
    }
}

fn step_grid(steps: &[StepScore], plan: &Plan) -> Grid {
    Columns::<StepScore>::new()
        .words("step", |it| step_name(&it.name, plan))
        .words("scored>", |it| it.all.scored.to_string())
        .words("right>", |it| it.all.right.to_string())
        .fixed("share", 3, StepScore::share)
        .words("95 %>", |it| {
            written(
                it.interval()
                    .map(|it| format!("[{:.3}, {:.3}]", it.low, it.high)),
            )
        })
        .words("log>", |it| {
            written(it.change().map(|change| format!("{change:+.3}")))
        })
        .words("p>", |it| written(it.p_value().map(probability)))
        .words("now right>", |it| it.all.now_right.to_string())
        .words("now wrong>", |it| it.all.now_wrong.to_string())
        .words("refused>", |it| it.count(Kind::Refused).to_string())
        .words("empty or cut>", |it| {
            (it.wordless() + it.count(Kind::Cut)).to_string()
        })
        .words("unreadable>", |it| it.count(Kind::Unreadable).to_string())
        .words("failed>", |it| it.failed().to_string())
        .grid("", steps)
}

fn step_json(step: &StepScore) -> Json {
    json!({
        "step": step.name,
        "scored": step.all.scored,
        "right": step.all.right,
        "share": step.share(),
        "ci": step.interval().map(|range| [range.low, range.high]),
        "outcomes": outcomes(&step.kinds),
        "compared": step.all.compared,
        "was_right": step.all.was_right,
        "now_right": step.all.now_right,
        "now_wrong": step.all.now_wrong,
        "difference": step.all.change(),
        "p_value": step.p_value(),
        "chance": step.chance(),
        "picked_by": step.picked_by,
        "readable": {
            "scored": step.readable.scored,
            "right": step.readable.right,
            "compared": step.readable.compared,
            "difference": step.readable.change(),
            "p_value": step.readable.p_value().filter(|_| step.p_value().is_some()),
        },
    })
}

fn figure_json(ability: &str, metric: &str, figure: &Figure) -> Json {
    json!({
        "ability": ability,
        "metric": metric,
        "n": figure.count(),
        "mean": figure.mean(),
        "compared": figure.compared(),
        "difference": figure.change(),
        "p_value": figure.p_value(),
    })
}

fn outcomes(kinds: &BTreeMap<Kind, usize>) -> Json {
    let kinds = kinds
        .iter()
        .map(|(kind, count)| (kind.to_string(), json!(count)));
    Json::Object(kinds.collect())
}

fn found_json(plan: &Plan, summary: &Summary) -> Json {
    let (always_right, samples) = summary.always_right();
    let figures = summary.figures.iter();
    json!({
        "outcomes": outcomes(&summary.kinds),
        "kept": summary.kept,
        "reused": summary.reused,
        "attempts": summary.attempts,
        "wordings": summary.wordings,
        "figures": figures.map(|(ability, metric, figure)| figure_json(ability, metric, figure)).collect::<Vec<_>>(),
        "tokens": {"input": summary.tokens[0], "output": summary.tokens[1]},
        "steps": summary.steps.iter().map(step_json).collect::<Vec<_>>(),
        "compared": summary.compared,
        "now_right": summary.now_right,
        "now_wrong": summary.now_wrong,
        "patterns": summary.patterns,
        "scored_at_every_step": samples,
        "right_at_every_step": always_right,
        "wrong_at_every_step": summary.always_wrong(),
        "answered_at_every_step": summary.answered,
        "answers_changed": summary.changed,
        "answered_by": summary.models,
        "doubts": summary.doubts.words(),
        "memory": summary.memory().iter().map(super::memory::json).collect::<Vec<_>>(),
        "finding": plan.protocol.finding(summary),
    })
}
