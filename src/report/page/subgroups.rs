//! Subgroup section: line charts for numeric tags, also for two crossed tags, and a table with one
//! column per model.

use std::collections::HashMap;

use crate::Summary;
use crate::cells::{interval, number};
use crate::chart::{Curve, CurvePoint, CurveSeries, curve};
use crate::evidence::{Evidence, SampleSelection};
use crate::html::{Block, Cell, Column, Figure, Table};
use analysis::Subgroup;

/// Maximum number of lines in one chart.
const MOST: usize = 4;
/// Maximum number of charts of one split.
const MOST_CHARTS: usize = 6;

/// Scores of one ability and metric, split by one tag.
struct Group<'a> {
    evidence: Option<&'a Evidence>,
    bins: Vec<&'a Subgroup>,
    models: Vec<&'a str>,
    cells: HashMap<(u16, &'a str), &'a Subgroup>,
}

/// A line chart with its caption.
struct Captioned {
    curve: Curve,
    caption: String,
}

/// Subgroup section of a benchmark; empty if no tag has several bins.
pub fn blocks(summary: &Summary, benchmark: &str) -> Vec<Block> {
    let ranks = summary
        .average_ranks
        .iter()
        .filter(|rank| rank.benchmark == benchmark);
    let order: Vec<&str> = ranks.map(|rank| rank.model.as_str()).collect();
    let groups = groups(summary, benchmark, &order);
    // A tag with a single bin shows no difference.
    let telling: Vec<&Group<'_>> = groups.iter().filter(|group| group.bins.len() > 1).collect();
    if telling.is_empty() {
        return Vec::new();
    }
    let mut blocks = vec![Block::Heading(3, "Subgroups".to_owned())];
    if telling.len() < groups.len() {
        let text = "Left out: tags that are the same for all samples of an ability.";
        blocks.push(Block::Text(text.to_owned()));
    }
    for ability in telling.chunk_by(|a, b| a.ability() == b.ability()) {
        let stacks = ability.iter().map(|group| Block::Stack(group.blocks()));
        blocks.push(Block::Beside(stacks.collect()));
    }
    blocks
}

