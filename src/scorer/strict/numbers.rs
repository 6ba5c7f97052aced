//! Reads the number of a response: the one stated as answer or total, else the leading one; for a
//! range its middle.

use std::ops::Range;
use std::sync::LazyLock;

use super::doubt;
use super::number_text::{self, Number};
use super::number_words;
use super::page::{Kind, Page};
use super::phrases::{PhraseSet, Phrases};
use super::polarity::is_past;
use super::read_failure::ReadFailure;
use super::synonyms::plain;
use super::verdict::verdicts;

/// Nouns for callers without nouns of their own.
pub(super) static NO_NOUNS: LazyLock<PhraseSet> = LazyLock::new(|| PhraseSet::list("answer"));

/// Nouns that a number may be introduced by.
static NOUNS: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "count|total|total count|total number|number|sum|distance|depth|estimate|estimated distance|best estimate|in total|quantity|amount|length|height|距离|数量|总数|gesamt|anzahl|nombre|número|entfernung|final count|result|value|most likely",
    )
});

/// Words that number a thing; their number is not an answer: 'box 2'.
static LABELLED: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "box|image|picture|figure|fig|fig.|photo|step|option|row|column|object|region|point|id|page|camera|level|line|question|#|no.|frame|panel|shelf|table|room|group|item|part|section|area|view|scene|bbox|mark|marker|label|level|图|第",
    )
});

#[derive(Clone, Copy, PartialEq)]
enum Cue {
    /// The number after it is the answer.
    Total,
    /// The number after it is the subject of the sentence.
    Says,
}

static CUES: LazyLock<Phrases<Cue>> = LazyLock::new(|| {
    Phrases::of(&[
        (
            "=|total of|in total|altogether|so|therefore|thus|hence|makes|make|making|which is|gives|giving|equals|adds up to|add up to|adding up to|sums to|sum to|sum of|for a total|overall|totaling|totalling|totals|leaving|leaves|that is|that makes|most likely|best estimate|i'd say|i'd go with|go with|→|i estimate|my estimate",
            Cue::Total,
        ),
        (
            "there are|there is|there're|there's|there were|i see|i can see|i count|i counted|we see|can see|shows|contains|depicts|has|have|appear to be|appears to be|count|counted|visible|approximately|about|around|roughly|away|es sind|il y a|hay|有|共有|一共有",
            Cue::Says,
        ),
    ])
});

/// Words that mark the number before them as the total.
static IN_TOTAL: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "in total|in all|altogether|total|overall|in sum|combined|insgesamt|au total|en total|in the image in total",
    )
});

/// Words that mark the length before them as the distance, and words that mark it as another
/// measure.
static AWAY: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list("away|from|distant|off|deep|far|entfernt|behind the camera|in front")
});
static WIDE: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "wide|tall|high|long|thick|in width|in height|in length|in diameter|broad|breit|hoch|lang",
    )
});

/// Words and marks that join two alternative numbers.
static EITHER: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "or|maybe|perhaps|possibly|,|/|and|oder|ou|possibly even|probably|if not|could be|or maybe|or perhaps|或|或者|might be",
    )
});

/// Units of other quantities than lengths.
static OTHER_UNIT: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "second|seconds|sec|minute|minutes|hour|hours|day|days|year|years|pixel|pixels|px|degree|degrees|°|kg|kilogram|kilograms|mph|dollar|dollars|people|person|lengths",
    )
});

/// Words for the place of the camera.
static CAMERA: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "camera|viewer|observer|lens|me|us|you|viewpoint|photographer|here|front|position|perspective|image|point|where|foreground|kamera|caméra|cámara",
    )
});

/// Words for things of any kind.
static ANYTHING: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "objects|items|instances|others|rows|times|ones|individuals|persons|things|figures|elements|pieces|examples|units|points|is|are|was|does|total|this|its|groups|people|sides|across",
    )
});

/// Phrases for more things beside those that were counted.
static REST: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list("the rest|the others|the remaining|and others|several others|many others")
});

