//! The grid's rows and columns under the lens, and what each cell says.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Deref;
use std::rc::Rc;

use crate::memo::Memo;
use crate::popup::short;
use crate::shared::{Answers, Shared, same_column};
use analysis::{Acuity, AverageRank, Score};
use benchmark::Direction;
use record::{Generation, Kind};
use report::examined;
use widget::heat_grid::HeatCell;

use super::cells::Cells;

/// A column: one ability, or one of its splits.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Ability name.
    pub ability: String,
    /// Easy or hard, a variant of the data set.
    pub split: Option<String>,
    /// Metric name.
    pub metric: String,
    /// Which way is better.
    pub direction: Option<Direction>,
}

/// A row: a model under test, or what stands apart from them.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Model name.
    pub model: String,
    /// Its average rank.
    pub average: Option<f64>,
    /// True if its average rank is not surely apart from another model's.
    pub is_tied: bool,
    /// What it is.
    pub kind: Kind,
    /// True if a paper printed its scores.
    pub is_printed: bool,
}

/// One score's place.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// Among all scores.
    score: usize,
    /// How many models have a rank in its column beside it.
    ranked: usize,
    /// How many of them share a tie group with it, itself included.
    group: usize,
    /// How many of them have the same rank, itself included.
    equal: usize,
}

/// What a column has.
#[derive(Clone, Copy, Debug, Default)]
struct Ends {
    /// The best and the worst score that is ranked.
    extremes: Option<(f64, f64)>,
    /// The blind guess and the best specialist.
    controls: Option<(f64, f64)>,
}

/// Rows and columns, and which score stands where: worked out once, whatever the cursor does.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    /// Models and their average ranks, the best first but for those that an exam examined, then what stands apart, kind by
    /// kind.
    pub models: Vec<Row>,
    /// Abilities, or their splits, in the papers' order.
    pub columns: Vec<Column>,
    /// True if a single model was tested, so that nothing is to be ranked.
    pub is_alone: bool,
    /// True if a cell holds a score without a rank.
    pub has_unranked: bool,
    /// Models that are ranked in the column where most are.
    pub most_ranked: usize,
    /// A column after the other, each with a place for every row.
    places: Vec<Option<Place>>,
    /// Of each column.
    ends: Vec<Ends>,
}

/// What an outline was worked out from: the count of answers that came, the table, the benchmark.
pub type Source = (u64, Generation, String);

/// What an outline is worked out from now.
pub fn source(shared: &Shared) -> Source {
    (
        shared.answers.revision,
        shared.table.generation(),
        shared.lens.benchmark.clone(),
    )
}

impl Outline {
    /// What the lens's benchmark has; `examined` are the models that stand first in an exam with levels.
    pub fn new(answers: &Answers, benchmark: &str, examined: &BTreeSet<&str>) -> Self {
        let shown = answers.scores.iter().enumerate();
        let shown = shown
            .filter(|(_, score)| score.benchmark == benchmark)
            .filter(|(_, score)| score.counts() || score.stands_apart());
        let (mut columns, mut last): (Vec<Column>, Option<&Score>) = (Vec::new(), None);
        let mut cells: Vec<(usize, usize)> = Vec::new();
        // A paper need not spell a control alike in all its tables.
        let (mut apart, mut known): (Vec<Row>, HashSet<String>) = (Vec::new(), HashSet::new());
        for (at, score) in shown {
            if last.is_none_or(|last| !same_column(last, score)) {
                columns.push(Column::of(score));
                last = Some(score);
            }
            if score.kind != Kind::Model && known.insert(score.model.to_ascii_lowercase()) {
                apart.push(Row {
                    model: score.model.clone(),
                    average: None,
                    is_tied: false,
                    kind: score.kind,
                    is_printed: score.is_printed(),
                });
            }
            cells.push((columns.len() - 1, at));
        }
        apart.sort_by_key(|row| row.kind);
        let ranks = answers.average_ranks.iter();
        let ranks = ranks.filter(|rank| rank.benchmark == benchmark);
        let mut models: Vec<Row> = ranks.map(ranked).collect();
        if answers.acuity_in(benchmark).next().is_some() {
            models.sort_by_key(|row| !examined.contains(row.model.as_str()));
        }
        models.extend(apart);
        let tested = models.iter().filter(|row| row.kind == Kind::Model);
        let mut outline = Self {
            is_alone: tested.count() == 1,
            has_unranked: false,
            most_ranked: 0,
            places: vec![None; models.len() * columns.len()],
            ends: Vec::new(),
            models,
            columns,
        };
        outline.put(&answers.scores, &cells);
        for column in 0..outline.columns.len() {
            outline.count(&answers.scores, column);
        }
        outline
    }

