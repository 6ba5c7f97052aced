//! Writes pages and blocks as HTML.

use std::io::{self, Write};

use super::escape::{anchor, escape};
use super::find::SCRIPT;
use super::head::SHADES;
use super::{Block, Cell, Column, Figure, Page, Table, card, find, head, sheet};
use crate::Align;
use base::format::compact;

/// Part of a page that is being written.
#[derive(Default)]
struct Section {
    /// Number of headings in the contents list so far.
    number: usize,
    /// The last heading.
    title: String,
}

/// Writes a whole HTML page.
///
/// # Errors
/// The writer fails.
pub fn write(page: &Page, out: &mut dyn Write) -> io::Result<()> {
    head::write(page, out)?;
    let title = escape(&page.title);
    write!(
        out,
        "<body>\n<a class=\"skip\" href=\"#main\">Skip to the results</a>\n<header>\n<h1>{title}</h1>\n"
    )?;
    if !page.about.is_empty() {
        let pieces = page
            .about
            .iter()
            .map(|piece| format!("<span>{}</span>", escape(piece)));
        writeln!(
            out,
            "<p class=\"about\">{}</p>",
            pieces.collect::<Vec<_>>().join(" ")
        )?;
    }
    writeln!(out, "</header>")?;
    contents(&page.blocks, out)?;
    writeln!(out, "<main id=\"main\">")?;
    let mut section = Section::default();
    for block in &page.blocks {
        write_block(block, &mut section, out)?;
    }
    writeln!(out, "</main>")?;
    if head::has_script(page) {
        writeln!(out, "<script>{SCRIPT}</script>")?;
    }
    writeln!(out, "</body>\n</html>")
}

/// Writes the contents list: headings of level 2 with those of level 3 below them.
fn contents(blocks: &[Block], out: &mut dyn Write) -> io::Result<()> {
    let listed = blocks.iter().filter_map(|block| match block {
        Block::Heading(level @ (2 | 3), title) => Some((*level, title)),
        _ => None,
    });
    let listed: Vec<(u8, &String)> = listed.collect();
    if listed.len() < 2 {
        return Ok(());
    }
    writeln!(out, "<nav aria-label=\"Contents\">\n<ul>")?;
    let mut open = false;
    for (at, (level, title)) in (1..).zip(listed) {
        let link = format!("<a href=\"#s{at}\">{}</a>", escape(title));
        if level == 2 {
            let close = if open { "</li>\n" } else { "" };
            write!(out, "{close}<li>{link}")?;
            open = true;
        } else {
            write!(out, " <span>{link}</span>")?;
        }
    }
    writeln!(out, "{}</ul>\n</nav>", if open { "</li>\n" } else { "" })
}

fn write_block(block: &Block, section: &mut Section, out: &mut dyn Write) -> io::Result<()> {
    if let Block::Heading(_, title) = block {
        section.title.clone_from(title);
    }
    match block {
        Block::Heading(level @ (2 | 3), title) => {
            section.number += 1;
            let (number, title) = (section.number, escape(title));
            writeln!(out, "<h{level} id=\"s{number}\">{title}</h{level}>")
        }
        Block::Heading(level, title) => writeln!(out, "<h{level}>{}</h{level}>", escape(title)),
        Block::Text(text) => writeln!(out, "<p>{}</p>", escape(text)),
        Block::Lead(text) => writeln!(out, "<p class=\"lead\">{}</p>", escape(text)),
        Block::Note(text) => writeln!(out, "<p class=\"ev\">{}</p>", escape(text)),
        Block::Scale(text) => write_scale(text, out),
        Block::Command(text) => writeln!(out, "<pre><code>{}</code></pre>", escape(text)),
        Block::Table(table) => write_table(table, &section.title, out),
        Block::Figure(figure) => write_figure(figure, out),
        Block::Beside(blocks) => within("<div class=\"beside\">", blocks, "</div>", section, out),
        Block::Stack(blocks) => within("<div>", blocks, "</div>", section, out),
        Block::Folded(title, blocks) => {
            let open = format!("<details><summary>{}</summary>", escape(title));
            within(&open, blocks, "</details>", section, out)
        }
        Block::Anchored(id, blocks) => {
            let open = format!("<section id=\"{}\">", escape(id));
            within(&open, blocks, "</section>", section, out)
        }
        Block::Cards(cards) => card::write(cards, out),
        Block::Sheet(sheet) => sheet::write(sheet, out),
        Block::Find(filter) => find::write(filter, out),
    }
}

fn within(
    open: &str,
    blocks: &[Block],
    close: &str,
    section: &mut Section,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "{open}")?;
    for block in blocks {
        write_block(block, section, out)?;
    }
    writeln!(out, "{close}")
}