/// Words for the picture itself: 'from a single image' is not a count.
static PICTURE: LazyLock<PhraseSet> =
    LazyLock::new(|| PhraseSet::list("image|picture|photo|photograph|frame|view|snapshot"));

static NONE: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "none|no|n'y en a pas|n'y a pas|no hay|non ci sono|não há|geen|нет|없|いません|ありません|yok|tidak ada|không có|not any|not one|not a single|isn't a single|aren't a single|not one single|isn't one|is not one|not even one|there aren't any|there are not any|there isn't any|aren't any|are not any|isn't any|don't see any|do not see any|can't see any|cannot see any|keine|kein|aucun|aucune|ninguno|ninguna|没有|nessuno|nessuna|nenhum|nenhuma|nothing",
    )
});

/// Kind of number that the question asks for.
#[derive(Clone, Debug, Default)]
pub(super) struct NumberKind {
    /// Unit of the answer in metres, if a length is asked for.
    pub unit: Option<f64>,
    /// True if a share between 0 and 1 is asked for, so percentages are divided by 100.
    pub share: bool,
    /// Words of the counted thing in plain form, its noun last; empty if unknown.
    pub counted: Vec<String>,
    /// Words of the question that name something.
    pub asked: Vec<String>,
    /// True if a distance from the camera is asked for.
    pub from_camera: bool,
}

impl NumberKind {
    /// Returns true if a number cannot be the answer: a bound, a negative count or distance,
    /// another unit, a distance from another thing, or a count of other things.
    fn excludes(&self, page: &Page, number: &Number) -> bool {
        let end = number.pieces.end;
        let before = number
            .pieces
            .start
            .checked_sub(1)
            .map_or("", |at| page.lower(at));
        let sized = self.unit.is_some() || !self.counted.is_empty();
        let clause = end..doubt::sentence_end(page, end);
        let from = clause
            .clone()
            .take(3)
            .find(|at| matches!(page.lower(*at), "from" | "above" | "below" | "beside"));
        let elsewhere = |from: usize| {
            page.is_word(from + 1) && !(from..clause.end).any(|at| CAMERA.has(page, at))
        };
        doubt::is_bound(page, number.pieces.start)
            || sized && number.value < 0.0
            || self.unit.is_some() && number.unit.is_none() && OTHER_UNIT.has(page, end)
            || self.from_camera && number.unit.is_some() && from.is_some_and(elsewhere)
            || page.is(end, '?') && page.len() > end + 1
            || matches!(before, "except")
            || self.from_camera
                && !self
                    .asked
                    .iter()
                    .any(|word| matches!(word.as_str(), "object" | "thing" | "region"))
                && doubt::is_about_other(page, number.pieces.start, &self.asked)
            || self.is_denied(page, number)
            || self.counts_others(page, number)
    }

    /// Returns true if counted things are said not to be what the question asks: 'three people do
    /// not wear a helmet'.
    fn is_denied(&self, page: &Page, number: &Number) -> bool {
        let asks = |at: &usize| {
            let word = plain(page.lower(*at));
            self.asked.contains(&word) && self.counted.first() != Some(&word)
        };
        let end = doubt::sentence_end(page, number.pieces.end);
        let mut clause = (number.pieces.end..end).take_while(|at| !page.is(*at, ','));
        let not = clause.find(|at| {
            matches!(
                page.lower(*at),
                "not" | "don't" | "doesn't" | "without" | "aren't" | "isn't"
            )
        });
        !self.counted.is_empty() && not.is_some_and(|_| clause.any(|at| asks(&at)))
    }

