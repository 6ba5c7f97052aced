//! Popup with the samples whose score changes under other rules. The rules are the strict rule,
//! with a reason for each change, and the known rules. Each row opens its samples.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use crate::action::Action;
use crate::change::{Change, DrillDown, Reply};
use crate::frame_output::{ScrollSlot, ScrollState};
use crate::screen::{instead, interval};
use crate::shared::AppState;
use crate::widget::table::{Column, ColumnWidth, ItemRows, Table, TableCell, TableState};
use analysis::Score;
use analysis::scorers::{AbilityAudit, Effect, Reason};
use base::format::{compact, fixed, visible};
use engine::{Disagreements, Query, Scope};
use workspace::Lens;
use workspace::known_rules::{AbilityRules, RuleResult};
use workspace::page::Sort;

use super::part::{CLOSE, KeyLabel, MOVE, Overlay, open as open_frame, screen_less};

/// Maximum number of models in the details.
const MODELS: usize = 6;

/// Returns the scope: all models and abilities of the benchmark, under the lens's filter.
fn scope(shared: &AppState) -> Scope {
    shared.scope(&shared.lens.whole())
}

/// Returns the query. The first query omits the known rules, which need the text of every answer.
fn question(shared: &AppState) -> engine::Scorers {
    engine::Scorers {
        scope: scope(shared),
        examples: 0,
        quick: known(shared).is_none(),
    }
}

/// Returns the answer, and whether it is complete. A quick answer lacks the known rules.
fn known(shared: &AppState) -> Option<(&Disagreements, bool)> {
    let (asked, found) = shared.answers.scorers.as_ref()?;
    (asked.scope == scope(shared)).then_some((&**found, !asked.quick))
}

/// A rule under which samples have another score.
#[derive(Clone, Copy)]
enum Difference<'a> {
    /// The strict rule, with the reason for the change.
    Strict(&'a Reason),
    /// A known rule, with its result.
    Rule(&'a AbilityRules, &'a RuleResult),
}

impl Difference<'_> {
    /// Returns the filter term after `scorers:` that selects the changed samples.
    const fn name(self) -> &'static str {
        match self {
            Self::Strict(reason) => reason.class.name(),
            Self::Rule(_, rule) => rule.rule,
        }
    }
}

/// A row of the list: an ability, and a rule that changes its scores.
#[derive(Clone, Copy)]
struct Entry<'a> {
    ability: &'a AbilityAudit,
    /// Rule that changes scores; `None` if the strict rule changes no score of the ability.
    difference: Option<Difference<'a>>,
}

/// Returns the rows. If the lens has an ability, returns only its rows.
fn entries<'a>(shared: &AppState, found: &'a Disagreements) -> Vec<Entry<'a>> {
    let wanted = shared.lens.ability.as_ref();
    let is_shown = |ability: &&AbilityAudit| {
        ability.benchmark == shared.lens.benchmark
            && wanted.is_none_or(|name| *name == ability.ability)
    };
    let abilities = || found.found.abilities.iter().filter(is_shown);
    let of_strict = abilities().flat_map(|ability| {
        let reasons = ability
            .reasons
            .iter()
            .map(|it| Some(Difference::Strict(it)));
        let agrees = ability.reasons.is_empty().then_some(None);
        let differences = reasons.chain(agrees);
        differences.map(move |difference| Entry {
            ability,
            difference,
        })
    });
    // Abilities whose rules agree come after those with differences.
    let (differing, agreeing): (Vec<_>, Vec<_>) = of_strict.partition(|it| it.difference.is_some());
    // Add these rows at the end, so that the cursor stays in place when the known rules arrive.
    let of_rules = abilities().flat_map(|ability| {
        let is_own = |rules: &&AbilityRules| {
            (&rules.benchmark, &rules.ability) == (&ability.benchmark, &ability.ability)
        };
        let own = found.rules.iter().find(is_own).into_iter();
        let rules = own.flat_map(|own| own.rules.iter().map(move |rule| (own, rule)));
        // Skip the strict rule, which the rows above already contain.
        let changes = rules.filter(|(_, rule)| rule.differs > 0 && rule.rule != "strict");
        changes.map(move |(own, rule)| Entry {
            ability,
            difference: Some(Difference::Rule(own, rule)),
        })
    });
    let of_strict = differing.into_iter().chain(agreeing);
    of_strict.chain(of_rules).collect()
}

