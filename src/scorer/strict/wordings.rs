//! Finds options in other words: an inflection, another spelling, or a synonym of an option's text.

use std::ops::Range;
use std::sync::LazyLock;

use hashbrown::HashMap;

use super::directions;
use super::doubt;
use super::labels;
use super::mentions::Mention;
use super::page::{Kind, Page};
use super::phrases::PhraseSet;
use super::synonyms::{kinds, names, plain, plain_words, verb_forms};
use super::texts::is_whole;
use record::Choice;

/// Words that can occur within a name without changing its meaning: 'kicking a soccer ball',
/// 'climbing up the ladder'.
static WITHIN: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "a|an|the|his|her|their|its|some|up|soccer|football|big|large|small|heavy|-|'|\"",
    )
});

/// Words that can occur within a direction: 'above and to the left', 'to the left, below'.
static WITHIN_DIRECTION: LazyLock<PhraseSet> = LazyLock::new(|| PhraseSet::list("and|to|the|,|-"));

/// Words that can precede a description.
static SAYS: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "person|man|woman|boy|girl|child|figure|he|she|someone|somebody|human|player|stickman|who|they|people|is|are|looks|appears|as|pattern|texture|has|with|shows",
    )
});

/// Words without meaning next to a name.
static NOTHING: LazyLock<PhraseSet> =
    LazyLock::new(|| PhraseSet::list("a|an|the|texture|pattern|surface|answer|option|it|is"));

/// One wording of an option's text.
pub(super) struct Wording {
    pub option: usize,
    /// Words in plain form, without articles.
    pub words: Vec<String>,
    /// True if the wording also has another meaning.
    is_ambiguous: bool,
    /// Rank of the wording; a lower rank takes precedence. 0: the option's own words; 1: a synonym;
    /// 2: a synonym with another meaning; 3: only the option's kind.
    rank: u8,
    within: &'static LazyLock<PhraseSet>,
    /// Last words that all options share and this wording omits.
    tail: Vec<String>,
}

/// Rank of a wording that names only the kind of the option.
const KIND: u8 = 3;

/// All further wordings of a question's options; wordings that fit two options are dropped.
pub(super) struct Wordings {
    pub ways: Vec<Wording>,
    by_first: HashMap<String, Vec<usize>>,
    /// True if some option is a two-word direction.
    has_pairs: bool,
}

