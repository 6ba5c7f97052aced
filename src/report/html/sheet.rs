//! Writes sheets: small pictures that link to sample cards.

use std::io::{self, Write};

use super::Cell;
use super::card::image;
use super::escape::{anchor, escape};
use media::EncodedPicture;

/// Small pictures side by side.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sheet {
    /// One picture per sample.
    pub pictures: Vec<SheetPicture>,
    /// Link to all samples; its text is empty for no link.
    pub all: Cell,
}

/// A sample on a sheet. Its texts come from logs; writing escapes them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SheetPicture {
    /// Id of the sample's card.
    pub id: String,
    /// Id of the sample.
    pub title: String,
    /// The picture; `None` if it was left out or is missing.
    pub picture: Option<EncodedPicture>,
}

/// Writes a sheet as a list of linked pictures.
pub fn write(sheet: &Sheet, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<ul class=\"sheet\">")?;
    for one in &sheet.pictures {
        let (id, title) = (escape(&one.id), escape(&one.title));
        // The title is next to the picture, so the picture needs no alternative text.
        let picture = one.picture.as_ref().map(|picture| image(picture, ""));
        let picture = picture.unwrap_or_default();
        writeln!(out, "<li><a href=\"#{id}\">{picture}{title}</a></li>")?;
    }
    if !sheet.all.text.is_empty() {
        let title = escape(&sheet.all.title);
        writeln!(out, "<li title=\"{title}\">{}</li>", anchor(&sheet.all))?;
    }
    writeln!(out, "</ul>")
}