    /// Returns true if a number stands with a plural of other things, in a sentence without the
    /// counted ones.
    fn counts_others(&self, page: &Page, number: &Number) -> bool {
        let Some(noun) = self
            .counted
            .last()
            .filter(|noun| *noun != "people" && *noun != "person")
        else {
            return false;
        };
        let end = number.pieces.end;
        let sentence = doubt::sentence_start(page, end)..doubt::sentence_end(page, end);
        let mut near = (end..end + 3).take_while(|at| page.is_word(*at));
        let plural = near.find(|at| {
            let word = page.lower(*at);
            word.len() > 3 && word.ends_with('s') && !word.ends_with("ss")
        });
        let names =
            |mut range: Range<usize>| range.any(|at| self.counted.contains(&plain(page.lower(at))));
        // 'Three blue cars', where red ones are asked about.
        let is_color = |word: &str| super::free::COLORS.contains(&word);
        let other = |at: usize| {
            is_color(page.lower(at)) && !self.counted.iter().any(|word| word == page.lower(at))
        };
        let rival = self.counted.iter().any(|word| is_color(word))
            && (end..end + 3)
                .take_while(|at| page.is_word(*at) && plain(page.lower(*at)) != *noun)
                .any(other);
        rival || plural.is_some_and(|at| !ANYTHING.has(page, at)) && !names(sentence)
    }
}

