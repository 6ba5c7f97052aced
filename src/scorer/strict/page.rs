//! Splits a response into pieces (words, numbers and marks) with their places.

use std::ops::Range;

use super::glyphs;
use super::tags::Tag;

/// Kind of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Letters of one script.
    Word,
    /// One character of a script without spaces between words.
    Ideograph,
    /// Decimal digits.
    Number,
    /// Any other visible character.
    Mark(char),
    /// End of a line.
    Line,
}

/// Piece of a response, with its texts and its place.
#[derive(Clone, Debug)]
struct Token {
    kind: Kind,
    text: Range<usize>,
    lower: Range<usize>,
    span: Range<usize>,
    /// True if the piece follows white space or a tag.
    gap: bool,
}

/// Pieces of a part of a response. Characters are converted to plain characters; marks of Markdown
/// and LaTeX are dropped.
pub(super) struct Page {
    text: String,
    lower: String,
    tokens: Vec<Token>,
}

impl Page {
    /// Creates the page of a whole text without tags.
    pub fn of(text: &str) -> Self {
        Self::new(text, 0..text.len(), &[])
    }

    /// Creates the page of the part `range` of a response, without its tags.
    pub fn new(source: &str, range: Range<usize>, tags: &[Tag]) -> Self {
        let mut writer = Writer {
            page: Self {
                text: String::with_capacity(range.len()),
                lower: String::with_capacity(range.len()),
                tokens: Vec::with_capacity(range.len() / 4),
            },
            open: None,
            gap: true,
            fraction: 0,
            sets_type: false,
            braces: Vec::new(),
        };
        let mut tags = tags.iter().filter(|tag| !tag.is_text).peekable();
        let mut at = range.start;
        while at < range.end {
            while tags.next_if(|tag| tag.span.start < at).is_some() {}
            if let Some(tag) = tags.next_if(|tag| tag.span.start == at) {
                writer.space();
                at = tag.span.end;
                continue;
            }
            at += writer
                .read(source.get(at..range.end).unwrap_or_default(), at)
                .max(1);
        }
        writer.page
    }

    /// Returns the number of pieces.
    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    /// Returns the kind of piece `at`; `None` beyond the end.
    pub fn kind(&self, at: usize) -> Option<Kind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    /// Returns the text of a piece in plain characters; empty beyond the end.
    pub fn text(&self, at: usize) -> &str {
        let token = self.tokens.get(at);
        token.map_or("", |token| &self.text[token.text.clone()])
    }

    /// Returns the text of a piece in lower case; empty beyond the end.
    pub fn lower(&self, at: usize) -> &str {
        let token = self.tokens.get(at);
        token.map_or("", |token| &self.lower[token.lower.clone()])
    }

    /// Returns true if the piece is this mark.
    pub fn is(&self, at: usize, mark: char) -> bool {
        self.kind(at) == Some(Kind::Mark(mark))
    }

    /// Returns true if the piece is one of these marks.
    pub fn is_any(&self, at: usize, marks: &str) -> bool {
        matches!(self.kind(at), Some(Kind::Mark(mark)) if marks.contains(mark))
    }

    /// Returns true if the piece is a word or a character of a script without spaces.
    pub fn is_word(&self, at: usize) -> bool {
        matches!(self.kind(at), Some(Kind::Word | Kind::Ideograph))
    }

    /// Returns the first piece in a range that consists of letters or digits.
    pub fn word_in(&self, mut range: Range<usize>) -> Option<usize> {
        range.find(|at| self.is_alphanumeric(*at))
    }

    /// Returns true if the piece consists of letters or digits.
    pub fn is_alphanumeric(&self, at: usize) -> bool {
        matches!(
            self.kind(at),
            Some(Kind::Word | Kind::Ideograph | Kind::Number)
        )
    }

    /// Returns true if the piece can begin a name: with a capital letter or a digit.
    pub fn begins_name(&self, at: usize) -> bool {
        self.text(at)
            .starts_with(|c: char| c.is_uppercase() || c.is_numeric())
    }

    /// Returns true if nothing separates the piece from the previous piece.
    pub fn glued(&self, at: usize) -> bool {
        at > 0 && self.tokens.get(at).is_some_and(|token| !token.gap)
    }

