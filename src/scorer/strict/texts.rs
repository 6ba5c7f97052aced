//! Finds mentions of options by their own texts in a response.

use std::ops::Range;
use std::sync::LazyLock;

use hashbrown::HashMap;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::directions;
use super::labels;
use super::page::{Kind, Page};
use super::phrases::PhraseSet;
use super::synonyms::akin;
use super::units;
use record::Choice;

/// Phrases in which the last word belongs to the name of another object: 'hot dog'.
static BEFORE: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "hot dog|hot dogs|corn dog|corn dogs|prairie dog|prairie dogs|chili dog|sea horse|sea horses|sea lion|sea lions|rocking horse|rocking horses|saw horse|cat fish|guinea pig|guinea pigs|\
        sea cow|sea cows|lady bird|toy car|dragon fly|butter fly|teddy bear|teddy bears|cable car|cable cars|hot plate|eye glasses|flower pot|flower pots|bed room|sun flower|sun glasses|tea cup|polka dot|polka dots|polka dotted|ground plane|image plane|picture plane|focal plane",
    )
});

static BEHIND: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "house|houses|food|bowl|leash|collar|toy|toys|fish|shoe|shoes|tail|costume|trailer|park|stop|lane|track|station|holder|litter|kennel|bone|bones|\
         tag|statue|sculpture|whisperer|walker|race|races|fly|flies|stand|show|cart|carriage|saddle|racing|riding|cushion|wash|shop|lily|shark|prawn|print",
    )
});

/// Words that can be joined to an option by a hyphen without changing its meaning: 'left-hand'.
static JOINS: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "hand|side|sided|boxed|outlined|framed|marked|most|ward|wards|facing|colored|coloured|handed|looking|view|hued|type",
    )
});

static ARTICLE: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "a|an|the|ein|eine|der|die|das|un|une|le|la|les|el|los|las|una|o|os|as|um|uma|il|lo|gli",
    )
});

/// Phrases with 'right' that do not refer to the option 'right'.
static RIGHT: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "right answer|right option|right choice|right one|right letter|right now|right away|right here",
    )
});
static ALL_RIGHT: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "that's right|that is right|you're right|you are right|all right|could be right|may be right|might be right|can be right|is right|is right:",
    )
});

/// Word of an option's text, with the marks before it.
struct Word {
    text: Box<str>,
    /// True if the word follows a mark in the option.
    marked: bool,
    /// Mathematical signs before the word: `-` in `x-1`.
    signs: String,
}

/// Parsed text of an option.
struct Text {
    words: Vec<Word>,
    /// Leading sign, root or comparison: `-` in `-45 degrees`.
    lead: String,
    percent: bool,
}

/// Texts of a question's options, prepared for searching in responses.
pub(super) struct Texts {
    by_first: HashMap<Box<str>, Vec<usize>>,
    all: Vec<Text>,
    /// True if some text contains a percentage.
    has_percent: bool,
    /// Length of the longest text in pieces.
    longest: usize,
    /// True if some text is a two-word direction.
    has_pairs: bool,
}

/// Mention of an option by its text.
pub(super) struct TextMention {
    pub option: usize,
    pub pieces: Range<usize>,
}

impl Texts {
    pub fn of(options: &[Choice]) -> Self {
        let texts: Vec<Text> = options.iter().map(|option| parse(&option.text)).collect();
        let mut by_first: HashMap<Box<str>, Vec<usize>> = HashMap::new();
        for (option, first) in texts
            .iter()
            .enumerate()
            .filter_map(|(at, text)| Some((at, text.words.first()?)))
        {
            let next = texts.get(option).and_then(|text| text.words.get(1));
            let joint = next.and_then(|next| contracted(&first.text, &next.text));
            for form in forms(&first.text).into_iter().chain(joint) {
                by_first.entry(form.into()).or_default().push(option);
            }
        }
        for (option, [_, second]) in
            (texts.iter().enumerate()).filter_map(|(at, text)| Some((at, pair(&text.words)?)))
        {
            by_first.entry(second.into()).or_default().push(option);
        }
        let length = |option: &usize| {
            texts
                .get(*option)
                .map_or((0, 0), |text| (text.words.len(), text.lead.len()))
        };
        for found in by_first.values_mut() {
            found.sort_by_key(|option| std::cmp::Reverse(length(option)));
        }
        let lengths = texts.iter().map(|text| text.words.len());
        Self {
            longest: lengths.max().unwrap_or_default(),
            has_pairs: directions::are_pairs(options),
            has_percent: texts.iter().any(|text| text.percent),
            by_first,
            all: texts,
        }
    }

