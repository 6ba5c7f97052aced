//! A report on one screen: the rank and score of each model in each ability.

use std::collections::{HashMap, HashSet};

use itertools::Itertools as _;

use super::Summary;
use super::cells::{number, rank_text};
use super::columns::Columns;
use super::summary_grids::{rules_grid, score_text};
use super::{Document, Grid, different_settings, memory};
use analysis::{Evidence, Origin, Score, tied};
use base::format::{compact, counted, fixed};
use reader::annotations::{SET_ASIDE, why_unread};
use record::Kind;
use workspace::known_rules::AbilityRules;

/// Explanation of the cells.
const LEGEND: &str = "Each cell shows rank and score. * no other rank is possible at 95 %, = no clear \
                      difference from another model. --long prints all tables.";
/// Explanation of ranks over fewer samples than the score next to them.
const COMMON: &str = "~ The rank uses the samples that all ranked models answered; the score uses all samples of the model.";
/// Maximum number of models and of abilities in a table.
const MOST: usize = 30;
/// Maximum number of models whose evidence is shown.
const MOST_EVIDENCE: usize = 3;

/// The first tables of a report.
#[derive(Clone, Debug)]
pub struct Brief<'a> {
    summary: &'a Summary,
    /// Headline scores from logs, or published ones if there are no others.
    shown: Vec<Headline<'a>>,
}

/// A score to show, and how it compares with the other scores in its column.
#[derive(Clone, Copy, Debug)]
struct Headline<'a> {
    score: &'a Score,
    is_tied: bool,
    /// True if other models are ranked in the same column.
    has_rivals: bool,
}

/// Properties that all scores of a column share.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Column<'a> {
    ability: &'a str,
    split: Option<&'a str>,
    metric: &'a str,
    is_lower_better: bool,
}

impl Brief<'_> {
    /// Sentences above the tables.
    pub fn preface(&self) -> Vec<String> {
        let mut lines = self.summary.preface();
        lines.extend(self.evidence());
        lines.extend(self.published());
        lines.extend(self.superseded());
        lines.extend(different_settings::sentence(&self.summary.sources));
        lines.extend(self.problems());
        lines.push(LEGEND.to_owned());
        if self.shown.iter().any(Headline::is_of_common) {
            lines.push(COMMON.to_owned());
        }
        lines
    }

    /// Results of exams, a table of ranks and scores per benchmark, and scores under other rules.
    pub fn grids(&self) -> Vec<Grid> {
        let mut grids = self.summary.exam_grids();
        let shown = &self.shown;
        let benchmarks = shown.iter().map(|it| &it.score.benchmark).unique();
        grids.extend(benchmarks.map(|benchmark| {
            let same = |it: &&Headline<'_>| it.score.benchmark == *benchmark;
            self.fingerprint(benchmark, &shown.iter().filter(same).copied().collect_vec())
        }));
        grids.extend(self.printed_by_harness());
        grids.extend(memory::grid(&self.summary.memory));
        // With several models, only a change of the first place matters.
        let matters = |row: &&AbilityRules| {
            let mut rules = row.rules.iter();
            rules.any(|rule| rule.models.len() == 1 || row.moves_first(rule))
        };
        grids.push(rules_grid(
            self.summary.rules.iter().filter(matters).take(MOST),
        ));
        grids
    }
}

impl<'a> Brief<'a> {
    /// Chooses the headline scores of a report.
    pub fn of(summary: &'a Summary) -> Self {
        let scores = &summary.scores;
        let has_logs = scores.iter().any(|score| !score.is_printed());
        let headlines = scores.iter().zip(tied(scores));
        let headlines = headlines.filter(|(it, _)| it.headline && it.is_printed() != has_logs);
        let headlines = headlines.collect_vec();
        // Means over abilities that a paper prints are left out, unless there are no other scores.
        let is_mean = |score: &Score| score.is_printed() && score.is_aggregate();
        let has_others = headlines.iter().any(|(score, _)| !is_mean(score));
        let column = |score: &'a Score| (&score.benchmark, Column::of(score));
        let ranked = headlines.iter().filter(|(score, _)| score.rank.is_some());
        let ranked = ranked.counts_by(|(score, _)| column(score));
        let shown = headlines.into_iter();
        let shown = shown.filter(|(score, _)| !(has_others && is_mean(score)));
        let shown = shown
            .map(|(score, is_tied)| Headline {
                score,
                is_tied,
                has_rivals: ranked.get(&column(score)).is_some_and(|count| *count > 1),
            })
            .collect();
        Self { summary, shown }
    }

