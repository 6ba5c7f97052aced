//! Acuity in exams with levels: table, JSON and the comparison of two exams.

use serde_json::{Value as Json, json};

use super::{Document, Grid};
use analysis::metric::acuity::ThresholdPosition;
use analysis::{Acuity, AcuityChange};
use base::format::{compact, fixed};

/// Comparison of two exams, ability by ability.
#[derive(Clone, Debug, Default)]
pub struct AcuityChanges {
    /// Changes of the abilities that both exams have.
    pub found: Vec<AcuityChange>,
}

impl Document for AcuityChanges {
    fn preface(&self) -> Vec<String> {
        vec![
            "Acuity now and in the earlier exam, in levels. Better and worse hold for all \
             abilities together at 95 % (Bonferroni); a change as large as 'finds' would be found \
             in four of five cases."
                .to_owned(),
        ]
    }

    fn grids(&self) -> Vec<Grid> {
        let columns = [
            "ability", "before", "n>", "now", "n>", "change>", "95 %", "", "finds>",
        ];
        let mut grid = Grid::new("Acuity in two exams", &columns);
        for row in &self.found {
            let ability = format!("{} of {}", row.now.ability, row.now.model);
            let signed = |level: f64| format!("{level:+.1}");
            grid.push([
                ability.as_str(),
                &row.before.words(),
                &compact(row.before.n),
                &row.now.words(),
                &compact(row.now.n),
                &signed(row.difference),
                &format!("[{}, {}]", signed(row.ci.low), signed(row.ci.high)),
                &row.became.name().replace("not_separable", "not clear"),
                &fixed(Some(row.detectable), 1),
            ]);
        }
        vec![grid]
    }

    fn json(&self) -> Json {
        json!({"schema": "eyechart.acuity/1", "abilities": self.lines()})
    }

    fn lines(&self) -> Vec<Json> {
        let change = |row: &AcuityChange| {
            json!({
                "benchmark": row.now.benchmark, "ability": row.now.ability, "before": json(&row.before), "now": json(&row.now),
                "difference": row.difference, "ci": [row.ci.low, row.ci.high], "verdict": row.became.name(),
                "detectable": row.detectable,
            })
        };
        self.found.iter().map(change).collect()
    }
}

/// Title of the table, which explains acuity.
const TITLE: &str =
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

/// Table of acuities, one row per model and ability.
pub fn grid(rows: &[Acuity]) -> Grid {
    let columns = [
        "benchmark",
        "ability",
        "model",
        "acuity>",
        "95 %",
        "n>",
        "chance>",
        "right if",
        "levels",
    ];
    let mut grid = Grid::new(TITLE, &columns);
    for row in rows {
        grid.push([
            row.benchmark.as_str(),
            &row.ability,
            &row.model,
            &row.found.reach().words(),
            &interval(row),
            &compact(row.n),
            &fixed(Some(row.chance), 2),
            &rule(row),
            &levels(row),
        ]);
    }
    grid
}

/// `[5.1, 7.4]`; an end outside the levels is `> 10` or `< 1`.
pub fn interval(row: &Acuity) -> String {
    let [low, high] = row.found.ends().map(ThresholdPosition::words);
    format!("[{low}, {high}]")
}

/// When an answer counts as right: `giou ≥ 0.5`, `right`.
pub fn rule(row: &Acuity) -> String {
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
