//! Determines whether a mentioned option is meant or ruled out.

use std::ops::Range;
use std::sync::LazyLock;

use super::page::{Kind, Page};
use super::phrases::{PhraseSet, Phrases};

/// Number of pieces around a mention that are searched.
const REACH: usize = 9;

/// Statement of a response about an option that it mentions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Polarity {
    /// The option is ruled out.
    No,
    /// The option is only considered: 'A could be', 'A?'.
    Open,
    /// The option was a first thought: 'at first I took it for A'.
    Past,
    /// The option is mentioned without a statement.
    Plain,
    /// The option is named as the answer: 'so B', 'B is right'.
    Named,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum CueBefore {
    Not,
    Nothing,
    So,
    /// 'It is' directly before the mention, without an 'if' before it.
    Is,
    But,
    /// 'It would be wrong to say A': the text before the infinitive is no statement of A.
    Infinitive,
    /// 'All but A': the statement about the others holds for all of them.
    Others,
}

static BEFORE: LazyLock<Phrases<CueBefore>> = LazyLock::new(|| {
    Phrases::of(&[
        (
            "not|doubt|little evidence|little speaks|little reason|against|despite|far from|anything but|stopped|none of|isn't|aren't|wasn't|don't|doesn't|didn't|cannot|can't|couldn't|no|never|nothing|nobody|neither|nor|without|than|compared to|compared with|instead of|rather than|unlike|\
             other than|opposed to|except|excluding|rule out|rules out|ruled out|ruling out|exclude|excludes|eliminate|eliminates|eliminated|nicht|kein|\
             keine|keinen|weder|noch|pas|ni|aucun|non|não|nem|né|ningún|не|ни|нет|bukan|tidak|không phải|ليس|ليست|不是|并非|不|没有|而不是|niet|geen|nie|hardly|reject|rejecting|discard|versus|vs",
            CueBefore::Not,
        ),
        (
            "all but|all options but|all options except|every option but|every option except|everything but|everything except|\
             all except",
            CueBefore::Others,
        ),
        (
            "no doubt|without doubt|without a doubt|beyond doubt|beyond a doubt|not sure|no question|not only|no problem|no matter|not certain|no longer than|not to mention",
            CueBefore::Nothing,
        ),
        (
            "nothing but|wrong except|incorrect except|false except|excluded except|impossible except|more likely|remains|remaining|leaning|leaning towards|leaning toward|so|therefore|thus|hence|take|favor|favour|prefer|settle on|decide on|choose|chose|choosing|pick|select|go with|going with|went with|opt for|leaves|leaving|say|guess|conclude|\
             final|consequently|ergo|also|donc|alors|por lo tanto|portanto|quindi|因此|所以|故选|选|選|选择|したがって|따라서|следовательно|nehme|wähle|elijo|escolho|choisis|scelgo",
            CueBefore::So,
        ),
        ("it's|it is|must be|should be|has to be", CueBefore::Is),
        (
            "but|mà là|melainkan|tetapi|lecz|ale|maar|pero|sondern|sino|mais|mas|ma|instead|而是|however|aber|yet",
            CueBefore::But,
        ),
    ])
});

/// Words that begin a first thought, and words that end it.
static PAST: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "one might|one could|some might|some would|many would|most would|people might|at first|first i thought|i first|initially|initial|originally|i said|i had said|have said|i thought|i believed|i assumed|i took it|i answered|previously|earlier|\
         first answer|first guess|first estimate|first impression|first thought|first instinct|first glance|looked like|dachte|zuerst|anfangs|pensé|primero|\
         al principio|d'abord|au début|pensais|сначала|起初|最初",
    )
});
static PRESENT: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "but|however|then|now|actually|instead|aber|sondern|jetzt|pero|ahora|mais|maintenant|но|теперь|但|但是",
    )
});

