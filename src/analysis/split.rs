//! Parses splits as written by the user: `dataset,box_area:0,0.1,0.5,dataset*count`.

use thiserror::Error;

use record::benchmark::Bins;
use record::{AUTOMATIC_TAGS, AutomaticTag, Subject, Table, TagColumn, Value};

/// Maximum number of distinct names of a text tag in default splits.
const MOST_NAMES: usize = 30;

/// Tags that are never in the default splits: generator, chance level, and keys of changed
/// pictures.
const UNSPLIT: [&str; 4] = [
    super::CHANCE_TAG,
    "generator",
    super::KEY_TAGS[0],
    super::KEY_TAGS[1],
];

/// Split by one tag or condition, or by several crossed tags or conditions.
#[derive(Clone, Debug, PartialEq)]
pub struct Split {
    /// Text of the split as written by the user.
    pub text: String,
    /// Tags or conditions of the split; several are crossed.
    pub parts: Vec<Part>,
}

/// One tag or condition of a split.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Name of the tag or condition.
    pub name: String,
    /// Bins given by the user; `None` for the default bins.
    pub bins: Option<Bins>,
}

impl Split {
    /// Returns the names of the parts without their bins: `dataset*count`.
    pub fn name(&self) -> String {
        let names: Vec<&str> = self.parts.iter().map(|part| part.name.as_str()).collect();
        names.join("*")
    }

    /// Returns true if the split divides answers instead of samples.
    pub fn is_of_answers(&self, table: &Table) -> bool {
        self.parts.iter().any(|part| is_of_answers(table, part))
    }

    /// Creates a split by one tag in its default bins.
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

/// Error in a split.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SplitError {
    /// No sample has a tag or condition of this name.
    #[error("no tag or condition is called `{name}`{}", near.as_ref().map(|near| format!("; did you mean `{near}`?")).unwrap_or_default())]
    Unknown {
        /// Name in the user's text.
        name: String,
        /// Most similar existing name.
        near: Option<String>,
    },
    /// The tag describes answers, but the split must divide samples; holds the tag.
    #[error("`{0}` describes answers, not samples; use it only for subgroups and in filters")]
    OfAnswers(String),
    /// The bins cannot be parsed.
    #[error(
        "`{0}`: bins must be edges in rising order such as 0,0.1,0.5, or log:5, quantile:4, width:6"
    )]
    Bins(String),
}

/// Parses a list of splits by tags, conditions and automatic tags of samples.
///
/// # Errors
/// Fails if no sample has a tag or condition with a given name, if a tag describes answers, or if
/// bins cannot be parsed.
pub fn parse_splits(text: &str, table: &Table) -> Result<Vec<Split>, SplitError> {
    let splits = parse(text, &with_automatic(table, names(table)))?;
    let mut parts = splits.iter().flat_map(|split| &split.parts);
    match parts.find(|part| is_of_answers(table, part)) {
        Some(part) => Err(SplitError::OfAnswers(part.name.clone())),
        None => Ok(splits),
    }
}

/// Like [`parse_splits`], but also accepts facts about models and automatic tags of answers.
///
/// # Errors
/// Fails if no sample or model has a given name as tag, condition or fact, or if bins cannot be
/// parsed.
pub fn parse_splits_of_rows(text: &str, table: &Table) -> Result<Vec<Split>, SplitError> {
    parse(text, &with_automatic(table, all_names(table)))
}

/// Appends the names of the automatic tags.
fn with_automatic(table: &Table, mut names: Vec<String>) -> Vec<String> {
    names.extend(automatic_tags(table).map(|tag| tag.name.to_owned()));
    names
}

