//! The document of `eyechart scorers`: disagreements between the harness's scores and Eyechart's
//! own rules.

use serde_json::{Value as Json, json};

use super::cells::pair;
use super::columns::{Columns, metric, with_split};
use super::{Document, Grid};
use analysis::Score;
use analysis::scorers::{AbilityAudit, Class, Effect, PredictionShare, Reason, ScorerAudit};
use workspace::known_rules::AbilityRules;
use workspace::page::Detail;

use super::under_rules::{self, RuleExample};

/// Maximum number of characters of a response shown as an example.
pub(super) const QUOTED: usize = 60;

/// Differences between scoring rules, with examples.
#[derive(Clone, Debug, Default)]
pub struct Disagreement {
    /// Disagreements in each ability, by reason.
    pub found: ScorerAudit,
    /// Example samples for each reason.
    pub examples: Vec<Example>,
    /// Scores of each ability under the public rules.
    pub rules: Vec<AbilityRules>,
    /// Example samples on which a public rule differs from the log's own rule.
    pub under_rules: Vec<RuleExample>,
}

/// A sample that the rules score differently.
#[derive(Clone, Debug)]
pub struct Example {
    detail: Box<Detail>,
    why: Class,
}

impl Example {
    /// An example from a prediction under its harness's rule; `None` if the rules agree.
    pub fn of(detail: Detail) -> Option<Self> {
        let why = detail.other.as_ref()?.why;
        Some(Self {
            detail: Box::new(detail),
            why,
        })
    }

    fn is_of(&self, ability: &AbilityAudit, reason: &Reason) -> bool {
        let list = &self.detail.list;
        self.why == reason.class
            && list.benchmark == ability.benchmark
            && list.ability == ability.ability
    }

    /// The answers extracted by the harness's rule and by the strict rule.
    fn answers(&self) -> [Option<String>; 2] {
        let detail = &self.detail;
        let harness = detail.reading.as_ref().filter(|_| !detail.list.invalid);
        let strict = detail.other.as_ref().and_then(|other| other.answer.clone());
        [harness.map(|reading| reading.answer.to_string()), strict]
    }

    fn json(&self) -> Json {
        let (list, [harness, strict]) = (&self.detail.list, self.answers());
        let other = self.detail.other.as_ref();
        json!({
            "sample_id": list.sample_id, "model": list.model, "condition": list.condition, "place": list.place,
            "target": list.target, "response": self.detail.record.response,
            "harness": {"answer": harness, "metric": list.metric, "score": list.score, "correct": list.correct},
            "strict": {"answer": strict, "metric": other.map(|other| &other.metric),
                       "score": other.and_then(|other| other.score), "correct": other.and_then(|other| other.correct)},
        })
    }
}

impl Document for Disagreement {
    fn preface(&self) -> Vec<String> {
        let sentence =
            |ability: &AbilityAudit| format!("{}: {}.", ability.ability, ability.sentence());
        let mut lines: Vec<String> = self.found.abilities.iter().map(sentence).collect();
        lines.extend(self.rules_in_order().filter_map(under_rules::line));
        lines
    }

    fn grids(&self) -> Vec<Grid> {
        let mut grids = vec![self.reason_grid(), self.effect_grid()];
        grids.extend(self.rules_in_order().filter_map(under_rules::grid));
        grids.extend([
            self.example_grid(),
            under_rules::example_grid(&self.under_rules),
        ]);
        grids
    }

    fn json(&self) -> Json {
        json!({"schema": "eyechart.scorers/1", "abilities": self.lines()})
    }

    fn lines(&self) -> Vec<Json> {
        let abilities = self.found.abilities.iter();
        abilities.map(|ability| self.ability(ability)).collect()
    }
}

fn share(share: &PredictionShare) -> Json {
    json!({"n": share.count, "share": share.share, "ci": pair(share.ci)})
}

fn place(place: Option<&Score>) -> Json {
    place.map_or(Json::Null, |place| {
        json!({
            "metric": place.metric, "direction": place.direction.unwrap_or_default().name(), "n": place.n, "invalid": place.invalid,
            "score": place.score, "ci": pair(place.ci), "rank": place.rank,
            "rank_ci": place.rank_ci.map(|(low, high)| [low, high]),
        })
    })
}

fn effect(effect: &Effect) -> Json {
    json!({
        "split": effect.split, "model": effect.model, "harness": place(effect.harness.as_ref()), "strict": place(effect.strict.as_ref()),
        "difference": effect.difference(), "moves": effect.moves(),
    })
}

