//! Reads groups of numbers: lists with or without brackets, and numbers with names.

use std::ops::Range;

use super::page::{Kind, Page};
use super::phrases::Phrases;
use crate::python;

/// Number in a list, in which commas always separate numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub value: f64,
    pub percent: bool,
    /// True if the number has a decimal point.
    pub decimal: bool,
}

/// List of numbers, with its place on the page.
#[derive(Clone, Debug)]
pub(super) struct List {
    pub items: Vec<Item>,
    pub pieces: Range<usize>,
}

/// Reads the number at a piece; also returns its number of pieces.
pub(super) fn item(page: &Page, start: usize) -> Option<(Item, usize)> {
    let after_word = |at: usize| at > 0 && page.glued(at) && page.is_alphanumeric(at - 1);
    let signed = page.is_any(start, "-+") && !after_word(start) && page.glued(start + 1);
    let mut at = start + usize::from(signed);
    let mut written = String::new();
    if page.kind(at) == Some(Kind::Number) {
        if !signed && after_word(at) {
            return None;
        }
        written.push_str(page.text(at));
        at += 1;
    }
    let mut decimal = false;
    if page.is(at, '.') && (written.is_empty() || page.glued(at)) {
        if page.glued(at + 1) && page.kind(at + 1) == Some(Kind::Number) {
            written.push('.');
            written.push_str(page.text(at + 1));
            at += 2;
            decimal = true;
        } else if !written.is_empty()
            && page.kind(at + 1).is_some()
            && !page.ends_sentence(at + 1)
            && !page.is_word(at + 1)
        {
            at += 1;
        }
    }
    if written.is_empty() {
        return None;
    }
    if page.lower(at) == "e" && page.glued(at) && page.glued(at + 1) {
        let sign = usize::from(page.is_any(at + 1, "+-"));
        if page.kind(at + 1 + sign) == Some(Kind::Number) {
            written.push('e');
            (0..=sign).for_each(|more| written.push_str(page.text(at + 1 + more)));
            at += 2 + sign;
        }
    }
    let value = python::float(&written)?;
    let percent = page.is(at, '%');
    at += usize::from(percent);
    let value = if signed && page.is(start, '-') {
        -value
    } else {
        value
    };
    Some((
        Item {
            value,
            percent,
            decimal,
        },
        at - start,
    ))
}

/// Returns all lists of numbers; brackets and words separate lists.
pub(super) fn lists(page: &Page, range: Range<usize>) -> Vec<List> {
    let mut found: Vec<List> = Vec::new();
    let mut open: Option<List> = None;
    let mut at = range.start;
    while at < range.end {
        if let Some((item, length)) = item(page, at) {
            let list = open.get_or_insert_with(|| List {
                items: Vec::new(),
                pieces: at..at,
            });
            list.items.push(item);
            at += length;
            list.pieces.end = at;
            continue;
        }
        // The last number can follow 'and': '129, 64 and 203'.
        let and = open.as_ref().is_some_and(|list| list.items.len() > 1)
            && page.lower(at) == "and"
            && item(page, at + 1).is_some();
        let joins = and
            || page.is_any(at, ",;/-|")
            || page.kind(at) == Some(Kind::Line)
            || matches!(page.lower(at), "px" | "pixel" | "pixels");
        if !joins {
            found.extend(open.take());
        }
        at += 1;
    }
    found.extend(open);
    found
}

/// Returns all numbers with a name, such as `x1: 10` or `"r" = 200`, with their places.
pub(super) fn fields<T: Copy>(
    page: &Page,
    range: Range<usize>,
    names: &Phrases<T>,
) -> Vec<(T, Item, Range<usize>)> {
    let mut found = Vec::new();
    let mut at = range.start;
    while at < range.end {
        let said = names
            .at(page, at)
            .filter(|_| !(page.glued(at) && page.is_alphanumeric(at - 1)));
        let Some((length, name)) = said else {
            at += 1;
            continue;
        };
        let mut next = at + length;
        next += usize::from(page.is_any(next, "\"'"));
        let says = page.is_any(next, ":=") || page.lower(next) == "is";
        next += usize::from(says);
        next += usize::from(page.is_any(next, "\"'"));
        let glued = page.kind(next) == Some(Kind::Number);
        let bare = || {
            let value = python::float(page.text(next)).filter(|_| glued)?;
            let item = Item {
                value,
                percent: false,
                decimal: false,
            };
            Some((item, 1))
        };
        let number = item(page, next).filter(|_| says || glued).or_else(bare);
        match number {
            Some((item, length)) => {
                found.push((name, item, at..next + length));
                at = next + length;
            }
            None => at += 1,
        }
    }
    found
}