    /// Puts scores into the rows of their models.
    fn put(&mut self, scores: &[Score], cells: &[(usize, usize)]) {
        let mut rows: HashMap<(String, bool), Vec<usize>> = HashMap::new();
        for (at, row) in self.models.iter().enumerate() {
            let key = (row.model.to_lowercase(), row.is_printed);
            rows.entry(key).or_default().push(at);
        }
        // Names are alike in most columns: each is looked up once.
        let mut rows_of: HashMap<(&str, bool), Vec<usize>> = HashMap::new();
        for (column, at) in cells {
            let Some(score) = scores.get(*at) else {
                continue;
            };
            let key = (score.model.as_str(), score.is_printed());
            let own = rows_of.entry(key).or_insert_with(|| {
                let key = (score.model.to_lowercase(), score.is_printed());
                rows.get(&key).cloned().unwrap_or_default()
            });
            for row in own.iter() {
                self.places[column * self.models.len() + row] = Some(Place {
                    score: *at,
                    ranked: 0,
                    group: 0,
                    equal: 0,
                });
            }
        }
    }

    /// Counts what a column's cells say of each other.
    fn count(&mut self, scores: &[Score], column: usize) {
        let rows = self.models.len();
        let places = &mut self.places[column * rows..][..rows];
        let answered: Vec<&Score> = (places.iter().flatten())
            .filter_map(|place| scores.get(place.score))
            .collect();
        let rivals = [false, true].map(|printed| Rivals::new(&answered, printed));
        for place in places.iter_mut().flatten() {
            let Some(score) = scores.get(place.score) else {
                continue;
            };
            let rivals = &rivals[usize::from(score.is_printed())];
            place.ranked = rivals.ranked;
            place.group = rivals.group(&score.tie_groups);
            place.equal = rivals.ranks.get(&score.rank).copied().unwrap_or_default();
            self.has_unranked |= score.rank.is_none();
            self.most_ranked = self.most_ranked.max(place.ranked);
        }
        let lower = self.columns[column].direction == Some(Direction::Lower);
        self.ends.push(Ends::new(&answered, lower));
    }
}

/// The scores of a column that are ranked with each other: a paper's among themselves.
struct Rivals<'a> {
    ranked: usize,
    ranks: HashMap<Option<u32>, usize>,
    groups: HashMap<&'a [u32], usize>,
}

impl<'a> Rivals<'a> {
    fn new(placed: &[&'a Score], printed: bool) -> Self {
        let mut ranks: HashMap<Option<u32>, usize> = HashMap::new();
        let mut groups: HashMap<&[u32], usize> = HashMap::new();
        let mut ranked = 0;
        let own = placed.iter().copied();
        for score in own.filter(|score| score.ranked && score.is_printed() == printed) {
            ranked += usize::from(score.rank.is_some());
            *ranks.entry(score.rank).or_default() += 1;
            *groups.entry(score.tie_groups.as_slice()).or_default() += 1;
        }
        Self {
            ranked,
            ranks,
            groups,
        }
    }

    /// How many share one of these tie groups.
    fn group(&self, own: &[u32]) -> usize {
        let groups = self.groups.iter();
        let shared = groups.filter(|(other, _)| other.iter().any(|group| own.contains(group)));
        shared.map(|(_, count)| count).sum()
    }
}

impl Ends {
    fn new(placed: &[&Score], lower: bool) -> Self {
        let ranked = placed.iter().filter(|score| score.ranked);
        let (low, high) = (ranked.filter_map(|score| score.score))
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), s| {
                (low.min(s), high.max(s))
            });
        let best_of = |kind: Kind| {
            let own = placed.iter().filter(|score| score.kind == kind);
            let own = own.filter_map(|score| score.score);
            own.reduce(|a, b| if lower { a.min(b) } else { a.max(b) })
        };
        let controls = best_of(Kind::BlindGuess).zip(best_of(Kind::Specialist));
        Self {
            extremes: (low <= high).then_some(if lower { (low, high) } else { (high, low) }),
            controls: controls.filter(|(blind, best)| blind.total_cmp(best).is_ne()),
        }
    }
}

