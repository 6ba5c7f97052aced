//! Rows and columns of the grid for the lens, and the content of its cells.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Deref;
use std::rc::Rc;

use crate::memo::Memo;
use crate::popup::short;
use crate::shared::{Answers, AppState, same_column};
use crate::widget::heat_grid::HeatCell;
use analysis::{Acuity, AverageRank, Score};
use record::benchmark::Direction;
use record::{Generation, Kind};
use report::examined;

use super::cells::Cells;
use crate::screen::names::SharedEnds;

/// A column: an ability or one of its splits.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Name of the ability, spelled as in the scores.
    pub ability: String,
    /// Variant of the data set, for example easy or hard.
    pub split: Option<String>,
    /// Name of the metric, spelled as in the scores.
    pub metric: String,
    /// Direction of the metric; `None` if unknown.
    pub direction: Option<Direction>,
}

/// A row: a tested model, or a reference that is not ranked.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Name of the model, spelled as in the scores.
    pub model: String,
    /// Average rank; `None` for an unranked row.
    pub average: Option<f64>,
    /// True if the average rank does not differ significantly from another model's.
    pub is_tied: bool,
    /// Kind of the row: tested model or reference.
    pub kind: Kind,
    /// True for published scores, false for measured scores.
    pub is_printed: bool,
}

/// Position of a score, and counts in its column.
#[derive(Clone, Copy, Debug)]
struct ScorePosition {
    /// Index among all scores.
    score: usize,
    /// Number of ranked models in the column.
    ranked: usize,
    /// Number of models in the score's tie group, including its own model.
    group: usize,
    /// Number of models with the same rank, including the score's own model.
    equal: usize,
}

/// Reference scores of a column.
#[derive(Clone, Copy, Debug, Default)]
struct ReferenceScores {
    /// Best and worst ranked score.
    extremes: Option<(f64, f64)>,
    /// Blind guess and best specialist.
    controls: Option<(f64, f64)>,
}

/// Rows, columns and the positions of the scores. The outline is cached, because it does not depend
/// on the cursor.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    /// Rows. Models are first, by average rank, best first; examined models come before all other
    /// models. References by kind follow.
    pub models: Vec<Row>,
    /// Abilities or their splits, in the order of the papers.
    pub columns: Vec<Column>,
    /// True if only one model was tested, so there are no ranks.
    pub is_alone: bool,
    /// True if a cell contains a score without a rank.
    pub has_unranked: bool,
    /// Maximum number of ranked models over all columns.
    pub most_ranked: usize,
    /// Prefix and suffix that all names share. The grid omits them.
    pub ends_of_names: SharedEnds,
    /// Positions of the scores, column by column, with one entry per row.
    places: Vec<Option<ScorePosition>>,
    /// Reference scores of each column.
    ends: Vec<ReferenceScores>,
}

/// Cache key of an outline: count of received answers, table, and benchmark.
pub type Source = (u64, Generation, String);

/// Returns the current cache key.
pub fn source(shared: &AppState) -> Source {
    (
        shared.answers.revision,
        shared.table.generation(),
        shared.lens.benchmark.clone(),
    )
}

