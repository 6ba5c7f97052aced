//! What a screen asks of the table, as a value that is answered aside.

use std::mem::{Discriminant, discriminant};
use std::sync::Arc;

use analysis::audit::{Asked, Findings, judged_by, spot_check, verdict_sets};
use analysis::scorers::{ScorerAudit, scorers};
use analysis::sensitivity::{Sensitivity, sensitivity};
use analysis::slices::{Search, Slices, Who, slices};
use analysis::{
    AverageRank, Comparison, ComparisonKind, Reliability, Score, Selection, Sides, Split, Subgroup,
    Terms, Threshold, average_ranks, benchmarks, compare, reliability, scores, subgroups,
    telling_splits,
};
use record::{Row, Table};
use verdict::Book;

use super::Lens;
use super::corrected::audited;
use super::filter::{Completion, FilterError, complete};
use super::page::{Detail, Sort, pictured, rows_by_gap, sorted_rows};

/// A question.
#[derive(Clone, Debug)]
pub enum Question {
    /// Scores and ranks of all benchmarks under the lens's filter.
    Scores {
        /// The lens.
        lens: Lens,
        /// With intervals, or at once.
        intervals: bool,
    },
    /// What tells the samples of an ability apart.
    Splits {
        /// Benchmark and ability.
        of: (String, String),
    },
    /// The lens's ability, split.
    Subgroups {
        /// The lens.
        lens: Lens,
        /// What to split by.
        split: Split,
    },
    /// Reliability under rotation in the lens's benchmark.
    Reliability {
        /// The lens.
        lens: Lens,
    },
    /// Two models of the lens's benchmark side by side; with an ability, that one split too.
    Compare {
        /// The lens.
        lens: Lens,
        /// The two models.
        models: [String; 2],
        /// What to split the ability by.
        split: Option<Split>,
        /// From which graded score on an answer counts as right.
        threshold: Threshold,
        /// With few draws, or with all of them.
        quick: bool,
    },
    /// The rows that the lens holds, in order.
    Samples {
        /// The lens.
        lens: Lens,
        /// The order.
        sort: Sort,
        /// The other way round.
        reverse: bool,
    },
    /// The subgroups that depart from the rest of their ability.
    Slices {
        /// The lens.
        lens: Lens,
        /// Who departs.
        who: Who,
    },
    /// What the ranks of the lens's benchmark rest on.
    Ranks {
        /// The lens.
        lens: Lens,
    },
    /// Where the two rules disagree under the lens.
    Scorers {
        /// The lens.
        lens: Lens,
    },
    /// How many rows a filter that is being typed would leave.
    Count {
        /// The lens with that filter.
        lens: Lens,
    },
    /// What could stand at the cursor of a filter that is being typed.
    Completion {
        /// The lens.
        lens: Lens,
        /// The text.
        text: String,
        /// The byte of the cursor.
        cursor: usize,
    },
    /// One prediction whole.
    Detail {
        /// The lens.
        lens: Lens,
        /// The prediction.
        row: Row,
    },
    /// What the verdicts say under the lens's filter.
    Audit {
        /// The lens.
        lens: Lens,
        /// The verdicts.
        book: Arc<Book>,
        /// What is asked of them.
        asked: Asked,
    },
    /// A spot check of samples of the lens that the author has not judged.
    SpotCheck {
        /// The lens.
        lens: Lens,
        /// The verdicts.
        book: Arc<Book>,
        /// Who will judge.
        author: String,
        /// How many samples.
        size: usize,
        /// What they are drawn with.
        seed: u64,
    },
    /// The verdicts on every item, for filters.
    Verdicts {
        /// The verdicts.
        book: Arc<Book>,
    },
}

