//! Reads free targets: words or phrases that can occur within a sentence.
//!
//! The target competes with its alternatives: the other box, the other object in the question,
//! other directions or colours. A response that names two of them is not a single answer.

use std::ops::Range;
use std::sync::LazyLock;

use super::choice::Options;
use super::doubt::sentence_start;
use super::page::{Kind, Page};
use super::phrases::PhraseSet;
use super::read_failure::ReadFailure;
use super::step::Step;
use super::synonyms::COLORS;
use super::verdict::is_corrected;
use record::Choice;

/// Classes of words that exclude each other.
const CLASSES: [&[&str]; 2] = [
    &[
        "left", "right", "above", "below", "front", "behind", "middle", "top", "bottom",
    ],
    COLORS,
];

/// Colours of the two boxes in AVA-Bench's questions about relative depth.
const BOXES: [&str; 2] = ["red", "blue"];

/// Colours of the same boxes in other languages.
const FOREIGN: [&[&str]; 2] = [
    &[
        "rot", "rote", "roten", "roter", "rotes", "rojo", "roja", "红", "紅",
    ],
    &[
        "blau", "blaue", "blauen", "blauer", "blaues", "azul", "蓝", "藍",
    ],
];

/// Maximum number of words in a response for searching it for a phrase.
const LONGEST: usize = 40;

static NEAR: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "closer|nearer|closest|nearest|in front|less far|more close|näher|am nächsten|más cerca|更近|较近|最近",
    )
});
static FAR: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "farther|further|farthest|furthest|behind|more distant|less close|farther away|further away|more far|weiter weg|weiter entfernt|más lejos|更远|较远|最远",
    )
});

/// Words between alternatives.
static JOINS: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list("or|and|nor|/|&|maybe|perhaps|possibly|plus|oder|und|ou|et|y|o")
});

static ARTICLE: LazyLock<PhraseSet> =
    LazyLock::new(|| PhraseSet::list("a|an|the|one|some|it is|it's"));

static DISCOURSE: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list("well|yes|no|sure|ok|okay|hmm|so|actually|probably|clearly|here|indeed|ah|oh")
});

/// Words after a joining word that begin a new sentence.
static SENTENCE: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "it|he|she|they|i|we|you|is|are|was|has|so|not|there|that|this|which|because|since|as",
    )
});

/// Text that was read, the pieces that state it, and the rule.
type TextMatch = (String, Range<usize>, Step);

/// Reads the target or one of its alternatives from a page; `None` if the page contains none of
/// them and is a different answer.
pub(super) fn read(
    page: &Page,
    target: &str,
    question: &str,
    ability: &str,
) -> Result<Option<TextMatch>, ReadFailure> {
    let words = words(target);
    if words.concat().chars().count() < 2 {
        return Ok(None);
    }
    if ability == "relative_depth"
        && let Some(own) = only_box(&words)
    {
        return nearer(page, question).map(|(which, pieces, rule)| {
            let text = if which == own { target } else { BOXES[which] };
            Some((text.to_owned(), pieces, rule))
        });
    }
    let asked = rival(question, &words);
    let class = CLASSES
        .iter()
        .find(|class| matches!(words.as_slice(), [one] if class.contains(&one.as_str())));
    let mut texts = vec![target.to_owned()];
    match (&asked, class) {
        (Some(rival), _) => texts.push(rival.clone()),
        (None, Some(class)) => {
            texts.extend(
                class
                    .iter()
                    .filter(|other| **other != words[0])
                    .map(|other| (*other).to_owned()),
            );
        }
        (None, None)
            if (0..page.len())
                .filter(|at| page.is_alphanumeric(*at))
                .count()
                > LONGEST =>
        {
            return Ok(None);
        }
        (None, None) => {}
    }
    match choose(page, &texts) {
        Ok((_, pieces, _)) if texts.len() == 1 && is_listed(page, &pieces) => Err(ReadFailure::Two),
        Ok((option, pieces, _)) => Ok(texts
            .into_iter()
            .nth(option)
            .map(|text| (text, pieces, Step::OnlyPossible))),
        Err(ReadFailure::Two) => Err(ReadFailure::Two),
        Err(_) if asked.is_some() => Err(ReadFailure::Nothing),
        Err(_) => Ok(None),
    }
}

/// Returns the text that a page chooses from `texts`, by its index.
fn choose(page: &Page, texts: &[String]) -> Result<(usize, Range<usize>, Step), ReadFailure> {
    let choice = |text: &String| Choice {
        letter: String::new(),
        text: text.clone(),
    };
    let options: Vec<Choice> = texts.iter().map(choice).collect();
    let chosen = Options::of(&options, "").read(page)?;
    Ok((chosen.option, chosen.pieces, chosen.rule))
}

/// Returns the words of a text in lower case, without leading articles.
fn words(text: &str) -> Vec<String> {
    let page = Page::of(text);
    let all = (0..page.len()).filter(|at| page.is_alphanumeric(*at));
    let words: Vec<String> = all.map(|at| page.lower(at).to_owned()).collect();
    let articles = words
        .iter()
        .take_while(|word| matches!(word.as_str(), "a" | "an" | "the"))
        .count();
    words.into_iter().skip(articles).collect()
}

/// Returns the index of the box that a target names; `None` unless there is exactly one.
fn only_box(words: &[String]) -> Option<usize> {
    let named = |colour: &&str| words.iter().any(|word| word == *colour);
    match BOXES.each_ref().map(named) {
        [true, false] => Some(0),
        [false, true] => Some(1),
        _ => None,
    }
}

