//! Result of an exam: the examined model's acuity, with other models and controls for reference.

use std::collections::BTreeSet;

use serde_json::{Value as Json, json};

use super::Grid;
use super::acuity::interval;
use super::columns::Columns;
use analysis::metric::acuity::ThresholdPosition;
use analysis::{Acuity, Cost, Score};
use base::format::{counted, money, whole};
use record::{Kind, Row, Table};

/// Tag with an item's generator, version and seed.
const GENERATOR_TAG: &str = "generator";

/// Result of one model in an exam.
#[derive(Clone, Debug)]
pub struct ExamResult {
    /// Name of the exam's benchmark, as in the logs.
    pub benchmark: String,
    /// Name of the examined model.
    pub model: String,
    /// Generator, version and seed of the questions; `None` if the items differ in them.
    pub generator: Option<String>,
    /// One result per ability, in the order of the report.
    pub abilities: Vec<AbilityResult>,
    /// Cost over all abilities; `None` if no log has counts.
    pub cost: Option<Cost>,
}

/// Result of the examined model in one ability.
#[derive(Clone, Debug)]
pub struct AbilityResult {
    /// Threshold level of the examined model, with its interval.
    pub acuity: Acuity,
    /// Score of the examined model, in the metric of the acuity.
    pub score: Option<f64>,
    /// Names and scores of controls that do not look at the picture: blind guess, best constant
    /// answer.
    pub controls: Vec<(String, f64)>,
    /// Acuity of the other models, the best first.
    pub others: Vec<Acuity>,
}

/// Models that the exam itself asked: the models in its own log. Other models are references.
pub fn examined(table: &Table) -> BTreeSet<&str> {
    let is_own = |unit: u32| {
        let source = table.sources().get(unit as usize);
        let name = source.and_then(|source| source.path.file_name());
        name.is_some_and(|name| name == ask::FILE)
    };
    let own: BTreeSet<u32> = (0..)
        .zip(table.sources())
        .filter_map(|(unit, _)| is_own(unit).then_some(unit))
        .collect();
    let rows = (0..).zip(table.unit_of());
    let rows = rows.filter(|(_, unit)| own.contains(unit));
    rows.map(|(row, _)| table.names().model(table.model(Row(row))))
        .collect()
}

/// Results of all exams in a report; empty without an examined model.
pub fn results(
    table: &Table,
    scores: &[Score],
    acuities: &[Acuity],
    costs: &[Cost],
) -> Vec<ExamResult> {
    if acuities.is_empty() {
        return Vec::new();
    }
    let mut results: Vec<ExamResult> = Vec::new();
    for model in examined(table) {
        for own in acuities.iter().filter(|row| row.model == model) {
            let ability = ability(own, scores, acuities);
            let known = results.iter_mut();
            let mut same = known.filter(|known| known.benchmark == own.benchmark);
            match same.find(|known| known.model == own.model) {
                Some(known) => known.abilities.push(ability),
                None => results.push(ExamResult {
                    benchmark: own.benchmark.clone(),
                    model: own.model.clone(),
                    generator: generator(table, own),
                    abilities: vec![ability],
                    cost: cost(own, costs),
                }),
            }
        }
    }
    results
}

fn ability(own: &Acuity, scores: &[Score], acuities: &[Acuity]) -> AbilityResult {
    let of_ability =
        |benchmark: &str, ability: &str| own.benchmark == benchmark && own.ability == ability;
    let beside = || {
        let rows = scores.iter();
        rows.filter(|row| of_ability(&row.benchmark, &row.ability) && row.metric == own.metric)
    };
    let score = beside().find(|row| row.model == own.model);
    let controls = beside().filter(|row| row.kind != Kind::Model);
    let mut others: Vec<Acuity> = acuities
        .iter()
        .filter(|row| of_ability(&row.benchmark, &row.ability) && row.model != own.model)
        .cloned()
        .collect();
    others.sort_by(|one, other| other.found.threshold.total_cmp(&one.found.threshold));
    AbilityResult {
        score: score.and_then(|row| row.score),
        controls: controls
            .filter_map(|row| Some((row.plain_model().to_owned(), row.score?)))
            .collect(),
        acuity: own.clone(),
        others,
    }
}

