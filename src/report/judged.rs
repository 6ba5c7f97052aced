//! The document of `eyechart judge`: what a judge model said, and how far it agrees with the other rules.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use super::summary::pair;
use super::{Document, Grid};
use format::{compact, counted, fixed};
use workspace::judged::Measured;

/// A judge model, measured.
#[derive(Clone, Debug, Default)]
pub struct Judged {
    /// Its name.
    pub judge: String,
    /// Answers that it was asked about.
    pub asked: u64,
    /// Answers that it called right.
    pub right: u64,
    /// Answers of which it said nothing that can be read.
    pub unread: u64,
    /// Beside the other rules.
    pub measured: Vec<Measured>,
    /// The log with its scores.
    pub log: String,
}

fn row(row: &Measured) -> Json {
    let agreement = &row.agreement;
    json!({
        "against": row.against, "n": agreement.n, "agreement": agreement.observed, "kappa": agreement.kappa,
        "kappa_ci": pair(agreement.interval), "judge_only": row.judge_only, "rule_only": row.rule_only,
    })
}

/// A row for each rule that the judge is measured against.
fn grid(title: &str, measured: &[Measured]) -> Grid {
    let columns = [
        "beside",
        "answers>",
        "agree>",
        "kappa>",
        "95 %",
        "only the judge>",
        "only the rule>",
    ];
    let mut grid = Grid::new(title, &columns);
    for row in measured {
        let agreement = &row.agreement;
        grid.push([
            row.against,
            &compact(agreement.n),
            &fixed(agreement.observed, 3),
            &fixed(agreement.kappa, 3),
            &super::summary::interval(agreement.interval),
            &compact(row.judge_only),
            &compact(row.rule_only),
        ]);
    }
    grid
}

impl Document for Judged {
    fn preface(&self) -> Vec<String> {
        vec![format!(
            "{} judged {}: {} right, {} unread. Its scores are in {}, and count nowhere until that is opened.",
            self.judge,
            counted(self.asked, "answer"),
            compact(self.right),
            compact(self.unread),
            self.log
        )]
    }

    fn grids(&self) -> Vec<Grid> {
        let title = "How far the judge agrees on what is right";
        vec![grid(title, &self.measured)]
    }

    fn json(&self) -> Json {
        json!({
            "schema": "eyechart.judge/1", "judge": self.judge, "asked": self.asked, "right": self.right,
            "unread": self.unread, "log": self.log, "measured": self.lines(),
        })
    }

    fn lines(&self) -> Vec<Json> {
        self.measured.iter().map(row).collect()
    }
}

/// A judge model's words on annotations, measured.
#[derive(Clone, Debug)]
pub struct JudgedLabels {
    /// Its name.
    pub judge: String,
    /// Annotations that it was asked about.
    pub asked: u64,
    /// Its verdicts by name, and how many of each.
    pub counts: BTreeMap<&'static str, u64>,
    /// Annotations of which it said nothing that can be read.
    pub unread: u64,
    /// Beside people's verdicts.
    pub measured: Measured,
    /// The file of its verdicts.
    pub file: String,
}

impl Document for JudgedLabels {
    fn preface(&self) -> Vec<String> {
        let counts = self.counts.iter();
        let counts: Vec<String> = counts
            .map(|(name, count)| format!("{} {}", compact(*count), name.replace('_', " ")))
            .collect();
        vec![format!(
            "{} judged {}: {}, {} unread. Its verdicts are in {}, under its own name, and count nowhere until that is opened.",
            self.judge,
            counted(self.asked, "label"),
            counts.join(", "),
            compact(self.unread),
            self.file
        )]
    }

    fn grids(&self) -> Vec<Grid> {
        vec![grid(
            "How far the judge agrees with people on which labels are right",
            std::slice::from_ref(&self.measured),
        )]
    }

    fn json(&self) -> Json {
        json!({
            "schema": "eyechart.judge_labels/1", "judge": self.judge, "asked": self.asked, "counts": self.counts,
            "unread": self.unread, "file": self.file, "measured": row(&self.measured),
        })
    }

    fn lines(&self) -> Vec<Json> {
        vec![row(&self.measured)]
    }
}
