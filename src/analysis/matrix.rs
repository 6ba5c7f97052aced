//! Arranges all scores in one matrix: models against abilities of all benchmarks, against whole
//! benchmarks, or against metrics. Each row has a mean score and a mean rank.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::Score;
use super::average::{Column, UnitMean, columns_of};
use record::benchmark::Direction;
use record::{AbilityGroup, Kind};

/// Kind of a matrix's columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ColumnKind {
    /// Abilities, and splits of abilities.
    #[default]
    Abilities,
    /// Whole benchmarks.
    Benchmarks,
    /// All metrics of each benchmark, averaged over the abilities in which a model has the metric;
    /// without ranks, and without a mean over metrics.
    Metrics,
}

/// Heading of one column.
#[derive(Clone, Debug, PartialEq)]
pub struct MatrixColumn {
    /// Benchmark that the column belongs to.
    pub benchmark: String,
    /// Ability; `None` for a whole benchmark.
    pub ability: Option<String>,
    /// Split of the data set, for example easy or hard; `None` without splits.
    pub split: Option<String>,
    /// Metric; for a whole benchmark, the metric that all its columns share, if any.
    pub metric: Option<String>,
    /// Whether higher or lower scores are better.
    pub direction: Option<Direction>,
    /// True if a paper printed the scores.
    pub is_printed: bool,
    /// True if the scores are shares between 0 and 1 and higher is better; only such columns have a
    /// mean. A whole benchmark needs at least one column with shares.
    pub is_share: bool,
    /// Group of columns that count as one in means; `None` if the column counts by itself.
    pub group: Option<String>,
    /// Number of abilities in the column; 1 for an ability.
    pub parts: u64,
    /// Number of models ranked in the column.
    pub models: u64,
    /// Score of people. For a whole benchmark, the mean over its columns with shares
    /// ([`Self::is_share`]); for a metric, the mean over all of its columns. `None` if a column has
    /// no score of people.
    pub human: Option<f64>,
    /// Score of random guessing, like `human`.
    pub chance: Option<f64>,
}

impl MatrixColumn {
    /// Returns how much better people are than this score, in the metric's unit; negative if they
    /// are worse. `None` if no score of people is known.
    pub fn to_human(&self, score: f64) -> Option<f64> {
        let sign = self.direction.map_or(1.0, Direction::sign);
        Some(sign * (self.human? - score))
    }

    /// Returns the position of a score between random guessing (0) and people (1); `None` if one of
    /// them is unknown, or if they are equal.
    pub fn way_to_human(&self, score: f64) -> Option<f64> {
        let (chance, human) = (self.chance?, self.human?);
        let way = (score - chance) / (human - chance);
        way.is_finite().then_some(way)
    }
}

/// Cell of one model in one column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatrixCell {
    /// Score; for a whole benchmark, the mean over its columns with shares.
    pub score: Option<f64>,
    /// Mid-rank among the models of the column; for a whole benchmark, the mean over its columns.
    pub rank: Option<f64>,
    /// True if the rank in one of the cell's abilities is shared or uncertain.
    pub is_tied: bool,
    /// Number of abilities with a score in the cell; 1 for an ability.
    pub parts: u64,
    /// Number of samples behind the score; 0 for printed scores.
    pub n: u64,
    /// How much better people are, see [`MatrixColumn::to_human`]; also `None` if the model lacks
    /// some of the column's abilities.
    pub to_human: Option<f64>,
}

/// Row of one model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MatrixRow {
    /// Model that the row belongs to.
    pub model: String,
    /// A cell for each column; `None` without a score of the model.
    pub cells: Vec<Option<MatrixCell>>,
    /// Mean over the columns with shares, and the number of these columns. Columns of one group
    /// count as one in the mean.
    pub mean_score: (Option<f64>, u64),
    /// Mean over the columns in which the model is ranked, and their number. Columns of one group
    /// count as one in the mean.
    pub mean_rank: (Option<f64>, u64),
}

/// Matrix of models against columns, sorted by number of ranked columns, then by mean rank.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matrix {
    /// Kind of the columns.
    pub over: ColumnKind,
    /// Heading of each column.
    pub columns: Vec<MatrixColumn>,
    /// Rows, one for each model.
    pub rows: Vec<MatrixRow>,
}

