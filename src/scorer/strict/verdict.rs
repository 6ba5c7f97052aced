//! Finds statements like 'the answer is X' in many languages, and their corrections.

use std::ops::Range;
use std::sync::LazyLock;

use super::number_words;
use super::page::{Kind, Page};
use super::phrases::{PhraseSet, Phrases};
use super::polarity::is_past;

/// Condition under which a noun introduces the answer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Noun {
    /// Without further conditions: 'the answer is'.
    Answer,
    /// Only after a word like 'correct' or before a colon: 'option'.
    Option,
}

static NOUNS: LazyLock<Phrases<Noun>> = LazyLock::new(|| {
    Phrases::of(&[
        (
            "answer|answers|conclusion|verdict|prediction|ans|antwort|lösung|réponse|reponse|respuesta|resposta|risposta|\
             答案|正解|答え|回答|答|정답|답|답변|ответ|antwoord|odpowiedź|cevap|yanıt|الجواب|الإجابة|الاجابة|jawaban|उत्तर|đáp án|trả lời|\
             คำตอบ|คำตอบคือ|svar|svaret|vastaus|válasz|odpověď|απάντηση|תשובה|התשובה|răspuns|răspunsul|відповідь|故选|应选|应该选|因此选|所以选",
            Noun::Answer,
        ),
        (
            "option|choice|letter|guess|pick|selection|opción|opción correcta|opção|opzione|alternativa|auswahl|选项|選項|選択肢|вариант|\
             선택지|optie|wybór|result|solution|final",
            Noun::Option,
        ),
    ])
});

static ADJECTIVE: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "correct|right|best|final|matching|fitting|selected|chosen|my|most likely|most appropriate|correcta|correcto|correcte|bonne|richtige|beste|correta|\
         certa|corretta|giusta|正确|正確|правильный|верный|juiste|appropriate|suitable|accurate",
    )
});

static COPULA: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        ":|=|->|→|=>|is|are|was|be|must be|should be|would be|remains|ist|lautet|wäre|est|serait|es|sería|é|seria|è|sarebbe|是|为|為|は|が|은|는|이|\
         это|jest|to|adalah|là|คือ|är|er|on|هو|هي|है|—|–|-|应为|选|選|is option|is choice",
    )
});

/// Words before a noun that show that no answer follows: 'either answer', 'let me check each
/// option:', 'I will count them:'.
static GOES_THROUGH: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list("incorrect|wrong|other|false|each|every|either|any|me|to|us|i'll|will|let's")
});

static NOT: LazyLock<PhraseSet> =
    LazyLock::new(|| PhraseSet::list("not|nicht|pas|no|non|não|不|не|n't|never|neither"));

/// Phrases that correct an earlier statement. The value is true if the model looks again, so that
/// all text after the phrase counts instead of only its sentence.
static CORRECTION: LazyLock<Phrases<bool>> = LazyLock::new(|| {
    Phrases::of(&[
        (
            "actually|i mean|sorry|rather|or rather|make that|i meant|moment|no:|, no,|. no,|不对|不,|いや|нет|corrected:|\
             if i had to|if i must|if i have to|if forced|if forced to choose|if pressed|my choice",
            false,
        ),
        (
            "wait|correction|scratch that|on second thought|on second thoughts|no wait|let me correct|let me correct that|warte|halt|\
             take it back|take that back|retract that|look again|looking again|looking closer|look closer|let me reconsider|let me recheck|\
             double-check|double check|hold on|hang on|second look|closer look|closer inspection|on reflection",
            true,
        ),
    ])
});

static FILLER: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "no|,|.|:|-|—|–|it|is|it's|its|that's|that|the|i|think|so|there|are|wait|actually|answer|should|be|must|correct|right|option|...|!|hmm|not",
    )
});

/// Returns the ranges of stated answers, each up to the end of its sentence, last range first.
/// `nouns` are additional nouns that introduce an answer: 'the count is'.
pub(super) fn verdicts(page: &Page, nouns: &PhraseSet) -> Vec<Range<usize>> {
    let mut starts = Vec::new();
    let mut at = 0;
    while at < page.len() {
        let said = named(page, at, nouns).or_else(|| marked(page, at));
        match said
            .map(|start| (start, false))
            .or_else(|| corrected(page, at))
        {
            Some((start, reviews)) if start > at => {
                starts.push((at, start, reviews));
                at = start;
            }
            _ => at += 1,
        }
    }
    let ends = starts
        .iter()
        .skip(1)
        .map(|(at, ..)| *at)
        .chain([page.len()]);
    let mut found = Vec::new();
    for ((_, start, reviews), end) in starts.iter().zip(ends) {
        // In 'Let me look again. The ball is lower. D', all text after the phrase counts.
        let sentence = *start..page.sentence_end_before(*start, end.max(*start));
        if *reviews {
            found.push(sentence.end..page.len());
        }
        found.push(sentence);
    }
    found.reverse();
    found
}