type NumberResult = Result<(f64, Range<usize>, &'static str), ReadFailure>;

/// Returns the number that a page gives.
pub(super) fn read(page: &Page, asked: &NumberKind) -> NumberResult {
    for verdict in verdicts(page, &NOUNS) {
        // 'The count:' followed by a list: '1. A red car'.
        let end = verdict.end;
        if verdict.len() == 1 && page.is(end, '.') && page.is_word(end + 1) {
            continue;
        }
        match part(page, verdict, asked) {
            Ok((value, pieces, _)) => return Ok((value, pieces, "a number stated as the answer")),
            Err(ReadFailure::Two) => return Err(ReadFailure::Two),
            Err(_) => {}
        }
    }
    part(page, 0..page.len(), asked)
}

/// Returns the number that a part of a page gives, without its rule.
pub(super) fn read_part(
    page: &Page,
    range: Range<usize>,
    asked: &NumberKind,
) -> Result<(f64, Range<usize>), ReadFailure> {
    part(page, range, asked).map(|(value, pieces, _)| (value, pieces))
}

/// Returns the number if the whole text is one.
pub(super) fn whole(page: &Page) -> Option<Number> {
    let mut numbers = number_text::all(page, 0..page.len()).into_iter();
    let number = numbers.next().filter(|_| numbers.next().is_none())?;
    let rest = |at: usize| number.pieces.contains(&at) || !page.is_alphanumeric(at);
    (0..page.len()).all(rest).then_some(number)
}

/// Returns true if a text is only a number without unit: `3`, `1,200`, `three`, but not `007`.
pub(super) fn is_plain(text: &str) -> bool {
    let padded = text.trim().starts_with('0')
        && !matches!(text.trim().as_bytes(), [b'0'] | [b'0', b'.', ..]);
    let number = whole(&Page::of(text));
    !padded
        && number
            .is_some_and(|number| number.unit.is_none() && !number.percent && number.made.is_none())
}

/// Returns true if two numbers are equal within 1e-9 of the larger one.
pub(super) fn equal(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
}

fn part(page: &Page, range: Range<usize>, asked: &NumberKind) -> NumberResult {
    let numbers = candidates(page, &range, asked)?;
    if let Some((number, rule)) = chosen(page, &range, &numbers, asked)? {
        if doubt::is_opposite(page, &number.pieces, &asked.asked) {
            return Err(ReadFailure::Two);
        }
        let mut value = number.value;
        if let (Some(unit), Some(asked)) = (number.unit, asked.unit) {
            value *= unit / asked;
        }
        if number.percent && asked.share {
            value /= 100.0;
        }
        return Ok((value, number.pieces.clone(), number.made.unwrap_or(rule)));
    }
    none(page, range, asked)
}

/// Returns the numbers of a part that can be the answer.
fn candidates(
    page: &Page,
    range: &Range<usize>,
    asked: &NumberKind,
) -> Result<Vec<Number>, ReadFailure> {
    let mut numbers: Vec<Number> = number_text::all(page, range.clone());
    numbers.retain(|number| {
        let before = number.pieces.start.checked_sub(1);
        !before.is_some_and(|before| LABELLED.has(page, before) && before >= range.start)
    });
    // 'Not one' means none; 'not 4' only means another number.
    let denied = |number: &Number| {
        let before = number.pieces.start.checked_sub(1);
        before.is_some_and(|at| at >= range.start && matches!(page.lower(at), "not" | "even"))
    };
    numbers.retain(|number| !is_none(page, number, range.start));
    let all = numbers.len();
    numbers.retain(|number| !asked.excludes(page, number));
    let is_none_said = |at| matches!(page.lower(at), "no" | "none" | "not");
    if numbers.is_empty() && all > 0 && !range.clone().any(is_none_said) {
        return Err(ReadFailure::Nothing);
    }
    // '12 or 14 metres'
    let are_either = |one: &Number, other: &Number| {
        one.unit.is_none()
            && other.unit.is_some()
            && !equal(one.value, other.value)
            && (one.pieces.end..other.pieces.start).any(|at| page.lower(at) == "or")
            && either(page, one, other)
    };
    if asked.unit.is_some()
        && (numbers.iter().zip(numbers.iter().skip(1))).any(|(one, other)| are_either(one, other))
    {
        return Err(ReadFailure::Two);
    }
    // '10 to 15 metres, most likely 12'
    if let [first, last] = numbers.as_slice()
        && first.made == Some("the middle of a range")
        && last.unit.is_none()
        && cue(page, range, last) == Some(Cue::Total)
    {
        let unit = first.unit;
        numbers = vec![Number {
            unit,
            ..last.clone()
        }];
    }
    if !numbers.iter().all(denied) {
        numbers.retain(|number| !denied(number));
    }
    // 'From a single image' is not a count.
    numbers.retain(|number| {
        let one = matches!(page.lower(number.pieces.end - 1), "one" | "single");
        !(one && PICTURE.has(page, number.pieces.end))
    });
    let past = |number: &Number| is_past(page, number.pieces.start, range.start);
    if numbers.last().is_some_and(|last| !past(last)) {
        numbers.retain(|number| !past(number));
    }
    let measures = asked.unit.is_some() && numbers.iter().any(|number| number.unit.is_some());
    let others = numbers
        .iter()
        .any(|number| !number.percent && !number.bracketed);
    if others {
        numbers.retain(|number| !number.bracketed && (asked.share || !number.percent));
    }
    if measures && numbers.iter().any(|number| number.unit.is_some()) {
        numbers.retain(|number| number.unit.is_some());
        if numbers
            .iter()
            .any(|number| !WIDE.has(page, number.pieces.end))
        {
            numbers.retain(|number| !WIDE.has(page, number.pieces.end));
        }
    }
    // 'No bottles, only 4 jars'
    let noun = asked.counted.last();
    let lacks = |at: usize| {
        matches!(page.lower(at), "no" | "any") && noun == Some(&plain(page.lower(at + 1)))
    };
    if noun.is_some_and(|noun| {
        !numbers
            .iter()
            .any(|number| things(page, number).contains(noun))
    }) && range.clone().any(lacks)
    {
        numbers.clear();
    }
    Ok(numbers)
}

/// Returns true if a number is part of a phrase for none: 'not one', 'not a single'.
fn is_none(page: &Page, number: &Number, floor: usize) -> bool {
    let start = number.pieces.start;
    (1..4).any(|back| {
        let at = start.checked_sub(back).filter(|at| *at >= floor);
        at.is_some_and(|at| NONE.length(page, at) > back)
    })
}

/// Chooses the number that counts in a part of a page.
fn chosen<'a>(
    page: &Page,
    range: &Range<usize>,
    numbers: &'a [Number],
    asked: &NumberKind,
) -> Result<Option<(&'a Number, &'static str)>, ReadFailure> {
    let counted = asked.counted.as_slice();
    let Some(first) = numbers.first() else {
        return Ok(None);
    };
    let rest = range.clone().any(|at| REST.has(page, at));
    if numbers
        .iter()
        .all(|number| equal(number.value, first.value) && number.unit == first.unit)
    {
        let pairs = page.lower(first.pieces.end) == "pairs";
        if !counted.is_empty() && (rest || pairs || are_parts(page, numbers)) {
            return Err(ReadFailure::Two);
        }
        return Ok(Some((first, "the only number")));
    }
    // 'First I count 1, then 5': the later count is used.
    if let Some(last) = numbers.last()
        && last.pieces.start > range.start
        && page.lower(last.pieces.start - 1) == "then"
        && page.ends_sentence(last.pieces.end)
    {
        return Ok(Some((last, "the last number counted")));
    }
    if let Some(part) = part_of_whole(page, numbers, asked) {
        return Ok(Some((part, "the number of the counted things")));
    }
    if let Some(total) = total(page, range, numbers, counted) {
        return Ok(Some((total, "a number given as the total")));
    }
    // 'A car, and a third one: 3.'
    let after_colon =
        |number: &&Number| number.pieces.start > 0 && page.is(number.pieces.start - 1, ':');
    if let Some(last) = numbers.last().filter(after_colon)
        && numbers.iter().filter(after_colon).count() == 1
        && page.ends_sentence(last.pieces.end)
    {
        return Ok(Some((last, "a number given as the total")));
    }
    // '4 birds on the left, 3 more on the right' has no total.
    let more = |number: &Number| {
        page.lower(number.pieces.end) == "more" && page.lower(number.pieces.end + 1) != "than"
    };
    if !counted.is_empty() && numbers.iter().any(more) {
        return Err(ReadFailure::Two);
    }
    if let Some(found) = on_its_own(page, range, numbers) {
        return Ok(Some((found, "the leading number")));
    }
    if let Some(found) = of_counted(page, numbers, counted)? {
        return Ok(Some((found, "the number of the counted things")));
    }
    if let Some(away) = distance(page, numbers, asked)? {
        return Ok(Some((away, "a length given as a distance")));
    }
    let said = leading(page, range, numbers, counted)?;
    Ok(said.map(|said| (said, "the leading number")))
}

