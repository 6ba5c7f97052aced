//! Popup with all pairs of models of an ability: which model is better, and whether the
//! difference is significant.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Wrap};

use crate::action::Action;
use crate::change::{Change, Reply};
use crate::frame_output::{ScrollSlot, ScrollState};
use crate::memo::Memo;
use crate::screen::instead;
use crate::shared::AppState;
use crate::widget::heat_grid::{
    HeatCell, HeatCells, HeatColumn, HeatGrid, HeatGridState, HeatRow, HeatWidths,
};
use crate::widget::width;
use analysis::{Win, Wins};
use base::format::{compact, fixed, probability, visible};
use engine::Query;
use record::Generation;
use record::benchmark::Direction;

use super::part::{CLOSE, KeyLabel, Overlay, grid_moved, open, short};

/// Returns the query: all models and abilities of the benchmark, under the lens's filter.
fn query(shared: &AppState) -> engine::Pairs {
    engine::Pairs {
        scope: shared.scope(&shared.lens.whole()),
    }
}

/// Returns the pairs of the ability under the cursor, if they have arrived and the ability has
/// pairs.
fn known(shared: &AppState) -> Option<&Wins> {
    let (_, found) = shared.answers.wins.as_ref().filter(|_| is_known(shared))?;
    let columns = shared.answers.columns(&shared.lens.benchmark);
    let here = columns.get(shared.cell.column).or(columns.first());
    let ability = shared.lens.ability.as_ref();
    let ability = ability.or(here.map(|score| &score.ability))?;
    let of_ability =
        |wins: &&Wins| wins.benchmark == shared.lens.benchmark && wins.ability == *ability;
    // If the ability has several splits, use the split under the cursor.
    let split = here.filter(|score| score.ability == *ability);
    let split = split.and_then(|score| score.split.as_ref());
    let of_split = |wins: &&Wins| of_ability(wins) && wins.split.as_ref() == split;
    let exact = found.iter().find(of_split);
    exact.or_else(|| found.iter().find(of_ability))
}

/// Returns true if the pairs of all abilities have arrived.
fn is_known(shared: &AppState) -> bool {
    let asked = shared.answers.wins.as_ref().map(|(asked, _)| asked);
    asked == Some(&query(shared))
}

/// State of the popup: cursor and cached index.
#[derive(Clone, Debug, Default)]
pub struct WinGrid {
    cell: HeatGridState,
    /// Pair of models (row, column) under the cursor at the start; `None` once the cursor was
    /// moved.
    pair: Option<[String; 2]>,
    index: Memo<Source, Index>,
}

impl WinGrid {
    /// Creates the popup with the cursor on a pair of models.
    pub fn at(pair: Option<[String; 2]>) -> Self {
        Self {
            pair,
            ..Self::default()
        }
    }

    /// Returns the cursor: the pair, or the first two models if the pair is incomplete.
    fn cursor(&self, wins: &Wins) -> HeatGridState {
        let Some(pair) = &self.pair else {
            return self.cell;
        };
        let place = |name: &String| wins.models.iter().position(|(model, _)| model == name);
        let [row, column] = match pair.each_ref().map(place) {
            [Some(row), Some(column)] => [row, column],
            [Some(0), None] | [None, _] => [0, 1],
            [Some(row), None] => [row, 0],
        };
        HeatGridState {
            row,
            column: column.min(wins.models.len().saturating_sub(1)),
            ..self.cell
        }
    }
}

/// Cache key of the grid: count of received answers, table, ability and split.
type Source = (u64, Generation, [String; 2], Option<String>);

/// Index of the pairs by grid cell, and the width of the widest cell.
#[derive(Debug)]
struct Index {
    /// Index of the pair of each cell, row by row.
    places: Vec<Option<u32>>,
    number: u16,
}

impl Index {
    fn of(wins: &Wins) -> Self {
        let models = wins.models.len();
        let mut places = vec![None; models * models];
        for (at, win) in (0..).zip(&wins.pairs) {
            places[win.better * models + win.worse] = Some(at);
            places[win.worse * models + win.better] = Some(at);
        }
        // Larger numbers are at least as wide, except that numbers from 10 have no decimals.
        let largest = |from: f64, to: f64| {
            let differences = wins.pairs.iter().map(|win| win.difference);
            let within = differences.filter(|difference| (from..to).contains(difference));
            within.reduce(f64::max)
        };
        let widest = [
            largest(0.0, 1.0),
            largest(1.0, 10.0),
            largest(10.0, f64::INFINITY),
        ];
        let widest = widest
            .into_iter()
            .flatten()
            .map(|value| width(&short(value)));
        Self {
            places,
            // Two extra columns for the sign and the mark of significance.
            number: widest.max().unwrap_or_default() + 2,
        }
    }
}

