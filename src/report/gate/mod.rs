//! The document of `eyechart gate`: whether a candidate can replace a base.

mod comment;
mod github;
mod junit;
mod sample;

use std::io::{self, Write};

use serde_json::{Value as Json, json};

use super::cells::{cut_title, pair};
use super::columns::Columns;
use super::comparison::careful;
use super::{Document, Grid};
use analysis::{Gate, GateRow, GateVerdict, LEVEL, gate_sentence, gate_sentences};
use base::format::{compact, counted, fixed};
use engine::NamedGate;

pub use sample::{LostSample, ReadPictures, SampleSource};

base::named_enum! {
    /// Which undecided rows fail a gate.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum GatePolicy {
        /// "Cannot tell" is a separate outcome.
        #[default]
        Apart = "apart",
        /// Only "worse" fails; a row that was tested and stays undecided passes.
        OnWorse = "worse",
        /// "Cannot tell" fails like "worse".
        OnUnsure = "unsure",
    }
}

/// A gate with the names of its sides and the samples that got worse.
#[derive(Clone, Debug, Default)]
pub struct GateReport {
    /// Name of the base: a model or a filter.
    pub base: String,
    /// Name of the candidate, in the same form.
    pub candidate: String,
    /// The decision with its numbers.
    pub gate: Gate,
    /// Which undecided rows fail.
    pub policy: GatePolicy,
    /// For each row of the gate, the samples with the largest losses.
    pub lost: Vec<Vec<LostSample>>,
    /// Folder or address of the pictures of a comment; `None` if they are embedded.
    pub pictures_at: Option<String>,
}

impl From<NamedGate> for GateReport {
    fn from(found: NamedGate) -> Self {
        let [base, candidate] = found.names;
        Self {
            base,
            candidate,
            gate: found.gate,
            ..Self::default()
        }
    }
}

/// Output format that only gates have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GateFormat {
    /// Markdown: one comment on a pull request.
    Comment,
    /// `JUnit` XML.
    Junit,
    /// Workflow commands of GitHub Actions, which annotate a run.
    Github,
}

/// Maximum number of rows on one screen.
const MOST: usize = 12;
/// Maximum number of lost samples on one screen.
const MOST_LOST: usize = 5;
/// Columns omitted on one screen and in comments.
const LONG: [&str; 5] = ["pictures", "better", "worse", "equal", "p worse"];

impl GateReport {
    /// The outcome of the whole gate under the policy; it determines the exit code.
    pub fn outcome(&self) -> GateVerdict {
        let rows = self.gate.rows.iter().map(|row| self.of_row(row));
        match (GateVerdict::of_all(rows), self.policy) {
            // Only a gate without rows gets here.
            (GateVerdict::CannotTell, GatePolicy::OnUnsure) => GateVerdict::Worse,
            (outcome, _) => outcome,
        }
    }

    /// The outcome of a row under the policy. A row that could not be tested never passes.
    pub fn of_row(&self, row: &GateRow) -> GateVerdict {
        match (row.verdict, self.policy) {
            (GateVerdict::CannotTell, GatePolicy::OnUnsure) => GateVerdict::Worse,
            (GateVerdict::CannotTell, GatePolicy::OnWorse) if row.why_not.is_none() => {
                GateVerdict::Pass
            }
            (verdict, _) => verdict,
        }
    }

    /// Writes the gate in a format that only gates have.
    ///
    /// # Errors
    /// The writer fails.
    pub fn write_as(&self, format: GateFormat, out: &mut dyn Write) -> io::Result<()> {
        match format {
            GateFormat::Comment => self.comment(out),
            GateFormat::Junit => self.junit(out),
            GateFormat::Github => self.github(out),
        }
    }

    /// Sentence about the outcome of a row.
    fn sentence(&self, row: &GateRow) -> String {
        gate_sentence(row, &self.base, &self.candidate)
    }

    /// Reasons why the sides are hard to compare, one sentence each.
    fn warnings(&self) -> Vec<String> {
        self.gate.mismatches.iter().map(careful).collect()
    }