fn cells(shared: &AppState, entry: Entry<'_>) -> Vec<TableCell<'static>> {
    let theme = &shared.theme;
    let Entry {
        ability,
        difference,
    } = entry;
    let cell = |text: String, style| TableCell::new(text, style);
    let name = cell(visible(&ability.ability).into_owned(), theme.text());
    let Some(difference) = difference else {
        let why = if ability.n == 0 {
            "not compared"
        } else {
            "agree"
        };
        let n = compact(ability.n.max(ability.uncompared));
        return vec![
            name,
            cell(why.to_owned(), theme.dim()),
            cell(n, theme.dim()),
        ];
    };
    let why = cell(difference.name().to_owned(), theme.warning());
    let reason = match difference {
        Difference::Strict(reason) => reason,
        Difference::Rule(_, rule) => {
            let differs = cell(compact(rule.differs), theme.text());
            return vec![
                name,
                why,
                differs,
                cell(fixed(rule.disagreement_rate(), 3), theme.accent()),
            ];
        }
    };
    let alone = |count: u64| {
        if count == 0 {
            "·".to_owned()
        } else {
            compact(count)
        }
    };
    vec![
        name,
        why,
        cell(compact(reason.share.count), theme.text()),
        cell(fixed(reason.share.share, 3), theme.accent()),
        cell(interval(reason.share.ci), theme.dim()),
        cell(alone(reason.right_by_harness), theme.text()),
        cell(alone(reason.right_by_strict), theme.text()),
    ]
}

fn columns() -> [Column<'static>; 7] {
    [
        Column::text("ability", ColumnWidth::Share(2)).keeping_ends(),
        Column::text("scorers:", ColumnWidth::Fixed(20)),
        Column::number("n", 6),
        Column::number("share", 6),
        Column::number("95 %", 16).from(84),
        Column::number("✓ harness", 9),
        Column::number("✓ strict", 8),
    ]
}

/// Describes a known rule, and the scores and ranks of the models under it.
fn of_rule(shared: &AppState, ability: &AbilityRules, rule: &RuleResult) -> Vec<Line<'static>> {
    let theme = &shared.theme;
    let (read, n) = (compact(rule.read), compact(rule.n));
    let mut lines = vec![
        Line::from(vec![
            Span::styled(rule.words, theme.warning()),
            Span::styled("   Enter opens these samples", theme.dim()),
        ]),
        Line::styled(
            format!("{}; could read {read} of {n} answers", rule.source),
            theme.dim(),
        ),
    ];
    let summary = ability.line().map(|line| visible(&line).into_owned());
    lines.extend(summary.map(|line| Line::styled(line, theme.text())));
    lines.push(Line::styled("  score  rank", theme.header()));
    lines.extend(rule.models.iter().take(MODELS).map(|model| {
        let rank = model
            .rank
            .map_or_else(|| "–".to_owned(), |rank| rank.to_string());
        Line::from(vec![
            Span::styled(
                format!("{:>7}  {rank:>4}  ", fixed(model.score, 3)),
                theme.text(),
            ),
            Span::styled(visible(&model.model).into_owned(), theme.text()),
        ])
    }));
    lines
}

/// Describes the row under the cursor, and the scores of its models under both rules.
fn detail(shared: &AppState, entry: Entry<'_>, frame: &mut Frame<'_>, area: Rect) {
    let Entry {
        ability,
        difference,
    } = entry;
    let theme = &shared.theme;
    let mut lines = vec![Line::styled(
        "─".repeat(usize::from(area.width)),
        theme.border(),
    )];
    if let Some(Difference::Rule(ability, rule)) = difference {
        lines.extend(of_rule(shared, ability, rule));
        frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }), area);
        return;
    }
    if let Some(Difference::Strict(reason)) = difference {
        let models = reason.models.iter();
        let models: Vec<String> = models
            .map(|(model, count)| format!("{model} {}", compact(*count)))
            .collect();
        lines.push(Line::from(vec![
            Span::styled(reason.class.words(), theme.warning()),
            Span::styled("   Enter opens these samples", theme.dim()),
        ]));
        lines.push(Line::styled(
            visible(&models.join(", ")).into_owned(),
            theme.dim(),
        ));
    }
    lines.push(Line::styled(ability.sentence(), theme.text()));
    lines.extend(
        ability
            .models
            .first()
            .map(|first| effect_header(shared, first)),
    );
    let moved = |effect: &&Effect| effect.moves();
    let still = |effect: &&Effect| !effect.moves();
    let models = ability.models.iter();
    let ordered = models.clone().filter(moved).chain(models.filter(still));
    lines.extend(ordered.take(MODELS).map(|effect| of_model(shared, effect)));
    frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }), area);
}

/// Formats the header: `harness   strict    rank   mae_over_gt ↓`.
fn effect_header(shared: &AppState, effect: &Effect) -> Line<'static> {
    let metric = |place: Option<&Score>| {
        place.map_or_else(String::new, |p| {
            format!(
                "{} {}",
                record::benchmark::metric_symbol(&p.metric),
                p.direction.unwrap_or_default().arrow()
            )
        })
    };
    let (harness, strict) = (
        metric(effect.harness.as_ref()),
        metric(effect.strict.as_ref()),
    );
    let metrics = if harness == strict {
        harness
    } else {
        format!("{harness}, strict {strict}")
    };
    let text = format!("harness   strict    rank   {metrics}");
    Line::styled(visible(&text).into_owned(), shared.theme.header())
}

