//! Removes duplicates among published scores.

use std::path::Path;

use hashbrown::HashMap;

use record::PublishedScore;

/// Published scores read so far, with value and file of each.
#[derive(Debug, Default)]
pub struct PublishedValues(HashMap<Key, (f64, String)>);

/// Run and file of a published score.
#[derive(Clone, Copy, Debug)]
pub struct ScorePlace<'a> {
    pub file: &'a Path,
    pub line: u64,
}

impl PublishedValues {
    /// Adds a score from a file, with its run and, if logs are kept separate, the index of its log.
    /// Returns true if it is new.
    ///
    /// # Errors
    /// If an earlier score has another value. The earlier score is kept.
    pub fn add(
        &mut self,
        score: &PublishedScore,
        run: Option<&str>,
        log: Option<u32>,
        place: ScorePlace<'_>,
    ) -> Result<bool, String> {
        let key = Key::of(score, run, log);
        let Some((known, earlier)) = self.0.get(&key) else {
            let (file, line) = (base::format::path(place.file), place.line);
            let place = format!("table {} ({file}:{line})", score.table);
            self.0.insert(key, (score.score, place));
            return Ok(true);
        };
        if (known - score.score).abs() <= f64::EPSILON {
            return Ok(false);
        }
        Err(format!(
            "{} of {} is {} here and {known} in {earlier}",
            key.what(),
            score.model,
            score.score
        ))
    }
}

/// Identity of a score: benchmark, model, run, log, ability, split and metric.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    benchmark: String,
    model: String,
    run: Option<String>,
    log: Option<u32>,
    ability: String,
    split: Option<String>,
    metric: String,
    by_harness: bool,
}

impl Key {
    fn of(score: &PublishedScore, run: Option<&str>, log: Option<u32>) -> Self {
        Self {
            benchmark: score.benchmark.clone(),
            model: score.model.clone(),
            run: run.map(str::to_owned),
            log,
            ability: score.ability.clone(),
            split: score.split.clone(),
            metric: score.metric.clone(),
            by_harness: score.by_harness,
        }
    }

    /// Formats `metric on ability (split)` for messages.
    fn what(&self) -> String {
        let split = self
            .split
            .as_deref()
            .map(|split| format!(" ({split})"))
            .unwrap_or_default();
        format!("{} on {}{split}", self.metric, self.ability)
    }
}
