//! Describes the cell under the cursor in words and numbers.

use ratatui::text::{Line, Span};

use crate::shared::AppState;
use crate::widget::fit;
use crate::widget::heat_grid::HeatGridState;
use analysis::{Cost, Evidence, Origin, Score};
use base::format::{compact, counted, fixed, money, visible, whole};
use record::Kind;
use record::benchmark::Direction;

use super::data::{Column, Fingerprint, Row};

/// Returns lines of this width: `localization  rank 1 [1-2] of 9   GIoU 0.674 [0.666, 0.682]   n
/// 6,912   invalid 0` and a rule. If samples were asked repeatedly, a line about repeats comes
/// first.
pub fn lines(
    shared: &AppState,
    fingerprint: &Fingerprint<'_>,
    costs: &[Cost],
    width: u16,
) -> Vec<Line<'static>> {
    let state = &shared.cell;
    let (Some(row), Some(column)) = (
        fingerprint.models.get(state.row),
        fingerprint.columns.get(state.column),
    ) else {
        return Vec::new();
    };
    let theme = &shared.theme;
    let rule = "─".repeat(usize::from(width));
    let repeated = repeated(shared, row, column);
    let acuity = acuity(fingerprint, state);
    let above = repeated.into_iter().chain(acuity);
    let above = above.map(|words| Line::styled(words, theme.dim()));
    let above: Vec<Line<'static>> = above.map(|line| cut(line, width)).collect();
    let cost = cost(shared, costs, row, column).map(|words| Span::styled(words, theme.dim()));
    let words = |length| {
        let mut line = words(shared, fingerprint, column, length);
        line.spans.extend(cost.clone());
        line
    };
    // The cursor already shows the model, so omit its name if the numbers need the space.
    let named = |mut line: Line<'static>| {
        let name = format!("{} ", visible(&fingerprint.name(row)));
        line.spans.insert(0, Span::styled(name, theme.header()));
        line
    };
    let fits = |line: &Line<'_>| line.width() <= usize::from(width);
    let by_length = [
        named(words(Length::Long)),
        named(words(Length::Ties)),
        named(words(Length::Short)),
        words(Length::Short),
    ];
    let fitting = by_length.into_iter().find(fits);
    let here = fitting.unwrap_or_else(|| cut(words(Length::Least), width));
    let rule = Line::styled(rule, theme.border());
    above.into_iter().chain([here, rule]).collect()
}

/// Level of detail of a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Length {
    /// Words and all numbers.
    Long,
    /// Symbols instead of words, with the tied models.
    Ties,
    /// Symbols instead of words, without the tied models.
    Short,
    /// Symbols, with intervals rounded to two decimals.
    Least,
}

/// Returns `acuity 6.0 [4.5, 7.2], level 1 easy to 10 hard; n 60, chance 0.25; best of the
/// others gabor 6.2`.
fn acuity(fingerprint: &Fingerprint<'_>, state: &HeatGridState) -> Option<String> {
    let own = fingerprint.acuity(state.column, state.row)?;
    let others = fingerprint.acuity.iter();
    let others = others.filter(|one| one.ability == own.ability && one.model != own.model);
    let best = others.max_by(|one, other| one.found.threshold.total_cmp(&other.found.threshold));
    let best = best.map_or_else(String::new, |best| {
        let model = visible(&best.model);
        format!(
            "; best of the others {model} {}",
            best.found.reach().words()
        )
    });
    Some(format!(
        "acuity {}, level 1 easy to 10 hard; n {}, chance {}{best}",
        own.words(),
        compact(own.n),
        fixed(Some(own.chance), 2)
    ))
}

/// Cuts a line to a width, with `…` at its end.
fn cut(line: Line<'static>, width: u16) -> Line<'static> {
    let mut room = width;
    let mut spans = Vec::new();
    for span in line.spans {
        let text = fit(&span.content, room).into_owned();
        let is_whole = text == span.content;
        room = room.saturating_sub(crate::widget::width(&text));
        spans.push(Span::styled(text, span.style));
        if !is_whole {
            break;
        }
    }
    Line::from(spans)
}

/// Describes the cell under the cursor, in this column, at a level of detail.
fn words(
    shared: &AppState,
    fingerprint: &Fingerprint<'_>,
    column: &Column,
    length: Length,
) -> Line<'static> {
    let (theme, state) = (&shared.theme, &shared.cell);
    let mut spans = Vec::new();
    let ability = format!("{}  ", visible(&column.ability));
    spans.push(Span::styled(ability, theme.accent()));
    match fingerprint.score(state.column, state.row) {
        None => spans.push(Span::styled("not answered", theme.dim())),
        Some(score) => {
            if !fingerprint.is_alone {
                spans.extend(
                    rank(shared, fingerprint, score, length)
                        .into_iter()
                        .flatten(),
                );
            }
            spans.extend(describe(shared, score, length));
        }
    }
    Line::from(spans)
}

