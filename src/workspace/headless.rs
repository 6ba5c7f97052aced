//! What a screen shows, as the command line that prints the same.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::ops::Bound;
use std::path::Path;

use super::Lens;
use super::filter::{is, is_within, tag_key};
use super::load::Request;
use super::page::Sort;
use analysis::slices::Who;
use format::shell_word;
use record::{ItemId, Row, Scoring, Table, Value};

/// The threshold that each metric usually has.
pub const USUAL: &str = "usual";

/// A command line, word by word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandLine {
    words: Vec<OsString>,
}

/// What is shown under a lens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shown<'a> {
    /// Scores, ranks and reliability of the lens's benchmark.
    Report,
    /// The lens's ability, split as the command line writes it.
    Subgroups(&'a str),
    /// The predictions that the lens holds, in order.
    Samples(Sort, bool),
    /// One prediction.
    Sample(Row),
    /// Two models by name; the lens's ability by a split, and from which graded score on an answer is right.
    Compare {
        /// A and B.
        models: [&'a str; 2],
        /// The split, as the command line writes it.
        by: Option<&'a str>,
        /// The score, if the user chose one.
        threshold: Option<f64>,
    },
    /// Verdicts on annotations, with ambiguous samples left out too or not.
    Verdicts(bool),
    /// Subgroups that depart.
    Slices(&'a Who),
    /// What the ranks rest on.
    Ranks,
}

impl fmt::Display for CommandLine {
    /// As a shell reads it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<String> = self.words.iter().map(|word| shell_word(word)).collect();
        f.write_str(&words.join(" "))
    }
}

impl CommandLine {
    /// `eyechart COMMAND` with its own arguments, on what was opened.
    #[must_use]
    pub fn new(command: &str, arguments: &[&str], request: &Request) -> Self {
        let words = ["eyechart", command]
            .into_iter()
            .chain(arguments.iter().copied());
        let mut line = Self {
            words: words.map(OsString::from).collect(),
        };
        line.words
            .extend(request.paths.iter().map(|p| positional(p)));
        for folder in &request.data {
            line.option("--data", folder);
        }
        if let Some(ability) = &request.ability {
            line.option("--ability", ability);
        }
        line
    }

    /// Adds an option. A value that begins with a hyphen is joined to it.
    pub fn option(&mut self, name: &str, value: impl AsRef<OsStr>) {
        let value = value.as_ref();
        if value.as_encoded_bytes().starts_with(b"-") {
            let mut joined = OsString::from(name);
            joined.push("=");
            joined.push(value);
            self.words.push(joined);
        } else {
            self.words.extend([OsString::from(name), value.to_owned()]);
        }
    }

    /// Adds filter and scoring where they are not the usual ones.
    pub fn lens(&mut self, filter: &str, scoring: Scoring) {
        if !filter.is_empty() {
            self.option("--filter", filter);
        }
        if scoring != Scoring::default() {
            self.option("--scoring", scoring.name());
        }
    }
}

impl FromIterator<OsString> for CommandLine {
    fn from_iter<I: IntoIterator<Item = OsString>>(words: I) -> Self {
        Self {
            words: words.into_iter().collect(),
        }
    }
}

/// A path that no one takes for an option.
fn positional(path: &Path) -> OsString {
    if path.as_os_str().as_encoded_bytes().starts_with(b"-") {
        Path::new(".").join(path).into()
    } else {
        path.into()
    }
}

/// The command that prints what a screen shows.
#[must_use]
pub fn command(shown: Shown<'_>, lens: &Lens, request: &Request, table: &Table) -> CommandLine {
    let no_bin = Lens {
        model: None,
        bin: None,
        ..lens.clone()
    };
    let new = |name: &str, arguments: &[&str], lens: &Lens| {
        let mut line = CommandLine::new(name, arguments, request);
        line.lens(&lens.expression(table), lens.scoring);
        line
    };
    match shown {
        Shown::Report => new("report", &[], &lens.whole()),
        Shown::Subgroups(by) => {
            let mut line = new("report", &[], &no_bin);
            line.option("--by", by);
            line
        }
        Shown::Samples(sort, reverse) => {
            let mut line = new("samples", &[], lens);
            let turned = if reverse { "-" } else { "" };
            let order = match (sort, &lens.versus) {
                (Sort::Gap, Some(other)) => format!("{}:{other}", sort.name()),
                _ => format!("{turned}{}", sort.name()),
            };
            line.option("--sort", order);
            line
        }
        Shown::Sample(row) => sample(row, lens.scoring, request, table),
        Shown::Compare {
            models,
            by,
            threshold,
        } => {
            let mut line = new("compare", &models, &lens.whole());
            if let (Some(by), Some(ability)) = (by, &lens.ability) {
                line.option("--by", by);
                line.option("--within", ability);
            }
            let threshold = threshold.map_or_else(|| USUAL.to_owned(), |from| from.to_string());
            line.option("--threshold", threshold);
            line
        }
        Shown::Verdicts(drop_ambiguous) => {
            let mut line = new("verdicts", &[], &lens.whole());
            if drop_ambiguous {
                line.words.push("--drop-ambiguous".into());
            }
            line
        }
        Shown::Slices(who) => {
            let mut line = new("slices", &[], &no_bin);
            match who {
                Who::Everyone => {}
                Who::Model(model) => line.option("--model", model),
                Who::Pair(a, b) => {
                    line.option("--compare", a);
                    line.words.push(b.into());
                }
            }
            line
        }
        Shown::Ranks => new("ranks", &[], &lens.whole()),
    }
}

/// `show` with as much of a filter as it takes to mean one prediction.
fn sample(row: Row, scoring: Scoring, request: &Request, table: &Table) -> CommandLine {
    let item = table.item(row);
    let id = table.sample_id(item);
    let mut line = CommandLine::new("show", &[], request);
    line.option("--sample", id);
    line.option("--model", table.names().model(table.model(row)));
    let items = u32::try_from(table.ability_of().len()).unwrap_or(u32::MAX);
    let twins = (0..items).filter(|&item| table.sample_id(ItemId(item)) == id);
    let filter = if twins.count() > 1 {
        item_filter(item, table)
    } else {
        String::new()
    };
    line.lens(&filter, scoring);
    line
}

/// Terms that tell a sample from its namesakes in other abilities and conditions.
fn item_filter(item: ItemId, table: &Table) -> String {
    let lens = table.ability(item).map(|ability| Lens {
        benchmark: ability.benchmark.clone(),
        ability: Some(ability.name.clone()),
        ..Lens::default()
    });
    let mut terms: Vec<String> = lens.map(|l| l.expression(table)).into_iter().collect();
    for (name, value) in table.condition(item).into_iter().flatten() {
        let known = table
            .names()
            .conditions
            .iter()
            .map(|labels| labels.get(name));
        let known: Vec<&Value> = known.flatten().collect();
        let numbers = known.iter().all(|value| value.number().is_some());
        terms.push(if let Some(number) = value.number().filter(|_| numbers) {
            let bound = Bound::Included(number);
            is_within(&tag_key(name), (bound, bound))
        } else {
            let known: Vec<String> = known.iter().map(ToString::to_string).collect();
            is(&tag_key(name), &value.to_string(), &known)
        });
    }
    terms.join(" ")
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::OnceLock;

    use proptest::prelude::*;
    use proptest::sample::Index;

    use super::{Shown, Who, command};
    use crate::Lens;
    use crate::filter::select;
    use crate::load::{Request, load};
    use crate::page::Sort;
    use analysis::{bin_items, default_splits, parse_splits};
    use record::{Row, Scoring, Table};

    fn request() -> Request {
        let fixtures =
            Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("tests/fixtures");
        Request {
            paths: ["ava_bench", "vlmevalkit"].map(|f| fixtures.join(f)).into(),
            ..Request::default()
        }
    }

    fn table() -> &'static Table {
        static TABLE: OnceLock<Table> = OnceLock::new();
        TABLE.get_or_init(|| {
            load(&request(), false, &mut |_| {
                std::ops::ControlFlow::Continue(())
            })
        })
    }

    /// A lens on the fixtures: any ability, model, bin of a split and filter.
    fn lens(picks: &[Index; 5], has: [bool; 4]) -> Lens {
        let table = table();
        let names = table.names();
        let ability = picks[0].get(names.abilities.values());
        let mut splits = default_splits(table);
        for spec in [
            "count*dataset",
            "box_area:quantile:3",
            "count:width:3",
            "depth_m:log:4",
        ] {
            splits.extend(parse_splits(spec, table).expect("a split"));
        }
        let split = picks[1].get(&splits).clone();
        let bin = picks[2].get(&bin_items(table, &split).labels).clone();
        let filters = [
            "",
            "correct:true",
            "score<0.5 or invalid:true",
            "a or b",
            "not dataset:nyu",
        ];
        Lens {
            benchmark: ability.benchmark.clone(),
            ability: has[0].then(|| ability.name.clone()),
            versus: None,
            model: has[1].then(|| picks[3].get(names.models.values()).clone()),
            bin: has[2].then_some((split, bin)),
            filter: picks[4].get(&filters).to_string(),
            scoring: if has[3] {
                Scoring::Strict
            } else {
                Scoring::Harness
            },
        }
    }

    proptest! {
        #[test]
        fn the_expression_of_a_lens_selects_what_the_lens_holds(picks in any::<[Index; 5]>(), has in any::<[bool; 4]>()) {
            let lens = lens(&picks, has);
            let expression = lens.expression(table());
            let selected = select(&expression, table(), lens.scoring);
            let selected = selected.map_err(|error| TestCaseError::fail(error.to_string()))?;
            let all = || vec![true; table().len()];
            prop_assert_eq!(selected.unwrap_or_else(all), lens.mask(table()).expect("a filter"), "{}", expression);
        }
    }

    #[test]
    fn commands_read_as_a_user_would_write_them() {
        let table = table();
        let lens = Lens {
            benchmark: "ava-bench".to_owned(),
            ability: Some("counting".to_owned()),
            model: Some("dinov2_qwen2_lora_epoch_10".to_owned()),
            versus: None,
            bin: Some((
                parse_splits("count", table).expect("a split").remove(0),
                "6-10".to_owned(),
            )),
            filter: "score<0.5".to_owned(),
            scoring: Scoring::Strict,
        };
        let request = Request {
            paths: vec!["runs/a b".into(), "-x".into()],
            data: vec!["pictures".into()],
            ability: None,
            ..Request::default()
        };
        let line = |shown| command(shown, &lens, &request, table).to_string();
        let opened = "'runs/a b' ./-x --data pictures";
        let held = "benchmark=ava-bench ability=counting";
        assert_eq!(
            line(Shown::Report),
            format!(
                "eyechart report {opened} --filter 'benchmark=ava-bench score<0.5' --scoring strict"
            )
        );
        assert_eq!(
            line(Shown::Subgroups("count:width:6")),
            format!(
                "eyechart report {opened} --filter '{held} score<0.5' --scoring strict --by count:width:6"
            )
        );
        assert_eq!(
            line(Shown::Samples(Sort::Worst, true)),
            format!(
                "eyechart samples {opened} --filter '{held} model=dinov2_qwen2_lora_epoch_10 count>5 count<=10 score<0.5' \
                 --scoring strict --sort=-score"
            )
        );
        assert_eq!(
            line(Shown::Compare {
                models: ["a", "it's"],
                by: Some("count"),
                threshold: Some(-0.5),
            }),
            format!(
                r"eyechart compare a 'it'\''s' {opened} --filter 'benchmark=ava-bench score<0.5' --scoring strict --by count --within counting --threshold=-0.5"
            )
        );
        let whole = format!("{opened} --filter 'benchmark=ava-bench score<0.5' --scoring strict");
        let verdicts = line(Shown::Verdicts(true));
        assert_eq!(
            verdicts,
            format!("eyechart verdicts {whole} --drop-ambiguous")
        );
        assert_eq!(line(Shown::Ranks), format!("eyechart ranks {whole}"));
        let pair = Who::Pair("a".to_owned(), "b".to_owned());
        assert_eq!(
            line(Shown::Slices(&pair)),
            format!(
                "eyechart slices {opened} --filter '{held} score<0.5' --scoring strict --compare a b"
            )
        );
    }

    #[test]
    fn a_sample_of_one_name_needs_no_filter_and_a_rotated_one_does() {
        let table = table();
        let rows = 0..u32::try_from(table.len()).expect("a small table");
        let of = |wanted: &str| {
            let row = rows.clone().find(|&row| {
                table
                    .ability(table.item(Row(row)))
                    .is_some_and(|a| a.benchmark == wanted)
            });
            let row = Row(row.expect("a sample"));
            command(Shown::Sample(row), &Lens::default(), &request(), table).to_string()
        };
        assert!(!of("ava-bench").contains("--filter"), "{}", of("ava-bench"));
        assert!(of("tdbench").contains("rotation="), "{}", of("tdbench"));
    }
}