/// An answer.
#[derive(Clone, Debug)]
pub enum Answer {
    /// To [`Question::Scores`].
    Scores {
        /// Scores of all benchmarks.
        scores: Vec<Score>,
        /// Average ranks.
        average_ranks: Vec<AverageRank>,
        /// Benchmarks in the order in which they are shown.
        benchmarks: Vec<String>,
        /// Whether intervals are among them.
        intervals: bool,
    },
    /// To [`Question::Splits`].
    Splits {
        /// Benchmark and ability.
        of: (String, String),
        /// The splits, measured quantities first.
        splits: Vec<Split>,
    },
    /// To [`Question::Subgroups`].
    Subgroups(Vec<Subgroup>),
    /// To [`Question::Reliability`].
    Reliability(Vec<Reliability>),
    /// To [`Question::Compare`].
    Compare {
        /// The two models.
        models: [String; 2],
        /// What is said of them.
        comparison: Box<Comparison>,
        /// Whether more draws are to come.
        quick: bool,
    },
    /// To [`Question::Slices`].
    Slices {
        /// The lens that was asked for.
        lens: Lens,
        /// Who departs.
        who: Who,
        /// What was found.
        found: Box<Slices>,
    },
    /// To [`Question::Ranks`].
    Ranks {
        /// The lens that was asked for.
        lens: Lens,
        /// What was found.
        found: Box<Sensitivity>,
    },
    /// To [`Question::Scorers`].
    Scorers {
        /// The lens that was asked for.
        lens: Lens,
        /// What was found.
        found: Box<ScorerAudit>,
    },
    /// To [`Question::Samples`].
    Samples(Vec<u32>),
    /// To [`Question::Count`].
    Count(usize),
    /// To [`Question::Completion`].
    Completion {
        /// The text that was asked about.
        text: String,
        /// The byte of the cursor.
        cursor: usize,
        /// What could stand there.
        completion: Completion,
    },
    /// To [`Question::Detail`].
    Detail(Row, Box<Result<Detail, String>>),
    /// To [`Question::Audit`].
    Audit(Box<Findings>),
    /// To [`Question::SpotCheck`].
    SpotCheck(Vec<u32>),
    /// To [`Question::Verdicts`].
    Verdicts(Vec<u8>),
    /// The filter of the question is no filter.
    Unfiltered(FilterError),
}

impl Question {
    /// Which questions replace each other: those of one variant.
    #[must_use]
    pub fn kind(&self) -> Discriminant<Self> {
        discriminant(self)
    }

    /// The answer. Takes its time.
    #[must_use]
    pub fn answer(&self, table: &Table) -> Answer {
        self.try_answer(table).unwrap_or_else(Answer::Unfiltered)
    }