impl Column {
    fn of(score: &Score) -> Self {
        Self {
            ability: score.ability.clone(),
            split: score.split.clone(),
            metric: score.metric.clone(),
            direction: score.direction,
        }
    }
}

/// The grid's rows and columns under the lens, and their scores.
pub struct Fingerprint<'a> {
    outline: Rc<Outline>,
    scores: &'a [Score],
    /// Of every model in every ability of the benchmark whose items have levels.
    pub acuity: Vec<&'a Acuity>,
}

impl Deref for Fingerprint<'_> {
    type Target = Outline;

    fn deref(&self) -> &Outline {
        &self.outline
    }
}

impl<'a> Fingerprint<'a> {
    /// What the shared's lens shows; its outline is kept until other answers come.
    pub fn new(shared: &'a Shared, memo: &Memo<Source, Outline>) -> Self {
        let of = source(shared);
        let make = |(_, _, benchmark): &Source| {
            Outline::new(&shared.answers, benchmark, &examined(&shared.table))
        };
        Self {
            outline: memo.of(of, make),
            scores: &shared.answers.scores,
            acuity: shared.answers.acuity_in(&shared.lens.benchmark).collect(),
        }
    }

    fn place(&self, column: usize, row: usize) -> Option<Place> {
        if row >= self.models.len() {
            return None;
        }
        *self.places.get(column * self.models.len() + row)?
    }

