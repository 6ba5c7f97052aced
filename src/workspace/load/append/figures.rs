//! Adds published scores and scores from harnesses, and assigns the latter to runs.

use hashbrown::HashMap;

use super::super::published::ScorePlace;
use super::{Appender, Problem, PublishedScore, RecordPosition, Run};
use record::{OriginalRun, RunName};

impl Appender<'_> {
    /// Adds a published score, or a score from a harness.
    pub(super) fn published(&mut self, score: &PublishedScore, line: u64) {
        let spellings = &mut self.memory.spellings;
        let meant = if score.by_harness {
            spellings.of_figures(&score.model, &score.benchmark)
        } else {
            spellings.of_printed(&score.model)
        };
        let (model, spelled) = self.named(&score.model, meant);
        let spelling = (score.model != model).then(|| score.model.clone());
        let mut score = PublishedScore {
            model,
            ..score.clone()
        };
        let own = self.run.clone().filter(|_| score.by_harness);
        let mut run = joined(spelled, score.run.as_ref().or(own.as_ref()));
        // Repeating logs become separate runs at the end, so their scores may differ.
        let is_apart = self.memory.apart && score.by_harness;
        let log = is_apart.then_some(self.unit);
        let printed = &mut self.memory.printed;
        let place = ScorePlace {
            file: &self.path,
            line,
        };
        let mut added = printed.add(&score, run.as_deref(), log, place);
        if added.is_err() && spelling.is_some() {
            // Two names of one model have different scores, so the second name becomes a run.
            run = spelling;
            added = printed.add(&score, run.as_deref(), log, place);
        }
        match added {
            Ok(false) => return,
            Ok(true) => {}
            Err(what) if score.by_harness => {
                let problem = Problem::line(&self.path, line, what);
                return self.problem(problem);
            }
            Err(what) => return self.bad_line(line, what),
        }
        if !score.by_harness {
            self.source().rows += 1;
        }
        if let Some(run) = run {
            score.model = self.builder.name_run(&score.model, &run);
            score.run = Some(run);
        }
        if is_apart {
            let at = self.builder.published_mut().len();
            let place = RecordPosition {
                unit: self.unit,
                line: u32::try_from(line).unwrap_or(u32::MAX),
                ..RecordPosition::default()
            };
            self.memory.figures.push((at, place));
        }
        self.builder.publish(score);
    }

    /// Splits models into runs if logs below several paths have answers to the same samples.
    pub(super) fn split_into_runs(&mut self) {
        let repeats = std::mem::take(&mut self.repeats);
        let runs = repeats.runs(&self.builder, &self.paths);
        let of_figures = runs.iter().map(|((code, unit), run)| {
            let model = self.builder.model_name(repeats.model(*code)).to_owned();
            ((model, *unit), run.clone())
        });
        self.name_figures(&of_figures.collect());
        if repeats.is_empty() {
            return;
        }
        for (unit, run, benchmark) in self.builder.name_runs(&runs) {
            let source = self.builder.source_mut(unit);
            let told = OriginalRun {
                name: RunName {
                    model: Some(run.model),
                    dataset: Some(benchmark),
                    run: Some(run.run),
                },
                path: base::format::path(&source.path),
                ..OriginalRun::default()
            };
            source.told.push(told);
        }
        // Reading cannot continue, because new rows might repeat the answers of other logs.
        self.memory.ends.clear();
    }

    /// Assigns scores from harnesses to the new runs of their models. Equal scores of one run in
    /// two logs count once.
    ///
    /// `runs` is indexed by model name and log. A score from a log without answers is assigned to
    /// the run below the same path, if there is only one.
    fn name_figures(&mut self, runs: &HashMap<(String, u32), Run>) {
        let mut below: HashMap<(String, usize), Option<Run>> = HashMap::new();
        for ((model, unit), run) in runs {
            let root = self.builder.sources()[*unit as usize].root;
            let known = below.entry((model.clone(), root));
            let known = known.or_insert_with(|| Some(run.clone()));
            if known.as_ref() != Some(run) {
                *known = None;
            }
        }
        let mut dropped = Vec::new();
        for (at, place) in std::mem::take(&mut self.memory.figures) {
            let source = &self.builder.sources()[place.unit as usize];
            let (path, root) = (source.path.clone(), source.root);
            let Some(figure) = self.builder.published_mut().get_mut(at) else {
                continue;
            };
            let own = runs.get(&(figure.model.clone(), place.unit));
            let only = || below.get(&(figure.model.clone(), root))?.as_ref();
            if let Some(run) = own.or_else(only) {
                figure.model = run.name();
                figure.run = Some(run.run.clone());
            }
            let line = u64::from(place.line);
            let at_line = ScorePlace { file: &path, line };
            match self.memory.by_run.add(figure, None, None, at_line) {
                Ok(true) => continue,
                Ok(false) => {}
                Err(what) => {
                    let problem = Problem::line(&path, line, what);
                    self.builder.source_mut(place.unit).problems.push(problem);
                }
            }
            dropped.push(at);
        }
        let mut at = 0..;
        let is_kept = |_: &PublishedScore| !at.next().is_some_and(|at| dropped.contains(&at));
        self.builder.published_mut().retain(is_kept);
    }
}

/// Joins the spelling of the model and the run name in the log to one run name.
pub(super) fn joined(spelling: Option<String>, run: Option<&String>) -> Option<String> {
    match (spelling, run) {
        (Some(spelling), Some(run)) => Some(format!("{spelling}, {run}")),
        (spelling, run) => spelling.or_else(|| run.cloned()),
    }
}