    /// Returns all mentions in a part of a page; if several texts start at one piece, the longest
    /// wins.
    pub fn mentions(&self, page: &Page, range: Range<usize>) -> Vec<TextMention> {
        let mut found: Vec<TextMention> = Vec::new();
        let mut at = range.start;
        while at < range.end {
            match self.at(page, at, range.end) {
                Some(mention) => {
                    // 'dark red' can end where a longer text begins; then the earlier text is used.
                    let mut next = Some(mention);
                    while let Some(mention) = next {
                        at = mention.pieces.end;
                        next = self.elided(page, &mention);
                        found.push(mention);
                    }
                }
                None => at += 1,
            }
        }
        found
    }

    /// Returns the next option in a list whose items share their first words: 3 in 'images 1 and
    /// 3'.
    fn elided(&self, page: &Page, mention: &TextMention) -> Option<TextMention> {
        let end = mention.pieces.end;
        let joins =
            |at: usize| page.is_any(at, ",/&+") || matches!(page.lower(at), "and" | "or" | "nor");
        let at = (end..end + 3)
            .find(|at| !joins(*at))
            .filter(|at| *at > end)?;
        let (_, head) = self.all.get(mention.option)?.words.split_last()?;
        let is_next = |text: &Text| {
            let own = text.words.split_last().filter(|_| !head.is_empty());
            own.is_some_and(|(last, first)| {
                same(page.lower(at), &last.text)
                    && first
                        .iter()
                        .map(|word| &word.text)
                        .eq(head.iter().map(|word| &word.text))
            })
        };
        let option = self.all.iter().position(is_next)?;
        let pieces = at..at + 1;
        (option != mention.option && is_whole(page, &pieces))
            .then_some(TextMention { option, pieces })
    }

    /// Returns true if a text follows 'or' and the first word of another option: 'light or dark
    /// blue'.
    pub fn is_second(&self, page: &Page, start: usize, option: usize) -> bool {
        let or = start.checked_sub(2).filter(|at| page.lower(at + 1) == "or");
        let first = or.and_then(|at| self.by_first.get(page.lower(at)));
        first.is_some_and(|options| !options.contains(&option))
    }

    /// Returns the option whose text equals the pieces, ignoring articles and punctuation.
    pub fn whole(&self, page: &Page, range: Range<usize>) -> Option<usize> {
        let start = range
            .clone()
            .find(|at| page.is_alphanumeric(*at) && !ARTICLE.has(page, *at))
            .or(range.clone().find(|at| page.is_alphanumeric(*at)))?;
        if range.len() > 3 * self.longest + 8 {
            return None;
        }
        let candidates = self.by_first.get(page.lower(start))?;
        candidates.iter().copied().find(|option| {
            let end = self.matches(page, start, *option);
            end.is_some_and(|end| (end..range.end).all(|at| !page.is_alphanumeric(at)))
        })
    }

    /// Returns the option whose text starts at a piece and ends at or before `end`.
    pub fn at(&self, page: &Page, at: usize, end: usize) -> Option<TextMention> {
        let candidates = self.by_first.get(page.lower(at))?;
        for option in candidates {
            let Some(to) = self.matches(page, at, *option).filter(|to| *to <= end) else {
                continue;
            };
            let pieces = at..to;
            let is_half = self.has_pairs && pieces.len() == 1 && directions::is_half(page, at);
            let is_word = pieces.len() == 1 && labels::is_word(page, at);
            if is_whole(page, &pieces) && !is_half && !is_word {
                return Some(TextMention {
                    option: *option,
                    pieces,
                });
            }
        }
        None
    }

    /// Returns the end of an option's text that starts at a piece; `None` if it does not match.
    fn matches(&self, page: &Page, start: usize, option: usize) -> Option<usize> {
        let text = self.all.get(option)?;
        let end = ends(page, start, text.words.iter()).or_else(|| {
            pair(&text.words)?;
            ends(page, start, text.words.iter().rev())
        })?;
        let percent = page.is(end, '%') || matches!(page.lower(end), "percent" | "prozent");
        let fits = (!self.has_percent || percent == text.percent) && leads(page, start, text);
        fits.then_some(end + usize::from(percent && text.percent))
    }
}

/// Returns the end of a sequence of words that starts at a piece; `None` if they do not match.
fn ends<'a>(page: &Page, start: usize, text: impl Iterator<Item = &'a Word>) -> Option<usize> {
    let mut at = start;
    let mut text = text.enumerate().peekable();
    while let Some((place, word)) = text.next() {
        if place > 0 {
            let from = at;
            while page.is_any(at, "-'\"")
                || word.marked && matches!(page.kind(at), Some(Kind::Mark(_)))
            {
                at += 1;
            }
            let hyphen = page.kind(from - 1) != Some(Kind::Number);
            let said = signs(page, from..at);
            let same = said == word.signs
                || hyphen && matches!((said.as_str(), word.signs.as_str()), ("", "-") | ("-", ""));
            if is_short(page, from - 1) && is_short(page, at) && !same {
                return None;
            }
        }
        if !same(page.lower(at), &word.text) {
            let is_joint = |(_, next): &(usize, &Word)| {
                contracted(&word.text, &next.text).is_some_and(|joint| joint == page.lower(at))
            };
            text.next_if(is_joint)?;
        }
        at += 1;
    }
    Some(at)
}