struct Grid<'a> {
    wins: &'a Wins,
    index: &'a Index,
    heads: &'a [(String, String)],
}

impl HeatCells for Grid<'_> {
    fn total(&self) -> usize {
        self.heads.len()
    }

    fn row(&self, row: usize) -> HeatRow<'_> {
        let (Some((_, name)), Some((_, score))) = (self.heads.get(row), self.wins.models.get(row))
        else {
            return HeatRow::default();
        };
        HeatRow {
            name: name.as_str().into(),
            series: None,
            lead: vec![short(*score).into()],
            apart: false,
        }
    }

    fn cell(&self, row: usize, column: usize) -> HeatCell<'_> {
        let place = self.index.places.get(row * self.heads.len() + column);
        let place = place.copied().flatten();
        cell(place.and_then(|at| self.wins.pairs.get(at as usize)), row)
    }
}

/// Returns the cell that compares a row's model with a column's.
fn cell(win: Option<&Win>, row: usize) -> HeatCell<'static> {
    let Some(win) = win else {
        return HeatCell::plain("·");
    };
    let is_better = win.better == row;
    let sign = match (win.difference > 0.0, is_better) {
        (false, _) => "=",
        (true, true) => "+",
        (true, false) => "-",
    };
    HeatCell {
        text: format!(
            "{sign}{}{}",
            short(win.difference),
            if win.sure { "!" } else { "" }
        )
        .into(),
        heat: match (win.sure, is_better) {
            (false, _) => f64::NAN,
            (true, true) => 0.0,
            (true, false) => 1.0,
        },
        best: win.sure && is_better,
    }
}

fn with_grid<T>(
    shared: &AppState,
    wins: &Wins,
    index: &Index,
    use_it: impl FnOnce(HeatGrid<'_, Grid<'_>>) -> T,
) -> T {
    let names = wins.models.iter();
    let heads: Vec<(String, String)> = (1..)
        .zip(names)
        .map(|(place, (name, _))| (place.to_string(), format!("{place} {}", visible(name))))
        .collect();
    // Columns are titled with row numbers, because names would be too long.
    let columns: Vec<HeatColumn<'_>> = heads
        .iter()
        .map(|(place, _)| HeatColumn::new(place, place))
        .collect();
    let grid = Grid {
        wins,
        index,
        heads: &heads,
    };
    let widths = HeatWidths {
        number: index.number,
        ..HeatWidths::of_rows(&grid)
    };
    use_it(HeatGrid {
        theme: &shared.theme,
        lead: &["score"],
        columns: &columns,
        rows: &grid,
        widths: &widths,
    })
}

/// Describes a pair: `SigLIP-2 is better than DINOv2, accuracy 0.123 higher: better on 34 of 200
/// samples, worse on 12; p 0.002, adjusted over all pairs and abilities 0.040: a
/// clear difference`.
///
/// Without a clear difference, begins with `no clear difference: SigLIP-2 is ahead of DINOv2,
/// accuracy 0.012 higher`.
fn sentence(wins: &Wins, win: &Win) -> String {
    let name = |at: usize| wins.models.get(at).map_or("", |(name, _)| name.as_str());
    let (better, worse) = (visible(name(win.better)), visible(name(win.worse)));
    let metric = record::benchmark::metric_words(&wins.metric);
    let metric = visible(&metric);
    let direction = if wins.direction == Direction::Lower {
        "lower"
    } else {
        "higher"
    };
    let (first, how, last) = if win.sure {
        ("", "is better than", ": a clear difference")
    } else {
        ("no clear difference: ", "is ahead of", "")
    };
    let by = if win.difference > 0.0 {
        let by = fixed(Some(win.difference), 3);
        format!("{better} {how} {worse}, {metric} {by} {direction}")
    } else {
        format!("{better} and {worse} have the same {metric}")
    };
    let on = win.samples.map_or_else(String::new, |(more, less)| {
        let [more, less, n] = [more, less, wins.n].map(compact);
        format!(": better on {more} of {n} samples, worse on {less}")
    });
    format!(
        "{first}{by}{on}; p {}, adjusted over all pairs and abilities {}{last}",
        probability(win.p_value),
        probability(win.p_adjusted)
    )
}