/// Collects the groups, ordered by ability.
fn groups<'a>(summary: &'a Summary, benchmark: &str, order: &[&'a str]) -> Vec<Group<'a>> {
    let mut abilities: Vec<&str> = Vec::new();
    let mut keys: Vec<(usize, &str, &str)> = Vec::new();
    let mut found: HashMap<(usize, &str, &str), Vec<&Subgroup>> = HashMap::new();
    for row in summary
        .subgroups
        .iter()
        .filter(|row| row.benchmark == benchmark)
    {
        let known = abilities.iter().position(|ability| *ability == row.ability);
        let ability = known.unwrap_or_else(|| {
            abilities.push(&row.ability);
            abilities.len() - 1
        });
        let key = (ability, row.by.as_str(), row.metric.as_str());
        let rows = found.entry(key).or_default();
        if rows.is_empty() {
            keys.push(key);
        }
        rows.push(row);
    }
    keys.sort_by_key(|(ability, _, _)| *ability);
    keys.iter()
        .filter_map(|key| found.remove(key))
        .map(|rows| Group::new(summary, rows, order))
        .collect()
}

impl<'a> Group<'a> {
    fn new(summary: &'a Summary, rows: Vec<&'a Subgroup>, order: &[&'a str]) -> Self {
        let mut cells = HashMap::new();
        let mut bins: Vec<&Subgroup> = Vec::new();
        for row in rows {
            if !bins.iter().any(|bin| bin.order == row.order) {
                bins.push(row);
            }
            cells.insert((row.order, row.model.as_str()), row);
        }
        bins.sort_by_key(|bin| bin.order);
        let has = |model: &&&str| {
            bins.iter()
                .any(|bin| cells.contains_key(&(bin.order, **model)))
        };
        Self {
            evidence: summary.evidence.as_ref(),
            models: order.iter().filter(has).copied().collect(),
            bins,
            cells,
        }
    }

    fn ability(&self) -> Option<&str> {
        self.bins.first().map(|bin| bin.ability.as_str())
    }

    fn blocks(&self) -> Vec<Block> {
        let Some(first) = self.bins.first() else {
            return Vec::new();
        };
        let title = format!("{} by {}", first.ability.replace('_', " "), first.by);
        let metric = format!(
            "{} {}",
            record::benchmark::metric_words(&first.metric),
            first.direction.arrow()
        );
        let mut blocks = vec![Block::Heading(4, format!("{title}, {metric}"))];
        let empty = Curve {
            title: format!("{title}: {metric}"),
            across: first.by.clone(),
            up: format!("{metric}, 95 % interval"),
            ..Curve::default()
        };
        blocks.extend(self.curves(&empty).iter().map(|chart| {
            Block::Figure(Figure {
                svg: curve(&chart.curve),
                caption: chart.caption.clone(),
            })
        }));
        blocks.push(Block::Table(self.table(&first.by)));
        blocks
    }

    /// Line charts of a numeric split, with a few models in each. For crossed splits, one chart per
    /// model, with one line per bin of the second split. All share one y axis.
    fn curves(&self, empty: &Curve) -> Vec<Captioned> {
        let measured = |bin: &&Subgroup| bin.center.is_some_and(f64::is_finite);
        let mut charts = if self.bins.len() > 2 && self.bins.iter().all(measured) {
            self.charts_of_models(empty)
        } else {
            self.charts_of_crossed(empty)
        };
        let all: Vec<&CurvePoint> = charts
            .iter()
            .flat_map(|chart| chart.curve.series.iter().flat_map(|series| &series.points))
            .collect();
        let ends = all.iter().map(|point| {
            let (low, high) = point.interval.unwrap_or((point.value, point.value));
            [low.min(point.value), high.max(point.value)]
        });
        let ends: Vec<f64> = ends.flatten().collect();
        for chart in &mut charts {
            chart.curve.ends.clone_from(&ends);
        }
        charts
    }

    fn charts_of_models(&self, empty: &Curve) -> Vec<Captioned> {
        let bins: Vec<(usize, &Subgroup)> = self.bins.iter().copied().enumerate().collect();
        let charts = self.models.chunks(MOST).take(MOST_CHARTS).enumerate();
        let chart = |(at, models): (usize, &[&str])| Captioned {
            caption: if self.models.len() > MOST {
                let (first, last) = (at * MOST + 1, at * MOST + models.len());
                format!(
                    "Models {first} to {last} of {}, best first.",
                    self.models.len()
                )
            } else {
                String::new()
            },
            curve: Curve {
                bins: self.bins.iter().map(|bin| bin.bin.clone()).collect(),
                series: (models.iter())
                    .map(|model| self.series(model, model, &bins))
                    .collect(),
                ..empty.clone()
            },
        };
        charts.map(chart).collect()
    }

    fn charts_of_crossed(&self, empty: &Curve) -> Vec<Captioned> {
        let (mut firsts, mut seconds): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
        for bin in &self.bins {
            let Some([first, second]) = &bin.crossed else {
                return Vec::new();
            };
            for (known, label) in [(&mut firsts, first), (&mut seconds, second)] {
                if !known.contains(&label.as_str()) {
                    known.push(label);
                }
            }
        }
        // A line needs at least three bins; many lines cannot be distinguished.
        if firsts.len() < 3 || seconds.len() > MOST {
            return Vec::new();
        }
        let place = |bin: &&Subgroup, second: &str| {
            let [first, own] = bin.crossed.as_ref()?;
            let at = firsts.iter().position(|known| known == first)?;
            (own == second).then_some(at)
        };
        let all = self.models.len();
        let chart = |(at, model): (usize, &&str)| {
            let series = seconds.iter().map(|second| {
                let own = self.bins.iter();
                let own = own.filter_map(|bin| Some((place(bin, second)?, *bin)));
                self.series(model, second, &own.collect::<Vec<_>>())
            });
            Captioned {
                caption: if all > MOST_CHARTS {
                    format!("{model}: model {} of {all}, best first.", at + 1)
                } else {
                    (*model).to_owned()
                },
                curve: Curve {
                    bins: firsts.iter().map(|label| (*label).to_owned()).collect(),
                    series: series.collect(),
                    ..empty.clone()
                },
            }
        };
        let models = self.models.iter().take(MOST_CHARTS).enumerate();
        models.map(chart).collect()
    }

    /// Line of a model's scores; each bin comes with its index on the x axis.
    fn series(&self, model: &str, name: &str, bins: &[(usize, &Subgroup)]) -> CurveSeries {
        let point = |(bin, row): &(usize, &Subgroup)| {
            let cell = self.cells.get(&(row.order, model))?;
            Some(CurvePoint {
                bin: *bin,
                value: cell.score?,
                interval: cell.ci.map(|ci| (ci.low, ci.high)),
            })
        };
        CurveSeries {
            name: name.to_owned(),
            points: bins.iter().filter_map(point).collect(),
        }
    }

    /// Table of bins and models; the longer list becomes the rows.
    fn table(&self, by: &str) -> Table {
        let down = self.bins.len() > self.models.len();
        let bins = self.bins.iter().map(|bin| bin.bin.as_str()).collect();
        let (rows, columns): (Vec<&str>, Vec<&str>) = if down {
            (bins, self.models.clone())
        } else {
            (self.models.clone(), bins)
        };
        let corner = if down { by } else { "model" };
        let mut head = vec![Column::text(corner)];
        head.extend(columns.iter().map(|name| Column::number(name)));
        let row = |(at, name): (usize, &&str)| {
            let mut cells = vec![Cell::from(*name)];
            cells.extend((0..columns.len()).map(|column| {
                let (bin, model) = if down { (at, column) } else { (column, at) };
                self.cell(bin, model)
            }));
            cells
        };
        Table {
            columns: head,
            heads: 1,
            rows: rows.iter().enumerate().map(row).collect(),
            ..Table::default()
        }
    }

    fn cell(&self, bin: usize, model: usize) -> Cell {
        let place = self.bins.get(bin).zip(self.models.get(model));
        let row = place.and_then(|(bin, model)| self.cells.get(&(bin.order, *model)));
        let Some(row) = row else {
            return Cell::from("–");
        };
        let cell = Cell {
            text: number(row.score),
            n: Some(row.n),
            note: interval(row.ci),
            title: format!("invalid {}", row.invalid),
            ..Cell::default()
        };
        let behind = SampleSelection {
            benchmark: &row.benchmark,
            ability: &row.ability,
            model: Some(&row.model),
            bin: Some((&row.by, &row.bin)),
        };
        match self.evidence {
            Some(evidence) => evidence.lead(cell, behind),
            None => cell,
        }
    }
}
