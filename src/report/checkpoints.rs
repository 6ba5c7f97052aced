//! The document of `eyechart checkpoints`: scores over training steps, with significant changes.

use serde_json::{Value as Json, json};

use super::cells::pair;
use super::columns::{Columns, with_split, written};
use super::{Document, Grid, html, page};
use analysis::metric::StepVerdict;
use analysis::{CheckpointCurve, CheckpointPoint};
use base::format::{counted, probability, significant};
use record::Names;
use workspace::filter::{KnownNames, all_of};

/// Maximum number of sentences.
const MOST: usize = 12;

/// Curves of the checkpoints of all open models.
#[derive(Clone, Debug)]
pub struct CheckpointCurves {
    /// One curve for each model, ability and split.
    pub found: Vec<CheckpointCurve>,
    models: KnownNames,
    abilities: KnownNames,
}

/// A checkpoint with its curve.
#[derive(Clone, Copy)]
struct Row<'a> {
    curve: &'a CheckpointCurve,
    at: usize,
    point: &'a CheckpointPoint,
}

impl Row<'_> {
    /// Returns the baseline of a change in words.
    fn against(&self) -> String {
        match self.point.change.window {
            Some(1) => "the previous checkpoint".to_owned(),
            Some(window) if window == self.at => format!("the mean of all {window} earlier ones"),
            Some(window) => format!("the mean of the last {window}"),
            None => "the best earlier checkpoint".to_owned(),
        }
    }

    /// Returns `step 3000 is clearly worse than the best earlier checkpoint: -0.081 against the
    /// mean of the last 4, p 0.0002`.
    fn sentence(&self) -> String {
        let change = &self.point.change;
        let difference = change
            .difference
            .map(|difference| significant(difference, 2));
        format!(
            "step {} is clearly {} than the best earlier checkpoint: {} against {}, p {}",
            self.point.step,
            change.verdict.name(),
            written(difference),
            self.against(),
            written(change.p_adjusted.map(probability))
        )
    }
}

/// Ability and split of a curve: `size (hard)`.
fn part(curve: &CheckpointCurve) -> String {
    with_split(&curve.ability, curve.split.as_deref())
}

/// Title of a curve: `qwen-vl: tdbench, counting`.
pub fn title(curve: &CheckpointCurve) -> String {
    format!("{}: {}, {}", curve.line, curve.benchmark, part(curve))
}

/// Returns the first checkpoint with a verdict, and its position.
fn first(curve: &CheckpointCurve, verdict: StepVerdict) -> Option<Row<'_>> {
    rows(curve).find(|row| row.point.change.verdict == verdict)
}

fn rows(curve: &CheckpointCurve) -> impl Iterator<Item = Row<'_>> {
    let points = curve.points.iter().enumerate();
    points.map(move |(at, point)| Row { curve, at, point })
}

impl CheckpointCurves {
    /// Creates the document from the curves and names of a table.
    pub fn new(found: Vec<CheckpointCurve>, names: &Names) -> Self {
        let models = names.models.values().iter();
        let abilities = names.abilities.values().iter();
        Self {
            found,
            models: KnownNames::new(models.map(String::as_str)),
            abilities: KnownNames::new(abilities.map(|ability| ability.name.as_str())),
        }
    }

    fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.found.iter().flat_map(rows)
    }

    fn sure(&self) -> impl Iterator<Item = Row<'_>> {
        self.rows()
            .filter(|row| row.point.change.verdict != StepVerdict::Unclear)
    }

    /// Returns a filter for samples that the previous checkpoint answers right and this one wrong.
    /// If this one is better, the reverse. `None` if both are the same model under two settings.
    fn filter(&self, row: &Row<'_>) -> Option<String> {
        let last = row.curve.points.get(row.at.checked_sub(1)?)?;
        if last.model == row.point.model {
            return None;
        }
        let [right, wrong] = match row.point.change.verdict {
            StepVerdict::Better => [&row.point.model, &last.model],
            StepVerdict::Worse | StepVerdict::Unclear => [&last.model, &row.point.model],
        };
        let terms = vec![
            self.models.is("right", right),
            self.abilities.is("ability", &row.curve.ability),
        ];
        Some(all_of(terms, &self.models.is("wrong", wrong)))
    }

    fn point(&self, row: &Row<'_>) -> Json {
        let (point, change) = (row.point, &row.point.change);
        let best = point.best_before.and_then(|at| row.curve.points.get(at));
        json!({
            "model": point.model, "step": point.step, "n": point.n, "score": point.score, "ci": pair(point.ci),
            "best_before": best.map(|best| best.step),
            "lost": point.changed.map(|it| it.lost), "won": point.changed.map(|it| it.won),
            "compared": point.changed.map(|it| it.n),
            "verdict": change.verdict.name(), "difference": change.difference, "window": change.window,
            "p_adjusted": change.p_adjusted, "filter": self.filter(row),
        })
    }

    fn curve(&self, curve: &CheckpointCurve) -> Json {
        let step = |verdict| first(curve, verdict).map(|row| row.point.step);
        json!({
            "line": curve.line, "benchmark": curve.benchmark, "ability": curve.ability, "split": curve.split,
            "metric": curve.metric, "direction": curve.direction.name(),
            "first_worse": step(StepVerdict::Worse), "first_better": step(StepVerdict::Better),
            "why_not": curve.why_not,
            "points": rows(curve).map(|row| self.point(&row)).collect::<Vec<_>>(),
        })
    }

    fn point_grid(&self) -> Grid {
        Columns::<Row<'_>>::new()
            .text("line", |it| &it.curve.line)
            .text("benchmark", |it| &it.curve.benchmark)
            .words("ability", |it| part(it.curve))
            .metric(|it| &it.curve.metric, |it| it.curve.direction)
            .words("step>", |it| it.point.step.to_string())
            .count("n", |it| it.point.n)
            .number("score", |it| it.point.score)
            .interval(4, |it| it.point.ci)
            .count("became worse", |it| it.point.changed.map(|it| it.lost))
            .count("became better", |it| it.point.changed.map(|it| it.won))
            .words("than the best before", |it| match it.point.change.verdict {
                StepVerdict::Unclear => String::new(),
                sure => format!("clearly {}", sure.name()),
            })
            .grid("Checkpoints", self.rows())
    }

    fn change_grid(&self) -> Grid {
        Columns::<Row<'_>>::new()
            .text("line", |it| &it.curve.line)
            .text("benchmark", |it| &it.curve.benchmark)
            .words("ability", |it| part(it.curve))
            .words("step>", |it| it.point.step.to_string())
            .text("change", |it| it.point.change.verdict.name())
            .number("difference", |it| it.point.change.difference)
            .words("from", Row::against)
            .words("p>", |it| {
                written(it.point.change.p_adjusted.map(probability))
            })
            .words("filter of the samples that changed", |it| {
                written(self.filter(it))
            })
            .grid("Clear changes", self.sure())
    }
}

impl Document for CheckpointCurves {
    fn preface(&self) -> Vec<String> {
        if self.found.is_empty() {
            return vec![
                "No model has two checkpoints. A checkpoint needs a training step in its name, in the settings \
                 of its log or in models.csv."
                    .to_owned(),
            ];
        }
        let both = [StepVerdict::Worse, StepVerdict::Better];
        let firsts = self.found.iter().flat_map(|curve| {
            let rows = both
                .into_iter()
                .filter_map(move |verdict| first(curve, verdict));
            rows.map(move |row| format!("{}: {}.", title(curve), row.sentence()))
        });
        let mut lines: Vec<String> = firsts.collect();
        let more = lines.len().saturating_sub(MOST);
        lines.truncate(MOST);
        if more > 0 {
            lines.push(format!(
                "{} more in the tables.",
                counted(more as u64, "sentence")
            ));
        }
        if lines.is_empty() {
            lines.push(
                "No checkpoint is clearly better or worse than the best earlier one.".to_owned(),
            );
        }
        let untested = self.found.iter().filter_map(|curve| {
            let why = curve.why_not.as_ref()?;
            Some(format!("{}: not tested, {why}.", title(curve)))
        });
        lines.extend(untested.take(MOST));
        lines
    }

    fn grids(&self) -> Vec<Grid> {
        vec![self.change_grid(), self.point_grid()]
    }

    fn json(&self) -> Json {
        json!({"schema": "eyechart.checkpoints/1", "curves": self.lines()})
    }

    fn lines(&self) -> Vec<Json> {
        self.found.iter().map(|curve| self.curve(curve)).collect()
    }

    fn page(&self) -> html::Page {
        page::checkpoints(self)
    }
}
