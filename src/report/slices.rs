//! The document of `eyechart slices`: subgroups that deviate from the rest of their ability.

use serde_json::{Value as Json, json};

use super::columns::Columns;
use super::{Document, Grid, html, page};
use analysis::slices::{Search, SearchedModels, Slice, Slices};
use base::format::{probability, visible};

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
/// Columns omitted on one screen.
const LONG: [&str; 5] = ["p adjusted", "held out", "p", "reversed by", "finding"];
/// Maximum number of findings that one screen lists as sentences.
const MOST_SENTENCES: usize = 3;

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
        let sentences = found.iter().take(MOST_SENTENCES);
        lines.extend(sentences.map(|slice| self.named_sentence(slice)));
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
            "seed": self.search.seed, "model": model, "compare": pair,
            "outcome": self.search.outcome.name(), "found": self.found.found,
            "not_drawn": self.found.not_drawn,
            "slices": self.lines(),
        })
    }

    fn lines(&self) -> Vec<Json> {
        let slices = self.found.slices.iter();
        slices.map(|slice| json(slice, &self.search)).collect()
    }
}

impl SliceList {
    fn sentence(&self) -> String {
        format!("{}.", self.found.sentence(self.search.q))
    }

    /// Returns a finding as a sentence after its model and ability: `hog in counting: worse where`.
    fn named_sentence(&self, slice: &Slice) -> String {
        let ability = &slice.ability;
        let place = match &slice.model {
            Some(model) => format!("{model} in {ability}"),
            None => ability.clone(),
        };
        visible(&format!("{place}: {}.", slice.sentence(&self.search))).into_owned()
    }

    fn columns(&self) -> Columns<'_, Slice> {
        Columns::<Slice>::new()
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
            })
            .words("finding", |it| it.sentence(&self.search))
    }

    fn models_label(&self, slice: &Slice) -> String {
        match (&slice.model, &self.search.who) {
            (Some(model), _) => model.clone(),
            (None, SearchedModels::Pair(a, b)) => format!("{a} - {b}"),
            (None, _) => String::new(),
        }
    }
}

fn json(slice: &Slice, search: &Search) -> Json {
    json!({
        "benchmark": slice.benchmark, "ability": slice.ability, "model": slice.model, "where": slice.expression,
        "automatic": slice.automatic, "words": slice.words, "sentence": slice.sentence(search),
        "metric": slice.metric, "direction": slice.direction.name(), "n": slice.n, "score": slice.score,
        "rest": slice.rest, "difference": slice.difference,
        "ci": slice.interval.map(|interval| [interval.low, interval.high]), "test": slice.test,
        "p_value": slice.p_value, "p_adjusted": slice.p_adjusted, "confirmed": true,
        "held_out": {"n": slice.held_out.n, "difference": slice.held_out.difference, "p_value": slice.held_out.p_value},
        "reverses": slice.reversed_by.is_some(), "reversed_by": slice.reversed_by,
    })
}
