//! The document of `eyechart trend`: score against the size or release date of models.

use serde_json::{Value as Json, json};

use super::summary::{interval, number};
use super::{Document, Grid, html, page};
use analysis::{Trend, TrendAxis, TrendLine, TrendPoint};
use base::format::{counted, fixed};
use record::benchmark::Direction;
use record::{Facts, Names};

/// Trends of scores, one chart per benchmark and ability.
#[derive(Clone, Debug, Default)]
pub struct TrendCharts {
    /// The x axis: size or date.
    pub against: TrendAxis,
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
            "ci": super::summary::pair(point.ci),
        })
    }

    fn chart(&self, chart: &Trend) -> Json {
        let line = |line: &TrendLine| json!({"name": line.name, "kind": line.kind.words(), "score": line.score});
        json!({
            "benchmark": chart.benchmark, "ability": chart.ability, "split": chart.split, "metric": chart.metric,
            "direction": chart.direction.map(Direction::name),
            "origin": if chart.is_printed { "published" } else { "samples" },
            "spearman_rho": chart.rho,
            "points": chart.points.iter().map(|point| self.point(point)).collect::<Vec<_>>(),
            "lines": chart.lines.iter().map(line).collect::<Vec<_>>(),
            "unplaced": chart.unplaced,
        })
    }
}

/// Title of a chart: `tdbench, mean over abilities`, `gepbench, size (hard)`.
pub fn title(chart: &Trend) -> String {
    let what = chart.ability.as_deref().unwrap_or("mean over abilities");
    let split = chart.split.as_ref().map(|split| format!(" ({split})"));
    format!("{}, {what}{}", chart.benchmark, split.unwrap_or_default())
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
        vec![format!(
            "Not shown, because size or date is unknown: {}: {}.",
            counted(names.len() as u64, "model"),
            names.join(", ")
        )]
    }

    fn grids(&self) -> Vec<Grid> {
        let columns = [
            "benchmark",
            "of",
            "metric",
            "family",
            "model",
            "size, B>",
            "released",
            "score>",
            "95 %",
        ];
        let mut grid = Grid::new("Score against size or date", &columns);
        let unknown = Facts::default();
        for chart in &self.found {
            let arrow = chart.direction.map_or("", Direction::arrow);
            let of = title(chart);
            let of = of.split_once(", ").map_or("", |(_, of)| of);
            for point in &chart.points {
                let facts = self.names.facts(&point.model).unwrap_or(&unknown);
                grid.push([
                    chart.benchmark.as_str(),
                    of,
                    &format!("{} {arrow}", chart.metric),
                    point.family.as_deref().unwrap_or_default(),
                    &point.model,
                    &facts
                        .parameters
                        .map(|size| size.to_string())
                        .unwrap_or_default(),
                    &facts
                        .released
                        .map(|day| day.to_string())
                        .unwrap_or_default(),
                    &number(Some(point.score)),
                    &interval(point.ci),
                ]);
            }
        }
        let mut rho = Grid::new(
            "Spearman's correlation of score with size or date, sign reversed where lower is better",
            &["benchmark", "of", "models>", "rho>"],
        );
        for chart in &self.found {
            let of = title(chart);
            rho.push([
                chart.benchmark.as_str(),
                of.split_once(", ").map_or("", |(_, of)| of),
                &chart.points.len().to_string(),
                &fixed(chart.rho, 2),
            ]);
        }
        vec![grid, rho]
    }

    fn json(&self) -> Json {
        json!({"schema": "eyechart.trend/1", "charts": self.lines()})
    }

    fn lines(&self) -> Vec<Json> {
        self.found.iter().map(|chart| self.chart(chart)).collect()
    }

    fn page(&self) -> html::Page {
        page::trend(self)
    }
}
