//! Compares the columns of a finished session.

use std::ops::ControlFlow;

use super::names::with_runs;
use super::{FinishedRun, SessionError, SessionResult};
use crate::StepScore;
use crate::until_clear::AbilityGap;
use analysis::{Conclusion, PairedDifference, Selection, sentence_among};
use base::format::fixed;
use record::Table;
use workspace::load::load;
use workspace::{NamedComparison, each_pair};

/// Maximum number of comparisons that all get a sentence. If there are more, only clear differences
/// get a sentence.
const SENTENCES: usize = 12;

/// Conclusions from a comparison of columns.
#[derive(Clone, Debug, Default)]
pub enum ColumnComparison {
    /// Nothing was compared.
    #[default]
    Nothing,
    /// The filter picked the samples by their outcome, so nothing is tested; holds the filter's
    /// terms.
    Picked(String),
    /// Too many answers of a column were cut, so nothing is concluded; holds the column's name and
    /// the counts.
    Cut(String),
    /// Two columns were asked until their difference was clear.
    UntilClear {
        /// Names of both columns.
        sides: [String; 2],
        /// Difference in each ability. No other test is valid, because the answers decided the
        /// number of samples.
        gaps: Vec<AbilityGap>,
    },
    /// Each pair of columns, on the samples that both answered.
    Pairs(Vec<NamedComparison>),
}

/// A comparison, and the table it was computed from.
#[derive(Debug)]
pub struct ComparedColumns {
    /// Table of the logs and the new runs.
    pub table: Table,
    /// Conclusions from the comparison.
    pub comparison: ColumnComparison,
}

impl SessionResult {
    /// Loads the new runs with the logs and compares the columns; `None` if there is no run.
    ///
    /// # Errors
    /// A column cannot be selected by the name of its model.
    pub fn compared(&self) -> Result<Option<ComparedColumns>, SessionError> {
        let columns = self.columns.iter();
        let runs: Vec<(&str, &FinishedRun)> = columns
            .filter_map(|column| Some((column.name.as_str(), column.run.as_ref().ok()?)))
            .collect();
        if runs.is_empty() {
            return Ok(None);
        }
        // The logs come first: they show which samples share a picture, even if it was modified.
        let logs = runs.iter().map(|(_, run)| run.output.log.clone());
        let request = with_runs(&self.request, logs.collect());
        let table = load(&request, &mut |_| ControlFlow::Continue(()));
        let comparison = if let Some(cut) = cut(&runs) {
            ColumnComparison::Cut(cut)
        } else if let Some(rule) = &self.clear {
            let name = |at: usize| self.columns.get(at).map_or("", |column| &column.name);
            ColumnComparison::UntilClear {
                sides: [0, 1].map(|at| name(at).to_owned()),
                gaps: rule.gaps(),
            }
        } else if let Some(filter) = &self.picked_by {
            ColumnComparison::Picked(filter.clone())
        } else {
            ColumnComparison::Pairs(self.pairs(&table, &runs)?)
        };
        Ok(Some(ComparedColumns { table, comparison }))
    }

    fn pairs(
        &self,
        table: &Table,
        runs: &[(&str, &FinishedRun)],
    ) -> Result<Vec<NamedComparison>, SessionError> {
        let labels = runs.iter().map(|(_, run)| run.plan.asking.label.clone());
        let labels: Vec<String> = labels.collect();
        let pairs = each_pair(Selection::all(table, self.scoring), &labels)?;
        let name = |label: &String| {
            let mut runs = runs.iter();
            let known = runs.find(|(_, run)| run.plan.asking.label == *label);
            known.map_or_else(|| label.clone(), |(name, _)| (*name).to_owned())
        };
        let named = pairs.into_iter().map(|pair| NamedComparison {
            names: pair.names.each_ref().map(name),
            ..pair
        });
        Ok(named.collect())
    }
}

impl ColumnComparison {
    /// Returns the compared pairs; empty for other kinds of comparison.
    pub fn pairs(&self) -> &[NamedComparison] {
        match self {
            Self::Pairs(pairs) => pairs,
            _ => &[],
        }
    }

    /// Returns the conclusions as sentences.
    pub fn sentences(&self) -> Vec<String> {
        match self {
            Self::Nothing => Vec::new(),
            Self::Picked(filter) => vec![format!(
                "columns are not compared: {filter} selected the samples by their outcome, which \
                 favours columns unlike the model used for the selection"
            )],
            Self::Cut(cut) => vec![format!("no comparison of the columns: {cut}")],
            Self::UntilClear { sides, gaps } => gap_sentences(sides, gaps),
            Self::Pairs(pairs) => pair_sentences(pairs),
        }
    }
}

