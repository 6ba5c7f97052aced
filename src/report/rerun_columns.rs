//! The document of `eyechart rerun` with several columns: a column per run, their scores and
//! comparisons.

use serde_json::{Value as Json, json};

use super::cells::pair;
use super::column_flips::{ColumnFlip, flips, grid as flip_grid};
use super::columns::{Columns, written};
use super::comparison::{chance, title};
use super::{Document, Grid, Rerun, SideBySide};
use analysis::{PairedDifference, Score};
use ask::{AbilityGap, ColumnComparison, Estimate};
use base::format::{counted, significant};

/// Several runs on the same samples.
#[derive(Clone, Debug, Default)]
pub struct RerunColumns<'a> {
    /// One column per run.
    pub columns: Vec<RerunColumn<'a>>,
    /// Scores of the new logs; empty before anything is sent.
    pub scores: Vec<Score>,
    /// Comparison between the columns.
    pub comparison: ColumnComparison,
    /// Filter that selected samples by their outcome; the columns are then not tested against each
    /// other.
    pub picked_by: Option<String>,
    /// Reasons and counts of samples left out of every column because one column cannot ask them.
    pub excluded: Vec<(String, usize)>,
    /// True if requests are only counted.
    pub dry_run: bool,
}

/// One of several runs on the same samples.
#[derive(Clone, Debug)]
pub struct RerunColumn<'a> {
    /// Name of the column in tables and sentences.
    pub name: String,
    /// The endpoint as the user typed it, without secrets.
    pub endpoint: String,
    /// Folder of the run.
    pub folder: String,
    /// Plan or result; `None` if the run could not start.
    pub run: Option<Rerun<'a>>,
    /// Why the run could not start, or ended early.
    pub stopped: Option<String>,
}

impl RerunColumn<'_> {
    fn protocol(&self) -> String {
        let run = self.run.as_ref();
        run.map(|run| run.plan.protocol.name()).unwrap_or_default()
    }

    fn model(&self) -> &str {
        let run = self.run.as_ref();
        run.map_or("", |run| run.plan.asking.model.as_str())
    }

    /// Name of the model in the new log.
    fn label(&self) -> Option<&str> {
        Some(self.run.as_ref()?.plan.asking.label.as_str())
    }

    /// The run with its result, if it has one.
    fn found(&self) -> Option<(&Rerun<'_>, &ask::Summary)> {
        let run = self.run.as_ref()?;
        Some((run, run.summary.as_ref()?))
    }

    fn json(&self) -> Json {
        json!({
            "name": self.name,
            "endpoint": self.endpoint,
            "folder": self.folder,
            "stopped": self.stopped,
            "run": self.run.as_ref().map(Document::json),
        })
    }

    /// Findings as sentences that start with the column's name.
    fn findings(&self) -> Vec<String> {
        let Some((run, found)) = self.found() else {
            return Vec::new();
        };
        let words = run.plan.protocol.finding(found).into_iter();
        words
            .chain(found.doubts.words())
            .map(|words| format!("{}: {words}", self.name))
            .collect()
    }
}