impl Matrix {
    /// Returns the best model of a column with its score; `None` without ranked models.
    pub fn best(&self, column: usize) -> Option<(&MatrixRow, f64)> {
        let ranked = self.rows.iter().filter_map(|row| {
            let cell = row.cells.get(column)?.as_ref()?;
            Some((row, cell.rank?, cell.score?))
        });
        let best = ranked.min_by(|a, b| a.1.total_cmp(&b.1));
        best.map(|(row, _, score)| (row, score))
    }
}

/// Builds the matrix from scores; columns appear in the order of the scores.
pub fn matrix(scores: &[Score], groups: &[AbilityGroup], over: ColumnKind) -> Matrix {
    let is_own = |score: &Score| match over {
        ColumnKind::Metrics => score.kind == Kind::Model && !score.is_aggregate(),
        ColumnKind::Abilities | ColumnKind::Benchmarks => score.counts(),
    };
    let columns = columns_of(scores, groups, is_own);
    let apart = scores.iter();
    let apart: Vec<&Score> = apart
        .filter(|score| REFERENCES.contains(&score.kind))
        .collect();
    let parts = columns.iter();
    let mut parts: Vec<SourceColumn<'_>> = parts
        .filter_map(|column| SourceColumn::of(column, &apart))
        .collect();
    // A column is placed where its first ability appears.
    let mut places: BTreeMap<(&str, bool, Option<&str>), usize> = BTreeMap::new();
    for (at, part) in parts.iter_mut().enumerate() {
        let next = places.len();
        let metric = Some(part.first.metric.as_str()).filter(|_| over == ColumnKind::Metrics);
        let key = (
            part.first.benchmark.as_str(),
            part.first.is_printed(),
            metric,
        );
        part.column = match over {
            ColumnKind::Abilities => at,
            ColumnKind::Benchmarks | ColumnKind::Metrics => *places.entry(key).or_insert(next),
        };
    }
    let count = parts.iter().map(|part| part.column + 1).max().unwrap_or(0);
    let heads = (0..count).filter_map(|at| {
        let own: Vec<&SourceColumn<'_>> = parts.iter().filter(|part| part.column == at).collect();
        head(&own, over)
    });
    let heads: Vec<MatrixColumn> = heads.collect();
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut sums: Vec<Sums<'_>> = Vec::new();
    for part in &parts {
        // A column that is not a share shows its score, but does not enter means.
        let is_alone = heads[part.column].parts == 1;
        for (score, rank) in part.source.scores.iter().zip(&part.source.ranks) {
            let place = *places.entry(&score.model).or_insert_with(|| {
                sums.push(Sums::new(&score.model, count));
                sums.len() - 1
            });
            if over == ColumnKind::Metrics {
                sums[place].add_to_cell(part, score);
            } else {
                sums[place].add(part, is_alone, score, *rank);
            }
        }
    }
    let mut rows: Vec<MatrixRow> = sums.into_iter().map(|sums| sums.row(&heads)).collect();
    let key = |row: &MatrixRow| (row.mean_rank.1, row.mean_rank.0.unwrap_or(f64::INFINITY));
    rows.sort_by(|a, b| {
        let ((a_columns, a_rank), (b_columns, b_rank)) = (key(a), key(b));
        b_columns.cmp(&a_columns).then(a_rank.total_cmp(&b_rank))
    });
    Matrix {
        over,
        columns: heads,
        rows,
    }
}

/// Column of scores, and its position in the matrix.
struct SourceColumn<'a> {
    source: &'a Column<'a>,
    first: &'a Score,
    is_share: bool,
    column: usize,
    /// Scores of people and of random guessing.
    references: [Option<f64>; 2],
    /// Number of ranked scores at each rank, and in each tie group.
    at_rank: HashMap<u32, u32>,
    in_group: HashMap<u32, u32>,
}

/// Reference systems with a score in the column headings.
const REFERENCES: [Kind; 2] = [Kind::Human, Kind::Chance];

