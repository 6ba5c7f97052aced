//! Subgroup section: a line chart for numeric tags, and a table with a column per model.

use std::collections::HashMap;

use crate::Summary;
use crate::chart::{Curve, CurvePoint, CurveSeries, curve};
use crate::evidence::{Evidence, SampleSelection};
use crate::html::{Block, Cell, Column, Figure, Table};
use crate::summary::{interval, number};
use analysis::Subgroup;

/// Maximum number of models in one chart.
const MOST: usize = 4;

/// Scores of one ability and metric, split by one tag.
struct Group<'a> {
    evidence: Option<&'a Evidence>,
    bins: Vec<&'a Subgroup>,
    models: Vec<&'a str>,
    cells: HashMap<(u16, &'a str), &'a Subgroup>,
}

/// Subgroup section of a benchmark; empty if no tag has several bins.
pub fn blocks(summary: &Summary, benchmark: &str) -> Vec<Block> {
    let ranks = summary
        .average_ranks
        .iter()
        .filter(|rank| rank.benchmark == benchmark);
    let order: Vec<&str> = ranks.map(|rank| rank.model.as_str()).collect();
    let groups = groups(summary, benchmark, &order);
    // A single bin does not distinguish anything.
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
        let measured = self
            .bins
            .iter()
            .all(|bin| bin.center.is_some_and(f64::is_finite));
        if measured && self.bins.len() > 2 {
            let caption = if self.models.len() > MOST {
                let models = self.models.len();
                format!("The {MOST} best of {models} models; the table has all.")
            } else {
                String::new()
            };
            let svg = curve(&self.curve(&title, &metric, &first.by));
            blocks.push(Block::Figure(Figure { svg, caption }));
        }
        blocks.push(Block::Table(self.table(&first.by)));
        blocks
    }

    fn curve(&self, title: &str, metric: &str, by: &str) -> Curve {
        let series = |model: &&str| {
            let point = |(bin, row): (usize, &&Subgroup)| {
                let cell = self.cells.get(&(row.order, *model))?;
                Some(CurvePoint {
                    bin,
                    value: cell.score?,
                    interval: cell.ci.map(|ci| (ci.low, ci.high)),
                })
            };
            CurveSeries {
                name: (*model).to_owned(),
                points: self.bins.iter().enumerate().filter_map(point).collect(),
            }
        };
        Curve {
            title: format!("{title}: {metric}"),
            across: by.to_owned(),
            up: format!("{metric}, 95 % interval"),
            bins: self.bins.iter().map(|bin| bin.bin.clone()).collect(),
            series: self.models.iter().take(MOST).map(series).collect(),
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