    /// Sentences about the outcome of the whole gate.
    fn decision(&self) -> Vec<String> {
        gate_sentences(&self.gate, &self.base, &self.candidate)
    }

    /// Sentence that names both sides.
    fn sides(&self) -> String {
        format!(
            "The base is {}, the candidate {}.",
            self.base, self.candidate
        )
    }

    /// Warnings, the decision, and what was compared.
    fn sentences(&self) -> Vec<String> {
        let mut lines = self.warnings();
        lines.extend(self.decision());
        lines.push(self.sides());
        lines.extend(self.coverage());
        lines
    }

    /// Sentence with the number of samples that only one side has; `None` if there are none.
    fn coverage(&self) -> Option<String> {
        let Self {
            base, candidate, ..
        } = self;
        let alone = [
            (base, self.gate.only_in_base.total),
            (candidate, self.gate.only_in_candidate.total),
        ];
        let alone = alone.iter().filter(|(_, n)| *n > 0);
        let alone: Vec<String> = alone
            .map(|(name, n)| format!("{} of {name}", counted(*n, "sample")))
            .collect();
        (!alone.is_empty()).then(|| format!("Not paired: {}.", alone.join(", ")))
    }

    /// Rows, each with its lost samples.
    fn rows(&self) -> impl Iterator<Item = (&GateRow, &[LostSample])> {
        let rows = self.gate.rows.iter().enumerate();
        rows.map(move |(at, row)| {
            let lost = self.lost.get(at).map_or(&[][..], Vec::as_slice);
            (row, lost)
        })
    }

    /// Rows, each with its lost samples; worse rows first, then undecided ones.
    fn ordered(&self) -> Vec<(&GateRow, &[LostSample])> {
        let place = |row: &GateRow| match row.verdict {
            GateVerdict::Worse => 0,
            GateVerdict::CannotTell => 1,
            GateVerdict::Pass => 2,
        };
        let mut rows: Vec<_> = self.rows().collect();
        rows.sort_by_key(|(row, _)| place(row));
        rows
    }

    /// Lost samples of the rows that do not pass, without duplicates; samples of single-ability
    /// rows first.
    fn lost_samples(&self) -> Vec<(&GateRow, &LostSample)> {
        let mut rows = self.ordered();
        rows.retain(|(row, _)| row.verdict != GateVerdict::Pass);
        rows.sort_by_key(|(row, _)| row.abilities.len() > 1);
        let mut found: Vec<(&GateRow, &LostSample)> = Vec::new();
        for (row, lost) in rows {
            for sample in lost {
                let is_known = found
                    .iter()
                    .any(|(_, known)| known.loss.candidate == sample.loss.candidate);
                if !is_known {
                    found.push((row, sample));
                }
            }
        }
        found
    }

    fn lost_grid(&self, most: usize) -> Grid {
        let found = self.lost_samples();
        let title = cut_title("What got worse", most, found.len(), "; --long lists all");
        Columns::<(&GateRow, &LostSample)>::new()
            .text("ability", |(_, sample)| &sample.ability)
            .text("sample", |(_, sample)| &sample.id)
            .text("target", |(_, sample)| &sample.target)
            .text("base", |(_, sample)| &sample.base)
            .text("candidate", |(_, sample)| &sample.candidate)
            .number("loss", |(_, sample)| sample.loss.size)
            .grid(&title, found.into_iter().take(most))
    }

    fn row(&self, row: &GateRow, lost: &[LostSample]) -> Json {
        let ability = match row.abilities.as_slice() {
            [ability] => Some(ability),
            _ => None,
        };
        let lost = lost.iter().map(LostSample::json);
        json!({
            "benchmark": row.benchmark, "ability": ability, "abilities": row.abilities, "metric": row.metric,
            "direction": row.direction.name(), "n": row.n, "clusters": row.clusters,
            "base": row.base, "candidate": row.candidate, "change": row.change, "ci": pair(row.ci),
            "worse_by": row.worse_by.map(|margin| margin.to_string()), "margin": row.margin, "limit": row.limit(),
            "better": row.better, "worse": row.worse, "equal": row.equal, "unanswered": row.unanswered,
            "p_worse": row.p_worse, "p_adjusted": row.p_adjusted,
            "verdict": row.verdict.name(), "outcome": self.of_row(row).name(),
            "why_not": row.why_not.as_ref().map(ToString::to_string),
            "required": {"if_equal": row.required.if_equal, "if_as_seen": row.required.if_as_seen},
            "sentence": self.sentence(row), "losses": lost.collect::<Vec<_>>(),
        })
    }
}

