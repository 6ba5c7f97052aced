//! Everything that is open in one matrix: models against the abilities of all benchmarks, or against whole benchmarks,
//! with mean score beside mean rank and what each mean rests on.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::Score;
use super::average::{Column, UnitMean, columns};
use benchmark::Direction;
use record::AbilityGroup;

/// What the columns are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Over {
    /// Abilities, and splits of abilities.
    #[default]
    Abilities,
    /// Whole benchmarks.
    Benchmarks,
}

/// One column.
#[derive(Clone, Debug, PartialEq)]
pub struct MatrixColumn {
    /// Benchmark name.
    pub benchmark: String,
    /// Ability name; `None` for a whole benchmark.
    pub ability: Option<String>,
    /// Easy or hard, a variant of the data set.
    pub split: Option<String>,
    /// Metric name; of a whole benchmark, that of all its columns, if it is one.
    pub metric: Option<String>,
    /// Which way is better.
    pub direction: Option<Direction>,
    /// True if a paper printed the scores.
    pub is_printed: bool,
    /// True if the scores are shares of one of which more is better: only those have a mean over columns.
    pub is_share: bool,
    /// The group whose columns count as one.
    pub group: Option<String>,
    /// Columns of the benchmark behind it; 1 for an ability.
    pub parts: u64,
    /// Models that are ranked in it.
    pub models: u64,
}

/// One model in one column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatrixCell {
    /// Score; of a whole benchmark, the mean over its columns that are shares.
    pub score: Option<f64>,
    /// Mid-rank among the models of the column; of a whole benchmark, the mean over its columns.
    pub rank: Option<f64>,
    /// Columns of the benchmark behind it; 1 for an ability.
    pub parts: u64,
    /// Samples behind the score; 0 for printed scores.
    pub n: u64,
}

/// One model.
#[derive(Clone, Debug, PartialEq)]
pub struct MatrixRow {
    /// Model name.
    pub model: String,
    /// One cell a column; `None` where the model has no score.
    pub cells: Vec<Option<MatrixCell>>,
    /// Mean over the columns that are shares, columns of a group as one; and how many columns those are.
    pub mean_score: (Option<f64>, u64),
    /// Mean over the columns in which it is ranked, columns of a group as one; and how many columns those are.
    pub mean_rank: (Option<f64>, u64),
}

/// Models against columns; those with most columns first, and among them the one with the best mean rank.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matrix {
    /// The columns.
    pub columns: Vec<MatrixColumn>,
    /// The models.
    pub rows: Vec<MatrixRow>,
}

/// The matrix of some scores.
#[must_use]
pub fn matrix(scores: &[Score], groups: &[AbilityGroup], over: Over) -> Matrix {
    let columns = columns(scores, groups);
    let mut parts: Vec<Part<'_>> = columns.iter().filter_map(Part::of).collect();
    if over == Over::Benchmarks {
        // One column a benchmark, which begins where its first part stands.
        let mut places: BTreeMap<(&str, bool), usize> = BTreeMap::new();
        for part in &mut parts {
            let next = places.len();
            let key = (part.first.benchmark.as_str(), part.first.is_printed());
            part.column = *places.entry(key).or_insert(next);
        }
    } else {
        for (at, part) in parts.iter_mut().enumerate() {
            part.column = at;
        }
    }
    let count = parts.iter().map(|part| part.column + 1).max().unwrap_or(0);
    let heads = (0..count).filter_map(|at| {
        let own: Vec<&Part<'_>> = parts.iter().filter(|part| part.column == at).collect();
        head(&own, over)
    });
    let heads: Vec<MatrixColumn> = heads.collect();
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut sums: Vec<Sums<'_>> = Vec::new();
    for part in &parts {
        // A column that is no share has its own score, but no part in a mean.
        let is_alone = heads[part.column].parts == 1;
        for (score, rank) in part.source.scores.iter().zip(&part.source.ranks) {
            let place = *places.entry(&score.model).or_insert_with(|| {
                sums.push(Sums::new(&score.model, count));
                sums.len() - 1
            });
            sums[place].add(part, is_alone, (score, *rank));
        }
    }
    let mut rows: Vec<MatrixRow> = sums.into_iter().map(Sums::row).collect();
    let key = |row: &MatrixRow| (row.mean_rank.1, row.mean_rank.0.unwrap_or(f64::INFINITY));
    rows.sort_by(|a, b| {
        let ((a_columns, a_rank), (b_columns, b_rank)) = (key(a), key(b));
        b_columns.cmp(&a_columns).then(a_rank.total_cmp(&b_rank))
    });
    Matrix {
        columns: heads,
        rows,
    }
}

