//! Parses filters. A space between terms means *and*; `or`, `not` and parentheses are supported.

use std::iter::Peekable;
use std::ops::Range;
use std::vec::IntoIter;

use super::FilterError;
use super::lexer::{Token, tokens};

/// A filter as a tree.
#[derive(Clone, Debug, PartialEq)]
pub enum Filter {
    /// Both sides must pass.
    And(Box<Filter>, Box<Filter>),
    /// At least one side must pass.
    Or(Box<Filter>, Box<Filter>),
    /// The inner filter must not pass.
    Not(Box<Filter>),
    /// A single term.
    Leaf(Leaf),
}

impl Filter {
    /// Returns all terms, in order.
    pub fn leaves(&self) -> Vec<&Leaf> {
        match self {
            Self::And(left, right) | Self::Or(left, right) => {
                let mut leaves = left.leaves();
                leaves.append(&mut right.leaves());
                leaves
            }
            Self::Not(inner) => inner.leaves(),
            Self::Leaf(leaf) => vec![leaf],
        }
    }

    /// Returns true if a term has a key for which `is_meant` returns true.
    pub fn has_key(&self, is_meant: impl Fn(&str) -> bool) -> bool {
        let mut leaves = self.leaves().into_iter();
        leaves.any(|leaf| leaf.key().is_some_and(&is_meant))
    }
}

/// A single term: key, comparison and value.
#[derive(Clone, Debug, PartialEq)]
pub struct Leaf {
    /// Key and its byte range. `None` for a bare word, which is searched in question, target and
    /// response, and compared with ids.
    pub key: Option<(String, Range<usize>)>,
    /// How the value is compared.
    pub comparison: Comparison,
    /// The value as written.
    pub value: String,
    /// Byte range of the value.
    pub at: Range<usize>,
}

impl Leaf {
    /// Returns the key; `None` for a bare word.
    pub fn key(&self) -> Option<&str> {
        self.key.as_ref().map(|(key, _)| key.as_str())
    }
}

/// A comparison sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `:`: equals, lies within `a..b`, or contains.
    Is,
    /// `=`: equals.
    Equal,
    /// `!=`: differs.
    Unequal,
    /// `<`: is less.
    Less,
    /// `<=`: is less or equal.
    AtMost,
    /// `>`: is greater.
    More,
    /// `>=`: is greater or equal.
    AtLeast,
    /// `~`: matches a regular expression.
    Matches,
}

/// Maximum length of a filter in bytes. A compiled pattern needs several hundred times its length.
const LONGEST: usize = 64 << 10;

/// Parses a filter; `None` if it is empty.
///
/// # Errors
/// The filter is invalid. The error contains the position.
pub fn parse(text: &str) -> Result<Option<Filter>, FilterError> {
    if text.len() > LONGEST {
        let at = text.floor_char_boundary(LONGEST)..text.len();
        let what = format!(
            "a filter has at most {} KB; `ids:FILE` takes a list of samples",
            LONGEST >> 10
        );
        return Err(FilterError::new(text, at, what));
    }
    let mut parser = Parser {
        text,
        tokens: tokens(text)?.into_iter().peekable(),
        depth: 0,
        terms: 0,
    };
    if parser.tokens.peek().is_none() {
        return Ok(None);
    }
    let filter = parser.either()?;
    match parser.tokens.next() {
        None => Ok(Some(filter)),
        Some((_, at)) => Err(parser.error(at, "unmatched closing parenthesis")),
    }
}

/// Maximum depth of nested parentheses.
const DEEPEST: usize = 64;
/// Maximum number of terms, which limits the depth of the tree. A longer list can be written to a
/// file of ids.
const MOST_TERMS: usize = 400;

struct Parser<'a> {
    text: &'a str,
    tokens: Peekable<IntoIter<(Token, Range<usize>)>>,
    depth: usize,
    terms: usize,
}