/// Returns the number that counts in the clause about the question: 'Five people are in the
/// picture, and two of them wear helmets.'
fn part_of_whole<'a>(page: &Page, numbers: &'a [Number], asked: &NumberKind) -> Option<&'a Number> {
    if asked.counted.is_empty() {
        return None;
    }
    let is_part = |word: &&String| !asked.counted.contains(word);
    let words: Vec<String> = asked.asked.iter().filter(is_part).cloned().collect();
    let part = numbers.get(doubt::best_clause(page, &places(numbers), &words)?)?;
    (page.lower(part.pieces.end) == "of").then_some(part)
}

fn places(numbers: &[Number]) -> Vec<Range<usize>> {
    numbers.iter().map(|number| number.pieces.clone()).collect()
}

/// Returns the number given as the total, unless it counts more than the question asks for: '3 red
/// cars and 2 blue cars, 5 cars in total', where red cars are counted.
fn total<'a>(
    page: &Page,
    range: &Range<usize>,
    numbers: &'a [Number],
    counted: &[String],
) -> Option<&'a Number> {
    let total = numbers.iter().rfind(|number| {
        cue(page, range, number) == Some(Cue::Total) || IN_TOTAL.has(page, behind(page, number))
    })?;
    let fits = |number: &Number| {
        let things = things(page, number);
        counted.iter().all(|word| things.contains(word))
    };
    let noun = counted.last().filter(|_| counted.len() > 1);
    let is_wider = noun.is_some_and(|noun| things(page, total).contains(noun)) && !fits(total);
    (!(is_wider && numbers.iter().any(fits))).then_some(total)
}

