//! HTML page of a matrix: the distance of the best model from people, above the tables.

use crate::chart::{Scatter, ScatterLine, ScatterPoint, ScatterScale, scatter};
use crate::html::{Block, Figure, Page};
use crate::matrix::{MatrixTable, head};

/// Maximum number of columns with a name in the chart.
const MOST: usize = 14;

/// Page with a chart of the columns in which people have a score.
pub fn page(matrix: &MatrixTable) -> Page {
    let beside = matrix.beside_people();
    let names: Vec<String> = beside.iter().take(MOST).map(|it| head(it.column)).collect();
    let point = |(at, it): (usize, &crate::matrix::BesidePeople<'_>)| ScatterPoint {
        name: head(it.column),
        x: it.human,
        y: it.gap,
        interval: None,
        series: (at < names.len()).then_some(at),
    };
    let title = "How much better people are than the best model";
    let drawn = Scatter {
        title: title.to_owned(),
        across: "score of people".to_owned(),
        up: "human lead".to_owned(),
        scale: ScatterScale::Linear,
        points: beside.iter().enumerate().map(point).collect(),
        lines: vec![ScatterLine {
            name: "as good as people".to_owned(),
            y: 0.0,
        }],
        series: names.clone(),
    };
    let figure = Figure {
        svg: scatter(&drawn),
        caption: title.to_owned(),
    };
    let charts = (!beside.is_empty()).then_some(Block::Figure(figure));
    super::with_charts("Eyechart: matrix", matrix, charts.into_iter().collect())
}
