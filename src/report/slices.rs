//! The document of `eyechart slices`: subgroups that deviate from the rest of their ability.

use serde_json::{Value as Json, json};

use super::{Document, Grid, html, page};
use analysis::slices::{Search, SearchedModels, Slice, Slices};
use base::format::{compact, fixed, probability};

/// Result of a subgroup search.
#[derive(Clone, Debug)]
pub struct SliceList {
    /// Parameters of the search.
    pub search: Search,
    /// The deviating subgroups.
    pub found: Slices,
}

impl Document for SliceList {
    fn grids(&self) -> Vec<Grid> {
        let columns = [
            "benchmark",
            "ability",
            "model",
            "where",
            "metric",
            "n>",
            "score>",
            "rest>",
            "difference>",
            "95 %",
            "p adjusted>",
            "held out>",
            "p>",
            "reversed by",
        ];
        let mut slices = self.found.slices.iter();
        let has_words = slices.any(|slice| !slice.automatic.is_empty());
        let words = has_words.then_some("in words");
        let columns: Vec<&str> = columns.into_iter().chain(words).collect();
        let mut grid = Grid::new(&self.found.sentence(self.search.q), &columns);
        for slice in &self.found.slices {
            let interval = slice.interval.map_or_else(
                || "–".to_owned(),
                |i| format!("[{}, {}]", fixed(Some(i.low), 3), fixed(Some(i.high), 3)),
            );
            let words = has_words.then_some(slice.words.as_str());
            grid.push(
                [
                    slice.benchmark.as_str(),
                    &slice.ability,
                    &self.models_label(slice),
                    &slice.expression,
                    &format!("{} {}", slice.metric, slice.direction.arrow()),
                    &compact(slice.n),
                    &fixed(Some(slice.score), 3),
                    &fixed(Some(slice.rest), 3),
                    &fixed(Some(slice.difference), 3),
                    &interval,
                    &probability(slice.p_adjusted),
                    &fixed(Some(slice.held_out.difference), 3),
                    &probability(slice.held_out.p_value),
                    slice.reversed_by.as_deref().unwrap_or_default(),
                ]
                .into_iter()
                .chain(words),
            );
        }
        if grid.rows.is_empty() {
            let mut said = Grid::new("", &["", ""]);
            said.push([self.found.sentence(self.search.q).as_str(), ""]);
            return vec![grid, said];
        }
        vec![grid]
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
