//! Scores of an ability under the public rules, as tables and JSON.

use serde_json::{Value as Json, json};

use super::Grid;
use super::scorers::QUOTED;
use base::format::{compact, fixed, visible};
use scorer::rules::{RULES, RuleOutcome, named};
use workspace::known_rules::{AbilityRules, RuleResult, RuleScore};
use workspace::page::Detail;

/// A sample on which a public rule differs from the log's own rule.
#[derive(Clone, Debug)]
pub struct RuleExample {
    detail: Box<Detail>,
    rule: &'static str,
    mark: RuleOutcome,
}

impl RuleExample {
    /// An example from a prediction and the name of a public rule; `None` if the rule does not
    /// apply.
    #[must_use]
    pub fn of(detail: Detail, rule: &str) -> Option<Self> {
        let (rule, mark) = (named(rule)?.name, detail.under(rule)?);
        Some(Self {
            detail: Box::new(detail),
            rule,
            mark,
        })
    }

    /// The answer that the log's own rule parsed.
    fn harness(&self) -> Option<String> {
        let detail = &self.detail;
        let reading = detail.reading.as_ref().filter(|_| !detail.list.invalid);
        reading.map(|reading| reading.answer.to_string())
    }

    fn is_of(&self, ability: &AbilityRules, rule: &RuleResult) -> bool {
        let list = &self.detail.list;
        (list.benchmark.as_str(), list.ability.as_str(), self.rule)
            == (
                ability.benchmark.as_str(),
                ability.ability.as_str(),
                rule.rule,
            )
    }

    fn json(&self) -> Json {
        let list = &self.detail.list;
        json!({
            "sample_id": list.sample_id, "model": list.model, "condition": list.condition, "place": list.place,
            "target": list.target, "response": self.detail.record.response,
            "harness": {"answer": self.harness(), "metric": list.metric, "score": list.score, "correct": list.correct},
            "rule": {"answer": self.mark.answer, "score": self.mark.score, "correct": self.mark.is_right()},
        })
    }
}

/// Summary line: `spatial: under 9 known rules: 0.593 to 0.743; first place changes under 2.`
pub fn line(ability: &AbilityRules) -> Option<String> {
    Some(format!("{}: {}.", ability.ability, ability.line()?))
}

/// Table with one row per rule and one column per model; `None` if no rule applies.
pub fn grid(ability: &AbilityRules) -> Option<Grid> {
    let models = &ability.rules.first()?.models;
    let mut columns = vec!["scorers:".to_owned(), "n>".to_owned(), "read>".to_owned()];
    columns.extend(
        models
            .iter()
            .map(|model| format!("{}>", visible(&model.model))),
    );
    columns.extend(["differs>".to_owned(), "first".to_owned(), "rule".to_owned()]);
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let title = format!(
        "Under every known rule: {} {}, score (rank)",
        visible(&ability.benchmark),
        visible(&ability.ability)
    );
    let mut grid = Grid::new(&title, &columns);
    for rule in &ability.rules {
        let score = |model: &RuleScore| match model.rank {
            Some(rank) => format!("{} ({rank})", fixed(model.score, 3)),
            None => fixed(model.score, 3),
        };
        let mut cells = vec![rule.rule.to_owned(), compact(rule.n), compact(rule.read)];
        cells.extend(rule.models.iter().map(score));
        cells.extend([
            compact(rule.differs),
            first(ability, rule),
            rule.words.to_owned(),
        ]);
        grid.push(cells.iter().map(String::as_str));
    }
    Some(grid)
}

/// Models in first place, marked `≠` if they differ from the log's own rule; or why the rule does
/// not count.
fn first(ability: &AbilityRules, rule: &RuleResult) -> String {
    if rule.n < ability.n {
        return format!("applies to {} of {}", compact(rule.n), compact(ability.n));
    }
    if !ability.counts(rule) {
        return "reads less than half".to_owned();
    }
    // A single model has no rank.
    if rule.models.len() < 2 {
        return String::new();
    }
    let mark = if ability.moves_first(rule) {
        "≠ "
    } else {
        ""
    };
    format!("{mark}{}", rule.first().join(", "))
}

/// Table of samples on which rules differ from the log's own rule.
pub fn example_grid(examples: &[RuleExample]) -> Grid {
    let columns = [
        "ability",
        "scorers:",
        "sample",
        "model",
        "target",
        "harness read",
        "rule read",
        "response",
    ];
    let mut grid = Grid::new("Samples on which a known rule differs", &columns);
    for example in examples {
        let list = &example.detail.list;
        let dash = || "–".to_owned();
        let response = example.detail.record.response.as_deref();
        let quoted: String = response.unwrap_or_default().chars().take(QUOTED).collect();
        let read = example.mark.answer.clone().unwrap_or_else(dash);
        grid.push([
            list.ability.as_str(),
            example.rule,
            &list.sample_id,
            &list.model,
            &list.target,
            &example.harness().unwrap_or_else(dash),
            &read.chars().take(QUOTED).collect::<String>(),
            &quoted,
        ]);
    }
    grid
}

/// An ability in the JSON schema of `scorers`.
pub fn json(ability: &AbilityRules, examples: &[RuleExample]) -> Json {
    let model = |model: &RuleScore| {
        json!({
            "model": model.model, "n": model.n, "read": model.read, "score": model.score, "rank": model.rank,
        })
    };
    let rule = |rule: &RuleResult| {
        let examples = examples
            .iter()
            .filter(|example| example.is_of(ability, rule));
        json!({
            "rule": rule.rule, "filter": format!("scorers:{}", rule.rule), "words": rule.words, "source": rule.source,
            "n": rule.n, "read": rule.read, "counts": ability.counts(rule), "differs": rule.differs,
            "first": rule.first(), "moves_first": ability.moves_first(rule),
            "models": rule.models.iter().map(model).collect::<Vec<_>>(),
            "examples": examples.map(RuleExample::json).collect::<Vec<_>>(),
        })
    };
    let applies = |name: &str| ability.rules.iter().any(|rule| rule.rule == name);
    let others = RULES
        .iter()
        .map(|rule| rule.name)
        .filter(|name| !applies(name));
    json!({
        "n": ability.n, "others": ability.others, "line": ability.line(), "first": ability.first,
        "rules": ability.rules.iter().map(rule).collect::<Vec<_>>(),
        "do_not_apply": others.collect::<Vec<_>>(),
    })
}
