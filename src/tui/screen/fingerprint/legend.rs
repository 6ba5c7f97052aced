//! The legend of the grid: content, colours and symbols of the cells.

use ratatui::text::{Line, Span};

use super::cells::Cells;
use super::data::Fingerprint;
use crate::shared::AppState;
use crate::widget::text::width;

/// Number of cells in the colour sample.
const STEPS: u32 = 5;

/// A styled part of the legend.
type Part = Span<'static>;

/// Returns `ranks  best 1···9 worst   = tied`, shortened to fit.
pub fn line(
    shared: &AppState,
    fingerprint: &Fingerprint<'_>,
    cells: Cells,
    room: u16,
) -> Line<'static> {
    let theme = &shared.theme;
    let cells = fingerprint.supported(cells);
    let dim = |text: &str| Span::styled(text.to_owned(), theme.dim());
    let mut groups: Vec<Vec<Part>> = vec![vec![
        Span::raw(" "),
        Span::styled(cells.name(), theme.header()),
    ]];
    if cells == Cells::Acuity {
        let mut scale = vec![dim("10 hard ")];
        scale.extend(ramp(shared, ["·"; STEPS as usize]));
        scale.push(dim(" 1 easy"));
        groups.push(scale);
        groups.push(vec![dim(
            "level with accuracy half-way from chance to best",
        )]);
    } else if fingerprint.is_alone {
        let mut scale = vec![dim("1 ")];
        scale.extend(ramp(shared, ["·"; STEPS as usize]));
        scale.push(dim(" 0"));
        groups.push(scale);
        groups.push(vec![dim("one model: no ranks")]);
    } else if fingerprint.most_ranked == 0 {
        groups.push(vec![dim("not ranked")]);
    } else {
        let last = fingerprint.most_ranked.to_string();
        let ends = match cells {
            Cells::Ranks | Cells::Intervals => ["1", "·", "·", "·", &last],
            Cells::Acuity | Cells::Scores | Cells::Gaps => ["·"; STEPS as usize],
        };
        let mut colors = vec![dim("best ")];
        colors.extend(ramp(shared, ends));
        colors.push(dim(" worst"));
        groups.push(colors);
        groups.push(vec![dim(if cells == Cells::Ranks {
            "= tied, no clear difference over all pairs"
        } else {
            "no colour: tied"
        })]);
        if cells == Cells::Ranks && fingerprint.has_unranked {
            groups.push(vec![dim(".00 a score, not ranked")]);
        }
    }
    let mut spans: Vec<Part> = Vec::new();
    for group in groups {
        let gap = if spans.is_empty() { "" } else { "   " };
        let taken: u16 = spans
            .iter()
            .chain(&group)
            .map(|part| width(&part.content))
            .sum();
        if taken + width(gap) > room {
            break;
        }
        spans.push(Span::raw(gap));
        spans.extend(group);
    }
    Line::from(spans)
}

/// Returns the colours from best to worst, each with a text.
fn ramp(shared: &AppState, texts: [&str; STEPS as usize]) -> Vec<Part> {
    let step = |(at, text): (u32, &str)| {
        let heat = f64::from(at) / f64::from(STEPS - 1);
        Span::styled(text.to_owned(), shared.theme.heat(heat))
    };
    (0..).zip(texts).map(step).collect()
}