    /// Ranks and scores of one benchmark. Rows are models or abilities, whichever are more.
    fn fingerprint(&self, benchmark: &str, shown: &[Headline<'a>]) -> Grid {
        let is_printed = shown.iter().any(|it| it.score.is_printed());
        let averages = self.summary.average_ranks.iter();
        let averages = averages
            .filter(|rank| rank.benchmark == benchmark && rank.is_printed() == is_printed)
            .collect_vec();
        let ranked = averages.iter().map(|rank| rank.model.as_str());
        let models = ranked.chain(shown.iter().map(|it| it.score.model.as_str()));
        let models = models.unique().collect_vec();
        let columns = shown.iter().map(|it| Column::of(it.score)).unique();
        let columns = columns.collect_vec();
        let mut cells: HashMap<_, Headline<'_>> = HashMap::new();
        for &it in shown {
            let key = (it.score.model.as_str(), Column::of(it.score));
            let known = cells.entry(key).or_insert(it);
            if known.score.origin == Origin::Harness {
                *known = it;
            }
        }
        let cut = [(models.len(), "models"), (columns.len(), "columns")].into_iter();
        let cut = cut.filter(|(count, _)| *count > MOST);
        let cut =
            cut.map(|(count, what)| format!("; {MOST} of {count} {what} shown (--long: all)"));
        let title = format!(
            "{benchmark}: {}, {}{}{}",
            counted(models.len() as u64, "model"),
            match columns.iter().map(|column| column.ability).unique().count() {
                1 => "1 ability".to_owned(),
                abilities => format!("{} abilities", compact(abilities as u64)),
            },
            if is_printed { ", published" } else { "" },
            cut.collect::<String>(),
        );
        let models = &models[..models.len().min(MOST)];
        let columns = &columns[..columns.len().min(MOST)];
        let has_ranks = models.len() > 1;
        let head = ["model".to_owned(), "average rank".to_owned()];
        let mut rows = vec![
            head.into_iter()
                .chain(columns.iter().map(|column| column.heading(columns)))
                .collect_vec(),
        ];
        for model in models {
            let average = averages
                .iter()
                .find(|rank| rank.model == *model && has_ranks);
            let average = average.map(|rank| {
                let tie = if rank.tied { "=" } else { "" };
                format!("{}{tie}", fixed(rank.value, 2))
            });
            let cell = |column: &_| cells.get(&(*model, *column)).map(Headline::cell);
            let kind = shown.iter().find(|it| it.score.model == *model);
            let kind = kind
                .map(|it| it.score.kind)
                .filter(|kind| *kind != Kind::Model);
            let kind = kind.map(|kind| format!(" ({})", kind.words()));
            let cells = columns
                .iter()
                .map(|column| cell(column).unwrap_or_default());
            let name = format!("{model}{}", kind.unwrap_or_default());
            let begin = [name, average.unwrap_or_default()];
            rows.push(begin.into_iter().chain(cells).collect());
        }
        let samples = columns.iter().map(|column| {
            let of = models
                .iter()
                .filter_map(|model| cells.get(&(*model, *column)));
            range(of.map(|it| it.score.n))
        });
        let begin = ["samples".to_owned(), String::new()];
        rows.push(begin.into_iter().chain(samples).collect());
        if columns.len() > models.len() {
            rows = transposed(&rows);
        }
        let names = (rows.remove(0).into_iter().enumerate())
            .map(|(at, name)| format!("{name}{}", if at > 0 { ">" } else { "" }))
            .collect_vec();
        let mut grid = Grid::new(&title, &names.iter().map(String::as_str).collect_vec());
        for row in &rows {
            grid.push(row.iter().map(String::as_str));
        }
        grid
    }

    /// Sentence about scores that not every sample contributes to.
    fn evidence(&self) -> Option<String> {
        let words = self.shown.iter().filter_map(|Headline { score, .. }| {
            let words = score.evidence.as_deref().and_then(Evidence::words)?;
            Some(format!("{} in {}: {words}", score.model, score.ability))
        });
        let mut words = words.collect_vec();
        let more = words.len().saturating_sub(MOST_EVIDENCE);
        words.truncate(MOST_EVIDENCE);
        if more > 0 {
            words.push(format!("{more} more"));
        }
        (!words.is_empty()).then(|| {
            format!(
                "Not every sample was answered and scored: {}.",
                words.join("; ")
            )
        })
    }

    /// Sentence about published tables that are left out.
    fn published(&self) -> Option<String> {
        let scores = &self.summary.scores;
        if scores.iter().all(Score::is_printed) {
            return None;
        }
        let printed = scores.iter().filter(|score| score.is_printed());
        let benchmarks = printed
            .map(|score| score.benchmark.as_str())
            .unique()
            .join(", ");
        (!benchmarks.is_empty()).then(|| format!("Published scores are not shown: {benchmarks}."))
    }

    /// Scores that harnesses printed for models without a scored sample in the benchmark.
    fn printed_by_harness(&self) -> Option<Grid> {
        let key = |score: &'a Score| (score.benchmark.as_str(), score.model.as_str());
        let shown = self.shown.iter().map(|it| it.score);
        let with_samples: HashSet<_> = shown.filter(|it| it.score.is_some()).map(key).collect();
        let scores = self.summary.scores.iter().filter(|it| {
            it.origin == Origin::Harness && it.score.is_some() && !with_samples.contains(&key(it))
        });
        let scores = scores.collect_vec();
        let more = scores.len().saturating_sub(MOST);
        let title = match more {
            0 => "Printed by the harness, without scored samples".to_owned(),
            more => {
                format!("Printed by the harness, without scored samples; {more} more in --long")
            }
        };
        let grid = Columns::<Score>::new()
            .text("benchmark", |it| &it.benchmark)
            .text("ability", |it| &it.ability)
            .text("model", |it| &it.model)
            .metric(|it| &it.metric, |it| it.direction)
            .words("score>", score_text)
            .grid(&title, scores.iter().take(MOST).copied());
        (!scores.is_empty()).then_some(grid)
    }

    /// Sentence about logs that another run of the same model and data set replaces.
    fn superseded(&self) -> Option<String> {
        let sources = self.summary.sources.iter();
        let replaced = sources.filter(|it| why_unread(it).is_some_and(|why| why != SET_ASIDE));
        let names = replaced
            .map(|it| base::format::path(&it.path))
            .collect_vec();
        let first = names.first()?;
        let more = match names.len() {
            1 => String::new(),
            count => format!(" ({} more)", count - 1),
        };
        Some(format!(
            "Not counted, because a newer run of the same model and data set replaces it: {first}{more}."
        ))
    }

    /// Sentence about problems in the sources.
    fn problems(&self) -> Option<String> {
        let problems: u64 = self
            .summary
            .sources
            .iter()
            .map(record::Source::problem_count)
            .sum();
        let problems = (problems > 0).then(|| counted(problems, "problem"))?;
        let sources = counted(self.summary.sources.len() as u64, "source");
        Some(format!(
            "{problems} in {sources}: `eyechart check` lists them."
        ))
    }
}

impl<'a> Column<'a> {
    fn of(score: &'a Score) -> Self {
        Self {
            ability: &score.ability,
            split: score.split.as_deref(),
            metric: &score.metric,
            is_lower_better: !score.higher_is_better(),
        }
    }