/// Returns true if the piece belongs to a first thought, or to a concession.
pub(super) fn is_past(page: &Page, start: usize, floor: usize) -> bool {
    let mut within_clause = true;
    for at in (floor.max(start.saturating_sub(12))..start).rev() {
        if PAST
            .at(page, at)
            .is_some_and(|(length, ())| at + length <= start)
            || within_clause && matches!(page.lower(at), "although" | "though" | "despite")
        {
            return true;
        }
        within_clause &= !page.is(at, ',');
        if page.ends_sentence(at) || page.is(at, ';') || PRESENT.has(page, at) {
            return false;
        }
    }
    false
}

/// Returns true if a condition limits what ends before a piece: 'B is the answer if only the upper
/// half counts', but not 'B, if I am not mistaken'.
fn is_case(page: &Page, end: usize) -> bool {
    let sentence = end..page.sentence_end_before(end, page.len());
    let mut conditions =
        sentence.filter(|at| matches!(page.lower(*at), "if" | "unless" | "provided" | "assuming"));
    conditions.next().is_some_and(|at| {
        let is_said = matches!(
            page.lower(at + 1),
            "i" | "i'm" | "my" | "not" | "any" | "so" | "you" | "we" | "at" | "pressed" | "forced"
        );
        !is_said
            && !matches!(
                page.lower(at.saturating_sub(1)),
                "as" | "even" | "what" | "only"
            )
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum CueAfter {
    Wrong,
    Right,
    Open,
}

static AFTER: LazyLock<Phrases<CueAfter>> = LazyLock::new(|| {
    Phrases::of(&[
        (
            "ではなく|ではない|ではありません|じゃない|아니|아닙|아닌|no es|n'est pas|não é|non è|değil|नहीं|خطأ|wrong|incorrect|false|out|anything but|everything but|different|differently|otherwise|excluded|impossible|unlikely|invalid|ruled out|eliminated|not|isn't|aren't|doesn't|don't|cannot|can't|falsch|\
             faux|fausse|incorrecta|incorreta|sbagliata|errata|错误|错|错的|間違い|違い|誤り|틀리|틀렸|틀린|오답|不对|不正确|不是|неверно|неправильно|too|nowhere|absent|inconsistent|inaccurate|implausible|wouldn't|never|less|partially|partly|不",
            CueAfter::Wrong,
        ),
        (
            "correct|right|best|better|true|the answer|most likely|appropriate|accurate|the one|richtig|korrekt|正确|正確|对的|正しい|正解|맞|정답|옳|правильный|верный|correcta|correcte|\
             vrai|juste|corretta|giusta|the most|the only|the correct|the right|the best|most",
            CueAfter::Right,
        ),
        (
            "says|states|claims|would|could|might|may|may be|tempting|possible|plausible|considered|seemed|würde|könnte|also|first",
            CueAfter::Open,
        ),
    ])
});

static VERB: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "选项|選項|が|も|는|은|이|가|is|are|was|were|be|would be|seems|seem|looks|look|fits|fit|matches|can be|must be|should be|appears|has to be|to be|does|do|ist|sind|est|sont|es|son|é|são|è|sono|是|は|definitely|clearly|also|the|both|all|can|itself|by far|obviously|certainly",
    )
});