/// A column of scores, and in which column of the matrix it stands.
struct Part<'a> {
    source: &'a Column<'a>,
    first: &'a Score,
    is_share: bool,
    column: usize,
}

impl<'a> Part<'a> {
    fn of(source: &'a Column<'a>) -> Option<Self> {
        let first = *source.scores.first()?;
        Some(Self {
            is_share: source.is_share(),
            source,
            first,
            column: 0,
        })
    }
}

fn head(parts: &[&Part<'_>], over: Over) -> Option<MatrixColumn> {
    let first = parts.first()?;
    let is_one = over == Over::Abilities;
    let same_metric = parts
        .iter()
        .all(|part| part.first.metric == first.first.metric);
    let models = parts.iter().flat_map(|part| {
        let ranked = part.source.scores.iter().zip(&part.source.ranks);
        ranked.filter_map(|(score, rank)| rank.map(|_| score.model.as_str()))
    });
    let models: BTreeSet<&str> = models.collect();
    Some(MatrixColumn {
        benchmark: first.first.benchmark.clone(),
        ability: is_one.then(|| first.first.ability.clone()),
        split: first.first.split.clone().filter(|_| is_one),
        metric: same_metric.then(|| first.first.metric.clone()),
        direction: first.first.direction.filter(|_| same_metric),
        is_printed: first.first.is_printed(),
        is_share: parts.iter().any(|part| part.is_share),
        group: first.source.group.map(str::to_owned).filter(|_| is_one),
        parts: parts.len() as u64,
        models: models.len() as u64,
    })
}

/// What one model has in all columns.
struct Sums<'a> {
    model: &'a str,
    scores: UnitMean,
    ranks: UnitMean,
    cells: Vec<CellSums>,
}

/// What one model has in one column.
#[derive(Clone, Default)]
struct CellSums {
    scores: UnitMean,
    ranks: UnitMean,
    parts: u64,
    n: u64,
}

impl<'a> Sums<'a> {
    fn new(model: &'a str, columns: usize) -> Self {
        Self {
            model,
            scores: UnitMean::default(),
            ranks: UnitMean::default(),
            cells: vec![CellSums::default(); columns],
        }
    }

    fn add(&mut self, part: &Part<'_>, is_alone: bool, (score, rank): (&Score, Option<f64>)) {
        let unit = part.source.unit;
        let cell = &mut self.cells[part.column];
        // A mean over columns is one of scores over common samples, so that a model gains nothing by what it skips.
        if let (true, Some(value)) = (part.is_share, score.rank_score) {
            self.scores.add(unit, value);
        }
        if let Some(value) = score.score
            && (part.is_share || is_alone)
        {
            cell.scores.add(unit, value);
        }
        if let Some(rank) = rank {
            self.ranks.add(unit, rank);
            cell.ranks.add(unit, rank);
        }
        cell.parts += 1;
        cell.n += score.n;
    }

    fn row(self) -> MatrixRow {
        let cell = |sums: CellSums| {
            (sums.parts > 0).then(|| MatrixCell {
                score: sums.scores.mean(),
                rank: sums.ranks.mean(),
                parts: sums.parts,
                n: sums.n,
            })
        };
        MatrixRow {
            model: self.model.to_owned(),
            cells: self.cells.into_iter().map(cell).collect(),
            mean_score: (self.scores.mean(), self.scores.columns()),
            mean_rank: (self.ranks.mean(), self.ranks.columns()),
        }
    }
}
