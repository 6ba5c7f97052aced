//! Finds the words before and after a mention that affirm it or rule it out.

use std::ops::Range;
use std::sync::LazyLock;

use super::doubt::sentence_end;
use super::page::Page;
use super::phrases::{PhraseSet, Phrases};

/// Number of pieces to search on each side of a mention.
const REACH: usize = 9;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum CueBefore {
    Not,
    Nothing,
    So,
    /// 'It is' directly before the mention, without a preceding 'if'.
    Is,
    But,
    /// 'It would be wrong to say A': the text before the infinitive does not state A.
    Infinitive,
    /// 'All but A': the statement about the others applies to all of them.
    Others,
}

static BEFORE: LazyLock<Phrases<CueBefore>> = LazyLock::new(|| {
    Phrases::of(&[
        (
            "not|doubt|least likely is|least plausible is|least probable is|little evidence|little speaks|little reason|against|despite|far from|anything but|stopped|none of|isn't|aren't|wasn't|don't|doesn't|didn't|cannot|can't|couldn't|no|never|nothing|nobody|neither|nor|without|than|compared to|compared with|instead of|rather than|unlike|\
             other than|opposed to|except|excluding|rule out|rules out|ruled out|ruling out|exclude|excludes|eliminate|eliminates|eliminated|nicht|kein|\
             keine|keinen|weder|noch|pas|ni|aucun|non|não|nem|né|ningún|не|ни|нет|bukan|tidak|không phải|ليس|ليست|不是|并非|不|没有|而不是|niet|geen|nie|hardly|reject|rejecting|discard",
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
            "nothing but|none but|nobody but|go for|going for|went for|stick with|stay with|vote for|bet on|wrong except|incorrect except|false except|excluded except|impossible except|more likely|remains|remaining|leaning|leaning towards|leaning toward|lean|lean to|lean towards|lean toward|leaning to|so|therefore|thus|hence|take|favor|favour|prefer|settle on|decide on|choose|chose|choosing|pick|select|go with|going with|went with|opt for|leaves|leaving|say|guess|conclude|\
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

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum CueAfter {
    Wrong,
    Right,
    Open,
}

static AFTER: LazyLock<Phrases<CueAfter>> = LazyLock::new(|| {
    Phrases::of(&[
        (
            "ではなく|ではない|ではありません|じゃない|아니|아닙|아닌|no es|n'est pas|não é|non è|değil|नहीं|خطأ|wrong|incorrect|false|out|the least likely|the least plausible|the least probable|least likely|least plausible|least probable|anything but|everything but|different|differently|otherwise|excluded|impossible|unlikely|invalid|ruled out|eliminated|not|isn't|aren't|doesn't|don't|cannot|can't|falsch|\
             faux|fausse|incorrecta|incorreta|sbagliata|errata|错误|错|错的|間違い|違い|誤り|틀리|틀렸|틀린|오답|不对|不正确|不是|неверно|неправильно|too|nowhere|absent|inconsistent|inaccurate|implausible|wouldn't|never|less|partially|partly|不",
            CueAfter::Wrong,
        ),
        (
            "correct|right|best|better|true|more likely|more plausible|more probable|more convincing|preferable|the better|the answer|most likely|appropriate|accurate|the one|richtig|korrekt|正确|正確|对的|正しい|正解|맞|정답|옳|правильный|верный|correcta|correcte|\
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

/// Returns the deciding cue before a mention, in the same clause and after `floor`.
pub(super) fn before(page: &Page, start: usize, floor: usize) -> Option<CueBefore> {
    let floor = floor.max(start.saturating_sub(REACH));
    for at in (floor..start).rev() {
        if let Some((length, meaning)) = phrase_before(page, at, floor..start) {
            return decided(page, at..at + length, meaning, floor..start);
        }
        if closes_denial(page, floor, at) || is_too_for(page, floor, at) {
            return Some(CueBefore::Not);
        }
        let is_soft = page.is(at, ',')
            && at > 0
            && matches!(BEFORE.at(page, at - 1), Some((_, CueBefore::So)));
        let is_end = page.ends_sentence(at)
            || page.is_any(at, ",;:—–→")
            || page.is(at, '-') && !page.glued(at);
        if is_end && !is_soft {
            return None;
        }
    }
    None
}

/// Returns the phrase at a piece of the clause; `None` if it is part of a longer phrase.
fn phrase_before(page: &Page, at: usize, clause: Range<usize>) -> Option<(usize, CueBefore)> {
    let found = BEFORE
        .at(page, at)
        .filter(|(length, _)| at + length <= clause.end)?;
    let is_longer = |back: usize| {
        let at = at.checked_sub(back).filter(|at| *at >= clause.start);
        at.and_then(|at| BEFORE.at(page, at))
            .is_some_and(|(length, _)| length > back)
    };
    (!(1..4).any(is_longer)).then_some(found)
}

/// Returns the meaning of a phrase for the mention at the end of its clause.
fn decided(
    page: &Page,
    phrase: Range<usize>,
    meaning: CueBefore,
    clause: Range<usize>,
) -> Option<CueBefore> {
    let (at, floor) = (phrase.start, clause.start);
    let is = meaning == CueBefore::Is;
    if is || meaning == CueBefore::So {
        // Examples: 'I would not say A', 'I don't think it is A'.
        let goes_on = |at: &usize| {
            let other = BEFORE.at(page, *at).map(|(_, meaning)| meaning);
            page.is_alphanumeric(*at) && !matches!(other, Some(CueBefore::So | CueBefore::But))
        };
        let mut near = (floor.max(at.saturating_sub(if is { 3 } else { 1 }))..at)
            .rev()
            .take_while(goes_on);
        if near.any(|at| is_negation(page, at)) {
            return Some(CueBefore::Not);
        }
        // Example: 'Not enough to choose A', but not 'I have to choose A'.
        let wants = ["have", "had", "forced", "going", "like", "want"];
        if at > floor
            && page.lower(at - 1) == "to"
            && !wants.contains(&page.lower(at.saturating_sub(2)))
        {
            return Some(CueBefore::Infinitive);
        }
        let mut sentence = (at.saturating_sub(REACH * 4)..at)
            .rev()
            .take_while(|at| !page.ends_sentence(*at));
        let is_apart = phrase.end < clause.end || sentence.any(|at| page.lower(at) == "if");
        return (!is || !is_apart).then_some(CueBefore::So);
    }
    // Example: 'D is less likely than C.'
    let is_less = page.lower(at) == "than"
        && at > 1
        && matches!(page.lower(at - 1), "likely" | "plausible" | "probable")
        && page.lower(at - 2) == "less";
    if is_less {
        return Some(CueBefore::So);
    }
    (meaning != CueBefore::Nothing).then_some(meaning)
}

/// Returns true for the 'for' in 'It is too long for a bus.'
fn is_too_for(page: &Page, floor: usize, at: usize) -> bool {
    let is_too = |at: usize| page.lower(at) == "too" && page.is_word(at + 1);
    page.lower(at) == "for" && (floor.max(at.saturating_sub(4))..at).any(is_too)
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

/// Returns true if a phrase at a piece rules out the text after it.
pub(super) fn rules_out(page: &Page, at: usize) -> bool {
    matches!(BEFORE.at(page, at), Some((_, CueBefore::Not)))
}

fn is_negation(page: &Page, at: usize) -> bool {
    matches!(
        page.lower(at),
        "not" | "doubt" | "don't" | "wouldn't" | "didn't" | "can't" | "cannot" | "never"
    )
}

/// Returns the cue after a mention: 'is wrong', 'would mean', '?'.
pub(super) fn after(page: &Page, end: usize) -> Option<CueAfter> {
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
    // Example: 'A would be the obvious guess, but it is B.'
    let is_turn = |at: usize| matches!(page.lower(at), "but" | "however" | "yet");
    if page.lower(verb) == "would"
        && AFTER.at(page, at).is_none()
        && (at..sentence_end(page, at)).any(is_turn)
    {
        return Some(CueAfter::Open);
    }
    let found = AFTER.at(page, at);
    // In Latin script, single words such as 'out' need a verb before them: 'A is out'.
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
        // 'B right' is a label with its text, and 'the cat most' has no meaning.
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