/// Returns the contraction of two words: there's, isn't.
fn contracted(one: &str, next: &str) -> Option<String> {
    match next {
        "is" => Some(format!("{one}'s")),
        "are" => Some(format!("{one}'re")),
        "not" => Some(format!("{one}n't")),
        _ => None,
    }
}

/// Mathematical signs, which can change the meaning of a number or variable.
const SIGNS: &str = "-–+*/^×÷·=<>≤≥±√";

/// Returns true for a number or a variable; next to these, mathematical signs are significant.
fn is_short(page: &Page, at: usize) -> bool {
    page.kind(at) == Some(Kind::Number)
        || page.kind(at) == Some(Kind::Word) && page.text(at).chars().count() == 1
}

/// Returns the mathematical signs among some pieces.
fn signs(page: &Page, pieces: Range<usize>) -> String {
    let marks = pieces.filter(|at| page.is_any(*at, SIGNS));
    marks
        .map(|at| {
            if page.is(at, '–') {
                "-"
            } else {
                page.text(at)
            }
        })
        .collect()
}

/// Returns the signs directly before a piece: `-` for `-5` and the point for `.5`, but not a
/// hyphen, bullet or plus.
fn lead(page: &Page, start: usize) -> String {
    let is_point = |at: usize| page.is(at, '.') && page.glued(at + 1);
    let is_tied =
        |at: usize| page.glued(at) && (page.is(at - 1, '.') || page.is_alphanumeric(at - 1));
    let point = start
        .checked_sub(1)
        .filter(|at| is_point(*at) && !is_tied(*at));
    if point.is_some() && page.kind(start) == Some(Kind::Number) {
        return ".".to_owned();
    }
    let mut first = start;
    while first > 0 && page.glued(first) && page.is_any(first - 1, "-–<>≤≥±√") {
        first -= 1;
    }
    let tied = first > 0 && first < start && page.glued(first) && page.is_alphanumeric(first - 1);
    signs(page, first + usize::from(tied)..start)
}

/// Returns true if the sign before a piece is the same as the option's: `-5` does not match `5`,
/// nor `5` match `-5`.
fn leads(page: &Page, start: usize, text: &Text) -> bool {
    if !is_short(page, start) {
        return true;
    }
    let mut said = lead(page, start);
    let word = start.checked_sub(1).map_or("", |at| page.lower(at));
    if matches!(word, "minus" | "negative") {
        said.insert(0, '-');
    }
    let bare = |signs: &str| signs.replace(['<', '>', '≤', '≥'], "");
    said == text.lead || bare(&text.lead) == text.lead && bare(&said) == text.lead
}

/// Returns the words of a two-word direction like 'front left', in which their order does not
/// matter.
fn pair(text: &[Word]) -> Option<[&str; 2]> {
    match text {
        [one, other] if directions::is_pair(&one.text, &other.text) => {
            Some([&one.text, &other.text])
        }
        _ => None,
    }
}

/// Parses an option's text; marks are used as words only if there are no words.
fn parse(text: &str) -> Text {
    let page = Page::of(text);
    let mut words = Vec::new();
    let mut end = 0;
    for at in (0..page.len()).filter(|at| page.is_alphanumeric(*at)) {
        words.push(Word {
            text: page.lower(at).into(),
            marked: at > end,
            signs: signs(&page, end..at),
        });
        end = at + 1;
    }
    let first = page.word_in(0..page.len());
    let lead = first.filter(|first| is_short(&page, *first));
    let mut parsed = Text {
        lead: lead
            .map(|first| self::lead(&page, first))
            .unwrap_or_default(),
        percent: page.is(end, '%') || words.last().is_some_and(|word| &*word.text == "percent"),
        words,
    };
    let words = &mut parsed.words;
    if words.is_empty() {
        words.extend((0..page.len()).map(|at| Word {
            text: page.lower(at).into(),
            marked: false,
            signs: String::new(),
        }));
        return parsed;
    }
    if parsed.percent
        && words.len() > 1
        && words.last().is_some_and(|word| &*word.text == "percent")
    {
        words.pop();
    }
    // 'To the left of' can occur without its first two words.
    if matches!(words.as_slice(), [to, the, _, ..] if &*to.text == "to" && &*the.text == "the") {
        words.drain(..2);
        return parsed;
    }
    let articles = (0..page.len())
        .filter(|at| page.is_alphanumeric(*at))
        .take_while(|at| ARTICLE.has(&page, *at))
        .count();
    if articles < words.len() {
        words.drain(..articles.min(1));
    }
    parsed
}