impl Overlay for WinGrid {
    fn draw(&self, shared: &AppState, frame: &mut Frame<'_>) -> (Rect, ScrollState) {
        let screen = frame.area();
        let width = screen.width.saturating_sub(6).min(130);
        let found = known(shared);
        let models = found.map_or(1, |wins| wins.models.len());
        let tall = u16::try_from(models).unwrap_or(u16::MAX).saturating_add(7);
        let height = tall.min(screen.height.saturating_sub(4));
        let mut state = found.map_or(self.cell, |wins| self.cursor(wins));
        let Some(wins) = found else {
            let inner = open(shared, frame, "win matrix", (width, 3));
            let words = if is_known(shared) {
                let words = "no samples that two models both answered: these scores are published";
                words.to_owned()
            } else {
                instead(shared, query(shared), "testing pairs")
            };
            frame.render_widget(Line::styled(words, shared.theme.dim()), inner);
            return (inner, ScrollState::Cell(state));
        };
        let split = wins.split.as_ref().map(|split| format!(" ({split})"));
        let title = format!("{}{}", wins.ability, split.unwrap_or_default());
        let title = format!("win matrix: {}", visible(&title));
        let inner = open(shared, frame, &title, (width, height));
        let [top, foot] =
            Layout::vertical([Constraint::Fill(1), Constraint::Length(5)]).areas(inner);
        let ability = [wins.benchmark.clone(), wins.ability.clone()];
        let (answers, table) = (shared.answers.revision, shared.table.generation());
        let source = (answers, table, ability, wins.split.clone());
        let index = self.index.of(source, |_| Index::of(wins));
        with_grid(shared, wins, &index, |grid| {
            frame.render_stateful_widget(grid, top, &mut state);
        });
        let theme = &shared.theme;
        let said = match wins.pair(state.row, state.column) {
            Some(win) => sentence(wins, win),
            None => "the same model twice".to_owned(),
        };
        let lines = vec![
            Line::styled("─".repeat(usize::from(foot.width)), theme.border()),
            Line::from(said),
            Line::styled(
                "+ row better  - row worse  ! a clear difference, over all pairs",
                theme.dim(),
            ),
        ];
        frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: true }), foot);
        (inner, ScrollState::Cell(state))
    }

    fn scroll_slot(&mut self) -> ScrollSlot<'_> {
        ScrollSlot::Cell(&mut self.cell)
    }

    fn keys(&self, _: &AppState) -> Vec<KeyLabel> {
        vec![
            ("↑↓←→", "move"),
            ("Enter", "compare"),
            ("aA", "ability"),
            CLOSE,
        ]
    }

    fn move_by(&mut self, step: isize) {
        self.pair = None;
        self.scroll_slot().move_by(step);
    }

    fn act(&mut self, shared: &AppState, action: Action) -> Reply {
        let Some(wins) = known(shared) else {
            return Reply::with(Change::Close);
        };
        self.cell = self.cursor(wins);
        match action {
            Action::NextAbility | Action::PreviousAbility | Action::CopyCommand => Reply::PassOn,
            Action::Open => {
                let name = |at: usize| Some(wins.models.get(at)?.0.clone());
                match (name(self.cell.row), name(self.cell.column)) {
                    (Some(one), Some(other)) if one != other => Reply::from(vec![
                        Change::Close,
                        Change::Act(Action::ViewCompare),
                        Change::Pair([one, other]),
                    ]),
                    _ => Reply::DONE,
                }
            }
            action => {
                self.pair = None;
                let size = (wins.models.len(), wins.models.len());
                grid_moved(&mut self.cell, size, action)
            }
        }
    }

    fn query(&self, shared: &AppState) -> Option<Query> {
        Some(query(shared).into())
    }

    fn is_known(&self, shared: &AppState) -> bool {
        is_known(shared)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_that_is_not_clear_is_not_called_better() {
        let win = Win {
            better: 0,
            worse: 1,
            difference: 0.032,
            samples: Some((9, 4)),
            p_value: 0.225,
            p_adjusted: 1.0,
            sure: false,
        };
        let wins = Wins {
            benchmark: "b".to_owned(),
            ability: "counting".to_owned(),
            split: None,
            metric: "accuracy".to_owned(),
            direction: Direction::Higher,
            n: 30,
            models: vec![("dino".to_owned(), 0.5), ("clip".to_owned(), 0.468)],
            pairs: vec![win.clone()],
            left_out: 0,
        };
        let unsure = sentence(&wins, &win);
        let expected = "no clear difference: dino is ahead of clip, accuracy 0.032 higher: better on 9 of 30 \
                        samples, worse on 4; p ";
        assert!(unsure.starts_with(expected), "{unsure}");
        assert!(!unsure.contains("is better than"), "{unsure}");
        let sure = sentence(&wins, &Win { sure: true, ..win });
        assert!(
            sure.starts_with("dino is better than clip, accuracy"),
            "{sure}"
        );
        assert!(sure.ends_with(": a clear difference"), "{sure}");
    }
}
