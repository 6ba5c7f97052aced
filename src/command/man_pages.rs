//! Converts the Markdown pages of the manual to man pages.

use clap_mangen::roff::{Inline, Roff, bold, roman};

use base::manual::{PAGES, Page};

/// Man section of commands. `man eyechart-help-filters` then finds pages like `man eyechart`.
const SECTION: &str = "1";

/// Converts all pages to sections of one man page.
pub fn sections() -> Roff {
    let mut roff = Roff::default();
    for page in PAGES {
        let title = format!("manual: {}", page.title());
        roff.control("SH", [title.to_uppercase().as_str()]);
        write(page, &mut roff);
    }
    roff
}

/// Returns the name of a man page: `eyechart-help-filters`.
fn name(page: &Page) -> String {
    format!("eyechart-help-{}", page.name)
}

/// Returns the file name of a man page.
pub fn file_name(page: &Page) -> String {
    format!("{}.{SECTION}", name(page))
}

/// Converts one page to a man page.
pub fn page(page: &Page) -> Roff {
    let mut roff = Roff::default();
    let name = name(page);
    roff.control("TH", [name.as_str(), SECTION]);
    roff.control("SH", ["NAME"]);
    roff.text([roman(format!("{name} - {}", page.title()))]);
    roff.control("SH", ["DESCRIPTION"]);
    write(page, &mut roff);
    roff
}

/// Writes a page without its title. Code and tables keep their lines; other text is filled.
fn write(page: &Page, roff: &mut Roff) {
    let mut verbatim = Verbatim::None;
    let mut code = false;
    for line in page.text.lines().skip(1) {
        let next = verbatim.at(line);
        if next.is_some() != verbatim.is_some() {
            roff.control(if next.is_some() { "nf" } else { "fi" }, []);
        }
        let fence = line.starts_with("```");
        verbatim = next;
        if fence {
            continue;
        }
        match line.strip_prefix("## ") {
            Some(heading) => {
                roff.control("SS", [heading]);
            }
            None if verbatim.is_some() => {
                roff.text([roman(line)]);
            }
            None if line.is_empty() => {
                roff.control("PP", []);
                code = false;
            }
            None => {
                let (mark, rest) = marked(line);
                if let Some(mark) = mark {
                    roff.control("IP", [mark, "4"]);
                }
                roff.text(inline(rest, &mut code));
            }
        }
    }
    if verbatim.is_some() {
        roff.control("fi", []);
    }
}

/// Splits a list item into its marker, `-` or `1.`, and its text.
fn marked(line: &str) -> (Option<&str>, &str) {
    let is_mark = |mark: &str| {
        let number = mark.strip_suffix('.').unwrap_or_default();
        mark == "-" || (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    match line.split_once(' ') {
        Some((mark, rest)) if is_mark(mark) => (Some(mark), rest),
        _ => (None, line.trim_start()),
    }
}

/// Sets text between backticks in bold; `code` carries an open backtick to the next line.
fn inline(line: &str, code: &mut bool) -> Vec<Inline> {
    let mut parts = Vec::new();
    for (at, part) in line.split('`').enumerate() {
        *code ^= at > 0;
        if !part.is_empty() {
            parts.push(if *code { bold(part) } else { roman(part) });
        }
    }
    parts
}

/// Kind of the current line; all except `None` keep their line breaks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verbatim {
    None,
    /// A line of a fenced code block.
    Code,
    /// The closing fence of a code block.
    End,
    /// A row of a table.
    Table,
}

impl Verbatim {
    fn is_some(self) -> bool {
        matches!(self, Self::Code | Self::Table)
    }

    /// Returns the state for a line; `self` is the state of the previous line.
    fn at(self, line: &str) -> Self {
        let fence = line.starts_with("```");
        match self {
            Self::Code if fence => Self::End,
            Self::Code => Self::Code,
            _ if fence => Self::Code,
            _ if line.starts_with('|') => Self::Table,
            _ => Self::None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_and_tables_stay_as_they_stand_and_words_are_filled() {
        let sample = Page {
            name: "sample",
            text: "# A title\n\nSome `code` here\nand there.\n\n## Head\n\n```sh\n.eyechart  a\n```\n\n| a | b |\n\n- one\n  two\n",
        };
        let text = page(&sample).to_roff();
        assert!(
            text.contains("eyechart\\-help\\-sample \\- A title"),
            "{text}"
        );
        assert!(
            text.contains("Some \\fBcode\\fR here\nand there."),
            "{text}"
        );
        assert!(text.contains(".SS Head"), "{text}");
        assert!(text.contains(".nf\n\\&.eyechart  a\n.fi\n"), "{text}");
        assert!(text.contains(".nf\n| a | b |\n.fi\n"), "{text}");
        assert!(text.contains(".IP - 4\none\ntwo"), "{text}");
    }

    #[test]
    fn code_may_go_on_in_the_next_line() {
        let mut code = false;
        assert_eq!(inline("see `a", &mut code), [roman("see "), bold("a")]);
        assert_eq!(inline("b` now", &mut code), [bold("b"), roman(" now")]);
    }
}