/// Determines the polarity of the mention at `pieces`; `previous` is the mention before it and
/// its polarity.
pub(super) fn polarity(
    page: &Page,
    pieces: &Range<usize>,
    previous: Option<(&Range<usize>, Polarity)>,
) -> Polarity {
    let floor = previous.map_or(0, |(previous, _)| previous.end);
    let before = before(page, pieces.start, floor);
    if before == Some(CueBefore::Not) {
        return Polarity::No;
    }
    let after = after(page, pieces.end);
    if before == Some(CueBefore::Others) {
        return match after {
            Some(CueAfter::Right) => Polarity::No,
            Some(CueAfter::Wrong) => Polarity::Named,
            _ => Polarity::Open,
        };
    }
    let was = matches!(
        page.lower(pieces.end),
        "earlier" | "previously" | "initially"
    );
    let is_past = was || is_past(page, pieces.start, floor) || is_case(page, pieces.end);
    if is_past && after != Some(CueAfter::Wrong) {
        return Polarity::Past;
    }
    // 'None of A, B or C is correct': the statement about the first holds for the list.
    let ruled_out = |joined: &str| {
        previous.is_some_and(|(previous, polarity)| {
            let between = previous.end..pieces.start;
            polarity == Polarity::No
                && before.is_none()
                && listed(page, between.clone())
                && !(is_last(page, previous.start) && page.is(between.start, ','))
                && (joined.is_empty() || between.clone().any(|at| page.lower(at) == joined))
        })
    };
    if ruled_out("or") {
        return Polarity::No;
    }
    let only = pieces.start > floor && page.lower(pieces.start - 1) == "only";
    match (after, before) {
        (Some(CueAfter::Wrong), _) => return Polarity::No,
        (_, None) if only => return Polarity::Named,
        (Some(CueAfter::Open), _) | (None, Some(CueBefore::Infinitive)) => return Polarity::Open,
        (_, Some(CueBefore::So)) | (Some(CueAfter::Right), _) => return Polarity::Named,
        _ => {}
    }
    if ruled_out("") {
        Polarity::No
    } else {
        Polarity::Plain
    }
}

/// Returns the deciding word before a mention, in the same clause and after `floor`.
fn before(page: &Page, start: usize, floor: usize) -> Option<CueBefore> {
    let floor = floor.max(start.saturating_sub(REACH));
    for at in (floor..start).rev() {
        if let Some((length, meaning)) = BEFORE
            .at(page, at)
            .filter(|(length, _)| at + length <= start)
        {
            // Longer phrase that this one may be part of.
            let longer = |back: usize| {
                let at = at.checked_sub(back).filter(|at| *at >= floor);
                at.and_then(|at| BEFORE.at(page, at))
                    .is_some_and(|(length, _)| length > back)
            };
            if (1..4).any(longer) {
                continue;
            }
            // 'I would not say A', 'I don't think it is A'.
            let is = meaning == CueBefore::Is;
            let says = is || meaning == CueBefore::So;
            let goes_on = |at: &usize| {
                page.is_alphanumeric(*at)
                    && !matches!(
                        BEFORE.at(page, *at),
                        Some((_, CueBefore::So | CueBefore::But))
                    )
            };
            let denied = (floor.max(at.saturating_sub(if is { 3 } else { 1 }))..at)
                .rev()
                .take_while(goes_on)
                .any(|at| is_negation(page, at));
            if says && denied {
                return Some(CueBefore::Not);
            }
            // 'Not enough to choose A', but 'I have to choose A'.
            let wants = ["have", "had", "forced", "going", "like", "want"];
            let is_open = at > floor
                && page.lower(at - 1) == "to"
                && !wants.contains(&page.lower(at.saturating_sub(2)));
            let mut sentence = (0..at).rev().take_while(|at| !page.ends_sentence(*at));
            let is_apart = at + length < start || sentence.any(|at| page.lower(at) == "if");
            if says && is_open {
                return Some(CueBefore::Infinitive);
            }
            if is && is_apart {
                return None;
            }
            if is {
                return Some(CueBefore::So);
            }
            // 'D is less likely than C.'
            let is_less = page.lower(at) == "than"
                && matches!(page.lower(at - 1), "likely" | "plausible" | "probable")
                && page.lower(at.saturating_sub(2)) == "less";
            if is_less {
                return Some(CueBefore::So);
            }
            return (meaning != CueBefore::Nothing).then_some(meaning);
        }
        if closes_denial(page, floor, at) {
            return Some(CueBefore::Not);
        }
        // 'It is too long for a bus.'
        let is_too = |at: &usize| page.lower(*at) == "too" && page.is_word(at + 1);
        if page.lower(at) == "for" && (floor.max(at.saturating_sub(4))..at).any(|at| is_too(&at)) {
            return Some(CueBefore::Not);
        }
        let soft = page.is(at, ',')
            && at > 0
            && BEFORE
                .at(page, at - 1)
                .is_some_and(|(_, meaning)| meaning == CueBefore::So);
        if !soft
            && (page.ends_sentence(at)
                || page.is_any(at, ",;:—–→")
                || page.is(at, '-') && !page.glued(at))
        {
            return None;
        }
    }
    None
}

