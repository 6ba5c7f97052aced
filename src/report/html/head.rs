//! Writes the head of a page: policy, title and style sheet.

use std::fmt::Write as _;
use std::io::{self, Write};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::digest::{SHA256, digest};

use super::escape::escape;
use super::find::SCRIPT;
use super::{Block, Page};

/// Number of shades of coloured cells.
pub const SHADES: u8 = 12;
/// The style sheet without the shades.
const STYLE: &str = include_str!("style.css");

/// Writes everything up to the start of the body.
pub fn write(page: &Page, out: &mut dyn Write) -> io::Result<()> {
    let (title, style) = (escape(&page.title), style());
    let mut allowed = format!("style-src {}", source(&style));
    if has_script(page) {
        let script = source(SCRIPT);
        allowed = format!("{allowed}; script-src {script}");
    }
    write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; {allowed}; img-src data:; \
         base-uri 'none'; form-action 'none'\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <meta name=\"color-scheme\" content=\"light dark\"/>\n\
         <meta name=\"referrer\" content=\"no-referrer\"/>\n\
         <meta name=\"generator\" content=\"eyechart {}\"/>\n<title>{title}</title>\n<style>{style}</style>\n</head>\n",
        env!("CARGO_PKG_VERSION")
    )
}

/// Returns true if a page has samples to filter.
pub fn has_script(page: &Page) -> bool {
    let mut blocks = page.blocks.iter();
    blocks.any(|block| matches!(block, Block::Find(_)))
}

/// Source expression that allows only this inline text (Content Security Policy Level 3).
fn source(text: &str) -> String {
    let hash = digest(&SHA256, text.as_bytes());
    format!("'sha256-{}'", STANDARD.encode(hash))
}

/// The style sheet with the shades of coloured cells.
fn style() -> String {
    let mut style = format!("\n{STYLE}");
    for shade in 0..SHADES {
        let (background, text) = colors(shade);
        // Writing to a text does not fail.
        let _ = writeln!(style, ".h{shade}{{background:{background};color:{text}}}");
    }
    style
}

/// Background and text colour of a shade. The best is the bright end of cividis, which is
/// perceptually uniform and safe for colour-blind readers.
fn colors(shade: u8) -> (String, &'static str) {
    let step = f64::from(SHADES - 1 - shade) / f64::from(SHADES - 1);
    let color = colorous::CIVIDIS.eval_continuous(step);
    let part = |value: u8| {
        let value = f64::from(value) / 255.0;
        if value <= 0.04045 {
            value / 12.92
        } else {
            ((value + 0.055) / 1.055).powf(2.4)
        }
    };
    let luminance = 0.2126 * part(color.r) + 0.7152 * part(color.g) + 0.0722 * part(color.b);
    // Both contrasts are equal at this luminance (WCAG 2.1).
    let text = if luminance > 0.179 { "#000" } else { "#fff" };
    (format!("#{color:x}"), text)
}

#[cfg(test)]
mod tests {
    use super::{SCRIPT, source, style};

    #[test]
    fn the_hash_is_that_of_the_specification() {
        // Example of Content Security Policy Level 3.
        assert_eq!(
            source("alert('Hello, world.');"),
            "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='"
        );
    }

    #[test]
    fn script_and_style_need_no_escapes() {
        assert!(!SCRIPT.contains(['<', '&', '\r']) && SCRIPT.len() < 10_000);
        assert!(!style().contains(['<', '&', '\r']));
    }
}
