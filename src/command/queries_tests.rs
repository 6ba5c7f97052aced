//! Tests that queries survive the round trip through a command line.

use clap::Parser as _;
use proptest::prelude::*;

use super::{agree, spot_check};
use crate::cli::{Cli, Command};
use analysis::slices::{Outcome, Search, SearchedModels};
use analysis::{GateSplit, Margin, MetricMargin, SubsetOptions, Threshold};
use engine::{
    Agree, Ask as _, Audit, Compare, FailureGroups, Gate, Likeness, Order, Query, Ranks,
    Reliability, Report, Samples, Scope, Scorers, Scores, Show, Slices, SpotCheck, Subgroups,
    Subset,
};
use record::Scoring;
use workspace::load::Request;
use workspace::page::Sort;

/// Parses a command line into a query of the same kind as `part_of`.
fn parsed(command: &Command, part_of: &Query) -> Option<Query> {
    Some(match (command, part_of) {
        (Command::Report(args), Query::Scores(_)) => Report::from(args).scores().into(),
        (Command::Report(args), Query::Subgroups(_)) => Report::from(args).subgroups().into(),
        (Command::Report(args), Query::Reliability(_)) => Report::from(args).reliability().into(),
        (Command::Report(args), _) => Report::from(args).into(),
        (Command::Compare(args), _) => Compare::from(args).into(),
        (Command::Gate(args), _) => Gate::from(args).into(),
        (Command::Samples(args), _) => Samples::try_from(args).ok()?.into(),
        (Command::Failures(args), _) => FailureGroups::from(args).into(),
        (Command::Show(args), _) => Show::from(args).into(),
        (Command::Slices(args), _) => Slices::from(args).into(),
        (Command::Ranks(args), _) => Ranks::from(args).into(),
        (Command::Scorers(args), _) => Scorers::from(args).into(),
        (Command::Agree(args), _) if args.subset => Subset::from(args).into(),
        (Command::Agree(args), _) => agree(args)?.into(),
        (Command::Verdicts(args), Query::SpotCheck(_)) => spot_check(args, "nobody")?.into(),
        (Command::Verdicts(args), _) => Audit::from(args).into(),
        _ => return None,
    })
}

/// Any text. Model names do not start with a hyphen, which would make them options.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(String::new()),
        "\\PC{1,12}",
        Just("-x or not y".to_owned())
    ]
}

fn name() -> impl Strategy<Value = String> {
    "[^-\\x00-\\x1f]\\PC{0,8}"
}

fn maybe() -> impl Strategy<Value = Option<String>> {
    prop_oneof![Just(None), text().prop_map(Some)]
}

fn scope() -> impl Strategy<Value = Scope> {
    let scoring = prop_oneof![Just(Scoring::Harness), Just(Scoring::Strict)];
    (text(), scoring).prop_map(|(filter, scoring)| Scope {
        filter,
        scoring,
        ..Scope::default()
    })
}

fn threshold() -> impl Strategy<Value = Threshold> {
    prop_oneof![
        Just(Threshold::None),
        Just(Threshold::Usual),
        (-1e6..1e6).prop_map(Threshold::At),
    ]
}

fn margins() -> impl Strategy<Value = Vec<MetricMargin>> {
    let margin = prop_oneof![
        (0.0..50.0).prop_map(Margin::Points),
        (0.0..50.0).prop_map(Margin::OfBase),
        (0.0..1e3).prop_map(Margin::Plain),
    ];
    let metric = proptest::option::of("[a-z][a-z0-9_=]{0,6}");
    let own = (metric, margin).prop_map(|(metric, margin)| MetricMargin { metric, margin });
    prop::collection::vec(own, 1..3)
}

fn who() -> impl Strategy<Value = SearchedModels> {
    prop_oneof![
        Just(SearchedModels::Everyone),
        text().prop_map(SearchedModels::Model),
        (text(), text()).prop_map(|(a, b)| SearchedModels::Pair(a, b)),
    ]
}

fn order() -> impl Strategy<Value = Order> {
    let sort = prop::sample::select(Sort::ALL.to_vec());
    prop_oneof![
        (sort, any::<bool>()).prop_map(|(sort, reverse)| Order::By { sort, reverse }),
        text().prop_map(Order::Gap),
        text().prop_map(|sample| Order::Like(Likeness {
            sample,
            apart: String::new(),
            embeddings: Vec::new(),
        })),
    ]
}

