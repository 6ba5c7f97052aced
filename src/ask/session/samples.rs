//! Selects the samples of a session, and the logged answers to compare with.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Column, SessionError, SessionSpec};
use crate::asked::{asked, controls, keep_fit};
use crate::connect::model_named;
use crate::content::TurnWords;
use crate::protocol::Protocol;
use crate::sample::Sample;
use crate::until_clear::UntilClear;
use analysis::Selection;
use base::config::Settings;
use base::format::counted;
use workspace::filter::select_without_outcome;

/// Samples of all columns.
#[derive(Debug, Default)]
pub(super) struct ColumnSamples {
    /// For each column, the model in the logs to compare with.
    pub references: Vec<Option<String>>,
    /// Samples that every column can ask, by the model to compare with.
    by_reference: HashMap<Option<String>, Vec<Sample>>,
    /// Reasons why other samples cannot be asked, with counts.
    pub excluded: Vec<(String, usize)>,
    /// Remarks for the user, one sentence each.
    pub notes: Vec<String>,
}

impl ColumnSamples {
    /// Returns the samples of a column, by its index.
    pub fn of(&self, column: usize) -> &[Sample] {
        let reference = self.references.get(column);
        let samples = reference.and_then(|model| self.by_reference.get(model));
        samples.map(Vec::as_slice).unwrap_or_default()
    }

    fn note(&mut self, words: String) {
        if !self.notes.contains(&words) {
            self.notes.push(words);
        }
    }
}