impl Outline {
    /// Builds the outline of a benchmark. `examined` contains the models that were examined by an
    /// exam with levels; they are listed first.
    pub fn new(answers: &Answers, benchmark: &str, examined: &BTreeSet<&str>) -> Self {
        let shown = answers.scores.iter().enumerate();
        let shown = shown
            .filter(|(_, score)| score.benchmark == benchmark)
            .filter(|(_, score)| score.counts() || score.is_shown_unranked());
        let (mut columns, mut last): (Vec<Column>, Option<&Score>) = (Vec::new(), None);
        let mut cells: Vec<(usize, usize)> = Vec::new();
        // Tables of different papers may spell the same reference differently.
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
            ends_of_names: SharedEnds::new(models.iter().map(|row| row.model.as_str())),
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

    /// Assigns scores to the rows of their models.
    fn put(&mut self, scores: &[Score], cells: &[(usize, usize)]) {
        let mut rows: HashMap<(String, bool), Vec<usize>> = HashMap::new();
        for (at, row) in self.models.iter().enumerate() {
            let key = (row.model.to_lowercase(), row.is_printed);
            rows.entry(key).or_default().push(at);
        }
        // Most columns contain the same names, so look up each name only once.
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
                self.places[column * self.models.len() + row] = Some(ScorePosition {
                    score: *at,
                    ranked: 0,
                    group: 0,
                    equal: 0,
                });
            }
        }
    }

    /// Counts ranks and ties in a column.
    fn count(&mut self, scores: &[Score], column: usize) {
        let rows = self.models.len();
        let places = &mut self.places[column * rows..][..rows];
        let answered: Vec<&Score> = (places.iter().flatten())
            .filter_map(|place| scores.get(place.score))
            .collect();
        let rivals = [false, true].map(|printed| RankGroup::new(&answered, printed));
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
        self.ends.push(ReferenceScores::new(&answered, lower));
    }
}

/// Scores of a column that are ranked together. Published scores form their own group.
struct RankGroup<'a> {
    ranked: usize,
    ranks: HashMap<Option<u32>, usize>,
    groups: HashMap<&'a [u32], usize>,
}

impl<'a> RankGroup<'a> {
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

    /// Returns the number of models in at least one of these tie groups.
    fn group(&self, own: &[u32]) -> usize {
        let groups = self.groups.iter();
        let shared = groups.filter(|(other, _)| other.iter().any(|group| own.contains(group)));
        shared.map(|(_, count)| count).sum()
    }
}

impl ReferenceScores {
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

/// Rows and columns of the grid for the lens, with their scores.
pub struct Fingerprint<'a> {
    outline: Rc<Outline>,
    scores: &'a [Score],
    /// Acuity of every model in abilities whose items have levels.
    pub acuity: Vec<&'a Acuity>,
}

impl Deref for Fingerprint<'_> {
    type Target = Outline;

    fn deref(&self) -> &Outline {
        &self.outline
    }
}

impl<'a> Fingerprint<'a> {
    /// Creates the grid of the current lens. The outline is cached until new answers arrive.
    pub fn new(shared: &'a AppState, memo: &Memo<Source, Outline>) -> Self {
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

    fn place(&self, column: usize, row: usize) -> Option<ScorePosition> {
        if row >= self.models.len() {
            return None;
        }
        *self.places.get(column * self.models.len() + row)?
    }

    /// Returns the score of a cell; `None` for an empty cell.
    pub fn score(&self, column: usize, row: usize) -> Option<&'a Score> {
        self.scores.get(self.place(column, row)?.score)
    }

    /// Returns the number of ranked models in the column of a cell; 0 if the cell is empty.
    pub fn ranked(&self, column: usize, row: usize) -> usize {
        self.place(column, row).map_or(0, |place| place.ranked)
    }

    /// Returns the name of a row. The name is marked if the model has both measured and published
    /// scores.
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

