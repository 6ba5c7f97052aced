//! Reads the number of a response: the one stated as answer or total, else the leading one; for a
//! range its middle.

use std::ops::Range;
use std::sync::LazyLock;

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
    if let Some((number, rule)) = chosen(page, &range, &numbers, &asked.counted)? {
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
    counted: &[String],
) -> Result<Option<(&'a Number, &'static str)>, ReadFailure> {
    let Some(first) = numbers.first() else {
        return Ok(None);
    };
    if numbers
        .iter()
        .all(|number| equal(number.value, first.value) && number.unit == first.unit)
    {
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
    let total = numbers.iter().rfind(|number| {
        cue(page, range, number) == Some(Cue::Total) || IN_TOTAL.has(page, behind(page, number))
    });
    if let Some(total) = total {
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
    if let Some(found) = on_its_own(page, range, numbers) {
        return Ok(Some((found, "the leading number")));
    }
    if let Some(found) = of_counted(page, numbers, counted)? {
        return Ok(Some((found, "the number of the counted things")));
    }
    if let Some(away) = numbers
        .iter()
        .find(|number| number.unit.is_some() && AWAY.has(page, number.pieces.end))
    {
        return Ok(Some((away, "a length given as a distance")));
    }
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
    Ok(Some((said, "the leading number")))
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
    let things = |number: &Number| -> Vec<String> {
        let end = number.pieces.end;
        let next = |at: &usize| {
            !page.is_alphanumeric(*at)
                || page.kind(*at) == Some(Kind::Number)
                || number_words::at(page, *at).is_some()
        };
        let to = (end..end + 5).find(next).unwrap_or(end + 5);
        (end..to).map(|at| plain(page.lower(at))).collect()
    };
    // 5 in '2 of the 5 people'.
    let is_whole = |number: &Number| {
        let start = number.pieces.start;
        let of = (1..3).any(|back| start > back && page.lower(start - back) == "of");
        let before = |other: &Number| other.pieces.end < start && start - other.pieces.end <= 3;
        of && numbers.iter().any(before)
    };
    let with = |words: &[String]| -> Vec<&'a Number> {
        let has = |number: &&Number| {
            let things = things(number);
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
    // 'There are 6 chairs. Two chairs are empty.'
    let end = page.sentence_end_before(first.pieces.end, page.len());
    let differ = others
        .iter()
        .any(|other| other.pieces.start < end && !equal(other.value, first.value));
    match found.iter().copied().find(total) {
        Some(total) if numbers.len() > 2 => Ok(Some(total)),
        _ if differ => Err(ReadFailure::Two),
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
    let start = range
        .clone()
        .find(|at| page.is_alphanumeric(*at))
        .ok_or(ReadFailure::Nothing)?;
    let end = page.sentence_end_before(start, range.end);
    let found = (start..end).find(|at| NONE.has(page, *at)).filter(|at| {
        !matches!(
            page.lower(at + 1),
            "idea" | "way" | "doubt" | "problem" | "clear"
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
