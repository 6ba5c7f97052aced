//! Draws the heat grid of ranks.

use std::borrow::Cow;

use crate::memo::Memo;
use crate::shared::AppState;
use crate::widget::heat_grid::{HeatCell, HeatCells, HeatColumn, HeatGrid, HeatRow, HeatWidths};
use base::format::{fixed, visible};
use record::Kind;
use record::benchmark::{Direction, short_name};
use report::{Align, Grid as Copied};

use super::FingerprintView;
use super::cells::Cells;
use super::data::{Column, Fingerprint, Source, source};

/// Returns the abbreviation and the full name of each column.
pub fn labels(columns: &[Column]) -> Vec<(String, String)> {
    let label = |column: &Column| {
        let name = visible(&column.ability).replace('_', " ");
        let short = short_name(&column.ability);
        match column.split.as_deref().map(visible) {
            None => (short, name),
            Some(split) => (short_split(&short, &split), format!("{name} {split}")),
        }
    };
    let mut labels: Vec<(String, String)> = columns.iter().map(label).collect();
    let all: Vec<String> = labels.iter().map(|(short, _)| short.clone()).collect();
    for (label, column) in labels.iter_mut().zip(columns) {
        let same = columns.iter().zip(&all);
        let same = same.filter(|(_, short)| **short == label.0);
        let names: Vec<&str> = same.map(|(column, _)| column.ability.as_str()).collect();
        if column.split.is_none()
            && let Some(short) = unique_abbreviation(&column.ability, &names)
        {
            label.0 = short;
        }
    }
    labels
}

/// Returns an abbreviation of the part of a name after the prefix that it shares with all other
/// names. Returns `None` if there is no other name, or if nothing follows the prefix.
fn unique_abbreviation(name: &str, others: &[&str]) -> Option<String> {
    let shared = |other: &&str| {
        let pairs = name.chars().zip(other.chars());
        pairs.take_while(|(a, b)| a == b).count()
    };
    let shared = others.iter().filter(|other| **other != name).map(shared);
    let shared = shared.min()?;
    let rest: String = name.chars().skip(shared).collect();
    let rest = rest.trim_start_matches(|c: char| !c.is_alphanumeric());
    (!rest.is_empty()).then(|| short_name(rest))
}

/// Returns texts with metric and direction for the line below a column's name, longest first.
fn under(column: &Column) -> Vec<String> {
    let arrow = column.direction.map_or("", Direction::arrow);
    let letters = record::benchmark::metric_letters(&column.metric).map(visible);
    let name = letters.clone();
    let name = name.unwrap_or_else(|| visible(&column.metric));
    let long = format!("{name} {arrow}");
    let short = letters.map(|letters| format!("{letters}{arrow}"));
    let texts = [Some(long), short, Some(arrow.to_owned())];
    texts.into_iter().flatten().collect()
}

/// Returns texts for the line below the name of a column with acuity levels, longest first.
fn level() -> Vec<String> {
    let texts = ["level ↑", "↑"];
    texts.map(str::to_owned).into()
}

/// Abbreviates a split: `eie` and `eih` for existence, easy and hard; `cir` for classification,
/// `imagenet_r`.
fn short_split(ability: &str, split: &str) -> String {
    let initials: String = split
        .split('_')
        .filter_map(|word| word.chars().next())
        .take(2)
        .collect();
    let first = ability.chars().next();
    // First and last letter distinguish `ref` from `rel`.
    let last = ability
        .chars()
        .last()
        .filter(|_| initials.chars().count() < 2);
    first
        .into_iter()
        .chain(last)
        .chain(initials.chars())
        .collect()
}

/// Minimum width to show labels on unranked rows.
const WORDS: u16 = 120;

/// Cached widths of the columns. The key contains the kind of content and whether labels fit.
pub type Widths = Memo<(Source, Cells, bool), HeatWidths>;

/// Rows of the grid, and the kind of content in their cells.
pub struct Grid<'a> {
    shared: &'a AppState,
    fingerprint: &'a Fingerprint<'a>,
    said: Cells,
    /// Width in screen columns.
    width: u16,
}

impl HeatCells for Grid<'_> {
    fn total(&self) -> usize {
        self.fingerprint.models.len()
    }

    fn row(&self, row: usize) -> HeatRow<'_> {
        let Some(row) = self.fingerprint.models.get(row) else {
            return HeatRow::default();
        };
        let mut picked = self.shared.picked.iter();
        HeatRow {
            name: visible(self.fingerprint.short_name(&self.fingerprint.name(row)))
                .into_owned()
                .into(),
            series: picked.position(|picked| *picked == row.model),
            lead: vec![match row.kind {
                Kind::Model if self.fingerprint.is_alone => "".into(),
                Kind::Model if row.is_tied => format!("{}=", fixed(row.average, 2)).into(),
                Kind::Model => fixed(row.average, 2).into(),
                kind if self.width >= WORDS => kind.words().into(),
                kind => kind.short().into(),
            }],
            apart: row.kind != Kind::Model,
        }
    }

    fn cell(&self, row: usize, column: usize) -> HeatCell<'_> {
        self.fingerprint.cell(column, row, self.said)
    }
}