/// Generator tag of the model's items, if they agree.
fn generator(table: &Table, own: &Acuity) -> Option<String> {
    let column = table.tag(GENERATOR_TAG)?;
    let rows = (0..).zip(table.model_of());
    let own = rows.filter_map(|(row, _)| {
        let item = table.item(Row(row));
        let ability = table.ability(item)?;
        let is_own = ability.benchmark == own.benchmark
            && table.names().model(table.model(Row(row))) == own.model;
        is_own.then(|| column.text(item.0 as usize))
    });
    let mut found = own.flatten();
    let first = found.next()?;
    found.all(|other| other == first).then(|| first.to_owned())
}

/// Sum of the model's costs over all abilities.
fn cost(own: &Acuity, costs: &[Cost]) -> Option<Cost> {
    let its = costs
        .iter()
        .filter(|cost| cost.benchmark == own.benchmark && cost.model == own.model);
    its.cloned().reduce(|all, one| {
        let sum = |a: Option<f64>, b: Option<f64>| a.zip(b).map(|(a, b)| a + b);
        Cost {
            n: all.n + one.n,
            requests: all.requests.zip(one.requests).map(|(a, b)| a + b),
            uncounted: all.uncounted + one.uncounted,
            prompt: sum(all.prompt, one.prompt),
            completion: sum(all.completion, one.completion),
            usd: sum(all.usd, one.usd),
            ability: ALL.to_owned(),
            ..all
        }
    })
}

impl AbilityResult {
    /// Score of a control, by name.
    fn control(&self, name: &str) -> Option<f64> {
        let mut controls = self.controls.iter();
        controls
            .find(|(known, _)| known == name)
            .map(|(_, score)| *score)
    }

    /// The best other model with its acuity: `gabor 6.0`; empty without any.
    pub fn best_other(&self) -> String {
        self.others.first().map_or_else(String::new, |best| {
            format!("{} {}", best.model, best.found.reach().words())
        })
    }
}

impl ExamResult {
    /// Number of questions in all abilities.
    pub fn questions(&self) -> u64 {
        self.abilities.iter().map(|row| row.acuity.n).sum()
    }

    /// Median threshold over the abilities; for an even number, the smaller of the two middle
    /// values.
    fn median(&self) -> Option<ThresholdPosition> {
        let mut all: Vec<f64> = self
            .abilities
            .iter()
            .map(|row| row.acuity.found.threshold)
            .collect();
        all.sort_by(f64::total_cmp);
        let middle = all.len().checked_sub(1)? / 2;
        all.get(middle).copied().map(ThresholdPosition::of)
    }

    /// A sentence to quote: model, exam, number of questions, and acuity with intervals.
    pub fn quoted(&self) -> String {
        let abilities = self.abilities.iter().map(|row| {
            let name = row.acuity.ability.replace('_', " ");
            format!("{name} {}", row.acuity.words())
        });
        let abilities = abilities.collect::<Vec<_>>().join(", ");
        let median = match (self.abilities.len(), self.median()) {
            (2.., Some(reach)) => format!("; median {}", reach.words()),
            _ => String::new(),
        };
        let drawn = (self.generator.as_ref()).map_or_else(
            || self.benchmark.clone(),
            |words| format!("{}, {words}", self.benchmark),
        );
        format!(
            "{} ({drawn}, {}): acuity (level out of 10) with 95 % intervals: {abilities}{median}.",
            self.model,
            counted(self.questions(), "question"),
        )
    }

