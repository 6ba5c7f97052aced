//! Reads the elements of an XML file one at a time, in bounded memory.

use std::ops::ControlFlow;
use std::path::Path;

use quick_xml::escape::unescape;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use crate::coco::Lines;
use crate::json;
use base::limits::Limit;

/// Maximum depth of elements below the root.
const DEPTH: usize = 16;

/// An XML element with its content.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Element {
    /// Line of the start tag, counted from 1.
    pub line: u64,
    /// Tag name.
    pub name: String,
    /// Text of the element itself, trimmed.
    pub text: String,
    /// Attributes as pairs of name and value.
    pub attributes: Vec<(String, String)>,
    /// Child elements, in file order.
    pub children: Vec<Self>,
}

impl Element {
    /// Returns the first child with this name.
    pub fn child(&self, name: &str) -> Option<&Self> {
        self.children.iter().find(|child| child.name == name)
    }

    /// Returns the text of the first child with this name; empty if there is none.
    pub fn text_of(&self, name: &str) -> &str {
        self.child(name).map_or("", |child| &child.text)
    }

    /// Returns the value of an attribute; empty if it is missing.
    pub fn attribute(&self, name: &str) -> &str {
        let found = self.attributes.iter().find(|(known, _)| known == name);
        found.map_or("", |(_, value)| value)
    }
}

/// Parses a finite number. `name` is used in the error message.
///
/// # Errors
/// If the text is not a finite number.
pub fn number(name: &str, text: &str) -> Result<f64, String> {
    let value = text
        .trim()
        .parse()
        .ok()
        .filter(|value: &f64| value.is_finite());
    value.ok_or_else(|| format!("`{name}` is not a number"))
}

/// Passes each child of the root element to `take`, in file order.
///
/// # Errors
/// If the file cannot be read, is truncated or is not XML. The error is a line and a reason.
pub fn each(
    path: &Path,
    take: &mut dyn FnMut(Element) -> ControlFlow<()>,
) -> Result<(), (u64, String)> {
    let bytes =
        json::read_bounded(path).map_err(|error| (1, format!("cannot be read: {error}")))?;
    let text = String::from_utf8_lossy(json::without_mark(&bytes));
    let mut reader = Reader::from_str(&text);
    let mut lines = Lines::of(text.as_bytes());
    let (mut open, mut is_inside, mut values): (Vec<Element>, _, _) = (Vec::new(), false, 0);
    loop {
        let event = reader.read_event();
        let at = usize::try_from(reader.buffer_position()).unwrap_or_default();
        let line = lines.at(at);
        let event = event.map_err(|error| (line, error.to_string()))?;
        let is_empty = matches!(event, Event::Empty(_));
        match event {
            Event::Start(start) | Event::Empty(start) => {
                if !is_inside {
                    is_inside = true;
                    if is_empty {
                        return Ok(());
                    }
                    continue;
                }
                values = if open.is_empty() { 0 } else { values + 1 };
                if open.len() >= DEPTH || values > Limit::Values.length() {
                    return Err((line, Limit::Values.message()));
                }
                open.push(element(&start, line));
                if is_empty && close(&mut open, take).is_break() {
                    return Ok(());
                }
            }
            Event::End(_) if open.is_empty() || close(&mut open, take).is_break() => {
                return Ok(());
            }
            Event::Text(text) => add(&mut open, &text.xml10_content()),
            Event::CData(text) => add(&mut open, &text.xml10_content()),
            Event::GeneralRef(name) => {
                let raw = format!("&{};", name.xml10_content());
                add(&mut open, &unescape(&raw).unwrap_or_default());
            }
            Event::Eof => {
                return Err((
                    line,
                    "the file is cut short: an element is not closed".to_owned(),
                ));
            }
            _ => {}
        }
    }
}

fn element(start: &BytesStart<'_>, line: u64) -> Element {
    let mut attributes = start.attributes();
    // Skip the check for repeated attributes, which is slow for many attributes.
    let attributes = attributes
        .with_checks(false)
        .flatten()
        .filter_map(|attribute| {
            let value = attribute.normalized_value(XmlVersion::Implicit1_0).ok()?;
            Some((attribute.key.as_ref().to_owned(), value.into_owned()))
        });
    Element {
        line,
        name: start.name().as_ref().to_owned(),
        attributes: attributes.collect(),
        ..Element::default()
    }
}

/// Ends the innermost element. Adds it to its parent, or passes it to the caller if it has no
/// parent.
fn close(
    open: &mut Vec<Element>,
    take: &mut dyn FnMut(Element) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let Some(mut ended) = open.pop() else {
        return ControlFlow::Continue(());
    };
    let text = std::mem::take(&mut ended.text);
    text.trim().clone_into(&mut ended.text);
    match open.last_mut() {
        Some(parent) => parent.children.push(ended),
        None => return take(ended),
    }
    ControlFlow::Continue(())
}

fn add(open: &mut [Element], text: &str) {
    if let Some(element) = open.last_mut() {
        element.text.push_str(text);
    }
}