impl Wordings {
    pub fn of(options: &[Choice]) -> Self {
        let texts: Vec<Vec<String>> = options
            .iter()
            .map(|option| plain_words(&option.text.to_lowercase()))
            .collect();
        let is_deed =
            |words: &&Vec<String>| words.first().is_some_and(|word| word.ends_with("ing"));
        // Options with a common beginning are also recognized without it: 'The man holds a cup',
        // 'The man holds a book'.
        let shared = match texts.split_first() {
            Some((first, [_, ..])) => (0..first.len())
                .take_while(|at| texts.iter().all(|text| text.get(*at) == first.get(*at)))
                .count(),
            _ => 0,
        };
        // Among options that are not actions, words in 'ing' can be objects: 'building', 'ceiling'.
        let are_deeds = 2 * texts.iter().filter(is_deed).count() >= texts.len().max(2);
        let mut ways: Vec<Wording> = (texts.iter().enumerate())
            .flat_map(|(option, words)| ways_of(option, words, are_deeds))
            .collect();
        let says = |word: &String| word.len() > 2 && word.chars().all(char::is_alphabetic);
        let part = |option: usize, own: &[String], tail: &[String]| {
            own.first().is_some_and(says).then(|| Wording {
                option,
                words: own.to_vec(),
                is_ambiguous: false,
                rank: 1,
                within: &WITHIN,
                tail: tail.to_vec(),
            })
        };
        ways.extend((texts.iter().enumerate()).filter_map(|(option, words)| {
            part(option, words.get(shared..).filter(|_| shared > 0)?, &[])
        }));
        // Options with a common ending are also recognized without it: 'Left of the sofa', 'behind
        // the sofa'.
        let ending = match texts.split_first() {
            Some((first, [_, ..])) => (1..first.len())
                .take_while(|back| {
                    texts.iter().all(|text| {
                        text.len() > *back
                            && text.get(text.len() - back) == first.get(first.len() - back)
                    })
                })
                .last(),
            _ => None,
        };
        ways.extend((texts.iter().enumerate()).filter_map(|(option, words)| {
            let (own, tail) = words.split_at_checked(words.len() - ending?)?;
            let own = match own {
                [own @ .., of] if of == "of" => own,
                own => own,
            };
            part(option, own, tail)
        }));
        // By words: their lowest rank, and the option with that rank if there is only one.
        let mut owners: HashMap<String, (u8, Option<usize>)> = HashMap::new();
        for way in &ways {
            let own = (way.rank, Some(way.option));
            let owner = owners.entry(way.words.join(" ")).or_insert(own);
            if way.rank < owner.0 {
                *owner = own;
            } else if way.rank == owner.0 && owner.1 != own.1 {
                owner.1 = None;
            }
        }
        ways.retain(|way| {
            let owner = owners.get(&way.words.join(" "));
            owner.is_some_and(|(_, owner)| *owner == Some(way.option))
        });
        let mut by_first: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, way) in ways.iter().enumerate() {
            if let Some(first) = way.words.first() {
                by_first.entry(first.clone()).or_default().push(at);
            }
        }
        let length = |at: &usize| ways.get(*at).map_or(0, |way| way.words.len());
        for found in by_first.values_mut() {
            found.sort_by_key(|at| std::cmp::Reverse(length(at)));
        }
        let has_pairs = directions::are_pairs(options);
        Self {
            ways,
            by_first,
            has_pairs,
        }
    }

    /// Finds an option in other words at a piece; the longest wording wins. Returns the option, its
    /// pieces before `limit`, and false if ambiguous words probably mean something else.
    pub fn at(
        &self,
        page: &Page,
        at: usize,
        limit: usize,
        range: &Range<usize>,
    ) -> Option<(usize, Range<usize>, bool)> {
        if page.kind(at) != Some(Kind::Word) {
            return None;
        }
        let found = self.by_first.get(&plain(page.lower(at)))?;
        found.iter().find_map(|way| {
            let way = self.ways.get(*way)?;
            let end = matches(page, at, way).filter(|end| *end <= limit)?;
            let pieces = at..end;
            if !way.tail.is_empty() && !is_short(page, &pieces, &way.tail) {
                return None;
            }
            let meant = !way.is_ambiguous || is_said(page, &pieces, range);
            let is_half = self.has_pairs && pieces.len() == 1 && directions::is_half(page, at);
            let is_word = pieces.len() == 1 && labels::is_word(page, at);
            (!is_half && !is_word && is_whole(page, &pieces)).then_some((way.option, pieces, meant))
        })
    }
}

/// Returns true if the sentence ends after the pieces, without the common last words of the
/// options, or continues with 'it'.
fn is_short(page: &Page, pieces: &Range<usize>, tail: &[String]) -> bool {
    let start = doubt::sentence_start(page, pieces.start);
    let next = pieces.end + usize::from(page.lower(pieces.end) == "of");
    let goes_on = page.is_word(next)
        && !matches!(
            page.lower(next),
            "it" | "them" | "and" | "or" | "but" | "one"
        );
    !goes_on && !(start..pieces.start).any(|at| tail.contains(&plain(page.lower(at))))
}

