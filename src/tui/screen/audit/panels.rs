//! Panels next to the flagged samples: error rates by ability, ranks without flagged samples,
//! authors and their agreement.

use std::fmt::Write as _;

use ratatui::text::{Line, Span};

use crate::screen::part::interval;
use crate::shared::AppState;
use crate::widget::{fit, width};
use analysis::AverageRank;
use analysis::audit::{CorrectedScore, Findings, RankChange, Rate};
use analysis::metric::Agreement;
use base::format::{compact, counted, fixed, visible};
use record::verdict::Verdict;

use super::found::telling;

/// Number of panels, including the flagged samples.
pub const COUNT: usize = 4;
/// Maximum width of the name column, in cells.
const NAME: u16 = 28;
/// Total width of the number columns, in cells.
const NUMBERS: u16 = 39;

/// Returns the names of the panels, with the current one marked.
pub fn names(shared: &AppState, found: &Findings, shown: usize) -> Line<'static> {
    let mut spans = Vec::new();
    for panel in 0..COUNT {
        let style = if panel == shown {
            shared.theme.header()
        } else {
            shared.theme.dim()
        };
        let sign = if panel == shown { "▸" } else { " " };
        spans.push(Span::styled(
            format!("{sign}{}   ", name(found, panel)),
            style,
        ));
    }
    spans.push(Span::styled("←→", shared.theme.dim()));
    Line::from(spans)
}

fn name(found: &Findings, panel: usize) -> String {
    match panel {
        0 => format!("excluded samples {}", found.flagged.len()),
        1 => "abilities".to_owned(),
        2 => "ranks".to_owned(),
        _ => "authors".to_owned(),
    }
}

/// Returns the lines of a panel, followed by an empty line.
pub fn split_panels(
    shared: &AppState,
    found: &Findings,
    panel: usize,
    room: u16,
) -> Option<Vec<Line<'static>>> {
    let mut lines = lines(shared, found, panel, room)?;
    lines.push(Line::default());
    Some(lines)
}

/// Returns the lines of a panel; `None` for the list of flagged samples.
pub fn lines(
    shared: &AppState,
    found: &Findings,
    panel: usize,
    room: u16,
) -> Option<Vec<Line<'static>>> {
    let panel_of = Panel {
        shared,
        name: room.saturating_sub(NUMBERS).clamp(8, NAME),
    };
    match panel {
        0 => None,
        1 => Some(panel_of.abilities(found)),
        2 => Some(panel_of.ranks(found)),
        _ => Some(panel_of.authors(found)),
    }
}

/// Data for drawing any panel.
struct Panel<'a> {
    shared: &'a AppState,
    /// Width of the name column.
    name: u16,
}

