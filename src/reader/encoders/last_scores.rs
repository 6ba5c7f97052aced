//! Collects published scores. Of repeated scores, only the last is passed to the sink.

use std::ops::ControlFlow;

use hashbrown::HashMap;

use crate::{Sink, Unit};
use record::{Problem, PublishedScore, Record, Settings};

/// Maximum number of scores per file.
const MOST: usize = 200_000;

/// Collects the scores of one file. Tools append the scores of later runs to the file.
pub struct LastScores<'a> {
    sink: &'a mut dyn Sink,
    /// Distinct scores, with their lines.
    scores: Vec<(PublishedScore, u64)>,
    /// Index into `scores`, by the fields that identify a score.
    places: HashMap<[String; 6], usize>,
    /// Line of the first score that a later one replaced, and number of replaced scores.
    replaced: Option<(u64, u64)>,
    /// Number of scores dropped because of the maximum [`MOST`].
    more: u64,
}

impl<'a> LastScores<'a> {
    /// Creates an empty collection.
    pub fn new(sink: &'a mut dyn Sink) -> Self {
        Self {
            sink,
            scores: Vec::new(),
            places: HashMap::new(),
            replaced: None,
            more: 0,
        }
    }

    /// Passes the scores to the sink. If `may_be_percent` is true and any score is greater than 1,
    /// all scores are divided by 100.
    pub fn finish(self, unit: &Unit, may_be_percent: bool) {
        let is_percent = may_be_percent && self.scores.iter().any(|(score, _)| score.score > 1.0);
        for (mut score, line) in self.scores {
            if is_percent {
                score.score /= 100.0;
            }
            self.sink.published(score, line);
        }
        if let Some((line, count)) = self.replaced {
            let what = format!(
                "{count} scores from here on are repeated further down: the last ones count"
            );
            self.sink.problem(Problem::line(&unit.path, line, what));
        }
        if self.more > 0 {
            let what = format!("more than {MOST} scores: {} are left out", self.more);
            let problem = Problem::file(&unit.path, what).leaving_out(self.more);
            self.sink.problem(problem);
        }
    }
}

impl Sink for LastScores<'_> {
    fn record(&mut self, record: Record, line: u64) {
        self.sink.record(record, line);
    }

    fn problem(&mut self, problem: Problem) {
        self.sink.problem(problem);
    }

    fn progress(&mut self, bytes: u64) -> ControlFlow<()> {
        self.sink.progress(bytes)
    }

    fn settings(&mut self, settings: Settings) {
        self.sink.settings(settings);
    }

    fn published(&mut self, score: PublishedScore, line: u64) {
        let key = [
            score.benchmark.clone(),
            score.model.clone(),
            score.run.clone().unwrap_or_default(),
            score.ability.clone(),
            score.split.clone().unwrap_or_default(),
            score.metric.clone(),
        ];
        let known = self
            .places
            .get(&key)
            .and_then(|at| self.scores.get_mut(*at));
        if let Some((earlier, earlier_line)) = known {
            if earlier.score.to_bits() != score.score.to_bits() {
                let replaced = self.replaced.get_or_insert((*earlier_line, 0));
                replaced.0 = replaced.0.min(*earlier_line);
                replaced.1 += 1;
            }
            (*earlier, *earlier_line) = (score, line);
        } else if self.scores.len() < MOST {
            self.places.insert(key, self.scores.len());
            self.scores.push((score, line));
        } else {
            self.more += 1;
        }
    }
}
