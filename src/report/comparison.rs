//! The document of `eyechart compare`: two sides, per ability and per subgroup.

use serde_json::{Value as Json, json};

use super::columns::Columns;
use super::summary::pair;
use super::{Document, Grid, html, page};
use analysis::{
    Cells, Comparison, Conclusion, FALSE_FINDINGS, PAIRED_DRAWS, PairedDifference, SEED,
    UnpairedCounts, coverage, sentence,
};
use base::format::probability;

/// A paired comparison with the names of its sides.
#[derive(Clone, Debug)]
pub struct SideBySide {
    /// Name of side A: a model or a filter.
    pub a: String,
    /// Name of side B, in the same form.
    pub b: String,
    /// Paired differences, overall, per ability and per subgroup.
    pub comparison: Comparison,
}

impl Document for SideBySide {
    fn preface(&self) -> Vec<String> {
        let warnings = self.comparison.mismatches.iter();
        let mut lines: Vec<String> = warnings
            .map(|mismatch| format!("Careful: {mismatch}."))
            .collect();
        lines.push(format!("A is {}, B is {}.", self.a, self.b));
        lines.push(coverage(&self.comparison, &self.a, &self.b));
        let rows = self.comparison.abilities.iter();
        lines.extend(rows.map(|row| sentence(row, &self.a, &self.b)));
        lines
    }

    fn grids(&self) -> Vec<Grid> {
        vec![
            grid(
                &title("Abilities", &self.comparison.abilities),
                &self.comparison.abilities,
                RowKind::Ability,
            ),
            grid(
                &title("Subgroups", &self.comparison.subgroups),
                &self.comparison.subgroups,
                RowKind::Subgroup,
            ),
        ]
    }

    fn page(&self) -> html::Page {
        page::comparison(self)
    }

    fn json(&self) -> Json {
        let Comparison {
            mismatches,
            told_by,
            only_in_a,
            only_in_b,
            abilities,
            subgroups,
        } = &self.comparison;
        let warnings: Vec<String> = mismatches.iter().map(ToString::to_string).collect();
        json!({
            "schema": "eyechart.compare/1",
            "a": self.a,
            "b": self.b,
            "warnings": warnings,
            "dropped": {
                "only_in_a": only_in_a.total, "only_in_b": only_in_b.total,
                "why": {"only_in_a": why(*only_in_a), "only_in_b": why(*only_in_b)},
            },
            "differ_in": told_by,
            "q": FALSE_FINDINGS, "draws": PAIRED_DRAWS, "seed": SEED,
            "abilities": abilities.iter().map(|row| self.row(row)).collect::<Vec<_>>(),
            "subgroups": subgroups.iter().map(|row| self.row(row)).collect::<Vec<_>>(),
        })
    }

    fn lines(&self) -> Vec<Json> {
        let Comparison {
            abilities,
            subgroups,
            ..
        } = &self.comparison;
        abilities
            .iter()
            .chain(subgroups)
            .map(|row| self.row(row))
            .collect()
    }
}

fn why(dropped: UnpairedCounts) -> Json {
    json!({
        "other_condition": dropped.other_condition, "unscored": dropped.unscored,
        "other_metric": dropped.other_metric,
    })
}

impl SideBySide {
    /// The tables, with the names of the sides in their titles.
    pub(super) fn titled_grids(&self) -> Vec<Grid> {
        let titled = |grid: Grid| Grid {
            title: format!("A {} and B {}: {}", self.a, self.b, grid.title),
            ..grid
        };
        self.grids().into_iter().map(titled).collect()
    }

    /// Name of the better side of a comparison; `None` if no difference is clear.
    pub(super) fn better(&self, row: &PairedDifference) -> Option<&str> {
        match row.conclusion {
            _ if !row.is_tested() => None,
            Conclusion::A => Some(&self.a),
            Conclusion::B => Some(&self.b),
            Conclusion::NotSeparable => None,
        }
    }

    fn row(&self, row: &PairedDifference) -> Json {
        let of = |part: fn(&Cells) -> u64| row.cells.as_ref().map(part);
        let mut object = json!({
            "benchmark": row.ability.benchmark, "ability": row.ability.name, "metric": row.metric,
            "direction": row.direction.name(), "headline": row.headline, "n": row.n, "clusters": row.clusters,
            "a_score": row.a_score, "b_score": row.b_score, "difference": row.difference, "ci": pair(row.ci),
            "test": row.test.name(), "p_value": row.p_value, "p_adjusted": row.p_adjusted, "family": row.family,
            "both": of(|cells| cells.both), "only_a": of(|cells| cells.only_a),
            "only_b": of(|cells| cells.only_b), "neither": of(|cells| cells.neither),
            "threshold": row.threshold(),
            "a_better": row.a_better, "b_better": row.b_better, "equal": row.equal,
            "verdict": row.why_not.is_none().then(|| row.conclusion.name()), "detectable": row.detectable,
            "why_not": row.why_not.as_ref().map(ToString::to_string),
            "sentence": sentence(row, &self.a, &self.b),
        });
        if let (Some((by, bin)), Some(object)) = (&row.bin, object.as_object_mut()) {
            object.insert("by".to_owned(), json!(by));
            object.insert("bin".to_owned(), json!(bin));
        }
        object
    }
}

/// Kind of the rows of a table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum RowKind {
    Ability,
    Subgroup,
}

pub(super) fn grid(title: &str, rows: &[PairedDifference], kind: RowKind) -> Grid {
    let of = |part: fn(&Cells) -> u64| move |it: &PairedDifference| it.cells.as_ref().map(part);
    let mut columns = Columns::<PairedDifference>::new()
        .text("benchmark", |it| &it.ability.benchmark)
        .text("ability", |it| &it.ability.name);
    if kind == RowKind::Subgroup {
        columns = columns
            .text("by", |it| it.bin.as_ref().map_or("", |(by, _)| by.as_str()))
            .text("bin", |it| {
                it.bin.as_ref().map_or("", |(_, bin)| bin.as_str())
            });
    }
    columns
        .metric(|it| &it.metric, |it| it.direction)
        .count("n", |it| it.n)
        .number("A", |it| it.a_score)
        .number("B", |it| it.b_score)
        .number("A - B", |it| it.difference)
        .interval(4, |it| it.ci)
        .words("p>", |it| chance(it.p_value))
        .words("adjusted>", |it| chance(it.p_adjusted))
        .words("verdict", |it| it.words().to_owned())
        .count("both", of(|cells| cells.both))
        .count("only A", of(|cells| cells.only_a))
        .count("only B", of(|cells| cells.only_b))
        .count("both wrong", of(|cells| cells.neither))
        .count("A better", |it| it.a_better)
        .count("B better", |it| it.b_better)
        .count("equal", |it| it.equal)
        .number("detectable", |it| it.detectable)
        .grid(title, rows)
}

/// A heading with the number of tests that p values are adjusted for.
pub(super) fn title(name: &str, rows: &[PairedDifference]) -> String {
    match Comparison::families(rows).as_str() {
        "" | "1" => name.to_owned(),
        families => format!("{name}: p adjusted over {families} (Benjamini-Hochberg, q = 0.05)"),
    }
}

/// A p value, never 0; a dash if there is none.
pub(super) fn chance(p: Option<f64>) -> String {
    p.map_or_else(|| "–".to_owned(), probability)
}