    /// Tokens and cost as a text; `None` if no log has counts.
    pub fn cost_words(&self) -> Option<String> {
        let cost = self.cost.as_ref()?;
        let tokens = |count: Option<f64>, of: &str| {
            count.map(|count| counted(whole(count), &format!("{of} token")))
        };
        let parts = [
            cost.requests.map(|count| counted(count, "request")),
            tokens(cost.prompt, "prompt"),
            tokens(cost.completion, "completion"),
            cost.usd.map(|usd| format!("{} USD", money(usd, 4))),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        let silent = counted(cost.uncounted, "answer");
        let rest = match (cost.uncounted, cost.prompt, cost.usd) {
            (0, ..) => String::new(),
            (_, None, _) => "; the server reports no token counts".to_owned(),
            (_, _, None) => format!("; no token counts for {silent}"),
            (_, _, Some(_)) => {
                format!("; estimated from the others for {silent} without token counts")
            }
        };
        (!parts.is_empty()).then(|| format!("Cost of the answers: {}{rest}.", parts.join(", ")))
    }

    /// The result in the JSON schema of `report`.
    pub fn json(&self) -> Json {
        let ability = |row: &AbilityResult| {
            let controls = row.controls.iter();
            let controls: serde_json::Map<String, Json> = controls
                .map(|(name, score)| (name.clone(), json!(score)))
                .collect();
            let others = row.others.iter().map(|other| {
                json!({"model": other.model, "acuity": other.found.reach().level(), "words": other.words()})
            });
            json!({
                "ability": row.acuity.ability, "acuity": row.acuity.found.reach().level(), "ci": row.acuity.ends(),
                "words": row.acuity.words(), "n": row.acuity.n, "metric": row.acuity.metric, "score": row.score,
                "chance": row.acuity.chance, "controls": controls, "others": others.collect::<Vec<_>>(),
            })
        };
        json!({
            "benchmark": self.benchmark, "model": self.model, "generator": self.generator, "questions": self.questions(),
            "line": self.quoted(), "abilities": self.abilities.iter().map(ability).collect::<Vec<_>>(),
            "cost": self.cost.as_ref().map(super::costs::json),
        })
    }

    /// Table of the result, one row per ability.
    pub fn grid(&self) -> Grid {
        let title = format!("Result of {} in {}", self.model, self.benchmark);
        Columns::<AbilityResult>::new()
            .text("ability", |it| &it.acuity.ability)
            .words("acuity>", |it| it.acuity.found.reach().words())
            .words("95 %", |it| interval(&it.acuity))
            .count("n", |it| it.acuity.n)
            .text("metric", |it| &it.acuity.metric)
            .fixed("score", 2, |it| it.score)
            .fixed("blind guess", 2, |it| it.control(BLIND))
            .fixed("best constant", 2, |it| it.control(CONSTANT))
            .words("best of the others", AbilityResult::best_other)
            .grid(&title, &self.abilities)
    }
}

/// Ability name of the cost row over all abilities.
const ALL: &str = "all";
/// Model name under which `exam` writes the score of a blind guess.
const BLIND: &str = "chance";
/// Model name under which `exam` writes the score of the best constant answer.
const CONSTANT: &str = "best constant";

#[cfg(test)]
mod tests {
    use super::*;
    use analysis::metric::acuity::{Posterior, Trials};

    /// Acuity of a model that answers 20 of 20 items up to level `last`, and guesses above.
    fn acuity(model: &str, ability: &str, last: u8) -> Acuity {
        let trials: Vec<Trials> = (1..=10)
            .map(|level| {
                let right = if level <= last { 20 } else { 5 };
                Trials {
                    level,
                    chance: 0.25,
                    right,
                    wrong: 20 - right,
                }
            })
            .collect();
        let posterior = Posterior::of(&trials);
        Acuity {
            benchmark: "exam".to_owned(),
            ability: ability.to_owned(),
            model: model.to_owned(),
            metric: "accuracy".to_owned(),
            rule: None,
            n: 200,
            chance: 0.25,
            found: posterior.acuity(0.95),
            curve: posterior.curve(),
            levels: std::collections::BTreeMap::new(),
            inversion: None,
            posterior,
            around: [None, None],
            items: std::collections::BTreeMap::new(),
        }
    }