impl SessionSpec<'_> {
    /// Returns the model in the logs to compare a column with: the chosen model, a model of the
    /// same name, or the usual reference, in this order.
    ///
    /// # Errors
    /// The chosen model is not in the logs.
    pub fn reference(
        &self,
        column: &Column,
        settings: &Settings,
    ) -> Result<Option<String>, SessionError> {
        let models = &self.selection.table.names().models;
        let is_known = |name: &String| models.find(name.as_str()).is_some();
        let spec = &column.spec;
        if let Some(chosen) = &spec.against {
            if !is_known(chosen) {
                return Err(SessionError::NoReference(chosen.clone()));
            }
            return Ok(Some(chosen.clone()));
        }
        let same = model_named(&spec.endpoint, spec.model.as_deref(), settings);
        let same = same.filter(is_known);
        Ok(same.or_else(|| self.usual_reference.clone()))
    }

    /// Finds the samples of all columns.
    pub(super) fn samples(&self, settings: &Settings) -> Result<ColumnSamples, SessionError> {
        let columns = self.columns.iter();
        let references = columns.map(|column| self.reference(column, settings));
        let mut found = ColumnSamples {
            references: references.collect::<Result<_, _>>()?,
            ..ColumnSamples::default()
        };
        // Controls depend on one model's right answers; a common model gives all columns the same
        // samples.
        let has_controls = self.controls && self.picked_by.is_some();
        if let (Some(first), true) = (
            found.references.first().cloned(),
            has_controls || self.until_clear,
        ) {
            found.references.fill(first);
        }
        let ways: Vec<_> = self.columns.iter().map(Column::way).collect();
        for model in found.references.clone() {
            if found.by_reference.contains_key(&model) {
                continue;
            }
            let mut samples = self.samples_against(&ways, model.as_deref(), &mut found)?;
            if ways.len() > 1 {
                let excluded = keep_fit(&mut samples, &ways);
                if samples.is_empty() {
                    return Err(SessionError::NothingForAll(excluded.into_keys().collect()));
                }
                let named = |(why, count): (&str, usize)| (why.to_owned(), count);
                found.excluded = excluded.into_iter().map(named).collect();
            }
            found.by_reference.insert(model, samples);
        }
        Ok(found)
    }

    /// Returns the samples that can be asked in all ways, with controls if requested.
    fn samples_against(
        &self,
        ways: &[(&Protocol, TurnWords)],
        against: Option<&str>,
        found: &mut ColumnSamples,
    ) -> Result<Vec<Sample>, SessionError> {
        let selection = self.selection;
        let (mut samples, lost) = asked(selection, ways, against, self.limit);
        if lost > 0 {
            let lost = counted(lost as u64, "sample");
            found.note(format!("{lost} could no longer be read from their logs"));
        }
        if !self.controls || self.picked_by.is_none() {
            return Ok(samples);
        }
        let mask = select_without_outcome(&self.filter, selection.table, selection.scoring)?;
        let all = Selection {
            mask: Some(&mask),
            ..selection
        };
        let controls = controls(all, ways, against, &samples);
        let is_wrong =
            |sample: &&Sample| sample.before.as_ref().and_then(|it| it.right) == Some(false);
        let wrong = samples.iter().filter(is_wrong).count();
        let fewer = if controls.len() < wrong {
            format!(", not {wrong}: there are no more")
        } else {
            String::new()
        };
        let count = counted(controls.len() as u64, "sample");
        found.note(format!(
            "controls: {count} that are right in the log{fewer}"
        ));
        samples.extend(controls);
        Ok(samples)
    }

    /// Checks that the rule "until clear", if it is used, can compare the columns.
    pub(super) fn check_until_clear(&self) -> Result<(), SessionError> {
        // Chains and votes combine several answers into one result.
        let is_single = |column: &Column| {
            let protocol = &column.spec.protocol;
            let many = protocol.is_chain() || matches!(protocol, Protocol::Votes(_));
            protocol.steps().len() == 1 && !many
        };
        match &self.picked_by {
            _ if !self.until_clear => Ok(()),
            _ if self.columns.len() != 2 || !self.columns.iter().all(is_single) => {
                Err(SessionError::NotTwo)
            }
            Some(filter) => Err(SessionError::Picked(filter.clone())),
            None => Ok(()),
        }
    }

    /// Fixes the order of the samples for the rule "until clear", if it is used, and notes how many
    /// are likely to be asked.
    pub(super) fn clear_rule(&self, found: &mut ColumnSamples) -> Option<Arc<UntilClear>> {
        let table = self.selection.table;
        let cluster = |sample: &Sample| {
            let item = table.item(sample.before.as_ref()?.row);
            table.cluster_of().get(item.0 as usize).copied()
        };
        let samples = found.by_reference.values_mut().next();
        let samples = samples.filter(|_| self.until_clear)?;
        let rule = UntilClear::new(samples, cluster);
        let [tenth, fifth] = [0.1, 0.2].map(|gap| 100.0 * rule.expected(gap));
        found.note(format!(
            "until clear: about {tenth:.0} % of the pictures are asked if the difference is 0.1, {fifth:.0} % if it is 0.2 \
             (simulated; half of the answers differ)"
        ));
        Some(rule)
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::RunSpec;
    use record::Scoring;
    use workspace::load::{Request, load};

    #[test]
    fn the_chosen_model_is_compared_with_then_one_of_the_same_name_then_the_usual_one() {
        let folder = tempfile::tempdir().unwrap();
        let line = |model: &str| {
            format!(
                "{{\"sample_id\":\"1\",\"model\":\"{model}\",\"ability\":\"ocr\",\"question\":\"?\",\"target\":\"a\",\"response\":\"a\"}}\n"
            )
        };
        let log = folder.path().join("x.eyechart.jsonl");
        std::fs::write(&log, ["old", "new", "other"].map(line).concat()).unwrap();
        let request = Request {
            paths: vec![log],
            ..Request::default()
        };
        let table = load(&request, &mut |_| ControlFlow::Continue(()));
        let column = |against: Option<&str>, model: &str| {
            let spec = RunSpec {
                against: against.map(str::to_owned),
                model: Some(model.to_owned()),
                ..RunSpec::new("lab".to_owned(), Protocol::Vanilla, Vec::new())
            };
            Column::alone(spec, Vec::new())
        };
        let selection = Selection::all(&table, Scoring::Harness);
        let spec = SessionSpec {
            usual_reference: Some("other".to_owned()),
            ..SessionSpec::new(Vec::new(), selection, &request)
        };
        let reference = |against, model| {
            let column = column(against, model);
            spec.reference(&column, &Settings::default())
        };
        assert_eq!(
            reference(Some("old"), "new").unwrap().as_deref(),
            Some("old")
        );
        assert_eq!(reference(None, "new").unwrap().as_deref(), Some("new"));
        assert_eq!(reference(None, "newest").unwrap().as_deref(), Some("other"));
        let unknown = reference(Some("none"), "new");
        assert!(matches!(unknown, Err(SessionError::NoReference(_))));
    }
}
