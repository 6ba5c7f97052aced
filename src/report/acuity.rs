//! Acuity in exams with levels, in reports.

use serde_json::{Value as Json, json};

use super::Grid;
use analysis::Acuity;
use format::{compact, fixed};
use metric::acuity::Reach;

/// What the columns of the table are.
const TITLE: &str = "Acuity: the level (1 easy, 10 hard) at which half of what can be read is read";

/// A threshold in the JSON schema of `report`. An end of the interval beyond the levels is null.
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

/// The table of acuities.
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

/// `[5.1, 7.4]`; an end beyond the levels is `> 10` or `< 1`.
pub fn interval(row: &Acuity) -> String {
    let [low, high] = row.found.ends().map(Reach::words);
    format!("[{low}, {high}]")
}

/// When an answer counts as right: `giou ≥ 0.5`, `right`.
pub fn rule(row: &Acuity) -> String {
    row.rule.as_ref().map_or_else(
        || "right".to_owned(),
        |rule| format!("{} {rule}", row.metric),
    )
}

/// Right answers of all by level: `1: 4/4  2: 3/4`.
fn levels(row: &Acuity) -> String {
    let levels = row.levels.iter();
    let levels = levels.map(|(level, (right, n))| format!("{level}: {right}/{n}"));
    levels.collect::<Vec<_>>().join("  ")
}