impl RerunColumns<'_> {
    fn runs(&self) -> impl Iterator<Item = &Rerun<'_>> {
        self.columns.iter().filter_map(|column| column.run.as_ref())
    }

    /// Sentence with the number of requests of all columns.
    fn total(&self) -> String {
        let requests: usize = self.runs().map(|run| run.estimate.requests).sum();
        let answered: usize = self.runs().map(|run| run.estimate.answered).sum();
        let beside = match answered {
            0 => String::new(),
            answered => format!(
                " plus {} already answered",
                counted(answered as u64, "question")
            ),
        };
        let cost: Option<f64> = self.runs().map(|run| run.estimate.cost).sum();
        let cost = cost.map_or_else(
            || "cost unknown: some columns have no prices".to_owned(),
            |cost| format!("cost about {}", significant(cost, 3)),
        );
        format!(
            "{}, {}{beside}, {cost}",
            counted(self.columns.len() as u64, "column"),
            counted(requests as u64, "request"),
        )
    }

    /// Cost of all columns so far; `None` if a price is unknown.
    fn paid(&self) -> Option<f64> {
        self.runs().map(Rerun::money).sum()
    }

    fn plan_grid(&self) -> Grid {
        let runs = self.columns.iter();
        let runs = runs.filter_map(|column| Some((column, column.run.as_ref()?.estimate)));
        Columns::<(&RerunColumn<'_>, Estimate)>::new()
            .text("column", |(it, _)| &it.name)
            .text("endpoint", |(it, _)| &it.endpoint)
            .text("model", |(it, _)| it.model())
            .words("protocol", |(it, _)| it.protocol())
            .words("samples>", |(_, it)| it.samples.to_string())
            .words("requests>", |(_, it)| match it.between {
                None => it.requests.to_string(),
                Some([low, high]) => format!("{} ({low} to {high})", it.requests),
            })
            .words("answered>", |(_, it)| it.answered.to_string())
            .fixed("tokens read", 0, |(_, it)| it.input_tokens)
            .fixed("tokens written", 0, |(_, it)| it.output_tokens)
            .words("cost>", |(_, it)| {
                let cost = it.cost.map(|cost| significant(cost, 3));
                cost.unwrap_or_else(|| "unknown".to_owned())
            })
            .text("folder", |(it, _)| &it.folder)
            .grid("", runs)
    }

    /// Headline scores in the order of the columns.
    fn column_scores(&self) -> impl Iterator<Item = (&RerunColumn<'_>, &Score)> {
        self.columns.iter().flat_map(|column| {
            let of_column =
                |score: &&Score| score.headline && column.label() == Some(score.model.as_str());
            let scores = self.scores.iter().filter(of_column);
            scores.map(move |score| (column, score))
        })
    }

    fn score_grid(&self) -> Grid {
        Columns::<(&RerunColumn<'_>, &Score)>::new()
            .text("column", |(column, _)| &column.name)
            .text("model", |(column, _)| column.model())
            .words("protocol", |(column, _)| column.protocol())
            .text("benchmark", |(_, it)| &it.benchmark)
            .text("ability", |(_, it)| &it.ability)
            .metric(|(_, it)| &it.metric, |(_, it)| it.direction)
            .count("n", |(_, it)| it.n)
            .count("invalid", |(_, it)| it.invalid)
            .number("score", |(_, it)| it.score)
            .interval(4, |(_, it)| it.ci)
            .grid("Scores", self.column_scores())
    }

    fn run_grid(&self) -> Grid {
        let of = |count: fn(&ask::Summary) -> u64| {
            move |it: &RerunColumn<'_>| it.found().map(|(_, found)| count(found))
        };
        let tokens =
            |at: usize| move |it: &RerunColumn<'_>| it.run.as_ref().map(|run| run.cost.tokens[at]);
        Columns::<RerunColumn<'_>>::new()
            .text("column", |it| &it.name)
            .words("done>", |it| {
                let all = it
                    .found()
                    .map(|(run, found)| (found.total(), run.plan.len()));
                all.map_or_else(|| "–".to_owned(), |(done, all)| format!("{done} of {all}"))
            })
            .count(
                "failed",
                of(|it| it.failures().map(|(_, count)| count as u64).sum()),
            )
            .count("already answered", of(|it| it.kept as u64))
            .count("requests", of(|it| it.attempts))
            .count("tokens read", tokens(0))
            .count("tokens written", tokens(1))
            .words("cost>", |it| {
                let cost = it.run.as_ref().and_then(Rerun::money);
                cost.map_or_else(|| "–".to_owned(), |cost| significant(cost, 3))
            })
            .words("log", |it| {
                written(it.run.as_ref().and_then(|run| run.log.as_ref()))
            })
            .words("stopped", |it| written(it.stopped.as_ref()))
            .grid("Runs", &self.columns)
    }

    /// Each pair of columns, with sides named after the columns.
    fn pairs(&self) -> Vec<SideBySide> {
        let pairs = self.comparison.pairs().iter();
        pairs.cloned().map(SideBySide::from).collect()
    }

    fn pair_grid(&self) -> Grid {
        let pairs = self.pairs();
        let paired = pairs.iter().flat_map(|pair| {
            let rows = pair.comparison.abilities.iter();
            rows.map(move |row| (pair, row))
        });
        let rows: Vec<PairedDifference> = paired.clone().map(|(_, row)| row.clone()).collect();
        let title = title("Differences between columns", &rows);
        Columns::<(&SideBySide, &PairedDifference)>::new()
            .text("A", |(sides, _)| &sides.a)
            .text("B", |(sides, _)| &sides.b)
            .text("benchmark", |(_, it)| &it.ability.benchmark)
            .text("ability", |(_, it)| &it.ability.name)
            .metric(|(_, it)| &it.metric, |(_, it)| it.direction)
            .count("n", |(_, it)| it.n)
            .count("pictures", |(_, it)| it.clusters)
            .number("A", |(_, it)| it.a_score)
            .number("B", |(_, it)| it.b_score)
            .number("A - B", |(_, it)| it.difference)
            .interval(4, |(_, it)| it.ci)
            .words("p>", |(_, it)| chance(it.p_value))
            .words("adjusted>", |(_, it)| chance(it.p_adjusted))
            .text("better", |(sides, it)| {
                sides.better(it).unwrap_or_else(|| it.words())
            })
            .grid(&title, paired)
    }
}

/// Differences of an `--until-clear` run.
fn gap_grid([a, b]: &[String; 2], gaps: &[AbilityGap]) -> Grid {
    let title = format!("{a} - {b}, asked until clear");
    let better = |gap: &AbilityGap| match gap.better() {
        Some(0) => a.to_owned(),
        Some(_) => b.to_owned(),
        None => "not clear".to_owned(),
    };
    Columns::<AbilityGap>::new()
        .text("benchmark", |it| &it.benchmark)
        .text("ability", |it| &it.ability)
        .count("pictures", |it| it.pictures as u64)
        .count("of", |it| it.of as u64)
        .count("ties without answers", |it| it.unanswered as u64)
        .number("A - B", |it| it.difference)
        .interval(4, |it| it.interval)
        .words("better", better)
        .grid(&title, gaps)
}

fn gap(gap: &AbilityGap) -> Json {
    json!({
        "benchmark": gap.benchmark, "ability": gap.ability,
        "pictures": gap.pictures, "of": gap.of, "unanswered": gap.unanswered,
        "difference": gap.difference, "ci": pair(gap.interval), "clear": gap.is_clear,
    })
}

impl Document for RerunColumns<'_> {
    fn preface(&self) -> Vec<String> {
        let mut words = Vec::new();
        if self.dry_run {
            words.push(self.total());
        } else {
            words.extend(self.columns.iter().flat_map(RerunColumn::findings));
            let paid = self.paid();
            words.extend(
                paid.map(|paid| format!("total cost of the columns: {}", significant(paid, 4))),
            );
            words.extend(self.comparison.sentences());
        }
        let excluded = self.excluded.iter().map(|(why, count)| {
            let samples = counted(*count as u64, "sample");
            format!("excluded from every column, {why}: {samples}")
        });
        words.extend(excluded);
        words
    }

    fn grids(&self) -> Vec<Grid> {
        if self.dry_run {
            let changed = self.columns.iter().flat_map(|column| {
                let grids = column
                    .run
                    .iter()
                    .flat_map(|run| run.grids().into_iter().skip(1));
                grids.map(|grid| Grid {
                    title: format!("{}: {}", column.name, grid.title),
                    ..grid
                })
            });
            return std::iter::once(self.plan_grid()).chain(changed).collect();
        }
        let mut grids = vec![self.score_grid(), self.run_grid()];
        match &self.comparison {
            ColumnComparison::UntilClear { sides, gaps } => grids.push(gap_grid(sides, gaps)),
            ColumnComparison::Picked(_) | ColumnComparison::Cut(_) => {}
            ColumnComparison::Nothing | ColumnComparison::Pairs(_) => grids.push(self.pair_grid()),
        }
        grids.extend(flip_grid(&flips(&self.columns)));
        grids
    }

    fn json(&self) -> Json {
        let scores = self.column_scores().map(|(column, score)| {
            let mut row = super::summary_document::score(score);
            row["column"] = json!(column.name);
            row
        });
        let flips = flips(&self.columns);
        json!({
            "schema": "eyechart.rerun_columns/1",
            "dry_run": self.dry_run,
            "requests": self.runs().map(|run| run.estimate.requests).sum::<usize>(),
            "answered": self.runs().map(|run| run.estimate.answered).sum::<usize>(),
            "cost": self.runs().map(|run| run.estimate.cost).sum::<Option<f64>>(),
            "paid": if self.dry_run { None } else { self.paid() },
            "columns": self.columns.iter().map(RerunColumn::json).collect::<Vec<_>>(),
            "scores": scores.collect::<Vec<_>>(),
            "pairs": self.pairs().iter().map(Document::json).collect::<Vec<_>>(),
            "flips": flips.iter().map(ColumnFlip::json).collect::<Vec<_>>(),
            "picked_by": self.picked_by,
            "until_clear": match &self.comparison {
                ColumnComparison::UntilClear { gaps, .. } => {
                    Some(gaps.iter().map(gap).collect::<Vec<_>>())
                }
                _ => None,
            },
            "conclusions": if self.dry_run { Vec::new() } else { self.comparison.sentences() },
            "excluded": self.excluded.iter().map(|(why, count)| json!({"why": why, "samples": count})).collect::<Vec<_>>(),
        })
    }

    fn lines(&self) -> Vec<Json> {
        if self.dry_run {
            return self.columns.iter().map(RerunColumn::json).collect();
        }
        self.column_scores()
            .map(|(column, score)| {
                json!({
                    "column": column.name, "model": column.model(), "protocol": column.protocol(),
                    "benchmark": score.benchmark, "ability": score.ability, "metric": score.metric,
                    "n": score.n, "invalid": score.invalid, "score": score.score, "ci": pair(score.ci),
                })
            })
            .collect()
    }
}
