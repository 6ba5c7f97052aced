//! The document of `eyechart verdicts`: counts per author, the label error rate, and rankings
//! without flagged samples.

use serde_json::{Map, Value as Json, json};

use super::agreement::listed;
use super::cells::{cut_title, interval, number, pair};
use super::columns::Columns;
use super::corrected_scores;
use super::problems::{problem_entry, problem_grid, problem_json};
use super::summary_document::{average_rank, score};
use super::{Document, Grid};
use analysis::AverageRank;
use analysis::audit::{Audit, CorrectedRanking, Findings, RankChange, Rate};
use analysis::metric::{Agreement, Interval};
use base::format::{compact, counted};
use record::verdict::{Entry, Verdict};
use record::{Ability, Problem};

/// Half-width that the error rate's interval should reach, for the number of further verdicts
/// needed.
const WANTED: f64 = 0.05;

/// Result of a label audit.
#[derive(Clone, Debug, Default)]
pub struct LabelAudit {
    /// The author whose verdicts count; `None` for all authors.
    pub author: Option<String>,
    /// Counts, error rates and rankings.
    pub findings: Findings,
    /// Paths of the verdict files.
    pub files: Vec<String>,
    /// Problems in the verdict files.
    pub problems: Vec<Problem>,
}

/// Maximum number of abilities on one screen.
const MOST: usize = 20;
/// Maximum number of changes in a sentence.
const FEW: usize = 5;

impl Document for LabelAudit {
    fn grids(&self) -> Vec<Grid> {
        let title = "Average rank without flagged samples";
        let mut grids = vec![
            self.rate_grid(),
            self.author_grid(),
            self.agreement_grid(),
            self.flagged_grid(),
            ranked(title, &self.findings.average_ranks),
            changed("without flagged samples", &self.findings.changes),
        ];
        grids.extend(self.corrected_grids());
        if !self.findings.corrected_scores.is_empty() {
            grids.push(corrected_scores::grid(&self.findings.corrected_scores));
        }
        let problems = self.problems.iter().map(problem_entry);
        grids.push(problem_grid("Problems in verdict files", problems));
        grids
    }

    fn brief(&self) -> (Vec<String>, Vec<Grid>) {
        let Findings {
            audit,
            drawn,
            flagged,
            corrected,
            corrected_scores,
            ..
        } = &self.findings;
        let mut lines = vec![error_words("All samples", &audit.overall)];
        if drawn.overall.audited > 0 && drawn.overall != audit.overall {
            lines.push(error_words("Samples drawn at random", &drawn.overall));
        }
        if !flagged.is_empty() {
            let samples = counted(flagged.len() as u64, "flagged sample");
            lines.push(change_words(
                &format!("Without {samples}"),
                &self.findings.changes,
            ));
        }
        if let Some(found) = corrected {
            let labels = counted(found.samples as u64, "corrected label");
            lines.push(change_words(&format!("With {labels}"), &found.changes));
        }
        let (sentence, scores) = corrected_scores::brief(corrected_scores);
        lines.extend(sentence);
        if !self.problems.is_empty() {
            let problems = counted(self.problems.len() as u64, "problem");
            lines.push(format!("{problems} in verdict files."));
        }
        lines.push("--long prints all tables.".to_owned());
        let is_wrong = |(_, rate): &&(Ability, Rate)| rate.count(Verdict::WrongLabel) > 0;
        let wrong = audit.abilities.iter().filter(is_wrong);
        let title = cut_title("Wrong labels by ability", MOST, wrong.clone().count(), "");
        let rows = wrong.take(MOST).map(RateRow::of_ability);
        let mut grids = vec![rates(&title, &["benchmark", "ability"], rows)];
        grids.extend(scores);
        (lines, grids)
    }

    fn json(&self) -> Json {
        let mut document = json!({"schema": "eyechart.verdicts/1", "author": self.author});
        let authors = self.findings.authors.iter();
        let agreements = self.findings.agreements.iter();
        let fields = [
            estimate(&self.findings.audit),
            json!({
                "drawn": estimate(&self.findings.drawn),
                "abilities": self.lines(),
                "authors": authors.map(|(name, found)| author(name, found)).collect::<Vec<_>>(),
                "agreement": agreements.map(|(a, b, found)| agreement(a, b, found)).collect::<Vec<_>>(),
                "flagged": self.findings.flagged,
                "not_in_logs": self.findings.unknown,
                "without_flagged": {
                    "scores": self.findings.scores.iter().map(score).collect::<Vec<_>>(),
                    "average_rank": self.findings.average_ranks.iter().map(average_rank).collect::<Vec<_>>(),
                },
                "corrected": self.findings.corrected.as_ref().map(corrected),
                "corrected_scores": self.findings.corrected_scores.iter().map(corrected_scores::json).collect::<Vec<_>>(),
                "rank_changes": self.findings.changes.iter().map(change).collect::<Vec<_>>(),
                "files": self.files,
                "problems": self.problems.iter().map(problem_entry).map(problem_json).collect::<Vec<_>>(),
            }),
        ];
        for more in fields {
            extend(&mut document, more);
        }
        document
    }

