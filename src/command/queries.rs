//! Builds queries from command-line arguments.

use analysis::slices::{Outcome, Search, SearchedModels};
use analysis::{
    Against, ColumnKind, GateSplit, ScoreName, SubsetOptions, Threshold, TrendAxis, TrendOptions,
};
use engine::{
    Agree, Audit, Checkpoints, Compare, Coverage, FailureGroups, Gate, Health, Items, Likeness,
    Matrix, Order, Pairs, QueryError, Ranks, Report, Samples, Scope, Scorers, Show, Slices,
    SpotCheck, Spread, SpreadOver, Subset, Trends,
};
use record::Scoring;
use workspace::health::PictureUse;

use crate::cli::{self, Metrics, ThresholdArg};

impl From<&cli::Lens> for Scope {
    fn from(lens: &cli::Lens) -> Self {
        Self {
            filter: lens.filter.clone(),
            scoring: match lens.scoring {
                cli::Rules::Harness => Scoring::Harness,
                cli::Rules::Strict => Scoring::Strict,
            },
            coverage: Coverage::default(),
        }
    }
}

impl From<&cli::Report> for Report {
    fn from(args: &cli::Report) -> Self {
        Self {
            scope: Scope::from(&args.common.lens).with_coverage(args.coverage),
            by: args.by.clone(),
            all: args.metric == Metrics::All,
            compare: match args.compare.as_slice() {
                [a, b] => Some([a.clone(), b.clone()]),
                _ => None,
            },
            samples: args.samples,
        }
    }
}

impl From<&cli::Gate> for Gate {
    fn from(args: &cli::Gate) -> Self {
        Self {
            sides: [args.base.clone(), args.candidate.clone()],
            scope: Scope::from(&args.lens),
            margins: args.worse_by.clone(),
            by: match args.by {
                None => GateSplit::Whole,
                Some(cli::GateBy::Ability) => GateSplit::Ability,
            },
        }
    }
}

impl From<&cli::Health> for Health {
    fn from(args: &cli::Health) -> Self {
        Self {
            scope: Scope::from(&args.common.lens),
            pictures: match args.pictures {
                cli::Switch::On => PictureUse::Compared,
                cli::Switch::Off => PictureUse::Named,
            },
        }
    }
}

impl From<&cli::Failures> for FailureGroups {
    fn from(args: &cli::Failures) -> Self {
        Self {
            scope: Scope::from(&args.common.lens),
            groups: args.groups.map(usize::from),
            embeddings: args.common.input.embeddings.clone(),
        }
    }
}

impl From<&cli::Compare> for Gate {
    fn from(args: &cli::Compare) -> Self {
        Self {
            sides: [args.a.clone(), args.b.clone()],
            scope: Scope::from(&args.common.lens),
            margins: args.worse_by.clone(),
            by: GateSplit::Ability,
        }
    }
}

impl TryFrom<&cli::Samples> for Samples {
    type Error = QueryError;

    fn try_from(args: &cli::Samples) -> Result<Self, QueryError> {
        let like = args.like.as_ref().map(|sample| {
            Order::Like(Likeness {
                sample: sample.clone(),
                apart: String::new(),
                embeddings: args.common.input.embeddings.clone(),
            })
        });
        Ok(Self {
            scope: Scope::from(&args.common.lens),
            order: like.map_or_else(|| Order::parse(&args.sort), Ok)?,
            group: None,
            limit: args.limit,
        })
    }
}

impl From<&cli::Matrix> for Matrix {
    fn from(args: &cli::Matrix) -> Self {
        Self {
            scope: Scope::from(&args.common.lens).with_coverage(args.coverage),
            over: match args.over {
                cli::Columns::Abilities => ColumnKind::Abilities,
                cli::Columns::Benchmarks => ColumnKind::Benchmarks,
                cli::Columns::Metrics => ColumnKind::Metrics,
            },
        }
    }
}

impl From<&cli::Ranks> for Ranks {
    fn from(args: &cli::Ranks) -> Self {
        Self {
            scope: Scope::from(&args.common.lens).with_coverage(args.coverage),
        }
    }
}

impl From<&cli::Trend> for Trends {
    fn from(args: &cli::Trend) -> Self {
        Self {
            scope: Scope::from(&args.common.lens),
            options: TrendOptions {
                against: TrendAxis::from_name(&args.against).map_or_else(
                    || Against::Score(ScoreName(args.against.clone())),
                    Against::Fact,
                ),
                metrics: args.metric.clone(),
            },
        }
    }
}

