//! Printed scores that were read: the same one counts once.

use std::path::Path;

use hashbrown::HashMap;

use record::Published;

/// Printed scores that were read: value and place of each.
#[derive(Debug, Default)]
pub struct Printed(HashMap<Key, (f64, String)>);

impl Printed {
    /// Adds a score in a file, of a run and below a path. Returns true if it was not there before.
    ///
    /// # Errors
    /// One sentence: it has another value elsewhere, which counts.
    pub fn add(
        &mut self,
        score: &Published,
        (run, root): (Option<&str>, usize),
        (file, line): (&Path, u64),
    ) -> Result<bool, String> {
        let key = Key::of(score, run, root);
        let Some((known, earlier)) = self.0.get(&key) else {
            let place = format!("table {} ({}:{line})", score.table, format::path(file));
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

/// Benchmark, model, run, path that the user named, ability, split and metric.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    benchmark: String,
    model: String,
    run: Option<String>,
    root: usize,
    ability: String,
    split: Option<String>,
    metric: String,
    by_harness: bool,
}

impl Key {
    fn of(score: &Published, run: Option<&str>, root: usize) -> Self {
        Self {
            benchmark: score.benchmark.clone(),
            model: score.model.clone(),
            run: run.map(str::to_owned),
            root,
            ability: score.ability.clone(),
            split: score.split.clone(),
            metric: score.metric.clone(),
            by_harness: score.by_harness,
        }
    }

    /// `metric ability split`, for a message.
    fn what(&self) -> String {
        let split = self
            .split
            .as_deref()
            .map(|split| format!(" ({split})"))
            .unwrap_or_default();
        format!("{} on {}{split}", self.metric, self.ability)
    }
}