    fn try_answer(&self, table: &Table) -> Result<Answer, FilterError> {
        Ok(match self {
            Self::Scores { lens, intervals } => scored(table, lens, *intervals)?,
            Self::Splits { of } => Answer::Splits {
                splits: telling_splits(table, &of.0, &of.1),
                of: of.clone(),
            },
            Self::Subgroups { lens, split } => {
                let lens = Lens {
                    model: None,
                    bin: None,
                    ..lens.clone()
                };
                let mask = lens.mask(table)?;
                Answer::Subgroups(subgroups(
                    lens.selection(table, &mask),
                    std::slice::from_ref(split),
                    false,
                ))
            }
            Self::Reliability { lens } => {
                let lens = lens.whole();
                let mask = lens.mask(table)?;
                Answer::Reliability(reliability(lens.selection(table, &mask)))
            }
            Self::Compare {
                lens,
                models,
                split,
                threshold,
                quick,
            } => Answer::Compare {
                models: models.clone(),
                comparison: Box::new(compared(
                    table,
                    lens,
                    models,
                    split.as_ref(),
                    Terms::of(*threshold, *quick),
                )?),
                quick: *quick,
            },
            Self::Samples {
                lens,
                sort,
                reverse,
            } => {
                let mask = lens.mask(table)?;
                let selection = lens.selection(table, &mask);
                Answer::Samples(match (sort, &lens.versus) {
                    (Sort::Gap, Some(other)) => rows_by_gap(selection, other),
                    _ => sorted_rows(selection, *sort, *reverse),
                })
            }
            Self::Slices { lens, who } => sliced(table, lens, who.clone())?,
            Self::Ranks { lens } => {
                let mask = lens.mask(table)?;
                Answer::Ranks {
                    lens: lens.clone(),
                    found: Box::new(sensitivity(lens.selection(table, &mask))),
                }
            }
            Self::Scorers { lens } => {
                let mask = lens.mask(table)?;
                Answer::Scorers {
                    lens: lens.clone(),
                    found: Box::new(scorers(lens.selection(table, &mask), false)),
                }
            }
            Self::Count { lens } => {
                Answer::Count(lens.mask(table)?.into_iter().filter(|held| *held).count())
            }
            Self::Completion { lens, text, cursor } => Answer::Completion {
                text: text.clone(),
                cursor: *cursor,
                completion: complete(text, *cursor, table, lens),
            },
            Self::Detail { lens, row } => {
                Answer::Detail(*row, Box::new(pictured(table, *row, lens.scoring)))
            }
            Self::Audit { lens, book, asked } => {
                let lens = lens.whole();
                let mask = lens.mask(table)?;
                let selection = lens.selection(table, &mask);
                Answer::Audit(Box::new(audited(selection, book, asked)))
            }
            Self::SpotCheck {
                lens,
                book,
                author,
                size,
                seed,
            } => {
                let mask = lens.mask(table)?;
                let audited = judged_by(table, book, author);
                let rows = spot_check(lens.selection(table, &mask), &audited, *size, *seed);
                Answer::SpotCheck(rows.into_iter().map(|Row(row)| row).collect())
            }
            Self::Verdicts { book } => Answer::Verdicts(verdict_sets(table, book)),
        })
    }
}

/// Every model's score per ability, over all models whatever the lens shows.
fn scored(table: &Table, lens: &Lens, intervals: bool) -> Result<Answer, FilterError> {
    let mask = super::filter::select(&lens.filter, table, lens.scoring)?;
    let selection = Selection {
        table,
        scoring: lens.scoring,
        mask: mask.as_deref(),
    };
    let scores = scores(selection, intervals);
    Ok(Answer::Scores {
        average_ranks: average_ranks(&scores),
        scores,
        benchmarks: benchmarks(table),
        intervals,
    })
}

/// The subgroups in which one model, or two against each other, depart from their overall score.
fn sliced(table: &Table, lens: &Lens, who: Who) -> Result<Answer, FilterError> {
    let mask = lens.mask(table)?;
    let search = Search {
        who: who.clone(),
        ..Search::default()
    };
    Ok(Answer::Slices {
        lens: lens.clone(),
        who,
        found: Box::new(slices(lens.selection(table, &mask), &search)),
    })
}

/// Two models over all abilities, and over the bins of the lens's own: the family of tests stays the same
/// whichever ability is looked at.
fn compared(
    table: &Table,
    lens: &Lens,
    models: &[String; 2],
    split: Option<&Split>,
    terms: Terms,
) -> Result<Comparison, FilterError> {
    let over = |lens: &Lens, splits: &[Split]| -> Result<Comparison, FilterError> {
        let side = |model: &String| {
            let lens = Lens {
                model: Some(model.clone()),
                versus: None,
                bin: None,
                ..lens.clone()
            };
            lens.mask(table)
        };
        let [a, b] = models;
        let sides = Sides {
            table,
            scoring: lens.scoring,
            a: &side(a)?,
            b: &side(b)?,
            kind: ComparisonKind::Models,
        };
        Ok(compare(sides, splits, terms))
    };
    let mut whole = over(&lens.whole(), &[])?;
    if let (Some(split), true) = (split, lens.ability.is_some()) {
        whole.subgroups = over(lens, std::slice::from_ref(split))?.subgroups;
    }
    Ok(whole)
}