/// Returns the forms of a word: unchanged, in plural or singular, and its synonyms.
fn forms(word: &str) -> Vec<String> {
    let mut forms = vec![word.to_owned()];
    if !word.is_ascii() {
        forms.push(unaccented(word));
    }
    let akin = akin(word).iter().filter(|other| **other != word);
    forms.extend(akin.map(|other| (*other).to_owned()));
    if word.len() >= 3 && word.chars().all(char::is_alphabetic) && word.is_ascii() {
        forms.push(format!("{word}s"));
        forms.push(format!("{word}es"));
        if let Some(stem) = word.strip_suffix('y') {
            forms.push(format!("{stem}ies"));
        }
        if let Some(stem) = word.strip_suffix("es").filter(|stem| stem.len() >= 3) {
            forms.push(stem.to_owned());
        }
        if let Some(stem) = word
            .strip_suffix('s')
            .filter(|stem| stem.len() >= 3 && !stem.ends_with('s'))
        {
            forms.push(stem.to_owned());
        }
    }
    forms
}

/// Removes the accents of a word.
fn unaccented(word: &str) -> String {
    word.nfd()
        .filter(|mark| !is_combining_mark(*mark))
        .collect()
}

/// Returns true if two words are synonyms, or differ only in number, accents or unit name.
fn same(a: &str, b: &str) -> bool {
    if a == b
        || units::are_same(a, b)
        || akin(a).contains(&b)
        || !b.is_ascii() && a == unaccented(b)
    {
        return true;
    }
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    if short.len() < 3 || !short.is_ascii() || !short.bytes().all(|byte| byte.is_ascii_alphabetic())
    {
        return false;
    }
    long.strip_prefix(short)
        .is_some_and(|rest| rest == "s" && !short.ends_with('s') || rest == "es")
        || short
            .strip_suffix('y')
            .is_some_and(|stem| long.strip_prefix(stem) == Some("ies"))
}

/// Returns true if the pieces are part of a calculation: `x` in `x + 1`, `2` in `2^2`.
fn is_operand(page: &Page, pieces: &Range<usize>) -> bool {
    let ties = |mark: usize| page.is_any(mark, "+/^×÷·") || page.is(mark, '-') && page.glued(mark);
    let before = pieces.start > 1
        && ties(pieces.start - 1)
        && is_short(page, pieces.start - 2)
        && is_short(page, pieces.start);
    let after =
        ties(pieces.end) && is_short(page, pieces.end - 1) && is_short(page, pieces.end + 1);
    before || after
}

/// Returns true if a mention is not part of a longer word or number, or of the name of another
/// object.
pub(super) fn is_whole(page: &Page, pieces: &Range<usize>) -> bool {
    if !page.alone(pieces) || is_operand(page, pieces) {
        return false;
    }
    let (start, end) = (pieces.start, pieces.end);
    let number = |at: usize| page.kind(at) == Some(Kind::Number);
    if start > 1
        && page.glued(start)
        && page.is_any(start - 1, "-.,/")
        && page.glued(start - 1)
        && page.is_alphanumeric(start - 2)
    {
        let joined = page.is(start - 1, '-') || number(start) && number(start - 2);
        if joined {
            return false;
        }
    }
    if page.glued(end)
        && page.is_any(end, "-.,/")
        && page.glued(end + 1)
        && page.is_alphanumeric(end + 1)
    {
        let joined =
            page.is(end, '-') && !JOINS.has(page, end + 1) || number(end - 1) && number(end + 1);
        if joined {
            return false;
        }
    }
    if start > 0 && BEFORE.length(page, start - 1) > 1 {
        return false;
    }
    // 'All of the above' does not name the direction 'above'.
    if start > 1 && page.lower(start) == "above" && page.lower(start - 1) == "the" {
        return !matches!(
            page.lower(start - 2),
            "of" | "given" | "from" | "per" | "see"
        );
    }
    if end - start == 1 && page.lower(start) == "right" {
        let said = start > 0
            && (1..4).any(|back| {
                start.checked_sub(back).is_some_and(|at| {
                    let length = ALL_RIGHT.length(page, at);
                    length > back
                        && (length > 2
                            || page.lower(at) != "is"
                            || at > 0 && page.text(at - 1).len() == 1)
                })
            });
        if said || RIGHT.has(page, start) {
            return false;
        }
    }
    !(page.kind(end - 1) == Some(Kind::Word) && BEHIND.has(page, end) && !page.glued(end))
}
