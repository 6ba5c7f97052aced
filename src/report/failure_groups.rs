//! The document of `eyechart failures`: groups of wrong samples that look alike, and the place of
//! every sample on a map.

use itertools::Itertools as _;
use serde_json::{Value as Json, json};

use super::columns::Columns;
use super::{Document, Grid, html};
use analysis::likeness::{FailureMap, LookGroup, MIN_SAMPLES, MapPlace, Trait};
use base::format::{counted, fixed, visible};
use record::{ItemId, Table};

/// Number of samples that stand for a group.
const EXAMPLES: usize = 3;

/// Groups of wrong samples, with the table that contains them.
#[derive(Clone, Debug)]
pub struct FailureList {
    /// Table with the samples.
    pub table: Table,
    /// The groups and the map.
    pub found: FailureMap,
}

impl Document for FailureList {
    fn preface(&self) -> Vec<String> {
        let found = &self.found;
        let coded = found.places.len() as u64;
        let wrong = found.wrong();
        let mut lines = vec![format!(
            "{} with a feature vector, {wrong} of them wrong; {} without.",
            counted(coded, "sample"),
            found.without_code
        )];
        if found.groups.is_empty() {
            lines.push(format!(
                "Grouping needs at least {MIN_SAMPLES} wrong samples."
            ));
        } else {
            lines.push(
                "The groups describe what the wrong samples look like. They are not tested; `eyechart \
                 slices` tests subgroups."
                    .to_owned(),
            );
        }
        if let Some(silhouette) = found.silhouette {
            let silhouette = fixed(Some(silhouette), 2);
            lines.push(format!(
                "Mean silhouette {silhouette} (1: far apart, 0: not separated)."
            ));
        }
        lines
    }

    fn grids(&self) -> Vec<Grid> {
        let numbered: Vec<(usize, &LookGroup)> = self.found.groups.iter().enumerate().collect();
        let groups = Columns::<(usize, &LookGroup)>::new()
            .count("group", |(at, _)| *at as u64 + 1)
            .count("n", |(_, group)| group.items.len() as u64)
            .words("most typical, one for each picture", |(_, group)| {
                let ids = self
                    .typical(group)
                    .map(|item| visible(self.id(item)).into_owned());
                ids.collect::<Vec<_>>().join(", ")
            });
        let traits = numbered.iter().flat_map(|(at, group)| {
            let traits = group.traits.iter();
            traits.map(|one| GroupTrait {
                at: *at,
                group,
                one,
            })
        });
        let traits: Vec<GroupTrait<'_>> = traits.collect();
        let others = |it: &GroupTrait<'_>| self.found.wrong() - it.group.items.len();
        let columns = Columns::<GroupTrait<'_>>::new()
            .count("group", |it| it.at as u64 + 1)
            .words("what most have", |it| visible(&it.one.what).into_owned())
            .words("in the group", |it| {
                format!("{} of {}", it.one.inside, it.group.items.len())
            })
            .words("elsewhere", |it| {
                format!("{} of {}", it.one.outside, others(it))
            });
        vec![groups.grid("", &numbered), columns.grid("", &traits)]
    }

    /// Coordinates of all samples on the map.
    fn csv_grid(&self) -> Option<Grid> {
        let ability = |place: &MapPlace| self.table.ability(place.item).cloned();
        let map = Columns::<MapPlace>::new()
            .words("sample_id", |it| self.id(it.item).to_owned())
            .words("benchmark", |it| ability(it).unwrap_or_default().benchmark)
            .words("ability", |it| ability(it).unwrap_or_default().name)
            .fixed("x", 6, |it| it.at[0])
            .fixed("y", 6, |it| it.at[1])
            .words("wrong", |it| {
                it.is_wrong
                    .map(|wrong| wrong.to_string())
                    .unwrap_or_default()
            })
            .count("group", |it| it.group.map(|at| at as u64 + 1));
        Some(map.grid("", &self.found.places))
    }

    fn json(&self) -> Json {
        let found = &self.found;
        let group = |(at, group): (usize, &LookGroup)| {
            let ids: Vec<&str> = group.items.iter().map(|item| self.id(*item)).collect();
            let others = found.wrong().saturating_sub(group.items.len());
            let traits = group.traits.iter().map(|one| {
                json!({
                    "what": one.what, "n": one.inside, "elsewhere": one.outside,
                    "of_elsewhere": others,
                })
            });
            json!({
                "group": at + 1, "n": ids.len(), "traits": traits.collect::<Vec<_>>(), "samples": ids,
            })
        };
        let groups: Vec<Json> = found.groups.iter().enumerate().map(group).collect();
        json!({
            "schema": "eyechart.failures/1", "samples": found.places.len(), "wrong": found.wrong(),
            "without_code": found.without_code, "silhouette": found.silhouette, "groups": groups,
            "map": {"variance": found.shares, "samples": self.lines()},
        })
    }

    fn lines(&self) -> Vec<Json> {
        let line = |place: &MapPlace| {
            let ability = self.table.ability(place.item).cloned().unwrap_or_default();
            json!({
                "sample_id": self.id(place.item), "benchmark": ability.benchmark,
                "ability": ability.name, "x": place.at[0], "y": place.at[1],
                "wrong": place.is_wrong, "group": place.group.map(|at| at + 1),
            })
        };
        self.found.places.iter().map(line).collect()
    }

    fn page(&self) -> html::Page {
        html::Page::of_grids("Eyechart: failures", &self.preface(), &self.grids())
    }
}

impl FailureList {
    fn id(&self, item: ItemId) -> &str {
        self.table.sample_id(item)
    }

    /// Returns the most typical samples of a group, one for each picture.
    fn typical<'a>(&'a self, group: &'a LookGroup) -> impl Iterator<Item = ItemId> + use<'a> {
        let picture = |item: &ItemId| self.table.cluster_of().get(item.0 as usize);
        let items = group.items.iter().copied();
        items.unique_by(move |item| picture(item)).take(EXAMPLES)
    }
}

/// A property that most samples of a group share.
struct GroupTrait<'a> {
    /// Index of the group.
    at: usize,
    group: &'a LookGroup,
    one: &'a Trait,
}
