//! Writes a gate as one Markdown comment, with small pictures of the samples that got worse.

use std::io::{self, Write};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::{GateReport, LONG, LostSample, columns};
use crate::html::escape as escape_html;
use crate::markdown;
use analysis::{GateRow, GateVerdict};
use base::format::{counted, first_words};
use media::EncodedPicture;

/// Maximum size of a comment in bytes. GitHub accepts 65,536 characters.
const MOST_BYTES: usize = 60_000;
/// Maximum number of rows of the table.
const MOST_ROWS: usize = 60;
/// Maximum number of lost samples.
const MOST_LOST: usize = 8;
/// Maximum number of untested rows listed with their reasons.
const MOST_REFUSED: usize = 20;
/// Maximum number of characters of a cell of the lost samples.
const LONGEST_CELL: usize = 80;

impl GateReport {
    /// Writes the comment within its size limit.
    pub(super) fn comment(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut text = Vec::new();
        self.head(&mut text)?;
        // Names of models, benchmarks and abilities must not notify users either.
        let mut text = silent(&String::from_utf8_lossy(&text)).into_bytes();
        let lost = self.lost_samples();
        if !lost.is_empty() {
            let rest = MOST_BYTES.saturating_sub(text.len());
            self.lost_table(&lost, rest, &mut text)?;
        }
        out.write_all(&text)
    }

    fn head(&self, out: &mut Vec<u8>) -> io::Result<()> {
        let sign = match self.outcome() {
            GateVerdict::Pass => "✅",
            GateVerdict::Worse => "❌",
            GateVerdict::CannotTell => "⚠️",
        };
        let mut sentences = self.decision().into_iter();
        let first = sentences.next().unwrap_or_default();
        writeln!(out, "### {sign} {}\n", markdown::escaped(&first))?;
        let rest: Vec<String> = sentences
            .chain(self.warnings())
            .chain([self.sides()])
            .chain(self.coverage())
            .collect();
        markdown::preface(&rest, out)?;
        let rows: Vec<&GateRow> = self.ordered().into_iter().map(|(row, _)| row).collect();
        let shown = rows.iter().copied().take(MOST_ROWS);
        let grid = columns().without(&LONG).grid("", shown);
        markdown::write(&[grid], out)?;
        let mut notes: Vec<String> = rows
            .iter()
            .filter(|row| row.why_not.is_some() && rows.len() > 1)
            .map(|row| self.sentence(row))
            .collect();
        let more = notes.len().saturating_sub(MOST_REFUSED);
        notes.truncate(MOST_REFUSED);
        if more > 0 {
            notes.push(format!(
                "Not listed: {} without a test.",
                counted(more as u64, "more decision")
            ));
        }
        if rows.len() > MOST_ROWS {
            let all = rows.len();
            notes.push(format!("The table has {MOST_ROWS} of {all} decisions."));
        }
        markdown::preface(&notes, out)
    }

    /// Writes the table of lost samples, with as many pictures as fit into `rest` bytes.
    fn lost_table(
        &self,
        lost: &[(&GateRow, &LostSample)],
        rest: usize,
        out: &mut Vec<u8>,
    ) -> io::Result<()> {
        let shown = lost.get(..MOST_LOST).unwrap_or(lost);
        let lines: Vec<String> = (1..)
            .zip(shown)
            .map(|(number, (_, sample))| line(number, sample))
            .collect();
        let texts: usize = lines.iter().map(String::len).sum();
        let mut room = rest.saturating_sub(texts);
        let mut commands: Vec<String> = Vec::new();
        for (_, sample) in shown {
            let command = base::format::visible(&sample.command).into_owned();
            // Three backticks would end the block.
            if !command.contains("```") && command.len() < room {
                room -= command.len() + 1;
                commands.push(command);
            }
        }
        writeln!(out, "<details open><summary>What got worse</summary>\n")?;
        writeln!(
            out,
            "| picture | ability | sample | target | base | candidate |"
        )?;
        writeln!(out, "|---|---|---|---|---|---|")?;
        for ((number, (_, sample)), line) in (1..).zip(shown).zip(&lines) {
            let picture = first_picture(sample);
            let link = picture.map(|picture| self.link(number, picture));
            let tag = picture.zip(link).map(|(picture, link)| {
                let (width, height) = picture.size;
                format!(
                    "<img src=\"{}\" width=\"{width}\" height=\"{height}\" alt=\"{}\">",
                    escape_html(&link),
                    escape_html(&sample.id).replace('|', "&#124;")
                )
            });
            let tag = tag.filter(|tag| tag.len() <= room).unwrap_or_default();
            room -= tag.len();
            writeln!(out, "| {tag} | {line} |")?;
        }
        if !commands.is_empty() {
            writeln!(out, "\n```sh\n{}\n```", commands.join("\n"))?;
        }
        writeln!(out, "\n</details>")
    }

    /// Address of a picture: a data URL, or the file of [`Self::picture_files`].
    fn link(&self, number: usize, picture: &EncodedPicture) -> String {
        match &self.pictures_at {
            Some(place) => {
                let place = place.trim_end_matches('/');
                format!("{place}/{}", file_name(number, picture))
            }
            None => format!(
                "data:{};base64,{}",
                picture.mime,
                STANDARD.encode(&picture.bytes)
            ),
        }
    }

    /// The pictures of a comment, with the names of their files.
    pub fn picture_files(&self) -> Vec<(String, &[u8])> {
        let lost = self.lost_samples();
        let shown = lost.into_iter().take(MOST_LOST);
        let first = (1..).zip(shown).filter_map(|(number, (_, sample))| {
            let picture = first_picture(sample)?;
            Some((file_name(number, picture), picture.bytes.as_slice()))
        });
        first.collect()
    }
}

fn first_picture(sample: &LostSample) -> Option<&EncodedPicture> {
    let mut pictures = sample.pictures.iter();
    pictures.find_map(|picture| picture.encoded.as_ref())
}

fn file_name(number: usize, picture: &EncodedPicture) -> String {
    let ending = if picture.mime == "image/png" {
        "png"
    } else {
        "jpg"
    };
    format!("worse-{number}.{ending}")
}

/// Cells of a lost sample after the picture.
fn line(number: usize, sample: &LostSample) -> String {
    let name = match sample.condition.as_str() {
        "" => sample.id.clone(),
        condition => format!("{} ({condition})", sample.id),
    };
    let cells = [
        &sample.ability,
        &format!("{number}. {name}"),
        &sample.target,
        &sample.base,
        &sample.candidate,
    ];
    let cells = cells.map(|cell| silent(&markdown::escaped(&first_words(cell, LONGEST_CELL))));
    cells.join(" | ")
}

/// Changes escaped text so that an `@` does not notify users.
fn silent(text: &str) -> String {
    text.replace('@', "@<!-- -->")
}