    /// Ability, split and direction; and the metric if the ability has several columns.
    fn heading(&self, all: &[Self]) -> String {
        let same = |other: &&Self| (other.ability, other.split) == (self.ability, self.split);
        let metric = Some(self.metric).filter(|_| all.iter().filter(same).count() > 1);
        let metric = metric
            .map(|metric| format!(" {metric}"))
            .unwrap_or_default();
        let split = self.split.map(|split| format!(" ({split})"));
        let arrow = if self.is_lower_better { " ↓" } else { "" };
        format!(
            "{}{}{metric}{arrow}",
            self.ability,
            split.unwrap_or_default()
        )
    }
}

impl Headline<'_> {
    /// Rank with its signs, and score: `1* 0.912`; the score alone if it has no rank.
    fn cell(&self) -> String {
        let is_sure = self.score.rank_ci.is_some_and(|(low, high)| low == high);
        let sure = if is_sure && !self.is_tied { "*" } else { "" };
        let common = if self.is_of_common() { "~" } else { "" };
        let rank = self.score.rank.filter(|_| self.has_rivals);
        let rank = rank.map(|rank| rank_text(rank, self.is_tied));
        let rank = rank.map(|rank| format!("{rank}{sure}{common} "));
        format!("{}{}", rank.unwrap_or_default(), number(self.score.score))
    }

    /// True if the rank is computed from fewer samples than the score.
    fn is_of_common(&self) -> bool {
        self.has_rivals && self.score.rank.is_some() && self.score.rank_n != self.score.n
    }
}

/// Range of the sample counts of all models: `120` or `118-120`; empty for published scores.
pub(super) fn range(counts: impl Iterator<Item = u64>) -> String {
    match counts.minmax().into_option() {
        None | Some((_, 0)) => String::new(),
        Some((low, high)) if low == high => compact(low),
        Some((low, high)) => format!("{}-{}", compact(low), compact(high)),
    }
}

fn transposed(rows: &[Vec<String>]) -> Vec<Vec<String>> {
    let length = rows.first().map_or(0, Vec::len);
    let of = |at: usize| rows.iter().filter_map(|row| row.get(at).cloned()).collect();
    let mut turned: Vec<Vec<String>> = (0..length).map(of).collect();
    if let Some(corner) = turned.first_mut().and_then(|row| row.first_mut()) {
        "ability".clone_into(corner);
    }
    turned
}