    /// Returns true if the pieces are not part of a longer word or number.
    pub fn alone(&self, pieces: &Range<usize>) -> bool {
        let joins = |at: usize| matches!(self.kind(at), Some(Kind::Word | Kind::Number));
        let edge = |at: usize| joins(at) && self.glued(at);
        let before = pieces.start > 0 && joins(pieces.start - 1) && edge(pieces.start);
        let after = pieces.end > pieces.start && joins(pieces.end - 1) && edge(pieces.end);
        !before && !after
    }

    /// Returns true if the piece ends a sentence or line.
    pub fn ends_sentence(&self, at: usize) -> bool {
        match self.kind(at) {
            None | Some(Kind::Line | Kind::Mark('!' | '?')) => true,
            Some(Kind::Mark('.')) => !(self.glued(at + 1) && self.is_alphanumeric(at + 1)),
            _ => false,
        }
    }

    /// Returns the end of the sentence that contains piece `at`, without its final mark; at most
    /// `limit`.
    pub fn sentence_end_before(&self, at: usize, limit: usize) -> usize {
        (at..limit)
            .find(|at| self.ends_sentence(*at))
            .unwrap_or(limit)
    }

    /// Returns the byte range of the pieces in the response; `None` for an empty or invalid range.
    pub fn span(&self, pieces: &Range<usize>) -> Option<Range<usize>> {
        let covered = self.tokens.get(pieces.clone())?;
        Some(covered.first()?.span.start..covered.last()?.span.end)
    }
}

/// Builds a page, character by character.
struct Writer {
    page: Page,
    /// Kind of the word or number being built, and whether its letters are Latin.
    open: Option<(Kind, bool)>,
    gap: bool,
    /// Number of open numerators in LaTeX fractions.
    fraction: u8,
    /// True directly after a LaTeX command that only sets type and takes braces.
    sets_type: bool,
    /// Open braces; true for braces of a command that only sets type.
    braces: Vec<bool>,
}

impl Writer {
    /// Reads the first character of `rest`, which is at byte `at` of the response; returns the
    /// number of bytes read.
    fn read(&mut self, rest: &str, at: usize) -> usize {
        let bytes = rest.as_bytes();
        let next = bytes.get(1).copied().unwrap_or_default();
        let sets_type = std::mem::take(&mut self.sets_type);
        match bytes.first().copied().unwrap_or_default() {
            b'*' | b'`' | b'$' => {
                self.open = None;
                1
            }
            b'_' => {
                let within = self.open.is_some() && next.is_ascii_alphanumeric();
                self.open = None;
                self.gap |= !within
                    && self
                        .page
                        .tokens
                        .last()
                        .is_some_and(|token| token.span.end == at);
                1
            }
            b'\\' => self.command(rest, at),
            // Skips the tildes around a code block.
            b'~' if rest.starts_with("~~~") => {
                self.space();
                rest.bytes().take_while(|byte| *byte == b'~').count()
            }
            b'~' if struck_out(rest).is_some() => {
                self.space();
                struck_out(rest).unwrap_or(1)
            }
            b'\'' if matches!(self.open, Some((Kind::Word, _))) && letter_after(rest, 1) => {
                self.push('\'', at..at + 1);
                1
            }
            b'{' => {
                self.braces.push(sets_type);
                if !sets_type {
                    self.character('{', at..at + 1);
                }
                1
            }
            b'}' if self.braces.last() == Some(&true) => {
                self.braces.pop();
                self.open = None;
                1
            }
            b'}' if self.fraction > 0 && next == b'{' => {
                self.fraction -= 1;
                self.character('/', at..at + 2);
                2
            }
            b'}' => {
                self.braces.pop();
                self.character('}', at..at + 1);
                1
            }
            letter if letter.is_ascii_alphanumeric() && next.is_ascii() => {
                self.character(char::from(letter), at..at + 1);
                1
            }
            _ => {
                if rest.starts_with('’')
                    && matches!(self.open, Some((Kind::Word, _)))
                    && letter_after(rest, 3)
                {
                    self.push('\'', at..at + 3);
                    return 3;
                }
                let mut plain = [' '; 20];
                let mut count = 0;
                let length = glyphs::plain(rest, |character| {
                    if let Some(slot) = plain.get_mut(count) {
                        *slot = character;
                        count += 1;
                    }
                });
                for character in plain.iter().take(count) {
                    self.character(*character, at..at + length);
                }
                length
            }
        }
    }