    /// Returns a model's name without the parts that all names share.
    pub fn short_name<'n>(&self, name: &'n str) -> &'n str {
        self.ends_of_names.cut(name)
    }

    /// Returns the requested kind of content if the benchmark supports it, otherwise another kind.
    /// Acuity needs levels. Ranks need several models, of which at least one is ranked.
    pub fn supported(&self, cells: Cells) -> Cells {
        match cells {
            Cells::Acuity if !self.acuity.is_empty() => Cells::Acuity,
            _ if self.is_alone => Cells::Scores,
            Cells::Acuity | Cells::Ranks if self.most_ranked == 0 => Cells::Scores,
            Cells::Acuity => Cells::Ranks,
            cells => cells,
        }
    }

    /// Returns the blind guess and the best specialist of a column. Both must exist and differ.
    pub fn controls(&self, column: usize) -> Option<(f64, f64)> {
        self.ends.get(column)?.controls
    }

    /// Returns the best and the worst ranked score of a column.
    pub fn extremes(&self, column: usize) -> Option<(f64, f64)> {
        self.ends.get(column)?.extremes
    }

    /// Returns the cell of an unranked row: its score, or its distance from the best model.
    fn unranked_cell(&self, column: usize, score: &Score, cells: Cells) -> HeatCell<'static> {
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
        HeatCell::plain(text)
    }

    /// Returns the size of a cell's tie group, including the cell itself.
    pub fn group(&self, column: usize, row: usize) -> usize {
        self.place(column, row).map_or(0, |place| place.group)
    }

    /// Returns the names of the other models in a cell's tie groups, in the order of the rows.
    pub fn tied_with(&self, column: usize, row: usize) -> Vec<String> {
        let Some(own) = self.score(column, row) else {
            return Vec::new();
        };
        let is_tied = |other: &Score| {
            let mut groups = other.tie_groups.iter();
            other.ranked
                && other.is_printed() == own.is_printed()
                && groups.any(|group| own.tie_groups.contains(group))
        };
        let others = self.models.iter().enumerate();
        let others = others.filter(|(at, _)| *at != row);
        let tied = others.filter(|(at, _)| self.score(column, *at).is_some_and(is_tied));
        tied.map(|(_, other)| self.name(other).clone()).collect()
    }

    /// Returns true if the cell shares its tie group or rank with others, or if its rank interval
    /// contains other ranks.
    pub fn is_tied(&self, column: usize, row: usize) -> bool {
        let range = |score: &Score| score.rank_ci.is_some_and(|(low, high)| low < high);
        let is_shared = |place: ScorePosition| place.group > 1 || place.equal > 1;
        self.place(column, row).is_some_and(is_shared) || self.score(column, row).is_some_and(range)
    }

    /// Returns text and colour of a cell. If this kind of content is not available, uses the
    /// closest available kind.
    pub fn cell(&self, column: usize, row: usize, cells: Cells) -> HeatCell<'static> {
        let (Some(place), Some(score)) = (self.place(column, row), self.score(column, row)) else {
            return blank();
        };
        let cells = self.supported(cells);
        if cells == Cells::Acuity {
            return self.acuity_cell(column, row);
        }
        let Some(rank) = score.rank else {
            return self.unranked_cell(column, score, cells);
        };
        // A rank needs at least two models. If other cells show ranks, a score gets no colour.
        if place.ranked < 2 {
            let share = share(score).filter(|_| self.models.len() == 1);
            return HeatCell {
                text: score.score.map_or_else(|| "–".to_owned(), short).into(),
                heat: share.map_or(f64::NAN, |share| 1.0 - share),
                best: false,
            };
        }
        let is_tied = self.is_tied(column, row);
        let text = match (cells, score.score, self.extremes(column)) {
            (Cells::Ranks, _, _) if is_tied => format!("{rank}="),
            (Cells::Ranks, _, _) => rank.to_string(),
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
            heat: if is_tied {
                f64::NAN
            } else {
                fraction(rank.saturating_sub(1), place.ranked.saturating_sub(1))
            },
            best: rank == 1 && !is_tied,
        }
    }
}

/// Returns a score between 0 and 1 if higher values are better; otherwise `None`.
pub fn share(score: &Score) -> Option<f64> {
    let is_share = score.direction == Some(Direction::Higher);
    let value = score.score.filter(|_| is_share);
    value.filter(|value| (0.0..=1.0).contains(value))
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
    HeatCell::plain("–")
}

fn fraction(part: u32, whole: usize) -> f64 {
    let whole = u32::try_from(whole.max(1)).unwrap_or(u32::MAX);
    f64::from(part) / f64::from(whole)
}