impl Disagreement {
    fn ability(&self, ability: &AbilityAudit) -> Json {
        let reason = |reason: &Reason| {
            let examples = self.examples.iter().filter(|e| e.is_of(ability, reason));
            let models = reason.models.iter();
            json!({
                "reason": reason.class.name(), "filter": format!("scorers:{}", reason.class.name()),
                "n": reason.share.count, "share": reason.share.share, "ci": pair(reason.share.ci),
                "right_by_harness": reason.right_by_harness, "right_by_strict": reason.right_by_strict,
                "models": models.map(|(model, n)| json!({"model": model, "n": n})).collect::<Vec<_>>(),
                "examples": examples.map(Example::json).collect::<Vec<_>>(),
            })
        };
        json!({
            "benchmark": ability.benchmark, "ability": ability.ability, "n": ability.n, "uncompared": ability.uncompared,
            "disagree": share(&ability.disagree),
            "reasons": ability.reasons.iter().map(reason).collect::<Vec<_>>(),
            "models": ability.models.iter().map(effect).collect::<Vec<_>>(),
            "known_rules": self.rules_of(ability).map(|rules| under_rules::json(rules, &self.under_rules)),
        })
    }

    /// Scores of an ability under the public rules.
    fn rules_of(&self, ability: &AbilityAudit) -> Option<&AbilityRules> {
        let is_it = |rules: &&AbilityRules| {
            rules.benchmark == ability.benchmark && rules.ability == ability.ability
        };
        self.rules.iter().find(is_it)
    }

    /// Scores of all abilities under the public rules, in the order of the analysis.
    fn rules_in_order(&self) -> impl Iterator<Item = &AbilityRules> {
        let abilities = self.found.abilities.iter();
        abilities.filter_map(|ability| self.rules_of(ability))
    }

    fn reason_grid(&self) -> Grid {
        let rows = self.found.abilities.iter();
        let rows = rows.flat_map(|row| row.reasons.iter().map(move |reason| (row, reason)));
        Columns::<(&AbilityAudit, &Reason)>::new()
            .text("benchmark", |(row, _)| &row.benchmark)
            .text("ability", |(row, _)| &row.ability)
            .text("scorers:", |(_, it)| it.class.name())
            .count("n", |(_, it)| it.share.count)
            .count("of", |(row, _)| row.n)
            .fixed("share", 3, |(_, it)| it.share.share)
            .interval(3, |(_, it)| it.share.ci)
            .count("right by harness", |(_, it)| it.right_by_harness)
            .count("right by strict", |(_, it)| it.right_by_strict)
            .text("why", |(_, it)| it.class.words())
            .grid("Where the harness and the strict rule disagree", rows)
    }

    fn effect_grid(&self) -> Grid {
        let effects = self.found.abilities.iter().flat_map(|row| &row.models);
        let columns = Columns::<Effect>::new()
            .text("benchmark", |it| &it.benchmark)
            .words("ability", |it| with_split(&it.ability, it.split.as_deref()))
            .text("model", |it| &it.model);
        let columns = rule_columns(columns, ["metric", "harness"], |it| it.harness.as_ref());
        rule_columns(columns, ["strict metric", "strict"], |it| {
            it.strict.as_ref()
        })
        .text("moves", |it| if it.moves() { "≠" } else { "" })
        .grid("Effect on scores and ranks", effects)
    }

    fn example_grid(&self) -> Grid {
        let read =
            |it: &Example, at: usize| it.answers()[at].take().unwrap_or_else(|| "–".to_owned());
        Columns::<Example>::new()
            .text("ability", |it| &it.detail.list.ability)
            .text("scorers:", |it| it.why.name())
            .text("sample", |it| &it.detail.list.sample_id)
            .text("model", |it| &it.detail.list.model)
            .text("target", |it| &it.detail.list.target)
            .words("harness read", move |it| read(it, 0))
            .words("strict read", move |it| read(it, 1))
            .words("response", |it| quoted(&it.detail))
            .grid("Samples for each reason", &self.examples)
    }
}

/// Adds the columns of one rule, with the given headings for its metric and score.
fn rule_columns<'a>(
    columns: Columns<'a, Effect>,
    [name, score]: [&str; 2],
    rule: fn(&Effect) -> Option<&Score>,
) -> Columns<'a, Effect> {
    columns
        .words(name, move |it| {
            let metric = rule(it).map(|it| metric(&it.metric, it.direction.unwrap_or_default()));
            metric.unwrap_or_default()
        })
        .fixed(score, 3, move |it| rule(it).and_then(|it| it.score))
        .interval(3, move |it| rule(it).and_then(|it| it.ci))
        .count("rank", move |it| {
            rule(it).and_then(|it| it.rank).map(u64::from)
        })
}

/// Returns the beginning of a response.
pub(super) fn quoted(detail: &Detail) -> String {
    let response = detail.record.response.as_deref().unwrap_or_default();
    response.chars().take(QUOTED).collect()
}