fn write_figure(figure: &Figure, out: &mut dyn Write) -> io::Result<()> {
    let caption = match figure.caption.as_str() {
        "" => String::new(),
        caption => format!("<figcaption>{}</figcaption>\n", escape(caption)),
    };
    writeln!(out, "<figure>\n{}{caption}</figure>", figure.svg)
}

/// Writes the colours from best to worst, and their explanation.
fn write_scale(text: &str, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "<p class=\"ev\"><span class=\"scale\">best ")?;
    for shade in (0..SHADES).step_by(2) {
        write!(out, "<b class=\"c h{shade}\"></b>")?;
    }
    writeln!(out, " worst</span> {}</p>", escape(text))
}

/// Writes a table. Without a caption, the last heading is the caption for screen readers.
fn write_table(table: &Table, heading: &str, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<div class=\"table\"><table>")?;
    match (table.caption.as_str(), heading) {
        ("", "") => {}
        ("", heading) => writeln!(out, "<caption class=\"v\">{}</caption>", escape(heading))?,
        (caption, _) => writeln!(out, "<caption>{}</caption>", escape(caption))?,
    }
    write!(out, "<thead><tr>")?;
    for column in &table.columns {
        let class = class(column, None, false);
        let (name, note) = (escape(&column.name), small(&column.note));
        write!(out, "<th scope=\"col\"{class}>{name}{note}</th>")?;
    }
    writeln!(out, "</tr></thead>\n<tbody>")?;
    for row in &table.rows {
        write!(out, "<tr>")?;
        for (at, (cell, column)) in row.iter().zip(&table.columns).enumerate() {
            write_cell(cell, column, at < table.heads, out)?;
        }
        writeln!(out, "</tr>")?;
    }
    writeln!(out, "</tbody></table></div>")
}

fn write_cell(cell: &Cell, column: &Column, head: bool, out: &mut dyn Write) -> io::Result<()> {
    let (tag, scope) = if head {
        ("th", " scope=\"row\"")
    } else {
        ("td", "")
    };
    let title = match cell.title.as_str() {
        "" => String::new(),
        title => format!(" title=\"{}\"", escape(title)),
    };
    let class = class(column, cell.heat, cell.bold);
    let n = cell.n.map(|n| format!(" <i>n {}</i>", compact(n)));
    let (text, n, note) = (anchor(cell), n.unwrap_or_default(), small(&cell.note));
    let sign = card::sign(cell.mark);
    write!(
        out,
        "<{tag}{scope}{class}{title}>{sign}{text}{n}{note}</{tag}>"
    )
}

fn small(note: &str) -> String {
    if note.is_empty() {
        String::new()
    } else {
        format!(" <small>{}</small>", escape(note))
    }
}

fn class(column: &Column, heat: Option<f64>, bold: bool) -> String {
    let shade = heat.filter(|heat| heat.is_finite()).map(|heat| {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "0 to 11"
        )]
        let shade = (heat.clamp(0.0, 1.0) * f64::from(SHADES - 1)).round() as u8;
        format!("h{shade}")
    });
    let words = [
        (column.align == Align::Right).then(|| "n".to_owned()),
        column.dim.then(|| "d".to_owned()),
        column.heat.then(|| "c".to_owned()),
        bold.then(|| "b".to_owned()),
        shade,
    ];
    let words: Vec<String> = words.into_iter().flatten().collect();
    if words.is_empty() {
        String::new()
    } else {
        format!(" class=\"{}\"", words.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::{Block, Cell, Column, Page, Table, write};

    #[test]
    fn cells_say_what_they_are() {
        let cell = Cell {
            note: "[0.1, 0.2]".to_owned(),
            title: "n \"3\"".to_owned(),
            heat: Some(0.0),
            ..Cell::from("0.15")
        };
        let page = Page {
            title: "a <b>".to_owned(),
            blocks: vec![Block::Table(Table {
                columns: vec![
                    Column::text("model"),
                    Column::number("score").note("giou ↑"),
                ],
                heads: 1,
                rows: vec![vec!["m".into(), cell]],
                ..Table::default()
            })],
            ..Page::default()
        };
        let mut out = Vec::new();
        write(&page, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        for part in [
            "<title>a &lt;b&gt;</title>",
            "<th scope=\"col\" class=\"n\">score <small>giou ↑</small></th>",
            "<th scope=\"row\">m</th>",
            "<td class=\"n h0\" title=\"n &quot;3&quot;\">0.15 <small>[0.1, 0.2]</small></td>",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
    }
}