impl<'a> SourceColumn<'a> {
    /// Creates the column; `apart` holds the scores of the reference systems.
    fn of(source: &'a Column<'a>, apart: &[&Score]) -> Option<Self> {
        let first = *source.scores.first()?;
        let reference = |kind: Kind| {
            let mut own = apart.iter().filter(|score| score.kind == kind);
            own.find(|score| score.is_rival_of(first))?.score
        };
        let (mut at_rank, mut in_group) = (HashMap::new(), HashMap::new());
        for score in &source.scores {
            if let Some(rank) = score.rank {
                *at_rank.entry(rank).or_default() += 1;
                for group in &score.tie_groups {
                    *in_group.entry(*group).or_default() += 1;
                }
            }
        }
        Some(Self {
            is_share: source.is_share(),
            source,
            first,
            column: 0,
            references: REFERENCES.map(reference),
            at_rank,
            in_group,
        })
    }
}

impl SourceColumn<'_> {
    /// Returns true if a score shares its rank or a tie group with another score, or if its rank is
    /// uncertain.
    fn is_tied(&self, score: &Score) -> bool {
        let is_wide = score.rank_ci.is_some_and(|(low, high)| low < high);
        let is_shared = |places: &HashMap<u32, u32>, place: u32| {
            places.get(&place).is_some_and(|count| *count > 1)
        };
        let mut groups = score.tie_groups.iter();
        score.rank.is_some_and(|rank| {
            is_wide
                || is_shared(&self.at_rank, rank)
                || groups.any(|group| is_shared(&self.in_group, *group))
        })
    }
}

/// Returns the reference scores of a column. With a single part these are its own; otherwise means
/// over all parts of a metric, or over the parts that are shares.
fn references(parts: &[&SourceColumn<'_>], over: ColumnKind) -> [Option<f64>; 2] {
    [0, 1].map(|at| {
        if let [only] = parts {
            return only.references[at];
        }
        let mut mean = UnitMean::default();
        let counts = |part: &&&SourceColumn<'_>| part.is_share || over == ColumnKind::Metrics;
        for part in parts.iter().filter(counts) {
            mean.add(part.source.unit, part.references[at]?);
        }
        mean.mean()
    })
}

fn head(parts: &[&SourceColumn<'_>], over: ColumnKind) -> Option<MatrixColumn> {
    let first = parts.first()?;
    let [human, chance] = references(parts, over);
    let is_one = over == ColumnKind::Abilities;
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
        human,
        chance,
    })
}

/// Running sums of one model over all columns.
struct Sums<'a> {
    model: &'a str,
    scores: UnitMean,
    ranks: UnitMean,
    cells: Vec<CellSums>,
}

/// Running sums of one model in one column.
#[derive(Clone, Default)]
struct CellSums {
    scores: UnitMean,
    ranks: UnitMean,
    parts: u64,
    n: u64,
    /// True if a part has no score.
    lacks: bool,
    /// True if the rank in a part is shared or uncertain.
    is_tied: bool,
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

    fn add(&mut self, part: &SourceColumn<'_>, is_alone: bool, score: &Score, rank: Option<f64>) {
        let unit = part.source.unit;
        let cell = &mut self.cells[part.column];
        // Means over columns use the scores on common samples, so that a model gains nothing by
        // skipping samples.
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
        cell.lacks |= score.score.is_none();
        cell.is_tied |= part.is_tied(score);
    }

    /// Adds a score to the mean of its cell only.
    fn add_to_cell(&mut self, part: &SourceColumn<'_>, score: &Score) {
        let cell = &mut self.cells[part.column];
        if let Some(value) = score.score {
            cell.scores.add(part.source.unit, value);
            cell.parts += 1;
            cell.n += score.n;
        }
    }

    fn row(self, heads: &[MatrixColumn]) -> MatrixRow {
        let cell = |(sums, head): (CellSums, &MatrixColumn)| {
            let score = sums.scores.mean();
            let whole = score.filter(|_| sums.parts == head.parts && !sums.lacks);
            (sums.parts > 0).then(|| MatrixCell {
                score,
                rank: sums.ranks.mean(),
                is_tied: sums.is_tied,
                parts: sums.parts,
                n: sums.n,
                to_human: whole.and_then(|score| head.to_human(score)),
            })
        };
        MatrixRow {
            model: self.model.to_owned(),
            cells: self.cells.into_iter().zip(heads).map(cell).collect(),
            mean_score: (self.scores.mean(), self.scores.columns()),
            mean_rank: (self.ranks.mean(), self.ranks.columns()),
        }
    }
}