/// Returns `4 answers to each of 30 samples: majority 0.612, pass@2 0.710, pass@4 0.803; 34 %
/// of the variance between repeats`.
fn repeated(shared: &AppState, row: &Row, column: &Column) -> Option<String> {
    let found = shared.answers.repeats.iter().find(|repeats| {
        repeats.benchmark == shared.lens.benchmark
            && repeats.model == row.model
            && repeats.ability == column.ability
    })?;
    let (fewest, most) = found.tries;
    let tries = if fewest == most {
        most.to_string()
    } else {
        format!("{fewest} to {most}")
    };
    let majority = found
        .majority
        .map(|at| format!("majority {}", fixed(Some(at.score), 3)));
    let pass = found.pass_at.iter();
    let pass = pass.map(|at| format!("pass@{} {}", at.k, fixed(Some(at.score), 3)));
    let parts: Vec<String> = majority.into_iter().chain(pass).collect();
    let share = found.between_repeats.map_or_else(String::new, |share| {
        format!("; {:.0} % of the variance between repeats", 100.0 * share)
    });
    let n = compact(found.samples);
    Some(format!(
        "{tries} answers to each of {n} samples: {}{share}",
        parts.join(", ")
    ))
}

/// Returns `   52.7K tokens, $0.14`: the known cost of the run.
fn cost(shared: &AppState, costs: &[Cost], row: &Row, column: &Column) -> Option<String> {
    let cost = costs.iter().find(|cost| {
        cost.benchmark == shared.lens.benchmark
            && cost.model == row.model
            && cost.ability == column.ability
    })?;
    cost_words(cost)
}

/// Formats the cost of a run; without token counts, the number of requests.
fn cost_words(cost: &Cost) -> Option<String> {
    let tokens = cost.prompt.unwrap_or_default() + cost.completion.unwrap_or_default();
    let tokens = if tokens > 0.0 {
        Some(counted(whole(tokens), "token"))
    } else {
        cost.requests.map(|count| counted(count, "request"))
    };
    let usd = cost.usd.map(|usd| format!("${}", money(usd, 2)));
    let words: Vec<String> = tokens.into_iter().chain(usd).collect();
    Some(format!("   {}", words.join(", "))).filter(|_| !words.is_empty())
}

const fn by_harness(wide: bool) -> &'static str {
    if wide {
        "computed by the harness"
    } else {
        "by harness"
    }
}

/// Returns `, tied with hog, color and 2 others`. The text is empty without tied models.
fn tie(tied: &[String]) -> String {
    let names: Vec<_> = tied.iter().map(|name| visible(name)).collect();
    match names.as_slice() {
        [] => String::new(),
        [only] => format!(", tied with {only}"),
        [first, second] => format!(", tied with {first} and {second}"),
        [first, second, third] => format!(", tied with {first}, {second} and {third}"),
        [first, second, rest @ ..] => {
            format!(", tied with {first}, {second} and {} others", rest.len())
        }
    }
}

/// Returns `   n 200`. If the rank uses only a part of the samples, returns `   n 200, ranked by
/// 0.812 over the 184 that all answered`. On a narrow screen, the latter is `   n 200, 184 ranked`.
fn n_of(score: &Score, wide: bool) -> String {
    let (n, common) = (compact(score.n), compact(score.rank_n));
    if score.rank.is_none() || score.rank_n == score.n {
        return format!("   n {n}");
    }
    if !wide {
        return format!("   n {n}, {common} ranked");
    }
    let by = fixed(score.rank_score, 3);
    format!("   n {n}, ranked by {by} over the {common} that all answered")
}

