//! The document of `eyechart judge`: a judge model's verdicts, and their agreement with other
//! rules.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use super::cells::pair;
use super::columns::Columns;
use super::{Document, Grid};
use ask::answer_judge::JudgeAgreement;
use base::format::{compact, counted};

/// Result of a judge model on answers.
#[derive(Clone, Debug, Default)]
pub struct JudgedAnswers {
    /// Name of the judge model.
    pub judge: String,
    /// Number of answers it was asked about.
    pub asked: u64,
    /// Number of answers it called right.
    pub right: u64,
    /// Number of answers for which its response could not be parsed.
    pub unread: u64,
    /// Agreement with each of the other rules.
    pub measured: Vec<JudgeAgreement>,
    /// Path of the log with its scores.
    pub log: String,
}

fn row(row: &JudgeAgreement) -> Json {
    let agreement = &row.agreement;
    json!({
        "against": row.against, "n": agreement.n, "agreement": agreement.observed, "kappa": agreement.kappa,
        "kappa_ci": pair(agreement.interval), "judge_only": row.judge_only, "rule_only": row.rule_only,
    })
}

/// Table with one row for each rule that the judge is compared with.
fn grid(title: &str, measured: &[JudgeAgreement]) -> Grid {
    Columns::<JudgeAgreement>::new()
        .text("compared with", |it| it.against)
        .count("answers", |it| it.agreement.n)
        .fixed("agree", 3, |it| it.agreement.observed)
        .fixed("kappa", 3, |it| it.agreement.kappa)
        .interval(4, |it| it.agreement.interval)
        .count("only the judge", |it| it.judge_only)
        .count("only the rule", |it| it.rule_only)
        .grid(title, measured)
}

impl Document for JudgedAnswers {
    fn preface(&self) -> Vec<String> {
        vec![format!(
            "{} judged {}: {} right, {} without a readable verdict. Its scores are in {} and count only if that log is opened.",
            self.judge,
            counted(self.asked, "answer"),
            compact(self.right),
            compact(self.unread),
            self.log
        )]
    }

    fn grids(&self) -> Vec<Grid> {
        let title = "Agreement of the judge with other rules";
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

/// Result of a judge model on labels.
#[derive(Clone, Debug)]
pub struct JudgedLabels {
    /// Name of the judge model.
    pub judge: String,
    /// Number of labels it was asked about.
    pub asked: u64,
    /// Number of verdicts by name.
    pub counts: BTreeMap<&'static str, u64>,
    /// Number of labels for which its response could not be parsed.
    pub unread: u64,
    /// Agreement with people's verdicts.
    pub measured: JudgeAgreement,
    /// Path of the file with its verdicts.
    pub file: String,
}

impl Document for JudgedLabels {
    fn preface(&self) -> Vec<String> {
        let counts = self.counts.iter();
        let counts: Vec<String> = counts
            .map(|(name, count)| format!("{} {}", compact(*count), name.replace('_', " ")))
            .collect();
        vec![format!(
            "{} judged {}: {}, {} without a readable verdict. Its verdicts are in {}, under its own name, and count only if that file is opened.",
            self.judge,
            counted(self.asked, "label"),
            counts.join(", "),
            compact(self.unread),
            self.file
        )]
    }

    fn grids(&self) -> Vec<Grid> {
        vec![grid(
            "Agreement of the judge with people on labels",
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