/// Formats a model's line: `  0.812    0.790   1 → 2   siglip2`.
fn of_model(shared: &AppState, effect: &Effect) -> Line<'static> {
    let theme = &shared.theme;
    let score = |place: &Option<Score>| fixed(place.as_ref().and_then(|place| place.score), 3);
    let rank = |place: &Option<Score>| {
        let rank = place.as_ref().and_then(|place| place.rank);
        rank.map_or_else(|| "–".to_owned(), |rank| rank.to_string())
    };
    let ranks = format!("{:>2} → {:<4}", rank(&effect.harness), rank(&effect.strict));
    let style = if effect.moves() {
        theme.warning()
    } else {
        theme.dim()
    };
    let split = effect.split.iter().map(|split| format!(" ({split})"));
    let model = split.fold(effect.model.clone(), |name, split| name + &split);
    Line::from(vec![
        Span::styled(format!("{:>7}  ", score(&effect.harness)), theme.text()),
        Span::styled(format!("{:>7}  ", score(&effect.strict)), theme.text()),
        Span::styled(ranks, style),
        Span::styled(visible(&model).into_owned(), theme.text()),
    ])
}

/// State of the popup: cursor in the list of reasons.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scorers(TableState);

impl Scorers {
    /// Opens the samples of the row under the cursor.
    fn open(self, shared: &AppState) -> Option<Change> {
        let entries = entries(shared, known(shared)?.0);
        let Entry {
            ability,
            difference,
        } = *entries.get(self.0.selected)?;
        let term = format!("scorers:{}", difference?.name());
        let lens = Lens {
            ability: Some(ability.ability.clone()),
            step: term,
            ..shared.lens.whole()
        };
        Some(Change::OpenLens(Box::new(DrillDown {
            sort: Some(Sort::Log),
            ..DrillDown::new(lens)
        })))
    }
}

impl Overlay for Scorers {
    /// Draws the list and the row under the cursor, or a message if there is no list.
    fn draw(&self, shared: &AppState, frame: &mut Frame<'_>) -> (Rect, ScrollState) {
        let (width, height) = screen_less(frame, [6, 4]);
        let size = (width.min(120), height.min(44));
        let title = match known(shared) {
            Some((_, false)) => "where other rules change a score; more rules are still running",
            _ => "where other rules change a score",
        };
        let inner = open_frame(shared, frame, title, size);
        let mut state = self.0;
        let entries = known(shared).map(|(found, _)| entries(shared, found));
        let entries = match entries {
            Some(entries) if !entries.is_empty() => entries,
            other => {
                let words = match other {
                    None => instead(
                        shared,
                        question(shared),
                        "scoring every answer by both rules",
                    ),
                    Some(_) => {
                        "There are no samples here: published scores cannot be scored again."
                            .to_owned()
                    }
                };
                frame.render_widget(Line::styled(words, shared.theme.dim()), inner);
                return (inner, ScrollState::Table(state));
            }
        };
        let foot_rows = u16::try_from(MODELS + 6).unwrap_or(u16::MAX);
        let [table, foot] = Layout::vertical([
            Constraint::Min(4),
            Constraint::Length(foot_rows.min(inner.height / 2)),
        ])
        .areas(inner);
        let rows = ItemRows::new(&entries, |entry| cells(shared, *entry));
        let columns = columns();
        let list = Table::new(&shared.theme, &columns, &rows);
        frame.render_stateful_widget(list, table, &mut state);
        if let Some(entry) = entries.get(state.selected).copied() {
            detail(shared, entry, frame, foot);
        }
        (inner, ScrollState::Table(state))
    }

    fn scroll_slot(&mut self) -> ScrollSlot<'_> {
        ScrollSlot::Table(&mut self.0)
    }

    fn keys(&self, _: &AppState) -> Vec<KeyLabel> {
        vec![MOVE, ("Enter", "samples"), CLOSE]
    }

    fn act(&mut self, shared: &AppState, action: Action) -> Reply {
        match (action, self.open(shared)) {
            (Action::Open, Some(change)) => vec![Change::Close, change].into(),
            (Action::Open, None) => Reply::DONE,
            (Action::CopyCommand, _) => Reply::PassOn,
            _ => Reply::with(Change::Close),
        }
    }

    fn query(&self, shared: &AppState) -> Option<Query> {
        Some(question(shared).into())
    }

    fn is_known(&self, shared: &AppState) -> bool {
        known(shared).is_some_and(|(_, is_complete)| is_complete)
    }
}
