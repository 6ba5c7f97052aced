//! The document of `eyechart trend`: score against size, release date or another score of models.

use serde_json::{Value as Json, json};

use super::cells::pair;
use super::columns::{Columns, with_split, written};
use super::{Document, Grid, html, page};
use analysis::{Against, Trend, TrendLine, TrendOptions, TrendPoint};
use base::format::counted;
use record::benchmark::Direction;
use record::{Facts, Names};

/// Trends of scores, one chart per benchmark and ability.
#[derive(Clone, Debug)]
pub struct TrendCharts {
    /// Settings of the axes.
    pub options: TrendOptions,
    /// One chart per benchmark, ability and split.
    pub found: Vec<Trend>,
    /// Names and facts of the models.
    pub names: Names,
}

impl TrendCharts {
    fn point(&self, point: &TrendPoint) -> Json {
        let unknown = Facts::default();
        let facts = self.names.facts(&point.model).unwrap_or(&unknown);
        let (model, run) = self.names.plain(&point.model);
        json!({
            "model": model, "run": run, "family": point.family, "parameters_b": facts.parameters,
            "released": facts.released.map(|day| day.to_string()), "x": point.x, "score": point.score,
            "ci": pair(point.ci),
            "difference": point.difference, "columns": point.columns,
        })
    }

    fn chart(&self, chart: &Trend) -> Json {
        let line = |line: &TrendLine| json!({"name": line.name, "kind": line.kind.words(), "score": line.score});
        json!({
            "benchmark": chart.benchmark, "ability": chart.ability, "split": chart.split, "metric": chart.metric,
            "direction": chart.direction.map(Direction::name),
            "origin": if chart.is_printed { "published" } else { "samples" },
            "spearman_rho": chart.rho, "spearman_rho_ci": pair(chart.rho_ci),
            "points": chart.points.iter().map(|point| self.point(point)).collect::<Vec<_>>(),
            "lines": chart.lines.iter().map(line).collect::<Vec<_>>(),
            "unplaced": chart.unplaced,
        })
    }
}

/// Title of a chart: `tdbench, mean over abilities`, `gepbench, size (hard)`.
pub fn title(chart: &Trend) -> String {
    format!("{}, {}", chart.benchmark, part(chart))
}

/// Ability and split of a chart: `size (hard)`.
fn part(chart: &Trend) -> String {
    let ability = chart.ability.as_deref().unwrap_or("mean over abilities");
    with_split(ability, chart.split.as_deref())
}

impl Document for TrendCharts {
    fn preface(&self) -> Vec<String> {
        let mut unplaced: Vec<&String> = self
            .found
            .iter()
            .flat_map(|chart| &chart.unplaced)
            .collect();
        unplaced.sort();
        unplaced.dedup();
        if unplaced.is_empty() {
            return Vec::new();
        }
        let names: Vec<&str> = unplaced.iter().map(|name| name.as_str()).collect();
        let why = match &self.options.against {
            Against::Fact(_) => "size, date or step unknown".to_owned(),
            Against::Score(name) => format!("no complete score for {}", name.0),
        };
        vec![format!(
            "{} not shown ({why}): {}.",
            counted(names.len() as u64, "model"),
            names.join(", ")
        )]
    }

    fn grids(&self) -> Vec<Grid> {
        let unknown = Facts::default();
        let facts = |point: &TrendPoint| self.names.facts(&point.model).unwrap_or(&unknown);
        let unused = match &self.options.against {
            Against::Fact(_) => ["against", "difference"].as_slice(),
            Against::Score(_) => &["size, B", "released"],
        };
        let points = self.found.iter();
        let points = points.flat_map(|chart| chart.points.iter().map(move |point| (chart, point)));
        let table = Columns::<(&Trend, &TrendPoint)>::new()
            .text("benchmark", |(chart, _)| &chart.benchmark)
            .words("of", |(chart, _)| part(chart))
            .metric(|(chart, _)| &chart.metric, |(chart, _)| chart.direction)
            .text("family", |(_, it)| it.family.as_deref().unwrap_or_default())
            .text("model", |(_, it)| &it.model)
            .words("size, B>", |(_, it)| written(facts(it).parameters))
            .words("released", |(_, it)| written(facts(it).released))
            .number("against", |(_, it)| it.x)
            .number("score", |(_, it)| it.score)
            .interval(4, |(_, it)| it.ci)
            .number("difference", |(_, it)| it.difference)
            .words("columns>", |(_, it)| it.columns.to_string())
            .without(unused)
            .grid(
                &format!("Score against {}", self.options.against.label()),
                points,
            );
        let rho = Columns::<Trend>::new()
            .text("benchmark", |it| &it.benchmark)
            .words("of", part)
            .metric(|it| &it.metric, |it| it.direction)
            .words("models>", |it| it.points.len().to_string())
            .fixed("rho", 2, |it| it.rho)
            .interval(2, |it| it.rho_ci)
            .grid(
                "Spearman's correlation of both axes, sign reversed where lower is better",
                &self.found,
            );
        vec![table, rho]
    }

    fn json(&self) -> Json {
        json!({
            "schema": "eyechart.trend/1", "against": self.options.against.name(), "charts": self.lines(),
        })
    }

    fn lines(&self) -> Vec<Json> {
        self.found.iter().map(|chart| self.chart(chart)).collect()
    }

    fn page(&self) -> html::Page {
        page::trend(self)
    }
}
