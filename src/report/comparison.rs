//! The document of `eyechart compare`: two sides, per ability and per subgroup.

use itertools::Itertools as _;
use serde_json::{Value as Json, json};

use super::agreement::listed;
use super::cells::{cut_title, pair};
use super::columns::Columns;
use super::{Document, Grid, html, page};
use analysis::{
    Cells, Comparison, Conclusion, FALSE_FINDINGS, Gate, Mismatch, PAIRED_DRAWS, PairedDifference,
    SEED, UnpairedCounts, coverage, gate_sentences, sentence,
};
use base::format::probability;
use engine::NamedComparison;

/// A paired comparison with the names of its sides.
#[derive(Clone, Debug)]
pub struct SideBySide {
    /// Name of side A: a model or a filter.
    pub a: String,
    /// Name of side B, in the same form.
    pub b: String,
    /// Paired differences, overall, per ability and per subgroup.
    pub comparison: Comparison,
    /// Whether B is worse than A by more than a margin; `None` without a margin.
    pub gate: Option<Gate>,
}

impl From<NamedComparison> for SideBySide {
    fn from(found: NamedComparison) -> Self {
        let [a, b] = found.names;
        Self {
            a,
            b,
            comparison: found.comparison,
            gate: None,
        }
    }
}

impl Document for SideBySide {
    fn preface(&self) -> Vec<String> {
        let mut lines = self.warnings();
        lines.extend(self.decision());
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

    fn brief(&self) -> (Vec<String>, Vec<Grid>) {
        let rows = &self.comparison.abilities;
        let clear = rows.iter().filter(|row| self.better(row).is_some());
        let clear: Vec<&PairedDifference> = clear.collect();
        let mut lines = if rows.len() > FEW {
            self.conclusions(&clear)
        } else {
            self.preface()
        };
        lines.push("--long prints all numbers.".to_owned());
        let abilities = (clear.len() > FEW).then(|| self.brief_grid(RowKind::Ability));
        let subgroups = self.brief_grid(RowKind::Subgroup);
        (lines, abilities.into_iter().chain([subgroups]).collect())
    }

    fn page(&self) -> html::Page {
        page::comparison(self)
    }

    fn json(&self) -> Json {
        let Comparison {
            mismatches,
            differ_in,
            only_in_a,
            only_in_b,
            abilities,
            subgroups,
        } = &self.comparison;
        let warnings: Vec<String> = mismatches.iter().map(ToString::to_string).collect();
        let mut document = json!({
            "schema": "eyechart.compare/1",
            "a": self.a,
            "b": self.b,
            "warnings": warnings,
            "dropped": {
                "only_in_a": only_in_a.total, "only_in_b": only_in_b.total,
                "why": {"only_in_a": why(*only_in_a), "only_in_b": why(*only_in_b)},
            },
            "differ_in": differ_in,
            "q": FALSE_FINDINGS, "draws": PAIRED_DRAWS, "seed": SEED,
            "abilities": abilities.iter().map(|row| self.row(row)).collect::<Vec<_>>(),
            "subgroups": subgroups.iter().map(|row| self.row(row)).collect::<Vec<_>>(),
        });
        if let (Some(gate), Some(fields)) = (&self.gate, document.as_object_mut()) {
            let gate = json!({"verdict": gate.verdict.name(), "sentences": self.decision()});
            fields.insert("gate".to_owned(), gate);
        }
        document
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

/// Formats a reason why two sides are hard to compare.
pub(super) fn careful(mismatch: &Mismatch) -> String {
    format!("Careful: {mismatch}.")
}

fn why(dropped: UnpairedCounts) -> Json {
    json!({
        "other_condition": dropped.other_condition, "unscored": dropped.unscored,
        "other_metric": dropped.other_metric,
    })
}

impl SideBySide {
    fn warnings(&self) -> Vec<String> {
        self.comparison.mismatches.iter().map(careful).collect()
    }

    /// Sentences of the gate; none without a margin.
    fn decision(&self) -> Vec<String> {
        let gate = self.gate.as_ref();
        gate.map(|gate| gate_sentences(gate, &self.a, &self.b))
            .unwrap_or_default()
    }

    /// Warnings, the answer with the clear differences if they are few, the other abilities by
    /// name, and what was compared.
    fn conclusions(&self, clear: &[&PairedDifference]) -> Vec<String> {
        let rows = &self.comparison.abilities;
        let mut lines = self.warnings();
        lines.extend(self.decision());
        lines.push(self.answer());
        if clear.len() <= FEW {
            lines.extend(clear.iter().map(|row| sentence(row, &self.a, &self.b)));
        }
        let of = |conclusion| rows.iter().filter(move |row| tested(row) == conclusion);
        let names = |conclusion| {
            let names: Vec<String> = of(conclusion).map(|row| row.ability.name.clone()).collect();
            listed(MOST, names.into_iter())
        };
        if of(Some(Conclusion::NotSeparable)).count() > 0 {
            let names = names(Some(Conclusion::NotSeparable));
            lines.push(format!("No clear difference: {names}."));
        }
        if of(None).count() > 0 {
            let why = of(None).map(|row| match &row.why_not {
                Some(why) => why.to_string(),
                None => row.words().to_owned(),
            });
            lines.push(format!(
                "Not tested: {} ({}).",
                names(None),
                why.unique().join("; ")
            ));
        }
        lines.push(format!("A is {}, B is {}.", self.a, self.b));
        lines.push(coverage(&self.comparison, &self.a, &self.b));
        lines
    }

    /// Sentence with the number of abilities in which each side is better.
    fn answer(&self) -> String {
        let Self {
            a, b, comparison, ..
        } = self;
        let rows = &comparison.abilities;
        let better = |side| rows.iter().filter(|row| tested(row) == Some(side)).count();
        let all = rows.len();
        match (better(Conclusion::A), better(Conclusion::B)) {
            (0, 0) if rows.iter().all(|row| tested(row).is_none()) => {
                format!("Whether {a} and {b} differ was not tested in any of {all} abilities.")
            }
            (0, 0) => format!(
                "There is no clear difference between {a} and {b} in any of {all} abilities."
            ),
            (0, better) => {
                format!("{b} is better than {a} in {better} of {all} abilities and worse in none.")
            }
            (better, 0) => {
                format!("{a} is better than {b} in {better} of {all} abilities and worse in none.")
            }
            (better, worse) => format!(
                "{a} is better than {b} in {better} of {all} abilities and worse in {worse}."
            ),
        }
    }

    /// Table of the clear differences, with the most important columns.
    fn brief_grid(&self, kind: RowKind) -> Grid {
        let (name, rows) = match kind {
            RowKind::Ability => ("Clear differences", &self.comparison.abilities),
            RowKind::Subgroup => ("Clear differences in subgroups", &self.comparison.subgroups),
        };
        let clear = rows.iter().filter(|row| self.better(row).is_some());
        let name = cut_title(name, MOST, clear.clone().count(), "; --long lists all");
        let title = title(&name, rows);
        columns(kind).without(&LONG).grid(&title, clear.take(MOST))
    }

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
        match tested(row)? {
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

/// Maximum number of abilities that get a sentence each on one screen; more are in a table.
const FEW: usize = 3;
/// Maximum number of rows of a table, and of names in a sentence, on one screen.
const MOST: usize = 12;
/// Columns omitted from the brief table.
const LONG: [&str; 9] = [
    "p",
    "both",
    "only A",
    "only B",
    "both wrong",
    "A better",
    "B better",
    "equal",
    "detectable",
];

/// The conclusion of a row; `None` if it was not tested.
fn tested(row: &PairedDifference) -> Option<Conclusion> {
    (row.why_not.is_none() && row.is_tested()).then_some(row.conclusion)
}

fn columns<'a>(kind: RowKind) -> Columns<'a, PairedDifference> {
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
}

pub(super) fn grid(title: &str, rows: &[PairedDifference], kind: RowKind) -> Grid {
    columns(kind).grid(title, rows)
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