impl From<&cli::Spread> for Spread {
    fn from(args: &cli::Spread) -> Self {
        let by = args.by.clone().unwrap_or_default();
        Self {
            scope: Scope::from(&args.common.lens),
            over: args
                .name
                .clone()
                .map_or(SpreadOver::By(by), SpreadOver::Name),
            all: args.metric == Metrics::All,
        }
    }
}

impl From<&cli::Checkpoints> for Checkpoints {
    fn from(args: &cli::Checkpoints) -> Self {
        Self {
            scope: Scope::from(&args.common.lens),
        }
    }
}

impl From<&cli::Verdicts> for Audit {
    fn from(args: &cli::Verdicts) -> Self {
        Self {
            scope: Scope::from(&args.common.lens),
            author: args.author.clone(),
            drop_ambiguous: args.drop_ambiguous,
            quick: false,
        }
    }
}

impl From<&cli::Scorers> for Scorers {
    fn from(args: &cli::Scorers) -> Self {
        Self {
            scope: Scope::from(&args.common.lens),
            examples: args.examples,
            quick: false,
        }
    }
}

impl From<&cli::Slices> for Slices {
    fn from(args: &cli::Slices) -> Self {
        let who = match (&args.model, args.compare.as_slice()) {
            (Some(model), _) => SearchedModels::Model(model.clone()),
            (None, [a, b]) => SearchedModels::Pair(a.clone(), b.clone()),
            (None, _) => SearchedModels::Everyone,
        };
        Self {
            scope: Scope::from(&args.common.lens),
            search: Search {
                who,
                outcome: match args.outcome {
                    cli::SearchedOutcome::Score => Outcome::Score,
                    cli::SearchedOutcome::Unreadable => Outcome::Unreadable,
                    cli::SearchedOutcome::WrongLabel => Outcome::WrongLabel,
                },
                q: args.q,
                seed: args.seed,
            },
        }
    }
}

impl From<&cli::Items> for Items {
    fn from(args: &cli::Items) -> Self {
        Self {
            scope: Scope::from(&args.common.lens),
        }
    }
}

impl From<&cli::Agree> for Subset {
    fn from(args: &cli::Agree) -> Self {
        Self {
            scope: Scope::from(&args.common.lens),
            keeping: SubsetOptions {
                threshold: args.threshold,
                draws: usize::from(args.draws.max(1)),
                seed: args.seed,
            },
        }
    }
}

impl From<&cli::Compare> for Compare {
    fn from(args: &cli::Compare) -> Self {
        Self {
            sides: [args.a.clone(), args.b.clone()],
            scope: Scope::from(&args.common.lens),
            by: args.by.clone(),
            within: args.within.clone(),
            all: args.metric == Metrics::All,
            threshold: match args.threshold {
                None => Threshold::None,
                Some(ThresholdArg::Usual) => Threshold::Usual,
                Some(ThresholdArg::At(score)) => Threshold::At(score),
            },
            quick: false,
        }
    }
}

/// Returns the requested spot check, with `author` as default; `None` without `--spot-check`.
pub fn spot_check(args: &cli::Verdicts, author: &str) -> Option<SpotCheck> {
    Some(SpotCheck {
        scope: Scope::from(&args.common.lens),
        author: args.author.clone().unwrap_or_else(|| author.to_owned()),
        size: args.spot_check?,
        seed: args.seed,
    })
}

impl From<&cli::Ranks> for Pairs {
    fn from(args: &cli::Ranks) -> Self {
        Self {
            scope: Scope::from(&args.common.lens).with_coverage(args.coverage),
        }
    }
}

/// Returns the comparison of two sets; `None` if the arguments do not name two.
pub fn agree(args: &cli::Agree) -> Option<Agree> {
    let [first, second] = args.between.as_slice() else {
        return None;
    };
    Some(Agree {
        scope: Scope::from(&args.common.lens),
        between: [first.clone(), second.clone()],
        name: args.name.clone(),
    })
}

impl From<&cli::Show> for Show {
    fn from(args: &cli::Show) -> Self {
        Self {
            scope: Scope::from(&args.lens),
            sample: args.sample.clone(),
            model: args.model.clone(),
        }
    }
}

#[cfg(test)]
#[path = "queries_tests.rs"]
mod tests;
