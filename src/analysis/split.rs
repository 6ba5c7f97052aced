//! What to split by, as the user writes it: `dataset,box_area:0,0.1,0.5,dataset*count`.

use thiserror::Error;

use benchmark::Bins;
use record::{Table, TagColumn, Value};

/// Most distinct names of a text tag that is split by without being asked for.
const MOST_NAMES: usize = 30;

/// Tags that are never split by without being asked for: they say how an item was made, or what a guess is worth.
const UNSPLIT: [&str; 2] = [super::CHANCE_TAG, "generator"];

/// One thing to split by, or several crossed.
#[derive(Clone, Debug, PartialEq)]
pub struct Split {
    /// As the user would write it.
    pub text: String,
    /// The tags or conditions that are crossed.
    pub parts: Vec<Part>,
}

/// One tag or condition of a split.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Its name.
    pub name: String,
    /// The user's bins; `None`: the usual ones.
    pub bins: Option<Bins>,
}

impl Split {
    /// By one tag, in its usual bins.
    #[must_use]
    pub fn of_tag(name: &str) -> Self {
        Self {
            text: name.to_owned(),
            parts: vec![Part {
                name: name.to_owned(),
                bins: None,
            }],
        }
    }
}

/// What is wrong with a split.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SplitError {
    /// No sample has such a tag or condition.
    #[error("nothing to split by is called `{name}`{}", near.as_ref().map(|near| format!("; did you mean `{near}`?")).unwrap_or_default())]
    Unknown {
        /// The name that was asked for.
        name: String,
        /// The most similar one that there is.
        near: Option<String>,
    },
    /// The bins cannot be understood.
    #[error(
        "`{0}`: bins are edges in rising order such as 0,0.1,0.5, or log:5, quantile:4, width:6"
    )]
    Bins(String),
}

/// Parses a list of splits.
///
/// # Errors
/// A name that no sample has, or bins that make no sense.
pub fn parse_splits(text: &str, table: &Table) -> Result<Vec<Split>, SplitError> {
    parse(text, &names(table))
}

/// As [`parse_splits`], with what is known of models beside what tells samples apart.
///
/// # Errors
/// As there.
pub fn parse_splits_of_models(text: &str, table: &Table) -> Result<Vec<Split>, SplitError> {
    parse(text, &all_names(table))
}

fn parse(text: &str, known: &[String]) -> Result<Vec<Split>, SplitError> {
    // A name may hold the signs that join splits.
    if let Ok(whole) = split(text.trim(), known) {
        return Ok(vec![whole]);
    }
    let mut specs: Vec<String> = Vec::new();
    for piece in text
        .split(',')
        .map(str::trim)
        .filter(|piece| !piece.is_empty())
    {
        // A number goes on with the edges before it.
        match specs.last_mut() {
            Some(before)
                if before.contains(':') && piece.split('*').next().is_some_and(is_number) =>
            {
                before.push(',');
                before.push_str(piece);
            }
            _ => specs.push(piece.to_owned()),
        }
    }
    specs.iter().map(|spec| split(spec, known)).collect()
}

fn is_number(text: &str) -> bool {
    text.parse::<f64>().is_ok()
}

fn split(spec: &str, known: &[String]) -> Result<Split, SplitError> {
    let parts = match part(spec.trim(), known) {
        Ok(whole) => vec![whole],
        Err(_) => spec
            .split('*')
            .map(|part| self::part(part.trim(), known))
            .collect::<Result<_, _>>()?,
    };
    Ok(Split {
        text: spec.to_owned(),
        parts,
    })
}

fn part(text: &str, known: &[String]) -> Result<Part, SplitError> {
    let (name, bins) = name_and_bins(text, known);
    if !known.iter().any(|known| known == name) {
        let near = known
            .iter()
            .max_by(|a, b| strsim::jaro_winkler(a, name).total_cmp(&strsim::jaro_winkler(b, name)));
        return Err(SplitError::Unknown {
            name: name.to_owned(),
            near: near.cloned(),
        });
    }
    let bins = bins
        .map(|bins| parse_bins(bins).ok_or_else(|| SplitError::Bins(text.to_owned())))
        .transpose()?;
    Ok(Part {
        name: name.to_owned(),
        bins,
    })
}