    fn score(model: &str, kind: Kind, value: f64) -> Score {
        Score {
            benchmark: "exam".to_owned(),
            model: model.to_owned(),
            run: None,
            ability: "texture".to_owned(),
            split: None,
            metric: "accuracy".to_owned(),
            direction: None,
            rule: None,
            threshold: None,
            headline: true,
            n: 200,
            invalid: 0,
            score: Some(value),
            ci: None,
            few: false,
            rank: None,
            rank_ci: None,
            tie_groups: Vec::new(),
            rank_score: None,
            rank_n: 0,
            excluded: None,
            evidence: None,
            why_not: None,
            contestant: None,
            origin: analysis::Origin::Samples,
            kind,
            ranked: false,
        }
    }

    #[test]
    fn others_stand_behind_the_examined_model_the_best_first() {
        let all = [
            acuity("hog", "texture", 3),
            acuity("gpt", "texture", 6),
            acuity("gabor", "texture", 8),
            acuity("gabor", "color", 2),
        ];
        let scores = [
            score("gpt", Kind::Model, 0.7),
            score("chance", Kind::Chance, 0.25),
            score("best constant", Kind::Control, 0.26),
        ];
        let found = ability(&all[1], &scores, &all);
        assert_eq!(found.score, Some(0.7));
        assert_eq!(found.control("chance"), Some(0.25));
        assert_eq!(found.control("best constant"), Some(0.26));
        let others: Vec<&str> = found.others.iter().map(|one| one.model.as_str()).collect();
        assert_eq!(others, ["gabor", "hog"]);
        assert!(
            found.best_other().starts_with("gabor 8."),
            "{}",
            found.best_other()
        );
    }

    #[test]
    fn a_terminal_of_80_columns_shows_the_result_whole() {
        let of = |name: &str| AbilityResult {
            acuity: acuity("gpt-4o-2024-11-20", name, 10),
            score: Some(12.345),
            controls: vec![(BLIND.to_owned(), 0.25), (CONSTANT.to_owned(), 0.26)],
            others: vec![acuity("randconv", name, 10)],
        };
        let exam = ExamResult {
            benchmark: "exam".to_owned(),
            model: "gpt-4o-2024-11-20".to_owned(),
            generator: None,
            abilities: vec![of("object_recognition"), of("absolute_depth")],
            cost: None,
        };
        let mut text = Vec::new();
        crate::table::write(&[exam.grid()], Some(80), &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(
            text.lines().all(|line| line.chars().count() <= 80),
            "{text}"
        );
        for (name, _) in &exam.grid().columns {
            assert!(text.contains(name.as_str()), "{name}: {text}");
        }
    }

    #[test]
    fn the_line_says_who_on_what_and_how_sure() {
        let of = |ability: &str, last: u8| AbilityResult {
            acuity: acuity("gpt", ability, last),
            score: None,
            controls: Vec::new(),
            others: Vec::new(),
        };
        let exam = ExamResult {
            benchmark: "exam".to_owned(),
            model: "gpt".to_owned(),
            generator: Some("eyechart-exam-3 1f3a9c2b seed 5".to_owned()),
            abilities: vec![of("fine_grained", 2), of("texture", 6), of("color", 4)],
            cost: Some(Cost {
                n: 600,
                prompt: Some(1200.0),
                usd: Some(0.02),
                ..Cost::default()
            }),
        };
        let line = exam.quoted();
        assert!(
            line.starts_with("gpt (exam, eyechart-exam-3 1f3a9c2b seed 5, 600 questions)"),
            "{line}"
        );
        assert!(
            line.contains(": fine grained 2.") && line.contains("; median 4."),
            "{line}"
        );
        assert_eq!(
            exam.cost_words().as_deref(),
            Some("Cost of the answers: 1,200 prompt tokens, 0.0200 USD.")
        );
        let one = ExamResult {
            abilities: exam.abilities[..1].to_vec(),
            cost: None,
            ..exam
        };
        assert!(!one.quoted().contains("median"));
        assert_eq!(one.cost_words(), None);
    }
}