    fn lines(&self) -> Vec<Json> {
        let abilities = self.findings.audit.abilities.iter();
        abilities
            .map(|(name, found)| ability(name, found))
            .collect()
    }
}

fn extend(object: &mut Json, more: Json) {
    if let (Some(object), Json::Object(more)) = (object.as_object_mut(), more) {
        object.extend(more);
    }
}

fn with(mut object: Json, more: Json) -> Json {
    extend(&mut object, more);
    object
}

fn rate(rate: &Rate) -> Json {
    let counts: Map<String, Json> = Verdict::SPOKEN
        .iter()
        .map(|kind| (kind.name().to_owned(), json!(rate.count(*kind))))
        .collect();
    json!({
        "samples": rate.samples, "audited": rate.audited, "counts": counts,
        "error_rate": rate.error_rate, "error_rate_ci": pair(rate.ci),
    })
}

/// Counts and error rate over all abilities, as JSON.
fn estimate(audit: &Audit) -> Json {
    let overall = &audit.overall;
    let weighted = audit.weighted.map(|weighted| {
        json!({
            "error_rate": weighted.error_rate, "error_rate_ci": pair(weighted.ci),
            "effective_n": weighted.effective, "covered": weighted.covered,
        })
    });
    with(
        rate(overall),
        json!({
            "rule_of_three": overall.rule_of_three(), "more_for_0.05": overall.more_for(WANTED),
            "weighted": weighted,
        }),
    )
}

fn ability(name: &Ability, found: &Rate) -> Json {
    with(
        json!({"benchmark": name.benchmark, "ability": name.name}),
        rate(found),
    )
}

fn author(name: &str, found: &Rate) -> Json {
    with(json!({"author": name}), rate(found))
}

fn agreement(a: &str, b: &str, found: &Agreement) -> Json {
    json!({
        "a": a, "b": b, "n": found.n, "observed": found.observed, "kappa": found.kappa,
        "kappa_ci": pair(found.interval), "why_no_kappa": found.why_not(),
    })
}

fn change(change: &RankChange) -> Json {
    match change {
        RankChange::Swap {
            benchmark,
            ability,
            ahead,
            behind,
        } => json!({
            "benchmark": benchmark, "ability": ability, "kind": "swap", "ahead": ahead, "behind": behind,
        }),
        RankChange::First {
            benchmark,
            ability,
            before,
            after,
        } => json!({
            "benchmark": benchmark, "ability": ability, "kind": "first", "before": before, "after": after,
        }),
    }
}

/// Scores and ranks with corrected labels, as JSON.
fn corrected(found: &CorrectedRanking) -> Json {
    json!({
        "samples": found.samples,
        "scores": found.scores.iter().map(score).collect::<Vec<_>>(),
        "average_rank": found.average_ranks.iter().map(average_rank).collect::<Vec<_>>(),
        "rank_changes": found.changes.iter().map(change).collect::<Vec<_>>(),
    })
}

/// Row of a table of label errors.
struct RateRow<'a> {
    names: [&'a str; 2],
    counts: Option<&'a Rate>,
    error_rate: Option<f64>,
    ci: Option<Interval>,
}