    /// The score of a cell.
    pub fn score(&self, column: usize, row: usize) -> Option<&'a Score> {
        self.scores.get(self.place(column, row)?.score)
    }

    /// The column in which a model is worst: by its rank among all that rank there, and without ranks by its score where
    /// that is a share.
    pub fn worst_column(&self, row: usize) -> Option<usize> {
        let of_column = |column: usize| {
            let score = self.score(column, row)?;
            let ranked = self.ranked(column, row);
            let by_rank = score.rank.filter(|_| ranked > 1);
            let badness = match by_rank {
                // Of equal ranks that counts which is the surer one.
                #[expect(clippy::cast_precision_loss, reason = "a number of models")]
                Some(rank) => {
                    let surely = score.rank_ci.map_or(rank, |(low, _)| low);
                    let rank = f64::from(rank) + f64::from(surely) / 1000.0;
                    (rank - 1.0) / (ranked as f64 - 1.0)
                }
                None if score.direction == Some(Direction::Higher) => 1.0 - score.score?,
                None => return None,
            };
            Some((column, by_rank.map_or(0, |_| ranked), badness))
        };
        let columns = (0..self.columns.len()).filter_map(of_column);
        // A place among others says more than a score without any.
        let worst = columns.max_by(|(a_at, a_ranked, a), (b_at, b_ranked, b)| {
            let by_place = || b_at.cmp(a_at);
            let is_ranked = |ranked: &usize| *ranked > 0;
            is_ranked(a_ranked)
                .cmp(&is_ranked(b_ranked))
                .then(a.total_cmp(b))
                .then(a_ranked.cmp(b_ranked))
                .then_with(by_place)
        });
        worst.map(|(column, ..)| column)
    }

    /// How many models have a rank beside a cell's.
    pub fn ranked(&self, column: usize, row: usize) -> usize {
        self.place(column, row).map_or(0, |place| place.ranked)
    }

    /// The name of a row, with a word where samples and a paper both have the model.
    pub fn name(&self, row: &Row) -> String {
        let is_twice = || {
            let other = |other: &&Row| other.model.eq_ignore_ascii_case(&row.model);
            self.models.iter().filter(other).count() > 1
        };
        if row.is_printed && is_twice() {
            format!("{} (paper)", row.model)
        } else {
            row.model.clone()
        }
    }

    /// What the cells can say: acuity where items have levels, and scores where there is one model.
    pub fn can_say(&self, cells: Cells) -> Cells {
        match cells {
            Cells::Acuity if !self.acuity.is_empty() => Cells::Acuity,
            _ if self.is_alone => Cells::Scores,
            Cells::Acuity => Cells::Ranks,
            cells => cells,
        }
    }

    /// The blind guess and the best specialist of a column, where it has both and they differ.
    pub fn controls(&self, column: usize) -> Option<(f64, f64)> {
        self.ends.get(column)?.controls
    }

    /// The best and the worst score that is ranked in a column.
    pub fn extremes(&self, column: usize) -> Option<(f64, f64)> {
        self.ends.get(column)?.extremes
    }

    /// What the cell of something that is not ranked says: its score, or how far it is from the best model.
    fn apart(&self, column: usize, score: &Score, cells: Cells) -> HeatCell<'static> {
        let Some(value) = score.score else {
            return blank();
        };
        let text = match (cells, self.extremes(column)) {
            (Cells::Gaps, Some((best, _))) => {
                let sign = if value < best { "-" } else { "+" };
                format!("{sign}{}", short((value - best).abs()))
            }
            _ => short(value),
        };
        HeatCell {
            text: text.into(),
            ..blank()
        }
    }

    /// Models of a column with which a cell shares a tie group, itself included.
    pub fn group(&self, column: usize, row: usize) -> usize {
        self.place(column, row).map_or(0, |place| place.group)
    }

    /// What a cell says.
    pub fn cell(&self, column: usize, row: usize, cells: Cells) -> HeatCell<'static> {
        let (Some(place), Some(score)) = (self.place(column, row), self.score(column, row)) else {
            return blank();
        };
        let cells = self.can_say(cells);
        if cells == Cells::Acuity {
            return self.acuity_cell(column, row);
        }
        let Some(rank) = score.rank else {
            return self.apart(column, score, cells);
        };
        // A rank among one says nothing.
        if place.ranked < 2 {
            return HeatCell {
                text: score.score.map_or_else(|| "–".to_owned(), short).into(),
                heat: share(score).map_or(f64::NAN, |share| 1.0 - share),
                dim: false,
                best: false,
            };
        }
        let text = match (cells, score.score, self.extremes(column)) {
            (Cells::Ranks, _, _) => format!("{rank}{}", tie(place)),
            (Cells::Intervals, _, _) => match score.rank_ci {
                Some((low, high)) if low < high => format!("{low}-{high}"),
                Some((low, _)) => low.to_string(),
                None => "–".to_owned(),
            },
            (Cells::Gaps, Some(score), Some((best, _))) => short((score - best).abs()),
            (_, score, _) => score.map_or_else(|| "–".to_owned(), short),
        };
        HeatCell {
            text: text.into(),
            heat: fraction(rank.saturating_sub(1), place.ranked.saturating_sub(1)),
            dim: score.rank_ci.is_some_and(|(low, high)| low < high),
            best: rank == 1,
        }
    }
}

/// A score that is a share of one of which more is better.
pub fn share(score: &Score) -> Option<f64> {
    let is_share = score.direction == Some(Direction::Higher);
    let value = score.score.filter(|_| is_share);
    value.filter(|value| (0.0..=1.0).contains(value))
}

/// The sign of a tie: `=` where a tie group or the rank is shared.
const fn tie(place: Place) -> &'static str {
    if place.group > 1 || place.equal > 1 {
        "="
    } else {
        ""
    }
}

fn ranked(rank: &AverageRank) -> Row {
    Row {
        model: rank.model.clone(),
        average: rank.value,
        is_tied: rank.tied,
        kind: Kind::Model,
        is_printed: rank.is_printed(),
    }
}

pub fn blank() -> HeatCell<'static> {
    HeatCell {
        text: "–".into(),
        heat: f64::NAN,
        dim: false,
        best: false,
    }
}

fn fraction(part: u32, whole: usize) -> f64 {
    let whole = u32::try_from(whole.max(1)).unwrap_or(u32::MAX);
    f64::from(part) / f64::from(whole)
}