/// The longest known name that a text begins with, else what stands before its colon; and what follows the colon.
fn name_and_bins<'a>(text: &'a str, known: &[String]) -> (&'a str, Option<&'a str>) {
    let bare = text.strip_prefix("tag.").unwrap_or(text);
    for text in [text, bare] {
        if known.iter().any(|name| name == text) {
            return (text, None);
        }
        let ends = text.match_indices(':').map(|(at, _)| at).rev();
        let mut parts = ends.map(|at| (&text[..at], &text[at + 1..]));
        if let Some((name, bins)) = parts.find(|(name, _)| known.iter().any(|known| known == name))
        {
            return (name, Some(bins));
        }
    }
    bare.split_once(':')
        .map_or((bare, None), |(name, bins)| (name, Some(bins)))
}

fn parse_bins(text: &str) -> Option<Bins> {
    if let Some((kind, count)) = text.split_once(':') {
        let count: usize = count
            .parse()
            .ok()
            .filter(|count| (1..=100).contains(count))?;
        return match kind {
            "log" => Some(Bins::Log(count)),
            "quantile" => Some(Bins::Quantile(count)),
            "width" => Some(Bins::Width(count)),
            _ => None,
        };
    }
    let edges: Vec<f64> = text
        .split(',')
        .map(|edge| edge.trim().parse().ok())
        .collect::<Option<_>>()?;
    let rising = edges.windows(2).all(|pair| matches!(pair, [a, b] if a < b));
    (edges.len() > 1 && rising).then_some(Bins::Edges(edges))
}

/// Everything that can be split by: tags and conditions.
#[must_use]
pub fn names(table: &Table) -> Vec<String> {
    let mut names: Vec<String> = table.tag_names().map(str::to_owned).collect();
    let conditions = table
        .names()
        .conditions
        .iter()
        .flat_map(|labels| labels.keys().cloned());
    names.extend(conditions);
    names.sort();
    names.dedup();
    names
}

/// What is known of models and can be split by, where no tag is called so.
pub const OF_MODELS: [&str; 3] = ["family", "parameters", "released"];

/// Returns true if a part of a split tells models apart, not samples.
pub(super) fn is_of_models(table: &Table, part: &Part) -> bool {
    OF_MODELS.contains(&part.name.as_str()) && !table.has_label(&part.name)
}

/// Everything that can be split by, what is known of models included.
fn all_names(table: &Table) -> Vec<String> {
    let mut all = names(table);
    let is_known = !table.names().facts.is_empty();
    for name in OF_MODELS.into_iter().filter(|_| is_known) {
        if !all.iter().any(|known| known == name) {
            all.push(name.to_owned());
        }
    }
    all
}

/// What is split by without being asked: text tags with few names, and every number.
#[must_use]
pub fn default_splits(table: &Table) -> Vec<Split> {
    let wanted = |name: &String| match table.tag(name) {
        Some(TagColumn::Text { names, .. }) => names.len() <= MOST_NAMES,
        Some(TagColumn::Number(_)) => true,
        None => is_plain_condition(table, name),
    };
    let names = names(table).into_iter();
    let names = names.filter(|name| !UNSPLIT.contains(&name.as_str()) && wanted(name));
    names.map(|name| Split::of_tag(&name)).collect()
}

/// The splits that tell the samples of an ability apart: those with at least two bins there.
#[must_use]
pub fn telling_splits(table: &Table, benchmark: &str, ability: &str) -> Vec<Split> {
    let wanted = table
        .names()
        .abilities
        .values()
        .iter()
        .position(|a| a.benchmark == benchmark && a.name == ability);
    let items: Vec<u32> = (0..)
        .zip(table.ability_of())
        .filter(|(_, code)| Some(usize::from(**code)) == wanted)
        .map(|(item, _)| item)
        .collect();
    let tells = |split: &Split| {
        let binned = super::bin_items(table, split);
        let mut bins = items.iter().filter_map(|&item| binned.bin(item));
        let first = bins.next();
        first.is_some() && bins.any(|bin| Some(bin) != first)
    };
    let mut splits: Vec<Split> = default_splits(table).into_iter().filter(tells).collect();
    // Measured quantities say more than names.
    let is_text = |part: &Part| matches!(table.tag(&part.name), Some(TagColumn::Text { .. }));
    splits.sort_by_key(|split| split.parts.iter().any(is_text));
    splits
}

/// Whether a condition has few values.
fn is_plain_condition(table: &Table, name: &str) -> bool {
    let values = table
        .names()
        .conditions
        .iter()
        .filter_map(|labels| labels.get(name).map(Value::to_string));
    values.collect::<std::collections::BTreeSet<_>>().len() <= MOST_NAMES
}