/// Returns all wordings of one option.
fn ways_of(option: usize, words: &[String], are_deeds: bool) -> Vec<Wording> {
    let way = |words: Vec<String>, is_ambiguous: bool, rank: u8| Wording {
        option,
        words,
        is_ambiguous,
        rank,
        within: &WITHIN,
        tail: Vec::new(),
    };
    let mut ways = vec![way(words.to_vec(), false, 0)];
    ways.extend(names(words).iter().map(|name| {
        way(
            name.words.clone(),
            name.is_ambiguous,
            1 + u8::from(name.is_ambiguous),
        )
    }));
    // Actions have no kinds, and 'flying' is not a kind of 'fly'.
    if !are_deeds {
        ways.extend(
            kinds(words)
                .iter()
                .map(|kind| way(kind.clone(), false, KIND)),
        );
    }
    if are_deeds {
        let mut deeds: Vec<Wording> = Vec::new();
        for known in &ways {
            let Some((verb, rest)) = known.words.split_first() else {
                continue;
            };
            for form in verb_forms(verb) {
                let words = [&[form], rest].concat();
                let is_ambiguous = rest.is_empty() || known.is_ambiguous;
                deeds.push(way(words, is_ambiguous, known.rank));
            }
            if verb.ends_with("ing") && !rest.is_empty() {
                let words = [rest, std::slice::from_ref(verb)].concat();
                deeds.push(way(words, known.is_ambiguous, known.rank));
            }
        }
        ways.extend(deeds);
    }
    // 'To the left of' can also be 'on the left side'.
    if let Some((of, [.., side])) = words.split_last()
        && of == "of"
        && matches!(side.as_str(), "left" | "right")
    {
        ways.push(way(vec![side.clone()], false, 1));
    }
    let halves = match words {
        [one, other] => Some([one.as_str(), other]),
        [one] => directions::halves(one),
        _ => None,
    };
    if let Some([one, other]) = halves {
        let pairs = directions::pairs(one, other).into_iter();
        ways.extend(pairs.map(|pair| Wording {
            within: &WITHIN_DIRECTION,
            ..way(pair.map(plain).to_vec(), false, 1)
        }));
    }
    ways.retain(|way| !way.words.is_empty());
    ways
}

/// Returns the end of a wording that starts at a piece; `None` if it does not match.
fn matches(page: &Page, start: usize, way: &Wording) -> Option<usize> {
    let mut at = start;
    for (place, word) in way.words.iter().enumerate() {
        let mut skipped = 0;
        while place > 0 && skipped < 4 && plain(page.lower(at)) != *word && way.within.has(page, at)
        {
            at += 1;
            skipped += 1;
        }
        if plain(page.lower(at)) != *word {
            return None;
        }
        at += 1;
    }
    Some(at)
}

/// Returns true if ambiguous words are used in a description, or alone in their sentence.
fn is_said(page: &Page, pieces: &Range<usize>, range: &Range<usize>) -> bool {
    let before = pieces.start.checked_sub(1);
    if before.is_some_and(|at| at >= range.start && SAYS.has(page, at)) {
        return true;
    }
    let start = doubt::sentence_start(page, pieces.start).max(range.start);
    let end = page.sentence_end_before(pieces.end, range.end);
    // Example: 'Under the plate.'
    let leads = (start..pieces.start).all(|at| !page.is_alphanumeric(at));
    if leads && matches!(page.lower(pieces.end), "a" | "an" | "the") {
        return true;
    }
    (start..pieces.start)
        .chain(pieces.end..end)
        .all(|at| !page.is_alphanumeric(at) || NOTHING.has(page, at))
}

/// Returns true if two mentions belong to one list of alternatives: 'running or biking', 'running,
/// maybe biking'. If the other mention is affirmed, punctuation between them is sufficient.
pub(super) fn joined(page: &Page, one: &Mention, other: &Mention) -> bool {
    let by_marks = other.stands();
    let (one, other) = (&one.pieces, &other.pieces);
    let between = one.end.min(other.end)..one.start.max(other.start);
    let joins = |at: usize| JOINS.has(page, at) && (by_marks || page.is_word(at));
    between.len() <= REACH
        && between.clone().any(joins)
        && between
            .clone()
            .all(|at| JOINS.has(page, at) || FILLS.has(page, at))
}

/// Returns true if there is a joining word or mark close to the pieces.
pub(super) fn may_be_joined(page: &Page, pieces: &Range<usize>) -> bool {
    let mut near =
        (pieces.start.saturating_sub(REACH)..pieces.start).chain(pieces.end..pieces.end + REACH);
    near.any(|at| JOINS.has(page, at))
}

/// Maximum number of pieces between two mentions in one list.
const REACH: usize = 6;

static JOINS: LazyLock<PhraseSet> =
    LazyLock::new(|| PhraseSet::list("or|and|maybe|perhaps|possibly|probably|plus|,|/|&|("));

static FILLS: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list("to|a|an|the|it|is|be|could|might|also|even|he|she|either|'|\"")
});