/// Returns the length given as a distance; of several, the one in the clause about the question.
fn distance<'a>(
    page: &Page,
    numbers: &'a [Number],
    asked: &NumberKind,
) -> Result<Option<&'a Number>, ReadFailure> {
    let away = |number: &&Number| number.unit.is_some() && AWAY.has(page, number.pieces.end);
    let Some(found) = numbers.iter().find(away) else {
        return Ok(None);
    };
    let same = |other: &Number| equal(other.value, found.value);
    // 'The house is 20 metres away and the bicycle 7 metres.'
    let last = numbers.last().map_or(0, |last| last.pieces.start);
    let joined = (found.pieces.end..last).any(|at| page.lower(at) == "and");
    if !joined && numbers.iter().filter(away).all(same) {
        return Ok(Some(found));
    }
    let best = doubt::best_clause(page, &places(numbers), &asked.asked);
    let best = best.and_then(|best| numbers.get(best));
    best.map(Some).ok_or(ReadFailure::Two)
}

/// Returns the first number that is stated, unless others are alternatives or parts of an unstated
/// total.
fn leading<'a>(
    page: &Page,
    range: &Range<usize>,
    numbers: &'a [Number],
    counted: &[String],
) -> Result<Option<&'a Number>, ReadFailure> {
    let Some(first) = numbers.first() else {
        return Ok(None);
    };
    let after_colon =
        |number: &&Number| number.pieces.start > 0 && page.is(number.pieces.start - 1, ':');
    let leads = !(range.start..first.pieces.start).any(|at| page.is_alphanumeric(at));
    if leads
        && numbers
            .get(1)
            .is_some_and(|next| next.value != 0.0 && either(page, first, next))
    {
        return Err(ReadFailure::Two);
    }
    let says = numbers
        .iter()
        .position(|number| cue(page, range, number) == Some(Cue::Says))
        .unwrap_or(0);
    let (said, next) = (&numbers[says], numbers.get(says + 1));
    if next.is_some_and(|next| next.value != 0.0 && either(page, said, next)) {
        return Err(ReadFailure::Two);
    }
    // '2 rows of 3' has no total.
    let end = said.pieces.end;
    let groups = matches!(
        page.lower(end),
        "rows" | "columns" | "groups" | "stacks" | "sets"
    );
    if groups && page.lower(end + 1) == "of" && next.is_some() {
        return Err(ReadFailure::Two);
    }
    // 'Top row: 3, middle row: 2, bottom row: 3' has no total.
    if !leads && numbers.iter().filter(after_colon).count() > 1 && after_colon(&said) {
        return Err(ReadFailure::Two);
    }
    // 'Four on the upper shelf, five on the lower' has no total.
    let is_placed = |number: &&Number| {
        !counted.is_empty()
            && matches!(
                page.lower(number.pieces.end),
                "in" | "on" | "at" | "near" | "behind" | "under"
            )
    };
    // Rows of a table without a total.
    let in_table = |number: &&Number| page.is(number.pieces.end, '|');
    if numbers.iter().filter(is_placed).count() > 1 || numbers.iter().filter(in_table).count() > 1 {
        return Err(ReadFailure::Two);
    }
    Ok(Some(said))
}

/// Returns true if equal numbers are parts of an unstated total: '2 in front and 2 behind'.
fn are_parts(page: &Page, numbers: &[Number]) -> bool {
    let labelled =
        |number: &&Number| number.pieces.start > 0 && page.is(number.pieces.start - 1, ':');
    let joined = numbers.windows(2).any(|pair| match pair {
        [one, other] => {
            let mut between = one.pieces.end..other.pieces.start;
            between.len() > 1
                && !between.clone().any(|at| page.ends_sentence(at))
                && between
                    .any(|at| page.lower(at) == "and" || numbers.len() > 2 && page.is(at, ','))
        }
        _ => false,
    });
    joined || numbers.iter().filter(labelled).count() > 1
}

/// Returns the first number if it is a line or a sentence of its own; '1.' may begin a list.
fn on_its_own<'a>(page: &Page, range: &Range<usize>, numbers: &'a [Number]) -> Option<&'a Number> {
    let first = numbers.first()?;
    let leads = !(range.start..first.pieces.start).any(|at| page.is_alphanumeric(at));
    let end = first.pieces.end;
    let ends = page.kind(end) == Some(Kind::Line)
        || page.is(end, '.') && page.ends_sentence(end) && !equal(first.value, 1.0);
    (leads && ends).then_some(first)
}