fn parse(text: &str, known: &[String]) -> Result<Vec<Split>, SplitError> {
    // A name can contain the characters that separate splits, so the whole text is tried first.
    if let Ok(whole) = split(text.trim(), known) {
        return Ok(vec![whole]);
    }
    let mut specs: Vec<String> = Vec::new();
    for piece in text
        .split(',')
        .map(str::trim)
        .filter(|piece| !piece.is_empty())
    {
        // A number belongs to the edges of the preceding split.
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

/// Returns the longest known name that the text begins with, or else the text before its colon; and
/// the text after the colon.
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

/// Returns the automatic tags of a table; none if it has no predictions.
pub fn automatic_tags(table: &Table) -> impl Iterator<Item = &'static AutomaticTag> {
    let tags = AUTOMATIC_TAGS.iter().filter(move |_| !table.is_empty());
    tags.filter_map(move |tag| table.automatic_tag(tag.name))
}

/// Returns the splits by automatic tags, except tags that repeat a tag of the logs, and tags whose
/// pictures or answers were not read.
pub(super) fn automatic_splits(table: &Table) -> impl Iterator<Item = Split> {
    let is_own = move |tag: &&AutomaticTag| tag.own.is_some_and(|own| table.has_label(own));
    let is_read = move |name| table.tag(name).or_else(|| table.answer_tag(name)).is_some();
    let is_known = move |tag: &&AutomaticTag| !is_own(tag) && is_read(tag.name);
    let tags = automatic_tags(table).filter(is_known);
    tags.map(|tag| Split::of_tag(tag.name))
}

/// Returns the names of all tags and conditions of a table, without automatic tags.
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

/// Facts about models to split by, unless a tag has the same name.
pub const OF_MODELS: [&str; 3] = ["family", "parameters", "released"];

/// Returns true if a part divides models instead of samples.
pub(super) fn is_of_models(table: &Table, part: &Part) -> bool {
    OF_MODELS.contains(&part.name.as_str()) && !table.has_label(&part.name)
}

/// Returns true if a part divides answers instead of samples.
pub(super) fn is_of_answers(table: &Table, part: &Part) -> bool {
    let tag = table.automatic_tag(&part.name);
    tag.is_some_and(|tag| tag.subject == Subject::Answer)
}

/// Returns the names of all tags, conditions and known facts about models.
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

/// Returns the default splits: text tags with few names, numeric tags, and conditions with few
/// values.
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

/// Returns the default splits with at least two bins among an ability's samples, followed by
/// automatic tags.
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
        if split.is_of_answers(table) {
            let binned = super::bin_rows(table, split);
            let rows = (0..).zip(table.item_of());
            let rows = rows.filter(|(_, item)| items.binary_search(item).is_ok());
            return differ(rows.filter_map(|(row, _)| binned.bin(row)));
        }
        let binned = super::bin_items(table, split);
        differ(items.iter().filter_map(|&item| binned.bin(item)))
    };
    let mut splits: Vec<Split> = default_splits(table).into_iter().filter(&tells).collect();
    // Numeric splits come before splits by name.
    let is_text = |part: &Part| matches!(table.tag(&part.name), Some(TagColumn::Text { .. }));
    splits.sort_by_key(|split| split.parts.iter().any(is_text));
    splits.extend(automatic_splits(table).filter(tells));
    splits
}

/// Returns true if the bins are not all the same.
fn differ(mut bins: impl Iterator<Item = u16>) -> bool {
    let first = bins.next();
    first.is_some() && bins.any(|bin| Some(bin) != first)
}

/// Returns true if a condition has few enough values for a default split.
fn is_plain_condition(table: &Table, name: &str) -> bool {
    let values = table
        .names()
        .conditions
        .iter()
        .filter_map(|labels| labels.get(name).map(Value::to_string));
    values.collect::<std::collections::BTreeSet<_>>().len() <= MOST_NAMES
}

#[cfg(test)]
mod tests {
    use super::{default_splits, parse_splits, telling_splits};
    use record::{
        Ability, Content, Labels, Prediction, RequestFingerprint, Table, TableBuilder, Value,
    };

    /// Returns a table of two samples with a tag and a question.
    fn table(tag: &str) -> Table {
        let mut builder = TableBuilder::default();
        let name = Ability {
            benchmark: "b".to_owned(),
            name: "a".to_owned(),
        };
        let ability = builder.ability(&name).unwrap();
        let condition = builder.condition(&Labels::new()).unwrap();
        let (metric, model) = (
            builder.metric("accuracy").unwrap(),
            builder.model("m").unwrap(),
        );
        for (number, question) in [(1.0, "Why?"), (2.0, "How many are there?")] {
            let id = number.to_string();
            let item = builder.item(ability, condition, &id, RequestFingerprint::default());
            let content = Content {
                question: question.to_owned(),
                target: Some(record::Target::Number(number)),
                tags: Labels::from([(tag.to_owned(), Value::Number(number))]),
                ..Content::default()
            };
            builder.describe(&content, None, number);
            builder.push(item.id, &Prediction::scored(model, metric, 1.0), &[]);
        }
        builder.finish()
    }

    fn texts(splits: Vec<super::Split>) -> Vec<String> {
        splits.into_iter().map(|split| split.text).collect()
    }

    #[test]
    fn automatic_splits_come_after_those_of_the_log_and_are_no_default() {
        let table = table("size");
        assert_eq!(texts(default_splits(&table)), ["size"]);
        assert_eq!(
            texts(telling_splits(&table, "b", "a")),
            ["size", "auto.kind", "auto.question_words"]
        );
        let crossed = parse_splits("size*auto.kind,auto.question_words:1,3", &table);
        assert_eq!(
            texts(crossed.unwrap()),
            ["size*auto.kind", "auto.question_words:1,3"]
        );
    }

    #[test]
    fn an_automatic_tag_does_not_repeat_one_of_the_log() {
        let wanted = |tag: &str| {
            let table = table(tag);
            let splits = super::automatic_splits(&table);
            texts(splits.collect()).contains(&"auto.count".to_owned())
        };
        assert!(wanted("size") && !wanted("count"));
    }
}