impl<'a> RateRow<'a> {
    const fn of(names: [&'a str; 2], rate: &'a Rate) -> Self {
        Self {
            names,
            counts: Some(rate),
            error_rate: rate.error_rate,
            ci: rate.ci,
        }
    }

    fn of_ability((name, rate): &'a (Ability, Rate)) -> Self {
        Self::of([&name.benchmark, &name.name], rate)
    }
}

/// Number of wrong labels and their rate: `All samples: 3 of 40 verdicts find a wrong label, error
/// rate 0.0750 [0.0258, 0.1986]; 846 samples.`
fn error_words(whose: &str, rate: &Rate) -> String {
    if rate.audited == 0 {
        let samples = counted(rate.samples, "sample");
        return format!("{whose}: no verdict on {samples}; --spot-check N draws some to judge.");
    }
    format!(
        "{whose}: {} of {} find a wrong label, error rate {} {}; {}.",
        compact(rate.count(Verdict::WrongLabel)),
        counted(rate.audited, "verdict"),
        number(rate.error_rate),
        interval(rate.ci),
        counted(rate.samples, "sample"),
    )
}

/// Changes in the ranks: `Without 3 flagged samples: exam, counting: hog is now ahead of gabor.`
fn change_words(how: &str, changes: &[RankChange]) -> String {
    if changes.is_empty() {
        return format!("{how}: the ranks stay as they are.");
    }
    let changes = changes.iter();
    let changes = changes.map(|change| format!("{}, {change}", change.benchmark()));
    format!("{how}: {}.", listed(FEW, changes))
}

/// Table of label errors; `headings` are the headings of the name columns.
fn rates<'a>(title: &str, headings: &[&str], rows: impl Iterator<Item = RateRow<'a>>) -> Grid {
    let mut columns = Columns::<RateRow<'_>>::new();
    for (at, heading) in headings.iter().enumerate() {
        columns = columns.text(heading, move |it| it.names[at]);
    }
    columns = columns
        .count("samples", |it| it.counts.map(|rate| rate.samples))
        .count("audited", |it| it.counts.map(|rate| rate.audited));
    for kind in Verdict::SPOKEN {
        let heading = kind.name().replace('_', " ");
        columns = columns.count(&heading, move |it| it.counts.map(|rate| rate.count(kind)));
    }
    columns
        .number("error rate", |it| it.error_rate)
        .interval(4, |it| it.ci)
        .grid(title, rows)
}

fn ranked(title: &str, ranks: &[AverageRank]) -> Grid {
    Columns::<AverageRank>::new()
        .text("benchmark", |it| &it.benchmark)
        .text("model", |it| &it.model)
        .fixed("average rank", 2, |it| it.value)
        .count("abilities", |it| it.abilities)
        .grid(title, ranks)
}

fn changed(how: &str, changes: &[RankChange]) -> Grid {
    Columns::<RankChange>::new()
        .text("benchmark", RankChange::benchmark)
        .words(how, ToString::to_string)
        .grid("Changes in the ranks", changes)
}

impl LabelAudit {
    fn rate_grid(&self) -> Grid {
        let Findings { audit, drawn, .. } = &self.findings;
        let abilities = audit.abilities.iter().map(RateRow::of_ability);
        let totals = [("all", audit), ("drawn", drawn)].into_iter();
        let totals = totals.flat_map(|(name, audit)| {
            let weighted = audit.weighted.map(|weighted| RateRow {
                names: [name, "weighted by size"],
                counts: None,
                error_rate: Some(weighted.error_rate),
                ci: weighted.ci,
            });
            [RateRow::of([name, ""], &audit.overall)]
                .into_iter()
                .chain(weighted)
        });
        rates(
            "Label errors",
            &["benchmark", "ability"],
            abilities.chain(totals),
        )
    }

    fn author_grid(&self) -> Grid {
        let authors = self.findings.authors.iter();
        let authors = authors.map(|(name, rate)| RateRow::of([name, ""], rate));
        rates("Authors", &["author"], authors)
    }

    fn agreement_grid(&self) -> Grid {
        Columns::<(String, String, Agreement)>::new()
            .text("author", |(one, ..)| one)
            .text("and", |(_, other, _)| other)
            .count("n", |(.., it)| it.n)
            .fixed("same verdict", 4, |(.., it)| it.observed)
            .fixed("kappa", 4, |(.., it)| it.kappa)
            .interval(4, |(.., it)| it.interval)
            .text("", |(.., it)| it.why_not().unwrap_or_default())
            .grid("Agreement", &self.findings.agreements)
    }

    fn flagged_grid(&self) -> Grid {
        Columns::<Entry>::new()
            .text("benchmark", |it| &it.sample.benchmark)
            .text("ability", |it| &it.sample.ability)
            .text("sample_id", |it| &it.sample.sample_id)
            .text("verdict", |it| it.verdict.name())
            .text("author", |it| &it.author)
            .text("note", |it| &it.note)
            .grid("Flagged samples", &self.findings.flagged)
    }

    /// Tables of the ranks with corrected labels, and of their changes.
    fn corrected_grids(&self) -> Vec<Grid> {
        let Some(found) = &self.findings.corrected else {
            return Vec::new();
        };
        let labels = counted(found.samples as u64, "label");
        let title = format!("Average rank with {labels} corrected");
        vec![
            ranked(&title, &found.average_ranks),
            changed("with corrected labels", &found.changes),
        ]
    }
}