impl Panel<'_> {
    /// Pads or cuts a name to the width of its column.
    fn padded(&self, text: &str) -> String {
        let text = visible(text);
        let text = fit(&text, self.name);
        let room = usize::from(self.name.saturating_sub(width(&text)));
        format!("{text}{} ", " ".repeat(room))
    }

    fn header(&self, name: &str, rest: &str) -> Line<'static> {
        Line::styled(
            format!("{}{rest}", self.padded(name)),
            self.shared.theme.header(),
        )
    }

    fn row(&self, name: &str, cells: String, dim: String) -> Line<'static> {
        let theme = &self.shared.theme;
        Line::from(vec![
            Span::styled(self.padded(name), theme.text()),
            Span::styled(cells, theme.text()),
            Span::styled(dim, theme.dim()),
        ])
    }

    fn rate(&self, name: &str, rate: &Rate) -> Line<'static> {
        let (wrong, judged) = (rate.count(Verdict::WrongLabel), compact(rate.audited));
        let cells = format!("{wrong:>7}{judged:>8}  {}", fixed(rate.error_rate, 3));
        self.row(name, cells, format!("  {}", interval(rate.ci)))
    }

    fn abilities(&self, found: &Findings) -> Vec<Line<'static>> {
        let mut lines = vec![self.header("ability", "  wrong  judged   rate")];
        let (audit, _) = telling(found);
        let rates = audit.abilities.iter();
        lines.extend(rates.map(|(name, rate)| self.rate(&name.name, rate)));
        lines
    }

    /// Formats average ranks with and without the flagged samples, and the statements about ranks
    /// that change.
    fn ranks(&self, found: &Findings) -> Vec<Line<'static>> {
        let own = |benchmark: &str| benchmark == self.shared.lens.benchmark;
        let corrected = found.corrected.as_ref();
        let head = match corrected {
            Some(_) => "    all  without  corrected",
            None => "    all  without",
        };
        let mut lines = vec![self.header("average rank", head)];
        for before in found
            .ranks_before
            .iter()
            .filter(|rank| own(&rank.benchmark))
        {
            let same = |rank: &&AverageRank| {
                (&rank.benchmark, &rank.model, rank.is_printed())
                    == (&before.benchmark, &before.model, before.is_printed())
            };
            let after = found
                .average_ranks
                .iter()
                .find(same)
                .and_then(|rank| rank.value);
            let mut cells = format!("{:>7}{:>9}", fixed(before.value, 2), fixed(after, 2));
            if let Some(corrected) = corrected {
                let rank = corrected.average_ranks.iter().find(same);
                let rank = fixed(rank.and_then(|rank| rank.value), 2);
                write!(cells, "{rank:>11}").unwrap_or_default();
            }
            lines.push(self.row(&before.model, cells, String::new()));
        }
        lines.extend(self.changes(
            "without the excluded samples",
            found.flagged.len(),
            &found.changes,
        ));
        if let Some(corrected) = corrected {
            let how = counted(corrected.samples as u64, "label");
            let how = format!("with {how} corrected");
            lines.extend(self.changes(&how, corrected.samples, &corrected.changes));
        }
        lines.extend(self.corrected_scores(found));
        lines
    }

    /// Formats scores of the lens's benchmark and ability, corrected by the spot check.
    fn corrected_scores(&self, found: &Findings) -> Vec<Line<'static>> {
        let lens = &self.shared.lens;
        let own = found.corrected_scores.iter().filter(|it| {
            it.benchmark == lens.benchmark && (lens.ability.is_none() || it.ability == lens.ability)
        });
        let row = |it: &CorrectedScore| {
            let corrected = it.correction.as_ref().ok()?;
            let ability = it.ability.as_deref().unwrap_or("all");
            Some(self.row(
                &format!("{} · {ability}", it.model),
                format!(
                    "{:>7}{:>9}",
                    fixed(Some(it.score), 3),
                    fixed(Some(corrected.score), 3)
                ),
                format!("  {}", interval(Some(corrected.ci))),
            ))
        };
        let rows: Vec<Line<'static>> = own.filter_map(row).collect();
        let head = self.header("score", " logged  corrected");
        let head = (!rows.is_empty()).then_some(head);
        head.into_iter().chain(rows).collect()
    }

    /// Formats the statements about ranks that change when this many samples are excluded or
    /// corrected.
    fn changes(&self, how: &str, samples: usize, changes: &[RankChange]) -> Vec<Line<'static>> {
        let own = |change: &&RankChange| change.benchmark() == self.shared.lens.benchmark;
        let changes: Vec<&RankChange> = changes.iter().filter(own).collect();
        let summary = match (samples, changes.len()) {
            (0, _) => "No sample is excluded.".to_owned(),
            (_, 0) => format!("No statement about ranks changes {how}."),
            (_, 1) => format!("1 statement about ranks changes {how}:"),
            (_, count) => format!(
                "{} about ranks change {how}:",
                counted(count as u64, "statement")
            ),
        };
        let mut lines = vec![Line::styled(summary, self.shared.theme.dim())];
        let warning = self.shared.theme.warning();
        let line =
            |known: &RankChange| Line::styled(visible(&known.to_string()).into_owned(), warning);
        lines.extend(changes.into_iter().map(line));
        lines
    }

    fn authors(&self, found: &Findings) -> Vec<Line<'static>> {
        let mut lines = vec![self.header("author", "  wrong  judged   rate")];
        lines.extend(
            found
                .authors
                .iter()
                .map(|(name, rate)| self.rate(name, rate)),
        );
        let of_pair = |(a, b, found): &(String, String, Agreement)| {
            let text = format!("{} and {}   {}", visible(a), visible(b), agreement(found));
            Line::styled(text, self.shared.theme.text())
        };
        lines.extend(found.agreements.iter().map(of_pair));
        if found.authors.len() < 2 {
            let text = "Add a second person's *.verdicts.jsonl to measure how much you agree.";
            lines.push(Line::styled(text, self.shared.theme.dim()));
        }
        lines
    }
}

/// Formats agreement: `same 0.80 of 20   kappa 0.63 [0.300, 0.956]`.
fn agreement(found: &Agreement) -> String {
    let kappa = found.why_not().map_or_else(
        || {
            format!(
                "kappa {} {}",
                fixed(found.kappa, 2),
                interval(found.interval)
            )
        },
        str::to_owned,
    );
    format!("same {} of {}   {kappa}", fixed(found.observed, 2), found.n)
}