impl Parser<'_> {
    fn error(&self, at: Range<usize>, what: &str) -> FilterError {
        FilterError::new(self.text, at, what)
    }

    fn end(&self) -> Range<usize> {
        self.text.len()..self.text.len()
    }

    fn next_is_word(&mut self, word: &str) -> bool {
        matches!(self.tokens.peek(), Some((Token::Word(next), _)) if next.eq_ignore_ascii_case(word))
    }

    fn either(&mut self) -> Result<Filter, FilterError> {
        let mut left = self.every()?;
        while self.next_is_word("or") {
            self.tokens.next();
            left = Filter::Or(Box::new(left), Box::new(self.every()?));
        }
        Ok(left)
    }

    fn every(&mut self) -> Result<Filter, FilterError> {
        let mut left = self.term()?;
        loop {
            if self.next_is_word("and") {
                self.tokens.next();
            } else if self.next_is_word("or")
                || matches!(self.tokens.peek(), None | Some((Token::Close, _)))
            {
                return Ok(left);
            }
            left = Filter::And(Box::new(left), Box::new(self.term()?));
        }
    }

    fn term(&mut self) -> Result<Filter, FilterError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.error(self.end(), "too many parentheses"));
        }
        self.terms += 1;
        if self.terms > MOST_TERMS {
            let at = self.tokens.peek().map(|(_, at)| at.clone());
            let what = format!("more than {MOST_TERMS} terms; `ids:FILE` takes a list of samples");
            return Err(self.error(at.unwrap_or_else(|| self.end()), &what));
        }
        let term = self.shallow_term();
        self.depth -= 1;
        term
    }

    fn shallow_term(&mut self) -> Result<Filter, FilterError> {
        match self.tokens.next() {
            Some((Token::Word(word), at))
                if word.eq_ignore_ascii_case("not") && !self.compares(&at) =>
            {
                Ok(Filter::Not(Box::new(self.term()?)))
            }
            Some((Token::Word(word), at))
                if !self.compares(&at) && matches!(word.as_str(), "or" | "and") =>
            {
                Err(self.error(at, "a term is missing before this"))
            }
            Some((Token::Word(word), at)) => self.leaf(word, at),
            // A quoted key can contain spaces and comparison signs.
            Some((Token::Quoted(word), at)) if self.compares(&at) => self.leaf(word, at),
            Some((Token::Quoted(value), at)) => Ok(Filter::Leaf(Leaf {
                key: None,
                comparison: Comparison::Is,
                value,
                at,
            })),
            Some((Token::Open, at)) => {
                let inner = self.either()?;
                match self.tokens.next() {
                    Some((Token::Close, _)) => Ok(inner),
                    _ => Err(self.error(at, "the parenthesis is not closed")),
                }
            }
            Some((Token::Close, at)) => Err(self.error(at, "unmatched closing parenthesis")),
            Some((Token::Compare(_), at)) => Err(self.error(at, "a key is missing before this")),
            None => Err(self.error(self.end(), "a term is missing here")),
        }
    }

    fn compares(&mut self, at: &Range<usize>) -> bool {
        matches!(self.tokens.peek(), Some((Token::Compare(_), next)) if next.start == at.end)
    }

    fn leaf(&mut self, word: String, at: Range<usize>) -> Result<Filter, FilterError> {
        if !self.compares(&at) {
            return Ok(Filter::Leaf(Leaf {
                key: None,
                comparison: Comparison::Is,
                value: word,
                at,
            }));
        }
        let Some((Token::Compare(sign), sign_at)) = self.tokens.next() else {
            return Err(self.error(at, "a comparison is missing after this"));
        };
        let Some((Token::Word(value) | Token::Quoted(value), value_at)) = self.tokens.next() else {
            return Err(self.error(sign_at, "a value is missing after this"));
        };
        let comparison = match sign {
            "=" => Comparison::Equal,
            "!=" => Comparison::Unequal,
            "<" => Comparison::Less,
            "<=" => Comparison::AtMost,
            ">" => Comparison::More,
            ">=" => Comparison::AtLeast,
            "~" => Comparison::Matches,
            _ => Comparison::Is,
        };
        Ok(Filter::Leaf(Leaf {
            key: Some((word, at)),
            comparison,
            value,
            at: value_at,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::{Comparison, Filter, parse};

    #[test]
    fn spaces_bind_closer_than_or() {
        let filter = parse("a:1 b<2 or not (c:3 d)")
            .expect("a filter")
            .expect("not empty");
        let Filter::Or(left, right) = filter else {
            panic!("or is outermost")
        };
        assert!(matches!(*left, Filter::And(_, _)));
        assert!(matches!(*right, Filter::Not(_)));
    }

    #[test]
    fn values_may_hold_signs_and_quotes_may_hold_spaces() {
        let Some(Filter::Leaf(leaf)) = parse(r#"response~"a \"b\" \d:c""#).expect("a filter")
        else {
            panic!("a leaf")
        };
        assert_eq!(
            (leaf.comparison, leaf.value.as_str()),
            (Comparison::Matches, r#"a "b" \d:c"#)
        );
        let Some(Filter::Leaf(leaf)) = parse(r#""my tag"="a b""#).expect("a filter") else {
            panic!("a leaf")
        };
        assert_eq!(
            leaf.key.map(|(key, _)| key).as_deref(),
            Some("my tag"),
            "a key in quotes"
        );
        let Some(Filter::Leaf(leaf)) = parse("sample:td/a:b").expect("a filter") else {
            panic!("a leaf")
        };
        assert_eq!(leaf.value, "td/a:b");
    }

    #[test]
    fn a_filter_of_many_terms_is_refused_before_it_exhausts_the_stack() {
        assert!(parse(&"a or ".repeat(399)).is_err(), "nothing after or");
        assert!(parse(&"a ".repeat(400)).expect("a filter").is_some());
        let error = parse(&"a ".repeat(30_000)).expect_err("too many terms");
        assert_eq!(error.at, 800..801);
        let error = parse(&"é".repeat(1 << 20)).expect_err("too long");
        assert_eq!(error.at, 65_536..2 << 20);
    }

    #[test]
    fn errors_point_at_the_place() {
        let error = parse("a:1 (b:2").expect_err("not closed");
        assert_eq!(error.at, 4..5);
        assert_eq!(parse("a:").expect_err("no value").at, 1..2);
        assert_eq!(parse("a:1 or").expect_err("nothing after or").at, 6..6);
        assert!(parse("  ").expect("empty").is_none());
    }
}