/// Returns the first column with too many cut answers, if there are several columns.
fn cut(runs: &[(&str, &FinishedRun)]) -> Option<String> {
    let mut columns = runs.iter().filter(|_| runs.len() > 1);
    columns.find_map(|(name, run)| {
        let found = run.plan.summary(&run.output.ended.finished);
        let cut = found.steps.iter().find_map(StepScore::cut)?;
        Some(format!("{name}: {cut}"))
    })
}

fn gap_sentences(sides: &[String; 2], gaps: &[AbilityGap]) -> Vec<String> {
    let rule = "asked until clear: the intervals of \"A - B\" hold although the answers decided \
                when to stop (betting without replacement, Waudby-Smith & Ramdas 2024; 95 % for \
                all abilities together, by picture, right against wrong); other tests of these \
                logs do not account for this stop";
    let said = gaps.iter().map(|gap| gap_sentence(sides, gap));
    said.chain([rule.to_owned()]).collect()
}

fn gap_sentence(sides: &[String; 2], gap: &AbilityGap) -> String {
    let (ability, seen, of) = (&gap.ability, gap.pictures, gap.of);
    let ties = match gap.unanswered {
        0 => String::new(),
        1 => "; a question without a complete answer of both counts as a tie".to_owned(),
        count => format!("; {count} questions without a complete answer of both count as ties"),
    };
    if let Some(better) = gap.better() {
        let (better, other) = (&sides[better], &sides[1 - better]);
        let difference = fixed(gap.difference.map(f64::abs), 4);
        return format!(
            "{ability}: {better} is better than {other} by {difference} (share of right answers), clear after {seen} of {of} pictures{ties}"
        );
    }
    if seen == of {
        let difference = fixed(gap.difference, 4);
        let exactly = if ties.is_empty() { "exactly " } else { "" };
        return format!(
            "{ability}: not clear with all {of} pictures; on this set, A - B is {exactly}{difference}{ties}"
        );
    }
    format!("{ability}: not clear after {seen} of {of} pictures{ties}")
}

fn pair_sentences(pairs: &[NamedComparison]) -> Vec<String> {
    let all: Vec<(&NamedComparison, &PairedDifference)> = pairs
        .iter()
        .flat_map(|pair| pair.comparison.abilities.iter().map(move |row| (pair, row)))
        .collect();
    let rows: Vec<&PairedDifference> = all.iter().map(|(_, row)| *row).collect();
    let is_said = |(_, row): &&(&NamedComparison, &PairedDifference)| {
        all.len() <= SENTENCES || row.is_tested() && row.conclusion != Conclusion::NotSeparable
    };
    let said: Vec<String> = (all.iter().filter(is_said))
        .map(|(pair, row)| sentence_among(row, &rows, &pair.names[0], &pair.names[1]))
        .collect();
    let silent = all.len() - said.len();
    let silent = (silent > 0).then(|| {
        let all = all.len();
        format!("{silent} of {all} comparisons show no clear difference: see the table")
    });
    said.into_iter().chain(silent).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_that_was_asked_completely_has_an_exact_difference() {
        let gap = |pictures| AbilityGap {
            benchmark: "b".to_owned(),
            ability: "counting".to_owned(),
            pictures,
            of: 8,
            unanswered: 0,
            difference: Some(0.25),
            interval: None,
            is_clear: false,
        };
        let compared = ColumnComparison::UntilClear {
            sides: ["old", "new"].map(str::to_owned),
            gaps: vec![
                gap(8),
                gap(7),
                AbilityGap {
                    difference: Some(-0.5),
                    is_clear: true,
                    ..gap(6)
                },
                AbilityGap {
                    unanswered: 3,
                    ..gap(8)
                },
            ],
        };
        let said = compared.sentences();
        assert!(said[0].ends_with("A - B is exactly 0.2500"), "{said:?}");
        assert_eq!(said[1], "counting: not clear after 7 of 8 pictures");
        assert!(
            said[2].starts_with("counting: new is better than old by 0.5000"),
            "{said:?}"
        );
        let tied = "A - B is 0.2500; 3 questions without a complete answer of both count as ties";
        assert!(said[3].ends_with(tied), "{said:?}");
    }
}