/// Any report query.
fn report() -> impl Strategy<Value = Report> {
    let compare = proptest::option::of([name(), name()]);
    let parts = (
        scope(),
        maybe(),
        any::<bool>(),
        compare,
        any::<Option<usize>>(),
    );
    parts.prop_map(|(scope, by, all, compare, samples)| Report {
        scope,
        by,
        all,
        compare,
        samples,
    })
}

/// Any query that has a command.
fn query() -> impl Strategy<Value = Query> {
    let outcome = proptest::sample::select(Outcome::ALL.to_vec());
    let search = (who(), outcome, 0.001..0.999, any::<u64>());
    let search = search.prop_map(|(who, outcome, q, seed)| Search {
        who,
        outcome,
        q,
        seed,
    });
    let keeping = (-1.0..1.0, 1..=u16::MAX, any::<u64>()).prop_map(|(threshold, draws, seed)| {
        SubsetOptions {
            threshold,
            draws: usize::from(draws),
            seed,
        }
    });
    let sides = [name(), name()];
    let compare = (sides, scope(), maybe(), maybe(), any::<bool>(), threshold());
    let quick = false;
    let gate = ([name(), name()], scope(), margins(), any::<bool>());
    prop_oneof![
        gate.prop_map(|(sides, scope, margins, by_ability)| {
            let by = if by_ability {
                GateSplit::Ability
            } else {
                GateSplit::Whole
            };
            Gate {
                sides,
                scope,
                margins,
                by,
            }
            .into()
        }),
        scope().prop_map(|scope| Ranks { scope }.into()),
        scope().prop_map(|scope| Reliability { scope }.into()),
        scope().prop_map(move |scope| Scores { scope, quick }.into()),
        (scope(), maybe(), any::<bool>())
            .prop_map(|(scope, by, all)| Subgroups { scope, by, all }.into()),
        report().prop_map(Query::from),
        compare.prop_map(move |(sides, scope, by, within, all, threshold)| {
            Compare {
                sides,
                scope,
                by,
                within,
                all,
                threshold,
                quick,
            }
            .into()
        }),
        (scope(), order(), any::<Option<usize>>()).prop_map(|(scope, order, limit)| Samples {
            scope,
            order,
            limit,
            group: None,
        }
        .into()),
        (scope(), text(), maybe()).prop_map(|(scope, sample, model)| Show {
            scope,
            sample,
            model
        }
        .into()),
        (scope(), proptest::option::of(1_usize..=50)).prop_map(|(scope, groups)| FailureGroups {
            scope,
            groups,
            embeddings: Vec::new(),
        }
        .into()),
        (scope(), search).prop_map(|(scope, search)| Slices { scope, search }.into()),
        (scope(), any::<usize>()).prop_map(move |(scope, examples)| Scorers {
            scope,
            examples,
            quick
        }
        .into()),
        (scope(), [text(), text()], maybe()).prop_map(|(scope, between, name)| Agree {
            scope,
            between,
            name
        }
        .into()),
        (scope(), keeping).prop_map(|(scope, keeping)| Subset { scope, keeping }.into()),
        (scope(), maybe(), any::<bool>()).prop_map(move |(scope, author, drop_ambiguous)| {
            Audit {
                scope,
                author,
                drop_ambiguous,
                quick,
            }
            .into()
        }),
        (scope(), text(), any::<usize>(), any::<u64>()).prop_map(|(scope, author, size, seed)| {
            SpotCheck {
                scope,
                author,
                size,
                seed,
            }
            .into()
        }),
    ]
}

proptest! {
    #[test]
    fn the_command_of_a_query_asks_that_query(query in query()) {
        let request = Request {
            paths: vec!["runs/a b".into(), "-x".into()],
            data: vec!["-pictures".into()],
            ability: Some("counting".to_owned()),
            ..Request::default()
        };
        let line = query.command(&request).expect("a command");
        let cli = Cli::try_parse_from(line.words());
        let cli = cli.map_err(|error| TestCaseError::fail(format!("{line}: {error}")))?;
        let command = cli.command.expect("a command");
        prop_assert_eq!(parsed(&command, &query), Some(query), "{}", line);
        let input = match command {
            Command::Report(args) => args.common.input,
            Command::Compare(args) => args.common.input,
            _ => return Ok(()),
        };
        prop_assert_eq!(input.paths, [std::path::PathBuf::from("runs/a b"), "./-x".into()]);
        prop_assert_eq!((input.data, input.ability), (request.data, request.ability));
    }
}