/// Returns the words after a number, in plain form.
fn things(page: &Page, number: &Number) -> Vec<String> {
    let end = number.pieces.end;
    let next = |at: &usize| {
        !page.is_alphanumeric(*at)
            || page.kind(*at) == Some(Kind::Number)
            || number_words::at(page, *at).is_some()
    };
    let to = (end..end + 5).find(next).unwrap_or(end + 5);
    // `"bottles": 9`
    let name = (0..number.pieces.start)
        .rfind(|at| !page.is_any(*at, ":\""))
        .filter(|at| (at + 1..number.pieces.start).any(|at| page.is(at, ':')));
    (end..to)
        .chain(name)
        .map(|at| plain(page.lower(at)))
        .collect()
}

/// Returns the number that stands with the counted thing: 4 in '4 cars and 2 trucks'. Of several
/// such numbers, one must be the sum of the others.
fn of_counted<'a>(
    page: &Page,
    numbers: &'a [Number],
    counted: &[String],
) -> Result<Option<&'a Number>, ReadFailure> {
    let Some((noun, kind)) = counted.split_last() else {
        return Ok(None);
    };
    // 5 in '2 of the 5 people'.
    let is_whole = |number: &Number| {
        let start = number.pieces.start;
        let of = (1..3).any(|back| start >= back && page.lower(start - back) == "of");
        let before = |other: &Number| other.pieces.end < start && start - other.pieces.end <= 3;
        let leads = start < 3 && numbers.len() > 1;
        of && (leads || numbers.iter().any(before))
    };
    let with = |words: &[String]| -> Vec<&'a Number> {
        let has = |number: &&Number| {
            let things = things(page, number);
            !is_whole(number) && words.iter().all(|word| things.contains(word))
        };
        numbers.iter().filter(has).collect()
    };
    // 'Three red circles', 'three are red', 'three circles'.
    let mut found = with(counted);
    if found.is_empty() && !kind.is_empty() {
        found = with(kind);
    }
    if found.is_empty() {
        found = with(std::slice::from_ref(noun));
    }
    let sum: f64 = numbers.iter().map(|number| number.value).sum();
    let total = |number: &&Number| equal(2.0 * number.value, sum);
    let Some((first, others)) = found.split_first() else {
        // '5: three men and two women'.
        if let Some(all) = numbers.iter().find(total).filter(|_| numbers.len() > 2) {
            return Ok(Some(all));
        }
        // 'Five men and three women' are no count of people.
        let parts = numbers.windows(2).any(|pair| match pair {
            [one, other] => {
                page.kind(one.pieces.end) == Some(Kind::Word)
                    && (one.pieces.end..other.pieces.start).any(|at| page.lower(at) == "and")
                    && page.kind(other.pieces.end) == Some(Kind::Word)
            }
            _ => false,
        });
        return if parts {
            Err(ReadFailure::Two)
        } else {
            Ok(None)
        };
    };
    // '3 people on the shore and 4 in the boat'
    let elided = numbers.windows(2).any(|pair| match pair {
        [one, other] => {
            let mut between = one.pieces.end..other.pieces.start;
            !between.clone().any(|at| page.ends_sentence(at))
                && between.any(|at| page.lower(at) == "and")
                && matches!(
                    page.lower(other.pieces.end),
                    "in" | "on" | "at" | "near" | "behind" | "under"
                )
        }
        _ => false,
    });
    // 'There are 6 chairs. Two chairs are empty.'
    let end = page.sentence_end_before(first.pieces.end, page.len());
    let differ = others
        .iter()
        .any(|other| other.pieces.start < end && !equal(other.value, first.value));
    match found.iter().copied().find(total) {
        Some(total) if numbers.len() > 2 => Ok(Some(total)),
        _ if differ || elided => Err(ReadFailure::Two),
        _ => Ok(Some(*first)),
    }
}

