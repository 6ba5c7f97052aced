//! Acuity in exams with levels: table, JSON and the comparison of two exams.

use serde_json::{Value as Json, json};

use super::columns::Columns;
use super::{Document, Grid};
use analysis::metric::acuity::ThresholdPosition;
use analysis::{Acuity, AcuityChange, ItemChanges, PooledChange, pooled_change};
use base::format::{counted, probability};

/// Comparison of two exams, ability by ability.
#[derive(Clone, Debug, Default)]
pub struct AcuityChanges {
    /// Changes of the abilities that both exams have.
    pub found: Vec<AcuityChange>,
}

impl Document for AcuityChanges {
    fn preface(&self) -> Vec<String> {
        let about =
            "Acuity now and in the earlier exam, in levels. 'better' and 'worse' hold for all \
             abilities together at 95 % (Bonferroni). 'detectable' is the change that these two \
             exams would detect in four of five cases."
                .to_owned();
        let pooled = pooled_change(&self.found).as_ref().map(together);
        [about].into_iter().chain(pooled).collect()
    }

    fn grids(&self) -> Vec<Grid> {
        let table = Columns::<AcuityChange>::new()
            .words("ability", |it| {
                format!("{} of {}", it.now.ability, it.now.model)
            })
            .words("before", |it| it.before.words())
            .count("n", |it| it.before.n)
            .words("now", |it| it.now.words())
            .count("n", |it| it.now.n)
            .words("change>", |it| signed(it.difference))
            .words("95 %", |it| {
                format!("[{}, {}]", signed(it.ci.low), signed(it.ci.high))
            })
            .words("", |it| {
                it.became.name().replace("not_separable", "not clear")
            })
            .fixed("detectable", 1, |it| it.detectable)
            .words("flips", |it| {
                format!("+{} -{}", it.items.now_right, it.items.now_wrong)
            })
            .grid("Acuity in two exams", &self.found);
        vec![table]
    }

    fn json(&self) -> Json {
        let together = pooled_change(&self.found).map(|pooled| {
            json!({
                "abilities": pooled.abilities, "difference": pooled.difference, "ci": [pooled.ci.low, pooled.ci.high],
                "items": items(pooled.items),
            })
        });
        json!({"schema": "eyechart.acuity/1", "abilities": self.lines(), "together": together})
    }

    fn lines(&self) -> Vec<Json> {
        let change = |row: &AcuityChange| {
            json!({
                "benchmark": row.now.benchmark, "ability": row.now.ability, "before": json(&row.before), "now": json(&row.now),
                "difference": row.difference, "ci": [row.ci.low, row.ci.high], "verdict": row.became.name(),
                "detectable": row.detectable, "items": items(row.items),
            })
        };
        self.found.iter().map(change).collect()
    }
}

/// Formats a change in levels.
fn signed(level: f64) -> String {
    format!("{level:+.1}")
}

/// Formats the change of all abilities: `all 14 abilities: +1.4 levels [+1.0, +1.8]; of the 560
/// items in both exams, 61 became right and 20 wrong, p <0.001`.
fn together(pooled: &PooledChange) -> String {
    let abilities = match pooled.abilities {
        1 => "the ability".to_owned(),
        count => format!("all {count} abilities"),
    };
    let [low, high] = [pooled.ci.low, pooled.ci.high].map(signed);
    let change = format!(
        "{abilities}: {} levels [{low}, {high}]",
        signed(pooled.difference)
    );
    let found = pooled.items;
    let Some(p) = found.p_value() else {
        return format!("{change}; the exams have no items in common");
    };
    format!(
        "{change}; of {} in both exams, {} became right and {} wrong, p {}",
        counted(found.n, "item"),
        found.now_right,
        found.now_wrong,
        probability(p)
    )
}

/// Changed answers to shared items as JSON.
fn items(found: ItemChanges) -> Json {
    json!({"n": found.n, "now_right": found.now_right, "now_wrong": found.now_wrong, "p": found.p_value()})
}

/// Title of the table, which explains acuity.
pub const TITLE: &str =
    "Acuity: the level (1 easy, 10 hard) half-way between chance and the best score";

/// A threshold in the JSON schema of `report`. An end of the interval outside the levels is null.
pub fn json(row: &Acuity) -> Json {
    let levels = row.levels.iter();
    let levels = levels.map(|(level, (right, n))| json!({"level": level, "right": right, "n": n}));
    let reach = row.found.reach();
    let beyond = (reach.level().is_none()).then(|| reach.words());
    json!({
        "benchmark": row.benchmark, "ability": row.ability, "model": row.model, "metric": row.metric, "rule": row.rule,
        "n": row.n, "chance": row.chance, "acuity": reach.level(), "beyond": beyond, "ci": row.ends(),
        "slope": row.curve.slope, "lapse": row.curve.lapse, "levels": levels.collect::<Vec<_>>(),
        "inversion_p": row.inversion,
    })
}

/// Columns of the acuity of a model in an ability.
pub fn columns<'a>() -> Columns<'a, Acuity> {
    Columns::<Acuity>::new()
        .text("benchmark", |it| &it.benchmark)
        .text("ability", |it| &it.ability)
        .text("model", |it| &it.model)
        .words("acuity>", |it| it.found.reach().words())
        .words("95 %", interval)
        .count("n", |it| it.n)
        .fixed("chance", 2, |it| it.chance)
        .words("right if", rule)
        .words("levels", levels)
}

/// `[5.1, 7.4]`; an end outside the levels is `> 10` or `< 1`.
pub fn interval(row: &Acuity) -> String {
    let [low, high] = row.found.ends().map(ThresholdPosition::words);
    format!("[{low}, {high}]")
}

/// When an answer counts as right: `giou ≥ 0.5`, `right`.
fn rule(row: &Acuity) -> String {
    row.rule.as_ref().map_or_else(
        || "right".to_owned(),
        |rule| format!("{} {rule}", row.metric),
    )
}

/// Right answers and items by level: `1: 4/4  2: 3/4`.
fn levels(row: &Acuity) -> String {
    let levels = row.levels.iter();
    let levels = levels.map(|(level, (right, n))| format!("{level}: {right}/{n}"));
    levels.collect::<Vec<_>>().join("  ")
}
