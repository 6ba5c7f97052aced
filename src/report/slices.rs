//! The document of `eyechart slices`: subgroups that deviate from the rest of their ability.

use serde_json::{Value as Json, json};

use super::columns::Columns;
use super::{Document, Grid, html, page};
use analysis::slices::{Search, SearchedModels, Slice, Slices};
use base::format::probability;

/// Result of a subgroup search.
#[derive(Clone, Debug)]
pub struct SliceList {
    /// Parameters of the search.
    pub search: Search,
    /// The deviating subgroups.
    pub found: Slices,
}

/// Maximum number of subgroups on one screen.
const MOST: usize = 20;
/// Columns that one screen leaves out.
const LONG: [&str; 4] = ["p adjusted", "held out", "p", "reversed by"];

impl Document for SliceList {
    fn preface(&self) -> Vec<String> {
        let is_empty = self.found.slices.is_empty();
        is_empty.then(|| self.sentence()).into_iter().collect()
    }

    fn grids(&self) -> Vec<Grid> {
        let title = self.found.sentence(self.search.q);
        vec![self.columns().grid(&title, &self.found.slices)]
    }

    fn brief(&self) -> (Vec<String>, Vec<Grid>) {
        let found = &self.found.slices;
        let mut lines = vec![self.sentence()];
        let more = found.len().saturating_sub(MOST);
        if more > 0 {
            lines.push(format!(
                "The first {MOST} are shown; --long lists {more} more."
            ));
        }
        let columns = self.columns().without(&LONG);
        (lines, vec![columns.grid("", found.iter().take(MOST))])
    }

    fn page(&self) -> html::Page {
        page::slices(self)
    }

    fn json(&self) -> Json {
        let (model, pair) = match &self.search.who {
            SearchedModels::Everyone => (None, None),
            SearchedModels::Model(model) => (Some(model), None),
            SearchedModels::Pair(a, b) => (None, Some([a, b])),
        };
        json!({
            "schema": "eyechart.slices/1", "family": self.found.family, "q": self.search.q,
            "seed": self.search.seed, "model": model, "compare": pair, "found": self.found.found,
            "slices": self.lines(),
        })
    }

    fn lines(&self) -> Vec<Json> {
        self.found.slices.iter().map(slice).collect()
    }
}

impl SliceList {
    fn sentence(&self) -> String {
        format!("{}.", self.found.sentence(self.search.q))
    }

    fn columns(&self) -> Columns<'_, Slice> {
        let columns = Columns::<Slice>::new()
            .text("benchmark", |it| &it.benchmark)
            .text("ability", |it| &it.ability)
            .words("model", |it| self.models_label(it))
            .text("where", |it| &it.expression)
            .metric(|it| &it.metric, |it| it.direction)
            .count("n", |it| it.n)
            .fixed("score", 3, |it| it.score)
            .fixed("rest", 3, |it| it.rest)
            .fixed("difference", 3, |it| it.difference)
            .interval(3, |it| it.interval)
            .words("p adjusted>", |it| probability(it.p_adjusted))
            .fixed("held out", 3, |it| it.held_out.difference)
            .words("p>", |it| probability(it.held_out.p_value))
            .text("reversed by", |it| {
                it.reversed_by.as_deref().unwrap_or_default()
            });
        let mut slices = self.found.slices.iter();
        if slices.any(|slice| !slice.automatic.is_empty()) {
            columns.text("in words", |it| &it.words)
        } else {
            columns
        }
    }

    fn models_label(&self, slice: &Slice) -> String {
        match (&slice.model, &self.search.who) {
            (Some(model), _) => model.clone(),
            (None, SearchedModels::Pair(a, b)) => format!("{a} - {b}"),
            (None, _) => String::new(),
        }
    }
}

fn slice(slice: &Slice) -> Json {
    json!({
        "benchmark": slice.benchmark, "ability": slice.ability, "model": slice.model, "where": slice.expression,
        "automatic": slice.automatic, "words": slice.words,
        "metric": slice.metric, "direction": slice.direction.name(), "n": slice.n, "score": slice.score,
        "rest": slice.rest, "difference": slice.difference,
        "ci": slice.interval.map(|interval| [interval.low, interval.high]), "test": slice.test,
        "p_value": slice.p_value, "p_adjusted": slice.p_adjusted, "confirmed": true,
        "held_out": {"n": slice.held_out.n, "difference": slice.held_out.difference, "p_value": slice.held_out.p_value},
        "reverses": slice.reversed_by.is_some(), "reversed_by": slice.reversed_by,
    })
}
