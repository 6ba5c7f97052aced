//! Tells which settings that decide about scores differ between the models of a report.

use std::collections::{BTreeMap, BTreeSet};

use itertools::Itertools as _;

use base::format::first_words;
use record::Source;

/// Settings that decide about scores, as the readers name them.
const DECISIVE: [&str; 5] = ["judge", "scorer", "shots", "system prompt", "limit"];
/// Maximum length of a value, in characters.
const LONGEST: usize = 40;
/// Maximum number of settings in the sentence.
const MOST: usize = 3;

/// Values of a setting, each with its models.
type Values = BTreeMap<String, BTreeSet<String>>;

/// Returns a sentence about decisive settings that differ between models on the same data set;
/// `None` if there are none.
pub fn sentence(sources: &[Source]) -> Option<String> {
    let mut found: BTreeMap<(&str, String), Values> = BTreeMap::new();
    let counted = sources.iter().filter(|source| !source.superseded);
    for run in counted.flat_map(Source::runs) {
        let Some((model, dataset)) = run.name.model.zip(run.name.dataset) else {
            continue;
        };
        for name in DECISIVE {
            if let Some(value) = run.settings.get(name) {
                let values = found.entry((name, dataset.clone())).or_default();
                let models = values.entry(value.clone()).or_default();
                models.insert(model.clone());
            }
        }
    }
    let mut alike: BTreeMap<(&str, Values), Vec<String>> = BTreeMap::new();
    for ((name, dataset), values) in found {
        // The runs of one model may differ; each has its own row.
        let is_of_models = values.values().flatten().all_unique();
        if values.len() > 1 && is_of_models {
            alike.entry((name, values)).or_default().push(dataset);
        }
    }
    let settings = alike.iter().map(|((name, values), datasets)| {
        let values = values.iter().map(|(value, models)| {
            let value = first_words(value, LONGEST);
            format!("{value} for {}", first_of(models))
        });
        format!("{name} in {}: {}", first_of(datasets), values.format(", "))
    });
    let mut settings = settings.collect_vec();
    let more = settings.len().saturating_sub(MOST);
    settings.truncate(MOST);
    if more > 0 {
        settings.push(format!("{more} more"));
    }
    let settings = settings.join("; ");
    (!settings.is_empty()).then(|| format!("Settings differ between models: {settings}."))
}

/// Returns the first name and the number of the others.
fn first_of<'a>(names: impl IntoIterator<Item = &'a String>) -> String {
    let mut names = names.into_iter();
    let first = names.next().map_or("", String::as_str);
    match names.count() {
        0 => first.to_owned(),
        more => format!("{first} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::RunName;

    fn source(model: &str, dataset: &str, judge: &str) -> Source {
        Source {
            run: RunName {
                model: Some(model.to_owned()),
                dataset: Some(dataset.to_owned()),
                run: None,
            },
            settings: [("judge", judge.to_owned())].into(),
            ..Source::default()
        }
    }

    #[test]
    fn judges_of_two_models_on_one_data_set_are_compared() {
        let sources = [
            source("A", "mme", "exact_matching"),
            source("B", "mme", "gpt-4o"),
            source("C", "mme", "gpt-4o"),
            source("A", "mmmu", "gpt-4o"),
            source("B", "mmmu", "gpt-4o"),
        ];
        assert_eq!(
            sentence(&sources).unwrap(),
            "Settings differ between models: judge in mme: exact_matching for A, gpt-4o for B and 1 more."
        );
        assert_eq!(sentence(&sources[1..]), None);
        // Two runs of one model are rows of their own.
        let runs = [
            source("A", "mme", "exact_matching"),
            source("A", "mme", "gpt-4o"),
        ];
        assert_eq!(sentence(&runs), None);
    }
}