/// Returns the box that a page calls nearer, by its colour or by its content in the question: 'the
/// car (red box)'.
fn nearer(page: &Page, question: &str) -> Result<(usize, Range<usize>, Step), ReadFailure> {
    let mut texts: Vec<(String, usize)> = (0..)
        .zip(BOXES)
        .map(|(at, colour)| (colour.to_owned(), at))
        .collect();
    for (at, words) in FOREIGN.iter().enumerate() {
        texts.extend(words.iter().map(|word| ((*word).to_owned(), at)));
    }
    let asked = Page::of(question);
    let asks = |words: &PhraseSet| (0..asked.len()).any(|at| words.has(&asked, at));
    let wanted = |near: usize| {
        let far = asks(&FAR) && !asks(&NEAR);
        if far { 1 - near } else { near }
    };
    for at in 2..asked.len() {
        let colour = BOXES.iter().position(|colour| *colour == asked.lower(at));
        if let Some(colour) = colour.filter(|_| asked.is(at - 1, '(') && asked.is_word(at - 2)) {
            texts.push((asked.lower(at - 2).to_owned(), colour));
        }
    }
    let box_at = |at: &usize| texts.iter().find(|(text, _)| text == page.lower(*at));
    let said = |at: usize| {
        let start = sentence_start(page, at);
        let (place, which) = (start..at)
            .rev()
            .find_map(|at| Some((at, box_at(&at)?.1)))?;
        let not = (place..at).any(|at| matches!(page.lower(at), "not" | "isn't" | "no"));
        Some((if not { 1 - which } else { which }, place..at + 1))
    };
    let all = |word: &'static PhraseSet| {
        (0..page.len())
            .filter(|at| word.has(page, *at))
            .filter_map(said)
    };
    let far = all(&FAR).map(|(far, pieces)| (1 - far, pieces));
    let mut found = all(&NEAR).chain(far);
    if let Some((near, pieces)) = found.next() {
        let is_other = |at: usize| {
            box_at(&at).is_some_and(|(_, which)| *which != near)
                && is_corrected(page, pieces.end..at)
        };
        let is_two =
            found.any(|(other, _)| other != near) || (pieces.end..page.len()).any(is_other);
        return if is_two {
            Err(ReadFailure::Two)
        } else {
            Ok((wanted(near), pieces, Step::NearerBox))
        };
    }
    let names: Vec<String> = texts.iter().map(|(text, _)| text.clone()).collect();
    // An object and the colour of its box refer to the same box.
    let (thing, pieces, _) = choose(page, names.get(..2).unwrap_or_default()).or_else(|why| {
        if why == ReadFailure::Nothing {
            choose(page, &names)
        } else {
            Err(why)
        }
    })?;
    let which = texts.get(thing).map_or(0, |(_, which)| *which);
    Ok((which, pieces, Step::OnlyBox))
}

/// Returns the alternative to the target in a question: the cat in 'a dog or a cat'.
fn rival(question: &str, target: &[String]) -> Option<String> {
    let page = Page::of(question);
    let or = (1..page.len()).rfind(|at| page.lower(*at) == "or")?;
    let before = |count: usize| -> Vec<usize> {
        let mut words: Vec<usize> = (0..or)
            .rev()
            .skip_while(|at| page.is(*at, ','))
            .take_while(|at| page.is_alphanumeric(*at))
            .take(count)
            .collect();
        words.reverse();
        words
    };
    let start = or + 1 + usize::from(matches!(page.lower(or + 1), "a" | "an" | "the"));
    let after: Vec<usize> = (start..page.len())
        .take_while(|at| page.is_alphanumeric(*at))
        .take(target.len())
        .collect();
    let same = |places: &[usize]| {
        places.len() == target.len()
            && places
                .iter()
                .zip(target)
                .all(|(at, word)| page.lower(*at) == word)
    };
    let text = |places: &[usize]| -> String {
        let words: Vec<&str> = places.iter().map(|at| page.lower(*at)).collect();
        words.join(" ")
    };
    let (left, right) = (before(target.len()), after);
    let rival = match (same(&left), same(&right)) {
        (true, false) => text(&right),
        (false, true) => text(&left),
        _ => return None,
    };
    (!rival.is_empty()).then_some(rival)
}

/// Returns true if the pieces are part of a list of objects: 'a dog or a cat', 'dog, cat'.
fn is_listed(page: &Page, pieces: &Range<usize>) -> bool {
    let articles = |at: usize| at + ARTICLE.length(page, at);
    let behind = articles(pieces.end);
    let comma = usize::from(page.is(behind, ','));
    let next = articles(behind + comma);
    let joint = JOINS.length(page, next);
    let follows = |at: usize| page.kind(at) == Some(Kind::Word) && !SENTENCE.has(page, at);
    if joint > 0 && follows(articles(next + joint)) {
        return true;
    }
    let item = comma == 1
        && follows(next)
        && (page.kind(next + 1).is_none() || page.is_any(next + 1, ",.!"));
    let mut at = pieces.start;
    while at > 0 && ARTICLE.has(page, at - 1) {
        at -= 1;
    }
    let before = at > 1
        && (JOINS.has(page, at - 1)
            && !page.ends_sentence(at - 2)
            && page.kind(at - 2) == Some(Kind::Word));
    let listed = at == 2
        && page.is(1, ',')
        && page.is_word(0)
        && !SENTENCE.has(page, 0)
        && !DISCOURSE.has(page, 0);
    item || before || listed
}