/// Returns `rank 1 [1-2] of 9, tied with hog`, or nothing if the score has no rank. The number of
/// models and the tied models are omitted if they do not fit.
fn rank(
    shared: &AppState,
    fingerprint: &Fingerprint<'_>,
    score: &Score,
    length: Length,
) -> Option<[Span<'static>; 2]> {
    let (rank, (row, column)) = (score.rank?, (shared.cell.row, shared.cell.column));
    let interval = score
        .rank_ci
        .map(|(low, high)| format!(" [{low}-{high}]"))
        .unwrap_or_default();
    let of = (length == Length::Long).then(|| format!(" of {}", fingerprint.ranked(column, row)));
    let of = of.unwrap_or_default();
    let tie_words = if matches!(length, Length::Long | Length::Ties) {
        tie(&fingerprint.tied_with(column, row))
    } else {
        String::new()
    };
    let sign = if fingerprint.is_tied(column, row) {
        "="
    } else {
        ""
    };
    Some([
        Span::styled(format!("rank {rank}{sign}"), shared.theme.text()),
        Span::styled(format!("{interval}{of}{tie_words}   "), shared.theme.dim()),
    ])
}

fn describe(shared: &AppState, score: &Score, length: Length) -> Vec<Span<'static>> {
    let wide = length == Length::Long;
    let theme = &shared.theme;
    let mut spans = Vec::new();
    let arrow = score.direction.map_or("", Direction::arrow);
    let metric = if wide {
        record::benchmark::metric_words(&score.metric)
    } else {
        record::benchmark::metric_symbol(&score.metric)
    };
    if let Some(why) = score.excluded {
        let words = if wide {
            format!("not ranked: {}   ", why.words())
        } else {
            format!(
                "not ranked, {} of {} answered   ",
                compact(why.answered),
                compact(why.of)
            )
        };
        spans.push(Span::styled(words, theme.warning()));
    }
    if let Some(why) = &score.why_not {
        let words = format!("not ranked: {}   ", why.brief());
        spans.push(Span::styled(words, theme.warning()));
    }
    if score.kind != Kind::Model {
        let words = format!("{}, not ranked   ", score.kind.words());
        spans.push(Span::styled(words, theme.warning()));
    }
    spans.push(Span::styled(
        format!("{metric} {arrow} {}", fixed(score.score, 3)),
        theme.text(),
    ));
    if let Some(ci) = score.ci {
        let decimals = if length == Length::Least { 2 } else { 3 };
        let end = |end: f64| fixed(Some(end), decimals);
        spans.push(Span::styled(
            format!(" [{}, {}]", end(ci.low), end(ci.high)),
            theme.dim(),
        ));
    }
    match score.origin {
        Origin::Published => {
            spans.push(Span::styled("   published score, no samples", theme.dim()));
        }
        Origin::Harness => spans.push(Span::styled(
            format!("   {}   n {}", by_harness(wide), compact(score.n)),
            theme.dim(),
        )),
        Origin::Samples => {
            spans.push(Span::styled(n_of(score, wide), theme.dim()));
            if score.few {
                spans.push(Span::styled(
                    "   too few images for an interval",
                    theme.warning(),
                ));
            }
            if score.invalid > 0 {
                let invalid = format!("   invalid {}", compact(score.invalid));
                spans.push(Span::styled(invalid, theme.warning()));
            }
            // Show the counts of asked, answered and parsed samples if they differ.
            let evidence = score.evidence.as_deref().filter(|_| wide);
            if let Some(words) = evidence.and_then(Evidence::words) {
                spans.push(Span::styled(format!("   {words}"), theme.dim()));
            }
        }
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn up_to_three_tied_models_are_named() {
        let names = ["hog", "color", "gabor", "pixels"].map(str::to_owned);
        let words: Vec<String> = (0..=4).map(|count| tie(&names[..count])).collect();
        let expected = [
            "",
            ", tied with hog",
            ", tied with hog and color",
            ", tied with hog, color and gabor",
            ", tied with hog, color and 2 others",
        ];
        assert_eq!(words, expected);
    }

    #[test]
    fn a_cost_says_as_much_as_is_known() {
        let asked = Cost {
            n: 12,
            requests: Some(13),
            ..Cost::default()
        };
        assert_eq!(cost_words(&asked).as_deref(), Some("   13 requests"));
        let paid = Cost {
            prompt: Some(1080.0),
            completion: Some(24.0),
            usd: Some(0.001_32),
            ..asked
        };
        assert_eq!(
            cost_words(&paid).as_deref(),
            Some("   1,104 tokens, $0.0013")
        );
        assert_eq!(cost_words(&Cost::default()), None);
    }
}
