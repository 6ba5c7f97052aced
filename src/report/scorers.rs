//! The document of `eyechart scorers`: disagreements between the harness's scores and Eyechart's
//! own rules.

use serde_json::{Value as Json, json};

use super::{Document, Grid};
use analysis::metric::Interval;
use analysis::scorers::{
    AbilityAudit, Class, Effect, PredictionShare, Reason, RuleRank, ScorerAudit,
};
use base::format::{compact, fixed};
use workspace::known_rules::AbilityRules;
use workspace::page::Detail;

use super::under_rules::{self, RuleExample};

/// Maximum number of characters of a quoted response.
pub(super) const QUOTED: usize = 60;

/// Differences between scoring rules, with examples.
#[derive(Clone, Debug, Default)]
pub struct Disagreement {
    /// Result of the analysis.
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
    #[must_use]
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

fn pair(interval: Option<Interval>) -> Json {
    interval.map_or(Json::Null, |interval| json!([interval.low, interval.high]))
}

fn share(share: &PredictionShare) -> Json {
    json!({"n": share.count, "share": share.share, "ci": pair(share.ci)})
}

fn place(place: Option<&RuleRank>) -> Json {
    place.map_or(Json::Null, |place| {
        json!({
            "metric": place.metric, "direction": place.direction.name(), "n": place.n, "invalid": place.invalid,
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

/// An interval such as `[0.12, 0.34]`.
fn interval(interval: Option<Interval>) -> String {
    interval.map_or_else(
        || "–".to_owned(),
        |i| format!("[{}, {}]", fixed(Some(i.low), 3), fixed(Some(i.high), 3)),
    )
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
        let columns = [
            "benchmark",
            "ability",
            "scorers:",
            "n>",
            "of>",
            "share>",
            "95 %",
            "right by harness>",
            "right by strict>",
            "why",
        ];
        let mut grid = Grid::new("Where the harness and the strict rule disagree", &columns);
        for ability in &self.found.abilities {
            for reason in &ability.reasons {
                grid.push([
                    ability.benchmark.as_str(),
                    &ability.ability,
                    reason.class.name(),
                    &compact(reason.share.count),
                    &compact(ability.n),
                    &fixed(reason.share.share, 3),
                    &interval(reason.share.ci),
                    &compact(reason.right_by_harness),
                    &compact(reason.right_by_strict),
                    reason.class.words(),
                ]);
            }
        }
        grid
    }

    fn effect_grid(&self) -> Grid {
        let columns = [
            "benchmark",
            "ability",
            "model",
            "metric",
            "harness>",
            "95 %",
            "rank>",
            "strict metric",
            "strict>",
            "95 %",
            "rank>",
            "moves",
        ];
        let mut grid = Grid::new("Effect on scores and ranks", &columns);
        let told = |place: Option<&RuleRank>| {
            let metric = place.map(|p| format!("{} {}", p.metric, p.direction.arrow()));
            let rank = place.and_then(|place| place.rank);
            [
                metric.unwrap_or_default(),
                fixed(place.and_then(|place| place.score), 3),
                interval(place.and_then(|place| place.ci)),
                rank.map_or_else(|| "–".to_owned(), |rank| rank.to_string()),
            ]
        };
        for effect in self
            .found
            .abilities
            .iter()
            .flat_map(|ability| &ability.models)
        {
            let (harness, strict) = (told(effect.harness.as_ref()), told(effect.strict.as_ref()));
            let split = effect.split.iter().map(|split| format!(" ({split})"));
            let ability = split.fold(effect.ability.clone(), |name, split| name + &split);
            let names = [&effect.benchmark, &ability, &effect.model];
            let moves = if effect.moves() { "≠" } else { "" };
            let cells = names.into_iter().chain(&harness).chain(&strict);
            grid.push(cells.map(String::as_str).chain([moves]));
        }
        grid
    }

    fn example_grid(&self) -> Grid {
        let columns = [
            "ability",
            "scorers:",
            "sample",
            "model",
            "target",
            "harness read",
            "strict read",
            "response",
        ];
        let mut grid = Grid::new("Samples for each reason", &columns);
        for example in &self.examples {
            let list = &example.detail.list;
            let [harness, strict] = example
                .answers()
                .map(|answer| answer.unwrap_or_else(|| "–".to_owned()));
            let response = example
                .detail
                .record
                .response
                .as_deref()
                .unwrap_or_default();
            let quoted: String = response.chars().take(QUOTED).collect();
            grid.push([
                list.ability.as_str(),
                example.why.name(),
                &list.sample_id,
                &list.model,
                &list.target,
                &harness,
                &strict,
                &quoted,
            ]);
        }
        grid
    }
}