/// Returns the whole grid for copying, including all models and full column names.
pub fn copied(shared: &AppState, fingerprint: &Fingerprint<'_>, said: Cells) -> Copied {
    let names = labels(&fingerprint.columns).into_iter();
    let names = names.map(|(_, long)| (long, Align::Right));
    let head = [("model", Align::Left), ("average rank", Align::Right)];
    let head = head.map(|(name, align)| (name.to_owned(), align));
    let mut copied = Copied {
        columns: head.into_iter().chain(names).collect(),
        ..Copied::default()
    };
    let grid = Grid {
        shared,
        fingerprint,
        said,
        width: WORDS,
    };
    for at in 0..grid.total() {
        let row = grid.row(at);
        let name = fingerprint.models.get(at).map(|row| fingerprint.name(row));
        let mut cells = vec![visible(&name.unwrap_or_default()).into_owned()];
        cells.extend(row.lead.into_iter().map(Cow::into_owned));
        let columns = 0..fingerprint.columns.len();
        cells.extend(columns.map(|column| grid.cell(at, column).text.into_owned()));
        copied.push(cells.iter().map(String::as_str));
    }
    copied
}

impl FingerprintView {
    /// Builds a grid of this width and passes it to `use_it`. The grid borrows its cells, so it
    /// cannot be returned.
    pub(super) fn with_grid<T>(
        &self,
        shared: &AppState,
        fingerprint: &Fingerprint<'_>,
        width: u16,
        use_it: impl FnOnce(HeatGrid<'_, Grid<'_>>) -> T,
    ) -> T {
        let said = self.cells;
        let labels = labels(&fingerprint.columns);
        let is_level = fingerprint.supported(said) == Cells::Acuity;
        let under = |column: &Column| if is_level { level() } else { under(column) };
        let under: Vec<Vec<String>> = fingerprint.columns.iter().map(under).collect();
        let columns: Vec<HeatColumn<'_>> = labels
            .iter()
            .zip(&under)
            .map(|((short, long), under)| HeatColumn { short, long, under })
            .collect();
        let grid = Grid {
            shared,
            fingerprint,
            said,
            width,
        };
        let widths = self.widths.of((source(shared), said, width >= WORDS), |_| {
            HeatWidths::of(&grid, columns.len())
        });
        use_it(HeatGrid {
            theme: &shared.theme,
            lead: &[if fingerprint.is_alone { "" } else { "avg" }],
            columns: &columns,
            rows: &grid,
            widths: &widths,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_ranks_without_a_tie_have_a_colour() {
        let app = crate::tests::opened("tests/fixtures/ava_bench");
        let outline = Memo::default();
        let fingerprint = Fingerprint::new(&app.shared, &outline);
        let (columns, rows) = (fingerprint.columns.len(), fingerprint.models.len());
        let cells = (0..columns).flat_map(|column| (0..rows).map(move |row| (column, row)));
        let (mut tied, mut sure) = (0, 0);
        for (column, row) in cells {
            let score = fingerprint.score(column, row);
            let Some((rank, range)) = score.and_then(|score| score.rank.zip(score.rank_ci)) else {
                continue;
            };
            let cell = fingerprint.cell(column, row, Cells::Ranks);
            let is_tied = cell.text == format!("{rank}=");
            assert_eq!(cell.heat.is_nan(), is_tied, "{column} {row}");
            assert!(is_tied || range == (rank, rank), "{column} {row}");
            tied += usize::from(is_tied);
            sure += usize::from(!is_tied);
        }
        assert!(tied > 0 && sure > 0, "{tied} {sure}");
    }

    #[test]
    fn names_that_begin_alike_have_short_names_of_their_own() {
        let names = ["ability_00", "ability_01", "ability_12"];
        let short = |name: &str| unique_abbreviation(name, &names).unwrap_or_default();
        assert_eq!(names.map(short), ["00", "01", "12"]);
        assert_eq!(unique_abbreviation("count", &["count"]), None);
        assert_eq!(unique_abbreviation("count", &["count", "count_cars"]), None);
        assert_eq!(
            unique_abbreviation("count_cars", &["count", "count_cars"]).as_deref(),
            Some("car")
        );
    }
}