/// Returns the cue before a number, within its clause.
fn cue(page: &Page, range: &Range<usize>, number: &Number) -> Option<Cue> {
    let start = number.pieces.start;
    let floor = start.saturating_sub(8).max(range.start);
    let mut found = None;
    for at in (floor..start).rev() {
        if let Some((length, cue)) = CUES.at(page, at)
            && at + length <= start
        {
            if cue == Cue::Total || found.is_none() {
                found = Some(cue);
            }
            if cue == Cue::Total {
                break;
            }
        }
        if page.ends_sentence(at) || page.kind(at) == Some(Kind::Number) || page.is_any(at, ";(") {
            break;
        }
        if page.is(at, ',')
            && !matches!(
                page.lower(at.saturating_sub(1)),
                "so" | "therefore" | "thus" | "hence"
            )
        {
            break;
        }
    }
    found
}

/// Returns the start of the text after a number and the counted thing.
fn behind(page: &Page, number: &Number) -> usize {
    let end = number.pieces.end;
    (end..end + 4)
        .find(|at| IN_TOTAL.has(page, *at) || page.ends_sentence(*at) || page.is_any(*at, ",;("))
        .unwrap_or(end)
}

/// Returns true if two numbers are alternatives: 'five or six', 'six, maybe seven'.
fn either(page: &Page, first: &Number, second: &Number) -> bool {
    let between = first.pieces.end..second.pieces.start;
    let mut others = 0;
    let mut joined = false;
    let mut at = between.start;
    if between.len() > 8 {
        return false;
    }
    while at < between.end {
        if page.is_any(at, ".;(:!?") || page.kind(at) == Some(Kind::Line) {
            return false;
        }
        match EITHER.length(page, at) {
            0 => {
                others += 1;
                at += 1;
            }
            length => {
                joined |= !page.is(at, ',') || between.len() == 1;
                at += length;
            }
        }
    }
    joined && others <= 2
}

/// Reads none and no as 0, and a single thing like 'a metre' as 1.
fn none(page: &Page, range: Range<usize>, asked: &NumberKind) -> NumberResult {
    let start = page.word_in(range.clone());
    let start = start.ok_or(ReadFailure::Nothing)?;
    let end = page.sentence_end_before(start, range.end);
    let found = (start..end).find(|at| NONE.has(page, *at)).filter(|at| {
        !matches!(
            page.lower(at + 1),
            "idea" | "way" | "doubt" | "problem" | "clear" | "more" | "less" | "fewer"
        )
    });
    if let Some(at) = found {
        let lone = page.lower(at) == "no" && !page.is_word(at + 1);
        let can = (start..at).any(|at| matches!(page.lower(at), "sorry" | "unable"));
        // A distance cannot be 0.
        if !lone && !can && asked.unit.is_none() {
            return Ok((0.0, at..at + NONE.length(page, at), "none read as zero"));
        }
    }
    let mut metre =
        (start..end).filter(|at| asked.unit.is_some() && matches!(page.lower(*at), "a" | "an"));
    let metre = metre.find_map(|at| Some((at, super::units::at(page, at + 1)?)));
    if let (Some((at, (unit, length))), Some(asked)) = (metre, asked.unit) {
        return Ok((unit / asked, at..at + 1 + length, "one unit"));
    }
    let one = (start..end).find(|at| {
        matches!(page.lower(*at), "a" | "an")
            && *at > 1
            && page.lower(at - 2) == "there"
            && page.lower(at - 1) == "is"
    });
    let many = |at: usize| {
        matches!(
            page.lower(at + 1),
            "lot"
                | "group"
                | "few"
                | "bunch"
                | "number"
                | "large"
                | "crowd"
                | "handful"
                | "great"
                | "variety"
                | "set"
                | "flock"
                | "row"
                | "pile"
                | "total"
        )
    };
    one.filter(|at| !many(*at))
        .map(|at| (1.0, at..at + 2, "one object"))
        .ok_or(ReadFailure::Nothing)
}
