//! Suggests commands for analyses of the open logs that no view shows.

use analysis::{CheckpointCounts, TWIN, checkpoint_counts, is_step_setting, twin_of};
use base::format::{counted, shell_word, visible};
use record::{Labels, REPEATS, ROTATION, Table};

/// A command that is useful for the open logs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Study {
    /// Command line to suggest.
    pub command: String,
    /// Why the command is useful: a description of what the logs contain.
    pub found: String,
    /// What the command shows about the logs.
    pub shows: &'static str,
}

impl Study {
    fn new(command: &str, found: String, shows: &'static str) -> Self {
        Self {
            command: format!("eyechart {command}"),
            found,
            shows,
        }
    }
}

/// Returns the commands that are useful for a table, most informative first. Conditions must be in
/// this benchmark; checkpoints can be in any benchmark.
pub fn studies(table: &Table, benchmark: &str) -> Vec<Study> {
    let checkpoints = checkpoints(&checkpoint_counts(table.names()));
    let conditions = conditions(table, benchmark);
    let all = [checkpoints, memory(&conditions), spread(&conditions)];
    all.into_iter().flatten().collect()
}

/// Returns the conditions under which a benchmark's samples were asked.
fn conditions<'a>(table: &'a Table, benchmark: &str) -> Vec<&'a Labels> {
    let names = table.names();
    let abilities = names.abilities.values().iter();
    let own: Vec<bool> = abilities.map(|it| it.benchmark == benchmark).collect();
    let mut used = vec![false; names.conditions.len()];
    for (ability, condition) in table.ability_of().iter().zip(table.condition_of()) {
        if own.get(usize::from(*ability)) == Some(&true)
            && let Some(used) = used.get_mut(usize::from(*condition))
        {
            *used = true;
        }
    }
    let all = names.conditions.iter().zip(used);
    all.filter_map(|(labels, used)| used.then_some(labels))
        .collect()
}

fn checkpoints(counts: &CheckpointCounts) -> Option<Study> {
    let found = match (counts.models.as_slice(), counts.settings) {
        ([], 0 | 1) => return None,
        ([], steps) => format!("answers at {steps} training steps"),
        ([(model, steps)], _) => format!("{steps} checkpoints of {}", visible(model)),
        (models, _) => format!("checkpoints of {}", counted(models.len() as u64, "model")),
    };
    let shows = "scores over training, and the steps that are clearly better or worse";
    Some(Study::new("checkpoints", found, shows))
}

/// Returns the command that tests for memorised answer keys, if samples were also asked with
/// changed pictures.
fn memory(conditions: &[&Labels]) -> Option<Study> {
    conditions.iter().find_map(|labels| twin_of(labels))?;
    let found = "answers to mirrored and flipped pictures".to_owned();
    let shows = "whether the models memorised the answers";
    Some(Study::new("report", found, shows))
}

/// Returns the command that shows how far scores vary over a condition. Uses the first condition
/// with several values that no view and no other suggestion shows.
fn spread(conditions: &[&Labels]) -> Option<Study> {
    let mut names: Vec<&String> = conditions.iter().flat_map(|labels| labels.keys()).collect();
    names.sort_unstable();
    names.dedup();
    let is_free = |name: &&String| {
        let known = [ROTATION, TWIN].contains(&name.as_str());
        !known && !REPEATS.contains(&name.as_str()) && !is_step_setting(name)
    };
    let values = |name: &str| {
        let all = conditions.iter().filter_map(|labels| labels.get(name));
        let mut all: Vec<String> = all.map(ToString::to_string).collect();
        all.sort_unstable();
        all.dedup();
        all.len()
    };
    let mut counted = names.into_iter().filter(is_free);
    let (name, count) = counted.find_map(|name| {
        let count = values(name);
        (count > 1).then_some((name, count))
    })?;
    let found = format!("{count} values of {}", visible(name));
    let shows = "how much scores differ between them";
    let command = format!("spread --by {}", shell_word(name.as_ref()));
    Some(Study::new(&command, found, shows))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opened(rows: &[(&str, &str)]) -> Vec<Study> {
        let row = |(at, (model, condition)): (usize, &(&str, &str))| {
            format!(
                r#"{{"benchmark":"b","ability":"a","sample_id":"{at}","model":"{model}","target":"A","response":"A","condition":{condition}}}"#
            )
        };
        let rows: Vec<String> = rows.iter().enumerate().map(row).collect();
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(
            folder.path().join("m.eyechart.jsonl"),
            rows.join("\n") + "\n",
        )
        .unwrap();
        let table = crate::tests::read(folder.path().to_str().unwrap());
        // Benchmark `c` has no conditions.
        let of_others = studies(&table, "c");
        assert!(
            of_others
                .iter()
                .all(|it| it.command.ends_with("checkpoints"))
        );
        studies(&table, "b")
    }

    fn commands(rows: &[(&str, &str)]) -> Vec<String> {
        opened(rows)
            .into_iter()
            .map(|study| study.command)
            .collect()
    }

    #[test]
    fn only_studies_that_suit_the_logs_are_named() {
        assert!(commands(&[("m", "{}"), ("n", "{}")]).is_empty());
        let steps = [("net-step500", "{}"), ("net-step2000", "{}")];
        let found = opened(&steps);
        assert_eq!(found[0].command, "eyechart checkpoints");
        assert_eq!(found[0].found, "2 checkpoints of net");
        assert_eq!(found.len(), 1);
        let settings = [("m", r#"{"step":1}"#), ("m", r#"{"step":2}"#)];
        assert_eq!(commands(&settings), ["eyechart checkpoints"]);
        let prompts = [("m", r#"{"prompt":"a"}"#), ("m", r#"{"prompt":"b"}"#)];
        assert_eq!(commands(&prompts), ["eyechart spread --by prompt"]);
        let spaced = [("m", r#"{"my prompt":"a"}"#), ("m", r#"{"my prompt":"b"}"#)];
        assert_eq!(commands(&spaced), ["eyechart spread --by 'my prompt'"]);
        let one = [("m", r#"{"prompt":"a"}"#), ("m", r#"{"rotation":90}"#)];
        assert!(commands(&one).is_empty());
    }
}