impl Document for GateReport {
    fn preface(&self) -> Vec<String> {
        let mut lines = self.sentences();
        if self.gate.rows.len() > 1 {
            let rows = self.ordered();
            let sentence =
                |row: &GateRow| format!("{}: {}", row.verdict.title(), self.sentence(row));
            lines.extend(rows.iter().map(|(row, _)| sentence(row)));
        }
        lines
    }

    fn grids(&self) -> Vec<Grid> {
        let rows = self.ordered();
        let rows = rows.into_iter().map(|(row, _)| row);
        vec![
            columns().grid("Decisions", rows),
            self.lost_grid(usize::MAX),
        ]
    }

    fn brief(&self) -> (Vec<String>, Vec<Grid>) {
        let rows = self.ordered();
        let title = cut_title("Decisions", MOST, rows.len(), "; --long lists all");
        let rows = rows.into_iter().map(|(row, _)| row).take(MOST);
        let decisions = columns().without(&LONG).grid(&title, rows);
        (self.sentences(), vec![decisions, self.lost_grid(MOST_LOST)])
    }

    fn json(&self) -> Json {
        let Gate {
            verdict,
            mismatches,
            only_in_base,
            only_in_candidate,
            ..
        } = &self.gate;
        let warnings: Vec<String> = mismatches.iter().map(ToString::to_string).collect();
        json!({
            "schema": "eyechart.gate/1",
            "base": self.base, "candidate": self.candidate,
            "verdict": verdict.name(), "outcome": self.outcome().name(),
            "fail_on": (self.policy != GatePolicy::Apart).then(|| self.policy.name()),
            "level": LEVEL, "family": self.gate.family(),
            "sentences": self.decision(),
            "warnings": warnings,
            "dropped": {"only_in_base": only_in_base.total, "only_in_candidate": only_in_candidate.total},
            "rows": self.lines(),
        })
    }

    fn lines(&self) -> Vec<Json> {
        self.rows().map(|(row, lost)| self.row(row, lost)).collect()
    }
}

fn columns<'a>() -> Columns<'a, GateRow> {
    Columns::<GateRow>::new()
        .text("benchmark", |row| &row.benchmark)
        .words("ability", ability)
        .metric(|row| &row.metric, |row| row.direction)
        .count("n", |row| row.n)
        .count("pictures", |row| row.clusters)
        .number("base", |row| row.base)
        .number("candidate", |row| row.candidate)
        .number("change", |row| row.change)
        .interval(4, |row| row.ci)
        .number("limit", GateRow::limit)
        .words("verdict", |row| match row.why_not {
            Some(_) => "not tested".to_owned(),
            None => row.verdict.words().to_owned(),
        })
        .words("needs>", needs)
        .count("better", |row| row.better)
        .count("worse", |row| row.worse)
        .count("equal", |row| row.equal)
        .words("p worse>", |row| fixed(row.p_adjusted, 4))
}

fn ability(row: &GateRow) -> String {
    match row.abilities.as_slice() {
        [ability] => ability.clone(),
        abilities => format!("all {}", abilities.len()),
    }
}

/// Number of samples needed for a decision if both sides are equal. If the row already has as many,
/// the number needed if the gain is as observed. A dash if unknown.
fn needs(row: &GateRow) -> String {
    let needed = row.required.if_equal.filter(|needed| *needed > row.n);
    let needed = needed.or(row.required.if_as_seen);
    needed.map_or_else(|| "–".to_owned(), compact)
}
