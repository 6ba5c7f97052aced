//! Tests that cancelled queries stop early.

use super::{memory, scope, table};
use crate::{Agree, Ask, Compare, Engine, QueryError, Ranks, Report, Slices, Subset};
use analysis::slices::{Search, SearchedModels};
use analysis::{SubsetOptions, Threshold};
use base::job::Ticket;

/// Maximum number of checks of a stale ticket. A query may check once for each group of
/// predictions, each split and each draw.
const STALE_LOOKS: u64 = 400;

/// Checks that a query stops soon after its ticket becomes stale. Does not test queries with few
/// checks, which have no work left to skip.
fn stops<A: Ask>(query: &A) {
    let memory = memory();
    let whole = Ticket::for_looks(u64::MAX);
    assert!(memory.ask(query, &whole).is_ok(), "{query:?}");
    let wanted = whole.checks() / 20;
    let short = Ticket::for_looks(wanted);
    let answer = memory.ask(query, &short);
    assert!(matches!(answer, Err(QueryError::Stopped)), "{query:?}");
    let (all, some) = (whole.checks(), short.checks());
    assert!(
        some < wanted + STALE_LOOKS && (some < all / 2 || all < STALE_LOOKS),
        "{some} looks of {all}: {query:?}"
    );
}

#[test]
fn draws_end_when_nobody_waits() {
    let names = table().names().models.values();
    stops(&Compare {
        sides: [names[0].clone(), names[1].clone()],
        scope: scope("benchmark=ava-bench"),
        by: None,
        within: None,
        all: false,
        threshold: Threshold::Usual,
        quick: false,
    });
    stops(&Report::over(&scope("")));
    stops(&Ranks { scope: scope("") });
    stops(&Subset {
        scope: scope("benchmark=ava-bench"),
        keeping: SubsetOptions {
            draws: 2_000,
            ..SubsetOptions::default()
        },
    });
    stops(&Agree {
        scope: scope(""),
        between: ["scoring:harness".to_owned(), "scoring:strict".to_owned()],
        name: None,
    });
}

#[test]
fn a_search_ends_when_nobody_waits() {
    let search = Search {
        who: SearchedModels::Everyone,
        ..Search::default()
    };
    stops(&Slices {
        scope: scope(""),
        search,
    });
}

#[test]
fn nothing_begins_for_nobody() {
    let stale = Ticket::for_looks(0);
    let answer = memory().ask(&Report::over(&scope("")), &stale);
    assert!(matches!(answer, Err(QueryError::Stopped)));
    assert_eq!(stale.checks(), 1);
}