/// Returns true for the second comma in 'not, as I wrote above, gravel'.
fn closes_denial(page: &Page, floor: usize, at: usize) -> bool {
    let opens = |at: usize| {
        page.is(at, ',')
            && matches!(page.lower(at + 1), "as" | "however" | "contrary" | "unlike")
            && is_negation(page, at - 1)
    };
    page.is(at, ',') && (floor.max(1)..at).any(opens)
}

/// Returns true if a phrase that rules out the text after it starts at a piece.
pub(super) fn rules_out(page: &Page, at: usize) -> bool {
    matches!(BEFORE.at(page, at), Some((_, CueBefore::Not)))
}

fn is_negation(page: &Page, at: usize) -> bool {
    matches!(
        page.lower(at),
        "not" | "doubt" | "don't" | "wouldn't" | "didn't" | "can't" | "cannot" | "never"
    )
}

/// Returns the statement after a mention: 'is wrong', 'would mean', '?'.
fn after(page: &Page, end: usize) -> Option<CueAfter> {
    let mut at = end;
    if page.is(at, '?') {
        return Some(CueAfter::Open);
    }
    if page.is(at, '(') {
        at = (at..page.len())
            .take(REACH * 2)
            .find(|at| page.is(*at, ')'))?
            + 1;
    }
    at += usize::from(page.is_any(at, "\"'"));
    let verb = at;
    for _ in 0..3 {
        at += VERB.length(page, at);
    }
    let found = AFTER.at(page, at);
    // 'A out' has no meaning without its verb; other scripts and longer phrases need none.
    let is_latin = at == verb && page.lower(at).is_ascii();
    let bare = |length| {
        is_latin
            && length == 1
            && !matches!(
                page.lower(at),
                "isn't" | "doesn't" | "cannot" | "can't" | "wouldn't" | "aren't" | "don't"
            )
    };
    match found.map(|(_, meaning)| meaning) {
        // 'B right' is a label and a text; 'the cat most' has no meaning.
        Some(CueAfter::Right) if is_latin => None,
        Some(CueAfter::Wrong) if found.is_some_and(|(length, _)| bare(length)) => None,
        Some(CueAfter::Open) => {
            let right = (at..at + 5)
                .any(|at| matches!(page.lower(at), "correct" | "right" | "answer" | "best"));
            Some(if right {
                CueAfter::Right
            } else {
                CueAfter::Open
            })
        }
        other => other,
    }
}

/// Returns true for the last item of a list: 'nor cat', 'or a cat', 'unlike a cat'.
fn is_last(page: &Page, start: usize) -> bool {
    let floor = start.saturating_sub(3);
    (floor..start).any(|at| {
        matches!(
            page.lower(at),
            "or" | "nor" | "and" | "than" | "unlike" | "compared" | "instead"
        )
    })
}

/// Returns true if only list separators are between two mentions: ', a', 'or the', 'nor'.
pub(super) fn listed(page: &Page, between: Range<usize>) -> bool {
    between.len() <= 5
        && !between.is_empty()
        && between.clone().all(|at| {
            page.is_any(at, ",/()&\"'")
                || matches!(
                    page.lower(at),
                    "or" | "nor"
                        | "and"
                        | "a"
                        | "an"
                        | "the"
                        | "to"
                        | "on"
                        | "oder"
                        | "und"
                        | "ou"
                        | "et"
                        | "o"
                        | "y"
                        | "e"
                        | "option"
                        | "as"
                        | "well"
                        | "in"
                        | "of"
                        | "和"
                        | "或"
                        | "か"
                        | "any"
                )
        })
        && page.kind(between.start) != Some(Kind::Line)
}