    /// Reads a LaTeX command or an escaped character, and drops commands that only set type;
    /// returns the number of bytes read.
    fn command(&mut self, rest: &str, at: usize) -> usize {
        let name: &str = rest.get(1..).unwrap_or_default();
        let length = name.bytes().take_while(u8::is_ascii_alphabetic).count();
        let name = name.get(..length).unwrap_or_default();
        let span = at..at + 1 + length;
        match name {
            "" => {
                if rest[1..].starts_with([' ', ',', ';', ':', '!', '(', ')', '[', ']', '\\']) {
                    self.space();
                    return 2;
                }
                self.open = None;
                return 1;
            }
            "frac" | "dfrac" | "tfrac" => self.fraction = self.fraction.saturating_add(1),
            "times" => self.character('×', span),
            "sqrt" => {
                self.open = None;
                self.sets_type = true;
                self.character('√', span);
            }
            "cdot" => self.character('·', span),
            "approx" | "sim" => self.character('~', span),
            "pm" => self.character('±', span),
            "to" | "rightarrow" | "Rightarrow" | "implies" => self.character('→', span),
            "n" | "t" | "r" => self.space(),
            _ if name.starts_with("text")
                || name.starts_with("math")
                || name.starts_with("operator")
                || matches!(name, "boxed" | "fbox") =>
            {
                self.open = None;
                self.sets_type = true;
            }
            "left" | "right" | "quad" | "qquad" | "bf" | "rm" | "displaystyle" | "Large"
            | "large" => self.open = None,
            _ => {
                self.open = None;
                return 1;
            }
        }
        1 + length
    }

    /// Adds one plain character to the current piece, or begins a new piece.
    fn character(&mut self, character: char, span: Range<usize>) {
        let word = |latin| Some((Kind::Word, latin));
        let open = if character.is_ascii_digit() {
            Some((Kind::Number, false))
        } else if is_ideograph(character) {
            Some((Kind::Ideograph, false))
        } else if character.is_alphabetic() {
            word(u32::from(character) < 0x250 || (0x1e00..0x1f00).contains(&u32::from(character)))
        } else if unicode_normalization::char::is_combining_mark(character)
            && matches!(self.open, Some((Kind::Word, _)))
        {
            self.open
        } else {
            None
        };
        match open {
            Some((kind, _)) => {
                if self.open == open && kind != Kind::Ideograph {
                    self.push(character, span);
                } else {
                    self.start(kind, character, span);
                    self.open = open;
                }
            }
            None if character == '\n' || character == '\r' => {
                self.start(Kind::Line, character, span);
                self.space();
            }
            None if character.is_whitespace() || character.is_control() => self.space(),
            None => {
                self.start(Kind::Mark(character), character, span);
                self.open = None;
            }
        }
    }

    /// Ends the current piece, because white space follows.
    fn space(&mut self) {
        self.open = None;
        self.gap = true;
    }

    /// Begins a new piece with a character.
    fn start(&mut self, kind: Kind, character: char, span: Range<usize>) {
        let (text, lower) = (self.page.text.len(), self.page.lower.len());
        self.page.tokens.push(Token {
            kind,
            text: text..text,
            lower: lower..lower,
            span: span.clone(),
            gap: self.gap,
        });
        self.gap = false;
        self.push(character, span);
    }

    /// Appends a character to the last piece.
    fn push(&mut self, character: char, span: Range<usize>) {
        self.page.text.push(character);
        if character.is_ascii() {
            self.page.lower.push(character.to_ascii_lowercase());
        } else {
            self.page.lower.extend(character.to_lowercase());
        }
        if let Some(token) = self.page.tokens.last_mut() {
            token.text.end = self.page.text.len();
            token.lower.end = self.page.lower.len();
            token.span.end = token.span.end.max(span.end);
        }
    }
}

/// Returns the length of the text that Markdown strikes out at the start of `rest`, including the
/// tildes.
fn struck_out(rest: &str) -> Option<usize> {
    let inner = rest.strip_prefix("~~")?;
    let length = inner.find("~~").filter(|length| *length > 0)?;
    Some(length + 4)
}

/// Returns true if the character at byte `at` is a letter.
fn letter_after(rest: &str, at: usize) -> bool {
    let next = rest.get(at..).and_then(|rest| rest.chars().next());
    next.is_some_and(char::is_alphabetic)
}

/// Returns true for characters of Han, kana and Hangul.
fn is_ideograph(character: char) -> bool {
    matches!(u32::from(character), 0x3005..=0x3007 | 0x3040..=0x30ff | 0x3400..=0x9fff | 0xac00..=0xd7af | 0xf900..=0xfaff | 0x2_0000..=0x3_ffff)
}