/// Returns true if a correction begins within some pieces: 'wait', 'no, sorry'.
pub(super) fn is_corrected(page: &Page, mut pieces: Range<usize>) -> bool {
    pieces.any(|at| CORRECTION.at(page, at).is_some())
}

/// Returns true if some pieces correct the text before them.
pub(super) fn corrects(page: &Page, mut pieces: Range<usize>) -> bool {
    is_corrected(page, pieces.clone()) || pieces.any(|at| NOT.has(page, at))
}

/// Finds phrases like 'The answer is', 'Answer:' and 'the correct option is'; returns the start of
/// the answer.
fn named(page: &Page, at: usize, nouns: &PhraseSet) -> Option<usize> {
    let own = nouns.length(page, at);
    let (length, noun) = NOUNS
        .at(page, at)
        .or((own > 0).then_some((own, Noun::Answer)))?;
    let mut next = at + length;
    // 'My first answer was D' is not a stated answer; D is still read if no other answer follows.
    if is_past(page, next, 0) || at > 0 && GOES_THROUGH.has(page, at - 1) {
        return None;
    }
    if noun == Noun::Option && !page.is(next, ':') && !qualified(page, at) {
        return None;
    }
    if page.kind(next) == Some(Kind::Line) && starts_line(page, at) {
        return skip_lines(page, next);
    }
    for _ in 0..10 {
        let length = COPULA.length(page, next);
        if length > 0 && !(page.is_any(next, "-–—") && next > at + 1) {
            next += length;
            while COPULA.has(page, next) && page.is_any(next, ":=") {
                next += 1;
            }
            return if NOT.has(page, next) {
                None
            } else {
                skip_lines(page, next)
            };
        }
        // 'A total of 12: 4 here and 8 there' already contains the number.
        let is_number =
            page.kind(next) == Some(Kind::Number) || number_words::at(page, next).is_some();
        if own > 0 && is_number {
            return None;
        }
        let upper = page.text(next);
        let letter =
            upper.len() == 1 && upper.as_bytes().first().is_some_and(u8::is_ascii_uppercase);
        if page.ends_sentence(next) || letter || page.is_any(next, ",;") {
            return None;
        }
        next += 1;
    }
    None
}

/// Returns true if one of the three preceding pieces is a word like 'correct'.
fn qualified(page: &Page, at: usize) -> bool {
    (at.saturating_sub(3)..at).any(|before| ADJECTIVE.has(page, before))
}

/// Returns true if a piece is preceded only by marks and at most three words in its line.
fn starts_line(page: &Page, at: usize) -> bool {
    let before = (0..at)
        .rev()
        .take_while(|before| page.kind(*before) != Some(Kind::Line));
    before
        .filter(|before| page.is_word(*before))
        .take(4)
        .count()
        < 4
}

fn skip_lines(page: &Page, at: usize) -> Option<usize> {
    (at..page.len()).find(|at| page.kind(*at) != Some(Kind::Line))
}

/// Finds an answer marked like `#### 7`; returns its start.
fn marked(page: &Page, at: usize) -> Option<usize> {
    let line = at == 0 || page.kind(at - 1) == Some(Kind::Line);
    let marks = (at..at + 5).take_while(|at| page.is(*at, '#')).count();
    (line && marks == 4).then_some(at + 4)
}

/// Finds a correction followed by text: 'Wait, no, B'. Returns the start of the text, and whether
/// the model looks again.
fn corrected(page: &Page, at: usize) -> Option<(usize, bool)> {
    // A correction needs text before it.
    let (length, reviews) = CORRECTION.at(page, at).filter(|_| at > 0)?;
    let mut next = at + length;
    for _ in 0..10 {
        // 'Wait, it is right.' can mean the option 'right'.
        let last = matches!(page.lower(next), "right" | "correct") && page.ends_sentence(next + 1);
        match FILLER.length(page, next) {
            0 => break,
            _ if last => break,
            length => next += length,
        }
    }
    (next < page.len()).then_some((next, reviews))
}
