//! The document of `eyechart judge`: what a judge model said, and how far it agrees with the other rules.

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
        let columns = [
            "beside",
            "answers>",
            "agree>",
            "kappa>",
            "95 %",
            "only the judge>",
            "only the rule>",
        ];
        let mut grid = Grid::new("How far the judge agrees on what is right", &columns);
        for row in &self.measured {
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
        vec![grid]
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
