//! Scores of an ability under the public rules, as tables and JSON.

use serde_json::{Value as Json, json};

use super::Grid;
use super::columns::Columns;
use super::scorers::{QUOTED, quoted};
use base::format::{compact, fixed};
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
    let mut columns = Columns::<RuleResult>::new()
        .text("scorers:", |it| it.rule)
        .count("n", |it| it.n)
        .count("read", |it| it.read);
    for (at, model) in models.iter().enumerate() {
        let heading = format!("{}>", model.model);
        columns = columns.words(&heading, move |it| {
            it.models.get(at).map_or_else(String::new, score)
        });
    }
    let title = format!(
        "Under every known rule: {} {}, score (rank)",
        ability.benchmark, ability.ability
    );
    let table = columns
        .count("differs", |it| it.differs)
        .words("first", |it| first(ability, it))
        .text("rule", |it| it.words)
        .grid(&title, &ability.rules);
    Some(table)
}

/// Score with the rank in parentheses.
fn score(model: &RuleScore) -> String {
    let score = fixed(model.score, 3);
    match model.rank {
        Some(rank) => format!("{score} ({rank})"),
        None => score,
    }
}

/// Models in first place, marked `≠` if they differ from the log's own rule; otherwise the reason
/// why the rule does not count.
fn first(ability: &AbilityRules, rule: &RuleResult) -> String {
    if rule.n < ability.n {
        return format!("applies to {} of {}", compact(rule.n), compact(ability.n));
    }
    if !ability.counts(rule) {
        return "reads fewer than half of the answers".to_owned();
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
    let dash = || "–".to_owned();
    Columns::<RuleExample>::new()
        .text("ability", |it| &it.detail.list.ability)
        .text("scorers:", |it| it.rule)
        .text("sample", |it| &it.detail.list.sample_id)
        .text("model", |it| &it.detail.list.model)
        .text("target", |it| &it.detail.list.target)
        .words("harness read", move |it| it.harness().unwrap_or_else(dash))
        .words("rule read", move |it| {
            let read = it.mark.answer.clone().unwrap_or_else(dash);
            read.chars().take(QUOTED).collect()
        })
        .words("response", |it| quoted(&it.detail))
        .grid("Samples on which a known rule differs", examples)
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
